"""Teams and handicaps of a season: in standings as such, apart in draws, and nowhere in ratings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    DrawSchedule,
    EnterResult,
    GivePenalty,
    MergePeople,
    SetHandicap,
    SetTeam,
)
from daybook.domain.league.standings import rank_teams
from daybook.services.league import clubs, ratings, results
from daybook.services.permissions.actions import MayNotError
from tests.played import key, update_results
from tests.services.clubbing import guest
from tests.services.leagues import draw_rounds, found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book):
    return found_mill(book)


def write(book, club, command, by="olga"):
    clubs.write(book, club, command, by=by, key=key())


def teams_of(book, club, number):
    found = book.clubs.get(club)
    shown = results.standings_at(book, found, number)
    return {
        row.name: (row.place, row.total, row.average) for row in rank_teams(shown, found.teams(found.season(number)))
    }


def points_of(book, club, number):
    shown = results.standings_at(book, book.clubs.get(club), number)
    return {row.person: (row.points, row.handicap) for group in shown.groups for row in group.rows}


def test_teams_rank_by_the_average_of_their_players(book, club):
    number = season(book, club)
    draw_rounds(book, club, number)
    write(book, club, SetTeam(number, ("anna", "ben"), "Looms"))
    write(book, club, SetTeam(number, ("cleo", "dan", "eve"), "Wheels"))
    write(book, club, EnterResult(number, "making_profit", places_of("anna", "ben", "cleo"), "1"), "sam")
    write(book, club, EnterResult(number, "making_profit", places_of("dan", "eve", "finn"), "2"), "sam")
    assert teams_of(book, club, number) == {"Looms": (1, 15, Fraction(15, 2)), "Wheels": (2, 17, Fraction(17, 3))}
    write(book, club, GivePenalty(number, "anna", 5, "late"), "ursula")
    assert teams_of(book, club, number)["Looms"] == (2, 10, 5)
    write(book, club, SetTeam(number, ("cleo",), "Looms"))
    write(book, club, SetTeam(number, ("anna", "ben"), ""))
    assert teams_of(book, club, number) == {"Wheels": (1, 15, Fraction(15, 2)), "Looms": (2, 2, 2)}
    other = guest(book, "Cleo K")
    write(book, club, EnterResult("", "making_profit", places_of("anna", other), guests={other: "Cleo K"}), "sam")
    write(book, club, MergePeople("cleo", other, "the same"))
    assert book.clubs.get(club).teams(book.clubs.get(club).season(number))["Looms"] == ("cleo",)


def test_handicap_gives_points_for_games_that_count_and_no_rating(book, club):
    number = season(book, club)
    draw_rounds(book, club, number)
    write(book, club, EnterResult(number, "making_profit", places_of("anna", "ben", "cleo"), "1"), "sam")
    update_results(book)
    ratings.rate_club(book, club)
    rated = [(row.person, row.mu) for row in ratings.current_ratings(book, club)]
    write(book, club, SetHandicap(number, ("cleo", "finn"), 4))
    assert points_of(book, club, number)["cleo"] == (6, 4) and points_of(book, club, number)["finn"] == (0, 0)
    assert results.standings_at(book, book.clubs.get(club), number).order[:2] == ("anna", "cleo")
    before = results.standings_at(book, book.clubs.get(club), number, book.log.newest() - 1)
    assert before.order[:2] == ("anna", "ben"), "standings of an earlier day know no later handicap"
    update_results(book)
    ratings.rate_club(book, club)
    assert [(row.person, row.mu) for row in ratings.current_ratings(book, club)] == rated
    write(book, club, SetHandicap(number, ("cleo",), 0))
    assert points_of(book, club, number)["cleo"] == (2, 0)


@pytest.mark.parametrize(("kind", "sizes"), [("rounds", (3,)), ("swiss", (3,)), ("swiss", (2,)), ("rounds", (2,))])
def test_players_of_a_team_sit_apart_where_they_can(book, club, kind, sizes):
    number = season(book, club, kind, rounds=2)
    found = book.clubs.get(club)
    write(book, club, SetTeam(number, ("anna", "dan"), "Looms"))
    write(book, club, SetTeam(number, ("ben", "eve"), "Wheels"))
    write(book, club, SetTeam(number, ("cleo", "finn"), "Bags"))
    write(book, club, DrawSchedule(number, 1))
    found = book.clubs.get(club)
    teams = [*found.teams(found.season(number)).values()]
    for table in found.season(number).tables.values():
        assert not any({*team} <= {*table.seats} for team in teams)


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (SetTeam("1", ("olga",), "Looms"), "does not play"),
        (SetTeam("1", ("anna", "anna"), "Looms"), "entered 2 times"),
        (SetTeam("1", ("anna",), "a\u202eb"), "cannot be shown"),
        (SetHandicap("1", ("anna",), 101), "0 to 100"),
        (SetHandicap("1", ("anna",), -1), "0 to 100"),
    ],
)
def test_teams_and_handicaps_that_cannot_be_are_refused(book, club, command, error):
    season(book, club)
    with pytest.raises(Refused, match=error):
        write(book, club, command)
    with pytest.raises(MayNotError):
        write(book, club, command, "anna")
