"""Texts through gettext, filled with figures and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from operator import attrgetter
from string import Formatter
from typing import Any, TypeVar

import msgspec
from babel.support import NullTranslations
from flask import g
from flask_babel import format_date, get_translations

from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import TABLE, ByNumber, Decision, Seat
from daybook.services.days import day_of
from daybook.web.words.korean import choose_particles

Plain = Mapping[str, Any]
Names = Sequence[str]
Texts = dict[str, str]  # texts in a table of this type are extracted for translation
Sentence = str | Callable[[Any, Names], str]  # a text to fill with the fields, or a function that builds it
Value = Callable[[str, Any, Names], str]  # formats the value of a field
SEAT_IN_REASON = "seat {seat}"
TRANSLATION_CACHE_SIZE = 20_000  # texts of all languages together
AS_WRITTEN = NullTranslations()  # outside of any application
# letters written from right to left
BACKWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
ISOLATE, ISOLATED = "\u2068", "\u2069"  # Unicode marks around text with its own direction
Marked = TypeVar("Marked")
Told = TypeVar("Told", bound=msgspec.Struct)
Decided = TypeVar("Decided", bound=Decision)


def N_(text: Marked) -> Marked:
    """Mark a text, or all texts in a table, for translation when it is used."""
    return text


def translations() -> Any:
    """Return the texts in the viewer's language; cached for the request, because a replay needs thousands."""
    try:
        context: Any = g._get_current_object()  # half the time of an attribute of the proxy
        return context.translations
    except AttributeError:
        g.translations = get_translations()
        return g.translations
    except RuntimeError:  # outside of any application
        return AS_WRITTEN


@lru_cache(TRANSLATION_CACHE_SIZE)
def _translated(into: Any, text: str) -> str:
    """Return a translated text as a plain string, also if a template passes Markup."""
    return str(into.ugettext(text))


def say(text: str, /, **figures: Any) -> str:
    """Return the text in the viewer's language, filled with figures."""
    said = _translated(translations(), text)
    if "(" in said:
        return _fill(said, figures)
    if not figures:
        return said.format()
    filled = said.format(**figures)
    return _fill_in_order(said, figures) if BACKWARDS.search(filled) else filled


def say_n(singular: str, plural: str, n: Points, /, **figures: Any) -> str:
    """Return the singular or plural for a number, filled with figures and with the number as {n}.

    A half has the plural: 0.5 points.
    """
    return _fill(translations().ungettext(singular, plural, n if isinstance(n, int) else 2), {"n": n, **figures})


def say_n_in(context: str, singular: str, plural: str, n: int, /, **figures: Any) -> str:
    """Return the singular or plural of an ambiguous text.

    Args:
        context: a word that tells translators the meaning.
    """
    return _fill(translations().unpgettext(context, singular, plural, n), {"n": n, **figures})


def say_reason(sentence: str | ByNumber, figures: Mapping[str, Any], numbers: Mapping[str, Points | str]) -> str:
    """Return a sentence of the rules, filled with figures. Seats get their names instead of numbers.

    Args:
        numbers: the figures as numbers, to choose the plural.
    """
    if isinstance(sentence, ByNumber):
        text = translations().ungettext(sentence.one, sentence.many, int(numbers[sentence.figure]))
    else:
        text = translations().ugettext(sentence)
    return _fill(text.replace(SEAT_IN_REASON, "{seat}"), figures)


def _fill(text: Any, figures: Mapping[str, Any]) -> str:
    """Fill figures into a translated text, with the right Korean particles."""
    said = choose_particles(str(text), figures)
    filled = said.format(**figures)
    return _fill_in_order(said, figures) if BACKWARDS.search(filled) else filled


def _fill_in_order(text: str, figures: Mapping[str, Any]) -> str:
    """Fill a text with names that are written from right to left."""
    return text.format(**{name: isolate(value) if isinstance(value, str) else value for name, value in figures.items()})


def isolate(name: str) -> str:
    """Isolate a name that is written from right to left, to keep the order of the words around it."""
    if ISOLATE in name or not BACKWARDS.search(name):
        return name
    return ISOLATE + name + ISOLATED


def join_words(words: Sequence[str]) -> str:
    """Join words as "A, B and C"."""
    if len(words) < 2:
        return "".join(words)
    return say("{several} and {last}", several=", ".join(map(isolate, words[:-1])), last=words[-1])


def day_label(at: str, zone: str = "UTC") -> str:
    """Format a day: 20 Nov 2026.

    Args:
        at: a day, or a moment.
        zone: the time zone in which a moment becomes a day.
    """
    day = at if len(at) == len("2026-11-20") else day_of(at, zone)
    return str(format_date(date.fromisoformat(day), say("d MMM y")))


def weekday_label(day: date) -> str:
    """Format a day with its weekday: Thursday, 26 Nov."""
    return str(format_date(day, say("EEEE, d MMM")))


Text = str | ByNumber


@dataclass(frozen=True)
class Filled:
    """A text, or a function that chooses one, with additional figures to fill it."""

    text: Text | Callable[[Any], Text]
    figures: Mapping[str, Callable[[Any], Any]]


Sentences = dict[type[msgspec.Struct], Sentence | Filled]  # by the type of a decision or an effect


def says(
    kind: type[Told], sentence: Text | Callable[[Told, Names], str], /, **figures: str | Callable[[Told], Any]
) -> tuple[type[msgspec.Struct], Sentence | Filled]:
    """Pair a kind of decision or effect with its sentence, checked against its fields.

    Args:
        figures: additional figures: the name of a field for its raw value, or a function of the whole.
    """
    if callable(sentence):
        return kind, sentence
    return kind, _filled(sentence, figures) if figures else str(sentence)


def says_one_of(
    kind: type[Told], choose: Callable[[Told], Text], /, **figures: str | Callable[[Told], Any]
) -> tuple[type[msgspec.Struct], Filled]:
    """Pair a kind with a function that chooses its sentence; only figures that the chosen text names are computed."""
    return kind, _filled(choose, figures)


def _filled(text: Text | Callable[[Any], Text], figures: Mapping[str, str | Callable[[Any], Any]]) -> Filled:
    return Filled(
        text, {name: attrgetter(figure) if isinstance(figure, str) else figure for name, figure in figures.items()}
    )


def sentences(*pairs: tuple[type[msgspec.Struct], Sentence | Filled]) -> Sentences:
    """Collect a game's sentences by kind: `sentences(says(Chopped, "{seat} chops {trees}"), ...)`."""
    return dict(pairs)


def sentence_for(struct: msgspec.Struct, by_kind: Sentences, format_value: Value, names: Names) -> str:
    """Describe a decision or an effect.

    Args:
        format_value: formats the value of a field.
    """
    sentence = by_kind[type(struct)]
    if isinstance(sentence, Filled):
        return _fill_text(sentence, struct, format_value, names)
    if callable(sentence):
        return sentence(struct, names)
    return fill_sentence(sentence, msgspec.to_builtins(struct), format_value, names)


def _fill_text(sentence: Filled, struct: msgspec.Struct, value: Value, names: Names) -> str:
    text, own = sentence.text(struct) if callable(sentence.text) else sentence.text, sentence.figures
    if isinstance(text, ByNumber):
        said = translations().ungettext(text.one, text.many, own[text.figure](struct))
    else:
        said = translations().ugettext(text)
    figures = {
        name: own[name](struct) if name in own else value(name, getattr(struct, name), names)
        for name in figures_in(said)
    }
    return _fill(said, figures)


def fill_sentence(text: str, fields: Mapping[str, Any], value: Value, names: Names) -> str:
    """Fill a text with fields, formatted by the game."""
    return say(text, **{name: value(name, fields[name], names) for name in figures_in(text)})


def tell_with(value: Value, text: str, struct: msgspec.Struct, names: Names, /, **instead: Any) -> str:
    """Translate a text and fill it with the fields of a decision or effect, formatted by the game.

    Args:
        instead: values that replace those of the fields.
    """
    return _fill_from_struct(translations().ugettext(text), value, struct, names, instead)


def tell_n_with(
    value: Value, singular: str, plural: str, n: int, struct: msgspec.Struct, names: Names, /, **instead: Any
) -> str:
    """Fill the singular or plural for a number, as `tell_with` does."""
    return _fill_from_struct(translations().ungettext(singular, plural, n), value, struct, names, {"n": n, **instead})


def _fill_from_struct(text: str, value: Value, struct: msgspec.Struct, names: Names, instead: Mapping[str, Any]) -> str:
    figures = {
        name: instead[name] if name in instead else value(name, getattr(struct, name), names)
        for name in figures_in(text)
    }
    return _fill(text, figures)


@cache
def figures_in(text: str) -> frozenset[str]:
    """Return the names of a text's figures."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def of_kind(decisions: Iterable[Decision], kind: type[Decided]) -> list[Decided]:
    """Return the decisions of a kind."""
    return [decision for decision in decisions if isinstance(decision, kind)]


def seat_name(seat: Seat, names: Names) -> str:
    return say("the table") if seat == TABLE else names[seat]


def name_or_number(seat: Seat, names: Names) -> str:
    """Return a seat's name, or its number for a seat without a name."""
    return seat_name(seat, names) if TABLE <= seat < len(names) else say("seat {number}", number=seat)


def begin(sentence: str, names: Names) -> str:
    """Capitalize the start of a sentence, unless it starts with a name."""
    if sentence.startswith(sentence[:1].upper()):
        return sentence
    is_name = any(
        sentence.startswith(name) and not sentence[len(name) : len(name) + 1].isalnum() for name in names if name
    )
    return sentence if is_name else sentence[:1].upper() + sentence[1:]


def signed_amount(sign: str, amount: str) -> str:
    """Join a sign and an amount of money without a line break: −£2."""
    return f"{sign}\N{WORD JOINER}{amount}"


def number(n: Points) -> str:
    """Format a number with a minus sign: 6, −2."""
    return str(as_points(n)).replace("-", "\N{MINUS SIGN}")


def with_sign(n: Points) -> str:
    """Format a number with its sign: +6, −2, ±0."""
    n = as_points(n)
    return f"+{n}" if n > 0 else f"−{-n}" if n else "±0"
