"""Accounts of effects: what each player makes, sells, takes, pays and moves.

A game provides a table of the postings of each effect. Pages show them as settlement cards and in previews, and a test
compares each player's net with the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from daybook.domain.kernel.points import Points
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.words.say import N_, say

DONE = N_("Hide this")
Who = Seat | str  # a seat, or the name of a party without one: the importer, an automa
Told = TypeVar("Told", bound=Effect)


class Posting(NamedTuple):
    """A change that an effect makes to a party's account."""

    row: str  # of the account
    who: Who
    n: int
    of: str = ""  # the rules' word for the counted thing


Posts = Callable[[Any], Iterable[Posting]]  # postings of one effect
Postings = Mapping[type[Effect], Posts]


def posts(kind: type[Told], postings: Callable[[Told], Iterable[Posting]]) -> tuple[type[Effect], Posts]:
    """Pair a kind of effect with its postings, checked against its fields."""
    return kind, postings


def posts_fields(kind: type[Effect], *rows: tuple[str, ...], who: str = "seat") -> tuple[type[Effect], Posts]:
    """Build `posts` from field names.

    Args:
        rows: each with the fields for the number and for what is counted.
        who: field with the party.
    """
    assert {who, *chain.from_iterable(fields for _, *fields in rows)} <= {*kind.__struct_fields__}, kind
    entries = [(row, attrgetter(who, *fields)) for row, *fields in rows]
    return kind, lambda effect: [Posting(row, *posted(effect)) for row, posted in entries]


@dataclass(frozen=True, kw_only=True)
class AccountRow:
    """Row of an account.

    Args:
        says: for a sentence; {what} is the amount.
        column: ledger figure that it adds to, or subtracts from if `sign` is -1; such rows must be complete.
    """

    label: str
    says: str
    amount: Callable[[int, str], str] = lambda n, name: str(n)
    column: str = ""
    sign: int = 1


def money_rows(column: str, amount: Callable[[int], str]) -> dict[str, AccountRow]:
    """Return rows for money received and paid in a ledger column."""
    return {
        "takes": AccountRow(label="takes", says="takes {what}", amount=lambda n, name: amount(n), column=column),
        "pays": AccountRow(label="pays", says="pays {what}", amount=lambda n, name: amount(n), column=column, sign=-1),
    }


@dataclass(frozen=True, kw_only=True)
class AccountWords:
    """Words for automatic actions.

    Args:
        starts: effects with which they begin; what is before them was decided.
        opens: they continue in the next steps until an effect that `closes` them.
    """

    rows: Mapping[str, AccountRow]  # in their order
    postings: Postings
    starts: Mapping[type[Effect], Callable[[Any], bool]]
    opens: Callable[[Any], bool] = lambda effect: False
    closes: Callable[[Any], bool] = lambda effect: False
    heading: Callable[[Sequence[Any], Sequence[str]], str]  # (all effects, names)
    notes: frozenset[type[Effect]] = frozenset()  # effects with sentences for every player
    figures: tuple[str, ...] = ()  # columns with visible changes; by default the ledger's
    until_next_decision: bool = False
    # the record page shows them until the next decision, not until they are dismissed
    others: Callable[[str], str] = lambda name: name  # name of a party without a seat
    causes: Mapping[type[Effect], str | Callable[[Any], str]] = field(default_factory=dict)
    # effects that move money -> what it is for, in a word or two

    @cached_property
    def start_tags(self) -> frozenset[str]:
        """The tags of effects that may start it. Steps without them need not be read."""
        return frozenset(map(tag_of, self.starts))

    def changes_of(self, effects: Iterable[Effect], column: str, seat: Seat) -> list[tuple[Effect, int]]:
        """Return the effects that change a seat's figure of a column, each with its amount."""
        signs = {name: row.sign for name, row in self.rows.items() if row.column == column}
        amounts = (
            (effect, sum(signs.get(posting.row, 0) * posting.n for posting in found if posting.who == seat))
            for effect in effects
            for found in [self.postings_of([effect])]
        )
        return [(effect, amount) for effect, amount in amounts if amount]

    def amounts_by_cause(self, effects: Iterable[Effect], column: str, seat: Seat) -> dict[str, Points]:
        """Return the amounts that effects add to a seat's money, by cause."""
        parts: dict[str, Points] = {}
        for effect, amount in self.changes_of(effects, column, seat):
            cause = self.cause_of(effect)
            parts[cause] = parts.get(cause, 0) + amount
        return {cause: amount for cause, amount in parts.items() if amount}

    def cause_of(self, effect: Effect) -> str:
        """Say what an effect moves money for, in a word or two: "production costs"."""
        cause = self.causes[type(effect)]
        return say(cause if isinstance(cause, str) else cause(effect))

    def postings_of(self, effects: Iterable[Effect]) -> list[Posting]:
        return [posting for effect in effects for posting in self.postings.get(type(effect), _no_postings)(effect)]


def is_always_start(effect: Effect) -> bool:
    return True


def _no_postings(effect: Effect) -> Iterable[Posting]:
    return ()


def sum_postings(postings: Iterable[Posting]) -> dict[tuple[str, Who], dict[str, int]]:
    """Sum postings by row and party, and by what is counted; zeros are left out."""
    sums: dict[tuple[str, Who], dict[str, int]] = {}
    for posting in postings:
        of = sums.setdefault((posting.row, posting.who), {})
        of[posting.of] = of.get(posting.of, 0) + posting.n
    left = {place: {name: n for name, n in amounts.items() if n} for place, amounts in sums.items()}
    return {place: amounts for place, amounts in left.items() if amounts}
