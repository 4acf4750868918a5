"""Columns and score lines of Arkwright: The Card Game."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import loan_tokens, pounds, shares, shipping_tokens
from daybook.web.words.say import N_, Names, Plain, Sentence, Texts, say, say_n

COLUMNS: Texts = {
    "money": "money",
    "shares": "shares",
    "share_value": "share value",
    "portfolio": "share value × shares",
    "loans": "loan tokens",
    "ships": "ships ready",
    "shipping_tokens": "shipping tokens",
    "lead": "ahead of the best other",
    "score": "would score",
}
MONEY_COLUMNS = frozenset({"money", "share_value", "portfolio", "lead", "score"})
TIEBREAKS: Texts = {"money_left": "money left"}


def portfolio(line: Plain, names: Names) -> str:
    return say("{shares} × {value}", shares=shares(line["shares"]), value=pounds(line["value"]))


def last_shares(line: Plain, names: Names) -> str:
    """Describe the last shares: "£30 + £20 for 5 stored goods buy 4 shares × £12; £2 left over"."""
    money = say("money {amount}", amount=pounds(line["money"]))
    if line["goods"]:
        money = say_n(
            "{money} + {sales} for {n} stored good",
            "{money} + {sales} for {n} stored goods",
            line["goods"],
            money=money,
            sales=pounds(line["sales"]),
        )
    return say(
        "{money}: buys {shares} × {value}, {left} left over",
        money=money,
        shares=shares(line["count"]),
        value=pounds(line["value"]),
        left=pounds(line["left"]),
    )


def loans(line: Plain, names: Names) -> str:
    if not line["loans"]:
        return say("no loan tokens")
    return say(
        "{loans}: takes away {shares} × {value}",
        loans=loan_tokens(line["loans"]),
        shares=shares(line["count"]),
        value=pounds(line["value"]),
    )


def shipping(line: Plain, names: Names) -> str:
    if not line["tokens"]:
        return say("no shipping tokens")
    return say(
        "{tokens}: share value {amount} lower, × {shares}",
        tokens=shipping_tokens(line["tokens"]),
        amount=pounds(line["steps"]),
        shares=shares(line["shares"]),
    )


LINES: Mapping[str, Sentence] = N_(
    {
        "portfolio": portfolio,
        "last_shares": last_shares,
        "loans": loans,
        "shipping": shipping,
        "bankrupt": "bankrupt",
        "automa": solo.automa_line,
        "earned": "achievement: {achievement}",
        "reached": "achievement reached already: {achievement}",
    }
)
EXPLANATIONS: Texts = {
    "portfolio": "The shares that the player holds, each at the share value.",
    "last_shares": "At the end all money buys shares. Only whole shares can be bought; what is left over only breaks ties.",
    "loans": "At the end each loan token takes away a share.",
    "shipping": "At the end shipping tokens lower the share value once, so each share is worth less.",
    "bankrupt": "A bankrupt player scores nothing.",
}
