"""Elements of a board's drawing: the scene, its parts and the seats' marks. Independent of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import TABLE, Seat, Table
from daybook.services.permissions.sights import Sight
from daybook.web.boards.pen import Pen
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.words.seat_marks import seat_paint, seat_shape

Looks = tuple[Any, ...]  # content of a part, as plain values


@dataclass(frozen=True, slots=True)
class Scene:
    """Context of a drawing besides the document; constant during a replay.

    Args:
        beside: suffix of element ids for a second board on a page.
    """

    ruleset: str
    table: Table  # colours of the seats, options, printed numbers
    names: tuple[str, ...]
    sight: Sight
    locale: str
    unshown: TablePrivacy = NOTHING
    beside: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        table = self.table
        return (
            self.ruleset,
            table.colours,
            table.options,
            table.sheet.digest(),
            self.names,
            self.sight,
            self.locale,
            self.unshown,
            self.beside,
        )


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A piece of the board.

    paths: the parts of the document that it reads; look: the visible values of them; draw: returns HTML for a look, with
    a pen. Equal looks are drawn once.
    """

    id: str
    paths: tuple[str, ...]
    look: Callable[[Document], Looks]
    draw: Callable[..., str]


def macro_drawer(template: str, name: str, *given: Any) -> Callable[..., str]:
    """Return a function that draws by a macro of a board's template.

    Args:
        given: first arguments of the macro.
    """

    def draw(pen: Pen, *shows: Any) -> str:
        return str(getattr(pen.macros(f"boards/{template}"), name)(*given, *shows))

    return draw


# --- seat marks, drawn once and used by name -------------------------------------------------------------------------


@lru_cache
def mark_symbols(colours: tuple[str, ...]) -> Markup:
    """Draw the symbols used by `mark`, once on every page that shows marks."""
    marks = [_draw_symbol(TABLE), *(_draw_symbol(seat, colour) for seat, colour in enumerate(colours))]
    return Markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true">{"".join(marks)}</svg>')


def _draw_symbol(seat: Seat, colour: str = "") -> Markup:
    return Markup('<symbol id="mark{}" viewBox="0 0 24 24" class="{}"><g class="seat">{}</g></symbol>').format(
        seat, seat_paint(seat, colour), seat_shape(seat)
    )


def draw_mark(seat: Seat, label: str = "") -> Markup:
    """Draw a seat's mark.

    Args:
        label: for screen readers; omit it next to the name.
    """
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return Markup(f'<svg class="seat" {spoken}><use href="#mark{seat}"/></svg>')
