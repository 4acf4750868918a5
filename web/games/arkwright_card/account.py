"""What effects of Arkwright: The Card Game come to for each player and each automa: goods, pounds, shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.arkwright_card import moves, solo_moves
from daybook.web.games.arkwright_card.solo import automa
from daybook.web.games.arkwright_card.values import good, goods, pounds
from daybook.web.words.account import AccountRow, AccountWords, Posting, always, posts
from daybook.web.words.say import N_, Names, say, with_sign


def shipped_postings(e: moves.Shipped) -> list[Posting]:
    return [
        *(Posting("ships", e.seat, n, of) for of, n in e.goods.items()),
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


def amount_of_goods(n: int, of: str) -> str:
    return goods(n, of) if of else str(n)


ACCOUNT = AccountWords(
    rows={
        "makes": AccountRow(label=N_("makes"), says=N_("makes {what}"), amount=amount_of_goods),
        "out": AccountRow(label=N_("out of storage"), says=N_("takes {what} out of storage"), amount=amount_of_goods),
        "sells": AccountRow(label=N_("sells"), says=N_("sells {what}"), amount=amount_of_goods),
        "ships": AccountRow(label=N_("ships goods"), says=N_("ships {what}"), amount=amount_of_goods),
        "stores": AccountRow(label=N_("stores"), says=N_("stores {what}"), amount=amount_of_goods),
        "loses": AccountRow(label=N_("loses"), says=N_("loses {what}"), amount=amount_of_goods),
        "tokens": AccountRow(label=N_("shipping tokens"), says=N_("shipping tokens {what}")),
        "loans": AccountRow(label=N_("loan tokens"), says=N_("loan tokens {what}")),
        "appeal": AccountRow(
            label=N_("appeal"), says=N_("appeal of {what}"), amount=lambda n, of: f"{good(of)} {with_sign(n)}"
        ),
        "shares": AccountRow(label=N_("shares"), says=N_("shares {what}"), amount=lambda n, of: with_sign(n)),
        "steps": AccountRow(label=N_("value steps"), says=N_("share value {what}"), amount=lambda n, of: with_sign(n)),
        "takes": AccountRow(label=N_("takes"), says=N_("takes {what}"), amount=lambda n, of: pounds(n), column="money"),
        "pays": AccountRow(
            label=N_("pays"), says=N_("pays {what}"), amount=lambda n, of: pounds(n), column="money", sign=-1
        ),
    },
    postings=dict(
        (
            posts(moves.GoodsMade, lambda e: [Posting("makes", e.seat, e.made, e.good)]),
            posts(moves.ShiftWorked, lambda e: [Posting("makes", e.seat, e.goods, e.good)]),
            posts(moves.SoldHome, sold_postings),
            posts(moves.Shipped, shipped_postings),
            posts(moves.GoodsLoaded, lambda e: [Posting("out", e.seat, e.count, e.good)]),
            posts(moves.GoodsStored, lambda e: [Posting("stores", e.seat, e.count, e.good)]),
            posts(moves.GoodsWasted, lambda e: [Posting("loses", e.seat, e.count, e.good)]),
            posts(moves.CostPaid, lambda e: [Posting("pays", e.seat, e.amount)]),
            posts(moves.EmergencyHelped, helped_postings),
            posts(moves.WentBankrupt, lambda e: [Posting("pays", e.seat, e.amount)]),
            posts(moves.ShareValueRaised, lambda e: [Posting("steps", e.seat, e.steps)]),
            posts(moves.TopPointWon, lambda e: [Posting("steps", e.seat, e.steps)]),
            posts(
                moves.SharesBought, lambda e: [Posting("shares", e.seat, e.count), Posting("pays", e.seat, e.amount)]
            ),
            posts(moves.LoanTaken, lambda e: [Posting("loans", e.seat, 1), Posting("takes", e.seat, e.amount)]),
            posts(solo_moves.AutomaSold, lambda e: [Posting("sells", e.colour, e.count, e.good)]),
            posts(solo_moves.AutomaAdvanced, lambda e: [Posting("appeal", e.colour, e.after - e.before, e.good)]),
            posts(solo_moves.AutomaSharesGained, lambda e: [Posting("shares", e.colour, e.count)]),
            posts(solo_moves.AutomaValueRaised, lambda e: [Posting("steps", e.colour, e.steps)]),
            posts(solo_moves.AutomaTopPointWon, lambda e: [Posting("steps", e.colour, e.steps)]),
        )
    ),
    starts={
        moves.WorkersCame: always,
        moves.NeutralMoved: always,
        moves.StoresSold: always,
        moves.LastSharesBought: always,
        moves.Scored: always,
        moves.GameEnded: always,
        solo_moves.MarkerShown: always,
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
)
