"""Style sheets, scripts and pictures, at addresses with a hash, so that browsers cache them.

Scripts and style sheets refer to each other by relative paths, so one hash covers all of them: ours, and those of games.
If several have the same name, ours is used, or the first game's.
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
COMPRESSED = (".png", ".woff2")  # by their own format
VERSION = re.compile(r"([0-9a-f]{16})/")


def register_assets(app: Flask) -> None:
    """Serve assets, and let `url_for("static", filename=...)` return addresses with the hash."""
    version = version_of(*files().values())

    @app.url_defaults
    def with_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{version}/{values['filename']}"

    @app.get("/static/<path:filename>", endpoint="static")
    def asset(filename: str) -> Response:
        """Return a file. With today's hash it is cached permanently.

        Without a hash, or with that of another version, it is checked each time: a page that was open during an
        upgrade gets the new file.
        """
        versioned = VERSION.match(filename)
        name = filename[versioned.end() :] if versioned else filename
        if name not in files():
            abort(404)
        packed = bool(request.accept_encodings.quality("gzip")) and not name.endswith(COMPRESSED)
        answer = Response(content(name, packed), mimetype=mimetypes.guess_type(name)[0])
        if packed:
            answer.headers["Content-Encoding"] = "gzip"
        answer.vary.add("Accept-Encoding")
        answer.set_etag(version, weak=True)
        if versioned and versioned[1] == version:
            answer.cache_control.public = answer.cache_control.immutable = True
            answer.cache_control.max_age = YEAR
        else:
            answer.cache_control.no_cache = True
        answer.make_conditional(request)
        return answer


def version_of(*paths: Path) -> str:
    """Return a hash of these files and their names."""
    digest = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        file = path.read_bytes()
        digest.update(f"{path.name} {len(file)} ".encode() + file)
    return digest.hexdigest()[:16]


@functools.cache
def files() -> dict[str, Path]:
    """Return every file by its name."""
    files_by_name: dict[str, Path] = {}
    for folder in (FOLDER, *game_folders("static")):
        for path in folder.iterdir():
            files_by_name.setdefault(path.name, path)
    return files_by_name


@functools.cache
def content(name: str, packed: bool) -> bytes:
    """Return a file as it is sent."""
    plain = files()[name].read_bytes()
    return gzip.compress(plain, 9, mtime=0) if packed else plain
