"""Any board as words and figures: for a game that has no drawing of its own yet.

Most of such a board is drawn again at each step, in Python: by the macros of a template a replay of a long game took
seconds.
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
STYLES: tuple[str, ...] = ()  # besides board.css


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """One part for each thing on the board, in the order in which the board names them."""
    return tuple(
        BoardPart(key, (f"/{key}",), _look(key), partial(_thing, key))
        for key in RULESETS[scene.ruleset].types.board.__struct_fields__
    )


def undrawn(pen: Pen, values: Sequence[tuple[str, Any]]) -> str:
    """Draws what lies at paths of any board, for want of a picture."""
    lie = "".join(
        f'<div class="plain-part"><h4>{_words(path[1:].replace("/", " "))}</h4>{_held(pen, path, value)}</div>'
        for path, value in values
    )
    cannot = say("This board cannot be drawn as it is.")
    return f'<p class="undrawn">{escape(cannot)}</p>{lie}'


def _look(key: str) -> Callable[[Document], tuple[Any, ...]]:
    return lambda document: (document[key],)


def _thing(key: str, pen: Pen, value: Any) -> str:
    return f"<h3>{_words(key)}</h3>{_held(pen, f'/{key}', value)}"


def _held(pen: Pen, at: str, value: Any) -> str:
    """What lies at a path, and all within it."""
    if isinstance(value, Mapping):
        named = ((key, _held(pen, f"{at}/{key}", one)) for key, one in value.items())
        return f"<dl>{''.join(f'<div><dt>{_words(key)}</dt><dd>{held}</dd></div>' for key, held in named)}</dl>"
    if isinstance(value, list | tuple):
        held = "".join(f"<li>{_held(pen, f'{at}/{place}', one)}</li>" for place, one in enumerate(value))
        return f"<ol>{held}</ol>"
    if isinstance(value, int) and not isinstance(value, bool):
        return pen.figure(at, value, None, "after")
    return f"<span {pen.place(at, value)}>{'–' if value is None else escape(value)}</span>"


def _words(name: str) -> str:
    return escape(name.replace("_", " "))
