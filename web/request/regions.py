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


class RenderedParts:
    """Rendered HTML by its inputs, the most recent ones."""

    def __init__(self) -> None:
        self._parts: LRUCache[Hashable, str] = LRUCache(CACHE_BYTES, len)
        self._lock = Lock()

    def render(self, inputs: Hashable, render: Callable[[], str]) -> str:
        """Return the HTML for these inputs; render it if it is not cached."""
        with self._lock:
            known = self._parts.get(inputs)
        if known is None:
            known = str(render())
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
        html = str(caller()) if inputs is None else str(rendered_once(name, inputs, caller=caller))
    finally:
        context.in_region = outside
    hashed = blake2b(html.encode(), digest_size=HASH_BYTES)
    if CSRF_MARK in html:
        hashed.update(csrf_token().encode())
        html = html.replace(CSRF_MARK, csrf_token())
    if KEY_MARK in html:
        hashed.update(b"%d" % step)
        html = html.replace(KEY_MARK, _page_key())
    digest = hashed.hexdigest()
    if "shown_regions" not in context:
        context.shown_regions = request.headers.get(HEADER, "").split()
    if f"{name}.{digest}" in context.shown_regions:
        return Markup(f"<!--region {name} {digest} same--><!--/region-->")
    return Markup(f"<!--region {name} {digest}-->{html}<!--/region-->")


def rendered_once(name: str, inputs: Hashable, *, caller: Callable[[], str]) -> Markup:
    """Render a part of a region once for equal inputs and language."""
    parts: RenderedParts = current_app.extensions["rendered_parts"]
    return Markup(parts.render((name, translations(), inputs), caller))


def _page_key() -> str:
    if "page_key" not in g:
        g.page_key = fresh_key()
    key: str = g.page_key
    return key


def _csrf_token_or_mark() -> str:
    return CSRF_MARK if g.get("in_region") else csrf_token()
