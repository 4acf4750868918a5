"""Any board as words and figures: for a game that has no drawing of its own yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document
from daybook.web.boards.drawing import BoardPart, Scene, macro

TEMPLATE = "plain.html"
STYLES: tuple[str, ...] = ()  # besides board.css


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """One part for each thing on the board, in the order in which the board names them."""
    return tuple(
        BoardPart(key, (f"/{key}",), _look(key), macro(TEMPLATE, "thing", key))
        for key in RULESETS[scene.ruleset].types.board.__struct_fields__
    )


undrawn = macro(TEMPLATE, "undrawn")  # draws what lies at paths of any board, as [(path, value)], for want of a picture


def _look(key: str) -> Callable[[Document], tuple[Any, ...]]:
    return lambda document: (document[key],)
