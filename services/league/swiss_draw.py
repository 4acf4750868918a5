"""Draw a round of a Swiss season by score groups from the top, as FIDE's Dutch system (C.04.3), also for larger tables.

The aims, in this order:

1. No player has a second bye before all others had one.
2. No two players meet again.
3. Byes go to the lowest score groups.
4. Players of a score group who have not met sit together, the highest group first.
5. Players of different score groups meet only if the groups are near, seen from the top.
6. At tables of two, no player meets a lower score group (or has a bye) twice running, nor a higher one; then the same for
   the round before (C14 to C17).
7. At tables of two, the upper half of a group meets the lower half, with transpositions and exchanges in the order of
   C.04.3 D. At larger tables, neighbours meet.

Two differences from C.04.3: seats have no preference as colours have; and the players of a group stay together, even if a
player of the group above then meets a lower group.

Up to EXACT people, the best round is found. Larger fields are improved by exact searches of neighbouring tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from operator import itemgetter
from random import Random

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.schedule import NO_WISHES, Before, Layout, Wishes

EXACT = 16  # people for whom all rounds are compared
WINDOW = 12  # people of neighbouring tables that are drawn again together
MAX_PASSES = 6  # over all windows
MAX_DUTCH_STEPS = 20_000  # of the search for one score group
Table = tuple[int, ...]  # people by their number in the standings


class Ranked(Frozen):
    """A player in the standings, the best first.

    floats: of the last round and the one before: -1 if the player met a lower score group or had a bye, 1 if a higher
    one, else 0.
    """

    person: str
    points: Fraction
    floats: tuple[int, int] = (0, 0)


class _Weights(Frozen):
    """Cost of each aim: one unit costs more than all that come after it together."""

    bye: int
    repeat: int
    bye_group: int
    together: tuple[int, ...]  # by score group
    mixing: tuple[int, ...]  # by the higher score group
    floats: tuple[int, int, int, int]  # down and up in the last round, down and up in the one before
    size: int


class SwissRound:
    """The search for one round."""

    def __init__(
        self,
        ranked: Sequence[Ranked],
        shape: Layout,
        usual: int,
        before: Before,
        chance: Random,
        wishes: Wishes = NO_WISHES,
    ) -> None:
        self.people = [player.person for player in ranked]
        n = len(ranked)
        scores = sorted({player.points for player in ranked}, reverse=True)
        self.group = [scores.index(player.points) for player in ranked]
        self.shape, self.usual, self.chance = shape, usual, chance
        self.is_duel = shape.tables[0] == 2
        self.floats = [player.floats if self.is_duel else (0, 0) for player in ranked]
        number = {person: at for at, person in enumerate(self.people)}
        self.met = [[0] * n for _ in ranked]
        self.sat = [dict[int, int]() for _ in ranked]
        self.unusual, self.byes = [0] * n, [0] * n
        for fixture in before.fixtures:
            for seat, person in enumerate(fixture.seats):
                if (player := number.get(person)) is not None:
                    self.sat[player][seat] = self.sat[player].get(seat, 0) + 1
                    self.unusual[player] += len(fixture.seats) != usual
            for first, second in combinations([number[person] for person in fixture.seats if person in number], 2):
                self.met[first][second] += 1
                self.met[second][first] += 1
        for first, second in combinations(range(n), 2):
            if wishes.together(self.people[first], self.people[second]):  # players of one team
                self.met[first][second] += 1
                self.met[second][first] += 1
        for bye in before.byes:
            if bye.person in number:
                self.byes[number[bye.person]] += 1
        self.weights = self._make_weights(len(scores))
        self.pair_cost = [[self._cost_of_pair(first, second) for second in range(n)] for first in range(n)]
        self._costs = dict[Table, int]()

    # --- the cost ---

    def _make_weights(self, groups: int) -> _Weights:
        n, rounds = len(self.people), 1 + max((count for row in self.met for count in row), default=0)
        pairs = n * n
        weight = 1 + pairs * n * n
        size, weight = weight, weight * (1 + n * (2 * max(self.unusual, default=0) + 1))
        floats = list[int]()
        for _ in range(4):
            floats.insert(0, weight)
            weight *= 1 + n
        mixing = list[int]()
        for _ in range(groups):
            mixing.insert(0, weight)
            weight *= 1 + pairs * groups * groups
        together = list[int]()
        for _ in range(groups):
            together.insert(0, weight)
            weight *= 1 + pairs
        bye_group, weight = weight, weight * (1 + n * groups)
        repeat, weight = weight, weight * (1 + 2 * pairs * rounds)
        down, up, down_before, up_before = floats
        return _Weights(
            weight, repeat, bye_group, tuple(together), tuple(mixing), (down, up, down_before, up_before), size
        )

    def _cost_of_pair(self, first: int, second: int) -> int:
        """Return the cost of two players at one table."""
        group, other_group, weights = self.group[first], self.group[second], self.weights
        mixing = weights.mixing[min(group, other_group)]
        cost = 2 * self.met[first][second] * weights.repeat + (group - other_group) ** 2 * mixing
        if group != other_group:
            higher, lower = (first, second) if group < other_group else (second, first)
            cost += self._cost_of_float(higher, -1) + self._cost_of_float(lower, 1)
        if group == other_group and not self.met[first][second]:
            cost -= weights.together[group]
        distance = abs(first - second)
        if self.is_duel and group == other_group:
            distance -= self.group.count(group) // 2
        return cost + distance**2

    def _cost_of_float(self, player: int, direction: int) -> int:
        """Return the cost of a player's float: as in the last round, and as in the one before."""
        last, before = (0, 2) if direction < 0 else (1, 3)
        floats = self.floats[player]
        return (floats[0] == direction) * self.weights.floats[last] + (floats[1] == direction) * self.weights.floats[
            before
        ]

    def _cost_of_table(self, table: Table) -> int:
        """Return the cost of a table; of one player: of a bye."""
        found = self._costs.get(table)
        if found is None:
            if len(table) == 1:
                (player,) = table
                lower = max(self.group) - self.group[player]
                found = 2 * self.byes[player] * self.weights.bye + lower * self.weights.bye_group
                found += self._cost_of_float(player, -1)
                found -= player  # the last of the group
            else:
                found = sum(self.pair_cost[first][second] for first, second in combinations(table, 2))
                if len(table) != self.usual:
                    found += self.weights.size * sum(2 * self.unusual[player] + 1 for player in table)
            self._costs[table] = found
        return found

    # --- the search ---

    def draw(self) -> tuple[list[tuple[str, ...]], list[str]]:
        """Return the tables, each in the order of its seats, and the people with a bye."""
        sizes = tuple(sorted((*self.shape.tables, *[1] * self.shape.byes), reverse=True))
        everybody = tuple(range(len(self.people)))
        tables = self._best(everybody, sizes) if len(everybody) <= EXACT else self._improved(everybody, sizes)
        if self.is_duel:
            tables = self._in_dutch_order(tables)
        seated = [self._seat(table) for table in sorted(tables) if len(table) > 1]
        return seated, [self.people[player] for (player,) in (table for table in tables if len(table) == 1)]

    def _in_dutch_order(self, tables: Sequence[Table]) -> list[Table]:
        """Pair the inner duels of each score group again, in the order of candidates of C.04.3."""
        inside = [table for table in tables if len(table) == 2 and self.group[table[0]] == self.group[table[1]]]
        found = [table for table in tables if table not in inside]
        for group in dict.fromkeys(self.group[table[0]] for table in inside):
            pairs = [table for table in inside if self.group[table[0]] == group]
            repeats = sum(self.met[first][second] for first, second in pairs)
            players = sorted(player for table in pairs for player in table)
            better = None if repeats else pair_in_dutch_order(players, lambda one, two: not self.met[one][two])
            found += pairs if better is None else better
        return found

    def _best(self, players: Table, sizes: tuple[int, ...]) -> list[Table]:
        """Return the cheapest tables of these sizes for some players, by dynamic programming."""
        known = dict[tuple[Table, tuple[int, ...]], tuple[int, Table]]()

        def solve(left: Table, open_sizes: tuple[int, ...]) -> int:
            if not left:
                return 0
            if (found := known.get((left, open_sizes))) is not None:
                return found[0]
            best: tuple[int, Table] | None = None
            for table, rest, sizes_left in self._first_tables(left, open_sizes):
                cost = self._cost_of_table(table) + solve(rest, sizes_left)
                if best is None or cost < best[0]:
                    best = cost, table
            assert best is not None
            known[left, open_sizes] = best
            return best[0]

        solve(players, sizes)
        tables, left, open_sizes = list[Table](), players, sizes
        while left:
            _, table = known[left, open_sizes]
            tables.append(table)
            left = tuple(player for player in left if player not in table)
            open_sizes = _without(open_sizes, len(table))
        return tables

    @staticmethod
    def _first_tables(left: Table, sizes: tuple[int, ...]) -> Iterator[tuple[Table, Table, tuple[int, ...]]]:
        """Yield each possible table of the first player, with the players and sizes that are left."""
        first, *others = left
        for size in dict.fromkeys(sizes):
            sizes_left = _without(sizes, size)
            for chosen in combinations(others, size - 1):
                rest = tuple(player for player in others if player not in chosen)
                yield (first, *chosen), rest, sizes_left

    def _improved(self, players: Table, sizes: tuple[int, ...]) -> list[Table]:
        """Return good tables of a large field: begin in the order of the standings, then draw neighbours again."""
        resting = sorted(players, key=lambda player: self._cost_of_table((player,)))[: self.shape.byes]
        left = [player for player in players if player not in resting]
        tables = list[Table]()
        for size in self.shape.tables:
            tables.append(tuple(left[:size]))
            del left[:size]
        for _ in range(MAX_PASSES):
            before = self._total(tables)
            at = 0
            while at < len(tables):
                end = at + 1
                while end < len(tables) and sum(map(len, tables[at : end + 1])) <= WINDOW:
                    end += 1
                self._redraw(tables, range(at, end))
                at += max(1, (end - at) // 2)
            for first, second in combinations(range(len(tables)), 2):
                if second > first + 1 and self._costs_much(tables, first, second):
                    self._redraw(tables, (first, second))
            tables.sort()
            if self._total(tables) == before:
                break
        return [*tables, *((player,) for player in resting)]

    def _redraw(self, tables: list[Table], chosen: Sequence[int]) -> None:
        """Draw some tables again among their players, if that is cheaper."""
        players = tuple(sorted(player for at in chosen for player in tables[at]))
        sizes = tuple(sorted((len(tables[at]) for at in chosen), reverse=True))
        if len(chosen) < 2:
            return
        if sum(sizes) > WINDOW:  # two large tables
            self._swap_players(tables, *chosen)
            return
        found = self._best(players, sizes)
        if self._total(found) < sum(self._cost_of_table(tables[at]) for at in chosen):
            for at, table in zip(chosen, found, strict=True):
                tables[at] = table

    def _swap_players(self, tables: list[Table], first: int, second: int) -> None:
        """Swap players of two tables, one of each at a time, while that is cheaper."""
        while True:
            swaps = [
                (self._cost_of_table(table) + self._cost_of_table(other), table, other)
                for player in tables[first]
                for other_player in tables[second]
                for table in (_replace_player(tables[first], player, other_player),)
                for other in (_replace_player(tables[second], other_player, player),)
            ]
            cost, table, other = min(swaps)
            if cost >= self._cost_of_table(tables[first]) + self._cost_of_table(tables[second]):
                return
            tables[first], tables[second] = table, other

    def _costs_much(self, tables: Sequence[Table], first: int, second: int) -> bool:
        """Check if players of a table that repeats a meeting, or mixes groups, could change with another table."""
        return any(
            self.met[player][other] or self.group[player] != self.group[other]
            for at in (first, second)
            for player, other in combinations(tables[at], 2)
        )

    def _total(self, tables: Sequence[Table]) -> int:
        return sum(map(self._cost_of_table, tables))

    def _seat(self, table: Table) -> tuple[str, ...]:
        """Return the people of a table in seats that they had least often; equal orders are drawn."""
        mixed = [*table]
        self.chance.shuffle(mixed)

        @cache
        def seat_rest(seated: frozenset[int]) -> tuple[int, tuple[int, ...]]:
            """Return the cost and the order of the players that follow these."""
            seat = len(seated)
            ways = []
            for player in mixed:
                if player not in seated:
                    cost, order = seat_rest(seated | {player})
                    ways.append((cost + 2 * self.sat[player].get(seat, 0), (player, *order)))
            return min(ways, key=itemgetter(0), default=(0, ()))

        return tuple(self.people[player] for player in seat_rest(frozenset())[1])


def pair_in_dutch_order(players: Sequence[int], may_meet: Callable[[int, int], bool]) -> list[Table] | None:
    """Return the first pairing of an even number of players in the order of FIDE's Dutch system (C.04.3 D).

    The upper half (S1) meets the lower half (S2): first in their order, then by transpositions of S2, then by exchanges
    between the halves. None: no pairing exists, or the search took too long.
    """
    half, steps = len(players) // 2, 0

    def match(upper: Sequence[int], lower: tuple[int, ...]) -> list[Table] | None:
        """Pair the first of the upper players with the first possible one of the lower, and so on."""
        nonlocal steps
        if not upper:
            return []
        for other in lower:
            steps += 1
            if steps > MAX_DUTCH_STEPS:
                return None
            if may_meet(upper[0], other):
                rest = match(upper[1:], tuple(player for player in lower if player != other))
                if rest is not None:
                    return [(min(upper[0], other), max(upper[0], other)), *rest]
        return None

    for upper, lower in _exchanges(half):
        if steps > MAX_DUTCH_STEPS:
            return None
        found = match([players[at] for at in upper], tuple(players[at] for at in lower))
        if found is not None:
            return found
    return None


def _exchanges(half: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the upper and lower halves by number, with more and more players exchanged (C.04.3 D.2)."""
    upper, lower = range(half), range(half, 2 * half)
    for count in range(half + 1):
        if comb(half, count) ** 2 > MAX_DUTCH_STEPS:
            return
        ways = [(down, up) for down in combinations(upper, count) for up in combinations(lower, count)]
        for down, up in sorted(ways, key=lambda way: (sum(way[1]) - sum(way[0]), [-n for n in way[0][::-1]], way[1])):
            yield sorted({*upper} - {*down} | {*up}), sorted({*lower} - {*up} | {*down})


def _replace_player(table: Table, player: int, new_player: int) -> Table:
    return tuple(sorted(new_player if each == player else each for each in table))


def _without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1 :]
