"""Turns of the writers of an SQLite file: no process is passed over, and none that hangs or ends keeps the turn."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from daybook.services.store import sqlite
from daybook.services.store.writer_turns import WriterTurns
from tests.servers import wait_until

pytestmark = pytest.mark.sqlite_suffices

GREEDY = """
import sys
from itertools import pairwise
from pathlib import Path
from daybook.services.store.writer_turns import WriterTurns
turns = WriterTurns(Path(sys.argv[1]))
while True:
    with turns.turn():
        with open(sys.argv[2], "ab") as written:
            written.write(b".")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture
def greedy(file: Path, tmp_path: Path) -> Any:
    """A process that writes without a pause, and what it has written."""
    written = tmp_path / "written"
    process = subprocess.Popen([sys.executable, "-c", GREEDY, str(file), str(written)])
    wait_until(lambda: written.exists() and written.stat().st_size > 100, "the other writer")
    yield process, written
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait()


def test_writer_next_to_one_without_pauses_gets_each_second_turn(file, greedy):
    _, written = greedy
    turns, others = WriterTurns(file), []
    for _ in range(50):
        with turns.turn():
            others.append(written.stat().st_size)
    between = [later - earlier for earlier, later in pairwise(others)]
    assert sum(count <= 1 for count in between) >= 25  # it may write once more before this writer is at the gate


def test_turn_of_a_killed_process_is_free(file, greedy):
    process, _ = greedy
    process.kill()
    process.wait()
    turns = WriterTurns(file)
    with turns.turn():
        pass


def test_writer_continues_when_a_frozen_process_has_the_turn(file, greedy, monkeypatch):
    process, written = greedy
    process.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT_SECONDS", 0.2)
    turns = WriterTurns(file)
    size = written.stat().st_size
    with turns.turn():
        assert written.stat().st_size == size


def test_threads_take_turns_and_folder_may_be_missing(tmp_path):
    turns, inside, most = WriterTurns(tmp_path / "missing" / "log.db"), [0], [0]

    def write() -> None:
        for _ in range(50):
            with turns.turn():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_error_inside_a_turn_frees_it(file):
    turns = WriterTurns(file)
    with pytest.raises(ZeroDivisionError), turns.turn():
        _ = 1 // 0
    other = WriterTurns(file)
    with other.turn():
        pass
