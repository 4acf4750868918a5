"""Covered things stay covered in counts, claims, illegal moves that stood, forks and receipts.

Twins are two games alike in everything but the cards in Ben's hand. Whoever may not know them is told the same of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain import disputes
from daybook.domain.commands import Count, Decide, ProposeRuling, RecordAsPlayed
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import TABLE
from daybook.services.disputes import as_played, claims, counting
from daybook.services.disputes.opinion import opinion_on_step
from daybook.services.files import receipts
from daybook.services.permissions import access
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import sees_every_hand, write

BEN = 1
OTHERS: tuple[Sight, ...] = (None, 0, 2)


class GameTwin:
    def __init__(self, folder: Path, cards: tuple[str, ...]) -> None:
        self.book: Daybook = open_daybook(Settings(data=folder), create=True)
        self.id: UUID = open_game(
            self.book,
            NewGame(
                ruleset_id="making_profit",
                title="Tuesday",
                options={"hands": "open"},
                players=[SeatedPerson(*value) for value in (("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))],
            ),
            key="the-same-for-both-twins",
        ).record
        self.cards = list(cards)
        self.keys = 0
        while len(self.cards) or self.board.draws:
            self.next()

    @property
    def game(self) -> Any:
        return self.book.games.get(self.id)

    @property
    def board(self) -> Any:
        return self.game.board

    def by(self) -> dict[str, Any]:
        self.keys += 1
        return {"by": "scorekeeper", "key": f"key-{self.keys}"}

    def at(self) -> dict[str, Any]:
        return {"at": self.game.step, **self.by()}

    def next(self) -> None:
        """Return the first legal decision; Ben draws this copy's cards, the others the same ones."""
        rules = self.game.ruleset
        (seat,) = rules.waits_for(self.board)[:1]
        legal = [msgspec.to_builtins(decision) for decision in rules.legal(self.board, seat)]
        said = legal[0]
        if seat == TABLE and said["type"] == "drawn" and self.board.drawer == BEN and self.cards:
            said = {"type": "drawn", "card": self.cards.pop(0)}
        elif seat == TABLE and said["type"] == "drawn":
            said = {"type": "drawn", "card": "R2"}
        write(self.book, self.id, Decide(seat, said), **self.at())

    def hand(self) -> dict[str, int]:
        hand: dict[str, int] = self.game.document["players"][BEN]["hand"]
        return hand


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[GameTwin, GameTwin]]:
    both = GameTwin(tmp_path / "one", ("M1", "M2")), GameTwin(tmp_path / "other", ("R1", "M1"))
    assert both[0].hand() != both[1].hand()
    yield both
    for twin in both:
        twin.book.close()


def trouble(twin: GameTwin) -> None:
    """A count of Ben's hand, an illegal move of his, a claim about it and a proposal."""
    hand = {f"/players/{BEN}/hand/{card}": count for card, count in twin.hand().items() if card != "?"}
    write(twin.book, twin.id, Count(hand), **twin.at())
    write(twin.book, twin.id, Count({path: count + 1 for path, count in hand.items()}), **twin.at())
    idle = next(seat for seat in (BEN, 0, 2) if seat not in twin.game.ruleset.course.to_act(twin.board))
    decision = {"type": "sell_resources", "cards": ["M2", "M2", "M2"]}
    write(twin.book, twin.id, RecordAsPlayed(BEN, decision, hand, "it stood", rules_applied=False), **twin.at())
    write(
        twin.book, twin.id, RecordAsPlayed(idle, {"type": "run"}, {"/players/0/money": 40}, "so did this"), **twin.at()
    )
    claim = claims.raise_claim(twin.book, twin.id, twin.game.step, "no", **twin.by()).step
    path, count = next(iter(hand.items()))
    with pytest.raises(Refused):  # a card appears
        write(twin.book, twin.id, ProposeRuling(claim, "adjusted", values={path: count + 1}), **twin.by())
    write(
        twin.book,
        twin.id,
        ProposeRuling(
            claim,
            "adjusted",
            values={
                path: count + 1,
                f"/deck/{path.rpartition('/')[2]}": twin.game.document["deck"][path.rpartition("/")[2]] - 1,
                "/players/2/money": 33,
            },
        ),
        **twin.by(),
    )


def told_to(twin: GameTwin, sight: Sight) -> list[Any]:
    """Return everything that a viewer is shown."""
    game = twin.game
    steps = [msgspec.to_builtins(shown) | {"at": ""} for shown in replay.iter_steps(game, sight)]
    counts = [msgspec.to_builtins(count) | {"at": ""} for count in counting.counts_of_game(game, sight)]
    places = msgspec.to_builtins(counting.countable_places(game, sight))
    opinions = [msgspec.to_builtins(opinion_on_step(game, step, sight)) for step in range(1, game.step)]
    stories = [
        [msgspec.to_builtins(value) | {"at": ""} for value in claims.claim_story(game, claim, sight)]
        for claim in disputes.claims(game)
    ]
    receipt = msgspec.structs.replace(
        receipts.issue_receipt(twin.book, twin.id),
        seal="",
        chain=[],
        at="",
        recorded_at="",
        public_key="",
        signature="",
        header=None,
    )  # type: ignore[arg-type]
    return [steps, counts, places, opinions, stories, msgspec.to_builtins(receipt)]


def test_others_are_told_the_same_of_twins(twins):
    for twin in twins:
        trouble(twin)
    for sight in OTHERS:
        for value, other in zip(told_to(twins[0], sight), told_to(twins[1], sight), strict=True):
            assert value == other
    assert told_to(twins[0], BEN) != told_to(twins[1], BEN)


def test_who_may_know_is_told(twins):
    twin = twins[0]
    trouble(twin)
    for sight in (EVERYTHING, BEN):
        first = counting.counts_of_game(twin.game, sight)[-1]
        assert {path.rpartition("/")[2]: count for path, count in first.counted.items()} == {
            card: count for card, count in twin.hand().items() if card != "?"
        }
    shown = [step for step in replay.iter_steps(twin.game, None) if step.type == "decision_as_played"]
    assert [value.decision and value.decision["type"] for value in shown] == [None, "run"]
    assert {said.key for item in shown for said in item.objections} == {"covered"}
    assert shown[1].values == {"/players/0/money": 40} and shown[1].objections[0].rule


def test_running_game_is_forked_only_by_who_sees_everything(twins):
    twin = twins[0]
    may = {
        grant.by: sees_every_hand(twin.book, twin.id, grant) for grant in access.make_first_grants(twin.book, twin.id)
    }
    assert may == {"scorekeeper": True, "seat:0": False, "seat:1": False, "seat:2": False, "reader": False}


def test_a_preview_for_a_seat_tells_what_its_board_tells(twins):
    seen = [
        as_played.preview_as_played(
            twin.book, twin.id, 0, {"type": "sell_resources", "cards": ["M1", "M1", "M1"]}, sight=0
        )
        for twin in twins
    ]
    assert msgspec.to_builtins(seen[0]) == msgspec.to_builtins(seen[1])
