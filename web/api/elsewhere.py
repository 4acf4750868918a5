"""Addresses below /api that nobody else answers: in the API's own shape, not as a page."""

from __future__ import annotations

from flask import Blueprint, current_app, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from web.api import errors

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

elsewhere = Blueprint("api-elsewhere", __name__, url_prefix="/api")
errors.answer_for(elsewhere)


@elsewhere.route("/", defaults={"rest": ""}, methods=METHODS)
@elsewhere.route("/<path:rest>", methods=METHODS)
def nothing_here(rest: str) -> None:
    """405 with the methods that the address does take, or 404."""
    others = current_app.create_url_adapter(request)
    assert others is not None
    allowed = []
    for method in METHODS:
        try:
            endpoint, _ = others.match(method=method)
        except HTTPException:
            continue
        if endpoint != f"{elsewhere.name}.nothing_here":
            allowed.append(method)
    raise MethodNotAllowed(allowed) if allowed else NotFound()
