"""Error format of the API, and default texts by status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response
from werkzeug.exceptions import HTTPException

from daybook.domain.kernel.frozen import Frozen
from daybook.services.store.disk import CannotWriteError, Why
from daybook.web.request.json_answers import json_answer

BY_STATUS: dict[int, tuple[str, str, str]] = {  # defaults: code, reason, next
    400: ("bad_request", "the request cannot be read", "send it as the API's document describes it"),
    403: ("not_allowed", "this is not open to you", "ask the scorekeeper for a link that may do this"),
    404: ("no_such_address", "there is nothing at this address", "GET /api/v1/openapi.json lists every address"),
    405: ("no_such_method", "this address does not take this method", "use a method of the header Allow"),
    413: ("too_large", "the request is too large", "send less at once"),
    415: (
        "wrong_media_type",
        "the body is of another kind than this address takes",
        "send it with the header Content-Type that the API's document names",
    ),
    421: (
        "wrong_host",
        "this Daybook does not answer at this address",
        "ask at its own, or have the name added to DAYBOOK_ALLOWED_HOSTS",
    ),
    422: (
        "over_limit",
        "this takes more time or memory than one request may; it was stopped",
        "send less at once, or ask for less",
    ),
    429: ("too_many", "too many of these came from your address", "wait a minute, then send it once more"),
    500: (
        "stumbled",
        "Daybook made a mistake of its own; what was recorded before is safe",
        "read the game again, then send the request once more with the same Idempotency-Key",
    ),
    503: (
        "busy",
        "others are writing just now, and nothing was written",
        "send the same request again in a second, with the same Idempotency-Key",
    ),
}
UNWRITTEN: dict[Why, tuple[str, str, str]] = {
    "full": (
        "disk_full",
        "the disk is full, and nothing was written",
        "send the same request again when there is room, with the same Idempotency-Key",
    ),
    "closed": (
        "disk_closed",
        "the disk cannot be written, and nothing was written",
        "send the same request again when it can, with the same Idempotency-Key",
    ),
}


class Error(Frozen):
    """API error.

    Args:
        code: one word for programs.
        rule: number of the rule, or empty.
        reason: a sentence that states what is wrong.
        next: what to do next.
        details: the figures of the reason.
    """

    code: str
    rule: str
    reason: str
    next: str
    details: dict[str, Any]


class Failure(Frozen):
    """Body of every failed response."""

    error: Error


def error_answer(status: int, error: Error, headers: Mapping[str, str] | None = None) -> Response:
    return json_answer(status, headers, **msgspec.structs.asdict(Failure(error)))


def error_response(error: HTTPException) -> Response:
    """Return the response to an HTTP error, also for unknown addresses below /api."""
    status = error.code or 500
    allow = {name: value for name, value in error.get_headers() if name == "Allow"}
    return error_answer(status, error_of_status(status), allow | headers_of_status(status))


def error_of_status(status: int) -> Error:
    code, reason, next_step = BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]
    return Error(code, "", reason, next_step, {})


def disk_error_response(error: CannotWriteError) -> Response:
    code, reason, next_step = UNWRITTEN[error.why]
    return error_answer(507, Error(code, "", reason, next_step, {}))


def headers_of_status(status: int) -> dict[str, str]:
    return {401: {"WWW-Authenticate": 'Bearer realm="Daybook"'}, 503: {"Retry-After": "1"}}.get(status, {})
