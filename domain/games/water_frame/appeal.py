"""The actions on the appeal of goods: quality, distribution, and the price adjustment (WF-4.8, WF-4.9, WF-4.13)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import moves, storage
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.deciding import no_decision_pending, stage_is
from daybook.domain.games.water_frame.machinery import thresholds_reached
from daybook.domain.games.water_frame.printed import GOODS, name_of
from daybook.domain.games.water_frame.tiles import give_back
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, holds, refuse_unless

SPENDING = ("quality", "distribution")  # actions with costs that may also serve the price of other goods

# --- quality ---


LEVELS_ALLOWED = by_number(
    "allowed",
    "£{paid} on this marker allow {allowed} level, and {steps} was raised",
    "£{paid} on this marker allow {allowed} levels, and {steps} were raised",
)


@holds("the marker allows one more level")
def level_left(b: Board) -> WhyNot:
    allowed = thresholds_reached(b.printed.thresholds[b.turn.marker], b.turn.paid)
    return refuse_unless(
        b.turn.steps < allowed, "levels", LEVELS_ALLOWED, paid=b.turn.paid, allowed=allowed, steps=b.turn.steps
    )


@holds("the quality can still rise")
def quality_below_most(b: Board, seat: Seat, d: moves.RaiseQuality) -> WhyNot:
    numbers = b.printed
    most = numbers.quality_engineer if b.players[seat].owns("engineer") else numbers.quality_most
    level = b.factory(seat, d.good).quality
    return refuse_unless(
        level < most,
        "quality_most",
        "the quality marker of {good} is at {level}; {most} is the maximum",
        good=d.good,
        level=level,
        most=most,
    )


def raise_quality(b: Board, seat: Seat, d: moves.RaiseQuality, tell: Tell) -> None:
    factory = b.factory(seat, d.good)
    factory.quality += 1
    b.turn.steps += 1
    affect(b, d)
    tell(moves.QualityRaised("WF-4.8.2", seat, d.good, factory.quality, b.appeal(seat, d.good)))


# --- distribution ---


@holds("the distribution can still rise")
def distribution_below_most(b: Board, seat: Seat, d: moves.RaiseDistribution) -> WhyNot:
    level, most = b.factory(seat, d.good).distribution, b.printed.distribution_most
    return refuse_unless(
        level < most,
        "distribution_most",
        "the distribution marker of {good} is at {level}, the maximum",
        good=d.good,
        level=level,
    )


@holds("the payment on the marker covers the level")
def level_affordable(b: Board, seat: Seat, d: moves.RaiseDistribution) -> WhyNot:
    """Require the cost of the next level, which is its number (WF-4.9.2)."""
    if d.free:
        return None
    cost, there = b.factory(seat, d.good).distribution + 1, usable_cost(b) + patent(b, seat)
    return refuse_unless(
        b.turn.spent + cost <= there,
        "distribution_costs",
        "this level costs £{cost}; £{spent} of £{there} are already spent",
        cost=cost,
        spent=b.turn.spent,
        there=there,
    )


@holds("a level of the patent is left")
def free_level_left(b: Board, d: moves.RaiseDistribution) -> WhyNot:
    return refuse_unless(not d.free or b.turn.free_levels, "no_free_level", "no level of a returned patent is left")


@holds("the player has the patent")
def patent_owned(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.players[seat].owns("patent"), "no_tile", "the player has no patent")


@holds("the amount that the patent adds is not spent yet")
def patent_unspent(b: Board) -> WhyNot:
    """Require that the added amount was not needed (WF-4.9.3)."""
    return refuse_unless(
        b.turn.spent <= usable_cost(b),
        "patent_spent",
        "£{spent} are spent, more than £{usable}: this includes the amount from the patent",
        spent=b.turn.spent,
        usable=usable_cost(b),
    )


def usable_cost(b: Board) -> int:
    """Return the part of the costs paid that the marker lets distribution use (WF-4.9.1)."""
    return min(b.turn.paid, b.printed.distribution_cap[b.turn.marker])


def patent(b: Board, seat: Seat) -> int:
    """Return the amount that the patent adds, also beyond the marker's limit."""
    return b.printed.tiles_patent_amount if b.players[seat].owns("patent") else 0


def raise_distribution(b: Board, seat: Seat, d: moves.RaiseDistribution, tell: Tell) -> None:
    factory = b.factory(seat, d.good)
    factory.distribution += 1
    cost = 0 if d.free else factory.distribution
    b.turn.spent += cost
    b.turn.free_levels -= d.free
    affect(b, d)
    tell(
        moves.DistributionRaised(
            "WF-4.9.3" if d.free else "WF-4.9.2", seat, d.good, factory.distribution, cost, b.appeal(seat, d.good)
        )
    )


def patent_levels(b: Board, seat: Seat, d: moves.PatentLevels, tell: Tell) -> None:
    b.turn.free_levels = b.printed.tiles_patent_levels
    give_back(b, seat, "patent", "WF-4.9.3", tell)
    tell(moves.PatentReturned("WF-4.9.3", seat, b.turn.free_levels))


def affect(b: Board, d: moves.RaiseQuality | moves.RaiseDistribution) -> None:
    """Allow a free price adjustment for this good (WF-4.13.3)."""
    if d.good not in b.turn.affected:
        b.turn.affected.append(d.good)


# --- the price adjustment ---


@holds("the marker offers a price adjustment")
def prices_open(b: Board) -> WhyNot:
    return (
        no_decision_pending(b)
        or stage_is(b, b.stage == "additional")
        or refuse_unless(
            adjusting(b), "wrong_action", "the {marker} marker offers no price adjustment", marker=b.turn.marker
        )
    )


def adjusting(b: Board) -> bool:
    """Check if a price adjustment is open."""
    return b.stage == "additional" and not b.asked and b.printed.additional[name_of(b.turn.marker)] == "price"


@holds("the price was not adjusted in this action")
def once_per_good(b: Board, d: moves.SetPrice) -> WhyNot:
    return refuse_unless(
        d.good not in b.turn.repriced, "repriced", "the price of {good} was adjusted in this action", good=d.good
    )


@holds("the action has affected the factory")
def good_affected(b: Board, d: moves.SetPrice) -> WhyNot:
    """After the factory and the production action only what they affected (WF-4.13.2)."""
    return refuse_unless(
        name_of(b.turn.marker) in SPENDING or d.good in b.turn.affected,
        "unaffected",
        "the action did not affect the {good} factory",
        good=d.good,
    )


@holds("the administrative costs pay for it")
def adjustment_paid(b: Board, seat: Seat, d: moves.SetPrice) -> WhyNot:
    """Check that the unspent administrative costs pay for the change of price (WF-4.13.4)."""
    cost, left = adjustment_cost(b, d.good), unspent(b, seat)
    return refuse_unless(
        cost <= left,
        "price_costs",
        "the price of {good} costs £{cost} of the administrative costs, and £{left} are unspent",
        good=d.good,
        cost=cost,
        left=left,
    )


def adjustment_cost(b: Board, good: str) -> int:
    return 0 if good in b.turn.affected else b.printed.price_unaffected


def unspent(b: Board, seat: Seat) -> int:
    """Administrative costs that the main action and earlier prices left over (WF-4.8.4, WF-4.9.4)."""
    name, turn = name_of(b.turn.marker), b.turn
    if name == "distribution":
        return turn.paid + patent(b, seat) - turn.spent
    if name == "quality":
        used = b.printed.thresholds[turn.marker][turn.steps - 1] if turn.steps else 0
        return turn.paid - used - turn.spent
    return 0


@holds("the good can have this price")
def price_in_range(b: Board, seat: Seat, d: moves.SetPrice) -> WhyNot:
    return storage.price_fault(b, d.good, d.price, storage.highest_price(b, seat, d.good))


@holds("the appeal stays at 0 or more")
def appeal_not_negative(b: Board, seat: Seat, d: moves.SetPrice) -> WhyNot:
    most = b.appeal(seat, d.good) + b.factory(seat, d.good).price
    return refuse_unless(
        d.price <= most,
        "appeal",
        "quality and distribution of {good} are {most}: at £{price} its appeal would be below 0",
        good=d.good,
        most=most,
        price=d.price,
    )


@holds("the price is a different one")
def another_price(b: Board, seat: Seat, d: moves.SetPrice) -> WhyNot:
    return refuse_unless(
        d.price != b.factory(seat, d.good).price,
        "same_price",
        "the price of {good} is £{price}",
        good=d.good,
        price=d.price,
    )


def set_price(b: Board, seat: Seat, d: moves.SetPrice, tell: Tell) -> None:
    factory, cost = b.factory(seat, d.good), adjustment_cost(b, d.good)
    before, factory.price = factory.price, d.price
    b.turn.spent += cost
    b.turn.repriced.append(d.good)
    rule = "WF-4.13.4" if cost else "WF-4.13.3" if name_of(b.turn.marker) in SPENDING else "WF-4.13.2"
    tell(moves.PriceSet(rule, seat, d.good, before, d.price, cost, b.appeal(seat, d.good)))


# --- candidates ---


QUALITIES = tuple(moves.RaiseQuality(good) for good in GOODS)
DISTRIBUTIONS = tuple(moves.RaiseDistribution(good, free) for free in (False, True) for good in GOODS)


def candidate_prices(b: Board, seat: Seat) -> Iterable[Decision]:
    if not adjusting(b):
        return
    for good in b.players[seat].standing:
        if good in b.turn.repriced:
            continue
        for price in range(b.printed.price_least, b.printed.price_most + 1):
            yield moves.SetPrice(good, price)
