"""Money and share value: what is paid, what is sold in need, how the indicator moves (WF-4.1, WF-4.23)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import Cause, EmergencySale, Expense, LoansTaken, Paid, ShareValueMoved
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, by_number, refuse_unless

SHARES_HELD = by_number("held", "the player holds {held} share", "the player holds {held} shares")


def pay(b: Board, seat: Seat, amount: int, expense: Expense, rule: str, tell: Tell) -> None:
    """Pay money to the bank; raise missing money first (WF-4.1.3). A payment of 0 emits nothing."""
    if amount <= 0:
        return
    player = b.players[seat]
    if amount > player.cash:
        raise_cash(b, seat, amount - player.cash, tell)
    player.cash -= amount
    tell(Paid(rule, seat, amount, expense))


def raise_cash(b: Board, seat: Seat, missing: int, tell: Tell) -> None:
    """Shares are sold in need, and then loans taken: never more than needed (WF-4.23)."""
    numbers, player = b.printed, b.players[seat]
    value = b.share_value(seat)
    count = min(player.shares, -(-missing // value))
    if count:
        penalty = emergency_penalty(b, seat)
        player.shares -= count
        player.bank += count
        player.cash += count * value
        tell(EmergencySale("WF-4.23.2", seat, count, value, count * value, penalty))
        move_share_value(b, seat, -count * penalty, "emergency", "WF-4.23.3", tell)
    rest = missing - count * value
    if rest > 0:
        loans = -(-rest // numbers.loan_amount)
        player.loans += loans
        count_bank(b, seat)
        player.cash += loans * numbers.loan_amount
        tell(LoansTaken("WF-4.23.4", seat, loans, loans * numbers.loan_amount))
        move_share_value(b, seat, -loans * numbers.loan_spaces, "loans", "WF-4.23.4", tell)


def count_bank(b: Board, seat: Seat) -> None:
    """Set the bank's shares: all without one for each loan, at least 0 (WF-4.23.4).

    A player with loans had to sell all shares, so that the bank holds them. Loans beyond the shares are marked otherwise.
    """
    player = b.players[seat]
    player.bank = max(0, b.printed.all_shares - player.loans)


def emergency_penalty(b: Board, seat: Seat) -> int:
    """Spaces back for each share sold: the first digit of the space (WF-4.23.3, WF-6.7)."""
    digits = str(b.players[seat].space)
    if len(digits) > 1:
        return int(digits[0])
    return {"one": 1, "none": 0, "digit": int(digits)}[b.printed.rulings.single_digit_space_penalty]


def move_share_value(b: Board, seat: Seat, spaces: int, cause: Cause, rule: str, tell: Tell) -> None:
    """Move the share value; steps beyond the ends of the track are lost (WF-2.7.5)."""
    if not spaces:
        return
    numbers, player = b.printed, b.players[seat]
    before = player.space
    player.space = max(numbers.share_track_lowest, min(numbers.highest_space, before + spaces))
    moved = player.space - before
    if moved > 0:
        player.tally.spaces_up += moved
    else:
        player.tally.spaces_down -= moved
    lost = abs(spaces) - abs(moved)
    tell(ShareValueMoved(rule, seat, spaces, before, player.space, lost, b.share_value(seat), cause))


def purchase_price(b: Board, seat: Seat) -> int:
    """Return the price of one share (WF-4.10.1)."""
    numbers = b.printed
    value = b.share_value(seat)
    return (
        max(value, numbers.shares_purchase_minimum) if b.players[seat].space <= numbers.shares_minimum_up_to else value
    )


def too_dear(b: Board, seat: Seat, amount: int) -> WhyNot:
    """Require the cash for a purchase (WF-4.1.4)."""
    cash = b.players[seat].cash
    return refuse_unless(
        amount <= cash, "no_cash", "this costs £{amount}, and the cash is £{cash}", amount=amount, cash=cash
    )
