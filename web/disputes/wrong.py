"""Page "This step is wrong": what the user can do about it."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, url_for

from daybook.domain.commands import TakeBack
from daybook.domain.corrections import correctable
from daybook.domain.kernel.frozen import Frozen
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.request.access import render_game_page, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import whole_number_sent
from daybook.web.words import say

page = Blueprint("wrong", __name__)


class RemedyOffered(Frozen):
    """One thing that can be done: where it is done, what it is, and when it is the right thing."""

    address: str
    says: str
    when: str


@page.get("/games/<uuid:game_id>/wrong")
def wrong(game_id: UUID) -> str:
    """Show what a user can do about a wrong step: undo, correct, claim and the like."""
    visit = visit_game(game_id)
    game = visit.game
    require(visit, "claim")
    step = whole_number_sent("step")
    if not 0 <= step <= game.step:
        raise NoSuchStepError(game)
    shown = privacy_of_visit(visit).redact_step(next(replay.iter_steps(game, visit.sight, step - 1)))
    return render_game_page("wrong.html", visit, step=step, shown=shown, remedies=_remedies_offered(visit, step))


def _remedies_offered(visit: Visit, step: int) -> list[RemedyOffered]:
    game = visit.game
    corrects = visit.running and may(visit, "correct")
    stands = step in correctable(game)
    found = []
    if corrects and stands:
        found.append(
            RemedyOffered(
                url_for("correct.correct", game_id=game.id, step=step),
                say("The record is wrong: correct it"),
                say(
                    "Something else happened at the table, a step was forgotten, or it never happened. Later steps are kept, and you see first what changes."
                ),
            )
        )
    found.append(
        RemedyOffered(
            url_for("claims.new", game_id=game.id, step=step),
            say("The table was wrong: claim it"),
            say(
                "It was played like that, but it is against the rules, or you disagree. Daybook shows what the rules say. The umpire rules, or all players agree."
            ),
        )
    )
    if corrects:
        found.append(
            RemedyOffered(
                url_for("count.count", game_id=game.id),
                say("The amounts do not add up: count now"),
                say(
                    "Enter what really lies in front of you. Daybook names the steps that most likely explain a difference."
                ),
            )
        )
    if stands and visit.running and may(visit, TakeBack, to_step=game.parents[step]):
        found.append(
            RemedyOffered(
                url_for("record.undo", game_id=game.id, to_step=game.parents[step]),
                say("Undo to before it"),
                say("This step and everything after it are struck out, and you continue from there."),
            )
        )
    if may(visit, "fork"):
        found.append(
            RemedyOffered(
                url_for("what_if.lines", game_id=game.id, step=game.parents[step] if step else 0),
                say("Try something else"),
                say("A private what-if. It does not change the record."),
            )
        )
    return found
