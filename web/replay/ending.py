"""How a game ended, in short: who won and by how much, the curve, and the moments that decided it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Outcome, Seat
from daybook.services.visits import Visit
from daybook.web.boards import charts
from daybook.web.boards.table_privacy import columns_shown
from daybook.web.replay import ledger
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.replay.turning_points import MomentShown, decisive
from daybook.web.words import outcome_sentence, result_sentence


class Ending(Frozen):
    """step: the newest, at which it is told; closes: it has nothing else to tell; closed: it has come to its
    result, and people played it; why, rule: why the game ended; places:
    rank, seat and total, the best first; who is not ranked has no rank.
    """

    game: UUID
    step: int
    closes: bool
    closed: bool
    says: str
    why: str
    rule: str
    outcome: Outcome
    places: list[tuple[int | None, Seat, int]]
    chart: charts.LineChart
    periods: list[tuple[int, str]]
    moments: list[MomentShown]


def ending_of(visit: Visit, filmstrip: Filmstrip, moments: Sequence[MomentShown]) -> Ending | None:
    """How a game came out, though it may not be closed yet; None while it is played, of one that was given up, and
    where it is covered.
    """
    game, column = visit.game, filmstrip.columns[-1]
    outcome = game.ruleset.scoring.outcome(game.board) if game.status != "abandoned" else None
    if outcome is None or column not in columns_shown([column], filmstrip.scene.unshown):
        return None
    totals = [score.total for score in game.ruleset.scoring.standing(game.board)]
    rules = filmstrip.scene.ruleset
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
            (outcome.place(seat), seat, totals[seat])
            for _, seat in sorted(zip(outcome.ranks, range(len(totals)), strict=True))
        ],
        charts.build_chart(column, [step.columns[column] for step in filmstrip.steps]),
        ledger.jumps(rules, filmstrip.steps, filmstrip.periods),
        decisive(moments),
    )
