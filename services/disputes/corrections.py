"""Corrections of steps far back, worked out to be looked at (`domain.corrections`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.commands import Resolution
from daybook.domain.corrections import Correction, Plan
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, Ruleset
from daybook.domain.kernel.terms import Board, IllegalDecision
from daybook.services.clock import now
from daybook.services.store.daybook import Daybook

MAX_STEPS_INSERTED = 8  # by themselves; each place costs another run through the later steps
MAX_DECISIONS_TRIED = 60  # before a step that no longer fits


def compute_correction_plan(book: Daybook, game_id: UUID, instead: Mapping[int, Resolution]) -> Plan:
    """Plan a correction.

    Args:
        instead: replacements of recorded steps, the mistyped one first.

    For viewers with full sight. Sealed decisions stay sealed and are not carried over. Raises Refused, NotADecisionError,
    UnknownGameError.
    """
    game = book.games.get(game_id)
    return Correction(game, instead, "", Written(now(), "", "plan")).plan()


def insert_forgotten_steps(game: Game, instead: Mapping[int, Resolution]) -> dict[int, Resolution]:
    """Insert the decisions that a correction makes necessary, as long as the rules allow only one.

    For viewers with full sight: the answer of the rules depends on covered parts of the board.
    """
    filled = dict(instead)
    for _ in range(MAX_STEPS_INSERTED):
        correction = Correction(game, filled, "", Written(now(), "", "plan"))
        if correction.stop is None or correction.sealed is not None:
            break
        event, old = game.entries[correction.stop.old].event, correction.stop.old
        if not isinstance(event, DecisionRecorded):
            break
        recorded, resolution = Move(event.seat, event.decision), filled.get(old)
        moves = [recorded] if resolution is None else resolution.moves
        if moves[-1:] != [recorded] or (resolution is not None and resolution.as_played):
            break  # the user decided about this step
        inserted = _forced_before(game.ruleset, correction.twin.board, moves[:-1], event)
        if inserted == moves[:-1]:
            break
        filled[old] = Resolution([*inserted, recorded])
    return filled


def _forced_before(
    rules: Ruleset[Any], board: Board, inserted: Sequence[Move], event: DecisionRecorded
) -> Sequence[Move]:
    """Return the inserted decisions, with forced ones until the board asks for the recorded one."""
    forced = [*inserted]
    try:
        for move in inserted:
            board, _ = rules.play(board, move.seat, rules.decision(move.decision))
    except (IllegalDecision, *CANNOT_GO_ON):  # a proposal may insert what the rules forbid
        return inserted
    while asked := decisions_asked_instead(rules, board, event):
        if len(asked) > 1 or rules.by_tag[asked[0].decision["type"]].open_form or len(forced) >= MAX_STEPS_INSERTED:
            return inserted
        forced += asked
        board, _ = rules.play(board, asked[0].seat, rules.decision(asked[0].decision))
    return forced


def is_forgotten_before(rules: Ruleset[Any], board: Board, event: DecisionRecorded) -> bool:
    """Check if a recorded decision no longer fits because another one comes before it."""
    for move in decisions_asked_instead(rules, board, event)[:MAX_DECISIONS_TRIED]:
        try:
            after, _ = rules.play(board, move.seat, rules.decision(move.decision))
            rules.play(after, event.seat, rules.decision(event.decision))
        except (IllegalDecision, *CANNOT_GO_ON):
            continue
        return True
    return False


def decisions_asked_instead(rules: Ruleset[Any], board: Board, event: DecisionRecorded) -> list[Move]:
    """Return the legal decisions if a board asks for others than a recorded one; [] if it asks for its kind."""
    asked = list[Move]()
    for seat in rules.course.to_act(board):
        try:
            asked += [Move(seat, decision) for decision in msgspec.to_builtins(rules.legal(board, seat))]
        except CANNOT_GO_ON:  # on a board that an illegal move left behind
            continue
    recorded = event.seat, event.decision["type"]
    return [] if any((move.seat, move.decision["type"]) == recorded for move in asked) else asked
