"""On a device: the games that it took from a service, and what hands them back."""

from __future__ import annotations

from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_lease


class HeldLease(Frozen):
    """A game that this daybook records for another one.

    step: the lease, an entry of its record; key: hands it back; person: who records, empty where nobody was signed in;
    ended_at: when it was handed back; draw_seed: of the game's draws, in hexadecimal digits.
    """

    game: UUID
    step: int
    key: str
    person: str
    taken_at: str
    ended_at: str | None = None
    draw_seed: str = ""


def hold(book: Daybook, held: HeldLease, name: str) -> None:
    """Keep what hands a game back, and what its recorder is called."""
    with book.kept.engine.begin() as c:
        c.execute(kept_lease.delete().where(kept_lease.c.game == held.game))
        c.execute(kept_lease.insert().values(**msgspec.structs.asdict(held)))
    if held.person:
        book.kept.keep_person(held.person, name)


def held_lease(book: Daybook, game_id: UUID) -> HeldLease | None:
    """What this daybook holds of a game of another one, handed back or not."""
    row = book.kept.engine.row(sa.select(kept_lease).where(kept_lease.c.game == game_id))
    return None if row is None else HeldLease(**row._mapping)


def let_go(book: Daybook, game_id: UUID) -> None:
    """It was handed back: nothing is recorded here any more."""
    book.kept.engine.write(
        kept_lease.update().where(kept_lease.c.game == game_id, kept_lease.c.ended_at.is_(None)).values(ended_at=now())
    )
