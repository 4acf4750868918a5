"""Commands: what can be written into a record.

Lines of bare files, the command line, the API and the pages are all parsed into commands. `domain.writing` turns a
command into the next entries of the game. The caller checks the permission before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.field_types import (
    MOVES_LIMIT,
    RULE_LIMIT,
    VALUES_LIMIT,
    Day,
    Decision,
    FilledText,
    FilledValues,
    SeatOrTable,
    Step,
    Text,
    Values,
)
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, IllegalDecision, Reason, Seat, because

TURN_LIMIT = 60  # decisions written at once
LINKS = ("copied_from_step", "corrects_step", "answers_step")  # fields with the steps to which an entry refers


class NotInTurnError(IllegalDecision):
    """One of several decisions is not possible at its place; `place` counts from 1."""

    def __init__(self, place: int, rule: str, reason: Reason) -> None:
        super().__init__(rule, reason)
        self.place = place


class NotAnEntryError(UnreadableError):
    """The input is not a side entry: send its type and fields as in a full record file."""


class Data(Exact, tag_field="command"):
    """Base of the commands; the tag is the command's name in a bare file.

    A docstring and the comments at the fields are the help of the API.
    """


# --- commands of one entry: each may be a line of a bare file --------------------------------------------------------


class Decide(Data, tag="decision"):
    """Record a decision.

    Decisions of the table itself, such as a card turned over, are recorded for seat -1. A decision against the rules is
    refused with the number of the rule.
    """

    seat: SeatOrTable
    decision: Decision
    copied_from_step: int | None = None  # the step of which this is a copy, in a correction
    corrects_step: int | None = None  # the step that this replaces, in a correction
    answers_step: int | None = None  # the step of the ruling that this carries out
    drawn_by_daybook: bool = False  # drawn by Daybook


class RecordAsPlayed(Data, omit_defaults=True, tag="as_played"):
    """Record an illegal move that stood at the table.

    A legal move is refused: record it as a decision.
    """

    seat: SeatOrTable
    decision: Decision
    values: Values = {}  # corrections of the board by hand: path -> actual value after the move
    why: Text = ""
    rules_applied: bool = True  # the rules carry it out as far as possible; false: none of its effects happened
    copied_from_step: int | None = None
    corrects_step: int | None = None
    answers_step: int | None = None


class TakeBack(Data, tag="take_back"):
    """Take decisions back.

    The board becomes that after step `to`. Players take back their own decisions. The scorekeeper takes back any, and
    gives a reason if decisions of several seats are undone. To redo, take back to the `redo_step` of the game.
    """

    to_step: Step  # the step after which the game continues; line 1 of a bare file is step 0
    cause: events.Cause = "table"  # table: the players undid it; mistyped: the record was wrong; ruling: an umpire
    why: Text = ""
    answers_step: int | None = None


class Adjust(Data, tag="adjust"):
    """Correct the board by hand.

    Use it for a slip that does not need a take-back. Only causes (money, a card's place) can be corrected, not the
    figures that the rules compute from them.
    """

    values: FilledValues  # path -> actual value; the ruleset lists the paths under `causes`
    why: FilledText
    cause: events.Cause = "table"  # as in TakeBack
    copied_from_step: int | None = None
    answers_step: int | None = None


class Note(Data, tag="note"):
    """Add a note to a step.

    A note does not change the board.
    """

    about_step: Step  # the step of the note
    text: FilledText


class Count(Data, omit_defaults=True, tag="count"):
    """Record a count of the table.

    A count does not change the board.
    """

    values: FilledValues  # path -> actual value
    text: Text = ""


class AddEntry(Data, tag="entry"):
    """An entry with no effect on the board, as stored in a record.

    These are the entries of claims and leases, an accepted count, the day of play, and the opening of a hidden game.
    """

    entry: dict[str, Any]  # its `type` and its fields, without those about the writing


class Close(Data, tag="close"):
    """Close a game that is over.

    From then on the whole game is visible to all its readers.
    """


class Abandon(Data, tag="abandon"):
    """Abandon a game that will not be finished.

    Hidden information stays hidden until the game is revealed.
    """

    why: FilledText


class Reopen(Data, tag="reopen"):
    """Reopen a closed or abandoned game.

    Not possible once its hidden information was revealed.
    """

    why: FilledText


# --- commands whose entries depend on the game, or that write several entries ----------------------------------------


class DecideTurn(Data, tag="turn"):
    """Record several decisions of one seat.

    Each decision becomes a step. Either all are recorded or none. A refusal names the place of its decision, counted
    from 1.
    """

    seat: SeatOrTable
    decisions: Annotated[list[Decision], Meta(min_length=1, max_length=TURN_LIMIT)]  # in their order


class Resolution(Exact):
    """Replacement of a recorded step."""

    moves: Annotated[list[events.Move], Meta(max_length=TURN_LIMIT)] = []  # replace the step; none: it is left out
    as_played: bool = False  # the last move (without moves: the recorded decision) stood against the rules
    values: dict[str, Any] = {}  # after a move that stood: path -> actual value


class Correct(Data, tag="correct"):
    """Write a correction of earlier steps.

    It is written only if the plan still has this digest. Either the whole plan is written or nothing.
    """

    # step -> its replacement, the mistyped step first
    replacements: Annotated[dict[Step, Resolution], Meta(min_length=1, max_length=MOVES_LIMIT)]
    why: FilledText
    digest: Annotated[str, Meta(min_length=1, max_length=64)]  # of the plan; another plan is refused


class AcceptCount(Data, tag="accept_count"):
    """Keep the record although the count differs."""

    count_step: Step  # the step of the count
    why: Text = ""


class AdjustToCount(Data, tag="adjust_to_count"):
    """Correct the board to match a count."""

    count_step: Step  # the step of the count
    why: Text = ""
    # only these places; null: every difference
    paths: Annotated[list[str], Meta(min_length=1, max_length=VALUES_LIMIT)] | None = None


class NameUmpire(Data, tag="name_umpire"):
    """Name the next umpire.

    The umpire is either a person who does not play, or a player.
    """

    person: str = ""  # the id of the person
    seat: SeatOrTable | None = None  # the player's seat


class RaiseClaim(Data, tag="raise_claim"):
    """Claim that a step is wrong.

    A claim does not change the board.
    """

    about_step: Step  # the step that is wrong
    statement: FilledText
    rule: Annotated[str, Meta(max_length=RULE_LIMIT)] = ""  # the number of the rule, if known
    why: Text = ""
    seat: SeatOrTable | None = None  # the claimant's seat; null: the scorekeeper
    photos: list[str] = []  # the SHA-256 of each
    moves: Annotated[list[events.Move], Meta(max_length=TURN_LIMIT)] = []  # proposal: what happened instead
    leaves_out: bool = False  # proposal: the step, or the whole turn, never happened
    last_step: Step | None = None  # of a claim on a whole turn: its last step, after the first in `about_step`
    values: Values = {}  # proposal: path -> right value, of places that `causes` of the ruleset lists


class ProposeRuling(Data, tag="propose_ruling"):
    """Propose a ruling.

    A proposal to which all seats agree becomes the ruling. Corrections of the board and new decisions are proposed by
    a user who sees every hand.
    """

    claim: Step  # the number of the claim: the step that raised it
    # play_on: the step is kept; adjusted: it is kept, and the board is corrected; rewound: the game goes back to a step
    ruling: events.Ruling
    to_step: Step | None = None  # of a rewind: the step after which the game continues
    moves: Annotated[list[events.Move], Meta(max_length=MOVES_LIMIT)] = []  # new decisions after a rewind
    values: Values = {}  # of an adjustment: path -> value from now on
    why: Text = ""
    seat: SeatOrTable | None = None  # the proposer's seat, which agrees; null: the scorekeeper


class ConsentToRuling(Data, tag="consent_to_ruling"):
    """Agree to a proposal.

    When the last seat agrees, the proposal becomes the ruling, is carried out, and the claim is closed.
    """

    claim: Step  # the number of the claim
    proposal: Step  # the step of the proposal
    seat: SeatOrTable


class RuleOnClaim(Data, tag="rule_on_claim"):
    """Rule on a claim.

    For the umpire, or the scorekeeper in the umpire's name. Either the ruling and all its effects on the board are
    written, or nothing is.
    """

    claim: Step  # the number of the claim
    ruling: events.Ruling  # as in ProposeRuling
    why: FilledText
    umpire: Annotated[int, Meta(ge=0, le=99)]  # the number of the umpire, from 0
    appeal_hours: int  # for how long the ruling may be appealed
    to_step: Step | None = None  # of a rewind: the step after which the game continues
    values: Values = {}  # of an adjustment: path -> value from now on
    proposal: Step | None = None  # the step of the proposal that becomes the ruling; then its `to` and `values` count
    # on an appeal: keep or undo the board changes of the first ruling; null: play_on undoes them, the others keep them
    appealed_changes: events.AppealedChanges | None = None


class AppealRuling(Data, tag="appeal_ruling"):
    """Appeal against a ruling.

    A ruling can be appealed once, to another umpire, within the time that the ruling states.
    """

    claim: Step  # the number of the claim
    umpire: Annotated[int, Meta(ge=0, le=99)]  # the number of the other umpire, from 0
    why: FilledText
    seat: SeatOrTable | None = None  # the seat that appeals; null: the scorekeeper


class WithdrawClaim(Data, tag="withdraw_claim"):
    """Withdraw a claim.

    The claimant can withdraw it before a ruling.
    """

    claim: Step  # the number of the claim
    why: Text = ""


class CloseClaim(Data, tag="close_claim"):
    """Close a claim after its ruling.

    A claim can be closed when no appeal is possible any more.
    """

    claim: Step  # the number of the claim
    why: Text = ""


class RevealGame(Data, tag="reveal_game"):
    """Reveal the hidden information of an abandoned game.

    The game cannot be reopened after that.
    """


class SetDayOfPlay(Data, tag="set_day_of_play"):
    """Set the day of play.

    Use it for a game that was recorded later. The record keeps the earlier day as well.
    """

    day: Day | None  # 2026-11-20; null: unknown


class TakeLease(Data, tag="take_lease"):
    """Record the game only on one device from now on."""

    device: events.DeviceKind


class EndLease(Data, tag="end_lease"):
    """Record the game in the service again."""

    lease: int  # the step that began it
    revoked: bool = False  # as in the entry
    clock_ahead_seconds: int = 0  # as in the entry
    why: str = ""


Line = Decide | RecordAsPlayed | TakeBack | Adjust | Note | Count | AddEntry | Close | Abandon | Reopen
Command = (
    Line
    | DecideTurn
    | Correct
    | AcceptCount
    | AdjustToCount
    | NameUmpire
    | RaiseClaim
    | ProposeRuling
    | ConsentToRuling
    | RuleOnClaim
    | AppealRuling
    | WithdrawClaim
    | CloseClaim
    | RevealGame
    | SetDayOfPlay
    | TakeLease
    | EndLease
)


# --- commands and their game -----------------------------------------------------------------------------------------


def links_of(game: Game, command: Decide | RecordAsPlayed | TakeBack | Adjust) -> dict[str, Any]:
    """Return the links of a command's entry to other steps, by field name. Raises Refused for a later step."""
    links = {name: getattr(command, name) for name in LINKS if hasattr(command, name)}
    for step in links.values():
        if step is not None:
            game.check_step(step)
    return links


def refuse_unexplained(game: Game, command: Command) -> None:
    """Raise Refused if a take-back of several seats' decisions gives no reason.

    Applies to new entries, not to records that are read.
    """
    if (
        isinstance(command, TakeBack)
        and not command.why.strip()
        and 0 <= command.to_step <= game.step
        and len(seats_since(game, command.to_step)) > 1
    ):
        raise Refused(because("why_missing", "to undo decisions of several players, give a reason"))


def seats_since(game: Game, to: int) -> set[Seat]:
    """Return the seats that lose decisions by a take-back to step `to`; the table's facts do not count."""
    return _seats_of(game, game.line_since(to))


def seats_moved(game: Game, to: int) -> set[Seat]:
    """Return the seats with decisions that a take-back to step `to` would undo or restore."""
    return seats_since(game, to) | _seats_of(game, game.line_since(game.step, to))


def _seats_of(game: Game, steps: Sequence[int]) -> set[Seat]:
    there = [game.entries[step].event for step in steps]
    return {event.seat for event in there if isinstance(event, events.DecisionRecorded) and event.seat != TABLE}


# --- back from entries ----------------------------------------------------------------------------------------------


def command_of(event: events.AnyEvent) -> Line:
    """Return the command of an entry other than the opening, as a bare file stores it."""
    match event:
        case events.DecisionAsPlayed():
            return RecordAsPlayed(
                event.seat,
                event.decision,
                event.values,
                event.why,
                event.rules_applied,
                event.copied_from_step,
                event.corrects_step,
                event.answers_step,
            )
        case events.DecisionRecorded():
            return Decide(
                event.seat,
                event.decision,
                event.copied_from_step,
                event.corrects_step,
                event.answers_step,
                event.drawn_by_daybook,
            )
        case events.DecisionsTakenBack():
            return TakeBack(event.to_step, event.cause, event.why, event.answers_step)
        case events.BoardAdjusted():
            values = event.confirmed | {path: after for path, (_, after) in event.changes.items()}
            return Adjust(values, event.why, event.cause, event.copied_from_step, event.answers_step)
        case events.NoteAdded():
            return Note(event.about_step, event.text)
        case events.TableCounted():
            return Count(event.counted, event.text)
        case events.SideEvent():
            fields: dict[str, Any] = msgspec.to_builtins(event)
            return AddEntry({name: value for name, value in fields.items() if name not in events.OF_WRITING})
        case events.GameClosed():
            return Close()
        case events.GameAbandoned():
            return Abandon(event.why)
        case events.GameReopened():
            return Reopen(event.why)
    raise AssertionError(f"{event} opens the game")
