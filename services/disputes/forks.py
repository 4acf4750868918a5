"""What if: a private line that leaves a game at any step, is played on by hand or by chance, and is thrown away.

A fork is no record. It lies apart from the log, is in no list, no statistic and no file, belongs to whoever made it,
and holds nothing but the decisions tried. Only who sees everything of a game may fork it, and only from a board on
which nothing lies sealed: so a fork tells nobody what they could not see.
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
from daybook.services.people import access
from daybook.services.people.access import EVERYTHING, Grant, Sight, hides_nothing
from daybook.services.play import recording, replay
from daybook.services.play.practice import Dealer, Level
from daybook.services.play.replay import Position, StepShown
from daybook.services.play.writing import Receipt
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import fold_game
from daybook.services.store.kept import hold_game, kept_fork
from daybook.services.structs import struct_of

MOVES_LIMIT = 1_000  # of one fork
FORKS_LIMIT = 20  # of one game that one person keeps


class UnknownFork(LookupError):
    """There is no such fork, or it is somebody else's: make one from the replay."""


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


def may_fork(book: Daybook, game_id: UUID, grant: Grant | None) -> bool:
    """Whoever sees everything of a game: all who may read it once it has ended."""
    if not access.may_read(book.kept.game(game_id), grant):
        return False
    return EVERYTHING in access.sights_of(book.games.get(game_id), grant)


# --- keeping ---------------------------------------------------------------------------------------------------------


def make(
    book: Daybook,
    game_id: UUID,
    at: int,
    *,
    owner: str,
    title: str = "",
    moves: Sequence[Move] = (),
    id: str | None = None,
) -> Fork:
    """Leave a game at a step. owner: whoever may see the fork, such as the id of their link; the caller asks
    `may_fork`. id: of what the fork is made from: the same again is the same fork; drawn by default.
    Raises Refused, UnknownGame.
    """
    if id is not None and (there := next((fork for fork in forks(book, game_id, owner) if fork.id == id), None)):
        return there
    game = book.games.get(game_id)
    game.check_step(at)
    if len(title) > TITLE_LIMIT or not is_displayable(title):
        raise Refused(
            because("too_long", "a title has at most {limit} characters that can be shown", limit=TITLE_LIMIT)
        )
    if not hides_nothing(game, EVERYTHING):
        board = game.board_at(at)
        if game.ruleset.secrecy.redact_board(board, KEEPER).document() != board.document():
            raise Refused(because("sealed", "something is sealed there: start before it or after it"))
    fork = Fork(id or secrets.token_urlsafe(12), game_id, at, owner, title.strip(), [], now())
    row = {"id": fork.id, "game": game_id, "at": at, "owner": owner, "title": fork.title, "made_at": fork.made_at}
    with book.kept.engine.begin() as c:
        hold_game(c, game_id)  # so that several at once are counted one by one
        mine = kept_fork.c.game == game_id, kept_fork.c.owner == owner
        if c.scalars(sa.select(sa.func.count()).select_from(kept_fork).where(*mine)).one() >= FORKS_LIMIT:
            raise Refused(
                because("too_many", "a game has at most {limit} what-ifs: delete one first", limit=FORKS_LIMIT)
            )
        is_new = insert_once(c, kept_fork, row | {"moves": "[]"})
    if not is_new:  # the same was made at the same moment
        return get(book, fork.id, owner)
    for move in moves:
        fork = play(book, fork.id, owner, move.seat, move.decision)
    return fork


def forks(book: Daybook, game_id: UUID, owner: str) -> list[Fork]:
    """What somebody keeps of a game, the newest first."""
    query = sa.select(kept_fork).where(kept_fork.c.game == game_id, kept_fork.c.owner == owner)
    return [
        _fork_of_row(row) for row in book.kept.engine.rows(query.order_by(kept_fork.c.made_at.desc(), kept_fork.c.id))
    ]


def get(book: Daybook, id: str, owner: str) -> Fork:
    """A fork by its id. Raises UnknownFork."""
    row = book.kept.engine.row(sa.select(kept_fork).where(kept_fork.c.id == id, kept_fork.c.owner == owner))
    if row is None:
        raise UnknownFork(id)
    return _fork_of_row(row)


def throw_away(book: Daybook, id: str, owner: str) -> None:
    """For good; one that is not there is thrown away."""
    book.kept.engine.write(kept_fork.delete().where(kept_fork.c.id == id, kept_fork.c.owner == owner))


def _fork_of_row(row: Any) -> Fork:
    return struct_of(Fork, row, moves=msgspec.json.decode(row.moves, type=list[Move]))


def _store_moves(book: Daybook, fork: Fork, moves: Sequence[Move]) -> Fork:
    """Raises Refused where another tab has played on meanwhile."""
    if len(moves) > MOVES_LIMIT:
        raise Refused(because("too_many", "a what-if has at most {limit} moves", limit=MOVES_LIMIT))
    was = kept_fork.c.moves == msgspec.json.encode(fork.moves).decode()
    changed = book.kept.engine.write(
        kept_fork.update().where(kept_fork.c.id == fork.id, was).values(moves=msgspec.json.encode(moves).decode())
    )
    if changed != 1:
        raise Refused(because("moved_on", "this what-if has changed meanwhile: look again"))
    return msgspec.structs.replace(fork, moves=list(moves))


# --- playing on ------------------------------------------------------------------------------------------------------


def fold_fork(book: Daybook, fork: Fork) -> PlayedFork:
    """The fork played out. Raises UnknownGame."""
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


def play(book: Daybook, id: str, owner: str, seat: Seat, decision: Mapping[str, Any] | Decision) -> Fork:
    """Try a decision. Raises IllegalDecision, NotADecision, Refused, UnknownFork."""
    fork = get(book, id, owner)
    game = _playable_game(book, fork)
    said = read_decision(game, decision)
    decide(game, checked_seat(game, seat), said, _fork_writing(game))
    return _store_moves(book, fork, [*fork.moves, Move(seat, plain(said))])


def play_on(book: Daybook, id: str, owner: str, steps: int, seed: int) -> Fork:
    """Let practice players go on for so many steps, or until the game is over. Raises Refused, UnknownFork.

    They play by chance while the game may go on: what a steady player would do is nobody's help there.
    """
    fork = get(book, id, owner)
    game, moves = _playable_game(book, fork), list(fork.moves)
    level: Level = "steady" if book.games.get(fork.game).lies_open else "chance"
    dealer = Dealer(seed, [level] * game.table.seats)
    for _ in range(min(steps, MOVES_LIMIT - len(moves))):
        try:
            chosen = dealer.next(game.ruleset, game.board)
        except CANNOT_GO_ON:  # after an illegal move that stood nobody may have anything to decide
            break
        if chosen is None:
            break
        entry, board = decide(game, *chosen, _fork_writing(game))
        game.apply(entry, board)
        moves.append(Move(chosen[0], plain(chosen[1])))
    return _store_moves(book, fork, moves)


def undo(book: Daybook, id: str, owner: str, moves: int) -> Fork:
    """Keep only the first so many moves. Raises UnknownFork, Refused."""
    fork = get(book, id, owner)
    return _store_moves(book, fork, fork.moves[: max(0, moves)])


def _playable_game(book: Daybook, fork: Fork) -> Game:
    """Raises Refused for a fork that can no longer be played out."""
    played = fold_fork(book, fork)
    if played.broken is not None:
        raise Refused(played.broken)
    return played.game


# --- looking ---------------------------------------------------------------------------------------------------------


def position(book: Daybook, fork: Fork, step: int | None = None) -> Position:
    """The fork after a step, its own or one of the game before it left; None: its newest. Raises Refused."""
    game = _shown_openly(fold_fork(book, fork).game)
    return replay.position(game, step, EVERYTHING)


def legal(book: Daybook, fork: Fork, seat: Seat) -> list[dict[str, Any]]:
    """Decisions that a seat may try next; for the table, what may turn up. Raises NotADecision."""
    game = fold_fork(book, fork).game
    found: list[dict[str, Any]] = msgspec.to_builtins(game.ruleset.legal(game.board, checked_seat(game, seat)))
    return found


def steps(book: Daybook, fork: Fork) -> list[StepShown]:
    """The fork's own steps; those of the game before it are the game's to show."""
    return list(replay.steps(_shown_openly(fold_fork(book, fork).game), EVERYTHING, fork.at))


def _shown_openly(game: Game) -> Game:
    """What is tried in a fork is known to whoever tries it: it is shown like a game that has ended."""
    game.status = "closed"
    return game


def compare_with_record(book: Daybook, fork: Fork, sight: Sight) -> ForkBesideRecord:
    """The fork against the game as it went on, from the step it left at; what stands of it, as a viewer sees it."""
    game = book.games.get(fork.game)
    left, *recorded = replay.some_steps(game, sight, [fork.at, *game.line_since(fork.at)])
    tried = steps(book, fork)
    return ForkBesideRecord(fork.at, compare.lines([left, *recorded], [left, *tried]), recorded, tried)


def offer(book: Daybook, fork: Fork, claim: int, why: str, *, seat: Seat | None = None, by: str, key: str) -> Receipt:
    """Propose the fork as what a claim should be ruled: back to where it left, and on with its moves.

    seat: as in ProposeRuling. Raises Refused, UnknownGame, BadKey.
    """
    proposed = ProposeRuling(claim, "rewound", to=fork.at, moves=fork.moves, why=why, seat=seat)
    return recording.write(book, fork.game, proposed, by=by, key=key)
