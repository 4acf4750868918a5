"""Struck steps with their reasons, two steps side by side, and comparison of two records of an evening."""

from __future__ import annotations

import io
from collections.abc import Sequence
from uuid import UUID

from flask import Blueprint, make_response, request
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.disputes import compare
from daybook.services.disputes.compare import Compared, NotComparableError, Part, StepsCompared
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFileError
from daybook.services.permissions.actions import MayNotError
from daybook.services.permissions.sights import Sight, sights_of
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.web import words
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import TablePrivacy, privacy_for, privacy_of_visit
from daybook.web.disputes import side_by_side
from daybook.web.replay import ledger
from daybook.web.replay.ledger import LedgerNote
from daybook.web.replay.replay import requested_sight, sight_label
from daybook.web.request.access import book, grants_of, held_grants, render_game_page, visit_another, visit_game
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import parse_number
from daybook.web.request.long_work import takes_long
from daybook.web.words import Names, say

page = Blueprint("compare", __name__)

MAX_PARTS_SHOWN = 60  # of a comparison


class StruckSteps(Frozen):
    """A take-back: author, time, reason, and each struck step with its replacements."""

    back: StepShown
    by: str
    steps: list[tuple[StepShown, list[LedgerNote]]]


class DifferenceInWords(Frozen):
    """A place at which two records differ, as they tell it."""

    part: Part
    one: list[StepShown]
    other: list[StepShown]


class OtherRecord(Frozen):
    """Record to compare with.

    Args:
        id: of a stored, readable game.
    """

    title: str
    names: tuple[str, ...]
    game: Game
    sight: Sight
    view: TablePrivacy
    id: UUID | None = None


class StepsBeside(Frozen):
    """Two steps of a game on the page: their sentences, the board after each, and the differences."""

    compared: StepsCompared
    told: dict[int, StepShown]
    boards: tuple[Markup, Markup]
    figures: Sequence[side_by_side.DifferingFigure]
    places: Sequence[side_by_side.DifferingPlace]


class RecordsCompared(Frozen):
    """Two records for the page.

    Args:
        more: number of omitted differences.
        parted: the first equal steps that leave different figures.
    """

    compared: Compared
    other: OtherRecord
    apart: Sequence[DifferenceInWords]
    more: int
    parted: tuple[StepShown, StepShown] | None
    figures: Sequence[side_by_side.DifferingFigure]


class ComparableGame(Frozen):
    """A game that this browser may read and that this one can be compared with."""

    id: UUID
    title: str


limit_bodies(page, RECORD_FILE_BYTES)


# --- struck lines ----------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:game_id>/undone-steps")
def undone_steps(game_id: UUID) -> str:
    """Show every struck step with author, reason and replacements."""
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    view = privacy_of_visit(visit)
    shown = [view.redact_step(step) for step in replay.iter_steps(game, requested_sight(visit))]
    heirs = ledger.replacements_of(shown)
    gone = [
        StruckSteps(
            back,
            words.by_label(back.by, kept.names, visit.writers),
            [
                (
                    step,
                    ledger.draw_notes(step)
                    + [
                        LedgerNote("kin", say("recorded again as step {step}", step=heir), heir)
                        for heir in heirs.get(step.step, ())
                    ],
                )
                for step in shown
                if step.taken_back_by == back.step
            ],
        )
        for back in reversed(shown)
        if back.type == "decisions_taken_back" and not back.redone
    ]
    return render_game_page("struck.html", visit, gone=gone)


# --- two steps -------------------------------------------------------------------------------------------------------


@page.route("/games/<uuid:game_id>/compare", methods=["GET", "POST"])
@takes_long("GET", "POST")
def beside(game_id: UUID) -> Response:
    """Compare two steps (a and b), or the game with another record: `with` a game here, or with a file."""
    visit = visit_game(game_id)
    sight = requested_sight(visit)
    if request.method == "POST":
        return _compare_with_file(visit, sight)
    other = request.args.get("with", "").strip().rstrip("/").rpartition("/")[2]
    if other:
        return _compare_with_game(visit, sight, other)
    return _compare_steps(visit, sight)


def _compare_steps(visit: Visit, sight: Sight) -> Response:
    game, kept, view = visit.game, visit.kept, privacy_of_visit(visit)
    a, b = (
        _requested_step(game, name, otherwise) for name, otherwise in (("a", max(0, game.step - 1)), ("b", game.step))
    )
    compared = compare.compare_steps(game, a, b, sight)
    at, then = (replay.position_at(game, step, sight).board for step in (a, b))
    told = {step.step: view.redact_step(step) for step in replay.select_steps(game, sight, {a, b})}
    beside = StepsBeside(
        compared,
        told,
        (
            framed_board(game, kept.names, sight, view, at, then),
            framed_board(game, kept.names, sight, view, then, at, suffix="-second"),
        ),
        side_by_side.differing_figures(game, compared.columns_one, compared.columns_other, view),
        side_by_side.differing_places(game, compared.changes, kept.names, view),
    )
    return _compare_page(visit, sight, steps=beside)


def _requested_step(game: Game, name: str, otherwise: int) -> int:
    text = request.args.get(name, "")
    if not text:
        return otherwise
    step = parse_number(text)
    if step is None or not 0 <= step <= game.step:
        raise NoSuchStepError(game)
    return step


# --- two records -----------------------------------------------------------------------------------------------------


def _compare_with_game(visit: Visit, sight: Sight, address: str) -> Response:
    try:
        other_id = UUID(address)
    except ValueError:
        return _compare_page(visit, sight, 422, error=say("That is not a game. Paste the address of a game."))
    try:
        theirs = visit_another(other_id)
    except (UnknownGameError, MayNotError, *UNREADABLE):
        return _compare_page(visit, sight, 422, error=say("That game is not here, or you need a link to read it."))
    if sight not in sights_of(theirs.game, theirs.grant):
        sight = None  # places hidden in one record would look like differences
    return _compare_records(
        visit,
        sight,
        OtherRecord(theirs.kept.title, theirs.names, theirs.game, sight, privacy_of_visit(theirs), theirs.game.id),
    )


def _compare_with_file(visit: Visit, sight: Sight) -> Response:
    """Compare with an uploaded file, which is not stored, as this browser sees the game."""
    sent = request.files.get("record")
    if sent is None or not sent.filename:
        return _compare_page(visit, sight, 422, error=say("No file was chosen."))
    try:
        record = recordfile.read_record_file(io.BytesIO(sent.read()), now())
        own = [grant.seat for grant in grants_of(record.game.id) if grant.seat is not None]
        return _compare_records(
            visit,
            sight,
            OtherRecord(
                record.header.title,
                tuple(seat.name for seat in record.header.seats),
                record.game,
                sight,
                privacy_for(record.game, own, visit.unveiled),
            ),
        )
    except BadFileError as bad:
        return _compare_page(
            visit, sight, 422, error=say("Line {line}: {says}", line=bad.line, says=words.fault_sentence(bad.fault))
        )


def _compare_records(visit: Visit, sight: Sight, record: OtherRecord) -> Response:
    game, view = visit.game, privacy_of_visit(visit)
    try:
        compared = compare.compare_records(game, record.game, sight, record.sight)
    except NotComparableError as refusal:
        return _compare_page(visit, sight, 422, error=words.fault_sentence(refusal.fault))
    mine, theirs = _steps_seen(game, sight, view), _steps_seen(record.game, record.sight, record.view)
    apart = [
        DifferenceInWords(part, [mine[step] for step in part.one], [theirs[step] for step in part.other])
        for part in compared.parts[:MAX_PARTS_SHOWN]
    ]
    strictest = view if view.columns else record.view  # what is covered in either is not shown
    beside = RecordsCompared(
        compared,
        record,
        apart,
        more=len(compared.parts) - len(apart),
        parted=None if compared.figures is None else (mine[compared.figures[0]], theirs[compared.figures[1]]),
        figures=side_by_side.differing_figures(game, compared.columns_one, compared.columns_other, strictest),
    )
    return _compare_page(visit, sight, records=beside)


def _steps_seen(game: Game, sight: Sight, view: TablePrivacy) -> dict[int, StepShown]:
    return {step.step: view.redact_step(step) for step in replay.iter_steps(game, sight)}


# --- the page --------------------------------------------------------------------------------------------------------


def _compare_page(
    visit: Visit,
    sight: Sight,
    status: int = 200,
    *,
    error: str = "",
    steps: StepsBeside | None = None,
    records: RecordsCompared | None = None,
) -> Response:
    names = visit.kept.names
    answer = make_response(
        render_game_page(
            "compare.html",
            visit,
            wrong=error,
            view=request.args.get("view", ""),
            kin=_comparable_games(visit.game),
            sees=sight_label(sight, names),
            steps=steps,
            records=records,
            other_names=_fitting_names(records.other, names) if records else names,
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _fitting_names(record: OtherRecord, names: Names) -> Names:
    """Return the other record's names if it has all of them."""
    return record.names if len(record.names) == len(names) else names


def _comparable_games(game: Game) -> list[ComparableGame]:
    """Return games of the same rules and number of seats for which this browser has links."""
    found = {}
    for grant in held_grants():
        kept, theirs = book().kept.game(grant.game), book().games.find(grant.game)
        if grant.game == game.id or grant.game in found or kept is None or theirs is None:
            continue
        if theirs.ruleset.id == game.ruleset.id and len(theirs.opening.seats) == len(game.opening.seats):
            found[grant.game] = ComparableGame(grant.game, kept.title)
    return list(found.values())
