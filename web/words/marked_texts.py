"""Find the translatable texts of our modules for Babel; babel.cfg names this extractor.

It finds the arguments of the calls that babel.cfg lists, and every text of a table that is declared as `Texts`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

GETTEXT = {"singular": "gettext", "plural": "ngettext", "context": "npgettext"}  # option -> Babel's keyword
Found = tuple[int, str, tuple[str | None, ...], list[str]]


def extract(
    file: BinaryIO, keywords: Mapping[str, Any], comments: Collection[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Yield (line, keyword, texts, comments) for each text, as Babel expects of an extractor."""
    calls = {
        name: (GETTEXT[option], places.split(","))
        for option in GETTEXT
        for name, places in (call.split(":") for call in options.get(option, "").split())
    }
    for node in ast.walk(ast.parse(file.read())):
        match node:
            case ast.AnnAssign(annotation=ast.Name(id="Texts"), value=ast.expr() as table):
                yield from _singular(table)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) as call if name in calls:
                keyword, places = calls[name]
                arguments = [_argument(call, place) for place in places]
                if keyword == "gettext":
                    for argument in filter(None, arguments):
                        yield from _singular(argument)
                else:
                    yield call.lineno, keyword, tuple(map(_text, arguments)), []


def _singular(part: ast.expr) -> Iterator[Found]:
    for text in _texts(part):
        yield part.lineno, "gettext", (text,), []


def _argument(call: ast.Call, place: str) -> ast.expr | None:
    """Return the argument of a call by number (from 1) or name."""
    if place.isdigit():
        return call.args[int(place) - 1] if int(place) <= len(call.args) else None
    return next((keyword.value for keyword in call.keywords if keyword.arg == place), None)


def _text(part: ast.expr | None) -> str | None:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None


def _texts(part: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression: a constant, or all in a table, list, choice or lambda."""
    match part:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for item in parts:
                yield from _texts(item)
        case ast.Lambda(body=body):
            yield from _texts(body)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body)
            yield from _texts(orelse)
