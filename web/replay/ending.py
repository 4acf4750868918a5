"""Ending of a game in short: winner, margin, chart and decisive moments."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Outcome, Score, Seat
from daybook.services.permissions.visits import Visit
from daybook.web.boards import charts
from daybook.web.boards.table_privacy import columns_shown
from daybook.web.replay import ledger
from daybook.web.replay.bars import ScoreBar, build_bars, is_counted_at_end, is_one_line
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.replay.turning_points import MomentShown, select_decisive
from daybook.web.request.template_globals import capitalize_first
from daybook.web.words import GAMES, Names, counting_scores, line_label, outcome_sentence, result_sentence, say


class Ending(Frozen):
    """Ending of a game.

    Args:
        step: the newest step, which shows it.
        closes: that step shows nothing else.
        closed: a played game that is closed.
        why: why the game ended.
        rule: rule of its end.
        bars: instead of the chart, if the game was counted once at the end.
        places: rank, seat, total and what it is made of, best first; unranked seats have no rank.
    """

    game: UUID
    step: int
    closes: bool
    closed: bool
    says: str
    why: str
    rule: str
    outcome: Outcome
    places: list[tuple[int | None, Seat, Points, list[tuple[str, Points]]]]
    chart: charts.LineChart
    periods: list[tuple[int, str]]
    moments: list[MomentShown]
    bars: list[ScoreBar]


def ending_of(visit: Visit, filmstrip: Filmstrip, moments: Sequence[MomentShown]) -> Ending | None:
    """Build the ending, even before closing; None while the game is played, abandoned, or covered."""
    game, column = visit.game, filmstrip.columns[-1]
    outcome = game.ruleset.scoring.outcome(game.board) if game.status != "abandoned" else None
    if outcome is None or column not in columns_shown([column], filmstrip.scene.unshown):
        return None
    scores = counting_scores(game.ruleset.id, game.board, game.ruleset.scoring.standing(game.board))
    totals = [score.total for score in scores]
    rules, names = filmstrip.scene.ruleset, filmstrip.scene.names
    bars = build_bars(game, filmstrip.newest, names) if is_counted_at_end(filmstrip) else []
    if bars:
        made: list[list[tuple[str, Points]]] = [[] for _ in scores]
    elif is_one_line(rules, scores, names):
        made = [_incomes(game, score) for score in scores]
    else:
        made = [_score_lines(rules, score, names) for score in scores]
    return Ending(
        game.id,
        filmstrip.newest,
        filmstrip.steps[-1].type == "game_closed",
        game.status == "closed" and game.opening.kind != "practice",
        result_sentence(rules, outcome, totals, filmstrip.scene.names),
        outcome_sentence(rules, outcome, filmstrip.scene.names),
        outcome.rule,
        outcome,
        [
            (outcome.place(seat), seat, totals[seat], made[seat])
            for _, seat in sorted(zip(outcome.ranks, range(len(totals)), strict=True))
        ],
        filmstrip.chart(column),
        ledger.period_starts(rules, filmstrip.standing_steps(), filmstrip.periods),
        select_decisive(moments),
        bars,
    )


def _score_lines(rules: str, score: Score, names: Names) -> list[tuple[str, Points]]:
    """Return the lines of a score with their amounts, largest first: ("1 blue certificate", 1)."""
    lines = sorted((line for line in score.lines if line.amount), key=lambda line: -abs(line.amount))
    return [(capitalize_first(line_label(rules, line, names)), line.amount) for line in lines]


def _incomes(game: Game, score: Score) -> list[tuple[str, Points]]:
    """Return what a score of only one figure was earned with in the whole game, largest first: ("Auction", 19)."""
    account, line = GAMES[game.ruleset.id].account, score.lines[0]
    if account is None or not line.paths:
        return []
    effects = (effect for step in game.line() for effect in getattr(game.entries[step].event, "effects", ()))
    column = line.paths[0].rpartition("/")[2]
    parts = account.amounts_by_cause(game.ruleset.typed_effects([*effects]), column, score.seat)
    if by_hand := as_points(line.amount - sum(parts.values())):
        parts[say("entered by hand")] = by_hand
    return sorted(((capitalize_first(cause), amount) for cause, amount in parts.items()), key=lambda part: -part[1])
