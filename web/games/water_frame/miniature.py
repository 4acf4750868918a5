"""Miniature of Water Frame: market shares, job market, share values and factories."""

from __future__ import annotations

from functools import partial

from daybook.domain.games.water_frame import printed
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, Miniature, Shows
from daybook.web.games.arkwright_miniature import (
    FIRST_SPACE_LEFT,
    SHARED_WIDTH,
    Works,
    draw_lane,
    draw_mat,
    draw_track,
    drawn_spaces,
)
from daybook.web.games.water_frame.drawing import SHARE_VALUES_PER_ROW, FactoryDrawing, max_appeal, rows_of, symbols

LANE_HEIGHT = 62  # of a good
JOB_MARKET_TOP = 254
SHARE_VALUES_TOP = 328


def miniature(scene: Scene, shows: Shows) -> Miniature:
    small = Miniature(scene, symbols(scene))
    numbers = printed.of(scene.table)
    furthest = max(
        appeal or 0
        for good in GOODS
        for lanes, importer, *_ in [shows[f"shares-{good}"]]
        for appeal in (*lanes, importer)
    )
    spaces = drawn_spaces(furthest, max_appeal(numbers) + 1)
    for place, good in enumerate(GOODS):
        lanes, importer, now, _ = shows[f"shares-{good}"]
        markers = [None if appeal is None else (appeal, partial(small.mark, seat)) for seat, appeal in enumerate(lanes)]
        ships = (importer, partial(_importer, small))
        draw_lane(small, good, LANE_HEIGHT * place, LANE_HEIGHT, spaces, [*markers, ships], now)
    _draw_jobs(small, shows, rows_of(numbers))
    stands = [
        (first + place - 1, partial(small.mark, seat))
        for first in range(1, numbers.highest_space + 1, SHARE_VALUES_PER_ROW)
        for place, here in enumerate(shows[f"track-{first}"][0])
        for seat in here
    ]
    draw_track(small, "wf-do-stock_exchange", SHARE_VALUES_TOP, 30, numbers.highest_space, stands)
    high = HEIGHT / len(scene.names)
    for seat in range(len(scene.names)):
        acts = shows[f"brief-{seat}"][5]
        draw_mat(
            small,
            partial(small.mark, seat),
            small.paints[seat],
            high * seat,
            min(high - 6, 132),
            acts,
            [(good, _works(shows, seat, good)) for good in GOODS],
        )
    return small


def _importer(small: Miniature, x: float, y: float, size: float) -> None:
    small.use("wf-importer", x, y, size, size)


def _works(shows: Shows, seat: Seat, good: str) -> Works | None:
    house: FactoryDrawing | None = shows[f"factory-{seat}-{good}"][0]
    return None if house is None else Works([row.spaces for row in house.rows], house.appeal)


def _draw_jobs(small: Miniature, shows: Shows, rows: int) -> None:
    """Draw the job market sideways: rows as columns, workers leave from the left."""
    each, high = (SHARED_WIDTH - FIRST_SPACE_LEFT) / rows, (SHARE_VALUES_TOP - JOB_MARKET_TOP - 8) / len(GOODS)
    small.rect(
        FIRST_SPACE_LEFT, JOB_MARKET_TOP, SHARED_WIDTH - FIRST_SPACE_LEFT, high * len(GOODS), "sheet", "rule", 1.5
    )
    small.use("wf-worker", 4, JOB_MARKET_TOP + 18, 28, 28)
    size = min(each, high) - 1
    for row in range(1, rows + 1):
        spaces, _ = shows[f"jobs-{row}"]
        for place, space in enumerate(spaces):
            x, y = FIRST_SPACE_LEFT + each * (row - 0.5), JOB_MARKET_TOP + high * (place + 0.5)
            if space.worker:
                small.disc(x, y, size * 0.42, "ink")
            elif space.reads:
                small.disc(x, y, size * 0.36, "", "accent", 2)
