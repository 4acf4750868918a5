"""Boards as documents: differences, folding forward and back, paths."""

from __future__ import annotations

from copy import deepcopy

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.domain.kernel import board
from daybook.domain.kernel.board import (
    deep_copy,
    difference,
    fold,
    follow,
    is_at,
    mismatches,
    plain,
    touches,
    unfold,
    value_at,
)
from daybook.domain.kernel.terms import because

parts = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "a", "~", "/", "~1", "0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "~", "/", "0"]), inner),
    max_leaves=12,
)
documents = st.fixed_dictionaries({"a": parts, "b": parts, "~/": parts})


def same(first: object, second: object) -> bool:
    """Equal, and True is not 1."""
    return repr(first) == repr(second)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2}, {"/a": [1, 2]}),
        ({"a": {"b": 1, "c": 1}}, {"a": {"b": 1, "c": 2}}, {"/a/c": [1, 2]}),
        ({"a": [1, 2]}, {"a": [1, 3]}, {"/a/1": [2, 3]}),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, {"/a": [[1, 2], [1, 2, 3]]}),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, {"/a": [{"b": 1}, {"c": 1}]}),
        ({"a": None}, {"a": {"b": 1}}, {"/a": [None, {"b": 1}]}),
        ({"a/b": 1, "~": 1}, {"a/b": 2, "~": 2}, {"/a~1b": [1, 2], "/~0": [1, 2]}),
    ],
)
def test_difference(before, after, changes):
    assert difference(before, after) == changes


@given(documents, documents)
def test_folding_leads_there_and_unfolding_back(before, after):
    changes, document = difference(before, after), deepcopy(before)
    fold(document, changes)
    assert document == after
    unfold(document, changes)
    assert document == before


@given(documents, documents)
def test_changes_fit_the_document_they_were_made_on(before, after):
    assert list(mismatches(before, difference(before, after))) == []


def test_mismatches_name_the_paths_that_do_not_fit():
    assert list(mismatches({"a": 1, "b": [1]}, {"/a": [2, 3], "/b/0": [1, 2], "/b/7": [1, 2]})) == ["/a", "/b/7"]


@given(documents)
def test_a_copy_shares_nothing(document):
    other = deep_copy(document)
    assert same(other, document)
    other["a"] = other["b"] = "changed"
    assert document["a"] != "changed"


class Tree(msgspec.Struct):
    wood: int
    name: str
    birds: list[str]
    seeds: dict[str, int]
    sapling: Tree | None
    others: list[Tree]


def tree_of(saplings, rest):
    return st.builds(
        Tree,
        st.integers(0, 2),
        st.sampled_from("ab"),
        st.lists(st.sampled_from("cd"), max_size=2),
        st.dictionaries(st.sampled_from(["e", "f/"]), st.integers(0, 1)),
        saplings,
        rest,
    )


trees = st.recursive(
    tree_of(st.none(), st.builds(list)),
    lambda inner: tree_of(st.none() | inner, st.lists(inner, max_size=2)),
    max_leaves=8,
)


@given(trees, trees)
def test_followed_board_equals_the_other_and_shares_nothing(behind, ahead):
    before, after = msgspec.to_builtins(behind), msgspec.to_builtins(ahead)
    assert follow(behind, ahead, difference(before, after))
    assert behind == ahead
    shared = parts_of(behind) & parts_of(ahead)
    assert not shared


@given(trees, trees, st.data())
def test_no_board_is_followed_by_changes_that_lead_elsewhere(behind, ahead, data):
    before, after = msgspec.to_builtins(behind), msgspec.to_builtins(ahead)
    changes = difference(before, after)
    if not changes:
        return
    path = data.draw(st.sampled_from(list(changes)))
    wrong = data.draw(st.sampled_from(["lacking", "other", "nowhere"]))
    if wrong == "nowhere":
        changes["/roots/0"] = [None, 0]
    elif wrong == "other":
        changes[path] = [changes[path][0], "elsewhere"]
    else:
        del changes[path]
    assert not follow(behind, ahead, changes)


@pytest.mark.parametrize("path", ["/twig", "/birds/1", "/birds/x", "/wood/0", "/sapling/wood", "/__class__", ""])
def test_no_board_is_followed_to_a_place_it_does_not_have(path):
    trees = [Tree(1, "a", ["c"], {}, None, []) for _ in range(2)]
    assert not follow(*trees, {path: [None, None]})


def parts_of(tree):
    """All of a tree that can change, by identity."""
    inner = [tree.sapling, *tree.others] if tree.sapling else tree.others
    return {id(part) for part in (tree, tree.birds, tree.seeds, tree.others)}.union(*map(parts_of, inner))


def test_a_fold_does_not_tie_the_document_to_the_changes():
    document, changes = {"a": None}, {"/a": [None, {"b": [1]}]}
    fold(document, changes)
    document["a"]["b"].append(2)
    assert changes == {"/a": [None, {"b": [1]}]}


def test_value_at_a_path():
    document = {"a": [{"b/c": 5}]}
    assert value_at(document, "/a/0/b~1c") == 5
    assert is_at(document, "/a/0") and not is_at(document, "/a/1")


@pytest.mark.parametrize("path", ["", "a", "/x", "/a/-1", "/a/x", "/a/0/b/c", "/a/²"])
def test_there_is_nothing_at(path):
    assert not is_at({"a": [{"b": 5}]}, path)


def test_what_no_board_has_is_not_remembered():
    """A request's path is arbitrary text: a remembered path of 64 KB took two megabytes for good."""
    remembered = board._keys.cache_info().currsize
    assert not is_at({"a": [{"b": 1}]}, "/a" * 30_000)
    assert board._keys.cache_info().currsize == remembered


@pytest.mark.parametrize(
    ("path", "expected"), [("/a/b", True), ("/a", True), ("/a/b/c", True), ("/a/bc", False), ("/d", False)]
)
def test_changes_touch_what_lies_under_and_around(path, expected):
    assert touches({"/a/b": [1, 2]}, path) is expected


def test_plain_values_are_as_a_record_gives_them_back():
    assert plain((1, because("key", "says", seat=2))) == [
        1,
        {"key": "key", "sentence": "says", "figures": {"seat": 2}, "forms": None},
    ]
