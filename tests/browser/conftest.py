"""Daybook served as `make run` serves it, and people with browsers in front of it."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, Request

from daybook import cli
from daybook.workers.children import start_child, stop
from tests.axe import examine_page
from tests.servers import wait_until

PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}

Person = Callable[..., Page]


class ServedDaybook:
    """A running Daybook: its address and its data folder."""

    def __init__(self, address: str, data: Path) -> None:
        self.address = address
        self.data = data

    def daybook(self, *words: str) -> Result:
        """Run the command line as a user does."""
        return CliRunner().invoke(cli.main, words)


@pytest.fixture(scope="session")
def served_daybook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDaybook]:
    """`daybook serve` on a fresh folder with its real processes.

    Without examples, which a worker would score; tests/test_wheel.py serves them and tests/web/replay looks at them.
    """
    data = tmp_path_factory.mktemp("served") / "data"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = data.parent / "serve.log"
    with log.open("wb") as out:
        process = start_child(
            [sys.executable, "-m", "daybook", "serve", "--no-examples", "--port", str(port), "--data", str(data)],
            {**os.environ, "DAYBOOK_WORKERS": "1", "DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY": "off"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: _answers(address), f"Daybook: {log.read_text()[-2000:]}")
            yield ServedDaybook(address, data)
        finally:
            stop(process)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture
def person(browser: Browser, served_daybook: ServedDaybook) -> Iterator[Person]:
    """Return a browser page of a new person: person(viewport).

    A console error, a script error or a request to another host fails the test.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def sits_down(viewport: dict[str, int] | None = None, script: bool = True) -> Page:
        size = viewport or DESKTOP
        touch = size["width"] < 600
        context = browser.new_context(
            viewport=size,
            has_touch=touch,
            is_mobile=touch,
            locale="en-GB",
            reduced_motion="reduce",  # type: ignore[arg-type]
            base_url=served_daybook.address,
            java_script_enabled=script,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        if script:
            goes = page.goto
            page.goto = lambda *to, **how: (wait_until_arrived(page), goes(*to, **how))[1]  # type: ignore[method-assign]
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
        page.on("request", lambda request: wrong.extend(_elsewhere(request, served_daybook)))
        return page

    yield sits_down
    for context in contexts:
        context.close()
    assert wrong == []


def _elsewhere(request: Request, served: ServedDaybook) -> list[str]:
    parts = urlsplit(request.url)
    if parts.scheme in ("data", "blob", "about") or parts.netloc == urlsplit(served.address).netloc:
        return []
    return [f"request to {request.url}"]


def wait_until_arrived(page: Page) -> None:
    """Wait until a tap has led to a page with its styles and scripts; a page first checks the connection.

    After a change of the asked seat the choices are dim for a moment and take no taps.
    """
    page.wait_for_function(
        "() => document.readyState === 'complete' && !document.querySelector('.pressed, .other-seat')"
    )


MARKED = -2  # a tab index: an answer sets the desk's attributes again
MARK_DESK = f"() => {{ document.getElementById('desk').tabIndex = {MARKED} }}"
IS_DESK_NEW = f"""() => {{ const desk = document.getElementById('desk');
    return desk && desk.tabIndex !== {MARKED} && !desk.classList.contains('busy') }}"""


def tap_at_desk(page: Page, what: Locator) -> None:
    """Tap a thing and wait for the desk it leads to: until then that before it stands, which looks the same."""
    page.evaluate(MARK_DESK)
    what.tap()
    page.wait_for_function(IS_DESK_NEW)


def join(page: Page, link: str) -> None:
    """Open a link and wait until its key is stored; it may take a second try while the server is silent."""
    page.goto(link)
    page.wait_for_url(lambda url: "/games/" in url)


def accessible(page: Page) -> None:
    """axe-core finds nothing serious on the page as it stands."""
    wait_until_arrived(page)
    assert "\n\n".join(examine_page(page).serious) == ""


def apart(page: Page, *selectors: str) -> None:
    """Assert that none of these parts of the page overlap."""
    boxes = {selector: page.locator(selector).bounding_box() for selector in selectors}
    for (combination, a), (other, b) in combinations(boxes.items(), 2):
        assert a and b, (combination, other)
        beside = a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
        beneath = a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1
        assert beside or beneath, f"{combination} and {other} overlap on {page.url}"


def fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    wait_until_arrived(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


def look_at(page: Page) -> None:
    """A page that has come: nothing serious is wrong with it, and nothing sticks out."""
    accessible(page)
    fits(page)


def photo_of_table() -> FilePayload:
    """A photo as a phone sends it."""
    out = io.BytesIO()
    Image.new("RGB", (1600, 1200), "olive").save(out, "JPEG")
    return {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}
