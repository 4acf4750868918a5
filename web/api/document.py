"""The OpenAPI document, and the page on which it can be read and tried. Nothing is loaded from other hosts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import flask_swagger_ui
import msgspec
from flask import Blueprint, Flask, Response, current_app, make_response, render_template, send_from_directory
from flask_smorest import Api

from daybook.web.api import answers, errors
from daybook.web.api.base import Section
from daybook.web.api.examples import EXAMPLES, PREFIX, sections_of
from daybook.web.request.origin import own_address
from daybook.web.request.security import HEADERS

SWAGGER = Path(flask_swagger_ui.__file__).parent / "dist"
SWAGGER_FILES = frozenset({"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "favicon-16x16.png"})
WEEK = 7 * 24 * 3600

ABOUT = """\
Everything that Daybook's pages can do, for programs.

**Keys.** The response that opens a game has a key for the scorekeeper, one for each seat and one for readers. Send a key
as `Authorization: Bearer <key>`. Public games need no key. Cookies are ignored.

**Writing.** Every write into a record needs a header `Idempotency-Key`. A repeated request with the same key is written
once. `at` is the newest step that you know. If the game has newer steps, the response is 409 with those steps, and
nothing is written.

**Covered totals.** In some games, players cover a total that everyone could calculate (money in London Markets).
Daybook's pages hide it while the game runs. The API returns what the record has. `taken` of a score sheet says whether
the table showed the total.

**Lists** are paged. `next` is the whole address of the next page, or null. `limit` is the number of rows of a page.
Copy `after` from `next` unchanged: its form differs from list to list.

**Errors** have one shape: `code` for programs, `rule` with the number of the rule, `reason` as a sentence, `next` with
what to do, and `details`.

**Numbers** are whole and have at most 64 bits. Only points of a score sheet with halves can be halves, such as 12.5.
A number with another fraction or an exponent is refused.

    curl -X POST .../api/v1/games -H 'Content-Type: application/json' -H "Idempotency-Key: $(uuidgen)" -d '{
      "ruleset": "making_profit", "title": "Friday",
      "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}'
    curl .../api/v1/games/$GAME/legal?seat=-1 -H "Authorization: Bearer $KEY"
    curl -X POST .../api/v1/games/$GAME/decisions -H "Authorization: Bearer $KEY" \
      -H 'Content-Type: application/json' -H "Idempotency-Key: $(uuidgen)" -d '{
      "seat": -1, "decision": {"type": "drawn", "card": "R1"}, "at": 0}'
"""

document = Blueprint("api-document", __name__, url_prefix="/api/v1", template_folder="templates")
errors.answer_for(document)


class Described(Api):
    """API document with Daybook's errors and types instead of flask-smorest's."""

    ERROR_SCHEMA = "Failure"
    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, sections: Sequence[Section]) -> None:
        super().__init__(
            app,
            spec_kwargs={
                "title": "Daybook",
                "version": "1",
                "openapi_version": "3.1.0",
                "info": {"description": ABOUT},
                "servers": [{"url": app.config["APPLICATION_ROOT"] or "/"}],
                "security": [{}, {"key": []}],
            },
        )
        self.spec.components.security_scheme(
            "key", {"type": "http", "scheme": "bearer", "description": "the key of a link to a game"}
        )
        components = answers.components(answer for section in sections for answer in section.answer_types)
        self.spec.components.schemas.update(components)  # as they are: apispec would read more into them

    def _register_error_handlers(self) -> None:
        """Register no handlers: each section handles its own errors, and the pages have others."""


class Document:
    """The OpenAPI document of an application, generated at the first request so that it does not slow down the start."""

    def __init__(self, app: Flask, sections: Sequence[Section]) -> None:
        self.app = app
        self.sections = sections
        self.written = b""
        self.lock = Lock()

    def content(self) -> bytes:
        with self.lock:
            if not self.written:
                api = Described(self.app, self.sections)
                for section in self.sections:
                    section.register_views_in_doc(api, self.app, api.spec, name=section.name, parameters=None)
                    api.spec.tag({"name": section.name, "description": section.description})
                self.written = msgspec.json.encode(api.spec.to_dict())
            return self.written


def publish(app: Flask, sections: Sequence[Section]) -> None:
    """Serve the sections and their document."""
    for section in sections:
        app.register_blueprint(section)
    app.extensions["daybook.openapi"] = Document(app, sections)
    app.register_blueprint(document)


@document.route("/openapi.json")
def show_document() -> Response:
    described: Document = current_app.extensions["daybook.openapi"]
    return Response(described.content(), mimetype="application/json")


@document.route("/")
def show_page() -> str:
    """Show the API's own page, with examples that can be run."""
    described: Document = current_app.extensions["daybook.openapi"]
    about = [(heading, text.replace("\n", " ")) for heading, text in re.findall(r"\*\*(.+?)\.?\*\* ((?:.+\n)+)", ABOUT)]
    return render_template(
        "api/page.html",
        root=f"{own_address()}{PREFIX}",
        examples=EXAMPLES,
        about=about,
        sections=sections_of(msgspec.json.decode(described.content())),
    )


@document.route("/try/")
def try_out() -> Response:
    """Show Swagger UI under our own policy, which also allows `data:` pictures for the arrows in its style sheet."""
    page = make_response(render_template("api/try.html"))
    page.headers["Content-Security-Policy"] = f"{HEADERS['Content-Security-Policy']}; img-src 'self' data:"
    return page


@document.route("/browse/<path:name>")
def asset(name: str) -> Response:
    """Send a file of the page: one of Swagger UI's wheel, or the script that starts it."""
    if name in SWAGGER_FILES:
        return send_from_directory(SWAGGER, name, max_age=WEEK)
    return send_from_directory(Path(__file__).parent / "browse", name, max_age=0)
