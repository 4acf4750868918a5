"""Words and symbols shared by both Arkwright games."""

from __future__ import annotations

from daybook.web.words.account import AccountRow
from daybook.web.words.say import Texts, say, say_n, signed_amount

SYMBOLS_TEMPLATE = "water_frame.html"  # also used by the Card Game

GOODS_WORDS: Texts = {"food": "food", "clothes": "clothes", "cutlery": "cutlery", "lamps": "lamps"}


def pounds(n: int) -> str:
    return say("£{n}", n=n) if n >= 0 else signed_amount("−", say("£{n}", n=-n))


def workers(n: int) -> str:
    return say_n("{n} worker", "{n} workers", n)


def machines(n: int) -> str:
    return say_n("{n} machine", "{n} machines", n)


def shares(n: int) -> str:
    return say_n("{n} share", "{n} shares", n)


def good(code: str) -> str:
    return say(GOODS_WORDS[code])


def goods(n: int, code: str) -> str:
    """Format goods: 3 food, 1 lamp; in English, only lamps are countable."""
    return say_n("{n} lamp", "{n} lamps", n) if code == "lamps" else say("{n} {good}", n=n, good=good(code))


def goods_or_number(n: int, code: str) -> str:
    return goods(n, code) if code else str(n)


GOODS_ROWS = {  # of the settlement account
    "makes": AccountRow(label="makes", says="makes {what}", amount=goods_or_number),
    "out": AccountRow(label="out of storage", says="takes {what} out of storage", amount=goods_or_number),
    "sells": AccountRow(label="sells", says="sells {what}", amount=goods_or_number),
    "ships": AccountRow(label="ships", says="ships {what}", amount=goods_or_number),
    "stores": AccountRow(label="stores", says="stores {what}", amount=goods_or_number),
    "loses": AccountRow(label="loses", says="loses {what}", amount=goods_or_number),
}
