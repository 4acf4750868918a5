"""Commands: what can be written into a record.

A line of a bare file, the command line, the API and the pages all make one of these of what somebody sends.
`domain.writing` says what each comes to as the next entries of the game. Whether somebody may write it is asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, IllegalDecision, Reason, Seat, because

TURN_LIMIT = 60  # decisions written at once
LINKS = ("carried_from", "corrects", "answers")  # fields that say how an entry belongs to others: steps


class NotInTurnError(IllegalDecision):
    """One of several decisions is not possible where it stands; `place` counts them from 1."""

    def __init__(self, place: int, rule: str, reason: Reason) -> None:
        super().__init__(rule, reason)
        self.place = place


class NotAnEntryError(UnreadableError):
    """Input that is not an entry beside a game: send its type and fields as in a full record file."""


class Data(Exact, tag_field="command"):
    """Base of the commands; the tag is the command's name in a bare file."""


# --- commands of one entry: each may be a line of a bare file --------------------------------------------------------


class Decide(Data, tag="decision"):
    """A decision of a seat or of the table.

    carried_from, corrects, answers: steps, as in the entry; the same in the commands below. drawn: as in the entry;
    a service writes it only for its own draws.
    """

    seat: Seat
    decision: dict[str, Any]
    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None
    drawn: bool = False


class PlayAsItStood(Data, omit_defaults=True, tag="as_played"):
    """A decision that the rules refuse and that stood at the table.

    values: what really lay where afterwards; computed: the rules carry it out first, as far as they can.
    """

    seat: Seat
    decision: dict[str, Any]
    values: dict[str, Any] = {}
    why: str = ""
    computed: bool = True
    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None


class TakeBack(Data, tag="takeback"):
    """The step it goes back to. Line 1 of a bare file is step 0."""

    to: int
    cause: events.Cause = "table"
    why: str = ""
    answers: int | None = None


class Adjust(Data, tag="adjust"):
    """A correction of the board by hand: path -> actual value."""

    values: dict[str, Any]
    why: str
    cause: events.Cause = "table"
    carried_from: int | None = None
    answers: int | None = None


class Note(Data, tag="note"):
    """about: the step."""

    about: int
    text: str


class Count(Data, omit_defaults=True, tag="count"):
    """A count of the table: path -> actual value."""

    values: dict[str, Any]
    text: str = ""


class Say(Data, tag="aside"):
    """An entry with no effect on the board, as stored in a record.

    These are the entries of claims and leases, an accepted count, the day of play, and the opening of a hidden game.
    said: its `type` and its fields, without those about the writing.
    """

    said: dict[str, Any]


class Close(Data, tag="close"):
    """Nothing to say: the rules know the totals."""


class Abandon(Data, tag="abandon"):
    why: str


class Reopen(Data, tag="reopen"):
    why: str


# --- commands that look at the game for what they come to, or come to several entries --------------------------------


class DecideTurn(Data, tag="turn"):
    """Several decisions of one seat, one step each, all of them or none."""

    seat: Seat
    decisions: list[dict[str, Any]]


class Resolution(Frozen):
    """Replacement of a recorded step.

    moves: these decisions, or none at all; as_played: the last of them stood although the rules refuse it, or, if
    there are none, the recorded decision itself did; `values` are the values on the board afterwards.
    """

    moves: list[events.Move] = []
    as_played: bool = False
    values: dict[str, Any] = {}


class Correct(Data, tag="correct"):
    """Put steps far back right, exactly as the plan with this digest says.

    instead: recorded step -> what stands in its place, the mistyped one first.
    """

    instead: dict[int, Resolution]
    why: str
    digest: str


class AcceptCount(Data, tag="accept_count"):
    """Let the record stand although something else was counted."""

    count: int
    why: str = ""


class AdjustToCount(Data, tag="adjust_to_count"):
    """Put the board right as it was counted. paths: only there; None: wherever something else was counted."""

    count: int
    why: str = ""
    paths: list[str] | None = None


class NameUmpire(Data, tag="name_umpire"):
    """The next umpire: a person by id, or the player of `seat`."""

    person: str = ""
    seat: Seat | None = None


class RaiseClaim(Data, tag="raise_claim"):
    """A claim that a step is wrong.

    seat: the seat that claims; None: the scorekeeper. photos: the SHA-256 of each.
    """

    about: int
    what: str
    rule: str = ""
    why: str = ""
    seat: Seat | None = None
    photos: list[str] = []


class ProposeRuling(Data, tag="propose_ruling"):
    """A proposal for how to settle a claim.

    seat: the seat that proposes, and thereby agrees; None: the scorekeeper's, to which no seat has agreed yet.
    """

    claim: int
    ruling: events.Ruling
    to: int | None = None
    moves: list[events.Move] = []
    values: dict[str, Any] = {}
    why: str = ""
    seat: Seat | None = None


class ConsentToRuling(Data, tag="consent_to_ruling"):
    """A seat says yes to a proposal. With the last yes it is ruled so, carried out, and the claim is closed."""

    claim: int
    proposal: int
    seat: Seat


class RuleOnClaim(Data, tag="rule_on_claim"):
    """An umpire rules, and it is carried out.

    proposal: what is proposed is made the ruling; then `to` and `values` are the proposal's. first: on an appeal, what
    becomes of what the first ruling did to the board; None: "play on" undoes it, anything else leaves it.
    appeal_hours: for how long the ruling may be appealed.
    """

    claim: int
    ruling: events.Ruling
    why: str
    umpire: int
    appeal_hours: int
    to: int | None = None
    values: dict[str, Any] = {}
    proposal: int | None = None
    first: events.FirstRuling | None = None


class AppealRuling(Data, tag="appeal_ruling"):
    claim: int
    umpire: int
    why: str
    seat: Seat | None = None


class WithdrawClaim(Data, tag="withdraw_claim"):
    claim: int
    why: str = ""


class CloseClaim(Data, tag="close_claim"):
    """Once no appeal is possible any more."""

    claim: int
    why: str = ""


class LayOpen(Data, tag="lay_open"):
    """Show what lay covered in a game that was given up, for ever."""


class TellDayOfPlay(Data, tag="tell_day_of_play"):
    """The game was played on another day than it was written down. day: 2026-11-20; empty: that is not said any more."""

    day: str


class TakeLease(Data, tag="take_lease"):
    """Record the game on one device alone from now on."""

    device: events.DeviceKind


class EndLease(Data, tag="end_lease"):
    """Record it in the service again. broken, clock: as of the entry."""

    lease: int
    broken: bool = False
    clock: int = 0
    why: str = ""


Line = Decide | PlayAsItStood | TakeBack | Adjust | Note | Count | Say | Close | Abandon | Reopen
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
    | LayOpen
    | TellDayOfPlay
    | TakeLease
    | EndLease
)


# --- what a command says of a game -----------------------------------------------------------------------------------


def links_of(game: Game, command: Decide | PlayAsItStood | TakeBack | Adjust) -> dict[str, Any]:
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
        and 0 <= command.to <= game.step
        and len(seats_since(game, command.to)) > 1
    ):
        raise Refused(because("why_missing", "undoing decisions of several seats needs a reason"))


def seats_since(game: Game, to: int) -> set[Seat]:
    """Return the seats whose decisions a take-back to step `to` would undo; the table's facts do not count."""
    return _seats_of(game, game.line_since(to))


def seats_moved(game: Game, to: int) -> set[Seat]:
    """Return the seats whose decisions a take-back to step `to` would undo or restore."""
    return seats_since(game, to) | _seats_of(game, game.line_since(game.step, to))


def _seats_of(game: Game, steps: Sequence[int]) -> set[Seat]:
    there = [game.entries[step].event for step in steps]
    return {event.seat for event in there if isinstance(event, events.DecisionRecorded) and event.seat != TABLE}


# --- back from entries ----------------------------------------------------------------------------------------------


def command_of(event: events.AnyEvent) -> Line:
    """Return the command of an entry other than the opening, as a bare file stores it."""
    match event:
        case events.DecisionAsPlayed():
            return PlayAsItStood(
                event.seat,
                event.decision,
                event.by_hand,
                event.why,
                event.computed,
                event.carried_from,
                event.corrects,
                event.answers,
            )
        case events.DecisionRecorded():
            return Decide(event.seat, event.decision, event.carried_from, event.corrects, event.answers, event.drawn)
        case events.DecisionsTakenBack():
            return TakeBack(event.to, event.cause, event.why, event.answers)
        case events.BoardAdjusted():
            values = event.confirmed | {path: after for path, (_, after) in event.changes.items()}
            return Adjust(values, event.why, event.cause, event.carried_from, event.answers)
        case events.NoteAdded():
            return Note(event.about, event.text)
        case events.TableCounted():
            return Count(event.counted, event.text)
        case events.Aside():
            fields: dict[str, Any] = msgspec.to_builtins(event)
            return Say({name: value for name, value in fields.items() if name not in events.OF_WRITING})
        case events.GameClosed():
            return Close()
        case events.GameAbandoned():
            return Abandon(event.why)
        case events.GameReopened():
            return Reopen(event.why)
    raise AssertionError(f"{event} opens the game")
