"""Open every page and every API address of a game for every viewer, at the steps of a random game.

The pages are the application's own, which are those of `web/pages.py`; the API's addresses come from its document. An
address that needs a value which is not here fails the walk: add the value.
"""

from __future__ import annotations

import traceback
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from inspect import unwrap
from itertools import islice, product
from random import Random
from typing import Any, Literal
from uuid import UUID

import msgspec
from flask import Flask
from werkzeug.routing import AnyConverter, Rule
from werkzeug.test import TestResponse

from daybook.domain.commands import Decide
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import UmpireNamed
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.disputes import claims, forks, umpires
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.play.practice import Dealer
from daybook.services.store.daybook import Daybook
from daybook.web.pages import PAGES
from daybook.web.words import sentence
from tests.played import key, open_seats, write
from tests.web.conftest import OF_OUR_PAGE, Visitor
from tests.web.test_every_route import ENDLESS, LEAVING, asked_by

V1 = "/api/v1"
SEEN_AT_TABLE = {"record.record", "typed_line.type_it", "replay.replay", "replay.why", "legal", "why"}
# what every seat may ask for itself
SEEN_BY_READERS = {"replay.replay", "about.about", "claims.claims", "book.book"}  # umpires are readers, too
PEOPLE = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gisa", "Hana", "Ines", "Jo", "Kim", "Lars")
Plain = dict[str, Any]


class Viewer(msgspec.Struct, frozen=True):
    """A person who opens pages. key: for their programs; seat: of their link."""

    name: str
    browser: Visitor
    key: str
    seat: Seat | None = None


class Request(msgspec.Struct, frozen=True):
    """A request without its sender. body: JSON for the API, a form for a page."""

    endpoint: str
    method: str
    path: str
    query: dict[str, str] = {}
    body: Plain | None = None

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.method, self.path, self.query or "", self.body or "") if part)


class WatchedGame:
    """A game, the viewers of its pages, and one numbered thing of each kind that pages show."""

    def __init__(self, book: Daybook, app: Flask, game_id: UUID, viewers: Sequence[Viewer]) -> None:
        self.book, self.app, self.id, self.viewers = book, app, game_id, viewers
        self.claim, self.fork, self.share = 0, "none", "none"
        self.said: dict[str, tuple[Plain, str]] = {}  # of each kind the newest decision, and how it is typed
        self._opened = 0  # how many addresses were opened in turn

    @property
    def game(self) -> Game:
        return self.book.games.get(self.id)

    def decide(self, dealer: Dealer) -> bool:
        """Record the next decision; False when the game is over."""
        game = self.game
        chosen = dealer.next_decision(game.ruleset, game.board)
        if chosen is not None:
            self.record(*chosen)
        return chosen is not None

    def record(self, seat: Seat, decision: Decision) -> None:
        game, sent = self.game, plain(decision)
        with self.app.test_request_context():
            self.said[sent["type"]] = sent, sentence(game.ruleset.id, sent, PEOPLE)
        write(self.book, self.id, Decide(seat, sent), at=game.step)

    # --- requests ----------------------------------------------------------------------------------------------------

    @property
    def values(self) -> dict[str, Any]:
        """The values of addresses, queries and bodies by their names."""
        game = self.game
        decision, typed = next(reversed(self.said.values()), ({"type": "none"}, "?"))
        return {
            "game_id": self.id,
            "other_id": self.id,
            "step": game.step,
            "number": self.claim,
            "about_step": game.step,
            "count_step": game.step,
            "claim": self.claim,
            "one": max(0, game.step - 1),
            "other": game.step,
            "at": game.step,
            "to_step": max(0, game.step - 1),
            "seat": 0,
            "umpire": 0,
            "hash": "0" * 64,
            "photo_hash": "0" * 64,
            "fork": self.fork,
            "share": self.share,
            "path": game.ruleset.integrity.causes[0].replace("*", "0") if game.ruleset.integrity.causes else "/",
            "decision": decision,
            "text": typed,
            "ruleset": game.ruleset.id,
            "ruleset_id": game.ruleset.id,
        }

    def requests(self) -> Iterator[Request]:
        """Return every page and every reading address of the API, with its possible queries."""
        yield from self._page_requests()
        yield from self._api_requests()

    def _page_requests(self) -> Iterator[Request]:
        values = self.values
        for rule, names in self._pages:
            path = address_of(rule, values)
            yield Request(rule.endpoint, "HEAD" if rule.endpoint in ENDLESS else "GET", path)
            if "seat" in names:
                for seat in (TABLE, *range(self.game.board.table.seats)):
                    yield Request(rule.endpoint, "GET", path, {"seat": str(seat)})
                    if "kind" in names:
                        for tag in self.said:
                            yield Request(rule.endpoint, "GET", path, {"seat": str(seat), "kind": tag})
            for name in ("step", "about_step", "to_step"):
                if name in names:
                    yield Request(rule.endpoint, "GET", path, {name: str(values[name])})
        for _, typed in self.said.values():
            yield Request("typed_line.type_it", "POST", f"/games/{self.id}/type", {}, {"text": typed})
        for decision, _ in self.said.values():
            sent = msgspec.json.encode(decision).decode()
            yield Request("replay.why", "GET", f"/games/{self.id}/why", {"decision": sent})

    @cached_property
    def _pages(self) -> list[tuple[Rule, set[str]]]:
        """Return the addresses of this game's pages, each with the names of its queries."""
        rules = [
            rule
            for rule in self.app.url_map.iter_rules()
            if "GET" in rule.methods
            and rule.arguments & {"game_id", "share"}
            and rule.endpoint not in LEAVING
            and rule.endpoint.partition(".")[0] in PAGES
        ]
        return [(rule, asked_by(unwrap(self.app.view_functions[rule.endpoint]))) for rule in rules]

    def _api_requests(self) -> Iterator[Request]:
        values = self.values
        for path, method, operation in self._operations:
            needs = {name: values[name] for name in operation.needs}
            path = path.format(**values)
            for asked in self._for_seats(needs, operation.may_name_seat):
                if method == "get":
                    query = {name: str(value) for name, value in asked.items()}
                    yield Request(operation.name, "GET", path, query)
                else:
                    yield from (Request(operation.name, "POST", path, {}, body) for body in self._bodies(asked))

    def _for_seats(self, needs: Plain, sights: bool) -> Iterator[Plain]:
        if "seat" in needs:
            yield from ({**needs, "seat": seat} for seat in (TABLE, *range(self.game.board.table.seats)))
        else:
            yield needs
            if sights:
                yield from (
                    {**needs, "view": sight} for sight in ("all", "spectator", *range(self.game.board.table.seats))
                )

    def _bodies(self, query: Plain) -> Iterator[Plain]:
        """A body with each decision, or each typed text, that the game has had."""
        for decision, typed in self.said.values():
            if "decision" in query:
                yield {**query, "decision": decision}
            elif "text" in query:
                yield {"text": typed}

    @cached_property
    def _operations(self) -> list[tuple[str, str, Operation]]:
        answer = self.app.test_client().get(f"{V1}/openapi.json")
        if answer.status_code == 404:  # a device has no API
            return []
        document = answer.json
        return [
            (path, method, operation)
            for path, operations in document["paths"].items()
            if "{game_id}" in path
            for method, described in operations.items()
            if method in ("get", "post")
            and (operation := read_operation(document, f"{method} {path}", described)) is not None
        ]

    def of_waiting_seats(self) -> Iterator[tuple[Viewer, Request]]:
        """Yield the requests of waiting phones, which ask the rules about a seat that is not in turn."""
        acting = self.game.ruleset.course.to_act(self.game.board)
        for viewer in self.viewers:
            if viewer.seat is not None and viewer.seat not in acting:
                yield viewer, Request("record.record", "GET", f"/games/{self.id}/record")
                if not self._operations:
                    continue
                asked = {"seat": str(viewer.seat)}
                yield viewer, Request("legal", "GET", f"{V1}/games/{self.id}/legal", asked)
                for decision, _ in islice(reversed(self.said.values()), 1):
                    body = {"seat": viewer.seat, "decision": decision}
                    yield viewer, Request("why", "POST", f"{V1}/games/{self.id}/why", {}, body)

    def everything(self) -> Iterator[tuple[Viewer, Request]]:
        """Yield every request of every viewer."""
        return product(self.viewers, [*self.requests()])

    def next_pages(self, random: Random, number: int) -> Iterator[tuple[Viewer, Request]]:
        """Yield requests to the next addresses, with the next viewer for each: in the end every viewer opens every
        address."""
        by_endpoint = defaultdict[str, list[Request]](list)
        for request in self.requests():
            by_endpoint[request.endpoint].append(request)
        endpoints = sorted(by_endpoint)
        for place in range(self._opened, self._opened + number):
            around, endpoint = divmod(place, len(endpoints))
            viewer = self.viewers[(place + around) % len(self.viewers)]
            yield viewer, random.choice(by_endpoint[endpoints[endpoint]])
        self._opened += number

    # --- answers -----------------------------------------------------------------------------------------------------

    def open(self, viewer: Viewer, request: Request) -> str:
        """Send a request; what is wrong with its answer, empty if nothing is."""
        try:
            answer = self._answer(viewer, request)
        except Exception as wrong:  # an application that tests itself hands on what a view raises
            return "".join(traceback.format_exception(wrong)[-3:])
        status = answer.status_code
        answer.close()
        if status >= 500:
            return f"{status}: {answer.text[:500]}"
        if not self._may_be_refused(viewer, request) and status not in (200, 202):
            return f"{status} for a reader"
        seated = viewer.name == "scorekeeper" or viewer.seat is not None
        if seated and status != 200 and request.endpoint in SEEN_AT_TABLE and "decision" not in request.query:
            return f"{status} for someone at the table"
        return ""

    def _may_be_refused(self, viewer: Viewer, request: Request) -> bool:
        """Check if an answer may be another page than the one that was requested."""
        if request.endpoint in ("shared.shared", "shared.receipt"):
            return self.share == "none"
        return request.endpoint not in SEEN_BY_READERS or viewer.name in ("revoked seat", "stranger", "signed in")

    def faults(self, opened: Iterable[tuple[Viewer, Request]]) -> list[str]:
        """Open these, and return what is wrong with the answers."""
        step = self.game.step
        found = ((viewer, request, self.open(viewer, request)) for viewer, request in opened)
        return [f"step {step}, {viewer.name}: {request}: {wrong}" for viewer, request, wrong in found if wrong]

    def _answer(self, viewer: Viewer, request: Request) -> TestResponse:
        if not request.path.startswith(V1):
            sent = {"data": request.body, "headers": OF_OUR_PAGE} if request.body else {}
            return viewer.browser.client.open(request.path, method=request.method, query_string=request.query, **sent)
        headers = {"Authorization": f"Bearer {viewer.key}"} if viewer.key else {}
        sent = {"json": request.body} if request.body else {}
        client = self.app.test_client()
        return client.open(request.path, method=request.method, query_string=request.query, headers=headers, **sent)


class Operation(msgspec.Struct, frozen=True):
    """An address of the API that reads. needs: the names that a query or a body has to have."""

    name: str
    needs: list[str]
    may_name_seat: bool


def read_operation(document: Plain, name: str, described: Plain) -> Operation | None:
    """Return an operation that reads; None for one that writes, or that is sent a file or another whole document."""

    def resolved(part: Plain) -> Plain:
        while "$ref" in part:
            names = part["$ref"].split("/")[1:]
            part = document
            for name in names:
                part = part[name]
        return part

    sent = [resolved(parameter) for parameter in described.get("parameters", ())]
    if name.startswith("get "):
        asked = [item for item in sent if item["in"] == "query"]
        needs = [each_item["name"] for each_item in asked if each_item.get("required")]
        return Operation(name, needs, any(parameter["name"] == "view" for parameter in asked))
    bodies = described.get("requestBody", {}).get("content", {})
    schema = resolved(bodies.get("application/json", {}).get("schema", {}))
    needs = schema.get("required", [])
    if any(value["name"] == "Idempotency-Key" for value in sent) or not {*needs} & {"decision", "text"}:
        return None
    return Operation(name, needs, False)


def watched_game(
    book: Daybook,
    app: Flask,
    ruleset_id: str,
    seats: int,
    options: Plain,
    kind: Literal["table", "practice"] = "table",
    public: bool = False,
) -> WatchedGame:
    """Open a game, and join it in every role, and as people without a right to it."""
    game_id = open_seats(book, PEOPLE[:seats], ruleset_id, options=options, kind=kind, public=public)
    umpires.name_umpire(book, game_id, "Uli", by="scorekeeper", key=key())
    watched = WatchedGame(book, app, game_id, [*viewers_of(book, app, game_id)])
    watched.share = access.share_game(book, game_id).id
    watched.claim = claims.raise_claim(book, game_id, 0, "Was that so?", by="scorekeeper", key=key()).step
    watched.fork = forks.create_fork(book, game_id, 0, owner=access.grants_of_game(book, game_id)[0].id).id
    return watched


def viewers_of(book: Daybook, app: Flask, game_id: UUID) -> Iterator[Viewer]:
    """Yield the holders of all links, of a revoked one and of none, and a signed-in person."""
    for grant in access.make_first_grants(book, game_id):
        yield holder_of(book, app, grant)
    for number in range(sum(isinstance(entry.event, UmpireNamed) for entry in book.games.get(game_id).entries)):
        yield holder_of(book, app, umpires.umpire_grant(book, game_id, number))
    revoked = access.make_grant(book, game_id, "seat", 0)
    yield msgspec.structs.replace(holder_of(book, app, revoked), name="revoked seat", seat=None)
    access.revoke(book, revoked.id)
    yield Viewer("stranger", Visitor(app), "")
    yield signed_in(book, app, "signed in")


def holder_of(book: Daybook, app: Flask, grant: Grant) -> Viewer:
    """Open a link in a new browser."""
    browser, link = Visitor(app), access.key_of(book, grant)
    joined = browser.client.post("/join", data={"key": link}, headers=OF_OUR_PAGE)
    assert joined.status_code == 303, joined.text
    return Viewer(grant.place, browser, link, grant.seat)


def signed_in(book: Daybook, app: Flask, name: str) -> Viewer:
    """Sign in a new person without a link."""
    person = accounts.make_account(book, name, sign_in=key()[:12], password="a bag of red certificates")
    browser = Visitor(app)
    with browser.client.session_transaction() as session:
        session["signed_in"] = accounts.begin_session(book, person, "a test")
    return Viewer(name, browser, accounts.make_key(book, person, "script"))


def address_of(rule: Rule, values: Plain) -> str:
    """Return a rule's address. Raises KeyError for a part that has no value here."""
    parts = {
        name: min(converter.items) if isinstance(converter, AnyConverter) else values[name]
        for name, converter in rule._converters.items()
    }
    return str(rule.build(parts)[1])
