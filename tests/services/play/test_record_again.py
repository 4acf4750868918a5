"""The same key, the same answer: whatever a decision holds, sent again it is answered with where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest

from daybook.domain.commands import Decide, DecideTurn
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded, SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.play.practice import Dealer, play_out
from daybook.services.play.recording import KeyUsedError
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.printed_sheets import printed_sheet
from tests.played import write
from tests.services.fixture_files import written_at

pytestmark = pytest.mark.slow

RESENT_OF_A_KIND = 4


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Daybook]:
    book = open_daybook(Settings(data=tmp_path / "data"), create=True)
    yield book
    book.close()


def random_game(ruleset: str, seats: int, seed: int) -> Game:
    """A game at a table that was played at random, to its end or for five hundred steps."""
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    colours = rules.colours(sheet)[:seats]
    table = rules.table(colours, {}, sheet)
    game = Game(uuid4(), rules)
    game.apply(
        opening_entry(
            game.id,
            rules,
            table,
            [SeatTaken(f"person-{colour}", colour) for colour in colours],
            plain(table.options),
            {},
            "table",
            "live",
            written_at(0),
        )
    )
    for _ in play_out(game, Dealer(seed), written_at, limit=500):
        pass
    return game


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("making_profit", 4), ("london_markets", 4), ("water_frame", 3), ("arkwright_card", 3), ("arkwright_card", 1)],
)
def test_every_decision_resent_is_answered_with_its_step(book, ruleset, seats):
    game = random_game(ruleset, seats, seed=1)
    book.log.append(game.entries[0])
    before, times = Decide(TABLE, {}), Counter[str]()
    for entry in game.entries[1:]:
        event, key = entry.event, uuid4().hex
        if not isinstance(event, DecisionRecorded):
            continue
        asked = Decide(event.seat, event.decision)
        once = write(book, game.id, asked, at=event.step - 1, key=key)
        times[event.decision["type"]] += 1
        if times[event.decision["type"]] > RESENT_OF_A_KIND:
            continue
        again = write(book, game.id, asked, at=event.step - 1, key=key)
        assert again == msgspec.structs.replace(once, repeated=True)
        assert once.step == event.step
        typed = Decide(event.seat, game.ruleset.decision(event.decision))
        assert write(book, game.id, typed, at=event.step - 1, key=key) == again
        if before != asked:
            with pytest.raises(KeyUsedError, match=f"step {event.step}"):
                write(book, game.id, before, at=event.step - 1, key=key)
        before = asked


def test_turn_is_what_was_sent_from_first_to_last_decision(book):
    game = random_game("making_profit", 3, seed=4)
    book.log.append(game.entries[0])
    first, second, third = (entry.event for entry in game.entries[1:4])
    assert isinstance(first, DecisionRecorded) and isinstance(second, DecisionRecorded)
    assert isinstance(third, DecisionRecorded)
    turn = [first.decision, second.decision, third.decision]

    def send(decisions: list[dict[str, object]]) -> tuple[int, bool]:
        receipt = write(book, game.id, DecideTurn(-1, decisions), at=0, key="a-turn")
        return receipt.step, receipt.repeated

    assert send(turn) == (3, False)
    assert send(turn) == (3, True)
    others = {"R1", "R2", "M1", "M2"} - {str(first.decision["card"])}
    for another in (turn[1:], turn[2:], [{"type": "drawn", "card": min(others)}, *turn[1:]], [*turn, turn[0]]):
        with pytest.raises(KeyUsedError):
            send(another)
    with pytest.raises(KeyUsedError):
        write(book, game.id, Decide(-1, turn[-1]), at=0, key="a-turn")
