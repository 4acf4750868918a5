"""Policy of a steady player of Arkwright: The Card Game: merits of each kind of decision, about in pounds.

She asks a price at which goods are sold, pays the wages, and puts into shares what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property, partial
from itertools import product

from daybook.domain.games.arkwright_card import costs, factories, market, moves
from daybook.domain.games.arkwright_card.board import Board, Factory, Player, QualityCard
from daybook.domain.games.arkwright_card.printed import MODES, SLOTS, Mode
from daybook.domain.games.arkwright_card.scoring import leads, total
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.terms import Decision, Seat
from daybook.domain.kernel.weights import weights_of


class Weights(Exact):
    """Merits of an action, by its name, and of what it allows; in pounds where stated."""

    action: dict[str, float]
    build_later: float  # after the first decade
    first_ship: float  # `stock` without a ship
    affordable: float  # `stock`, for each share that can be paid for
    wage: float  # `automate`, for each pound of the wage
    rich: float  # `extra_production` takes more pounds in hand than this
    enough: float  # and each production of it more than this
    reserve: float  # pounds that stay in hand for the next production
    margin: float  # pounds that the goods of one more card have to bring beyond its wages
    track: dict[str, float]  # a development
    card: float
    best_card: float
    broker: float
    first_shares: float  # bought before the game begins
    sales: float  # pounds, for a sale that raises the share value
    appeal: float  # pounds, for each of appeal left


WEIGHTS = weights_of(__package__, Weights)
BEST_CARDS = ("workshop", "developer", "foreman", "contract", "big_storehouse", "extra_shift", "inventor")


class Outlook:
    """A seat's view in one decision."""

    def __init__(self, weights: Weights, b: Board, seat: Seat) -> None:
        self.weights, self.board, self.seat, self.player = weights, b, seat, b.players[seat]

    @cached_property
    def free_money(self) -> float:
        """Money beyond the dearest production and a reserve."""
        b, player = self.board, self.player
        bills = [
            factories.cost(b, player, good, factory, len(factory.workers)).amount for good, factory in player.open()
        ]
        return player.money - max(bills, default=0) - self.weights.reserve

    @cached_property
    def best_offer(self) -> tuple[int, Mode, dict[str, Mode]]:
        """Slot, office and quality cards with the greatest income at home."""
        return best_offer(self.weights, self.board, self.player.factory(self.board.active))


def weigh(weights: Weights, b: Board, seat: Seat) -> Callable[[Decision], float]:
    return partial(merit, Outlook(weights, b, seat))


def merit(outlook: Outlook, d: Decision) -> float:
    """Return the merit of a decision; ending a step is 0."""
    weights, b, player = outlook.weights, outlook.board, outlook.player
    match d:
        case moves.ChooseAction():
            return action_merit(outlook, d)
        case moves.Build():
            return 1 if outlook.free_money > 0 and len(list(player.open())) < 3 else -1
        case moves.Upgrade() | moves.InventorUpgrade():
            return 3
        case moves.Employ():
            return 2 if earns(weights, b, player, d) else -1
        case moves.Rotate():
            return 3
        case moves.Place() | moves.SetCard():
            return points_merit(player, d)
        case moves.BuyShare():
            return 2 if outlook.free_money >= player.share_value else -1
        case moves.BuyStartShares():
            return -abs(d.shares - weights.first_shares)
        case moves.RegainShips():
            return 1
        case moves.ExtraProduce():
            return 1 if player.money > weights.enough and d.cards else -1
        case moves.ShipStored():
            return d.count
        case moves.SetSlot() | moves.SetOffice() | moves.SetQuality() | moves.ConfirmPrice():
            return price_merit(outlook, d)
        case moves.TakeDevelopment() | moves.TakeCard() | moves.ChooseStartCard() | moves.UseBroker():
            return development_merit(weights, d)
        case moves.UseInventor():
            return 1
        case moves.UsePatron() | moves.UseExtraShift():
            return 1 if sells(b, player) else -1
        case moves.SellHome() | moves.Ship():
            return d.count if isinstance(d, moves.SellHome) or d.count else -0.5
        case moves.AssignStorehouse():
            return 1 if b.production.left > 0 else -1
        case moves.UseEntrepreneur():
            return 1
        case moves.BeginSale():
            return 0
        case moves.TakeLoan():
            return -2
    return 0 if not hasattr(d, "good") else -0.5


def action_merit(outlook: Outlook, d: moves.ChooseAction) -> float:
    weights, b, player = outlook.weights, outlook.board, outlook.player
    match d.action:
        case "build" if b.decade > 1:
            return weights.build_later
        case "stock" if not player.ships:
            return weights.first_ship
        case "stock":
            shares = min(5, max(0, outlook.free_money) // max(1, player.share_value))
            return weights.action["stock"] + weights.affordable * shares
        case "automate":
            return weights.action["automate"] + weights.wage * b.wage
        case "extra_production" if not player.ships or player.money <= weights.rich:
            return 0
    return weights.action[d.action]


def earns(weights: Weights, b: Board, player: Player, d: moves.Employ) -> bool:
    """Check if the goods of one more card bring more than its workers cost."""
    factory, numbers = player.factory(d.good), b.printed.workers[d.position]
    more = numbers.goods[numbers.side(b.decade)] * factories.goods_price(b, d.good, factory)
    return more > numbers.workers[d.good] * b.wage + weights.margin


def points_merit(player: Player, d: moves.Place | moves.SetCard) -> float:
    """Quality on its appeal side, as much as may be added."""
    if d.mode == "price":
        return -1
    if isinstance(d, moves.Place):
        return d.value
    good = player.where(d.card)
    assert good is not None
    factory = player.factory(good)
    lying = factory.quality.get(d.card)
    before = lying.value if lying is not None else factory.distribution_value
    return d.value - before if d.value > before else -1


def price_merit(outlook: Outlook, d: moves.SetSlot | moves.SetOffice | moves.SetQuality | moves.ConfirmPrice) -> float:
    """Rate a decision of the price step: 1 towards the best offer, -1 away from it, 0 to confirm."""
    slot, office, modes = outlook.best_offer
    match d:
        case moves.SetSlot():
            return 1 if d.slot == slot else -1
        case moves.SetOffice():
            return 1 if d.mode == office else -1
        case moves.SetQuality():
            return 1 if d.mode == modes[d.card] else -1
    return 0


def best_offer(weights: Weights, b: Board, factory: Factory) -> tuple[int, Mode, dict[str, Mode]]:
    """Slot, office and quality cards with the greatest income at home."""
    made = factories.production(b, b.active, factory) + factory.goods_stored
    best: tuple[float, int, Mode, dict[str, Mode]] = (-1.0, factory.slot, factory.office, {})
    for slot, (office, *modes) in product(SLOTS, product(MODES, *[MODES] * len(factory.quality))):
        quality: dict[str, Mode] = dict(zip(factory.quality, modes, strict=True))
        price, appeal = price_and_appeal(b, factory, slot, office, quality)
        demand = b.demand[b.active] + market.arrows(
            b, b.active, factory.appeal, min(appeal, b.printed.market_appeal_top)
        )
        value = b.printed.side_demand[min(max(demand, 0), len(b.printed.side_demand) - 1)]
        sold = max(0, min(made, appeal - value))
        worth = sold * price + (weights.sales if sold >= b.printed.rules_share_sales else 0) + (weights.appeal * appeal)
        if worth > best[0]:
            best = (worth, slot, office, quality)
    return best[1:]


def price_and_appeal(b: Board, factory: Factory, slot: int, office: Mode, quality: dict[str, Mode]) -> tuple[int, int]:
    """Price and appeal with everything set like this."""
    variant = copy(factory)
    variant.slot, variant.office = slot, office
    variant.quality = {name: QualityCard(card.value, quality[name]) for name, card in factory.quality.items()}
    return factories.goods_price(b, b.active, variant), factories.appeal(b, b.active, variant)


def development_merit(
    weights: Weights, d: moves.TakeDevelopment | moves.TakeCard | moves.ChooseStartCard | moves.UseBroker
) -> float:
    match d:
        case moves.TakeDevelopment():
            return weights.track[d.track]
        case moves.TakeCard() | moves.ChooseStartCard():
            return weights.best_card if d.card in BEST_CARDS else weights.card
    return weights.broker


def sells(b: Board, player: Player) -> bool:
    """Check if one more good, or one more customer, is of use now."""
    factory = player.factory(b.active)
    return factory.appeal > 0 and costs.half_price(player) > 0


def lead(b: Board, seat: Seat) -> float:
    """Points ahead of the best of the others; in a solo game, of the better automa."""
    return leads(b, [total(b, other) for other in range(b.seats)])[seat]


def policy(weights: Weights) -> Policy[Board]:
    return Policy(revision=2, weigh=partial(weigh, weights), lead=lead, close=30.0)


POLICY = policy(WEIGHTS)
