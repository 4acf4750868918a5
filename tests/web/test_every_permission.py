"""Every address with every role: what is allowed and what is refused agrees with the table of permissions.

The addresses come from the application, so a new one fails here until it has an action. Of the writes that the table
allows only the answer is compared: what each writes is tested where it belongs. No template is rendered, since a view
decides before it renders; test_every_viewer.py and test_every_route.py render every page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args
from uuid import UUID, uuid4

import pytest
from flask import Flask
from jinja2 import Template
from werkzeug.routing import AnyConverter, Rule
from werkzeug.test import TestResponse

from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.club_commands import EndMembership, EnterGame, FoundLeague, PlanEvening
from daybook.domain.league.club_events import BESIDE
from daybook.services.clock import later_time, now
from daybook.services.disputes import umpires
from daybook.services.files import leases
from daybook.services.league import clubs, demonstration
from daybook.services.people import accounts, operators
from daybook.services.people.accounts import Scope
from daybook.services.permissions import access, club_roles
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import (
    CLUBS,
    GAMES,
    SITE,
    ClubVisit,
    MayNotError,
    SiteVisit,
    may,
    scope_includes,
)
from daybook.services.permissions.visits import Visit, visit_of
from daybook.web.request.address_actions import ACTIONS, required_scope
from tests.played import key
from tests.services.leagues import enter_as_keeper
from tests.web.conftest import OF_OUR_PAGE, Opened
from tests.web.leagues import PASSWORD, ClubAtHand
from tests.web.test_every_route import ENDLESS

pytestmark = [pytest.mark.sqlite_suffices]

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
FORMS = {"clubs.new_club"}  # show their form again, with the way to sign in
KEYED = {"links.join", "invited.read_key", "invited.accept", "sign_in.sign_in"}
KEYED |= {
    "operation.show",
    "operation.reports",
    "operation.hide",
    "operation.answer",
    "operation.leave",
}  # the key or password decides
SIGHTS = {"Reading.explain"}  # the sight that is requested decides
ALSO = {  # a second action; of table.new: in a season
    "what_if.offer": "fork",
    "What if.offer_fork": "keep_forks",
    "table.new": "enter_results",
}
LEAVING = {"sign_in.sign_out", "me.end", "anonymous.myself", "anonymous.of_club", "Keys.revoke_key"}  # end the actor
LEAVING |= {"links.play_seat"}  # gives the actor a seat
FORM = {
    "seat": "0",
    "decision": '{"type": "run"}',
    "turn": "[]",
    "at": "0",
    "to_step": "0",
    "umpire": "0",
    "why": "x",
    "about": "0",
    "text": "x",
}
SENT = {"seat": 0, "decision": {"type": "run"}, "decisions": [{"type": "run"}], "at": 0, "to_step": 0, "umpire": 0}


class Actor:
    """A user of the service, in a browser and by a program."""

    def __init__(
        self,
        world: World,
        name: str,
        link: Grant | None = None,
        person: str = "",
        scope: Scope | None = None,
        device: str = "",
    ) -> None:
        self.name, self.book, self.link, self.person, self.scope = name, world.book, link, person, scope
        self.device = device  # the key of a lease
        self.client = world.app.test_client()
        self.key = device
        if scope is not None:
            self.key = accounts.make_key(world.book, person, name, scope=scope)
        elif link is not None and link.role != "share":
            self.key = access.key_of(world.book, link)
        elif person:
            self.key = accounts.make_key(world.book, person, name)
        with self.client.session_transaction() as session:
            if link is not None and link.role != "share":
                session["grants"] = [link.id]
            if link is not None and link.role == "share":
                session["shares"] = [link.id]
            if person and scope is None:
                session["signed_in"] = accounts.begin_session(world.book, person, "a browser")

    @property
    def is_program(self) -> bool:
        return bool(self.scope or self.device)

    def visit(self, game_id: UUID, by_program: bool) -> Visit | None:
        """Return the actor's visit of a game, as services read it; None where it may not be read."""
        links = [self.link.id] if self.link and not (by_program and self.link.role == "share") else []
        try:
            return visit_of(self.book, game_id, links=links, person=self.person or None)[0]
        except MayNotError:
            return None

    def request(self, path: str, method: str, body: Any) -> TestResponse:
        headers = dict(OF_OUR_PAGE)
        if self.key and (path.startswith("/api/") or self.is_program):
            headers["Authorization"] = f"Bearer {self.key}"
        if not path.startswith("/api/"):
            return self.client.open(path, method=method, data=FORM if method != "GET" else None, headers=headers)
        headers["Idempotency-Key"] = uuid4().hex
        return self.client.open(path, method=method, json=body, headers=headers)


class World:
    """A private game with covered hands in a private club, and people in every role."""

    def __init__(self, game: Opened, leased: Opened) -> None:
        self.app, self.book, self.game = game.app, game.book, game
        self.club = ClubAtHand(game.book, game.app)
        people = {
            "organiser": self.club.olga,
            "club scorekeeper": self.club.member("Sam", "scorekeeper"),
            "club umpire": self.club.member("Ursula", "umpire"),
            "member": self.club.member("Mia"),
            "former member": self.club.member("Fay"),
            "organiser elsewhere": accounts.make_account(game.book, "Otto", sign_in="otto", password=PASSWORD),
            "operator": accounts.make_account(game.book, "Xenia", sign_in="xenia", password=PASSWORD),
        }
        self.people = people
        clubs.found_club(
            game.book, "The Forge", people["organiser elsewhere"], by=people["organiser elsewhere"], key=key()
        )
        self.club.by_olga(EndMembership(people["former member"]))
        operators.name_operator(game.book, people["operator"], by="")
        self.club.open_season(rounds=1, table_sizes=(4,))
        self.club.draw()
        self.club.by_olga(PlanEvening(later_time(now(), days=1)))
        umpires.name_umpire(game.book, game.id, "Uwe", by="scorekeeper", key=key())
        enter_as_keeper(game.book, self.club.id, EnterGame("", str(game.id)), by=self.club.olga)
        keeper, *_ = access.grants_of_game(game.book, leased.id)
        lease = leases.take_lease(game.book, leased.id, "phone", by=keeper.by, key=key())
        self.leased = leased
        links = access.grants_of_game(game.book, game.id)
        self.actors = [
            Actor(self, "stranger"),
            *(Actor(self, grant.place, link=grant) for grant in links if grant.place != "seat:2"),
            Actor(self, "umpire", link=umpires.umpire_grant(game.book, game.id, 0)),
            Actor(self, "share", link=access.share_game(game.book, game.id)),
            *(Actor(self, name, person=person) for name, person in people.items()),
            *(Actor(self, f"key that may {scope}", person=self.club.olga, scope=scope) for scope in get_args(Scope)),
            Actor(self, "device", device=leases.hand_back_key(game.book, lease, keeper.id)),
        ]
        self.bodies = Bodies(self.app)

    def values(self, actor: Actor) -> dict[str, Any]:
        game_id = self.leased.id if actor.device else self.game.id
        return {
            "game_id": game_id,
            "id": game_id,
            "other_id": game_id,
            "club_id": self.club.id,
            "season_id": "1",
            "table_id": "1",
            "evening_id": "1",
            "challenge_id": "1",
            "league_id": "1",
            "ruleset": "making_profit",
            "ruleset_id": "making_profit",
            "person": self.people["member"],
            "person_id": self.people["member"],
            "hash": "0" * 64,
            "photo_hash": "0" * 64,
            "filename": "icon.svg",
        }

    def address(self, rule: Rule, values: Mapping[str, Any]) -> str:
        known = {
            name: min(converter.items)
            if isinstance(converter, AnyConverter)
            else values.get(name, 0 if type(converter).__name__ == "WholeNumber" else "x")
            for name, converter in rule._converters.items()
        }
        _, path = rule.build(known)
        return path

    def allows(self, actor: Actor, rule: Rule, writes: bool) -> bool:
        """Say what the table says of a request."""
        action, by_program = ACTIONS[rule.endpoint, writes], rule.rule.startswith("/api/")
        if actor.scope is not None and not scope_includes(actor.scope, required_scope(rule.endpoint, writes)):
            return False
        person = actor.person
        if actor.device and by_program:
            return False  # it is no key of the API
        if action == "own_account" and actor.is_program and not by_program and "game_id" not in rule.arguments:
            return False  # pages of an account need a session
        if "game_id" in rule.arguments and action not in GAMES and not actor.visit(self.game.id, by_program):
            return False
        if action in GAMES:
            if action == "hand_back":
                return bool(actor.device)
            if action == "claim_seat" and not person:
                return False
            visit = actor.visit(self.leased.id if actor.device else self.game.id, by_program)
            needed = [action, *([ALSO[rule.endpoint]] if rule.endpoint in ALSO else [])]
            return visit is not None and all(may(visit, need, **self.fields(visit)) for need in needed)
        if action in CLUBS:
            visited = ClubVisit(self.club.club, person)
            reads = action == "see_evenings" or bool(may(visited, "read_club"))
            needed = [action, *([ALSO[rule.endpoint]] if rule.endpoint in ALSO else [])]
            return reads and all(
                may(
                    visited,
                    need,
                    person=self.people["member"] if "person" in rule.arguments else "",
                    game=str(self.game.id),
                    season="1" if "season_id" in rule.arguments else BESIDE,
                    table="1" if "table_id" in rule.arguments else "",
                    challenge="1",
                    for_club=False,
                    source="table",
                )
                for need in needed
            )
        return bool(may(SiteVisit(person, operators.is_operator(self.book, person)), action))

    def fields(self, visit: Visit) -> dict[str, Any]:
        """Return what the requests are about: seat 0, and what else their bodies say."""
        return {
            "seat": 0,
            "decision": {"type": "run"},
            "decisions": [{"type": "run"}],
            "to_step": 0,
            "umpire": 0,
            "hash": "0" * 64,
            "photo_hash": "0" * 64,
            "ruling": "stands",
            "players_share": visit.kept.players_share,
            "public": visit.kept.public,
            "club_umpire": club_roles.may_umpire(self.book, visit.person or "", visit.game, visit.kept),
        }


class Bodies:
    """The least body that each address of the API takes, from its document."""

    def __init__(self, app: Flask) -> None:
        self.document = app.test_client().get("/api/v1/openapi.json").json

    def of(self, rule: Rule, method: str) -> Any:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = self.document["paths"].get(path, {}).get(method.lower(), {})
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        return (
            None
            if schema is None
            else self.least(schema)
            | {name: value for name, value in SENT.items() if name in self.resolved(schema).get("properties", {})}
        )

    def resolved(self, schema: Any) -> Any:
        return self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema

    def least(self, schema: Any) -> Any:
        schema = self.resolved(schema)
        if "enum" in schema:
            return schema["enum"][0]
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return {name: self.least(schema["properties"][name]) for name in schema.get("required", ())}
        if kind == "array":
            return [self.least(schema["items"])] * schema.get("minItems", 0)
        if kind == "string":
            return {"uuid": str(uuid4()), "date": "2026-11-20"}.get(
                schema.get("format", ""), "x" * schema.get("minLength", 1)
            )
        return schema.get("minimum", 0) if kind in ("integer", "number") else False


def is_refused(answer: TestResponse) -> bool:
    """Check for a refusal, also by a page that asks to sign in."""
    return answer.status_code in (401, 403) or (
        answer.status_code == 303 and answer.headers.get("Location", "").startswith("/sign-in")
    )


@pytest.fixture
def world(open_game: Callable[..., Opened], app: Flask, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(app, "testing", False)  # an error is an answer, and named with its address
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")
    monkeypatch.setattr(
        demonstration.Demonstration, "make", lambda self, *_: self._write(FoundLeague("L", ("making_profit",)), "l")
    )
    game, leased = open_game(hands="hidden"), open_game(title="Saturday")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    return World(game, leased)


def requests_to(world: World) -> Iterator[tuple[Rule, str]]:
    for rule in world.app.url_map.iter_rules():
        if rule.endpoint != "static" and not rule.endpoint.startswith(ENDLESS):
            yield from ((rule, method) for method in sorted(rule.methods & METHODS))


def test_every_address_has_an_action(app):
    addressed = {
        (rule.endpoint, method != "GET") for rule in app.url_map.iter_rules() for method in rule.methods & METHODS
    }
    assert addressed == set(ACTIONS)


@pytest.mark.slow
def test_every_address_answers_every_role_as_the_table_says(world):
    wrong, tried, log = list[tuple[str, str, str, int, bool]](), 0, world.book.log
    newest = log.newest()
    for rule, method in requests_to(world):
        writes = method != "GET"
        body = world.bodies.of(rule, method) if rule.rule.startswith("/api/") else None
        for actor in world.actors:
            allowed = world.allows(actor, rule, writes)
            if (allowed and rule.endpoint in LEAVING) or (actor.device and ACTIONS[rule.endpoint, writes] in SITE):
                continue
            before, answer = newest, actor.request(world.address(rule, world.values(actor)), method, body)
            newest = log.newest()
            tried += 1
            if allowed:
                fits = rule.endpoint in KEYED | SIGHTS or not is_refused(answer)
            else:  # an address may look first for what it is about
                fits = is_refused(answer) or answer.status_code in (400, 404, 422, 429) or rule.endpoint in FORMS
                fits = fits and newest == before
            if not fits or answer.status_code >= 500:
                wrong.append((actor.name, method, rule.endpoint, answer.status_code, allowed))
            answer.close()
    assert tried > 5_000
    assert wrong == [], f"{len(wrong)}\n" + "\n".join(map(str, wrong))
