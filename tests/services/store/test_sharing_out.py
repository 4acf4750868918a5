"""Games shared among processes: the result is the same, and a killed process is reported."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from uuid import UUID

import pytest

from daybook.services.files import audits
from daybook.services.following import projections
from daybook.services.store import read_models, set_aside, sharing_out
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import NoLogError
from daybook.services.store.sharing_out import ProcessLostError, run_in_pieces
from tests import forked
from tests.played import open_table_of, play_game
from tests.rows import all_rows
from tests.services.following.test_projections import UNKNOWN, poison, record_variety

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    forked.begin()
    monkeypatch.setattr(sharing_out, "GAMES_PER_PIECE", 2)


def process_of(book: Daybook, ids: Sequence[UUID]) -> tuple[int, list[UUID]]:
    return os.getpid(), [book.games.get(id).id for id in ids]


def test_every_game_is_done_once_by_another_process(book):
    games = [open_table_of(book) for _ in range(5)]
    found = [*run_in_pieces(book, process_of, games, 2)]
    assert sorted(several for several, _ in found) == [1, 2, 2]
    assert sorted(id for _, (_, ids) in found for id in ids) == sorted(games)
    assert os.getpid() not in {process for _, (process, _) in found}
    assert [process for _, (process, _) in run_in_pieces(book, process_of, games)] == [os.getpid()] * 3


def test_workers_lay_the_same_rows_as_one_process(book):
    record_variety(book)
    bad = poison(book)
    assert [*projections.rebuild_read_models(book)] == [bad]
    alone, aside = all_rows(book.views), set_aside.select_all(book.views)
    with book.views.begin() as connection:
        connection.execute(read_models.game_row.delete())
    told: list[tuple[int, int]] = []
    left_out = projections.rebuild_read_models(book, lambda done, of: told.append((done, of)), 3)
    assert [*left_out] == [bad] and UNKNOWN in left_out[bad]
    assert all_rows(book.views) == alone and set_aside.select_all(book.views) == aside
    games = len(book.log.game_ids())
    assert (told[0], told[-1]) == ((0, games), (games, games)) and told == sorted(told)


def test_workers_audit_what_one_process_does(book):
    for seed in range(4):
        play_game(book, seed)
    alone = audits.audit_all(book)
    with book.views.begin() as connection:
        connection.execute(read_models.audit_row.delete())
    assert audits.audit_all(book, workers=2) == alone
    assert alone.audited == 4


def kill_process(book: Daybook, ids: Sequence[UUID]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.sqlite_suffices
def test_a_process_that_is_killed_is_told(book):
    games = [open_table_of(book) for _ in range(4)]
    with pytest.raises(ProcessLostError, match="fewer workers"):
        list(run_in_pieces(book, kill_process, games, 2))


@pytest.mark.sqlite_suffices
def test_what_keeps_a_process_from_opening_the_service_is_told(book):
    games = [open_table_of(book) for _ in range(4)]
    there = book.settings.data
    there.rename(there.with_name("elsewhere"))
    try:
        with pytest.raises(NoLogError):
            list(run_in_pieces(book, process_of, games, 2))
    finally:
        there.with_name("elsewhere").rename(there)


def test_rebuild_with_a_killed_worker_leaves_all_as_it_was(book, monkeypatch):
    play_game(book, 1)
    projections.rebuild_read_models(book)
    live = all_rows(book.views)
    for seed in range(2, 6):
        play_game(book, seed)
    real: Callable[..., object] = projections.insert_games
    monkeypatch.setattr(projections, "insert_games", lay_and_die)
    with pytest.raises(ProcessLostError):
        projections.rebuild_read_models(book, workers=2)
    assert all_rows(book.views) == live
    monkeypatch.setattr(projections, "insert_games", real)
    projections.rebuild_read_models(book, workers=2)
    assert len(all_rows(book.views)["game_row"]) == 5


def lay_and_die(book: Daybook, ids: Sequence[UUID], end: int) -> None:
    projections.insert_games(book, ids, end)
    os.kill(os.getpid(), signal.SIGKILL)
