"""A round or evening while it is played: its tables as spectators see them, and the standings as they would be now.

Everyone sees the tables as a spectator does, with the delay of the league. A private game is visible to the club only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from threading import Lock
from typing import Literal
from uuid import UUID

import msgspec
from cachetools import LRUCache

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.results import Result
from daybook.domain.league.seasons import Format
from daybook.domain.league.standings import GroupStandings, StandingRow, Standings
from daybook.services.clock import later_time, now
from daybook.services.league import evening_plans, results
from daybook.services.permissions.delays import delayed_game
from daybook.services.play.redaction import veil_in_force
from daybook.services.play.replay import Position, position_at
from daybook.services.store.daybook import Daybook

LiveState = Literal["planned", "running", "over", "abandoned", "private", "not_played"]
MAX_TABLES = 120  # of a live page
MAX_PLACES = 200  # of a group on a live page
MAX_TURN_STEPS = 40  # steps back that are searched for the begin of a turn
TURNS_CACHE_SIZE = 4096
REPORT_AFTER_HOURS = 12  # after the last result, the page is the round's report


class LiveSeat(Frozen):
    """A player at a table.

    total: None if it is unknown or covered. place: None if there is no total. acts_since: the time since which the
    player is to act; empty: the player is not to act.
    """

    person: str
    total: Points | None = None
    place: int | None = None
    acts_since: str = ""


class LiveTable(Frozen):
    """A table of the round. game: as the viewer may see it; None if there is none, or it is private.

    position: of the game, redacted for spectators. facts_since: the time since which the game waits for a fact of the
    table, such as a drawn card; empty: it does not. seal, last_at: of the newest entry of a game that the viewer may
    see. result_now: the result of a running game if it ended now; None if totals are covered.
    """

    season: str
    table: SeasonTable
    state: LiveState
    seats: tuple[LiveSeat, ...]
    game: Game | None = None
    position: Position | None = None
    result: Result | None = None
    facts_since: str = ""
    seal: str = ""
    last_at: str = ""
    result_now: Result | None = None

    def without_game(self) -> LiveTable:
        """Return what stays to compare with later; a game takes much memory."""
        return msgspec.structs.replace(self, game=None, position=None)


class LivePlace(Frozen):
    """A place in the standings as they would be if all games ended now.

    before: the place before the round; None if nothing was played. best, worst: the places that are still possible.
    """

    person: str
    place: int
    points: Fraction
    before: int | None
    best: int
    worst: int

    @property
    def rise(self) -> int:
        """The number of places gained since the round began; negative if lost."""
        return 0 if self.before is None else self.before - self.place


class LiveGroup(Frozen):
    division: int
    group: int
    places: tuple[LivePlace, ...]


class LiveScope(Frozen):
    """The tables that belong together: a round of a season, or an evening.

    planned: tables of an evening that are not open yet.
    """

    tables: tuple[tuple[str, SeasonTable], ...]  # each with its season
    planned: tuple[SeasonTable, ...] = ()

    @property
    def all_tables(self) -> list[tuple[str, SeasonTable]]:
        return [*self.tables, *(("", table) for table in self.planned)]


def game_reader(book: Daybook, is_member: bool) -> Callable[[UUID], bool]:
    """Return a function that checks if a viewer may read a game of the club: members all, others public ones."""

    def sees_game(game_id: UUID) -> bool:
        kept = book.kept.game(game_id)
        if kept is None:
            return False
        return is_member or (kept.public and str(game_id) not in book.kept.withheld("game"))

    return sees_game


def scope_of_round(season: Season, number: int) -> LiveScope:
    """Return the tables of a round, in their order."""
    tables = (table for table in season.tables.values() if table.round == number)
    return LiveScope(tuple((season.id, table) for table in sorted(tables, key=_place_of)[:MAX_TABLES]))


def _place_of(table: SeasonTable) -> tuple[int, int, int, str]:
    return table.division, table.group, int(table.id) if table.id.isdecimal() else 0, table.id


def scope_of_evening(club: Club, evening: Evening) -> LiveScope:
    """Return the tables of an evening: those that were recorded, then those that are only planned."""
    tables = tuple((season.id, table) for season, table in evening_plans.recorded(club, evening)[-MAX_TABLES:])
    planned = [
        SeasonTable(f"plan-{number}", "", True, seats=planned.people, ruleset=planned.game)
        for number, planned in enumerate(club.tables_set(evening), 1)
        if evening_plans.opened_table(club, evening, planned) is None
    ]
    return LiveScope(tables, tuple(planned))


def read_table(
    book: Daybook, club: Club, season_id: str, table: SeasonTable, sees_game: Callable[[UUID], bool]
) -> LiveTable:
    """Return a table as a spectator may see it now.

    Args:
        sees_game: checks if the viewer may read a game.
    """
    people = tuple(LiveSeat(person) for person in club.seats(table))
    if not table.game:
        result = next(iter(results.results_of_tables(book, club, [table]).values()), None) if table.typed else None
        state: LiveState = "over" if result else "not_played" if table.is_settled else "planned"
        return LiveTable(season_id, table, state, _seats_of_result(people, result), result=result)
    if table.voided:
        return LiveTable(season_id, table, "not_played", people)
    whole = book.games.find(UUID(table.game))
    if whole is None:
        return LiveTable(season_id, table, "private", people)
    game = delayed_game(book, whole, club.spectator_delay(season_id))
    if game.status == "closed":
        result = next(iter(results.results_of_tables(book, club, [table]).values()), None)
        people = _seats_of_result(people, result)
    else:
        result = None
    if not sees_game(game.id):
        return LiveTable(season_id, table, "over" if result else "private", people, result=result)
    position = position_at(game, None, None)
    if result is None and not veil_in_force(game):
        people = _seats_of_position(game, position, people)
    state = "over" if game.status == "closed" else game.status
    acting: Mapping[Seat, str] = {}
    if state == "running":
        acting = acting_since(game)
        people = tuple(
            msgspec.structs.replace(seat, acts_since=acting.get(number, "")) for number, seat in enumerate(people)
        )
    return LiveTable(
        season_id,
        table,
        state,
        people,
        game,
        position,
        result,
        acting.get(TABLE, ""),
        game.seal,
        game.entries[-1].event.at,
        _result_now(game, people) if state == "running" else None,
    )


def _seats_of_result(people: Sequence[LiveSeat], result: Result | None) -> tuple[LiveSeat, ...]:
    if result is None:
        return tuple(people)
    placed = {player.person: player for player in result.placed}
    return tuple(
        LiveSeat(seat.person, placed[seat.person].score, placed[seat.person].place) if seat.person in placed else seat
        for seat in people
    )


def _seats_of_position(game: Game, position: Position, people: Sequence[LiveSeat]) -> tuple[LiveSeat, ...]:
    totals = [score.total for score in position.standing]
    if len(totals) != len(people):
        return tuple(people)
    places = [player.place for player in results.result_if_ended(game, totals).placed]
    return tuple(LiveSeat(seat.person, total, place) for seat, total, place in zip(people, totals, places, strict=True))


# --- whose turn it is ------------------------------------------------------------------------------------------------

_turns: LRUCache[str, Mapping[Seat, str]] = LRUCache(TURNS_CACHE_SIZE)  # by seal: each seat to act, since when
_turns_lock = Lock()


def acting_since(game: Game) -> Mapping[Seat, str]:
    """Return the seats that are to act, each with the time at which that began."""
    head, missing = game.heads[-1], list[int]()
    known: Mapping[Seat, str] = {}
    while len(missing) < MAX_TURN_STEPS:
        with _turns_lock:
            cached = _turns.get(game.entries[head].seal)
        if cached is not None:
            known = cached
            break
        missing.append(head)
        if head == 0:
            break
        head = game.parents[head]
    for step in reversed(missing):
        at = game.entries[step].event.at
        known = {seat: known.get(seat, at) for seat in position_at(game, step, None).to_act}
        with _turns_lock:
            _turns[game.entries[step].seal] = known
    return known


# --- standings -------------------------------------------------------------------------------------------------------


def live_standings(
    book: Daybook, club: Club, season: Season, number: int, tables: Iterable[LiveTable]
) -> list[LiveGroup]:
    """Return the standings of a season as they would be if all games of a round ended now."""
    of_round = {table.table.id: table for table in tables}
    ended = [
        result
        for result in results.season_results(book, club, season.id)
        if (result.table or "") not in of_round or of_round[result.table or ""].result is not None
    ]
    running = [club.result(table.table, table.result_now) for table in of_round.values() if table.result_now]
    before = results.standings_of(club, club, season.id, [result for result in ended if result.round < number])
    settled = results.standings_of(club, club, season.id, ended)
    shown = results.standings_of(club, club, season.id, [*ended, *running]) if running else settled
    unsettled = {
        table.id for table in season.tables.values() if table.round <= number and not _is_over(table, of_round)
    }
    unsettled -= {result.table or "" for result in ended if not _may_count_later(season.format, result)}
    ranges = dict(possible_places(club, season, settled, unsettled, number))
    return [
        LiveGroup(group.division, group.group, tuple(_places_shown(group, before, ranges))) for group in shown.groups
    ]


def _is_over(table: SeasonTable, of_round: Mapping[str, LiveTable]) -> bool:
    live = of_round.get(table.id)
    return bool(table.voided or table.is_forfeited or (live is not None and live.state == "over"))


def _may_count_later(season_format: Format, result: Result) -> bool:
    """Check if a result does not count until it is approved, accepted or no longer claimed."""
    return any(
        mark in ("unapproved", "against_rules", "provisional") and mark not in season_format.counts
        for mark in result.marks
    )


def _result_now(game: Game, people: Sequence[LiveSeat]) -> Result | None:
    """Return the result of a running game if it ended now; None if totals are covered."""
    totals = [seat.total for seat in people if seat.total is not None]
    return results.result_if_ended(game, totals) if len(totals) == len(game.opening.seats) else None


def _places_shown(
    group: GroupStandings, before: Standings, ranges: Mapping[str, tuple[int, int]]
) -> Iterator[LivePlace]:
    for row in group.rows[:MAX_PLACES]:
        earlier = before.row(row.person)
        has_played = earlier is not None and any(line.why_not is None for line in earlier.lines)
        best, worst = ranges.get(row.person, (row.place, row.place))
        yield LivePlace(
            row.person, row.place, row.points, earlier.place if earlier and has_played else None, best, worst
        )


def possible_places(
    club: Club, season: Season, settled: Standings, unsettled: Iterable[str], number: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each player with the best and the worst place that is possible after a round.

    The place after the round is always inside. The range becomes narrower with each result, and never wider, unless a
    result is corrected.

    Args:
        settled: the standings of the results so far.
        unsettled: the tables up to the round that have no result.
    """
    pending: dict[str, list[tuple[int, int]]] = {}  # by person: least and most points of each
    for table in map(season.tables.__getitem__, unsettled):
        bounds = _bounds_of_table(season.format, len(table.seats) or len(table.people))
        for person in {*map(club.person, table.seats), *club.seats(table)}:
            pending.setdefault(person, []).append(bounds)
    for person, round_number, points in _points_without_game(club, season):
        row = settled.row(person)
        if round_number <= number and row and not any(line.round == round_number for line in row.lines):
            pending.setdefault(person, []).append((min(0, points), max(0, points)))
    for group in settled.groups:
        yield from _places_in_group(season.format, group, pending)


def _points_without_game(club: Club, season: Season) -> Iterator[tuple[str, int, int]]:
    points = season.format.points
    for bye in season.byes:
        yield club.person(bye.person), bye.round, points.bye
    for miss in club.missed_rounds(season):
        yield miss.person, miss.round, points.of_outcome(miss.outcome)


def _bounds_of_table(season_format: Format, seats: int) -> tuple[int, int]:
    points = season_format.points
    possible = (*points.by_seats.get(str(seats), ()), points.drop, points.forfeit, points.substituted, 0)
    return min(possible), max(possible)


def _places_in_group(
    season_format: Format, group: GroupStandings, pending: Mapping[str, Sequence[tuple[int, int]]]
) -> Iterator[tuple[str, tuple[int, int]]]:
    rows = group.rows
    if not any(row.person in pending for row in rows):
        yield from ((row.person, (row.place, row.place)) for row in rows)
    elif season_format.tiebreaks[:1] != ("points",):
        yield from ((row.person, (1, len(rows))) for row in rows)
    else:
        bounds = {row.person: _final_points(row, pending.get(row.person, ())) for row in rows}
        lows, highs = (sorted(side) for side in zip(*bounds.values(), strict=True))
        for row in rows:
            least, most = bounds[row.person]
            surely_better, possibly_better = len(rows) - bisect_right(lows, most), len(rows) - bisect_left(highs, least)
            yield row.person, (1 + surely_better, possibly_better)  # the player's own points are among the latter


def _final_points(row: StandingRow, pending: Iterable[tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """Return the least and the most points that a player can have after the round."""
    lows, highs = zip(*pending, strict=True) if pending else ((), ())
    return row.points + sum(lows), row.points + sum(highs)


# --- the report ------------------------------------------------------------------------------------------------------


def is_report(tables: Sequence[LiveTable]) -> bool:
    """Check if all tables are over, the last one some hours ago."""
    ends = [table.last_at or table.result.at for table in tables if table.result]
    return (
        bool(ends)
        and all(table.state in ("over", "abandoned", "not_played") for table in tables)
        and max(ends) < later_time(now(), hours=-REPORT_AFTER_HOURS)
    )
