"""Statistics of a finished game on a score sheet: its lines."""

from __future__ import annotations

from daybook.domain.kernel.game_statistics import From, PresetQuestion, Statistics, sum_of

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        sum_of(
            "by_line",
            "Points by line",
            "points",
            *(
                From(effect, amount=("counts",), each="name", period="round")
                for effect in ("entered", "changed", "cleared")
            ),
            by="round",
            things="line",
        ),
        sum_of(
            "changed",
            "Figures changed",
            "count",
            From("changed", each="name"),
            From("cleared", each="name"),
            things="line",
        ),
    ),
    questions=(PresetQuestion("lines", "Which lines bring the points?", "by_line", "what"),),
)
