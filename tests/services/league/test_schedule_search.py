"""Schedule search: every person plays, evenly, and the same seed gives the same schedule."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain.league.results import Placed, Result
from daybook.domain.league.schedule import Before, Layout, Schedule, Wishes, cost, layout, schedule_fairness
from daybook.domain.league.seasons import Bye, Division, Entrant, Fixture, Format
from daybook.domain.league.standings import Standings, compute_standings
from daybook.services.league import schedule_search
from daybook.services.league.schedule_search import CannotDrawError, draw_heat, draw_season, draw_swiss
from daybook.services.league.swiss_draw import Ranked, SwissRound, pair_in_dutch_order

pytestmark = pytest.mark.slow

FEW = settings(max_examples=6)
TRIES_PER_SEAT = 1500  # as it is served: all else holds of a tenth of it, which tests/conftest.py has tests search


@pytest.fixture
def searched_in_full(draws_quick: None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_search, "TRIES_PER_SEAT", TRIES_PER_SEAT)
        yield


def names(n: int) -> list[str]:
    return [f"p{at:02}" for at in range(n)]


def entrants(n: int) -> list[Entrant]:
    return [Entrant(person) for person in names(n)]


def rounds(format_sizes: tuple[int, ...], n: int) -> Format:
    return Format("rounds", format_sizes, rounds=n)


def meetings(fixtures: Sequence[Fixture]) -> Counter[tuple[str, ...]]:
    return Counter(pair for fixture in fixtures for pair in combinations(sorted(fixture.seats), 2))


# --- whole seasons ---------------------------------------------------------------------------------------------------


@FEW
@given(
    st.integers(8, 16),
    st.integers(1, 4),
    st.lists(st.integers(2, 8), min_size=1, max_size=3, unique=True),
    st.integers(0, 999),
)
def test_in_each_round_everybody_has_one_seat_or_a_bye(n, number, sizes, seed):
    drawn = draw_season(rounds(tuple(sizes), number), entrants(n), seed)
    assert drawn.rounds == tuple(range(1, number + 1))
    for round_ in drawn.rounds:
        tables = [fixture for fixture in drawn.fixtures if fixture.round == round_]
        resting = [bye.person for bye in drawn.byes if bye.round == round_]
        assert {len(table.seats) for table in tables} <= set(sizes)
        assert sorted([person for table in tables for person in table.seats] + resting) == names(n)
    fair = schedule_fairness(names(n), drawn.fixtures, drawn.byes)
    assert fair.byes[1] - fair.byes[0] <= 1
    assert fair.games[1] - fair.games[0] <= 1
    assert [int(fixture.table) for fixture in drawn.fixtures] == list(range(1, len(drawn.fixtures) + 1))


@pytest.mark.slow
@FEW
@given(st.integers(5, 11), st.integers(1, 3), st.integers(0, 999), st.randoms(use_true_random=False))
def test_schedule_of_a_seed_does_not_depend_on_names(n, number, seed, chance):
    people = entrants(n)
    first = draw_season(rounds((4, 3, 5), number), people, seed)
    chance.shuffle(people)
    assert draw_season(rounds((4, 3, 5), number), people, seed) == first
    assert first.seed == seed


def test_another_seed_draws_another_schedule():
    assert len({draw_season(rounds((4,), 3), entrants(12), seed).fixtures for seed in range(2)}) == 2


@FEW
@given(st.integers(6, 14), st.integers(1, 3), st.integers(0, 999), st.sampled_from([(4,), (4, 3, 5), (5, 6), (2,)]))
def test_what_the_search_counts_is_what_the_domain_counts(n, number, seed, sizes):
    shape = schedule_search._layout(names(n), rounds(sizes, number))
    stood = Before([Fixture("0", 0, tuple(names(n)[:4]))], [Bye("p05", 0)])
    wishes = Wishes(frozenset(names(n)[:3]))
    search = schedule_search._Search(names(n), shape, number, sizes[0], wishes, stood)
    before = cost(*search.schedule(range(1, number + 1)), sizes[0], wishes, stood)
    saved = search.run(Random(seed))
    assert cost(*search.schedule(range(1, number + 1)), sizes[0], wishes, stood) == before + saved
    assert saved <= 0


@pytest.mark.usefixtures("searched_in_full")
@pytest.mark.parametrize(
    ("n", "number", "sizes", "twice"),
    [
        (16, 4, (4,), 0),  # nobody meets again
        (20, 5, (4,), 3),
        (14, 4, (4, 3, 5), 1),
        (9, 4, (3,), 0),  # everybody meets everybody once
        pytest.param(40, 6, (4, 3), 0, marks=pytest.mark.drill),
    ],
)
def test_few_meet_again(n, number, sizes, twice):
    drawn = draw_season(rounds(sizes, number), entrants(n), 1)
    assert sum(times - 1 for times in meetings(drawn.fixtures).values()) <= twice
    fair = schedule_fairness(names(n), drawn.fixtures)
    assert fair.seats[1] - fair.seats[0] <= 1
    assert fair.games == (number, number)


def test_the_cost_is_kept_and_counts_what_stood():
    drawn = draw_season(rounds((4, 3), 4), entrants(11), 3)
    assert drawn.cost == cost(drawn.fixtures, drawn.byes, 4)
    first = Before([fixture for fixture in drawn.fixtures if fixture.round <= 2])
    again = draw_season(rounds((4, 3), 4), entrants(11)[:9], 4, before=first, first_table=7)
    assert again.rounds == (3, 4)
    assert again.fixtures[0].table == "7"
    assert again.cost == cost(again.fixtures, again.byes, 4, before=first)


def test_a_redraw_knows_who_has_met_and_who_has_rested():
    stood = Before([Fixture("1", 1, tuple(names(4))), Fixture("2", 1, tuple(names(8)[4:]))], [Bye("p08", 1)])
    drawn = draw_season(rounds((4,), 2), entrants(9), 5, before=stood)
    assert drawn.rounds == (2,)
    assert drawn.byes[0].person != "p08"
    assert max(meetings((*stood.fixtures, *drawn.fixtures)).values()) <= 2


# --- groups ----------------------------------------------------------------------------------------------------------


def in_groups(*sizes: int) -> tuple[Format, list[Entrant]]:
    format = Format("divisions", (4, 3), divisions=tuple(Division(str(at), (size,)) for at, size in enumerate(sizes)))
    people = names(sum(sizes))
    return format, [Entrant(people.pop(), at, 1) for at, size in enumerate(sizes, 1) for _ in range(size)]


def of_division(drawn: Schedule, people: list[Entrant]) -> Iterator[tuple[list[str], list[Fixture]]]:
    for division in sorted({person.division for person in people}):
        yield (
            [item.person for item in people if item.division == division],
            [fixture for fixture in drawn.fixtures if fixture.division == division],
        )


@FEW
@given(st.integers(0, 999))
def test_groups_of_seven_meet_twice_and_sit_in_each_seat_once(seed):
    format, people = in_groups(7, 7)
    drawn = draw_season(format, people, seed)
    assert drawn.byes == ()
    for group, fixtures in of_division(drawn, people):
        fair = schedule_fairness(group, fixtures)
        assert len(fixtures) == 7
        assert (fair.meetings, fair.seats, fair.games) == ((2, 2), (1, 1), (4, 4))
    assert draw_season(format, people[::-1], seed) == drawn


@pytest.mark.usefixtures("searched_in_full")
@pytest.mark.parametrize("size", [4, 5, 6, 8, 9, 10, 12, 13, 16])
def test_other_groups_play_equally_often_and_use_each_seat_once(size):
    format, people = in_groups(size)
    drawn = draw_season(format, people, 1)
    fair = schedule_fairness([item.person for item in people], drawn.fixtures, drawn.byes)
    assert (fair.games, fair.seats, fair.byes) == ((4, 4), (1, 1), (0, 0))
    assert fair.meetings[1] - fair.meetings[0] <= 2
    for number in drawn.rounds:
        seated = [person for fixture in drawn.fixtures if fixture.round == number for person in fixture.seats]
        assert len(seated) == len(set(seated))


def test_a_group_s_schedule_does_not_depend_on_the_other_groups():
    format, people = in_groups(7, 9)
    whole = draw_season(format, people, 8)
    alone = draw_season(format, [person for person in people if person.division == 1], 8)
    assert [fixture.seats for fixture in whole.fixtures if fixture.division == 1] == [
        item.seats for item in alone.fixtures
    ]


def test_a_large_group_plays_rounds_with_smaller_tables():
    format, people = in_groups(19)
    drawn = draw_season(format, people, 1)
    assert drawn.rounds == (1, 2, 3, 4)
    assert drawn.byes == ()
    assert Counter(len(fixture.seats) for fixture in drawn.fixtures) == {4: 16, 3: 4}


# --- swiss -----------------------------------------------------------------------------------------------------------


def swiss(n: int, number: int, sizes: tuple[int, ...], seed: int) -> Iterator[tuple[Standings, Before, Schedule]]:
    """A season in which the lower number wins; what stood before each round, and the round."""
    format = Format("swiss", sizes, rounds=number, tiebreaks=("points", "opponents"))
    fixtures: list[Fixture] = []
    byes: list[Bye] = []
    found: list[Result] = []
    for _ in range(number):
        table = compute_standings(format, entrants(n), found, byes=byes)
        stood = Before(list(fixtures), list(byes))
        drawn = draw_swiss(format, table.groups, seed, before=stood, first_table=len(fixtures) + 1)
        yield table, stood, drawn
        fixtures += drawn.fixtures
        byes += drawn.byes
        found += [
            Result(
                fixture.table,
                "sawmill",
                "2026",
                tuple(
                    Placed(person, fixture.seats.index(person), place)
                    for place, person in enumerate(sorted(fixture.seats), 1)
                ),
                round=fixture.round,
            )
            for fixture in drawn.fixtures
        ]


def again(seats: Sequence[str], met: Counter[tuple[str, ...]]) -> int:
    """Return the cost of repeated meetings at a table, by squares."""
    return sum(2 * met[pair] for pair in combinations(sorted(seats), 2))


def again_at_best(people: Sequence[str], seats: int, met: Counter[tuple[str, ...]]) -> int:
    """The least that meeting again costs in any round of full tables, by looking at all of them."""
    if not people:
        return 0
    first, *rest = people
    return min(
        again((first, *others), met) + again_at_best([value for value in rest if value not in others], seats, met)
        for others in combinations(rest, seats - 1)
    )


@pytest.mark.parametrize(
    ("n", "number", "sizes", "seed"), [(9, 4, (3,), 1), (9, 4, (3,), 2), (8, 3, (4,), 3), (8, 5, (2,), 4)]
)
def test_in_swiss_rounds_nobody_meets_again_where_that_can_be(n, number, sizes, seed):
    for _, stood, drawn in swiss(n, number, sizes, seed):
        met = meetings(stood.fixtures)
        assert sum(again(fixture.seats, met) for fixture in drawn.fixtures) == again_at_best(names(n), sizes[0], met)


def test_in_swiss_rounds_people_of_like_places_meet():
    seasons = list(swiss(16, 2, (4,), 1))
    table, _, drawn = seasons[1]
    places = {row.person: row.place for row in table.groups[0].rows}
    assert [row.place for row in table.groups[0].rows] == [1] * 4 + [5] * 4 + [9] * 4 + [13] * 4
    assert all(
        len({places[person] for person in fixture.seats}) == 1 for fixture in drawn.fixtures
    )  # winners meet winners


def test_in_swiss_rounds_the_last_rest_and_nobody_rests_twice():
    byes = []
    for table, _, drawn in swiss(9, 4, (4,), 2):
        for bye in drawn.byes:
            not_yet = [row for row in table.groups[0].rows if row.person not in byes]
            place = next(row.place for row in not_yet if row.person == bye.person)
            assert place == not_yet[-1].place
            byes.append(bye.person)
    assert len(byes) == len(set(byes)) == 4


def test_all_swiss_rounds_are_drawn_once():
    *_, (table, stood, drawn) = swiss(8, 2, (4,), 1)
    with pytest.raises(CannotDrawError, match="all 2 rounds have been drawn"):
        draw_swiss(Format("swiss", (4,), rounds=2), table.groups, 1, before=Before([*stood.fixtures, *drawn.fixtures]))


def test_who_withdrew_is_not_drawn():
    format = Format("swiss", (4,), rounds=3)
    table = compute_standings(format, entrants(9), [], withdrawn=["p03"])
    drawn = draw_swiss(format, table.groups, 1)
    assert "p03" not in {person for fixture in drawn.fixtures for person in fixture.seats}
    assert drawn.byes == ()


# --- heats and refusals ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@FEW
@given(st.integers(8, 17), st.integers(0, 999))
def test_the_best_of_a_heat_sit_at_different_tables(n, seed):
    drawn = draw_heat(Format("heats", (4, 3, 5)), names(n), seed)
    best = set(names(n)[: len(drawn.fixtures)])
    assert all(len(best & set(fixture.seats)) == 1 for fixture in drawn.fixtures)


def test_a_heat_avoids_those_who_met_in_the_heat_before():
    first = draw_heat(Format("heats", (4,)), names(16), 1)
    second = draw_heat(Format("heats", (4,)), names(16), 2, before=Before(first.fixtures))
    assert second.rounds == (2,)
    assert max(meetings((*first.fixtures, *second.fixtures)).values()) == 1


@pytest.mark.parametrize(
    ("season_format", "n", "message"),
    [
        (Format("free"), 8, "not drawn all at once"),
        (Format("rounds", (4,), rounds=2), 3, "3 players cannot fill a table of 4"),
        (Format("rounds", (4,), rounds=2), 0, "no players for it"),
        (Format("divisions", (4,), divisions=(Division("Oak", (4,)),)), 3, "3 players cannot fill a table of 4"),
    ],
)
def test_what_cannot_be_drawn_says_why(season_format, n, message):
    with pytest.raises(CannotDrawError, match=message):
        draw_season(season_format, entrants(n), 1)


def test_nothing_is_drawn_after_the_last_round():
    drawn = draw_season(rounds((4,), 2), entrants(8), 1)
    with pytest.raises(CannotDrawError, match="all 2 rounds have been drawn"):
        draw_season(rounds((4,), 2), entrants(8), 1, before=Before(drawn.fixtures))


def test_a_group_that_was_drawn_as_a_whole_is_not_drawn_further():
    format, people = in_groups(7)
    drawn = draw_season(format, people, 1)
    with pytest.raises(CannotDrawError, match="drawn as a whole"):
        draw_season(format, people, 1, before=Before(drawn.fixtures[:2]))


def test_open_number_of_rounds_is_drawn_one_after_the_other():
    first = draw_season(rounds((4,), 0), entrants(8), 1)
    second = draw_season(rounds((4,), 0), entrants(8), 2, before=Before(first.fixtures))
    assert (first.rounds, second.rounds) == ((1,), (2,))


def test_a_shape_is_what_the_sizes_allow():
    assert schedule_search._layout(names(7), rounds((4, 3), 1)) == Layout((4, 3), 0)


def some_draws() -> str:
    return str(
        (
            draw_heat(Format("heats", (4, 3)), names(11), 7),
            draw_season(rounds((4, 3), 2), entrants(11), 7),
            draw_season(*in_groups(7, 8), 7),
        )
    )


@pytest.mark.slow
def test_another_process_draws_the_same():
    """A schedule depends on no order that a process makes up for itself."""
    told = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import *; schedule_search.TRIES_PER_SEAT //= 10; print(some_draws())"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert told.stdout == f"{some_draws()}\n"


# --- swiss by score groups -------------------------------------------------------------------------------------------


def aims(ranked: Sequence[Ranked], before: Before, tables: Sequence[Sequence[str]], resting: Sequence[str]) -> tuple:
    """Return what a round gives away of each aim, in their order, counted plainly."""
    points = {player.person: player.points for player in ranked}
    met, byes = meetings(before.fixtures), Counter(bye.person for bye in before.byes)
    scores = sorted({*points.values()}, reverse=True)
    pairs = [tuple(sorted(pair)) for table in tables for pair in combinations(table, 2)]
    together = Counter(
        points[first] for first, second in pairs if points[first] == points[second] and not met[first, second]
    )
    return (
        sum(2 * byes[person] for person in resting),
        sum(2 * met[pair] for pair in pairs),
        sum(len(scores) - 1 - scores.index(points[person]) for person in resting),
        *(-together[score] for score in scores),
        *(
            sum(
                (scores.index(points[first]) - scores.index(points[second])) ** 2
                for first, second in pairs
                if max(points[first], points[second]) == score
            )
            for score in scores
        ),
        *repeated_floats(ranked, tables, resting),
    )


def repeated_floats(
    ranked: Sequence[Ranked], tables: Sequence[Sequence[str]], resting: Sequence[str]
) -> tuple[int, ...]:
    """Count the floats of a round of duels that repeat those of the last round, and those of the one before."""
    if max(map(len, tables)) != 2:
        return ()
    points, had = {each.person: each.points for each in ranked}, {each.person: each.floats for each in ranked}
    floats = dict.fromkeys(resting, -1)
    for first, second in tables:
        ahead = (points[second] > points[first]) - (points[second] < points[first])
        floats |= {first: ahead, second: -ahead}
    return tuple(
        sum(float_ == way == had[person][rounds_ago] for person, float_ in floats.items())
        for rounds_ago in (0, 1)
        for way in (-1, 1)
    )


def all_rounds(people: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield every way to seat people at tables of these sizes; a size of 1 is a bye."""
    if not people:
        yield ()
        return
    first, *others = people
    for size in {*sizes}:
        left = [*sizes]
        left.remove(size)
        for chosen in combinations(others, size - 1):
            rest = tuple(person for person in others if person not in chosen)
            for tables in all_rounds(rest, tuple(left)):
                yield ((first, *chosen), *tables)


def play_swiss(n: int, sizes: tuple[int, ...], chance: Random) -> Iterator[tuple[list[Ranked], Before, SwissRound]]:
    """Play a season in which strength decides, more or less; yield each round before it is played."""
    points, fixtures, byes = dict.fromkeys(names(n), 0), list[Fixture](), list[Bye]()
    luck = chance.choice([0.0, 1.0, 9.0])
    floats = dict.fromkeys(names(n), (0, 0))
    for number in range(1, 5):
        ranked = [
            Ranked(person, Fraction(points[person]), floats[person])
            for person in sorted(points, key=lambda p: -points[p])
        ]
        before, shape = Before([*fixtures], [*byes]), layout(n, sizes)
        assert shape is not None
        drawn = SwissRound(ranked, shape, sizes[0], before, Random(number))
        yield ranked, before, drawn
        tables, resting = drawn.draw()
        now = dict.fromkeys(resting, -1)
        for table in tables:
            others = {person: max(points[other] for other in table if other != person) for person in table}
            now |= {person: (other > points[person]) - (other < points[person]) for person, other in others.items()}
        floats = {person: (now[person], floats[person][0]) for person in floats}
        for table in tables:
            fixtures.append(Fixture("1", number, table))
            for person, worth in zip(
                sorted(table, key=lambda person: int(person[1:]) + luck * chance.random()),
                (10, 8, 6, 4, 3, 2, 1, 0),
                strict=False,
            ):
                points[person] += worth
        for person in resting:
            byes.append(Bye(person, number))
            points[person] += 10


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.drill) for seed in range(8, 40))])
def test_swiss_round_is_as_good_as_the_best_of_all(seed):
    chance = Random(seed)
    n, sizes = chance.randint(7, 10), chance.choice([(2,), (3, 2), (4, 3, 5), (4,), (7, 8, 5)])
    for ranked, before, drawn in play_swiss(n, sizes, chance):
        tables, resting = drawn.draw()
        shape = layout(n, sizes)
        assert shape is not None and sorted(map(len, tables), reverse=True) == [*shape.tables]
        best = min(
            aims(ranked, before, [t for t in tables if len(t) > 1], [t[0] for t in tables if len(t) == 1])
            for tables in all_rounds(tuple(player.person for player in ranked), (*shape.tables, *[1] * shape.byes))
        )
        assert aims(ranked, before, tables, resting) == best


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 200), marks=pytest.mark.drill)])
def test_two_unbeaten_players_meet_if_they_have_not_met(seeds):
    for seed in seeds:
        chance = Random(seed)
        for ranked, before, drawn in play_swiss(chance.randint(7, 16), chance.choice([(2,), (4, 3, 5)]), chance):
            top = [player.person for player in ranked if player.points == ranked[0].points]
            if len(top) == 2 and not meetings(before.fixtures)[tuple(sorted(top))]:
                tables, resting = drawn.draw()
                assert any({*top} <= {*table} for table in tables) or {*top} & {*resting}, (seed, top, tables)


def most_inside(ranked: Sequence[Ranked], before: Before, score: Fraction) -> int:
    """Return the most new duels inside a score group that a round can have, without a second meeting or an unfair bye."""
    n, met = len(ranked), meetings(before.fixtures)
    had_bye = Counter(bye.person for bye in before.byes)
    fewest = min(had_bye[player.person] for player in ranked)

    @cache
    def solve(left: frozenset[int], byes: int) -> float:
        if not left:
            return 0
        first = min(left)
        player, best = ranked[first], float("-inf")
        if byes and had_bye[player.person] == fewest:
            best = solve(left - {first}, byes - 1)
        for other in left - {first}:
            rival = ranked[other]
            if not met[tuple(sorted((player.person, rival.person)))]:
                inside = player.points == rival.points == score
                best = max(best, inside + solve(left - {first, other}, byes))
        return best

    return int(max(0, solve(frozenset(range(n)), n % 2)))


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 200), marks=pytest.mark.drill)])
def test_swiss_separates_no_two_of_the_top_group_needlessly(seeds):
    for seed in seeds:
        chance = Random(seed)
        for ranked, before, drawn in play_swiss(chance.randint(7, 16), (2,), chance):
            tables, _ = drawn.draw()
            met, points = meetings(before.fixtures), {player.person: player.points for player in ranked}
            top = ranked[0].points
            inside = sum(points[a] == points[b] == top and not met[tuple(sorted((a, b)))] for a, b in tables)
            assert inside >= most_inside(ranked, before, top), (seed, len(before.byes))


def dutch_rank(pairs: Sequence[tuple[int, int]]) -> tuple:
    """Return the place of a pairing of 0, 1, 2 ... in the order of candidates of C.04.3 D, written from its text."""
    half = len(pairs)
    upper = sorted(min(pair) for pair in pairs)
    moved_up, moved_down = [n for n in upper if n >= half], [n for n in range(half) if n not in upper]
    opponent = {min(pair): max(pair) for pair in pairs}
    order = (sum(moved_up) - sum(moved_down), [-n for n in sorted(moved_down, reverse=True)], moved_up)
    return len(moved_up), order, [opponent[player] for player in upper]


def all_pairings(players: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not players:
        yield []
        return
    for other in players[1:]:
        rest = tuple(player for player in players[1:] if player != other)
        yield from ([(players[0], other), *pairs] for pairs in all_pairings(rest))


@pytest.mark.parametrize("seed", range(60))
def test_duels_of_a_group_are_the_first_candidate_of_c_04_3(seed):
    chance = Random(seed)
    n = chance.choice([4, 6, 8])
    apart = {pair for pair in combinations(range(n), 2) if chance.random() < chance.choice([0.1, 0.4, 0.6])}
    possible = [pairs for pairs in all_pairings(tuple(range(n))) if not apart & {*pairs}]
    drawn = pair_in_dutch_order(range(n), lambda a, b: (min(a, b), max(a, b)) not in apart)
    if not possible:
        assert drawn is None
    else:
        assert sorted(drawn or []) == sorted(min(possible, key=dutch_rank))


def test_duel_does_not_float_the_same_player_twice_running():
    """The last player of the upper group who met a lower group before stays in the group."""
    people = [Ranked(f"p{n}", Fraction(20 if n < 3 else 10 if n < 6 else 0), (0, 0)) for n in range(6)]
    people[2] = Ranked("p2", Fraction(20), (-1, 0))
    tables, _ = SwissRound(people, Layout((2, 2, 2), 0), 2, Before(), Random(1)).draw()
    floater = next(a for table in tables for a, b in (table, table[::-1]) if a in ("p0", "p1", "p2") and b >= "p3")
    assert floater != "p2"


@pytest.mark.parametrize(("n", "sizes"), [(40, (4, 3, 5)), (41, (2,)), pytest.param(60, (4,), marks=pytest.mark.drill)])
def test_large_swiss_field_has_no_second_meeting_in_four_rounds(n, sizes):
    for _, before, drawn in play_swiss(n, sizes, Random(n)):
        tables, resting = drawn.draw()
        met = meetings(before.fixtures)
        assert sum(again(table, met) for table in tables) == 0
        assert not {*resting} & {bye.person for bye in before.byes}
