"""Changes of a table's result, and their effect on the standings, actual or hypothetical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason
from daybook.domain.league import club_events, standings
from daybook.domain.league.club import Club, SeasonTable, as_of_step, fill_in
from daybook.domain.league.results import Result, contradiction
from daybook.domain.league.standings import StandingChange, Standings
from daybook.services.days import time_shown
from daybook.services.league.results import (
    Cause,
    ResultState,
    is_accepted,
    season_of,
    season_results,
    standings_at,
    standings_of,
    states_of,
    without_delayed,
)
from daybook.services.store.as_of import club_at
from daybook.services.store.daybook import Daybook

TableCause = Literal["typed", "entered", "seated", "removed", "voided", "accepted"]


class TableState(Frozen):
    """The state of a table from a position of the log on.

    at: when it was written. game: the record that says so. step: there, else in the club.
    """

    position: int
    at: str
    cause: Cause | TableCause
    result: Result | None
    step: int
    game: str = ""
    why: str = ""


class ResultChange(Frozen):
    """The effect of one change of a result on the standings, all else being equal."""

    state: TableState
    before: Result | None
    standings_before: Standings
    standings_after: Standings
    changed: list[StandingChange]


class TriedResult(Frozen):
    """The effect of a typed result on a table and the standings, if it were written now.

    contradiction: a player who would be placed behind one with fewer points.
    """

    before: Result | None
    after: Result
    standings_before: Standings
    standings_after: Standings
    changed: list[StandingChange]
    contradiction: Reason | None


def table_history(book: Daybook, club: Club, season_id: str, table_id: str) -> list[TableState]:
    """Return every state of a table's result, oldest first. Raises UnknownSeasonError, KeyError for an unknown table."""
    table = season_of(club, season_id).tables[table_id]
    history: list[TableState] = []
    typed: Result | None = None
    event: club_events.ResultTyped | None = None
    accepted: club_events.ResultAccepted | None = None
    game, ended, states, sat = "", dict[str, Result | None](), list[ResultState](), tuple[str, ...]()
    for position, at, step, what in _result_moments(book, club, table):
        why, cause, of_game = "", "", ""
        match what:
            case club_events.ResultTyped():
                event = what
                typed, cause, why = _typed_result(club, table, what, accepted), "typed", what.why
            case club_events.PlaysImported() | club_events.PlaysUpdated():
                event = _imported_result(club, table, what, event)
                typed, cause = _typed_result(club, table, event, accepted), "typed" if event else "voided"
            case club_events.PlaysMerged() | club_events.PlaySplit():
                then = as_of_step(club, step).season(season_id).tables.get(table_id)
                event = then.typed if then is not None else None
                typed, cause = _typed_result(club, table, event, accepted), "typed" if event else "voided"
            case club_events.ResultVoided():
                event, typed, game, cause, why = None, None, "", "voided", what.why
            case club_events.GameEntered():
                game, sat, cause = what.game, what.seats, "entered"
            case club_events.SeatingCorrected():
                sat, cause, why = what.seats, "seated", what.why
            case club_events.GameRemoved():
                game, cause, why = "", "removed", what.why
            case club_events.ResultAccepted():
                accepted, cause, why = what, "accepted", what.why
                typed = _typed_result(club, table, event, accepted)
            case (str() as of_game, ResultState() as state):
                ended[of_game] = state.result
                cause = state.cause
                if accepted is not None and of_game == accepted.game:
                    states.append(state)
        if of_game and of_game != game:
            continue
        now = ended.get(game) if game else typed
        result = (
            None
            if now is None
            else club.result(
                msgspec.structs.replace(table, game=game, played=sat),
                msgspec.structs.replace(now, accepted=is_accepted(game, accepted, states)),
            )
        )
        if history[-1].result != result if history else result is not None:
            history.append(TableState(position, time_shown(club, at), cause, result, step, of_game or game, why))  # type: ignore[arg-type]
    return history


def _imported_result(
    club: Club,
    table: SeasonTable,
    imported: club_events.PlaysImported | club_events.PlaysUpdated,
    before: club_events.ResultTyped | None,
) -> club_events.ResultTyped | None:
    """Return a table's typed result after an import."""
    if isinstance(imported, club_events.PlaysUpdated) and table.id in imported.deleted:
        return None
    for play in imported.plays:
        if play.table == table.id and not play.same_as:
            return imported.as_typed(play)
        if play.same_as == table.result_id and before is not None:
            return fill_in(before, play, club.person)
    return before


def _result_moments(book: Daybook, club: Club, table: SeasonTable) -> list[tuple[int, str, int, Any]]:
    """Return what concerns a table, in the order in which it was written.

    Each has its position in the log, time and step, and the club's event, or a game and its state.
    """
    told = [
        (step, event)
        for step in table.steps
        if isinstance(
            event := club.entries[step].event,
            club_events.ResultTyped
            | club_events.PlaysImported
            | club_events.PlaysUpdated
            | club_events.PlaysMerged
            | club_events.PlaySplit
            | club_events.ResultVoided
            | club_events.ResultAccepted
            | club_events.GameEntered
            | club_events.SeatingCorrected
            | club_events.GameRemoved,
        )
    ]
    games = {event.game for _, event in told if isinstance(event, club_events.GameEntered)}
    written = book.log.positions(club.id)
    moments: list[tuple[int, str, int, Any]] = [(written[step], event.at, step, event) for step, event in told]
    moments += [
        (position, state.at, state.step, (game, state))
        for game, states in states_of(book, games).items()
        for position, state in without_delayed(club, game, states)
    ]
    return sorted(moments, key=lambda moment: moment[0])


def _typed_result(
    club: Club, table: SeasonTable, event: club_events.ResultTyped | None, accepted: club_events.ResultAccepted | None
) -> Result | None:
    return club.typed_result(msgspec.structs.replace(table, typed=event, game="", accepted=accepted))


def what_changed(book: Daybook, club: Club, season_id: str, table_id: str) -> list[ResultChange]:
    """Return the effect of each change of a table's result after the first, the newest last.

    If a game was reopened, its new result is compared with the one before. Raises as `table_history` does.
    """
    found: list[ResultChange] = []
    states = table_history(book, club, season_id, table_id)
    stood: Result | None = None
    for place, state in enumerate(states):
        opened_again = state.result is None and state.cause == "reopened" and place + 1 < len(states)
        if place and not opened_again and state.result != stood:
            found.append(_change(book, club, season_id, table_id, state, stood))
        if not opened_again:
            stood = state.result
    return found


def try_typed(book: Daybook, club: Club, then: Club) -> TriedResult:
    """Return what changes from a club to the one that `clubs.preview` returns for an EnterResult."""
    newest = next(entry.event for entry in reversed(then.entries) if isinstance(entry.event, club_events.ResultTyped))
    before, after = (
        next((result for result in season_results(book, version, newest.season) if result.table == newest.table), None)
        for version in (club, then)
    )
    assert after is not None
    old, new = standings_at(book, club, newest.season), standings_at(book, then, newest.season)
    return TriedResult(before, after, old, new, standings.standing_changes(old, new), contradiction(after))


def _change(
    book: Daybook, club: Club, season_id: str, table_id: str, state: TableState, before: Result | None
) -> ResultChange:
    then, stood = club_at(book, club, state.position), season_results(book, club, season_id, state.position)
    old, new = (
        standings_of(club, then, season_id, with_result(stood, table_id, result)) for result in (before, state.result)
    )
    return ResultChange(state, before, old, new, standings.standing_changes(old, new))


def with_result(results: Sequence[Result], table_id: str, result: Result | None) -> list[Result]:
    """Return results with another one for a table, or without one; a new one is the last."""
    others = [result if other.table == table_id else other for other in results]
    known = any(other.table == table_id for other in results)
    return [other for other in [*others, *([] if known else [result])] if other is not None]
