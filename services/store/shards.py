"""Games and clubs shared out among followers: each of so many shards has its own position in the log, and its own turn.

A shard is known by a hash of ids, so that an id is always in the same one. Every projection is divided alike. Followers
that run at once hold about as many shards each: one that begins is left some, and what one that ends held is taken over
by the others, shard by shard. How many shards there are is a setting of the installation (DAYBOOK_SHARDS); when it is
changed, all shards are first brought to one position, so that nothing is taken in twice and nothing is left out.
"""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import NamedTuple
from uuid import UUID, uuid4

import sqlalchemy as sa

from daybook.services.store import read_models
from daybook.services.store.away import AWAY, Away
from daybook.services.store.database import StoreEngine, upsert
from daybook.services.store.locks import ProcessLock

BEAT_SECONDS = 2.0  # between two signs of life of a follower
LIVE_SECONDS = 10.0  # without one, after which it is given up


class Shard(NamedTuple):
    """One of so many shards, counted from 0."""

    number: int = 0
    of: int = 1

    def has(self, id: UUID) -> bool:
        return self.of == 1 or zlib.crc32(id.bytes) % self.of == self.number

    def name_of(self, projection: str) -> str:
        """What this shard of a projection is called: its position, its turn, and in the health rows."""
        return projection if self.of == 1 else f"{projection}-{self.number + 1}-of-{self.of}"


ALL = Shard()


class OtherDivision(Away):
    """The projections are divided into another number of shards: a follower of that number is still at work."""

    def __init__(self, projection: str, names: Sequence[str]) -> None:
        super().__init__(f"{projection} is divided otherwise, into {', '.join(names) or 'nothing'}: all followers need "
                         "the same DAYBOOK_SHARDS")


def shards(of: int) -> list[Shard]:
    return [Shard(number, of) for number in range(of)]


def require_division(to: sa.Engine, projection: str, shard: Shard) -> None:
    """Requires the division into shards: raises OtherDivision where a projection has another one."""
    names = read_models.names_of(to, projection)
    if names and shard.name_of(projection) not in names:
        raise OtherDivision(projection, names)


def is_divided(to: sa.Engine, projection: str, of: int) -> bool:
    """Whether a projection has so many shards. One that was never begun has one, and no position."""
    names = read_models.names_of(to, projection)
    return names == sorted(shard.name_of(projection) for shard in shards(of)) or (of == 1 and not names)


def shard_named(projection: str, name: str) -> Shard:
    """The shard that has this name."""
    if name == projection:
        return ALL
    number, _, of = name.removeprefix(f"{projection}-").partition("-of-")
    return Shard(int(number) - 1, int(of))


def divide(connection: sa.Connection, projection: str, of: int, place: int, seal: str | None) -> None:
    """Divide a projection, all of which stands at a place of the log, into so many shards that stand there.

    seal: of the entry at that place; None: there is none.
    """
    for table in (read_models.position, read_models.read_from, read_models.health):
        connection.execute(table.delete().where(read_models.is_of(table, projection)))
    names = [shard.name_of(projection) for shard in shards(of)]
    connection.execute(read_models.position.insert(), [
        {"projection": name, "notification_id": place, "turn": ""} for name in names])
    if seal is not None:
        read_models.mark(connection, names, place, seal)


# --- who holds how many ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Followers:
    """The followers that run at once, as each of them sees it: a row each, which it counts up as a sign of life.

    No clock of another machine is believed: alive is who has counted on since we looked.
    """

    views: StoreEngine
    id: str = field(default_factory=lambda: uuid4().hex)
    beats: int = 0
    seen: dict[str, tuple[int, float]] = field(default_factory=dict)  # what others had counted, and since when

    def beat(self, at: float) -> None:
        """Give a sign of life, and see who else does. at: seconds of a clock that only goes forward."""
        self.beats += 1
        upsert(self.views, read_models.follower, [{"id": self.id, "beats": self.beats}], ["id"])
        with self.views.connect() as connection:
            rows = connection.execute(sa.select(read_models.follower)).all()
        self.seen = {
            row.id: known if (known := self.seen.get(row.id)) and known[0] == row.beats else (row.beats, at)
            for row in rows}
        gone = [id for id, (_, since) in self.seen.items() if at - since > 10 * LIVE_SECONDS]
        if gone:
            self._remove(gone)

    def leave(self) -> None:
        self._remove([self.id])

    def _remove(self, ids: Sequence[str]) -> None:
        with self.views.begin() as connection:
            connection.execute(read_models.follower.delete().where(read_models.follower.c.id.in_(ids)))

    def quota(self, of: int, at: float) -> int:
        """How many of so many shards are ours: as many as everybody's, the first of us one more where some are left."""
        living = sorted({id for id, (_, since) in self.seen.items() if at - since <= LIVE_SECONDS} | {self.id})
        each, left = divmod(of, len(living))
        return each + (living.index(self.id) < left)

    def keep_beating(self, stop: Event) -> None:
        """Until stopped. Away or not: who cannot be reached is given up by the others, and holds no turn either."""
        while not stop.wait(BEAT_SECONDS):
            try:
                self.beat(time.monotonic())
            except AWAY:
                continue


@dataclass(slots=True)
class Share:
    """How many shards of each projection this follower holds, and whether it may hold one more."""

    followers: Followers
    of: int
    held: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def may_take(self, projection: str) -> bool:
        """Whether a shard may be taken; then it counts as held until it is given back."""
        with self._lock:
            if self.held[projection] >= self.followers.quota(self.of, time.monotonic()):
                return False
            self.held[projection] += 1
            return True

    def give_back(self, projection: str) -> None:
        with self._lock:
            self.held[projection] -= 1

    def is_too_much(self, projection: str) -> bool:
        """Whether a shard is to be left to others."""
        with self._lock:
            return self.held[projection] > self.followers.quota(self.of, time.monotonic())


@dataclass(slots=True)
class ShardTurn(ProcessLock):
    """The turn of one shard of a projection, held by a follower as its share allows.

    is_ready: whether the projection is divided as it should be, after seeing to it; share: None: whatever is free.
    """

    turn: ProcessLock
    views: sa.Engine
    projection: str
    shard: Shard
    is_ready: Callable[[], bool]
    share: Share | None = None
    held: bool = False

    def take(self) -> bool:
        """Raises one of AWAY."""
        if self.share is not None and not self.share.may_take(self.projection):
            return False
        try:
            self.held = self.is_ready() and self.turn.take()
            if self.held:  # nobody divides anew while it is ours; but somebody may have before
                require_division(self.views, self.projection, self.shard)
        except BaseException:
            self.held = False
            self.turn.release()
            raise
        finally:
            if not self.held and self.share is not None:
                self.share.give_back(self.projection)
        return self.held

    def check(self) -> None:
        self.turn.check()

    def release(self) -> None:
        self.turn.release()
        if self.held and self.share is not None:
            self.share.give_back(self.projection)
        self.held = False

    def is_left_to_others(self) -> bool:
        return self.share is not None and self.share.is_too_much(self.projection)
