"""The stock exchange: own shares, loans, stored goods and contracts (WF-4.10).

A broker may use it in the event phase and everybody at the end of the game, each within limits (WF-4.15.4, WF-4.24.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank, moves
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.deciding import no_decision_pending, stage_is
from daybook.domain.games.water_frame.printed import GOODS, name_of
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, holds, refuse_unless

IN_EVENT_PHASE: tuple[type[Decision], ...] = (moves.Buy, moves.Sell, moves.SellGoods)
AT_THE_END: tuple[type[Decision], ...] = (moves.Buy, moves.Repay, moves.SellGoods)


def open_for(b: Board, seat: Seat, kind: type[Decision]) -> bool:
    """Check if the running stage allows this decision at the stock exchange."""
    if b.stage == "broker":
        return not b.asked and kind in IN_EVENT_PHASE
    if b.stage == "final_exchange":
        return not b.asked and (kind in AT_THE_END or (kind is moves.Sell and b.players[seat].owns("broker")))
    return b.awaits == "stock_exchange"


# --- checks ---


@holds("the action at the stock exchange is in progress")
class ExchangeOpen:
    """The condition that the running stage lets a player do what is of this kind at the stock exchange."""

    __name__ = "exchange_open"

    def __init__(self, kind: type[Decision]) -> None:
        self.kind = kind

    def __call__(self, b: Board, seat: Seat) -> WhyNot:
        if open_for(b, seat, self.kind):
            return None
        return (
            no_decision_pending(b)
            or refuse_unless(
                b.stage != "main",
                "wrong_action",
                "this belongs to the {wanted} action, and the {running} action is in progress",
                wanted="stock_exchange",
                running=name_of(b.turn.marker),
            )
            or stage_is(b)
        )


LOANS_FIRST = by_number("loans", "repay {loans} loan first", "repay {loans} loans first")


@holds("the player has no loans")
def no_loans(b: Board, seat: Seat) -> WhyNot:
    loans = b.players[seat].loans
    return refuse_unless(not loans, "loans", LOANS_FIRST, loans=loans)


SHARES_IN_BANK = by_number("there", "the bank holds {there} share", "the bank holds {there} shares")


@holds("the bank holds the shares")
def shares_in_bank(b: Board, seat: Seat, d: moves.Buy) -> WhyNot:
    there = b.players[seat].bank
    return refuse_unless(1 <= d.count <= there, "bank_shares", SHARES_IN_BANK, there=there)


@holds("the player can pay for the shares")
def purchase_covered(b: Board, seat: Seat, d: moves.Buy) -> WhyNot:
    return bank.too_dear(b, seat, d.count * bank.purchase_price(b, seat))


@holds("the player holds the shares")
def shares_held(b: Board, seat: Seat, d: moves.Sell) -> WhyNot:
    held = b.players[seat].shares
    return refuse_unless(1 <= d.count <= held, "shares", bank.SHARES_HELD, held=held)


LOANS_TO_REPAY = by_number("loans", "the player has {loans} loan", "the player has {loans} loans")


@holds("the player has this many loans")
def loans_there(b: Board, seat: Seat, d: moves.Repay) -> WhyNot:
    loans = b.players[seat].loans
    return refuse_unless(1 <= d.count <= loans, "no_loans", LOANS_TO_REPAY, loans=loans)


@holds("the player can repay them")
def repayment_covered(b: Board, seat: Seat, d: moves.Repay) -> WhyNot:
    return bank.too_dear(b, seat, d.count * b.printed.loan_repay)


STORED = by_number("stored", "the player stores {stored} {good}", "the player stores {stored} {good}")


@holds("this many goods are stored")
def goods_stored(b: Board, seat: Seat, d: moves.SellGoods) -> WhyNot:
    stored = b.players[seat].stored[d.good]
    return refuse_unless(1 <= d.count <= stored, "stored", STORED, stored=stored, good=d.good)


@holds("the contract track has this space")
def on_track(b: Board, d: moves.Contract) -> WhyNot:
    track = b.printed.seats_contract_track
    return refuse_unless(
        d.space in track, "track", "the contract track has the spaces {track}", track=", ".join(map(str, track))
    )


@holds("the contract goes up")
def contract_goes_up(b: Board, seat: Seat, d: moves.Contract) -> WhyNot:
    """Check that the contract moves to a higher space of its own track (WF-4.10.5)."""
    space = b.players[seat].contracts[d.good]
    return refuse_unless(
        d.space > space,
        "contract_lower",
        "the {good} contract is on {space} and only goes up",
        good=d.good,
        space=space,
    )


# --- actions ---


def buy(b: Board, seat: Seat, d: moves.Buy, tell: Tell) -> None:
    each = bank.purchase_price(b, seat)
    take_shares(b, seat, d.count, each)
    tell(moves.SharesBought("WF-4.10.1", seat, d.count, each, d.count * each, False))


def take_shares(b: Board, seat: Seat, count: int, each: int) -> None:
    player = b.players[seat]
    player.cash -= count * each
    player.bank -= count
    player.shares += count


def sell(b: Board, seat: Seat, d: moves.Sell, tell: Tell) -> None:
    """Sell shares at the share value, without a minimum (WF-4.10.2)."""
    player, each = b.players[seat], b.share_value(seat)
    player.cash += d.count * each
    player.shares -= d.count
    player.bank += d.count
    tell(moves.SharesSold("WF-4.10.2", seat, d.count, each, d.count * each))


def repay(b: Board, seat: Seat, d: moves.Repay, tell: Tell) -> None:
    player, each = b.players[seat], b.printed.loan_repay
    player.cash -= d.count * each
    player.loans -= d.count
    bank.count_bank(b, seat)
    tell(moves.LoansRepaid("WF-4.10.3", seat, d.count, each, d.count * each))


def sell_goods(b: Board, seat: Seat, d: moves.SellGoods, tell: Tell) -> None:
    player, each = b.players[seat], b.printed.goods_rows[d.good].fixed_price
    player.stored[d.good] -= d.count
    player.cash += d.count * each
    tell(moves.StoredSold("WF-4.10.4", seat, d.good, d.count, each, d.count * each))


def contract(b: Board, seat: Seat, d: moves.Contract, tell: Tell) -> None:
    """Put a contract marker on a space (WF-4.10.5)."""
    contracts = b.players[seat].contracts
    before, contracts[d.good] = contracts[d.good], d.space
    tell(moves.ContractPlaced("WF-4.10.5", seat, d.good, before, d.space))


# --- candidates ---


def candidate_purchases(b: Board, seat: Seat) -> Iterable[Decision]:
    if not open_for(b, seat, moves.Buy):
        return ()
    player = b.players[seat]
    most = min(player.bank, player.cash // bank.purchase_price(b, seat))
    return [moves.Buy(count) for count in range(1, most + 1)]


def candidate_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    if not open_for(b, seat, moves.Sell):
        return ()
    return [moves.Sell(count) for count in range(1, b.players[seat].shares + 1)]


def candidate_repayments(b: Board, seat: Seat) -> Iterable[Decision]:
    if not open_for(b, seat, moves.Repay):
        return ()
    return [moves.Repay(count) for count in range(1, b.players[seat].loans + 1)]


def candidate_goods_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    if not open_for(b, seat, moves.SellGoods):
        return ()
    return [moves.SellGoods(good, count) for good in GOODS for count in range(1, b.players[seat].stored[good] + 1)]


def candidate_contracts(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.Contract(good, space) for good in GOODS for space in b.printed.seats_contract_track]
