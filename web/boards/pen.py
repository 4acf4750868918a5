"""Draws parts of boards by their templates, and registers every figure and every thing in them as it is drawn.

A figure or thing stands at a path of the board ("/players/0/money"), or at a word like one ("/demand/coal"). The
registry of a drawing says what stands at each, so that nobody looks for anything in HTML: comparing two registries
gives the marks of a step, and what a step marks is drawn again, marked. What a viewer is not shown is never marked up
as anything else: `figure` and `place` write it covered, and a drawing is given the board without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from flask import current_app
from markupsafe import Markup, escape

from daybook.domain.kernel.frozen import Frozen
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words import with_sign

COVERED = "–"  # stands for a figure that is not shown


class DrawnPlace(Frozen, gc=False):
    """What is drawn at a path. kind: a figure, in words or digits, or a thing: a piece, a card, a space.

    holds: what is there, to be compared; "" where it is covered.
    """

    kind: Literal["figure", "thing"]
    holds: str
    covered: bool = False


class Mark(Frozen, array_like=True):
    """What a step changed at one place. was: the figure before, by: the difference with its sign; or both empty."""

    was: str
    by: str


class DrawnPart(Frozen):
    """A part as HTML, with the registry of its places by path. shows: what it was drawn from."""

    html: str
    places: dict[str, DrawnPlace]
    shows: tuple[Any, ...]
    undrawn: bool = False  # there is no picture of what lies there: it is told in words

    def is_like(self, other: DrawnPart) -> bool:
        """Whether both show the same."""
        return self is other or (self.html == other.html and self.places == other.places)


class _Spot(NamedTuple):
    """Where a figure or thing stands, worked out once. at: its attribute; covered: what lies there is not shown."""

    path: str
    at: str
    covered: bool


class Pen:
    """Draws the parts of one picture; one at a time. hides: what its viewer is not shown."""

    def __init__(self, hides: TablePrivacy) -> None:
        self._hides = hides
        self._templates: dict[str, Any] = {}  # their macros, by name: those draw with this pen
        self._spots: dict[str, _Spot] = {}  # by path
        self._places: dict[str, DrawnPlace] = {}
        self._marks: Mapping[str, Mark] = {}

    def draw_part(
        self, draw: Callable[..., str], shows: tuple[Any, ...], marks: Mapping[str, Mark] = {}, undrawn: bool = False
    ) -> DrawnPart:
        """A part of a board, with what a step changed marked."""
        places: dict[str, DrawnPlace] = {}
        self._places, self._marks = places, marks
        return DrawnPart(draw(self, *shows), places, shows, undrawn)

    def macros(self, template: str) -> Any:
        """The macros of a template, which draw with this pen."""
        if template not in self._templates:
            self._templates[template] = current_app.jinja_env.get_template(template).make_module(
                {"figure": self.figure, "place": self.place}
            )
        return self._templates[template]

    def figure(self, at: str, value: int, shown: object = None, kind: str = "") -> Markup:
        """Writes a figure into its place, e.g. figure("/players/0/money", 12, "$12"); covered where it is not shown."""
        spot = self._spots.get(at) or self._spot(at)
        self._places[spot.path] = DrawnPlace("figure", "" if spot.covered else str(value), spot.covered)
        mark = self._marks.get(at)
        classes = f"figure {escape(kind)}{' veiled' if spot.covered else ''}{'' if mark is None else ' changed'}"
        text = COVERED if spot.covered else value if shown is None else escape(shown)
        return Markup(f'<b class="{classes}" {spot.at}>{_delta(mark)}{text}</b>')

    def place(self, at: str, holds: object, kind: str = "") -> Markup:
        """Writes the attributes of the element that shows a thing: where it is, and its classes, of which kind is one.

        What the element shows its template draws, out of a board from which was taken what is not shown.
        """
        spot = self._spots.get(at) or self._spot(at)
        self._places[spot.path] = DrawnPlace("thing", "" if spot.covered or holds is None else str(holds), spot.covered)
        classes = f"thing {escape(kind)}" if kind else "thing"
        return Markup(f'class="{classes}{" changed" if at in self._marks else ""}" {spot.at}')

    def _spot(self, at: str) -> _Spot:
        path = str(at)
        return self._spots.setdefault(path, _Spot(path, f'data-at="{escape(path)}"', self._hides.hides_place(path)))


def _delta(mark: Mark | None) -> str:
    """What a marked figure was before, and by how much it changed; replay.js writes the same in the browser."""
    if mark is None or not mark.by:
        return ""
    gain = ' class="gain"' if mark.by.startswith("+") else ""
    return f'<span class="delta" aria-hidden="true"><s>{escape(mark.was)}</s> <i{gain}>{escape(mark.by)}</i></span>'


def marks(before: Mapping[str, DrawnPart], after: Mapping[str, DrawnPart]) -> dict[str, Mark]:
    """What changed between two drawings of the same parts, by place."""
    found: dict[str, Mark] = {}
    for part_id, now in after.items():
        was = before.get(part_id)
        if was is None or was is now:
            continue
        for at, place in now.places.items():
            if was.places.get(at) != place:
                found[at] = _change(was.places.get(at), place)
    return found


def _change(was: DrawnPlace | None, now: DrawnPlace) -> Mark:
    if was is None or not _is_whole(was.holds) or not _is_whole(now.holds):
        return Mark("", "")
    return Mark(was.holds, with_sign(int(now.holds) - int(was.holds)))


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
