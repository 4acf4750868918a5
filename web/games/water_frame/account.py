"""What effects of Arkwright: Water Frame come to for each player: goods, pounds and share value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from daybook.domain.games.water_frame import moves
from daybook.web.games.water_frame.values import event, good, goods, pounds
from daybook.web.words.account import AccountRow, AccountWords, Posting, always, posts
from daybook.web.words.say import N_, Names, say, say_n, with_sign

IMPORTER = "importer"
PHASES = {"production", "round_end"}


def of_good(row: str) -> Callable[[Any], Iterable[Posting]]:
    """An effect with a number of goods of one kind."""
    return lambda e: [Posting(row, e.seat, e.count, e.good)]


def money(row: str) -> Callable[[Any], Iterable[Posting]]:
    """An effect by which somebody takes or pays an amount."""
    return lambda e: [Posting(row, e.seat, e.amount)]


def shares(n: int, of: str) -> str:
    return say_n("{n} share", "{n} shares", n)


def shares_and(row: str) -> Callable[[Any], Iterable[Posting]]:
    """An effect by which shares are traded for money."""
    return lambda e: [
        Posting("sells_shares" if row == "takes" else "buys_shares", e.seat, e.count),
        Posting(row, e.seat, e.amount),
    ]


def fulfilled_postings(e: moves.ContractFulfilled) -> list[Posting]:
    return [
        Posting("ships", e.seat, e.produced + e.stored, e.good),
        Posting("out", e.seat, e.stored, e.good),
        Posting("takes", e.seat, e.amount),
    ]


def patron_postings(e: moves.PatronSold) -> list[Posting]:
    return [Posting("out", e.seat, 1, e.good)] if e.source == "storage" else []


def goods_or_number(n: int, of: str) -> str:
    return goods(n, of) if of else str(n)


def heading(effects: Sequence[Any], names: Names) -> str:
    for effect in effects:
        match effect:
            case moves.PhaseBegun(phase="production"):
                made = next((e.good for e in effects if isinstance(e, moves.DemandCounted)), "")
                return say("Production of {good}", good=good(made)) if made else say("Production")
            case moves.EconomyRevealed():
                return say("Economy of {good}", good=good(effect.good))
            case moves.EventRevealed():
                return say("Event of {decade}: {event}", decade=effect.decade, event=event(effect.name))
            case moves.DecadeScored():
                return say("End of {decade}", decade=effect.decade)
            case moves.GameEnded():
                return say("The end of the game")
            case moves.Paid():
                return say("The set-up is paid")
            case moves.DecadeBegun():
                return say("{decade} begins", decade=effect.decade)
    return say("The end of the decade")


ACCOUNT = AccountWords(
    rows={
        "makes": AccountRow(label=N_("makes"), says=N_("makes {what}"), amount=goods_or_number),
        "out": AccountRow(label=N_("out of storage"), says=N_("takes {what} out of storage"), amount=goods_or_number),
        "sells": AccountRow(label=N_("sells"), says=N_("sells {what}"), amount=goods_or_number),
        "ships": AccountRow(label=N_("ships"), says=N_("ships {what}"), amount=goods_or_number),
        "stores": AccountRow(label=N_("stores"), says=N_("stores {what}"), amount=goods_or_number),
        "loses": AccountRow(label=N_("loses"), says=N_("loses {what}"), amount=goods_or_number),
        "sells_shares": AccountRow(label=N_("shares sold"), says=N_("sells {what}"), amount=shares),
        "buys_shares": AccountRow(label=N_("shares bought"), says=N_("buys {what}"), amount=shares),
        "spaces": AccountRow(
            label=N_("share spaces"), says=N_("share spaces {what}"), amount=lambda n, of: with_sign(n)
        ),
        "takes": AccountRow(label=N_("takes"), says=N_("takes {what}"), amount=lambda n, of: pounds(n), column="cash"),
        "pays": AccountRow(
            label=N_("pays"), says=N_("pays {what}"), amount=lambda n, of: pounds(n), column="cash", sign=-1
        ),
    },
    postings=dict(
        (
            posts(moves.FactoryProduced, lambda e: [Posting("makes", e.seat, e.made, e.good)]),
            posts(moves.GoodsProduced, lambda e: [Posting("makes", e.seat, e.made + e.extra, e.good)]),
            posts(moves.RowClosed, lambda e: [Posting("makes", e.seat, -e.less, e.good)]),
            posts(moves.ExtraGoodMade, of_good("makes")),
            posts(moves.GoodsTaken, lambda e: [Posting("out", seat, 1) for seat in e.stored]),
            posts(moves.PatronSold, patron_postings),
            posts(moves.CallOutEnded, lambda e: [Posting("sells", IMPORTER, e.importer)]),
            posts(moves.SalesPaid, lambda e: [*of_good("sells")(e), *money("takes")(e)]),
            posts(moves.StoredSold, lambda e: [*of_good("sells")(e), *of_good("out")(e), *money("takes")(e)]),
            posts(moves.ContractFulfilled, fulfilled_postings),
            posts(moves.GoodsStored, of_good("stores")),
            posts(moves.GoodsLost, lambda e: [*of_good("loses")(e), Posting("stores", e.seat, -e.count, e.good)]),
            posts(moves.ShareValueMoved, lambda e: [Posting("spaces", e.seat, e.to - e.origin)]),
            posts(moves.SharesSold, shares_and("takes")),
            posts(moves.EmergencySale, shares_and("takes")),
            posts(moves.SharesBought, shares_and("pays")),
            posts(moves.OfficePaid, money("takes")),
            posts(moves.EngineeringPaid, money("takes")),
            posts(moves.MoneyGiven, money("takes")),
            posts(moves.LoansTaken, money("takes")),
            posts(moves.LoansRepaid, money("pays")),
            posts(moves.Paid, money("pays")),
        )
    ),
    starts={
        moves.EconomyRevealed: always,
        moves.EventRevealed: always,
        moves.DecadeScored: always,
        moves.DecadeBegun: always,
        moves.GameEnded: always,
        moves.PhaseBegun: lambda effect: effect.phase in PHASES,
        moves.Paid: lambda effect: effect.expense in ("foundation", "obsolescence"),
    },
    opens=lambda effect: isinstance(effect, moves.PhaseBegun) and effect.phase == "production",
    closes=lambda effect: isinstance(effect, moves.CycleEnded),
    heading=heading,
    notes=frozenset(
        {
            moves.CallOutEnded,
            moves.DistributionDecayed,
            moves.PriceFallen,
            moves.ContractRaised,
            moves.ContractKept,
            moves.StartPlayerNamed,
            moves.CycleBegun,
            moves.MarkersReturned,
            moves.EconomyRevealed,
            moves.ChartRowClosed,
            moves.ImporterMoved,
            moves.WorkersMoved,
            moves.QualityChanged,
            moves.DistributionChanged,
            moves.DecadeScored,
            moves.DecadeBegun,
            moves.FactoryObsolete,
            moves.WorkersLacking,
            moves.SharesReturned,
            moves.LoansTaken,
            moves.LoansLost,
            moves.TileReturned,
            moves.GameEnded,
        }
    ),
    figures=("cash", "share_value"),
    others=lambda name: say("the importer"),
)
