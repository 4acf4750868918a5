"""The page that a browser shows instead of its own error page when Daybook cannot be reached.

A service worker caches this page and nothing else, and tries the network first. Browsers run service workers only with
TLS. Elsewhere pages check the connection before they follow a link (connection.js).
"""

from __future__ import annotations

import json

from flask import Blueprint, Response, render_template, request, url_for

from daybook.web.server.assets import content, files, version_of

page = Blueprint("unreached", __name__)

SCRIPT = "unreached.js"  # among the assets; served here with the addresses that it caches


@page.get("/unreached")
def unreached_page() -> Response:
    """Return the page, which is the same for all readers of a language: it has no names and no token."""
    return Response(render_template("unreached.html"))


@page.get("/unreached.js")
def worker() -> Response:
    """Return the service worker. It changes with the version of the assets, and covers all addresses."""
    cached = [url_for(".unreached_page"), url_for("static", filename="daybook.css")]
    head = (
        f"const BASE = {json.dumps(f'{request.script_root}/')};\nconst VERSION = {json.dumps(_version())};\n"
        f"const KEPT = {json.dumps(cached)};\nconst ICON = {json.dumps(url_for('static', filename='icon-192.png'))};\n"
    )
    answer = Response(head + content(SCRIPT, packed=False).decode(), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _version() -> str:
    """Return a hash of the files of the page for lost connections."""
    return version_of(*files().values())
