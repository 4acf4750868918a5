"""What-if lines, which start at a step of a game and never become part of it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from daybook.domain.kernel.events import Move
from daybook.domain.kernel.field_types import MOVES_LIMIT, Seed, Step, Text
from daybook.domain.kernel.frozen import Exact
from daybook.services.disputes import forks
from daybook.services.disputes.forks import MAX_MOVES, Fork
from daybook.services.names import TITLE_LIMIT
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import GameHolder, require
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.permissions.visits import Visit
from daybook.services.structs import copy_fields
from daybook.web.api.answers import ReceiptShown, position_shown, reason_shown
from daybook.web.api.base import READ, book, section
from daybook.web.api.dispute_answers import BesideShown, ForkShown, ForksShown, Thrown
from daybook.web.api.keys import entry_key, not_yours, requested_visit, sight_name
from daybook.web.api.requests import Once
from daybook.web.api.writing import answer_written, writes
from daybook.web.request.long_work import takes_long

forks_section = section("What if", "Try other decisions from any step of a game, without changing it.")

FORK = "/games/<uuid:game_id>/forks/<fork>"


class NewFork(Exact):
    at: Step  # the step after which the line starts
    title: Annotated[str, Meta(max_length=TITLE_LIMIT)] = ""
    moves: Annotated[list[Move], Meta(max_length=MOVES_LIMIT)] = []  # its first decisions


class Moves(Exact):
    moves: Annotated[list[Move], Meta(min_length=1, max_length=MOVES_LIMIT)]  # decisions to try, in this order


class PlayOn(Exact):
    steps: Annotated[int, Meta(ge=1, le=MAX_MOVES)]
    seed: Seed  # the same seed plays the same decisions


class Keep(Exact):
    moves: Annotated[int, Meta(ge=0, le=MAX_MOVES)]  # the number of first moves to keep


class Offer(Exact):
    claim: Step  # the number of the claim
    why: Text = ""


@forks_section.reads("/games/<uuid:game_id>/forks", ForksShown, "this key's lines", key=True)
def list_forks(game_id: UUID) -> ForksShown:
    """List the lines made with this key"""
    grant = _owner(requested_visit(game_id))
    return ForksShown([_fork_shown(fork) for fork in forks.forks_of_owner(book(), game_id, grant.id)])


@forks_section.acts("/games/<uuid:game_id>/forks", ForkShown, "the line", body=NewFork, status=201)
@takes_long("POST")
def make_fork(body: NewFork, game_id: UUID) -> ForkShown:
    """Start a line at a step

    For callers who see every hand. Once the game has ended, for every reader with a key.
    """
    grant = _owner(requested_visit(game_id))
    fork = forks.create_fork(book(), game_id, body.at, owner=grant.id, title=body.title)
    for move in body.moves:
        fork = forks.add_move(book(), fork.id, grant.id, move.seat, move.decision)
    return _fork_shown(fork)


@forks_section.reads(FORK, BesideShown, "the line beside the record", key=True)
@takes_long("GET")
def show_fork(game_id: UUID, fork: str) -> BesideShown:
    """Compare a line with the record

    The answer has the line's position, its legal decisions, its steps, the record's steps since the line started, and
    the differences.
    """
    found = _fork(requested_visit(game_id), fork)[1]
    position, beside = forks.fork_position(book(), found), forks.compare_with_record(book(), found, EVERYTHING)
    return BesideShown(
        _fork_shown(found),
        position_shown(position, sight_name(EVERYTHING)),
        {str(seat): forks.legal_in_fork(book(), found, seat) for seat in position.to_act},
        beside.compared,
        beside.record,
        beside.fork,
    )


@forks_section.acts(FORK, Thrown, "it is gone", method="DELETE", fails=READ)
def throw_fork_away(game_id: UUID, fork: str) -> Thrown:
    """Delete a line

    A deleted line cannot be restored.
    """
    grant = _holder(requested_visit(game_id))
    if forks.get_fork(book(), fork, grant.id).game != game_id:
        raise forks.UnknownForkError(fork)
    forks.delete_fork(book(), fork, grant.id)
    return Thrown(fork)


@forks_section.acts(FORK + "/moves", ForkShown, "the line", body=Moves)
@takes_long("POST")
def try_moves(body: Moves, game_id: UUID, fork: str) -> ForkShown:
    """Try decisions in a line

    The decisions are played in order. If one is refused, the ones before it are kept.
    """
    grant, found = _fork(requested_visit(game_id), fork)
    for move in body.moves:
        found = forks.add_move(book(), fork, grant.id, move.seat, move.decision)
    return _fork_shown(found)


@forks_section.acts(FORK + "/play-on", ForkShown, "the line", body=PlayOn)
@takes_long("POST")
def play_on(body: PlayOn, game_id: UUID, fork: str) -> ForkShown:
    """Let the practice player continue a line"""
    grant, _ = _fork(requested_visit(game_id), fork)
    return _fork_shown(forks.add_practice_moves(book(), fork, grant.id, body.steps, body.seed))


@forks_section.acts(FORK + "/undo", ForkShown, "the line", body=Keep)
def undo_moves(body: Keep, game_id: UUID, fork: str) -> ForkShown:
    """Keep only the first moves of a line"""
    grant, _ = _fork(requested_visit(game_id), fork)
    return _fork_shown(forks.keep_first_moves(book(), fork, grant.id, body.moves))


@writes(forks_section, FORK + "/offer", Offer, description="where the proposal was written")
def offer_fork(headers: Once, body: Offer, game_id: UUID, fork: str) -> ReceiptShown:
    """Propose a line as the ruling on a claim

    For players and the scorekeeper. The proposal goes back to the step where the line starts, and plays its moves.
    """
    visit = requested_visit(game_id)
    grant, found = _fork(visit, fork)
    grant = require(GameHolder(visit.game, [grant]), "claim")
    key = entry_key(grant, headers.key)
    return answer_written(visit, lambda: forks.propose_fork(book(), found, body.claim, body.why, by=grant.by, key=key))


def _holder(visit: Visit) -> Grant:
    """Return the grant that owns lines. Raises ApiError without a key."""
    if visit.grant is None:
        raise not_yours(None)
    return visit.grant


def _owner(visit: Visit) -> Grant:
    """Return the grant of a caller with the right to try lines. Raises ApiError, MayNotError."""
    grant = _holder(visit)
    require(visit, "keep_forks")
    return grant


def _fork(visit: Visit, fork: str) -> tuple[Grant, Fork]:
    """Return a what-if line and its owner's grant. Raises UnknownForkError."""
    grant = _owner(visit)
    found = forks.get_fork(book(), fork, grant.id)
    if found.game != visit.game.id:
        raise forks.UnknownForkError(fork)
    return grant, found


def _fork_shown(fork: Fork) -> ForkShown:
    broken = forks.fold_fork(book(), fork).broken
    return copy_fields(ForkShown, fork, broken=None if broken is None else reason_shown(broken))
