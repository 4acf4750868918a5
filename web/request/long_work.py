"""Views that take long: marked so that the server runs them in the process pool.

Long is everything but a tap: pictures, play-outs, checks, files, schedules, explanations. Without a pool (in a browser
or a test) the view runs where it is.
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

REPLACEMENT_KEY = "daybook.long"  # environ key: response to give instead of the page
RETRY_SECONDS_KEY = "daybook.retry_seconds"  # environ key: seconds before a retry
OUT_OF_MEMORY = "daybook.out_of_memory"  # environ key, set by the application
RETRY_SECONDS_BY_REASON = {"coming": 2, "many": 5, "lost": 2}


class LongView(Frozen):
    """Requests of a view that take long.

    Args:
        alone: the view is a whole page, which may show that it is being prepared.
        above: body size in bytes up to which a request is short.
    """

    methods: frozenset[str]
    alone: bool
    above: int = -1


LARGE_BODY = LongView(frozenset(), alone=False)


class PageComingError(HTTPException):
    """The page is being prepared; request it again."""

    code = 202


def takes_long(*methods: str, alone: bool = True, above: int = -1) -> Callable[[View], View]:
    """Mark a view's requests of these methods as long. Apply it directly to the function."""

    def say_so(view: View) -> View:
        view.long = LongView(frozenset(methods), alone, above)  # type: ignore[attr-defined]
        return view

    return say_so


def long_views(app: Flask) -> dict[str, LongView]:
    """Return the long views by endpoint."""
    return {
        endpoint: long_view
        for endpoint, view in app.view_functions.items()
        if (long_view := getattr(view, "long", None)) is not None
    }


class LongViews:
    """Check if a request takes long, before anything else reads it."""

    def __init__(self, app: Flask) -> None:
        self.views = long_views(app)
        self.root = app.config["APPLICATION_ROOT"].rstrip("/")
        self.addresses: MapAdapter = app.url_map.bind("here")

    def view_of(self, environ: Mapping[str, Any]) -> LongView | None:
        """Return the long view of a request, or None.

        Large bodies always count as long.
        """
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else environ["REQUEST_METHOD"]
        path = environ["PATH_INFO"].removeprefix(self.root)
        try:
            endpoint, _ = self.addresses.match(path, method)
        except HTTPException:  # unknown page or method, or a redirect
            return None
        view, length = self.views.get(endpoint), int(environ.get("CONTENT_LENGTH") or 0)
        if view is None or method not in view.methods or length <= view.above:
            return LARGE_BODY if length > COMMAND_BYTES else None
        return msgspec.structs.replace(view, alone=False) if path.startswith("/api/") else view


def answer_for_server() -> None:
    """Return the response that the server prepared instead of the page, in the request's format and language."""
    if (replacement := request.environ.get(REPLACEMENT_KEY)) == "limit":
        raise UnprocessableEntity(replacement)
    if replacement:
        seconds = request.environ.get(RETRY_SECONDS_KEY) or RETRY_SECONDS_BY_REASON[replacement]
        raise (
            PageComingError(replacement)
            if replacement == "coming"
            else ServiceUnavailable(replacement, retry_after=seconds)
        )
