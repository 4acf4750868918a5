"""Keeps the win chances of a game that are complete, beside the names of its players.

They are read models: worked out from the record, and again by whoever asks. But that takes a worker a minute and more a
game, and days for all games of a club, so that a rebuild, a newer Daybook and a restored backup take them up instead.
They are taken up only by the revisions that made them, and for the record that they were made of: the seal of its
newest entry then stands beside them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.record import Game
from daybook.services.analysis.calibration import revisions
from daybook.services.analysis.moves import WeighedMove
from daybook.services.analysis.play_outs import Chances
from daybook.services.clock import now
from daybook.services.store.database import insert_missing, upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_chances
from daybook.services.store.read_models import Row, analysed_piece

FOUND = {"position": Chances, "move": WeighedMove}  # what a piece says, by its part

logger = logging.getLogger(__name__)


class KeptPiece(Exact, array_like=True):
    """A row of `analysed_piece`, without what holds of all of its game."""

    part: str
    step: int
    seed: int
    found: msgspec.Raw


def keep_chances(book: Daybook, game: Game) -> None:
    """Keep all pieces of a game as they are now, in place of what was kept of it."""
    rows = book.views.rows(pieces_of(game).order_by(analysed_piece.c.part, analysed_piece.c.step))
    pieces = [KeptPiece(row.part, row.step, row.seed, msgspec.Raw(row.found.encode())) for row in rows]
    row = {
        "game": game.id,
        "step": game.step,
        "seal": game.seal,
        "made_by": revisions(game.ruleset),
        "pieces": msgspec.json.encode(pieces).decode(),
        "at": now(),
    }
    with book.kept.engine.begin() as c:
        upsert(c, kept_chances, [row], ["game"])


def take_up_chances(book: Daybook, game: Game) -> None:
    """Lay the pieces that are kept of a game among the read models again, where these have none of today's revisions."""
    if book.views.row(pieces_of(game).limit(1)) is not None:
        return
    if rows := _kept_rows(book, game):
        with book.views.begin() as c:
            c.execute(analysed_piece.delete().where(analysed_piece.c.game == game.id))
            insert_missing(c, analysed_piece, rows)


def pieces_of(game: Game) -> sa.Select[tuple[Any, ...]]:
    """Query of the pieces of a game among the read models that today's revisions made."""
    return sa.select(analysed_piece).where(
        analysed_piece.c.game == game.id, analysed_piece.c.made_by == revisions(game.ruleset)
    )


def _kept_rows(book: Daybook, game: Game) -> Sequence[Row]:
    """The rows that are kept of a game; none that another version made, or that are of another record."""
    kept = book.kept.engine.row(sa.select(kept_chances).where(kept_chances.c.game == game.id))
    made_by = revisions(game.ruleset)
    if kept is None or kept.made_by != made_by or kept.step > game.step or game.entries[kept.step].seal != kept.seal:
        return []
    try:
        pieces = msgspec.json.decode(kept.pieces, type=list[KeptPiece])
        for piece in pieces:
            msgspec.json.decode(piece.found, type=FOUND[piece.part])
    except (msgspec.DecodeError, KeyError) as wrong:
        logger.warning("the kept win chances of %s cannot be read and are made again: %s", game.id, wrong)
        return []
    return [
        {
            "game": game.id,
            "part": piece.part,
            "step": piece.step,
            "made_by": made_by,
            "seed": piece.seed,
            "found": bytes(piece.found).decode(),
        }
        for piece in pieces
    ]
