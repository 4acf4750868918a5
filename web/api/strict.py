"""Strict parser of JSON: whole numbers and halves that a record can store, unique names, limited depth, storable text.

A lenient parser would accept a float as a whole number, the second of two equal names, or half a surrogate pair. This
parser refuses each with its own code, so that later code need not check.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from daybook.domain.kernel.chronicle import DEPTH_LIMIT, NUMBER_LIMIT
from daybook.domain.kernel.unique_keys import RepeatedKeyError, object_of
from daybook.services.reading_limits import COMMAND_JSON, LimitError, check_json

LARGEST = NUMBER_LIMIT - 1
HALF = re.compile(r"-?[0-9]{1,12}\.5")


class BadJsonError(ValueError):
    """The body is not JSON that this API accepts. `code` names the fault."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def parse_json(body: bytes) -> Any:
    """Return the value of a JSON text. Raises BadJsonError."""
    try:
        check_json(body, COMMAND_JSON)
    except LimitError as limit:
        raise BadJsonError(limit.reason.key, str(limit)) from limit
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise BadJsonError("not_utf8", f"the body is not UTF-8 from byte {wrong.start} on") from wrong
    try:
        value = json.loads(
            text,
            parse_int=_read_integer,
            parse_float=_read_half,
            parse_constant=_no_constant,
            object_pairs_hook=object_of,
        )
    except RepeatedKeyError as wrong:
        raise BadJsonError("name_twice", str(wrong)) from wrong
    except json.JSONDecodeError as wrong:
        raise BadJsonError("not_json", f"the body is not JSON: {wrong.msg} at character {wrong.pos}") from wrong
    except RecursionError as wrong:
        raise BadJsonError("too_deep", f"more than {DEPTH_LIMIT} lists and objects inside each other") from wrong
    _check(value, 0)
    return value


def _read_integer(digits: str) -> int:
    if len(digits) > 20 or abs(int(digits)) > LARGEST:
        raise BadJsonError("number_too_large", f"a number of {len(digits.lstrip('-'))} digits is beyond {LARGEST}")
    return int(digits)


def _read_half(digits: str) -> float:
    if HALF.fullmatch(digits):
        return float(digits)
    raise BadJsonError("not_whole", f"{digits[:24]} is not written as a whole number or as a half such as 12.5")


def _no_constant(name: str) -> NoReturn:
    raise BadJsonError("not_whole", f"{name} is not a number")


def _check(value: Any, depth: int) -> None:
    if depth > DEPTH_LIMIT:
        raise BadJsonError("too_deep", f"more than {DEPTH_LIMIT} lists and objects inside each other")
    if isinstance(value, dict):
        for name, part in value.items():
            _check_text(name)
            _check(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _check(part, depth + 1)
    elif isinstance(value, str):
        _check_text(value)


def _check_text(text: str) -> None:
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise BadJsonError("not_text", f"{_quote(text)} holds half a surrogate pair")
    if "\0" in text:
        raise BadJsonError("not_text", f"{_quote(text)} holds the character 0")


def _quote(text: str) -> str:
    """Return a text for an answer: short and plain."""
    return ascii(text[:40])
