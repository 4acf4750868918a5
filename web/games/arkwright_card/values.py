"""Single values of Arkwright: The Card Game as words, by the terms of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from daybook.domain.games.arkwright_card.printed import Printed
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
CARDS: Texts = {  # with the numbers printed on them (ACG-1.8)
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
FACTORY_CARDS: Texts = {  # cards next to factories
    "QA": "quality card A",
    "QB": "quality card B",
    "QC": "quality card C",
    "QE": "the Engineer as a quality card",
    "DA": "distribution card A",
    "DB": "distribution card B",
    "DP": "the Patent as a distribution card",
    "SA": "small storehouse 1",
    "SB": "small storehouse 2",
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
MONEY = frozenset({"amount", "price", "each", "wage", "cost", "costs", "money", "portfolio", "worth"})
DECADES = frozenset({"decade", "side", "sides"})


def value(name: str, item: Any, names: Names) -> str:
    if isinstance(item, bool):
        return say("yes") if item else say("no")
    if item is None:
        return say("–")
    if isinstance(item, int):
        return number(name, item, names)
    if name == "storehouses" and isinstance(item, Mapping):
        return ", ".join(say("{card}: {n}", card=word("card", card), n=n) for card, n in item.items()) or say("nothing")
    match item:
        case {"mode": str() as side, "value": int() as n}:  # a quality card
            return say("{n}, {mode}", n=n, mode=mode(side))
        case Mapping():
            return counts_label(item)
    if isinstance(item, list | tuple):
        return join_words([value(name, part, names) for part in item]) or say("none")
    return word(name, str(item))


tell = partial(tell_with, value)
tell_n = partial(tell_n_with, value)


def figure(name: str, item: Any, names: Names) -> str:
    """Format a value for a sentence of the rules, which include positions and slots."""
    if name in ("position", "slot"):
        return str(item)
    if name in ("score", "best"):
        return pounds(int(item))
    if name == "mode":
        return say("its {mode}", mode=value(name, item, names))
    if name == "left" and isinstance(item, str):  # colours
        return ", ".join(word("colour", colour) for colour in item.split(", "))
    return value(name, item, names)


def number(name: str, n: int, names: Names) -> str:
    if name in SEATS and names and n < len(names):
        return seat_name(n, names)
    if name in MONEY:
        return pounds(n)
    if name in DECADES:
        return roman(n)
    if name == "position":
        return say("position {n}", n=n)
    if name == "slot":
        return say("slot {n}", n=n)
    return str(n)


def word(name: str, code: str) -> str:
    """Return a word of the rules as players say it."""
    if code in TEXTS.get(name, {}):
        return say(TEXTS[name][code])
    if name == "what" and code in ("slot", "office"):
        return say("the slot") if code == "slot" else say("the office")
    for words in (CARDS, FACTORY_CARDS, GOODS_WORDS, TRACK_WORDS, COLOURS):
        if code in words:
            return say(words[code])
    return code


def counts_label(counts: Mapping[str, Any]) -> str:
    """List goods or cards with numbers: 2 food and 1 lamp."""
    parts = []
    for key, n in counts.items():
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


def track(code: str) -> str:
    return say(TRACK_WORDS[code])


def card(code: str) -> str:
    """Return the name of a development card; a custom card keeps its name."""
    return word("card", code)


def card_order(code: str) -> int:
    """Sort cards by their printed numbers, custom cards last."""
    return list(CARDS).index(code) if code in CARDS else len(CARDS)


def card_effect(printed: Printed, card: str) -> str:
    """Describe a card with the sheet's figures; "" for a custom card."""
    if card in printed.patrons:
        return say("the home market takes {n} more", n=printed.cards[card].more)
    least, most = printed.cards_contract_pays[0], printed.cards_contract_pays[-1]
    texts = {
        "entrepreneur": say("wins a tie for the highest appeal, or names the starting player"),
        "customs_office": say("{n} shipping token fewer", n=printed.cards_customs_office_fewer_tokens),
        "extra_shift": say("{n} good more", n=printed.cards_extra_shift_goods),
        "workshop": say("{n} machines of a factory cost nothing", n=printed.cards_workshop_free_machines),
        "foreman": say(
            "{n} workers of one factory cost £{less} less each",
            n=printed.cards_foreman_workers,
            less=printed.cards_foreman_cheaper,
        ),
        "broker": say("{n} shares at half price", n=printed.cards_broker_shares),
        "inventor": say("upgrades {n} factories", n=printed.cards_inventor_factories),
        "developer": say("fixed costs £{less} less; makes a card ready again", less=printed.cards_developer_cheaper),
        "contract": say("£{least} to £{most} for goods shipped", least=least, most=most),
        "patent": say("one more distribution card, up to {n}", n=max(printed.distribution["DP"])),
        "engineer": say(
            "one more quality card, {least} to {most}",
            least=min(printed.quality["QE"]),
            most=max(printed.quality["QE"]),
        ),
        "big_storehouse": say("stores {n} goods", n=printed.storehouses["SC"]),
    }
    return texts.get(card, "")


def mode(code: str) -> str:
    return say(MODES[code])


def action(code: str) -> str:
    return say(ACTIONS[code])


def ships(n: int) -> str:
    return say_n("{n} ship", "{n} ships", n)


def loan_tokens(n: int) -> str:
    return say_n("{n} loan token", "{n} loan tokens", n)


def shipping_tokens(n: int) -> str:
    return say_n("{n} shipping token", "{n} shipping tokens", n)


def points(n: int) -> str:
    return say_n_in("track", "{n} step", "{n} steps", n)


def seat(holder: Seat, names: Names) -> str:
    return seat_name(holder, names)
