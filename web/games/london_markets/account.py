"""Account of London Markets' effects: offers and prizes of an auction, and the end of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.london_markets import moves
from daybook.web.games.london_markets.values import goods_cards, pounds, word
from daybook.web.words.account import (
    AccountRow,
    AccountWords,
    Posting,
    is_always_start,
    money_rows,
    posts,
    posts_fields,
)
from daybook.web.words.say import N_, Names, say, say_n


def offered_postings(e: moves.OfferShown) -> list[Posting]:
    """Return postings of the shown cards; a null offer has its own row."""
    return [Posting("null" if e.null else "offers", e.seat, n, goods) for goods, n in e.cards.items()]


def won_postings(e: moves.AuctionWon) -> list[Posting]:
    return [
        Posting("wins", e.seat, 1, e.goods),
        Posting("specials", e.seat, 1 if e.special else 0),
        Posting("takes", e.seat, e.amount),
    ]


def shared_postings(e: moves.AuctionShared) -> list[Posting]:
    return [
        posting for seat in e.seats for posting in (Posting("ties", seat, 1, e.goods), Posting("takes", seat, e.each))
    ]


def type_named(n: int, goods_type: str) -> str:
    return word("goods", goods_type)


def heading(effects: Sequence[Any], names: Names) -> str:
    if any(isinstance(effect, moves.OfferShown) for effect in effects):
        return say("The auction")
    rounds = [effect.round for effect in effects if isinstance(effect, moves.RoundEnded)]
    return say("The end of round {n}", n=rounds[0]) if rounds else say("The movement")


ACCOUNT = AccountWords(
    rows={
        "offers": AccountRow(label="offers", says="offers {what}", amount=goods_cards),
        "null": AccountRow(label="no valid offer", says="offers {what}, which is no offer", amount=goods_cards),
        "wins": AccountRow(label="wins", says="wins {what}", amount=type_named),
        "ties": AccountRow(label="ties", says="ties for {what}", amount=type_named),
        **money_rows("money", pounds),
        "specials": AccountRow(
            label="special cards",
            says="wins {what}",
            amount=lambda n, name: say_n("{n} special card", "{n} special cards", n),
        ),
        "back": AccountRow(label="puts back", says="puts {what} back", amount=goods_cards),
    },
    postings=dict(
        (
            posts(moves.OfferShown, offered_postings),
            posts(moves.AuctionWon, won_postings),
            posts(moves.AuctionShared, shared_postings),
            posts(moves.MoneyInstead, lambda e: [Posting("takes", e.seat, e.amount), Posting("specials", e.seat, -1)]),
            posts_fields(moves.GoodsReturned, ("back", "count", "goods")),
            posts_fields(moves.ProfitGained, ("takes", "amount")),
            posts_fields(moves.SpecialPaid, ("takes", "amount")),
            posts_fields(moves.SpecialPlayed, ("pays", "fee")),
        )
    ),
    starts={
        moves.OfferShown: is_always_start,
        moves.GameEnded: is_always_start,
        moves.PhaseBegun: lambda effect: effect.phase == "movement",
    },
    opens=lambda effect: isinstance(effect, moves.OfferShown),
    closes=lambda effect: isinstance(effect, moves.AuctionBegun | moves.AuctionsEnded),
    heading=heading,
    notes=frozenset(
        {
            moves.TieBroken,
            moves.AuctionShared,
            moves.SpecialLacking,
            moves.GoodsCovered,
            moves.AuctionBegun,
            moves.AuctionsEnded,
            moves.MerchantsMoved,
            moves.AssistantMoved,
            moves.CoachPassed,
            moves.GameEnded,
        }
    ),
    figures=("money",),
    causes=N_(
        {
            moves.AuctionWon: "auction",
            moves.AuctionShared: "auction",
            moves.MoneyInstead: "no special card left",
            moves.ProfitGained: "profit at markets",
            moves.SpecialPaid: "special card",
            moves.SpecialPlayed: "fee",
        }
    ),
)
