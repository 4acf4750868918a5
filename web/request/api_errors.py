"""The one shape in which the API says what went wrong, and what each status says where nothing closer is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response
from werkzeug.exceptions import HTTPException

from daybook.domain.kernel.frozen import Frozen
from daybook.services.store.disk import CannotWriteError, Why
from daybook.web.request.json_answers import json_answer

BY_STATUS: dict[int, tuple[str, str, str]] = {  # what is said where nothing closer is known: code, reason, next
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
    """What went wrong. code: one word for programs; rule: the rule that says so, or empty; reason: a sentence that
    states what is; next: what to do next; details: the figures behind it.
    """

    code: str
    rule: str
    reason: str
    next: str
    details: dict[str, Any]


class Failure(Frozen):
    """What every request that fails is answered with."""

    error: Error


def error_answer(status: int, error: Error, headers: Mapping[str, str] | None = None) -> Response:
    return json_answer(status, headers, **msgspec.structs.asdict(Failure(error)))


def failure(error: HTTPException) -> Response:
    """What Flask, or a check that all requests pass, says no to; also for addresses below /api that nobody answers."""
    status = error.code or 500
    allow = {name: value for name, value in error.get_headers() if name == "Allow"}
    return error_answer(status, error_of_status(status), allow | headers_of_status(status))


def error_of_status(status: int) -> Error:
    code, reason, next = BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]
    return Error(code, "", reason, next, {})


def unwritten_answer(wrong: CannotWriteError) -> Response:
    code, reason, next = UNWRITTEN[wrong.why]
    return error_answer(507, Error(code, "", reason, next, {}))


def headers_of_status(status: int) -> dict[str, str]:
    return {401: {"WWW-Authenticate": 'Bearer realm="Daybook"'}, 503: {"Retry-After": "1"}}.get(status, {})
