"""A page that a form was sent from takes nothing more, for it would be gone with the page; if it stays, it goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.servers import wait_until
from tests.web.conftest import Opened, held_request

LOOK = """() => {
  const fields = [...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")]
  const note = (typed = "") => {
    const focus = document.activeElement.id || document.activeElement.textContent.trim()
    const field = document.querySelector("#why, #name")
    if (typed) field.focus()
    document.execCommand("insertText", false, typed)
    fetch("/noted", { method: "POST", body: JSON.stringify({
      focus, text: field.value, taking: fields.filter(one => !one.readOnly && !one.inert).length }) })
  }
  let times = 0
  navigation.addEventListener("navigate", () => { times++; setTimeout(() => { THEN }, 50) })
}"""


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context
    context.close()


class Leaving:
    """A page that may be on its way to the next one. A driver would wait for that, so it notes itself how it is."""

    def __init__(self, page: Page, address: str, then: str) -> None:
        """address: what is sent there waits until the test lets it go on; then: what the page does meanwhile, `note()`
        among it."""
        self.page, self.held, self.notes = page, list[Route](), list[Any]()
        page.route(address, lambda route: self.held.append(route))
        page.route("**/noted", self.take)
        page.evaluate(LOOK.replace("THEN", then))

    def take(self, route: Route) -> None:
        self.notes.append(route.request.post_data_json)
        route.fulfill(status=204)

    def send(self, button: str, notes: int) -> list[Any]:
        """Return what the page notes after a button was pressed."""
        self.page.get_by_role("button", name=button).click(no_wait_after=True)

        def are_there() -> bool:
            self.page.wait_for_timeout(10)  # lets them come
            return len(self.notes) >= notes

        wait_until(are_there, "the notes of the page")
        return self.notes


@pytest.fixture
def adjusting(phone: BrowserContext, site: str, open_game: Callable[..., Opened]) -> Page:
    """The form for what really lies on the table: with texts, choices and ticks."""
    game = open_game(names=("Anna", "Ben", "Cleo"))
    game.play(6)
    page = phone.new_page()
    game.enter(page, site)
    page.goto(f"{site}{game.path}/adjust")
    page.locator("#why").fill("miscounted")
    return page


def correcting(page: Page, then: str) -> Leaving:
    return Leaving(page, "**/adjust", then)


def test_while_an_answer_is_under_way_nothing_is_typed_or_chosen(adjusting):
    leaving = correcting(adjusting, "note(); note('!')")
    assert leaving.send("Correct the board", 2) == [
        {"focus": "Correct the board", "text": "miscounted", "taking": 0},
        {"focus": "Correct the board", "text": "miscounted", "taking": 0},
    ]
    held_request(leaving.page, leaving.held).continue_()
    expect(adjusting.locator("main :is(input[readonly], input[inert], select[inert])")).to_have_count(0)
    expect(adjusting.locator("#why")).to_have_value("miscounted")


def test_if_it_is_stopped_typing_goes_on(adjusting):
    leaving = correcting(
        adjusting, "navigation.addEventListener('navigateerror', () => setTimeout(note, 0, '!')); stop()"
    )
    (stopped,) = leaving.send("Correct the board", 1)
    assert stopped["text"] == "miscounted!" and stopped["taking"] > 10


def test_sent_once_more_nothing_is_typed_meanwhile(adjusting):
    leaving = correcting(adjusting, "note('!'); if (times === 1) document.querySelector('main form .primary').click()")
    notes = leaving.send("Correct the board", 2)
    assert [(note["text"], note["taking"]) for note in notes] == [("miscounted", 0)] * 2


def test_a_page_that_the_browser_kept_takes_what_is_typed(adjusting):
    leaving = correcting(
        adjusting, "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); note('!')"
    )
    (back,) = leaving.send("Correct the board", 1)
    assert back["text"] == "miscounted!" and back["taking"] > 10


@pytest.mark.parametrize("pressed_in", ["#why", "input[type=radio]:checked"])
def test_if_nobody_answers_that_is_told_and_typing_goes_on(adjusting, pressed_in):
    field = adjusting.locator(pressed_in).first
    adjusting.context.set_offline(True)
    field.press("Enter")
    expect(adjusting.get_by_role("status").filter(has_text="No connection")).to_be_visible()
    expect(field).to_be_focused()
    expect(adjusting.locator("main :is(input[readonly], input[inert], select[inert])")).to_have_count(0)
    adjusting.locator("#why").press_sequentially("!")
    expect(adjusting.locator("#why")).to_have_value(re.compile("!"))
