"""Small boards as one SVG, for pictures of shared links and for lists of games.

A game's drawing may have `miniature(scene, shows)`, which puts shapes into a box of WIDTH by HEIGHT. `shows` has the
visible values of each part of the board, as in the replay, so nothing is in it that is hidden from the viewer. Symbols
(goods, cards) are those of the board's drawing. Colours have names, with values for day and night. Words that would be
too small to read are left out.

The board of the pages cannot be scaled instead. It is HTML that a browser lays out, so resvg cannot draw it for shared
pictures. In a list it would cost 16 to 103 kB a game and four style sheets, where this costs 6 to 21 kB. The symbols and
the colours are shared by both.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.boards.colours import DARK, LIGHT
from daybook.web.boards.drawing import Scene
from daybook.web.boards.symbols import ID_MARK, NO_SYMBOLS, Symbol, SymbolSheet
from daybook.web.words.seat_marks import seat_letter, seat_outline, seat_paint

WIDTH, HEIGHT = 720, 360
MIN_LETTER_PIXELS = 11

Shows = Mapping[str, tuple[Any, ...]]  # by part of the board
Box = tuple[float, float, float, float]  # left, top, right, bottom
MAX_MARKED_SHARE = 0.06  # of the whole box; larger shapes are mats or frames
MARK_MARGIN = 4  # around a marked shape
LETTER_WIDTH = 0.56  # of a letter's size

PAINTED_DARK = frozenset(
    {"s-0", "c-red", "c-blue", "c-green", "c-black", "c-purple", "c-brown", "c-teal"}
)  # letters on them are white
STYLES = {  # of shapes in the boards' symbols, as in their style sheets; {paint} is a colour
    "ink": "fill:{ink}",
    "stack": "fill:{ink}",
    "wood": "fill:{sheet};stroke:{ink};stroke-width:1.2",
    "line": "fill:none;stroke:{ink};stroke-width:1.2",
    "thin": "fill:none;stroke:{ink};stroke-width:.7;opacity:.55",
    "on-ink": "fill:none;stroke:{sheet};stroke-width:1.5",
    "on-ink-fill": "fill:{sheet}",
    "face": "fill:{sheet};stroke:{ink};stroke-width:1.5",
    "back": "fill:{sheet};stroke:{ink};stroke-width:1.5",
    "hatch": "fill:none;stroke:{ink};stroke-width:.6;opacity:.5",
    "bay": "fill:none;stroke:{edge};stroke-width:1.2;stroke-dasharray:2 2.5",
    "milled": "fill:none;stroke:{sheet};stroke-width:.8;stroke-dasharray:1 1",
    "disc": "fill:{ink}",
    "ring-line": "fill:none;stroke:{sheet};opacity:.7",
    "mould": "fill:{sheet}",
    "mould-line": "fill:none;stroke:{sheet};stroke-width:1.8",
    "teeth": "fill:none;stroke:{ink};stroke-width:3.4;stroke-dasharray:2.984 2.984",
    "hub": "fill:{sheet}",
    "water": "fill:none;stroke:{edge};stroke-width:1.5",
    "badge": "fill:{accent}",
    "paint": "stroke:{ink};stroke-width:1.2",
    "neutral": "fill:{edge};stroke:{ink}",
    "on-chip-line": "fill:none;stroke:{ink};stroke-width:2",
    "hull": "fill:{sheet};stroke:{ink};stroke-width:1.2",
    "sail": "fill:{ink}",
}


class Paint(NamedTuple):
    """The colours of a shape. fill, line: colours of the pages."""

    fill: str = ""
    line: str = ""
    thick: float = 2

    @property
    def classes(self) -> tuple[str, ...]:
        return (f"f-{self.fill or 'none'}", *([f"l-{self.line}"] if self.line else []))

    @property
    def attributes(self) -> str:
        """SVG attributes of a shape."""
        width = f' stroke-width="{_format_length(self.thick)}"' if self.line and self.thick != 1 else ""
        return f' class="{" ".join(self.classes)}"{width}'


class Shape(NamedTuple):
    """Drawn shape.

    Args:
        classes: CSS classes of its paint.
        symbol: name of the symbol it shows.
        letters: size of its letters, 0 for none.
        box: its box; None for a line, which is not marked.
    """

    drawn: str  # its SVG
    classes: tuple[str, ...] = ()
    symbol: str = ""
    letters: float = 0
    box: Box | None = None


class Miniature:
    """Shapes in their order. Places and sizes are in the units of the box; paints and lines are colours of the pages."""

    def __init__(self, scene: Scene, symbols: SymbolSheet = NO_SYMBOLS) -> None:
        """symbols: of the board's drawing."""
        self.paints = [seat_paint(seat, colour) for seat, colour in enumerate(scene.table.colours)]
        self._symbols = symbols.symbols
        self._shapes: list[Shape] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "",
        line: str = "",
        thick: float = 2,
        corner_radius: float = 0,
    ) -> None:
        rounded = f' rx="{_format_length(corner_radius)}"' if corner_radius else ""
        paint = Paint(fill, line, thick)
        self._add(
            f'<rect x="{_format_length(x)}" y="{_format_length(y)}" width="{_format_length(width)}" height="{_format_length(height)}"{rounded}{paint.attributes}/>',
            paint,
            box=(x, y, x + width, y + height),
        )

    def disc(self, x: float, y: float, radius: float, fill: str = "", line: str = "", thick: float = 2) -> None:
        paint = Paint(fill, line, thick)
        self._add(
            f'<circle cx="{_format_length(x)}" cy="{_format_length(y)}" r="{_format_length(radius)}"{paint.attributes}/>',
            paint,
            box=(x - radius, y - radius, x + radius, y + radius),
        )

    def path(self, d: str, fill: str = "", line: str = "", thick: float = 2, at: tuple[float, float] = (0, 0)) -> None:
        moved = f' transform="translate({_format_length(at[0])} {_format_length(at[1])})"' if any(at) else ""
        paint = Paint(fill, line, thick)
        self._add(f'<path d="{escape(d)}"{moved}{paint.attributes}/>', paint)

    def use(self, symbol: str, x: float, y: float, width: float, height: float) -> None:
        """Place a symbol of the board's drawing. Raises KeyError for an unknown one."""
        self._symbols[symbol]  # said where it is drawn
        self._shapes.append(
            Shape(
                f'<use href="#{ID_MARK}{escape(symbol)}" x="{_format_length(x)}" y="{_format_length(y)}" width="{_format_length(width)}" height="{_format_length(height)}"/>',
                symbol=symbol,
                box=(x, y, x + width, y + height),
            )
        )

    def words(
        self, x: float, y: float, text: object, size: float, paint: str = "ink", anchor: str = "", bold: bool = True
    ) -> None:
        """Draw a text with its baseline at y.

        Args:
            anchor: "middle" or "end" of the text is at x.
        """
        how = (' font-weight="600"' if bold else "") + (f' text-anchor="{anchor}"' if anchor else "")
        painted = Paint(paint)
        self._add(
            f'<text x="{_format_length(x)}" y="{_format_length(y)}" font-size="{_format_length(size)}"{how}{painted.attributes}>{escape(text)}</text>',
            painted,
            size,
            _box_of_words(x, y, str(text), size, anchor),
        )

    def mark(self, seat: Seat, x: float, y: float, size: float, line: str = "ink") -> None:
        """Draw a seat's shape with its letter in a square."""
        paint = Paint("sheet" if seat == TABLE else self.paints[seat], line, 1)
        scale = size / 24
        turned = f' transform="translate({_format_length(x)} {_format_length(y)}) scale({round(scale, 3)})"'
        box = x, y, x + size, y + size
        self._add(f"<g{turned}{paint.attributes}>{seat_outline(seat)}</g>", paint, box=box)
        on = Paint("ink" if seat == TABLE else self.on(seat))
        self._add(
            f'<g{turned}{on.attributes} font-size="12" font-weight="600">{seat_letter(seat)}</g>', on, 12 * scale, box
        )

    def on(self, seat: Seat) -> str:
        """Return the paint of letters on a seat's colour."""
        return "on-dark" if self.paints[seat] in PAINTED_DARK else "on-light"

    def copy(self) -> Miniature:
        twin = copy.copy(self)
        twin._shapes = [*self._shapes]
        return twin

    def mark_changes(self, before: Miniature) -> None:
        """Draw outlines around the differences to an earlier board. Both must be for the same viewer."""
        there = Counter(shape.drawn for shape in before._shapes)
        boxes: list[Box] = []
        for shape in self._shapes:
            there[shape.drawn] -= 1
            if there[shape.drawn] < 0 and shape.box and _area_of(shape.box) <= MAX_MARKED_SHARE * WIDTH * HEIGHT:
                boxes.append(shape.box)
        for box in _join_boxes(boxes):
            left, top = (max(1.0, side - MARK_MARGIN) for side in box[:2])
            right, bottom = min(WIDTH - 1.0, box[2] + MARK_MARGIN), min(HEIGHT - 1.0, box[3] + MARK_MARGIN)
            self.rect(left, top, right - left, bottom - top, "", "accent", 3, 5)

    def _add(self, drawn: str, paint: Paint, letters: float = 0, box: Box | None = None) -> None:
        self._shapes.append(Shape(drawn, paint.classes, letters=letters, box=box))

    # --- as SVG ---

    def inside(self, x: float, y: float, width: float) -> str:
        """Return the drawing as a part of another one, in the light theme."""
        high = _format_length(width * HEIGHT / WIDTH)
        return self._svg(
            f' x="{_format_length(x)}" y="{_format_length(y)}" width="{_format_length(width)}" height="{high}"',
            width,
            "light",
        )

    def alone(self, width: float, theme: str = "") -> str:
        """Return the drawing as an SVG file.

        Args:
            theme: "light" or "dark"; "" for the system's.
        """
        high = _format_length(width * HEIGHT / WIDTH)
        return self._svg(
            f' xmlns="http://www.w3.org/2000/svg" width="{_format_length(width)}" height="{high}"', width, theme
        )

    def inline(self, width: float, prefix: str) -> Markup:
        """Return the drawing for a page with `page_style_sheet`, which says its colours.

        Args:
            width: at which the page shows it; smaller words are left out.
            prefix: of the ids of its symbols, unique on the page.
        """
        shapes = self._shapes_at(width)
        inside = "".join([*(symbol.svg for symbol in self._symbols_in(shapes)), *(shape.drawn for shape in shapes)])
        return Markup('<svg class="small-board" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>').format(
            WIDTH, HEIGHT, Markup(inside.replace(ID_MARK, prefix))
        )

    def _shapes_at(self, width: float) -> list[Shape]:
        return [
            shape for shape in self._shapes if not shape.letters or shape.letters * width / WIDTH >= MIN_LETTER_PIXELS
        ]

    def _svg(self, where: str, width: float, theme: str) -> str:
        shapes = self._shapes_at(width)
        symbols = self._symbols_in(shapes)
        classes = {*chain(*(shape.classes for shape in shapes), *(symbol.paints for symbol in symbols))}
        inside = "".join([*(symbol.svg for symbol in symbols), *(shape.drawn for shape in shapes)]).replace(ID_MARK, "")
        style = _style_sheet(sorted(classes), theme)
        return f'<svg{where} viewBox="0 0 {WIDTH} {HEIGHT}"><style>{style}</style>{inside}</svg>'

    def _symbols_in(self, shapes: Iterable[Shape]) -> list[Symbol]:
        """Return the used symbols, including nested ones."""
        found: dict[str, Symbol] = {}
        wanted = [shape.symbol for shape in shapes if shape.symbol]
        while wanted:
            name = wanted.pop()
            if name not in found:
                found[name] = self._symbols[name]
                wanted += found[name].uses
        return list(found.values())


def _box_of_words(x: float, y: float, text: str, size: float, anchor: str) -> Box:
    wide = LETTER_WIDTH * size * len(text)
    left = x - wide * {"middle": 0.5, "end": 1.0}.get(anchor, 0.0)
    return left, y - 0.75 * size, left + wide, y


def _area_of(box: Box) -> float:
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


def _join_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Join boxes that touch."""
    joined: list[Box] = []
    for box in boxes:
        while touched := next((other for other in joined if _do_touch(other, box)), None):
            joined.remove(touched)
            box = (min(touched[0], box[0]), min(touched[1], box[1]), max(touched[2], box[2]), max(touched[3], box[3]))
        joined.append(box)
    return joined


def _do_touch(left: Box, right: Box) -> bool:
    return all(
        left[side] <= right[side + 2] + MARK_MARGIN and right[side] <= left[side + 2] + MARK_MARGIN for side in (0, 1)
    )


def _format_length(number: float) -> str:
    """Format a length to a tenth."""
    return f"{number:.1f}".removesuffix(".0")


def _style_sheet(used: Sequence[str], theme: str) -> str:
    """Return the rules for the used classes."""
    if theme:
        return _theme_rules(used, theme == "dark")
    day, night = _theme_rules(used, False), _theme_rules(used, True)
    return f"{day}@media (prefers-color-scheme:dark){{{night}}}"


def page_style_sheet() -> str:
    """Return the rules of all classes for drawings in pages, with the colours of the page as variables."""
    paints = {name: f"var(--{name})" for name in LIGHT} | {"none": "none"}
    used = [*STYLES, *paints, *(f"{kind}-{paint}" for kind in "fl" for paint in paints)]
    return "".join(_rules_of(used, paints))


def _theme_rules(used: Sequence[str], night: bool) -> str:
    return "".join(_rules_of(used, (DARK if night else LIGHT) | {"none": "none"}))


def _rules_of(used: Iterable[str], paints: Mapping[str, str]) -> list[str]:
    rules = []
    for name in used:
        kind, _, paint = name.partition("-")
        if kind in ("f", "l") and paint in paints:
            rules.append(f".{name}{{{'fill' if kind == 'f' else 'stroke'}:{paints[paint]}}}")
        elif name in paints:  # of a symbol in a colour
            rules.append(f".{name}{{fill:{paints[name]}}}")
        elif name in STYLES:
            rules.append(f".{name}{{{STYLES[name].format_map(paints)}}}")
    return rules
