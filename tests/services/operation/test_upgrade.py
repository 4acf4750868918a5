"""Two versions side by side on PostgreSQL: each with read models, turns and queues of its own, until the older has gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from daybook import cli
from daybook.services.following import projections
from daybook.services.following.projections import prepare_read_models
from daybook.services.operation import doctor, upgrade
from daybook.services.settings import Settings
from daybook.services.statistics import collect, visibility
from daybook.services.store import locks, read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.migrations import NewerTablesError
from daybook.workers import jobs
from tests.played import open_table_of, play, play_game, update_games
from tests.rows import all_rows

pytestmark = pytest.mark.server
NOW = read_models.SCHEMA


@contextmanager
def as_version(number: int) -> Iterator[None]:
    """Run as a Daybook whose read models have this version."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read_models, "SCHEMA", number)
        yield


@pytest.fixture
def settings(tmp_path: Path, postgres_daybook: str, queue_url: str) -> Settings:
    return Settings(data=tmp_path / "data", database_url=postgres_daybook, redis_url=queue_url)


@pytest.fixture
def older(settings: Settings) -> Iterator[Daybook]:
    """Return a daybook with a public, counted game."""
    with closing(open_daybook(settings)) as book:
        id = play_game(book, 6)
        visibility.show_game(book, id, True)
        prepare_read_models(book)
        yield book


@pytest.fixture
def newer(older: Daybook) -> Iterator[Daybook]:
    with as_version(NOW + 1), closing(open_daybook(older.settings, create=True)) as book:
        prepare_read_models(book)
        yield book


def test_newer_follower_builds_its_tables_next_to_the_older_ones(older, settings):
    before = all_rows(older.views)
    with as_version(NOW + 1), closing(open_daybook(settings, create=True)) as newer:
        turns = [locks.make_lock(settings, projections.GAMES)]
        prepare_read_models(newer)
        assert all_rows(newer.views) == all_rows(older.views) == before
        id = open_table_of(newer)
        play(newer, id, 5)
        update_games(newer)
        assert read_models.games_listed(newer.views, [id]) == {id}
        assert all_rows(older.views) == before
        assert turns[0].take()
    update_games(older)
    assert read_models.games_listed(older.views, [id]) == {id}
    turns.append(locks.make_lock(settings, projections.GAMES))
    assert turns[1].take(), "each version has a follower"
    for turn in turns:
        turn.release()


def test_game_hidden_by_an_older_part_is_hidden_in_new_figures(older, newer):
    (id,) = older.log.game_ids()
    assert visibility.private_games(newer, [id]) == frozenset()
    visibility.show_game(older, id, False)
    visibility.update_changed_games(newer)
    assert visibility.private_games(newer, [id]) == {id}
    assert collect.games_due(newer) == []


def test_an_older_part_does_not_remove_what_the_newer_reads(older, newer):
    with as_version(NOW), pytest.raises(NewerTablesError, match=f"daybook_views_{NOW + 1}: say so with that one"):
        upgrade.finish_upgrade(older)
    assert all_rows(newer.views)["game_row"]


def test_each_version_has_its_own_jobs_and_the_last_cleans_up(older, newer, settings):
    (id,) = older.log.game_ids()
    with Redis.from_url(settings.queue_url) as connection:
        Queue("scores", connection=connection, serializer=JSONSerializer).enqueue("workers.jobs.score", str(id), 1)
        Queue("of-somebody-else", connection=connection).enqueue("print")
        with as_version(NOW):
            assert jobs.enqueue(jobs.queue_at(settings), jobs.rate, id)
        assert jobs.enqueue(jobs.queue_at(settings), jobs.rate, id), "as if there were no other"
        (told,) = [check for check in doctor.run_checks(settings) if check.about == "upgrade"]
        assert (told.state, f"daybook_views_{NOW}" in told.says) == ("ok", True)
        done = CliRunner().invoke(cli.main, ["init", "--finish", "--data", str(settings.data)], env=settings.environ())
        assert (done.exit_code, f"removed: daybook_views_{NOW}\n" in done.stdout) == (0, True), done.output
        assert upgrade.kept_for_older_versions(newer) == []
        queues = {queue.name: queue.count for queue in Queue.all(connection)}
        assert queues == {f"scores-{NOW + 1}": 1, "of-somebody-else": 1}
        assert sum(1 for _ in connection.scan_iter("rq:job:*")) == 2
    assert all_rows(newer.views)["game_row"]
