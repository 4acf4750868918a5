"""Corrections of steps far back, worked out to be looked at (`domain.corrections`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.commands import Resolution
from daybook.domain.corrections import Correction, FirstMisfit, Plan
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, Ruleset
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Seat
from daybook.services.clock import now
from daybook.services.store.daybook import Daybook

MAX_STEPS_INSERTED = 8  # by themselves; each place costs another run through the later steps
MAX_DECISIONS_TRIED = 60  # before a step that no longer fits
MAX_ENDS_INSERTED = 8  # before a step that no longer fits
MAX_MISFITS = 6  # of one completion


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

    A kind of decision that the correction leaves out is not inserted for the same player: it never happened.

    For viewers with full sight: the answer of the rules depends on covered parts of the board.
    """
    filled, never = dict(instead), _kinds_left_out(game, instead)
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
        inserted = _forced_before(game.ruleset, correction.twin.board, moves[:-1], event, never)
        if inserted == moves[:-1]:
            break
        filled[old] = Resolution([*inserted, recorded])
    return filled


def _kinds_left_out(game: Game, instead: Mapping[int, Resolution]) -> set[tuple[Seat, str]]:
    """Return player and kind of each decision that a correction leaves out."""
    events = [game.entries[step].event for step, resolution in instead.items() if not resolution.moves]
    return {(event.seat, event.decision["type"]) for event in events if isinstance(event, DecisionRecorded)}


def _forced_before(
    rules: Ruleset[Any],
    board: Board,
    inserted: Sequence[Move],
    event: DecisionRecorded,
    never: Collection[tuple[Seat, str]],
) -> Sequence[Move]:
    """Return the inserted decisions, with forced ones until the board asks for the recorded one."""
    forced = [*inserted]
    try:
        for move in inserted:
            board, _ = rules.play(board, move.seat, rules.decision(move.decision))
    except (IllegalDecision, *CANNOT_GO_ON):  # a proposal may insert what the rules forbid
        return inserted
    while asked := decisions_asked_instead(rules, board, event):
        kind = asked[0].decision["type"]
        if (
            len(asked) > 1
            or (asked[0].seat, kind) in never
            or rules.by_tag[kind].open_form
            or len(forced) >= MAX_STEPS_INSERTED
        ):
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


class Completion(Frozen):
    """A correction with the further decisions with which all later steps fit.

    Args:
        misfits: the steps that did not fit, each with the rule and the reason, in order.
    """

    instead: dict[int, Resolution]
    misfits: list[FirstMisfit]


def complete_correction(game: Game, instead: Mapping[int, Resolution], passes: Collection[str]) -> Completion | None:
    """Find decisions with which all steps after a correction fit; None if some step still does not.

    A step that no longer fits is left out if it is a consequence (of the same player or the table), or turns are ended
    before it, whichever carries the correction further. Nothing else is added that a player would have done: then the user
    is asked. For viewers with full sight, as `insert_forgotten_steps`.

    Args:
        passes: kinds of decisions by which a player only ends a turn or a part of it.
    """
    filled, misfits = insert_forgotten_steps(game, instead), list[FirstMisfit]()
    correction = Correction(game, filled, "", Written(now(), "", "plan"))
    seats = {event.seat for step in instead if isinstance(event := game.entries[step].event, DecisionRecorded)}
    while (misfit := correction.stop) is not None:
        event = game.entries[misfit.old].event
        is_decided = misfit.old in instead or len(misfits) >= MAX_MISFITS
        if is_decided or correction.sealed is not None or not isinstance(event, DecisionRecorded):
            return None
        misfits.append(misfit)
        ways = [Resolution()] if event.seat in seats or event.seat == TABLE else []
        if ended := _ends_before(game.ruleset, correction.twin.board, event, passes):
            ways.append(Resolution([*ended, Move(event.seat, event.decision)]))
        tried = [Correction(game, {**filled, misfit.old: way}, "", Written(now(), "", "plan")) for way in ways]
        correction = max(tried, key=lambda one: inf if one.stop is None else one.stop.old, default=correction)
        if correction.stop is not None and correction.stop.old <= misfit.old:
            return None
        filled = {**correction.instead}
    return Completion(filled, misfits)


def _ends_before(rules: Ruleset[Any], board: Board, event: DecisionRecorded, passes: Collection[str]) -> list[Move]:
    """Return the ends of turns after which a board takes a recorded decision; [] if there are none."""
    ended = list[Move]()
    while len(ended) < MAX_ENDS_INSERTED and not _takes(rules, board, event):
        ends = [move for move in decisions_asked_instead(rules, board, event) if move.decision["type"] in passes]
        if not ends:
            return []
        ended.append(ends[0])
        board, _ = rules.play(board, ends[0].seat, rules.decision(ends[0].decision))
    return ended if _takes(rules, board, event) else []


def _takes(rules: Ruleset[Any], board: Board, event: DecisionRecorded) -> bool:
    """Check if a board takes a recorded decision."""
    try:
        rules.play(board, event.seat, rules.decision(event.decision))
    except (IllegalDecision, *CANNOT_GO_ON):
        return False
    return True
