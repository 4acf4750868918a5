"""The folder that a browser runs Daybook from: how a server serves it, and the message if it is missing."""

from __future__ import annotations

import json
import re
import tarfile
import warnings
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from daybook import browser_build, cli
from daybook.web.app import create_app
from tests.web.conftest import Visitor

MOST_BYTES = 9_400_000  # to be fetched

slow = pytest.mark.slow


def bytes_sent(built: Path, name: str) -> int:
    """The bytes that are sent of a file, to a browser that takes it packed."""
    path = built / (name or "index.html")
    return min(
        item.stat().st_size
        for item in (path, *(path.with_name(path.name + kind) for kind in (".br", ".gz")))
        if item.exists()
    )


@slow
def test_what_is_fetched_once_is_small_and_all_there(built_folder):
    names = json.loads(re.findall(r"FILES = (\[.*\]);", (built_folder / "sw.js").read_text())[0])
    assert {"", "shell.js", "worker.js", "code.tar", "libraries.tar", "python/pyodide.asm.wasm"} <= {*names}
    assert sum(bytes_sent(built_folder, name) for name in names) <= MOST_BYTES


def test_a_device_has_the_korean_of_its_pages_and_of_no_others():
    catalogue = Path(browser_build.__file__).parent / "web/translations/ko/LC_MESSAGES/messages.po"
    korean = GNUTranslations(BytesIO(browser_build.texts_of_a_device(catalogue)))
    assert korean.gettext("Open the game") != "Open the game"
    assert korean.gettext("Try every address") == "Try every address"  # of the API's page
    assert korean.gettext("The API") == "The API"  # stands there and on a page of accounts: no device has either


@slow
def test_every_licence_is_listed(built_folder):
    said = (built_folder / "LICENSES.txt").read_text()
    for name in ("Pyodide", "SQLAlchemy", "Flask", "msgspec", "eventsourcing", "Babel"):
        assert re.search(rf"^{name} [\d.]+: \S", said, re.M | re.I), name


@slow
def test_server_serves_the_edition_with_its_own_policy(built_folder, book):
    (book.settings.data / "here").symlink_to(built_folder)
    visitor = Visitor(create_app(book))
    get = visitor.client.get
    with get("/here/") as shell:
        assert shell.status_code == 200
        assert "'wasm-unsafe-eval'" in shell.headers["Content-Security-Policy"]
        assert "unsafe-inline" not in shell.headers["Content-Security-Policy"]
    for path in ("/", "/help", "/new"):
        assert "wasm" not in get(path).headers["Content-Security-Policy"], path
    for path in (
        "/here/../secret",
        "/here/%2e%2e/secret",
        "/here/..%2fsecret",
        "/here/nothing",
        "/here/code.tar.gz",
        "/here/python",
        "/here/python/",
    ):
        assert get(path).status_code == 404, path
    assert visitor.client.get("/here/app/games").headers["Location"] == "/here/"
    assert "/here/" in visitor.get("/").html


@slow
def test_what_a_browser_has_already_is_not_sent_again(built_folder, book):
    (book.settings.data / "here").symlink_to(built_folder)
    get = create_app(book).test_client().get
    wasm = "/here/python/pyodide.asm.wasm"
    tags = []
    for asked, sent in (("br, gzip", "br"), ("gzip", "gzip"), ("", None)):
        with get(wasm, headers={"Accept-Encoding": asked}) as answer:
            assert (answer.headers.get("Content-Encoding"), answer.mimetype) == (sent, "application/wasm")
            assert "Accept-Encoding" in answer.vary and answer.cache_control.no_cache
            name = {"br": ".br", "gzip": ".gz"}.get(sent or "", "")
            assert answer.data == (built_folder / f"python/pyodide.asm.wasm{name}").read_bytes()
        tags.append(answer.headers["ETag"])
        with get(wasm, headers={"Accept-Encoding": asked, "If-None-Match": tags[-1]}) as again:
            assert (again.status_code, again.data) == (304, b"")
    assert len({*tags}) == 3, "each packing is a file of its own"
    with get(wasm, headers={"Range": "bytes=0-3"}) as part:
        assert (part.status_code, part.data) == (206, b"\0asm")


def test_where_it_is_not_built_a_server_says_so(book):
    visitor = Visitor(create_app(book))
    page = visitor.get("/here/")
    assert page.status == 404
    assert "It is not set up here" in page.html and "browser-build" not in page.html
    assert "/here/" not in visitor.get("/").html


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    done = CliRunner().invoke(cli.main, ["browser-build", str(tmp_path)])
    assert done.exit_code == 2
    assert "contains something else" in done.output
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_without_node_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(browser_build, "find_spec", lambda name: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = CliRunner().invoke(cli.main, ["browser-build", str(tmp_path / "here")])
    assert done.exit_code == 2
    assert "make here" in done.output
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("release", ["this", "3.11.2"])
def test_package_is_extracted_by_every_python(tmp_path, monkeypatch, release):
    if release == "3.11.2":  # without the filters of 3.11.4
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
        monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, path: extract_unfiltered(self, path))
    package = tmp_path / "pyodide.tgz"
    with tarfile.open(package, "w:gz") as tar:
        tar.add(__file__, "package/code.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        browser_build.extract_all(package, tmp_path / "to")
    assert (tmp_path / "to/package/code.py").read_bytes() == Path(__file__).read_bytes()


def extract_unfiltered(tar: tarfile.TarFile, path: Path) -> None:
    """Extract all files as Python 3.11.2 does, whose `extractall` takes no filter."""
    for member in tar:
        tar.extract(member, path)
