"""A whole table on the local network: four phones join by their codes, each loses the network, nothing is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from uuid import UUID

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.operation import network
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.workers.children import start_child, stop
from tests.bench.taps import KeeperPhone, next_turn
from tests.browser.conftest import PHONE, ServedDaybook, _answers, fits
from tests.browser.planned import At
from tests.browser.test_evening import link_of, step_of
from tests.servers import free_port, wait_until
from tests.web.conftest import Opened

pytestmark = pytest.mark.drill

NAMES = ("Anna", "Ben", "Cleo", "Dora")
WAITING = "[data-waiting]:not([hidden])"
CARD = "[data-to-do]"


@pytest.fixture(scope="module")
def on_network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDaybook]:
    """`daybook serve --lan`, at the address that phones use; where the machine is in no network, at its own."""
    data, port = tmp_path_factory.mktemp("lan") / "data", free_port()
    host = next(iter(network.local_addresses()), "127.0.0.1")
    log = data.parent / "serve.log"
    with log.open("wb") as out:
        process = start_child(
            [
                sys.executable,
                "-m",
                "daybook",
                "serve",
                "--lan",
                "--no-examples",
                "--port",
                str(port),
                "--data",
                str(data),
            ],
            {**os.environ, "DAYBOOK_WORKERS": "1", "DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY": "off"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://{host}:{port}"
            wait_until(lambda: _answers(address), f"Daybook: {log.read_text()[-2000:]}")
            yield ServedDaybook(address, data)
        finally:
            stop(process)


@pytest.fixture(scope="module")
def network_book(on_network: ServedDaybook) -> Iterator[Daybook]:
    book = open_daybook(Settings(data=on_network.data))
    yield book
    book.close()


class FourPhones:
    """Four phones at one game: Anna's keeps the record, each holds a seat."""

    def __init__(
        self, browser: Browser, served: ServedDaybook, book: Daybook, ruleset: str, options: dict[str, str]
    ) -> None:
        self.contexts: list[BrowserContext] = []
        keeper = self.phone(browser, served)
        keeper.goto(f"/new?game={ruleset}")
        keeper.locator("#title").fill("Four phones")
        for place, name in enumerate(NAMES):
            keeper.locator(f"input[name='name.{place}']").fill(name)
        keeper.locator(".rest > summary").click()
        for option, value in options.items():
            keeper.locator(f"input[name='option.{option}'][value='{value}']").check()
        keeper.get_by_role("button", name="Open the game").click()
        expect(keeper).to_have_url(re.compile("/links"))
        codes = [link_of(keeper, name) for name in NAMES]
        self.id = keeper.url.split("/games/")[1].partition("/")[0]
        self.phones = [keeper, *(self.join_phone(browser, served, code) for code in codes[1:])]
        keeper.goto(codes[0])  # the keeper sits at the table too
        keeper.wait_for_url(re.compile("/record"))
        keeper.goto(f"/games/{self.id}/record")
        keeper.locator("#desk").wait_for()
        self.game = Opened(book, create_app(book), UUID(self.id))

    def phone(self, browser: Browser, served: ServedDaybook) -> Page:
        context = browser.new_context(
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
            locale="en-GB",
            reduced_motion="reduce",
            # type: ignore[arg-type]
            base_url=served.address,
        )
        self.contexts.append(context)
        return context.new_page()

    def join_phone(self, browser: Browser, served: ServedDaybook, code: str) -> Page:
        """A phone on which a player has opened the address of the code."""
        assert code.startswith(f"{served.address}/join#"), "codes lead to the address of the network"
        page = self.phone(browser, served)
        page.goto(code)
        page.get_by_role("link", name="Open the game").click()
        page.wait_for_url("**/record")  # with its scripts
        assert self.id in page.url
        return page

    def records(self, seat: int) -> Page:
        """Return whose phone writes a decision: the seat's own; the scorekeeper's for what the table turns up."""
        return self.phones[0 if seat == TABLE else seat]

    def play(self, dealer: Dealer, until: str, limit: int = 200) -> set[str]:
        """Play on until a mark of the game moves; the headings of the cards that told what ran by itself.

        In each role a phone is without network once: the keeper's, a player's who writes, one that follows.
        """
        rules, cards, roles = self.game.game.ruleset, set[str](), ["keeper", "player", "follower"]
        began = None
        for _ in range(limit):
            board = self.game.game.board
            mark = rules.course.marks(board).get(until)
            began = mark if began is None else began
            if mark != began:
                assert roles == [], "each of them was without network"
                self.all_see(self.game.step)
                last = [self.put_away(page) for page in self.phones]
                assert all(last), "everybody is told, until they put it away"
                return cards.union(*last)
            played = next_turn(rules, board, dealer)
            assert played is not None
            seat, decisions = played
            page = self.phones[0 if seat == TABLE else seat]  # what the table turns up is the keeper's
            self.all_see(self.game.step)
            cards |= self.put_away(page)
            phone = KeeperPhone(At(self.game, page))  # type: ignore[arg-type]
            if roles and roles[0] == ("keeper" if page is self.phones[0] else "player"):
                self.write_without_network(phone, page, seat, decisions)
                del roles[0]
            elif roles == ["follower"]:
                self.follow_without_network(phone, self.phones[seat - 1], seat, decisions)
                del roles[0]
            else:
                phone.enter(seat, decisions)
            fits(page)
        raise AssertionError(f"no end of the {until}")

    def write_without_network(self, phone: KeeperPhone, page: Page, seat: Seat, decisions: list[Decision]) -> None:
        """A decision without network waits, says so, and is written once when the network returns."""
        step, ready = self.game.step, None
        while ready is None:
            ready = next((form for form in phone.page.forms if phone.decides(form, seat, decisions)), None)
            if ready is None:
                phone.tap(seat, decisions)
        page.context.set_offline(True)
        phone.game.hand.click(ready)  # type: ignore[attr-defined]
        expect(page.locator(WAITING)).to_be_visible()
        assert self.game.step == step
        page.context.set_offline(False)
        self.all_see(step + len(decisions))
        expect(page.locator(WAITING)).to_have_count(0)

    def follow_without_network(self, phone: KeeperPhone, follower: Page, seat: Seat, decisions: list[Decision]) -> None:
        """A phone that is cut off while others write has everything when the network returns."""
        step = self.game.step
        follower.context.set_offline(True)
        phone.enter(seat, decisions)
        assert step_of(follower) == step
        follower.context.set_offline(False)
        self.all_see(self.game.step)

    def all_see(self, step: int) -> None:
        for page in self.phones:
            page.wait_for_function("step => Number(document.getElementById('desk').dataset.at) === step", arg=step)

    def put_away(self, page: Page) -> set[str]:
        """Read the card of what ran by itself, on the phone that goes on, and tap Done."""
        card = page.locator(CARD)
        if not card.count():
            return set()
        heading = card.locator("h2").inner_text()
        card.locator("[data-done] button").tap()
        expect(page.locator(CARD)).to_have_count(0)
        return {heading}


@pytest.fixture
def table(browser: Browser, on_network: ServedDaybook, network_book: Daybook) -> Iterator[Callable[..., FourPhones]]:
    opened: list[FourPhones] = []

    class Here(FourPhones):
        def __init__(self, ruleset: str, **options: str) -> None:
            super().__init__(browser, on_network, network_book, ruleset, options)
            opened.append(self)

    yield Here
    for item in opened:
        for context in item.contexts:
            context.close()


def test_a_round_of_water_frame_with_four_phones(table):
    mills = table("water_frame", factories="predetermined", mat="predetermined", events="predetermined")
    cards = mills.play(Dealer(2), "cycle")
    assert "Production of food" in cards
