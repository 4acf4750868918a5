"""Luck and play told apart: what chance brought each seat of its win chances, and what decisions did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from daybook.domain.kernel.frozen import Frozen
from daybook.services.analysis.play_outs import Chances
from daybook.services.analysis.positions import LineStep

Change = Literal["drawn", "decided", "together"]
CHANGES: tuple[Change, ...] = ("drawn", "decided", "together")


class Parted(Frozen):
    """How a seat's share went from the opening to the end, in parts that add up to it.

    drawn: where chance brought something; decided: where seats decided; together: where both happened between two
    positions, so that they cannot be told apart.
    """

    seat: int
    drawn: float
    decided: float
    together: float


def luck_and_play(places: Sequence[LineStep], known: Mapping[int, Chances]) -> list[Parted]:
    """By seat; none where fewer than two positions are known."""
    there = [place for place in places if place.step in known and known[place.step].shares]
    if len(there) < 2:
        return []
    seats = len(known[there[0].step].shares)
    sums: dict[Change, list[float]] = {kind: [0.0] * seats for kind in CHANGES}
    for before, after in pairwise(there):
        kind = kind_of_gap(places[before.at + 1 : after.at + 1])
        for seat in range(seats):
            sums[kind][seat] += known[after.step].shares[seat] - known[before.step].shares[seat]
    return [Parted(seat, *(round(sums[kind][seat], 4) for kind in CHANGES)) for seat in range(seats)]


def kind_of_gap(gap: Sequence[LineStep]) -> Change:
    """What happened between two positions. gap: the steps after the earlier, up to the later."""
    drawn = [place.kind == "drawn" for place in gap]
    return "drawn" if all(drawn) else "together" if any(drawn) else "decided"
