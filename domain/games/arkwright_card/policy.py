"""How a steady player of Arkwright: The Card Game decides: what speaks for each kind of decision, in pounds or so.

She asks a price at which goods are sold, pays the wages, and puts into shares what is left.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from itertools import product

from daybook.domain.games.arkwright_card import costs, factories, market
from daybook.domain.games.arkwright_card.board import Board, Factory, Player, QualityCard
from daybook.domain.games.arkwright_card.moves import (
    AssignStorehouse,
    BeginSale,
    Build,
    BuyShare,
    BuyStartShares,
    ChooseAction,
    ChooseStartCard,
    ConfirmPrice,
    Employ,
    ExtraProduce,
    InventorUpgrade,
    Place,
    RegainShips,
    Rotate,
    SellHome,
    SetCard,
    SetOffice,
    SetQuality,
    SetSlot,
    Ship,
    ShipStored,
    TakeCard,
    TakeDevelopment,
    TakeLoan,
    Upgrade,
    UseBroker,
    UseEntrepreneur,
    UseExtraShift,
    UseInventor,
    UsePatron,
)
from daybook.domain.games.arkwright_card.printed import MODES, SLOTS, Mode
from daybook.domain.games.arkwright_card.scoring import leads, total
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.terms import Decision, Seat

# Origin of these and of the figures below: set by hand, for what the actions bring in a decade, and tried in games
# against chance.
RESERVE = 14  # pounds that stay in hand for the next production
BEST_CARDS = ("workshop", "developer", "foreman", "contract", "big_storehouse", "extra_shift", "inventor")


def merit(b: Board, seat: Seat, d: Decision) -> float:
    """What ends a step is 0, so that what is worse is left undone."""
    player = b.players[seat]
    match d:
        case ChooseAction():
            return action_merit(b, player, d)
        case Build():
            return 1 if free_money(b, player) > 0 and len(list(player.open())) < 3 else -1
        case Upgrade() | InventorUpgrade():
            return 3
        case Employ():
            return 2 if earns(b, player, d) else -1
        case Rotate():
            return 3
        case Place() | SetCard():
            return points_merit(b, player, d)
        case BuyShare():
            return 2 if free_money(b, player) >= player.share_value else -1
        case BuyStartShares():
            return -abs(d.shares - 2)
        case RegainShips():
            return 1
        case ExtraProduce():
            return 1 if player.money > 30 and d.cards else -1
        case ShipStored():
            return d.count
        case SetSlot() | SetOffice() | SetQuality() | ConfirmPrice():
            return price_merit(b, player, d)
        case TakeDevelopment() | TakeCard() | ChooseStartCard() | UseBroker():
            return development_merit(d)
        case UseInventor():
            return 1
        case UsePatron() | UseExtraShift():
            return 1 if sells(b, player) else -1
        case SellHome() | Ship():
            return d.count if isinstance(d, SellHome) or d.count else -0.5
        case AssignStorehouse():
            return 1 if b.production.left > 0 else -1
        case UseEntrepreneur():
            return 1
        case BeginSale():
            return 0
        case TakeLoan():
            return -2
    return 0 if not hasattr(d, "good") else -0.5


def free_money(b: Board, player: Player) -> int:
    """Money beyond the dearest production and a reserve."""
    bills = [factories.cost(b, player, good, factory, len(factory.workers)).amount for good, factory in player.open()]
    return player.money - max(bills, default=0) - RESERVE


def action_merit(b: Board, player: Player, d: ChooseAction) -> float:
    match d.action:
        case "build":
            return 7 if b.decade > 1 else 4
        case "employ":
            return 6
        case "stock":
            if not player.ships:
                return 6
            return 1 + min(5, max(0, free_money(b, player)) // max(1, player.share_value)) * 1.5
        case "automate":
            return 1 + b.wage
        case "extra_production":
            return 3 if player.ships and player.money > 40 else 0
        case "early_shipping":
            return 6
    return 5


def earns(b: Board, player: Player, d: Employ) -> bool:
    """Whether the goods of one more card bring more than its workers cost."""
    factory, numbers = player.factory(d.good), b.printed.workers[d.position]
    more = numbers.goods[numbers.side(b.decade)] * factories.price(b, d.good, factory)
    return more > numbers.workers[d.good] * b.wage + 2


def points_merit(b: Board, player: Player, d: Place | SetCard) -> float:
    """Quality on its appeal side, as much as may be added."""
    if d.mode == "price":
        return -1
    if isinstance(d, Place):
        return d.value
    good = player.where(d.card)
    assert good is not None
    factory = player.factory(good)
    lying = factory.quality.get(d.card)
    before = lying.value if lying is not None else factory.distribution_value
    return d.value - before if d.value > before else -1


def price_merit(b: Board, player: Player, d: SetSlot | SetOffice | SetQuality | ConfirmPrice) -> float:
    """Towards the price that brings most; done when it stands."""
    factory = player.factory(b.active)
    slot, office, modes = best_offer(b, factory)
    match d:
        case SetSlot():
            return 1 if d.slot == slot else -1
        case SetOffice():
            return 1 if d.mode == office else -1
        case SetQuality():
            return 1 if d.mode == modes[d.card] else -1
    return 0


def best_offer(b: Board, factory: Factory) -> tuple[int, Mode, dict[str, Mode]]:
    """Slot, office and quality cards with the greatest income at home."""
    made = factories.production(b, b.active, factory) + factory.stored
    best: tuple[float, int, Mode, dict[str, Mode]] = (-1.0, factory.slot, factory.office, {})
    for slot, (office, *modes) in product(SLOTS, product(MODES, *[MODES] * len(factory.quality))):
        quality: dict[str, Mode] = dict(zip(factory.quality, modes, strict=True))
        price, appeal = offer(b, factory, slot, office, quality)
        demand = b.demand[b.active] + market.arrows(b, b.active, factory.appeal, min(appeal, b.printed.appeal_top))
        value = b.printed.demand[min(max(demand, 0), len(b.printed.demand) - 1)]
        sold = max(0, min(made, appeal - value))
        worth = sold * price + (4 if sold >= b.printed.share_sales else 0) + appeal / 10
        if worth > best[0]:
            best = (worth, slot, office, quality)
    return best[1:]


def offer(b: Board, factory: Factory, slot: int, office: Mode, quality: dict[str, Mode]) -> tuple[int, int]:
    """Price and appeal with everything set like this."""
    asked = copy(factory)
    asked.slot, asked.office = slot, office
    asked.quality = {name: QualityCard(card.value, quality[name]) for name, card in factory.quality.items()}
    return factories.price(b, b.active, asked), factories.appeal(b, b.active, asked)


def development_merit(d: TakeDevelopment | TakeCard | ChooseStartCard | UseBroker) -> float:
    match d:
        case TakeDevelopment():
            return {"quality": 3, "distribution": 2, "machinery": 2, "stock": 2.5, "ship": 1.5, "cards": 1.5}[d.track]
        case TakeCard() | ChooseStartCard():
            return 3 if d.card in BEST_CARDS else 2
    return 4


def sells(b: Board, player: Player) -> bool:
    """Whether one more good made, or one more customer, is of use now."""
    factory = player.factory(b.active)
    return factory.appeal > 0 and costs.half_price(player) > 0


def lead(b: Board, seat: Seat) -> float:
    """Points ahead of the best of the others; in a solo game, of the better automa."""
    return leads(b, [total(b, other) for other in range(b.seats)])[seat]


POLICY: Policy[Board] = Policy(revision=1, weigh=partial(partial, merit), lead=lead, close=30.0)
