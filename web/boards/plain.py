"""Draw any board as words and figures, for games without a drawing of their own.

Python draws it and not the macros of a template, because most of such a board is drawn again at each step. With macros, a
replay of a long game took seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import escape

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document
from daybook.web.boards.drawing import BoardPart, Scene
from daybook.web.boards.pen import Pen
from daybook.web.words.say import say

TEMPLATE = "plain.html"
STYLES: tuple[str, ...] = ()  # in addition to board.css


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return one part for each thing on the board, in the board's order."""
    return tuple(
        BoardPart(key, (f"/{key}",), _reader_of(key), partial(_draw_thing, key))
        for key in RULESETS[scene.ruleset].types.board.__struct_fields__
    )


def draw_values(pen: Pen, values: Sequence[tuple[str, Any]]) -> str:
    """Draw the values at paths of a board that has no picture."""
    lie = "".join(
        f'<div class="plain-part"><h4>{_to_words(path[1:].replace("/", " "))}</h4>{_draw_value(pen, path, value)}</div>'
        for path, value in values
    )
    cannot = say("This board cannot be drawn as it is.")
    return f'<p class="undrawn">{escape(cannot)}</p>{lie}'


def _reader_of(key: str) -> Callable[[Document], tuple[Any, ...]]:
    return lambda document: (document[key],)


def _draw_thing(key: str, pen: Pen, value: Any) -> str:
    return f"<h3>{_to_words(key)}</h3>{_draw_value(pen, f'/{key}', value)}"


def _draw_value(pen: Pen, at: str, value: Any) -> str:
    """Draw a value and everything inside it."""
    if isinstance(value, Mapping):
        named = ((key, _draw_value(pen, f"{at}/{key}", item)) for key, item in value.items())
        return f"<dl>{''.join(f'<div><dt>{_to_words(key)}</dt><dd>{held}</dd></div>' for key, held in named)}</dl>"
    if isinstance(value, list | tuple):
        held = "".join(f"<li>{_draw_value(pen, f'{at}/{place}', item)}</li>" for place, item in enumerate(value))
        return f"<ol>{held}</ol>"
    if isinstance(value, int) and not isinstance(value, bool):
        return pen.figure(at, value, None, "after")
    return f"<span {pen.place(at, value)}>{'–' if value is None else escape(value)}</span>"


def _to_words(name: str) -> str:
    return escape(name.replace("_", " "))
