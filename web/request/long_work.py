"""Requests that take long: said at their views, so that the server has them answered by processes beside its own.

Whatever is no answer to a tap belongs there: pictures, play-outs, checks, files, schedules, explanations. Where there
are no such processes (a browser without a server, a test), a view answers where it was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from flask import Flask, request
from werkzeug.exceptions import HTTPException, ServiceUnavailable, UnprocessableEntity
from werkzeug.routing import MapAdapter

from daybook.domain.kernel.frozen import Frozen
from daybook.services.reading_limits import COMMAND_BYTES

View = TypeVar("View", bound=Callable[..., Any])

TOLD = "daybook.long"  # in a request's environ: which of these to answer instead of the page
RETRY_SECONDS = "daybook.retry_seconds"  # the same, after how many seconds to try again
OUT_OF_MEMORY = "daybook.out_of_memory"  # set in a request's environ by the application
AGAIN_SECONDS = {"coming": 2, "many": 5, "lost": 2}  # until whoever asked is to ask again


class Long(Frozen):
    """Which requests of a view take long. alone: it is a page by itself, which may say that it is coming; above: bytes of
    a body, up to which a request with one is as short as a tap.
    """

    methods: frozenset[str]
    alone: bool
    above: int = -1


LARGE_BODY = Long(frozenset(), alone=False)


class Accepted(HTTPException):
    """The page is being made, and is there when it is asked for again."""

    code = 202


def takes_long(*methods: str, alone: bool = True, above: int = -1) -> Callable[[View], View]:
    """Say of a view that requests of these methods take long. Directly above the function: others wrap what it says."""

    def say_so(view: View) -> View:
        view.long = Long(frozenset(methods), alone, above)  # type: ignore[attr-defined]
        return view

    return say_so


def long_views(app: Flask) -> dict[str, Long]:
    """What takes long, by endpoint."""
    return {
        endpoint: found
        for endpoint, view in app.view_functions.items()
        if (found := getattr(view, "long", None)) is not None
    }


class LongViews:
    """Finds out of a request, before anything looks at it, whether it takes long."""

    def __init__(self, app: Flask) -> None:
        self.views = long_views(app)
        self.root = app.config["APPLICATION_ROOT"].rstrip("/")
        self.addresses: MapAdapter = app.url_map.bind("here")

    def view_of(self, environ: Mapping[str, Any]) -> Long | None:
        """None: it does not take long. A body that is larger than any tap's is read by the pool, whatever the view."""
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        path = environ["PATH_INFO"].removeprefix(self.root)
        try:
            endpoint, _ = self.addresses.match(path, method)
        except HTTPException:  # no such page, another method, an address that leads to another
            return None
        found, length = self.views.get(endpoint), int(environ.get("CONTENT_LENGTH") or 0)
        if found is None or method not in found.methods or length <= found.above:
            return LARGE_BODY if length > COMMAND_BYTES else None
        return msgspec.structs.replace(found, alone=False) if path.startswith("/api/") else found


def answer_as_told() -> None:
    """Before a request is looked at: answer what the server says of it, in the form and language of its answer."""
    if (told := request.environ.get(TOLD)) == "limit":
        raise UnprocessableEntity(told)
    if told:
        seconds = request.environ.get(RETRY_SECONDS) or AGAIN_SECONDS[told]
        raise Accepted(told) if told == "coming" else ServiceUnavailable(told, retry_after=seconds)
