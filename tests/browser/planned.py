"""A game that a dealer has planned, tapped into the pages of real browsers, always by the shortest way."""

from __future__ import annotations

from contextlib import closing
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from playwright.sync_api import Page, expect

from daybook.domain.commands import DecideTurn
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.play.period_scores import score_sheets
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.browser.conftest import IS_DESK_NEW, MARK_DESK, ServedDaybook
from tests.played import write
from tests.servers import wait_until
from tests.web.conftest import Form, Opened, VisitedPage


class BrowserPageShown:
    """The page that a browser shows, for code that reads a page as an answer."""

    status_code = 200

    def __init__(self, page: Page) -> None:
        self.page = page

    def get_data(self, as_text: bool) -> str:
        return self.page.content()


class Hand:
    """A hand at a record page: it opens links, fills in and sends forms, as `tests.bench.taps.Phone` wants.

    A tap is a click of the element, so that what stands under a sticky bar can be tapped too.
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def client(self) -> Hand:
        return self

    def look(self) -> VisitedPage:
        return VisitedPage(BrowserPageShown(self.page))  # type: ignore[arg-type]

    def settle(self) -> VisitedPage:
        self.page.wait_for_function(IS_DESK_NEW)
        return self.look()

    def get(self, path: str) -> VisitedPage:
        """Tap the link that leads there; where there is none, it is the page itself."""
        link = self.page.locator(f"a[href={quote_text(path)}]")
        if not link.count():
            self.page.goto(path)
            return self.settle()
        self.mark()
        link.first.evaluate("link => link.click()")
        return self.settle()

    def mark(self) -> None:
        self.page.evaluate(MARK_DESK)

    def send(self, form: Form) -> VisitedPage:
        self.submit(form.action, form.fields)
        return self.settle()

    def open(self, action: str, **sent: Any) -> BrowserPageShown:
        """Fill and send a form, as `Visitor.client.open` does it without a browser."""
        self.submit(action, sent.get("data") or sent.get("query_string") or {})
        self.settle()
        return BrowserPageShown(self.page)

    def click(self, form: Form) -> None:
        """Send a form, and wait for nothing."""
        self.submit(form.action, form.fields)

    def submit(self, action: str, fields: dict[str, str]) -> None:
        """Fill and send the form that goes there and has these fields but for those that can be filled in."""
        self.mark()
        assert self.page.evaluate(
            """([action, fields]) => {
                const fits = form => [...form.elements].every(one => one.type !== "hidden" || !(one.name in fields)
                    || one.name === "csrf" || one.value === fields[one.name]);
                const form = [...document.forms].find(form =>
                    (form.getAttribute("action") || "") === action && fits(form)
                    && Object.keys(fields).every(name => form.elements[name]));
                if (!form) return false;
                for (const [name, value] of Object.entries(fields)) {
                    const field = form.elements[name];
                    if (field.type !== "hidden") field.value = value;
                }
                [...form.elements].find((one) => one.matches("button:not([type=button])")).click();
                return true;
            }""",
            [action, fields],
        ), (action, fields)


def quote_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class At:
    """A game of a data folder that a service of its own keeps, as `tests.bench.taps.Phone` looks at it."""

    def __init__(self, opened: Opened, page: Page) -> None:
        self.opened = opened
        self.hand = Hand(page)
        self.path = opened.path

    @property
    def game(self) -> Any:
        return self.opened.game

    @property
    def step(self) -> int:
        return self.opened.step

    def visitor(self) -> Hand:
        return self.hand


def open_scores(served: ServedDaybook, page: Page, game: str) -> None:
    """The page of scores, once a worker has written down all of them."""
    with closing(open_daybook(Settings(data=served.data))) as book:
        id = UUID(game)
        wait_until(
            lambda: all(sheet.settled for sheet in score_sheets(book, book.games.get(id))), "a worker to score it"
        )
    page.goto(f"/games/{game}/score")
    expect(page.locator(".score-table").first).to_be_attached()  # it may be coming, and says so until then


def played_on(served: ServedDaybook, game: UUID, until: str = "", limit: int | None = None) -> None:
    """Play on with the practice dealer, as the pages write turn by turn, to the end or until a mark of the game
    changes.

    most: how many of these decisions, as a slice counts: -2 leaves the last two.
    """
    with closing(open_daybook(Settings(data=served.data))) as book:
        now, dealer, planned = book.games.get(game), Dealer(3), list[tuple[Seat, Decision]]()
        rules, board = now.ruleset, now.board
        began = rules.course.marks(board).get(until)
        while (
            rules.course.marks(board).get(until) == began and (chosen := dealer.next_decision(rules, board)) is not None
        ):
            planned.append(chosen)
            board, _ = rules.play(board, *chosen)
        for seat, turn in groupby(planned[:limit], itemgetter(0)):
            written = DecideTurn(seat, [plain(decision) for _, decision in turn])
            write(book, game, written)
