"""Covered things in Making Profit cannot be learnt from a page or API answer, also in a disputed game: by claims and
their photos, illegal moves, counts, private lines, receipts and audits."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from PIL import Image

from daybook.domain import disputes
from daybook.domain.commands import RuleOnClaim
from daybook.domain.games import RULESETS
from daybook.services.disputes import claims, forks, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.files import audits
from daybook.services.permissions import access
from daybook.services.play import recording
from tests.services.play.test_redaction import trouble
from tests.web.test_secrets import BEN, Twin, alike, differ

RULES = RULESETS["making_profit"]
DRAWN = (("M1", "M2"), ("R1", "M1"))  # what Ben has in either


class Profit(Twin):
    """A game of three in which only the record sees all cards."""

    keys = 0

    @property
    def game(self) -> Any:
        return self.book.games.get(self.id)

    def hand(self) -> dict[str, int]:
        hand: dict[str, int] = self.board.document()["players"][BEN]["hand"]
        return hand

    def by(self) -> dict[str, Any]:
        self.keys += 1
        return {"by": "scorekeeper", "key": f"the-same-in-both-{self.keys}"}

    def at(self) -> dict[str, Any]:
        return {"at": self.step, **self.by()}

    def play(self, cards: tuple[str, ...]) -> None:
        """Play the set-up with these cards for Ben, and two turns without a shown card."""
        left = list(cards)
        while self.step < 9:
            (seat,) = self.rules.waits_for(self.board)[:1]
            legal = msgspec.to_builtins(self.legal(seat))
            said = next(
                (decision for decision in legal if decision["type"] in ("end_turn", "start_player_drawn")), legal[0]
            )
            if said["type"] == "drawn":
                said = {"type": "drawn", "card": left.pop(0) if left and self.board.drawer == BEN else "R2"}
            self.decide(seat, self.rules.decision(said))


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Profit, Profit]]:
    folder = tmp_path_factory.mktemp("profit")
    names = ("Anna", "Ben", "Cleo")
    both = Profit(folder / "one", "open", RULES, names), Profit(folder / "other", "open", RULES, names)
    for twin, cards in zip(both, DRAWN, strict=True):
        twin.play(cards)
        dispute(twin)
    assert both[0].hand() != both[1].hand() and both[0].step == both[1].step
    yield both
    for twin in both:
        twin.book.close()


def dispute(twin: Profit) -> None:
    out = io.BytesIO()
    Image.new("RGB", (30, 20), "green").save(out, "PNG")
    umpires.name_umpire(twin.book, twin.id, "Uli", **twin.by())
    trouble(twin)
    claim = claims.raise_claim(
        twin.book, twin.id, 3, "not so", seat=0, images=[out.getvalue()], by="seat:0", key="anna"
    )
    recording.append_command(
        twin.book,
        twin.id,
        RuleOnClaim(claim.step, "play_on", "so it is", umpire=0, appeal_hours=appeal_hours(twin.book, twin.id)),
        **twin.at(),
    )
    keeper = next(grant for grant in access.grants_of_game(twin.book, twin.id) if grant.role == "scorekeeper")
    forks.create_fork(twin.book, twin.id, 9, owner=keeper.id, title=str(twin.hand()))
    audits.audit_game(twin.book, twin.id)


@pytest.mark.parametrize("who", ["reader", pytest.param("seat 0", marks=pytest.mark.slow)])
def test_others_are_answered_alike_at_every_address(twins: tuple[Profit, Profit], who: str) -> None:
    assert alike(twins, who) > 250


@pytest.mark.parametrize("who", ["seat 1", "scorekeeper"])
def test_who_may_know_is_told(twins: tuple[Profit, Profit], who: str) -> None:
    assert differ(twins, who)


def test_a_photo_is_for_who_sees_every_hand_and_who_attached_it(twins: tuple[Profit, Profit]) -> None:
    (hash,) = (photo for claim in disputes.claims(twins[0].game).values() for photo in claim.raised.photos)
    for who, status in (("reader", 403), ("seat 0", 200), ("seat 1", 403), ("scorekeeper", 200)):
        program = twins[0].app.test_client()
        bearer = {"Authorization": f"Bearer {twins[0].key(who)}"}
        assert twins[0].browser(who).get(f"/games/{twins[0].id}/photos/{hash}").status_code == status, who
        assert program.get(f"/api/v1/games/{twins[0].id}/photos/{hash}", headers=bearer).status_code == status, who
    for twin in twins:  # in both, which stay alike for whatever is asked of them later
        bare = claims.raise_claim(twin.book, twin.id, 3, "the same", seat=BEN, by="seat:1", key="ben").step
        assert disputes.claims(twin.game)[bare].raised.photos == [], "a claim names no photo that it did not bring"
