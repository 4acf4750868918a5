"""The figures of a board, and the amount by which each effect of a step changes them.

A game's words apply the effects of a step to the board's document one after another, so that a page can name the cause
of every change, also of figures that are worked out from others: prices, scores, crates on display.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import Effect, Table
from daybook.web.words.say import Names


class EffectOnFigure(NamedTuple):
    """One effect of a step that changed a figure, with the board's document after it.

    Args:
        at: index of the effect in its step.
        by: amount by which it changed the figure.
        effects: all of the step.
        earlier: effects of the steps before, newest last.
    """

    at: int
    by: int
    document: Document
    effects: Sequence[Any]
    earlier: Sequence[Any]

    @property
    def effect(self) -> Any:
        return self.effects[self.at]

    def latest(self, *kinds: type, fits: Callable[[Any], bool] = lambda effect: True) -> Any:
        """Return the newest effect of some kinds up to this one; None if there is none."""
        for effects in (self.effects[: self.at], self.earlier):
            for effect in reversed(effects):
                if isinstance(effect, kinds) and fits(effect):
                    return effect
        return None


@dataclass(frozen=True, kw_only=True)
class FigureWords:
    """Figures of a game's board.

    Args:
        value: (document, table, keys of a place): the number there, also of a column ("columns", "money", "0") or of
            what the board only shows; None if there is no number.
        apply: (document, table, effect, all effects of its step): changes the document as the effect did.
        says: (effect on a figure, its sentence, table, keys, names): sentences with amounts that add up to its amount.
        derived: (table): places of figures that follow from other places, for the list of a step's changes.
        uncovers: effect with which all covered cards are seen, so that numbers by type change for some viewers.
        unlisted: places that this list leaves out.
    """

    value: Callable[[Document, Table, Sequence[str]], Any]
    apply: Callable[[Document, Table, Any, Sequence[Any]], None]
    says: Callable[[EffectOnFigure, str, Table, Sequence[str], Names], Sequence[tuple[str, int]]] = (
        lambda on, sentence, table, keys, names: [(sentence, on.by)]
    )
    derived: Callable[[Table], Iterable[str]] = lambda table: ()
    uncovers: type[Effect] | None = None
    unlisted: tuple[str, ...] = ()

    def number_at(self, document: Document, table: Table, keys: Sequence[str]) -> int | None:
        """Return the number at a place; None if the board has no such place."""
        try:
            number: int | None = self.value(document, table, keys)
        except (KeyError, IndexError, ValueError):
            return None
        return number

    def effects_on(
        self, table: Table, document: Document, effects: Sequence[Any], earlier: Sequence[Any], keys: Sequence[str]
    ) -> Iterator[EffectOnFigure]:
        """Yield the effects of a step that changed a figure. The document becomes that after the step."""
        now = self.number_at(document, table, keys)
        for at, effect in enumerate(effects):
            was = now
            self.apply(document, table, effect, effects)
            now = self.number_at(document, table, keys)
            if was is not None and now is not None and was != now:
                yield EffectOnFigure(at, now - was, document, effects, earlier)
