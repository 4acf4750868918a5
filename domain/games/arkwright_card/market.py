"""The market board: appeal, demand and wages (ACG-4.0.8, ACG-4.0.9)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.board import Board, Factory
from daybook.domain.games.arkwright_card.moves import AppealMoved, DemandMoved, WagesMoved, WorkersCame
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat, Tell


def arrows(b: Board, good: str, before: int, after: int) -> int:
    """Return the arrows that a marker passes: red ones upwards; green ones downwards, as a negative number."""
    if after >= before:
        return sum(b.printed.market_red[good][before:after])
    return -sum(b.printed.market_green[good][after:before])


def move_demand(b: Board, good: str, steps: int, rule: str, tell: Tell) -> None:
    """Move a demand marker; steps beyond the end of the track are lost (ACG-2.6.12)."""
    before = b.demand[good]
    after = min(max(before + steps, 0), len(b.printed.side_demand) - 1)
    b.demand[good] = after
    if steps:
        tell(DemandMoved(rule, good, steps, before, after, b.demand_value(good)))


def move_appeal(b: Board, seat: Seat, good: str, factory: Factory, to: int, tell: Tell) -> None:
    """Move a player's appeal marker; a total beyond the track counts as its end (ACG-2.6.1)."""
    before, after = factory.appeal, min(to, b.printed.market_appeal_top)
    passed = arrows(b, good, before, after)
    factory.appeal = after
    if after != before:
        tell(AppealMoved("ACG-4.10.3", seat, good, before, after, abs(passed)))
    move_demand(b, good, passed, "ACG-4.0.8", tell)


def workers_came(b: Board, seat: Seat, rule: str, tell: Tell) -> None:
    """Once for an action, however many came (ACG-4.0.9)."""
    tell(WorkersCame(rule, seat))
    wages_rise(b, tell)


def wages_rise(b: Board, tell: Tell) -> None:
    """And demand falls on every track."""
    for good in GOODS:
        move_demand(b, good, -b.printed.rules_new_workers_demand, "ACG-4.0.9", tell)
    before = b.wages
    b.wages = min(before + b.printed.rules_new_workers_wages, len(b.printed.market_wages) - 1)
    tell(WagesMoved("ACG-4.0.9", before, b.wages, b.wage))
