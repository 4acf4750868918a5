"""Ratings: equals are rated equally, a better place is better, and the same results give the same ratings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.domain.commands import Close, Reopen
from daybook.domain.league.club_commands import EnterGame, EnterResult, MergePeople
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import MARKS, Placed, Result
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs, ratings
from daybook.services.league.ratings import OVERALL, RatingAfterGame, rate, ratings_by_ruleset
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from tests.played import key, play_game, update_results, write
from tests.rows import all_rows
from tests.services.leagues import enter_as_keeper, found_mill, places_of

pytestmark = pytest.mark.sqlite_suffices

NAMES = "ABCDEF"


def result(number: int, places: Sequence[int], people: str = NAMES, **more: object) -> Result:
    seated = enumerate(zip(people, places, strict=False))
    placed = tuple(Placed(person, seat, place) for seat, (person, place) in seated)
    return msgspec.structs.replace(
        Result(f"r{number:03}", "sawmill", f"2026-01-01T{number:02}:00:00.000Z", placed), **more
    )


def newest(results: Sequence[Result]) -> dict[str, RatingAfterGame]:
    return {person: history[-1] for person, history in rate(results).items()}


def ranks_of_values(values: Sequence[int]) -> list[int]:
    return [1 + sum(other < value for other in values) for value in values]


places = st.lists(st.integers(1, 5), min_size=2, max_size=6).map(ranks_of_values)


@st.composite
def tables(draw: st.DrawFn, number: int) -> Result:
    ranks = draw(places)
    return result(number, ranks, "".join(draw(st.permutations(NAMES))[: len(ranks)]))


seasons = st.integers(0, 12).flatmap(lambda n: st.tuples(*(tables(number) for number in range(n))))


# --- one game --------------------------------------------------------------------------------------------------------


def test_a_game_on_paper():
    """Two players share the first place and are rated alike, the third apart from them."""
    found = newest([result(1, [1, 1, 3, 4])])
    assert [found[value].mu for value in "ABCD"] == pytest.approx(
        [26.756927, 26.756927, 24.121537, 22.364611], abs=1e-6
    )
    assert [found[item].sigma for item in "ABCD"] == pytest.approx([8.065901] * 4, abs=1e-6)


def test_what_was_not_played_is_not_rated():
    walkover = result(1, [1, 2, 3, 4], marks=("typed", "walkover"))
    given_up = result(2, [1, 1, 1, 1])
    given_up = msgspec.structs.replace(
        given_up, placed=tuple(msgspec.structs.replace(place, dropped=True) for place in given_up.placed)
    )
    assert newest([walkover, given_up]) == {}
    assert ratings_by_ruleset([walkover, given_up], (*MARKS, "walkover")) == {OVERALL: {}}
    left = result(3, [1, 2, 3, 4])
    left = msgspec.structs.replace(
        left, placed=(*left.placed[:3], msgspec.structs.replace(left.placed[3], dropped=True))
    )
    assert [value.games for value in newest([left]).values()] == [1] * 4  # who left a game that went on has played it


@given(places)
def test_equal_ratings_change_equally_and_better_ones_strictly(ranks):
    found = newest([result(1, ranks)])
    for value, place in zip(NAMES, ranks, strict=False):
        for other, behind in zip(NAMES, ranks, strict=False):
            if place == behind:
                assert found[value].mu == pytest.approx(found[other].mu, abs=1e-12)
                assert found[value].sigma == pytest.approx(found[other].sigma, abs=1e-12)
            elif place < behind:
                assert found[value].mu > found[other].mu + 1e-6


@given(seasons, places.filter(lambda ranks: len({*ranks}) > 1), st.permutations(NAMES))
def test_better_place_would_have_given_a_higher_rating(before, ranks, people):
    last = result(50, ranks, "".join(people))
    better, worse = min(range(len(ranks)), key=ranks.__getitem__), max(range(len(ranks)), key=ranks.__getitem__)
    ranks[better], ranks[worse] = ranks[worse], ranks[better]
    swapped = result(50, ranks, "".join(people))
    as_it_was, otherwise = newest([*before, last]), newest([*before, swapped])
    assert otherwise[people[worse]].mu > as_it_was[people[worse]].mu
    assert otherwise[people[better]].mu < as_it_was[people[better]].mu


@given(seasons, st.randoms(use_true_random=False))
def test_order_at_a_table_does_not_matter(season, chance):
    mixed = []
    for item in season:
        placed = list(item.placed)
        chance.shuffle(placed)
        mixed.append(msgspec.structs.replace(item, placed=tuple(placed)))
    assert rate(mixed) == rate(season) == rate(season)


@given(seasons)
def test_whoever_is_called_otherwise_is_rated_as_before(season):
    """Names do not matter."""
    turned = str.maketrans(NAMES, NAMES[::-1])
    renamed = [
        msgspec.structs.replace(
            item,
            placed=tuple(
                msgspec.structs.replace(placed, person=placed.person.translate(turned)) for placed in item.placed
            ),
        )
        for item in season
    ]
    found, again = newest(season), newest(renamed)
    for person, rated in found.items():
        assert again[person.translate(turned)].mu == pytest.approx(rated.mu, abs=1e-9)
        assert again[person.translate(turned)].sigma == pytest.approx(rated.sigma, abs=1e-9)


# --- figures ---------------------------------------------------------------------------------------------------------


def test_simple_figures_stand_before_the_rating():
    found = newest([result(1, [1, 2, 3, 4]), result(2, [1, 1, 3]), result(3, [2, 1])])
    anna = found["A"]
    assert (anna.games, anna.wins, anna.expected_wins) == (3, Fraction(3, 2), Fraction(13, 12))  # 1/4 + 1/3 + 1/2
    assert anna.average_place == Fraction(4, 3)
    assert found["D"].wins == 0


@given(seasons)
def test_wins_add_up_to_the_wins_to_be_expected(season):
    found = newest(season).values()
    assert sum(item.wins for item in found) == sum(value.expected_wins for value in found) == len(season)


def test_a_history_has_a_line_for_each_game():
    history = rate([result(1, [2, 1]), result(2, [1, 2]), result(3, [1, 2], "AC")])["A"]
    assert [(item.result, item.games, item.place) for item in history] == [
        ("r001", 1, 2),
        ("r002", 2, 1),
        ("r003", 3, 1),
    ]
    assert history[0].mu < history[1].mu < history[2].mu


def test_a_rating_is_provisional_below_five_games():
    history = rate([result(number, [1, 2]) for number in range(6)])["A"]
    assert [item.provisional for item in history] == [True] * 4 + [False] * 2


def test_solo_game_and_game_against_oneself_rate_no_one():
    assert rate([result(1, [1]), result(2, [1, 2], "AA")]) == {}


# --- what counts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", MARKS)
def test_marked_games_count_if_their_mark_counts(mark):
    found = [result(1, [1, 2]), result(2, [1, 2], marks=(mark,))]
    others = [value for value in MARKS if value != mark]
    assert [len(ratings_by_ruleset(found, marks)[OVERALL]["A"]) for marks in ([mark], others, [])] == [2, 1, 1]


def test_each_game_is_rated_by_itself_and_all_together():
    found = ratings_by_ruleset([result(1, [1, 2]), result(2, [2, 1], ruleset="quarry")], MARKS)
    assert list(found) == [OVERALL, "quarry", "sawmill"]
    assert [found[of]["A"][-1].games for of in found] == [2, 1, 1]
    assert found["sawmill"]["A"][-1].mu > 25 > found["quarry"]["A"][-1].mu


# --- of a club -------------------------------------------------------------------------------------------------------


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def type_result(book: Daybook, club: UUID, *people: str) -> None:
    clubs.write(book, club, EnterResult(BESIDE, "making_profit", places_of(*people)), by="sam", key=key())


def enter_game(book: Daybook, club: UUID, seed: int) -> UUID:
    """A recorded game of Anna, Ben and Cleo."""
    game = play_game(book, seed)
    enter_as_keeper(book, club, EnterGame(BESIDE, str(game), people=("anna", "ben", "cleo")), by="sam")
    return game


def brought_up(book: Daybook) -> None:
    """Do the follower's and a worker's work."""
    update_results(book)
    for club in ratings.list_stale_clubs(book):
        ratings.rate_club(book, club)


def rating_rows(book: Daybook) -> list[tuple[object, ...]]:
    return all_rows(book.views, [read_models.rating_row])["rating_row"]


def games(book: Daybook, club: UUID) -> dict[str, int]:
    return {rating.person: rating.games for rating in ratings.current_ratings(book, club)}


@pytest.mark.both_databases
def test_a_club_is_rated_from_typed_and_recorded_results(book, club):
    type_result(book, club, "anna", "ben", "cleo")
    enter_game(book, club, 1)
    type_result(book, club, "dan", "anna")
    brought_up(book)
    assert games(book, club) == {"anna": 3, "ben": 2, "cleo": 2, "dan": 1}
    assert ratings.rated_rulesets(book, club) == ["making_profit"]
    # one game alone was played
    assert ratings.current_ratings(book, club, "making_profit") == ratings.current_ratings(book, club)
    line = ratings.rating_history(book, club, "anna")
    assert [item.games for item in line] == [1, 2, 3]
    assert line[-1] in ratings.current_ratings(book, club)
    assert (line[-1].place, line[-1].seats, line[-1].expected_wins) == (2, 2, Fraction(7, 6))  # 1/3 + 1/3 + 1/2
    assert line[1].game is not None


def test_the_strongest_stand_first_and_those_with_few_games_last(book, club):
    for _ in range(5):
        type_result(book, club, "ben", "anna", "cleo")
    type_result(book, club, "dan", "ben")
    brought_up(book)
    assert [(rating.person, rating.provisional) for rating in ratings.current_ratings(book, club)] == [
        ("ben", False),
        ("anna", False),
        ("cleo", False),
        ("dan", True),
    ]


def test_club_is_due_until_rated_and_again_after_a_change(book, club):
    update_results(book)
    assert ratings.list_stale_clubs(book) == [club]
    game = enter_game(book, club, 1)
    brought_up(book)
    assert (ratings.list_stale_clubs(book), ratings.is_current(book, club)) == ([], True)
    before = rating_rows(book)
    brought_up(book)
    assert rating_rows(book) == before
    write(book, game, Reopen("the purse was counted"))
    update_results(book)
    assert ratings.list_stale_clubs(book) == [club]
    brought_up(book)
    assert ratings.current_ratings(book, club) == []  # it has no result while it is open
    write(book, game, Close())
    brought_up(book)
    assert rating_rows(book) == before


def test_merged_people_are_rated_as_one(book, club):
    type_result(book, club, "anna", "ben")
    type_result(book, club, "cleo", "ben")
    brought_up(book)
    clubs.write(book, club, MergePeople("anna", "cleo", "her name"), by="olga", key=key())
    brought_up(book)
    assert games(book, club) == {"anna": 2, "ben": 2}


def test_another_model_rates_everything_anew(book, club, monkeypatch):
    type_result(book, club, "anna", "ben")
    brought_up(book)
    monkeypatch.setattr(ratings, "MODEL", "another")
    assert ratings.list_stale_clubs(book) == [club]
    brought_up(book)
    assert ratings.list_stale_clubs(book) == []


def test_a_job_that_was_overtaken_writes_nothing_older(book, club, monkeypatch):
    type_result(book, club, "anna", "ben")
    brought_up(book)
    before = rating_rows(book)
    monkeypatch.setattr(ratings.results, "newest_changes", lambda book, only: {club: 1})  # as an older job saw it
    monkeypatch.setattr(ratings, "ratings_by_ruleset", lambda found, marks, nobody: {})
    ratings.rate_club(book, club)
    assert rating_rows(book) == before


@pytest.mark.both_databases
def test_a_rebuild_comes_to_the_same_ratings(book, club):
    type_result(book, club, "anna", "ben", "cleo")
    enter_game(book, club, 2)
    enter_game(book, club, 3)
    brought_up(book)
    before = rating_rows(book)
    with book.views.begin() as c:
        c.execute(read_models.rating_row.delete())
    rebuild_read_models(book)
    assert len(before) == 2 * 9
    assert rating_rows(book) == before
    assert ratings.list_stale_clubs(book) == []
