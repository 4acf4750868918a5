"""Decisions that lie sealed until every seat has made its own: who has, and who has not."""

from __future__ import annotations

from typing import Any

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import sealed_places
from daybook.services.play import replay


class Sealing(Frozen):
    """Sealed decisions that a game asks for now. kind: their tag; missing: the seats without one; sealed: those that
    have one and may change it.
    """

    kind: str
    missing: tuple[Seat, ...]
    sealed: tuple[Seat, ...]

    def asks(self, seat: Seat) -> bool:
        return seat in self.missing or seat in self.sealed


def sealing_now(game: Game) -> Sealing | None:
    """Sealing that is open now; None where nothing has, or where everybody may read it anyhow."""
    if not game.may_hold_sealed:
        return None
    for tag, kind in game.ruleset.by_tag.items():
        if kind.sealed:
            able = [seat for seat in range(len(game.opening.seats)) if listed_decisions(game, tag, seat)]
            if able:
                has = _seats_with_sealed(game)
                return Sealing(
                    tag, tuple(seat for seat in able if seat not in has), tuple(seat for seat in able if seat in has)
                )
    return None


def listed_decisions(game: Game, tag: str, seat: Seat) -> list[dict[str, Any]]:
    """The decisions of a kind that are listed for a seat, told without what lies sealed."""
    return [decision for decision in replay.legal(game, None, seat) if decision["type"] == tag]


def _seats_with_sealed(game: Game) -> set[Seat]:
    """The seats of whose things something lies sealed."""
    covered = sealed_places(game)
    return {
        seat
        for seat in range(len(game.opening.seats))
        for own in game.ruleset.ledger.own
        if any(path.startswith(own.replace("*", str(seat)) + "/") for path in covered)
    }
