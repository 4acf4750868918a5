"""Daybook for browsers, built once for all tests of a run, and the Python in it, run by Node."""

from __future__ import annotations

import fcntl
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page

from daybook import browser_build
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests.here.phone import MEMORY_IS_KEPT, frame_of, open_application, opened_phone, until
from tests.web.conftest import served

BUILD = Path(__file__).resolve().parents[2] / "build"


@pytest.fixture(scope="session")
def built_folder() -> Path:
    """Return the folder that `daybook browser-build` makes; build it again if a source has changed."""
    BUILD.mkdir(exist_ok=True)
    folder = BUILD / "here"
    with (BUILD / "here.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes one builds
        if not browser_build.is_current(folder):
            browser_build.build(folder)
    return folder


@pytest.fixture
def book(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    """A server's daybook."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "server"))))
    yield opened
    opened.close()


def run_on_device(built: Path, script: str, data: Path, argument: Any = None) -> Any:
    """Runs a script of this folder in the Python for browsers, with the code of a build; what it printed last."""
    here = Path(__file__).resolve().parent
    done = subprocess.run(
        [
            str(browser_build.node()),
            str(here / "device.js"),
            str(built),
            str(here / script),
            str(data),
            json.dumps(argument),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


class Service(NamedTuple):
    """A server that serves the built folder: the folder's address, and the link that leads there."""

    address: str
    book: Daybook
    link: Path


@pytest.fixture(scope="session")
def service(built_folder: Path, empty_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    book = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path_factory.mktemp("serving") / "data"))))
    link = book.settings.data / "here"
    link.symlink_to(built_folder)
    with served(create_app(book)) as address:
        yield Service(f"{address}/here/", book, link)
    book.close()


@pytest.fixture(scope="session")
def address(service: Service) -> str:
    return service.address


@pytest.fixture(scope="session")
def chromium(browser: Browser) -> BrowserType:
    return browser.browser_type


@pytest.fixture(scope="session")
def visited_profile(chromium: BrowserType, address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a phone's browser that has opened the address once: the code is in it, and Python's memory."""
    folder = tmp_path_factory.mktemp("visited") / "profile"
    with opened_phone(chromium, folder) as context:
        page = context.new_page()
        open_application(page, address)
        assert {"fetch", "python", "unpack", "import", "open"} <= {*page.evaluate("window.marks")}
        until(page, MEMORY_IS_KEPT)
    return folder


@pytest.fixture
def profile(visited_profile: Path, tmp_path: Path) -> Iterator[Path]:
    """The folder of one phone's browser, which has been here before."""
    folder = tmp_path / "profile"
    copytree(visited_profile, folder, symlinks=True)
    yield folder
    rmtree(folder, ignore_errors=True)


@pytest.fixture
def phone(chromium: BrowserType, profile: Path) -> Iterator[BrowserContext]:
    with opened_phone(chromium, profile) as context:
        yield context


@pytest.fixture(scope="session")
def started_shell(
    chromium: BrowserType, visited_profile: Path, address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """The tab of a phone in which Daybook has started from the stored memory; use `shell` instead."""
    folder = tmp_path_factory.mktemp("started") / "profile"
    copytree(visited_profile, folder, symlinks=True)
    with opened_phone(chromium, folder) as context:
        page = context.new_page()
        open_application(page, address)
        yield page


@pytest.fixture
def shell(started_shell: Page, address: str) -> Iterator[Page]:
    """The same tab on its first page, for tests of anything but the start, which takes longest."""
    frame_of(started_shell).goto(f"{address}app/")
    yield started_shell
    started_shell.context.set_offline(False)
