"""Account of the Card Game's effects: goods, pounds and shares by player and automa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.arkwright_card import moves, solo_moves
from daybook.web.games.arkwright import GOODS_ROWS, goods_or_number
from daybook.web.games.arkwright_card.solo import automa
from daybook.web.games.arkwright_card.values import good, pounds
from daybook.web.words.account import (
    AccountRow,
    AccountWords,
    Posting,
    is_always_start,
    money_rows,
    posts,
    posts_fields,
)
from daybook.web.words.say import N_, Names, say, with_sign


def shipped_postings(e: moves.Shipped) -> list[Posting]:
    return [
        *(Posting("ships", e.seat, n, name) for name, n in e.goods.items()),
        Posting("takes", e.seat, e.amount),
        Posting("tokens", e.seat, e.tokens),
    ]


def sold_postings(e: moves.SoldHome) -> list[Posting]:
    return [
        Posting("sells", e.seat, e.made + e.stored, e.good),
        Posting("out", e.seat, e.stored, e.good),
        Posting("takes", e.seat, e.amount),
    ]


def helped_postings(e: moves.EmergencyHelped) -> list[Posting]:
    return [Posting("loans", e.seat, e.tokens), Posting("takes", e.seat, e.amount)]


def heading(effects: Sequence[Any], names: Names) -> str:
    parts = []
    for effect in effects:
        match effect:
            case solo_moves.MarkerShown():
                parts.append(say("The automas’ turn"))
            case moves.PhaseBegun(phase="production"):
                made = next(
                    (
                        e.good
                        for e in effects
                        if isinstance(e, moves.GoodsMade | moves.NobodyProduces | solo_moves.AutomaSold)
                    ),
                    "",
                )
                parts.append(say("Production of {good}", good=good(made)) if made else say("Production"))
    if parts:
        return " · ".join(parts)
    match effects[0]:
        case moves.WorkersCame():
            return say("New workers")
        case moves.NeutralMoved():
            return say("The neutral player")
    return say("The end of the game")


ACCOUNT = AccountWords(
    rows={
        **GOODS_ROWS,
        "ships": AccountRow(label="ships goods", says="ships {what}", amount=goods_or_number),
        "tokens": AccountRow(label="shipping tokens", says="shipping tokens {what}"),
        "loans": AccountRow(label="loan tokens", says="loan tokens {what}"),
        "appeal": AccountRow(
            label="appeal", says="appeal of {what}", amount=lambda n, name: f"{good(name)} {with_sign(n)}"
        ),
        "shares": AccountRow(label="shares", says="shares {what}", amount=lambda n, name: with_sign(n)),
        "steps": AccountRow(label="value steps", says="share value {what}", amount=lambda n, name: with_sign(n)),
        **money_rows("money", pounds),
    },
    postings=dict(
        (
            posts_fields(moves.GoodsMade, ("makes", "made", "good")),
            posts_fields(moves.ShiftWorked, ("makes", "goods", "good")),
            posts(moves.SoldHome, sold_postings),
            posts(moves.Shipped, shipped_postings),
            posts_fields(moves.GoodsLoaded, ("out", "count", "good")),
            posts_fields(moves.GoodsStored, ("stores", "count", "good")),
            posts_fields(moves.GoodsWasted, ("loses", "count", "good")),
            posts_fields(moves.CostPaid, ("pays", "amount")),
            posts(moves.EmergencyHelped, helped_postings),
            posts_fields(moves.WentBankrupt, ("pays", "amount")),
            posts_fields(moves.ShareValueRaised, ("steps", "steps")),
            posts_fields(moves.TopPointWon, ("steps", "steps")),
            posts_fields(moves.SharesBought, ("shares", "count"), ("pays", "amount")),
            posts(moves.LoanTaken, lambda e: [Posting("loans", e.seat, 1), Posting("takes", e.seat, e.amount)]),
            posts_fields(solo_moves.AutomaSold, ("sells", "count", "good"), who="colour"),
            posts(solo_moves.AutomaAdvanced, lambda e: [Posting("appeal", e.colour, e.after - e.before, e.good)]),
            posts_fields(solo_moves.AutomaSharesGained, ("shares", "count"), who="colour"),
            posts_fields(solo_moves.AutomaValueRaised, ("steps", "steps"), who="colour"),
            posts_fields(solo_moves.AutomaTopPointWon, ("steps", "steps"), who="colour"),
        )
    ),
    starts={
        moves.WorkersCame: is_always_start,
        moves.NeutralMoved: is_always_start,
        moves.StoresSold: is_always_start,
        moves.LastSharesBought: is_always_start,
        moves.Scored: is_always_start,
        moves.GameEnded: is_always_start,
        solo_moves.MarkerShown: is_always_start,
        moves.PhaseBegun: lambda effect: effect.phase == "production",
    },
    opens=lambda effect: isinstance(effect, moves.PhaseBegun) and effect.phase == "production",
    closes=lambda effect: isinstance(effect, moves.RoundEnded | moves.GameEnded),
    heading=heading,
    notes=frozenset(
        {
            moves.NobodyProduces,
            moves.TopPointLost,
            moves.DistributionDecayed,
            moves.WentBankrupt,
            moves.WorkersCame,
            moves.DemandMoved,
            moves.WagesMoved,
            moves.NeutralMoved,
            moves.StartPlayerPassed,
            moves.StartPlayerNamed,
            moves.RoundBegun,
            moves.DecadeEnded,
            moves.ChooserFound,
            moves.CardsReadied,
            moves.StoresSold,
            moves.LastSharesBought,
            moves.LoansRepaid,
            moves.ShippingCounted,
            moves.Scored,
            solo_moves.MarkerShown,
            solo_moves.NeutralShown,
            solo_moves.AutomaBuilt,
            solo_moves.DiscMoved,
            solo_moves.MarkerLaidAside,
            solo_moves.MarkersReturned,
            solo_moves.AutomaIdle,
            solo_moves.TopPointShared,
            solo_moves.AutomasBegin,
            solo_moves.AutomaScored,
            solo_moves.SoloWon,
            solo_moves.SoloLost,
            solo_moves.AchievementReached,
            solo_moves.AchievementLost,
        }
    ),
    figures=("money", "share_value"),
    others=automa,
    causes=N_(
        {
            moves.SoldHome: "sales",
            moves.Shipped: "shipping",
            moves.CostPaid: "production costs",
            moves.EmergencyHelped: "emergency fund",
            moves.WentBankrupt: "bankruptcy",
            moves.SharesBought: "shares",
            moves.LoanTaken: "bank loan",
        }
    ),
)
