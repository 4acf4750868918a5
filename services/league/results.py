"""Results of games and of clubs' tables, with every state they were in; standings as of any position of the log.

A game has a result while it is closed. The result changes when the game is reopened, corrected or ruled on, and is
provisional while a claim is open. Each state is a row, with the position from which it was valid. Results without a
record are in the club's own events. So the standings of any date use the same computation with the rows up to a
position; `position_at` returns it.

The rows are written a moment after the log. These functions add the newest entries of the log.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from heapq import nlargest
from typing import Any, Literal
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.disputes import open_claims
from daybook.domain.kernel import events
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league import standings
from daybook.domain.league.club import Club, Season, SeasonTable, as_of_step
from daybook.domain.league.club_events import BESIDE, GameEntered, ResultAccepted
from daybook.domain.league.results import Mark, Placed, Result
from daybook.domain.league.seasons import Entrant
from daybook.domain.league.standings import Standings
from daybook.services.clock import later_time, now
from daybook.services.days import moment_in_order, time_shown
from daybook.services.league import plays
from daybook.services.league.plays import RESULTS as RESULTS
from daybook.services.statistics import typed_results
from daybook.services.store import disagreements, read_models, set_aside
from daybook.services.store.as_of import club_at, last_position
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.log import PositionedEntry, RecordErasedError, club_entries_in, game_entries_in
from daybook.services.store.read_models import as_json, club_game, club_row, result_row

MAX_CHANGES_AHEAD = 500  # changes that a reader folds itself, if the rows are behind the log

Cause = Literal["closed", "corrected", "ruled", "claimed", "settled", "dated", "reopened", "abandoned"]
# closed: the game ended; corrected, ruled: it was closed again; claimed, settled: a claim was raised, or the last one
# closed; dated: the day of play changed; reopened, abandoned: it has no result


class UnknownSeasonError(LookupError):
    """The club has no season of this id, or had none then: check the link."""

    def __init__(self, season_id: str) -> None:
        super().__init__(f"the club has no season {season_id!r}")
        self.id = season_id


class ResultState(Frozen):
    """The state of a game from a step on.

    result: people as the record has them; None: no result.
    """

    step: int
    at: str
    cause: Cause
    result: Result | None


Known = tuple[int, ResultState]  # a state, and the position of the log from which it held


# --- how a game stood ------------------------------------------------------------------------------------------------


BEARS = (  # what may change the result of a game
    events.GameClosed,
    events.GameReopened,
    events.GameAbandoned,
    events.ClaimRaised,
    events.ClaimClosed,
    events.DayOfPlaySet,
)


def changes_result(entry: events.Entry) -> bool:
    """Check if an entry may change the result of a game. Raises InvalidLineError."""
    return issubclass(events.glance(entry).kind, BEARS)


def result_states(game: Game, to: int | None = None, entries: Sequence[Disagreement] = ()) -> list[ResultState]:
    """Return every state of a game's result up to a step, in order; none if it was never closed.

    entries: where the rules disagree with it.
    """
    states: list[ResultState] = []
    closed: events.GameClosed | None = None
    first, played, claimed, ruled = "", game.opening.played_on, False, False
    for entry in game.entries[: None if to is None else to + 1]:
        event = entry.event
        cause: Cause
        match event:
            case events.GameClosed():
                cause = "closed" if not first else "ruled" if ruled else "corrected"
                closed, first, ruled = event, first or event.at, False
            case events.GameReopened():
                closed, cause = None, "reopened"
            case events.GameAbandoned():
                closed, cause = None, "abandoned"
            case events.ClaimRaised():
                claimed, cause = True, "claimed"
            case events.ClaimClosed():
                cause = "settled"
            case events.DayOfPlaySet():
                played, cause = event.day, "dated"
            case events.ClaimRuled():
                ruled = ruled or event.ruling != "play_on" or event.appealed_changes == "undone"
                continue
            case _:
                continue
        result = None
        if closed is not None:
            provisional = claimed and bool(open_claims(game, event.step))
            result = _result(game, closed, moment_of_play(played) if played else first, provisional, entries)
        if states[-1].result != result if states else result is not None:
            states.append(ResultState(event.step, event.at, cause, result))
    return states


def result_if_ended(game: Game, totals: Sequence[Points]) -> Result:
    """Return the result of a running game if it ended now, with people as the record has them."""
    worse = operator.lt if game.ruleset.scoring.lowest_wins(game.board) else operator.gt
    ranks = [1 + sum(worse(other, total) for other in totals) for total in totals]
    return _result_at(game, game.step, ranks, totals, game.entries[-1].event.at, False, ())


def _result(game: Game, closed: events.GameClosed, at: str, provisional: bool, entry: Sequence[Disagreement]) -> Result:
    return _result_at(game, closed.step, closed.ranks, closed.totals, at, provisional, entry)


def _result_at(
    game: Game,
    step: int,
    ranks: Sequence[int],
    totals: Sequence[Points],
    at: str,
    provisional: bool,
    entry: Sequence[Disagreement],
) -> Result:
    opening = game.opening
    marks: dict[Mark, bool] = {
        "practice": opening.kind == "practice",
        "as_played": read_models.count_illegal_moves(game, step) > 0,
        "provisional": provisional,
        "against_rules": bool(disagreements.filter_standing(game, entry, step)),
    }
    placed = tuple(
        Placed(seat.person, number, place, total)
        for number, (seat, place, total) in enumerate(zip(opening.seats, ranks, totals, strict=True))
    )
    return Result(
        str(game.id),
        game.game_key,
        at,
        placed,
        game=str(game.id),
        marks=tuple(mark for mark, holds in marks.items() if holds),
        lowest_wins=game.ruleset.scoring.lowest_wins(game.board),
    )


# --- rows ------------------------------------------------------------------------------------------------------------


def fold(book: Daybook, seen: Sequence[PositionedEntry]) -> read_models.Rows:
    """Return the rows of events, whatever came after them."""
    places = {
        (entry.originator_id, entry.step): place for place, entry in game_entries_in(seen) if changes_result(entry)
    }
    newest = dict(places.keys())  # the last step of each game
    club_steps = {entry.originator_id: (entry.step, place) for place, entry in club_entries_in(seen)}
    known = disagreements.select_of_games(book.kept, newest.keys())
    rows: dict[sa.Table, list[read_models.TableRow]] = {
        table: [] for table in (*read_models.RESULTS, *read_models.COUNTED)
    }
    for result_id, step in newest.items():
        rows[result_row] += game_rows(book.games.get(result_id), step, places, known.get(result_id, ()))
    for result_id, (step, place) in club_steps.items():
        club = as_of_step(book.clubs.get(result_id), step)
        positions = book.log.positions(result_id)
        written = [entry.event for _, entry in club_entries_in(seen) if entry.originator_id == result_id]
        typed = typed_results.typed_rows(club, typed_results.tables_touched(written, club), positions)
        logged = plays.rows_of_events(club, written, positions)
        for table, of_table in (*club_rows(club, place).items(), *typed.items(), *logged.items()):
            rows[table] += of_table
    return {table: of_table for table, of_table in rows.items() if of_table}


def write_rows(
    connection: sa.Connection, rows: read_models.Rows, replacements: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Write the folded rows of results; `replacements` maps tables to the tables to write instead."""
    to = replacements or {}
    typed_results.clear_typed_results(connection, rows, to)
    plays.clear(connection, rows, to)
    read_models.write_rows(connection, {to.get(table, table): of_table for table, of_table in rows.items()})
    if rows.get(read_models.counted_table) and not to:
        read_models.note_change(connection)


def game_rows(
    game: Game, to: int, places: Mapping[tuple[UUID, int], int], known_rows: Sequence[Disagreement] = ()
) -> list[read_models.TableRow]:
    """Return the states of a game up to a step that began at one of these positions.

    known_rows: where the rules disagree with it.
    """
    return [
        {
            "game": game.id,
            "step": state.step,
            "at": state.at,
            "position": places[game.id, state.step],
            "cause": state.cause,
            "ended_at": state.result.at if state.result else "",
            "ruleset": game.game_key,
            "placed": as_json(state.result.placed if state.result else []),
            "marks": as_json(state.result.marks if state.result else []),
            "lowest_wins": state.result is not None and state.result.lowest_wins,
        }
        for state in result_states(game, to, known_rows)
        if (game.id, state.step) in places
    ]


def club_rows(club: Club, place: int) -> read_models.Rows:
    """One club as it stood at a place of the log."""
    stood = {event.game: event for event in (entry.event for entry in club.entries) if isinstance(event, GameEntered)}
    return {
        club_row: [
            {
                "club": club.id,
                "name": club.name,
                "public": club.settings.public,
                "step": club.step,
                "position": place,
                "founded_at": club.founded_at,
                "last_at": club.entries[-1].event.at,
            }
        ],
        club_game: [
            {
                "club": club.id,
                "game": UUID(game),
                "season": event.season,
                "table": event.table,
                "entered": game in club.games,
            }
            for game, event in stood.items()
        ],
    }


def states_of(book: Daybook, games: Collection[str], to: int | None = None) -> dict[str, list[Known]]:
    """Return the states of these games, oldest first, up to a position of the log; None: now."""
    if not games:
        return {}
    found: dict[tuple[str, int], Known] = {}
    ids = [UUID(game) for game in games]
    position = read_models.position_of(book.views, RESULTS)  # before the rows: those that come between are in both
    rows: list[Any] = [row._mapping for row in book.views.rows_where_in(sa.select(result_row), result_row.c.game, ids)]
    wanted = {*ids} - {*set_aside.select_ids(book.views, RESULTS)}
    ahead = book.log.notifications(position, MAX_CHANGES_AHEAD, [tag_of(event) for event in BEARS])
    rows += _fold_known(book, [book.log.decode(entry) for entry in ahead if entry.originator_id in wanted])
    for row in rows:
        if to is None or row["position"] <= to:
            found[str(row["game"]), row["step"]] = row["position"], _state(row)
    states: dict[str, list[Known]] = {}
    for (game, _), state in sorted(found.items(), key=lambda item: item[0][1]):
        states.setdefault(game, []).append(state)
    return states


def _fold_known(book: Daybook, seen: Sequence[PositionedEntry]) -> Sequence[read_models.TableRow]:
    """Fold results, without those of games that were erased meanwhile."""
    while True:
        try:
            return fold(book, seen).get(result_row, [])
        except RecordErasedError as erased:
            gone = erased.id
        seen = [event for event in seen if event[1].originator_id != gone]


def _state(row: Mapping[str, Any]) -> ResultState:
    result = Result(
        str(row["game"]),
        row["ruleset"],
        row["ended_at"],
        msgspec.json.decode(row["placed"], type=tuple[Placed, ...]),
        game=str(row["game"]),
        marks=msgspec.json.decode(row["marks"], type=tuple[Mark, ...]),
        lowest_wins=row["lowest_wins"],
    )
    return ResultState(row["step"], row["at"], row["cause"], result if row["ended_at"] else None)


def newest_changes(book: Daybook, only: UUID | None = None) -> dict[UUID, int]:
    """Return for each club the position of the newest entry that may have changed its results, as far as the rows go.

    Whatever is computed from a club's results compares it with the position that it was computed at.

    Args:
        only: a club; None: all.
    """
    of_club = [club_game.c.club == only] if only else []
    of_games = (
        sa.select(club_game.c.club, sa.func.max(result_row.c.position).label("position"))
        .join(result_row, result_row.c.game == club_game.c.game)
        .where(*of_club)
        .group_by(club_game.c.club)
    ).subquery()
    query = sa.select(club_row.c.club, club_row.c.position, of_games.c.position.label("of_games")).outerjoin(
        of_games, of_games.c.club == club_row.c.club
    )
    if only:
        query = query.where(club_row.c.club == only)
    return {row.club: max(row.position, row.of_games or 0) for row in book.views.rows(query)}


# --- results of a club -----------------------------------------------------------------------------------------------


def season_of(club: Club, season_id: str) -> Season:
    """Return a season of a club by its id. Raises UnknownSeasonError."""
    if season_id != BESIDE and season_id not in club.seasons:
        raise UnknownSeasonError(season_id)
    return club.season(season_id)


def season_results(book: Daybook, club: Club, season_id: str, position: int | None = None) -> list[Result]:
    """Return the results of a season at a position, or now, in the order in which they ended.

    Results of the same time are in the order in which they were written. People as the club knows them today.
    season_id: BESIDE for what was played outside the seasons. Raises UnknownSeasonError.
    """
    return _results(book, club, [season_of(club_at(book, club, position), season_id)], position)


def results_by_season(book: Daybook, club: Club, seasons: Iterable[Season]) -> dict[str, list[Result]]:
    """Return the results of several seasons as of `season_results`, in one read."""
    found: dict[str, list[Result]] = {season.id: [] for season in seasons}
    for result in _results(book, club, [club.season(season_id) for season_id in found], None):
        found[result.season or BESIDE].append(result)
    return found


def newest_by_season(book: Daybook, club: Club, beside: int) -> dict[str, list[Result]]:
    """Return the results of all seasons; outside the seasons, those of records and of the newest typed plays.

    Args:
        beside: number of plays without a record and outside the seasons.
    """
    found: dict[str, list[Result]] = {season.id: [] for season in club.all_seasons()}
    typed = [table for table in club.beside.tables.values() if table.typed is not None and not table.game]
    tables = [table for season in club.seasons.values() for table in season.tables.values()]
    tables += [table for table in club.beside.tables.values() if table.game]
    tables += _newest_typed(book, club, typed, beside)
    for result in _results_of_tables(book, club, tables, None):
        found[result.season or BESIDE].append(result)
    return found


def _newest_typed(book: Daybook, club: Club, tables: Sequence[SeasonTable], limit: int) -> list[SeasonTable]:
    """Return the newest typed plays. Only those of the last days are put in order."""
    days = nlargest(limit, (table.typed.day[:10] for table in tables if table.typed))
    if not days:
        return []
    earliest = (date.fromisoformat(days[-1]) - timedelta(1)).isoformat()  # moments are in order of UTC
    newest = [table for table in tables if table.typed and table.typed.day >= earliest]
    written = book.log.positions(club.id)
    return nlargest(
        limit,
        newest,
        key=lambda table: (_typed_in_order(club, table), typed_results.order_of_entry(club, table, written)),
    )


def are_known(book: Daybook, position: int) -> bool:
    """Check if the rows include every change of a result up to a position."""
    return read_models.position_of(book.views, RESULTS) >= position and not set_aside.select_ids(book.views, RESULTS)


def club_results(book: Daybook, club: Club, position: int | None = None) -> list[Result]:
    """Return all results of a club, including those outside the seasons, in the order in which they ended."""
    return _results(book, club, club_at(book, club, position).all_seasons(), position)


def results_of_tables(book: Daybook, club: Club, tables: Iterable[SeasonTable]) -> dict[str, Result]:
    """Return the results of some tables by the tables' result ids."""
    return {result.id: result for result in _results_of_tables(book, club, [*tables], None)}


def _results(book: Daybook, club: Club, seasons: Iterable[Season], to: int | None) -> list[Result]:
    return _results_of_tables(book, club, [table for season in seasons for table in season.tables.values()], to)


def _results_of_tables(book: Daybook, club: Club, tables: Sequence[SeasonTable], to: int | None) -> list[Result]:
    states = states_of(book, [table.game for table in tables if table.game], to)
    written = book.log.positions(club.id)
    found = []
    for table in tables:
        known = without_delayed(club, table.game, states.get(table.game, ()))
        result = _standing_result(club, table, known)
        if result is not None:
            position = (
                read_models.order_of_entry(known[0][0]) if known else typed_results.order_of_entry(club, table, written)
            )
            found.append((_moment_in_order(club, table, result), position, result))
    in_order = [result for *_, result in sorted(found, key=lambda entry: entry[:2])]
    if not club.shows_days_only:
        return in_order
    return [msgspec.structs.replace(result, at=time_shown(club, result.at)) for result in in_order]


def without_delayed(club: Club, game: str, states: Sequence[Known]) -> Sequence[Known]:
    """Return the states of a game that this view of the club may have already."""
    season_id, _ = club.games.get(game, ("", ""))
    if not (delay_seconds := club.result_delay(season_id)):
        return states
    until = later_time(now(), seconds=-delay_seconds)
    return [(place, state) for place, state in states if state.at <= until]


def _standing_result(club: Club, table: SeasonTable, states: Sequence[Known]) -> Result | None:
    """Return the result of a table: the record's if there is one, else the typed one."""
    if not table.game:
        return club.typed_result(table)
    ended = states[-1][1].result if states else None
    if ended is None:
        return None
    return club.result(
        table,
        msgspec.structs.replace(
            ended, accepted=is_accepted(table.game, table.accepted, [state for _, state in states])
        ),
    )


def is_accepted(game: str, accepted: ResultAccepted | None, states: Sequence[ResultState]) -> bool:
    """Check if an organiser has accepted the way a game ended, and it was not closed in another way since."""
    return (
        accepted is not None
        and accepted.game == game
        and not any(
            state.step > accepted.game_step and state.cause not in ("claimed", "settled", "dated") for state in states
        )
    )


def _moment_in_order(club: Club, table: SeasonTable, result: Result) -> str:
    return moment_in_order(result.at) if table.game else _typed_in_order(club, table)


def _typed_in_order(club: Club, table: SeasonTable) -> str:
    typed = table.typed
    return "" if typed is None else moment_in_order(typed.day, club.zone, typed.details.hour)


def sort_newest_first(club: Club, found: Iterable[Result]) -> list[Result]:
    """Return results of several seasons, each in order, together: the newest first."""

    def moment(result: Result) -> str:
        return _moment_in_order(club, club.season(result.season or BESIDE).tables[result.table or ""], result)

    return sorted(found, key=moment)[::-1]


# --- standings -------------------------------------------------------------------------------------------------------


def position_at(book: Daybook, club: Club, at: str | None) -> int:
    """Return the last position at a time, of the club's entries and the results of its games.

    For a day, pass its last millisecond. None: everything. 0: there was no club.
    """
    games = {entry.event.game for entry in club.entries if isinstance(entry.event, GameEntered)}
    own = zip(book.log.positions(club.id), (entry.event.at for entry in club.entries), strict=False)
    written = [
        *own,
        *(
            (position, state.at)
            for game, states in states_of(book, games).items()
            for position, state in without_delayed(club, game, states)
        ),
    ]
    return max(position for position, _ in written) if at is None else last_position(written, at)


def standings_at(book: Daybook, club: Club, season_id: str, position: int | None = None) -> Standings:
    """Return the standings of a season at a position of the log, or now. Raises UnknownSeasonError."""
    results = season_results(book, club, season_id, position)
    return standings_of(club, club_at(book, club, position), season_id, results)


def standings_of(club: Club, then: Club, season_id: str, results: Sequence[Result]) -> Standings:
    """Return standings with the people that the club knows today.

    then: the club as it was when these were the results.
    """
    one = season_of(then, season_id)
    entrants: dict[str, Entrant] = {}  # by current ids
    for entrant in then.entrants(one):
        person = club.person(entrant.person)
        entrants.setdefault(person, msgspec.structs.replace(entrant, person=person))
    return standings.compute_standings(
        one.format,
        list(entrants.values()),
        results,
        byes=[msgspec.structs.replace(bye, person=club.person(bye.person)) for bye in one.byes],
        missed=[msgspec.structs.replace(miss, person=club.person(miss.person)) for miss in then.missed_rounds(one)],
        penalties=club.penalties(one),
        handicaps=club.handicaps(one),
        withdrawn=[club.person(person_id) for person_id in then.withdrawn_people(one)],
        lots=club.lots(one),
    )
