"""The web application: pages for people, and the API. A view parses, calls one service, and answers."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterable, MutableMapping
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

from flask import Flask, has_request_context, request, templating
from jinja2 import FileSystemLoader, ModuleLoader
from werkzeug.routing import IntegerConverter, UnicodeConverter

from daybook.domain.games import NOT_LOADED
from daybook.services.operation.health import Pulse
from daybook.services.settings import Settings
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.known_types import prepare_decoders
from daybook.web import words
from daybook.web.pages import EVERYTHING, register_parts
from daybook.web.recording.live import init_streams
from daybook.web.replay.replay import reset_caches
from daybook.web.request import (
    byte_counts,
    counts,
    errors,
    key_scopes,
    origin,
    outage,
    regions,
    security,
    sharing,
    template_globals,
)
from daybook.web.request.parts import link_missing_parts
from daybook.web.request.route import note_route
from daybook.web.request.sessions import CookieSessions
from daybook.web.request.typed_text import TypedRequest
from daybook.web.server import assets, compression
from daybook.web.server.template_cache import TemplateCache
from daybook.web.words.game_pages import game_folders

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from daybook.services.operation.metrics import Metrics

TEMPLATES = Path(__file__).resolve().parent / "templates"
COMPILED_TEMPLATES = TEMPLATES.with_name("compiled_templates")  # in what `daybook browser-build` packs
MAX_BODY_BYTES = 256 * 1024  # of a request; imports set their own limit
COOKIE_DAYS = 400  # the longest that browsers keep one
ADDRESS_CACHE_SIZE = 16_384
ADDRESS_VALUES = (UUID, str, int, NoneType)  # types whose equal values give equal addresses; True equals 1


def create_app(book: Daybook, parts: Collection[str] = EVERYTHING, server: str = "") -> Flask:
    """Create the application for an open daybook.

    Args:
        parts: names from `web.pages` to include.
        server: address with the other parts, without a slash at the end; empty for none.
    """
    app = create_pages(book.settings, parts, server)
    begin(app, book)
    return app


def create_pages(settings: Settings, parts: Collection[str] = EVERYTHING, server: str = "") -> Flask:
    """Create the application without a daybook; `begin` provides one."""
    app = Pages(__name__, static_folder=None)
    base_url = settings.base_url or ""
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=COOKIE_DAYS),
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        APPLICATION_ROOT=urlsplit(base_url).path or "/",
        SERVER=server,
    )
    for game in NOT_LOADED:
        app.logger.error("%s", game)
    app.url_map.converters |= {"int": WholeNumber, "game": GameKey}
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    compression.register_compression(app)  # registered first, so it processes a response last
    app.jinja_loader = FileSystemLoader(
        [TEMPLATES, *game_folders("templates")]
    )  # our templates override a game's of the same name
    if COMPILED_TEMPLATES.is_dir():
        app.jinja_env.loader = ModuleLoader(COMPILED_TEMPLATES)
    assets.register_assets(app)
    words.init_translations(app)
    template_globals.add_template_globals(app)
    app.before_request(origin.refuse_other_hosts)
    security.protect(app)
    regions.register_regions(app)
    app.before_request(key_scopes.refuse_narrow_key)
    app.before_request(counts.count_write)
    byte_counts.count_bytes(app)
    errors.register_error_pages(app)
    outage.register_outage_page(app)
    link_missing_parts(app)
    app.after_request(sharing.for_search_engines)
    app.after_request(origin.log_refusal)
    app.after_request(note_route)
    app.after_request(origin.isolate_windows)
    register_parts(app, parts)
    prepare_decoders()
    if app.config["APPLICATION_ROOT"] != "/":
        app.wsgi_app = Under(app.wsgi_app, app.config["APPLICATION_ROOT"])  # type: ignore[method-assign]
    app.wsgi_app = origin.ForwardedHeaders(app)  # type: ignore[method-assign]
    return app


def begin(app: Flask, book: Daybook) -> None:
    """Serve a daybook. Clear all caches, which may be of another one with the same address."""
    app.secret_key = hmac.new(secret.checked_secret(book), b"cookies", hashlib.sha256).digest()
    app.session_interface = CookieSessions(app)
    app.extensions["daybook"] = book
    app.extensions["pulse"] = Pulse(book)
    app.extensions["terms"] = book.settings.terms()
    app.extensions["metrics"] = _metrics(app) if book.settings.metrics_token() else None
    for nothing_yet in (origin.begin_hosts, counts.begin_counts, init_streams, reset_caches):
        nothing_yet(app)


def _metrics(app: Flask) -> Metrics:
    from daybook.services.operation.metrics import Metrics  # not imported unless metrics are on

    return Metrics(app.extensions["pulse"])


class WholeNumber(IntegerConverter):
    """A number in an address, of at most nine digits."""

    regex = r"[0-9]{1,9}"


class GameKey(UnicodeConverter):
    """A game as a part of an address, with slashes in its name escaped."""

    def to_url(self, value: str) -> str:
        return super().to_url(value.replace("~", "~0").replace("/", "~1"))

    def to_python(self, value: str) -> str:
        return value.replace("~1", "/").replace("~0", "~")


class Environment(templating.Environment):
    """Jinja with the globals of a template in one dict: each import in a page compares them, which a ChainMap slows down."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class Pages(Flask):
    """Flask without asyncio views, to skip its check at each call, and with a cache of addresses."""

    request_class = TypedRequest
    jinja_environment = Environment
    jinja_options = {**Flask.jinja_options, "bytecode_cache": TemplateCache()}

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._cached_address = lru_cache(ADDRESS_CACHE_SIZE)(self._build_address)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def url_for(self, endpoint: str, **values: Any) -> str:
        """Return the address of a view. In a request it depends on these values and the application's path only."""
        is_plain = all(type(value) in ADDRESS_VALUES for value in values.values()) and not endpoint.startswith(".")
        if not is_plain or "_external" in values or not has_request_context():
            return super().url_for(endpoint, **values)
        return self._cached_address(request.environ.get("SCRIPT_NAME", ""), endpoint, *values.items())

    def _build_address(self, root: str, endpoint: str, *values: tuple[str, Any]) -> str:
        return super().url_for(endpoint, **dict(values))


class Under:
    """Serve an application below the path of its public address, whether or not a proxy removes that path."""

    def __init__(self, application: WSGIApplication, path: str) -> None:
        self.application = application
        self.path = path

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == self.path or path.startswith(self.path + "/"):
            environ["PATH_INFO"] = path.removeprefix(self.path)
        environ["SCRIPT_NAME"] = self.path
        return self.application(environ, start_response)
