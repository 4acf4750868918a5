"""The route of a request, for metrics and the log of slow requests."""

from __future__ import annotations

from flask import Response, request

REQUEST_ID = "daybook.request_id"  # in the environ of a request that the server answers
ROUTE_HEADER = "daybook-route"  # internal response header, removed before the client gets it
NO_ROUTE = "none"


def note_route(response: Response) -> Response:
    """Add the endpoint to the response, if the server removes it again."""
    if REQUEST_ID in request.environ:
        response.headers[ROUTE_HEADER] = request.endpoint or NO_ROUTE
    return response
