"""Recording: open games and append the entries of commands.

Args of most functions:
    at: the newest step the writer knew; raises Conflict if the board has changed since.
    key: the writer's idempotency key; the same key returns the same step again.
    by: the writer's name in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

import msgspec
from msgspec import Meta

from daybook.domain.commands import Command, Decide, EndLease, TakeLease, refuse_unexplained
from daybook.domain.games import PRACTISED, RULESETS
from daybook.domain.kernel.board import difference, plain
from daybook.domain.kernel.chronicle import Refused, Written, place_of
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.events import (
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    Entry,
    SeatTaken,
    SideEvent,
)
from daybook.domain.kernel.field_types import Day
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.opening import opening_entry, opening_of_entry
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.sheet import differences
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Decision, IllegalDecision, Seat, because
from daybook.domain.sealed_entries import (
    before_seals,
    is_sealed_kind,
    leaves_sealed,
    refuse_half_reveal,
    refuse_unsealing,
)
from daybook.domain.writing import Drafts, apply
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT, BadNameError, clean_name, refuse_lookalikes
from daybook.services.permissions.actions import GameHolder, require
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play import writing
from daybook.services.play.drawing import refuse_false_draw
from daybook.services.play.redaction import redacted_board
from daybook.services.play.repetition import BadKeyError as BadKeyError
from daybook.services.play.repetition import KeyUsedError as KeyUsedError
from daybook.services.play.repetition import check_key, mark_of
from daybook.services.play.writing import Receipt, RecordKind, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError, UnknownRulesetError
from daybook.services.store.held_leases import held_lease
from daybook.services.store.kept import Person
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.written import new_nonce, new_written

OPENING_KEY_LENGTH = 16
# of ids made from idempotency keys: the same key opens the same game
GAME_ID_NAMESPACE = UUID("5f0d9a8e-54f0-5d4f-9c3e-6f6b1c1c7d11")


class OtherGameError(Exception):
    """The idempotency key opened a different game; a new game needs a new key."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__("another game was opened with this idempotency key")
        self.game = game_id


Title = Annotated[str, Meta(min_length=1, max_length=TITLE_LIMIT)]


class SeatedPerson(Frozen):
    """Player of a new game.

    Args:
        person: id of a known person, empty for a new one.
    """

    name: str
    colour: str
    person: str = ""


class NewGame(Frozen):
    """Request to open a game."""

    ruleset_id: str
    title: Title
    players: Sequence[SeatedPerson]
    options: Mapping[str, Any] = {}  # those that differ from the defaults
    # hash of a published component sheet; null: the printed one
    sheet: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    kind: Literal["table", "practice"] = "table"
    recorded: Literal["live", "notes", "memory"] = "live"
    played_on: Day = ""  # the day of play, if not today
    public: bool = False  # everyone may read it


class Preview(Frozen):
    """Effects and changes of a decision that is not recorded yet."""

    effects: list[dict[str, Any]]
    changes: dict[str, list[Any]]
    columns_before: dict[str, list[Points]]
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    to_act: list[Seat]


# --- opening ---------------------------------------------------------------------------------------------------------


def open_game(
    book: Daybook, new: NewGame, *, by: str = "scorekeeper", key: str, admit: Callable[[], object] = lambda: None
) -> Receipt:
    """Open a game.

    Args:
        key: at least 16 hard-to-guess characters; a repeated request with it returns the same game.
        admit: called before a new game is written; may raise to prevent that.

    Raises UnknownRulesetError, IllegalDecision (seats, colours, options), BadNameError, UnknownSheetError, BadKeyError,
    OtherGameError, Refused (the day).
    """
    check_key(key)
    if len(key) < OPENING_KEY_LENGTH:
        raise BadKeyError(f"opening a game needs an idempotency key of at least {OPENING_KEY_LENGTH} random characters")
    if new.ruleset_id not in RULESETS:
        raise UnknownRulesetError(new.ruleset_id)
    rules, players = RULESETS[new.ruleset_id], new.players
    if new.kind == "practice" and rules.id not in PRACTISED:
        raise IllegalDecision(f"{rules.prefix}-1", because("unpractised", "practice players do not play this game"))
    title = clean_name("title", new.title, TITLE_LIMIT)
    names = [clean_name(f"players.{seat}.name", p.name, NAME_LIMIT) for seat, p in enumerate(players)]
    refuse_lookalikes(names)
    printed = book.sheets.printed_sheet(rules.id)
    used = printed if new.sheet is None else book.sheets.get(rules.id, new.sheet)
    table = rules.table([player.colour for player in players], new.options, used)
    # A published sheet can print what cannot be played.
    for breach in rules.integrity.breaches(rules.opening_board(table)):
        raise IllegalDecision(breach.rule, breach.reason)
    overrides = differences(used, printed)
    game_id, before = game_id_of_key(key), uuid5(GAME_ID_NAMESPACE, f"{key} {rules.id} {title} {names}")
    people = [
        Person(
            player.person or uuid5(game_id, f"seat {seat}").hex, name
        )  # the same again, should this break off half-way
        for seat, (player, name) in enumerate(zip(players, names, strict=True))
    ]
    chosen = msgspec.to_builtins(table.options)
    told = [[p.person or name, p.colour] for p, name in zip(players, names, strict=True)]
    # Titles and names may change later and are not part of the record: the mark must not allow guessing them.
    day = [new.played_on] if new.played_on else []  # compatible with keys of games without a day
    mark = mark_of(book, key, rules.id, title, told, chosen, overrides, new.kind, new.recorded, new.public, by, *day)
    entry = opening_entry(
        game_id,
        rules,
        table,
        [SeatTaken(person.id, p.colour) for person, p in zip(people, players, strict=True)],
        chosen,
        overrides,
        new.kind,
        new.recorded,
        new_written(by, key, mark=mark),
        played_on=new.played_on,
    )
    for candidate_id in (game_id, before):
        if existing := book.log.entries(candidate_id):
            return _receipt_of_opening(existing[0], entry)
    admit()
    book.kept.keep(game_id, title, new.public, people)
    try:
        book.games.append(None, [entry])
    except AlreadyWrittenError:
        return _receipt_of_opening(book.log.entries(game_id)[0], entry)
    return Receipt(game_id, 0, entry.seal)


def game_id_of_key(key: str) -> UUID:
    """Return the id of the game that is opened with a key."""
    return uuid5(GAME_ID_NAMESPACE, key)


def _receipt_of_opening(existing: Entry, entry: Entry) -> Receipt:
    """Return the receipt of a game that was opened before. Raises OtherGameError if it differs."""
    old, new = opening_of_entry(existing), opening_of_entry(entry)
    if old.game == new.game:
        same = old.nonce == new.nonce
    else:  # from when an id was made of title and names as well, and the secret was drawn
        same = all(getattr(old, name) == getattr(new, name) for name in ("options", "kind", "recorded")) and (
            old.sheet.overrides == new.sheet.overrides
            and [seat.colour for seat in old.seats] == [seat.colour for seat in new.seats]
        )
    if not same:
        raise OtherGameError(UUID(old.game))
    return Receipt(UUID(old.game), 0, existing.seal, repeated=True)


def rename_game(book: Daybook, game_id: UUID, title: str | None = None, names: Sequence[str] | None = None) -> None:
    """Change the title or the player names of a game; None leaves them.

    Names are not part of the record. Raises UnknownGameError, BadNameError; nothing is changed then.
    """
    kept = book.kept.game(game_id)
    if kept is None:
        raise UnknownGameError(game_id)
    title = kept.title if title is None else clean_name("title", title, TITLE_LIMIT)
    names = (
        kept.names
        if names is None
        else [clean_name(f"players.{seat}.name", name, NAME_LIMIT) for seat, name in enumerate(names)]
    )
    if len(names) != len(kept.names):
        raise BadNameError("names", f"{len(names)} names for {len(kept.names)} seats")
    refuse_lookalikes(names)
    gone = book.kept.anonymous_seats(game_id)
    for seat, (before, name) in enumerate(zip(kept.names, names, strict=True)):
        if seat in gone and name != before:
            raise BadNameError(f"players.{seat}.name", "who sat there was made anonymous")
    if title != kept.title:
        book.kept.rename(game_id, title)
    for seat, (before, name) in enumerate(zip(kept.names, names, strict=True)):
        if name != before:
            book.kept.rename_seat(game_id, seat, name)


# --- recording -------------------------------------------------------------------------------------------------------


def _draft(book: Daybook, game: Game, command: Command, written: Written) -> Drafts:
    """Return the entries that a command produces, after the checks that need the service."""
    _refuse_leased(book, game, command)
    refuse_unexplained(game, command)
    refuse_false_draw(book, game, command)
    entries, board = apply(game, command, written, new_nonce)
    refuse_unsealing(game, entries)
    if place_of(written.by).startswith("seat:"):  # scorekeeper and umpires may go back to any step; every phone says so
        refuse_half_reveal(game, entries)
    return entries, board


def _refuse_leased(book: Daybook, game: Game, command: Command) -> None:
    """Raise Refused if a device holds the lease of the game: it is recorded only there."""
    if game.lease is None or isinstance(command, TakeLease | EndLease):  # the record itself says whether these fit
        return
    held = held_lease(book, game.id)
    if held is None or held.step != game.lease:
        raise Refused(because("leased", "since step {step} the game is recorded on a device", step=game.lease))
    if held.ended_at is not None:
        raise Refused(because("handed_back", "the game was handed back: it is recorded on the server it came from"))


def _bears(game: Game, command: Command, entry: Entry) -> bool:
    """Check if an entry that the writer has not seen may change what a command means."""
    return not isinstance(entry.event, SideEvent) and not _is_independent(game, command, entry)


def _permit(book: Daybook, game: Game, command: Command, writer: Writer) -> None:
    """Raise Refused if the writer's grants do not allow the command."""
    if writer.grants:
        require(GameHolder(game, writer.grants), type(command), **msgspec.structs.asdict(command))


GAMES = RecordKind(
    "game",
    read=lambda book, game_id: book.games.get(game_id),
    permit=_permit,
    bears=_bears,
    draft=_draft,
    append=lambda book, game, draft: book.games.append(game, *draft),
)
# Raises as `writing.write` does, and IllegalDecision, NotADecisionError, NotAnEntryError, UnknownGameError.
append_command = partial(writing.write, GAMES)


def _is_independent(game: Game, command: Command, entry: Entry) -> bool:
    """Check if a decision holds whatever this entry says, because both are made simultaneously."""
    rules, event = game.ruleset, entry.event
    if not isinstance(command, Decide) or rules.course.apart is None:
        return False
    if not isinstance(event, DecisionRecorded) or isinstance(event, DecisionAsPlayed) or event.seat == command.seat:
        return False
    is_simultaneous, effects = rules.course.apart, rules.typed_effects(event.effects)
    return is_simultaneous(read_decision(game, command.decision), ()) and is_simultaneous(
        rules.decision(event.decision), effects
    )


def preview_decision(
    game: Game, seat: Seat, decision: Mapping[str, Any] | Decision, sight: Sight = EVERYTHING
) -> Preview:
    """Preview a decision as far as `sight` may see it, without writing. Raises the errors of `append_command`.

    For a viewer with limited sight it is played on the redacted board and reveals nothing new; checks of the whole
    board are skipped. The effects of a fact of the table could reveal hands, so callers that show them use EVERYTHING.
    """
    if game.status != "running":
        raise Refused(because("game_closed", "the game is {status}; reopen it first", status=game.status))
    rules, typed = game.ruleset, read_decision(game, decision)
    checked_seat(game, seat)
    if hides_nothing(game, sight):
        after, step = game.judge(seat, typed)
        return Preview(
            step.effects,
            step.changes,
            game.figures_so_far(game.step)[0],
            step.columns if rules.scoring.so_far is None else rules.figures(rules.so_far(after)),
            step.marks,
            list(rules.course.to_act(after)),
        )
    board, document = redacted_board(game, game.step, sight)
    after, effects = rules.play(board, seat, typed)
    return Preview(
        plain(effects),
        difference(document, after.document()),
        rules.figures(rules.so_far(board)),
        rules.figures(rules.so_far(after)),
        rules.course.marks(after),
        list(rules.course.to_act(after)),
    )


# --- what can be undone ----------------------------------------------------------------------------------------------


def undo_step(game: Game) -> int | None:
    """Return the step to go back to so that the last decision is undone; None if nothing can be undone.

    If it revealed sealed offers, all of them are undone.
    """
    head = game.heads[-1]
    return before_seals(game, game.parents[head]) if head else None


def step_before_correction(game: Game) -> int | None:
    """Return the step to go back to so that the newest correction is undone; None if anything was recorded since."""
    back = game.take_backs[-1] if game.take_backs else game.step
    since = [game.entries[step].event for step in range(back + 1, game.step + 1) if step not in game.side_steps]
    links = [(getattr(event, "copied_from_step", None), getattr(event, "corrects_step", None)) for event in since]
    is_correction = any(corrects is not None for _, corrects in links) and (None, None) not in links
    return game.heads[back - 1] if is_correction else None


def redo_step(game: Game) -> int | None:
    """Return the step that reinstates the last undone decision.

    None if nothing was undone, or if anything but asides was recorded since.
    """
    skipped, first = {*game.take_backs, *game.side_steps}, game.step
    while first in skipped:
        first -= 1
    undone: list[int] = []  # where the board lay before each, the newest last
    for back in (step for step in game.take_backs if step > first):
        event, before, after = game.entries[back].event, game.heads[back - 1], game.heads[back]
        assert isinstance(event, DecisionsTakenBack)
        if undone and undone[-1] == after:
            undone.pop()
        elif event.cause != "ruling" and not game.line_since(before, back):
            undone.append(before)
        else:
            undone.clear()
    return undone[-1] if undone else None


def undo_turn(game: Game) -> int | None:
    """Return the step to go back to so that the current turn, or the one just ended, is undone."""
    before = before_turn(game, game.heads[-1])
    return None if before is None else before_seals(game, before)


def before_turn(game: Game, step: int) -> int | None:
    """Return the step before the turn in which a step was played; None if it belongs to no turn.

    A turn is the steps of one player up to the next decision of another, with the facts that they lead to. The sealed
    decisions that are revealed together are one turn. A new mark, such as the next round, begins another.
    """
    if not step or game.heads[step] != step or not _turn_played_at(game, step):  # the set-up is no turn
        return None
    _, marks = game.figures_at(game.parents[step])
    seals, seat = _seals_at(game, step), None
    before = step
    for older in game.line_back(step):
        if not older or game.figures_at(game.parents[older])[1] != marks or not _turn_played_at(game, older):
            return older
        if _seals_at(game, older) != seals or (seals and older != step and not leaves_sealed(game, older)):
            return older
        player = None if seals else _player_at(game, older)
        if player is not None:
            if seat is not None and player != seat:
                return before  # facts between two players follow from the first one's decision
            seat = player
        if seat is None or player is not None:
            before = game.parents[older]
    raise AssertionError("the line ends at step 0")


def turn_steps(game: Game, step: int) -> list[int]:
    """Return the steps of the turn in which a step was played, in order; none if it is struck or belongs to no turn."""
    before = None if step in game.struck_steps() else before_turn(game, step)
    if before is None:
        return []
    return [*takewhile(lambda later: before_turn(game, later) == before, game.line_since(before))]


def _seals_at(game: Game, step: int) -> bool:
    """Check if a step is a decision that every seat seals."""
    event = game.entries[step].event
    return isinstance(event, DecisionRecorded) and is_sealed_kind(game, event.decision)


def _player_at(game: Game, step: int) -> Seat | None:
    """Return the player of a decision; None for a fact or an entry that is no decision."""
    event = game.entries[step].event
    return event.seat if isinstance(event, DecisionRecorded | DecisionAsPlayed) and event.seat != TABLE else None


def _turn_played_at(game: Game, step: int) -> int | None:
    """Return the turn in which a step was played: the mark on the board before it."""
    turn = game.figures_at(game.parents[step])[1].get("turn")
    return None if turn and _is_before_turns(game, step) else turn


def _is_before_turns(game: Game, step: int) -> bool:
    """Check if a step belongs to no turn, though the first turn has begun on the board."""
    tags = {*map(tag_of, game.ruleset.course.before_turns)}
    event = game.entries[step].event
    while tags and isinstance(event, DecisionRecorded) and event.seat == TABLE:  # a fact that a decision led to
        step = game.parents[step]
        event = game.entries[step].event
    return isinstance(event, DecisionRecorded) and event.decision["type"] in tags
