"""What templates do hundreds of times for one page, done without asking each time what stays the same.

Jinja asks of everything that is called whether it wants the page's context, and of every imported template whether
there are globals that it does not have yet; Flask puts an address together from its rule each time. The answers of a
running application do not change.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from flask import Flask, request
from jinja2 import FileSystemBytecodeCache, Template
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from markupsafe import Markup, _escape_inner, escape  # type: ignore[attr-defined]

from daybook.web.words.say import translations

COMPILED = Path(__file__).resolve().parent.parent / "__pycache__" / "templates"
TEXTS = 20_000  # kept as they stand in templates, of all languages together
ADDRESSES = 20_000
CALLED_AT_ONCE = frozenset({FunctionType, Macro, type(lru_cache()(str))})  # the last: what remembers its answers


class CompiledTemplates(FileSystemBytecodeCache):
    """Keeps what templates are compiled to, as Python does of modules and beside them, so that no process compiles it
    anew: that takes longer than the first page. Where nobody may write, each does."""

    def __init__(self, folder: Path = COMPILED) -> None:
        super().__init__(str(folder), "%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.makedirs(self.directory, exist_ok=True)
                super().dump_bytecode(bucket)


class PageContext(Context):
    """Jinja's context, which calls plain functions and macros at once."""

    def call(self, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        if type(obj) in CALLED_AT_ONCE and not hasattr(obj, "jinja_pass_arg"):
            if kwargs:
                kwargs.pop("_loop_vars", None)
                kwargs.pop("_block_vars", None)
            return obj(*args, **kwargs)
        return super().call(obj, *args, **kwargs)


class PageTemplate(Template):
    """Jinja's template, whose globals are those of all templates: what it defines is imported as it is. What it puts
    out is only joined, and so no object is made of each piece."""

    @classmethod
    def _from_namespace(cls, environment: Any, namespace: Any, globals: Any) -> Template:
        namespace["escape"] = as_html
        return super()._from_namespace(environment, namespace, globals)

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        return self._module or super()._get_default_module()


def as_html(value: Any) -> str:
    """A value as a page has it: as `escape` gives it, but a plain text."""
    kind = type(value)
    if kind is str:
        return _escape_inner(value)
    return value if kind is Markup else str(value) if kind is int else escape(value)


def quicken(app: Flask) -> None:
    """Once the languages of an application are known to its templates, and before any template is loaded."""
    app.jinja_env.context_class = PageContext
    app.jinja_env.template_class = PageTemplate
    app.jinja_env.globals.update(_=text, url_for=addresses_of(app))


def text(says: str, /, **figures: Any) -> Markup:
    """A text of a template in the reader's language, as HTML. Figures are written in the way of `%`."""
    return _fill_text(translations(), says) if not figures else _translate_text(translations(), says) % figures


@lru_cache(TEXTS)
def _translate_text(into: Any, says: str) -> Markup:
    return Markup(into.ugettext(says))


@lru_cache(TEXTS)
def _fill_text(into: Any, says: str) -> Markup:
    """A text without figures; a sign for per cent stands twice in it, as in those that have some."""
    return _translate_text(into, says) % {}


def addresses_of(app: Flask) -> Any:
    """`url_for` for templates: an address that was put together before is at hand."""

    @lru_cache(ADDRESSES)
    def address(root: str, endpoint: str, /, **values: Any) -> str:
        return app.url_for(endpoint, **values)

    def url_for(endpoint: str, /, **values: Any) -> str:
        if endpoint.startswith(".") or "_external" in values:
            return app.url_for(endpoint, **values)
        try:
            return address(request.environ["SCRIPT_NAME"], endpoint, **values)
        except TypeError:  # several values of one name, in a list
            return app.url_for(endpoint, **values)

    return url_for
