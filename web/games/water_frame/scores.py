"""Columns, score lines, options and what tiles and events do, in few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.web.games.water_frame.sheet import EVENT_EFFECTS, EVENTS
from daybook.web.games.water_frame.values import pounds
from daybook.web.words.say import N_, Names, Plain, Sentence, say, say_n

COLUMNS: Mapping[str, str] = {
    "cash": N_("cash"),
    "loans": N_("loans"),
    "shares": N_("shares"),
    "space": N_("share space"),
    "share_value": N_("share value"),
    "portfolio": N_("portfolio"),
    "factories": N_("factories"),
    "workers": N_("workers"),
    "machines": N_("machines"),
    "stored": N_("goods stored"),
    "contracts": N_("contracts"),
    "sold_food": N_("food sold"),
    "sold_clothes": N_("clothes sold"),
    "sold_cutlery": N_("cutlery sold"),
    "sold_lamps": N_("lamps sold"),
    "income": N_("income from sales"),
    "shipped": N_("income from ships"),
    "wages": N_("wages paid"),
    "upkeep": N_("upkeep paid"),
    "appeal_bonuses": N_("appeal bonuses"),
    "sales_bonuses": N_("sales bonuses"),
    "spaces_up": N_("share spaces gained"),
    "spaces_down": N_("share spaces lost"),
    "fulfilled": N_("contracts shipped"),
    "score": N_("would score"),
}
MONEY_COLUMNS = frozenset({"cash", "share_value", "portfolio", "income", "shipped", "wages", "upkeep", "score"})
OPTIONS: Mapping[str, str] = {
    "factories": N_("Factories and capital"),
    "factories.free": N_("free: everybody founds two factories and sells shares"),
    "factories.predetermined": N_("predetermined: as the rulebook prints them, start at once"),
    "mat": N_("Special markers mat and tiles"),
    "mat.random": N_("random: drawn at the table"),
    "mat.patrons": N_("random, with the four patrons among the tiles"),
    "mat.predetermined": N_("predetermined: as the rulebook prints them"),
    "events": N_("Events"),
    "events.random": N_("random: named when they are turned over"),
    "events.predetermined": N_("predetermined: Lobby, War, Bureaucracy, World Exhibition, the end"),
    "events.shuffled": N_("predetermined, with three of them shuffled"),
}
RANKED_BY = N_("Places go by portfolio, then by cash (WF-5.2.2); a total also has what the end would take off.")
TIEBREAKS = {"without_loans": N_("no loans"), "cash": N_("cash")}


def portfolio(line: Plain, names: Names) -> str:
    return say_n(
        "{n} share at {value} (space {space})",
        "{n} shares at {value} (space {space})",
        line["shares"],
        value=pounds(line["value"]),
        space=line["space"],
    )


def marked_line_sentence(line: Plain, names: Names) -> str:
    """2 marked factories: 8 spaces back to 35, 4 shares returned."""
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

TILES_DO: Mapping[str, str] = {
    "charisma": N_("wins ties; or names the start player"),
    "inventor": N_("one level ahead"),
    "accountant": N_("costs up to £{amount} more or less"),
    "administrator": N_("no fee; the £2 row stays open"),
    "agent": N_("ships {goods} more or fewer"),
    "broker": N_("{shares} shares at half price"),
    "developer": N_("a factory for £{less} less"),
    "engineer": N_("quality beyond the most"),
    "engineering_works": N_("£{pays} for a machine of others"),
    "extra_shifts": N_("{goods} more good"),
    "foreman": N_("wages £{less} less for {workers}"),
    "office": N_("£{pays} for a shipment"),
    "patent": N_("£{amount} more distribution"),
    "school": N_("keeps replaced workers; closes a row"),
    "small_warehouse": N_("stores {goods}"),
    "workshop": N_("£{machinery} more machinery; upkeep £{upkeep}"),
    "patron_food": N_("1 food more sold"),
    "patron_clothes": N_("1 clothes more sold"),
    "patron_cutlery": N_("1 cutlery more sold"),
    "patron_lamps": N_("1 lamps more sold"),
}

EVENTS_DO: Mapping[str, str] = {
    "close_row": N_("nobody uses the £{amount} row"),
    "fired_to_box": N_("fired workers go to the box: {amount}"),
    "best_quality": N_("best quality of each good: {amount} on"),
    "importers_back": N_("every importer: {amount} back"),
    "importers_on": N_("every importer: {amount} on"),
    "share_value_back": N_("every share value: {amount} back"),
    "share_value_on": N_("every share value: {amount} on"),
    "pay": N_("everyone pays £{amount}, and £{per_loan} for each loan"),
    "contracts_up": N_("every contract: {amount} up"),
}


IN_THE_BOX = {name: n for n, name in enumerate((*TILES_DO, *EVENTS))}


def order(name: str, of: Any, printed: Plain) -> int:
    """Development tiles and events as the rulebook lists them."""
    return IN_THE_BOX.get(of, len(IN_THE_BOX)) if name in ("kind", "name") and isinstance(of, str) else 0


def aside(name: str, of: Any, printed: Plain) -> str:
    """What a development tile or an event does, by the sheet the game is played with."""
    if name == "kind" and of in TILES_DO:
        start = f"tiles.{of}."
        return say(
            TILES_DO[of],
            **{path.removeprefix(start): number for path, number in printed.items() if path.startswith(start)},
        )
    if name == "name" and f"events.{of}.effect" in printed:
        effect, amount, per_loan = (printed[f"events.{of}.{field}"] for field in ("effect", "amount", "per_loan"))
        text = EVENTS_DO.get(effect) or EVENT_EFFECTS.get(effect)
        return say(text, amount=amount, per_loan=per_loan) if text else str(effect)
    return ""
