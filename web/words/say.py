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

from daybook.domain.kernel.terms import TABLE, ByNumber, Decision, Seat
from daybook.services.days import day_of
from daybook.web.words.korean import choose_particles

Plain = Mapping[str, Any]
Names = Sequence[str]
Texts = dict[str, str]  # a table that is declared as this holds texts, which need no mark of their own
Sentence = str | Callable[[Any, Names], str]  # a text to fill with the fields, or what makes one
Value = Callable[[str, Any, Names], str]  # how a game puts the value of a field
SEAT_IN_REASON = "seat {seat}"
TEXTS = 20_000  # kept as they are said, of all languages together
AS_WRITTEN = NullTranslations()  # where no application speaks
# letters written from right to left
BACKWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
ISOLATE, ISOLATED = "\u2068", "\u2069"  # around what is read in its own direction
Marked = TypeVar("Marked")
Told = TypeVar("Told", bound=msgspec.Struct)
Decided = TypeVar("Decided", bound=Decision)


def N_(text: Marked) -> Marked:
    """Marks a text for translation, or all that stand in a table; each is translated where it is said."""
    return text


def translations() -> Any:
    """Return the texts in the viewer's language; looked up once in a request, because a replay has thousands."""
    try:
        return g.translations
    except AttributeError:
        g.translations = get_translations()
        return g.translations
    except RuntimeError:  # outside of any application
        return AS_WRITTEN


@lru_cache(TEXTS)
def _translated(into: Any, text: str) -> str:
    """A text in a language, and plain, though a template gives it as HTML: the template makes HTML of the whole."""
    return str(into.ugettext(text))


def say(text: str, /, **figures: Any) -> str:
    """The text in the reader's language, filled."""
    said = _translated(translations(), text)
    if "(" in said:
        return _fill(said, figures)
    filled = said.format(**figures)
    return _fill_in_order(said, figures) if BACKWARDS.search(filled) else filled


def say_n(one: str, many: str, n: int, /, **figures: Any) -> str:
    """As `say`, for a number that decides between two forms; it is filled in as {n}."""
    return _fill(translations().ungettext(one, many, n), {"n": n, **figures})


def say_n_in(context: str, one: str, many: str, n: int, /, **figures: Any) -> str:
    """As `say_n`, for a text that means several things. context: which one, in a word for translators."""
    return _fill(translations().unpgettext(context, one, many, n), {"n": n, **figures})


def say_reason(sentence: str | ByNumber, figures: Mapping[str, Any], n: Mapping[str, int | str]) -> str:
    """A sentence of the rules, which call a seat by its number, with what `figures` has for it. n: the bare figures."""
    if isinstance(sentence, ByNumber):
        text = translations().ungettext(sentence.one, sentence.many, int(n[sentence.figure]))
    else:
        text = translations().ugettext(sentence)
    return _fill(text.replace(SEAT_IN_REASON, "{seat}"), figures)


def _fill(text: Any, figures: Mapping[str, Any]) -> str:
    said = choose_particles(str(text), figures)
    filled = said.format(**figures)
    return _fill_in_order(said, figures) if BACKWARDS.search(filled) else filled


def _fill_in_order(said: str, figures: Mapping[str, Any]) -> str:
    """The same, where a name is written from right to left."""
    return said.format(**{name: isolate(of) if isinstance(of, str) else of for name, of in figures.items()})


def isolate(name: str) -> str:
    """A name for a sentence: one written from right to left leaves the words around it in their order."""
    if ISOLATE in name or not BACKWARDS.search(name):
        return name
    return ISOLATE + name + ISOLATED


def join_words(words: Sequence[str]) -> str:
    """A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return say("{several} and {last}", several=", ".join(map(isolate, words[:-1])), last=words[-1])


def day_label(at: str, zone: str = "UTC") -> str:
    """A day as people say it: 20 Nov 2026. at: a day, or a moment, which belongs to a day of the time zone."""
    day = at if len(at) == len("2026-11-20") else day_of(at, zone)
    return str(format_date(date.fromisoformat(day), say("d MMM y")))


def weekday_label(day: date) -> str:
    """A day as people call an evening: Thursday, 26 Nov."""
    return str(format_date(day, say("EEEE, d MMM")))


Text = str | ByNumber


@dataclass(frozen=True)
class Filled:
    """A text, or what chooses one; it is filled with the fields of what is told, and with figures of its own."""

    text: Text | Callable[[Any], Text]
    figures: Mapping[str, Callable[[Any], Any]]


Sentences = dict[type[msgspec.Struct], Sentence | Filled]  # by the type of a decision or an effect


def says(
    kind: type[Told], sentence: Text | Callable[[Told, Names], str], /, **figures: str | Callable[[Told], Any]
) -> tuple[type[msgspec.Struct], Sentence | Filled]:
    """One kind of decision or effect and its sentence, which is held to the fields of that kind.

    figures: what else a text is filled with: a field as it is, by its name, or what is made of the whole.
    """
    if callable(sentence):
        return kind, sentence
    return kind, _filled(sentence, figures) if figures else str(sentence)


def says_one_of(
    kind: type[Told], choose: Callable[[Told], Text], /, **figures: str | Callable[[Told], Any]
) -> tuple[type[msgspec.Struct], Filled]:
    """As `says`, where the kind has several texts: only what the chosen one names is asked of `figures`."""
    return kind, _filled(choose, figures)


def _filled(text: Text | Callable[[Any], Text], figures: Mapping[str, str | Callable[[Any], Any]]) -> Filled:
    return Filled(text, {name: attrgetter(of) if isinstance(of, str) else of for name, of in figures.items()})


def sentences(*told: tuple[type[msgspec.Struct], Sentence | Filled]) -> Sentences:
    """What a game says of its decisions or its effects: `sentences(says(Chopped, "{seat} chops {trees}"), ...)`."""
    return dict(told)


def sentence_for(struct: msgspec.Struct, by_kind: Sentences, value: Value, names: Names) -> str:
    """A decision or an effect in words. value: how a game puts the plain value of a field."""
    sentence = by_kind[type(struct)]
    if isinstance(sentence, Filled):
        return _fill_text(sentence, struct, value, names)
    if callable(sentence):
        return sentence(struct, names)
    return fill_sentence(sentence, msgspec.to_builtins(struct), value, names)


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
    """A text with plain fields in it, each as the game puts its value."""
    return say(text, **{name: value(name, fields[name], names) for name in figures_in(text)})


def tell_with(value: Value, text: str, struct: msgspec.Struct, names: Names, /, **instead: Any) -> str:
    """As `say`, with the fields of what was decided or happened, each as a game puts its value, but for those given."""
    return _fill_told(translations().ugettext(text), value, struct, names, instead)


def tell_n_with(
    value: Value, one: str, many: str, n: int, struct: msgspec.Struct, names: Names, /, **instead: Any
) -> str:
    """As `tell_with`, for a number that decides between two forms."""
    return _fill_told(translations().ungettext(one, many, n), value, struct, names, {"n": n, **instead})


def _fill_told(text: str, value: Value, struct: msgspec.Struct, names: Names, instead: Mapping[str, Any]) -> str:
    figures = {
        name: instead[name] if name in instead else value(name, getattr(struct, name), names)
        for name in figures_in(text)
    }
    return _fill(text, figures)


@cache
def figures_in(text: str) -> frozenset[str]:
    """The names of what is filled into a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def of_kind(decisions: Iterable[Decision], kind: type[Decided]) -> list[Decided]:
    """Those of the decisions that are of one kind."""
    return [decision for decision in decisions if isinstance(decision, kind)]


def seat_name(seat: Seat, names: Names) -> str:
    return say("the table") if seat == TABLE else names[seat]


def name_or_number(seat: Seat, names: Names) -> str:
    """A seat by its name where that is known, else by its number, as the record has it."""
    return seat_name(seat, names) if TABLE <= seat < len(names) else say("seat {number}", number=seat)


def begin(sentence: str, names: Names) -> str:
    """A sentence with a capital at its start; a name stays as it is written."""
    if sentence.startswith(sentence[:1].upper()):
        return sentence
    is_name = any(
        sentence.startswith(name) and not sentence[len(name) : len(name) + 1].isalnum() for name in names if name
    )
    return sentence if is_name else sentence[:1].upper() + sentence[1:]


def signed_amount(sign: str, amount: str) -> str:
    """An amount of money behind its sign: −£2. No line breaks between the two, as it would before a coin."""
    return f"{sign}\N{WORD JOINER}{amount}"


def with_sign(n: int) -> str:
    """+6, −2 with a real minus, ±0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n else "±0"
