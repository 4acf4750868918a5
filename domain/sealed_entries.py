"""Sealed entries: decisions that stay hidden until every seat has made its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import dropwhile, takewhile

from daybook.domain.kernel.board import difference
from daybook.domain.kernel.chronicle import Refused, place_of
from daybook.domain.kernel.events import (
    BoardAdjusted,
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    Entry,
    RulingProposed,
)
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER, Board, Seat, because


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


def last_not_apart(game: Game, after: int | None = None) -> int:
    """Return the last standing step that may have changed the options of others; a sealed offer does not.

    after: the step of the board; None: the newest.

    Adjustments by hand are skipped, or their author could end what is sealed.
    """
    for step in game.line_back(after):
        if not isinstance(game.entries[step].event, BoardAdjusted | DecisionAsPlayed) and not leaves_sealed(game, step):
            return step
    return 0


def leaves_sealed(game: Game, step: int) -> bool:
    """Check if a step is a decision that leaves the others' options, and what is sealed, as they were."""
    event, apart = game.entries[step].event, game.ruleset.course.apart
    return (
        apart is not None
        and isinstance(event, DecisionRecorded)
        and apart(game.ruleset.decision(event.decision), game.ruleset.typed_effects(event.effects))
    )


def sealed_places(game: Game, board: Board | None = None) -> Set[str]:
    """Return the places of a board, by default the present one, that even the scorekeeper may not read."""
    shown = game.board if board is None else board
    return difference(shown.document(), game.ruleset.secrecy.redact_board(shown, KEEPER).document()).keys()


# --- who sealed what ---


def is_sealed_kind(game: Game, decision: object) -> bool:
    """Check if a decision is of a kind that stays sealed until every seat has made its own."""
    row = game.ruleset.by_tag.get(str(decision.get("type"))) if isinstance(decision, dict) else None
    return row is not None and row.sealed


def standing_seal(game: Game, seat: Seat) -> int | None:
    """Return the step of the sealed decision of a seat that stands and is not revealed; None if it has none."""
    if not game.may_hold_sealed:
        return None
    return next(
        (step for step in _standing_seals(game) if getattr(game.entries[step].event, "seat", None) == seat), None
    )


def sealed_on_own_phone(game: Game, seat: Seat) -> bool:
    """Check if a seat sealed its decision with the link of the seat."""
    step = standing_seal(game, seat)
    return step is not None and place_of(game.writers[step]) == f"seat:{seat}"


def seats_sealed_for(game: Game) -> dict[Seat, int]:
    """Return the seats with a sealed decision that another user replaced, each with its step.

    The seat had sealed with its own link before, in this auction; that entry may be struck out by now.
    """
    if (first := first_sealed(game)) is None:
        return {}
    own = {
        seat
        for entry in game.entries[first:]
        if isinstance(entry.event, DecisionRecorded) and is_sealed_kind(game, entry.event.decision)
        for seat in [entry.event.seat]
        if place_of(game.writers[entry.step]) == f"seat:{seat}"
    }
    return {
        seat: step
        for seat in sorted(own)
        if (step := standing_seal(game, seat)) is not None and place_of(game.writers[step]) != f"seat:{seat}"
    }


def corrected_after_reveal(game: Game) -> list[tuple[Seat, int]]:
    """Return the offers of the newest auction that were corrected after everyone had seen them: seat and new step.

    Empty once the next auction begins.
    """
    if not game.may_hold_sealed or sealed_places(game):
        return []
    events = (game.entries[step].event for step in game.line_back())
    decided = (event for event in events if isinstance(event, DecisionRecorded))
    before = dropwhile(lambda event: not is_sealed_kind(game, event.decision), decided)
    auction = takewhile(lambda event: is_sealed_kind(game, event.decision), before)
    return [
        (event.seat, event.step)
        for event in auction
        if event.corrects_step is not None and _revealed_in(game, [event.corrects_step]) is not None
    ]


def _standing_seals(game: Game, step: int | None = None) -> Iterator[int]:
    """Yield the steps of sealed decisions that are not revealed after a step, the newest first. Default: the newest step."""
    if not sealed_places(game, None if step is None else game.board_at(step)):
        return
    end = last_not_apart(game, step)
    for number in game.line_back(step):
        if number == end:
            return
        event = game.entries[number].event
        if isinstance(event, DecisionRecorded) and is_sealed_kind(game, event.decision):
            yield number


# --- going back over a reveal ---


def before_seals(game: Game, to: int) -> int:
    """Return the step to go back to instead of `to`: if offers that were revealed would be sealed again, all are made again.

    The seat that seals last sees the others' offers. If only its own could be undone, it could choose again.
    """
    if not game.may_hold_sealed:
        return to
    seals = list(_standing_seals(game, to))
    return game.parents[seals[-1]] if seals and _revealed_in(game, seals) is not None else to


def _revealed_in(game: Game, seals: list[int]) -> int | None:
    """Return a step, struck out or not, that revealed one of some sealed decisions; None if they are still secret."""
    for step in range(seals[0] + 1, game.step + 1):
        if not isinstance(game.entries[step].event, DecisionRecorded):
            continue
        line = takewhile(lambda number: number >= seals[-1], game.line_back(step))
        if not set(seals).isdisjoint(line) and _reveals(game, step):
            return step
    return None


def _reveals(game: Game, step: int) -> bool:
    """Check if a decision opened something sealed."""
    before, after = (sealed_places(game, game.board_at(at)) for at in (game.parents[step], step))
    return not before <= after


def reopened_at(game: Game) -> int | None:
    """Return the take-back that undid a reveal, while the offers are made again; else None."""
    if not game.may_hold_sealed or not game.take_backs or last_not_apart(game) > (back := game.take_backs[-1]):
        return None
    for step in game.line_since(back, back - 1):
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded):
            continue
        row = game.ruleset.by_tag.get(str(event.decision.get("type")))
        if row is not None and (row.sealed or row.covered_fact) and _reveals(game, step):
            return back
    return None


def refuse_half_reveal(game: Game, entries: Iterable[Entry]) -> None:
    """Raise Refused for going back to sealed decisions that a later step revealed to everyone.

    Applies to new entries, not to records that are read, and to proposals that would go back.
    """
    if not game.may_hold_sealed:
        return
    went_back = False
    for entry in entries:
        event = entry.event
        if isinstance(event, RulingProposed) and event.to_step is not None and not event.moves:
            _refuse_half(game, event.to_step)
        went_back = went_back or isinstance(event, DecisionsTakenBack)
        game = game.then(entry)
    if went_back:
        _refuse_half(game, game.step)


def _refuse_half(game: Game, to: int) -> None:
    if (back := before_seals(game, to)) != to:
        raise Refused(
            because(
                "revealed_offers",
                "the sealed offers were revealed: go back to step {to}, and all are made again",
                to=back,
            )
        )


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
