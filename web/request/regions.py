"""Regions: parts of a page that a browser fetches again only if they have changed.

A template wraps a part in `{% call region("last") %}`. The page then has it between two comments with its hash. The
page's script sends the hashes that it shows (`X-Regions`), and the same address answers without the layout and without
the regions that are the same. A region with inputs is rendered once for all viewers with equal inputs.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from hashlib import blake2b
from threading import Lock
from typing import Any

from cachetools import LRUCache
from flask import Flask, current_app, g, request
from markupsafe import Markup

from daybook.web.request.forms import fresh_key
from daybook.web.request.security import csrf_token
from daybook.web.words.say import translations

HEADER = "X-Regions"
CACHE_BYTES = 32 * 1024 * 1024
HASH_BYTES = 6
CSRF_MARK = f"csrf-{secrets.token_hex(16)}"  # in rendered HTML, where each viewer has a token of their own
KEY_MARK = f"key-{secrets.token_hex(16)}"  # the same for the key of the page's forms


class RenderedPart:
    """HTML with marks for what each viewer has of their own, and its hash."""

    __slots__ = ("_hash", "has_csrf", "has_key", "html")

    def __init__(self, html: str) -> None:
        self.html = html
        self.has_csrf, self.has_key = CSRF_MARK in html, KEY_MARK in html
        self._hash: Any = None  # computed for a region only

    def __len__(self) -> int:
        return len(self.html)

    def digest(self, step: int) -> str:
        """Return the hash of the HTML with what the viewer has of their own."""
        if self._hash is None:
            self._hash = blake2b(self.html.encode(), digest_size=HASH_BYTES)
        hashed = self._hash.copy()
        if self.has_csrf:
            hashed.update(csrf_token().encode())
        if self.has_key:
            hashed.update(b"%d" % step)
        digest: str = hashed.hexdigest()
        return digest

    def fill_in(self) -> str:
        """Return the HTML for the viewer of this request."""
        html = self.html
        if self.has_csrf:
            html = html.replace(CSRF_MARK, csrf_token())
        if self.has_key:
            html = html.replace(KEY_MARK, _page_key())
        return html


class RenderedParts:
    """Rendered HTML by its inputs, the most recent ones."""

    def __init__(self) -> None:
        self._parts: LRUCache[Hashable, RenderedPart] = LRUCache(CACHE_BYTES, len)
        self._lock = Lock()

    def render(self, inputs: Hashable, render: Callable[[], str]) -> RenderedPart:
        """Return the part for these inputs; render it if it is not cached."""
        with self._lock:
            known = self._parts.get(inputs)
        if known is None:
            known = RenderedPart(str(render()))
            with self._lock:
                if len(known) <= self._parts.maxsize:
                    self._parts[inputs] = known
        return known


def register_regions(app: Flask) -> None:
    app.extensions["rendered_parts"] = RenderedParts()
    app.jinja_env.globals |= {
        "region": region,
        "rendered_once": rendered_once,
        "only_regions": only_regions,
        "csrf_token": _csrf_token_or_mark,
    }


def only_regions() -> bool:
    """Check if the browser has the page and requests only what changed."""
    return HEADER in request.headers


def region(name: str, inputs: Hashable = None, *, step: int, caller: Callable[[], str]) -> Markup:
    """Render a region of a page, or only its hash if the browser has it.

    Args:
        inputs: everything that its HTML depends on, to share it between viewers; None if it is not shared.
        step: the newest step. A form gets a new key with each step.
    """
    context: Any = g._get_current_object()  # each use of the proxy looks it up
    outside, context.in_region = context.get("in_region", False), True
    try:
        part = RenderedPart(str(caller())) if inputs is None else _shared_part(name, inputs, caller)
    finally:
        context.in_region = outside
    digest = part.digest(step)
    if "shown_regions" not in context:
        context.shown_regions = frozenset(request.headers.get(HEADER, "").split())
    if f"{name}.{digest}" in context.shown_regions:
        return Markup(f"<!--region {name} {digest} same--><!--/region-->")
    return Markup(f"<!--region {name} {digest}-->{part.fill_in()}<!--/region-->")


def rendered_once(name: str, inputs: Hashable, *, caller: Callable[[], str]) -> Markup:
    """Render a part of a region once for equal inputs and language."""
    return Markup(_shared_part(name, inputs, caller).html)


def _shared_part(name: str, inputs: Hashable, caller: Callable[[], str]) -> RenderedPart:
    parts: RenderedParts = current_app.extensions["rendered_parts"]
    return parts.render((name, translations(), inputs), caller)


def _page_key() -> str:
    if "page_key" not in g:
        g.page_key = fresh_key()
    key: str = g.page_key
    return key


def _csrf_token_or_mark() -> str:
    return CSRF_MARK if g.get("in_region") else csrf_token()
