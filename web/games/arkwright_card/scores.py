"""Columns and score lines of Arkwright: The Card Game."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import loan_tokens, points, pounds, shares, shipping_tokens
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
    return say("{shares} at {value}", shares=shares(line["shares"]), value=pounds(line["value"]))


def last_shares(line: Plain, names: Names) -> str:
    """Describe the last shares: "4 more shares at £12 for £50: £30 in hand and £20 for 5 stored goods; £2 are left"."""
    if line["goods"]:
        return say_n(
            "{shares} more at {value}, for {money} and {sales} for {n} stored good; {left} left",
            "{shares} more at {value}, for {money} and {sales} for {n} stored goods; {left} left",
            line["goods"],
            shares=shares(line["count"]),
            value=pounds(line["value"]),
            money=pounds(line["money"]),
            sales=pounds(line["sales"]),
            left=pounds(line["left"]),
        )
    return say(
        "{shares} more at {value}, for {money}; {left} left",
        shares=shares(line["count"]),
        value=pounds(line["value"]),
        money=pounds(line["money"]),
        left=pounds(line["left"]),
    )


def loans(line: Plain, names: Names) -> str:
    if not line["loans"]:
        return say("no loan tokens")
    return say(
        "{loans}: {shares} fewer at {value}",
        loans=loan_tokens(line["loans"]),
        shares=shares(line["count"]),
        value=pounds(line["value"]),
    )


def shipping(line: Plain, names: Names) -> str:
    if not line["tokens"]:
        return say("no shipping tokens")
    return say(
        "{tokens}: share value {steps} down, for {shares}",
        tokens=shipping_tokens(line["tokens"]),
        steps=points(line["steps"]),
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
