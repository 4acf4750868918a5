"""Followers that share games by a hash of their ids: nothing is taken in twice, and nothing is left out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa

from daybook.services import projections
from daybook.services.league.results import RESULTS
from daybook.services.projections import (
    GAMES,
    SCORES,
    BatchProjector,
    Projection,
    Seen,
    follow,
    games_projection,
    period_ends,
    redivide,
    results_projection,
)
from daybook.services.settings import Settings
from daybook.services.store import locks, read_models, shards
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.shards import Followers, OtherDivision, Shard, ShardTurn, Share
from daybook.workers.children import start_child, stop
from tests.played import open_table_of, play_game
from tests.rows import all_rows
from tests.servers import wait_until
from tests.services.test_projections import record_variety
from tests.workers.test_jobs import QueueServer

FOLLOW = """
from daybook.services.settings import read_settings
from daybook.services.store import locks, shards
from daybook.workers import follower
locks.TURN_SECONDS, shards.BEAT_SECONDS, shards.LIVE_SECONDS = 0.1, 0.2, 2.0
follower.run(read_settings())
"""


class EntryCounts:
    """How often each entry was taken in by a projection of periods, whatever shard took it."""

    def __init__(self) -> None:
        self.entries: Counter[tuple[UUID, int]] = Counter()

    def projection(self, shard: Shard = shards.ALL) -> Projection:
        return Projection(SCORES, self._fold, shard=shard)

    def _fold(self, events: Sequence[Seen]) -> read_models.Rows:
        self.entries.update((entry.originator_id, entry.step) for _, entry in events)
        return {read_models.period_end: period_ends(events)}


def every_entry(book: Daybook) -> Counter[tuple[UUID, int]]:
    return Counter((entry.originator_id, entry.step) for _, entry in book.log.since(0, 100_000))


def take_all(book: Daybook, projection: Projection, limit: int = 500) -> None:
    projector = BatchProjector(book, projection, limit=limit)
    while projector.step():
        pass


# --- shards ----------------------------------------------------------------------------------------------------------


def test_every_id_is_in_one_shard_and_they_are_about_as_large() -> None:
    ids = [uuid4() for _ in range(4000)]
    for of in (1, 2, 7):
        holders = Counter(shard.number for id in ids for shard in shards.shards(of) if shard.has(id))
        assert holders.total() == len(ids) and min(holders.values()) > len(ids) / of * 0.8


def test_a_name_tells_its_shard() -> None:
    for of in (1, 2, 64):
        for shard in shards.shards(of):
            assert shards.shard_named("games", shard.name_of("games")) == shard


@pytest.mark.parametrize("limit", [1, 7, 500])
def test_shards_come_to_the_same_rows_as_the_whole(book: Daybook, limit: int) -> None:
    record_variety(book)
    makers = (games_projection(book), results_projection(book), EntryCounts().projection())
    for projection in makers:
        take_all(book, projection)
    whole = all_rows(book.views)
    with book.views.begin() as connection:
        for table in (*read_models.REBUILT, read_models.position, read_models.read_from):
            connection.execute(table.delete())
    for projection in makers:
        assert redivide(book, replace(projection, shard=Shard(0, 3)))
        for shard in shards.shards(3):
            take_all(book, replace(projection, shard=shard), limit)
        assert read_models.position_of(book.views, projection.name) == book.log.newest()
    assert all_rows(book.views) == whole


def test_the_position_of_a_projection_is_that_of_the_shard_that_is_furthest_behind(book: Daybook) -> None:
    play_game(book, 1)
    redivide(book, EntryCounts().projection(Shard(0, 2)))
    take_all(book, EntryCounts().projection(Shard(0, 2)))
    assert read_models.position_of(book.views, SCORES) == 0
    assert read_models.position_of(book.views, Shard(0, 2).name_of(SCORES)) == book.log.newest()


# --- another number of shards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(1, 4), (3, 2), (4, 1)])
def test_another_number_of_shards_takes_nothing_in_twice_and_leaves_nothing_out(
    book: Daybook, before: int, after: int,
) -> None:
    record_variety(book)
    taken = EntryCounts()
    assert redivide(book, taken.projection(Shard(0, before)))
    for shard in shards.shards(before):  # they stand at different places
        projector = BatchProjector(book, taken.projection(shard), limit=10)
        for _ in range(shard.number + 1):
            projector.step()
    assert taken.entries.total() < every_entry(book).total()
    assert redivide(book, taken.projection(Shard(0, after)))
    names = sorted(shard.name_of(SCORES) for shard in shards.shards(after))
    assert read_models.names_of(book.views, SCORES) == names
    assert taken.entries == every_entry(book)  # all of it, before it was divided anew
    play_game(book, 50)
    for shard in shards.shards(after):
        take_all(book, taken.projection(shard), 10)
    assert taken.entries == every_entry(book)
    projections.require_schema(book)


def test_nobody_divides_what_others_are_at_work_on(book: Daybook) -> None:
    play_game(book, 1)
    take_all(book, EntryCounts().projection())
    held = locks.turn_at(book.settings, SCORES)
    assert held.take()
    assert not redivide(book, EntryCounts().projection(Shard(0, 2)))
    held.release()
    assert redivide(book, EntryCounts().projection(Shard(0, 2)))


def test_a_follower_of_the_other_number_moves_nothing_on(book: Daybook) -> None:
    """It waited for its turn while the shards were divided anew."""
    play_game(book, 1)
    take_all(book, EntryCounts().projection())
    redivide(book, EntryCounts().projection(Shard(0, 2)))
    late = ShardTurn(
        locks.turn_at(book.settings, SCORES), book.views, SCORES, shards.ALL, lambda: True)
    with pytest.raises(OtherDivision, match="DAYBOOK_SHARDS"):
        late.take()
    again = locks.turn_at(book.settings, SCORES)
    assert again.take()  # and it has given back what it took
    again.release()


# --- who holds which -------------------------------------------------------------------------------------------------


def test_living_followers_have_about_as_many_shards_each(book: Daybook) -> None:
    three = [Followers(book.views, id) for id in "abc"]
    for one in (*three, *three, *three[:2]):
        one.beat(0.0)
    assert [one.quota(4, 0.0) for one in three] == [2, 1, 1]
    later = shards.LIVE_SECONDS + 1
    for one in three[:2]:  # the third counts on no more
        one.beat(later)
    for one in three[:2]:
        one.beat(later)
    assert [one.quota(4, later) for one in three[:2]] == [2, 2]
    three[1].leave()
    three[0].beat(later)
    assert three[0].quota(4, later) == 4


@contextmanager
def follower(book: Daybook, of: int, taken: EntryCounts) -> Iterator[Share]:
    """All threads of one follower, of one projection."""
    stopped, share = Event(), Share(Followers(book.views), of)
    share.followers.beat(0.0)
    threads = [Thread(target=share.followers.keep_beating, args=(stopped,)), *(
        Thread(target=follow, args=(book, taken.projection(shard), stopped, share)) for shard in shards.shards(of))]
    for thread in threads:
        thread.start()
    try:
        yield share
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
        share.followers.leave()


def test_a_second_follower_is_left_half_and_its_half_is_taken_over(
    book: Daybook, settings: Settings, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(locks, "TURN_SECONDS", 0.02)
    monkeypatch.setattr(shards, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(projections, "WAIT_SECONDS", 0.05)
    other, taken = open_daybook(settings), EntryCounts()
    for seed in range(3):
        play_game(book, seed)
    with follower(book, 4, taken) as first:
        wait_until(lambda: first.held[SCORES] == 4, "all of it is the first one's")
        with follower(other, 4, taken) as second:
            wait_until(lambda: (first.held[SCORES], second.held[SCORES]) == (2, 2), "they share")
            open_table_of(book)
        wait_until(lambda: first.held[SCORES] == 4, "it takes over")
        open_table_of(book)
        wait_until(lambda: read_models.position_of(book.views, SCORES) == book.log.newest(), "all of it")
    assert taken.entries == every_entry(book)
    other.close()


@pytest.mark.slow
def test_one_of_two_followers_is_killed_and_the_other_takes_over(settings: Settings, tmp_path: Path) -> None:
    with QueueServer(tmp_path / "queue") as queue:
        there = replace(settings, redis_url=queue.url, shards=4)
        book = open_daybook(there, create=True)
        projections.prepare(book)
        processes = [start_follower(there)]
        try:
            wait_until(lambda: len(marks(book)) == 12 and "" not in marks(book), "the first one holds all shards")
            alone = marks(book)
            processes.append(start_follower(there))
            wait_until(lambda: len(marks(book) - alone) == 6, "the second one holds half of them")
            for seed in range(3):
                play_game(book, seed)
            processes[0].kill()
            processes[0].wait()
            for seed in range(3, 6):
                play_game(book, seed)
            for name in (GAMES, RESULTS, SCORES):
                wait_until(lambda name=name: read_models.position_of(  # type: ignore[misc]
                    book.views, name) == book.log.newest(), name)
            assert {row[0]: row[5] for row in all_rows(book.views)["game_row"]} == {
                id: book.games.get(id).step for id in book.log.game_ids()}
        finally:
            for process in processes:
                stop(process)
            book.close()


def start_follower(settings: Settings) -> subprocess.Popen[bytes]:
    return start_child([sys.executable, "-c", FOLLOW], os.environ | settings.environ())


def marks(book: Daybook) -> set[str]:
    """The marks of those whose turn each shard is; empty: nobody's yet."""
    with book.views.connect() as connection:
        return {*connection.scalars(sa.select(read_models.position.c.turn).where(
            read_models.position.c.projection.like("%-of-%")))}
