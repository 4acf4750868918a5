"""Daybook without a network: the folder that `daybook browser-build` made, and what is said where there is none."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from flask import Blueprint, abort, make_response, redirect, render_template, request, send_from_directory
from werkzeug import Response
from werkzeug.security import safe_join

from daybook.web.request.access import book
from daybook.web.request.security import HEADERS

page = Blueprint("here", __name__)

POLICY = (  # of the shell and its worker: Python is WebAssembly, and pages are shown in a frame
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'"
)
PACKED = {".br": "br", ".gz": "gzip"}  # beside a file: the same, smaller
KINDS = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".tar": "application/x-tar",
}


def folder() -> Path:
    return book().settings.data / "here"


def is_built() -> bool:
    return (folder() / "version.js").is_file()


@page.get("/here")
def without_slash() -> Response:
    return redirect(f"{request.script_root}/here/", 308)


@page.get("/here/", defaults={"name": "index.html"})
@page.get("/here/<path:name>")
def file(name: str) -> Response:
    """A file of the folder. What is below app/ is answered by the browser itself; here it leads to its shell."""
    if not is_built():
        return make_response(render_template("not_built.html"), 404)
    if name.startswith("app/") or name == "app":
        return make_response(redirect(f"{request.script_root}/here/", 303))
    if name.endswith(tuple(PACKED)):
        abort(404)
    packing = next(
        (
            kind
            for kind, code in PACKED.items()
            if (path := safe_join(str(folder()), name + kind))
            and Path(path).is_file()
            and request.accept_encodings.quality(code)
        ),
        "",
    )
    suffix = Path(name).suffix
    answer = send_from_directory(folder(), name + packing, mimetype=KINDS.get(suffix) or mimetypes.guess_type(name)[0])
    if packing:
        answer.headers["Content-Encoding"] = PACKED[packing]
    answer.vary.add("Accept-Encoding")
    answer.headers.update(HEADERS | {"Content-Security-Policy": POLICY})
    return answer
