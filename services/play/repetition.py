"""Whether what is asked for under an idempotency key is what that key wrote before.

A key that is sent again is answered with where it wrote; were it something else that is asked for now, an entry would
be lost without a word. Compared is what was said, not what came of it: rules may have been mended since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.commands import (
    AS_COUNTED,
    Abandon,
    AcceptCount,
    Adjust,
    AdjustToCount,
    AppealRuling,
    Close,
    CloseClaim,
    Command,
    ConsentToRuling,
    Correct,
    Count,
    Decide,
    DecideTurn,
    EndLease,
    NameUmpire,
    Note,
    PlayAsItStood,
    ProposeRuling,
    RaiseClaim,
    Reopen,
    RuleOnClaim,
    Say,
    TakeBack,
    TakeLease,
    WithdrawClaim,
    aside_of_say,
    command_of,
    counted_values,
    place_of,
    umpire_named,
    written_with,
)
from daybook.domain.corrections import Resolution
from daybook.domain.kernel.board import holds, is_at, plain, touches, value_at
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import (
    AnyEvent,
    Aside,
    BoardAdjusted,
    BoardStep,
    ClaimClosed,
    ClaimRaised,
    ClaimRuled,
    CountAccepted,
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    GameAbandoned,
    GameClosed,
    GameReopened,
    LeaseEnded,
    LeaseTaken,
    NoteAdded,
    RulingAppealed,
    RulingConsented,
    RulingProposed,
    TableCounted,
    UmpireNamed,
)
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat


def is_written(game: Game, command: Command, step: int) -> bool:
    """Whether a command is what was written up to this step under one key. Raises NotADecision, NotAnEntry, Refused."""
    events = [entry.event for entry in written_with(game, step)]
    match command:
        case DecideTurn(seat, decisions):
            return _are_decided(game, events, [(seat, decision) for decision in decisions])
        case Correct():
            return _is_corrected(game, events, command)
        case ConsentToRuling(claim, proposal, seat):
            return any(isinstance(event, RulingConsented) and (event.claim, event.proposal, event.seat) == (
                claim, proposal, seat) for event in events)
        case RuleOnClaim():
            return _is_ruled(game, events, command)
        case _:
            return len(events) == 1 and _is_entry_of(game, events[0], command)


def _is_entry_of(game: Game, event: AnyEvent, command: Command) -> bool:
    """Whether an entry is what a command of one entry wrote."""
    match command, event:
        case Decide(), DecisionRecorded():
            return _are_decided(game, [event], [(command.seat, command.decision)]) and _has_same_place(event, command)
        case PlayAsItStood(), DecisionAsPlayed():
            decision = plain(read_decision(game, command.decision))
            return (
                (event.seat, event.decision, event.why) == (command.seat, decision, command.why.strip())
                and (command.computed or not event.computed)
                and _same_places(event.by_hand, command.values) and _has_same_place(event, command))
        case TakeBack(to, cause, why), DecisionsTakenBack():
            return (event.to, event.cause, event.why) == (to, cause, why.strip()) and _has_same_place(event, command)
        case Adjust(values, why, cause), BoardAdjusted():
            return (
                (event.cause, event.why) == (cause, why.strip())
                and _has_same_place(event, command) and _do_values_lie(game, event, values))
        case AdjustToCount(count, why), BoardAdjusted():
            return (event.answers, event.why) == (count, (why or AS_COUNTED).strip()) and _do_values_lie(
                game, event, counted_values(game, command))
        case Note(about, text), NoteAdded():
            return (event.about, event.text) == (about, text.strip())
        case Count(values, text), TableCounted():
            return event.text == text.strip() and _same_places(event.counted, values)
        case AcceptCount(count, why), CountAccepted():
            return (event.count, event.why) == (count, why.strip())
        case Say(said), Aside():
            again = aside_of_say(game, said, Written(event.at, event.by, event.key, event.nonce))
            return msgspec.structs.replace(again, step=event.step) == event
        case Close(), GameClosed():
            return True
        case Abandon(why), GameAbandoned():
            return event.why == why.strip()
        case Reopen(why), GameReopened():
            return event.why == why.strip()
        case TakeLease(device), LeaseTaken():
            return event.device == device
        case EndLease(lease, broken, _, why), LeaseEnded():
            return (event.lease, event.broken, event.why) == (lease, broken, why.strip())
        case NameUmpire(), UmpireNamed():
            return event.person == umpire_named(game, command)
        case RaiseClaim(about, what, rule, why, seat, photos), ClaimRaised():
            return (event.about, event.what, event.rule, event.why, event.seat, event.photos) == (
                about, what.strip(), rule.strip(), why.strip(), seat, photos)
        case ProposeRuling(claim, ruling, to, moves, values, why), RulingProposed():
            return (event.claim, event.ruling, event.to, event.moves, event.values, event.why) == (
                claim, ruling, to, moves, values, why.strip())
        case AppealRuling(claim, umpire, why, seat), RulingAppealed():
            return (event.claim, event.umpire, event.why, event.seat) == (claim, umpire, why.strip(), seat)
        case (WithdrawClaim(claim, why) | CloseClaim(claim, why)), ClaimClosed():
            return (event.claim, event.withdrawn, event.why) == (
                claim, isinstance(command, WithdrawClaim), why.strip())
    return False


Decided = tuple[Seat, Mapping[str, Any]]


def _are_decided(game: Game, events: Sequence[AnyEvent], asked: Sequence[Decided]) -> bool:
    """Whether these are the decisions of the entries, one by one, as the rules allow them."""
    return len(events) == len(asked) and all(
        isinstance(event, DecisionRecorded) and not isinstance(event, DecisionAsPlayed)
        and (event.seat, event.decision) == meant
        for event, meant in zip(events, _decisions_meant(game, asked), strict=True))


def _decisions_meant(game: Game, asked: Sequence[Decided]) -> list[Decided]:
    return [
        (seat, plain(game.ruleset.as_listed(game.table, seat, read_decision(game, decision))))
        for seat, decision in asked]


def _has_same_place(event: AnyEvent, command: Command) -> bool:
    """Whether an entry belongs to the same others as it was asked to."""
    return place_of(command_of(event)) == place_of(command)


def _do_values_lie(game: Game, event: BoardStep, values: Mapping[str, Any]) -> bool:
    """Whether these values lie in their places after an entry, and it changed nothing anywhere else."""
    document = game.document_at(event.step)
    lie = all(is_at(document, path) and holds(value_at(document, path), value) for path, value in values.items())
    return lie and all(touches(values, path) for path in event.changes)


def _same_places(written: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """Whether what was written of places of a board is what is asked for: what was left out there may stand here."""
    return written.keys() == asked.keys() and holds(dict(written), dict(asked))


def _is_corrected(game: Game, events: Sequence[AnyEvent], command: Correct) -> bool:
    """Whether this is a correction that puts these in the place of steps, as far as it went."""
    back, *rest = events
    if not command.instead or not isinstance(back, DecisionsTakenBack):
        return False
    if (back.to, back.why) != (game.parents[min(command.instead)], command.why.strip()):
        return False
    put = [
        (event.seat, event.decision) for event in rest if isinstance(event, DecisionRecorded) and (
            event.corrects is not None or event.carried_from in command.instead)]
    asked = [one for step in sorted(command.instead) for one in _decisions_put(game, step, command.instead[step])]
    return put == asked[: len(put)]


def _decisions_put(game: Game, step: int, resolution: Resolution) -> list[Decided]:
    """The decisions that a resolution puts in the place of a step."""
    stood = game.entries[step].event
    if resolution.as_played and not resolution.moves and isinstance(stood, DecisionRecorded):
        return [(stood.seat, stood.decision)]
    return _decisions_meant(game, [(move.seat, move.decision) for move in resolution.moves])


def _is_ruled(game: Game, events: Sequence[AnyEvent], command: RuleOnClaim) -> bool:
    """Whether this is the ruling, with what it does. What it puts on the board comes after what it undoes."""
    ruled, adjusted = events[0], [event for event in events if isinstance(event, BoardAdjusted)]
    if not isinstance(ruled, ClaimRuled) or (ruled.claim, ruled.umpire, ruled.why, ruled.ruling, ruled.proposal) != (
            command.claim, command.umpire, command.why.strip(), command.ruling, command.proposal):
        return False
    if command.first is not None and ruled.first != command.first:
        return False
    if command.proposal is not None:
        return True  # the rest is as it was proposed
    if ruled.to != command.to:
        return False
    return not command.values or (bool(adjusted) and _do_values_lie(game, adjusted[-1], command.values))
