"""Reading a record: the board, effects, standing and legal decisions at any step, as a viewer may see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import blake2b
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache, cached

from daybook.domain.kernel import events
from daybook.domain.kernel.board import Changes, Document, deep_copy, difference, is_at, value_at, ways_down
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Board, Outcome, Reason, Score, Seat, Verdict
from daybook.services.people import seated
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play.redaction import (
    board_and_document,
    redact_as_played,
    redact_count,
    redact_figures,
    redact_moves,
    redact_proposal,
    redacted_board,
)
from daybook.services.store.kept import GameKept

REDACTED_CACHE_SIZE = 4096  # steps as one sight sees them, some kilobytes each
DIGEST_CACHE_SIZE = 16384  # groups of steps as one sight sees them
DIGEST_BYTES = 16
DECISION = tag_of(events.DecisionRecorded)


class SeatShown(Frozen):
    person: str
    colour: str
    name: str


class GameShown(Frozen):
    """Header of a game: ruleset, players and status."""

    id: str
    title: str
    public: bool
    ruleset: str
    revision: int
    kind: str
    recorded: str
    status: str
    seats: list[SeatShown]
    options: dict[str, Any]
    sheet_hash: str
    overrides: dict[str, Any]
    opened_at: str
    played_on: str  # the day of play, if known
    newest_step: int
    seal: str


class StepShown(Frozen, kw_only=True):
    """One entry of the record as a viewer sees it.

    Args:
        board_step: the step whose board is on the table after this entry.
        taken_back_by: the step that took this one back.
        redone: the return to step `to` reinstated undone decisions.
        objections: verdicts against an illegal move that was kept; so are `computed` and `by_hand`.
        copied_from_step: the step in the original game; `corrects` and `answers` also refer to other steps.
        drawn_by_daybook: Daybook drew this fact.
        replaces_drawn_step: the step of Daybook's draw that the table undid and replaced by hand.
        entry: fields of an entry outside the game: counts, claims, leases.
        by_device: recorded offline on a device, by its clock.
    """

    step: int
    type: str
    at: str
    by: str
    board_step: int
    taken_back_by: int | None = None
    seat: Seat | None = None
    decision: dict[str, Any] | None = None
    effects: list[dict[str, Any]] = []
    changes: dict[str, list[Any]] = {}
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    closed_periods: list[tuple[str, int]] = []
    to_step: int | None = None
    redone: bool = False
    cause: str = ""
    why: str = ""
    about_step: int | None = None
    text: str = ""
    objections: list[events.Objection] = []
    rules_applied: bool = False
    values: dict[str, Any] = {}
    copied_from_step: int | None = None
    corrects_step: int | None = None
    answers_step: int | None = None
    drawn_by_daybook: bool = False
    replaces_drawn_step: int | None = None
    entry: dict[str, Any] = {}
    by_device: bool = False


class Replay(Frozen):
    """A whole game in one answer: the opening board and every step's changes, as `sight` sees them."""

    game: GameShown
    sight: Sight
    board: Document
    steps: list[StepShown]


class Position(Frozen):
    """The game after one step."""

    step: int
    board_step: int
    status: str
    board: Document
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    to_act: list[Seat]
    standing: list[Score]
    outcome: Outcome | None


def build_header(game: Game, game_kept: GameKept | None) -> GameShown:
    opening = game.opening
    names = game_kept.names if game_kept else tuple(seat.colour for seat in opening.seats)
    return GameShown(
        id=str(game.id),
        title=game_kept.title if game_kept else game.title,
        public=game_kept.public if game_kept else False,
        ruleset=opening.ruleset,
        revision=opening.revision,
        kind=opening.kind,
        recorded=opening.recorded,
        status=game.status,
        options=opening.options,
        sheet_hash=opening.sheet.hash,
        overrides=opening.sheet.overrides,
        seats=[
            SeatShown(person, seat.colour, name)
            for person, seat, name in zip(seated.people_of(game, game_kept), opening.seats, names, strict=True)
        ],
        opened_at=opening.at,
        played_on=game.day_of_play(),
        newest_step=game.step,
        seal=game.seal,
    )


def build_replay(game: Game, game_kept: GameKept | None, sight: Sight, after: int = -1) -> Replay:
    """Build the replay, or its steps after `after`; `board` is always the opening one."""
    return Replay(
        build_header(game, game_kept), sight, opening_document(game, sight), list(iter_steps(game, sight, after))
    )


def opening_document(game: Game, sight: Sight) -> Document:
    """Return the opening board as `sight` sees it."""
    board = game.opening.board
    return board if hides_nothing(game, sight) else redact_board(game, board, sight).document()


def iter_steps(game: Game, sight: Sight, after: int = -1) -> Iterator[StepShown]:
    """Yield the entries after step `after` as `sight` sees them."""
    return select_steps(game, sight, range(after + 1, len(game.entries)))


def select_steps(game: Game, sight: Sight, wanted: Collection[int]) -> Iterator[StepShown]:
    """Yield the selected entries in order, as `sight` sees them."""
    struck = game.struck_steps()
    if hides_nothing(game, sight):
        return map(partial(_step_shown, game, struck=struck), sorted(wanted))
    return _redacted_steps(game, sight, wanted, struck)


def steps_by_number(game: Game, sight: Sight, after: int = -1, until: int | None = None) -> StepsOnDemand:
    """Return the entries after step `after` by number, as `sight` sees them; built on demand. until: the last of them."""
    numbers = range(after + 1, len(game.entries) if until is None else until + 1)
    struck = game.struck_steps()
    everything = hides_nothing(game, sight)

    def show(step: int) -> StepShown:
        is_play = isinstance(game.entries[step].event, events.BoardStep)  # others have texts of players
        shown = (_redact_step if is_play else _redact_step.__wrapped__)(game, step, sight, everything)
        by = struck.get(step)
        return shown if by is None else msgspec.structs.replace(shown, taken_back_by=by)

    key = None if everything else (sight,)
    return StepsOnDemand(numbers, key, cache(show), partial(_digest_key, game, key, struck))


@cached(
    LRUCache(REDACTED_CACHE_SIZE),
    key=lambda game, step, sight, everything: (  # a seal stands for all steps before it
        game.entries[step].seal,
        sight,
        everything,
    ),
    lock=Lock(),
)
def _redact_step(game: Game, step: int, sight: Sight, everything: bool) -> StepShown:
    """Return a step as a sight shows it.

    Args:
        everything: nothing is hidden from the sight.
    """
    if everything:
        return _step_shown(game, step, {})
    before = redacted_board(game, step - 1, sight)[1] if step else {}
    board, document = board_and_document(game, step)
    seen = redacted_board(game, step, sight)[1]
    return _step_shown(game, step, {}, _RedactedBoards(board, document, before, seen, sight))


class StepsOnDemand(Mapping[int, StepShown]):
    """Steps by number, each built when it is read."""

    def __init__(
        self,
        numbers: range,
        sight_key: tuple[Sight] | None,
        show: Callable[[int], StepShown],
        digest_key: Callable[[tuple[int, ...]], Hashable | None],
    ) -> None:
        """sight_key: None if nothing is hidden."""
        self.numbers, self.sight_key, self.show, self._digest_key = numbers, sight_key, show, digest_key

    def __getitem__(self, step: int) -> StepShown:
        return self.show(step)

    def digest(self, steps: tuple[int, ...]) -> bytes:
        """Return a digest of what is said of consecutive steps: of decisions, without the changes of the board.

        Viewers who see the same get the same.
        """
        key = self._digest_key(steps)
        return (_digest_steps.__wrapped__ if key is None else _digest_steps)(key, map(self.show, steps))

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


@cached(LRUCache(DIGEST_CACHE_SIZE), key=lambda key, steps: key, lock=Lock())
def _digest_steps(key: Hashable, steps: Iterable[StepShown]) -> bytes:
    said = [msgspec.structs.replace(step, changes={}) if step.type == DECISION else step for step in steps]
    return blake2b(msgspec.json.encode(said), digest_size=DIGEST_BYTES).digest()


def _digest_key(
    game: Game, sight: tuple[Sight] | None, struck: Mapping[int, int], steps: tuple[int, ...]
) -> Hashable | None:
    """Return what determines steps as seen; None if they have texts of players, which may change.

    Args:
        sight: None if nothing is hidden.
    """
    entries = [game.entries[step] for step in steps]
    if not all(isinstance(entry.event, events.BoardStep) for entry in entries):
        return None
    return entries[-1].seal, len(steps), sight, tuple(map(struck.get, steps)) if struck else ()


def _redacted_steps(
    game: Game, sight: Sight, wanted: Collection[int], struck: Mapping[int, int]
) -> Iterator[StepShown]:
    before: Document = {}
    board: Board | None = None  # the present board, cached on first use
    for entry, document in documents_after(game.entries):
        if isinstance(entry.event, events.GameOpened | events.BoardStep):
            board = None
        if entry.step in wanted or entry.step + 1 in wanted:
            if board is None:
                board = game.ruleset.typed_board(document, game.table)
                seen = game.ruleset.secrecy.redact_board(board, sight).document()
            if entry.step in wanted:
                yield _step_shown(game, entry.step, struck, _RedactedBoards(board, document, before, seen, sight))
            before = seen


def changes_seen(game: Game, sight: Sight) -> Iterator[tuple[int, Changes]]:
    """Yield the steps that change the board, with the changes visible to `sight`."""
    before: Document = {}
    for entry, document in documents_after(game.entries):
        if isinstance(entry.event, events.GameOpened | events.BoardStep):
            board = game.ruleset.typed_board(document, game.table)
            seen = game.ruleset.secrecy.redact_board(board, sight).document()
            if isinstance(entry.event, events.BoardStep):
                yield entry.step, difference(before, seen)
            before = seen


class _RedactedBoards(msgspec.Struct):
    """The board after an entry, its document, and what the viewer saw before and sees after."""

    board: Board
    document: Document
    before: Document
    after: Document
    viewer: Seat | None


def _step_shown(game: Game, step: int, struck: Mapping[int, int], mask: _RedactedBoards | None = None) -> StepShown:
    event = game.entries[step].event
    columns, marks = game.figures_so_far(step)
    tag, names = _shared_fields(type(event))
    fields = {name: getattr(event, name) for name in names}
    match event:
        case events.DecisionAsPlayed() if mask is not None:
            fields |= redact_as_played(game, event, mask.board, mask.after, mask.viewer)
        case events.DecisionRecorded() if mask is not None:
            fields["decision"], fields["effects"] = _redact_effects(game, event, mask)
        case events.DecisionsTakenBack():
            fields["redone"] = not game.line_since(step, step - 1)
        case events.SideEvent() if not names:
            fields["entry"] = redact_side_entry(game, event, mask)
    if mask is not None and "changes" in fields:
        fields["changes"] = difference(mask.before, mask.after)
    return StepShown(
        step=step,
        type=tag,
        at=event.at,
        by=game.writers[step],
        board_step=game.heads[step],
        taken_back_by=struck.get(step),
        columns=columns,
        marks=marks,
        by_device=bool(game.leases) and game.is_by_device(step),
        **fields,
    )


@cache
def _shared_fields(kind: type[events.AnyEvent]) -> tuple[str, tuple[str, ...]]:
    """Return an entry kind's tag and the fields it shares with `StepShown`; asides other than notes share none."""
    is_aside = issubclass(kind, events.SideEvent) and kind is not events.NoteAdded
    fields = {*StepShown.__struct_fields__} - {"step", "at", "by", "columns", "marks"}
    return tag_of(kind), () if is_aside else tuple(name for name in kind.__struct_fields__ if name in fields)


def redact_side_entry(game: Game, event: events.SideEvent, mask: _RedactedBoards | None) -> dict[str, Any]:
    """Redact the fields of an entry outside the game for a viewer."""
    fields = {
        name: msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(event).items()
        if name not in events.OF_WRITING
    }
    if mask is not None and isinstance(event, events.TableCounted):
        fields |= redact_count(game, mask.document, event, mask.viewer)
    if mask is not None and isinstance(event, events.ClaimRaised):
        moves = redact_moves(game, game.parents[event.about_step], event.moves, mask.viewer)
        fields |= {
            "moves": msgspec.to_builtins(moves),
            "figures": redact_figures(game, mask.document, event.figures, mask.viewer),
        }
    if mask is not None and isinstance(event, events.RulingProposed):
        fields |= redact_proposal(game, mask.document, event, mask.viewer)
    return fields


def _redact_effects(game: Game, event: events.DecisionRecorded, mask: _RedactedBoards) -> tuple[Any, Any]:
    rules = game.ruleset
    decision, effects = rules.secrecy.redact_step(
        mask.board, event.seat, rules.decision(event.decision), rules.typed_effects(event.effects), mask.viewer
    )
    return msgspec.to_builtins(decision), msgspec.to_builtins(list(effects))


# --- one step --------------------------------------------------------------------------------------------------------


def position_at(game: Game, step: int | None, sight: Sight) -> Position:
    """Return the game after a step; None means now. Raises Refused for an unknown step.

    The seats to act are computed from the redacted board: a possible claim could reveal a hidden hand.
    """
    step = check_step(game, step)
    seen = game.board_at(step) if hides_nothing(game, sight) else redacted_board(game, step, sight)[0]
    columns, marks = game.figures_so_far(step)
    return Position(
        step=step,
        board_step=game.heads[step],
        status=game.status if step == game.step else "running",
        board=seen.document(),
        columns=columns,
        marks=marks,
        to_act=list(game.ruleset.course.to_act(seen)),
        standing=list(game.ruleset.scoring.standing(game.ruleset.so_far(seen))),
        outcome=game.ruleset.scoring.outcome(seen),
    )


def check_step(game: Game, step: int | None) -> int:
    """Return a step of the record, the newest for None. Raises Refused."""
    if step is None:
        return game.step
    game.check_step(step)
    return step


def redact_board(game: Game, document: Document, viewer: Seat | None) -> Board:
    """Redact the board of a document for a viewer."""
    seen: Board = game.ruleset.secrecy.redact_board(game.ruleset.typed_board(deep_copy(document), game.table), viewer)
    return seen


def board_for_legality(game: Game, step: int, sight: Sight) -> Board:
    """Return the board on which to compute legal decisions: the true one without sealed decisions.

    A viewer with EVERYTHING must not learn from a seat's legal decisions which offer it sealed.
    """
    if sight != EVERYTHING or hides_nothing(game, sight):
        return game.board_at(step)
    return redacted_board(game, step, sight)[0]


def legal_decisions(game: Game, step: int | None, seat: Seat, sight: Sight = EVERYTHING) -> list[dict[str, Any]]:
    """Return every legal decision of a seat after a step, most usual kind first.

    The list may reveal a hidden hand, so the caller checks that the viewer may see it. Raises Refused, NotADecisionError.
    """
    board = board_for_legality(game, check_step(game, step), sight)
    plain: list[dict[str, Any]] = msgspec.to_builtins(game.ruleset.legal(board, checked_seat(game, seat)))
    return plain


def greatest_numbers(game: Game, seat: Seat, kind: str, sight: Sight) -> Mapping[str, int]:
    """Return the maximum of each number field in an open form, by path, where the rules know it."""
    maximum = game.ruleset.by_tag[kind].most
    return {} if maximum is None else maximum(board_for_legality(game, game.step, sight), seat)


def closed_kinds(
    game: Game, seat: Seat, step: int | None = None, sight: Sight = EVERYTHING
) -> list[tuple[str, str, Reason]]:
    """Return the kinds of decisions closed to a seat after a step: tag, rule and reason, in the order of the buttons."""
    return game.ruleset.closed_kinds(board_for_legality(game, check_step(game, step), sight), seat)


def judge_decision(
    game: Game, step: int | None, seat: Seat, decision: Mapping[str, Any], sight: Sight = EVERYTHING
) -> list[Verdict]:
    """Return the checks of a decision with their verdicts after a step. Raises NotADecisionError, Refused."""
    board = board_for_legality(game, check_step(game, step), sight)
    return game.ruleset.why(board, checked_seat(game, seat), read_decision(game, decision))


def steps_that_changed(game: Game, step: int, paths: Iterable[str]) -> list[int]:
    """Return the standing steps after `step` that changed these parts of the board."""
    wanted = tuple(paths)
    return steps_by_paths(game, step, [wanted])[wanted]


def steps_by_paths(game: Game, step: int, groups: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Return the changing steps of several groups of paths, reading the record once."""
    made: dict[tuple[str, ...], list[int]] = {paths: [] for paths in groups}
    named: dict[str, set[tuple[str, ...]]] = {}  # the groups by their parts
    around: dict[str, set[tuple[str, ...]]] = {}  # and by whatever these lie in
    for paths in made:
        for path in paths:
            named.setdefault(path, set()).add(paths)
            for place in ways_down(path):
                around.setdefault(place, set()).add(paths)
    for number in game.line(step):
        event = game.entries[number].event
        if isinstance(event, events.BoardStep):
            reached: set[tuple[str, ...]] = set()
            for changed, (was, now) in event.changes.items():
                reached.update(*filter(None, map(named.get, ways_down(changed))))
                reached.update(
                    paths
                    for paths in around.get(changed, ())
                    if any(is_within(path, changed) and _differs(was, now, path[len(changed) :]) for path in paths)
                )
            for paths in reached:
                made[paths].append(number)
    return made


def is_within(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _differs(was: Any, now: Any, path: str) -> bool:
    """Check if a part of a value changed; what is not there is nothing."""
    before, after = (value_at(value, path) if is_at(value, path) else None for value in (was, now))
    return bool(before != after)
