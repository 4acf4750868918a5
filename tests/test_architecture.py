"""Rules of the whole tree: imports point one way, the domain is pure, and the texts are about the product."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("daybook", "domain", "services", "web", "workers", "tests", "fixtures", "docs", ".ci")

MAY_IMPORT = {  # "daybook": the command line
    "domain": {"domain"},
    "services": {"services", "domain"},
    "web": {"web", "services", "domain"},
    "workers": {"workers", "services", "domain"},
    "daybook": {"daybook", "web", "workers", "services", "domain"},
}
ROOMS = {  # from the ground up: a room imports from those before it, and what stands loose at the top from all
    "domain": ("kernel", "leases", "disputes", "league", "games"),
    "services": (
        "clock",
        "written",
        "days",
        "counted",
        "names",
        "paging",
        "reading_limits",
        "csv_files",
        "structs",
        "certainty",
        "atomic_files",
        "queue_address",
        "queue_client",
        "mail_syntax",
        "settings",
        "store",
        "limits",
        "fair_room",
        "people",
        "permissions",
        "play",
        "disputes",
        "files",
        "statistics",
        "analysis",
        "exchange",
        "league",
        "messages",
        "following",
        "operation",
    ),
    "web": (
        "words",
        "boards",
        "games",
        "request",
        "api",
        "site",
        "server",
        "people",
        "statistics",
        "replay",
        "recording",
        "club",
        "disputes",
    ),
}
KEPT_OUT = {  # whose business these are not
    "services": {"flask", "flask_babel", "flask_smorest", "marshmallow", "rq", "uvicorn", "werkzeug"},
    "web": {"eventsourcing", "psycopg", "pysqlite3", "sqlalchemy", "sqlite3"},
    "workers": {"flask", "flask_smorest", "marshmallow", "uvicorn", "werkzeug"},
}

PURE = {  # neither clock nor chance nor the outside world
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "collections.abc",
    "copy",
    "dataclasses",
    "datetime",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "itertools",
    "json",
    "math",
    "msgspec",
    "operator",
    "re",
    "string",
    "textwrap",
    "tomllib",
    "types",
    "typing",
    "unicodedata",
    "uuid",
}
ONE_MODULE_MAY = {  # what others may not
    "kernel/chronicle.py": "eventsourcing",
    "kernel/installed.py": "importlib",
    "kernel/weights.py": "importlib",
}
IMPURE_NAMES = {"uuid1", "uuid4", "getnode", "now", "utcnow", "today"}  # in modules that are pure otherwise
IMPURE_BUILTINS = {
    "__import__",
    "breakpoint",
    "compile",
    "eval",
    "exec",
    "globals",
    "hash",
    "id",
    "input",
    "open",
    "print",
}

LOOKS_FOR = {
    "compile",
    "count",
    "endswith",
    "find",
    "findall",
    "finditer",
    "fullmatch",
    "index",
    "match",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rpartition",
    "rsplit",
    "search",
    "split",
    "startswith",
    "sub",
}
MARKUP = re.compile(r"</?[a-z]|\b(class|href|id|viewBox|data-[a-z]+)=")

WRITTEN = {".py", ".md", ".toml", ".txt", ".html", ".css", ".js", ".svg", ".po", ".json", ".yml", ".daybook", ""}
MACHINE_PATHS = re.compile(r"(?<![\w.:/])/(root|home|work|Users|opt|mnt)/\w")
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(com|org)|unpkg\.com|jsdelivr\.net|registry\.[a-z]+\.[a-z]+|ghcr\.io|docker\.io"
    r"|index-url|find-links",
    re.I,
)
LEFT_OVERS = re.compile(r"\b(TODO|FIXME|XXX|HACK|WIP)\b|(?i:\bissue #?\d|\btickets?\b|\bworkplace\b|\bhelpers?\b)")
ONE_OF = {  # whatever a pattern finds holds one of these, which is sooner looked for
    MACHINE_PATHS: ("/root/", "/home/", "/work/", "/users/", "/opt/", "/mnt/"),
    REGISTRIES: ("pypi.", "pythonhosted.", "npmjs.", "unpkg.", "jsdelivr.", "registry.", "r.io", "-url", "-links"),
    LEFT_OVERS: ("todo", "fixme", "xxx", "hack", "wip", "issue", "ticket", "workplace", "helper"),
}


# --- imports ----------------------------------------------------------------------------------------------------


@cache
def imports_of(source: str) -> tuple[tuple[int, str, str], ...]:
    """Every import anywhere in a module: line, module and name ("" for the module as a whole)."""
    found = list[tuple[int, str, str]]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, "." * node.level + (node.module or ""), alias.name) for alias in node.names]
    return tuple(found)


def folder_of(module: str, what: str) -> str:
    """Return the folder of ours that a module is in, "" for others."""
    top, _, rest = module.partition(".")
    if top == "tests":
        return top
    if top != "daybook":
        return ""
    first = (rest or what).partition(".")[0]
    return first if first in MAY_IMPORT else "daybook"


def wrong_way(place: str, source: str) -> list[str]:
    """The imports that a module of this folder (or "daybook", the command line) may not have."""
    faults = []
    for line, module, what in imports_of(source):
        if module.startswith("."):
            faults.append(f"{line}: {module} is relative; write where it is")
        elif module.partition(".")[0] in MAY_IMPORT.keys() - {"daybook"}:
            faults.append(f"{line}: {module} is daybook.{module}")
        elif ((folder := folder_of(module, what)) and folder not in MAY_IMPORT[place]) or (
            module.partition(".")[0] in KEPT_OUT.get(place, ())
        ):
            faults.append(f"{line}: {place} may not import {module}")
    return faults


def upwards(place: str, room: str, source: str) -> list[str]:
    """The imports of a room that lead to a room above it, or to a module that stands above the rooms."""
    rooms = ROOMS[place]
    faults = []
    for line, module, what in imports_of(source):
        if not f"{module}.".startswith(f"daybook.{place}."):
            continue
        other = f"{module}.{what}".split(".")[2]
        if other != room and (other not in rooms or rooms.index(other) > rooms.index(room)):
            faults.append(f"{line}: {room} stands below {other}")
    return faults


def impure(source: str, name: str = "kernel/board.py") -> list[str]:
    """Return what a module of the domain must not use."""
    faults = []
    for line, module, what in imports_of(source):
        special = ONE_MODULE_MAY.get(name) == module.partition(".")[0]
        if not (module in PURE or f"{module}.".startswith("daybook.domain.") or special) or what in IMPURE_NAMES:
            faults.append(f"{line}: {module} {what}".rstrip())
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_BUILTINS:
            faults.append(f"{node.lineno}: {node.func.id}()")
        elif isinstance(node, ast.Attribute) and node.attr in IMPURE_NAMES:
            faults.append(f"{node.lineno}: .{node.attr}")
    return faults


def modules(place: str) -> list[Path]:
    return sorted((ROOT / place).glob("*.py") if place == "daybook" else (ROOT / place).rglob("*.py"))


def looks_into_markup(source: str) -> list[str]:
    """Return places where a module searches written HTML or SVG by a pattern or text."""
    faults = []
    for node in ast.walk(ast.parse(source)) if MARKUP.search(source) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKS_FOR:
            texts = [item.value for item in ast.walk(ast.List(node.args[:1])) if isinstance(item, ast.Constant)]
            if any(isinstance(text, str) and MARKUP.search(text) for text in texts):
                faults.append(f"{node.lineno}: .{node.func.attr}({ast.unparse(node.args[0])})")
    return faults


@pytest.mark.parametrize("place", MAY_IMPORT)
def test_imports_point_one_way(place):
    assert modules(place)
    faults = [
        f"{file.relative_to(ROOT)}:{fault}" for file in modules(place) for fault in wrong_way(place, file.read_text())
    ]
    assert faults == []


@pytest.mark.parametrize("place", ROOMS)
def test_no_room_imports_from_one_above_it(place):
    faults = []
    for room in ROOMS[place]:
        files = sorted((ROOT / place / room).rglob("*.py")) or [ROOT / place / f"{room}.py"]
        faults += [
            f"{file.relative_to(ROOT)}:{fault}" for file in files for fault in upwards(place, room, file.read_text())
        ]
    assert faults == []


def test_an_import_upwards_is_found():
    assert upwards("services", "store", "from daybook.services.play import recording") == ["1: store stands below play"]
    assert upwards("services", "store", "from daybook.services.operation import doctor") == [
        "1: store stands below operation"
    ]
    below = "from daybook.services.store import log\nfrom daybook.services import clock"
    assert upwards("services", "play", below) == []


def rooms_imported(room: str, source: str) -> set[str]:
    """The other rooms, or modules that stand loose, that a room of a folder imports: "services.store", "web.app"."""
    found = set()
    for _, module, what in imports_of(source):
        parts = f"{module}.{what}".split(".")
        if parts[0] == "daybook" and len(parts) > 2 and parts[1] in ROOMS:
            found.add(".".join(parts[1:3]).removesuffix("."))
    return found - {room}


def has_circle(graph: dict[str, set[str]]) -> bool:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def test_rooms_and_loose_modules_import_each_other_in_no_circle():
    graph: dict[str, set[str]] = {}
    for file in (file for place in ROOMS for file in modules(place)):
        parts = file.relative_to(ROOT).with_suffix("").parts
        room = ".".join(parts[:1] if parts[1] == "__init__" else parts[:2])
        graph.setdefault(room, set()).update(rooms_imported(room, file.read_text()))
    listed = {f"{place}.{room}" for place, rooms in ROOMS.items() for room in rooms}
    assert {*listed, "web.here"} <= graph.keys()
    assert not has_circle(graph)


def module_name(file: Path) -> str:
    parts = [part for part in file.relative_to(ROOT).with_suffix("").parts if part != "__init__"]
    return ".".join(parts if parts[0] == "daybook" else ["daybook", *parts])


def modules_imported(source: str, roots: Collection[str]) -> set[str]:
    """Return our modules that a module imports at any place, also inside functions and for types only."""
    imports = [(module, f"{module}.{what}") for _, module, what in imports_of(source)]
    return {name if name in roots else module for module, name in imports if {name, module} & {*roots}}


def test_modules_import_each_other_in_no_circle():
    files = {module_name(file): file for place in MAY_IMPORT for file in modules(place)}
    assert len(files) > 500
    graph = {name: modules_imported(file.read_text(), files.keys()) - {name} for name, file in files.items()}
    TopologicalSorter(graph).prepare()  # its error names the circle


def test_circle_of_modules_through_function_is_found():
    ours = {"daybook.domain.a", "daybook.domain.b"}
    graph = {
        "daybook.domain.a": modules_imported("from daybook.domain import b", ours),
        "daybook.domain.b": modules_imported("def f():\n    from daybook.domain.a import g", ours),
    }
    assert has_circle(graph)


def test_a_circle_of_rooms_is_found():
    there = {"web.site": rooms_imported("web.site", "from daybook.web.here import device")}
    back = {"web.here": rooms_imported("web.here", "from daybook.web.site.home import page")}
    assert not has_circle(there)
    assert has_circle(there | back)


def test_the_domain_is_pure():
    faults = [
        f"{file.relative_to(ROOT)}:{fault}"
        for file in modules("domain")
        for fault in impure(file.read_text(), str(file.relative_to(ROOT / "domain")))
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("domain", "from daybook.services.play import recording"),
        ("domain", "def f():\n    import daybook.web.app"),
        ("domain", "from . import board"),
        ("services", "from daybook.web.app import create"),
        ("services", "import daybook.workers"),
        ("services", "from flask import request"),
        ("services", "from daybook import cli"),
        ("services", "from tests import servers"),
        ("web", "from daybook.workers import jobs"),
        ("web", "import sqlalchemy as sa"),
        ("workers", "from daybook import web"),
        ("workers", "from services import settings"),
    ],
)
def test_an_import_the_wrong_way_is_found(place, source):
    assert len(wrong_way(place, source)) == 1


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import os", "1: os"),
        ("import time", "1: time"),
        ("import random", "1: random"),
        ("from pathlib import Path", "1: pathlib Path"),
        ("def f():\n    import socket", "2: socket"),
        ("from importlib import import_module", "1: importlib import_module"),
        ("from eventsourcing.domain import Aggregate", "1: eventsourcing.domain Aggregate"),
        ("import flask", "1: flask"),
        ("from uuid import uuid4", "1: uuid uuid4"),
        ("from datetime import datetime\ndatetime.now()", "2: .now"),
        ("import uuid\nuuid.uuid4()", "2: .uuid4"),
        ("open('sheet.toml')", "1: open()"),
        ("print('taken')", "1: print()"),
    ],
)
def test_what_is_not_pure_is_found(source, fault):
    assert impure(source) == [fault]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("chronicle.py", "from eventsourcing.domain import DomainEventProtocol"),  # what is written
        ("installed.py", "from importlib.metadata import entry_points"),  # the games there are
    ],
)
def test_one_module_alone_may_use_it(name, source):
    assert impure(source, f"kernel/{name}") == []
    assert impure(source, f"games/{name}") != []


def test_nothing_is_looked_for_in_html_that_has_been_written():
    """Facts about drawn things that a page or picture needs are registered where they are drawn."""
    faults = [
        f"{file.relative_to(ROOT)}:{fault}" for file in modules("web") for fault in looks_into_markup(file.read_text())
    ]
    assert faults == []


@pytest.mark.parametrize(
    "source",
    [
        """re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.S)""",
        """re.sub(r'href="#([^"]+)"', '', drawn)""",
        """str(shape).replace("<text ", f'<text fill="{SHEET}" ')""",
        """html.partition(f"<b data-at={at}")""",
    ],
)
def test_looking_into_html_is_found(source):
    assert len(looks_into_markup(source)) == 1


def test_other_texts_are_looked_into():
    assert looks_into_markup('text.replace("-", "−"); re.search("a < b", text); "<p>".join(parts)') == []


# --- pages ---------------------------------------------------------------------------------------------------------

FOR_ALL_PAGES = re.compile(  # what a page's module would set for every other
    r"@\w+\.(record|record_once|(before|after|teardown)_app_request|app_\w+)\b|jinja_env\.(globals|filters|tests)"
)


def test_page_has_the_name_of_its_module():
    from daybook.web.pages import MODULES, PAGES

    assert len(PAGES) == len(MODULES)
    assert {name: import_module(f"daybook.web.{module}").page.name for name, module in PAGES.items()} == {
        name: name for name in PAGES
    }


def test_a_page_s_module_sets_nothing_for_all_pages():
    """An application without that page would lack it."""
    from daybook.web.pages import PAGES

    files = [ROOT / "web" / f"{place.replace('.', '/')}.py" for place in PAGES.values()]
    hits = [
        f"{file.relative_to(ROOT)}:{hit}" for file in files for hit in lines_matching(FOR_ALL_PAGES, file.read_text())
    ]
    assert hits == []


@pytest.mark.parametrize(
    "line",
    [
        "@page.record_once",
        "    state.app.jinja_env.globals.update(a=1)",
        "@page.app_template_filter()",
        "@page.before_app_request",
    ],
)
def test_what_is_set_for_all_pages_is_found(line):
    assert lines_matching(FOR_ALL_PAGES, line)


# --- words ------------------------------------------------------------------------------------------------------


def texts() -> list[Path]:
    """Every text of the tree but this one, which has to name what it looks for."""
    files = [file for file in ROOT.iterdir() if file.is_file() and file.name != ".git"]  # a worktree's names its place
    files += [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    return [
        file
        for file in files
        if file.suffix in WRITTEN and "__pycache__" not in file.parts and file != Path(__file__).resolve()
    ]


@cache
def text_of(file: Path) -> str:
    return file.read_text()


def lines_matching(pattern: re.Pattern[str], text: str) -> list[str]:
    small = text.lower()
    if not any(value in small for value in ONE_OF.get(pattern, ("",))) or not pattern.search(text):
        return []
    return [
        f"{number}: {line.strip()[:100]}" for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)
    ]


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, REGISTRIES, LEFT_OVERS], ids=["paths", "registries", "left-overs"])
def test_the_tree_speaks_of_the_product_alone(pattern):
    files = texts()
    assert len(files) > 20
    assert [f"{file.relative_to(ROOT)}:{hit}" for file in files for hit in lines_matching(pattern, text_of(file))] == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (MACHINE_PATHS, "open('/home/anna/daybook')"),
        (MACHINE_PATHS, "see /opt/wheels"),
        (REGISTRIES, "pip install --index-url https://example.org"),
        (REGISTRIES, "https://files.pythonhosted.org/x"),
        (LEFT_OVERS, "# TODO: later"),
        (LEFT_OVERS, "as in issue #12"),
    ],
)
def test_such_a_line_is_found(pattern, text):
    assert lines_matching(pattern, text) == [f"1: {text}"]


# --- dependencies -----------------------------------------------------------------------------------------------


BY_NAME = {"daybook/base.py"}  # what a command plays where nothing is said


def test_no_game_is_named_outside_its_folders():
    """A game is found by its entry point; what needs one asks which are installed."""
    games = {folder.name for folder in (ROOT / "domain/games").iterdir() if (folder / "rules.py").exists()}
    assert len(games) == 5
    named = {
        file.relative_to(ROOT).as_posix()
        for top in ("domain", "services", "web", "workers", "daybook")
        for file in modules(top)
        if games.isdisjoint(file.parts) and any(f"{game}{end}" in file.read_text() for game in games for end in "'\"")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and node.value in games
    }
    assert named == BY_NAME


def test_every_dependency_has_an_exact_version():
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pinned = {plain(line.split("==")[0]) for line in (ROOT / "constraints.txt").read_text().split()}
    names = {plain(re.split(r"[\[<>=!~ ]", requirement)[0]) for requirement in wanted}
    assert names - pinned == set()
