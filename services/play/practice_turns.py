"""Order of waiting practice tables: clients take turns; more CPU use means a later turn."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import later_time, now
from daybook.services.play.practice import TURN_SECONDS
from daybook.services.store import secret
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_practice

NO_DEBTS: Mapping[str, float] = MappingProxyType({})
CLIENT_RETENTION_HOURS = 48  # of the client that opened a table


def store_client(book: Daybook, game_id: UUID, client: str) -> None:
    """Store a keyed digest of the client (account or network address) that opened a practice table."""
    digest = hmac.new(secret.secret_of(book), f"practice {client}".encode(), "sha256").hexdigest()[:16]
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_practice, [{"game": game_id, "client": digest, "at": now()}])
        c.execute(kept_practice.delete().where(kept_practice.c.at < later_time(now(), hours=-CLIENT_RETENTION_HOURS)))


def clients_of(book: Daybook, games: Sequence[UUID]) -> dict[UUID, str]:
    """Return the clients of practice tables; a table without a known client counts as its own client."""
    query = sa.select(kept_practice.c.game, kept_practice.c.client).where(kept_practice.c.game.in_(games))
    client_by_game = {row.game: row.client for row in book.kept.engine.rows(query)}
    return {game: client_by_game.get(game, str(game)) for game in games}


def place_in_queue(clients: Sequence[str], client: str, debts: Mapping[str, float] = NO_DEBTS) -> int:
    """Return before which waiting job a client's next job comes.

    It comes after as many jobs of each other client as of its own; a debt of TURN_SECONDS counts as one job.
    """

    def turn(of_client: str, jobs: int) -> int:
        return jobs + int(debts.get(of_client, 0.0) / TURN_SECONDS)

    own, seen = turn(client, clients.count(client)), Counter[str]()
    for place, other in enumerate(clients):
        if turn(other, seen[other]) > own:
            return place
        seen[other] += 1
    return len(clients)
