"""Lines of a bare file in words, for entries without a sentence: claims, rulings, counts and adjustments.

    * claim raised: about step 12, statement "it was 3; not 2", seat "Anna"
    * adjust: values ("mills.0.coins" 7), why "a note lay under the board"

Each part is a name and a value. A value is a number, a word, a text in quotes, a list in brackets or parts in
parentheses. The words read back as the same line.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from daybook.domain.commands import LINKS
from daybook.services.files.recordfile.bare_lines import KINDS
from daybook.web.words.say import Names

NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
CONSTANTS: Mapping[str, bool | None] = {"yes": True, "no": False, "nothing": None}
TOKEN = re.compile(
    r'\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))|([a-z]+(?:_[a-z]+)*)|([\[\](),]))'
)
LINE_PREFIX = "* "
HEADING = re.compile(r"\* ([a-z]+(?: [a-z]+)*)(?:: (.*))?")
MAX_DEPTH = 16


class NotInWordsError(ValueError):
    """The text is not a line in words."""


# --- writing ---------------------------------------------------------------------------------------------------------


def write_in_words(line: bytes, names: Names) -> str:
    """Return a line of a bare file in words."""
    given: dict[str, Any] = msgspec.json.decode(line)
    kind = next(kind for kind in KINDS if kind in given)
    content = given.pop(kind)
    heading, parts = kind, {kind: content, **given} if kind == "decision" else {**content, **given}
    if kind == "entry":
        heading = parts.pop("type")
    inside = _write_parts(parts, names)
    return f"{LINE_PREFIX}{heading.replace('_', ' ')}" + (f": {inside}" if inside else "")


def _write_parts(parts: Mapping[str, Any], names: Names) -> str:
    return ", ".join(
        f"{name.replace('_', ' ') if NAME.fullmatch(name) else _quote(name)} {_write_value(_named(name, value, names), names)}"
        for name, value in parts.items()
    )


def _named(name: str, value: Any, names: Names) -> Any:
    """Return the name of a seat instead of its number, if the name is unique."""
    is_seat = name == "seat" and type(value) is int and 0 <= value < len(names)
    return _Quoted(names[value]) if is_seat and names.count(names[value]) == 1 else value


class _Quoted(str):
    """A text that is written in quotes even if it is one word."""


def _write_value(value: Any, names: Names) -> str:
    match value:
        case True | False | None:
            return next(word for word, constant in CONSTANTS.items() if constant is value)
        case str():
            is_word = NAME.fullmatch(value) and value not in CONSTANTS and not isinstance(value, _Quoted)
            return value if is_word else _quote(value)
        case list():
            return f"[{', '.join(_write_value(part, names) for part in value)}]"
        case dict():
            return f"({_write_parts(value, names)})"
    return json.dumps(value)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_in_words(text: str, names: Names) -> bytes | None:
    """Parse a line in words into the line of a bare file; None if the text is not a line in words."""
    match = HEADING.fullmatch(text)
    if match is None:
        return None
    heading = match[1].replace(" ", "_")
    try:
        parts = _Parts(match[2] or "", names).read_all()
    except NotInWordsError:
        return None
    if heading == "decision":
        return msgspec.json.encode(parts)
    if heading not in KINDS:
        return msgspec.json.encode({"entry": {"type": heading, **parts}})
    links = {name: parts.pop(name) for name in LINKS if name in parts}
    return msgspec.json.encode({heading: parts, **links})


class _Parts:
    """Parser of the parts of a line."""

    def __init__(self, text: str, names: Names) -> None:
        self.tokens, self.names, self.place = list[tuple[str, str]](), names, 0
        at = 0
        while match := TOKEN.match(text, at):
            self.tokens.append(next((kind, token) for kind, token in zip("qnwp", match.groups(), strict=True) if token))
            at = match.end()
        if text[at:].strip():
            raise NotInWordsError

    def read_all(self) -> dict[str, Any]:
        parts = self._parts("", 0)
        if self.place < len(self.tokens):
            raise NotInWordsError
        return parts

    def _peek(self) -> tuple[str, str]:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("", "")

    def _take(self) -> tuple[str, str]:
        token = self._peek()
        self.place += 1
        return token

    def _parts(self, closing: str, depth: int) -> dict[str, Any]:
        parts = dict[str, Any]()
        while self._peek()[1] != closing:
            name = self._name()
            value = self._value(depth)
            if name == "seat" and isinstance(value, str):
                value = self._seat(value)
            parts[name] = value
            if self._peek() == ("p", ","):
                self.place += 1
        return parts

    def _name(self) -> str:
        """Take the words before a value; the last word is the value if nothing else follows."""
        kind, token = self._take()
        if kind == "q":
            return self._text(token)
        words = [token]
        while kind == "w" and self._peek()[0] == "w" and self._next_is_word_or_value():
            words.append(self._take()[1])
        if kind != "w":
            raise NotInWordsError
        return "_".join(words)

    def _next_is_word_or_value(self) -> bool:
        """Check if a further word or value of the part follows."""
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else ("", "")
        return after[0] in ("w", "q", "n") or after[1] in ("(", "[")

    def _value(self, depth: int) -> Any:
        kind, token = self._take()
        if depth > MAX_DEPTH or not kind:
            raise NotInWordsError
        if kind == "q":
            return self._text(token)
        if kind == "n":
            return self._number(token)
        if kind == "w":
            return CONSTANTS.get(token, token)
        if token == "(":
            parts = self._parts(")", depth + 1)
            self.place += 1
            return parts
        if token == "[":
            return self._list(depth)
        raise NotInWordsError

    def _list(self, depth: int) -> list[Any]:
        values = []
        while self._peek()[1] != "]":
            values.append(self._value(depth + 1))
            if self._peek() == ("p", ","):
                self.place += 1
        self.place += 1
        return values

    def _seat(self, name: str) -> int | str:
        return self.names.index(name) if self.names.count(name) == 1 else name

    def _number(self, token: str) -> int | float:
        try:
            number: int | float = json.loads(token)
        except ValueError:  # more digits than Python converts
            raise NotInWordsError from None
        if abs(number) == math.inf:
            raise NotInWordsError
        return number

    def _text(self, token: str) -> str:
        try:
            text = str(json.loads(token))
            text.encode()
        except ValueError:  # also for half of a surrogate pair
            raise NotInWordsError from None
        return text
