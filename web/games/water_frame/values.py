"""The values of Arkwright: Water Frame as words: goods, markers, tiles, money, spaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from daybook.domain.games.water_frame import moves
from daybook.domain.games.water_frame.printed import LEVELS
from daybook.web.games.arkwright import GOODS_WORDS
from daybook.web.games.arkwright import good as good
from daybook.web.games.arkwright import goods as goods
from daybook.web.games.arkwright import machines as machines
from daybook.web.games.arkwright import pounds as pounds
from daybook.web.games.arkwright import shares as shares
from daybook.web.games.arkwright import workers as workers
from daybook.web.words.say import Names, Texts, join_words, say, say_n, seat_name, tell_n_with, tell_with, with_sign
from daybook.web.words.sheets import sheet_label

COLOURS: Texts = {"blue": "blue", "red": "red", "green": "green", "yellow": "yellow"}
GREY: Texts = {
    "machinery": "machinery",
    "quality": "quality",
    "distribution": "distribution",
    "production": "production",
}
TILES: Texts = {
    "charisma": "Charisma",
    "patron_food": "Patron of food",
    "patron_clothes": "Patron of clothes",
    "patron_cutlery": "Patron of cutlery",
    "patron_lamps": "Patron of lamps",
    "inventor": "Inventor",
    "accountant": "Accountant",
    "administrator": "Administrator",
    "agent": "Agent in the colonies",
    "broker": "Broker",
    "developer": "Developer",
    "engineer": "Engineer",
    "engineering_works": "Engineering works",
    "extra_shifts": "Extra shifts",
    "foreman": "Foreman",
    "office": "Office",
    "patent": "Patent",
    "school": "School",
    "small_warehouse": "Small warehouse",
    "workshop": "Workshop",
    "unknown_a": "Unknown A",
    "unknown_b": "Unknown B",
    "unknown_c": "Unknown C",
    "unknown_d": "Unknown D",
}
EVENTS: Texts = {
    "bureaucracy": "Bureaucracy",
    "end_of_game": "End of Game",
    "lobby": "Lobby",
    "war_on_the_continent": "War on the Continent",
    "world_exhibition": "World Exhibition",
    "navigation_acts": "Navigation Acts",
    "economic_crisis": "Economic Crisis",
    "hamburg_credit_crisis": "Hamburg Credit Crisis",
    "opium_war": "Opium War",
    "unknown_a": "Unknown A",
    "unknown_b": "Unknown B",
    "unknown_c": "Unknown C",
    "unknown_d": "Unknown D",
    "unknown_e": "Unknown E",
    "unknown_f": "Unknown F",
    "unknown_g": "Unknown G",
    "unknown_h": "Unknown H",
}
SHADES: Texts = {"light": "light grey", "dark": "dark grey"}
MARKERS: Texts = {
    "factory": "Factory",
    "workers": "Workers",
    "machinery": "Machinery",
    "quality": "Quality",
    "distribution": "Distribution",
    "stock_exchange": "Stock exchange",
    "production": "Production",
}
PILES: Texts = {"market": "the job market", "fired": "the fired space", "box": "the box"}
SOURCES: Texts = {"production": "from the production", "storage": "out of storage"}
STAGES: Texts = {
    "start_player": "the start player",
    "mat": "the special markers mat",
    "tiles": "the development tiles",
    "found_first": "the first foundation",
    "found_second": "the second foundation",
    "capital": "the capital",
    "special": "a special marker",
    "economy": "the economy marker",
    "marker": "an action marker",
    "main": "the main action",
    "additional": "the additional action",
    "school_first": "the school",
    "call_out": "the call-out",
    "school_second": "the school",
    "extra_shifts": "the extra shifts",
    "patron": "the patron",
    "shipping": "the shipping",
    "storage": "the storage",
    "cycle_end": "the end of the cycle",
    "firing": "warehouse workers and ships",
    "event": "the event",
    "event_step": "a special marker step",
    "broker": "the broker",
    "charisma": "the charisma",
    "start_named": "the start player",
    "final_exchange": "the final stock exchange",
    "over": "nothing",
}
PHASES: Texts = {
    "setup": "the set-up",
    "economy": "the economy marker",
    "actions": "the actions",
    "production": "the production",
    "cycle_end": "the end of the cycle",
    "round_end": "the end of the decade",
    "over": "the end",
}
ASKED: Texts = {
    "return_tile": "a tile to return",
    "inventor": "the inventor",
    "relocate": "the worker replaced",
    "discard": "a good to discard",
    "start_marker": "a light grey marker",
}
TEXTS: Mapping[str, Mapping[str, str]] = {  # field -> its values as words
    "good": GOODS_WORDS,
    "assign": GOODS_WORDS,
    "shade": SHADES,
    "source": SOURCES,
    "phase": {**STAGES, **PHASES},
    "awaited": {**STAGES, **ASKED},
    "colours": COLOURS,
}
TILE_FIELDS = frozenset({"kind", "tiles"})
PILE_FIELDS = frozenset({"origin", "to"})
SEATS = frozenset({"seat", "by", "players"})
MONEY = frozenset({"amount", "each", "price", "paid", "fee", "cost", "wage", "cash", "value", "worth"})

PLACES = frozenset({"mat", "tiles"})  # fields that are list indices


def value(name: str, item: Any, names: Names) -> str:
    if isinstance(item, bool):
        return say("yes") if item else say("no")
    if item is None:
        return say("–")
    if isinstance(item, int):
        return number(name, item, names)
    if isinstance(item, Mapping):
        return counts_label(name, item)
    if isinstance(item, list | tuple):
        return several(name, item, names)
    return word(name, str(item))


tell = partial(tell_with, value)
tell_n = partial(tell_n_with, value)


def figure(name: str, item: Any, names: Names) -> str:
    """Format a value for a sentence of the rules, which include pounds and rows."""
    return str(item) if isinstance(item, int) and not (name in SEATS and names) else value(name, item, names)


def number(name: str, n: int, names: Names) -> str:
    if name in SEATS and names:
        return seat_name(n, names)
    if name in MONEY:
        return pounds(n)
    if name == "level":
        return level(n)
    if name == "delta":
        return delta(n)
    if name == "rows":
        return say("row {n}", n=n) if n == 1 else say("rows 1 to {n}", n=n)
    if name == "row":
        return say("row {n}", n=n)
    if name == "capacity" or name == "replace":
        return ship(n)
    return str(n)


def several(name: str, items: Iterable[Any], names: Names) -> str:
    parts = list(items)
    if name == "effects":
        return event_does(msgspec.convert(parts, list[moves.Primitive]), names) or say("none")
    if name == "ships":
        return join_words([ship(part) for part in parts]) or say("none")
    return ", ".join(value(name, part, names) for part in parts) or say("none")


def word(name: str, code: str) -> str:
    """Return a word of the rules as players say it."""
    if code in TEXTS.get(name, {}):
        return say(TEXTS[name][code])
    if name in PLACES and code.isdigit():  # on a board they are counted from 0
        return level(int(code) + 1) if name == "mat" else str(int(code) + 1)
    if name in TILE_FIELDS:
        return tile(code)
    if name == "marker":
        return marker(code)
    if name == "slot":
        return slot(code)
    if name in PILE_FIELDS:
        return say(PILES[code]) if code in PILES else slot(code)
    if name in ("name", "event"):
        return say(GREY[code]) if code in GREY else event(code)
    if name in ("wanted", "running") and code in MARKERS:
        return say(MARKERS[code])
    for words in (GOODS_WORDS, COLOURS, TILES, EVENTS):
        if code in words:
            return say(words[code])
    return marker(code) if code.partition(":")[0] in (*MARKERS, "ship") else code


# --- single words ----------------------------------------------------------------------------------------------------


def level(n: int) -> str:
    return LEVELS[n - 1] if 0 < n <= len(LEVELS) else str(n)


def delta(n: int) -> str:
    """Format the agent's change of goods."""
    return say("as many as the contract says") if not n else say_n("{by} good", "{by} goods", abs(n), by=with_sign(n))


def tile(kind: str) -> str:
    """Return the name of a development tile; a custom tile keeps its name."""
    return sheet_label("tiles", kind, TILES)


def event(name: str) -> str:
    return sheet_label("events", name, EVENTS)


def ship(capacity: int) -> str:
    return say("ship of {n}", n=capacity)


def marker(code: str) -> str:
    """Return the name of an action marker: Quality, light grey Quality, ship of 6."""
    name, _, further = code.partition(":")
    if name == "ship":
        return ship(int(further)) if further.isdigit() else code
    if name not in MARKERS:
        return code
    return f"{say(SHADES[further])} {say(MARKERS[name])}" if further in SHADES else say(MARKERS[name])


def slot(code: str) -> str:
    """Return the name of a place for a warehouse worker."""
    return (
        say("a row of the warehouse") if code == "row" else say("the {good} column of the warehouse", good=good(code))
    )


def loans(n: int) -> str:
    return say_n("{n} loan", "{n} loans", n)


def spaces(n: int) -> str:
    return say_n("{n} space", "{n} spaces", n)


def counts_label(name: str, counts: Mapping[str, Any]) -> str:
    """Describe tiles or goods with numbers, grey markers by row, and other items by name."""
    parts = []
    for key, part in counts.items():
        if not isinstance(part, int | list | tuple) or not all(
            isinstance(part_code, str) for part_code in _as_list(part)
        ):
            parts.append(f"{word(name, key)}: {value(key, part, ())}")
        elif isinstance(part, list | tuple):
            parts.append(
                say("row {row}: {markers}", row=key, markers=", ".join(word("name", part_code) for part_code in part))
            )
        elif part:
            parts.append(word(name, key) if part == 1 else f"{part} × {word(name, key)}")
    return ", ".join(parts) or say("nothing")


def _as_list(part: Any) -> Iterable[Any]:
    return part if isinstance(part, list | tuple) else ()


# --- what an event marker does that says something else than the sheet ----------------------------------------------


def event_does(primitives: Iterable[moves.Primitive], names: Names) -> str:
    return "; ".join(primitive(each, names) for each in primitives)


def primitive(action: moves.Primitive, names: Names) -> str:
    """Describe one action of an event."""
    match action:
        case moves.ImporterMoves():
            return say("importer of {good} {by}", good=good(action.good), by=with_sign(action.spaces))
        case moves.WorkersMove():
            return say(
                "{workers} from {origin} to {to}",
                workers=workers(action.count),
                origin=say(PILES[action.origin]),
                to=say(PILES[action.to]),
            )
        case moves.RowCloses():
            return say("the £{row} row is closed until {until}", row=action.row, until=action.until)
    seat = seat_name(action.seat, names) if names else ""
    match action:
        case moves.ShareSpaces():
            return say("{seat}: share value {by}", seat=seat, by=with_sign(action.spaces))
        case moves.CashGiven():
            return say("{seat}: cash {by}", seat=seat, by=with_sign(action.amount))
        case moves.DistributionMoves():
            return say(
                "{seat}: distribution of {good} {by}", seat=seat, good=good(action.good), by=with_sign(action.levels)
            )
        case moves.QualityMoves():
            return say("{seat}: quality of {good} {by}", seat=seat, good=good(action.good), by=with_sign(action.levels))
        case moves.ContractMoves():
            return say(
                "{seat}: contract for {good} {by}", seat=seat, good=good(action.good), by=with_sign(action.spaces)
            )
        case moves.SpecialStep():
            return say("{seat}: a special marker step", seat=seat)
