"""Daybook without a network: files of `daybook browser-build`, or a page that says they are missing."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from flask import Blueprint, abort, make_response, redirect, render_template, request, send_from_directory
from werkzeug import Response
from werkzeug.security import safe_join

from daybook.web.request.access import book
from daybook.web.request.security import HEADERS

page = Blueprint("here", __name__)

SHELL_CSP = (  # for the shell and its worker: Python is WebAssembly, and pages are shown in a frame
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'"
)
ENCODINGS = {".br": "br", ".gz": "gzip"}  # of compressed copies next to a file
KINDS = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".tar": "application/x-tar",
}


def build_folder() -> Path:
    return book().settings.data / "here"


def is_built() -> bool:
    return (build_folder() / "version.js").is_file()


@page.get("/here")
def without_slash() -> Response:
    return redirect(f"{request.script_root}/here/", 308)


@page.get("/here/", defaults={"name": "index.html"})
@page.get("/here/<path:name>")
def file(name: str) -> Response:
    """Return a file of the build. Addresses below app/ are handled in the browser, so here they lead to its shell."""
    if not is_built():
        return make_response(render_template("not_built.html"), 404)
    if name.startswith("app/") or name == "app":
        return make_response(redirect(f"{request.script_root}/here/", 303))
    if name.endswith(tuple(ENCODINGS)):
        abort(404)
    packing = next(
        (
            kind
            for kind, code in ENCODINGS.items()
            if (path := safe_join(str(build_folder()), name + kind))
            and Path(path).is_file()
            and request.accept_encodings.quality(code)
        ),
        "",
    )
    suffix = Path(name).suffix
    answer = send_from_directory(
        build_folder(), name + packing, mimetype=KINDS.get(suffix) or mimetypes.guess_type(name)[0]
    )
    if packing:
        answer.headers["Content-Encoding"] = ENCODINGS[packing]
    answer.vary.add("Accept-Encoding")
    answer.headers.update(HEADERS | {"Content-Security-Policy": SHELL_CSP})
    return answer
