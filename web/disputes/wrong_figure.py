"""Page for proposing the right number of a figure on the board; the scorekeeper saves it with one tap."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, request
from werkzeug import Response

from daybook.domain import commands
from daybook.domain.kernel.chronicle import Refused
from daybook.services.disputes import claims
from daybook.services.permissions.actions import require
from daybook.services.permissions.visits import Visit
from daybook.services.play.repetition import MovedOnError
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.disputes.claim_access import MOVED_ON
from daybook.web.recording.adjust import group_of_step, with_group_first
from daybook.web.request.access import book, refusal_sentence, render_game_page, visit_game
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import (
    changed_values,
    fresh_key,
    key_sent,
    see_other,
    whole_number_sent,
    with_typed_texts,
)
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace, BoardPlaces, countable_places
from daybook.web.words.record_words import FIGURE_STATEMENT

page = Blueprint("wrong_figure", __name__)


@page.route("/games/<uuid:game_id>/wrong/figure", methods=["GET", "POST"])
def wrong_figure(game_id: UUID) -> Response:
    """List the figures that the visitor sees, by player, that of the step first; changed ones become a claim."""
    visit = visit_game(game_id)
    game = visit.game
    require(visit, "claim")
    step = whole_number_sent("step")
    opened = group_of_step(visit, step)
    places, errors, values = figures_to_claim(visit), dict[str, str](), dict[str, Any]()
    if not places:
        raise NoSuchStepError(game)
    if request.method == "POST":
        seat = None if request.form.get("seat", "") == "" else whole_number_sent("seat")
        grant = require(visit, commands.RaiseClaim, seat=seat)
        values, errors = changed_values(places, request.form)
        if not values and not errors:
            errors["form"] = say("Change the figure that is wrong.")
        if not errors:
            try:
                claims.raise_claim(
                    book(), game_id, step, FIGURE_STATEMENT, seat=seat, values=values, by=grant.by, key=key_sent()
                )
                return see_other("record.record", game_id=game_id)
            except MovedOnError:
                errors["form"] = say(MOVED_ON)
            except Refused as no:
                errors["form"] = refusal_sentence(visit, no)
        places = with_typed_texts(places, request.form)
    page = render_game_page(
        "wrong_figure.html",
        visit,
        step=step,
        places=with_group_first(places, opened),
        opened=opened,
        changed=values,
        wrong=errors,
        key=fresh_key(),
        seats=visit.seats_spoken_for,
        keeps="scorekeeper" in {grant.role for grant in visit.grants},
    )
    return make_response(page, 422 if errors else 200)


def figures_to_claim(visit: Visit) -> dict[str, list[AdjustablePlace]]:
    """Return the numbers on the board that the visitor sees and that can be corrected, by owner: the own ones first."""
    game, view = visit.game, privacy_of_visit(visit)
    if not visit.takes_corrections or game.ruleset.course.figure is not None:  # a sheet's figure is a step
        return {}
    board_places, found = BoardPlaces(game, visit.names), dict[str, list[AdjustablePlace]]()
    for seat, place in countable_places(game, visit.names, visit.sight):
        shaped = board_places.shape(place)
        if shaped.shape == "number" and not view.hides_place(place.path):
            found.setdefault("" if seat is None else str(seat), []).append(shaped)
    return dict(sorted(found.items(), key=lambda group: (group[0] == "", group[0] not in map(str, visit.own_seats))))
