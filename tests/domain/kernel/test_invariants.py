"""The invariants that a step evaluates again: those whose parts of the board changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Changes, Document, deep_copy, difference, fold, value_at
from daybook.domain.kernel.invariants import Invariant, invariants_of
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, Ruleset
from daybook.domain.kernel.terms import TABLE, Board, RulesBrokenError
from tests.domain.kernel.test_meaning import positions
from tests.domain.sawmill import SAWMILL, SHEET, Chop, Drawn, Steal, trees_add_up

EVERY = pytest.mark.parametrize(
    "rules", [rules for rules in RULESETS.values() if rules.integrity.invariants], ids=lambda rules: rules.id
)


def leaves(path: str, value: Any) -> Iterator[str]:
    """The places of a document at which nothing lies below, and all lists."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, list) or not parts:
        yield path
    for key, part in parts:
        yield from leaves(f"{path}/{key}", part)


def others(value: Any, random: Random) -> list[Any]:
    """Return other values for a place of the board."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1, 99, -1, 0]
        case list():
            return [value[1:], value + value[:1], value[::-1], []]
    return [None, 1, "?", random.choice(["action", "price", "main", "offers", "turn", "sell", "take_card", "foreman"])]


def changed_boards(rules: Ruleset[Any], board: Board, random: Random) -> Iterator[tuple[Board, Changes]]:
    """The board with another value at one place, for some places, as far as that is a board of the game."""
    document: Document = board.document()
    paths = [path for path in leaves("", document) if path != "/players"]  # nobody comes or goes
    for path in random.sample(paths, min(20, len(paths))):
        for value in others(value_at(document, path), random):
            changed = deep_copy(document)
            fold(changed, {path: [None, value]})
            try:
                other = rules.typed_board(changed, board.table)
            except msgspec.ValidationError:
                continue
            yield other, difference(document, other.document())


@EVERY
def test_whatever_a_change_breaks_is_asked_again(rules):
    """An invariant that a change at some place breaks reads that place."""
    random, broken = Random(rules.id), set[int]()
    assert rules.integrity.invariants is not None
    every = rules.integrity.invariants(next(positions(rules, 1)).board.table.seats)
    reading = cache(partial(invariants_of, every))  # what lies at a path, as the ruleset keeps it
    for game in positions(rules, 1):
        assert not list(rules.integrity.breaches(game.board))
        for other, changes in changed_boards(rules, game.board, random):
            found = {place for place, value in enumerate(every) if breaks(value, other)}
            asked = {place for path in changes for place in reading(path)}
            assert found <= asked, [(every[place].broken, changes) for place in found - asked]
            broken |= found
    assert len(broken) > 5, "the changes break too little to say anything"


def breaks(invariant: Invariant, board: Board) -> bool:
    """Return whether the condition fails; if it cannot be evaluated, another condition fails."""
    try:
        return invariant.broken(board) is not None
    except CANNOT_GO_ON:
        return False


@EVERY
def test_broken_board_is_reported_with_all_its_breaches(rules):
    random = Random(rules.id)
    for game in islice(positions(rules, 4), 20):
        for other, changes in changed_boards(rules, game.board, random):
            try:
                found = list(rules.integrity.breaches(other))
            except CANNOT_GO_ON:
                continue  # nor does a step to such a board come to anything
            assert list(rules.breaches_since(other, changes)) == found, changes


@EVERY
def test_what_reads_other_parts_alone_is_not_asked_again(rules):
    board = next(positions(rules, 1)).board
    asked: list[tuple[str, ...]] = []

    def listening(seats: int) -> list[Invariant]:
        assert rules.integrity.invariants is not None
        every = rules.integrity.invariants(seats)
        return [Invariant(lambda b, reads=item.reads: asked.append(reads), item.reads) for item in every]

    heard = replace(rules, integrity=replace(rules.integrity, invariants=listening))
    heard.breaches_since(board, {"/players/0/money": [1, 2], "/players/0/cash": [1, 2]})
    assert asked
    assert all(any(part.endswith(("/money", "/cash")) for part in reads) for reads in asked)


def sawmill_by_parts() -> Ruleset[Any]:
    """Sawmill with its invariant by the parts of the board that it reads."""
    trees = Invariant(lambda b: next(trees_add_up(b), None), ("/trees", "/wood"))
    return replace(SAWMILL, integrity=replace(SAWMILL.integrity, invariants=lambda seats: [trees]))


def test_what_was_amiss_already_stops_no_later_step():
    """An illegal move that stood left a tree too many; later steps must only break nothing new."""
    rules = sawmill_by_parts()
    board = rules.opening_board(rules.table(["oak", "elm"], {}, SHEET))
    board.trees += 1
    known = list(rules.integrity.breaches(board))
    assert known
    drawn, first = rules.step(board, TABLE, Drawn(1), known_breaches=known)
    chopped, _ = rules.step(drawn, 0, Chop(2), known_breaches=known, since=first)
    assert (chopped.trees, chopped.wood) == (4, [2, 0])


def test_breaking_step_is_a_fault_after_another_too():
    rules = sawmill_by_parts()
    board = rules.opening_board(rules.table(["oak", "elm"], {}, SHEET))
    drawn, first = rules.step(board, TABLE, Drawn(1))
    with pytest.raises(RulesBrokenError):
        rules.step(drawn, 0, Steal(), since=first)
