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


class LuckAndPlay(Frozen):
    """A seat's change of share from opening to end, in parts.

    Args:
        drawn: through chance.
        decided: through decisions.
        together: through both between two positions, inseparable.
    """

    seat: int
    drawn: float
    decided: float
    together: float


def split_luck_and_play(places: Sequence[LineStep], chances: Mapping[int, Chances]) -> list[LuckAndPlay]:
    """Split each seat's change of share into luck and play; empty with fewer than two known positions."""
    places_known = [place for place in places if place.step in chances and chances[place.step].shares]
    if len(places_known) < 2:
        return []
    seats = len(chances[places_known[0].step].shares)
    sums: dict[Change, list[float]] = {kind: [0.0] * seats for kind in CHANGES}
    for before, after in pairwise(places_known):
        kind = kind_of_gap(places[before.at + 1 : after.at + 1])
        for seat in range(seats):
            sums[kind][seat] += chances[after.step].shares[seat] - chances[before.step].shares[seat]
    return [LuckAndPlay(seat, *(round(sums[kind][seat], 4) for kind in CHANGES)) for seat in range(seats)]


def kind_of_gap(gap: Sequence[LineStep]) -> Change:
    """Classify the steps between two positions.

    Args:
        gap: the steps after the earlier position, up to the later.
    """
    drawn = [place.kind == "drawn" for place in gap]
    return "drawn" if all(drawn) else "together" if any(drawn) else "decided"
