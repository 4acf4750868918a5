"""Disagreements: where the rules say something else than a record that was brought from outside.

What Daybook records itself the rules have judged before. Lines that come from elsewhere (a record file, a device that
hands a game back although the rules refuse what it wrote) are judged once, when they come, and what was found is kept:
a rule that is mended later changes nothing in what a game means. A disagreement counts while its entry stands.
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
from daybook.services.structs import struct_of

KEPT_LIMIT = 200  # of one game; a record that disagrees more often is told by these as well


class Disagreement(Frozen):
    """One entry that the rules disagree with. seal: of that entry; finding: JSON, as an audit has it."""

    step: int
    seal: str
    finding: str
    at: str


def keep(kept: KeptTables, game: Game, found: Iterable[tuple[int, str]]) -> None:
    """Keep the steps of a game at which the rules disagree, each with what they say. Before its entries are written:
    whoever reads them then knows."""
    rows = [
        {"game": game.id, "step": step, "seal": game.entries[step].seal, "finding": finding, "at": now()}
        for step, finding in list(found)[:KEPT_LIMIT]
    ]
    if rows:
        with kept.engine.begin() as c:
            c.execute(
                kept_disagreement.delete().where(
                    kept_disagreement.c.game == game.id, kept_disagreement.c.step.in_([row["step"] for row in rows])
                )
            )
            insert_missing(c, kept_disagreement, rows)


def of_games(kept: KeptTables, ids: Collection[UUID]) -> dict[UUID, list[Disagreement]]:
    """What is kept of some games, by step; games without any are left out."""
    found: dict[UUID, list[Disagreement]] = {}
    query = sa.select(kept_disagreement).where(kept_disagreement.c.game.in_(ids)).order_by(kept_disagreement.c.step)
    for row in kept.engine.rows(query):
        found.setdefault(row.game, []).append(struct_of(Disagreement, row))
    return found


def of_game(kept: KeptTables, game_id: UUID) -> list[Disagreement]:
    return of_games(kept, [game_id]).get(game_id, [])


def standing(game: Game, known: Sequence[Disagreement], step: int | None = None) -> list[Disagreement]:
    """Those that stand after a step, on the line of play that leads to its board, or in how it was closed last."""
    to = game.step if step is None else step
    if not (known := [one for one in known if one.step <= to and game.entries[one.step].seal == one.seal]):
        return []
    closed = next((entry.step for entry in reversed(game.entries[: to + 1]) if isinstance(entry.event, GameClosed)), -1)
    stands = {*game.line(to), closed}
    return [one for one in known if one.step in stands]
