"""Order of waiting practice tables: visitors take turns, and who used more CPU time comes later."""

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
KEPT_HOURS = 48  # for which it is known who opened a table


def keep_client(book: Daybook, game_id: UUID, client: str) -> None:
    """Keep a keyed digest of who opened a practice table: an account, or else a network address."""
    digest = hmac.new(secret.secret_of(book), f"practice {client}".encode(), "sha256").hexdigest()[:16]
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_practice, [{"game": game_id, "client": digest, "at": now()}])
        c.execute(kept_practice.delete().where(kept_practice.c.at < later_time(now(), hours=-KEPT_HOURS)))


def clients_of(book: Daybook, games: Sequence[UUID]) -> dict[UUID, str]:
    """Return by whom practice tables were opened; a table of nobody known is a client of its own."""
    query = sa.select(kept_practice.c.game, kept_practice.c.client).where(kept_practice.c.game.in_(games))
    known = {row.game: row.client for row in book.kept.engine.rows(query)}
    return {game: known.get(game, str(game)) for game in games}


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
