"""Plays that wait for an organiser's approval: what counts, who approves, and what the member sees."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import AcceptResult, ChangeClubSettings, EnterResult, VoidResult
from daybook.domain.league.club_events import BESIDE, ClubSettings
from daybook.domain.league.results import Placed
from daybook.services.league import club_imports, clubs, ratings, results
from daybook.services.people import accounts
from daybook.services.permissions.actions import MayNotError
from daybook.services.statistics.figure_questions import club_filter, count_by_ruleset
from tests.played import key, update_results
from tests.web.api.conftest import Caller
from tests.web.leagues import ClubAtHand


@pytest.fixture
def mill(book, app):
    mill = ClubAtHand(book, app)
    mill.by_olga(ChangeClubSettings(ClubSettings(approval=True)))
    return mill


@pytest.fixture
def anna(mill):
    return mill.member("Anna")


def log(mill, person, **more):
    placed = (Placed(mill.olga, 0, 2, 30), Placed(person, 1, 1, 42))
    clubs.write(mill.book, mill.id, EnterResult(BESIDE, ":Azul", placed, **more), by=person, key=key())
    update_results(mill.book)


def counted(mill):
    update_results(mill.book)
    return dict(count_by_ruleset(mill.book, club_filter(mill.club)))


def rated(mill):
    ratings.rate_club(mill.book, mill.id)
    return bool(ratings.rating_history(mill.book, mill.id, mill.olga))


def exported(mill):
    return club_imports.export_plays(mill.book, mill.club, "csv", "", days_only=False).count(b"Azul")


def test_members_play_counts_when_an_organiser_approves(mill, anna):
    log(mill, anna)
    assert (counted(mill), rated(mill), exported(mill)) == ({}, False, 0)
    page = mill.signed_in("anna").get(f"{mill.path}/seasons/beside/tables/1")
    assert "waits for approval" in page.text and "Approve the play" not in page.text
    olga = mill.signed_in()
    page = olga.get(olga.get(mill.path).link("1 play waits for your approval"))
    page = olga.send(page.form("Approve the play"))
    assert "Plays: The Mill" in page.text and not mill.club.beside.tables["1"].is_unapproved
    assert counted(mill) == {":Azul": 1} and rated(mill) and exported(mill) == 2  # a row for each player
    page = mill.signed_in("anna").get(f"{mill.path}/seasons/beside/tables/1")
    assert "waits for approval" not in page.text and "The play was approved" in page.text
    log(mill, anna, table="1", why="I had 42", ended_at="2026-05-02T12:00:00.000Z")
    assert mill.club.beside.tables["1"].is_unapproved and counted(mill) == {}


def test_refused_play_is_void_and_shows_the_reason(mill, anna):
    log(mill, anna)
    olga = mill.signed_in()
    page = olga.get(f"{mill.path}/seasons/beside/tables/1")
    form = page.form("Refuse the play")
    assert "42" in olga.send(form, why="").text and mill.club.beside.tables["1"].is_unapproved
    olga.send(form, why="Ben was there too")
    page = mill.signed_in("anna").get(f"{mill.path}/seasons/beside/tables/1")
    assert "Ben was there too" in page.text and counted(mill) == {}
    assert mill.club.beside.tables["1"].voided


def test_approval_of_a_play_that_changed_since_is_refused(mill, anna):
    log(mill, anna)
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/seasons/beside/tables/1").form("Approve the play")
    log(mill, anna, table="1", why="I had 42", ended_at="2026-05-02T12:00:00.000Z")
    assert olga.send(form).status == 422 and mill.club.beside.tables["1"].is_unapproved


def test_other_roles_and_clubs_without_the_setting_need_no_approval(mill, anna):
    for person in (mill.olga, mill.member("Sven", "scorekeeper"), mill.member("Ursula", "umpire")):
        placed = (Placed(person, 0, 1), Placed(anna, 1, 2))
        clubs.write(mill.book, mill.id, EnterResult(BESIDE, ":Azul", placed), by=person, key=key())
    mill.by_olga(ChangeClubSettings(ClubSettings()))
    log(mill, anna)
    assert not any(table.is_unapproved for table in mill.club.beside.tables.values())


def test_members_approve_nothing_and_nothing_is_approved_twice(mill, anna):
    log(mill, anna)
    for person in (anna, mill.member("Sven", "scorekeeper")):
        with pytest.raises(MayNotError):
            clubs.write(mill.book, mill.id, AcceptResult(BESIDE, "1"), by=person, key=key())
    mill.by_olga(AcceptResult(BESIDE, "1"))
    with pytest.raises(Refused, match="does not wait"):
        mill.by_olga(AcceptResult(BESIDE, "1"))


def test_waiting_plays_are_listed_and_settled_over_api(mill, anna, app):
    log(mill, anna)
    log(mill, anna)
    caller = Caller(app.test_client())
    olga, member = (accounts.make_key(mill.book, person, "script") for person in (mill.olga, anna))
    where = f"/clubs/{mill.id}"
    listed = caller.get(f"{where}/plays", olga, mark="unapproved").json["plays"]
    assert [play["marks"] for play in listed] == [["unapproved"], ["unapproved"]]
    accept = f"{where}/seasons/beside/tables/1/accept"
    assert caller.post(accept, {}, member).json["error"]["code"] == "role_missing"
    assert caller.post(accept, {}, olga).status_code == 201
    assert caller.post(f"{where}/seasons/beside/tables/2/void", {"why": "twice"}, olga).status_code == 201
    update_results(mill.book)
    assert caller.get(f"{where}/plays", olga, mark="unapproved").json["plays"] == []
    assert counted(mill) == {":Azul": 1}


def test_standings_preview_and_results_mark_a_waiting_play(mill, anna):
    log(mill, anna)
    (result,) = results.club_results(mill.book, mill.club)
    assert result.marks == ("typed", "unapproved")
    mill.by_olga(VoidResult(BESIDE, "1", "not played"))
    assert results.club_results(mill.book, mill.club) == []


def test_all_waiting_plays_are_approved_at_once(mill, anna):
    for _ in range(3):
        log(mill, anna)
    olga = mill.signed_in()
    page = olga.get(f"{mill.path}/plays", mark="unapproved")
    assert "Approve all: 3 plays" in page.text and "Anna 3" in page.text
    log(mill, anna, table="2", why="I had 43", ended_at="2026-05-02T12:00:00.000Z")
    log(mill, anna)
    olga.send(page.form("Approve 3 plays"))
    waiting = [table.id for table in mill.club.beside.tables.values() if table.is_unapproved]
    assert waiting == ["2", "4"] and counted(mill) == {":Azul": 2}
    page = olga.get(f"{mill.path}/plays", mark="unapproved")
    assert "Approve all: 2 plays" in page.text
    form = page.form("Approve 2 plays")
    olga.send(form)
    assert "were approved" in olga.send(form).text, "sent twice, it is one approval"
    assert counted(mill) == {":Azul": 4}


def test_all_waiting_plays_are_approved_over_api(mill, anna, app):
    for _ in range(2):
        log(mill, anna)
    caller = Caller(app.test_client())
    olga, member = (accounts.make_key(mill.book, person, "script") for person in (mill.olga, anna))
    where = f"/clubs/{mill.id}/plays/accept"
    assert caller.post(where, {"up_to_step": 99}, member).json["error"]["code"] == "role_missing"
    assert caller.post(where, {"up_to_step": 99}, olga).status_code == 201 and counted(mill) == {":Azul": 2}
    assert caller.post(where, {"up_to_step": 99}, olga).status_code == 422
