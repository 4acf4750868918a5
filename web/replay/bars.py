"""Bars of a score that was counted once, at the end: one for each player, split by line."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Score, Seat
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.words import counting_scores, line_label
from daybook.web.words.say import Names

BAR_WIDTH = 100.0  # of the longest bar
MAX_SHADES = 12  # colours of lines


class BarPart(Frozen):
    """A line's part of a bar. left, width: of BAR_WIDTH; a line below 0 takes its part off the end."""

    name: str
    amount: Points
    shade: int
    left: float
    width: float


class ScoreBar(Frozen):
    """The bar of a player."""

    seat: Seat
    total: Points
    parts: tuple[BarPart, ...]
    is_one_line: bool  # of every player, so that the parts need no list


def is_counted_at_end(filmstrip: Filmstrip) -> bool:
    """Check if a game has no periods, so that the order of its steps is only the order of typing."""
    periods = RULESETS[filmstrip.scene.ruleset].course.periods
    return not {*periods} & filmstrip.steps[-1].marks.keys()


def is_one_line(rules: str, scores: Sequence[Score], names: Names) -> bool:
    """Check if every score has the same line and no other, so that it only repeats the total."""
    labels = {line_label(rules, line, names) for score in scores for line in score.lines}
    return len(labels) == 1 and all(len(score.lines) == 1 for score in scores)


def build_bars(game: Game, step: int, names: Names) -> list[ScoreBar]:
    """Build the bars of a step, the best player first."""
    rules = game.ruleset
    board = rules.so_far(game.board_at(step))
    scores, ranks = counting_scores(rules.id, board, rules.scoring.standing(board)), rules.ranks(board)
    named = [
        [(str(line.figures.get("name") or line_label(rules.id, line, names)), line.amount) for line in score.lines]
        for score in scores
    ]
    shades = {
        name: at % MAX_SHADES for at, name in enumerate(dict.fromkeys(name for parts in named for name, _ in parts))
    }
    one_line = is_one_line(rules.id, scores, names)
    longest = max([1, *(sum(max(0, amount) for _, amount in parts) for parts in named)])
    return [
        ScoreBar(score.seat, score.total, tuple(_parts(named[score.seat], shades, BAR_WIDTH / longest)), one_line)
        for score in sorted(scores, key=lambda score: (ranks[score.seat], score.seat))
    ]


def _parts(lines: Sequence[tuple[str, Points]], shades: dict[str, int], scale: float) -> list[BarPart]:
    """Lay the lines one after another; those below 0 go back from the end."""
    parts, end = list[BarPart](), 0.0
    for name, amount in lines:
        if amount > 0:
            parts.append(BarPart(name, amount, shades[name], round(end, 2), round(amount * scale, 2)))
            end += amount * scale
    for name, amount in lines:
        if amount < 0:
            width = min(end, -amount * scale)
            end -= width
            parts.append(BarPart(name, amount, shades[name], round(end, 2), round(width, 2)))
    return parts
