"""Draw boards as flat HTML and SVG, in parts that keep their place from step to step.

The drawing of a game is a module here. `parts(scene)` names its parts and the values that each reads. A template with a
macro `frame(scene, part, ids)` puts the parts in their places. The optional `symbols(scene)` draws repeated shapes. A
part is drawn again only if its values have changed. So a replay has the first drawing of each part, and then only the
parts that each step changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from daybook.services.permissions.sights import Sight
from daybook.web.boards import plain
from daybook.web.boards.drawing import BoardPart, Scene, draw_mark, mark_symbols
from daybook.web.boards.miniature import Miniature, Shows
from daybook.web.boards.pen import DrawnPart, DrawnPlace, Mark, Pen, find_marks
from daybook.web.boards.symbols import NO_SYMBOLS, SymbolSheet
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words import PathLabels
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
    "draw_mark",
    "find_marks",
    "mark_symbols",
    "style_sheets",
]

Drawn = TypeVar("Drawn")

DRAWING_CACHE_SIZE = 30_000  # drawn parts, about 1 KiB each
BOARD_CACHE_CHARACTERS = 16 * 2**20  # of whole boards


def style_sheets(ruleset_id: str) -> list[str]:
    """Return the stylesheets of a game's drawing."""
    return ["board.css", *drawing_module(ruleset_id).STYLES]


def drawing_module(ruleset_id: str) -> ModuleType:
    """Return the module that draws a game, by default the plain one."""
    return pages_of(ruleset_id).drawing or plain


class Picture:
    """A game's drawing in one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.module = drawing_module(scene.ruleset)
        self.parts: dict[str, BoardPart] = {part.id: part for part in self.module.parts(scene)}
        self._pen = Pen(scene.unshown, PathLabels(scene.ruleset, scene.names).name)
        self._key = scene.key
        self._touched: dict[str, tuple[str, ...]] = {}  # by path of the document

    def draw_parts(self, parts: Iterable[BoardPart], document: Document) -> dict[str, DrawnPart]:
        """Draw some parts of a board, without what the viewer may not see."""
        seen = self.scene.unshown.redact_document(document)
        return {part.id: self._draw_part(part, seen) for part in parts}

    def draw_all(self, document: Document) -> dict[str, DrawnPart]:
        return self.draw_parts(self.parts.values(), document)

    def draw_miniature(self, document: Document) -> Miniature | None:
        """Draw the miniature without what the viewer may not see; None if the game has none."""
        seen = self.scene.unshown.redact_document(document)
        return self._miniature(lambda: {part.id: part.look(seen) for part in self.parts.values()})

    def miniature_of(self, drawings: Mapping[str, DrawnPart]) -> Miniature | None:
        """Draw the miniature from drawn parts."""
        return self._miniature(lambda: {part_id: drawings[part_id].shows for part_id in self.parts})

    def _miniature(self, shows: Callable[[], Shows]) -> Miniature | None:
        """Draw the miniature; None, with a log entry, if it has no picture of something."""
        draw = pages_of(self.scene.ruleset).miniature
        if draw is None:
            return None
        try:
            drawn: Miniature = draw(self.scene, shows())
            return drawn
        except (*CANNOT_GO_ON, TemplateError):
            current_app.logger.exception("%s: the board cannot be drawn small", self.scene.ruleset)
            return None

    def redraw(self, document: Document, changes: Iterable[str]) -> dict[str, DrawnPart]:
        """Draw the parts that depend on any of these paths."""
        return self.draw_parts([self.parts[part_id] for part_id in self.parts_at(changes)], document)

    def _draw_part(self, part: BoardPart, seen: Document) -> DrawnPart:
        """Draw a part; if it has no picture of something, log that and draw a table of values."""
        try:
            shows = part.look(seen)
            return DRAWN.get(
                (self._key, part.id, msgspec.json.encode(shows)),
                lambda: self._pen.draw_part(part.draw, detached_copy(shows)),
            )
        except (*CANNOT_GO_ON, TemplateError):
            current_app.logger.exception("%s: the part %s cannot be drawn", self.scene.ruleset, part.id)
            values = [(path, value_at(seen, path)) for path in part.paths if is_at(seen, path)]
            return self._pen.draw_part(plain.draw_values, (detached_copy(values),), undrawn=True)

    def parts_at(self, changes: Iterable[str]) -> set[str]:
        """Return the ids of parts that depend on any of these paths."""
        return {part_id for path in changes for part_id in self._touched_by(path)}

    def _touched_by(self, changed: str) -> tuple[str, ...]:
        if changed not in self._touched:
            self._touched[changed] = tuple(
                part.id for part in self.parts.values() if any(_paths_meet(changed, path) for path in part.paths)
            )
        return self._touched[changed]

    def frame(self, drawings: Mapping[str, DrawnPart], marks: Mapping[str, Mark], focus: Seat | None = None) -> Markup:
        """Draw the board with every part in its place and a step's changes marked.

        Args:
            focus: the player whose part is open where space is limited.
        """
        template = current_app.jinja_env.get_template(f"boards/{self.module.TEMPLATE}").module

        def part(part_id: str, tag: str = "div", more: str = "") -> Markup:
            """Draw the element of one part."""
            html = self.mark_changes(self.parts[part_id], drawings[part_id], marks)
            return Markup(f'<{tag} class="part {more}" data-part="{part_id}">{html}</{tag}>')

        framed: Markup = template.frame(self.scene, part, list(self.parts), focus)  # type: ignore[attr-defined]
        return mark_symbols(self.scene.table.colours) + self._symbols() + framed

    def frame_parts(self, drawings: Mapping[str, DrawnPart]) -> Markup:
        """Draw only these parts, one after the other, with the symbols that they use."""
        parts = Markup().join(
            Markup('<div class="part" data-part="{}">{}</div>').format(part_id, Markup(drawn.html))
            for part_id, drawn in drawings.items()
        )
        framed = Markup('<div class="board {} parts-only">{}</div>').format(self.scene.ruleset, parts)
        return mark_symbols(self.scene.table.colours) + self._symbols() + framed

    def _symbols(self) -> Markup:
        """Return the symbols that the drawing repeats, if any."""
        symbols: Callable[[Scene], SymbolSheet] = getattr(self.module, "symbols", lambda scene: NO_SYMBOLS)
        return symbols(self.scene).html

    def mark_changes(self, part: BoardPart, drawn: DrawnPart, marks: Mapping[str, Mark]) -> Markup:
        """Draw a part with a step's changes marked."""
        here = tuple((at, mark) for at, mark in marks.items() if at in drawn.places) if marks else ()
        if not here:
            return Markup(drawn.html)
        draw = plain.draw_values if drawn.undrawn else part.draw
        again = DRAWN.get((self._key, part.id, drawn.html, here), lambda: self._pen.draw_part(draw, drawn.shows, marks))
        return Markup(again.html)


def _paths_meet(changed: str, path: str) -> bool:
    return changed == path or changed.startswith(path + "/") or path.startswith(changed + "/")


def detached_copy(value: Any) -> Any:
    """Copy a part's content so that it shares nothing with the changing board."""
    if isinstance(value, tuple):
        return value._make(map(detached_copy, value)) if hasattr(value, "_make") else tuple(map(detached_copy, value))
    if type(value) is list:
        return [detached_copy(item) for item in value]
    if type(value) is dict:
        return {key: detached_copy(item) for key, item in value.items()}
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

    def forget(self) -> None:
        with self._lock:
            self._drawn.clear()


DRAWN = _Drawings[DrawnPart](DRAWING_CACHE_SIZE)
FRAMED = _Drawings[Markup](BOARD_CACHE_CHARACTERS, len)


def framed_board(
    game: Game,
    names: Names,
    sight: Sight,
    view: TablePrivacy,
    document: Document,
    other_document: Document | None = None,
    suffix: str = "",
) -> Markup:
    """Draw a board as a viewer sees it, with differences from another board marked.

    Args:
        suffix: of element ids, for a further board on one page.
    """
    scene = Scene(game.ruleset.id, game.table, tuple(names), sight, str(get_locale()), view, suffix)

    def frame() -> Markup:
        picture = Picture(scene)
        shown = picture.draw_all(document)
        return picture.frame(
            shown, {} if other_document is None else find_marks(picture.draw_all(other_document), shown)
        )

    key = (drawing_module(scene.ruleset), scene.key, msgspec.json.encode((document, other_document)))
    return FRAMED.get(key, frame)


def framed_parts(
    game: Game, names: Names, sight: Sight, view: TablePrivacy, document: Document, part_ids: Sequence[str]
) -> Markup:
    """Draw some parts of a board as a viewer sees them, outside of the board."""
    scene = Scene(game.ruleset.id, game.table, tuple(names), sight, str(get_locale()), view, "")

    def frame() -> Markup:
        picture = Picture(scene)
        return picture.frame_parts(picture.draw_parts([picture.parts[part_id] for part_id in part_ids], document))

    key = (drawing_module(scene.ruleset), scene.key, msgspec.json.encode((document, part_ids)))
    return FRAMED.get(key, frame)
