"""Words of statistics: measures, headings, questions and cells, in the words of each game.

Figures come as codes and numbers in `services.statistics.table.FigureTable`. `ruleset_id` is "" for several games
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from babel.dates import get_day_names
from flask_babel import format_date, get_locale

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.game_statistics import Added, First, Greatest, Measure
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.statistics.figure_questions import measures
from daybook.services.statistics.table import FEW as FEW
from daybook.services.statistics.table import FigureRow, FigureTable, Heading
from daybook.web.words import (
    GAMES,
    colour_label,
    game_title,
    kind_label,
    mark_label,
    options_label,
    sentence,
    value_label,
)
from daybook.web.words.game_pages import pages_of
from daybook.web.words.league_words import amount, person_name
from daybook.web.words.say import N_, Texts, day_label, isolate, join_words, say, say_n, signed_amount
from daybook.web.words.seat_marks import seat_letter_of

Names = Mapping[str, str]
SECONDS_PER_HOUR = 3600
WHOLE_HOURS = 10  # hours from which no digit after the point is shown
NONE = "–"
MINUTE, HOUR = 60, 3600
SEATS_MOST = 6

RESULTS = N_({"won": ("the others", "winners")})
STARTED = N_(("the others", "starting player"))
NEW = N_(("played it before", "first play of the game"))
CHANGES: Texts = {"drawn": "luck", "decided": "play", "together": "both"}
WHICH: Texts = {"most": "most", "least": "least"}


# --- titles ----------------------------------------------------------------------------------------------------------


def games_label(ruleset_id: str) -> str:
    """Return a game's title, or "All games"."""
    return game_title(ruleset_id) if rules_of(ruleset_id) else say("All games")


def measure_named(ruleset_id: str, key: str) -> Measure:
    """Return a measure by its key. Raises KeyError."""
    return _measures(ruleset_id)[key]


@cache
def _measures(ruleset_id: str) -> dict[str, Measure]:
    return {measure.key: measure for measure in measures(ruleset_id)}


def heading_label(heading: Heading, ruleset_id: str) -> str:
    """Return a column's heading."""
    if heading.kind == "what" and heading.unit:
        return say(KINDS_OF_THINGS.get(heading.unit, heading.says))
    if heading.kind == "number":
        return say(PERIODS.get(period_of(heading.unit, ruleset_id), heading.says))
    return say(heading.says)


KINDS_OF_THINGS: Texts = {
    "goods": "Goods",
    "good": "Good",
    "card": "Card",
    "colour": "Colour",
    "place": "Where from",
    "reason": "Why",
    "market": "Market",
    "merchant": "Merchant",
    "action": "Action",
    "special marker": "Special marker",
    "tile": "Development tile",
    "expense": "Expense",
    "track": "Development",
    "achievement": "Achievement",
}
PERIODS: Texts = {"round": "Round", "decade": "Decade"}


def period_of(unit: str, ruleset_id: str) -> str:
    """Return the period of a unit; "*" is the coarsest period of the game."""
    if unit == "*":
        rules = rules_of(ruleset_id)
        return rules.course.periods[0] if rules else ""
    return unit


# --- cells -----------------------------------------------------------------------------------------------------------


def is_figure(heading: Heading) -> bool:
    """Check if a column holds amounts, which are right-aligned."""
    return heading.kind in ("count", "mean", "amount", "rate", "wins", "effect", "gain")


def cell_label(table: FigureTable, row: FigureRow, place: int, ruleset_id: str, names: Names, zone: str = "UTC") -> str:
    """Format a cell.

    Args:
        zone: time zone of its days.
    """
    heading, value = table.headings[place], row.cells[place]
    unit = heading.unit
    if heading.kind in ("mean", "amount") and "measure" in {each.kind for each in table.headings}:
        unit = measure_named(ruleset_id, row.cells[[each.kind for each in table.headings].index("measure")]).unit
    if heading.kind == "what":
        return thing_label(ruleset_id, table.about, value)
    if heading.kind == "person" and row.others:
        return holders_label((value, *row.others), names)
    return figure_label(heading, value, unit, ruleset_id, names, zone)


MAX_HOLDERS_NAMED = 3


def holders_label(people: Sequence[str], names: Names) -> str:
    """Name the holders of a record."""
    named = [person_name(person, names) for person in people[:MAX_HOLDERS_NAMED]]
    if more := len(people) - len(named):
        return say_n("{names} and {n} more", "{names} and {n} more", more, names=", ".join(map(isolate, named)))
    return join_words(named)


def figure_label(heading: Heading, value: Any, unit: str, ruleset_id: str, names: Names, zone: str = "UTC") -> str:
    """Format a value by the kind of its column."""
    if value is None:
        return NONE
    match heading.kind:
        case "person":
            return person_name(value, names) if value else NONE
        case "seat":
            return seat_label(value)
        case "seats":
            return say_n("{n} player", "{n} players", value)
        case "won":
            return say(RESULTS["won"][1 if value else 0])
        case "colour":
            return any_colour(ruleset_id, value)
        case "month":
            return str(format_date(date.fromisoformat(f"{value}-01"), say("MMM y")))
        case "weekday":
            return str(get_day_names(locale=str(get_locale()))[value])
        case "hour":
            return f"{value}:00–{value}:59"
        case "started":
            return say(STARTED[value])
        case "new":
            return say(NEW[value])
        case "at":
            return day_label(value, zone) if value else NONE
        case "ruleset":
            return games_label(value)
        case "number":
            return period_label(ruleset_id, heading.unit, value)
        case "measure":
            return say(measure_named(ruleset_id, value).says)
        case "which":
            return say(WHICH[value])
        case "rate":
            return share_label(value)
        case "wins":
            return (
                format_number(value, 2) if heading.key == "expected" else amount(Fraction(value).limit_denominator(60))
            )
        case "effect" | "gain":
            return signed_number(value)
        case "change":
            return say(CHANGES[value])
        case "mean" | "amount" | "value":
            return with_unit(value, unit or heading.unit, ruleset_id)
        case "decision":
            return opening_decision_label(ruleset_id, value, "every")
        case "options":
            return options_label(ruleset_id, value)
    return str(value)


def seat_label(seat: Seat) -> str:
    return say("the table") if seat == TABLE else say("seat {letter}", letter=seat_letter_of(seat))


def any_colour(ruleset_id: str, colour: str) -> str:
    """Return a colour in the words of the game, or of any game that has it."""
    for candidate in [ruleset_id] if rules_of(ruleset_id) else RULESETS:
        label = colour_label(candidate, colour)
        if label != colour:
            return label
    return colour


def period_label(ruleset_id: str, unit: str, n: int) -> str:
    period = period_of(unit, ruleset_id)
    if n == 0:
        return say("set-up")
    return mark_label(ruleset_id, period, n) if period and rules_of(ruleset_id) else str(n)


def thing_label(ruleset_id: str, measure: str, thing: str) -> str:
    """Return a measured thing (a good, a card, a market) in the words of its game."""
    field = _field_of(ruleset_id, measure)
    text = value_label(ruleset_id, field, thing, ()) if rules_of(ruleset_id) else thing
    counted = pages_of(ruleset_id).counted
    return say(counted[thing]) if text == thing and thing in counted else text


@cache
def _field_of(ruleset_id: str, measure: str) -> str:
    """Return the record's field that a measure is split by."""
    reading = _measures(ruleset_id)[measure].reading if measure in _measures(ruleset_id) else None
    if not isinstance(reading, Added | Greatest | First):
        return ""
    return next((part.each or part.amount[0] for part in reading.parts if part.each or part.amount), "")


# --- amounts ---------------------------------------------------------------------------------------------------------


def with_unit(value: float, unit: str, ruleset_id: str) -> str:
    """Format an amount as the game writes it: £12.5, 64 min, 40%."""
    match unit:
        case "money" if rules_of(ruleset_id):
            amount = say(GAMES[ruleset_id].coin, n=format_number(abs(value)))
            return signed_amount("−", amount) if value < 0 else amount
        case "points" if rules_of(ruleset_id):
            sign = "−" if value < 0 else ""
            return sign + say(GAMES[ruleset_id].points, n=format_number(abs(value)))
        case "seconds":
            return format_duration(value)
        case "percent":
            return f"{format_number(value, 0)}%"
    return format_number(value)


def format_number(value: float, digits: int = 2) -> str:
    """Format a number with a minus sign and without trailing zeros: 7, 7.5, 6.67."""
    text = f"{value:.{digits}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short in ("-0", "") else short.replace("-", "−")


def format_hours(seconds: float) -> str:
    """Format a length in hours; with one digit below ten hours: 0.4, 12."""
    hours = seconds / SECONDS_PER_HOUR
    return format_number(hours, 0 if hours >= WHOLE_HOURS else 1)


def share_label(share: float) -> str:
    """Format a share as percent."""
    return f"{format_number(100 * share, 0)}%"


def signed_number(value: float) -> str:
    return f"+{format_number(value)}" if value > 0 else format_number(value)


def format_duration(seconds: float) -> str:
    if seconds < MINUTE:
        return say("{n} s", n=round(seconds))
    if seconds < HOUR:
        return say("{n} min", n=round(seconds / MINUTE))
    hours, rest = divmod(round(seconds / MINUTE), 60)
    return say("{hours} h {minutes} min", hours=hours, minutes=rest)


# --- openings --------------------------------------------------------------------------------------------------------


def opening_decision_label(ruleset_id: str, decision: Mapping[str, Any], way: str) -> str:
    """Return a decision's button text, with other seats as player numbers."""
    names = [opening_seat(seat, way) for seat in range(SEATS_MOST)]
    plain = {key: _player(value) for key, value in decision.items()}
    try:
        return sentence(ruleset_id, plain, names)
    except (KeyError, IndexError, TypeError, msgspec.ValidationError):
        return kind_label(ruleset_id, decision["type"])


def _player(value: Any) -> Any:
    if isinstance(value, str) and value.startswith("seat:"):
        return opening_seat(int(value.removeprefix("seat:")), "seats")
    return value


def opening_seat(seat: Seat, way: str) -> str:
    """Return a seat of an opening: its letter, or its distance from the first to decide."""
    if seat == TABLE or way == "every":
        return seat_label(seat)
    return say("player {n}", n=seat + 1)


def few_games_text() -> str:
    return say("– : fewer than {n} games, too few for a figure.", n=FEW)
