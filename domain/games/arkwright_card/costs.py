"""Income and production costs, the emergency fund and bankruptcy (ACG-4.13.16, ACG-4.14)."""

from __future__ import annotations

from math import ceil

from daybook.domain.games.arkwright_card import cards
from daybook.domain.games.arkwright_card.board import Board, Player
from daybook.domain.games.arkwright_card.factories import ProductionCost
from daybook.domain.games.arkwright_card.moves import CostPaid, EmergencyHelped, Shipped, WentBankrupt
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, refuse_unless


def half_price(player: Player) -> int:
    """Half the share value, rounded up (ACG-4.0.7)."""
    return ceil(player.share_value / 2)


def tokens_needed(b: Board, player: Player, cost: int) -> int:
    """Loan tokens for the emergency fund, not one more than needed (ACG-4.14.1)."""
    each, missing, free = half_price(player), cost - player.money, b.printed.rules_loans - player.loans
    if missing <= 0:
        return 0
    return min(free, ceil(missing / each)) if each else free


def can_pay(b: Board, player: Player, cost: int) -> bool:
    return player.money + tokens_needed(b, player, cost) * half_price(player) >= cost


def pay(b: Board, seat: Seat, good: str, cost: ProductionCost, rule: str, tell: Tell) -> None:
    """Pay production, drawing on the emergency fund; bankrupt a player without enough money."""
    player = b.players[seat]
    tokens = tokens_needed(b, player, cost.amount)
    if tokens:
        each = half_price(player)
        player.loans += tokens
        player.money += tokens * each
        tell(EmergencyHelped("ACG-4.14.1", seat, tokens, each, tokens * each, player.loans))
    if player.money < cost.amount:
        go_bankrupt(b, seat, cost.amount, tell)
        return
    player.money -= cost.amount
    tell(
        CostPaid(
            rule,
            seat,
            good,
            cost.workers,
            cost.wage,
            cost.cheaper,
            cost.machines,
            cost.maintenance,
            cost.fixed,
            cost.amount,
        )
    )


def go_bankrupt(b: Board, seat: Seat, cost: int, tell: Tell) -> None:
    """Out of the game: nothing of the player stays on the table, and no marker of demand moves (ACG-4.14.3)."""
    player = b.players[seat]
    tell(WentBankrupt("ACG-4.14.3", seat, cost, player.money))
    for card in list(player.cards):
        cards.discard(b, seat, card, "ACG-4.14.3", tell)
    player.money = 0
    player.factories = dict.fromkeys(GOODS)
    player.bankrupt = True


# --- shipping events, in the production phase and in early shipping ---


def ships_for(b: Board, player: Player, goods: int) -> int:
    """No more than are needed (ACG-4.13.10)."""
    return ceil(goods / b.level(player, "ship"))


def ship_capacity(b: Board, player: Player) -> int:
    """Goods that the ships that are ready can take."""
    return player.ships * b.level(player, "ship")


def tokens_for(b: Board, ships: int, customs: bool) -> int:
    return max(0, ships - b.printed.cards_customs_office_fewer_tokens) if customs else ships


def too_many_tokens(b: Board, player: Player, goods: int, customs: bool) -> WhyNot:
    """Places for shipping tokens (ACG-4.13.11)."""
    added = tokens_for(b, ships_for(b, player, goods), customs)
    return refuse_unless(
        player.shipping_tokens + added <= b.printed.rules_shipping_tokens,
        "token_limit",
        "there are {places} places for shipping tokens, and {taken} are taken",
        places=b.printed.rules_shipping_tokens,
        taken=player.shipping_tokens,
    )


def carry_out_shipping(b: Board, seat: Seat, goods: dict[str, int], customs: bool, rule: str, tell: Tell) -> None:
    """One shipping event: ships, tokens, income and the Contract. The goods are gone from their place already."""
    player, count = b.players[seat], sum(goods.values())
    used = ships_for(b, player, count)
    tokens = tokens_for(b, used, customs)
    prices = {good: b.tile(good, player.factory(good)).shipping_price for good in goods}
    table = b.printed.cards_contract_pays
    contract = table[min(count, len(table)) - 1] if "contract" in player.cards else 0
    amount = sum(goods[good] * prices[good] for good in goods) + contract
    player.ships -= used
    player.shipping_tokens += tokens
    player.money += amount
    tell(Shipped(rule, seat, goods, prices, used, tokens, contract, amount))
