"""Typed input, normalized to composed letters (NFC)."""

from __future__ import annotations

from typing import Any

from flask import Request
from werkzeug.datastructures import ImmutableMultiDict, iter_multi_items

from daybook.domain.kernel.texts import composed


class TypedText(ImmutableMultiDict[str, Any]):
    """Fields of a form or of a query."""

    def __init__(self, given: Any = None) -> None:
        super().__init__(
            None
            if given is None
            else [
                (name, composed(value) if isinstance(value, str) else value) for name, value in iter_multi_items(given)
            ]
        )


class TypedRequest(Request):
    """A request with text fields in composed letters."""

    parameter_storage_class = TypedText
