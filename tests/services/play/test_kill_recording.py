"""The recording process is killed at random moments: nothing acknowledged is lost, nothing is written twice."""

from __future__ import annotations

import random
import time
from multiprocessing.connection import Connection
from uuid import UUID

import pytest

from daybook.domain.commands import Decide
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.files.audit import audit
from daybook.services.files.verify import SealCheck, verify_lines
from daybook.services.play.practice import Dealer
from daybook.services.play.writing import Conflict
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.forked import all_sent, running
from tests.played import write
from tests.servers import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

ROUNDS = 9


def records_a_game(settings: Settings, game_id: UUID, seed: int, connection: Connection) -> None:
    """Records decision after decision; tells key and step of each when it is acknowledged.

    It first sends again what the process before it may have been writing when it was killed: the same key at the
    same step, as a phone does that never heard the answer.
    """
    book, dealer = open_daybook(settings), Dealer(seed)
    while True:
        game = book.games.get(game_id)
        chosen = dealer.next_decision(game.ruleset, game.board)
        if chosen is None:
            return
        key = f"decision-{game.step + 1}"
        receipt = write(book, game_id, Decide(chosen[0], plain(chosen[1])), at=game.step, key=key)
        connection.send((key, receipt.step, receipt.seal))
        again = write(book, game_id, Decide(chosen[0], plain(chosen[1])), at=game.step, key=key)
        assert (again.step, again.repeated) == (receipt.step, True)


def test_recorder_killed_at_any_moment_loses_and_doubles_nothing(book, settings, open_table):
    acknowledged: dict[UUID, list[tuple[str, int, str]]] = {}
    id = open_table("Anna Ben Cleo Dora")
    for seed in range(ROUNDS):
        if book.games.get(id).ruleset.scoring.outcome(book.games.get(id).board) is not None:
            id = open_table("Anna Ben Cleo Dora")
        with running(records_a_game, settings, id, seed) as (process, told):
            answers = acknowledged.setdefault(id, [])
            if told.poll(PATIENCE_SECONDS):
                answers.append(told.recv())
            time.sleep(random.uniform(0, 0.08))
            process.kill()
            answers.extend(all_sent(told))
    for id, answers in acknowledged.items():
        lines = book.log.lines(id)
        game = book.games.get(id)  # after the lines: a server may still commit what a killed program sent last
        assert verify_lines(lines) == SealCheck(len(lines), game.entries[len(lines) - 1].seal)
        assert [entry.step for entry in game.entries] == list(range(len(game.entries)))
        keys = [entry.event.key for entry in game.entries]
        assert len(set(keys)) == len(keys)
        for key, step, seal in answers:
            assert (keys[step], game.entries[step].seal) == (key, seal)
        assert audit(game).clean
    assert sum(map(len, acknowledged.values())) >= ROUNDS // 2


def test_decision_resent_after_a_lost_answer_is_stored_once(book, settings, open_table):
    id = open_table()
    game = book.games.get(id)
    seat, decision = Dealer(1).next_decision(game.ruleset, game.board) or (0, None)
    assert decision is not None
    for _ in range(3):  # each time from another process, as after a crash
        other = open_daybook(settings)
        receipt = write(other, id, Decide(seat, decision), at=0, key="the-one")
        other.close()
        assert receipt.step == 1
    assert sum(isinstance(e.event, DecisionRecorded) for e in book.games.get(id).entries) == 1
    try:
        write(book, id, Decide(seat, decision), at=0)
    except Conflict as conflict:
        assert [entry.event.key for entry in conflict.meanwhile] == ["the-one"]
    else:
        raise AssertionError("a second decision on the same step was written")
