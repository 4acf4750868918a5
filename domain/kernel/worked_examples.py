"""Worked examples of a rule text as data: a position, decisions, and their results.

The rules play them on a sheet, so that a group sees the results with its own numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from daybook.domain.kernel.terms import Decision, Effect, Reason, Seat


class Refusal(NamedTuple):
    """A decision of an example that is not carried out, and why. The rulebook's has no reason."""

    decision: Decision
    rule: str
    reason: Reason | None = None


class ComesTo(NamedTuple):
    """The result of an example. leaves: values of places on the board afterwards, by path."""

    effects: tuple[Effect, ...] = ()
    leaves: Mapping[str, Any] = {}
    refused: Refusal | None = None

    def agrees(self, result: ComesTo) -> bool:
        """Check if two results are the same; of a refusal, compare the decision and the rule."""
        refusals = [each.refused and each.refused[:2] for each in (self, result)]
        return (self.effects, self.leaves, refusals[0]) == (result.effects, result.leaves, refusals[1])


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An example of a rule text. rule: its place in the specification; colours: the players, if it names them.

    lies: values of the board in the text, by path; at: values that the text implies; all others are as at the opening.
    effects: the expected effects, complete for each of their kinds; leaves: values of the board afterwards, by path;
    refused: the rule that forbids the last decision.
    """

    rule: str
    lies: Mapping[str, Any]
    decisions: tuple[tuple[Seat, Decision], ...]
    effects: tuple[Effect, ...] = ()
    leaves: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    at: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 3
    colours: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def expected(self) -> ComesTo:
        refused = Refusal(self.decisions[-1][1], self.refused) if self.refused else None
        return ComesTo(self.effects, self.leaves, refused)
