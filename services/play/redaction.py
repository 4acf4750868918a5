"""Redaction of entries that name places of the board: counts, proposals, kept illegal moves.

A place is open to a viewer if any value there passes the game's mask unchanged. Comparing only the present value is not
enough: a covered hand shows 0 of each card to everyone, even where that is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache, cached

from daybook.domain.kernel.board import Document, deep_copy, fold, is_at, value_at
from daybook.domain.kernel.events import DecisionAsPlayed, Move, Objection, RulingProposed, TableCounted
from daybook.domain.kernel.points import is_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import KEEPER, TABLE, Board, IllegalDecision, Veil, Viewer

UNSEEN = "?"  # a card that the record has not seen
COVERED = "what it rests on is covered as yet"
BOARDS_CACHE_SIZE = 64  # boards at one step
SEEN_CACHE_SIZE = 256  # boards at one step as one sight sees them


@cached(LRUCache(BOARDS_CACHE_SIZE), key=lambda game, step: game.entries[step].seal, lock=Lock())
def board_and_document(game: Game, step: int) -> tuple[Board, Document]:
    """Return the board after a step and its document. All viewers share them: do not change them."""
    if game.heads[step] == game.heads[-1]:
        return game.board, game.document
    document = game.document_at(step)
    return game.ruleset.typed_board(document, game.table), document


@cached(
    LRUCache(SEEN_CACHE_SIZE),
    key=lambda game, step, sight: (game.entries[step].seal, sight),  # a seal stands for all steps before it
    lock=Lock(),
)
def redacted_board(game: Game, step: int, sight: Viewer) -> tuple[Board, Document]:
    """Return the board after a step and its document, redacted for a sight. Viewers share them: do not change them."""
    board, _ = board_and_document(game, step)
    seen: Board = game.ruleset.secrecy.redact_board(board, sight)
    return seen, seen.document()


def open_places(game: Game, document: Document, values: Mapping[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Return the values that are open to a viewer on this board, by path."""
    return {path: value for path, value in values.items() if is_open(game, document, path, value, viewer)}


def is_open(game: Game, document: Document, path: str, value: Any, viewer: Viewer) -> bool:
    """Check if a viewer sees the value at a path, and would see any other."""
    if isinstance(value, dict):
        return all(is_open(game, document, f"{path}/{key}", part, viewer) for key, part in value.items())
    return all(_comes_through(game, document, path, probe, viewer) for probe in _probe_values(value))


def _probe_values(value: Any) -> Iterator[Any]:
    """Yield the value and others of its type."""
    yield value
    if type(value) is bool:
        yield not value
    elif is_points(value):
        yield value + 1
        yield value + 2


def _comes_through(game: Game, document: Document, path: str, value: Any, viewer: Viewer) -> bool:
    if value == UNSEEN or (isinstance(value, list) and UNSEEN in value):
        return False
    probed: Document = deep_copy(document)
    try:
        fold(probed, {path: [None, value]})
        seen = game.ruleset.secrecy.redact_board(game.ruleset.typed_board(probed, game.table), viewer).document()
    except CANNOT_GO_ON:
        return False
    return is_at(seen, path) and bool(value_at(seen, path) == value)


def redact_count(game: Game, document: Document, event: TableCounted, viewer: Viewer) -> dict[str, Any]:
    """Redacts a count for a viewer: the places that lie open."""
    recorded = {path: value_at(document, path) for path in event.counted}
    paths = open_places(game, document, event.counted, viewer).keys()
    paths = open_places(game, document, {path: recorded[path] for path in paths}, viewer).keys()
    return {
        "counted": {path: event.counted[path] for path in paths},
        "differences": {path: pair for path, pair in event.differences.items() if path in paths},
    }


def redact_figures(
    game: Game, document: Document, figures: Mapping[str, list[Any]], viewer: Viewer
) -> dict[str, list[Any]]:
    """Redact the figures of a claim for a viewer: the places that lie open, with either figure."""
    pairs = ({path: pair[place] for path, pair in figures.items()} for place in (0, 1))
    recorded, right = (open_places(game, document, values, viewer) for values in pairs)
    return {path: pair for path, pair in figures.items() if path in recorded and path in right}


def redact_proposal(game: Game, document: Document, event: RulingProposed, viewer: Viewer) -> dict[str, Any]:
    """Redacts a proposed ruling for a viewer."""
    values = open_places(game, document, event.values, viewer)
    moves = [] if event.to_step is None else redact_moves(game, event.to_step, event.moves, viewer)
    return {"values": values, "moves": msgspec.to_builtins(moves)}


def redact_moves(game: Game, to: int, moves: Sequence[Move], viewer: Viewer) -> list[Move]:
    """Redact moves from a step on for a viewer, as far as they can be played."""
    board: Board = game.ruleset.typed_board(game.document_at(to), game.table)
    seen = []
    for move in moves:
        try:
            decision = game.ruleset.decision(move.decision)
            board, effects = game.ruleset.play(board, move.seat, decision)
        except (IllegalDecision, *CANNOT_GO_ON):
            break
        shown, _ = game.ruleset.secrecy.redact_step(board, move.seat, decision, effects, viewer)
        seen.append(Move(move.seat, msgspec.to_builtins(shown)))
    return seen


def redact_as_played(
    game: Game, event: DecisionAsPlayed, after: Board, seen: Document, viewer: Viewer
) -> dict[str, Any]:
    """Redact a kept illegal move for a viewer; the decision is missing if covered.

    Args:
        seen: the board as the viewer sees it.

    The seat that made it sees all of it. The rules cannot tell what a move reveals that they could not carry out.
    """
    own = viewer == event.seat and viewer != TABLE
    decision, effects = _redact_decision(game, event, after, viewer, own)
    plain = own or (viewer == KEEPER and decision == event.decision)
    return {
        "decision": decision,
        "effects": effects,
        "objections": [
            objection
            if plain and objection.about == "decision"
            else Objection(objection.rule, "covered", COVERED, {}, objection.about)
            for objection in event.objections
        ],
        "values": {
            path: value_at(seen, path)
            for path, value in event.values.items()
            if is_open(game, after.document(), path, value, viewer)
        },
    }


def _redact_decision(
    game: Game, event: DecisionAsPlayed, after: Board, viewer: Viewer, own: bool
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    if own:
        return event.decision, event.effects
    if not event.rules_applied and viewer != KEEPER:
        return None, []
    rules = game.ruleset
    try:
        decision, effects = rules.secrecy.redact_step(
            after, event.seat, rules.decision(event.decision), rules.typed_effects(event.effects), viewer
        )
    except CANNOT_GO_ON:
        return None, []
    return msgspec.to_builtins(decision), msgspec.to_builtins(list(effects))


def veil_in_force(game: Game) -> Veil | None:
    """Return the veil of a running game; None once it is open."""
    veil: Veil | None = game.ruleset.secrecy.veil
    if veil is None or game.is_revealed:
        return None
    return None if game.ruleset.scoring.outcome(game.board) else veil
