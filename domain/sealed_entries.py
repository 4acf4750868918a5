"""Sealed entries: decisions that stay hidden until every seat has made its own."""

from __future__ import annotations

from collections.abc import Iterable, Set

from daybook.domain.kernel.board import difference
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import BoardAdjusted, DecisionAsPlayed, DecisionRecorded, Entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER, because


def first_sealed(game: Game) -> int | None:
    """Return the first entry that is, or was when undone, sealed; None: every entry may be read.

    A struck-out entry stays sealed until another decision is made: otherwise undoing would reveal it.
    """
    if not game.may_hold_sealed:
        return None
    kinds = game.ruleset.by_tag
    return next(
        (
            entry.step
            for entry in game.entries[last_not_apart(game) + 1 :]
            if isinstance(entry.event, DecisionRecorded) and kinds[entry.event.decision["type"]].sealed
        ),
        None,
    )


def last_not_apart(game: Game) -> int:
    """Return the last standing step that may have changed the options of others; a sealed offer does not.

    Adjustments by hand are skipped, or their author could end what is sealed.
    """
    apart = game.ruleset.course.apart
    for step in game.line_back():
        event = game.entries[step].event
        if isinstance(event, BoardAdjusted | DecisionAsPlayed):
            continue
        if (
            apart is None
            or not isinstance(event, DecisionRecorded)
            or not apart(game.ruleset.decision(event.decision), game.ruleset.typed_effects(event.effects))
        ):
            return step
    return 0


def sealed_places(game: Game) -> Set[str]:
    """Return the places of the board that even the scorekeeper may not read."""
    return difference(game.document, game.ruleset.secrecy.redact_board(game.board, KEEPER).document()).keys()


def refuse_unsealing(game: Game, entries: Iterable[Entry]) -> None:
    """Raise Refused for entries that would reveal by hand what only the rules reveal.

    Applies to new entries, not to records that are read.
    """
    if not game.may_hold_sealed:
        return
    for entry in entries:
        after = game.then(entry)
        by_hand = isinstance(entry.event, BoardAdjusted | DecisionAsPlayed)
        if by_hand and not sealed_places(game) <= sealed_places(after):
            raise Refused(because("sealed", "sealed offers are revealed only by the rules: undo them first"))
        game = after
