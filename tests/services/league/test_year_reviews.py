"""Years in review: their content, their recipients, and when they are computed again."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from daybook.domain.league.club import list_anonymous_ids
from daybook.domain.league.club_commands import EnterResult, MergePeople, SetTimeZone, VoidResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.clock import now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs, ratings, year_reviews
from daybook.services.league.year_reviews import CountOf, WinRun
from tests.played import key, play, update_results
from tests.query_plans import plans_of
from tests.services.clubbing import open_club_game
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import found_mill

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book):
    return found_mill(book)


def type_in(book, club, *people, day="2025-05-02", game="Azul", scores=(), table=None, **details):
    points = [*scores, *[None] * len(people)]
    placed = [Placed(person, None, place, points[place - 1]) for place, person in enumerate(people, 1)]
    command = EnterResult(
        BESIDE, f":{game}", placed, table, ended_at=f"{day}T10:00:00.000Z", details=PlayDetails(**details), why="x"
    )
    clubs.write(book, club, command, by="sam", key=key())


def reviewed(book, club, year="2025", person=""):
    catch_up(book)
    for due in year_reviews.list_stale_clubs(book):
        year_reviews.review_club(book, due)
    return year_reviews.find_review(book, book.clubs.get(club), year, person)


@pytest.mark.both_databases
def test_review_counts_a_year_of_club_and_person(book, club):
    type_in(book, club, "anna", "ben", day="2024-12-31")
    for day in ("2025-01-01", "2025-03-04", "2025-03-05"):
        type_in(book, club, "anna", "ben", "cleo", day=day, place="Anna's", minutes=90)
    type_in(book, club, "ben", "anna", day="2025-12-31", game="Hive", place="Inn")
    type_in(book, club, "anna", "ben", day="2025-06-01", game="Pandemic", cooperative=True)
    type_in(book, club, "ben", "anna", day="2025-07-01", game="Hive", uncounted=("ignored",))
    type_in(book, club, "ben", "anna", day="2026-01-01", game="Hive")
    review = reviewed(book, club)
    assert (review.plays, review.games, review.people) == (5, 3, 3)
    assert (review.seconds, review.timed) == (3 * 90 * 60, 3)
    assert (review.competitive, review.together, review.won_together) == (4, 1, 1)
    assert review.games_listed[0] == CountOf(":Azul", 3) and review.new_listed == (":Hive", ":Pandemic")
    assert review.people_listed == (CountOf("anna", 5), CountOf("ben", 5), CountOf("cleo", 3))
    assert review.winners == (CountOf("anna", 4, 3.0), CountOf("ben", 4, 1.0))
    assert review.run == WinRun("anna", 3, "2025-01-01", "2025-03-05")
    assert review.place == CountOf("Anna's", 3) and review.months == (1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 1)
    assert (review.h_before, review.h_after) == (1, 1)
    ben = reviewed(book, club, person="ben")
    assert (ben.plays, ben.wins, ben.competitive, ben.together, ben.run) == (5, 1.0, 4, 1, None)
    assert ben.people_listed == (CountOf("anna", 5), CountOf("cleo", 3)) and ben.place == CountOf("Inn", 1, 1.0)
    assert reviewed(book, club, person="cleo").new_listed == (":Azul",)
    assert year_reviews.reviewed_years(book, book.clubs.get(club)) == ["2026", "2025", "2024"]
    assert year_reviews.reviewed_years(book, book.clubs.get(club), "cleo") == ["2025"]
    assert reviewed(book, club, "2023") is None


@pytest.mark.both_databases
def test_corrected_and_void_plays_change_the_review(book, club):
    type_in(book, club, "anna", "ben")
    type_in(book, club, "anna", "ben", day="2025-05-03")
    assert reviewed(book, club).winners == (CountOf("anna", 2, 2.0),)
    assert year_reviews.list_stale_clubs(book) == [] and year_reviews.is_current(book, club)
    type_in(book, club, "ben", "anna", day="2024-05-03", table="2")
    catch_up(book)
    assert not year_reviews.is_current(book, club)
    assert reviewed(book, club).plays == 1 and reviewed(book, club, "2024").winners == (CountOf("ben", 1, 1.0),)
    clubs.write(book, club, VoidResult(BESIDE, "2", "twice"), by="olga", key=key())
    assert reviewed(book, club, "2024") is None
    type_in(book, club, "cleo", "ben", day="2025-06-01")
    assert reviewed(book, club, person="cleo").plays == 1
    clubs.write(book, club, MergePeople("anna", "cleo", "one"), by="olga", key=key())
    assert reviewed(book, club, person="cleo") is None and reviewed(book, club, person="anna").plays == 2


def test_review_has_records_of_games_with_enough_scores(book, club):
    for day in range(1, 11):
        type_in(book, club, "anna", "ben", day=f"2024-05-{day:02}", scores=(50 + day, 20))
    assert reviewed(book, club, "2024").records_listed[0].score == 60
    type_in(book, club, "ben", "anna", day="2025-05-02", scores=(75, 40))
    type_in(book, club, "anna", "ben", day="2026-05-02", scores=(75, 30))
    [record] = reviewed(book, club).records_listed
    assert (record.person, record.score, record.day) == ("ben", 75, "2025-05-02")
    assert reviewed(book, club, person="anna").records == 0 and reviewed(book, club, "2026").records == 0


def test_h_index_grows_with_plays_of_earlier_years(book, club):
    for year, game in product(("2024", "2025"), ("Azul", "Hive")):
        type_in(book, club, "anna", "ben", day=f"{year}-02-03", game=game)
    review = reviewed(book, club)
    assert (review.h_before, review.h_after, review.new) == (1, 2, 0)


def test_anonymous_players_are_not_counted_as_people(book, club):
    type_in(book, club, list_anonymous_ids(club)[0], "anna", list_anonymous_ids(club)[1])
    review = reviewed(book, club)
    assert (review.people_listed, review.winners, review.run) == ((CountOf("anna", 1),), (), None)
    assert year_reviews.find_review(book, book.clubs.get(club), "2025", list_anonymous_ids(club)[0]) is None


@pytest.mark.both_databases
def test_recorded_game_is_reviewed_once_it_is_counted(book, club):
    game = open_club_game(book, club, ("anna", "ben", "cleo"), by="olga")
    year = now()[:4]
    play(book, game, 1_000, seed=1, close=True)
    update_results(book)
    for due in year_reviews.list_stale_clubs(book):
        year_reviews.review_club(book, due)
    assert year_reviews.find_review(book, book.clubs.get(club), year) is None
    assert year_reviews.list_stale_clubs(book) == [], "until a game is counted"
    review = reviewed(book, club, year)
    assert (review.plays, review.timed, review.live) == (1, 1, 1)
    assert year_reviews.list_stale_clubs(book) == []


def test_places_are_hidden_with_the_evenings(book, club):
    type_in(book, club, "anna", "ben", place="12 Mill Street")
    assert reviewed(book, club).place == CountOf("12 Mill Street", 1)
    outside = book.clubs.get(club).without_evenings()
    assert year_reviews.find_review(book, outside, "2025").place is None


def test_rebuild_computes_the_same_reviews(book, club):
    type_in(book, club, "anna", "ben")
    before = reviewed(book, club)
    rebuild_read_models(book)
    assert year_reviews.find_review(book, book.clubs.get(club), "2025") == before


def test_days_are_dates_in_any_time_zone(book, club):
    type_in(book, club, "anna", "ben", day="2025-12-31")
    clubs.write(book, club, SetTimeZone("Pacific/Kiritimati"), by="olga", key=key())
    assert reviewed(book, club).plays == 1 and reviewed(book, club, "2026") is None


def test_club_is_current_without_reading_the_other_clubs(book, club):
    other = clubs.found_club(book, "Other Mill", "olga", by="olga", key=key()).record
    type_in(book, club, "anna", "ben")
    catch_up(book)
    year_reviews.review_club(book, club)
    ratings.rate_club(book, club)
    for part in (year_reviews, ratings):
        assert part.is_current(book, club) and other in part.list_stale_clubs(book)
        if book.views.dialect.name == "sqlite":  # it says how it reads
            plans = plans_of(book, partial(part.is_current, book, club))
            assert plans and not [plan for plan in plans if "SCAN club" in plan]
