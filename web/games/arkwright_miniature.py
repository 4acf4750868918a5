"""Shared miniature parts of the Arkwright games: lanes of markers, and factories with their workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from daybook.web.boards.miniature import Miniature

SHARED_WIDTH = 404  # of the common part
MATS_LEFT_AND_WIDTH = (416, 304)
GLYPH = 28
FIRST_SPACE_LEFT = 40  # of a track
SPOT_SYMBOLS = {"worker": "wf-worker", "machine": "wf-machine", "replaceable": "wf-worker"}  # of a space

MIN_LANE_SPACES = 10  # always drawn

Mark = Callable[[float, float, float], None]  # draws a marker: left, top, size


class Works(NamedTuple):
    """A factory. rows: what stands on each space, by its rows; appeal: what customers make of it."""

    rows: Sequence[Sequence[str]]
    appeal: int


def drawn_spaces(furthest: int, spaces: int) -> int:
    """Return how many of a lane's spaces to draw: up to the furthest marker."""
    return min(spaces, max(MIN_LANE_SPACES, 5 * -(-(furthest + 2) // 5)))


def draw_lane(
    small: Miniature,
    good: str,
    y: float,
    high: float,
    spaces: int,
    markers: Sequence[tuple[int, Mark] | None],
    now: bool,
    tide: float = 0,
) -> None:
    """Draw each marker on the spaces of a good at its own height.

    Args:
        tide: spaces up to the demand.
    """
    each = (SHARED_WIDTH - FIRST_SPACE_LEFT) / spaces
    small.rect(
        FIRST_SPACE_LEFT,
        y + 2,
        SHARED_WIDTH - FIRST_SPACE_LEFT,
        high - 4,
        "sheet",
        "accent" if now else "rule",
        3 if now else 1.5,
    )
    if tide:
        small.rect(FIRST_SPACE_LEFT + 1.5, y + 3.5, min(tide, spaces) * each - 1.5, high - 7, "tide")
    fives = (FIRST_SPACE_LEFT + each * (space + 0.5) for space in range(5, spaces, 5))
    small.path("".join(f"M{x:.1f} {y + 2:.1f}v{high - 4:.1f}" for x in fives), line="rule", thick=1.5)
    small.use(f"wf-{good}", 4, y + (high - GLYPH) / 2, GLYPH, GLYPH)
    size = min(22, high * 0.5)
    step = (high - 6 - size) / max(1, len(markers) - 1)
    for place, marker in enumerate(markers):
        if marker is not None:
            space, draw = marker
            alike = [other for other, here in enumerate(markers) if here is not None and here[0] == space]
            beside = (alike.index(place) - (len(alike) - 1) / 2) * min(12, each / len(alike))
            x = FIRST_SPACE_LEFT + each * (min(space, spaces - 1) + 0.5) - size / 2 + beside
            draw(min(max(FIRST_SPACE_LEFT, x), SHARED_WIDTH - size), y + 3 + step * place, size)


def draw_track(
    small: Miniature,
    glyph: str,
    y: float,
    high: float,
    spaces: int,
    markers: Sequence[tuple[int, Mark]],
    shaded: Sequence[bool] = (),
) -> None:
    """Draw a track in one row; markers on one space are stacked."""
    each = (SHARED_WIDTH - FIRST_SPACE_LEFT) / spaces
    small.rect(FIRST_SPACE_LEFT, y, SHARED_WIDTH - FIRST_SPACE_LEFT, high, "sheet", "edge", 1.5)
    for space, dark in enumerate(shaded):
        if dark:
            small.rect(FIRST_SPACE_LEFT + each * space, y + 1, each, high - 2, "tide")
    small.path(
        "".join(f"M{FIRST_SPACE_LEFT + each * space:.1f} {y:.1f}v{high:.1f}" for space in range(1, spaces)),
        line="rule",
        thick=1,
    )
    small.use(glyph, 6, y + (high - 22) / 2, 22, 22)
    size = min(22, high)
    by_space: dict[int, int] = {}
    for space, draw in markers:
        over = by_space[space] = by_space.get(space, -1) + 1
        x = FIRST_SPACE_LEFT + each * (space + 0.5) - size / 2 + 5 * over
        draw(min(max(FIRST_SPACE_LEFT, x), SHARED_WIDTH - size), y + (high - size) / 2, size)


def draw_mat(
    small: Miniature,
    draw: Mark,
    paint: str,
    y: float,
    high: float,
    acts: bool,
    works: Sequence[tuple[str, Works | None]],
) -> None:
    """Draw a player's factories under painted roofs, with plots for missing ones.

    Args:
        draw: draws the owner's mark.
    """
    x, wide = MATS_LEFT_AND_WIDTH
    small.rect(x, y + 1, wide - 1, high - 2, "sheet", "accent" if acts else "rule", 3 if acts else 1.5, corner_radius=5)
    draw(x + 8, y + 9, 30)
    each = (wide - 48) / len(works)
    tall = min(high - 12, 120)
    for place, (good, work) in enumerate(works):
        draw_factory(small, paint, x + 44 + place * each, y + 6, each - 5, tall, good, work)


def draw_factory(
    small: Miniature, paint: str, x: float, y: float, wide: float, high: float, good: str, works: Works | None
) -> None:
    roof = 12
    if works is None:
        small.path(f"M0 {high:.1f}h{wide:.1f}", line="edge", thick=2, at=(x, y))
        small.use(f"wf-{good}", x + wide / 2 - 10, y + high - 25, 20, 20)
        return
    teeth, wall = wide / 3, high - roof
    ridge = f"V3l{teeth:.1f} 7" * 3
    small.path(f"M0 {roof}{ridge}v2z", paint, "ink", 1.5, at=(x, y))
    small.path(f"M0 {roof}v{wall:.1f}h{wide:.1f}v-{wall:.1f}", line="ink", thick=1.5, at=(x, y))
    rows = [row for row in works.rows if row]
    size = max(2.0, min((wide - 32) / max([1, *map(len, rows)]), (wall - 4) / max(1, len(rows)), 20))
    for number, row in enumerate(rows):
        for place, spot in enumerate(row):
            left, top = x + 3 + size * place, y + roof + 2 + size * number
            if spot in SPOT_SYMBOLS:
                small.use(SPOT_SYMBOLS[spot], left + 0.5, top + 0.5, size - 1, size - 1)
            else:
                small.disc(left + size / 2, top + size / 2, size * 0.28, "", "edge", 1)
    small.use(f"wf-{good}", x + wide - 25, y + roof + 5, 21, 21)
    small.words(x + wide - 5, y + high - 6, works.appeal, 20, anchor="end")
