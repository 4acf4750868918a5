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
            Added((From("entered", amount=("counts",), each="name"), From("changed", amount=("counts",), each="name"))),
            by="round",
            things="line",
        ),
        Measure("changed", "Figures changed", "count", Added((From("changed", each="name"),)), things="line"),
    ),
    questions=(PresetQuestion("lines", "Which lines bring the points?", "by_line", "what"),),
)
