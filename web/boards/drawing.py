"""What a drawing of a board is made of: parts, the places in them, and the marks of what a step changed.

What a part shows stands in places: elements of class `figure` or `thing` with `data-at`, a path of the board or a
word like one, and `data-is`, what is there. Comparing the places of two drawings gives the marks of a step: what
changed, and by how much. Nothing here knows which game it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import current_app
from markupsafe import Markup, escape

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.ruleset import TABLE, Seat, Table
from daybook.services.people.access import Sight
from daybook.web.boards.veil import NOTHING, Unshown
from daybook.web.words import signed
from daybook.web.words.seat_marks import seat_mark


@dataclass(frozen=True, slots=True)
class Scene:
    """What a board is drawn with besides its document; the same for a whole replay."""

    ruleset: str
    table: Table  # colours of the seats, options, printed numbers
    names: tuple[str, ...]
    sight: Sight
    locale: str
    unshown: Unshown = NOTHING

    @property
    def key(self) -> tuple[Any, ...]:
        table = self.table
        return (
            self.ruleset, table.colours, table.options, table.sheet.digest(), self.names, self.sight, self.locale,
            self.unshown)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the board.

    paths: the parts of the document it is drawn from; look: what of them shows, as plain values; draw: those values
    as HTML. What looks the same is drawn once.
    """

    id: str
    paths: tuple[str, ...]
    look: Callable[[Document], tuple[Any, ...]]
    draw: Callable[..., str]


def macro(template: str, name: str, *given: Any) -> Callable[..., str]:
    """Draws by a macro of a board's template: with what is given, and then with what shows."""

    def draw(*shows: Any) -> str:
        drawing: Any = current_app.jinja_env.get_template(f"boards/{template}").module
        return str(getattr(drawing, name)(*given, *shows))

    return draw


class Drawn(msgspec.Struct, frozen=True):
    """A part as HTML, and what its places hold."""

    html: str
    places: dict[str, str]


def drawn(html: str) -> Drawn:
    return Drawn(html, dict(_PLACE.findall(html)))


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """What a step changed at one place. was: the figure before, by: the difference with its sign; or both empty."""

    was: str
    by: str


# --- places and marks ------------------------------------------------------------------------------------------------

_PLACE = re.compile(r'data-at="([^"]*)" data-is="([^"]*)"')
_MARKABLE = re.compile(r'class="((?:[^"]* )?(?:figure|thing)[^"]*)" data-at="([^"]*)" data-is="[^"]*"[^>]*>')


def place(at: str, holds: object) -> Markup:
    """The attributes of a place: after class="figure ..." or class="thing ..."."""
    return Markup(f'data-at="{escape(at)}" data-is="{"" if holds is None else escape(holds)}"')


def figure(at: str, value: int, shown: object = None, kind: str = "") -> Markup:
    """A figure in its place, e.g. figure("/players/0/money", 12, "$12")."""
    text = value if shown is None else escape(shown)
    return Markup(f'<b class="figure {kind}" {place(at, value)}>{text}</b>')


# --- seat marks, drawn once and used by name -------------------------------------------------------------------------


def mark_symbols(colours: Sequence[str]) -> Markup:
    """The shapes of the seats and of the table, for `mark`; once on every page that shows marks."""
    marks = [_symbol(TABLE), *(_symbol(seat, colour) for seat, colour in enumerate(colours))]
    return Markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true">{"".join(marks)}</svg>')


def _symbol(seat: Seat, colour: str = "") -> str:
    found = re.fullmatch(r'<svg class="seat ([\w-]+)"[^>]*>(.*)</svg>', seat_mark(seat, colour))
    assert found
    return f'<symbol id="mark{seat}" viewBox="0 0 24 24" class="{found[1]}"><g class="seat">{found[2]}</g></symbol>'


def mark(seat: Seat, label: str = "") -> Markup:
    """A seat's mark. label: read aloud; leave it out where the name stands beside the mark."""
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return Markup(f'<svg class="seat" {spoken}><use href="#mark{seat}"/></svg>')


def marks(before: Mapping[str, Drawn], after: Mapping[str, Drawn]) -> dict[str, Mark]:
    """What changed between two drawings of the same parts, by place."""
    found: dict[str, Mark] = {}
    for part_id, now in after.items():
        was = before.get(part_id)
        if was is None or was is now or was.html == now.html:
            continue
        for at, holds in now.places.items():
            if was.places.get(at) != holds:
                found[at] = _change(was.places.get(at), holds)
    return found


def _change(was: str | None, now: str) -> Mark:
    if was is None or not _is_whole(was) or not _is_whole(now):
        return Mark("", "")
    return Mark(was, signed(int(now) - int(was)))


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def marked(html: str, marks: Mapping[str, Mark]) -> Markup:
    """A drawing with its changed places marked; replay.js does the same in the browser."""
    if not marks:
        return Markup(html)

    def one(found: re.Match[str]) -> str:
        kind, at = found[1], found[2]
        if (mark := marks.get(at)) is None:
            return found[0]
        tag = found[0].replace(f'class="{kind}"', f'class="{kind} changed"', 1)
        if not mark.by or not kind.startswith("figure"):
            return tag
        return f'{tag}<span class="delta" aria-hidden="true"><s>{escape(mark.was)}</s> <i>{escape(mark.by)}</i></span>'

    return Markup(_MARKABLE.sub(one, html))
