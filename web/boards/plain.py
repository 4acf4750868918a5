"""Any board as words and figures: for a game that has no drawing of its own yet."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import current_app

from domain.board import Document
from web.boards.drawing import Part, Scene

TEMPLATE = "plain.html"


def parts(scene: Scene, keys: tuple[str, ...] = ()) -> tuple[Part, ...]:
    """One part for each thing on the board, in the order in which the board names them."""
    return tuple(Part(key, (f"/{key}",), partial(_thing, key)) for key in keys or _keys(scene))


def _keys(scene: Scene) -> tuple[str, ...]:
    from services.games import RULESETS

    return tuple(RULESETS[scene.ruleset].board.__struct_fields__)


def _thing(key: str, document: Document, scene: Scene) -> str:
    template: Any = current_app.jinja_env.get_template(f"boards/{TEMPLATE}").module
    return str(template.thing(key, document[key]))
