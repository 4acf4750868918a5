"""Account of Water Frame's effects: goods, pounds and share value by player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.water_frame import moves
from daybook.web.games.arkwright import GOODS_ROWS
from daybook.web.games.water_frame.values import event, good, pounds, shares
from daybook.web.words.account import (
    AccountRow,
    AccountWords,
    Posting,
    is_always_start,
    money_rows,
    posts,
    posts_fields,
)
from daybook.web.words.say import N_, Names, Texts, say, with_sign

IMPORTER = "importer"
PHASES = {"production", "round_end"}


EXPENSE_CAUSES: Texts = {
    "foundation": "two factories",
    "administration": "administrative costs",
    "building": "factory",
    "modernizing": "new level",
    "inventor": "inventor",
    "wages": "wages and upkeep",
    "production": "production",
    "harbour": "harbour wages",
    "obsolescence": "missing workers",
    "event": "event",
}


def fulfilled_postings(e: moves.ContractFulfilled) -> list[Posting]:
    return [
        Posting("ships", e.seat, e.produced + e.stored, e.good),
        Posting("out", e.seat, e.stored, e.good),
        Posting("takes", e.seat, e.amount),
    ]


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
        **GOODS_ROWS,
        "sells_shares": AccountRow(label="shares sold", says="sells {what}", amount=lambda n, name: shares(n)),
        "buys_shares": AccountRow(label="shares bought", says="buys {what}", amount=lambda n, name: shares(n)),
        "spaces": AccountRow(label="share spaces", says="share spaces {what}", amount=lambda n, name: with_sign(n)),
        **money_rows("cash", pounds),
    },
    postings=dict(
        (
            posts_fields(moves.FactoryProduced, ("makes", "made", "good")),
            posts(moves.GoodsProduced, lambda e: [Posting("makes", e.seat, e.made + e.extra, e.good)]),
            posts(moves.RowClosed, lambda e: [Posting("makes", e.seat, -e.less, e.good)]),
            posts_fields(moves.ExtraGoodMade, ("makes", "count", "good")),
            posts(moves.GoodsTaken, lambda e: [Posting("out", seat, 1) for seat in e.stored]),
            posts(moves.PatronSold, lambda e: [Posting("out", e.seat, 1, e.good)] if e.source == "storage" else []),
            posts(moves.CallOutEnded, lambda e: [Posting("sells", IMPORTER, e.importer)]),
            posts_fields(moves.SalesPaid, ("sells", "count", "good"), ("takes", "amount")),
            posts_fields(moves.StoredSold, ("sells", "count", "good"), ("out", "count", "good"), ("takes", "amount")),
            posts(moves.ContractFulfilled, fulfilled_postings),
            posts_fields(moves.GoodsStored, ("stores", "count", "good")),
            posts(
                moves.GoodsLost,
                lambda e: [Posting("loses", e.seat, e.count, e.good), Posting("stores", e.seat, -e.count, e.good)],
            ),
            posts(moves.ShareValueMoved, lambda e: [Posting("spaces", e.seat, e.to - e.origin)]),
            posts_fields(moves.SharesSold, ("sells_shares", "count"), ("takes", "amount")),
            posts_fields(moves.EmergencySale, ("sells_shares", "count"), ("takes", "amount")),
            posts_fields(moves.SharesBought, ("buys_shares", "count"), ("pays", "amount")),
            posts_fields(moves.OfficePaid, ("takes", "amount")),
            posts_fields(moves.EngineeringPaid, ("takes", "amount")),
            posts_fields(moves.MoneyGiven, ("takes", "amount")),
            posts_fields(moves.LoansTaken, ("takes", "amount")),
            posts_fields(moves.LoansRepaid, ("pays", "amount")),
            posts_fields(moves.Paid, ("pays", "amount")),
        )
    ),
    starts={
        moves.EconomyRevealed: is_always_start,
        moves.EventRevealed: is_always_start,
        moves.DecadeScored: is_always_start,
        moves.DecadeBegun: is_always_start,
        moves.GameEnded: is_always_start,
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
    causes=N_(
        {
            moves.SalesPaid: "sales",
            moves.StoredSold: "stored goods",
            moves.ContractFulfilled: "shipping",
            moves.SharesSold: "shares",
            moves.EmergencySale: "emergency sale",
            moves.SharesBought: "shares",
            moves.OfficePaid: "office",
            moves.EngineeringPaid: "engineering works",
            moves.MoneyGiven: "event",
            moves.LoansTaken: "loans",
            moves.LoansRepaid: "loans",
            moves.Paid: lambda e: EXPENSE_CAUSES[e.expense],
        }
    ),
)
