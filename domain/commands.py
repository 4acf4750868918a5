"""Commands: what can be written into a record, and the one function that writes it.

A line of a bare file, the command line, the API and the pages all make one of these of what somebody sends; `apply`
says what it comes to as the next entries of the game. Whether somebody may write it is asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

import msgspec

from daybook.domain.corrections import Correction, Resolution
from daybook.domain.disputes import aside_entry, checked_entry, claim_of, umpires
from daybook.domain.kernel.board import touches
from daybook.domain.kernel.chronicle import Refused, Written, key_within, writing_fields
from daybook.domain.kernel.decisions import NotADecision, checked_seat, read_decision
from daybook.domain.kernel.errors import Unreadable, fault, unread
from daybook.domain.kernel.events import (
    OF_WRITING,
    AnyEvent,
    Aside,
    BoardAdjusted,
    BoardStep,
    Cause,
    ClaimClosed,
    ClaimRaised,
    CountAccepted,
    DayOfPlayTold,
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    DeviceKind,
    Entry,
    FirstRuling,
    GameAbandoned,
    GameClosed,
    GameLaidOpen,
    GameReopened,
    LeaseEnded,
    LeaseTaken,
    Move,
    NoteAdded,
    Ruling,
    RulingAppealed,
    TableCounted,
    UmpireNamed,
    write_entry,
)
from daybook.domain.kernel.record import EntryLinks, Game
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Reason, Seat, because
from daybook.domain.rulings import consent_entries, proposal_entries, ruling_entries

TURN_LIMIT = 60  # decisions written at once
AS_COUNTED = "as counted"  # why a board is put right, where nobody says it


class NotInTurn(IllegalDecision):
    """One of several decisions is not possible where it stands; `place` counts them from 1."""

    def __init__(self, place: int, rule: str, reason: Reason) -> None:
        super().__init__(rule, reason)
        self.place = place


class NotAnEntry(Unreadable):
    """What was given is no entry beside a game: send its type and its fields as in a full record file."""


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="command"):
    """What every command is: its tag is the word for it in a bare file."""


# --- commands of one entry: each may be a line of a bare file --------------------------------------------------------


class Decide(Data, frozen=True, tag="decision"):
    """carried_from, corrects, answers: steps, as in the entry; the same in the commands below."""

    seat: Seat
    decision: dict[str, Any]
    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None


class PlayAsItStood(Data, frozen=True, omit_defaults=True, tag="as_played"):
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


class TakeBack(Data, frozen=True, tag="takeback"):
    """The step it goes back to. Line 1 of a bare file is step 0."""

    to: int
    cause: Cause = "table"
    why: str = ""
    answers: int | None = None


class Adjust(Data, frozen=True, tag="adjust"):
    """What really lies where: path -> value."""

    values: dict[str, Any]
    why: str
    cause: Cause = "table"
    carried_from: int | None = None
    answers: int | None = None


class Note(Data, frozen=True, tag="note"):
    """about: the step."""

    about: int
    text: str


class Count(Data, frozen=True, omit_defaults=True, tag="count"):
    """What really lies there: path -> value."""

    values: dict[str, Any]
    text: str = ""


class Say(Data, frozen=True, tag="aside"):
    """An entry of a claim or a lease, a count that is accepted, the day of play, or that a game is laid open, as it
    stands in a record: nothing else follows.

    said: its `type` and its fields, without those that tell of the writing.
    """

    said: dict[str, Any]


class Close(Data, frozen=True, tag="close"):
    """Nothing to say: the rules know the totals."""


class Abandon(Data, frozen=True, tag="abandon"):
    why: str


class Reopen(Data, frozen=True, tag="reopen"):
    why: str


# --- commands that look at the game for what they come to, or come to several entries --------------------------------


class DecideTurn(Data, frozen=True, tag="turn"):
    """Several decisions of one seat, one step each, all of them or none."""

    seat: Seat
    decisions: list[dict[str, Any]]


class Correct(Data, frozen=True, tag="correct"):
    """Put steps far back right, exactly as the plan with this digest says.

    instead: recorded step -> what stands in its place, the mistyped one first.
    """

    instead: dict[int, Resolution]
    why: str
    digest: str


class AcceptCount(Data, frozen=True, tag="accept_count"):
    """Let the record stand although something else was counted."""

    count: int
    why: str = ""


class AdjustToCount(Data, frozen=True, tag="adjust_to_count"):
    """Put the board right as it was counted. paths: only there; None: wherever something else was counted."""

    count: int
    why: str = ""
    paths: list[str] | None = None


class NameUmpire(Data, frozen=True, tag="name_umpire"):
    """The next umpire: a person by id, or whoever sits at `seat`."""

    person: str = ""
    seat: Seat | None = None


class RaiseClaim(Data, frozen=True, tag="raise_claim"):
    """seat: whose claim it is; None: the scorekeeper's. photos: the SHA-256 of each."""

    about: int
    what: str
    rule: str = ""
    why: str = ""
    seat: Seat | None = None
    photos: list[str] = []


class ProposeRuling(Data, frozen=True, tag="propose_ruling"):
    claim: int
    ruling: Ruling
    to: int | None = None
    moves: list[Move] = []
    values: dict[str, Any] = {}
    why: str = ""


class ConsentToRuling(Data, frozen=True, tag="consent_to_ruling"):
    """A seat says yes to a proposal. With the last yes it is ruled so, carried out, and the claim is closed."""

    claim: int
    proposal: int
    seat: Seat


class RuleOnClaim(Data, frozen=True, tag="rule_on_claim"):
    """An umpire rules, and it is carried out.

    proposal: what is proposed is made the ruling; then `to` and `values` are the proposal's. first: on an appeal, what
    becomes of what the first ruling did to the board; None: "play on" undoes it, anything else leaves it.
    appeal_hours: for how long the ruling may be appealed.
    """

    claim: int
    ruling: Ruling
    why: str
    umpire: int
    appeal_hours: int
    to: int | None = None
    values: dict[str, Any] = {}
    proposal: int | None = None
    first: FirstRuling | None = None


class AppealRuling(Data, frozen=True, tag="appeal_ruling"):
    claim: int
    umpire: int
    why: str
    seat: Seat | None = None


class WithdrawClaim(Data, frozen=True, tag="withdraw_claim"):
    claim: int
    why: str = ""


class CloseClaim(Data, frozen=True, tag="close_claim"):
    """Once no appeal is possible any more."""

    claim: int
    why: str = ""


class LayOpen(Data, frozen=True, tag="lay_open"):
    """Show what lay covered in a game that was given up, for ever."""


class TellDayOfPlay(Data, frozen=True, tag="tell_day_of_play"):
    """The game was played on another day than it was written down. day: 2026-11-20; empty: that is not said any more."""

    day: str


class TakeLease(Data, frozen=True, tag="take_lease"):
    """Record the game on one device alone from now on."""

    device: DeviceKind


class EndLease(Data, frozen=True, tag="end_lease"):
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


# --- writing ---------------------------------------------------------------------------------------------------------


def apply(
    game: Game, command: Command, written: Written, secret: Callable[[], str] = str
) -> tuple[list[Entry], Board | None]:
    """What a command comes to as the game's next entries, and the board after the last, if it is at hand.

    Where it comes to several, the last one carries the writer's key, and each before it a key made of that one and a
    secret of its own from `secret`. The game stays as it is.
    Raises IllegalDecision, Refused, NotADecision, NotAnEntry.
    """
    entries, board = _draft_entries(game, command, written)
    return (entries if len(entries) == 1 else _reseal(game, entries, written, secret)), board


def _reseal(game: Game, drafts: Sequence[Entry], written: Written, secret: Callable[[], str]) -> list[Entry]:
    """Drafts that all carry the writer's key, with keys of their own: how many there are is known when all are made."""
    entries: list[Entry] = []
    for place, draft in enumerate(drafts, 1):
        event: AnyEvent = draft.event
        if place < len(drafts):
            event = msgspec.structs.replace(event, key=key_within(written, place), nonce=secret())
        entries.append(write_entry(game.id, event, entries[-1].seal if entries else game.seal, game.format))
    return entries


def _draft_entries(game: Game, command: Command, written: Written) -> tuple[list[Entry], Board | None]:
    match command:
        case DecideTurn():
            return _turn_entries(game, command, written)
        case Correct():
            return Correction(game, command.instead, command.why, written, command.digest).entries_to_write(), None
        case ProposeRuling():
            return proposal_entries(
                game, command.claim, command.ruling, command.to, command.moves, command.values, command.why, written
            ), None
        case ConsentToRuling():
            return consent_entries(game, command.claim, command.proposal, command.seat, written), None
        case RuleOnClaim():
            return ruling_entries(
                game,
                command.claim,
                command.ruling,
                command.why,
                written,
                umpire=command.umpire,
                to=command.to,
                values=command.values,
                proposal=command.proposal,
                first=command.first,
                hours=command.appeal_hours,
            ), None
        case Decide():
            entry, board = game.decide(
                checked_seat(game, command.seat),
                read_decision(game, command.decision),
                written,
                _checked_links(game, command),
            )
            return [entry], board
        case PlayAsItStood():
            entry, board = game.as_played(
                checked_seat(game, command.seat),
                read_decision(game, command.decision),
                command.values,
                command.why,
                written,
                _checked_links(game, command),
                command.computed,
            )
            return [entry], board
        case _:
            return [_entry(game, command, written)], None


def _entry(
    game: Game,
    command: (
        TakeBack
        | Adjust
        | Note
        | Count
        | Say
        | Close
        | Abandon
        | Reopen
        | AcceptCount
        | AdjustToCount
        | NameUmpire
        | RaiseClaim
        | AppealRuling
        | WithdrawClaim
        | CloseClaim
        | LayOpen
        | TellDayOfPlay
        | TakeLease
        | EndLease
    ),
    written: Written,
) -> Entry:
    """What a command of one entry comes to that is no decision."""
    match command:
        case TakeBack(to, cause, why):
            return game.take_back(to, cause, why, written, _checked_links(game, command))
        case Adjust(values, why, cause):
            return game.adjust(values, cause, why, written, _checked_links(game, command))
        case Note(about, text):
            return game.note(about, text, written)
        case Count(values, text):
            return game.count(values, text, written)
        case Say(said):
            return checked_entry(game, aside_of_say(game, said, written))
        case Close():
            return game.close(written)
        case Abandon(why):
            return game.abandon(why, written)
        case Reopen(why):
            return game.reopen(why, written)
        case AcceptCount(count, why):
            return aside_entry(game, CountAccepted, written, count=count, why=why.strip())
        case AdjustToCount():
            return _adjusted_to_count(game, command, written)
        case NameUmpire():
            return aside_entry(
                game, UmpireNamed, written, umpire=len(umpires(game)), person=umpire_named(game, command)
            )
        case RaiseClaim(about, what, rule, why, seat, photos):
            return aside_entry(
                game,
                ClaimRaised,
                written,
                about=about,
                what=what.strip(),
                rule=rule.strip(),
                why=why.strip(),
                seat=seat,
                photos=photos,
            )
        case AppealRuling(claim, umpire, why, seat):
            return aside_entry(game, RulingAppealed, written, claim=claim, umpire=umpire, why=why.strip(), seat=seat)
        case WithdrawClaim(claim, why):
            return aside_entry(game, ClaimClosed, written, claim=claim, withdrawn=True, why=why.strip())
        case CloseClaim(claim, why):
            ruling = claim_of(game, claim).ruling
            if ruling is not None and written.at < ruling.appeal_until:
                raise Refused(because("appeal_runs", "an appeal is possible until {until}", until=ruling.appeal_until))
            return aside_entry(game, ClaimClosed, written, claim=claim, why=why.strip())
        case LayOpen():
            return aside_entry(game, GameLaidOpen, written)
        case TellDayOfPlay(day):
            return aside_entry(game, DayOfPlayTold, written, day=day, before=game.day_of_play())
        case TakeLease(device):
            return aside_entry(game, LeaseTaken, written, device=device)
        case EndLease(lease, broken, clock, why):
            return aside_entry(game, LeaseEnded, written, lease=lease, broken=broken, clock=clock, why=why.strip())
    assert_never(command)


def _checked_links(game: Game, command: Decide | PlayAsItStood | TakeBack | Adjust) -> EntryLinks:
    """How the entry belongs to others. Raises Refused for a step that is not before it."""
    place = place_of(command)
    for step in (place.carried_from, place.corrects, place.answers):
        if step is not None:
            game.check_step(step)
    return place


def place_of(command: Command) -> EntryLinks:
    return EntryLinks(**{name: getattr(command, name, None) for name in EntryLinks.__struct_fields__})


def _turn_entries(game: Game, turn: DecideTurn, written: Written) -> tuple[list[Entry], Board | None]:
    """Raises NotInTurn for a decision that is not possible where it stands."""
    if not 1 <= len(turn.decisions) <= TURN_LIMIT:
        raise NotADecision("{given} decisions: send 1 to {limit} at once", given=len(turn.decisions), limit=TURN_LIMIT)
    entries: list[Entry] = []
    board: Board | None = None
    for place, decision in enumerate(turn.decisions, 1):
        if entries:
            game = game.then(entries[-1], board)
        try:
            entry, board = game.decide(checked_seat(game, turn.seat), read_decision(game, decision), written)
        except IllegalDecision as no:
            raise NotInTurn(place, no.rule, no.reason) from no
        entries.append(entry)
    return entries, board


def _adjusted_to_count(game: Game, command: AdjustToCount, written: Written) -> Entry:
    """Raises Refused; key "stale" where one of the places has changed since the count."""
    values = counted_values(game, command)
    for entry in game.entries[command.count + 1 :]:
        if isinstance(entry.event, BoardStep) and any(touches(entry.event.changes, path) for path in values):
            raise Refused(because("stale", "what was counted changed in step {step}: count again", step=entry.step))
    return game.adjust(values, "table", command.why or AS_COUNTED, written, EntryLinks(answers=command.count))


def counted_values(game: Game, command: AdjustToCount) -> dict[str, Any]:
    """What is to be put where. Raises Refused for a step that is no count."""
    counted = count_of(game, command.count)
    paths = counted.differences if command.paths is None else command.paths
    return {path: counted.counted[path] for path in paths if path in counted.differences}


def count_of(game: Game, step: int) -> TableCounted:
    """Raises Refused."""
    game.check_step(step)
    event = game.entries[step].event
    if not isinstance(event, TableCounted):
        raise Refused(because("not_a_count", "step {step} is not a count", step=step))
    return event


def umpire_named(game: Game, command: NameUmpire) -> str:
    """The id of the person. Raises Refused, NotADecision."""
    if command.seat is None:
        return command.person
    if command.seat == TABLE:
        raise Refused(because("seat", "the table is not an umpire"))
    return game.opening.seats[checked_seat(game, command.seat)].person


def aside_of_say(game: Game, said: Mapping[str, Any], written: Written) -> Aside:
    """The entry that `Say` holds, as the game's next one. Raises NotAnEntry."""
    for name in OF_WRITING:
        if name in said:
            raise NotAnEntry("aside: {wrong}", wrong=fault("there is no field '{field}'", field=name))
    try:
        event = msgspec.convert({**said, **writing_fields(written), "step": game.step + 1}, AnyEvent)
    except msgspec.ValidationError as wrong:
        raise NotAnEntry("aside: {wrong}", wrong=unread(wrong)) from wrong
    if not isinstance(event, Aside) or isinstance(event, NoteAdded | TableCounted):
        raise NotAnEntry(
            "aside: only an entry of a claim, of a device’s recording, of an accepted count, of the day of play, or of"
            " a game laid open"
        )
    return event


def refuse_unexplained(game: Game, command: Command) -> None:
    """Who takes back what several seats decided says why: asked of whoever writes now, not of records that are read.

    Raises Refused.
    """
    if (
        isinstance(command, TakeBack)
        and not command.why.strip()
        and 0 <= command.to <= game.step
        and len(seats_since(game, command.to)) > 1
    ):
        raise Refused(because("why_missing", "undoing decisions of several seats needs a reason"))


def seats_since(game: Game, to: int) -> set[Seat]:
    """The seats whose decisions a take-back to step `to` would undo; the table's facts do not count."""
    return _seats_of(game, game.line_since(to))


def seats_moved(game: Game, to: int) -> set[Seat]:
    """The seats whose decisions a take-back to step `to` would undo, or let stand again."""
    return seats_since(game, to) | _seats_of(game, game.line_since(game.step, to))


def _seats_of(game: Game, steps: Sequence[int]) -> set[Seat]:
    events = [game.entries[step].event for step in steps]
    return {event.seat for event in events if isinstance(event, DecisionRecorded) and event.seat != TABLE}


# --- back from entries ----------------------------------------------------------------------------------------------


def command_of(event: AnyEvent) -> Line:
    """The command that an entry other than the opening came from, as a bare file has it."""
    match event:
        case DecisionAsPlayed():
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
        case DecisionRecorded():
            return Decide(event.seat, event.decision, event.carried_from, event.corrects, event.answers)
        case DecisionsTakenBack():
            return TakeBack(event.to, event.cause, event.why, event.answers)
        case BoardAdjusted():
            values = {path: after for path, (_, after) in event.changes.items()}
            return Adjust(values, event.why, event.cause, event.carried_from, event.answers)
        case NoteAdded():
            return Note(event.about, event.text)
        case TableCounted():
            return Count(event.counted, event.text)
        case Aside():
            fields: dict[str, Any] = msgspec.to_builtins(event)
            return Say({name: value for name, value in fields.items() if name not in OF_WRITING})
        case GameClosed():
            return Close()
        case GameAbandoned():
            return Abandon(event.why)
        case GameReopened():
            return Reopen(event.why)
    raise AssertionError(f"{event} opens the game")
