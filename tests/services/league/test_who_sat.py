"""Others sat at a table than its record names, or in other seats: said with a reason, when it is entered or later."""

from __future__ import annotations

import json
from fractions import Fraction
from uuid import UUID

import pytest

from daybook.domain.commands import Close
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import CorrectSeating, EndMembership, EnterGame, EnterPlayers, RemoveGame
from daybook.domain.league.club_events import BESIDE, GameEntered
from daybook.domain.league.seasons import Entrant
from daybook.services.league import clubs, personal_data, ratings, result_changes
from daybook.services.league.seekers import seeker_of
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import MayNotError
from daybook.services.play import game_search
from daybook.services.statistics import collect, figure_questions, reports
from daybook.services.statistics.figure_questions import Filter, Question, club_filter
from daybook.services.store.daybook import Daybook
from tests.played import key, open_seats, play, update_games, update_results, write
from tests.services.league.test_results import begin_table, order, play_table, stands
from tests.services.leagues import enter_as_keeper, found_mill

pytestmark = pytest.mark.sqlite_suffices

SAID = "they swapped chairs"


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def say(book: Daybook, club: UUID, spring: str, *people: str, why: str = SAID, by: str = "sam") -> None:
    clubs.write(book, club, CorrectSeating(spring, "1", people, why), by=by, key=key())


def test_seats_that_were_swapped_are_put_right_with_a_history(book, club, spring):
    game = play_table(book, club, spring, "1", 1)
    before = stands(book, club, spring)["1"]
    sealed = book.games.get(game).seal
    points = dict(order(book, club, spring))
    say(book, club, spring, "ben", "anna", "cleo")
    after = stands(book, club, spring)["1"]
    assert [(value.seat, value.place, value.score) for value in after.placed] == [
        (each_item.seat, each_item.place, each_item.score) for each_item in before.placed
    ]
    assert [place.person for place in after.placed] == ["ben", "anna", "cleo"]
    found = dict(order(book, club, spring))
    assert (found["anna"], found["ben"]) == (points["ben"], points["anna"])
    states = result_changes.table_history(book, book.clubs.get(club), spring, "1")
    assert [(state.cause, state.result.people if state.result else (), state.why) for state in states] == [
        ("closed", ("anna", "ben", "cleo"), ""),
        ("seated", ("ben", "anna", "cleo"), SAID),
    ]
    assert book.games.get(game).seal == sealed
    ratings.rate_club(book, club)
    best = after.placed[[item.place for item in after.placed].index(1)].person
    assert {rating.person: rating.wins for rating in ratings.current_ratings(book, club)}[best] > Fraction(0)


@pytest.mark.both_databases
def test_the_clubs_statistics_go_by_who_sat(book, club, spring):
    """The record's people count in each query by person of the statistics outside the club."""
    game = play_table(book, club, spring, "1", 1)
    collect.count_game(book, game)
    update_results(book)
    opening = book.games.get(game).opening
    anna, ben, cleo = (seat.person for seat in opening.seats)
    clubs.write(book, club, EnterPlayers(spring, (Entrant("ursula"),)), by="olga", key=key())

    def statistics_of(filters: Filter) -> tuple[dict[str, float], list[UUID], set[str], set[tuple[str, str]]]:
        scores = figure_questions.compute_table(book, Question("score", ("person",), filters))
        behind = figure_questions.games_behind(book, Question("score", ("person",), filters))
        pairs = reports.head_to_head(book, filters)
        return (
            dict(zip(scores.column("person"), scores.column("mean"), strict=True)),
            reports.games_of_pair(book, filters, "ursula", ben),
            {item.person for item in behind} | {*reports.win_streaks(book, filters).column("person")},
            {*zip(pairs.column("person"), pairs.column("other"), strict=True)},
        )

    before = statistics_of(club_filter(book.clubs.get(club)))[0]
    say(book, club, spring, "ben", "ursula", "cleo")
    of = club_filter(book.clubs.get(club), people=["ursula"])
    assert [value.person for value in figure_questions.games_behind(book, Question("score", (), of))] == ["ursula"]
    scores, met, people, pairs = statistics_of(club_filter(book.clubs.get(club)))
    assert scores == {"ben": before[anna], "ursula": before[ben], "cleo": before[cleo]}
    assert (met, people) == ([game], {"ben", "ursula", "cleo"})
    assert pairs == {(person, other) for person in people for other in people if person != other}
    assert statistics_of(Filter(games=frozenset([game])))[0] == before


def test_somebody_else_sat_there(book, club, spring):
    play_table(book, club, spring, "1", 1)
    clubs.write(book, club, EnterPlayers(spring, (Entrant("ursula"),)), by="olga", key=key())
    say(book, club, spring, "anna", "ursula", "cleo")
    assert stands(book, club, spring)["1"].people == ("anna", "ursula", "cleo")
    game = UUID(book.clubs.get(club).seasons[spring].tables["1"].game)
    assert not club_roles.may_umpire(book, "ursula", book.games.get(game), book.kept.game(game)), "who sat there"


@pytest.mark.both_databases
def test_a_person_s_own_games_are_those_in_which_they_sat(book, club, spring):
    """Ursula sat there and not Ben, Anna where the record names Cleo; a club that they did not join says nothing."""
    game = play_table(book, club, spring, "1", 1)
    clubs.write(book, club, EnterPlayers(spring, (Entrant("ursula"),)), by="olga", key=key())
    update_games(book)

    def told(person: str) -> tuple[list[tuple[object, object]], int]:
        """Seats in the data file, and how many games the list has of one's own."""
        mine = json.loads(personal_data.export_personal_data(book, person))["games"]
        found = game_search.search_games(book, seeker_of(book, person, ()), game_search.GameFilter(mine=True))
        return [(item["seat"], item.get("named_in", "")) for item in mine], len(found.rows)

    assert [told(value) for value in ("anna", "ben", "ursula")] == [([(0, "")], 1), ([(1, "")], 1), ([], 0)]
    say(book, club, spring, "cleo", "ursula", "anna")
    assert [told(item) for item in ("anna", "ben", "ursula")] == [([(2, 0)], 1), ([(None, 1)], 0), ([(1, "")], 1)]
    clubs.write(book, club, EndMembership("ben"), by="ben", key=key())
    assert told("ben") == ([(1, "")], 0), "the record again, which only its club may read"
    clubs.write(book, club, RemoveGame(spring, "1", str(game), "not here"), by="sam", key=key())
    assert told("ursula") == ([], 0)


@pytest.mark.parametrize(
    ("people", "why", "message"),
    [
        (("anna", "ben", "cleo"), SAID, "it is already like that"),
        (("ben", "anna", "cleo"), " ", "give a reason"),
        (("anna", "anna", "cleo"), SAID, "anna is entered 2 times"),
        (("anna", "ben"), SAID, "2 players for 3 seats"),
        (("anna", "dan", "cleo"), SAID, "dan sits at table 2 in round 1"),
        (("anna", "ursula", "cleo"), SAID, "ursula does not play in Season 1"),
    ],
)
def test_who_cannot_have_sat_there(book, club, spring, people, why, message):
    play_table(book, club, spring, "1", 1)
    with pytest.raises(Refused, match=message):
        say(book, club, spring, *people, why=why)


def test_no_one_sat_at_a_table_without_a_game(book, club, spring):
    with pytest.raises(Refused, match="that is not the game of table 1"):
        say(book, club, spring, "ben", "anna", "cleo")
    game = begin_table(book, club, spring, "1")
    with pytest.raises(Refused, match="when the game is closed"):
        say(book, club, spring, "ben", "anna", "cleo")
    play(book, game, seed=1)
    write(book, game, Close())
    with pytest.raises(MayNotError):
        say(book, club, spring, "ben", "anna", "cleo", by="anna")


def test_a_game_is_entered_with_those_who_sat_there(book, club):
    game = open_seats(book, people=("anna", "ben", "cleo"), options={"hands": "open"})

    def enter(why: str = "") -> None:
        enter_as_keeper(book, club, EnterGame(BESIDE, str(game), None, ["anna", "dan", "cleo"], why), by="sam")

    with pytest.raises(Refused, match=r"seat 2 is ben, not dan\. If dan sat there, correct it with a reason"):
        enter()
    with pytest.raises(Refused, match="with a reason when the game is closed"):
        enter("dan came instead")  # and sees what is covered from others
    play(book, game, seed=1)
    write(book, game, Close())
    enter("dan came instead")
    entered = book.clubs.get(club).entries[-1].event
    assert isinstance(entered, GameEntered)
    assert (entered.seats, entered.recorded, entered.why) == (
        ("anna", "dan", "cleo"),
        ("anna", "ben", "cleo"),
        "dan came instead",
    )
    assert stands(book, club, BESIDE)["1"].people == ("anna", "dan", "cleo")


def test_evening_recorded_twice_counts_once_unless_told_apart(book, club):
    def recorded(seed: int) -> UUID:
        game = open_seats(book, people=("anna", "ben", "cleo"), options={"hands": "open"})
        play(book, game, seed=seed)
        write(book, game, Close())
        return game

    def enter(game: UUID, another: bool = False) -> None:
        enter_as_keeper(book, club, EnterGame(BESIDE, str(game), separate=another), by="sam")

    first, second, other = recorded(1), recorded(1), recorded(2)
    enter(first)
    enter(other)
    with pytest.raises(Refused, match=r"almost identical to table 1’s\. If it is a different game, confirm that"):
        enter(second)
    assert [*stands(book, club, BESIDE)] == ["1", "2"]
    enter(second, another=True)
    entered = book.clubs.get(club).entries[-1].event
    assert isinstance(entered, GameEntered) and entered.separate_from == str(first)
    assert len(stands(book, club, BESIDE)) == 3
