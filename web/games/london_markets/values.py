"""The values of London Markets as words: goods, markets, merchants, cards, money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, ICON, NOT_SHOWN, UNKNOWN
from daybook.web.words.say import N_, Names, Plain, Texts, join_words, say, say_n, seat_name, tell_n_with, tell_with

COLOURS: Texts = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow"}
GOODS_WORDS = N_({"coffee": "coffee", "soap": "soap", "silk": "silk", "china": "china", GENERAL: "general merchandise"})
MARKETS: Texts = {
    "PORT": "Portobello",
    "COVE": "Covent Garden",
    "PETT": "Petticoat Lane",
    "BORO": "Borough",
    "BRIX": "Brixton",
}
MERCHANTS: Texts = {"stack": "Stack", "profit": "Profit", "goods": "Goods"}
KINDS: Texts = {
    "tiebreaker": "Tiebreaker",
    "replenishment": "Replenishment",
    "any_market": "Any market",
    "clientele": "Clientele",
    "monopoly": "Monopoly",
    "combined": "Combined offer",
    "rich_offer": "Rich offer",
}
ACTIONS: Texts = {"place": "place a bar", "profit": "profit", "goods": "goods cards"}
SYMBOLS = N_({"draft": "draft", "reveal": "reveal", NOT_SHOWN: "none"})
PHASES: Texts = {
    "setup": "the set-up",
    "reveal": "the market card",
    "actions": "the actions",
    "replenish": "the replenishment",
    "auction": "the auctions",
    "movement": "the movement",
    "over": "the end",
}
STAGES: Texts = {
    "deal": "the deal",
    "offer_cards": "the offer cards",
    "bottom_card": "the bottom market card",
    "special_cards": "the special cards of the piles",
    "start_player": "the starting player",
    "setup_bars": "the first bars",
    "merchants": "the merchants’ markets",
    "market_card": "the market card of the round",
    "turn": "a merchant or an assistant",
    "place": "where a bar goes",
    "name_goods": "a type of goods",
    "draw_goods": "a pile of goods cards",
    "replenish": "the replenishment",
    "offers": "the offers",
    "prize": "a special card or money",
    "pile": "a pile of special cards",
    "special": "a special card",
    "draft_pile": "a pile of special cards",
    "draft_special": "a special card",
    "over": "nothing",
}
CHOICES: Texts = {"special": "a special card", "money": "the money"}
TEXTS: Mapping[str, Mapping[str, str]] = {  # field -> its values as words
    "merchant": MERCHANTS,
    "merchants": MERCHANTS,
    "action": ACTIONS,
    "actions": ACTIONS,
    "symbol": SYMBOLS,
    "symbols": SYMBOLS,
    "phase": PHASES,
    "awaited": STAGES,
    "choice": CHOICES,
    "copies": KINDS,
    "colours": COLOURS,
}
SEATS = frozenset({"seat", "owner", "to", "players"})


def value(name: str, item: Any, names: Names) -> str:
    if isinstance(item, bool):
        return say("yes") if item else say("no")
    if item is None:
        return say("any place") if name == "slot" else say("–")
    if isinstance(item, int):
        if name == "slot":
            return say("place {n}", n=item + 1)
        if name == "pile":
            return say("pile {n}", n=item)
        return seat_name(item, names) if (name in SEATS or name.isdigit()) and names else str(item)
    if isinstance(item, dict):
        return join_words([goods_cards(n, goods) for goods, n in item.items() if n]) or say("nothing")
    if isinstance(item, list | tuple):
        return several(name, item, names)
    return word(name, str(item))


tell = partial(tell_with, value)
tell_n = partial(tell_n_with, value)


def figure(name: str, item: Any, names: Names) -> str:
    """Format a value for a sentence of the rules, which include piles."""
    return str(item) if name == "pile" else value(name, item, names)


def several(name: str, items: Iterable[Any], names: Names) -> str:
    """Format a list in one line: by seat if it has a place for each, equal cards together."""
    parts = list(items)
    if name in MARKETS:  # bars, layer by layer from the bottom
        return " / ".join(several("0", layer, names) for layer in parts) or say("none")
    if name == "offers":
        return "; ".join(by_seat(parts, names, lambda offer: say("as sealed") if offer is None else cards(offer)))
    if name == "money":
        return ", ".join(by_seat(parts, names, pounds))
    if parts and all(isinstance(part, str) for part in parts) and name not in ("ring", "goods_types", "used"):
        alike = Counter(parts)
        return join_words([(f"{count} × " if count > 1 else "") + word(name, part) for part, count in alike.items()])
    return ", ".join(value(name, part, names) for part in parts) or say("none")


def by_seat(parts: list[Any], names: Names, describe: Any) -> list[str]:
    return [f"{name} {describe(part)}" for name, part in zip(names, parts, strict=False)] or [say("none")]


def word(name: str, code: str) -> str:
    """Return a word of the rules as players say it."""
    if code in TEXTS.get(name, {}):
        return say(TEXTS[name][code])
    if name == "token":
        return say(MERCHANTS.get(code, code))
    if name == "used":
        return say(MERCHANTS[code]) if code in MERCHANTS else say("assistant {track}", track=code)
    if name == "specials" and code.isdigit():
        return str(int(code) + 1)
    if name == "known":  # colours, as a refusal lists them
        return ", ".join(say(COLOURS.get(part, part)) for part in code.split(", "))
    if name == "cards":  # "2 silk, 1 soap", as a refusal lists them
        return ", ".join(cards_label(part) for part in code.split(", "))
    if name == "placed":  # "2 at PORT, 1 at BRIX"
        return ", ".join(placed_label(part) for part in code.split(", "))
    # "3 crates at PORT, 2 crates at BRIX"; as a key of a path, a market alone
    if name == "crates" and " at " in code:
        return ", ".join(crates_label(part) for part in code.split(", "))
    for words in (GOODS_WORDS, MARKETS, COLOURS):
        if code in words:
            return say(words[code])
    return card(code)


def cards_label(text: str) -> str:
    count, _, goods = text.partition(" ")
    return goods_cards(int(count), goods) if goods in GOODS else text


def placed_label(text: str) -> str:
    count, at, market = text.partition(" at ")
    return say("{n} at {market}", n=int(count), market=word("market", market)) if at else say("none on a market")


def crates_label(text: str) -> str:
    count, _, market = text.rpartition(" at ")[0].partition(" ")[0], "", text.rpartition(" at ")[2]
    return say_n("{n} crate at {market}", "{n} crates at {market}", int(count), market=word("market", market))


def card(code: str) -> str:
    """Return the name of a special card or a market card."""
    if code == UNKNOWN:
        return say("unseen card")
    if code == CLOSED:
        return say("market closed")
    kind, _, markets = code.partition(":")
    if kind in KINDS:
        return " ".join([say(KINDS[kind]), *([places(markets)] if markets else [])])
    return places(code) if "+" in code else code


def group(name: str, item: Any) -> str:
    """Group special cards by kind; only some name markets."""
    kind, _, markets = str(item).partition(":")
    return say(KINDS[kind]) if name == "card" and kind in KINDS and markets else ""


def places(markets: str) -> str:
    return " + ".join(word("market", market) for market in markets.split("+"))


def cards(counts: Mapping[str, int]) -> str:
    """List cards: 3 silk and 1 soap."""
    return join_words([goods_cards(counts[goods], goods) for goods in GOODS if counts.get(goods)]) or say("nothing")


def goods_cards(n: int, goods: str) -> str:
    """Describe a number of goods cards: "3 silk", with a counter in languages that need one."""
    return say("{n} {goods}", n=n, goods=word("goods", goods))


def pounds(n: int) -> str:
    return say("£{n}", n=n)


def so_many(n: int) -> str:
    return say_n("{n} goods card", "{n} goods cards", n)


def crates(n: int, market: str) -> str:
    if not n:
        return say("no crates at {market}", market=word("market", market))
    return say_n("{n} crate at {market}", "{n} crates at {market}", n, market=word("market", market))


def aside(name: str, item: Any, printed: Plain) -> str:
    """Explain what a market card pays, by the game's sheet."""
    if name == "choice" and item == "money":
        return pounds(printed["specials.last_round_money"])
    if name != "card" or f"market_cards.{item}.coffee" not in printed:
        return ""
    return paying({goods: printed[f"market_cards.{item}.{goods}"] for goods in GOODS})


def paying(shows: Mapping[str, Any]) -> str:
    """Describe payments: Coffee £4, soap £3, silk £2, china: a special card."""
    return ", ".join(
        say("{goods} a special card", goods=word("goods", goods))
        if of == ICON
        else f"{word('goods', goods)} {pounds(of)}"
        for goods in GOODS
        if (of := shows.get(goods, NOT_SHOWN)) != NOT_SHOWN
    )


def at_markets(markets: Mapping[str, str], text: str) -> str:
    """Stack at Brixton, Profit at Borough and Goods at Portobello."""
    return join_words(
        [
            say(text, merchant=word("merchant", merchant), market=word("market", market))
            for merchant, market in markets.items()
        ]
    )
