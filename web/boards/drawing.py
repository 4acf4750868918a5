"""What a drawing of a board is made of: parts, the places in them, and the marks of what a step changed.

What a part shows stands in places: elements of class `figure` or `thing` with `data-at`, a path of the board or a
word like one, and `data-is`, what is there. Comparing the places of two drawings gives the marks of a step: what
changed, and by how much. Nothing here knows which game it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from markupsafe import Markup, escape

from domain.board import Document
from domain.ruleset import Table
from services.access import Sight
from web.words import signed


@dataclass(frozen=True, slots=True)
class Scene:
    """What a board is drawn with besides its document; the same for a whole replay."""

    ruleset: str
    table: Table  # colours of the seats, options, printed numbers
    names: tuple[str, ...]
    sight: Sight
    locale: str

    @property
    def key(self) -> tuple[Any, ...]:
        table = self.table
        return self.ruleset, table.colours, table.options, table.sheet.digest(), self.names, self.sight, self.locale


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the board. paths: the parts of the document it is drawn from; nothing else may show in it."""

    id: str
    paths: tuple[str, ...]
    draw: Callable[[Document, Scene], str]


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
_MARKABLE = re.compile(r'class="((?:figure|thing)[^"]*)" data-at="([^"]*)" data-is="[^"]*"[^>]*>')


def place(at: str, holds: object) -> Markup:
    """The attributes of a place: after class="figure ..." or class="thing ..."."""
    return Markup('data-at="{}" data-is="{}"').format(at, "" if holds is None else holds)


def figure(at: str, value: int, shown: object = None, kind: str = "") -> Markup:
    """A figure in its place, e.g. figure("/players/0/money", 12, "$12")."""
    text = value if shown is None else shown
    return Markup('<b class="figure {}" {}>{}</b>').format(kind, place(at, value), text)


def marks(before: Mapping[str, Drawn], after: Mapping[str, Drawn]) -> dict[str, Mark]:
    """What changed between two drawings of the same parts, by place."""
    found: dict[str, Mark] = {}
    for part_id, now in after.items():
        was = before.get(part_id)
        if was is None or was is now or was.html == now.html:
            continue
        for at, holds in now.places.items():
            if was.places.get(at) != holds:
                found[at] = _mark(was.places.get(at), holds)
    return found


def _mark(was: str | None, now: str) -> Mark:
    if was is None or not _is_whole(was) or not _is_whole(now):
        return Mark("", "")
    return Mark(was, signed(int(now) - int(was)))


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def marked(html: str, marks: Mapping[str, Mark]) -> Markup:
    """A drawing with its changed places marked; replay.js does the same in the browser."""
    if not marks:
        return Markup(html)

    def mark(found: re.Match[str]) -> str:
        kind, at = found[1], found[2]
        if (mark := marks.get(at)) is None:
            return found[0]
        tag = found[0].replace(f'class="{kind}"', f'class="{kind} changed"', 1)
        if not mark.by or not kind.startswith("figure"):
            return tag
        return f'{tag}<span class="delta" aria-hidden="true"><s>{escape(mark.was)}</s> <i>{escape(mark.by)}</i></span>'

    return Markup(_MARKABLE.sub(mark, html))
