"""Who may see and write what: links with unguessable keys.

A grant is kept by its id; its key is the id signed with the service's secret, so a key can be shown again to the
scorekeeper, cannot be guessed, and cannot be made from what the database holds.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
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
from daybook.services.store.kept import is_asked_to_share, kept_game, kept_grant, lock_game

Role = Literal["scorekeeper", "seat", "umpire", "reader", "share"]
SIGNED = 4096  # keys whose signatures need no looking at again
KEY_SIGNS = 200  # of the longest key of ours: what is longer need not be looked at, nor remembered
SHARE_LETTERS = 22  # of a share address: 128 random bits
PROMISED = ""  # in place of when a link was revoked: it opens nothing yet (`promise`)


class Grant(Frozen):
    """What somebody may do in one game. seat: for the role `seat`; umpire: the number of an umpire; person: who it is,
    where somebody is signed in."""

    id: str
    game: UUID
    role: Role
    seat: Seat | None = None
    umpire: int | None = None
    person: str = ""

    @property
    def place(self) -> str:
        """At the table: "scorekeeper", "seat:1", "umpire:0", "reader"."""
        number = self.seat if self.role == "seat" else self.umpire
        return self.role if number is None else f"{self.role}:{number}"

    @property
    def only_reads(self) -> bool:
        return self.role in ("reader", "share")

    @property
    def by(self) -> str:
        """How the record names this holder: the place, and behind an @ the person's id, where it is known."""
        return f"{self.place}@{self.person}" if self.person else self.place


def make_grant(book: Daybook, game_id: UUID, role: Role, seat: Seat | None = None, umpire: int | None = None) -> Grant:
    """A new link to a game."""
    secret.secret_of(book)  # there is one before anything is kept that it signs
    with book.kept.engine.begin() as c:
        return _keep_grant(c, game_id, role, seat, umpire)


def make_first_grants(
    book: Daybook, game_id: UUID, *, keeper: str | None = None, for_readers: bool = True
) -> list[Grant]:
    """The links a new game begins with: scorekeeper, each seat, readers. Asked again, or by several at once, the links
    there are; what there never was is made, but a link that was revoked is not made again.

    keeper: the id of the scorekeeper's, made from a secret of its holder's, who can so ask for it again.
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
            c.execute(kept_grant.delete().where(kept_grant.c.game == game_id, kept_grant.c.revoked_at == PROMISED))
            for role, seat in _never_made(c, game_id, first):
                _keep_grant(c, game_id, role, seat, id=keeper if role == "scorekeeper" else None)
    return grants_of_game(book, game_id)


def _never_made(
    c: sa.Connection, game_id: UUID, of: Sequence[tuple[Role, Seat | None]]
) -> list[tuple[Role, Seat | None]]:
    made = {
        (row.role, row.seat)
        for row in c.execute(sa.select(kept_grant).where(kept_grant.c.game == game_id))
        if row.revoked_at != PROMISED
    }
    return [one for one in of if one not in made]


def promise(book: Daybook, game_id: UUID, keeper: str) -> None:
    """Before a game is brought here: the scorekeeper's link will be this one. It opens nothing until the game is here
    and gets its first links (`make_first_grants`)."""
    row = {"id": keeper, "game": game_id, "role": "scorekeeper", "created_at": now(), "revoked_at": PROMISED}
    with book.kept.engine.begin() as c:
        insert_once(c, kept_grant, row)


def is_promised(book: Daybook, keeper: str) -> bool:
    """Whether a game that was brought here waits for this scorekeeper's link, and has never had another."""
    with book.kept.engine.connect() as c:
        promised = kept_grant.c.id == keeper, kept_grant.c.revoked_at == PROMISED
        game_id = c.scalar(sa.select(kept_grant.c.game).where(*promised))
        return game_id is not None and bool(_never_made(c, game_id, [("scorekeeper", None)]))


def umpires_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """The link of an umpire; the one there is, if there is one."""
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        lock_game(c, game_id)
        there = (row for row in _rows_of_game(c, game_id) if row.role == "umpire" and row.seat == umpire)
        return next(map(_grant_of_row, there), None) or _keep_grant(c, game_id, "umpire", umpire=umpire)


def share_game(book: Daybook, game_id: UUID) -> Grant:
    """Return the game's share address, whose id is the address `/s/<id>`; create it if the game has none.

    It is not a key: whoever opens the address sees what a spectator sees, and can write nothing.
    """
    secret.secret_of(book)
    with book.kept.engine.begin() as c:
        lock_game(c, game_id)
        c.execute(kept_game.update().where(kept_game.c.id == game_id, is_asked_to_share()).values(sharing=None))
        shares = (row for row in _rows_of_game(c, game_id) if row.role == "share")
        return next(map(_grant_of_row, shares), None) or _keep_grant(c, game_id, "share")


def read_share(book: Daybook, share_id: str) -> Grant | None:
    """Return the grant of a share address; None if it is unknown or revoked. Ids of other links open nothing."""
    grant = grant_of(book, share_id) if len(share_id) == SHARE_LETTERS else None
    return grant if grant is not None and grant.role == "share" else None


def replace_grant(book: Daybook, old: Grant) -> Grant | None:
    """A new link in place of one, which opens nothing from now on; None: that one opens nothing already."""
    with book.kept.engine.begin() as c:
        gone = c.execute(_revoke(old.id)).rowcount
        return _keep_grant(c, old.game, old.role, old.seat, old.umpire) if gone else None


def _keep_grant(
    c: sa.Connection,
    game_id: UUID,
    role: Role,
    seat: Seat | None = None,
    umpire: int | None = None,
    id: str | None = None,
) -> Grant:
    assert (
        role in get_args(Role) and (seat is not None) == (role == "seat") and (umpire is not None) == (role == "umpire")
    )
    new = Grant(id or secrets.token_urlsafe(16), game_id, role, seat, umpire)
    number = umpire if seat is None else seat
    c.execute(kept_grant.insert().values(id=new.id, game=game_id, role=role, seat=number, created_at=now()))
    return new


def key_of(book: Daybook, grant: Grant) -> str:
    """The key of a link. Whoever has it holds the grant: never log it, never put it into a URL's path or query."""
    return secret.sign(secret.secret_of(book), "grant", grant.id)


def read_key(book: Daybook, key: str) -> Grant | None:
    """The grant of a key; None if the key is wrong or was revoked."""
    id = id_of_key(book, key)
    return None if id is None else grant_of(book, id)


def id_of_key(book: Daybook, key: str) -> str | None:
    """The id of a grant by its key, whether it was revoked or not; None if the key is wrong."""
    return _signed_value(secret.secret_of(book), "grant", key) if len(key) <= KEY_SIGNS else None


def grant_of(book: Daybook, id: str) -> Grant | None:
    """The grant of an id that this service signed somewhere; None if it was revoked."""
    return next(iter(grants_of(book, [id])), None)


def grants_of(book: Daybook, ids: Sequence[str]) -> list[Grant]:
    """The grants of such ids, in their order; those that were revoked are left out."""
    if not ids:
        return []
    found = book.kept.cache.get(("grants", *ids), lambda: _grants_by_id(book, ids))
    return [found[id] for id in ids if id in found]


def _grants_by_id(book: Daybook, ids: Sequence[str]) -> dict[str, Grant]:
    query = sa.select(kept_grant).where(kept_grant.c.id.in_(ids), kept_grant.c.revoked_at.is_(None))
    return {row.id: _grant_of_row(row) for row in book.kept.engine.rows(query)}


def _grant_of_row(row: Any) -> Grant:
    return grant_in(row.game, row.id, row.role, row.seat)


def grant_in(game_id: UUID, id: str, role: Role, number: int | None) -> Grant:
    """A grant as it is kept. number: of a seat or of an umpire, in one column."""
    return Grant(id, game_id, role, umpire=number) if role == "umpire" else Grant(id, game_id, role, number)


def oldest_link(book: Daybook, ids: Sequence[str], before: str) -> str:
    """Return the id of the oldest of some links that was made before a time; empty if none was."""
    if not ids:
        return ""
    query = sa.select(kept_grant.c.id).where(kept_grant.c.id.in_(ids), kept_grant.c.created_at < before)
    return book.kept.engine.value(query.order_by(kept_grant.c.created_at, kept_grant.c.id).limit(1)) or ""


def grants_of_game(book: Daybook, game_id: UUID) -> list[Grant]:
    """Return the links that work, scorekeeper first, seats in order; a share address is not a link."""
    with book.kept.engine.connect() as c:
        held = [_grant_of_row(row) for row in _rows_of_game(c, game_id) if row.role != "share"]
    return sorted(held, key=lambda g: (get_args(Role).index(g.role), -1 if g.seat is None else g.seat))


def _rows_of_game(c: sa.Connection, game_id: UUID) -> Sequence[Any]:
    query = sa.select(kept_grant).where(kept_grant.c.game == game_id, kept_grant.c.revoked_at.is_(None))
    return c.execute(query.order_by(kept_grant.c.created_at, kept_grant.c.id)).all()


def revoke(book: Daybook, grant_id: str) -> None:
    """From now on this link opens nothing."""
    book.kept.engine.write(_revoke(grant_id))


def _revoke(grant_id: str) -> sa.Update:
    here = kept_grant.c.id == grant_id, kept_grant.c.revoked_at.is_(None)
    return kept_grant.update().where(*here).values(revoked_at=now())


_signed_value = lru_cache(SIGNED)(secret.signed_value)
