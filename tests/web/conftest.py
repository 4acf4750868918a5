"""The pages in this process on a fresh SQLite daybook, and their visitors."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
import segno
from flask import Flask
from playwright.sync_api import Page, Route
from werkzeug.test import TestResponse

from daybook.domain.commands import Command, Decide
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.league import plays
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.play.live import Streams
from daybook.services.play.writing import Receipt
from daybook.services.settings import Settings
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin, create_app
from daybook.web.pages import ON_A_DEVICE
from daybook.web.serving import Server
from tests.conftest import opened_copy
from tests.played import open_seats, play, update_games, write
from tests.servers import wait_until
from tests.services.fixture_files import put_golden

NAMES = ("Anna", "Ben", "Cleo")
OF_OUR_PAGE = {"Sec-Fetch-Site": "same-origin"}  # what browsers say of a form of our own page: no page has to be read


@pytest.fixture(scope="session")
def signing_data(empty_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of an empty daybook with its secret, for copies: making one took a third of the time of a
    page. A second daybook of a test is a copy of `empty_data`, and makes its own secret."""
    data = Path(copytree(empty_data, tmp_path_factory.mktemp("signing") / "data"))
    opened = open_daybook(Settings(data=data))
    secret.checked_secret(opened)
    opened.close()
    return data


@pytest.fixture(scope="session")
def friday_data(signing_data: Path, built_app: Flask, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, UUID]:
    """A data folder with the game `friday`, for copies, and the game's id."""
    data = Path(copytree(signing_data, tmp_path_factory.mktemp("friday") / "data"))
    with closing(open_daybook(Settings(data=data), accept_loss=True)) as opened:
        game = open_table(opened, built_app)
        game.deal()
    return data, game.id


@pytest.fixture
def book(request: pytest.FixtureRequest, tmp_path: Path, signing_data: Path) -> Iterator[Daybook]:
    data = request.getfixturevalue("friday_data")[0] if "friday" in request.fixturenames else signing_data
    with opened_copy(Settings(data=Path(copytree(data, tmp_path / "data")))) as opened:
        yield opened


@pytest.fixture(scope="session")
def built_app(tmp_path_factory: pytest.TempPathFactory, empty_data: Path) -> Iterator[Flask]:
    """The application, built once: its addresses, its API's document and its templates take long."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path_factory.mktemp("built") / "data"))))
    yield create_app(opened)
    opened.close()


@pytest.fixture(scope="session")
def built_device_app(tmp_path_factory: pytest.TempPathFactory, empty_data: Path) -> Iterator[Flask]:
    """The application of a device, built once; `begin` serves another daybook with it."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path_factory.mktemp("device") / "data"))))
    yield create_app(opened, ON_A_DEVICE)
    opened.close()


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_rows() -> Iterator[None]:
    """Let no page wait for the follower, which does not run here: each waited for two seconds.

    tests/services/league/test_plays.py tests with waiting.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plays, "ROWS_EXPECTED_SECONDS", 0.0)
        yield


@pytest.fixture(scope="module", autouse=True)
def no_choice_of_masks() -> Iterator[None]:
    """Draw QR codes with the first mask: to compare all eight took a tenth of a page with links."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segno, "make", partial(segno.make, mask=0))
        yield


@pytest.fixture
def app(built_app: Flask, book: Daybook) -> Flask:
    """The application on the test's own daybook, as if it had just been created."""
    begin(built_app, book)
    built_app.testing = True
    return built_app


@pytest.fixture
def in_request(built_app: Flask, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Enter a request, with its language and templates. Every part of a board can be drawn."""
    with built_app.test_request_context("/"):
        yield
    assert [said for said in caplog.messages if "cannot be drawn" in said] == []


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    """Return a visitor with a browser and no link."""
    return Visitor(app)


class Form:
    """A form of a page: where it goes, and its fields as they stand. buttons: what they say."""

    def __init__(self, action: str, method: str) -> None:
        self.action = action
        self.method = method
        self.fields: dict[str, str] = {}
        self.buttons: list[str] = []
        self.picked: set[str] = set()  # fields that are chosen by a tap
        self.steppers: set[str] = set()  # numbers that are raised and lowered by taps


READ = re.compile(
    r"""
    <(?P<raw>script|style)\b.*?</(?P=raw)>|<!--.*?-->             # nothing of these is a form's or a link's
    |</?(?!/|(?:form|a|select|option|input|textarea|button)[\s/>])[a-z!](?:[^<>"']|"[^"]*"|'[^']*')*>
    """,
    re.S | re.X | re.I,
)
GAP = "\x00"  # stands where another tag stood: it parts the words of a link


class _Reader(HTMLParser):
    """Forms and links of a page, as a browser without scripts would find them.

    Most tags of a page are drawings. They are passed over first: to read them one by one takes ten times as long.
    """

    @classmethod
    def of(cls, html: str) -> _Reader:
        reader = cls()
        reader.feed(READ.sub(GAP, html))
        return reader

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []  # what it says, where it goes
        self._form: Form | None = None
        self._by_id: dict[str, Form] = {}
        self._outside: Form | None = None  # whose button is read that stands outside of it
        self._select = ""
        self._area = ""  # the text field whose text is being read
        self._into: list[str] | None = None
        self._href = ""
        self._aloud = ""  # what a link says besides its text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(has.get("action", ""), has.get("method", "get"))
            self.forms.append(self._form)
            self._by_id[has.get("id", "")] = self._form
        elif tag == "a" and "href" in has:
            self._href, self._into, self._aloud = has["href"], [], has.get("aria-label", "")
        elif tag == "button" and "form" in has:
            self._outside, self._into = self._by_id[has["form"]], []
        elif self._form is not None:
            self._field(tag, has)

    def _field(self, tag: str, has: dict[str, str]) -> None:
        assert self._form is not None
        name = has.get("name", "")
        if tag == "select" or has.get("type") in ("radio", "checkbox"):
            self._form.picked.add(name)
        if "data-stepped" in has:
            self._form.steppers.add(name)
        if tag == "input" and has.get("type") in ("radio", "checkbox"):
            if "checked" in has:
                self._form.fields[name] = has.get("value", "on")
        elif tag == "input" and name:
            self._form.fields[name] = has.get("value", "")
        elif tag == "textarea":
            self._form.fields[name], self._area = "", name
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in self._form.fields or "selected" in has):
            self._form.fields[self._select] = has.get("value", "")
        elif tag == "button":
            self._into = [has["aria-label"]] if "aria-label" in has else []

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "textarea":
            self._area = ""
        if tag in ("a", "button") and self._into is not None:
            says = " ".join(" ".join(self._into).split())
            if tag == "a":
                self.links.append((f"{says} {self._aloud}".strip(), self._href))
            elif form := self._outside or self._form:
                form.buttons.append(says)
            self._outside = None
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into += data.split(GAP)
        if self._area and self._form is not None:
            self._form.fields[self._area] += data.replace(GAP, "")


class VisitedPage:
    """An answer, read as people read it."""

    def __init__(self, answer: TestResponse) -> None:
        self.answer = answer
        self.status = answer.status_code
        self.html = answer.get_data(as_text=True)

    @cached_property
    def _read(self) -> _Reader:
        return _Reader.of(self.html)

    @property
    def forms(self) -> list[Form]:
        return self._read.forms

    @property
    def links(self) -> list[tuple[str, str]]:
        return self._read.links

    @cached_property
    def text(self) -> str:
        """Return the page's text on one line; computed once for all searches in it."""
        shown = re.sub(r"<(script|style)\b.*?</\1>", " ", self.html, flags=re.S)
        words = " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())
        return re.sub(r" ([:.,;?])", r"\1", words)

    def form(self, text: str) -> Form:
        """The form with a button that begins with these words."""
        return next(form for form in self.forms if any(button.startswith(text) for button in form.buttons))

    def form_to(self, action: str) -> Form:
        return next(form for form in self.forms if form.action.endswith(action))

    def link(self, text: str) -> str:
        """Return the address of the link that begins with these words."""
        return next(href for words, href in self.links if words.startswith(text))


class Visitor:
    """A browser without scripts: it keeps a cookie, follows links and sends forms."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    @property
    def cookie(self) -> str:
        """Return the browser's cookie of the application."""
        kept = self.client.get_cookie(self.client.application.config["SESSION_COOKIE_NAME"])
        assert kept is not None
        return kept.value

    @cookie.setter
    def cookie(self, value: str) -> None:
        self.client.set_cookie(self.client.application.config["SESSION_COOKIE_NAME"], value)

    def get(self, path: str, **query: Any) -> VisitedPage:
        return VisitedPage(self.client.get(path, query_string=query or None, follow_redirects=True))

    def send(self, form: Form, **more: str) -> VisitedPage:
        """Send a form, with some fields filled in."""
        return VisitedPage(self.client.post(form.action, data=form.fields | more, follow_redirects=True))

    def press(self, path: str, text: str, /, **more: str) -> VisitedPage:
        """Open a page, fill in some fields, and press the button that begins with these words."""
        return self.send(self.get(path).form(text), **more)

    def token(self) -> str:
        return self.get("/join").form_to("/join").fields["csrf"]

    def post(self, path: str, **fields: str) -> VisitedPage:
        """Send what no form of a page says."""
        return VisitedPage(self.client.post(path, data=fields, headers=OF_OUR_PAGE, follow_redirects=True))

    def join(self, key: str) -> VisitedPage:
        return self.post("/join", key=key)

    def sign_in(self, person: str) -> None:
        """Have the cookie that the form for signing in sets: to open that form and the page behind it takes long."""
        book = self.client.application.extensions["daybook"]
        with self.client.session_transaction() as session:
            session["signed_in"] = accounts.begin_session(book, person, "Firefox")
            session["signed_in_before"] = [person]
            session.permanent = True


class Opened:
    """A game on a table, with the keys of its links."""

    def __init__(self, book: Daybook, app: Flask, game_id: UUID) -> None:
        self.book = book
        self.app = app
        self.id = game_id
        self.path = f"/games/{game_id}"

    @property
    def game(self) -> Game:
        return self.book.games.get(self.id)

    @property
    def step(self) -> int:
        return self.game.step

    def update_list(self) -> None:
        """Let the list of games catch up with the record, as the follower does."""
        update_games(self.book)

    def key(self, role: str, seat: Seat | None = None) -> str:
        return next(
            access.key_of(self.book, grant)
            for grant in access.grants_of_game(self.book, self.id)
            if (grant.role, grant.seat) == (role, seat)
        )

    def visitor(self, role: str = "scorekeeper", seat: Seat | None = None) -> Visitor:
        """Return a visitor who has opened one of the links."""
        somebody = Visitor(self.app)
        joined = somebody.client.post("/join", data={"key": self.key(role, seat)}, headers=OF_OUR_PAGE)
        assert joined.status_code == 303, "it leads to the game"
        return somebody

    def enter(self, page: Page, served: str, role: str = "scorekeeper", seat: Seat | None = None) -> None:
        """Give a browser a further link, and open its page.

        Tests of links take the link itself, which loads two pages.
        """
        somebody = Visitor(self.app)
        name = self.app.config["SESSION_COOKIE_NAME"]
        for cookie in page.context.cookies(served):
            if cookie.get("name") == name:
                somebody.cookie = cookie["value"]  # type: ignore[typeddict-item]
        joined = somebody.client.post("/join", data={"key": self.key(role, seat)}, headers=OF_OUR_PAGE)
        page.context.add_cookies([{"name": name, "value": somebody.cookie, "url": served, "httpOnly": True}])
        page.goto(served + joined.headers["Location"])

    def write(self, command: Command, **how: Any) -> Receipt:
        """Record a command without a page. how: of `tests.played.write`."""
        return write(self.book, self.id, command, **how)

    def decide(self, seat: Seat, /, **decision: Any) -> int:
        """Record a decision without a page; its step."""
        return self.write(Decide(seat, decision)).step

    def deal(self, cards: str = "R2 M1 R2 M2 M1 M2", start: Seat = 0) -> None:
        """Through the set-up: two cards for each seat, and the starting player."""
        for card in cards.split():
            self.decide(TABLE, type="drawn", card=card)
        self.decide(TABLE, type="start_player_drawn", seat=start)

    def play(self, until: int | Callable[[Game], object] | None = None, seed: int = 1) -> None:
        """Play on as `tests.played.play` does, and close the game when it is over."""
        play(self.book, self.id, until, seed=seed, close=True)


def open_table(
    book: Daybook,
    app: Flask,
    names: Sequence[str] = NAMES,
    title: str = "Friday",
    public: bool = False,
    ruleset_id: str = "making_profit",
    **options: Any,
) -> Opened:
    """Open a game with a link for each role."""
    id = open_seats(book, names, ruleset_id, title, options=options, public=public)
    access.make_grant(book, id, "scorekeeper")
    for seat in range(len(names)):
        access.make_grant(book, id, "seat", seat)
    access.make_grant(book, id, "reader")
    return Opened(book, app, id)


@pytest.fixture
def open_game(book: Daybook, app: Flask) -> Callable[..., Opened]:
    return partial(open_table, book, app)


@pytest.fixture
def friday(book: Daybook, app: Flask, friday_data: tuple[Path, UUID]) -> Opened:
    """A game of three, dealt: Anna begins."""
    game = Opened(book, app, friday_data[1])
    if book.games.find(game.id) is None:  # a module's own daybook
        game = open_table(book, app)
        game.deal()
    return game


def with_three_unseen_cards(open_game: Callable[..., Opened]) -> Opened:
    """Return a game with hidden hands. Anna, who begins her second turn, has three cards."""
    game = open_game(hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    game.decide(0, type="develop", card="R2")
    game.decide(0, type="run")
    for seat in (1, 2):
        game.decide(seat, type="develop", card="M1")
        game.decide(seat, type="end_turn")
    return game


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[str]:
    """The pages on a port of this machine; their address."""
    with socket.create_server(("127.0.0.1", port), backlog=1024) as listening:
        server = Server(app)
        thread = Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def port_of_site() -> Iterator[int]:
    """Return the port of one test's pages after another, so that a browser has their styles and scripts already.

    Between two tests it is reserved and silent.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture
def site(app: Flask, port_of_site: int) -> Iterator[str]:
    """The pages on a port of this machine, for a real browser; their address."""
    app.testing = False
    with served(app, port_of_site) as address:
        yield address


class Shelf:
    """Games that tests only read: each is stored once, and its page data computed once."""

    def __init__(self, book: Daybook, app: Flask, site: str) -> None:
        self.book = book
        self.app = app
        self.site = site
        self._games: dict[str, Opened] = {}

    def game(self, name: str, put: Callable[[Daybook], UUID]) -> Opened:
        if name not in self._games:
            self._games[name] = Opened(self.book, self.app, put(self.book))
        return self._games[name]

    def record(self, name: str) -> Opened:
        """Return a recorded game of `fixtures` with links for each role."""
        return self.game(name, lambda book: put_golden(book, name, public=True))


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory, signing_data: Path) -> Iterator[Shelf]:
    book = open_daybook(Settings(data=Path(copytree(signing_data, tmp_path_factory.mktemp("shelf") / "data"))))
    app = create_app(book)
    with served(app) as address:
        yield Shelf(book, app, address)
    book.close()


@pytest.fixture
def page(site: str, page: Page) -> Page:
    """The page, closed before what serves it stops: a request that is on its way at the end is no error."""
    return page


def silence_beats(app: Flask) -> None:
    """Let streams report new steps only: beats and looks, which report the newest step too, never come."""
    streams: Streams = app.extensions["streams"]
    streams.beat_seconds = streams.look_seconds = 3600.0


def held_request(page: Page, routes: list[Route]) -> Route:
    """Wait for a request that the test holds back with `page.route(address, held.append)`."""

    def came() -> bool:
        page.wait_for_timeout(10)  # lets it come
        return bool(routes)

    wait_until(came, "what is held back")
    return routes[0]
