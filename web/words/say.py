"""Texts through gettext, and the form of a game's vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import g, has_app_context
from flask_babel import get_translations

from domain.ruleset import TABLE, Seat

Plain = Mapping[str, Any]
Names = Sequence[str]
Sentence = str | Callable[[Plain, Names], str]  # a text to fill with the fields, or what makes one


def N_(text: str) -> str:
    """Marks a text for translation; it is translated where it is said."""
    return text


def translations() -> Any:
    """The texts in the reader's language, looked up once in a request: a replay says thousands of them."""
    if not has_app_context():
        return get_translations()
    if "translations" not in g:
        g.translations = get_translations()
    return g.translations


def say(text: str, /, **figures: Any) -> str:
    """The text in the reader's language, filled."""
    return str(translations().ugettext(text)).format(**figures)


def say_n(one: str, many: str, n: int, /, **figures: Any) -> str:
    """As `say`, for a number that decides between two forms; it is filled in as {n}."""
    return str(translations().ungettext(one, many, n)).format(n=n, **figures)


def listed(words: Sequence[str]) -> str:
    """A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return say("{several} and {last}", several=", ".join(words[:-1]), last=words[-1])


def seat_name(seat: Seat, names: Names) -> str:
    return say("the table") if seat == TABLE else names[seat]


def signed(n: int) -> str:
    """+6, −2 with a real minus, ±0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n else "±0"


@dataclass(frozen=True, kw_only=True)
class GameWords:
    """A game's vocabulary. Sentences are filled with the fields of what they are about, each as `value` puts it."""

    value: Callable[[str, Any, Names], str]  # (field, value, names): a colour, a card, a seat as a word
    effects: Mapping[str, Sentence]  # by tag
    kinds: Mapping[str, str]  # decision tag -> what its button says
    decisions: Mapping[str, Sentence]  # decision tag -> the whole decision, as its button says it
    fields: Mapping[str, str | None]  # "tag.field" -> the question it answers; None: nobody is ever asked
    columns: Mapping[str, str]
    money: frozenset[str]  # columns that count money
    at_hand: tuple[str, ...] = ()  # the columns that matter to who decides; none named: all
    coin: str = "{n}"  # how money is written
    points: str = "{n}"  # how a score is written
    marks: Mapping[str, str | Callable[[int], str]]  # mark -> "round {n}"; the coarsest first
    lines: Mapping[str, Sentence]  # score line, or its name up to the first dot -> what it is for
    tiebreaks: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str]  # "hands" -> the question; "hands.open" -> an answer
    paths: Mapping[str, str]  # place on the board, * for one key -> its name, the keys as {0}, {1}
    numbers: Mapping[str, str]  # number on the component sheet, likewise
    chapters: Mapping[str, str]  # what the sheet's numbers begin with -> a heading
    unasked: tuple[str, ...] = ()  # places that nobody at a table can see; no form asks for them
    reasons: Mapping[str, str] = field(default_factory=dict)  # the rules' sentences that say it better with names
    prompt: Callable[[Plain, Seat, Names], str]  # (board, seat, names): what that seat has to decide, on one line
    seat_fields: frozenset[str] = frozenset({"seat"})  # fields that hold a seat
    seat_paths: frozenset[str] = frozenset()  # places on the board that hold a seat
    aside: Callable[[str, Any, Plain], str] = lambda field, value, printed: ""  # what a value means, in few words
    at_once: frozenset[str] = frozenset()  # decisions written at the first tap: small, and undone as quickly
    one_by_one: frozenset[str] = frozenset()  # kinds whose few decisions stand beside the other kinds
    seldom: frozenset[str] = frozenset()  # kinds that stand after the one usual kind, which is asked for at once
    group: Callable[[str, Any], str] = lambda field, value: ""  # what values belong together, where there are many
    advice: Callable[[int], str | None] = lambda seats: None  # what to know before a game with so many
