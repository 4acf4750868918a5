"""Disagreements between the rules and an imported record.

The rules check what Daybook itself records. Lines from outside (a record file, a game that a device returns) are checked
once, when they are imported, and the findings are stored: a rule that is corrected later does not change the meaning of
a game. A disagreement counts while its entry stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.events import GameClosed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.store.database import insert_missing
from daybook.services.store.kept import KeptTables, kept_disagreement
from daybook.services.structs import copy_fields

MAX_STORED_PER_GAME = 200  # enough to show that a record disagrees


class Disagreement(Frozen):
    """An entry that the rules disagree with. seal: of that entry; finding: JSON, as in an audit."""

    step: int
    seal: str
    finding: str
    at: str


def store(tables: KeptTables, game: Game, findings: Iterable[tuple[int, str]]) -> None:
    """Store the steps at which the rules disagree, with their findings, before the entries are written."""
    rows = [
        {"game": game.id, "step": step, "seal": game.entries[step].seal, "finding": finding, "at": now()}
        for step, finding in list(findings)[:MAX_STORED_PER_GAME]
    ]
    if rows:
        with tables.engine.begin() as c:
            c.execute(
                kept_disagreement.delete().where(
                    kept_disagreement.c.game == game.id, kept_disagreement.c.step.in_([row["step"] for row in rows])
                )
            )
            insert_missing(c, kept_disagreement, rows)


def select_of_games(tables: KeptTables, ids: Collection[UUID]) -> dict[UUID, list[Disagreement]]:
    """Return the disagreements of games, by step; games without any are left out."""
    found: dict[UUID, list[Disagreement]] = {}
    query = sa.select(kept_disagreement).where(kept_disagreement.c.game.in_(ids)).order_by(kept_disagreement.c.step)
    for row in tables.engine.rows(query):
        found.setdefault(row.game, []).append(copy_fields(Disagreement, row))
    return found


def select_of_game(tables: KeptTables, game_id: UUID) -> list[Disagreement]:
    return select_of_games(tables, [game_id]).get(game_id, [])


def filter_standing(game: Game, stored: Sequence[Disagreement], step: int | None = None) -> list[Disagreement]:
    """Return the disagreements that stand after a step: on the line of play to its board, or in the last closing."""
    to = game.step if step is None else step
    present = [
        disagreement
        for disagreement in stored
        if disagreement.step <= to and game.entries[disagreement.step].seal == disagreement.seal
    ]
    if not present:
        return []
    closed = next((entry.step for entry in reversed(game.entries[: to + 1]) if isinstance(entry.event, GameClosed)), -1)
    stands = {*game.line(to), closed}
    return [disagreement for disagreement in present if disagreement.step in stands]
