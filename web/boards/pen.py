"""Drawing of board parts by templates, with a registry of every figure and thing.

Each is at a path of the board ("/players/0/money") or a word like one ("/demand/coal"). Comparing two registries gives
a step's changes without searching HTML. Covered content never enters a drawing: `figure` and `place` write it covered,
and drawings get the board without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from flask import current_app
from markupsafe import Markup, escape

from daybook.domain.kernel.frozen import Frozen
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words import with_sign
from daybook.web.words.say import number

COVERED = "–"  # instead of a hidden figure
BRIEF = "/brief"  # before the path of a figure that a summary repeats


class DrawnPlace(Frozen, gc=False):
    """Content drawn at a path.

    Args:
        kind: a figure in words or digits, or a thing: a piece, a card, a space.
        holds: its content for comparison; "" if covered.
    """

    kind: Literal["figure", "thing"]
    holds: str
    covered: bool = False


class Mark(Frozen, array_like=True):
    """Change of a figure in a step.

    Args:
        was: the figure before; or empty.
        by: the signed difference; or empty.
    """

    was: str
    by: str


class DrawnPart(Frozen):
    """A part as HTML, with the registry of its places by path. shows: what it was drawn from."""

    html: str
    places: dict[str, DrawnPlace]
    shows: tuple[Any, ...]
    undrawn: bool = False  # without a picture; drawn as words

    def is_like(self, part: DrawnPart) -> bool:
        """Check if both show the same."""
        return self is part or (self.html == part.html and self.places == part.places)


class _Spot(NamedTuple):
    """Place of a figure or thing, computed once.

    Args:
        at: its HTML attribute.
        covered: it is hidden from the viewer.
    """

    path: str
    at: str
    covered: bool


class Pen:
    """Draws the parts of one picture; one at a time.

    Args:
        hides: what its viewer is not shown.
        name_of: names a figure by its path; "" for one without a name.
    """

    def __init__(self, hides: TablePrivacy, name_of: Callable[[str], str] = lambda path: "") -> None:
        self._hides = hides
        self._name_of = name_of
        self._templates: dict[str, Any] = {}  # their macros, by name: those draw with this pen
        self._spots: dict[str, _Spot] = {}  # by path
        self._titles: dict[str, str] = {}  # by path
        self._places: dict[str, DrawnPlace] = {}
        self._marks: Mapping[str, Mark] = {}

    def draw_part(
        self, draw: Callable[..., str], shows: tuple[Any, ...], marks: Mapping[str, Mark] = {}, undrawn: bool = False
    ) -> DrawnPart:
        """Draw a part of a board with a step's changes marked."""
        places: dict[str, DrawnPlace] = {}
        self._places, self._marks = places, marks
        return DrawnPart(draw(self, *shows), places, shows, undrawn)

    def macros(self, template: str) -> Any:
        """Return a template's macros, bound to this pen."""
        if template not in self._templates:
            self._templates[template] = current_app.jinja_env.get_template(template).make_module(
                {"figure": self.figure, "place": self.place}
            )
        return self._templates[template]

    def figure(self, at: str, value: int, shown: object = None, kind: str = "") -> Markup:
        """Draw a figure at its place; covered if hidden: figure("/players/0/money", 12, "$12")."""
        spot = self._spots.get(at) or self._spot(at)
        self._places[spot.path] = DrawnPlace("figure", "" if spot.covered else str(value), spot.covered)
        mark = self._marks.get(at)
        classes = f"figure {escape(kind)}{' veiled' if spot.covered else ''}{'' if mark is None else ' changed'}"
        text = COVERED if spot.covered else number(value) if shown is None else escape(shown)
        return Markup(f'<b class="{classes}" {spot.at}{self._title(spot.path)}>{_draw_delta(mark)}{text}</b>')

    def place(self, at: str, holds: object, kind: str = "", why: str = "") -> Markup:
        """Return the attributes of the element that shows a thing: its place and classes.

        The template draws the content, from a board without hidden content.

        Args:
            why: the path of a figure that explains it; a tap opens its history.
        """
        spot = self._spots.get(at) or self._spot(at)
        self._places[spot.path] = DrawnPlace("thing", "" if spot.covered or holds is None else str(holds), spot.covered)
        classes = f"thing {escape(kind)}" if kind else "thing"
        explained = f' data-why="{escape(why)}"{self._title(why)}' if why and not spot.covered else ""
        return Markup(f'class="{classes}{" changed" if at in self._marks else ""}" {spot.at}{explained}')

    def _title(self, path: str) -> str:
        """Return the HTML attribute that names a figure: its name shows at the pointer and on arrows of the replay."""
        if path not in self._titles:
            name = self._name_of(path.removeprefix(BRIEF))
            self._titles[path] = f' title="{escape(name[:1].upper() + name[1:])}"' if name else ""
        return self._titles[path]

    def _spot(self, at: str) -> _Spot:
        path = str(at)
        return self._spots.setdefault(path, _Spot(path, f'data-at="{escape(path)}"', self._hides.hides_place(path)))


def _draw_delta(mark: Mark | None) -> str:
    """Draw a figure's old value and change; replay.js draws the same in the browser."""
    if mark is None or not mark.by:
        return ""
    gain = ' class="gain"' if mark.by.startswith("+") else ""
    return f'<span class="delta" aria-hidden="true"><s>{escape(mark.was)}</s> <i{gain}>{escape(mark.by)}</i></span>'


def find_marks(before: Mapping[str, DrawnPart], after: Mapping[str, DrawnPart]) -> dict[str, Mark]:
    """Return the changes between two drawings of the same parts, by place."""
    by_place: dict[str, Mark] = {}
    for part_id, now in after.items():
        was = before.get(part_id)
        if was is None or was is now:
            continue
        for at, place in now.places.items():
            if was.places.get(at) != place:
                by_place[at] = _build_mark(was.places.get(at), place)
    return by_place


def _build_mark(was: DrawnPlace | None, now: DrawnPlace) -> Mark:
    if was is None or not _is_whole(was.holds) or not _is_whole(now.holds):
        return Mark("", "")
    return Mark(number(int(was.holds)), with_sign(int(now.holds) - int(was.holds)))


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
