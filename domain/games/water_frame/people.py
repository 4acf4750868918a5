"""Workers: the job market, the fired space, and what they earn (WF-2.6, WF-4.1.7, WF-4.1.8)."""

from __future__ import annotations

from typing import NamedTuple

from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import Pile
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Seat, WhyNot, by_number, refuse_unless


def hireable(b: Board) -> int:
    """Workers that could be hired: from the job market, then from the fired space (WF-4.1.8)."""
    return b.market + b.fired


WORKERS_NEEDED = by_number(
    "count",
    "this needs {count} worker; the job market and the fired space hold {there}",
    "this needs {count} workers; the job market and the fired space hold {there}",
)


def none_to_hire(b: Board, count: int = 1) -> WhyNot:
    there = hireable(b)
    return refuse_unless(there >= count, "no_workers", WORKERS_NEEDED, count=count, there=there)


def hire_one(b: Board) -> Pile:
    """Hire a worker, which must exist; return its origin (WF-4.1.8)."""
    if b.market:
        b.market -= 1
        return "market"
    b.fired -= 1
    return "fired"


def hire_some(b: Board, count: int) -> tuple[int, int]:
    """Several workers: how many came from the job market and from the fired space."""
    market = min(count, b.market)
    b.market -= market
    b.fired -= count - market
    return market, count - market


def to_market(b: Board, count: int) -> int:
    """Move up to `count` fired workers back to the job market; return how many moved."""
    back = min(count, b.fired)
    b.fired -= back
    b.market += back
    return back


def lowest_empty_row(b: Board) -> int:
    """Return the lowest row of the job market with an empty space, or 0 (WF-2.6.8)."""
    return -(-b.empty // len(GOODS))


def wage(b: Board) -> int:
    """Return the wage of the lowest empty row (WF-2.6.5, WF-2.6.6)."""
    numbers = b.printed
    row = lowest_empty_row(b)
    if not row:
        return numbers.workers_full_market_wage
    return next(wage for up_to, wage in numbers.wages if row <= up_to)


def demand(b: Board, good: str) -> int:
    """Numbered empty spaces in the good's column of the job market (WF-2.6.9)."""
    column = GOODS.index(good)
    spaces = (b.empty + len(GOODS) - 1 - column) // len(GOODS)
    return max(0, spaces - b.printed.goods_rows[good].unnumbered)


class Bill(NamedTuple):
    """The cost of workers and machines of one factory. cheaper: workers paid less; upkeep: of all machines."""

    wage: int
    cheaper: int
    cheaper_wage: int
    upkeep: int
    amount: int


def factory_bill(b: Board, seat: Seat, good: str, workers: int, machines: int) -> Bill:
    """Return a production's wages and upkeep, with foreman and workshop (WF-4.15.10, WF-4.15.17)."""
    numbers, player = b.printed, b.players[seat]
    full = wage(b)
    cheaper = min(workers, numbers.tiles_foreman_workers) if player.works_at("foreman", good) else 0
    less = max(numbers.tiles_foreman_least, full - numbers.tiles_foreman_less)
    flat = player.works_at("workshop", good) and machines
    upkeep = numbers.tiles_workshop_upkeep if flat else machines * numbers.machines_upkeep
    return Bill(full, cheaper, less, upkeep, (workers - cheaper) * full + cheaper * less + upkeep)
