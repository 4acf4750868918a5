"""Quota of bytes stored per day, per person, link and network address, and for all strangers together.

A stranger is a visitor who is not signed in. Only additions are refused, never a decision: a game continues until the
disk is full. Addresses are counted by a keyed digest, which is deleted after two days.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from threading import Lock

import sqlalchemy as sa

from daybook.services.clock import later_time, now
from daybook.services.limits import Caller, wide_network
from daybook.services.store import secret
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_stored

MEGABYTE = 1_000_000
STRANGERS = "strangers"
BYTES_PER_DAY = {
    "person": 500 * MEGABYTE,
    "link": 200 * MEGABYTE,
    "address": 500 * MEGABYTE,  # of IPv6 a /64
    "network": 2_000 * MEGABYTE,  # a /48 of IPv6
    STRANGERS: 2_000 * MEGABYTE,
}
ADDRESS_RETENTION_DAYS = 2
RETENTION_DAYS = 35  # of counts per person and link
FLUSH_BYTES = 32_000  # per client; smaller counts wait, so that a decision costs no second commit


class TooManyBytesError(Exception):
    """A client has used up its quota for today; nothing was written."""

    def __init__(self, client: str) -> None:
        super().__init__("as much was stored today as one may store in a day: come again tomorrow, or sign in")
        self.client = client.partition(" ")[0]


def client_of_person(person: str) -> str:
    return f"person {person}"


def client_of_link(grant_id: str) -> str:
    return f"link {grant_id}"


def client_of_address(book: Daybook, address: str, kind: str = "address") -> str:
    """Return the pseudonym (a keyed digest) under which an address is counted."""
    digest = hmac.new(secret.secret_of(book), f"bytes {address}".encode(), hashlib.sha256).hexdigest()
    return f"{kind} {digest[:16]}"


def clients_of(book: Daybook, caller: Caller) -> list[str]:
    """Return the clients that a caller's bytes are counted for."""
    if caller.account:
        return [client_of_person(caller.account)]
    clients = [client_of_link(caller.link)] if caller.link else []
    if caller.address:
        clients.append(client_of_address(book, caller.address))
        if wide := wide_network(caller.address):
            clients.append(client_of_address(book, wide, "network"))
    return [*clients, STRANGERS]


def require_room(book: Daybook, clients: Sequence[str], size: int) -> None:
    """Raise TooManyBytesError if these clients may not store `size` more bytes today."""
    query = (
        sa.select(kept_stored.c.client, sa.func.sum(kept_stored.c.bytes))
        .where(kept_stored.c.client.in_(clients), kept_stored.c.day == _today())
        .group_by(kept_stored.c.client)
    )
    stored = {client: int(total) for client, total in book.kept.engine.rows(query)}
    for client in clients:
        if stored.get(client, 0) + size > BYTES_PER_DAY[client.partition(" ")[0]]:
            raise TooManyBytesError(client)


class ByteCounts:
    """Thread-safe byte counts of one process; small amounts are collected before they are written."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], int] = {}
        self._lock = Lock()

    def add(self, book: Daybook, clients: Sequence[str], stored: Mapping[str, int]) -> None:
        """Count the stored bytes of each kind for each of these clients."""
        due: dict[tuple[str, str], int] = {}
        with self._lock:
            for client in clients:
                for kind, size in stored.items():
                    total = self._waiting.pop((client, kind), 0) + size
                    if total < FLUSH_BYTES and len(self._waiting) < FLUSH_BYTES:
                        self._waiting[client, kind] = total
                    else:
                        due[client, kind] = total
        if due:
            _write(book, due)


def _write(book: Daybook, counts: Mapping[tuple[str, str], int]) -> None:
    """Add counted bytes to today's stored counts."""
    day = _today()
    with book.kept.engine.begin() as c:
        new = [{"day": day, "client": client, "kind": kind, "bytes": 0} for client, kind in sorted(counts)]
        insert_missing(c, kept_stored, new)
        for (client, kind), size in sorted(counts.items()):
            row = kept_stored.c.day == day, kept_stored.c.client == client, kept_stored.c.kind == kind
            c.execute(kept_stored.update().where(*row).values(bytes=kept_stored.c.bytes + size))
        _forget_old(c)


def _forget_old(c: sa.Connection) -> None:
    of_address = sa.or_(*(kept_stored.c.client.startswith(f"{kind} ") for kind in ("address", "network")))
    c.execute(kept_stored.delete().where(of_address, kept_stored.c.day < _today(-ADDRESS_RETENTION_DAYS)))
    c.execute(kept_stored.delete().where(kept_stored.c.day < _today(-RETENTION_DAYS)))


def stored_since(book: Daybook, days: int) -> list[tuple[str, str, int]]:
    """Return (client, kind, bytes) of the last days including today, the largest first."""
    total = sa.func.sum(kept_stored.c.bytes)
    query = (
        sa.select(kept_stored.c.client, kept_stored.c.kind, total)
        .where(kept_stored.c.day > _today(-days))
        .group_by(kept_stored.c.client, kept_stored.c.kind)
        .order_by(total.desc(), kept_stored.c.client)
    )
    return [(client, kind, int(size)) for client, kind, size in book.kept.engine.rows(query)]


def _today(days: int = 0) -> str:
    """Return the date in UTC, or the date some days later."""
    return later_time(now(), hours=24 * days)[:10]
