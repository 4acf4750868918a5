"""Clubs' pages as a whole: every address of a private club is closed, every form needs its token, and no form loses its
input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league.club_commands import EnterResult, PlanEvening
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request.errors import RefusedPageError
from tests.browsing import open_folds
from tests.played import key
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

ROOT = "https://games.example.org/daybook"


@pytest.fixture
def olga(mill: ClubAtHand) -> Visitor:
    mill.open_season()
    mill.draw()
    mill.by_olga(PlanEvening(later_time(now(), days=1), "Olga’s"))
    return mill.signed_in()


def addresses(app: Flask, mill: ClubAtHand, method: str) -> Iterator[str]:
    """Every address below a club that takes this method, with something there is in each of its places."""
    there = {
        "club_id": str(mill.id),
        "season_id": "1",
        "league_id": "1",
        "table_id": "1",
        "evening_id": "1",
        "number": 1,
        "kind": "csv",
        "what": "results",
        "person": mill.olga,
        "person_id": mill.olga,
    }
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if (
                "club_id" in rule.arguments
                and method in (rule.methods or ())
                and rule.arguments <= there.keys()
                and (not rule.rule.startswith("/api/"))
            ):
                yield rule.build({name: there[name] for name in rule.arguments})[1]  # type: ignore[index]


# --- closed ----------------------------------------------------------------------------------------------------------


def test_every_address_of_a_private_club_is_closed_to_others(app, mill, olga, visitor):
    accounts.make_account(mill.book, "Otto", sign_in="otto", password=PASSWORD)
    otto, found = mill.signed_in("otto"), [*addresses(app, mill, "GET")]
    assert len(found) > 25
    for path in found:
        public_only = path.endswith("/seasons/1.png") or "/embed/" in path
        closed = 404 if public_only else 403
        assert [item.client.get(path).status_code for item in (visitor, otto)] == [closed, closed], path


def test_every_form_of_a_club_needs_its_token(app, mill, olga):
    step, found = mill.club.step, [*addresses(app, mill, "POST")]
    assert len(found) > 25
    for path in found:
        answer = olga.client.post(path, data={"key": key(), "why": "because"})
        assert (answer.status_code, "This form has expired" in answer.text) == (403, True), path
    assert mill.club.step == step


# --- what is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "sent"),
    [("place.0", "−1"), ("place.0", "1−"), ("score.0", "-−5"), ("score.0", "--5"), ("score.0", "١٢"), ("place.0", "²")],
)
def test_no_number_that_is_typed_stops_a_result(mill, olga, field, sent):
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    fields = {f"{field.partition('.')[0]}.{seat}": str(seat + 1) for seat in range(4)} | {field: sent}
    page = olga.send(form, **fields)
    assert page.status == 422
    assert fields.items() <= page.form("Save the result").fields.items()
    assert mill.season.tables["1"].typed is None


def test_invalid_number_in_settings_keeps_the_ticked_boxes(mill, olga):
    form = olga.get(f"{mill.path}/settings").form("Save the settings")
    page = olga.send(form, name="The Old Mill", public="yes", correction_days="a week", **{"public_evenings": "yes"})
    assert (page.status, page.text.count("Enter a whole number.")) == (422, 1)
    kept = page.form("Save the settings").fields
    typed = {"name": "The Old Mill", "public": "yes", "correction_days": "a week", "public_evenings": "yes"}
    assert typed.items() <= kept.items()
    assert (mill.club.name, mill.club.settings.public) == ("The Mill", False)
    page = olga.send(form, appeal_hours="-3")
    assert page.status == 422 and page.form("Save the settings").fields["appeal_hours"] == "-3"


def test_seats_that_cannot_be_stay_chosen(mill, olga):
    first, second, *_ = mill.club.seats(mill.season.tables["1"])
    form = olga.get(mill.at("/tables/1")).form("Save these seats")
    page = olga.send(form, **{"person.0": second}, why="they asked")
    assert page.status == 422
    kept = page.form("Save these seats").fields
    assert (kept["person.0"], kept["person.1"], kept["why"]) == (second, second, "they asked")
    assert mill.club.seats(mill.season.tables["1"])[0] == first


def test_a_plan_that_cannot_be_stays_typed(mill, olga):
    form = olga.get(mill.at("/tables/1")).form("Plan it")
    page = olga.send(form, when="on Friday", place="Olga’s")
    assert (page.status, "Enter day and time" in page.text) == (422, True)
    assert {"when": "on Friday", "place": "Olga’s"}.items() <= page.form("Plan it").fields.items()


def test_players_stay_ticked_while_a_guests_name_is_put_right(mill, olga):
    mia = mill.member("Mia")
    page = olga.press(mill.at("/players"), "Enter them", guests="x" * 99, **{"person.1": mia})
    assert page.status == 422
    assert mia in page.form("Enter them").fields.values()


def test_names_that_cannot_be_stay_typed(mill, olga):
    people, long = f"{mill.path}/people", "x" * 99
    page = olga.press(people, "Add to the club", name=long)
    assert (page.status, page.form("Add to the club").fields["name"]) == (422, long)
    guest = mill.club.entrants(mill.season)[0].person
    page = olga.send(olga.get(people).form_to(f"{guest}/name"), name=long)
    assert page.status == 422
    typed = [form.fields["name"] for form in page.forms if form.action.endswith("/name")]
    assert typed.count(long) == 1 and len(typed) == 4
    assert page.form("Add to the club").fields["name"] == ""


def test_a_penalty_and_a_lot_that_cannot_be_stay_typed(mill, olga):
    tables = [table for table in mill.season.tables.values() if table.round == 1]
    seats = mill.club.seats(tables[0])
    placed = tuple(Placed(person, seat, 1, 50) for seat, person in enumerate(seats))
    mill.by_olga(EnterResult("1", "making_profit", placed, tables[0].id))
    page = olga.press(mill.at("/run"), "Take them off", person=seats[2], points="two", why="came late")
    assert page.status == 422
    kept = page.form("Take them off").fields
    assert (kept["person"], kept["points"], kept["why"]) == (seats[2], "two", "came late")
    page = olga.send(page.form("It was drawn like this"), **{f"number.{seats[0]}": "7"})
    assert (page.status, page.form("It was drawn like this").fields[f"number.{seats[0]}"]) == (422, "7")


# --- names -----------------------------------------------------------------------------------------------------------


def test_name_from_right_to_left_keeps_the_order_of_a_sentence(mill, olga):
    first = mill.club.entrants(mill.season)[0].person
    accounts.rename_person(mill.book, first, "\u05d3\u05e0\u05d4", by=mill.olga)
    table = next(table for table in mill.season.tables.values() if first in table.seats)
    mill.type(table.id, first, *(person for person in table.seats if person != first))
    assert "\u2068\u05d3\u05e0\u05d4\u2069 before" in olga.get(mill.at(f"/tables/{table.id}")).text
    names = [form.fields.get("name") for form in olga.get(f"{mill.path}/people").forms]
    assert "\u05d3\u05e0\u05d4" in names, "the field of a form holds the name alone"
    waiting = next(value for value in mill.season.tables.values() if first in value.seats and not value.is_settled)
    page = olga.get(olga.get(mill.at(f"/tables/{waiting.id}")).link("With other colours or options"))
    olga.send(page.form("Open the game"))
    assert mill.season.tables[waiting.id].game


def sign_in(page: Page, served: str) -> None:
    page.goto(f"{served}/sign-in")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Olga").wait_for()


def test_paper_has_no_heading_over_a_form_that_it_leaves_out(mill, page, site):
    mill.open_season()
    mill.draw()
    sign_in(page, site)
    page.emulate_media(media="print")
    for path, says in (
        (f"{mill.path}/people", ("Games and figures", "Invite someone", "One person with two names")),
        (mill.at("/tables/1"), ("Play it here", "Arrange the table")),
        (mill.at("/run"), ("Rule",)),
        (mill.at("/players"), ("Enter players", "Change")),
        (mill.at(), ("How this season is played",)),
    ):
        page.goto(f"{site}{path}")
        expect(page.locator("main h1")).to_be_visible()
        for text in says:
            expect(page.get_by_text(text, exact=True).first).to_be_hidden()


def test_long_names_fit_on_the_smallest_phone(mill, page, site):
    people = mill.open_season()
    for person in people[:2]:
        accounts.rename_person(mill.book, person, "x" * 60, by=mill.olga)
    mill.draw()
    mill.by_olga(PlanEvening(later_time(now(), days=1), "x" * 120))
    tables = [table for table in mill.season.tables.values() if table.round == 1]
    placed = tuple(Placed(person, seat, 1, 50) for seat, person in enumerate(mill.club.seats(tables[0])))
    mill.by_olga(EnterResult("1", "making_profit", placed, tables[0].id))
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, site)
    for path in (
        mill.path,
        f"{mill.path}/people",
        f"{mill.path}/people/{people[0]}",
        f"{mill.path}/evenings",
        f"{mill.path}/evenings/1",
        f"{mill.path}/evenings/new",
        *map(mill.at, ("", "/tables", "/players", "/run", "/draw?seed=1", "/tables/1", "/tables/2")),
    ):
        page.goto(f"{site}{path}")
        open_folds(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_a_time_is_that_of_the_zone_which_the_form_says(mill, olga):
    """The zone comes from the viewer's device; an old form names none, and means UTC."""
    where, table = mill.at("/tables/1"), lambda: mill.season.tables["1"].when
    olga.client.set_cookie("daybook_zone", "Asia/Seoul")
    form = olga.get(where).form("Plan it")
    assert form.fields["zone"] == "Asia/Seoul"
    assert olga.send(form, when="2026-12-01T19:30").form("Plan it").fields["when"] == "2026-12-01T19:30"
    assert table() == "2026-12-01T10:30:00.000Z"
    for sent, zone in (
        ("2026-12-02T10:30", ""),
        ("2026-02-30T10:00", "UTC"),
        ("tomorrow", "UTC"),
        ("0001-01-01T00:00", "Asia/Seoul"),
    ):
        assert olga.press(where, "Plan it", when=sent, zone=zone).status == 422
    data = {"csrf": olga.token(), "key": "of-before", "when": "2026-12-02T11:00", "place": ""}
    assert olga.client.post(f"{where}/plan", data=data).status_code == 303
    assert table() == "2026-12-02T11:00:00.000Z"


def test_who_dropped_out_has_no_place_in_the_account(mill, olga):
    seats = mill.club.seats(mill.season.tables["1"])
    placed = tuple(Placed(person, seat, seat + 1, None, seat == 3) for seat, person in enumerate(seats))
    mill.by_olga(EnterResult("1", "making_profit", placed, "1"))
    text = olga.get(mill.at()).text
    assert "table 1: dropped out" in text and "place dropped out" not in text
    assert "table 1: place 2 " in text


# --- search engines --------------------------------------------------------------------------------------------------


def test_search_engines_list_public_pages_and_no_person(book, app, visitor):
    public = ClubAtHand(book, app, public=True)
    people = public.open_season()
    for path in ("/", "/help", public.path, public.at(), public.at("/tables")):
        assert "X-Robots-Tag" not in visitor.client.get(path).headers, path
    for path in (
        f"{public.path}/people/{people[0]}",
        f"{public.path}/people",
        public.at("/standings.csv"),
        "/statistics/making_profit/ask",
        "/sign-in",
        "/invited",
        "/nowhere",
    ):
        assert visitor.client.get(path).headers["X-Robots-Tag"] == "noindex", path
    member = public.signed_in()
    assert member.client.get("/me").headers["X-Robots-Tag"] == "noindex"


# --- addresses that say nothing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["since=yesterday", "until=2026-02-30", "since=20261120", "until=2026-W47-5"])
def test_a_day_that_is_none_is_said_and_not_passed_over(visitor, query):
    page = visitor.get(f"/statistics/making_profit?{query}")
    assert (page.status, "There is no such day" in page.text) == (400, True)


def test_who_is_not_of_the_club_is_not_found_there_nor_named(mill, olga):
    otto = accounts.make_account(mill.book, "Otto", sign_in="otto", password=PASSWORD)
    step = mill.club.step
    for act in ("roles", "leave", "name", "link"):
        page = olga.post(f"{mill.path}/people/{otto}/{act}", key=key(), name="Ottokar")
        assert (page.status, "Otto" in page.text) == (404, False), act
    assert olga.post(f"{mill.path}/people/invite", person=otto).status == 404
    assert olga.get(f"{mill.path}/people/{otto}").status == 404
    assert olga.get("/statistics/all", club=str(mill.id), person=otto).status == 404
    assert mill.club.step == step


# --- under a path ----------------------------------------------------------------------------------------------------


def test_under_a_path_sign_in_and_theme_lead_back_below_it(tmp_path):
    book = open_daybook(Settings(data=tmp_path / "d", base_url=ROOT), create=True)
    accounts.make_account(book, "Olga", sign_in="olga", password=PASSWORD)
    client = create_app(book).test_client()
    answer = client.get("/daybook/me?a=%C3%A9&b=1", base_url=ROOT)
    page = client.get(answer.headers["Location"], base_url="https://games.example.org")
    assert 'name="next" value="/daybook/me?a=%C3%A9&amp;b=1"' in page.text
    token = page.text.split('name="csrf" value="')[1].split('"')[0]
    back = client.get("/daybook/clubs", base_url=ROOT).text.split('name="back" value="')[1].split('"')[0]
    light = client.post("/daybook/preferences", base_url=ROOT, data={"csrf": token, "back": back, "theme": "dark"})
    assert light.headers["Location"] == "/daybook/clubs"
    answer = client.post(
        "/daybook/sign-in",
        base_url=ROOT,
        data={"csrf": token, "sign_in": "olga", "password": PASSWORD, "next": "/daybook/me?a=%C3%A9&b=1"},
    )
    assert answer.headers["Location"] == "/daybook/me?a=%C3%A9&b=1"
    book.close()


def test_unexpected_refusal_names_people(mill):
    reason = because(
        "not_planned", "{person} has no seat at table {table}: change its seats first", person=mill.olga, table=7
    )
    with mill.app.test_request_context("/"):
        page = RefusedPageError(Refused(reason))
    assert page.told["reason"] == "Olga has no seat at table 7: change its seats first"
