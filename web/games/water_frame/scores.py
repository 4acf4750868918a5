"""Columns, score lines, options and what tiles and events do, in few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.web.games.water_frame.values import EVENTS, pounds
from daybook.web.words.say import N_, Names, Plain, Sentence, Texts, say, say_n

COLUMNS: Texts = {
    "cash": "cash",
    "loans": "loans",
    "shares": "shares",
    "space": "share space",
    "share_value": "share value",
    "portfolio": "portfolio",
    "factories": "factories",
    "workers": "workers",
    "machines": "machines",
    "stored": "goods stored",
    "contracts": "contracts",
    "sold_food": "food sold",
    "sold_clothes": "clothes sold",
    "sold_cutlery": "cutlery sold",
    "sold_lamps": "lamps sold",
    "income": "income from sales",
    "shipped": "income from ships",
    "wages": "wages paid",
    "upkeep": "upkeep paid",
    "appeal_bonuses": "appeal bonuses",
    "sales_bonuses": "sales bonuses",
    "spaces_up": "share spaces gained",
    "spaces_down": "share spaces lost",
    "fulfilled": "contracts shipped",
    "score": "would score",
}
MONEY_COLUMNS = frozenset({"cash", "share_value", "portfolio", "income", "shipped", "wages", "upkeep", "score"})
OPTIONS: Texts = {
    "factories": "Factories and capital",
    "factories.free": "free: each player founds two factories and sells shares",
    "factories.predetermined": "predetermined: as the rulebook prints them, start at once",
    "mat": "Special markers mat and tiles",
    "mat.random": "random: drawn at the table",
    "mat.patrons": "random, with the four patrons among the tiles",
    "mat.predetermined": "predetermined: as the rulebook prints them",
    "events": "Events",
    "events.random": "random: named when they are turned over",
    "events.predetermined": "predetermined: Lobby, War, Bureaucracy, World Exhibition, the end",
    "events.shuffled": "predetermined, with three of them shuffled",
}
RANKED_BY = N_("Places go by portfolio, then by cash (WF-5.2.2). A total also subtracts what the end would take off.")
TIEBREAKS: Texts = {"without_loans": "no loans", "cash": "cash"}


def portfolio(line: Plain, names: Names) -> str:
    return say_n(
        "{n} share × {value} (space {space})",
        "{n} shares × {value} (space {space})",
        line["shares"],
        value=pounds(line["value"]),
        space=line["space"],
    )


def marked_line_sentence(line: Plain, names: Names) -> str:
    """Describe marked factories: "2 marked factories: 8 spaces back to 35, 4 shares returned"."""
    return say_n(
        "{n} marked factory: {back} spaces back to {space}, {shares} shares returned",
        "{n} marked factories: {back} spaces back to {space}, {shares} shares returned",
        line["factories"],
        back=line["spaces"],
        space=line["space"],
        shares=line["shares"],
    )


def contracts(line: Plain, names: Names) -> str:
    return say(
        "contracts not fulfilled: {back} spaces back to {space}, {value} a share",
        back=line["spaces"],
        space=line["space"],
        value=pounds(line["value"]),
    )


LINES: Mapping[str, Sentence] = {
    "portfolio": portfolio,
    "marked_factories": marked_line_sentence,
    "contracts": contracts,
}

EXPLANATIONS: Texts = {
    "portfolio": "The shares that the player holds, each at the share value.",
    "marked_factories": (
        "A factory that is still marked moves the share value back and returns shares. The amount is how much less all "
        "shares are then worth."
    ),
    "contracts": (
        "A contract that is not fulfilled moves the share value back by its number of goods. The amount is how much "
        "less all shares are then worth."
    ),
}

TILES_DO: Texts = {
    "charisma": "wins ties; or names the start player",
    "inventor": "one level ahead",
    "accountant": "costs up to £{amount} more or less",
    "administrator": "no fee; the £2 row stays open",
    "agent": "ships {goods} more or fewer",
    "broker": "{shares} shares at half price",
    "developer": "a factory for £{less} less",
    "engineer": "quality above the maximum",
    "engineering_works": "£{pays} for a machine of others",
    "extra_shifts": "makes {goods} more",
    "foreman": "wages £{less} less for {workers}",
    "office": "£{pays} for a shipment",
    "patent": "£{amount} more distribution",
    "school": "keeps replaced workers; closes a row",
    "small_warehouse": "stores {goods}",
    "workshop": "£{machinery} more machinery; upkeep £{upkeep}",
    "patron_food": "sells 1 more food",
    "patron_clothes": "sells 1 more clothes",
    "patron_cutlery": "sells 1 more cutlery",
    "patron_lamps": "sells 1 more lamp",
}

EVENTS_DO: Texts = {
    "none": "nothing, or what its text says",
    "final_exchange": "a last stock exchange, then the end",
    "special_step": "everyone may take a special marker step",
    "close_row": "no player uses the £{amount} row",
    "fired_to_box": "fired workers go to the box: {amount}",
    "best_quality": "best quality of each good: {amount} on",
    "importers_back": "every importer: {amount} back",
    "importers_on": "every importer: {amount} on",
    "share_value_back": "every share value: {amount} back",
    "share_value_on": "every share value: {amount} on",
    "pay": "everyone pays £{amount}, and £{per_loan} for each loan",
    "contracts_up": "every contract: {amount} up",
}


IN_THE_BOX = {name: n for n, name in enumerate((*TILES_DO, *EVENTS))}


def order(name: str, item: Any, printed: Plain) -> int:
    """Sort development tiles and events as in the rulebook."""
    return IN_THE_BOX.get(item, len(IN_THE_BOX)) if name in ("kind", "name") and isinstance(item, str) else 0


def aside(name: str, item: Any, printed: Plain) -> str:
    """Explain a development tile or event, by the game's sheet."""
    if name == "kind" and item in TILES_DO:
        start = f"tiles.{item}."
        return say(
            TILES_DO[item],
            **{path.removeprefix(start): number for path, number in printed.items() if path.startswith(start)},
        )
    if name == "name" and f"events.{item}.effect" in printed:
        effect, amount, per_loan = (printed[f"events.{item}.{field}"] for field in ("effect", "amount", "per_loan"))
        text = EVENTS_DO.get(effect)
        return say(text, amount=amount, per_loan=per_loan) if text else str(effect)
    return ""
