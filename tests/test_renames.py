"""docs/renames.toml, which leads from the names of 0.2.0 to ours, names only what exists. Removed after 1.0.0."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from daybook.services.settings import READERS

ROOT = Path(__file__).resolve().parents[1]
NAMES = tomllib.loads((ROOT / "docs/renames.toml").read_text(encoding="utf-8"))
FOLDERS = ("daybook", "domain", "services", "web", "workers")
ROUTES = {"get", "post", "route", "reads", "acts", "writes"}
SENT = {"text_sent", "whole_number_sent"}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Python modules and templates by path."""
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [path for path in listed.splitlines() if path.endswith((".py", ".html"))]
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths if not (ROOT / path).is_symlink()}


@pytest.fixture(scope="module")
def modules(texts: dict[str, str]) -> dict[str, ast.Module]:
    return {path: ast.parse(text) for path, text in texts.items() if path.endswith(".py")}


def dotted(path: str, name: str = "") -> str:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{module}.{name}" if name else module


def tagged_fields(modules: Mapping[str, ast.Module], paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the fields of the Structs of some modules by tag, with those of their bases in the same modules."""
    classes = {node.name: node for path in paths for node in modules[path].body if isinstance(node, ast.ClassDef)}
    return {tag: list(_fields(node, classes)) for node in classes.values() if (tag := _tag(node)) is not None}


def _fields(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            yield from _fields(classes[base.id], classes)
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id


def _tag(node: ast.ClassDef) -> str | None:
    tags = [word.value for word in node.keywords if word.arg == "tag"]
    return str(tags[0].value) if tags and isinstance(tags[0], ast.Constant) else None


def routes(modules: Mapping[str, ast.Module]) -> set[str]:
    """Return the addresses of pages and the API."""
    return {
        str(text.value)
        for path, module in modules.items()
        if path.startswith("web/")
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in node.decorator_list
        if isinstance(call, ast.Call) and _called(call) in ROUTES
        for text in call.args[:2]
        if isinstance(text, ast.Constant) and str(text.value).startswith("/")
    }


def form_fields(texts: Mapping[str, str], modules: Mapping[str, ast.Module]) -> set[str]:
    """Return the names of fields in templates, and those that views read."""
    found = {name for text in texts.values() for name in re.findall(r'\bname="([a-z_]+)"', text)}
    for path, module in modules.items():
        for node in ast.walk(module) if path.startswith("web/") else ():
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                is_form = isinstance(node.func, ast.Attribute) and ast.unparse(node.func).endswith("form.get")
                if is_form or _called(node) in SENT:
                    found.add(str(node.args[0].value))
    return found


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_new_modules_and_definitions_exist(modules):
    definitions = {dotted(path, getattr(node, "name", "")) for path, module in modules.items() for node in module.body}
    assert {*NAMES["modules"].values()} - {""} <= {dotted(path) for path in modules}
    assert {*NAMES["functions_and_classes"].values()} - {""} <= definitions


@pytest.mark.parametrize(
    ("kind", "paths"),
    [("event", ("domain/kernel/events.py", "domain/league/club_events.py")), ("command", ("domain/commands.py",))],
)
def test_new_tags_and_fields_exist(modules, kind, paths):
    known = tagged_fields(modules, paths)
    assert {*NAMES[f"{kind}s"].values()} - {""} <= known.keys()
    fields = {f"{tag}.{name}" for tag, names in known.items() for name in names}
    assert {*NAMES[f"{kind}_fields"].values()} - {""} <= fields


def test_new_addresses_form_fields_and_settings_exist(texts, modules):
    assert {*NAMES["addresses"].values()} - {""} <= routes(modules)
    assert {*NAMES["form_fields"].values()} - {""} <= form_fields(texts, modules)
    assert {*NAMES["settings"].values()} - {""} <= {f"DAYBOOK_{name.upper()}" for name in READERS}


def test_sections_are_sorted():
    for names in NAMES.values():
        assert list(names) == sorted(names)
