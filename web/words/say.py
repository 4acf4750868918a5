"""Texts through gettext, and the form of a game's vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from flask import g, has_app_context
from flask_babel import get_translations

from daybook.domain.kernel.terms import TABLE, Decision, Effect, Seat
from daybook.web.words.account import AccountWords
from daybook.web.words.korean import particles

Plain = Mapping[str, Any]
Names = Sequence[str]
Sentence = str | Callable[[Any, Names], str]  # a text to fill with the fields, or what makes one
Sentences = dict[type[msgspec.Struct], Sentence]  # by the type of a decision or an effect
WITH = "with"  # {"with": ["R1", "M2"]}: of a list it is chosen that it holds these
Told = TypeVar("Told", bound=msgspec.Struct)
Decided = TypeVar("Decided", bound=Decision)


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
    return particles(str(translations().ugettext(text)), figures).format(**figures)


def say_n(one: str, many: str, n: int, /, **figures: Any) -> str:
    """As `say`, for a number that decides between two forms; it is filled in as {n}."""
    return particles(str(translations().ungettext(one, many, n)), {"n": n, **figures}).format(n=n, **figures)


def say_n_in(context: str, one: str, many: str, n: int, /, **figures: Any) -> str:
    """As `say_n`, for a text that means several things. context: which one, in a word for translators."""
    return particles(str(translations().unpgettext(context, one, many, n)), {"n": n, **figures}).format(n=n, **figures)


def listed(words: Sequence[str]) -> str:
    """A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return say("{several} and {last}", several=", ".join(words[:-1]), last=words[-1])


@dataclass(frozen=True)
class Numbered:
    """A sentence of the rules in two forms; figure: the one that decides between them."""

    figure: str
    one: str
    many: str


def by_number(figure: str, one: str, many: str) -> Numbered:
    """Marks both forms for translation; which one fits is decided where it is said."""
    return Numbered(figure, one, many)


def says(kind: type[Told], sentence: str | Callable[[Told, Names], str]) -> tuple[type[msgspec.Struct], Sentence]:
    """One kind of decision or effect and its sentence, which is held to the fields of that kind."""
    return kind, sentence


def sentences(*told: tuple[type[msgspec.Struct], Sentence]) -> Sentences:
    """What a game says of its decisions or its effects: `sentences(says(Chopped, "{seat} chops {trees}"), ...)`."""
    return dict(told)


def sentence_for(
    told: msgspec.Struct, by_kind: Sentences, value: Callable[[str, Any, Names], str], names: Names,
) -> str:
    """A decision or an effect in words. value: how a game puts the plain value of a field."""
    sentence = by_kind[type(told)]
    return sentence(told, names) if callable(sentence) else filled(sentence, msgspec.to_builtins(told), value, names)


def filled(
    text: str, fields: Mapping[str, Any], value: Callable[[str, Any, Names], str], names: Names,
) -> str:
    """A text with plain fields in it, each as the game puts its value."""
    return say(text, **{name: value(name, of, names) for name, of in fields.items() if name != "type"})


def of_kind(decisions: Iterable[Decision], kind: type[Decided]) -> list[Decided]:
    """Those of the decisions that are of one kind."""
    return [decision for decision in decisions if isinstance(decision, kind)]


def seat_name(seat: Seat, names: Names) -> str:
    return say("the table") if seat == TABLE else names[seat]


def signed(n: int) -> str:
    """+6, −2 with a real minus, ±0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n else "±0"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A place of a chart, and what a tap on it decides.

    adds: one decision, or several that a table says in one. kind, chosen: where one of several is still to be chosen,
    their kind and the fields that the tap has chosen, of a list perhaps a part (WITH). aloud: the whole of it, for who
    does not see where it stands.
    closed: what would be decided there if it were legal: the place says why it is not.
    """

    label: str
    adds: Sequence[Decision] = ()
    kind: str = ""
    chosen: Plain = field(default_factory=dict)
    note: str = ""
    aloud: str = ""
    closed: Decision | None = None


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One line of a chart; a place where nothing can be done is None."""

    heading: str
    cells: Sequence[Cell | None]
    note: str = ""
    words: bool = False  # what the cells say is words, which need more room than figures


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Decisions laid out as they lie on the table, one tap each.

    kinds: the decisions that are all on it, so that they need no button of their own. columns: what stands above the
    cells; without any the cells of a lane follow each other.
    """

    heading: str
    lanes: Sequence[Lane]
    kinds: frozenset[str] = frozenset()
    columns: Sequence[str] = ()


Charts = Callable[[Any, Seat, Sequence[Decision], Names], Iterable[Chart]]  # (board, seat, what is legal, names)


@dataclass(frozen=True, kw_only=True)
class TurnWords:
    """A turn that is announced in one breath: its decisions are put together first and written at once."""

    kinds: frozenset[str]  # the decisions it is made of, by tag
    close: tuple[str, ...]  # those that end a part of it and follow by themselves where nothing else can
    scope: Callable[[Any], Any]  # (board): what stays the same until the turn is over
    closed: str  # the effect that says that a part of it is closed
    over: Callable[[Effect], bool] = lambda effect: False  # (effect): the whole of it is
    opens: frozenset[str] = frozenset()  # decisions that only begin what the next one does; they need no line
    goes_on: frozenset[str] = frozenset()  # effects that say that the turn is over and the game goes on
    figures: tuple[str, ...] = ()  # the columns that show what it comes to; none named: all
    unsaid: frozenset[str] = frozenset()  # effects that follow from others and need not be read while it is made
    note: Callable[[Any, Any, Seat, Decision], str] = (
        lambda before, after, seat, decision: "")  # what a decision brings, in few words; none: the first figure


@dataclass(frozen=True, kw_only=True)
class GameWords:
    """A game's vocabulary. Sentences are filled with the fields of what they are about, each as `value` puts it.

    What has no words is called by its name (`web.words.plain`).
    """

    title: str = ""  # the game's name, where editions in other languages have another; none: the ruleset's
    value: Callable[[str, Any, Names], str]  # (field, value, names): a colour, a card, a seat as a word
    effects: Sentences = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)  # decision tag -> what its button says
    decisions: Sentences = field(default_factory=dict)  # the whole decision, as its button says it
    brief: Mapping[type[msgspec.Struct], Callable[[Any, int], str]] = field(default_factory=dict)
    # the same, so many times, in a line with the rest of its turn; "": it need not be said; none: as its button says it
    fields: Mapping[str, str | None] = field(default_factory=dict)
    # "tag.field" -> the question it answers; None: nobody is ever asked
    parts: Mapping[str, str] = field(default_factory=dict)  # tag of what lists in a decision hold -> its name
    columns: Mapping[str, str] = field(default_factory=dict)
    money: frozenset[str] = frozenset()  # columns that count money
    ledger: tuple[str, ...] = ()  # the columns that stand beside each step; none named: all
    at_hand: tuple[str, ...] = ()  # the columns that matter to who decides; none named: all
    coin: str = "{n}"  # how money is written
    points: str = "{n}"  # how a score is written
    marks: Mapping[str, str | Callable[[int], str]] = field(default_factory=dict)
    # mark -> "round {n}"; the coarsest first
    told_by_finer: frozenset[str] = frozenset()  # marks that the next finer one tells with itself
    lines: Mapping[str, Sentence] = field(default_factory=dict)
    # score line, or its name up to the first dot -> what it is for
    tiebreaks: Mapping[str, str] = field(default_factory=dict)
    ranked_by: str = ""  # what the places of a running game go by, where it is not the totals
    options: Mapping[str, str] = field(default_factory=dict)  # "hands" -> the question; "hands.open" -> an answer
    hints: Mapping[str, str] = field(default_factory=dict)  # option -> what it does, in a sentence or two
    option_groups: Sequence[tuple[str, Sequence[str]]] = ()  # heading, its options; none: all of them as they come
    holds: Callable[[Any, Seat], Sequence[tuple[str, str]]] = lambda board, seat: ()
    # (board as the seat sees it, seat): what it holds and has to expect, each with its name
    turn_begins: str = ""  # what is asked first in a turn
    quickest: Mapping[str, str] = field(default_factory=dict)  # option -> the choice with which play begins soonest
    paths: Mapping[str, str] = field(default_factory=dict)
    # place on the board, * for one key -> its name, the keys as {0}, {1}
    unasked: tuple[str, ...] = ()  # places that nobody at a table can see; no form asks for them
    reasons: Mapping[str, str | Numbered] = field(default_factory=dict)
    # the rules' sentence -> one that says it better with names, or in two forms by a number
    figure: Callable[[str, Any, Names], str] | None = None  # how the rules' sentences put a value; None: as `value`
    prompt: Callable[[Any, Seat, Names], str]  # (board, seat, names): what that seat has to decide, on one line
    seat_fields: frozenset[str] = frozenset({"seat"})  # fields that hold a seat
    seat_paths: frozenset[str] = frozenset()  # places on the board that hold a seat
    aside: Callable[[str, Any, Plain], str] = lambda field, value, printed: ""  # what a value means, in few words
    charts: Charts = lambda board, seat, legal, names: ()  # what is legal as it lies on the table
    turn: TurnWords | None = None
    account: AccountWords | None = None  # of what runs by itself; none: what the ledger says of it
    at_once: frozenset[str] = frozenset()  # decisions written at the first tap, whatever follows from them
    one_by_one: frozenset[str] = frozenset()  # kinds whose few decisions stand beside the other kinds
    needless: tuple[str, ...] = ()  # "kind.field": fields left out of a decision that nobody needs to ask for
    seldom_told: Callable[[Any, str, str], bool] = lambda board, kind, path: False
    # (board, kind, path of a field of its form): hardly anybody tells it now, and it is folded away
    seldom: frozenset[str] = frozenset()  # kinds that stand after the one usual kind, which is asked for at once
    group: Callable[[str, Any], str] = lambda field, value: ""  # what values belong together, where there are many
    advice: Callable[[int], str | None] = lambda seats: None  # what to know before a game with so many
