"""What both Arkwright games share: words, and the template of the symbols that they draw."""

from __future__ import annotations

from daybook.web.words.account import AccountRow
from daybook.web.words.say import N_, say, say_n, signed_amount

SYMBOLS_TEMPLATE = "water_frame.html"  # the Card Game draws these too

GOODS_WORDS = {"food": N_("food"), "clothes": N_("clothes"), "cutlery": N_("cutlery"), "lamps": N_("lamps")}


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
    "makes": AccountRow(label=N_("makes"), says=N_("makes {what}"), amount=goods_or_number),
    "out": AccountRow(label=N_("out of storage"), says=N_("takes {what} out of storage"), amount=goods_or_number),
    "sells": AccountRow(label=N_("sells"), says=N_("sells {what}"), amount=goods_or_number),
    "ships": AccountRow(label=N_("ships"), says=N_("ships {what}"), amount=goods_or_number),
    "stores": AccountRow(label=N_("stores"), says=N_("stores {what}"), amount=goods_or_number),
    "loses": AccountRow(label=N_("loses"), says=N_("loses {what}"), amount=goods_or_number),
}
