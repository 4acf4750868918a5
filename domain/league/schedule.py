"""Schedules and their fairness: meetings, seats and byes. Services search for them; this module scores them.

A schedule is fair when any two people meet equally often, and each sits equally often in each seat. All
have equally many byes, and are equally often at tables of an unusual size. The cost of a schedule is the sum of the
squared differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.seasons import Bye, Fixture

MEETING, BYE, SIZE, SEAT = 8, 200, 4, 1  # cost per square of each
TOGETHER = 1000  # cost of two people at one table who should be apart

SEVEN = (2, 4, 5, 6)  # for 7 people: shifted seven times, every two meet exactly twice
ROTATION_LIMIT = 16  # people in a group whose tables are rotations of one table


class Layout(Frozen):
    """Table sizes of one round, and the number of byes."""

    tables: tuple[int, ...]
    byes: int


class Before(Frozen):
    """The tables and byes that exist before a draw."""

    fixtures: Sequence[Fixture] = ()
    byes: Sequence[Bye] = ()

    def of_group(self, division: int, group: int) -> Before:
        return Before(
            [fixture for fixture in self.fixtures if (fixture.division, fixture.group) == (division, group)],
            [bye for bye in self.byes if (bye.division, bye.group) == (division, group)],
        )


class Wishes(Frozen):
    """Further preferences for a round.

    apart: these people should sit at different tables. costs: the cost of seating two people at one table, by the pair in both orders.
    """

    apart: frozenset[str] = frozenset()
    costs: Mapping[tuple[str, str], int] = {}

    def together(self, person: str, other_person: str) -> int:
        """Return the cost of two people at one table."""
        cost = TOGETHER if person in self.apart and other_person in self.apart else 0
        return cost + self.costs.get((person, other_person), 0)


NO_WISHES = Wishes()


class Schedule(Frozen):
    """Tables and byes of rounds."""

    rounds: tuple[int, ...]
    fixtures: tuple[Fixture, ...]
    byes: tuple[Bye, ...] = ()
    seed: int = 0  # of the draw
    cost: int = 0  # including the earlier rounds


class Fairness(Frozen):
    """Evenness of a schedule: least and greatest values.

    meetings: of any two people. seats: of any person in any seat. games, byes: of any person. never: how many pairs
    do not meet. uneven: how many meetings, seats and byes would have to move until nothing could be more even; 0 is
    perfect.
    """

    meetings: tuple[int, int]
    seats: tuple[int, int]
    games: tuple[int, int]
    byes: tuple[int, int]
    never: int
    uneven: int

    @property
    def apart(self) -> int:
        """Largest difference between two people in any of these."""
        return max(most - least for least, most in (self.meetings, self.seats, self.byes))


# --- the tables of a round -------------------------------------------------------------------------------------------


def layout(people: int, sizes: Sequence[int]) -> Layout | None:
    """Return the tables for n people with the fewest byes, then the preferred sizes. None: they fill no table.

    sizes: allowed ones, the preferred first.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # people at tables -> (what the sizes cost, tables)
    for seated in range(1, people + 1):
        ways = [
            (best[seated - size][0] + rank, (*best[seated - size][1], size))
            for rank, size in enumerate(sizes)
            if seated - size in best
        ]
        if ways:
            best[seated] = min(ways)
    most = max(best)
    return Layout(tuple(sorted(best[most][1], reverse=True)), people - most) if most else None


# --- exact tables ----------------------------------------------------------------------------------------------------


@lru_cache
def cyclic_table(people: int, seats: int) -> tuple[int, ...]:
    """Return a table which, shifted around all people, gives the most even meetings."""
    if (people, seats) == (7, 4):
        return SEVEN
    return min(
        ((0, *rest) for rest in combinations(range(1, people), seats - 1)),
        key=lambda table: sum(n * n for n in _distances(table, people).values()),
    )


def _distances(table: Sequence[int], people: int) -> Counter[int]:
    """Count the distances between seats of a table in a circle of people."""
    return Counter((seat - other) % people for seat in table for other in table if seat != other)


def exact(people: Sequence[str], seats: int) -> list[list[tuple[str, ...]]]:
    """Return rounds in which all play equally often, without chance.

    At tables of two everyone meets everyone once. At larger ones each person sits once in each seat.
    """
    return round_robin(people) if seats == 2 else group_into_rounds(every_seat_once(people, seats))


def every_seat_once(people: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return as many tables as people. Seven people at tables of four meet exactly twice."""
    n = len(people)
    return [tuple(people[(at + shift) % n] for at in cyclic_table(n, seats)) for shift in range(n)]


def group_into_rounds(tables: Iterable[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    """Group tables into rounds, each in the first round in which all its people are free."""
    rounds: list[list[tuple[str, ...]]] = []
    for table in tables:
        free = next(
            (round_tables for round_tables in rounds if not any(set(table) & set(other) for other in round_tables)),
            None,
        )
        if free is None:
            rounds.append([table])
        else:
            free.append(table)
    return rounds


def round_robin(people: Sequence[str]) -> list[list[tuple[str, ...]]]:
    """Pair everyone with everyone once. Sitting first and second differs by one at most.

    The people stand in a circle. In each round those meet who are equally far from one of them. With an even
    number, the last one stands outside and meets the one who would rest.
    """
    circle, outside = (people, ()) if len(people) % 2 else (people[:-1], people[-1:])
    n = len(circle)
    rounds = []
    for rest in range(n):
        tables = [(circle[(rest + far) % n], circle[rest - far]) for far in range(1, n // 2 + 1)]
        tables += [(person, circle[rest]) if rest % 2 else (circle[rest], person) for person in outside]
        rounds.append(list[tuple[str, ...]](tables))
    return rounds


# --- fairness --------------------------------------------------------------------------------------------------------


def cost(
    fixtures: Iterable[Fixture],
    byes: Iterable[Bye],
    usual: int,
    wishes: Wishes = NO_WISHES,
    before: Before = Before(),  # noqa: B008
) -> int:
    """Return how uneven a schedule is, including what exists already.

    It adds the squares of how often two people meet, and of how often a person sits in a seat, has a bye, or is at
    a table of an unusual size. usual: the preferred number of seats. wishes: hold for new tables only.
    """
    fixtures, byes = list(fixtures), list(byes)
    squares = _count_meetings((*before.fixtures, *fixtures)), _count_seatings((*before.fixtures, *fixtures))
    unusual = Counter(
        person for fixture in (*before.fixtures, *fixtures) if len(fixture.seats) != usual for person in fixture.seats
    )
    resting = Counter(bye.person for bye in (*before.byes, *byes))
    return (
        MEETING * _sum_of_squares(squares[0])
        + SEAT * _sum_of_squares(squares[1])
        + SIZE * _sum_of_squares(unusual)
        + BYE * _sum_of_squares(resting)
        + sum(wishes.together(*pair) for fixture in fixtures for pair in combinations(fixture.seats, 2))
    )


def _sum_of_squares(counted: Counter[str] | Counter[tuple[str, str]] | Counter[tuple[str, int]]) -> int:
    return sum(n * n for n in counted.values())


def _count_meetings(fixtures: Iterable[Fixture]) -> Counter[tuple[str, str]]:
    return Counter(pair for fixture in fixtures for pair in combinations(sorted(fixture.seats), 2))


def _count_seatings(fixtures: Iterable[Fixture]) -> Counter[tuple[str, int]]:
    return Counter((person, seat) for fixture in fixtures for seat, person in enumerate(fixture.seats))


def schedule_fairness(people: Sequence[str], fixtures: Sequence[Fixture], byes: Sequence[Bye] = ()) -> Fairness:
    """Return how even a schedule is among these people."""
    met, sat = _count_meetings(fixtures), _count_seatings(fixtures)
    games = Counter(person for fixture in fixtures for person in fixture.seats)
    resting = Counter(bye.person for bye in byes)
    inside = frozenset(people)
    of_pairs = Counter(n for pair, n in met.items() if inside.issuperset(pair))
    if apart := len(people) * (len(people) - 1) // 2 - of_pairs.total():
        of_pairs[0] = apart
    seats = range(min((len(fixture.seats) for fixture in fixtures), default=0))
    return Fairness(
        _span(of_pairs),
        _span([sat[person, seat] for person in people for seat in seats]),
        _span([games[person] for person in people]),
        _span([resting[person] for person in people]),
        of_pairs[0],
        _uneven(of_pairs)
        + sum(_uneven(Counter(sat[person, seat] for person in people)) for seat in seats)
        + _uneven(Counter(resting[person] for person in people)),
    )


def _uneven(counted: Counter[int]) -> int:
    """Return how many would have to move from those with more to those with less until it is even.

    counted: how often each number occurs.
    """
    if not counted:
        return 0
    total = sum(n * times for n, times in counted.items())
    each, over = divmod(total, counted.total())
    squares = sum(n * n * times for n, times in counted.items())
    return (squares - over * (each + 1) ** 2 - (counted.total() - over) * each**2) // 2


def _span(counted: Collection[int]) -> tuple[int, int]:
    """Return the lowest and the highest count, 0 without any."""
    return min(counted, default=0), max(counted, default=0)


def number_fixtures(fixtures: Iterable[Fixture], first_table: int) -> tuple[Fixture, ...]:
    """Return tables numbered round by round."""
    in_order = sorted(fixtures, key=lambda fixture: (fixture.round, fixture.division, fixture.group))
    return tuple(
        msgspec.structs.replace(fixture, table=str(number)) for number, fixture in enumerate(in_order, first_table)
    )
