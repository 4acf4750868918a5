"""Rounds of a knock-out: the remaining players, and the tables of the next round.

At each table the first `advance_per_table` players reach the next round; the others lose a life. A player without a life left is out. Each round is seeded
again by the standings, and drawn when all tables of the round before are over. The last table is the final: only its
first player wins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from random import Random

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.schedule import Layout, layout
from daybook.domain.league.seasons import Format

REPEATED_MEETING_COST = 4  # of two players at one table after an earlier meeting
SAME_GROUP_COST = 1  # of two players at one table from the same group
MAX_SWAP_PASSES = 4


class PlayedTable(Frozen):
    """A finished table. ranked: the players that get its result, the best first; lost: the absent players."""

    round: int
    ranked: tuple[str, ...]
    lost: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        return (*self.ranked, *self.lost)


class KnockoutRound(Frozen):
    """The tables of the next round, and the players with a bye."""

    tables: tuple[tuple[str, ...], ...]
    resting: tuple[str, ...]
    is_final: bool


def count_losses(season_format: Format, players: Sequence[str], played: Sequence[PlayedTable]) -> dict[str, int]:
    """Count the lives that each player has lost."""
    losses = dict.fromkeys(players, 0)
    for number in sorted({table.round for table in played}):
        tables = [table for table in played if table.round == number]
        alive = {person for person in players if losses[person] < season_format.lives}
        advance = 1 if len(tables) == 1 and alive <= {*tables[0].people} else season_format.advance_per_table
        for table in tables:
            decides = advance == 1 and len(tables) == 1 and len(table.people) > 2
            for person in (*table.ranked[advance:], *table.lost):
                if person in losses:
                    losses[person] = season_format.lives if decides else losses[person] + 1
    return losses


def is_over(season_format: Format, alive: Collection[str], played: Sequence[PlayedTable]) -> bool:
    """Check if the final was played. With two lives at tables of two, both may have to meet again."""
    return len(alive) < 2 and bool(played)


def draw_next_round(
    season_format: Format,
    ordered: Sequence[str],
    played: Sequence[PlayedTable],
    byes: Mapping[str, int],
    groups: Mapping[str, tuple[int, int]],
    chance: Random,
) -> KnockoutRound | Reason:
    """Draw the next round, or return the reason why no round is left.

    Args:
        ordered: the players without withdrawn ones, the best first: by seed, later by the standings.
        byes: the number of byes of each player.
        groups: the earlier group of each player; players of one group are separated if possible.
    """
    losses = count_losses(season_format, ordered, played)
    alive = [person for person in ordered if losses[person] < season_format.lives]
    if is_over(season_format, alive, played):
        return because("knockout_over", "the final is played: close the season")
    sizes = season_format.table_sizes
    if len(alive) in sizes:
        return KnockoutRound((_shuffle_seats(alive, chance),), (), True)
    if len(alive) < min(sizes):
        return because("knockout_few", "only {n} players are left, too few for a table", n=len(alive))
    brackets = [[person for person in alive if losses[person] == lost] for lost in range(season_format.lives)]
    able = [bracket for bracket in brackets if len(bracket) >= min(sizes)]
    met = count_meetings(played)
    tables = list[tuple[str, ...]]()
    for bracket in able or [alive]:
        shape = _choose_layout(len(bracket), sizes, is_first=not played)
        by_byes = sorted(bracket, key=lambda person: (byes.get(person, 0), bracket.index(person)))
        resting = by_byes[: shape.byes]
        seated = deal_in_snake_order([person for person in bracket if person not in resting], shape.tables)
        tables += [_shuffle_seats(table, chance) for table in _separate_acquainted(seated, met, groups)]
    seated_people = {person for table in tables for person in table}
    return KnockoutRound(tuple(tables), tuple(person for person in alive if person not in seated_people), False)


def _choose_layout(people: int, sizes: Sequence[int], *, is_first: bool) -> Layout:
    """Return the table sizes of a bracket. Tables of two leave a power of two after the first round."""
    if tuple(sizes) == (2,) and is_first:
        full = 1 << (people - 1).bit_length()
        return Layout((2,) * (people - full // 2), full - people)
    shape = layout(people, sizes)
    assert shape is not None
    return shape


def deal_in_snake_order(people: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Deal the players to tables, forwards and backwards, so that all tables are about equally strong."""
    tables: list[list[str]] = [[] for _ in sizes]
    unseated, forwards = [*people], True
    while unseated:
        order = range(len(sizes)) if forwards else range(len(sizes) - 1, -1, -1)
        for number in order:
            if unseated and len(tables[number]) < sizes[number]:
                tables[number].append(unseated.pop(0))
        forwards = not forwards
    return tables


def count_meetings(played: Sequence[PlayedTable]) -> dict[frozenset[str], int]:
    """Count the tables that each pair of players had in common."""
    met = dict[frozenset[str], int]()
    for table in played:
        for pair in combinations(table.ranked, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return met


def _separate_acquainted(
    tables: list[list[str]], met: Mapping[frozenset[str], int], groups: Mapping[str, tuple[int, int]]
) -> list[list[str]]:
    """Swap players of the same strength between tables to reduce repeated meetings and meetings within a group."""

    def cost(table: Sequence[str]) -> int:
        return sum(
            REPEATED_MEETING_COST * met.get(frozenset(pair), 0)
            + SAME_GROUP_COST * (pair[0] in groups and groups[pair[0]] == groups.get(pair[1]))
            for pair in combinations(table, 2)
        )

    for _ in range(MAX_SWAP_PASSES):
        improved = False
        for first, second in combinations(tables, 2):
            for level in range(min(len(first), len(second))):
                before = cost(first) + cost(second)
                first[level], second[level] = second[level], first[level]
                if cost(first) + cost(second) < before:
                    improved = True
                else:
                    first[level], second[level] = second[level], first[level]
        if not improved:
            break
    return tables


def _shuffle_seats(table: Sequence[str], chance: Random) -> tuple[str, ...]:
    """Return the players of a table in a random order of seats."""
    seats = [*table]
    chance.shuffle(seats)
    return tuple(seats)
