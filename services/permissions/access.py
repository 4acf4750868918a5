"""Links to games, with unguessable keys.

The database has the id of a grant. Its key is the id, signed with the service's secret: a key can be shown again to the
scorekeeper, but neither be guessed nor made from the database.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import place_of as place_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat
from daybook.services.clock import now
from daybook.services.store import secret
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import is_share_requested, kept_game, kept_grant, lock_game

Role = Literal["scorekeeper", "seat", "umpire", "reader", "share"]
SIGNATURE_CACHE_SIZE = 4096  # verified keys
MAX_KEY_CHARACTERS = 200  # longer keys are never ours
SHARE_LETTERS = 22  # of a share address: 128 random bits
RESERVED = ""  # instead of the time when a link was revoked: it opens nothing yet (`reserve_keeper_link`)


class Grant(Frozen):
    """A permission in one game.

    Args:
        seat: for the role `seat`.
        umpire: the number of an umpire.
        person: the holder's id, if they are signed in.
    """

    id: str
    game: UUID
    role: Role
    seat: Seat | None = None
    umpire: int | None = None
    person: str = ""

    @property
    def place(self) -> str:
        """The place at the table: "scorekeeper", "seat:1", "umpire:0", "reader"."""
        number = self.seat if self.role == "seat" else self.umpire
        return self.role if number is None else f"{self.role}:{number}"

    @property
    def only_reads(self) -> bool:
        return self.role in ("reader", "share")

    @property
    def by(self) -> str:
        """The holder's name in the record: the place, and the id of a known person after an @."""
        return f"{self.place}@{self.person}" if self.person else self.place


def make_grant(book: Daybook, game_id: UUID, role: Role, seat: Seat | None = None, umpire: int | None = None) -> Grant:
    """Create a link to a game."""
    secret.secret_of(book)  # exists before any row that it signs
    with book.kept.engine.begin() as c:
        return _keep_grant(c, game_id, role, seat, umpire)


def make_first_grants(
    book: Daybook, game_id: UUID, *, keeper: str | None = None, for_readers: bool = True
) -> list[Grant]:
    """Return the links of a new game: scorekeeper, each seat, readers. Repeated calls return the same links.

    Links that never existed are created; a revoked link is not created again.

    Args:
        keeper: the id of the scorekeeper's link, made from its holder's secret, who can request it again.
    """
    seats = len(book.games.get(game_id).opening.seats)
    first: list[tuple[Role, Seat | None]] = [("scorekeeper", None), *(("seat", seat) for seat in range(seats))]
    if for_readers:
        first.append(("reader", None))
    with book.kept.engine.connect() as c:
        is_whole = not _never_made(c, game_id, first)
    if not is_whole:
        secret.secret_of(book)
        with book.kept.engine.begin() as c:
            lock_game(c, game_id)
            c.execute(kept_grant.delete().where(kept_grant.c.game == game_id, kept_grant.c.revoked_at == RESERVED))
            for role, seat in _never_made(c, game_id, first):
                _keep_grant(c, game_id, role, seat, grant_id=keeper if role == "scorekeeper" else None)
    return grants_of_game(book, game_id)


def _never_made(
    c: sa.Connection, game_id: UUID, wanted: Sequence[tuple[Role, Seat | None]]
) -> list[tuple[Role, Seat | None]]:
    made = {
        (row.role, row.seat)
        for row in c.execute(sa.select(kept_grant).where(kept_grant.c.game == game_id))
        if row.revoked_at != RESERVED
    }
    return [link for link in wanted if link not in made]


def reserve_keeper_link(book: Daybook, game_id: UUID, keeper: str) -> None:
    """Reserve the scorekeeper's link of a game that is about to be imported.

    It opens nothing until the imported game gets its first links (`make_first_grants`).
    """
    row = {"id": keeper, "game": game_id, "role": "scorekeeper", "created_at": now(), "revoked_at": RESERVED}
    with book.kept.engine.begin() as c:
        insert_once(c, kept_grant, row)


def is_reserved(book: Daybook, keeper: str) -> bool:
    """Check if an imported game waits for this scorekeeper's link, and has never had another."""
    with book.kept.engine.connect() as c:
        reserved = kept_grant.c.id == keeper, kept_grant.c.revoked_at == RESERVED
        game_id = c.scalar(sa.select(kept_grant.c.game).where(*reserved))
        return game_id is not None and bool(_never_made(c, game_id, [("scorekeeper", None)]))


def umpires_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """Return the link of an umpire; create it if there is none."""
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        lock_game(c, game_id)
        there = (row for row in _rows_of_game(c, game_id) if row.role == "umpire" and row.seat == umpire)
        return next(map(_grant_of_row, there), None) or _keep_grant(c, game_id, "umpire", umpire=umpire)


def share_game(book: Daybook, game_id: UUID) -> Grant:
    """Return the game's share address (`/s/<id>`); create it if the game has none.

    It is not a key: it shows what a spectator sees, and writes nothing.
    """
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        lock_game(c, game_id)
        c.execute(kept_game.update().where(kept_game.c.id == game_id, is_share_requested()).values(sharing=None))
        shares = (row for row in _rows_of_game(c, game_id) if row.role == "share")
        return next(map(_grant_of_row, shares), None) or _keep_grant(c, game_id, "share")


def read_share(book: Daybook, share_id: str) -> Grant | None:
    """Return the grant of a share address; None if it is unknown or revoked. Ids of other links open nothing."""
    grant = grant_of(book, share_id) if len(share_id) == SHARE_LETTERS else None
    return grant if grant is not None and grant.role == "share" else None


def replace_grant(book: Daybook, old: Grant) -> Grant | None:
    """Replace a link, which opens nothing from now on. Return None if it was revoked before."""
    with book.kept.engine.begin() as c:
        gone = c.execute(_revoke(old.id)).rowcount
        return _keep_grant(c, old.game, old.role, old.seat, old.umpire) if gone else None


def _keep_grant(
    c: sa.Connection,
    game_id: UUID,
    role: Role,
    seat: Seat | None = None,
    umpire: int | None = None,
    grant_id: str | None = None,
) -> Grant:
    assert (
        role in get_args(Role) and (seat is not None) == (role == "seat") and (umpire is not None) == (role == "umpire")
    )
    new = Grant(grant_id or secrets.token_urlsafe(16), game_id, role, seat, umpire)
    number = umpire if seat is None else seat
    c.execute(kept_grant.insert().values(id=new.id, game=game_id, role=role, seat=number, created_at=now()))
    return new


def key_of(book: Daybook, grant: Grant) -> str:
    """Return the key of a link. It is a secret: never log it, never put it into a URL's path or query."""
    return secret.sign(secret.secret_of(book), "grant", grant.id)


def read_key(book: Daybook, key: str) -> Grant | None:
    """Return the grant of a key; None if the key is wrong or was revoked."""
    id = id_of_key(book, key)
    return None if id is None else grant_of(book, id)


def id_of_key(book: Daybook, key: str) -> str | None:
    """Return the id of a key's grant, also of a revoked one; None if the key is wrong."""
    return _signed_value(secret.secret_of(book), "grant", key) if len(key) <= MAX_KEY_CHARACTERS else None


def grant_of(book: Daybook, grant_id: str) -> Grant | None:
    """Return the grant of an id that this service signed; None if it was revoked."""
    return next(iter(grants_of(book, [grant_id])), None)


def grants_of(book: Daybook, ids: Sequence[str]) -> list[Grant]:
    """Return the grants of ids that this service signed, in their order, without revoked ones."""
    if not ids:
        return []
    found = book.kept.cache.get(("grants", *ids), lambda: _grants_by_id(book, ids))
    return [found[id] for id in ids if id in found]


def _grants_by_id(book: Daybook, ids: Sequence[str]) -> dict[str, Grant]:
    query = sa.select(kept_grant).where(kept_grant.c.id.in_(ids), kept_grant.c.revoked_at.is_(None))
    return {row.id: _grant_of_row(row) for row in book.kept.engine.rows(query)}


def _grant_of_row(row: Any) -> Grant:
    return grant_in(row.game, row.id, row.role, row.seat)


def grant_in(game_id: UUID, grant_id: str, role: Role, number: int | None) -> Grant:
    """Build a grant from its columns. number: of a seat or of an umpire."""
    return Grant(grant_id, game_id, role, umpire=number) if role == "umpire" else Grant(grant_id, game_id, role, number)


def oldest_link(book: Daybook, ids: Sequence[str], before: str) -> str:
    """Return the id of the oldest of some links that was made before a time; empty if none was."""
    if not ids:
        return ""
    query = sa.select(kept_grant.c.id).where(kept_grant.c.id.in_(ids), kept_grant.c.created_at < before)
    return book.kept.engine.value(query.order_by(kept_grant.c.created_at, kept_grant.c.id).limit(1)) or ""


def created_at(book: Daybook, grant_id: str) -> str:
    """Return when a link was made; empty for an unknown one. Each request that writes asks, so it is cached."""
    query = sa.select(kept_grant.c.created_at).where(kept_grant.c.id == grant_id)
    return book.kept.cache.get(("link created", grant_id), lambda: book.kept.engine.value(query)) or ""


def grants_of_game(book: Daybook, game_id: UUID) -> list[Grant]:
    """Return the links that work, scorekeeper first, seats in order; a share address is not a link."""
    with book.kept.engine.connect() as c:
        held = [_grant_of_row(row) for row in _rows_of_game(c, game_id) if row.role != "share"]
    return sorted(held, key=lambda g: (get_args(Role).index(g.role), -1 if g.seat is None else g.seat))


def _rows_of_game(c: sa.Connection, game_id: UUID) -> Sequence[Any]:
    query = sa.select(kept_grant).where(kept_grant.c.game == game_id, kept_grant.c.revoked_at.is_(None))
    return c.execute(query.order_by(kept_grant.c.created_at, kept_grant.c.id)).all()


def move_grants(book: Daybook, old: UUID, new: UUID, seats: Mapping[Seat, Seat]) -> None:
    """Let a game's links open the game that replaces it; those of seats without a new seat are revoked.

    Args:
        new: the same game, to give its links other seats.
    """
    with book.kept.engine.begin() as c:
        lock_game(c, old)
        if new != old:
            c.execute(kept_game.update().where(kept_game.c.id == old).values(replaced_by=new))
        for row in _rows_of_game(c, old):
            if row.role == "umpire" or (row.role == "seat" and row.seat not in seats):
                c.execute(_revoke(row.id))
            else:
                seat = seats[row.seat] if row.role == "seat" else row.seat
                c.execute(kept_grant.update().where(kept_grant.c.id == row.id).values(game=new, seat=seat))


def revoke(book: Daybook, grant_id: str) -> None:
    """Revoke a link."""
    book.kept.engine.write(_revoke(grant_id))


def _revoke(grant_id: str) -> sa.Update:
    """Return the statement that revokes a grant."""
    here = kept_grant.c.id == grant_id, kept_grant.c.revoked_at.is_(None)
    return kept_grant.update().where(*here).values(revoked_at=now())


_signed_value = lru_cache(SIGNATURE_CACHE_SIZE)(secret.signed_value)
