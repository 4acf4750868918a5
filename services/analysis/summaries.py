"""What statistics need of a game's win chances, kept as rows: what luck and play brought each seat, and the moments
that mattered most. So a page about thousands of games reads no position of any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Seat
from daybook.services.analysis.calibration import added_play_outs, revisions
from daybook.services.analysis.luck import Change, kind_of_gap, luck_and_play
from daybook.services.analysis.moves import WeighedMove
from daybook.services.analysis.play_outs import Chances
from daybook.services.analysis.positions import LineStep, line_steps
from daybook.services.store.read_models import Row, Rows, analysed_moment, analysed_seat, as_json, seat_summary

REVISION = 2  # raised when something else is kept of a game, here or in `kept_chances`
PARTS = 10_000  # of a victory
SWINGS = 5  # of a game
LEAST_SWING = 0.1


class CostlyMoveKept(Frozen):
    """A move that cost more than chance may come to, and what the practice player would rather have done. low, high:
    within which the cost likely lies, in parts of a victory.
    """

    played: dict[str, Any]
    better: dict[str, Any]
    low: float
    high: float


class SwingKept(Frozen):
    """Where chances changed much between two positions. first: the step after the earlier; gains: by seat, in parts of
    a victory; change: what happened between them.
    """

    first: int
    gains: list[float]
    change: Change


def mark(ruleset: AnyRuleset) -> str:
    """What the rows of a game are made by."""
    return f"{REVISION}/{revisions(ruleset)}/{added_play_outs(ruleset):g}"


def rows_of(game: Game, positions: Mapping[int, Chances], moves: Mapping[int, WeighedMove]) -> Rows:
    """The rows of a game whose chances are known. positions: as they are shown."""
    places = line_steps(game)
    seats = [
        {
            "game": game.id,
            "seat": part.seat,
            "drawn": _in_parts(part.drawn),
            "decided": _in_parts(part.decided),
            "together": _in_parts(part.together),
        }
        for part in luck_and_play(places, positions)
    ]
    standing = {place.step for place in places}
    told = [
        _moment(game.id, "move", step, one.seat, one.cost, CostlyMoveKept(one.played, one.better, one.low, one.high))
        for step, one in moves.items()
        if step in standing and one.better is not None and one.is_told
    ]
    turned = [
        _moment(game.id, "swing", step, seat, abs(swing.gains[seat]), swing)
        for step, seat, swing in largest_swings(places, positions)
    ]
    return {analysed_seat: seats, analysed_moment: [*told, *turned]}


def write_rows(connection: sa.Connection, game_id: UUID, rows: Rows) -> list[int]:
    """Write the rows of a game in place of those it had; where the game stands in the log, if it is counted."""
    for table, of_table in rows.items():
        connection.execute(table.delete().where(table.c.game == game_id))
        if of_table:
            connection.execute(table.insert(), of_table)
    return [*connection.scalars(sa.select(seat_summary.c.position).where(seat_summary.c.game == game_id))]


def largest_swings(places: Sequence[LineStep], known: Mapping[int, Chances]) -> list[tuple[int, Seat, SwingKept]]:
    """The largest changes between two positions, each with the later step and the seat whose share changed most."""
    there = [place for place in places if place.step in known and known[place.step].shares]
    found = []
    for before, after in pairwise(there):
        shares = zip(known[before.step].shares, known[after.step].shares, strict=True)
        gains = [round(now - was, 4) for was, now in shares]
        seat = max(range(len(gains)), key=lambda one: abs(gains[one]))
        if abs(gains[seat]) >= LEAST_SWING:
            gap = places[before.at + 1 : after.at + 1]
            found.append((after.step, seat, SwingKept(gap[0].step, gains, kind_of_gap(gap))))
    return sorted(found, key=lambda one: (-abs(one[2].gains[one[1]]), one[0]))[:SWINGS]


def _moment(game_id: UUID, part: str, step: int, seat: Seat, size: float, found: CostlyMoveKept | SwingKept) -> Row:
    return {"game": game_id, "part": part, "step": step, "seat": seat, "size": _in_parts(size), "found": as_json(found)}


def _in_parts(share: float) -> int:
    return round(PARTS * share)
