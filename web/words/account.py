"""What a game's effects come to for everybody at the table: what each makes, sells, takes, pays and moves.

A game says it with one small table: which effects post what. From that the pages make the card that stays until it is
done, the same on the preview, and the net of each player, which is checked against the ledger by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.words.say import N_

DONE = N_("Done, put it away")
Who = Seat | str  # a seat, or by name somebody who has none: the importer, an automa
Told = TypeVar("Told", bound=Effect)


class Posting(NamedTuple):
    """What one effect comes to for somebody. row: where it stands; of: what is counted, in the rules' word."""

    row: str
    who: Who
    n: int
    of: str = ""


Posts = Callable[[Any], Iterable[Posting]]  # of one effect
Postings = Mapping[type[Effect], Posts]


def posts(kind: type[Told], of: Callable[[Told], Iterable[Posting]]) -> tuple[type[Effect], Posts]:
    """One kind of effect and what it posts, which is held to the fields of that kind."""
    return kind, of


def posts_fields(kind: type[Effect], *rows: tuple[str, ...], who: str = "seat") -> tuple[type[Effect], Posts]:
    """As `posts`. rows: each with the fields of that kind that say how many, and of what; who: the one that says whose."""
    assert {who, *chain.from_iterable(fields for _, *fields in rows)} <= {*kind.__struct_fields__}, kind
    entries = [(row, attrgetter(who, *fields)) for row, *fields in rows]
    return kind, lambda effect: [Posting(row, *of(effect)) for row, of in entries]


@dataclass(frozen=True, kw_only=True)
class AccountRow:
    """One line of the account. label: what it is called there; says: the same in a sentence, {what} being the amount.

    column: the figure of the ledger that it adds to, or with `sign` -1 takes from; such rows have all of it, so that
    the net can be told from them.
    """

    label: str
    says: str
    amount: Callable[[int, str], str] = lambda n, of: str(n)
    column: str = ""
    sign: int = 1


def money_rows(column: str, amount: Callable[[int], str]) -> dict[str, AccountRow]:
    """What is taken and what is paid, in money of a column of the ledger."""
    return {
        "takes": AccountRow(label="takes", says="takes {what}", amount=lambda n, of: amount(n), column=column),
        "pays": AccountRow(label="pays", says="pays {what}", amount=lambda n, of: amount(n), column=column, sign=-1),
    }


@dataclass(frozen=True, kw_only=True)
class AccountWords:
    """What a game tells when something has run by itself.

    starts: from the first of these effects on it does, where it is such a one; what lies before it in its step,
    somebody has decided. opens: it goes on in the steps that follow, until an effect that `closes` it.
    """

    rows: Mapping[str, AccountRow]  # in their order
    postings: Postings
    starts: Mapping[type[Effect], Callable[[Any], bool]]
    opens: Callable[[Any], bool] = lambda effect: False
    closes: Callable[[Any], bool] = lambda effect: False
    heading: Callable[[Sequence[Any], Sequence[str]], str]  # (all effects, names)
    button: Callable[[Sequence[Any]], str] = lambda effects: DONE  # (all effects): it puts the card away
    notes: frozenset[type[Effect]] = frozenset()  # effects whose sentences everybody has to hear
    figures: tuple[str, ...] = ()  # the columns whose change is told; none named: those of the ledger
    others: Callable[[str], str] = lambda name: name  # who has no seat

    @cached_property
    def start_tags(self) -> frozenset[str]:
        """The tags of the effects with which it may start: a step without them is not read."""
        return frozenset(map(tag_of, self.starts))

    def postings_of(self, effects: Iterable[Effect]) -> list[Posting]:
        return [posting for effect in effects for posting in self.postings.get(type(effect), _nothing)(effect)]


def always(effect: Effect) -> bool:
    return True


def _nothing(effect: Effect) -> Iterable[Posting]:
    return ()


def totals(postings: Iterable[Posting]) -> dict[tuple[str, Who], dict[str, int]]:
    """The amounts by row and by whom, each by what is counted; what comes to nothing is left out."""
    sums: dict[tuple[str, Who], dict[str, int]] = {}
    for posting in postings:
        of = sums.setdefault((posting.row, posting.who), {})
        of[posting.of] = of.get(posting.of, 0) + posting.n
    left = {place: {of: n for of, n in amounts.items() if n} for place, amounts in sums.items()}
    return {place: amounts for place, amounts in left.items() if amounts}
