"""The evening in ten moments: what decided a game, on one sheet of paper or one phone."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, render_template, request

from daybook.web.boards import charts, mark_symbols
from daybook.web.replay import ledger
from daybook.web.replay.replay import asked_sight, filmstrip_of
from daybook.web.replay.turning_points import moments_of
from daybook.web.request.access import visit_game
from daybook.web.request.long_work import takes_long
from daybook.web.request.sharing import preview_step
from daybook.web.words import game_title, say

page = Blueprint("moments", __name__)


@page.get("/games/<uuid:game_id>/moments")
@takes_long("GET")
def moments(game_id: UUID) -> str:
    visit = visit_game(game_id)
    with filmstrip_of(visit, asked_sight(visit)) as (head, filmstrip):
        column = filmstrip.columns[-1]
        found = moments_of(filmstrip)
        preview_step(visit, filmstrip.newest, say("The evening in ten moments"))
        chart = charts.build_chart(column, [step.columns[column] for step in filmstrip.steps]) if found else None
        return render_template(
            "replay_moments.html",
            game=head,
            filmstrip=filmstrip,
            scene=filmstrip.scene,
            chart=chart,
            symbols=mark_symbols(filmstrip.scene.table.colours),
            called=game_title(visit.game.game_key),
            column=column,
            moments=found,
            periods=ledger.jumps(filmstrip.scene.ruleset, filmstrip.steps, filmstrip.periods),
            view=request.args.get("view", ""),
        )
