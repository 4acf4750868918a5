"""Finds the texts of our modules that a translator has to read: babel.cfg names this extractor.

Beside the calls that Babel is told of, wherever they stand: what `N_` marks, each text of a table that is declared as
`Texts`, and what the makers of rows are given in the places that babel.cfg names, by number or by name.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO


def extract(
    file: BinaryIO, keywords: Mapping[str, Any], comments: Collection[str], options: Mapping[str, str]
) -> Iterator[tuple[int, str | None, str | tuple[str | None, ...], list[str]]]:
    """Yields (line, function, text or its arguments, comments) for each of them, as Babel asks of an extractor."""
    makers = {maker: places.split(",") for maker, places in (one.split(":") for one in options["makers"].split())}
    for node in ast.walk(ast.parse(file.read())):
        marked: list[ast.expr] = []
        match node:
            case ast.AnnAssign(annotation=ast.Name(id="Texts"), value=ast.expr() as table):
                marked = [table]
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) as call:
                if name in makers:
                    marked = [given for place in makers[name] if (given := _given(call, place)) is not None]
                elif name in keywords:
                    yield call.lineno, name, tuple(map(_text, call.args)), []
        for part in marked:
            for text in _texts(part):
                yield part.lineno, None, text, []


def _given(call: ast.Call, place: str) -> ast.expr | None:
    """What a call is given in a place: a number from 1, or a name."""
    if place.isdigit():
        return call.args[int(place) - 1] if int(place) <= len(call.args) else None
    return next((given.value for given in call.keywords if given.arg == place), None)


def _text(part: ast.expr) -> str | None:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None


def _texts(part: ast.expr) -> Iterator[str]:
    """The texts of an expression: itself, the values of a table, what is in a list, either of two, what a lambda chooses."""
    match part:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for one in parts:
                yield from _texts(one)
        case ast.Lambda(body=body):
            yield from _texts(body)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body)
            yield from _texts(orelse)
