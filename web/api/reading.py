"""Read a game: positions, the whole replay, legal decisions and their reasons, and the steps behind a figure."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from daybook.domain.commands import Decide
from daybook.domain.kernel.board import touches
from daybook.domain.kernel.decisions import checked_seat
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.field_types import LAST_STEP, SeatOrTable, Step
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.web.api.answers import (
    LegalShown,
    MadeByShown,
    NotNow,
    PositionShown,
    ReplayShown,
    WhyShown,
    position_shown,
    reason_shown,
    replay_shown,
    verdicts_shown,
)
from daybook.web.api.base import ASK, section
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import may_see_hand, requested_visit, sight_name, sight_of
from daybook.web.api.requests import Sighted, SightedAt

reading = section("Reading", "Any position and step of a game, with reasons.")


class SightedAfter(Sighted):
    after: Annotated[int, Meta(ge=-1, le=LAST_STEP)] = -1  # only the steps after this one


class LegalQuery(Frozen):
    seat: SeatOrTable
    step: Step | None = None  # after this step; default: the newest


class MadeByQuery(SightedAt, kw_only=True):
    # a part of the board as a JSON pointer, such as /players/0/money; may be repeated
    path: Annotated[list[Annotated[str, Meta(min_length=1, max_length=200)]], Meta(min_length=1, max_length=50)]


class Question(Move):
    step: Step | None = None  # after this step; default: the newest


@reading.reads("/games/<uuid:game_id>/replay", ReplayShown, "the replay", query=SightedAfter)
def show_replay(query: SightedAfter, game_id: UUID) -> ReplayShown:
    """Show the whole game in one answer

    The answer has the opening board and every step with its seat, decision, effects and changes of the board. With
    `after` it has only the later steps, and still the opening board.
    """
    visit = requested_visit(game_id)
    sight = sight_of(visit, query.view)
    told = replay.build_replay(visit.game, visit.kept, sight, query.after)
    return replay_shown(told, sight_name(sight))


@reading.reads("/games/<uuid:game_id>/position", PositionShown, "the position", query=SightedAt)
def show_position(query: SightedAt, game_id: UUID) -> PositionShown:
    """Show the game after a step

    The answer has the board, the ledger's columns, the marks, each seat's score if the game ended there, and the
    outcome.
    """
    visit = requested_visit(game_id)
    sight = sight_of(visit, query.view)
    return position_shown(replay.position_at(visit.game, query.step, sight), sight_name(sight))


@reading.reads("/games/<uuid:game_id>/legal", LegalShown, "the legal decisions", query=LegalQuery)
def show_legal(query: LegalQuery, game_id: UUID) -> LegalShown:
    """List every legal decision of a seat

    Decisions on the list are accepted, and all others are refused. The list of a seat can reveal its hidden hand, so
    only that seat and the scorekeeper see it. Seat -1 is the table: everyone who may record its facts sees them. Only
    viewers of every hand see how likely each fact is.
    """
    visit, seat = requested_visit(game_id), query.seat
    game, sight = visit.game, _sight_for(visit, seat)
    checked_seat(game, seat)
    step = replay.check_step(game, query.step)
    if seat == TABLE:
        return _facts(visit, step, sight)
    closed = replay.closed_kinds(game, seat, sight=sight) if step == game.step else []
    return LegalShown(
        step,
        seat,
        replay.legal_decisions(game, step, seat, sight),
        None,
        [NotNow(tag, rule, reason_shown(reason)) for tag, rule, reason in closed],
    )


def _facts(visit: Visit, step: int, sight: Sight) -> LegalShown:
    """Return the table's possible facts. Their weights would reveal hands, so onlookers get those of their own view."""
    game, may_record = visit.game, may(visit, "record", seat=TABLE)
    board = replay.board_for_legality(game, step, sight)
    if not may_record and sight != EVERYTHING:
        board = game.ruleset.secrecy.redact_board(board, sight)
    facts = [(msgspec.to_builtins(fact), weight) for fact, weight in game.ruleset.facts(board)]
    if may_record:
        facts = [(fact, weight) for fact, weight in facts if may(visit, Decide, seat=TABLE, decision=fact)]
    weights = [weight for _, weight in facts] if sight == EVERYTHING or not may_record else None
    return LegalShown(step, TABLE, [fact for fact, _ in facts], weights, [])


def _sight_for(visit: Visit, seat: Seat) -> Sight:
    """Return the fullest sight of a caller with the right to see a seat's hand. Raises ApiError (403)."""
    if seat != TABLE and not may_see_hand(visit, seat):
        raise ApiError(
            403,
            "not_your_seat",
            f"the legal decisions of seat {seat} would reveal its hand",
            "send the key of that seat or of the scorekeeper",
            seat=seat,
        )
    return sight_of(visit)


@reading.route("/games/<uuid:game_id>/why", methods=["POST"])
@reading.arguments(Question)
@reading.answers(200, WhyShown, "every check with its verdict", fails=ASK)
def explain(body: Question, game_id: UUID) -> WhyShown:
    """Explain if a decision is legal

    The answer has every rule that was checked, with its verdict. Nothing is written.
    """
    visit, seat = requested_visit(game_id), body.seat
    game, sight = visit.game, _sight_for(visit, seat)
    step = replay.check_step(game, body.step)
    if seat == TABLE and sight != EVERYTHING:
        raise ApiError(
            403,
            "not_your_seat",
            "the reasons for a fact of the table would reveal hidden hands",
            "send the key of the scorekeeper",
            seat=seat,
        )
    return verdicts_shown(step, replay.judge_decision(game, step, seat, body.decision, sight))


@reading.reads("/games/<uuid:game_id>/value-history", MadeByShown, "the steps", query=MadeByQuery)
def show_value_history(query: MadeByQuery, game_id: UUID) -> MadeByShown:
    """List the steps behind a figure

    The answer has the steps up to `step` that changed these parts of the board, as far as this key may see them. Steps
    that were taken back are left out. A line of a score names the parts of the board behind it.
    """
    visit = requested_visit(game_id)
    game, sight = visit.game, sight_of(visit, query.view)
    step = replay.check_step(game, query.step)
    if hides_nothing(game, sight):
        return MadeByShown(replay.steps_that_changed(game, step, query.path))
    standing = set(game.line(step))
    return MadeByShown(
        [
            number
            for number, changes in replay.changes_seen(game, sight)
            if number in standing and any(touches(changes, path) for path in query.path)
        ]
    )
