"""What a game's decisions are called and how they are chosen: one row for each kind of them."""

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
    """How a kind of decision is chosen and written."""

    AT_ONCE = auto()  # written at the first tap, whatever follows from it
    ONE_BY_ONE = auto()  # the few of the kind stand beside the other kinds
    SELDOM = auto()  # stands after the one usual kind, which is asked for at once
    IN_TURN = auto()  # a part of a turn that is announced in one breath
    OPENS = auto()  # in such a turn it only begins what the next one does, and needs no line
    FOR_ALL = auto()  # whoever says it, it is said for the whole table
    CLOSES = auto()  # in such a turn it ends a part, and follows by itself where nothing else can


ANYHOW = How(0)
AT_ONCE, ONE_BY_ONE, SELDOM, IN_TURN, OPENS, FOR_ALL, CLOSES = How


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
        fields: question of each field; None for a field that no page asks for.
    """
    return DecisionRow(kind, button, fields, sentence or button, how, deed, needless, typed, also)


def part(kind: type[msgspec.Struct], label: str, /, **fields: str) -> DecisionRow:
    """What a part is called that lists in a decision hold, and the question that each of its fields answers."""
    return DecisionRow(kind, label, fields)


@dataclass(frozen=True)
class DecisionWords:
    """A game's decisions, and the parts that lists in them hold; by their tags, as pages know them.

    questions: what a field of this name answers, where its row has no question of its own for it.
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
        """By "tag.field"."""
        return {
            f"{row.tag}.{name}": question
            for row in (*self.parts_of_lists, *self.rows)
            for name in row.kind.__struct_fields__
            if (question := row.fields.get(name, self.questions.get(name, ""))) != ""
        }

    @cached_property
    def needless(self) -> Sequence[tuple[str, str]]:
        """Tags, each with its field that nobody needs to ask for."""
        return [(row.tag, row.needless) for row in self.rows if row.needless]

    @cached_property
    def tags(self) -> Mapping[How, tuple[str, ...]]:
        return {how: tuple(row.tag for row in self.rows if how in row.how) for how in How}

    @cached_property
    def sentences(self) -> Sentences:
        return {row.kind: row.sentence for row in self.rows}

    @cached_property
    def deeds(self) -> Mapping[str, str]:
        """What the player did, by tag."""
        return {row.tag: row.deed for row in self.rows if row.deed}
