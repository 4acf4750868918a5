"""Constructions are exact, tables of a round are well chosen, and a cost counts what is uneven."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.domain.league.schedule import (
    BYE,
    MEETING,
    SEAT,
    SIZE,
    TOGETHER,
    Before,
    Wishes,
    cost,
    every_seat_once,
    exact,
    group_into_rounds,
    layout,
    number_fixtures,
    round_robin,
    schedule_fairness,
)
from daybook.domain.league.seasons import Bye, Fixture

LETTERS = "ABCDEFGHIJKLMNOP"


def fixtures(rounds: list[list[tuple[str, ...]]]) -> list[Fixture]:
    return [Fixture("", number, seats) for number, tables in enumerate(rounds, 1) for seats in tables]


@given(st.permutations("ABCDEFG"))
def test_seven_people_meet_twice_and_sit_in_each_seat_once(people):
    tables = [table for tables in exact(people, 4) for table in tables]
    assert len(tables) == 7
    assert set(Counter(frozenset(pair) for table in tables for pair in combinations(table, 2)).values()) == {2}
    assert len({frozenset(pair) for table in tables for pair in combinations(table, 2)}) == 21
    for seat in range(4):
        assert sorted(table[seat] for table in tables) == sorted(people)


@pytest.mark.parametrize(("people", "seats"), [(n, seats) for seats in range(2, 7) for n in range(seats, 17)])
def test_every_one_sits_once_in_each_seat(people, seats):
    tables = every_seat_once(LETTERS[:people], seats)
    assert all(len(set(table)) == seats for table in tables)
    for seat in range(seats):
        assert sorted(table[seat] for table in tables) == sorted(LETTERS[:people])


@pytest.mark.parametrize(
    ("people", "seats", "meetings"),
    [
        (3, 2, 1),
        (4, 3, 2),
        (5, 4, 3),
        (6, 5, 4),
        (7, 6, 5),
        (7, 3, 1),
        (7, 4, 2),
        (11, 5, 2),
        (11, 6, 3),
        (13, 4, 1),
        (4, 4, 4),
        (6, 6, 6),
    ],
)
def test_where_it_can_be_any_two_meet_equally_often(people, seats, meetings):
    names = LETTERS[:people]
    assert schedule_fairness(names, fixtures(group_into_rounds(every_seat_once(names, seats)))).meetings == (
        meetings,
        meetings,
    )


@given(st.integers(2, 16), st.integers(3, 6))
def test_tables_of_a_round_have_nobody_in_common(people, seats):
    if seats > people:
        return
    tables = every_seat_once(LETTERS[:people], seats)
    rounds = group_into_rounds(tables)
    assert sorted(table for round in rounds for table in round) == sorted(tables)
    assert all(not set(combination) & set(other) for round in rounds for combination, other in combinations(round, 2))


@pytest.mark.parametrize("people", range(2, 17))
def test_tables_of_two_pair_everyone_and_alternate_first_seat(people):
    names = LETTERS[:people]
    rounds = round_robin(names)
    fair = schedule_fairness(names, fixtures(rounds))
    assert (fair.meetings, fair.games) == ((1, 1), (people - 1, people - 1))
    assert fair.seats[1] - fair.seats[0] <= (0 if people % 2 else 1)
    for tables in rounds:
        assert len({person for table in tables for person in table}) == people - people % 2


@given(st.integers(0, 30), st.lists(st.integers(2, 6), min_size=1, max_size=5, unique=True))
def test_a_round_has_as_few_byes_as_can_be(people, sizes):
    seated = (
        {
            sum(tables)
            for n in range(1, 16)
            for tables in combinations_with_replacement(sizes, n)
            if sum(tables) <= people
        }
        if people <= 12
        else None
    )
    found = layout(people, sizes)
    if found is None:
        assert people < min(sizes)
        return
    assert sum(found.tables) + found.byes == people
    assert set(found.tables) <= set(sizes)
    if seated is not None:
        assert found.byes == people - max(seated)


@pytest.mark.parametrize(
    ("people", "tables", "byes"),
    [(7, (4, 3), 0), (8, (4, 4), 0), (9, (5, 4), 0), (10, (4, 3, 3), 0), (5, (5,), 0), (6, (3, 3), 0)],
)
def test_the_preferred_size_comes_first(people, tables, byes):
    found = layout(people, (4, 3, 5))
    assert found is not None
    assert (found.tables, found.byes) == (tables, byes)


def test_a_cost_counts_what_is_uneven():
    four, three = Fixture("1", 1, ("A", "B", "C", "D")), Fixture("2", 2, ("A", "B", "C"))
    assert cost([four], [], 4) == 6 * MEETING + 4 * SEAT
    # A, B, C meet twice: 3 pairs of 4 and 3 of 1; they sit again where they sat; the table of three is unusual
    both = (3 * 4 + 3) * MEETING + (3 * 4 + 1) * SEAT + 3 * SIZE
    assert cost([four, three], [], 4) == both
    assert cost([three], [Bye("D", 2)], 4, before=Before([four], [Bye("D", 0)])) == both + 4 * BYE


def test_wishes_have_their_price():
    table = Fixture("1", 1, ("A", "B", "C"))
    plain = cost([table], [], 3)
    assert cost([table], [], 3, Wishes(apart=frozenset("AC"))) == plain + TOGETHER


def test_tables_are_numbered_through_round_by_round():
    told = [Fixture("", 2, ("A", "B")), Fixture("", 1, ("C", "D"), 2), Fixture("", 1, ("A", "B"), 1)]
    assert [(fixture.table, fixture.round, fixture.division) for fixture in number_fixtures(told, 8)] == [
        ("8", 1, 1),
        ("9", 1, 2),
        ("10", 2, 1),
    ]


@pytest.mark.parametrize(("people", "seats"), [(4, 4), (7, 4), (6, 6), (5, 4), (7, 6), (13, 4)])
def test_a_perfect_schedule_has_an_unfairness_of_nothing(people, seats):
    names = LETTERS[:people]
    fair = schedule_fairness(
        names,
        fixtures(
            exact(names, seats) if (people, seats) == (7, 4) else group_into_rounds(every_seat_once(names, seats))
        ),
    )
    assert (fair.uneven, fair.apart) == (0, 0)


@pytest.mark.parametrize(
    ("tables", "uneven"), [(["ABCD", "BADC"], 0), (["ABCD", "BCDA"], 0), (["ABCD", "ABCD"], 4), (["AB", "CD", "AB"], 3)]
)
def test_unfairness_counts_what_would_have_to_change_hands(tables, uneven):
    planned_ = [Fixture(str(n), n, tuple(table)) for n, table in enumerate(tables, 1)]
    assert schedule_fairness("ABCD", planned_).uneven == uneven


def test_fairness_is_told_as_the_least_and_the_most():
    fair = schedule_fairness("ABCDE", [Fixture("1", 1, tuple("ABC")), Fixture("2", 2, tuple("ABD"))], [Bye("E", 1)])
    assert (fair.meetings, fair.games, fair.byes, fair.never) == ((0, 2), (0, 2), (0, 1), 5)
    assert fair.seats == (0, 2)
