"""Refuse requests with a program's key of too narrow a scope, on pages and in the API."""

from __future__ import annotations

from flask import Response, abort, request

from daybook.services.permissions.actions import scope_includes
from daybook.web.request.access import key_of_person
from daybook.web.request.address_actions import required_scope
from daybook.web.request.api_errors import Error, error_answer
from daybook.web.request.security import SAFE


def refuse_narrow_key() -> Response | None:
    """Return a 403 response if the scope of the request's key does not cover the request."""
    key = key_of_person() if request.endpoint is not None else None
    if key is None:
        return None
    needed = required_scope(request.endpoint or "", request.method not in SAFE)
    if scope_includes(key.scope, needed):
        return None
    if not request.path.startswith("/api/"):
        abort(403, "scope")
    reason = f"the key has the scope {key.scope}, and this needs {needed}"
    return error_answer(403, Error("narrow_scope", "", reason, "create a key with that scope", {"scope": needed}))
