"""A whole turn written at once: every decision its own step, all of them or none."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from daybook.domain.commands import Decide, DecideTurn, NotInTurnError
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.verify import SealCheck, verify_game
from daybook.services.play.writing import Conflict
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import Games
from tests.played import write

pytestmark = pytest.mark.sqlite_suffices


def ahead(book: Daybook, game_id: UUID, count: int) -> list[dict[str, Any]]:
    """Yield the table's next random facts one after the other; the game is unchanged."""
    game = book.games.get(game_id)
    board, facts = game.board, []
    for _ in range(count):
        fact = game.ruleset.legal(board, TABLE)[0]
        board, _ = game.ruleset.play(board, TABLE, fact)
        facts.append(
            {"type": fact.__struct_config__.tag} | {name: getattr(fact, name) for name in fact.__struct_fields__}
        )
    return facts


def test_each_decision_of_a_turn_is_a_step_of_its_own(book, open_table):
    id = open_table()
    turn = ahead(book, id, 4)
    receipt = write(book, id, DecideTurn(TABLE, turn), at=0, key="phone-1")
    game = Games(book.log).get(id)
    written = [entry.event for entry in game.entries[1:]]
    assert [event.decision for event in written if isinstance(event, DecisionRecorded)] == turn
    assert written[-1].key == "phone-1" and len({event.key for event in written}) == 4
    assert (receipt.step, receipt.seal, receipt.repeated) == (4, game.seal, False)
    assert verify_game(book, id) == SealCheck(5, game.seal)
    assert book.games.get(id).document == game.document


def test_the_same_key_writes_a_turn_once(book, open_table):
    id = open_table()
    turn = ahead(book, id, 3)
    first = write(book, id, DecideTurn(TABLE, turn), at=0, key="phone-1")
    again = write(book, id, DecideTurn(TABLE, turn), at=0, key="phone-1")
    assert (again.step, again.seal, again.repeated) == (first.step, first.seal, True)
    assert book.games.get(id).step == 3


def test_one_decision_that_is_not_possible_leaves_all_unwritten(book, open_table):
    id = open_table()
    turn = [*ahead(book, id, 2), {"type": "pass"}]
    with pytest.raises((NotInTurnError, NotADecisionError)):
        write(book, id, DecideTurn(TABLE, turn), at=0)
    facts = ahead(book, id, 1)
    with pytest.raises(NotInTurnError) as no:
        write(book, id, DecideTurn(0, facts), at=0)
    assert no.value.place == 1
    assert book.games.get(id).step == 0


def test_a_turn_that_comes_too_late_is_a_conflict(book, open_table):
    id = open_table()
    turn = ahead(book, id, 2)
    write(book, id, Decide(TABLE, turn[0]), at=0)
    with pytest.raises(Conflict):
        write(book, id, DecideTurn(TABLE, turn), at=0, by="seat:1")
    assert book.games.get(id).step == 1


@pytest.mark.parametrize("count", [0, 61])
def test_a_turn_has_decisions_but_not_without_end(book, open_table, count):
    id = open_table()
    with pytest.raises(NotADecisionError):
        write(book, id, DecideTurn(TABLE, ahead(book, id, 1) * count), at=0)
