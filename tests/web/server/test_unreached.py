"""A browser's view of an unreachable page: with TLS a page of ours, stored before, and no other address."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL

import pytest
from playwright.sync_api import Browser, Page, expect

from daybook.services.operation.certificates import make_certificate
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import stop
from tests.contexts import new_context
from tests.forked import Program
from tests.servers import chromium, free_port, listens, wait_until

PROGRAM = (
    "from daybook.services.settings import read_settings; from daybook import processes; "
    "processes.serve_pages(read_settings())"
)
READY = "navigator.serviceWorker.ready.then(found => found.active.state === 'activated')"
KEPT = """(async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
    return found;
})()"""


class TlsService:
    """A Daybook that speaks TLS, which can be stopped and started again at its address."""

    def __init__(self, folder: Path) -> None:
        pair = folder / "tls.pem", folder / "tls-key.pem"
        make_certificate(*pair)
        self.settings = Settings(data=folder / "data", port=free_port(), tls_certificate=pair[0], tls_key=pair[1])
        open_daybook(self.settings, create=True).close()
        self.address = f"https://127.0.0.1:{self.settings.port}"
        self.start()

    def start(self) -> None:
        self.process = Program(PROGRAM, os.environ | self.settings.environ(), stderr=DEVNULL)
        wait_until(lambda: listens(self.settings.port), "the server")

    def stop(self) -> None:
        stop(self.process, signal.SIGKILL)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TlsService]:
    running = TlsService(tmp_path)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def trusting_browser(browser: Browser) -> Iterator[Browser]:
    """One that takes the service's certificate for one that is trusted."""
    apart = browser.browser_type.launch(executable_path=chromium(), args=["--ignore-certificate-errors"])
    yield apart
    apart.close()


@pytest.fixture
def trusting(trusting_browser: Browser) -> Iterator[Page]:
    with new_context(trusting_browser, locale="en-GB", ignore_https_errors=True) as context:
        yield context.new_page()


def test_what_cannot_be_reached_is_a_page_of_ours_until_it_can(service, trusting):
    page = trusting
    page.goto(f"{service.address}/join")
    page.wait_for_function(READY)
    page.reload()  # from now on the worker is asked
    expect(page.get_by_role("heading", level=1)).not_to_have_text("No connection")
    assert sorted(re.sub("[0-9a-f]{16}", "*", path) for path in page.evaluate(KEPT)) == [
        "/static/*/daybook.css",
        "/unreached",
    ]
    service.stop()
    page.goto(f"{service.address}/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    assert page.url == f"{service.address}/help", "so that trying again asks for the same page"
    assert page.evaluate("getComputedStyle(document.querySelector('.button')).minHeight") != "auto"
    service.start()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How to use Daybook")
    assert page.evaluate("fetch('/daybook.webmanifest').then(answer => answer.status)") == 200
    service.stop()
    assert page.evaluate("fetch('/daybook.webmanifest').then(() => 'answered', () => 'lost')") == "lost", (
        "what scripts ask for is theirs"
    )


def test_a_form_that_cannot_be_sent_leads_to_it_too_and_back(service, trusting):
    page = trusting
    page.goto(f"{service.address}/join")
    page.wait_for_function(READY)
    page.reload()
    page.locator("#key").fill("some link")
    service.stop()
    page.evaluate("document.querySelector('form[action$=\"/join\"]').submit()")  # it has been asked before that
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("go back and send it again")
    service.start()


def test_it_names_nobody_and_is_offered_with_tls_alone(app, visitor):
    assert "data-worker" not in visitor.get("/").html, "browsers start none without TLS"
    with app.test_client() as client:
        assert 'data-worker="/unreached.js"' in client.get("/", base_url="https://localhost").text
        answer = client.get("/unreached")
        assert "csrf" not in answer.text and "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "private, no-cache"
        script = client.get("/unreached.js")
        assert script.mimetype == "text/javascript" and script.headers["Cache-Control"] == "no-cache"
        assert "default-src 'self'" in script.headers["Content-Security-Policy"]
        below = client.get("/unreached.js", base_url="https://localhost/games-of-ours")
        assert 'const BASE = "/games-of-ours/"' in below.text
