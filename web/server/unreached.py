"""What a browser shows in place of an error page of its own when a page cannot be reached: one page, kept beforehand.

A service worker keeps it and nothing else of Daybook, and asks the network first. Browsers start one where pages come
with TLS. Elsewhere pages ask whether anybody answers before they lead on (connection.js), and that has to do.
"""

from __future__ import annotations

import json

from flask import Blueprint, Response, render_template, request, url_for

from daybook.web.server.assets import content, files, version_of

page = Blueprint("unreached", __name__)

SCRIPT = "unreached.js"  # among the assets; here with the addresses of what it keeps


@page.get("/unreached")
def unreached_page() -> Response:
    """The same for everybody who reads this language: it names nobody and nothing, and holds no token."""
    return Response(render_template("unreached.html"))


@page.get("/unreached.js")
def worker() -> Response:
    """The service worker; another version of the assets is another one. It reaches as far as it lies: everywhere."""
    kept = [url_for(".unreached_page"), url_for("static", filename="daybook.css")]
    head = (
        f"const BASE = {json.dumps(f'{request.script_root}/')};\nconst VERSION = {json.dumps(_version())};\n"
        f"const KEPT = {json.dumps(kept)};\n"
    )
    answer = Response(head + content(SCRIPT, packed=False).decode(), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _version() -> str:
    return version_of(*files().values())
