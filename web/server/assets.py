"""Style sheets, scripts and pictures, each at an address that holds a hash of them all, so that a browser keeps them.

Scripts and style sheets name one another by their place beside themselves, so one hash stands for all of them: those of
the house, and those that games bring for their drawings. A name that several have is the house's, or the first game's.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request

from daybook.web.words.game_pages import game_folders

FOLDER = Path(__file__).resolve().parents[1] / "static"
YEAR = 365 * 24 * 3600
COMPRESSED = (".png", ".woff2")  # already, in themselves
VERSION = re.compile(r"([0-9a-f]{16})/")


def serve(app: Flask) -> None:
    """`url_for("static", filename=...)` gives an address with the hash."""
    version = version_of(*files().values())

    @app.url_defaults
    def with_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{version}/{values['filename']}"

    @app.get("/static/<path:filename>", endpoint="static")
    def asset(filename: str) -> Response:
        """A file. Under the hash of today it never changes; under none, or that of another version, it is asked for
        again: a page that was open when Daybook was renewed gets what there is now."""
        asked = VERSION.match(filename)
        name = filename[asked.end() :] if asked else filename
        if name not in files():
            abort(404)
        packed = bool(request.accept_encodings.quality("gzip")) and not name.endswith(COMPRESSED)
        answer = Response(content(name, packed), mimetype=mimetypes.guess_type(name)[0])
        if packed:
            answer.headers["Content-Encoding"] = "gzip"
        answer.vary.add("Accept-Encoding")
        answer.set_etag(version, weak=True)
        if asked and asked[1] == version:
            answer.cache_control.public = answer.cache_control.immutable = True
            answer.cache_control.max_age = YEAR
        else:
            answer.cache_control.no_cache = True
        answer.make_conditional(request)
        return answer


def version_of(*paths: Path) -> str:
    """A hash of every one of these files, and of their names."""
    whole = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        one = path.read_bytes()
        whole.update(f"{path.name} {len(one)} ".encode() + one)
    return whole.hexdigest()[:16]


@functools.cache
def files() -> dict[str, Path]:
    """Every file there is, by its name."""
    found: dict[str, Path] = {}
    for folder in (FOLDER, *game_folders("static")):
        for path in folder.iterdir():
            found.setdefault(path.name, path)
    return found


@functools.cache
def content(name: str, packed: bool) -> bytes:
    """A file as it is sent."""
    plain = files()[name].read_bytes()
    return gzip.compress(plain, 9, mtime=0) if packed else plain
