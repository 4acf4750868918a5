"""The table of what can be written into a record: the entries of every command, and `apply`, which looks it up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain import commands, entries
from daybook.domain.commands import TURN_LIMIT, Command, NotAnEntryError, NotInTurnError, links_of
from daybook.domain.corrections import Correction
from daybook.domain.disputes import checked_entry, claim_of, figure_at, places_of_claimant, side_entry, umpires
from daybook.domain.kernel import events
from daybook.domain.kernel.board import touches
from daybook.domain.kernel.by_hand import drawn_on_supplies
from daybook.domain.kernel.chronicle import (
    ENTRIES_LIMIT,
    SIZE_LIMIT,
    Refused,
    Written,
    key_within,
    place_of,
    writing_fields,
)
from daybook.domain.kernel.decisions import NotADecisionError, checked_seat, read_decision
from daybook.domain.kernel.errors import fault, unread
from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, because
from daybook.domain.rulings import consent, propose, rule

FOR_THE_END = 20  # entries
ENDS = (commands.Close, commands.Abandon, commands.RevealGame, commands.EndLease)
DRAWN_BY_TABLE = because("drawn_by_table", "only facts of the table are drawn")
AS_COUNTED = "as counted"  # the reason of a correction without one

Drafts = tuple[list[Entry], Board | None]  # the next entries, and the board after the last one if it was computed
Writer = Callable[[Game, Any, Written], Drafts]


def apply(game: Game, command: Command, written: Written, secret: Callable[[], str] = str) -> Drafts:
    """Return a command as the game's next entries, and the board after the last if it was computed.

    If there are several entries, the last one has the writer's key. Each earlier one has a key made of that key and a
    new secret from `secret`. The game is not changed.
    Raises IllegalDecision, Refused, NotADecisionError, NotAnEntryError.
    """
    drafts, board = COMES_TO[type(command)](game, command, written)
    _check_room(game, drafts, 0 if isinstance(command, ENDS) else FOR_THE_END)
    return (drafts if len(drafts) == 1 else _reseal(game, drafts, written, secret)), board


def _check_room(game: Game, drafts: Sequence[Entry], free: int) -> None:
    """Raise Refused if a record file could not hold the new entries. free: entries left for others."""
    if len(game.entries) + len(drafts) > ENTRIES_LIMIT - free:
        raise Refused(
            because(
                "record_full",
                "a record has at most {limit} entries, the last {free} of them for ending it",
                limit=ENTRIES_LIMIT,
                free=FOR_THE_END,
            )
        )
    if game.size + sum(len(draft.line) for draft in drafts) > SIZE_LIMIT:
        raise Refused(because("record_large", "a record has at most {limit} bytes", limit=SIZE_LIMIT))


def _reseal(game: Game, drafts: Sequence[Entry], written: Written, secret: Callable[[], str]) -> list[Entry]:
    """Return drafts that share the writer's key with a key of their own each."""
    sealed: list[Entry] = []
    for place, draft in enumerate(drafts, 1):
        event: events.AnyEvent = draft.event
        if place < len(drafts):
            event = msgspec.structs.replace(event, key=key_within(written, place), nonce=secret())
        sealed.append(events.write_entry(game.id, event, sealed[-1].seal if sealed else game.seal))
    return sealed


# --- decisions -------------------------------------------------------------------------------------------------------


def _decide(game: Game, command: commands.Decide, written: Written) -> Drafts:
    """Return the entries of a decision."""
    seat, decision = checked_seat(game, command.seat), read_decision(game, command.decision)
    if command.drawn_by_daybook and seat != TABLE:
        raise Refused(DRAWN_BY_TABLE)
    entry, board = entries.decide(
        game, seat, decision, written, drawn=command.drawn_by_daybook, **links_of(game, command)
    )
    return [entry], board


def _record_as_played(game: Game, command: commands.RecordAsPlayed, written: Written) -> Drafts:
    seat, decision = checked_seat(game, command.seat), read_decision(game, command.decision)
    entry, board = entries.as_played(
        game, seat, decision, command.values, command.why, written, command.rules_applied, **links_of(game, command)
    )
    return [entry], board


def _decide_turn(game: Game, turn: commands.DecideTurn, written: Written) -> Drafts:
    """Return the entries of a turn. Raises NotInTurnError for a decision that is impossible at its place."""
    if not 1 <= len(turn.decisions) <= TURN_LIMIT:
        raise NotADecisionError(
            "{given} decisions: send 1 to {limit} at once", given=len(turn.decisions), limit=TURN_LIMIT
        )
    drafts: list[Entry] = []
    board: Board | None = None
    for place, decision in enumerate(turn.decisions, 1):
        if drafts:
            game = game.then(drafts[-1], board)
        try:
            entry, board = entries.decide(game, checked_seat(game, turn.seat), read_decision(game, decision), written)
        except IllegalDecision as no:
            raise NotInTurnError(place, no.rule, no.reason) from no
        drafts.append(entry)
    return drafts, board


def _correct(game: Game, command: commands.Correct, written: Written) -> Drafts:
    """Return the entries of a correction."""
    return Correction(game, command.replacements, command.why, written, command.digest).entries_to_write(), None


# --- counts ----------------------------------------------------------------------------------------------------------


def _adjust_to_count(game: Game, command: commands.AdjustToCount, written: Written) -> Entry:
    """Return the entry of an adjustment to a count.

    If the rules refuse the counted values as they are, supplies that were not counted follow. Raises Refused; key
    "stale" if one of the places has changed since the count.
    """
    counted = count_of(game, command.count_step)
    paths = counted.differences if command.paths is None else command.paths
    values = {path: counted.counted[path] for path in paths if path in counted.differences}
    for entry in game.entries[command.count_step + 1 :]:
        if isinstance(entry.event, events.BoardStep) and any(touches(entry.event.changes, path) for path in values):
            raise Refused(because("stale", "what was counted changed in step {step}: count again", step=entry.step))
    values = _agreed_since(game, command.count_step, counted) | values
    adjustment = commands.Adjust(values, command.why or AS_COUNTED, answers_step=command.count_step)
    try:
        return entries.adjust(game, adjustment, written)
    except Refused:
        supplies = supplies_of_count(game, counted, [path for path in values if path in counted.differences])
        if not supplies:
            raise
        return entries.adjust(game, msgspec.structs.replace(adjustment, values=supplies | values), written)


def _agreed_since(game: Game, step: int, counted: events.TableCounted) -> dict[str, Any]:
    """Return the places that were counted as recorded, and that nothing has changed since."""
    since = [entry.event.changes for entry in game.entries[step + 1 :] if isinstance(entry.event, events.BoardStep)]
    return {
        path: value
        for path, value in counted.counted.items()
        if path not in counted.differences and not any(touches(changes, path) for changes in since)
    }


def supplies_of_count(game: Game, counted: events.TableCounted, paths: Iterable[str]) -> dict[str, int]:
    """Return the uncounted supplies that follow if these places stay as they are."""
    drawn = drawn_on_supplies(game, {path: counted.differences[path] for path in paths})
    return {path: lies for path, lies in drawn.items() if path not in counted.counted}


def count_of(game: Game, step: int) -> events.TableCounted:
    """Return the count of a step. Raises Refused."""
    game.check_step(step)
    event = game.entries[step].event
    if not isinstance(event, events.TableCounted):
        raise Refused(because("not_a_count", "step {step} is not a count", step=step))
    return event


# --- entries that do not change the board ----------------------------------------------------------------------------


def _name_umpire(game: Game, command: commands.NameUmpire, written: Written) -> Entry:
    """Return the entry that names an umpire. Raises Refused, NotADecisionError."""
    if command.seat == TABLE:
        raise Refused(because("seat", "the table is not an umpire"))
    person = command.person if command.seat is None else game.opening.seats[checked_seat(game, command.seat)].person
    return side_entry(game, events.UmpireNamed, written, umpire=len(umpires(game)), person=person)


def _set_day_of_play(game: Game, command: commands.SetDayOfPlay, written: Written) -> Entry:
    return side_entry(game, events.DayOfPlaySet, written, day=command.day or "", previous_day=game.day_of_play())


def _withdraw_claim(game: Game, command: commands.WithdrawClaim, written: Written) -> Entry:
    if place_of(written.by) not in places_of_claimant(game, claim_of(game, command.claim)):
        raise Refused(because("not_the_claimant", "only the player who raised the claim can withdraw it"))
    return side_entry(game, events.ClaimClosed, written, claim=command.claim, why=command.why.strip(), withdrawn=True)


def _close_claim(game: Game, command: commands.CloseClaim, written: Written) -> Entry:
    ruling = claim_of(game, command.claim).ruling
    if ruling is not None and written.at < ruling.appeal_until:
        raise Refused(because("appeal_runs", "an appeal is possible until {until}", until=ruling.appeal_until))
    return side_entry(game, events.ClaimClosed, written, claim=command.claim, why=command.why.strip())


def _add_entry(game: Game, command: commands.AddEntry, written: Written) -> Entry:
    """Return the entry of a `AddEntry`, as the game's next one. Raises NotAnEntryError, Refused."""
    for name in events.OF_WRITING:
        if name in command.entry:
            raise NotAnEntryError("entry: {wrong}", wrong=fault("there is no field '{field}'", field=name))
    try:
        event = msgspec.convert({**command.entry, **writing_fields(written), "step": game.step + 1}, events.AnyEvent)
    except msgspec.ValidationError as wrong:
        raise NotAnEntryError("entry: {wrong}", wrong=unread(wrong)) from wrong
    if not isinstance(event, events.SideEvent) or isinstance(event, events.NoteAdded | events.TableCounted):
        raise NotAnEntryError(
            "entry: only an entry of a claim, of a device’s recording, of an accepted count, of the day of play, or of"
            " a game laid open"
        )
    return checked_entry(game, event)


# --- the table -------------------------------------------------------------------------------------------------------


def _one(write_entry: Callable[[Game, Any, Written], Entry]) -> Writer:
    """Wrap the function of a command with one entry."""
    return lambda game, command, written: ([write_entry(game, command, written)], None)


def _aside(kind: type[events.SideEvent]) -> Writer:
    """Return the writer of a command with the same fields as its side entry."""
    return _one(lambda game, command, written: side_entry(game, kind, written, **_fields_of(command)))


def _fields_of(command: Command) -> dict[str, Any]:
    """Return the fields of a command, its texts without surrounding spaces."""
    fields = msgspec.structs.asdict(command)
    return {name: value.strip() if isinstance(value, str) else value for name, value in fields.items()}


def _raise_claim(game: Game, claim: commands.RaiseClaim, written: Written) -> Entry:
    """Return the entry of a claim, with the recorded figures of the places that it proposes to correct."""
    fields = _fields_of(claim)
    fields["figures"] = {path: [figure_at(game, path), value] for path, value in fields.pop("values").items()}
    return side_entry(game, events.ClaimRaised, written, **fields)


COMES_TO: Mapping[type[Command], Writer] = {
    commands.Decide: _decide,
    commands.DecideTurn: _decide_turn,
    commands.RecordAsPlayed: _record_as_played,
    commands.TakeBack: _one(entries.take_back),
    commands.Adjust: _one(entries.adjust),
    commands.Correct: _correct,
    commands.Note: _one(entries.note),
    commands.Close: _one(entries.close),
    commands.Abandon: _one(entries.abandon),
    commands.Reopen: _one(entries.reopen),
    commands.RevealGame: _aside(events.GameRevealed),
    commands.SetDayOfPlay: _one(_set_day_of_play),
    commands.Count: _one(entries.count),
    commands.AcceptCount: _aside(events.CountAccepted),
    commands.AdjustToCount: _one(_adjust_to_count),
    commands.NameUmpire: _one(_name_umpire),
    commands.RaiseClaim: _one(_raise_claim),
    commands.ProposeRuling: propose,
    commands.ConsentToRuling: consent,
    commands.RuleOnClaim: rule,
    commands.AppealRuling: _aside(events.RulingAppealed),
    commands.WithdrawClaim: _one(_withdraw_claim),
    commands.CloseClaim: _one(_close_claim),
    commands.TakeLease: _aside(events.LeaseTaken),
    commands.EndLease: _aside(events.LeaseEnded),
    commands.AddEntry: _one(_add_entry),
}
