"""Responses while PostgreSQL is unreachable: the state, the result of the write, and when to retry."""

from __future__ import annotations

import logging

from flask import Flask, Response, g, make_response, render_template, request

from daybook.domain.kernel.frozen import Frozen
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.disk import CannotWriteError
from daybook.web.request.access import book
from daybook.web.request.api_errors import Error, error_answer
from daybook.web.request.security import FORMS

RETRY_SECONDS = 5
SECRET_FIELDS = ("password", "again", "old")  # that no page repeats

logger = logging.getLogger(__name__)


def register_outage_page(app: Flask) -> None:
    for away in UNAVAILABLE:
        if away is not CannotWriteError:  # a full disk is handled by daybook.web.request.errors
            app.register_error_handler(away, _outage_page)


def _outage_page(error: Exception) -> Response:
    if book().settings.database_url is None:  # files on this machine cannot be unreachable, so it is another error
        raise error
    logger.warning("%s %s: PostgreSQL is away: %s", request.method, request.path, first_line(error))
    headers = {"Retry-After": str(RETRY_SECONDS)}
    if request.path.startswith("/api/"):
        return error_answer(
            503,
            Error(
                "database_away",
                "",
                "the database cannot be reached just now; what was recorded before is safe",
                "send the same request again when Retry-After says, with the same Idempotency-Key",
                {},
            ),
            headers,
        )
    g.signed_in, g.key_of_person, g.held, g.preview = None, None, [], None  # nothing is looked up
    page = make_response(render_template("away.html", again=resendable_form()), 503)
    page.headers.update(headers | {"Cache-Control": "no-store"})
    return page


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class ResendableForm(Frozen):
    """Form that can be sent again unchanged.

    Args:
        fields: values by name.
        texts: values that are prose, by name.
        files: names of files to choose again, since pages cannot keep files.
    """

    fields: list[tuple[str, str]]
    texts: list[tuple[str, str]]
    files: list[str]


def resendable_form() -> ResendableForm | None:
    """Return this request's form for sending it again; None if that is impossible."""
    if request.method != "POST" or request.mimetype not in FORMS or any(name in request.form for name in SECRET_FIELDS):
        return None
    sent = [(name, text) for name, text in request.form.items(multi=True) if name != "csrf"]
    texts = [field for field in sent if " " in field[1].strip() and not field[1].startswith(("{", "["))]
    files = dict.fromkeys(name for name, file in request.files.items(multi=True) if file.filename)
    return ResendableForm([field for field in sent if field not in texts], texts, [*files])
