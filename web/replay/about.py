"""What a record is: its facts, its receipt, and the file that anyone can check."""

from __future__ import annotations

import re
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, render_template

from daybook.domain.kernel.record import DecisionRecorded
from daybook.services.files import import_export
from daybook.services.people import access
from daybook.web.recording.links import qr
from daybook.web.request.access import book, current_grant, readable
from daybook.web.request.origin import own_address

page = Blueprint("about", __name__)


@page.get("/games/<uuid:id>/about")
def about(id: UUID) -> str:
    game, kept = readable(id)
    opening = game.opening
    published = next((one for one in book().sheets.list(opening.ruleset) if one.hash == opening.sheet.hash), None)
    receipt = f"{own_address()}/games/{id}/about#{game.step}.{game.seal}"
    return render_template(
        "about.html", game=game, kept=kept, names=kept.names, opening=opening, published=published,
        colours=[seat.colour for seat in opening.seats], rules=opening.ruleset, qr=qr(receipt),
        by=sorted({entry.event.by for entry in game.entries}),
        decisions=sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries),
        struck=len(game.struck()), whole=access.may_export(book(), id, current_grant(id)), role=_role(id))


def _role(id: UUID) -> str:
    grant = current_grant(id)
    return grant.role if grant else ""


@page.get("/games/<uuid:id>/export")
def export(id: UUID) -> Response:
    """The record file. While hands are covered, only who sees everything may have it."""
    _, kept = readable(id)
    if not access.may_export(book(), id, current_grant(id)):
        abort(403, "running")
    name = re.sub(r"[^A-Za-z0-9]+", "-", kept.title).strip("-").lower()[:40] or "game"
    answer = make_response(import_export.export_game(book(), id))
    answer.mimetype = "application/jsonl"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.daybook"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
