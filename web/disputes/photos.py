"""Photos of claims: display and permanent removal."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, make_response
from werkzeug import Response

from daybook.services.people import photos
from daybook.services.permissions.actions import require
from daybook.web.request.access import book, require_keeper, visit_game
from daybook.web.request.forms import see_other, whole_number_sent
from daybook.web.words import say

page = Blueprint("photos", __name__)


@page.get("/games/<uuid:game_id>/photos/<photo_hash>")
def photo(game_id: UUID, photo_hash: str) -> Response:
    """Return a photo to authorized viewers, with headers that allow no other content."""
    require(visit_game(game_id), "see_photo", hash=photo_hash)
    found = photos.read_photo_of_game(book(), game_id, photo_hash)
    if found is None:
        abort(404)
    answer = make_response(found.bytes)
    answer.mimetype = photos.MEDIA_TYPE
    answer.headers["Content-Disposition"] = f'inline; filename="{photo_hash[:12]}.jpg"'
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@page.post("/games/<uuid:game_id>/photos/<photo_hash>/forget")
def forget(game_id: UUID, photo_hash: str) -> Response:
    """Remove a photo permanently; the record keeps its SHA-256."""
    require_keeper(visit_game(game_id))
    photos.remove_photo(book(), game_id, photo_hash)
    flash(say("The photo is removed. The record keeps only its fingerprint."))
    return see_other("claims.claim", game_id=game_id, number=whole_number_sent("claim"))
