"""Sawmill: a game small enough to read at a glance, for tests of the kernel."""

from __future__ import annotations

from typing import Any

from daybook.domain.kernel.rule_parts import Course, DecisionKind, Integrity, Ledger, Scoring, Types
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import parse
from daybook.domain.kernel.terms import (
    TABLE,
    Board,
    Breach,
    Decision,
    Effect,
    Options,
    Outcome,
    Score,
    because,
    ranks_of,
)

SHEET = parse(
    "sawmill",
    """
forest = { value = 5, tag = "text", where = "L1" }
""",
)


class Forest(Board):
    wood: list[int]
    trees: int
    turn: int = 0
    drawn: int = 0
    words: list[str] = []


class Long(Options, frozen=True):
    long: bool = False


class Drawn(Decision, frozen=True, tag="drawn"):
    number: int


class Chop(Decision, frozen=True, tag="chop"):
    trees: int


class Say(Decision, frozen=True, tag="say"):
    words: str


class Steal(Decision, frozen=True, tag="steal"):
    """Allowed by the rules, and wrong: a tree appears."""


class Chopped(Effect, frozen=True, tag="chopped"):
    seat: int
    trees: int


def opening(table):
    return Forest([0] * table.seats, table.sheet["forest"])


def to_act(b):
    return () if not b.trees else (b.turn % 2,) if b.drawn else (TABLE,)


def its_turn(b, seat, d):
    right = to_act(b) == (seat,) and isinstance(d, Drawn) == (seat == TABLE)
    return None if right else because("not_your_turn", "seat {seat} is not to act", seat=seat)


def trees_left(b, seat, d):
    return None if d.trees <= b.trees else because("trees_left", "the forest holds {trees} trees", trees=b.trees)


def richer(b, seat, d):
    return None if [5, 4, 3][d.trees] else because("never", "never")


def draw(b, seat, d, tell):
    b.drawn = d.number


def chop(b, seat, d, tell):
    b.wood[seat] += d.trees
    b.trees -= d.trees
    b.turn += 1
    b.drawn = 0
    tell(Chopped("SM-5", seat, d.trees))


def say(b, seat, d, tell):
    b.words.append(d.words)


def steal(b, seat, d, tell):
    b.trees += 1


def outcome(b):
    return None if b.trees else Outcome("SM-9", because("forest_cut", "the forest is cut"), ranks_of(b.wood))


def trees_add_up(b):
    if b.trees + sum(b.wood) != 5:
        yield Breach("SM-1", because("trees", "a tree has appeared"))


TURN = (("SM-2", its_turn),)

DECISIONS: dict[type[Decision], DecisionKind[Any]] = {
    Drawn: DecisionKind(
        offers=lambda b, seat: (Drawn(1), Drawn(2)), does=draw, weight=lambda b, fact: fact.number, checks=TURN
    ),
    Chop: DecisionKind(
        offers=lambda b, seat: (Chop(1), Chop(2)), does=chop, checks=(*TURN, ("SM-5", trees_left), ("SM-6", richer))
    ),
    Say: DecisionKind(offers=lambda b, seat: (), does=say, open_form=True, checks=TURN),
    Steal: DecisionKind(offers=lambda b, seat: (Steal(),), does=steal, checks=TURN),
}

SAWMILL: Ruleset[Any] = Ruleset(
    id="sawmill",
    prefix="SM",
    title="Sawmill",
    revision=1,
    seats=range(2, 3),
    colours=lambda sheet: ("oak", "elm", "ash"),
    catalogue="SM-4",
    kinds=DECISIONS,
    types=Types(decisions=Drawn | Chop | Say | Steal, effects=Chopped, options=Long, board=Forest),
    course=Course(
        open=opening, to_act=to_act, marks=lambda b: {"year": b.turn // 2, "turn": b.turn}, periods=("year", "turn")
    ),
    scoring=Scoring(standing=lambda b: tuple(Score(seat, ()) for seat in range(len(b.wood))), outcome=outcome),
    ledger=Ledger(columns=("wood",), rows=lambda b, seats: [(b.wood[seat],) for seat in seats]),
    integrity=Integrity(breaches=trees_add_up, causes=("/wood",)),
)
