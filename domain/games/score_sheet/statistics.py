"""What is counted of a finished game of any kind: its lines."""

from __future__ import annotations

from daybook.domain.kernel.statistics import Added, From, Measure, PresetQuestion, Statistics

STATISTICS = Statistics(
    clock=("round",),
    measures=(
        Measure(
            "by_line",
            "Points by line",
            "points",
            Added(tuple(From(effect, amount=("counts",), each="name") for effect in ("entered", "changed", "cleared"))),
            by="round",
            things="line",
        ),
        Measure(
            "changed",
            "Figures changed",
            "count",
            Added((From("changed", each="name"), From("cleared", each="name"))),
            things="line",
        ),
    ),
    questions=(PresetQuestion("lines", "Which lines bring the points?", "by_line", "what"),),
)
