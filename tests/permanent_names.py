"""Tables of the permanent names, for docs/permanent-names.md.

`python -m tests.documentation` writes them; `tests/test_docs.py` fails while a table and the code differ.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
from flask import Flask
from msgspec import inspect

from daybook.cli import main
from daybook.domain import commands, tombstone
from daybook.domain.kernel import events
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league import club_commands, club_events
from daybook.services import settings
from daybook.services.files import clubfile, recordfile
from daybook.web.app import create_pages

ROOT = Path(__file__).resolve().parents[1]
METRICS = ROOT / "services/operation/metrics.py"
API = "/api/v1"


def event_names() -> Iterator[str]:
    yield from _events(get_args(events.AnyEvent))


def club_event_names() -> Iterator[str]:
    yield from _events(get_args(club_events.AnyEvent))


def _events(kinds: tuple[Any, ...]) -> Iterator[str]:
    """Yield the entries, then the types of their fields."""
    yield from _tagged(kinds, left_out=events.OF_WRITING)
    for kind in dict.fromkeys(part for event in kinds for part in nested_types(event)):
        yield _row(kind.__name__, kind.__struct_fields__, _first_line(kind))


def tombstone_names() -> Iterator[str]:
    yield from _tagged((tombstone.GameErased, tombstone.ClubErased), left_out=events.OF_WRITING)


def command_names() -> Iterator[str]:
    yield from _tagged(get_args(commands.Command))


def club_command_names() -> Iterator[str]:
    yield from _tagged(
        kind for kind in vars(club_commands).values() if isinstance(kind, type) and _is_club_command(kind)
    )


def _is_club_command(kind: type) -> bool:
    return issubclass(kind, club_commands.ClubCommand) and kind is not club_commands.ClubCommand


def header_names() -> Iterator[str]:
    for title, kind in {
        "a full file": recordfile.Header,
        "a bare file": recordfile.BareHeader,
        "every line of a bare file": recordfile.LineFields,
        "a club file": clubfile.ClubHeader,
    }.items():
        yield _row(title, kind.__struct_fields__, "")


def setting_names() -> Iterator[str]:
    """Yield each environment variable with its meaning from the table of `services.settings`."""
    meanings: dict[str, str] = {}
    for line in (settings.__doc__ or "").splitlines():
        names, _, rest = line.strip("| ").partition(" | ")
        meanings |= dict.fromkeys(names.split(", "), rest.partition(" | ")[0])
    for name in settings.READERS:
        variable = settings.PREFIX + name.upper()
        yield _row(variable, (), meanings.get(variable, ""))


def metric_names() -> Iterator[str]:
    """Yield each metric with its labels and its help text."""
    for node in ast.walk(ast.parse(METRICS.read_text(encoding="utf-8"))):
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)] if isinstance(node, ast.Call) else []
        if isinstance(node, ast.Call) and len(texts) > 1 and str(texts[0]).startswith("daybook_"):
            labels = [
                str(part.value)
                for value in (*node.args[2:], *(keyword.value for keyword in node.keywords))
                if isinstance(value, ast.List | ast.Tuple)
                for part in value.elts
                if isinstance(part, ast.Constant)
            ]
            yield _row(str(texts[0]), labels, str(texts[1]))


def api_address_names() -> Iterator[str]:
    """Yield each address of the API with its query parameters and its summary."""
    for path, item in sorted(_openapi(_app())["paths"].items()):
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method != "parameters":
                query = [
                    part["name"] for part in (*shared, *operation.get("parameters", ())) if part.get("in") == "query"
                ]
                yield _row(f"{method.upper()} {path}", query, operation.get("summary", ""))


def api_type_names() -> Iterator[str]:
    """Yield each type of the API with its fields. The types of games are words of rulebooks and left out."""
    for name, schema in sorted(_openapi(_app())["components"]["schemas"].items()):
        if schema.get("properties") and not re.match(r"[A-Z]+\.", name):
            yield _row(name, schema["properties"], "")


def page_address_names() -> Iterator[str]:
    """Yield each address of a page with its methods."""
    for rule in sorted(_app().url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ()))):
        if not rule.rule.startswith(API):
            yield _row(rule.rule, sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}), "")


def session_key_names() -> Iterator[str]:
    """Yield each key of the session cookie with the modules that use it."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted((ROOT / "web").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts = {
            target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            key = _session_key(node)
            if isinstance(key, ast.Constant | ast.Name):
                name = key.value if isinstance(key, ast.Constant) else texts.get(key.id)
                if isinstance(name, str):
                    found[name].add(f"`{file.relative_to(ROOT)}`")
    for name, files in sorted(found.items()):
        yield _row(name, (), ", ".join(sorted(files)))


def _session_key(node: ast.AST) -> ast.expr | None:
    """Return the key with which an expression reads or writes the session."""
    match node:
        case ast.Subscript(value=ast.Name(id="session"), slice=key):
            return key
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="session"), attr="get" | "pop" | "setdefault"), args=[key, *_]
        ):
            return key
    return None


def cli_names() -> Iterator[str]:
    """Yield each command of the command line with its parameters."""
    yield from _cli_rows(main, "daybook")


def _cli_rows(command: click.Command, name: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        for part, inner in sorted(command.commands.items()):
            yield from _cli_rows(inner, f"{name} {part}")
        return
    parameters = [
        max(part.opts, key=len) if isinstance(part, click.Option) else (part.name or "").upper()
        for part in command.params
    ]
    yield _row(name, parameters, (command.help or "").strip().split("\n")[0])


TABLES = {
    "permanent_events": event_names,
    "permanent_club_events": club_event_names,
    "permanent_tombstones": tombstone_names,
    "permanent_commands": command_names,
    "permanent_club_commands": club_command_names,
    "permanent_headers": header_names,
    "permanent_settings": setting_names,
    "permanent_metrics": metric_names,
    "permanent_api_addresses": api_address_names,
    "permanent_api_types": api_type_names,
    "permanent_page_addresses": page_address_names,
    "permanent_session_keys": session_key_names,
    "permanent_command_line": cli_names,
}


def table(name: str) -> str:
    """Return a table of permanent names as Markdown."""
    return "\n".join(["| name | fields | meaning |", "|---|---|---|", *TABLES[name]()])


def list_names() -> Iterator[str]:
    """Yield every permanent name and every field, each behind its table's name: `permanent_events game_opened.seats`."""
    for kind, rows in TABLES.items():
        for row in rows():
            name, fields, _ = row.removeprefix("| ").removesuffix(" |").replace("`", "").split(" | ", maxsplit=2)
            yield f"{kind} {name}"
            yield from (f"{kind} {name}.{field}" for field in fields.split(", ") if field)


def _tagged(kinds: Iterable[Any], left_out: tuple[str, ...] = ()) -> Iterator[str]:
    for kind in kinds:
        fields = [field.encode_name for field in msgspec.structs.fields(kind) if field.name not in left_out]
        yield _row(tag_of(kind), fields, _first_line(kind))


def fields_of(kind: type) -> dict[str, inspect.Type]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name: field.type for field in info.fields}


def nested_types(kind: type) -> Iterator[type]:
    """The types without a tag that a type is made of."""
    for info in fields_of(kind).values():
        for inner in structs_in(info):
            yield inner
            yield from nested_types(inner)


def structs_in(info: inspect.Type) -> Iterator[type]:
    match info:
        case inspect.StructType(cls=cls):
            yield cls
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            yield from structs_in(item)
        case inspect.DictType(value_type=value):
            yield from structs_in(value)
        case inspect.UnionType(types=several):
            for each in several:
                yield from structs_in(each)
        case inspect.Metadata(type=inner):
            yield from structs_in(inner)


def _row(name: str, fields: Iterable[str], meaning: str) -> str:
    cells = (f"`{name}`", ", ".join(f"`{field}`" for field in fields), meaning)
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


def _first_line(kind: type) -> str:
    """Return the first sentence of a type's own docstring."""
    text = kind.__dict__.get("__doc__") or ""
    return text.strip().split("\n")[0]


_APPS: list[Flask] = []


def _app() -> Flask:
    """Return an application that only has addresses: nothing is stored."""
    if not _APPS:
        _APPS.append(create_pages(settings.Settings(data=Path("/nowhere"))))
    return _APPS[0]


def _openapi(app: Flask) -> dict[str, Any]:
    with app.app_context():
        document: dict[str, Any] = msgspec.json.decode(app.extensions["daybook.openapi"].content())
    return document
