"""Page for proposing another decision for a mistyped step; the scorekeeper saves it."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, make_response, redirect, request, url_for
from werkzeug import Response

from daybook.domain.commands import Resolution
from daybook.domain.disputes import standing_step, step_of_cell
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.record import Game
from daybook.services.disputes.claims import can_propose
from daybook.services.permissions.actions import require
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.disputes import side_by_side
from daybook.web.recording import choices
from daybook.web.recording.grid import read_cell, recorded_cell
from daybook.web.request.access import render_game_page, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import whole_number_sent

page = Blueprint("mistyped", __name__)


@page.get("/games/<uuid:game_id>/mistyped")
def mistyped(game_id: UUID) -> Response:
    """List what a step could have been, or ask for its figure; each choice leads to a claim that proposes it."""
    visit = visit_game(game_id)
    require(visit, "claim")
    step = _requested_step(visit.game)
    if not can_propose(visit.game, step):
        raise NoSuchStepError(visit.game)
    game = visit.game
    board = replay.board_for_legality(game, game.parents[step], visit.sight)
    cell = recorded_cell(game, game.entries[step].event, board)
    if cell is not None and "figure" in request.args:
        world = game.twin()
        world.lay(board)
        world.status = "running"
        cell, decision = read_cell(world, cell, request.args["figure"], visit.names)
        if decision is not None:
            return redirect(_claim_address(game, step, [Move(cell.seat, plain(decision))]))
    shown = privacy_of_visit(visit).redact_step(next(replay.iter_steps(game, visit.sight, step - 1)))
    kinds = [] if cell is not None else _choices_by_kind(visit, step)
    leave_out = _claim_address(game, step, [])
    page = render_game_page("mistyped.html", visit, step=step, shown=shown, kinds=kinds, cell=cell, leave_out=leave_out)
    return make_response(page, 422 if cell is not None and cell.wrong else 200)


def _requested_step(game: Game) -> int:
    """Return the step of the address, or the one that entered the figure of the address's cell."""
    if "line" not in request.args:
        return standing_step(game, whole_number_sent("step"))
    step = step_of_cell(game, whole_number_sent("seat"), whole_number_sent("round"), request.args["line"])
    if step is None:
        raise NoSuchStepError(game)
    return step


def _choices_by_kind(visit: Visit, step: int) -> list[tuple[str, list[tuple[str, str, str]], bool]]:
    """Return label, choices and "is recorded" of each kind, the recorded kind first. A choice: label, note, address."""
    game, event = visit.game, visit.game.entries[step].event
    assert isinstance(event, DecisionRecorded)
    listed = replay.legal_decisions(game, game.parents[step], event.seat, visit.sight)
    legal = [decision for decision in listed if decision != event.decision]
    recorded, context = event.decision["type"], choices.choice_context(game, visit.names)
    return [
        (
            words.kind_label(visit.rules, kind),
            [
                (
                    words.sentence(visit.rules, decision, visit.names),
                    choices.decision_note(context, decision),
                    _claim_address(game, step, [Move(event.seat, decision)]),
                )
                for decision in decisions
            ],
            kind == recorded,
        )
        for kind, decisions in sorted(choices.group_by_kind(legal).items(), key=lambda kind: kind[0] != recorded)
    ]


def _claim_address(game: Game, step: int, moves: list[Move]) -> str:
    """Return the address of a new claim that proposes other decisions for a step; none leave it out."""
    packed = side_by_side.pack_resolutions({step: Resolution(moves)})
    return url_for("claims.new", game_id=game.id, step=step, c=packed)
