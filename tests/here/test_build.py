"""The folder that a browser runs Daybook from, how a server serves it, and what is said where there is none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from daybook import browser_build, cli
from daybook.services.store.daybook import Daybook
from daybook.web.app import create_app
from tests.web.conftest import Visitor

MOST_BYTES = 10_000_000  # to be fetched

slow = pytest.mark.slow


def sent(built: Path, name: str) -> int:
    """The bytes that are sent of a file, to a browser that takes it packed."""
    path = built / (name or "index.html")
    return min(one.stat().st_size for one in (path, *(path.with_name(path.name + kind) for kind in (".br", ".gz")))
               if one.exists())


@slow
def test_what_is_fetched_once_is_small_and_all_there(built: Path) -> None:
    names = json.loads(re.findall(r"FILES = (\[.*\]);", (built / "sw.js").read_text())[0])
    assert {"", "shell.js", "worker.js", "code.tar", "libraries.tar", "python/pyodide.asm.wasm"} <= {*names}
    assert sum(sent(built, name) for name in names) <= MOST_BYTES


@slow
def test_every_licence_is_listed(built: Path) -> None:
    said = (built / "LICENSES.txt").read_text()
    for name in ("Pyodide", "SQLAlchemy", "Flask", "msgspec", "eventsourcing", "Babel"):
        assert re.search(rf"^{name} [\d.]+: \S", said, re.M | re.I), name


@slow
def test_a_server_serves_it_with_a_policy_of_its_own_and_to_nothing_else(built: Path, book: Daybook) -> None:
    (book.settings.data / "here").symlink_to(built)
    visitor = Visitor(create_app(book))
    shell = visitor.client.get("/here/")
    assert shell.status_code == 200
    assert "'wasm-unsafe-eval'" in shell.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in shell.headers["Content-Security-Policy"]
    for path in ("/", "/help", "/new"):
        assert "wasm" not in visitor.client.get(path).headers["Content-Security-Policy"], path
    packed = visitor.client.get("/here/python/pyodide.asm.wasm", headers={"Accept-Encoding": "br, gzip"})
    assert (packed.headers["Content-Encoding"], packed.mimetype) == ("br", "application/wasm")
    plain = visitor.client.get("/here/python/pyodide.asm.wasm")
    assert "Content-Encoding" not in plain.headers and plain.data[:4] == b"\0asm"
    again = visitor.client.get("/here/code.tar", headers={"If-None-Match": visitor.client.get(
        "/here/code.tar").headers["ETag"]})
    assert again.status_code == 304
    for path in ("/here/../secret", "/here/%2e%2e/secret", "/here/..%2fsecret", "/here/nothing", "/here/code.tar.gz"):
        assert visitor.client.get(path).status_code == 404, path
    assert visitor.client.get("/here/app/games").headers["Location"] == "/here/"
    assert "/here/" in visitor.get("/").html


def test_where_it_is_not_built_a_server_says_so(book: Daybook) -> None:
    visitor = Visitor(create_app(book))
    page = visitor.get("/here/")
    assert page.status == 404
    assert "daybook browser-build" in page.html
    assert "/here/" not in visitor.get("/").html


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = CliRunner().invoke(cli.main, ["browser-build", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds something else" in done.output
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_without_node_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_build, "find_spec", lambda name: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = CliRunner().invoke(cli.main, ["browser-build", str(tmp_path / "here")])
    assert done.exit_code == 2
    assert "make setup" in done.output
    assert not (tmp_path / "here").exists()
