"""Writing a game down: one function for each thing that can happen to a record.

at: the newest step the writer knew; if the board has moved on since, the writer gets a Conflict with what was
recorded meanwhile, and nothing is written. key: the writer's idempotency key; the same key again answers the same
step. by: who writes, as the record names them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID, uuid5

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import difference, plain
from daybook.domain.kernel.chronicle import KEY
from daybook.domain.kernel.record import (
    Aside,
    Cause,
    DecisionAsPlayed,
    DecisionRecorded,
    Entry,
    Game,
    Refused,
    SeatTaken,
    Written,
)
from daybook.domain.kernel.record import open_game as opening_entry
from daybook.domain.kernel.ruleset import TABLE, Board, Decision, IllegalDecision, Reason, Seat, because
from daybook.domain.kernel.sheet import differences
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT, BadName, checked_name
from daybook.services.people.access import EVERYTHING, Sight, hides_nothing
from daybook.services.play.writing import beside, written
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGame, UnknownRuleset
from daybook.services.store.kept import Person
from daybook.services.store.log import AlreadyWritten

OPENING_KEY_LENGTH = 16
TURN_LIMIT = 60  # decisions written at once
BY_KEY = UUID("5f0d9a8e-54f0-5d4f-9c3e-6f6b1c1c7d11")  # games opened twice with one key are one game


class Receipt(msgspec.Struct, frozen=True):
    """Where something was written down. repeated: it was there already, under the same key."""

    game: UUID
    step: int
    seal: str
    repeated: bool = False


class Conflict(Exception):
    """The board has moved on: look at what was recorded meanwhile, and decide again at step `step`."""

    def __init__(self, step: int, meanwhile: Sequence[Entry]) -> None:
        super().__init__(f"the game is at step {step} now: look at what was recorded meanwhile and decide again")
        self.step = step
        self.meanwhile = list(meanwhile)


class NotADecision(ValueError):
    """What was given is not a decision of this game: send one from its list, with exactly its fields."""


class NotInTurn(IllegalDecision):
    """One of several decisions is not possible where it stands; `place` counts them from 1."""

    def __init__(self, place: int, rule: str, reason: Reason) -> None:
        super().__init__(rule, reason)
        self.place = place


class KeyUsed(Exception):
    """The idempotency key wrote step `step`, which is something else: look at it, and send what is new under a new key.
    """

    def __init__(self, step: int) -> None:
        super().__init__(f"this idempotency key wrote step {step}, which is something else")
        self.step = step


class BadKey(ValueError):
    """The idempotency key is missing or malformed: send 1 to 64 letters, digits, '_', '.', ':' or '-'."""


class Player(msgspec.Struct, frozen=True):
    """person: the id of somebody who is known already, under whatever name that is; empty for somebody new."""

    name: str
    colour: str
    person: str = ""


class Preview(msgspec.Struct, frozen=True):
    """What a decision would come to, if it were written down now."""

    effects: list[dict[str, Any]]
    changes: dict[str, list[Any]]
    columns_before: dict[str, list[int]]
    columns: dict[str, list[int]]
    marks: dict[str, int]
    to_act: list[Seat]


Command = Callable[[Game, Written], tuple[Sequence[Entry], Board | None]]


# --- opening ---------------------------------------------------------------------------------------------------------


def open_game(
    book: Daybook, *, ruleset: str, title: str, players: Sequence[Player], options: Mapping[str, Any],
    sheet: str | None = None, kind: Literal["table", "practice"] = "table",
    recorded: Literal["live", "notes", "memory"] = "live", public: bool = False, by: str = "scorekeeper", key: str,
    admit: Callable[[], object] = lambda: None,
) -> Receipt:
    """Open a game. sheet: the hash of a published component sheet; None: the one Daybook comes with.

    key: at least 16 characters that nobody else would choose: whoever repeats the same request with it is answered
    with the same game. admit: asked before a new game is written; what it raises stops that.
    Raises UnknownRuleset, IllegalDecision (seats, colours, options), BadName, UnknownSheet, BadKey.
    """
    check_key(key)
    if len(key) < OPENING_KEY_LENGTH:
        raise BadKey(f"opening a game needs an idempotency key of at least {OPENING_KEY_LENGTH} random characters")
    if ruleset not in RULESETS:
        raise UnknownRuleset(ruleset)
    rules = RULESETS[ruleset]
    title = checked_name("title", title, TITLE_LIMIT)
    names = [checked_name(f"players.{seat}.name", p.name, NAME_LIMIT) for seat, p in enumerate(players)]
    printed = book.sheets.printed(ruleset)
    used = printed if sheet is None else book.sheets.get(ruleset, sheet)
    table = rules.table([player.colour for player in players], options, used)
    for breach in rules.breaches(rules.opened(table)):  # a published sheet can print what cannot be played
        raise IllegalDecision(breach.rule, breach.reason)
    overrides = differences(used, printed)
    id = uuid5(BY_KEY, f"{key} {ruleset} {title} {names}")
    people = [
        Person(player.person or uuid5(id, f"seat {seat}").hex, name)  # the same again, should this break off half-way
        for seat, (player, name) in enumerate(zip(players, names, strict=True))]
    entry = opening_entry(
        id, rules, table, [SeatTaken(person.id, p.colour) for person, p in zip(people, players, strict=True)],
        msgspec.to_builtins(table.options), overrides, kind, recorded, written(by, key))
    if (there := book.log.entries(id)):
        return Receipt(id, 0, there[0].seal, repeated=True)
    admit()
    book.kept.keep(id, title, public, people)
    try:
        book.games.append(None, [entry])
    except AlreadyWritten:
        return Receipt(id, 0, book.log.entries(id)[0].seal, repeated=True)
    return Receipt(id, 0, entry.seal)


def rename(book: Daybook, game_id: UUID, title: str | None = None, names: Sequence[str] | None = None) -> None:
    """Give a game another title, or its players other names, one for each seat; None: as it is.

    Names are no part of the record. Raises UnknownGame, BadName; nothing was changed then.
    """
    kept = book.kept.game(game_id)
    if kept is None:
        raise UnknownGame(game_id)
    title = kept.title if title is None else checked_name("title", title, TITLE_LIMIT)
    names = kept.names if names is None else [
        checked_name(f"players.{seat}.name", name, NAME_LIMIT) for seat, name in enumerate(names)]
    if len(names) != len(kept.names):
        raise BadName("names", f"{len(names)} names for {len(kept.names)} seats")
    gone = book.kept.anonymous_seats(game_id)
    for seat, (before, name) in enumerate(zip(kept.names, names, strict=True)):
        if seat in gone and name != before:
            raise BadName(f"players.{seat}.name", "who sat there was made anonymous")
    if title != kept.title:
        book.kept.rename(game_id, title)
    for seat, (before, name) in enumerate(zip(kept.names, names, strict=True)):
        if name != before:
            book.kept.rename_seat(game_id, seat, name)


# --- recording -------------------------------------------------------------------------------------------------------


def record(
    book: Daybook, game_id: UUID, seat: Seat, decision: Mapping[str, Any] | Decision, *, at: int, by: str, key: str,
) -> Receipt:
    """Write one decision down.

    Raises NotADecision, IllegalDecision, Refused, Conflict, KeyUsed, UnknownGame, BadKey.
    """

    def decide(game: Game, written: Written) -> tuple[list[Entry], Board]:
        refuse_stale(game, at, lambda entry: _apart(game, seat, decision, entry))
        entry, board = game.decide(checked_seat(game, seat), typed(game, decision), written)
        return [entry], board

    return _wrote_it(book, write(book, game_id, decide, None, by, key), seat, [decision])


def record_turn(
    book: Daybook, game_id: UUID, seat: Seat, decisions: Sequence[Mapping[str, Any] | Decision], *, at: int, by: str,
    key: str,
) -> Receipt:
    """Write several decisions of one seat down, one step each, all of them or none; the receipt is the last one's.

    The last step carries the key, the earlier ones keys made of it. Raises NotInTurn for a decision that is not
    possible where it stands; else as `record` does.
    """
    if not 1 <= len(decisions) <= TURN_LIMIT:
        raise NotADecision(f"{len(decisions)} decisions: send 1 to {TURN_LIMIT} at once")

    def decide(game: Game, written: Written) -> tuple[list[Entry], Board | None]:
        entries: list[Entry] = []
        board: Board | None = None
        for place, decision in enumerate(decisions, 1):
            last = place == len(decisions)
            own = written if last else beside(written, key_within(key, place))
            try:
                entry, board = game.decide(checked_seat(game, seat), typed(game, decision), own)
            except IllegalDecision as no:
                raise NotInTurn(place, no.rule, no.reason) from no
            entries.append(entry)
            if not last:
                game = game.then(entry, board)
        return entries, board

    return _wrote_it(book, write(book, game_id, decide, at, by, key), seat, decisions)


def key_within(key: str, place: int) -> str:
    """The key of an entry that is not the last of those that one request writes."""
    return hashlib.sha256(f"{key} {place}".encode()).hexdigest()[:32]


def written_with(game: Game, step: int) -> list[Entry]:
    """The entries that one request wrote, of which this step is the last."""
    first = game.keys.get(key_within(game.entries[step].event.key, 1), step)
    return game.entries[first : step + 1]


def _wrote_it(
    book: Daybook, receipt: Receipt, seat: Seat, decisions: Sequence[Mapping[str, Any] | Decision],
) -> Receipt:
    """The receipt, if these decisions are what stands there. Raises KeyUsed: else one would be lost without a word."""
    if receipt.repeated:
        game = book.games.get(receipt.game)
        asked = [(seat, plain(game.ruleset.meant(game.table, seat, typed(game, decision)))) for decision in decisions]
        if [_decided(entry) for entry in written_with(game, receipt.step)] != asked:
            raise KeyUsed(receipt.step)
    return receipt


def _decided(entry: Entry) -> tuple[Seat, dict[str, Any]] | None:
    """Who decided what, as the rules allow it; None for any other entry."""
    event = entry.event
    if not isinstance(event, DecisionRecorded) or isinstance(event, DecisionAsPlayed):
        return None
    return event.seat, event.decision


def _apart(game: Game, seat: Seat, decision: Mapping[str, Any] | Decision, entry: Entry) -> bool:
    """Whether a decision holds whatever this entry says, because both are made side by side."""
    rules, event = game.ruleset, entry.event
    if rules.apart is None or not isinstance(event, DecisionRecorded) or event.seat == seat:
        return False
    if isinstance(event, DecisionAsPlayed):
        return False
    effects = msgspec.convert(event.effects, list[rules.effects])  # type: ignore[name-defined]
    return rules.apart(typed(game, decision), ()) and rules.apart(rules.decision(event.decision), effects)


def preview(
    book: Daybook, game_id: UUID, seat: Seat, decision: Mapping[str, Any] | Decision, sight: Sight = EVERYTHING,
) -> Preview:
    """What a decision would come to, as far as `sight` may know; nothing is written. Raises as `record` does.

    For somebody who does not see everything it is played on the board as they see it, so that it can tell nothing
    they do not know; what holds of a whole board (all cards are somewhere) is not asked of it. What would follow
    from a fact of the table may tell what others hold: whoever shows that asks for EVERYTHING.
    """
    game = book.games.get(game_id)
    if game.status != "running":
        raise Refused(because("game_closed", "the game is {status}; reopen it first", status=game.status))
    rules, said = game.ruleset, typed(game, decision)
    checked_seat(game, seat)
    if hides_nothing(game, sight):
        after, step = game.played(seat, said)
        return Preview(
            step.effects, step.changes, game.figures_at(game.step)[0], step.columns, step.marks,
            list(rules.to_act(after)))
    board = rules.masked(game.board, sight)
    after, effects = rules.play(board, seat, said)
    return Preview(
        plain(effects), difference(board.document(), after.document()), rules.figures(board), rules.figures(after),
        rules.marks(after), list(rules.to_act(after)))


def take_back(
    book: Daybook, game_id: UUID, to: int, cause: Cause, why: str, *, at: int, by: str, key: str,
) -> Receipt:
    """Back to the board as it lay after step `to`. Crossing another seat's decisions needs a reason.

    Raises Refused, Conflict, UnknownGame, BadKey.
    """

    def back(game: Game, written: Written) -> tuple[list[Entry], None]:
        if not why.strip() and 0 <= to <= game.step and len(seats_since(game, to)) > 1:
            raise Refused(because("why_missing", "taking back decisions of several seats says why"))
        return [game.take_back(to, cause, why, written)], None

    return write(book, game_id, back, at, by, key)


def adjust(
    book: Daybook, game_id: UUID, values: Mapping[str, Any], cause: Cause, why: str, *, at: int, by: str, key: str,
) -> Receipt:
    """Put right what lies on the table: path -> what really lies there. Raises Refused, Conflict, UnknownGame."""
    return write(book, game_id, lambda game, written: ([game.adjust(values, cause, why, written)], None), at, by, key)


def note(book: Daybook, game_id: UUID, about: int, text: str, *, by: str, key: str) -> Receipt:
    """A note on a step. Raises Refused, UnknownGame, BadKey."""
    return write(book, game_id, lambda game, written: ([game.note(about, text, written)], None), None, by, key)


def close(book: Daybook, game_id: UUID, *, at: int | None = None, by: str, key: str) -> Receipt:
    """The game is over and the record complete. Raises Refused if it is not over."""
    return write(book, game_id, lambda game, written: ([game.close(written)], None), at, by, key)


def abandon(book: Daybook, game_id: UUID, why: str, *, at: int | None = None, by: str, key: str) -> Receipt:
    """The game will not be played to its end."""
    return write(book, game_id, lambda game, written: ([game.abandon(why, written)], None), at, by, key)


def reopen(book: Daybook, game_id: UUID, why: str, *, by: str, key: str) -> Receipt:
    return write(book, game_id, lambda game, written: ([game.reopen(why, written)], None), None, by, key)


# --- what can be undone ----------------------------------------------------------------------------------------------


def undo_step(game: Game) -> int | None:
    """The step to take back to so that the last decision is undone; None where nothing can be."""
    head = game.heads[-1]
    return game.parents[head] if head else None


def undo_turn(game: Game) -> int | None:
    """The step to take back to so that the present turn, or the one just ended, is undone as a whole."""
    line = game.line()
    if len(line) < 2:
        return None
    turn = _turn_played_at(game, line[-1])
    if not turn:  # the set-up is no turn
        return None
    for step in reversed(line[:-1]):
        if step == 0 or _turn_played_at(game, step) != turn:
            return step
    return None


def seats_since(game: Game, to: int) -> set[Seat]:
    """The seats whose decisions a take-back to step `to` would undo; the table's facts do not count."""
    kept = set(game.line(to))
    gone = [game.entries[step].event for step in game.line() if step not in kept]
    return {event.seat for event in gone if isinstance(event, DecisionRecorded) and event.seat != TABLE}


def _turn_played_at(game: Game, step: int) -> int | None:
    """The turn in which a step was played: the mark on the board it was played from."""
    return game.figures_at(game.parents[step])[1].get("turn")


# --- shared ----------------------------------------------------------------------------------------------------------


def typed(game: Game, decision: Mapping[str, Any] | Decision) -> Decision:
    if isinstance(decision, Decision):
        return decision
    try:
        return game.ruleset.decision(dict(decision))
    except msgspec.ValidationError as wrong:
        raise NotADecision(f"{wrong}") from wrong


def checked_seat(game: Game, seat: Seat) -> Seat:
    if seat != TABLE and not 0 <= seat < len(game.opening.seats):
        raise NotADecision(f"there is no seat {seat}: the seats are 0 to {len(game.opening.seats) - 1}, the table -1")
    return seat


def check_key(key: str) -> None:
    """Raises BadKey."""
    if not KEY.fullmatch(key):
        raise BadKey("the idempotency key is 1 to 64 letters, digits, '_', '.', ':' or '-'")


def write(book: Daybook, game_id: UUID, command: Command, at: int | None, by: str, key: str) -> Receipt:
    """Run a command on the newest game and append what it says; when somebody else was quicker, look again."""
    check_key(key)
    while True:
        game = book.games.get(game_id)
        if (there := game.keys.get(key)) is not None:
            return Receipt(game_id, there, game.entries[there].seal, repeated=True)
        if at is not None:
            refuse_stale(game, at, lambda entry: False)
        entries, board = command(game, written(by, key))
        try:
            book.games.append(game, entries, board)
        except AlreadyWritten:
            continue
        return Receipt(game_id, entries[-1].step, entries[-1].seal)


def refuse_stale(game: Game, at: int, holds: Callable[[Entry], bool]) -> None:
    """Raises Conflict for what was recorded since step `at`. holds: whether an entry changes nothing for the writer."""
    game.check_step(at)
    meanwhile = game.entries[at + 1 :]
    if any(not isinstance(entry.event, Aside) and not holds(entry) for entry in meanwhile):
        raise Conflict(game.step, meanwhile)


