"""What every template may use: seat marks, times, and the language and light a browser has chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from flask import Flask, session
from flask_babel import format_datetime
from markupsafe import Markup

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import TABLE, Seat
from daybook.web import words
from daybook.web.request.access import signed_in_name, this_address, unveiled
from daybook.web.request.forms import text_of
from daybook.web.request.left_out import club_left_out, game_left_out
from daybook.web.words import N_, Names

LETTERS = "ABCDEF"
SHAPES = (  # in a square of 24: so that colour is never needed to tell seats apart
    '<circle class="shape" cx="12" cy="12" r="10.5"/>',
    '<path class="shape" d="M2.5 2.5h19v19h-19z"/>',
    '<path class="shape" d="M12 1 23.5 22H.5z"/>',
    '<path class="shape" d="M12 .5 23.5 12 12 23.5.5 12z"/>',
    '<path class="shape" d="M12 .6 15.4 7.6 23.3 8.5 17.4 13.9 19 21.8 12 17.9 5 21.8 6.6 13.9.7 8.5 8.6 7.6z"/>',
    '<path class="shape" d="M7.5 1h9v6.5H23v9h-6.5V23h-9v-6.5H1v-9h6.5z"/>',
)
TABLE_SHAPE = '<path class="shape" d="M6.5 2h11L23 12l-5.5 10h-11L1 12z"/>'
LETTER_AT = (16.4, 16.4, 18.6, 16.4, 16.6, 16.4)  # where the letter's foot stands in its shape
PAINTED = frozenset({"red", "blue", "green", "yellow", "black", "white", "purple", "orange", "brown", "grey", "pink"})
THEMES = {"": N_("as the device"), "light": N_("paper"), "dark": N_("slate")}


def dress(app: Flask) -> None:
    app.jinja_env.globals.update(
        RULESETS=RULESETS, TABLE=TABLE, text_of=text_of, names_of=names_of, by_labels=by_labels, seat_mark=seat_mark,
        letter=letter, theme=theme, themes=THEMES, signed_in_name=signed_in_name, this_address=this_address,
        veil_lifted=unveiled, game_left_out=game_left_out, club_left_out=club_left_out,
        **{name: getattr(words, name) for name in words.IN_TEMPLATES})
    app.jinja_env.filters.update(moment=moment, capitalize_first=capitalize_first)


def letter(seat: Seat) -> str:
    """A seat's letter: A sits first."""
    return "T" if seat == TABLE else LETTERS[seat]


def seat_mark(seat: Seat, colour: str = "", label: str = "") -> Markup:
    """A seat's shape and letter, in its colour of the game or in the one its place has.

    label: read aloud; leave it out where the name stands beside the mark.
    """
    paint = f"c-{colour}" if colour in PAINTED else f"s-{'table' if seat == TABLE else seat}"
    shape = TABLE_SHAPE if seat == TABLE else SHAPES[seat]
    foot = 16.4 if seat == TABLE else LETTER_AT[seat]
    spoken = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup(
        '<svg class="seat {}" viewBox="0 0 24 24" width="24" height="24" {}>{}'
        '<text x="12" y="{}" text-anchor="middle">{}</text></svg>'
    ).format(paint, spoken, Markup(shape), foot, letter(seat))


def theme() -> str:
    """The light this browser has chosen: "light", "dark", or "" for the device's own."""
    chosen = session.get("theme", "")
    return chosen if chosen in THEMES else ""


def moment(at: str) -> str:
    """A time of the record as people say it: 20 Nov 2026, 19:30."""
    return str(format_datetime(datetime.fromisoformat(at), words.say("d MMM y, HH:mm")))


def names_of(seats: Iterable[Seat], names: Names) -> list[str]:
    return [words.seat_name(seat, names) for seat in seats]


def by_labels(by: Iterable[str], names: Names, writers: Mapping[str, str]) -> list[str]:
    return [words.by_label(one, names, writers) for one in by]


def capitalize_first(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
