"""Seat marks: a letter and a shape per seat, so that colours are never needed to tell seats apart."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from daybook.domain.kernel.terms import TABLE, Seat

SEAT_LETTERS = "ABCDEFGHIJKLMNOPQRSUVWXYZ"  # T is the table
SHAPES = (  # in a square of 24; from the seventh seat on they repeat with other letters
    '<circle class="shape" cx="12" cy="12" r="10.5"/>',
    '<path class="shape" d="M2.5 2.5h19v19h-19z"/>',
    '<path class="shape" d="M12 1 23.5 22H.5z"/>',
    '<path class="shape" d="M12 .5 23.5 12 12 23.5.5 12z"/>',
    '<path class="shape" d="M12 .6 15.4 7.6 23.3 8.5 17.4 13.9 19 21.8 12 17.9 5 21.8 6.6 13.9.7 8.5 8.6 7.6z"/>',
    '<path class="shape" d="M7.5 1h9v6.5H23v9h-6.5V23h-9v-6.5H1v-9h6.5z"/>',
)
TABLE_SHAPE = '<path class="shape" d="M6.5 2h11L23 12l-5.5 10h-11L1 12z"/>'
LETTER_BASELINES = (16.4, 16.4, 18.6, 16.4, 16.6, 16.4)  # y of the letter in each shape
MARK_CACHE_SIZE = 1024  # drawn marks with names
PAINTED = frozenset(
    {"red", "blue", "green", "yellow", "black", "white", "purple", "orange", "brown", "grey", "pink", "teal"}
)


def seat_letter_of(seat: Seat) -> str:
    """Return a seat's letter; A is the first."""
    return "T" if seat == TABLE else SEAT_LETTERS[seat]


@lru_cache(MARK_CACHE_SIZE)
def seat_mark(seat: Seat, colour: str = "", label: str = "") -> Markup:
    """Draw a seat's shape and letter in its colour.

    Args:
        label: for screen readers; omit it next to the name.
    """
    spoken = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="seat {}" viewBox="0 0 24 24" width="24" height="24" {}>{}</svg>').format(
        seat_paint(seat, colour), spoken, seat_shape(seat)
    )


def seat_paint(seat: Seat, colour: str = "") -> str:
    """Return the CSS class of a seat's colour."""
    return f"c-{colour}" if colour in PAINTED else f"s-{'table' if seat == TABLE else seat % len(SHAPES)}"


def seat_shape(seat: Seat) -> Markup:
    """Draw a seat's shape with its letter, in a square of 24."""
    return seat_outline(seat) + seat_letter(seat)


def seat_outline(seat: Seat) -> Markup:
    """Draw a seat's shape without its letter."""
    return Markup(TABLE_SHAPE if seat == TABLE else SHAPES[seat % len(SHAPES)])


@lru_cache(MARK_CACHE_SIZE)
def seat_letter(seat: Seat, colour: str = "") -> Markup:
    """Draw a seat's letter at its place in the shape, with an explicit colour where no style sets one."""
    foot = 16.4 if seat == TABLE else LETTER_BASELINES[seat % len(SHAPES)]
    return Markup('<text{} x="12" y="{}" text-anchor="middle">{}</text>').format(
        Markup(' fill="{}"').format(colour) if colour else "", foot, seat_letter_of(seat)
    )
