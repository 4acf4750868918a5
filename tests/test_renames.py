"""docs/renames.toml, which leads from the names of 0.2.0 to ours, names only what exists. Removed after 1.0.0."""

from __future__ import annotations

import tomllib

import pytest

from tests import renames

NAMES = tomllib.loads(renames.FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tree():
    return renames.new_tree()


def test_new_modules_and_definitions_exist(tree):
    modules = {renames.dotted(path) for path in tree.modules}
    definitions = {renames.dotted(definition.module, definition.name) for definition in renames.definitions(tree)}
    assert {*NAMES["modules"].values()} - {""} <= modules
    assert {*NAMES["functions_and_classes"].values()} - {""} <= definitions


@pytest.mark.parametrize(("kind", "paths"), [("event", renames.EVENT_FILES), ("command", renames.COMMAND_FILES)])
def test_new_tags_and_fields_exist(tree, kind, paths):
    known = renames.tagged_fields(tree, paths)
    assert {*NAMES[f"{kind}s"].values()} - {""} <= known.keys()
    fields = {f"{tag}.{name}" for tag, names in known.items() for name in names}
    assert {*NAMES[f"{kind}_fields"].values()} - {""} <= fields


def test_new_addresses_form_fields_and_settings_exist(tree):
    assert {*NAMES["addresses"].values()} - {""} <= renames.routes(tree).keys()
    assert {*NAMES["form_fields"].values()} - {""} <= renames.form_fields(tree)
    assert {*NAMES["settings"].values()} - {""} <= {f"DAYBOOK_{name.upper()}" for name in renames.settings(tree)}


def test_sections_are_sorted():
    for names in NAMES.values():
        assert list(names) == sorted(names)
