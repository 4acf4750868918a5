"""Requests that wait for their turn: the server repeats them later, without blocking a thread."""

from __future__ import annotations

import time

from flask import Response, abort, request

CAN_WAIT, HAS_WAITED = "daybook.can_wait", "daybook.has_waited"  # in a request's environ, set by the server
WAIT_HEADER = "daybook-wait-seconds"  # internal response header, removed before the client gets it


def wait_for_turn(seconds: float) -> None:
    """Wait; if the server can wait without a thread, end this run of the view and have it repeated later."""
    if request.environ.get(CAN_WAIT):
        abort(Response(status=503, headers={WAIT_HEADER: f"{seconds:.3f}"}))
    time.sleep(seconds)


def has_waited() -> bool:
    """Check if this request has been counted and has waited for its turn."""
    return HAS_WAITED in request.environ
