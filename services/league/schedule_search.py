"""Draw schedules by a seeded search for what `domain.league.schedule` scores as fair.

The same seed, people and earlier tables give the same schedule. Where a construction exists, it is used instead of a
search; the seed then only assigns people to its numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from random import Random

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because, by_number
from daybook.domain.league.results import SEATS_LIMIT
from daybook.domain.league.schedule import (
    BYE,
    MEETING,
    NO_WISHES,
    ROTATION_LIMIT,
    SEAT,
    SIZE,
    Before,
    Layout,
    Schedule,
    Wishes,
    cost,
    exact,
    layout,
    number_fixtures,
)
from daybook.domain.league.seasons import Bye, Entrant, Fixture, Format
from daybook.domain.league.standings import GroupStandings, StandingRow
from daybook.services.league.swiss_draw import Ranked, SwissRound

MAX_TRIES = 300_000  # swaps per group: about two seconds
TRIES_PER_SEAT = 1_500  # and round
RESTARTS = 5  # of the annealing, each from the current state
DrawnSeason = tuple[list[Fixture], list[Bye]]


class CannotDrawError(Refused):
    """No schedule exists for these people; the reason says why."""


# --- what is drawn ---------------------------------------------------------------------------------------------------


def draw_season(
    season_format: Format,
    entrants: Sequence[Entrant],
    seed: int,
    *,
    before: Before = Before(),
    first_table: int = 1,
    wishes: Wishes = NO_WISHES,
) -> Schedule:
    """Draw all remaining rounds; if their number is open, a full cycle (`_whole_season`) or the next round.

    entrants: the players who have not withdrawn. before: tables and byes of rounds that are not redrawn. Raises CannotDrawError.
    """
    if season_format.kind in ("free", "heats", "swiss"):
        raise CannotDrawError(because("kind", "the tables of such a season are not drawn all at once"))
    begun = _last_standing_round(before)
    fixtures: list[Fixture] = []
    byes: list[Bye] = []
    for (division, group), people in _groups(entrants).items():
        chance = _group_chance(seed, division, group)
        group_before = before.of_group(division, group)
        if season_format.rounds or season_format.kind == "rounds":
            left = _rounds_left(season_format, begun)
            drawn = _search_rounds(people, season_format, left, chance, group_before, wishes)
        else:
            drawn = _whole_season(people, season_format, chance, group_before)
        fixtures += [_in_group(fixture, division, group) for fixture in drawn[0]]
        byes += [Bye(bye.person, bye.round, division, group) for bye in drawn[1]]
    return _schedule(season_format, fixtures, byes, seed, before, first_table, wishes)


def draw_swiss(
    season_format: Format,
    groups: Sequence[GroupStandings],
    seed: int,
    *,
    before: Before = Before(),
    first_table: int = 1,
    excused: Collection[str] = (),
    wishes: Wishes = NO_WISHES,
) -> Schedule:
    """Draw the next round by score groups from the top, if possible without a second meeting.

    wishes: two people with a cost count as people who have met. groups: the current standings; withdrawn players are
    left out. excused: people who do not play the round. Raises CannotDrawError.
    """
    next_round = _rounds_left(season_format, _last_standing_round(before))[0]
    chance = _group_chance(seed, 1, 1)
    rows = [row for group in groups for row in group.rows if not row.withdrawn and row.person not in excused]
    ranked = sorted(rows, key=lambda row: (-row.points, row.place, chance.random()))
    shape = _layout([row.person for row in ranked], season_format)
    floats = find_floats(ranked, next_round) if season_format.table_sizes[0] == 2 else {}
    search = SwissRound(
        [Ranked(row.person, row.points, floats.get(row.person, (0, 0))) for row in ranked],
        shape,
        season_format.table_sizes[0],
        before,
        chance,
        wishes,
    )
    tables, resting = search.draw()
    fixtures = [Fixture("", next_round, table) for table in tables]
    byes = [Bye(person, next_round) for person in resting]
    return _schedule(season_format, fixtures, byes, seed, before, first_table)


def find_floats(rows: Sequence[StandingRow], next_round: int) -> dict[str, tuple[int, int]]:
    """Return the floats of the last two rounds at tables of two, as `Ranked` has them, by person."""

    def points_before(person: str, number: int) -> Fraction:
        counted = (line for line in lines.get(person, ()) if line.round < number and line.why_not is None)
        return sum((line.points for line in counted), Fraction(0))

    def float_of(person: str, number: int) -> int:
        for line in lines[person]:
            if line.round != number or line.why_not is not None:
                continue
            if line.result is None or not line.result.was_played:
                return -1 if line.points > 0 else 0  # points without a game
            others = [other for other in line.result.people if other != person]
            ahead = sum((points_before(other, number) for other in others), Fraction(0)) - points_before(person, number)
            return (ahead > 0) - (ahead < 0)
        return 0

    lines = {row.person: row.lines for row in rows}
    return {row.person: (float_of(row.person, next_round - 1), float_of(row.person, next_round - 2)) for row in rows}


def draw_heat(
    season_format: Format, people: Sequence[str], seed: int, *, before: Before = Before(), first_table: int = 1
) -> Schedule:
    """Draw a heat in which the best players, one per table, sit at different tables.

    `people` has the best first. Raises CannotDrawError.
    """
    next_round = _last_standing_round(before) + 1
    tables = len(_layout(people, season_format).tables)
    wishes = Wishes(apart=frozenset(people[:tables]))
    drawn = _search_rounds(people, season_format, [next_round], _group_chance(seed, 1, 1), before, wishes)
    return _schedule(season_format, *drawn, seed, before, first_table, wishes)


def draw_round(season_format: Format, people: Sequence[str], seed: int, *, before: Before, wishes: Wishes) -> Schedule:
    """Draw the tables of one evening. Raises CannotDrawError."""
    drawn = _search_rounds(people, season_format, [1], _group_chance(seed, 1, 1), before, wishes)
    return _schedule(season_format, *drawn, seed, before, 1, wishes)


def _rounds_left(season_format: Format, begun: int) -> range:
    """Return the rounds to draw; if their number is open, the next one. Raises CannotDrawError."""
    left = range(begun + 1, (season_format.rounds or begun + 1) + 1)
    if not left:
        raise CannotDrawError(because("rounds_drawn", "all {n} rounds have been drawn", n=season_format.rounds))
    return left


def _whole_season(people: Sequence[str], season_format: Format, chance: Random, before: Before) -> DrawnSeason:
    """Draw a full cycle of a group with an open number of rounds: each player sits equally often in each seat.

    Raises CannotDrawError.
    """
    if before.fixtures:
        raise CannotDrawError(
            because(
                "drawn_whole", "the tables of a group are drawn as a whole; who sits at them can be changed one by one"
            )
        )
    seats = next((size for size in season_format.table_sizes if size <= len(people)), 0)
    if not seats or (seats > 2 and seats < len(people) and (len(people) % seats == 0 or len(people) > ROTATION_LIMIT)):
        return _search_rounds(people, season_format, range(1, seats + 1), chance, before)
    rounds = exact(_shuffle(people, chance), seats)
    return [Fixture("", number, table) for number, tables in enumerate(rounds, 1) for table in tables], []


def _last_standing_round(before: Before) -> int:
    """Return the last round that is not redrawn, 0 if there is none."""
    return max((*(bye.round for bye in before.fixtures), *(fixture.round for fixture in before.byes)), default=0)


def _groups(entrants: Iterable[Entrant]) -> dict[tuple[int, int], list[str]]:
    """Return the entered people by division and group."""
    groups: dict[tuple[int, int], list[str]] = {}
    for entrant in sorted(entrants, key=lambda entrant: (entrant.division, entrant.group)):
        groups.setdefault((entrant.division, entrant.group), []).append(entrant.person)
    return groups


def _in_group(fixture: Fixture, division: int, group: int) -> Fixture:
    return Fixture(fixture.table, fixture.round, fixture.seats, division, group)


def _schedule(
    season_format: Format,
    fixtures: Sequence[Fixture],
    byes: Sequence[Bye],
    seed: int,
    before: Before,
    first_table: int,
    wishes: Wishes = NO_WISHES,
) -> Schedule:
    rounds = sorted({fixture.round for fixture in fixtures})
    if not rounds:
        raise CannotDrawError(
            because("nothing_to_draw", "there is no round to draw, or no players for it: enter players first")
        )
    return Schedule(
        tuple(rounds),
        number_fixtures(fixtures, first_table),
        tuple(sorted(byes, key=lambda bye: (bye.round, bye.person))),
        seed,
        cost(fixtures, byes, season_format.table_sizes[0], wishes, before),
    )


def _group_chance(seed: int, division: int, group: int) -> Random:
    """Return the random generator of one group, so that its schedule does not depend on other groups."""
    return Random(f"{seed}/{division}/{group}")


def _shuffle(people: Iterable[str], chance: Random) -> list[str]:
    """Shuffle people by the seed only, independent of their given order."""
    mixed = sorted(people)
    chance.shuffle(mixed)
    return mixed


# --- the search ------------------------------------------------------------------------------------------------------


def _layout(people: Sequence[str], season_format: Format) -> Layout:
    """Return the tables of a round for these people. Raises CannotDrawError."""
    found = layout(len(people), season_format.table_sizes)
    if found is None:
        raise CannotDrawError(
            because(
                "too_few",
                by_number(
                    "n",
                    "{n} player cannot fill a table of {seats}: enter more players",
                    "{n} players cannot fill a table of {seats}: enter more players",
                ),
                n=len(people),
                seats=min(season_format.table_sizes),
            )
        )
    return found


def _search_rounds(
    people: Sequence[str],
    season_format: Format,
    rounds: Sequence[int],
    chance: Random,
    before: Before,
    wishes: Wishes = NO_WISHES,
) -> DrawnSeason:
    """Draw rounds in which as many people play as the table sizes allow. Raises CannotDrawError."""
    shape = _layout(people, season_format)
    search = _Search(_shuffle(people, chance), shape, len(rounds), season_format.table_sizes[0], wishes, before)
    search.run(chance)
    return search.schedule(rounds)


class _Search:
    """Assignment of people (by number) to places, with its cost. A place is a seat of a table, or a bye.

    Simulated annealing swaps two people of a round: first also at a small cost, later only at none. The cheapest state
    is kept.
    """

    def __init__(
        self, people: list[str], shape: Layout, rounds: int, usual: int, wishes: Wishes, before: Before
    ) -> None:
        self.people, n = people, len(people)
        self.tables = [range(sum(shape.tables[:at]), sum(shape.tables[: at + 1])) for at in range(len(shape.tables))]
        self.table_at = [at for at, size in enumerate(shape.tables) for _ in range(size)] + [-1] * shape.byes
        self.seat_at = [seat for size in shape.tables for seat in range(size)] + [0] * shape.byes
        self.unusual_at = [int(size != usual) for size in shape.tables for _ in range(size)] + [0] * shape.byes
        self.together = [[wishes.together(person, other) for other in people] for person in people]
        self.met = [[0] * n for _ in people]
        self.sat = [[0] * max((*shape.tables, SEATS_LIMIT)) for _ in people]
        self.unusual, self.byes = [0] * n, [0] * n
        self._recall(before, usual)
        self.rounds = [[(at + shift * (1 + n // 3)) % n for at in range(n)] for shift in range(rounds)]
        for who in self.rounds:
            for place in range(n):
                self._count_placing(who, place)

    def _recall(self, before: Before, usual: int) -> None:
        number = {person: at for at, person in enumerate(self.people)}
        for fixture in before.fixtures:
            seated = [(number[person], seat) for seat, person in enumerate(fixture.seats) if person in number]
            for player, seat in seated:
                self.sat[player][seat] += 1
                self.unusual[player] += len(fixture.seats) != usual
                for other, _ in seated:
                    self.met[player][other] += player != other
        for bye in before.byes:
            if bye.person in number:
                self.byes[number[bye.person]] += 1

    def _count_placing(self, who: list[int], place: int) -> None:
        """Add one player's place to the counts of meetings, seats and byes."""
        player, table = who[place], self.table_at[place]
        if table < 0:
            self.byes[player] += 1
            return
        self.sat[player][self.seat_at[place]] += 1
        self.unusual[player] += self.unusual_at[place]
        for at in self.tables[table]:
            if at != place:
                self.met[player][who[at]] += 1

    def run(self, chance: Random) -> int:
        """Search by simulated annealing; return the change of the cost (negative: cheaper)."""
        tries = min(MAX_TRIES, TRIES_PER_SEAT * len(self.people) * (len(self.rounds) + 5))
        dearest = [0, *(2**power for power in range((2 * MEETING).bit_length()))]
        spent = best = 0  # cost of all swaps so far, and its minimum
        kept = [list(who) for who in self.rounds]
        for max_cost in RESTARTS * dearest[::-1]:
            for _ in range(tries // len(dearest) // RESTARTS):
                spent += self._try(chance, max_cost)
                if spent < best:
                    best, kept = spent, [list(who) for who in self.rounds]
        self.rounds = kept
        return best

    def _try(self, chance: Random, max_cost: int) -> int:
        """Swap two random people of a round if it costs at most `max_cost`; return the cost."""
        who = self.rounds[int(chance.random() * len(self.rounds))]
        place, other_place = int(chance.random() * len(who)), int(chance.random() * len(who))
        if place == other_place or self.table_at[place] == self.table_at[other_place] < 0:
            return 0
        change = self._change(who, place, other_place)
        if change > max_cost:
            return 0
        self._swap(who, place, other_place)
        return change

    def _change(self, who: list[int], place: int, other_place: int) -> int:
        """Return the cost of swapping the people at two places (negative: cheaper)."""
        player, other_player = who[place], who[other_place]
        change = self._cost_of_seats(player, place, other_place) + self._cost_of_seats(other_player, other_place, place)
        if self.table_at[place] != self.table_at[other_place]:
            change += self._cost_of_meetings(who, place, player, other_player) + self._cost_of_meetings(
                who, other_place, other_player, player
            )
        return change

    def _cost_of_seats(self, player: int, place: int, new_place: int) -> int:
        """Return a player's share of the cost of a move: seats, byes and table sizes."""
        change = 0
        if self.table_at[place] >= 0:
            change -= SEAT * (2 * self.sat[player][self.seat_at[place]] - 1)
        else:
            change -= BYE * (2 * self.byes[player] - 1)
        if self.table_at[new_place] >= 0:
            seat = self.seat_at[new_place]
            again = self.table_at[place] >= 0 and self.seat_at[place] == seat
            change += SEAT * (2 * (self.sat[player][seat] - again) + 1)
        else:
            change += BYE * (2 * self.byes[player] + 1)
        moved = self.unusual_at[new_place] - self.unusual_at[place]
        return change + SIZE * moved * (2 * self.unusual[player] + moved)

    def _cost_of_meetings(self, who: list[int], place: int, leaves: int, comes: int) -> int:
        """Return the cost of the meetings at a table when one player leaves it and another joins."""
        if self.table_at[place] < 0:
            return 0
        change, met_before, met_after = 0, self.met[leaves], self.met[comes]
        near_before, near_after = self.together[leaves], self.together[comes]
        for at in self.tables[self.table_at[place]]:
            if at != place:
                third = who[at]
                change += MEETING * 2 * (met_after[third] - met_before[third] + 1)
                change += near_after[third] - near_before[third]
        return change

    def _swap(self, who: list[int], place: int, other_place: int) -> None:
        player, other_player = who[place], who[other_place]
        for person, old, new in ((player, place, other_place), (other_player, other_place, place)):
            if self.table_at[old] >= 0:
                self.sat[person][self.seat_at[old]] -= 1
            else:
                self.byes[person] -= 1
            if self.table_at[new] >= 0:
                self.sat[person][self.seat_at[new]] += 1
            else:
                self.byes[person] += 1
            self.unusual[person] += self.unusual_at[new] - self.unusual_at[old]
        if self.table_at[place] != self.table_at[other_place]:
            self._meet(who, place, player, other_player)
            self._meet(who, other_place, other_player, player)
        who[place], who[other_place] = other_player, player

    def _meet(self, who: list[int], place: int, leaves: int, comes: int) -> None:
        if self.table_at[place] < 0:
            return
        for at in self.tables[self.table_at[place]]:
            if at != place:
                third = who[at]
                for person, by in ((leaves, -1), (comes, 1)):
                    self.met[person][third] += by
                    self.met[third][person] += by

    def schedule(self, rounds: Sequence[int]) -> DrawnSeason:
        fixtures = [
            Fixture("", number, tuple(self.people[who[at]] for at in table))
            for number, who in zip(rounds, self.rounds, strict=True)
            for table in self.tables
        ]
        byes = [
            Bye(self.people[who[at]], number)
            for number, who in zip(rounds, self.rounds, strict=True)
            for at, table in enumerate(self.table_at)
            if table < 0
        ]
        return fixtures, byes
