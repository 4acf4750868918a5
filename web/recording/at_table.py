"""Acts of players at the table that follow from the newest turn: "At the table: Anna draws 2 cards"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from daybook.domain.kernel.events import BoardAdjusted, BoardStep, DecisionRecorded, DecisionsTakenBack
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import leaves_sealed
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.recording.recent_turns import TurnSteps
from daybook.web.words import Names, say


class TableActs(Frozen):
    """Acts at the table, in order.

    Args:
        undone: acts of undone steps, which the players reverse first.
    """

    acts: list[str]
    undone: list[str] = []


def find_table_acts(
    game: Game,
    turns: Sequence[TurnSteps],
    steps: Mapping[int, StepShown],
    names: Names,
    view: TablePrivacy,
    own: Seat | None,
) -> TableActs | None:
    """Return what the newest turn means at the table; None for nothing.

    Args:
        turns: newest first.
        steps: all of them.
        own: seat of a phone that shows the own turn, or only the acts of its player since that turn.
    """
    vocabulary = words.GAMES[game.ruleset.id]
    if not vocabulary.at_table or not turns:
        return None
    if game.heads[-1] == 0:
        first = list(vocabulary.table_begins(game.board, names))
        return TableActs(first) if first else None
    if back := _last_take_back(game):
        was, now = (
            Counter(act for step in line for act in _acts_of(game, steps, step, names, view, own, True))
            for line in (game.line_since(game.step, back - 1), game.line_since(back - 1))
        )
        return TableActs(_counted(now - was), _counted(was - now)) if was != now else None
    struck, acts = game.struck_steps(), list[str]()
    newest: TurnSteps | None = None
    for turn in turns:
        if leaves_sealed(game, turn.steps[-1]):  # sealing is no act at the table
            continue
        event = game.entries[turn.steps[0]].event
        is_own_turn = isinstance(event, DecisionRecorded) and event.seat == own
        if newest is not None and is_own_turn:
            break
        newest = newest or turn
        acts[:0] = [
            act
            for step in turn.steps
            if step not in struck
            and not _is_carried(game, step)  # its acts were said when it was recorded or corrected
            for act in _acts_of(game, steps, step, names, view, None if is_own_turn else own, turn is newest)
        ]
        if own is None or is_own_turn:
            break
    return TableActs(_counted(Counter(acts))) if acts else None


def _is_carried(game: Game, step: int) -> bool:
    """Check if a correction wrote a step, in place of another or as it was."""
    event = game.entries[step].event
    return isinstance(event, DecisionRecorded | BoardAdjusted) and (
        event.copied_from_step is not None or getattr(event, "corrects_step", None) is not None
    )


def _last_take_back(game: Game) -> int:
    """Return the newest entry if it took others back, or the take-back of a correction that ends the record; else 0."""
    step = len(game.entries) - 1
    while not isinstance(game.entries[step].event, BoardStep) or _is_carried(game, step):  # notes and claims, too
        step -= 1
    return step if isinstance(game.entries[step].event, DecisionsTakenBack) else 0


def _acts_of(
    game: Game,
    steps: Mapping[int, StepShown],
    number: int,
    names: Names,
    view: TablePrivacy,
    own: Seat | None,
    of_everyone: bool,
) -> Iterator[str]:
    """Yield the acts of a step for a seat, and those of no seat if `of_everyone`."""
    step = view.redact_step(steps[number])
    if step.decision is None:
        return
    sentences = words.GAMES[game.ruleset.id].at_table
    for effect in game.ruleset.typed_effects(step.effects):
        seats = getattr(effect, "seats", (getattr(effect, "seat", None),))
        if type(effect) in sentences and (own is None or own in seats or (of_everyone and None in seats)):
            act = words.sentence_by_kind(game.ruleset.id, effect, sentences, names)
            if act:
                yield act


def _counted(acts: Mapping[str, int]) -> list[str]:
    return [text if n == 1 else say("{what} ({n} times)", what=text, n=n) for text, n in acts.items()]
