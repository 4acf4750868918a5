"""Symbols of boards: shapes that a drawing shows again and again, written once in a game's template and used by name.

A template writes them with a pen, which registers the size of each symbol, its style classes, and the symbols that it
uses. A page includes all symbols. A miniature includes only those that it shows, with the styles of their classes, and
need not parse the written text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from flask import current_app
from jinja2 import Environment
from markupsafe import Markup

ID_MARK = "\ue000"  # before the id of a symbol; small boards of one page have different prefixes instead
SYMBOL_CACHE_SIZE = 128  # sheets; coloured ones depend on the players' colours


class Symbol(NamedTuple):
    """paints: classes of its shapes, and its own; uses: names of other symbols, as often as it shows them."""

    svg: Markup
    paints: tuple[str, ...]
    uses: tuple[str, ...]


class SymbolSheet(NamedTuple):
    """html: everything that uses of its symbols need on a page."""

    html: Markup
    symbols: Mapping[str, Symbol]

    def joined_with(self, sheet: SymbolSheet) -> SymbolSheet:
        return SymbolSheet(self.html + sheet.html, {**self.symbols, **sheet.symbols})


NO_SYMBOLS = SymbolSheet(Markup(), {})


class SymbolPen:
    """Writes symbols, one after another."""

    def __init__(self) -> None:
        self.symbols: dict[str, Symbol] = {}
        self._paints: list[str] = []
        self._uses: list[str] = []

    def symbol(
        self,
        name: str,
        width: float,
        height: float,
        *,
        paint: str = "",
        stretched: bool = False,
        caller: Callable[[], Markup],
    ) -> Markup:
        """Define a symbol from the shapes of its block.

        Args:
            paint: its CSS class.
            stretched: it fills any box.
        """
        self._paints, self._uses = [paint] if paint else [], []
        shapes = caller()
        svg = Markup('<symbol id="{}{}" viewBox="0 0 {} {}"{}{}>{}</symbol>').format(
            ID_MARK,
            name,
            width,
            height,
            Markup(' class="{}"').format(paint) if paint else "",
            Markup(' preserveAspectRatio="none"') if stretched else "",
            shapes,
        )
        self.symbols[name] = Symbol(svg, tuple(self._paints), tuple(self._uses))
        return svg

    def paint(self, *names: str) -> Markup:
        """Return the class attribute of a shape in a symbol."""
        self._paints += names
        return Markup('class="{}"').format(" ".join(names))

    def use(self, name: str, width: float, height: float, x: float | None = None, y: float | None = None) -> Markup:
        """Return a use of another symbol with its size, which some SVG renderers require."""
        self._uses.append(name)
        place = Markup() if x is None or y is None else Markup(' x="{}" y="{}"').format(x, y)
        return Markup('<use href="#{}{}"{} width="{}" height="{}"/>').format(ID_MARK, name, place, width, height)


def draw_symbols(template: str, *given: Any, macro: str = "symbols") -> SymbolSheet:
    """Draw the symbols that a macro of a board's template writes.

    Args:
        given: arguments of the macro.
    """
    return _draw_symbols(current_app.jinja_env, template, macro, given)


@lru_cache(SYMBOL_CACHE_SIZE)
def _draw_symbols(templates: Environment, template: str, macro: str, given: tuple[Any, ...]) -> SymbolSheet:
    pen = SymbolPen()
    macros: Any = templates.get_template(f"boards/{template}").make_module(
        {"symbol": pen.symbol, "paint": pen.paint, "use": pen.use}
    )
    return SymbolSheet(Markup(getattr(macros, macro)(*given)).replace(ID_MARK, ""), pen.symbols)
