"""What a record is: its facts, its receipt, and the file that anyone can check."""

from __future__ import annotations

import re
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, render_template

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.sealed_entries import first_sealed
from daybook.services.files import import_export
from daybook.web.request.access import book, visit_game
from daybook.web.request.origin import own_address
from daybook.web.request.sharing import qr, share_game

page = Blueprint("about", __name__)


@page.get("/games/<uuid:id>/about")
def about(id: UUID) -> str:
    visit = visit_game(id)
    game, kept = visit.game, visit.kept
    share_game(visit)
    opening = game.opening
    published = next((one for one in book().sheets.list(opening.ruleset) if one.hash == opening.sheet.hash), None)
    receipt = f"{own_address()}/games/{id}/about#{game.step}.{game.seal}"
    return render_template(
        "about.html", visit=visit, game=game, kept=kept, names=kept.names, opening=opening, published=published,
        colours=visit.colours, rules=opening.ruleset, qr=qr(receipt),
        by=sorted(set(game.writers)),
        decisions=sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries),
        struck=len(game.struck_steps()), whole=visit.may_export, saves=visit.may_save,
        sealed=first_sealed(game), role=visit.role or "")


@page.get("/games/<uuid:id>/export")
def export(id: UUID) -> Response:
    """The record file. While hands are covered, only who sees everything may have it, and what lies sealed is left out.
    """
    visit = visit_game(id)
    if not visit.may_save:
        abort(403, "running")
    name = re.sub(r"[^A-Za-z0-9]+", "-", visit.kept.title).strip("-").lower()[:40] or "game"
    answer = make_response(import_export.export_unsealed(book(), id))
    answer.mimetype = "application/jsonl"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.daybook"'
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
