"""Archive of complete win chances, next to the player names.

Chances are read models that can be recomputed, but at a minute or more per game. A rebuild, an upgrade or a restored
backup therefore reuses archived ones, if made by the same revisions and for the same record: the seal of its newest
entry is stored with them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.record import Game
from daybook.services.analysis.calibration import chances_revision
from daybook.services.analysis.moves import WeighedMove
from daybook.services.analysis.play_outs import Chances
from daybook.services.clock import now
from daybook.services.store.database import insert_missing, upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_chances
from daybook.services.store.read_models import TableRow, analysed_piece

TYPE_BY_PART = {"position": Chances, "move": WeighedMove}  # content type of a piece

logger = logging.getLogger(__name__)


class KeptPiece(Exact, array_like=True):
    """A row of `analysed_piece`, without what holds of all of its game."""

    part: str
    step: int
    seed: int
    found: msgspec.Raw


def archive_chances(book: Daybook, game: Game) -> None:
    """Archive all current pieces of a game, replacing older ones."""
    rows = book.views.rows(pieces_of(game).order_by(analysed_piece.c.part, analysed_piece.c.step))
    pieces = [KeptPiece(row.part, row.step, row.seed, msgspec.Raw(row.found.encode())) for row in rows]
    row = {
        "game": game.id,
        "step": game.step,
        "seal": game.seal,
        "made_by": chances_revision(game.ruleset),
        "pieces": msgspec.json.encode(pieces).decode(),
        "at": now(),
    }
    with book.kept.engine.begin() as c:
        upsert(c, kept_chances, [row], ["game"])


def restore_chances(book: Daybook, game: Game) -> None:
    """Restore archived pieces of a game to the read models, unless current ones exist."""
    if book.views.row(pieces_of(game).limit(1)) is not None:
        return
    if rows := _archived_rows(book, game):
        with book.views.begin() as c:
            c.execute(analysed_piece.delete().where(analysed_piece.c.game == game.id))
            insert_missing(c, analysed_piece, rows)


def pieces_of(game: Game) -> sa.Select[tuple[Any, ...]]:
    """Query of the pieces of a game among the read models that today's revisions made."""
    return sa.select(analysed_piece).where(
        analysed_piece.c.game == game.id, analysed_piece.c.made_by == chances_revision(game.ruleset)
    )


def _archived_rows(book: Daybook, game: Game) -> Sequence[TableRow]:
    """Return the archived rows of a game; none from other revisions or another record."""
    kept = book.kept.engine.row(sa.select(kept_chances).where(kept_chances.c.game == game.id))
    made_by = chances_revision(game.ruleset)
    if kept is None or kept.made_by != made_by or kept.step > game.step or game.entries[kept.step].seal != kept.seal:
        return []
    try:
        pieces = msgspec.json.decode(kept.pieces, type=list[KeptPiece])
        for piece in pieces:
            msgspec.json.decode(piece.found, type=TYPE_BY_PART[piece.part])
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
