"""The words of a game's decisions and the way they are chosen, one row for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import cached_property
from typing import Any

import msgspec

from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Seat
from daybook.web.words.say import Decided, Names, Sentence, Sentences


class How(Flag):
    """The way in which a kind of decision is chosen and recorded."""

    AT_ONCE = auto()  # recorded with one tap, without a preview
    ONE_BY_ONE = auto()  # its decisions are buttons next to those of other kinds, if they are few
    SELDOM = auto()  # is shown after the usual kind, whose first question is open at once
    IN_TURN = auto()  # a part of a turn that is recorded as a whole
    OPENS = auto()  # in such a turn it only begins the next decision, and needs no line
    FOR_ALL = auto()  # one player decides for the whole table
    CLOSES = auto()  # in such a turn it ends a part, and is added automatically if it is the only choice
    IN_FULL = auto()  # a typed line has to say each of its choices


ANYHOW = How(0)
AT_ONCE, ONE_BY_ONE, SELDOM, IN_TURN, OPENS, FOR_ALL, CLOSES, IN_FULL = How


@dataclass(frozen=True)
class DecisionRow:
    kind: type[msgspec.Struct]
    button: str
    fields: Mapping[str, str | None]
    sentence: Sentence = ""
    how: How = ANYHOW
    deed: str = ""
    needless: str = ""
    typed: Callable[[Any, Sequence[str], Names], Iterator[Any]] | None = None
    also: Callable[[Any, Seat, Any], Sequence[str]] | None = None
    outcome: Callable[[Any, Seat, Any], str] | None = None
    thing: Callable[[Any], str] | None = None

    @property
    def tag(self) -> str:
        return tag_of(self.kind)


def decides(
    kind: type[Decided],
    button: str,
    sentence: str | Callable[[Decided, Names], str] = "",
    /,
    *,
    how: How = ANYHOW,
    deed: str = "",
    needless: str = "",
    typed: Callable[[Any, Sequence[str], Names], Iterator[Decided]] | None = None,
    also: Callable[[Any, Seat, Decided], Sequence[str]] | None = None,
    outcome: Callable[[Any, Seat, Decided], str] | None = None,
    thing: Callable[[Decided], str] | None = None,
    **fields: str | None,
) -> DecisionRow:
    """Declare the words of a kind of decision.

    Args:
        button: label of the kind.
        sentence: the whole decision on its own button; by default the label.
        deed: what the player did, if the decision's effects do not say it; a turn's line leaves it out next to others.
        needless: field that no page asks for.
        typed: (board, pieces, names): decisions that typed words may mean, for kinds with too many to list.
        also: (board, seat, decision): other sentences that are read and never shown.
        outcome: (board, seat, decision): a sentence that is read too, and shown next to the decision; "" for none.
        thing: (decision): what a typed line has to name a word of; "" for nothing.
        fields: question of each field; None for a field that no page asks for.
    """
    return DecisionRow(kind, button, fields, sentence or button, how, deed, needless, typed, also, outcome, thing)


def part(kind: type[msgspec.Struct], label: str, /, **fields: str) -> DecisionRow:
    """Declare the name of a part of lists in decisions, and the questions of its fields."""
    return DecisionRow(kind, label, fields)


@dataclass(frozen=True)
class DecisionWords:
    """The decisions of a game and the parts of lists in them, by tag.

    Args:
        questions: by field name, the questions of fields for which their row has none.
    """

    rows: Sequence[DecisionRow] = ()
    parts_of_lists: Sequence[DecisionRow] = ()
    questions: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {row.tag: row.button for row in self.rows}

    @cached_property
    def parts(self) -> Mapping[str, str]:
        return {row.tag: row.button for row in self.parts_of_lists}

    @cached_property
    def fields(self) -> Mapping[str, str | None]:
        """The questions by "tag.field"."""
        return {
            f"{row.tag}.{name}": question
            for row in (*self.parts_of_lists, *self.rows)
            for name in row.kind.__struct_fields__
            if (question := row.fields.get(name, self.questions.get(name, ""))) != ""
        }

    @cached_property
    def needless(self) -> Sequence[tuple[str, str]]:
        """Pairs of a tag and its field that pages do not ask for."""
        return [(row.tag, row.needless) for row in self.rows if row.needless]

    @cached_property
    def tags(self) -> Mapping[How, tuple[str, ...]]:
        return {how: tuple(row.tag for row in self.rows if how in row.how) for how in How}

    @cached_property
    def sentences(self) -> Sentences:
        return {row.kind: row.sentence for row in self.rows}

    @cached_property
    def passes(self) -> frozenset[str]:
        """Tags of decisions by which a player only ends a turn or a part of it: a deed without a choice."""
        return frozenset(row.tag for row in self.rows if row.deed and not row.kind.__struct_fields__)

    @cached_property
    def deeds(self) -> Mapping[str, str]:
        """Sentences of the player's action, by tag."""
        return {row.tag: row.deed for row in self.rows if row.deed}
