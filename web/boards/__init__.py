"""Boards drawn as they lie on the table: flat HTML and SVG, in parts that keep their place from step to step.

A game's drawing is a module here: `parts(scene)` names its parts and what each is drawn from, and a template with
a macro `frame(scene, part, ids)` puts them in their places. `symbols(scene)`, where it has some, draws what the
template shows again and again. A part is drawn again only when what it is drawn from has changed, so a whole replay is
the first drawing of each part and then the few parts that each step changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from types import ModuleType
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import LRUCache
from flask import current_app
from flask_babel import get_locale
from jinja2 import TemplateError
from markupsafe import Markup

from daybook.domain.kernel.board import Document, is_at, value_at
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import Seat
from daybook.services.people.access import Sight
from daybook.web.boards import plain
from daybook.web.boards.drawing import BoardPart, Scene, mark, mark_symbols
from daybook.web.boards.miniature import Miniature, Shows
from daybook.web.boards.pen import DrawnPart, DrawnPlace, Mark, Pen, marks
from daybook.web.boards.symbols import NO_SYMBOLS, SymbolSheet
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words.game_pages import pages_of
from daybook.web.words.say import Names

__all__ = [
    "BoardPart",
    "DrawnPart",
    "DrawnPlace",
    "Mark",
    "Miniature",
    "Picture",
    "Scene",
    "mark",
    "mark_symbols",
    "marks",
    "styles",
]

Drawn = TypeVar("Drawn")

KEPT_DRAWINGS = 30_000  # drawn parts kept at hand, about 1 KiB each
ROOM_FOR_BOARDS = 16 * 2**20  # characters of whole boards that are


def styles(ruleset_id: str) -> list[str]:
    """The stylesheets of a game's drawing."""
    return ["board.css", *drawing_of(ruleset_id).STYLES]


def drawing_of(ruleset_id: str) -> ModuleType:
    """The module that draws a game; one without a drawing of its own is drawn plainly."""
    return pages_of(ruleset_id).drawing or plain


class Picture:
    """A game's drawing in one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.module = drawing_of(scene.ruleset)
        self.parts: dict[str, BoardPart] = {part.id: part for part in self.module.parts(scene)}
        self._pen = Pen(scene.unshown)
        self._key = scene.key
        self._touched: dict[str, tuple[str, ...]] = {}  # by path of the document

    def draw(self, parts: Iterable[BoardPart], document: Document) -> dict[str, DrawnPart]:
        """Some parts, drawn from a board without what the viewer is not shown."""
        seen = self.scene.unshown.left_of(document)
        return {part.id: self._draw_part(part, seen) for part in parts}

    def whole(self, document: Document) -> dict[str, DrawnPart]:
        return self.draw(self.parts.values(), document)

    def small(self, document: Document) -> Miniature | None:
        """The board drawn small, without what the viewer is not shown; None: the game has no such drawing."""
        seen = self.scene.unshown.left_of(document)
        return self._small(lambda: {part.id: part.look(seen) for part in self.parts.values()})

    def small_of(self, drawings: Mapping[str, DrawnPart]) -> Miniature | None:
        """The same, of parts that have been drawn."""
        return self._small(lambda: {part_id: drawings[part_id].shows for part_id in self.parts})

    def _small(self, shows: Callable[[], Shows]) -> Miniature | None:
        """None, too, where something lies that the drawing has no picture of. That is logged, as for a part."""
        draw = pages_of(self.scene.ruleset).miniature
        if draw is None:
            return None
        try:
            drawn: Miniature = draw(self.scene, shows())
            return drawn
        except (*CANNOT_GO_ON, TemplateError):
            current_app.logger.exception("%s: the board cannot be drawn small", self.scene.ruleset)
            return None

    def drawn_again(self, document: Document, changes: Iterable[str]) -> dict[str, DrawnPart]:
        """The parts drawn from any of these paths of the document."""
        return self.draw([self.parts[part_id] for part_id in self.parts_at(changes)], document)

    def _draw_part(self, part: BoardPart, seen: Document) -> DrawnPart:
        """A part; a table of its values where something lies that the drawing has no picture of.

        That is logged: on a board that the rules know it is a fault of the drawing.
        """
        try:
            shows = part.look(seen)
            return DRAWN.get(
                (self._key, part.id, msgspec.json.encode(shows)),
                lambda: self._pen.draw_part(part.draw, detached_copy(shows)),
            )
        except (*CANNOT_GO_ON, TemplateError):
            current_app.logger.exception("%s: the part %s cannot be drawn", self.scene.ruleset, part.id)
            values = [(path, value_at(seen, path)) for path in part.paths if is_at(seen, path)]
            return self._pen.draw_part(plain.undrawn, (detached_copy(values),), undrawn=True)

    def parts_at(self, changes: Iterable[str]) -> set[str]:
        """The parts drawn from any of these paths of the document."""
        return {part_id for path in changes for part_id in self._touched_by(path)}

    def _touched_by(self, changed: str) -> tuple[str, ...]:
        if changed not in self._touched:
            self._touched[changed] = tuple(
                part.id for part in self.parts.values() if any(_paths_meet(changed, path) for path in part.paths)
            )
        return self._touched[changed]

    def frame(self, drawings: Mapping[str, DrawnPart], marks: Mapping[str, Mark], focus: Seat | None = None) -> Markup:
        """The board with every part in its place, and what a step changed marked.

        focus: the player whose part lies open where there is not room for everybody's.
        """
        template = current_app.jinja_env.get_template(f"boards/{self.module.TEMPLATE}").module

        def part(part_id: str, tag: str = "div", more: str = "") -> Markup:
            """The place of one part."""
            html = self.mark_changes(self.parts[part_id], drawings[part_id], marks)
            return Markup(f'<{tag} class="part {more}" data-part="{part_id}">{html}</{tag}>')

        framed: Markup = template.frame(self.scene, part, list(self.parts), focus)  # type: ignore[attr-defined]
        return mark_symbols(self.scene.table.colours) + self._symbols() + framed

    def _symbols(self) -> Markup:
        """What the drawing shows again and again, where it has symbols for that."""
        symbols: Callable[[Scene], SymbolSheet] = getattr(self.module, "symbols", lambda scene: NO_SYMBOLS)
        return symbols(self.scene).html

    def mark_changes(self, part: BoardPart, drawn: DrawnPart, marks: Mapping[str, Mark]) -> Markup:
        """A drawing of a part with what a step changed in it marked: drawn again, where there is any."""
        here = tuple((at, mark) for at, mark in marks.items() if at in drawn.places) if marks else ()
        if not here:
            return Markup(drawn.html)
        draw = plain.undrawn if drawn.undrawn else part.draw
        again = DRAWN.get((self._key, part.id, drawn.html, here), lambda: self._pen.draw_part(draw, drawn.shows, marks))
        return Markup(again.html)


def _paths_meet(changed: str, path: str) -> bool:
    return changed == path or changed.startswith(path + "/") or path.startswith(changed + "/")


def detached_copy(value: Any) -> Any:
    """A copy of what a part shows that shares nothing with the board, which changes."""
    if isinstance(value, tuple):
        return value._make(map(detached_copy, value)) if hasattr(value, "_make") else tuple(map(detached_copy, value))
    if type(value) is list:
        return [detached_copy(one) for one in value]
    if type(value) is dict:
        return {key: detached_copy(one) for key, one in value.items()}
    return value


class _Drawings(Generic[Drawn]):
    """Drawings by what they were drawn from, the most recent ones."""

    def __init__(self, room: int, takes: Callable[[Drawn], int] = lambda _: 1) -> None:
        self._drawn: LRUCache[tuple[Any, ...], Drawn] = LRUCache(room, takes)
        self._lock = Lock()

    def get(self, key: tuple[Any, ...], draw: Callable[[], Drawn]) -> Drawn:
        with self._lock:
            if (found := self._drawn.get(key)) is not None:
                return found
        found = draw()
        with self._lock:
            self._drawn[key] = found
        return found


DRAWN = _Drawings[DrawnPart](KEPT_DRAWINGS)
FRAMED = _Drawings[Markup](ROOM_FOR_BOARDS, len)


def framed_board(
    game: Game,
    names: Names,
    sight: Sight,
    view: TablePrivacy,
    document: Document,
    beside: Document | None = None,
    second: bool = False,
) -> Markup:
    """A board as somebody sees it, with what is not as on the other one marked. second: of two on one page."""
    place = "-second" if second else ""
    scene = Scene(game.ruleset.id, game.table, tuple(names), sight, str(get_locale()), view, place)

    def frame() -> Markup:
        picture = Picture(scene)
        shown = picture.whole(document)
        return picture.frame(shown, {} if beside is None else marks(picture.whole(beside), shown))

    key = (drawing_of(scene.ruleset), scene.key, msgspec.json.encode((document, beside)))
    return FRAMED.get(key, frame)
