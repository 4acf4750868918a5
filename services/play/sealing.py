"""Sealed decisions: kept covered until every seat has made its own."""

from __future__ import annotations

from typing import Any

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import sealed_places
from daybook.services.play import replay


class Sealing(Frozen):
    """Sealed decisions that a game requests now.

    Args:
        kind: their tag.
        missing: seats without a decision.
        sealed: seats that have decided and may still change their decision.
    """

    kind: str
    missing: tuple[Seat, ...]
    sealed: tuple[Seat, ...]

    def needs_decision(self, seat: Seat) -> bool:
        return seat in self.missing or seat in self.sealed


def current_sealing(game: Game) -> Sealing | None:
    """Return the sealing that is open now; None if nothing is sealed or everything may be read."""
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
    """Return a seat's legal decisions of a kind, computed without sealed decisions."""
    return [decision for decision in replay.legal_decisions(game, None, seat) if decision["type"] == tag]


def _seats_with_sealed(game: Game) -> set[Seat]:
    """Return the seats that own sealed parts of the board."""
    covered = sealed_places(game)
    return {
        seat
        for seat in range(len(game.opening.seats))
        for own in game.ruleset.ledger.own
        if any(path.startswith(own.replace("*", str(seat)) + "/") for path in covered)
    }
