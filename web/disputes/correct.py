"""Correction of an earlier step: the true decision, its effects on later steps, and both boards.

The whole correction is in the address (`c`), so every state is a page and nothing is stored until it is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.commands import Correct, Resolution
from daybook.domain.corrections import Carried, Correction, FirstMisfit, Plan, correctable, sealed_since
from daybook.domain.disputes import standing_step
from daybook.domain.kernel.board import Document, difference, plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Seat, because
from daybook.services.disputes.corrections import is_forgotten_before
from daybook.services.permissions.sights import hides_nothing
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import framed_board
from daybook.web.boards.table_privacy import TablePrivacy, privacy_of_visit
from daybook.web.disputes import side_by_side
from daybook.web.disputes.as_played import requested_decision
from daybook.web.disputes.as_played_form import AsPlayedForm, fill_as_played_form
from daybook.web.recording import any_decision_form, choices
from daybook.web.recording.any_decision_form import AnyDecisionForm
from daybook.web.recording.choices import Plain
from daybook.web.recording.grid import RecordedCell, read_cell, recorded_cell
from daybook.web.request.access import refusal_sentence, render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.correction_results import (
    changed_figures,
    complete,
    impossible_sums,
    plan_correction,
    with_forgotten_steps,
)
from daybook.web.request.forms import fresh_key, see_other, text_sent, whole_number_sent, why_sent
from daybook.web.request.long_work import takes_long
from daybook.web.words import say, say_n

page = Blueprint("correct", __name__)

MAX_STEPS_LISTED = 40  # newest first
MAX_PLACES_NAMED = 3  # in the result of a correction that changes no figure
CORRECTION_MODES = (
    "right",
    "before",
    "stood",
)  # the true decision, a forgotten one before it, or one against the rules


class OpenKind(Frozen):
    """Legal decisions of a seat at that step, by kind."""

    seat: Seat
    kinds: list[tuple[str, list[tuple[str, str, str]], bool]]  # as `kinds_listed` of worlds.html shows them


class StepInQuestion(Frozen):
    """Step to correct, on the corrected line.

    Args:
        sealed: no one may read it, so it can only be entered again.
        closed: it cannot be entered either, since legality would reveal sealed decisions.
        as_recorded: offer to keep the step as recorded.
        cell: cell of a table of figures that the step filled.
        edits: address of the form with the recorded values, for a kind with too many decisions to list.
        takes: address of the correction to the entered decision, if the rules allow it.
        told: form of the decision.
        one: form of a decision against the rules.
    """

    step: int
    shown: StepShown
    how: str
    seats: list[OpenKind]
    sealed: bool
    closed: bool
    leave_out: str
    as_recorded: bool
    cell: RecordedCell | None
    edits: str
    takes: str
    told: AnyDecisionForm | None
    one: AsPlayedForm | None


class CorrectedLine(Frozen):
    """Step of the corrected line next to the recorded one."""

    carried: Carried
    shown: StepShown
    says: str
    figures: list[side_by_side.DifferingFigure]


class BoardsSideBySide(Frozen):
    """Both worlds side by side: at the stop, before what no longer fits; else at the end."""

    recorded: Markup
    corrected: Markup
    places: list[side_by_side.DifferingPlace]


class CorrectionView(Frozen):
    """Visit and correction of a page."""

    visit: Visit
    view: TablePrivacy
    instead: dict[int, Resolution]
    misfits: Sequence[FirstMisfit] = ()  # steps that did not fit until a further decision was found for each

    def redact(self, board: Board) -> Board:
        game, sight = self.visit.game, self.visit.sight
        hidden: Board = game.ruleset.secrecy.redact_board(board, sight)
        return board if hides_nothing(game, sight) else hidden


@page.route("/games/<uuid:game_id>/correct", methods=["GET", "POST"])
@takes_long("GET", "POST")
def correct(game_id: UUID) -> Response:
    visit = visit_game(game_id)
    require_keeper(visit)
    instead = side_by_side.unpack_resolutions(request.values.get("c", ""))
    looking = CorrectionView(visit, privacy_of_visit(visit), instead)
    try:
        return _answer_correction(looking)
    except Refused as no:
        return _correct_page(looking, None, None, 422, error=refusal_sentence(visit, no))


def _answer_correction(looking: CorrectionView) -> Response:
    if request.values.get("step") or request.values.get("by_hand"):
        looking = msgspec.structs.replace(looking, instead=with_forgotten_steps(looking.visit, looking.instead))
    else:
        completion = complete(looking.visit, looking.instead)
        looking = msgspec.structs.replace(looking, instead=completion.instead, misfits=completion.misfits)
    correction = plan_correction(looking.visit, looking.instead) if looking.instead else None
    plan = None if correction is None else correction.plan()
    if request.method == "POST" and request.form.get("do") == "write":
        return _write_correction(looking, correction)
    step = _requested_step(looking, plan)
    if step is None:
        return _correct_page(looking, correction, None)
    there = _step_in_question(looking, correction, step)
    if there.cell is not None and "figure" in request.args:
        world = _corrected_game(looking, correction, step)
        cell, decision = read_cell(world, there.cell, request.args["figure"], looking.visit.names)
        if decision is not None:
            resolution = Resolution([Move(cell.seat, plain(decision))])
            packed = side_by_side.pack_resolutions({**looking.instead, step: resolution})
            return redirect(url_for("correct.correct", game_id=looking.visit.game.id, c=packed))
        return _correct_page(looking, correction, msgspec.structs.replace(there, cell=cell), 422)
    if (
        request.method == "POST"
        and request.form.get("do") == "take"
        and there.one is not None
        and not (there.one.wrong or request.form.get("looked") != there.one.looked)
    ):
        return redirect(
            url_for(
                "correct.correct",
                game_id=looking.visit.game.id,
                c=side_by_side.pack_resolutions(
                    {**looking.instead, step: _resolution_as_played(looking, there, there.one)}
                ),
            ),
            303,
        )
    return _correct_page(looking, correction, there, 422 if there.one is not None and there.one.wrong else 200)


def _requested_step(looking: CorrectionView, plan: Plan | None) -> int | None:
    """Return the step in question: of the address, or where the plan stops."""
    if not request.values.get("step"):
        return None if plan is None or plan.stop is None else plan.stop.old
    step = whole_number_sent("step")
    if step in looking.visit.game.struck_steps():
        step = standing_step(looking.visit.game, step)
    if step not in correctable(looking.visit.game):
        raise Refused(
            because("not_correctable", "step {step} is not a decision or adjustment that still counts", step=step)
        )
    return step


# --- the step in question --------------------------------------------------------------------------------------------


def _step_in_question(looking: CorrectionView, correction: Correction | None, step: int) -> StepInQuestion:
    game, event = looking.visit.game, looking.visit.game.entries[step].event
    world = _corrected_game(looking, correction, step)
    sealed_at = sealed_since(game)
    sealed = sealed_at is not None and step >= sealed_at
    closed = sealed_at is not None and min([step, *looking.instead]) > sealed_at  # sealed decisions remain on the board
    stops = correction is not None and correction.stop is not None and correction.stop.old == step
    after = _after_inserted(looking, world, step)
    forgotten = (
        stops
        and not sealed
        and isinstance(event, DecisionRecorded)
        and is_forgotten_before(after.ruleset, after.board, event)
    )
    how = request.values.get("how") or ("before" if forgotten else "right")
    if how not in CORRECTION_MODES or (sealed and how == "before"):
        abort(400)
    told, one = None, None
    as_recorded = isinstance(event, DecisionRecorded) and not sealed
    if how == "stood":
        recorded = request.values.get("recorded") == "yes" and as_recorded and isinstance(event, DecisionRecorded)
        told = (
            AnyDecisionForm(event.seat, "", [], event.decision)
            if recorded and isinstance(event, DecisionRecorded)
            else (requested_decision(world, looking.visit.kept, looking.visit.sight, world.board))
        )
        if told.decision is not None and told.seat is not None:
            one = fill_as_played_form(
                world,
                looking.visit.kept,
                looking.visit.sight,
                looking.view,
                told.seat,
                told.decision,
                request.form if request.method == "POST" else {},
            )
    cell = recorded_cell(game, event, world.board) if how == "right" and not sealed else None
    edits = takes = ""
    if as_recorded and cell is None and isinstance(event, DecisionRecorded):
        edits = _form_address(looking, step, event)
    if one is not None and one.legal:
        packed = side_by_side.pack_resolutions({**looking.instead, step: Resolution([Move(one.seat, one.decision)])})
        takes = url_for("correct.correct", game_id=game.id, c=packed)
    return StepInQuestion(
        step,
        _step_seen(looking, step),
        how,
        []
        if how == "stood" or closed or cell is not None
        else _open_kinds(looking, after if how == "before" else world, step, how == "before"),
        sealed,
        closed,
        side_by_side.pack_resolutions({**looking.instead, step: Resolution()}),
        as_recorded,
        cell,
        edits,
        takes,
        told,
        one,
    )


def _steps_inserted(looking: CorrectionView, step: int) -> list[Move]:
    """Return the decisions that the correction inserts before a step."""
    event, resolution = looking.visit.game.entries[step].event, looking.instead.get(step)
    moves = [] if resolution is None else resolution.moves
    is_kept = isinstance(event, DecisionRecorded) and moves[-1:] == [Move(event.seat, event.decision)]
    return moves[:-1] if is_kept else []


def _after_inserted(looking: CorrectionView, world: Game, step: int) -> Game:
    """Return the game on the board on which the step itself is decided."""
    rules, board, after = world.ruleset, world.board, world.twin()
    try:
        for move in _steps_inserted(looking, step):
            board, _ = rules.play(board, move.seat, rules.decision(move.decision))
    except (IllegalDecision, *CANNOT_GO_ON):  # the plan stops here, and says why
        board = world.board
    after.lay(board)
    after.status = "running"
    return after


def _form_address(looking: CorrectionView, step: int, event: DecisionRecorded) -> str:
    """Return the address of the form with the recorded values; "" for a kind with all decisions listed."""
    game = looking.visit.game
    if not choices.is_open(game.ruleset.id, event.decision["type"]):
        return ""
    packed, decision = request.values.get("c") or None, msgspec.json.encode(event.decision).decode()
    return url_for(
        "correct.correct",
        game_id=game.id,
        c=packed,
        decision=decision,
        step=step,
        how="stood",
        seat=event.seat,
        change="yes",
    )


def _corrected_game(looking: CorrectionView, correction: Correction | None, step: int) -> Game:
    """Return the game on the board before the step, as the viewer sees it, for trials."""
    game = looking.visit.game
    if correction is None:
        board, strange = game.board_at(game.parents[step]), game.strange
    else:
        board, strange = _board_before(correction, step), correction.twin.strange
    world = game.twin()
    seen = looking.redact(board)
    world.lay(seen)
    world.status = "running"
    world.strange = strange or seen is not board
    return world


def _board_before(correction: Correction, step: int) -> Board:
    """Return the corrected board before what replaces a recorded step."""
    twin = correction.twin
    at = correction.back_to
    for carried in correction.carried:
        if carried.old >= step:
            break
        at = at if carried.step is None else carried.step
    else:
        return twin.board
    return twin.board_at(at)


def _open_kinds(looking: CorrectionView, world: Game, step: int, is_before: bool) -> list[OpenKind]:
    """Return the legal decisions of everyone at the step, the deciding seat first.

    The recorded decision is left out only as far as the viewer sees it.
    """
    event, rules = looking.visit.game.entries[step].event, looking.visit.game.ruleset
    shown = _step_seen(looking, step)
    seats = list(rules.course.to_act(world.board))
    if isinstance(event, DecisionRecorded):
        seats.sort(key=lambda seat: seat != event.seat)
    found = []
    for seat in seats:
        try:
            listed: list[Plain] = msgspec.to_builtins(rules.legal(world.board, seat))
        except CANNOT_GO_ON:  # on a board that an illegal move left behind
            continue
        decided = (shown.decision or {}) if isinstance(event, DecisionRecorded) and seat == event.seat else {}
        recorded = decided.get("type", "")
        legal = [decision for decision in listed if is_before or decision != decided]
        kinds = [
            (
                words.kind_label(rules.id, kind),
                [_choice(looking, step, seat, d, is_before) for d in some],
                kind == recorded and not is_before,
            )
            for kind, some in sorted(choices.group_by_kind(legal).items(), key=lambda kind: kind[0] != recorded)
        ]
        found.append(OpenKind(seat, kinds))
    return found


def _choice(looking: CorrectionView, step: int, seat: Seat, decision: Plain, before: bool) -> tuple[str, str, str]:
    """Return a decision's sentence, its note, and the address of the correction that it makes."""
    game, names = looking.visit.game, looking.visit.names
    event, context = game.entries[step].event, choices.choice_context(game, names)
    moves = [*(_steps_inserted(looking, step) if before else ()), Move(seat, decision)]
    if before and isinstance(event, DecisionRecorded):
        moves.append(Move(event.seat, event.decision))
    packed = side_by_side.pack_resolutions({**looking.instead, step: Resolution(moves)})
    return (
        words.sentence(looking.visit.rules, decision, names),
        choices.decision_note(context, decision),
        url_for("correct.correct", game_id=game.id, c=packed),
    )


def _resolution_as_played(looking: CorrectionView, question: StepInQuestion, form: AsPlayedForm) -> Resolution:
    event = looking.visit.game.entries[question.step].event
    if isinstance(event, DecisionRecorded) and (event.seat, event.decision) == (form.seat, form.decision):
        return Resolution(as_played=True, values=form.values)
    return Resolution([Move(form.seat, form.decision)], as_played=True, values=form.values)


def _step_seen(looking: CorrectionView, step: int) -> StepShown:
    return looking.view.redact_step(next(replay.iter_steps(looking.visit.game, looking.visit.sight, step - 1)))


# --- effects
# -----------------------------------------------------------------------------------------------------------


def _corrected_lines(looking: CorrectionView, plan: Plan) -> list[CorrectedLine]:
    shown = {
        step.step: looking.view.redact_step(step)
        for step in replay.iter_steps(looking.visit.game, looking.visit.sight, plan.step - 1)
    }
    return [
        CorrectedLine(
            carried,
            shown[carried.old],
            ""
            if carried.decision is None
            else words.sentence(looking.visit.rules, carried.decision, looking.visit.names),
            side_by_side.differing_figures(looking.visit.game, carried.columns_recorded, carried.columns, looking.view),
        )
        for carried in plan.carried
    ]


def _result_sentence(
    looking: CorrectionView, correction: Correction, plan: Plan, places: Sequence[side_by_side.DifferingPlace]
) -> str:
    """Say in one line what a correction changes; without figures, places on the board."""
    if figures := changed_figures(looking.visit, correction, plan):
        return figures
    if not places:
        return say("Nothing else changes.")
    named = [
        say("{place}: {was} → {now}", place=place.label, was=place.was, now=place.now)
        for place in places[:MAX_PLACES_NAMED]
    ]
    if len(places) > len(named):
        named.append(say("{n} more", n=len(places) - len(named)))
    return " · ".join(named)


class CompletedStep(Frozen):
    """A later step that no longer fits, and what the correction does about it.

    Args:
        rule: "" if no rule refuses it.
        moves: ends of turns before it, as sentences with their seats; none: it is left out.
    """

    step: int
    shown: StepShown
    rule: str
    reason: str
    moves: list[tuple[Seat, str]]


class CorrectionResult(Frozen):
    """Result of a correction in one line, which is "" while it needs a decision.

    Args:
        instead: with the steps that it makes necessary.
        warnings: sums of figures that cannot be, in the rounds that it changes.
        completed: later steps that fit only with the further decisions in `instead`.
    """

    instead: dict[int, Resolution]
    plan: Plan
    says: str
    warnings: list[str]
    completed: Sequence[CompletedStep] = ()


def completed_steps(looking: CorrectionView) -> list[CompletedStep]:
    """Return the later steps that did not fit, with what was found for each."""
    rules, names = looking.visit.rules, looking.visit.names
    return [
        CompletedStep(
            misfit.old,
            _step_seen(looking, misfit.old),
            misfit.rule,
            words.reason_sentence(misfit.reason, rules, names),
            [
                (move.seat, words.sentence(rules, move.decision, names))
                for move in looking.instead[misfit.old].moves[:-1]
            ],
        )
        for misfit in looking.misfits
    ]


def correction_result(visit: Visit, instead: dict[int, Resolution]) -> CorrectionResult:
    """Work out a correction for a visitor with full sight. Raises Refused."""
    completion = complete(visit, instead)
    looking = CorrectionView(visit, privacy_of_visit(visit), completion.instead, completion.misfits)
    correction = plan_correction(visit, looking.instead)
    plan = correction.plan()
    if plan.stop is not None:
        return CorrectionResult(looking.instead, plan, "", [])
    places = side_by_side.differing_places(
        visit.game, difference(*_documents_compared(looking, correction, plan)), visit.names, looking.view
    )
    warnings = impossible_sums(visit.game, correction.twin.board)
    says = _result_sentence(looking, correction, plan, places)
    return CorrectionResult(looking.instead, plan, says, warnings, completed_steps(looking))


def _documents_compared(looking: CorrectionView, correction: Correction, plan: Plan) -> tuple[Document, Document]:
    """Return the recorded and the corrected board as the visitor sees them: where the plan stops, or at the end."""
    game = looking.visit.game
    recorded = game.board if plan.stop is None else game.board_at(game.parents[plan.stop.old])
    return looking.redact(recorded).document(), looking.redact(correction.twin.board).document()


def _boards_side_by_side(looking: CorrectionView, correction: Correction, plan: Plan) -> BoardsSideBySide:
    game = looking.visit.game
    recorded_document, corrected_document = _documents_compared(looking, correction, plan)
    return BoardsSideBySide(
        framed_board(
            game, looking.visit.names, looking.visit.sight, looking.view, recorded_document, corrected_document
        ),
        framed_board(
            game,
            looking.visit.names,
            looking.visit.sight,
            looking.view,
            corrected_document,
            recorded_document,
            suffix="-second",
        ),
        side_by_side.differing_places(
            game, difference(recorded_document, corrected_document), looking.visit.names, looking.view
        ),
    )


# --- writing ---------------------------------------------------------------------------------------------------------


def _write_correction(looking: CorrectionView, correction: Correction | None) -> Response:
    visit, why = looking.visit, why_sent()
    if correction is None:
        abort(400)
    if not why.strip():
        return _correct_page(looking, correction, None, 422, fault=say("Say what was wrong."))
    try:
        said = Correct(looking.instead, why, text_sent("digest"))
        receipt = write_sent(visit, said, whole_number_sent("at"))
    except Refused as no:  # such as another plan than was looked at
        fault = words.reason_sentence(no.reason, visit.rules, visit.names)
        return _correct_page(looking, correction, None, 422, fault=fault)
    plan = correction.plan()
    if plan.left:
        flash(
            say_n(
                "The correction is saved. {n} step is left: enter what really happened, from step {step} on.",
                "The correction is saved. {n} steps are left: enter what really happened, from step {step} on.",
                len(plan.left),
                step=plan.left[0],
            )
        )
        return see_other("record.record", game_id=visit.game.id)
    flash(say("The correction is saved."))
    return page_after_correction(visit, plan, receipt.step)


def page_after_correction(visit: Visit, plan: Plan, step: int) -> Response:
    """Return to recording, or to the end of a game that is over."""
    if plan.over:
        return see_other("replay.replay", game_id=visit.game.id, step=step)
    return see_other("record.record", game_id=visit.game.id)


# --- the page --------------------------------------------------------------------------------------------------------


def _usual_reason(instead: Mapping[int, Resolution]) -> str:
    """Return the reason that the form begins with."""
    left_out = [not resolution.moves and not resolution.as_played for resolution in instead.values()]
    if not left_out or not left_out[0]:
        return say("it was mistyped")
    return say("This step never happened") if sum(left_out) == 1 else say("This turn never happened")


def _correct_page(
    looking: CorrectionView,
    correction: Correction | None,
    question: StepInQuestion | None,
    status: int = 200,
    error: str = "",
    fault: str = "",
) -> Response:
    visit = looking.visit
    plan = None if correction is None else correction.plan()
    both = None if correction is None or plan is None else _boards_side_by_side(looking, correction, plan)
    answer = make_response(
        render_game_page(
            "correct.html",
            visit,
            plan=plan,
            there=question,
            wrong=error,
            fault=fault,
            key=fresh_key(),
            packed=side_by_side.pack_resolutions(looking.instead) if looking.instead else "",
            instead=looking.instead,
            completed=completed_steps(looking),
            packed_as_asked=request.values.get("c", ""),
            lines=[] if plan is None else _corrected_lines(looking, plan),
            why=why_sent() if request.method == "POST" else _usual_reason(looking.instead),
            result=""
            if correction is None or plan is None or both is None or plan.stop is not None
            else _result_sentence(looking, correction, plan, both.places),
            figures=[]
            if plan is None
            else side_by_side.differing_figures(visit.game, plan.columns_recorded, plan.columns, looking.view),
            both=both,
            without=_queries_without(looking.instead),
            contradicted=[] if plan is None else _contradicted_sentences(looking, plan),
            warnings=[] if correction is None else impossible_sums(visit.game, correction.twin.board),
            stopped=None if plan is None or plan.stop is None else _step_seen(looking, plan.stop.old),
            steps=_steps_to_choose(looking) if plan is None and question is None else [],
            kinds=any_decision_form.kinds_of_game(visit.game),
            seats=(*range(len(visit.names)), TABLE),
            stop_reason=""
            if plan is None or plan.stop is None
            else (words.reason_sentence(plan.stop.reason, visit.rules, visit.names)),
        ),
        status,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _queries_without(instead: Mapping[int, Resolution]) -> list[tuple[int, str]]:
    """Return, for each corrected step, the query of the correction without it."""
    if len(instead) < 2:
        return []
    return [
        (step, side_by_side.pack_resolutions({k: v for k, v in instead.items() if k != step}))
        for step in sorted(instead)
    ]


def _steps_to_choose(looking: CorrectionView) -> Sequence[StepShown]:
    """Return the correctable steps, newest first."""
    able = correctable(looking.visit.game)
    last = able[-MAX_STEPS_LISTED:]
    if request.args.get("all"):
        last = able
    wanted = set(last)
    if not wanted:
        return []
    return [
        looking.view.redact_step(step)
        for step in replay.iter_steps(looking.visit.game, looking.visit.sight, last[0] - 1)
        if step.step in wanted
    ][::-1]


def _contradicted_sentences(looking: CorrectionView, plan: Plan) -> list[str]:
    """Say which counts the corrected board contradicts, and where."""
    visit, sentences = looking.visit, list[str]()
    for contradiction in plan.contradicted:
        shown = [path for path in contradiction.places if not looking.view.hides_place(path)]
        labels = [label for path in shown if (label := words.place_label(visit.rules, path, visit.names)) is not None]
        places = words.join_words(labels) if labels else say("the board")
        sentences.append(
            say(
                "You counted these in step {step}, and the correction changes them: {places}",
                step=contradiction.count,
                places=places,
            )
        )
    return sentences
