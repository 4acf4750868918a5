"""Single values of Arkwright: The Card Game as words, by the terms of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.games.arkwright import good as good
from daybook.web.games.arkwright import goods as goods
from daybook.web.games.arkwright import machines as machines
from daybook.web.games.arkwright import pounds as pounds
from daybook.web.games.arkwright import shares as shares
from daybook.web.games.arkwright import workers as workers
from daybook.web.games.arkwright_card import solo_values
from daybook.web.words.say import Names, Texts, join_words, say, say_n, say_n_in, seat_name, tell_n_with, tell_with

ROMAN = ("I", "II", "III", "IV")
COLOURS: Texts = {
    "blue": "blue",
    "orange": "orange",
    "green": "green",
    "purple": "purple",
    "red": "red",
    "yellow": "yellow",
}
TRACK_WORDS: Texts = {
    "quality": "quality",
    "distribution": "distribution",
    "cards": "development cards",
    "machinery": "machinery",
    "ship": "ship",
    "stock": "stock exchange",
}
CARDS: Texts = {  # with the numbers that the cards carry instead of names (ACG-1.8)
    "entrepreneur": "Entrepreneur (1)",
    "customs_office": "Customs Office (2)",
    "extra_shift": "Extra Shift (3)",
    "workshop": "Workshop (4)",
    "foreman": "Foreman (5)",
    "broker": "Broker (6)",
    "patron_clothes_food": "Patron of clothes and food (7)",
    "patron_cutlery_food": "Patron of cutlery and food (7)",
    "patron_lamps_cutlery": "Patron of lamps and cutlery (7)",
    "patron_cutlery_clothes": "Patron of cutlery and clothes (7)",
    "patron_lamps_food": "Patron of lamps and food (7)",
    "patron_lamps_clothes": "Patron of lamps and clothes (7)",
    "inventor": "Inventor (8)",
    "developer": "Developer (9)",
    "contract": "Contract (10)",
    "patent": "Patent (11)",
    "engineer": "Engineer (12)",
    "big_storehouse": "Big Storehouse (13)",
}
BESIDE: Texts = {  # cards that lie beside factories
    "QA": "quality card A",
    "QB": "quality card B",
    "QC": "quality card C",
    "QE": "the Engineer as a quality card",
    "DA": "distribution card A",
    "DB": "distribution card B",
    "DP": "the Patent as a distribution card",
    "SA": "small storehouse A",
    "SB": "small storehouse B",
    "SC": "the Big Storehouse",
}
ACTIONS: Texts = {
    "build": "build and upgrade factories",
    "employ": "employ workers",
    "automate": "automate production",
    "quality": "add quality",
    "distribution": "add distribution",
    "stock": "stock exchange",
    "extra_production": "extra production",
    "early_shipping": "early shipping",
}
MODES: Texts = {"price": "price side", "appeal": "appeal side"}
PHASES: Texts = {
    "setup": "the set-up",
    "action": "the action phase",
    "production": "the production phase",
    "preparation": "the preparation for the next round",
    "over": "the end",
}
STAGES: Texts = {
    "start_player": "the starting player",
    "start_factory": "a start factory",
    "supply": "the development cards of the supply",
    "start_development": "a start development",
    "start_foreman": "the place of the Foreman",
    "start_shares": "shares before the game",
    "action": "an action",
    "build": "building or upgrading",
    "employ": "worker cards",
    "automate": "machines",
    "quality": "quality cards",
    "distribution": "distribution cards",
    "buy_shares": "shares, loans or ships",
    "take_loans": "loans or ships",
    "regain_ships": "ships",
    "extra_production": "extra production",
    "early_shipping": "early shipping",
    "price": "price and appeal of the active good",
    "development": "a development",
    "take_card": "a development card to take",
    "foreman": "the place of the Foreman",
    "replace": "quality cards in the place of the Engineer",
    "produce": "cards before the sale",
    "sell": "stored goods for the home market",
    "ship": "goods for the overseas markets",
    "store": "storehouses",
    "top_point": "the point for the highest appeal",
    "round_end": "the Entrepreneur",
    "decade_end": "the next starting player",
    "over": "nothing",
    **solo_values.STAGES,
}
TEXTS: Mapping[str, Mapping[str, str]] = {  # field -> its values as words
    "good": GOODS_WORDS,
    "origin": GOODS_WORDS,
    "track": TRACK_WORDS,
    "first": TRACK_WORDS,
    "second": TRACK_WORDS,
    "action": ACTIONS,
    "mode": MODES,
    "phase": PHASES,
    "awaited": STAGES,
    "colour": COLOURS,
    "office": MODES,
    "achievement": solo_values.ACHIEVEMENTS,
}
SEATS = frozenset({"seat", "player", "to", "players", "start", "tied", "by_seat"})
MONEY = frozenset({"amount", "price", "each", "wage", "cost", "money", "portfolio"})
DECADES = frozenset({"decade", "side", "sides"})


def value(name: str, of: Any, names: Names) -> str:
    if isinstance(of, bool):
        return say("yes") if of else say("no")
    if of is None:
        return say("–")
    if isinstance(of, int):
        return number(name, of, names)
    if name == "storehouses" and isinstance(of, Mapping):
        return ", ".join(say("{card}: {n}", card=word("card", card), n=n) for card, n in of.items()) or say("nothing")
    if isinstance(of, Mapping):
        return counts_label(of)
    if isinstance(of, list | tuple):
        return join_words([value(name, part, names) for part in of]) or say("none")
    return word(name, str(of))


tell = partial(tell_with, value)
tell_n = partial(tell_n_with, value)


def figure(name: str, of: Any, names: Names) -> str:
    """A value in a sentence of the rules, which say positions and slots themselves."""
    if name in ("position", "slot"):
        return str(of)
    if name in ("score", "best"):
        return pounds(int(of))
    if name == "mode":
        return say("its {mode}", mode=value(name, of, names))
    if name == "left" and isinstance(of, str):  # colours
        return ", ".join(word("colour", one) for one in of.split(", "))
    return value(name, of, names)


def number(name: str, of: int, names: Names) -> str:
    if name in SEATS and names and of < len(names):
        return seat_name(of, names)
    if name in MONEY:
        return pounds(of)
    if name in DECADES:
        return roman(of)
    if name == "position":
        return say("position {n}", n=of)
    if name == "slot":
        return say("slot {n}", n=of)
    return str(of)


def word(name: str, of: str) -> str:
    """One word of the rules as people say it."""
    if of in TEXTS.get(name, {}):
        return say(TEXTS[name][of])
    if name == "what" and of in ("slot", "office"):
        return say("the slot") if of == "slot" else say("the office")
    for words in (CARDS, BESIDE, GOODS_WORDS, TRACK_WORDS, COLOURS):
        if of in words:
            return say(words[of])
    return of


def counts_label(of: Mapping[str, Any]) -> str:
    """Goods or cards with their numbers: 2 food and 1 lamp."""
    parts = []
    for key, n in of.items():
        if key in GOODS_WORDS:
            parts.append(goods(n, key))
        elif isinstance(n, int) and n > 1:
            parts.append(say("{n} × {card}", n=n, card=word("card", key)))
        elif n:
            parts.append(word("card", key))
    return join_words(parts) or say("nothing")


# --- single words ----------------------------------------------------------------------------------------------------


def roman(n: int) -> str:
    return ROMAN[n - 1] if 0 < n <= len(ROMAN) else str(n)


def track(of: str) -> str:
    return say(TRACK_WORDS[of])


def card(of: str) -> str:
    """A development card; one that a group added to its sheet as it stands there."""
    return word("card", of)


def card_order(of: str) -> int:
    """By the numbers that the cards carry; what a group added comes last."""
    return list(CARDS).index(of) if of in CARDS else len(CARDS)


def beside(of: str) -> str:
    """A quality, distribution or storehouse card."""
    return say(BESIDE[of]) if of in BESIDE else of


def mode(of: str) -> str:
    return say(MODES[of])


def action(of: str) -> str:
    return say(ACTIONS[of])


def ships(n: int) -> str:
    return say_n("{n} ship", "{n} ships", n)


def loan_tokens(n: int) -> str:
    return say_n("{n} loan token", "{n} loan tokens", n)


def shipping_tokens(n: int) -> str:
    return say_n("{n} shipping token", "{n} shipping tokens", n)


def points(n: int) -> str:
    return say_n_in("track", "{n} step", "{n} steps", n)


def seat(of: Seat, names: Names) -> str:
    return seat_name(of, names)
