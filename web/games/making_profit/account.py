"""Account of Making Profit's effects: dollars, certificates and cards by player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.domain.games.making_profit import moves
from daybook.web.words.account import AccountRow, AccountWords, Posting, is_always_start, posts, posts_fields
from daybook.web.words.say import N_, Names, say, say_n


def dollars(n: int, unit: str) -> str:
    return say("${n}", n=n)


def cards(n: int, unit: str) -> str:
    return say_n("{n} card", "{n} cards", n)


def heading(effects: Sequence[Any], names: Names) -> str:
    if isinstance(effects[0], moves.FactoryRun):
        return say("{seat}’s factory runs", seat=names[effects[0].seat])
    return say("Nationalisation")


ACCOUNT = AccountWords(
    rows={
        "certificates": AccountRow(label="certificates", says="has {what} of the certificates"),
        "is_paid": AccountRow(label="is paid", says="is paid {what}", amount=dollars, column="money"),
        "pays": AccountRow(label="pays", says="pays {what}", amount=dollars, column="money", sign=-1),
        "draws": AccountRow(label="cards drawn", says="draws {what}", amount=cards),
        "discards": AccountRow(label="cards discarded", says="discards {what}", amount=cards),
    },
    postings=dict(
        (
            posts_fields(moves.FactoryRun, ("draws", "resources")),
            posts_fields(moves.DividendPaid, ("certificates", "certificates"), ("is_paid", "amount")),
            posts(moves.HandCut, lambda e: [Posting("discards", e.seat, len(e.cards))]),
            posts_fields(moves.StockBought, ("pays", "price")),
            posts_fields(moves.StockSold, ("is_paid", "amount")),
            posts_fields(moves.ResourcesSold, ("is_paid", "amount")),
        )
    ),
    starts={moves.FactoryRun: lambda run: bool(run.money or run.resources), moves.Nationalised: is_always_start},
    until_next_decision=True,
    heading=heading,
    notes=frozenset(
        {moves.FactoryRun, moves.DrawsLost, moves.DeckReshuffled, moves.Nationalised, moves.HandCut, moves.GameEnded}
    ),
    figures=("money",),
    causes=N_(
        {
            moves.DividendPaid: "for certificates",
            moves.StockBought: "for the certificate",
            moves.StockSold: "for certificates sold",
            moves.ResourcesSold: "for resources",
        }
    ),
)
