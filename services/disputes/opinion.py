"""Rules opinion on a disputed step, and the cost of going back to before it."""

from __future__ import annotations

from typing import Any

import msgspec

from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import BoardAdjusted, BoardStep, DecisionAsPlayed, DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Reason, Seat, Verdict
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.services.play.redaction import COVERED


class UndoCost(Frozen):
    """Entries that going back to before a step would undo.

    Args:
        decisions: number of decisions of each seat since then.
        facts: facts the table has shown since then, which cannot be unseen.
        covered: facts among them that some players have not seen.
        steps: all entries that would be struck.
        columns: ledger figures of each seat after the rewind.
    """

    to_step: int
    steps: int
    decisions: dict[Seat, int]
    facts: int
    covered: int
    columns: dict[str, list[Points]]
    columns_now: dict[str, list[Points]]


class Opinion(Frozen):
    """The rules' view of a disputed step.

    Args:
        verdicts: every check of the decision, in order.
        legal: the seat's legal decisions then; None if the viewer may not see them.
        as_played: the step was recorded as played, against the rules.
        cost: of a rewind to before the step; None if the step is struck.
    """

    step: int
    seat: Seat | None
    decision: dict[str, Any] | None
    verdicts: list[Verdict]
    as_played: bool
    legal: list[dict[str, Any]] | None
    cost: UndoCost | None

    @property
    def holds(self) -> bool:
        """Check if the current rules allow the step."""
        return not any(verdict.reason for verdict in self.verdicts)


def opinion_on_step(game: Game, about: int, sight: Sight) -> Opinion:
    """Opinion of the rules on a step, as a viewer may know it. Raises Refused."""
    game.check_step(about)
    event = game.entries[about].event
    cost = rewind_cost(game, game.parents[about]) if about in game.line() and about else None
    if not isinstance(event, DecisionRecorded):
        return Opinion(about, None, None, _adjustment_verdicts(event), False, None, cost)
    shown = next(replay.iter_steps(game, sight, about - 1))
    before = game.parents[about]
    sees = (
        sight == EVERYTHING
        or (sight == event.seat and event.seat != TABLE)
        or (shown.decision == event.decision and _is_fully_visible(game, before, sight))
    )
    verdicts = game.ruleset.why(
        replay.board_for_legality(game, before, sight), event.seat, read_decision(game, event.decision)
    )
    return Opinion(
        about,
        event.seat,
        shown.decision,
        verdicts if sees else [_redact_verdict(verdict) for verdict in verdicts],
        isinstance(event, DecisionAsPlayed),
        replay.legal_decisions(game, before, event.seat, sight) if sees and event.seat != TABLE else None,
        cost,
    )


def _is_fully_visible(game: Game, step: int, sight: Sight) -> bool:
    """Check if the viewer saw the whole board after a step, so that legal decisions reveal nothing."""
    board = game.board_at(step)
    return bool(game.ruleset.secrecy.redact_board(board, sight).document() == board.document())


def _redact_verdict(verdict: Verdict) -> Verdict:
    """Remove the reason of a failed check: it may reveal a hand."""
    if verdict.reason is None:
        return verdict
    return msgspec.structs.replace(verdict, reason=Reason("covered", COVERED))


def _adjustment_verdicts(event: Any) -> list[Verdict]:
    """Return one passed verdict for an adjustment, none for other entries."""
    if not isinstance(event, BoardAdjusted):
        return []
    return [Verdict("", "adjusted", None)]


def rewind_cost(game: Game, to: int) -> UndoCost:
    """Cost of going back to the board after a standing step: what that would undo."""
    decisions: dict[Seat, int] = {}
    facts = covered = steps = 0
    for gone in game.line_since(to):
        event = game.entries[gone].event
        if not isinstance(event, BoardStep):
            continue
        steps += 1
        if isinstance(event, DecisionRecorded) and event.seat == TABLE:
            facts += 1
            covered += game.ruleset.kinds[type(game.ruleset.decision(event.decision))].covered_fact
        elif isinstance(event, DecisionRecorded):
            decisions[event.seat] = decisions.get(event.seat, 0) + 1
    return UndoCost(to, steps, decisions, facts, covered, game.figures_so_far(to)[0], game.figures_so_far(game.step)[0])
