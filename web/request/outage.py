"""What is answered while PostgreSQL cannot be reached: that it is so, what is kept, and when to come again."""

from __future__ import annotations

import logging

from flask import Flask, Response, g, make_response, render_template, request

from daybook.services.store.away import AWAY
from daybook.services.store.disk import CannotWrite
from daybook.web.request.access import book
from daybook.web.request.api_errors import Error, error_answer

RETRY_SECONDS = 5
SECRET = ("password", "again", "old")  # fields that no page repeats

logger = logging.getLogger(__name__)


def register_outage_page(app: Flask) -> None:
    for away in AWAY:
        if away is not CannotWrite:  # a full disk is said by daybook.web.request.errors
            app.register_error_handler(away, _outage_page)


def _outage_page(error: Exception) -> Response:
    if book().settings.database_url is None:  # files on this machine: whatever it is, it is not away
        raise error
    logger.warning("%s %s: PostgreSQL is away: %s", request.method, request.path, first_line(error))
    headers = {"Retry-After": str(RETRY_SECONDS)}
    if request.path.startswith("/api/"):
        return error_answer(503, Error(
            "database_away", "", "the database cannot be reached just now; what was recorded before is safe",
            "send the same request again when Retry-After says, with the same Idempotency-Key", {}), headers)
    g.signed_in, g.person_of_key, g.held, g.preview = None, None, [], None  # nothing is looked up
    page = make_response(render_template("away.html", again=fields_to_send_again()), 503)
    page.headers.update(headers | {"Cache-Control": "no-store"})
    return page


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def fields_to_send_again() -> list[tuple[str, str]]:
    """The fields of the form that was sent, to be sent once more as they are; none where that cannot be."""
    if request.method != "POST" or request.files or any(name in request.form for name in SECRET):
        return []
    return [*request.form.items(multi=True)]
