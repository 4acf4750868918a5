"""Boards drawn as they lie on the table: flat HTML and SVG, in parts that keep their place from step to step.

A game's drawing is a module here: `parts(scene)` names its parts and what each is drawn from, and a template with
a macro `frame(scene, part, ids)` puts them in their places. A part is drawn again only when what it is drawn from has
changed, so a whole replay is the first drawing of each part and then the few parts that each step changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from types import ModuleType
from typing import Any

import msgspec
from flask import current_app
from jinja2 import TemplateError
from markupsafe import Markup

from daybook.domain.kernel.board import Document, is_at, value_at
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.web.boards import plain
from daybook.web.boards.drawing import Drawn, Mark, Part, Scene, drawn, figure, mark, mark_symbols, marked, marks, place
from daybook.web.words import say
from daybook.web.words.game_pages import pages_of

__all__ = [
    "Drawn", "Mark", "Part", "Picture", "Scene", "figure", "mark", "mark_symbols", "marked", "marks", "place", "styles",
]

KEPT_DRAWINGS = 30_000  # drawn parts kept at hand, about 1 KiB each


def styles(ruleset: str) -> list[str]:
    """The stylesheets of a game's drawing."""
    return ["board.css", *drawing_of(ruleset).STYLES]


def drawing_of(ruleset: str) -> ModuleType:
    """The module that draws a game; one without a drawing of its own is drawn plainly."""
    return pages_of(ruleset).drawing or plain


class Picture:
    """A game's drawing in one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.module = drawing_of(scene.ruleset)
        self.parts: dict[str, Part] = {part.id: part for part in self.module.parts(scene)}
        self._key = scene.key
        self._touched: dict[str, tuple[str, ...]] = {}  # by path of the document

    def draw(self, part_id: str, document: Document) -> Drawn:
        """A part; a table of its values where something lies that the drawing has no picture of.

        That is logged: on a board that the rules know it is a fault of the drawing.
        """
        part = self.parts[part_id]
        try:
            shows = part.look(document)
            return DRAWN.get(
                (self._key, part_id, msgspec.json.encode(shows)),
                lambda: self.scene.unshown.drawn(str(part.draw(*shows))))
        except (*CANNOT_GO_ON, TemplateError):
            current_app.logger.exception("%s: the part %s cannot be drawn", self.scene.ruleset, part_id)
            said = Markup('<p class="undrawn">{}</p>').format(say("This cannot be drawn as it lies."))
            values = (plain.held(path, value_at(document, path)) for path in part.paths if is_at(document, path))
            return drawn(self.scene.unshown.drawn(str(said) + "".join(values)))

    def whole(self, document: Document) -> dict[str, Drawn]:
        return {part_id: self.draw(part_id, document) for part_id in self.parts}

    def touched(self, changes: Iterable[str]) -> set[str]:
        """The parts drawn from any of these paths of the document."""
        return {part_id for path in changes for part_id in self._touched_by(path)}

    def _touched_by(self, changed: str) -> tuple[str, ...]:
        if changed not in self._touched:
            self._touched[changed] = tuple(
                part.id for part in self.parts.values() if any(_meet(changed, path) for path in part.paths))
        return self._touched[changed]

    def frame(self, drawings: Mapping[str, Drawn], marks: Mapping[str, Mark]) -> Markup:
        """The board with every part in its place, and what a step changed marked."""
        template = current_app.jinja_env.get_template(f"boards/{self.module.TEMPLATE}").module

        def part(part_id: str, tag: str = "div", more: str = "") -> Markup:
            """The place of one part."""
            html = marked(drawings[part_id].html, marks)
            return Markup(f'<{tag} class="part {more}" data-part="{part_id}">{html}</{tag}>')

        framed: Markup = template.frame(self.scene, part, list(self.parts))  # type: ignore[attr-defined]
        return mark_symbols(self.scene.table.colours) + framed


def _meet(changed: str, path: str) -> bool:
    return changed == path or changed.startswith(path + "/") or path.startswith(changed + "/")


class _Drawings:
    """Drawn parts by what they were drawn from, the most recent ones."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._drawn: OrderedDict[tuple[Any, ...], Drawn] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[Any, ...], draw: Callable[[], str]) -> Drawn:
        with self._lock:
            found = self._drawn.get(key)
            if found is not None:
                self._drawn.move_to_end(key)
                return found
        found = drawn(draw())
        with self._lock:
            self._drawn[key] = found
            while len(self._drawn) > self.size:
                self._drawn.popitem(last=False)
        return found


DRAWN = _Drawings(KEPT_DRAWINGS)
