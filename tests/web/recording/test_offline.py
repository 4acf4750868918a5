"""Recording without network: the page stays, no tap is lost, and an outdated page says so."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from daybook.domain.kernel.ruleset import TABLE
from daybook.domain.kernel.tags import tag_of
from tests.browsing import open_replay
from tests.web.conftest import Opened, held_request, with_three_unseen_cards

WAITING = "[data-waiting]:not([hidden])"
CUT = "[data-cut]:not([hidden])"
SILENCE_MS = 6000  # longer than a page waits for a sign of life
PRINTED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """Return a phone whose console may report the network, and whose pages retry after a tenth of the usual pause."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, hurried=True)
    yield context
    context.close()


class Relay:
    """A route to a server that can be closed; open and new requests then wait."""

    def __init__(self, to: str) -> None:
        self.to = urlsplit(to)
        self.lets_through = Event()
        self.lets_through.set()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        Thread(target=self.take_in, daemon=True).start()

    def take_in(self) -> None:
        with suppress(OSError):  # the door is closed
            while True:
                came, _ = self.door.accept()
                went = socket.create_connection((self.to.hostname, self.to.port))
                for value, other in ((came, went), (went, came)):
                    Thread(target=self.pass_on, args=(value, other), daemon=True).start()

    def pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError), source, target:
            while piece := source.recv(65536):
                self.lets_through.wait()
                target.sendall(piece)


@contextmanager
def open_relay(to: str) -> Iterator[Relay]:
    relay = Relay(to)
    try:
        yield relay
    finally:
        relay.lets_through.set()
        relay.door.close()


def at_the_desk(phone: BrowserContext, served: str, game: Opened, *who: Any) -> Page:
    page = phone.new_page()
    game.enter(page, served, *who)
    return page


def held_back(page: Page, game: Opened) -> list[Route]:
    """The next thing that is written arrives when the test lets it, or does not."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.continue_()

    page.route(f"**{game.path}/**", hold)
    return held


def about_to_run(page: Page) -> None:
    """Return the page before the button that writes, where the user first looks."""
    page.goto(f"{page.url.partition('?')[0]}?seat=0&kind=run")
    page.locator(".write").wait_for()


def first_is_lost(page: Page, address: str) -> list[str]:
    """Drop the first answer of an address and collect its requests."""
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        route.abort() if len(asked) == 1 else route.continue_()

    page.route(address, lose)
    return asked


def where_bars_are_set_up(open_game: Any) -> Opened:
    """A game in which every choice is one tap that writes."""
    game: Opened = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "setup_bars":
        game.play(1, seed=game.step)
    return game


def test_question_tapped_offline_is_answered_after_reconnecting(phone, site, open_game):
    page = at_the_desk(phone, site, with_three_unseen_cards(open_game))
    phone.set_offline(True)
    page.get_by_label("Sell R1 and others").click()
    expect(page.locator(WAITING)).to_contain_text("No connection. 1 waiting")
    page.get_by_label("Sell M1 and others").click()  # somebody thinks better of it
    expect(page.locator(WAITING)).to_contain_text("1 waiting")
    phone.set_offline(False)
    page.locator(".path", has_text="So far: M1").wait_for()
    expect(page.locator(WAITING)).to_have_count(0)
    expect(page.locator(CUT)).to_have_count(0)


def test_offline_writes_are_queued_and_outlive_the_page(phone, site, friday):
    page = at_the_desk(phone, site, friday)
    about_to_run(page)
    step = friday.step
    held = held_back(page, friday)
    page.locator(".write").click()
    page.locator(".write.pressed").wait_for()
    held_request(page, held).abort()
    expect(page.locator(WAITING)).to_contain_text("1 waiting")
    page.reload()
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    assert friday.step == step + 1


def test_what_is_tapped_during_a_request_is_done_after_it(phone, site, open_game):
    game = where_bars_are_set_up(open_game)
    page = at_the_desk(phone, site, game)
    step = game.step
    held = held_back(page, game)
    page.locator("#desk :is(.chart, .choices) button").first.click()
    undo_at_once(page)
    held_request(page, held).continue_()
    page.locator(f'#desk[data-at="{step + 2}"]').wait_for()
    assert [tag_of(type(entry.event)) for entry in game.game.entries[step + 1 :]] == [
        "decision_recorded",
        "decisions_taken_back",
    ]
    assert game.game.entries[-1].event.to_step == step, (
        "what the request wrote is taken back, not what stood there before"
    )


def undo_at_once(page: Page) -> None:
    page.locator(".undo-what > summary").click()
    page.get_by_role("button", name="it was mistyped").click()


def test_after_what_could_not_be_written_nothing_else_is(phone, site, open_game):
    """An undo of one's own decision takes back no other player's."""
    game = where_bars_are_set_up(open_game)
    page = at_the_desk(phone, site, game)
    held = held_back(page, game)
    page.locator("#desk :is(.chart, .choices) button").first.click()
    undo_at_once(page)
    game.play(1, seed=3)
    step = game.step
    held_request(page, held).continue_()
    page.get_by_role("heading", name="Someone else recorded in the meantime").wait_for()
    expect(page.locator("#desk > .notice").first).to_contain_text("was not saved")
    assert game.step == step


def test_write_that_is_no_longer_possible_is_reported_not_saved(phone, site, open_game):
    game = where_bars_are_set_up(open_game)
    step = game.step
    page = at_the_desk(phone, site, game)
    held = held_back(page, game)
    page.locator("#desk :is(.chart, .choices) button").first.click()
    page.locator("#desk :is(.chart, .choices) button").nth(1).click()
    held_request(page, held).continue_()
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    expect(page.locator("#desk > .notice")).to_contain_text("was not saved")
    assert game.step == step + 1


def test_a_double_tap_writes_once(phone, site, open_game):
    """The second half of a tap does not press what moves under the finger."""
    game = where_bars_are_set_up(open_game)
    step = game.step
    page = at_the_desk(phone, site, game)
    page.clock.install()
    button = page.locator("#desk :is(.chart, .choices) button").first
    box = button.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.mouse.click(x, y)
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    assert page.locator("#desk :is(.chart, .choices) button").first.is_visible()
    page.mouse.click(x, y)
    page.clock.run_for(1000)
    assert page.locator(".spent").count() == 0
    assert page.locator("#desk.busy").count() == 0
    assert game.step == step + 1
    page.locator("#desk :is(.chart, .choices) button").first.click()
    page.locator(f'#desk[data-at="{step + 2}"]').wait_for()


def test_a_follower_that_misses_an_answer_asks_again(phone, site, friday):
    page = at_the_desk(phone, site, friday, "seat", 1)
    asked = first_is_lost(page, f"**{friday.path}/record")
    friday.decide(0, type="end_turn")
    page.get_by_text("Ben: 2 actions left").wait_for()
    assert len(asked) == 2


def test_a_replay_that_misses_an_answer_asks_again(phone, site, friday):
    page = at_the_desk(phone, site, friday)
    open_replay(page, f"{site}{friday.path}")
    asked = first_is_lost(page, "**/replay.json*")
    friday.decide(0, type="end_turn")
    page.get_by_text(f"step {friday.step} of {friday.step}").first.wait_for()
    assert len(asked) == 2


def test_silent_page_says_it_may_be_behind_and_catches_up(phone, site, friday):
    """A network that swallows everything without a word: no connection ends, and no browser notices."""
    with open_relay(site) as relay:
        page = phone.new_page()
        page.clock.install()
        with page.expect_response("**/events?*"):  # it listens: its scripts have come
            friday.enter(page, relay.address, "seat", 1)
        relay.lets_through.clear()
        friday.decide(0, type="end_turn")
        page.clock.fast_forward(SILENCE_MS)
        expect(page.locator(CUT)).to_contain_text("may be out of date")
        relay.lets_through.set()
        page.get_by_text("Ben: 2 actions left").wait_for()
        page.locator(CUT).wait_for(state="detached")


# --- links and forms of every page ---


def cut_off(phone: BrowserContext, noticed: bool) -> None:
    """The network goes. noticed: the browser knows; otherwise the first request finds out."""
    if noticed:
        phone.set_offline(True)
    else:
        phone.route("**/*", lambda route: route.abort("internetdisconnected"))


def connect(phone: BrowserContext, noticed: bool) -> None:
    if noticed:
        phone.set_offline(False)
    else:
        phone.unroute("**/*")


def draft(open_game: Any) -> tuple[Opened, str]:
    game: Opened = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="water_frame", **PRINTED)
    game.decide(TABLE, type="reveal_economy", importer=1, workers=1)
    turn = quote(json.dumps([{"type": "place", "marker": "quality", "row": 6, "paid": 6}]))
    return game, f"/record?seat=0&t={turn}"


def preview(open_game: Any) -> tuple[Opened, str]:
    game: Opened = open_game()
    game.deal()
    return game, "/record?seat=0&kind=run"


def undo(open_game: Any) -> tuple[Opened, str]:
    return preview(open_game)[0], "/undo?to_step=6"


def auction(open_game: Any) -> tuple[Opened, str]:
    game: Opened = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    return game, "/record?seat=-1&kind=offers_revealed"


def replay(open_game: Any) -> tuple[Opened, str]:
    return preview(open_game)[0], ""


@pytest.mark.parametrize(
    ("begin", "button", "noticed"),
    [
        (draft, "Save the turn", True),
        pytest.param(preview, "Save", False, marks=pytest.mark.drill),
        pytest.param(undo, "Undo to step 6", True, marks=pytest.mark.drill),
        pytest.param(auction, "Preview", False, marks=pytest.mark.drill),
        (replay, "Something is wrong", True),
        (replay, "Change", False),
    ],
)
def test_offline_links_and_forms_never_open_a_browser_page(phone, site, open_game, begin, button, noticed):
    """The page answers at once, before a missing sign of life."""
    game, where = begin(open_game)
    page = at_the_desk(phone, site, game)
    page.goto(f"{site}{game.path}{where}")
    at, step = page.url, game.step
    if button == "Something is wrong":
        expect(page.locator("#replay")).to_have_class(re.compile("scripted"))
    link = page.locator("main a:not([href^='#']):visible, nav a:not([href^='#']):visible").first
    cut_off(phone, noticed)
    for tapped in (page.get_by_role("button", name=button).filter(visible=True).last, link):
        page.evaluate("document.querySelector('[data-cut]').hidden = true")  # each tap is answered, not the one before
        if not tapped.is_visible():
            page.locator("a[href='#pages']").click()  # on a phone, a replay has its links in a menu
        tapped.click()
        expect(page.locator(f"{CUT}, {WAITING}").filter(visible=True)).to_contain_text("No connection")
    assert (page.url.removesuffix("#pages"), game.step) == (at, step)


@pytest.mark.parametrize("noticed", [pytest.param(True, marks=pytest.mark.drill), False])
def test_link_tapped_offline_is_offered_after_reconnecting(phone, site, friday, noticed):
    page = at_the_desk(phone, site, friday)
    at = page.url
    cut_off(phone, noticed)
    page.get_by_role("link", name="Score").first.click()
    expect(page.locator(CUT)).to_contain_text("No connection")
    connect(phone, noticed)
    again = page.locator("[data-again]")
    expect(again).to_contain_text("You are online again: Score")
    assert page.url == at, "nobody is led away unasked"
    again.get_by_role("link").click()
    page.wait_for_url("**/score")


def test_a_note_that_is_written_without_network_waits(phone, site, friday):
    page = at_the_desk(phone, site, friday)
    at = page.url
    phone.set_offline(True)
    page.get_by_text("Fix…").click()
    page.get_by_label("A note on step 7").fill("the lamp went out")
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(WAITING)).to_contain_text("1 waiting")
    phone.set_offline(False)
    page.get_by_text("the lamp went out").first.wait_for()
    assert page.url == at


def test_a_form_without_network_is_sent_once_by_the_next_press(phone, site, friday):
    """The input stays, and only the next press sends it."""
    page = at_the_desk(phone, site, friday)
    page.goto(f"{site}{friday.path}/undo?to_step=6")
    step = friday.step
    cut_off(phone, noticed=False)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(CUT)).to_contain_text("No connection")
    connect(phone, noticed=False)
    again = page.locator("[data-again]")
    expect(again).to_contain_text("You are online again: Undo")
    assert friday.step == step
    again.get_by_role("link").dblclick()
    page.locator("#desk").wait_for()
    assert friday.step == step + 1


@pytest.mark.parametrize("noticed", [True, pytest.param(False, marks=pytest.mark.drill)])
def test_who_joins_without_network_has_joined_when_there_is_one(phone, site, friday, noticed):
    page = phone.new_page()
    page.goto(f"{site}/join")
    page.get_by_label("Link").fill(friday.key("seat", 1))
    cut_off(phone, noticed)
    page.get_by_role("button", name="Open").click()
    page.locator(CUT).wait_for()
    page.get_by_role("link", name="Statistics").click()
    expect(page.locator(CUT)).to_contain_text("No connection")
    assert page.url == f"{site}/join"
    connect(phone, noticed)
    page.locator("#desk").wait_for()


def test_messages_next_to_the_desk_are_shown_when_replaced(phone, site, friday):
    """An undo that comes too late says so, and that nothing was written."""
    page = at_the_desk(phone, site, friday)
    held = held_back(page, friday)
    undo_at_once(page)
    friday.decide(0, type="run")
    step = friday.step
    held_request(page, held).continue_()
    page.locator("main > .said", has_text="Nothing was saved").wait_for()
    assert friday.step == step


def test_replay_repeats_a_request_that_gets_no_answer(phone, site, open_game):
    game = open_game(public=True)
    game.deal()
    held: list[Route] = []
    page = phone.new_page()
    page.clock.install()
    page.route("**/replay.json*", lambda route: held.append(route) if not held else route.continue_())
    with page.expect_request("**/replay.json*"):
        page.goto(f"{site}{game.path}", wait_until="domcontentloaded")
    page.clock.run_for(19_000)
    expect(page.locator(CUT)).to_have_count(0)
    with page.expect_response("**/replay.json*"):
        page.clock.run_for(2_000)
        expect(page.locator(CUT)).to_have_count(1)
        page.clock.run_for(3_000)
    expect(page.locator(CUT)).to_have_count(0)
