"""Seat marks: the letter and the shape by which each seat is known, so that nobody has to tell colours apart."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from daybook.domain.kernel.terms import TABLE, Seat

LETTERS = "ABCDEFGHIJKLMNOPQRSUVWXYZ"  # T is the table
SHAPES = (  # in a square of 24: so that colour is never needed to tell seats apart; from the seventh on the letter does
    '<circle class="shape" cx="12" cy="12" r="10.5"/>',
    '<path class="shape" d="M2.5 2.5h19v19h-19z"/>',
    '<path class="shape" d="M12 1 23.5 22H.5z"/>',
    '<path class="shape" d="M12 .5 23.5 12 12 23.5.5 12z"/>',
    '<path class="shape" d="M12 .6 15.4 7.6 23.3 8.5 17.4 13.9 19 21.8 12 17.9 5 21.8 6.6 13.9.7 8.5 8.6 7.6z"/>',
    '<path class="shape" d="M7.5 1h9v6.5H23v9h-6.5V23h-9v-6.5H1v-9h6.5z"/>',
)
TABLE_SHAPE = '<path class="shape" d="M6.5 2h11L23 12l-5.5 10h-11L1 12z"/>'
LETTER_AT = (16.4, 16.4, 18.6, 16.4, 16.6, 16.4)  # where the letter's foot stands in its shape
MARKS = 1024  # kept as they are drawn, each with who is called so
PAINTED = frozenset(
    {"red", "blue", "green", "yellow", "black", "white", "purple", "orange", "brown", "grey", "pink", "teal"}
)


def letter(seat: Seat) -> str:
    """A seat's letter: A sits first."""
    return "T" if seat == TABLE else LETTERS[seat]


@lru_cache(MARKS)
def seat_mark(seat: Seat, colour: str = "", label: str = "") -> Markup:
    """A seat's shape and letter, in its colour of the game or in the one its place has.

    label: read aloud; leave it out where the name stands beside the mark.
    """
    spoken = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="seat {}" viewBox="0 0 24 24" width="24" height="24" {}>{}</svg>').format(
        seat_paint(seat, colour), spoken, seat_shape(seat)
    )


def seat_paint(seat: Seat, colour: str = "") -> str:
    """The class that gives a seat's mark its colour."""
    return f"c-{colour}" if colour in PAINTED else f"s-{'table' if seat == TABLE else seat % len(SHAPES)}"


def seat_shape(seat: Seat) -> Markup:
    """A seat's shape with its letter, in a square of 24."""
    return seat_outline(seat) + seat_letter(seat)


def seat_outline(seat: Seat) -> Markup:
    """A seat's shape without its letter."""
    return Markup(TABLE_SHAPE if seat == TABLE else SHAPES[seat % len(SHAPES)])


@lru_cache(MARKS)
def seat_letter(seat: Seat, colour: str = "") -> Markup:
    """A seat's letter where it stands in its shape; in a colour, where no style gives it one."""
    foot = 16.4 if seat == TABLE else LETTER_AT[seat % len(SHAPES)]
    return Markup('<text{} x="12" y="{}" text-anchor="middle">{}</text>').format(
        Markup(' fill="{}"').format(colour) if colour else "", foot, letter(seat)
    )
