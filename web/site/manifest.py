"""Web app manifest, for adding Daybook to a home screen."""

from __future__ import annotations

import json

from flask import Blueprint, Response, request, url_for

from daybook.web.boards import colours
from daybook.web.words import language, say

page = Blueprint("manifest", __name__)

ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)


@page.get("/daybook.webmanifest")
def manifest() -> Response:
    """Return the manifest in the user's language, without games and keys."""
    root = f"{request.script_root}/"
    return Response(
        json.dumps(
            {
                "id": root,
                "start_url": root,
                "scope": root,
                "name": "Daybook",
                "short_name": "Daybook",
                "description": say("Daybook records a board game as it is played."),
                "lang": language(),
                "display": "standalone",
                "background_color": colours.LIGHT["paper"],
                "theme_color": colours.LIGHT["paper"],
                "icons": [
                    {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": purpose}
                    for name, sizes, kind, purpose in ICONS
                ],
            },
            ensure_ascii=False,
        ),
        mimetype="application/manifest+json",
    )
