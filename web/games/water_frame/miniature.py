"""Water Frame drawn small: market shares, job market, share values, and everybody's factories."""

from __future__ import annotations

from functools import partial

from daybook.domain.games.water_frame import printed
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, Miniature, Shows
from daybook.web.games.arkwright_miniature import FIRST, LEFT, Works, lane, mat, reach, row_of
from daybook.web.games.water_frame.drawing import TENS, FactoryDrawing, most_appeal, rows_of, symbols

LANE = 62  # the height of a good's
JOBS = 254  # where the job market begins
VALUES = 328  # and the track of share values


def miniature(scene: Scene, shows: Shows) -> Miniature:
    small = Miniature(scene, symbols(scene))
    numbers = printed.of(scene.table)
    furthest = max(
        appeal or 0
        for good in GOODS
        for lanes, importer, *_ in [shows[f"shares-{good}"]]
        for appeal in (*lanes, importer)
    )
    spaces = reach(furthest, most_appeal(numbers) + 1)
    for place, good in enumerate(GOODS):
        lanes, importer, now, _ = shows[f"shares-{good}"]
        markers = [None if appeal is None else (appeal, partial(small.mark, seat)) for seat, appeal in enumerate(lanes)]
        ships = (importer, partial(_importer, small))
        lane(small, good, LANE * place, LANE, spaces, [*markers, ships], now)
    _jobs(small, shows, rows_of(numbers))
    stands = [
        (first + place - 1, partial(small.mark, seat))
        for first in range(1, numbers.highest_space + 1, TENS)
        for place, here in enumerate(shows[f"track-{first}"][0])
        for seat in here
    ]
    row_of(small, "wf-do-stock_exchange", VALUES, 30, numbers.highest_space, stands)
    high = HEIGHT / len(scene.names)
    for seat in range(len(scene.names)):
        acts = shows[f"brief-{seat}"][5]
        mat(
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


def _jobs(small: Miniature, shows: Shows, rows: int) -> None:
    """The job market on its side: a row of the board is a column, and workers leave from the left."""
    each, high = (LEFT - FIRST) / rows, (VALUES - JOBS - 8) / len(GOODS)
    small.rect(FIRST, JOBS, LEFT - FIRST, high * len(GOODS), "sheet", "rule", 1.5)
    small.use("wf-worker", 4, JOBS + 18, 28, 28)
    size = min(each, high) - 1
    for row in range(1, rows + 1):
        spaces, _ = shows[f"jobs-{row}"]
        for place, space in enumerate(spaces):
            x, y = FIRST + each * (row - 0.5), JOBS + high * (place + 0.5)
            if space.worker:
                small.disc(x, y, size * 0.42, "ink")
            elif space.reads:
                small.disc(x, y, size * 0.36, "", "accent", 2)
