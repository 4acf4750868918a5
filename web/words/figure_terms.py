"""Terms of figures: their inputs, and the effects of a step that changed them.

A game describes a figure of a board as inputs and a function of them: shares × share value. Effects are applied to the
inputs in their order, so that the amounts of a step add up to the figure's change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.words.account import AccountWords


class Move(NamedTuple):
    """A change of an input by an effect: by an amount, or to one, which may depend on the amounts of all inputs before it.

    If both are None: to its value at the end of the step.
    """

    by: Points | None = None
    to: Points | Callable[[Sequence[Points]], Points] | None = None


Moves = Mapping[type[Effect], Callable[[Any], Move | None]]  # kind of effect -> its move; None if it moves nothing
Rule = tuple[type[Effect], Callable[[Any], Move | None]]


@dataclass(frozen=True)
class Input:
    """A number that a figure is worked out from.

    Args:
        name: in words; "" if it is the figure itself.
        says: its amount in words.
    """

    name: str
    amount: Points
    moves: Moves
    says: Callable[[Any], str] = str


@dataclass(frozen=True, kw_only=True)
class FigureTerms:
    """A figure as a function of inputs.

    Args:
        value: the figure, by the inputs' amounts in their order.
        formula: what it is worked out from, without the result; "" for a figure that is its only input.
        owner: whose it is; the figure of another owner is another figure.
        stays: changes of inputs are shown although they do not change the figure.
        is_money: it counts money.
    """

    inputs: Sequence[Input]
    value: Callable[..., Points] = lambda amount: amount
    formula: str = ""
    owner: object = None
    stays: bool = False
    is_money: bool = False

    @property
    def total(self) -> Points:
        return self.value(*[item.amount for item in self.inputs])

    def is_moved_by(self, effect: Effect) -> bool:
        return any(_move_of(item, effect) is not None for item in self.inputs)


class FigureChange(NamedTuple):
    """A part of a figure's change in a step.

    Args:
        effects: those that made it, by their places in the step; none for a change by hand.
        note: the changed inputs, before and after; "" if the figure is its only input.
    """

    effects: tuple[int, ...]
    note: str
    by: Points


def changes_of_figure(
    was: FigureTerms | None, now: FigureTerms | None, effects: Sequence[Effect]
) -> list[FigureChange]:
    """Return what changed a figure in a step, in order; the amounts add up to its change.

    Args:
        was, now: None where the figure does not exist.
    """
    if was is None or now is None or was.owner != now.owner:
        there = now or was
        if there is None:
            return []
        places = [place for place, effect in enumerate(effects) if there.is_moved_by(effect)]
        total = 0 if now is None else now.total
        return [FigureChange(tuple(places), there.formula if now else "", total)] if places or total else []
    state, end = [item.amount for item in was.inputs], [item.amount for item in now.inputs]
    found = []
    for place, effect in enumerate(effects):
        before = list(state)
        for index, item in enumerate(now.inputs):
            move = _move_of(item, effect)
            if move is None:
                continue
            if move.by is not None:
                state[index] += move.by
            elif callable(move.to):
                state[index] = move.to(before)
            elif move.to is not None:
                state[index] = move.to
            else:
                state[index] = end[index]
        if state != before:
            found.append(FigureChange((place,), _note_of(now, before, state), now.value(*state) - now.value(*before)))
    if state != end:
        found.append(FigureChange((), _note_of(now, state, end), now.value(*end) - now.value(*state)))
    return [change for change in found if change.by or now.stays]


def _move_of(item: Input, effect: Effect) -> Move | None:
    return item.moves[type(effect)](effect) if type(effect) in item.moves else None


def _note_of(figure: FigureTerms, was: Sequence[Points], now: Sequence[Points]) -> str:
    changed = [
        f"{item.name} {item.says(before)} → {item.says(after)}"
        for item, before, after in zip(figure.inputs, was, now, strict=True)
        if before != after and item.name
    ]
    return ", ".join(changed)


# --- how a game writes moves -----------------------------------------------------------------------------------------


def moves(*rules: Rule, **of: Any) -> Moves:
    """Return moves by effects with these fields, or without them: moves(by(SharesSold, "count", -1), seat=0)."""

    def limited(move: Callable[[Any], Move | None]) -> Callable[[Any], Move | None]:
        return lambda effect: (
            move(effect) if all(getattr(effect, name, value) == value for name, value in of.items()) else None
        )

    return {kind: limited(move) for kind, move in rules}


def by(kind: type[Effect], amount: str | int | Callable[[Any], Points], sign: int = 1) -> Rule:
    """Return the rule that an effect moves an input by an amount: a field, a number, or a function's result."""
    return kind, lambda effect: Move(by=sign * _read(effect, amount))


def to(kind: type[Effect], amount: str | int | Callable[[Any], Points]) -> Rule:
    """Return the rule that an effect moves an input to an amount."""
    return kind, lambda effect: Move(to=_read(effect, amount))


def shifts(kind: type[Effect], amount: Callable[[Any, Sequence[Any]], Points]) -> Rule:
    """Return the rule that an effect moves an input to an amount that depends on all inputs before it."""
    return kind, lambda effect: Move(to=lambda before: amount(effect, before))


def sets(*kinds: type[Effect]) -> list[Rule]:
    """Return the rules that effects move an input to its value at the end of the step."""
    return [(kind, lambda effect: Move()) for kind in kinds]


def _read(effect: Effect, amount: str | int | Callable[[Any], Points]) -> Points:
    if callable(amount):
        return amount(effect)
    number: Points = getattr(effect, amount) if isinstance(amount, str) else amount
    return number


def moves_of_account(account: AccountWords, column: str, seat: Seat) -> Moves:
    """Return the moves of a seat's figure by its account."""
    signs = {name: row.sign for name, row in account.rows.items() if row.column == column}

    def move_of(effect: Effect) -> Move | None:
        amount = sum(signs.get(item.row, 0) * item.n for item in account.postings_of([effect]) if item.who == seat)
        return Move(by=amount) if amount else None

    return dict.fromkeys(account.postings, move_of)


def cause_before(
    effects: Sequence[Effect], place: int, because: Mapping[type[Effect], tuple[type[Effect], ...]]
) -> int | None:
    """Return the place of the effect from which another one follows, the nearest before it; None if there is none."""
    kinds = because.get(type(effects[place]), ())
    return next((at for at in range(place - 1, -1, -1) if isinstance(effects[at], kinds)), None) if kinds else None
