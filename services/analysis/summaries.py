"""Rows that statistics need of a game's win chances: luck, play and the most important moments.

A page about thousands of games then reads no positions.
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
from daybook.services.analysis.calibration import added_play_outs, chances_revision
from daybook.services.analysis.luck import Change, kind_of_gap, split_luck_and_play
from daybook.services.analysis.moves import WeighedMove
from daybook.services.analysis.play_outs import Chances
from daybook.services.analysis.positions import LineStep, line_steps
from daybook.services.store.read_models import Rows, TableRow, analysed_moment, analysed_seat, as_json

REVISION = 2  # raised when the stored content changes, here or in `kept_chances`
PARTS_PER_VICTORY = 10_000  # shares are stored as integers
MAX_SWINGS = 5  # of a game
LEAST_SWING = 0.1


class CostlyMoveKept(Frozen):
    """Move that cost more than chance explains, and the practice player's choice.

    Args:
        low: lower end of the cost's interval, as a share of a victory.
        high: upper end.
    """

    played: dict[str, Any]
    better: dict[str, Any]
    low: float
    high: float


class SwingKept(Frozen):
    """A large change of chances between two positions.

    Args:
        first: the step after the earlier position.
        gains: by seat, as a share of a victory.
        change: cause of the change.
    """

    first: int
    gains: list[float]
    change: Change


def summary_revision(ruleset: AnyRuleset) -> str:
    """Return the revision mark of a game's rows."""
    return f"{REVISION}/{chances_revision(ruleset)}/{added_play_outs(ruleset):g}"


def build_summary_rows(game: Game, positions: Mapping[int, Chances], moves: Mapping[int, WeighedMove]) -> Rows:
    """Build the rows of a game with known chances.

    Args:
        positions: chances as displayed.
    """
    places = line_steps(game)
    seats = [
        {
            "game": game.id,
            "seat": part.seat,
            "drawn": _to_victory_parts(part.drawn),
            "decided": _to_victory_parts(part.decided),
            "together": _to_victory_parts(part.together),
        }
        for part in split_luck_and_play(places, positions)
    ]
    standing = {place.step for place in places}
    told = [
        _moment_row(
            game.id,
            "move",
            step,
            weighed.seat,
            weighed.cost,
            CostlyMoveKept(weighed.played, weighed.better, weighed.low, weighed.high),
        )
        for step, weighed in moves.items()
        if step in standing and weighed.better is not None and weighed.is_significant
    ]
    turned = [
        _moment_row(game.id, "swing", step, seat, abs(swing.gains[seat]), swing)
        for step, seat, swing in largest_swings(places, positions)
    ]
    return {analysed_seat: seats, analysed_moment: [*told, *turned]}


def write_rows(connection: sa.Connection, game_id: UUID, rows: Rows) -> None:
    """Write the rows of a game instead of those it had."""
    for table, of_table in rows.items():
        connection.execute(table.delete().where(table.c.game == game_id))
        if of_table:
            connection.execute(table.insert(), of_table)


def largest_swings(places: Sequence[LineStep], chances: Mapping[int, Chances]) -> list[tuple[int, Seat, SwingKept]]:
    """Return the largest changes between two positions, with the later step and the seat that changed most."""
    places_known = [place for place in places if place.step in chances and chances[place.step].shares]
    found = []
    for before, after in pairwise(places_known):
        shares = zip(chances[before.step].shares, chances[after.step].shares, strict=True)
        gains = [round(now - was, 4) for was, now in shares]
        seat = max(range(len(gains)), key=lambda each: abs(gains[each]))
        if abs(gains[seat]) >= LEAST_SWING:
            gap = places[before.at + 1 : after.at + 1]
            found.append((after.step, seat, SwingKept(gap[0].step, gains, kind_of_gap(gap))))
    return sorted(found, key=lambda each: (-abs(each[2].gains[each[1]]), each[0]))[:MAX_SWINGS]


def _moment_row(
    game_id: UUID, part: str, step: int, seat: Seat, size: float, moment: CostlyMoveKept | SwingKept
) -> TableRow:
    return {
        "game": game_id,
        "part": part,
        "step": step,
        "seat": seat,
        "size": _to_victory_parts(size),
        "found": as_json(moment),
    }


def _to_victory_parts(share: float) -> int:
    return round(PARTS_PER_VICTORY * share)
