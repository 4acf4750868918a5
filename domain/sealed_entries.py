"""What lies sealed in a record: decisions that nobody reads until every seat has made its own."""

from __future__ import annotations

from collections.abc import Iterable, Set

from daybook.domain.kernel.board import difference
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import BoardAdjusted, DecisionAsPlayed, DecisionRecorded, Entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER, because


def first_sealed(game: Game) -> int | None:
    """The first entry that tells what lies sealed, or lay so when it was undone; None: every entry may be read.

    What is struck out stays sealed until something else is decided: to undo and look would be a way to read it.
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
    """The last standing step that may have changed what others decide: an offer that somebody seals does not.

    What somebody puts right by hand is passed over, or whoever may do so could end what is sealed.
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
    """The places of the board where something lies that not even who keeps the record may read."""
    return difference(game.document, game.ruleset.secrecy.redact_board(game.board, KEEPER).document()).keys()


def refuse_unsealing(game: Game, entries: Iterable[Entry]) -> None:
    """Raises Refused for entries by which somebody would read by hand what only the rules reveal: asked of whoever
    writes now, not of records that are read."""
    if not game.may_hold_sealed:
        return
    for entry in entries:
        after = game.then(entry)
        by_hand = isinstance(entry.event, BoardAdjusted | DecisionAsPlayed)
        if by_hand and not sealed_places(game) <= sealed_places(after):
            raise Refused(because("sealed", "what lies sealed is revealed by the rules alone: undo it first"))
        game = after
