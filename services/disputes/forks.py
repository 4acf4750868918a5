"""What-if forks: a private line that leaves a game at any step and is played on by hand or by practice players.

A fork is not a record. It is stored outside the log, appears in no list, statistic or file, belongs to its author, and
contains only decisions. Only viewers with full sight may fork, and only from boards without sealed decisions, so a fork
reveals nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.commands import ProposeRuling
from daybook.domain.entries import decide
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import KEEPER, Decision, IllegalDecision, Reason, Seat, because
from daybook.domain.kernel.texts import is_displayable
from daybook.services.clock import now
from daybook.services.disputes import compare
from daybook.services.disputes.compare import Compared
from daybook.services.names import TITLE_LIMIT
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play import recording, replay
from daybook.services.play.practice import Dealer, Level
from daybook.services.play.replay import Position, StepShown
from daybook.services.play.writing import Receipt
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from daybook.services.store.kept import kept_fork, lock_game
from daybook.services.structs import copy_fields

MAX_MOVES = 1_000  # of one fork
MAX_FORKS = 20  # of one owner in one game


class UnknownForkError(LookupError):
    """The fork does not exist or has another owner; make one from the replay."""


class Fork(Frozen):
    """A private line. at: the step of the game that it leaves from; moves: what was tried since."""

    id: str
    game: UUID
    at: int
    owner: str
    title: str
    moves: list[Move]
    made_at: str


class PlayedFork(msgspec.Struct):
    """A fork played out: the game up to `at`, and the moves as steps after it.

    broken: why the next of its moves can no longer be played, if the rules were changed since.
    """

    fork: Fork
    game: Game
    broken: Reason | None = None

    @property
    def over(self) -> bool:
        return self.game.ruleset.scoring.outcome(self.game.board) is not None


class ForkBesideRecord(Frozen):
    """A fork and the record side by side, from the step at which they part."""

    at: int
    compared: Compared
    record: list[StepShown]
    fork: list[StepShown]


# --- keeping ---------------------------------------------------------------------------------------------------------


def create_fork(
    book: Daybook,
    game_id: UUID,
    at: int,
    *,
    owner: str,
    title: str = "",
    moves: Sequence[Move] = (),
    fork_id: str | None = None,
) -> Fork:
    """Create a fork that leaves a game at a step.

    Args:
        owner: id of the owner, such as a link id; the caller checks the permission "fork".
        fork_id: id that makes repeated requests return the same fork; random by default.

    Raises Refused, UnknownGameError.
    """
    if fork_id is not None and (
        existing := next((fork for fork in forks_of_owner(book, game_id, owner) if fork.id == fork_id), None)
    ):
        return existing
    game = book.games.get(game_id)
    game.check_step(at)
    if len(title) > TITLE_LIMIT or not is_displayable(title):
        raise Refused(
            because("too_long", "a title has at most {limit} characters that can be shown", limit=TITLE_LIMIT)
        )
    if not hides_nothing(game, EVERYTHING):
        board = game.board_at(at)
        if game.ruleset.secrecy.redact_board(board, KEEPER).document() != board.document():
            raise Refused(because("sealed", "something is sealed at this step: start before or after it"))
    fork = Fork(fork_id or secrets.token_urlsafe(12), game_id, at, owner, title.strip(), [], now())
    row = {"id": fork.id, "game": game_id, "at": at, "owner": owner, "title": fork.title, "made_at": fork.made_at}
    with book.kept.engine.begin() as c:
        lock_game(c, game_id)  # so that several at once are counted one by one
        mine = kept_fork.c.game == game_id, kept_fork.c.owner == owner
        if c.scalars(sa.select(sa.func.count()).select_from(kept_fork).where(*mine)).one() >= MAX_FORKS:
            raise Refused(because("too_many", "a game has at most {limit} what-ifs: delete one first", limit=MAX_FORKS))
        is_new = insert_once(c, kept_fork, row | {"moves": "[]"})
    if not is_new:  # the same was made at the same moment
        return get_fork(book, fork.id, owner)
    for move in moves:
        fork = add_move(book, fork.id, owner, move.seat, move.decision)
    return fork


def forks_of_owner(book: Daybook, game_id: UUID, owner: str) -> list[Fork]:
    """Return an owner's forks of a game, newest first."""
    query = sa.select(kept_fork).where(kept_fork.c.game == game_id, kept_fork.c.owner == owner)
    return [
        _fork_of_row(row) for row in book.kept.engine.rows(query.order_by(kept_fork.c.made_at.desc(), kept_fork.c.id))
    ]


def get_fork(book: Daybook, fork_id: str, owner: str) -> Fork:
    """Return a fork by its id. Raises UnknownForkError."""
    row = book.kept.engine.row(sa.select(kept_fork).where(kept_fork.c.id == fork_id, kept_fork.c.owner == owner))
    if row is None:
        raise UnknownForkError(fork_id)
    return _fork_of_row(row)


def delete_fork(book: Daybook, fork_id: str, owner: str) -> None:
    """Delete a fork; a missing one is ignored."""
    book.kept.engine.write(kept_fork.delete().where(kept_fork.c.id == fork_id, kept_fork.c.owner == owner))


def _fork_of_row(row: Any) -> Fork:
    return copy_fields(Fork, row, moves=msgspec.json.decode(row.moves, type=list[Move]))


def _store_moves(book: Daybook, fork: Fork, moves: Sequence[Move]) -> Fork:
    """Replace the moves of a fork. Raises Refused if another tab changed it meanwhile."""
    if len(moves) > MAX_MOVES:
        raise Refused(because("too_many", "a what-if has at most {limit} moves", limit=MAX_MOVES))
    was = kept_fork.c.moves == msgspec.json.encode(fork.moves).decode()
    changed = book.kept.engine.write(
        kept_fork.update().where(kept_fork.c.id == fork.id, was).values(moves=msgspec.json.encode(moves).decode())
    )
    if changed != 1:
        raise Refused(because("moved_on", "this what-if has changed in the meantime: check it again"))
    return msgspec.structs.replace(fork, moves=list(moves))


# --- playing on ------------------------------------------------------------------------------------------------------


def fold_fork(book: Daybook, fork: Fork) -> PlayedFork:
    """Play the fork's moves on the game. Raises UnknownGameError."""
    recorded = book.games.get(fork.game)
    game = fold_game(fork.game, recorded.entries[: fork.at + 1])
    game.status = "running"
    for move in fork.moves:
        try:
            entry, board = decide(game, move.seat, read_decision(game, move.decision), _fork_writing(game))
        except (IllegalDecision, Refused) as no:
            return PlayedFork(fork, game, no.reason)
        game.apply(entry, board)
    return PlayedFork(fork, game)


def _fork_writing(game: Game) -> Written:
    return Written(game.entries[-1].event.at, "fork", f"fork-{game.step + 1}")


def add_move(book: Daybook, fork_id: str, owner: str, seat: Seat, decision: Mapping[str, Any] | Decision) -> Fork:
    """Try a decision. Raises IllegalDecision, NotADecisionError, Refused, UnknownForkError."""
    fork = get_fork(book, fork_id, owner)
    game = _playable_game(book, fork)
    typed = read_decision(game, decision)
    decide(game, checked_seat(game, seat), typed, _fork_writing(game))
    return _store_moves(book, fork, [*fork.moves, Move(seat, plain(typed))])


def add_practice_moves(book: Daybook, fork_id: str, owner: str, steps: int, seed: int) -> Fork:
    """Let practice players continue for `steps` steps or until the end. Raises Refused, UnknownForkError.

    While the game is open they play at random, so that no one gets a steady player's advice.
    """
    fork = get_fork(book, fork_id, owner)
    game, moves = _playable_game(book, fork), list(fork.moves)
    level: Level = "steady" if book.games.get(fork.game).is_revealed else "chance"
    dealer = Dealer(seed, [level] * game.table.seats)
    for _ in range(min(steps, MAX_MOVES - len(moves))):
        try:
            chosen = dealer.next_decision(game.ruleset, game.board)
        except CANNOT_GO_ON:  # after a kept illegal move, a seat may have no legal decision
            break
        if chosen is None:
            break
        entry, board = decide(game, *chosen, _fork_writing(game))
        game.apply(entry, board)
        moves.append(Move(chosen[0], plain(chosen[1])))
    return _store_moves(book, fork, moves)


def keep_first_moves(book: Daybook, fork_id: str, owner: str, moves: int) -> Fork:
    """Keep only the first `moves` moves. Raises UnknownForkError, Refused."""
    fork = get_fork(book, fork_id, owner)
    return _store_moves(book, fork, fork.moves[: max(0, moves)])


def _playable_game(book: Daybook, fork: Fork) -> Game:
    """Return the fork's game. Raises Refused for a fork that can no longer be played."""
    played = fold_fork(book, fork)
    if played.broken is not None:
        raise Refused(played.broken)
    return played.game


# --- looking ---------------------------------------------------------------------------------------------------------


def fork_position(book: Daybook, fork: Fork, step: int | None = None) -> Position:
    """Return the game after a step of the fork, or of the game before it; None means the newest. Raises Refused."""
    game = _as_closed(fold_fork(book, fork).game)
    return replay.position_at(game, step, EVERYTHING)


def legal_in_fork(book: Daybook, fork: Fork, seat: Seat) -> list[dict[str, Any]]:
    """Return the decisions that a seat may try next, or the facts the table may show. Raises NotADecisionError."""
    game = fold_fork(book, fork).game
    decisions: list[dict[str, Any]] = msgspec.to_builtins(game.ruleset.legal(game.board, checked_seat(game, seat)))
    return decisions


def fork_steps(book: Daybook, fork: Fork) -> list[StepShown]:
    """Return the fork's own steps, without those of the game before it."""
    return list(replay.iter_steps(_as_closed(fold_fork(book, fork).game), EVERYTHING, fork.at))


def _as_closed(game: Game) -> Game:
    """Close the game for display: the author of a fork knows all of it."""
    game.status = "closed"
    return game


def compare_with_record(book: Daybook, fork: Fork, sight: Sight) -> ForkBesideRecord:
    """Compare the fork with the recorded game from the step where it left, as a viewer sees it."""
    game = book.games.get(fork.game)
    left, *recorded = replay.select_steps(game, sight, [fork.at, *game.line_since(fork.at)])
    tried = fork_steps(book, fork)
    return ForkBesideRecord(fork.at, compare.compare_lines([left, *recorded], [left, *tried]), recorded, tried)


def propose_fork(
    book: Daybook, fork: Fork, claim: int, why: str, *, seat: Seat | None = None, by: str, key: str
) -> Receipt:
    """Propose the fork as a claim's ruling: back to where it left, then its moves.

    Args:
        seat: as in ProposeRuling.

    Raises Refused, UnknownGameError, BadKeyError.
    """
    proposed = ProposeRuling(claim, "rewound", to_step=fork.at, moves=fork.moves, why=why, seat=seat)
    return recording.append_command(book, fork.game, proposed, by=by, key=key)
