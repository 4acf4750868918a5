"""Start a what-if line with the decision that the practice player prefers to a move."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import Move
from daybook.services.analysis import win_chances
from daybook.services.disputes import forks
from daybook.web import words
from daybook.web.disputes.what_if import fork_owners, visit_to_fork
from daybook.web.request.access import book
from daybook.web.request.forms import see_other, whole_number_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.template_globals import as_sentence

page = Blueprint("better_moves", __name__)


@page.post("/games/<uuid:game_id>/chances/better")
@takes_long("POST")
def try_better(game_id: UUID) -> Response:
    """Open a what-if for a move with a known better one."""
    visit = visit_to_fork(game_id)
    step = whole_number_sent("step")
    analysis = win_chances.analysis_of(book(), visit.game)
    weighed = next((move.weighed for move in analysis.moves if move.step == step), None)
    if weighed is None or weighed.better is None:
        abort(404)
    try:
        line = forks.create_fork(
            book(),
            game_id,
            visit.game.parents[step],
            owner=fork_owners(visit)[0],
            moves=[Move(weighed.seat, weighed.better)],
        )
    except Refused as no:
        flash(as_sentence(words.reason_sentence(no.reason)))
        return see_other("what_if.lines", game_id=game_id)
    return see_other("what_if.line", game_id=game_id, fork=line.id)
