"""Metrics for Prometheus, for clients with the configured token; off without one."""

from __future__ import annotations

from hmac import compare_digest

from flask import Blueprint, Response, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST

from daybook.services.operation.metrics import Metrics
from daybook.web.request.access import book
from daybook.web.request.counts import wrong_key

page = Blueprint("metrics", __name__)


@page.get("/metrics")
def show() -> Response:
    metrics: Metrics | None = current_app.extensions["metrics"]
    token = book().settings.metrics_token()
    if metrics is None or token is None:
        abort(404)
    shown = request.authorization
    if shown is None or shown.type != "bearer" or not compare_digest((shown.token or "").encode(), token):
        wrong_key()
        return Response("show the token of DAYBOOK_METRICS_TOKEN_FILE\n", 401, {"WWW-Authenticate": "Bearer"})
    return Response(metrics.render_text(), headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})
