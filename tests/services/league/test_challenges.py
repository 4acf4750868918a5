"""Challenges: their owners, what counts, and how they end."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import EnterResult, GiveUpChallenge, MergePeople, SetChallenge, VoidResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.event_checks.challenge_checks import MAX_RUNNING_CHALLENGES, MAX_SET_PER_USER_AND_DAY
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.clock import now
from daybook.services.league import challenges, clubs
from daybook.services.permissions.actions import MayNotError
from tests.played import key
from tests.services.clubbing import open_club_game
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import found_mill

pytestmark = pytest.mark.sqlite_suffices
YEAR = now()[:4]


@pytest.fixture
def club(book):
    return found_mill(book)


def type_in(book, club, game, *people, day=f"{YEAR}-01-02", **details):
    placed = [Placed(person, None, place) for place, person in enumerate(people, 1)]
    command = EnterResult(BESIDE, f":{game}", placed, ended_at=f"{day}T10:00:00.000Z", details=PlayDetails(**details))
    clubs.write(book, club, command, by="olga", key=key())


def set_by(book, club, by, kind, year=YEAR, **fields):
    clubs.write(book, club, SetChallenge(kind, year=year, **fields), by=by, key=key())
    return list(book.clubs.get(club).challenges)[-1]


def progress(book, club, challenge):
    catch_up(book)
    return challenges.count_progress(book, book.clubs.get(club), book.clubs.get(club).challenges[challenge])


def counts(games):
    return {game.key: game.plays for game in games}


@pytest.mark.both_databases
def test_progress_of_every_kind_is_counted_from_plays(book, club):
    type_in(book, club, "Go", "anna", "ben", day=f"{int(YEAR) - 1}-12-31")
    for _ in range(3):
        type_in(book, club, "Azul", "anna", "ben")
    type_in(book, club, "Hive", "anna", "cleo")
    type_in(book, club, "Set", "ben", "cleo")
    type_in(book, club, "Solo", "anna")
    type_in(book, club, "Chess", "anna", "ben", uncounted=("ignored",))
    plays = progress(book, club, set_by(book, club, "anna", "plays", goal=20))
    assert (plays.done, plays.goal, plays.state, plays.percent) == (5, 20, "running", 25.0)
    assert progress(book, club, set_by(book, club, "anna", "different_games", goal=3)).state == "reached"
    often = progress(book, club, set_by(book, club, "anna", "repeated_games", goal=2, plays_per_game=2))
    assert (often.done, often.goal) == (3, 4)
    assert (counts(often.complete), counts(often.missing)) == ({":Azul": 3}, {":Hive": 1})
    shelf = progress(book, club, set_by(book, club, "olga", "shelf", for_club=True))
    assert (shelf.done, shelf.goal, counts(shelf.missing)) == (4, 6, {":Chess": 0, ":Go": 0})
    named = progress(book, club, set_by(book, club, "ben", "shelf", games=(":Set", ":Go")))
    assert (named.done, counts(named.missing)) == (1, {":Go": 0})


@pytest.mark.both_databases
def test_void_plays_and_running_games_do_not_count(book, club):
    challenge = set_by(book, club, "anna", "plays", goal=2)
    open_club_game(book, club, ("anna", "ben", "cleo"), by="olga")
    type_in(book, club, "Azul", "anna", "ben")
    assert progress(book, club, challenge).done == 1
    clubs.write(book, club, VoidResult(BESIDE, "2", "twice"), by="olga", key=key())
    assert progress(book, club, challenge).done == 0


def test_challenge_is_given_up_and_stays_in_history(book, club):
    challenge = set_by(book, club, "anna", "plays", goal=2)
    clubs.write(book, club, GiveUpChallenge(challenge), by="anna", key=key())
    assert progress(book, club, challenge).state == "given_up"
    assert challenges.list_running_challenges(book, book.clubs.get(club), "anna", 9) == []
    with pytest.raises(Refused, match="already like that"):
        clubs.write(book, club, GiveUpChallenge(challenge), by="anna", key=key())


def test_challenge_of_a_past_year_is_missed_or_reached(book, club):
    past = str(int(YEAR) - 1)
    missed = set_by(book, club, "anna", "plays", goal=2, year=past)
    assert progress(book, club, missed).state == "missed"
    for _ in range(2):
        type_in(book, club, "Azul", "anna", "ben", day=f"{past}-12-31")
    assert progress(book, club, missed).state == "reached"


def test_open_challenge_counts_from_its_day_on(book, club):
    type_in(book, club, "Azul", "anna", "ben")
    challenge = set_by(book, club, "anna", "plays", goal=2, year="")
    type_in(book, club, "Azul", "anna", "ben", day=now()[:10])
    assert progress(book, club, challenge).done == 1 and not book.clubs.get(club).challenges[challenge].until


def test_members_set_only_their_own_challenges(book, club):
    for fields in ({"for_club": True}, {"person": "ben"}):
        with pytest.raises(MayNotError):
            set_by(book, club, "anna", "plays", goal=2, **fields)
    challenge = set_by(book, club, "olga", "plays", goal=2, person="ben")
    with pytest.raises(MayNotError):
        clubs.write(book, club, GiveUpChallenge(challenge), by="anna", key=key())
    clubs.write(book, club, GiveUpChallenge(challenge), by="ben", key=key())


def test_impossible_challenges_are_refused(book, club):
    for fields in (
        {"kind": "plays", "goal": 0},
        {"kind": "repeated_games", "goal": 2, "plays_per_game": 0},
        {"kind": "shelf"},
        {"kind": "plays", "goal": 2, "games": (":Azul",)},
        {"kind": "plays", "goal": 2, "year": "0000"},
    ):
        with pytest.raises(Refused):
            set_by(book, club, "anna", **fields)
    for _ in range(MAX_RUNNING_CHALLENGES):
        challenge = set_by(book, club, "anna", "plays", goal=2)
    with pytest.raises(Refused, match="give one up"):
        set_by(book, club, "anna", "plays", goal=2)
    clubs.write(book, club, GiveUpChallenge(challenge), by="anna", key=key())
    set_by(book, club, "anna", "plays", goal=2)


def test_merged_people_share_their_challenges(book, club):
    challenge = set_by(book, club, "cleo", "plays", goal=2)
    type_in(book, club, "Azul", "anna", "ben")
    clubs.write(book, club, MergePeople("anna", "cleo", "one"), by="olga", key=key())
    assert [found.id for found in book.clubs.get(club).challenges_of("anna")] == [challenge]
    assert progress(book, club, challenge).done == 1


@pytest.mark.parametrize("year", [YEAR, "1999"])
def test_user_sets_a_limited_number_of_challenges_a_day(book, club, year):
    for _ in range(MAX_SET_PER_USER_AND_DAY):
        challenge = set_by(book, club, "anna", "plays", year, goal=2)
        clubs.write(book, club, GiveUpChallenge(challenge), by="anna", key=key())
    with pytest.raises(Refused, match="within a day"):
        set_by(book, club, "anna", "plays", year, goal=2)
    set_by(book, club, "ben", "plays", goal=2)
