"""Correct a record: illegal moves that stood, early mistakes, counts, and records side by side."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

import msgspec
from flask import request
from msgspec import Meta

from daybook.domain.commands import AcceptCount, AdjustToCount, Correct, Count, RecordAsPlayed, Resolution
from daybook.domain.corrections import Carried, ContradictedCount, Plan
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.field_types import Step
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.services.clock import now
from daybook.services.disputes import as_played, compare, counting
from daybook.services.disputes.as_played import AsPlayedPreview
from daybook.services.disputes.compare import Compared, StepsCompared
from daybook.services.disputes.corrections import compute_correction_plan
from daybook.services.disputes.counting import Countable, Counted
from daybook.services.disputes.explain_count import MAX_PLAYS_PER_PIECE, parse_cursor, rank_slips, search_slips
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFileError
from daybook.services.league import duplicate_games, told_apart
from daybook.services.league.duplicate_games import GameAlike
from daybook.services.people import seated
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import ClubVisit, has_role, may, require
from daybook.services.permissions.sights import sights_of
from daybook.services.permissions.visits import Visit
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.structs import copy_fields
from daybook.web.api.answers import ReasonShown, reason_shown
from daybook.web.api.base import ASK, body, book, section
from daybook.web.api.errors import ApiError
from daybook.web.api.files import RECORD, RECORD_KINDS, bad_file
from daybook.web.api.keys import games_of_key, holder, person, requested_visit, sight_of
from daybook.web.api.requests import Sighted, Why
from daybook.web.api.schemas import body_of
from daybook.web.api.writing import NOT_SENT, Write, add_writes
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.long_work import takes_long

corrections = section(
    "Corrections", "What stood against the rules, what was mistyped, what was counted. Look first, then write."
)

corrections.register_error_handler(BadFileError, bad_file)


limit_bodies(corrections, RECORD_FILE_BYTES, "compare_file")

GAME = "/games/<uuid:game_id>"
COUNT = GAME + "/counts/<int:count_step>"

add_writes(
    corrections,
    Write(GAME + "/as-played", RecordAsPlayed, at=True),
    Write(GAME + "/corrections", Correct, at=True, long=True),
    Write(GAME + "/counts", Count, at=True),
    Write(COUNT + "/adjust", AdjustToCount, at=True),
    Write(COUNT + "/accept", AcceptCount),
)

AsPlayedTried = body_of("AsPlayedTried", RecordAsPlayed, without={"why", *NOT_SENT})
PlanAsked = body_of("PlanAsked", Correct, without={"why", "digest"})


class TwoSteps(Sighted, kw_only=True):
    one: Step
    other: Step


class SearchQuery(Frozen):
    # maximum of decisions that this piece of the search plays; it also ends after a second
    plays: Annotated[int, Meta(ge=1, le=MAX_PLAYS_PER_PIECE)] = 800
    # where the piece before ended, as its `next` says; default: the newest step
    start: Annotated[str, Meta(pattern=r"^(first|late)\.[0-9]{1,6}\.[0-9]{1,6}$")] | None = msgspec.field(
        default=None, name="from"
    )


# --- answers ---------------------------------------------------------------------------------------------------------


class SaidApartShown(Frozen):
    """A statement that two records are of different games."""

    game: str  # the game of its author, a scorekeeper
    by: str
    why: str
    at: str
    back_by: str | None  # the person that took it back
    back_at: str | None


class GameAlikeShown(Frozen):
    """Another record that may be of the same play."""

    game: str
    title: str
    said: list[SaidApartShown]  # statements by the scorekeepers of the two games, the oldest first
    clubs: list[str]  # clubs that state that the games are different, if this key may read them
    apart: bool  # a statement that they are different is in force


class GamesAlikeShown(Frozen):
    games: list[GameAlikeShown]


class StopShown(Frozen):
    """The recorded step that no longer fits, and why."""

    old: int
    seat: int | None
    decision: dict[str, Any] | None
    rule: str
    reason: ReasonShown


class PlanShown(Frozen):
    """The effects of a correction."""

    at: int
    step: int
    back_to: int
    carried: list[Carried]  # the steps of the corrected line, with the columns of both
    stop: StopShown | None
    left: list[int]  # recorded steps that are dropped
    columns_recorded: dict[str, list[Points]]
    columns: dict[str, list[Points]]
    column_changes: dict[str, list[Points]]  # by seat
    changes: dict[str, list[Any]]
    marks: dict[str, int]
    to_act: list[int]
    over: bool
    digest: str
    contradicted: list[ContradictedCount]  # counts that matched the record, and do not match the correction


class CountsShown(Frozen):
    counts: list[Counted]
    countable: list[Countable]  # the visible places that can be counted, with their recorded values


class ExplanationShown(Frozen):
    """A slip that would explain differences."""

    kind: str
    step: int
    explains: list[str]
    all: bool
    decision: Move | None
    correction: dict[str, Resolution] | None  # `instead` for POST .../corrections/plan; null: a slip of the hand
    weight: float  # its likelihood, compared with the slips of all pieces and `unexplained`
    perhaps: bool  # its weight is below the sum of the others of this piece
    alike: str  # the same for slips that look alike on the table: at most one happened; add their weights


class ExplanationsShown(Frozen):
    """A piece of the search."""

    explanations: list[ExplanationShown]
    done: int  # steps searched in this round
    of: int  # steps of this round
    late: bool  # the second round, for slips that show only later
    next: str | None  # `from` of the next piece; null: the search is complete
    unexplained: float  # the weight of a wrong amount that no step explains


# --- as played -------------------------------------------------------------------------------------------------------


@corrections.acts(
    "/games/<uuid:game_id>/as-played/preview", AsPlayedPreview, "what it would come to", body=AsPlayedTried
)
def preview_as_played(body: Any, game_id: UUID) -> AsPlayedPreview:
    """Preview an illegal move that stood

    For the scorekeeper. The answer has the rules that forbid the move, and the effects that the rules can work out.
    Nothing is written.
    """
    visit = requested_visit(game_id)
    require(visit, "manage")
    return as_played.preview_as_played(
        book(), game_id, body.seat, body.decision, body.values, computed=body.rules_applied, sight=sight_of(visit)
    )


# --- corrections -----------------------------------------------------------------------------------------------------


@corrections.acts("/games/<uuid:game_id>/corrections/plan", PlanShown, "what it would come to", body=PlanAsked)
@takes_long("POST")
def plan_correction(body: Any, game_id: UUID) -> PlanShown:
    """Plan the correction of an earlier step

    For the scorekeeper. The plan plays the later decisions again under the rules. It stops at a decision that is no
    longer legal: send its replacement and request the plan again. Nothing is written.
    """
    require(requested_visit(game_id), "manage")
    return plan_shown(compute_correction_plan(book(), game_id, body.replacements))


def plan_shown(plan: Plan) -> PlanShown:
    stop = plan.stop
    told = None if stop is None else copy_fields(StopShown, stop, reason=reason_shown(stop.reason))
    return copy_fields(PlanShown, plan, stop=told)


# --- counts ----------------------------------------------------------------------------------------------------------


@corrections.reads("/games/<uuid:game_id>/counts", CountsShown, "the counts", query=Sighted)
def list_counts(query: Sighted, game_id: UUID) -> CountsShown:
    """List a game's counts

    The newest count comes first. Each has the places where the record differs, as far as this key may see them.
    """
    visit = requested_visit(game_id)
    game, sight = visit.game, sight_of(visit, query.view)
    return CountsShown(counting.counts_of_game(game, sight), counting.countable_places(game, sight))


@corrections.reads(
    "/games/<uuid:game_id>/counts/<int:count_step>/explanations",
    ExplanationsShown,
    "the slips, the likeliest first",
    query=SearchQuery,
    key=True,
)
@takes_long("GET")
def explain_count(query: SearchQuery, game_id: UUID, count_step: int) -> ExplanationsShown:
    """Explain a count

    For the scorekeeper. The answer has single slips, at the table or in the record, that explain the differences. The
    search runs in pieces: send `next` as `from` until it is null. Then sort the slips of all pieces by `weight`, and
    count those with the same `alike` as one.
    """
    visit = requested_visit(game_id)
    require(visit, "manage")
    game = visit.game
    open_to = next(
        (shown for shown in counting.counts_of_game(game, sight_of(visit)) if shown.step == count_step), None
    )
    if open_to is None:
        raise ApiError(404, "not_a_count", f"step {count_step} is not a count", "GET .../counts lists them")
    start = None if query.start is None else parse_cursor(query.start)
    looked = search_slips(game, count_step, start, query.plays)
    groups = rank_slips(looked.slips)
    return ExplanationsShown(
        [
            copy_fields(
                ExplanationShown,
                slip,
                correction=_resolutions_shown(slip.to_correction(game)),
                perhaps=not group.is_sure(groups, looked.unexplained),
            )
            for group in groups
            for slip in group.slips
            if all(path in open_to.differences for path in slip.explains)
        ],
        looked.done,
        looked.of,
        looked.late,
        None if looked.next is None else str(looked.next),
        looked.unexplained,
    )


def _resolutions_shown(instead: dict[int, Resolution] | None) -> dict[str, Resolution] | None:
    return None if instead is None else {str(step): resolution for step, resolution in instead.items()}


# --- records of the same play -----------------------------------------------------------------------------------------


@corrections.reads("/games/<uuid:game_id>/similar-games", GamesAlikeShown, "other records of the evening")
@takes_long("GET")
def list_similar_games(game_id: UUID) -> GamesAlikeShown:
    """List other records of the same play

    The list has games with nearly the same decisions that this key may read, and that have the same people or belong
    to this key. Each has the statements that the two are different plays. Both count until the scorekeeper of one
    abandons it (`.../abandon`).
    """
    return _alike_shown(requested_visit(game_id))


def _alike_shown(visit: Visit) -> GamesAlikeShown:
    return GamesAlikeShown(
        [
            GameAlikeShown(
                str(alike.kept.id),
                alike.kept.title,
                [copy_fields(SaidApartShown, statement, game=str(statement.game)) for statement in alike.statements],
                [str(club.id) for club in alike.clubs if may(ClubVisit(club, person() or ""), "read_club")],
                alike.is_apart,
            )
            for alike in _alike(visit)
        ]
    )


def _alike(visit: Visit) -> list[GameAlike]:
    people = seated.people_of(visit.game, visit.kept)
    return duplicate_games.games_alike(book(), visit.game, people, games_of_key(), holder)


def _keeper_of_either(visit: Visit, other_id: UUID) -> Grant:
    if all(alike.kept.id != other_id for alike in _alike(visit)):
        raise ApiError(404, "not_alike", "the other record is not similar", "GET .../similar-games lists similar ones")
    other = holder(other_id)
    return other if other is not None and has_role([other], other_id, "correct") else require(visit, "manage")


@corrections.acts(
    "/games/<uuid:game_id>/similar-games/<uuid:other_id>/separate", GamesAlikeShown, "what is said now", body=Why
)
@takes_long("POST")
def confirm_separate_games(body: Why, game_id: UUID, other_id: UUID) -> GamesAlikeShown:
    """State that two similar records are different plays

    For the scorekeeper of either game. Readers of both games see the author and the reason. A repeated request changes
    nothing.
    """
    visit = requested_visit(game_id)
    told_apart.say_apart(book(), (game_id, other_id), body.why, _keeper_of_either(visit, other_id))
    return _alike_shown(visit)


@corrections.acts(
    "/games/<uuid:game_id>/similar-games/<uuid:other_id>/separate/undo", GamesAlikeShown, "what is said now"
)
@takes_long("POST")
def withdraw_separate_games(game_id: UUID, other_id: UUID) -> GamesAlikeShown:
    """Withdraw the statement that two records are different plays

    For the scorekeeper of either game. The statement can still be read.
    """
    visit = requested_visit(game_id)
    told_apart.take_back(book(), (game_id, other_id), _keeper_of_either(visit, other_id))
    return _alike_shown(visit)


# --- side by side ----------------------------------------------------------------------------------------------------


@corrections.reads("/games/<uuid:game_id>/compare", StepsCompared, "what differs", query=TwoSteps)
@takes_long("GET")
def compare_steps(query: TwoSteps, game_id: UUID) -> StepsCompared:
    """Compare two steps of a game

    The answer has every place that differs, and the columns of both steps, as far as this key may see them.
    """
    visit = requested_visit(game_id)
    return compare.compare_steps(visit.game, query.one, query.other, sight_of(visit, query.view))


@corrections.route("/games/<uuid:game_id>/compare", methods=["POST"])
@corrections.arguments(Sighted, location="query")
@corrections.doc(requestBody={"required": True, "content": {RECORD: {"schema": {"type": "string"}}}})
@corrections.answers(200, Compared, "every difference", fails=ASK)
@takes_long("POST")
def compare_file(query: Sighted, game_id: UUID) -> Compared:
    """Compare a game with a record file of the same play

    The file is not stored. It is shown with the same view as the game.
    """
    visit = requested_visit(game_id)
    sight = sight_of(visit, query.view)
    theirs = recordfile.read_record_file(io.BytesIO(body(request, RECORD_KINDS)), now())
    return _answer_comparison(lambda: compare.compare_records(visit.game, theirs.game, sight, sight))


@corrections.reads(
    "/games/<uuid:game_id>/compare/<uuid:other_id>", Compared, "every difference", query=Sighted, fails=ASK
)
@takes_long("GET")
def compare_games(query: Sighted, game_id: UUID, other_id: UUID) -> Compared:
    """Compare two records of the same play

    The other game must be public, or the game of this key. Both are shown with a view that this key may use in both.
    """
    visit, other = requested_visit(game_id), requested_visit(other_id)
    sight = sight_of(visit, query.view)
    if sight not in sights_of(other.game, other.grant):
        sight = None
    return _answer_comparison(lambda: compare.compare_records(visit.game, other.game, sight, sight))


def _answer_comparison(comparing: Callable[[], Compared]) -> Compared:
    try:
        return comparing()
    except compare.NotComparableError as no:
        raise ApiError(422, "not_comparable", str(no), "compare two records of one game with as many seats") from no
