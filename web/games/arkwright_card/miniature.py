"""Miniature of the Card Game: market board with demand, wages, and factories."""

from __future__ import annotations

from functools import partial

from daybook.domain.games.arkwright_card import printed
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, Miniature, Shows
from daybook.web.games.arkwright_card.drawing import FactoryDrawing, market_lanes, symbols, track_spaces
from daybook.web.games.arkwright_miniature import Mark, Works, draw_lane, draw_mat, draw_track, drawn_spaces

LANE_HEIGHT = 78  # of a good
WAGES_TOP = 324


def miniature(scene: Scene, shows: Shows) -> Miniature:
    numbers = printed.of(scene.table)
    small = Miniature(scene, symbols(scene))
    marks = [_marker_of(small, place, lane.mark, len(scene.names)) for place, lane in enumerate(market_lanes(scene))]
    tracks = {good: shows[f"track-{good}"] for good in GOODS}
    furthest = max(
        max(demanded, *(lane_mark.appeal for lane_mark in standing if lane_mark is not None), 0)
        for standing, _, _, demanded, _ in tracks.values()
    )
    drawn = drawn_spaces(furthest, track_spaces(numbers))
    for place, (good, (standing, _, _, demanded, now)) in enumerate(tracks.items()):
        markers = [
            None if lane_mark is None else (lane_mark.appeal, draw)
            for lane_mark, draw in zip(standing, marks, strict=True)
        ]
        draw_lane(small, good, LANE_HEIGHT * place, LANE_HEIGHT, drawn, markers, now, demanded + 1)
    at, _ = shows["wages"]
    bands = sorted(set(numbers.market_wages))
    draw_track(
        small,
        "ac-costs",
        WAGES_TOP,
        32,
        len(numbers.market_wages),
        [(at, partial(_symbol, small, "wf-worker"))],
        [bands.index(wage) % 2 == 1 for wage in numbers.market_wages],
    )
    automas = list(numbers.solo.automas) if numbers.solo else []
    high = HEIGHT / (len(scene.names) + len(automas))
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
    for place, rival in enumerate(automas, len(scene.names)):
        built = shows[f"automa-{rival}"][3]
        draw_mat(
            small,
            partial(_symbol, small, f"ac-{rival}"),
            f"c-{rival}",
            high * place,
            min(high - 6, 132),
            False,
            [(good, None if appeal is None else Works([], appeal)) for good, appeal, _, _ in built],
        )
    return small


def _marker_of(small: Miniature, place: int, symbol: str, seats: int) -> Mark:
    """Return the marker of a lane: a seat's, or that of a party without one."""
    return partial(small.mark, place) if place < seats else partial(_symbol, small, symbol)


def _symbol(small: Miniature, symbol: str, x: float, y: float, size: float) -> None:
    small.use(symbol, x, y, size, size)


def _works(shows: Shows, seat: Seat, good: str) -> Works | None:
    house: FactoryDrawing | None = shows[f"factory-{seat}-{good}"][0]
    return None if house is None else Works([staffed.spots if staffed else [] for staffed in house.staff], house.appeal)
