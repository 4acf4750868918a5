"""Conditions of every decision: evaluated before the checks, once for a whole list, and named by the refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.rule_parts import Condition, DecisionKind
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, Reason, Seat, because
from tests.domain.sawmill import SAWMILL, SHEET, Chop, Drawn, Say, Steal


def condition(log: list[str], name: str, holds: bool = True) -> Condition[Board]:
    """Return a condition that records its evaluations."""

    def ask(b: Board, seat: Seat) -> Reason | None:
        log.append(name)
        return None if holds else because(name, name)

    return ask


def rules_with(*conditions: tuple[type[Decision], list[Condition[Board]]]) -> Ruleset[Any]:
    """Sawmill where kinds of decisions have these conditions and no checks."""
    rows: dict[type[Decision], DecisionKind[Any]] = {
        kind: replace(SAWMILL.kinds[kind], when=tuple((f"SM-{n}", item) for n, item in enumerate(ones)), checks=())
        for kind, ones in conditions
    }
    return replace(SAWMILL, kinds=rows)


def board(trees: int = 5) -> Any:
    forest = SAWMILL.opening_board(SAWMILL.table(["oak", "elm"], {}, SHEET))
    forest.trees, forest.drawn = trees, 1
    return forest


def test_what_rows_begin_with_alike_is_asked_once_for_a_list():
    asked: list[str] = []
    on, turn, shut = condition(asked, "on"), condition(asked, "turn"), condition(asked, "shut", holds=False)
    after = condition(asked, "after")
    rules = rules_with((Chop, [on, turn]), (Steal, [on, turn, shut, after]), (Drawn, [on]), (Say, [shut, after]))
    assert rules.legal(board(), 0) == [Chop(1), Chop(2), Drawn(1), Drawn(2)]
    assert asked == ["on", "turn", "shut", "shut"]


def test_list_keeps_the_table_order_whatever_is_asked_first():
    on, turn = condition([], "on"), condition([], "turn")
    rules = rules_with((Steal, [on]), (Drawn, [turn]), (Chop, [on, turn]))
    assert rules.legal(board(), 0) == [Steal(), Drawn(1), Drawn(2), Chop(1), Chop(2)]


def test_list_asks_nothing_of_rows_that_are_not_awaited():
    asked: list[str] = []
    day, night = (Awaits[Board](what, "", (what,), lambda b: because(b.awaits, "")) for what in ("", "night"))
    rules = rules_with((Chop, [condition(asked, "on"), day]), (Steal, [condition(asked, "turn"), night]))
    assert rules.legal(board(), 0) == [Chop(1), Chop(2)]
    assert asked == ["on"]
    with pytest.raises(IllegalDecision) as refused:
        rules.refuse(board(), 0, Steal())
    assert (refused.value.rule, refused.value.reason) == ("SM-1", because("", ""))


@pytest.mark.parametrize(
    ("holds", "rule"),
    [((False, True), "SM-0"), ((True, False), "SM-1"), ((True, True), "SM-5"), ((False, False), "SM-0")],
)
def test_refusal_names_the_first_condition_before_any_check(holds, rule):
    rules = rules_with((Chop, [condition([], f"{n}", hold) for n, hold in enumerate(holds)]))
    rules = replace(rules, kinds={Chop: replace(rules.kinds[Chop], checks=SAWMILL.kinds[Chop].checks[1:])})
    with pytest.raises(IllegalDecision) as refused:
        rules.refuse(board(trees=1), 0, Chop(2))
    assert refused.value.rule == rule


def test_an_explanation_tells_conditions_before_checks():
    rules = rules_with((Chop, [condition([], "on"), condition([], "off", holds=False)]))
    rules = replace(rules, kinds={Chop: replace(rules.kinds[Chop], checks=SAWMILL.kinds[Chop].checks[1:2])})
    told = [(verdict.rule, verdict.reason is None) for verdict in rules.why(board(), 0, Chop(1))]
    assert told == [("SM-0", True), ("SM-1", False), ("SM-5", True)]
