"""This step is wrong: what can be done about it, by whoever asks, in the words of what happened at the table."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Blueprint, abort, render_template, url_for

from daybook.domain.corrections import correctable
from daybook.domain.kernel.record import Game
from daybook.services.people import access
from daybook.services.people.access import EVERYTHING
from daybook.services.play import replay
from daybook.web.disputes.claims_of_game import claimant, colours_of
from daybook.web.recording.desk import may_take_back, view_of
from daybook.web.request.access import grants_of, readable, sights
from daybook.web.request.forms import whole_of
from daybook.web.words import say

page = Blueprint("wrong", __name__)


class Remedy(msgspec.Struct, frozen=True):
    """One thing that can be done: where it is done, what it is, and when it is the right thing."""

    address: str
    says: str
    when: str


@page.get("/games/<uuid:id>/wrong")
def wrong(id: UUID) -> str:
    """For everybody who plays and the scorekeeper; each is offered what is theirs to do."""
    game, kept = readable(id)
    claimant(game)
    step = whole_of("step")
    if not 0 <= step <= game.step:
        abort(404, "step")
    shown = view_of(game).told(next(replay.steps(game, sights(id)[0], step - 1)))
    return render_template(
        "wrong.html", game=game, kept=kept, names=kept.names, colours=colours_of(game), rules=game.ruleset.id,
        step=step, shown=shown, remedies=_remedies(game, step))


def _remedies(game: Game, step: int) -> list[Remedy]:
    corrects = game.status == "running" and any(access.may_correct(grant, game.id) for grant in grants_of(game.id))
    stands = step in correctable(game)
    found = []
    if corrects and stands:
        found.append(Remedy(
            url_for("correct.correct", id=game.id, step=step), say("The record is wrong: put it right"), say(
                "Something else happened at the table than was written down, or a step was forgotten, or it never "
                "happened. What came later is carried forward; what that changes is seen first.")))
    found.append(Remedy(
        url_for("claims.new", id=game.id, step=step), say("The table was wrong: claim it"), say(
            "It was played like that, and the rules do not allow it, or you do not agree. Daybook says what the rules "
            "have to do with it; the umpire rules, or all of you together.")))
    if corrects:
        found.append(Remedy(url_for("count.count", id=game.id), say("The amounts do not add up: count now"), say(
            "Write what really lies in front of you. The steps that most likely explain a difference are named.")))
    if stands and game.status == "running" and may_take_back(game, game.parents[step]):
        found.append(Remedy(
            url_for("record.undo", id=game.id, to=game.parents[step]), say("Take back to before it"), say(
                "It and all that came later is struck, and you go on from there.")))
    if EVERYTHING in sights(game.id):
        found.append(Remedy(
            url_for("what_if.lines", id=game.id, step=game.parents[step] if step else 0),
            say("Try what would have come of something else"),
            say("A line of your own, beside the record. Nothing is written into it.")))
    return found
