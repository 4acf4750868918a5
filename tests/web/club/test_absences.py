"""The pages on which a substitute is seated, a forfeit recorded, a table postponed and a player excused."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import SeatSubstitute
from daybook.domain.league.seasons import WORTH, Points
from daybook.services.people import accounts
from tests.played import key
from tests.web.leagues import PASSWORD, ClubAtHand

pytestmark = pytest.mark.sqlite_suffices

POINTS = Points({size: (*worth,) for size, worth in WORTH.items()}, forfeit=-3, excused=2)
TABLE = "/tables/1"


def draw_table(mill: ClubAtHand) -> list[str]:
    people = mill.open_season(points=POINTS)
    mill.draw()
    return people


@pytest.mark.both_databases
def test_guest_substitute_is_named_on_every_page(mill):
    draw_table(mill)
    olga, anna = mill.signed_in(), mill.season.tables["1"].seats[0]
    page = olga.press(mill.at(TABLE), "Save it", person=anna, instead="substitute", guest="Zoe")
    assert page.status == 200 and "plays for" in page.text
    seats = mill.club.seats(mill.season.tables["1"])
    zoe = next(person for person in seats if person not in mill.season.tables["1"].seats)
    assert len(seats) == 4 and anna not in seats
    mill.type("1", zoe, *(person for person in seats if person != zoe))
    for path in (mill.at(TABLE), mill.at("/tables"), f"{mill.path}/people/{zoe}", f"{mill.path}/people/{anna}"):
        assert "plays for" in olga.get(path).text, path
    assert "played</small>" in olga.get(mill.at()).html
    rows = olga.get(mill.at("/results.csv")).html.splitlines()
    assert any(f"{zoe},Zoe" in row and row.endswith(f"{anna},played") for row in rows), "\n".join(rows)
    assert len(mill.club.entrants(mill.season)) == 4


def test_forfeit_and_return_of_a_player_by_the_page(mill):
    people, olga = draw_table(mill), mill.signed_in()
    page = olga.press(mill.at(TABLE), "Save it", person=people[0], instead="nobody", why="a train")
    assert "did not come" in page.text and people[0] not in mill.club.seats(mill.season.tables["1"])
    page = olga.send(olga.get(mill.at(TABLE)).form_to("/restore-seat"))
    assert page.status == 200 and people[0] in mill.club.seats(mill.season.tables["1"])
    assert olga.press(mill.at(TABLE), "Save it", person=people[0], instead="what").status == 422


def test_automa_takes_the_seat_and_has_a_place(mill):
    people, olga = draw_table(mill), mill.signed_in()
    olga.press(mill.at(TABLE), "Save it", person=people[0], instead="automa")
    seats = mill.club.seats(mill.season.tables["1"])
    mill.type("1", *seats)
    typed = mill.season.tables["1"].typed
    assert typed is not None and len(typed.details.automas) == 1
    assert "did not come" in olga.get(mill.at()).text


def test_postponed_table_says_so_and_refuses_an_earlier_day(mill):
    draw_table(mill)
    olga = mill.signed_in()
    assert olga.press(mill.at(TABLE), "Postpone it", when="2020-01-01T19:00").status == 422
    page = olga.press(mill.at(TABLE), "Postpone it", when="2031-01-01T19:00", why="snow")
    assert "Postponed to" in page.text and "snow" in page.text
    assert "postponed" in olga.get(mill.at("/tables")).text


def test_excused_player_of_a_swiss_season_gets_no_table(mill):
    people, olga = mill.open_season("swiss", "Anna Ben Cleo Dora Eve", points=POINTS), mill.signed_in()
    page = olga.post(mill.at("/players/excuse"), key=key(), person=people[0], round="1", excused="yes")
    assert "does not play round 1" in page.text
    mill.draw()
    (table,) = mill.season.tables.values()
    assert {*table.seats} == {*people[1:]} and not mill.season.byes
    mill.type(table.id, *table.seats)
    assert "excused" in olga.get(mill.at()).text
    assert [miss.outcome for miss in mill.club.missed_rounds(mill.season)] == ["excused"]


def test_member_may_neither_seat_a_substitute_nor_forfeit(mill):
    people = draw_table(mill)
    mill.member("Ines")
    member = mill.signed_in("ines")
    assert member.post(mill.at(f"{TABLE}/stand-in"), person=people[0], instead="nobody").status == 403
    assert "Substitutes and forfeits" not in member.get(mill.at(TABLE)).text


def test_account_outside_the_club_is_refused_as_substitute(mill):
    people = draw_table(mill)
    other = accounts.make_account(mill.book, "Yan", sign_in="yan", password=PASSWORD)
    sent = {"key": key(), "person": people[0], "instead": "substitute", "substitute": other}
    assert mill.signed_in().post(mill.at(f"{TABLE}/stand-in"), **sent).status == 422
    with pytest.raises(Refused):
        mill.by_olga(SeatSubstitute("1", "1", people[0], other))


def test_api_tables_show_substitutes_and_their_members(book, app):
    mill = ClubAtHand(book, app, public=True)
    people = draw_table(mill)
    mill.by_olga(SeatSubstitute("1", "1", people[0], mill.olga))
    table, *_ = mill.signed_in().client.get(f"/api/v1{mill.at('/tables')}").get_json()["tables"]
    assert table["stand_ins"] == [{"person": people[0], "replacement": mill.olga, "forfeit": False}]
    assert mill.olga in table["seats"] and people[0] not in table["seats"]
