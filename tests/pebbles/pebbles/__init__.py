"""Pebbles: players take pebbles from a heap in turn, never as many as were just taken."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.kernel.game_package import GamePackage
from daybook.domain.kernel.rule_parts import Course, DecisionKind, Integrity, Ledger, Scoring, Types
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import (
    Board,
    Breach,
    Decision,
    Effect,
    LedgerRow,
    Outcome,
    Score,
    ScoreLine,
    Seat,
    Table,
    Tell,
    WhyNot,
    because,
    holds,
    ranks_of,
    refuse_unless,
)

COLOURS = ("red", "blue", "green", "yellow")


# --- what lies on the table, what is decided, what follows


class Pebbles(Board):
    heap: int
    taken: list[int]  # by each seat
    before: int = 0  # how many were taken just before
    turn: int = 0
    last: Seat | None = None  # who took the last one


class Take(Decision, tag="take"):
    pebbles: int


class Taken(Effect, tag="taken"):
    seat: Seat
    pebbles: int
    left: int


# --- rules: conditions and checks say why not, actions carry out


def opening(table: Table) -> Pebbles:
    return Pebbles(table.sheet["heap.pebbles"], [0] * table.seats)


def can_take(b: Pebbles) -> list[int]:
    most = min(b.heap, b.table.sheet["turn.most"])
    return [n for n in range(1, most + 1) if n != b.before]


def to_act(b: Pebbles) -> tuple[Seat, ...]:
    return (b.turn % len(b.taken),) if can_take(b) else ()


def its_turn(b: Pebbles, seat: Seat) -> WhyNot:
    return refuse_unless(to_act(b) == (seat,), "its_turn", "it is another player’s turn")


def few_enough(b: Pebbles, d: Take) -> WhyNot:
    most = min(b.heap, b.table.sheet["turn.most"])
    return refuse_unless(1 <= d.pebbles <= most, "few_enough", "1 to {most} can be taken", most=most)


@holds("it is not as many as were taken just before")
def not_as_before(b: Pebbles, d: Take) -> WhyNot:
    return refuse_unless(d.pebbles != b.before, "as_before", "{n} were taken just before", n=b.before)


def take(b: Pebbles, seat: Seat, d: Take, tell: Tell) -> None:
    b.heap -= d.pebbles
    b.taken[seat] += d.pebbles
    b.before, b.turn = d.pebbles, b.turn + 1
    tell(Taken("PB-2.1", seat, d.pebbles, b.heap))
    if not b.heap:
        b.last = seat


def standing(b: Pebbles) -> tuple[Score, ...]:
    end = b.table.sheet["end.last"]
    return tuple(
        Score(
            seat, (ScoreLine("pebbles", n, "PB-3.1"), *((ScoreLine("last", end, "PB-3.1"),) if b.last == seat else ()))
        )
        for seat, n in enumerate(b.taken)
    )


def outcome(b: Pebbles) -> Outcome | None:
    if can_take(b):
        return None
    return Outcome("PB-3.1", because("heap", "nobody can take any more"), ranks_of([s.total for s in standing(b)]))


def rows(b: Pebbles, seats: Iterable[Seat]) -> list[LedgerRow]:
    return [(b.taken[seat],) for seat in seats]


def breaches(b: Pebbles) -> Iterable[Breach]:
    if b.heap + sum(b.taken) != b.table.sheet["heap.pebbles"]:
        yield Breach("PB-1.2", because("pebbles", "a pebble has appeared or is lost"))


DECISIONS: dict[type[Decision], DecisionKind[Pebbles]] = {
    Take: DecisionKind(
        offers=lambda b, seat: [Take(n) for n in range(1, b.table.sheet["turn.most"] + 1)],
        when=(("PB-2", its_turn),),
        checks=(("PB-2.1", few_enough), ("PB-2.2", not_as_before)),
        does=take,
    )
}

PEBBLES: Ruleset[Pebbles] = Ruleset(
    id="pebbles",
    prefix="PB",
    title="Pebbles",
    revision=1,
    seats=range(2, 5),
    colours=lambda sheet: COLOURS,
    catalogue="PB-2",
    kinds=DECISIONS,
    types=Types(decisions=Take, effects=Taken, board=Pebbles),
    course=Course(
        open=opening, to_act=to_act, marks=lambda b: {"round": b.turn // len(b.taken) + 1}, periods=("round",)
    ),
    scoring=Scoring(standing=standing, outcome=outcome),
    ledger=Ledger(columns=("pebbles",), rows=rows),
    integrity=Integrity(breaches=breaches, causes=("/heap", "/taken/*")),
)

GAME = GamePackage(ruleset=PEBBLES, package=__name__)
