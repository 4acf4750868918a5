"""Action 5: shares, loans and ships, in this order (ACG-4.7)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import costs, moves, turns
from daybook.domain.games.arkwright_card.board import Board, Stage
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, by_number, holds, refuse_unless

STOCK: tuple[Stage, ...] = ("buy_shares", "take_loans", "regain_ships")

# --- checks ---


def in_stock_order(in_order: bool) -> WhyNot:
    return refuse_unless(in_order, "stock_order", "shares come before loans, and loans before ships")


@holds("no loan is taken and no ship regained yet")
def shares_first(b: Board) -> WhyNot:
    return in_stock_order(b.stage == "buy_shares")


@holds("no ship is regained yet")
def loans_before_ships(b: Board) -> WhyNot:
    return in_stock_order(b.stage != "regain_ships")


def share_price(b: Board, seat: Seat) -> tuple[int, bool]:
    """Return the price of the next share, and if it is half the share value (ACG-4.7.1)."""
    player = b.players[seat]
    half = b.turn.bought < b.level(player, "stock")
    return (costs.half_price(player) if half else player.share_value), half


@holds("the player can pay for the shares")
def affordable(b: Board, seat: Seat) -> WhyNot:
    """Refuse to buy a share that costs more than the player has."""
    cost, money = share_price(b, seat)[0], b.players[seat].money
    return refuse_unless(
        cost <= money, "no_money", "a share costs £{price}, and the player has £{money}", price=cost, money=money
    )


@holds("the share track has room")
def share_left(b: Board, seat: Seat) -> WhyNot:
    return beyond_track(b, seat, 1)


def beyond_track(b: Board, seat: Seat, count: int) -> WhyNot:
    top = b.printed.rules_shares_top
    return refuse_unless(b.players[seat].shares + count <= top, "share_cap", "the share track ends at {top}", top=top)


@holds("a place for a loan token is free")
def loan_left(b: Board, seat: Seat) -> WhyNot:
    places = b.printed.rules_loans
    return refuse_unless(
        b.players[seat].loans < places,
        "loan_limit",
        "there are {places} places for loans, and all are taken",
        places=places,
    )


SHIPS_READY = by_number("ships", "{ships} ship is ready", "{ships} ships are ready")


@holds("the player has a ship that is not ready")
def ships_used(b: Board, seat: Seat) -> WhyNot:
    ships = b.printed.rules_ships
    return refuse_unless(b.players[seat].ships < ships, "ships_ready", SHIPS_READY, ships=ships)


# --- actions ---


def buy_share(b: Board, seat: Seat, d: moves.BuyShare, tell: Tell) -> None:
    cost, half = share_price(b, seat)
    buy(b, seat, 1, cost, half, "ACG-4.7.1", tell)
    b.turn.bought += 1
    turns.go_on(b, step_possible, tell)


def buy(b: Board, seat: Seat, count: int, cost: int, half: bool, rule: str, tell: Tell) -> None:
    """Pay for shares and take them; half: at half price."""
    player = b.players[seat]
    player.money -= count * cost
    player.shares += count
    tell(moves.SharesBought(rule, seat, count, cost, count * cost, half, player.shares))


def take_loan(b: Board, seat: Seat, d: moves.TakeLoan, tell: Tell) -> None:
    player = b.players[seat]
    player.loans += 1
    player.money += player.share_value
    b.stage = "take_loans"
    tell(moves.LoanTaken("ACG-4.7.6", seat, player.share_value, player.loans))
    turns.go_on(b, step_possible, tell)


def regain_ships(b: Board, seat: Seat, d: moves.RegainShips, tell: Tell) -> None:
    player = b.players[seat]
    player.ships = b.printed.rules_ships
    b.stage = "regain_ships"
    tell(moves.ShipsRegained("ACG-4.7.8", seat, player.ships))
    turns.go_on(b, step_possible, tell)


def step_possible(b: Board, seat: Seat) -> bool:
    return not (
        (shares_first(b) or affordable(b, seat) or share_left(b, seat))
        and (loans_before_ships(b) or loan_left(b, seat))
        and ships_used(b, seat)
    )


# --- candidates ---
