"""The ten moments that decided a game, on one sheet of paper or one phone."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, render_template, request

from daybook.web.boards import mark_symbols
from daybook.web.replay import ledger
from daybook.web.replay.bars import is_counted_at_end
from daybook.web.replay.replay import filmstrip_of, requested_sight
from daybook.web.replay.turning_points import describe_moments
from daybook.web.request.access import visit_game
from daybook.web.request.long_work import takes_long
from daybook.web.request.sharing import preview_step
from daybook.web.words import game_title, say

page = Blueprint("moments", __name__)


@page.get("/games/<uuid:game_id>/moments")
@takes_long("GET")
def moments(game_id: UUID) -> str:
    visit = visit_game(game_id)
    with filmstrip_of(visit, requested_sight(visit)) as (head, filmstrip):
        column = filmstrip.columns[-1]
        found = describe_moments(filmstrip)
        preview_step(visit, filmstrip.newest, say("The evening in ten moments"))
        chart = filmstrip.chart(column) if found else None
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
            at_end=is_counted_at_end(filmstrip),
            periods=ledger.period_starts(filmstrip.scene.ruleset, filmstrip.standing_steps(), filmstrip.periods),
            view=request.args.get("view", ""),
        )
