"""Rules of every address: each is requested, so that a new one must follow them as well."""

from __future__ import annotations

import ast
import html
import inspect
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import cycle
from typing import Any

import msgspec
import pytest
from flask import Flask
from marshmallow.fields import Integer
from werkzeug.routing import AnyConverter, Rule

from daybook.domain.league.club_commands import ChangeClubSettings, EnterResult, OpenSeason, PlanEvening
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS
from daybook.services import limits
from daybook.services.clock import later_time, now
from daybook.services.files import audits
from daybook.services.league import clubs, members
from daybook.services.operation import withheld
from daybook.services.people import accounts, operators
from daybook.services.permissions import access
from daybook.web.app import create_app
from daybook.web.request import lists, security
from tests.played import open_seats, update_games, update_results
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import ClubAtHand

ENDLESS = ("live.events", "live_round.round_events", "live_round.evening_events")  # streams: only the head is read
pytestmark = pytest.mark.smoke

LONG = "9" * 4500  # Python turns no text of more than 4,300 digits into a number, and says so by an exception
ODD = (LONG, "²", "9" * 25)  # a digit that is no number; a number that no table holds
NO_NUMBERS = ("-" + LONG, "٣", "--5", "1e5", "0x1", " ", *ODD)
SECONDS = 3.0  # of a processor, for one request: thirty times what any takes
SENT = re.compile(r"(?:get|getlist|_sent|_in|_number|number_sent)\(\s*\"([A-Za-z_.0-9]+)\"")
COMMON = {"after", "step", "at", "seat", "seats", "seed", "rounds", "to"}
LEAVING = {
    "sign_in.sign_out",
    "me.end",
    "anonymous.myself",
    "anonymous.of_club",
}  # who goes there sees nothing after it


class Everything:
    """A game and a club, with a person who may do everything there: a browser, and a key for programs."""

    def __init__(self, friday: Opened, club: ClubAtHand) -> None:
        self.app: Flask = friday.app
        self.club = club
        self.browser = club.signed_in()
        self.browser.join(friday.key("scorekeeper"))
        self.token = self.browser.token()
        self.key = accounts.make_key(friday.book, club.olga, "script")
        self.game_key = friday.key("scorekeeper")
        self.values: dict[str, Any] = {
            "game_id": friday.id,
            "id": friday.id,
            "club_id": club.id,
            "season_id": "1",
            "year": "2026",
            "challenge_id": "1",
            "table_id": "1",
            "evening_id": "1",
            "league_id": "1",
            "ruleset": "making_profit",
            "ruleset_id": "making_profit",
            "step": 3,
            "claim": 0,
            "count_step": 3,
            "number": 0,
            "umpire": 0,
            "seat": 0,
            "person": club.olga,
            "person_id": club.olga,
            "fork": "x",
            "hash": "0" * 64,
            "photo_hash": "0" * 64,
            "sheet_hash": "0" * 64,
            "name": "x",
            "kind": "people",
            "what": "x",
            "setup": "x",
            "link_id": "x",
            "other_id": friday.id,
            "filename": "icon.svg",
            "batch": "x",
            "key_id": "x",
            "report": "0" * 32,
            "share": access.share_game(friday.book, friday.id).id,
        }

    def rules(self, *methods: str) -> Iterator[Rule]:
        for rule in self.app.url_map.iter_rules():
            if rule.methods & {*methods} and rule.endpoint not in LEAVING:
                yield rule

    def address(self, rule: Rule, **other: Any) -> str:
        values = {
            name: min(converter.items) if isinstance(converter, AnyConverter) else self.values[name]
            for name, converter in rule._converters.items()
        }
        _, path = rule.build(values | other)
        return path

    def ask(self, rule: Rule, path: str, **sent: Any) -> Any:
        """Request an address with every permission: with the cookie, or with a key for programs."""
        if rule.endpoint.startswith(ENDLESS):  # an answer without an end
            return self.browser.client.head(path, **sent)
        if path.startswith("/api/"):
            key = self.game_key if rule.arguments & {"game_id"} else self.key
            return Visitor(self.app).client.get(path, headers={"Authorization": f"Bearer {key}"}, **sent)
        return self.browser.client.get(path, **sent)


@pytest.fixture
def everything(friday: Opened) -> Everything:
    club = ClubAtHand(friday.book, friday.app)
    club.open_season(rounds=1, table_sizes=(4,))
    club.draw()
    clubs.write(club.book, club.id, PlanEvening(later_time(now(), days=1)), by=club.olga, key="evening")
    return Everything(friday, club)


def numbers_asked(app: Flask, rule: Rule) -> set[str]:
    """Return the names that a view may read as a number: all that it or its module reads; for the API those of the
    address, since it rejects others."""
    view = app.view_functions[rule.endpoint]
    if rule.rule.startswith("/api/"):
        return {name for name, field in getattr(view, "parameters", {}).items() if isinstance(field, Integer)}
    return COMMON | asked_by(inspect.unwrap(view))


@cache
def asked_by(view: Callable[..., Any]) -> set[str]:
    """Return the names that a view reads, with those of the functions of its module that it uses."""
    defined, todo, found = definitions(view.__module__), [view.__qualname__.partition(".")[0]], dict[str, str]()
    while todo:
        if (name := todo.pop()) not in found:
            found[name] = defined[name]
            todo += defined.keys() & {*re.findall(r"\w+", found[name])}
    return {name for source in found.values() for name in SENT.findall(source)}


@cache
def definitions(module: str) -> dict[str, str]:
    """Return the functions and classes of a module with their source, read once."""
    text = inspect.getsource(sys.modules[module])
    lines = text.splitlines()
    return {
        item.name: "\n".join(lines[min(part.lineno for part in (item, *item.decorator_list)) - 1 : item.end_lineno])
        for item in ast.parse(text).body
        if isinstance(item, ast.FunctionDef | ast.ClassDef)
    }


def test_no_number_of_an_address_stops_a_page(everything):
    """Numbers within a path are read before any view sees them."""
    tried = 0
    for rule in everything.rules("GET", "POST"):
        for name, converter in rule._converters.items():
            if type(converter).__name__ != "WholeNumber":
                continue
            path = everything.address(rule, **{name: 77})
            for text in (LONG, "9" * 25, "٣", "-1"):
                tried += 1
                asked = path.replace("/77", f"/{text}", 1)
                assert everything.ask(rule, asked).status_code in (404, 405), (rule.rule, text[:30])
    assert tried > 50


def wrong_numbers(app: Flask, rules: Iterable[Rule], alone: bool) -> Iterator[tuple[Rule, dict[str, str]]]:
    """Return bad numbers for each address: its own names with too long values, and all at once with odd ones in turn;
    for the first of each folder every text that is not a number. alone: each name by itself instead."""
    rooms, odd = set[str](), cycle(ODD)
    for rule in rules:
        names, room = numbers_asked(app, rule), rule.endpoint.rpartition(".")[0]
        if not names:
            continue
        if alone:
            names = names - COMMON if room in rooms and not rule.rule.startswith("/api/") else names
            yield from ((rule, {name: LONG}) for name in names)
        else:
            yield rule, dict.fromkeys(names - COMMON or names, LONG)
            yield from ((rule, dict.fromkeys(names, text)) for text in ([next(odd)] if room in rooms else NO_NUMBERS))
        rooms.add(room)


ALONE = pytest.mark.parametrize("alone", [False, pytest.param(True, marks=pytest.mark.drill)])


@pytest.mark.slow
@ALONE
def test_no_number_that_is_asked_for_stops_a_page(everything, alone):
    for rule, query in wrong_numbers(everything.app, everything.rules("GET"), alone):
        answer = everything.ask(rule, everything.address(rule), query_string=query)
        assert answer.status_code < 500, (rule.rule, [*query][:3], next(iter(query.values()))[:20])
        answer.close()


@pytest.mark.slow
@ALONE
def test_no_number_that_is_sent_stops_a_page(everything, alone):
    browser = everything.browser.client
    pages = [rule for rule in everything.rules("POST") if not rule.rule.startswith("/api/")]
    pages.sort(key=lambda rule: rule.endpoint == "clubs.make_practice_club")  # a whole club each time: not first
    for rule, form in wrong_numbers(
        everything.app, pages, alone
    ):  # bodies of programs: tests/web/api/test_bad_input.py
        answer = browser.post(everything.address(rule), data={"csrf": everything.token, **form})
        assert answer.status_code < 500, (rule.rule, [*form][:3], next(iter(form.values()))[:20])


SIGNS = 100_000  # of all texts of a form together
ODD_TEXTS = {  # what whoever reads it by looking again from each sign, or from within, takes long over
    "nested": "[",
    "objects": '{"a":',
    "spaces": " ",
    "lines": "\n",
    "colons": ":",
    "brackets": "(",
    "marks": "\u0327\u0301",
}
PARSERS = ("typed_line", "importing", "making", "exchange", "record", "people", "what_if", "correct")
WRITTEN_IN = ("text", "why", "name", "title", "decision", "turn", "q", "games", "what", "by")


def odd_text(repeated: str, signs: int) -> str:
    return f"count a{repeated * (signs // len(repeated))}b c"


@pytest.mark.slow
def test_no_text_that_is_sent_takes_long_or_stops_a_page(everything):
    """Anyone may send a form: a minute of the server's work stops every evening.

    The first address of a folder that parses texts gets every odd text, others one of them in turn.
    """
    browser, rooms, odd = everything.browser.client, {*PARSERS}, cycle(ODD_TEXTS)
    for rule in everything.rules("POST"):
        if rule.rule.startswith("/api/") or rule.endpoint == "clubs.make_practice_club":
            continue
        names, room = {*numbers_asked(everything.app, rule), *WRITTEN_IN}, rule.endpoint.rpartition(".")[0]
        for what in ODD_TEXTS if room in rooms else [next(odd)]:
            text = odd_text(ODD_TEXTS[what], SIGNS // len(names))
            began = time.process_time()
            answer = browser.post(
                everything.address(rule), data={**dict.fromkeys(names, text), "csrf": everything.token}
            )
            took = time.process_time() - began
            assert answer.status_code < 500, (rule.rule, what)
            assert took < SECONDS, (rule.rule, what, took)
        rooms.discard(room)
    assert rooms == set()


def test_no_copy_is_kept_of_what_somebody_is_shown(everything):
    """Another person may use the device next. The header with the lifetime is the same for all."""
    kept = set()
    for rule in everything.rules("GET"):
        answer = everything.ask(rule, everything.address(rule))
        control = answer.headers.get("Cache-Control", "")
        if "no-store" not in control:
            kept.add(rule.endpoint)
        assert rule.endpoint in FOR_EVERYBODY or "no-store" in control, (rule.rule, control)
        answer.close()
    assert kept <= FOR_EVERYBODY


FOR_EVERYBODY = {
    "static",
    "pictures.picture",
    "pictures.board",
    "pictures.example_board",
    "pictures.example_in_passing",
    "season_picture.picture",
    "live_round.styles",
}


# --- what is written -------------------------------------------------------------------------------------------------


def test_every_route_that_writes_has_a_limit(everything):
    """Put a new one into the table: `services/limits.py`."""
    known = {*limits.LIMITS, limits.SIGN_IN, limits.NOTHING_KEPT}
    writing = {rule.endpoint for rule in everything.app.url_map.iter_rules() if rule.methods - security.SAFE}
    assert len(writing) > 150
    found = {endpoint: limits.limit_of(endpoint) for endpoint in writing}
    assert {endpoint: name for endpoint, name in found.items() if name not in known} == {}
    named = {*writing, *(endpoint.partition(".")[0] for endpoint in writing)}
    assert limits.ROUTES.keys() <= named, "what the table names exists"
    assert {*limits.ROUTES.values()} == known, "and every limit has a route"


def test_limits_are_counted_by_person_and_survive_a_restart(everything, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "club", limits.Limit(3600, account=2, link=2, browser=2, address=2))
    book = everything.app.extensions["daybook"]

    def found(app: Flask, name: str) -> int:
        browser = Visitor(app)
        browser.cookie = everything.browser.cookie
        form = browser.get("/clubs/new").form_to("/clubs/new")
        return browser.send(form, name=name).status

    assert [found(everything.app, name) for name in ("One", "Two", "Three")] == [200, 200, 429]
    assert found(create_app(book), "Four") == 429
    assert {club.name for club in clubs.page_of_clubs(book, everything.club.olga, "", 9).rows} == {
        "The Mill",
        "One",
        "Two",
    }


def test_what_is_written_into_a_game_is_counted_by_who_writes(everything, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "write", limits.Limit(60, account=2, link=2, browser=2, address=2))
    note = next(rule for rule in everything.rules("POST") if rule.endpoint == "record.note")
    told = [
        everything.browser.client.post(
            everything.address(note),
            data={"csrf": everything.token, "about_step": "0", "text": "x", "key": f"k{number}"},
        ).status_code
        for number in range(3)
    ]
    assert told == [303, 303, 429]


# --- what is read ----------------------------------------------------------------------------------------------------

NAMES_IT = {"game": {"id", "game_id", "share"}, "season": {"season_id"}, "club": {"club_id"}}


def test_every_list_that_grows_is_ended(everything):
    """A new address must be in one of the tables of `web/request/lists.py`."""
    reading = {rule.endpoint: rule for rule in everything.app.url_map.iter_rules() if "GET" in rule.methods}
    assert len(reading) > 150
    assert [endpoint for endpoint in reading if lists.list_bound(endpoint) is None] == []
    named = {*reading, *(endpoint.partition(".")[0] for endpoint in reading)}
    tables = (lists.ROWS_PER_PAGE, lists.FIRST_ROWS, lists.COMPLETE_FILES, lists.BOUNDED_BY, lists.NO_GROWING_LIST)
    assert {name for table in tables for name in table} <= named, "what the tables name is there"
    assert len({name for table in tables for name in table}) == sum(map(len, tables)), "once"
    for endpoint, rule in reading.items():
        if names := NAMES_IT.get(lists.list_bound(endpoint) or ""):
            assert rule.arguments & names, f"{endpoint} is of more than one"


SHOWN_ONCE = {  # endpoint -> how its rows begin
    "clubs.clubs": r">(Club \d)<",
    "Clubs.list_clubs": r'"name":"(Club \d|The Mill)"',
    "sheet.sheet": r"<bdi>(Printing \d)</bdi>",
    "Rulesets and sheets.list_sheets": r'"name":"(Printing \d)"',
    "operator.lists": r"<bdi>(Sheet \d)</bdi>",
    "people.people": r"(Guest \d) joined",
    "evenings.evenings": r'href="[^"]*/evenings/(\d)"',
    "Clubs.list_evenings": r'"id":"(\d)"',
    "person.person": r'href="([^"]*/tables/\d+)"',
    "plays.plays": r'href="([^"]*/tables/\d+)"',
    "Evidence.list_audits": r'"game":"([^"]*)"',
}
ELSEWHERE = {  # endpoint -> the test that goes through its pages
    "home.home": "tests/web/site/test_home.py",
    **dict.fromkeys(
        (
            *(
                "Clubs.list_challenges",
                "Clubs.list_imports",
                "Clubs.list_plays",
                "Clubs.list_tables",
                "Clubs.show_club",
                "Clubs.show_evening",
            ),
            *("Clubs.show_ratings", "Clubs.show_season", "Clubs.show_standings"),
        ),
        "tests/web/api/test_clubs.py",
    ),
    "Clubs.list_challenges": "tests/web/club/test_challenges.py",
    "Games.list_games": "tests/web/api/test_found.py",
    "operator.reports": "tests/web/people/test_reports.py",
    "operation.reports": "tests/web/people/test_reports.py",
    "statistics.left_out": "tests/web/club/test_against_rules.py",
    "statistics.ask": "tests/web/statistics/test_statistics.py",
    **dict.fromkeys(
        (item for item in lists.ROWS_PER_PAGE if item.startswith("Statistics.")), "tests/web/api/test_statistics.py"
    ),
}


def test_a_list_is_shown_to_its_end_page_by_page(everything, monkeypatch):
    """Nothing is left out or shown twice, what is not shown begins no page, and a place that is gone is no fault."""
    grow(everything)
    for endpoint in SHOWN_ONCE:
        monkeypatch.setitem(lists.ROWS_PER_PAGE, endpoint, 1)
    for endpoint, row in SHOWN_ONCE.items():
        pages = walked(everything, endpoint)
        assert len(pages) >= 3, endpoint
        found = [key for page in pages for key in dict.fromkeys(re.findall(row, page))]
        assert len(found) == len({*found}) >= 3, (endpoint, found)
        rule = next(rule for rule in everything.rules("GET") if rule.endpoint == endpoint)
        gone = everything.ask(rule, everything.address(rule), query_string={"after": "gone"})
        assert gone.status_code == (422 if rule.rule.startswith("/api/") else 200), endpoint
    assert {*SHOWN_ONCE, *ELSEWHERE} == lists.ROWS_PER_PAGE.keys()


def grow(everything: Everything) -> None:
    """Three rows of every list."""
    book, club = everything.app.extensions["daybook"], everything.club
    operators.name_operator(book, club.olga, by="operator")
    everything.browser = club.signed_in()
    clubs.write(book, club.id, OpenSeason("1", "Any", DEFAULTS["free"]), by=club.olga, key="free")
    for number in (1, 2, 3):
        founded = clubs.found_club(book, f"Club {number}", "otto", by="otto", key=f"founded-as-a-test-{number}").record
        settings = msgspec.structs.replace(book.clubs.get(founded).settings, public=True)
        clubs.write(book, founded, ChangeClubSettings(settings), by="otto", key=f"s{number}")
        off = book.sheets.publish("making_profit", f"Sheet {number}", {"start.money": 50 + number}, "otto")
        withheld.take_off(book, withheld.parse_thing(book, off), "a test", by="operator")
        book.sheets.publish("making_profit", f"Printing {number}", {"start.money": 60 + number}, "otto")
        guest = members.add_member(book, club.id, f"Guest {number}", by=club.olga, key=f"g{number}")
        audits.audit_game(book, open_seats(book, kind="practice", public=True))
        clubs.write(book, club.id, PlanEvening(later_time(now(), hours=-20 - number)), by=club.olga, key=f"e{number}")
        placed = [Placed(person, seat, seat + 1) for seat, person in enumerate((club.olga, guest))]
        clubs.write(book, club.id, EnterResult(club.season.id, "making_profit", placed), by=club.olga, key=f"r{number}")
    update_games(book)
    update_results(book)


def walked(everything: Everything, endpoint: str) -> list[str]:
    """The pages of a list, by following the way to the next until there is none."""
    rule = next(rule for rule in everything.rules("GET") if rule.endpoint == endpoint)
    path, pages = everything.address(rule), list[str]()
    while path:
        answer = everything.ask(rule, path.removeprefix("http://localhost"))
        assert answer.status_code == 200, (path, answer.text)
        pages.append(answer.text)
        more = re.search(r'rel="next" href="([^"]+)"', answer.text)
        path = answer.json["next"] if answer.is_json else html.unescape(more[1]) if more else ""
    return pages
