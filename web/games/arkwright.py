"""What both Arkwright games share: words, and the template of the symbols that they draw."""

from __future__ import annotations

from daybook.web.words.account import AccountRow
from daybook.web.words.say import Texts, say, say_n, signed_amount

SYMBOLS_TEMPLATE = "water_frame.html"  # the Card Game draws these too

GOODS_WORDS: Texts = {"food": "food", "clothes": "clothes", "cutlery": "cutlery", "lamps": "lamps"}


def pounds(n: int) -> str:
    return say("£{n}", n=n) if n >= 0 else signed_amount("−", say("£{n}", n=-n))


def workers(n: int) -> str:
    return say_n("{n} worker", "{n} workers", n)


def machines(n: int) -> str:
    return say_n("{n} machine", "{n} machines", n)


def shares(n: int) -> str:
    return say_n("{n} share", "{n} shares", n)


def good(of: str) -> str:
    return say(GOODS_WORDS[of])


def goods(n: int, of: str) -> str:
    """3 food, 1 lamp: of the four goods lamps alone are counted one by one in English."""
    return say_n("{n} lamp", "{n} lamps", n) if of == "lamps" else say("{n} {good}", n=n, good=good(of))


def goods_or_number(n: int, of: str) -> str:
    return goods(n, of) if of else str(n)


GOODS_ROWS = {  # of the account of what has run by itself
    "makes": AccountRow(label="makes", says="makes {what}", amount=goods_or_number),
    "out": AccountRow(label="out of storage", says="takes {what} out of storage", amount=goods_or_number),
    "sells": AccountRow(label="sells", says="sells {what}", amount=goods_or_number),
    "ships": AccountRow(label="ships", says="ships {what}", amount=goods_or_number),
    "stores": AccountRow(label="stores", says="stores {what}", amount=goods_or_number),
    "loses": AccountRow(label="loses", says="loses {what}", amount=goods_or_number),
}
