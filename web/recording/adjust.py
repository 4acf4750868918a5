"""Adjustments: correct the recorded board to match the table; only causes, not derived values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, make_response, request
from werkzeug import Response

from daybook.domain.commands import Adjust
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import TABLE
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.repetition import MovedOnError
from daybook.web.boards.table_privacy import privacy_of_visit, veil_in_force
from daybook.web.request.access import refusal_sentence, render_game_page, require_keeper, visit_game, write_sent
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import (
    cause_sent,
    changed_values,
    fresh_key,
    see_other,
    text_typed,
    whole_number_sent,
    why_sent,
    with_typed_texts,
)
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace, adjustable_places

page = Blueprint("adjust", __name__)


@page.route("/games/<uuid:game_id>/adjust", methods=["GET", "POST"])
def adjust(game_id: UUID) -> Response:
    """Correct causes on the board; the places of a step's player first, if the address names a step."""
    visit = visit_game(game_id)
    require_keeper(visit)
    step = whole_number_sent("step") if "step" in request.values else None
    places = privacy_of_visit(visit).cover_texts(adjustable_places(visit.game, visit.names))
    opened = None if step is None else group_of_step(visit, step)
    errors: dict[str, str] = {}
    typed: dict[str, str] = {}
    values: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        typed = _texts_typed(visit)
        values, unread = changed_values(places, typed)
        errors |= unread
        if not errors:
            receipt = _write_adjustment(visit, values, errors)
            if receipt is not None:
                return receipt
        status = 422
    sent = request.form if request.method == "POST" else {}
    return make_response(
        render_game_page(
            "adjust.html",
            visit,
            places=with_typed_texts(with_group_first(places, opened), typed),
            opened=opened,
            step=step,
            changed=values,
            wrong=errors,
            key=fresh_key(),
            hangs=veil_in_force(visit.game) is not None,
            cause=sent.get("cause", "mistyped"),
            why=sent.get("why", ""),
        ),
        status,
    )


def group_of_step(visit: Visit, step: int) -> str | None:
    """Return the group of places of the player who decided a step; None for a step of the table."""
    if not 0 <= step <= visit.game.step:
        raise NoSuchStepError(visit.game)
    (shown,) = replay.select_steps(visit.game, visit.sight, [step])
    return None if shown.seat is None or shown.seat == TABLE else str(shown.seat)


def with_group_first(
    places: Mapping[str, list[AdjustablePlace]], group: str | None
) -> dict[str, list[AdjustablePlace]]:
    """Return the places with one group before the others."""
    return dict(sorted(places.items(), key=lambda item: item[0] != group))


def _write_adjustment(visit: Visit, values: Mapping[str, Any], faults: dict[str, str]) -> Response | None:
    game_id = visit.game.id
    try:
        write_sent(visit, Adjust(dict(values), why_sent(), cause_sent()), whole_number_sent("at"))
    except Refused as refusal:
        field = "why" if refusal.reason.key in ("why_missing", "too_long") else "form"
        faults[field] = refusal_sentence(visit, refusal)
        return None
    except MovedOnError:
        faults["form"] = say("The game has continued")
        return None
    return see_other("record.record", game_id=game_id)


def _texts_typed(visit: Visit) -> dict[str, str]:
    """Return typed values that differ from what the form showed at its step."""
    at = whole_number_sent("at")
    if not 0 <= at <= visit.game.step:
        abort(400)
    places = privacy_of_visit(visit).cover_texts(adjustable_places(visit.game, visit.names, at))
    shown = (place for group in places.values() for place in group)
    sent = ((place, text_typed(place, request.form).strip()) for place in shown)
    return {place.path: text for place, text in sent if text != place.text}
