"""Daybook without a network: the folder that `daybook browser-build` made, and what is said where there is none."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from werkzeug import Response as Answer

from daybook.web.request.access import book
from daybook.web.request.security import HEADERS

page = Blueprint("here", __name__)

POLICY = (  # of the shell and its worker: Python is WebAssembly, and pages are shown in a frame
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'")
PACKED = {".br": "br", ".gz": "gzip"}  # beside a file: the same, smaller
KINDS = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm",
         ".webmanifest": "application/manifest+json", ".tar": "application/x-tar"}


def folder() -> Path:
    return book().settings.data / "here"


def is_built() -> bool:
    return (folder() / "version.js").is_file()


@page.get("/here")
def without_slash() -> Answer:
    return redirect(f"{request.script_root}/here/", 308)


@page.get("/here/", defaults={"name": "index.html"})
@page.get("/here/<path:name>")
def file(name: str) -> Response:
    """A file of the folder. What is below app/ is answered by the browser itself; here it leads to its shell."""
    if not is_built():
        return make_response(render_template("not_built.html"), 404)
    if name.startswith("app/") or name == "app":
        return make_response(redirect(f"{request.script_root}/here/", 303))
    path = (folder() / name).resolve()
    if not path.is_relative_to(folder().resolve()) or not path.is_file() or path.suffix in PACKED:
        abort(404)
    return _sent(path)


def _sent(path: Path) -> Response:
    packing = next((kind for kind, code in PACKED.items() if path.with_name(path.name + kind).is_file()
                    and request.accept_encodings.quality(code)), "")
    sent = path.with_name(path.name + packing)
    answer = Response(sent.read_bytes(), mimetype=KINDS.get(path.suffix)
                      or mimetypes.guess_type(path.name)[0] or "application/octet-stream")
    if packing:
        answer.headers["Content-Encoding"] = PACKED[packing]
    answer.vary.add("Accept-Encoding")
    answer.headers.update(HEADERS | {"Content-Security-Policy": POLICY})
    status = path.stat()
    answer.set_etag(f"{status.st_mtime_ns:x}-{status.st_size:x}", weak=True)
    answer.cache_control.no_cache = True
    answer.make_conditional(request)
    return answer
