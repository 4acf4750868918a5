"""Leases of a device: the games that it took from a service, and the keys that return them."""

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

    step: the lease, an entry of its record; key: returns it; person: the recorder, empty if no one was signed in;
    ended_at: when it was returned; draw_seed: of the game's draws, in hexadecimal digits.
    """

    game: UUID
    step: int
    key: str
    person: str
    taken_at: str
    ended_at: str | None = None
    draw_seed: str = ""


def store_lease(book: Daybook, lease: HeldLease, name: str) -> None:
    """Store a lease, and the name of its recorder."""
    with book.kept.engine.begin() as c:
        c.execute(kept_lease.delete().where(kept_lease.c.game == lease.game))
        c.execute(kept_lease.insert().values(**msgspec.structs.asdict(lease)))
    if lease.person:
        book.kept.keep_person(lease.person, name)


def held_lease(book: Daybook, game_id: UUID) -> HeldLease | None:
    """Return the lease of a game, returned or not."""
    row = book.kept.engine.row(sa.select(kept_lease).where(kept_lease.c.game == game_id))
    return None if row is None else HeldLease(**row._mapping)


def end_lease(book: Daybook, game_id: UUID) -> None:
    """Note that a game was returned: this device records it no more."""
    book.kept.engine.write(
        kept_lease.update().where(kept_lease.c.game == game_id, kept_lease.c.ended_at.is_(None)).values(ended_at=now())
    )
