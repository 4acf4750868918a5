"""The tables of decisions: a row for each kind, and in it what belongs to that kind alone."""

from __future__ import annotations

from dataclasses import replace
from dis import get_instructions
from inspect import isfunction
from typing import get_args

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.rule_parts import argument_names, as_check, as_condition
from tests.domain.kernel.test_meaning import positions

EVERY = pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)


@EVERY
def test_every_kind_of_decision_has_a_row_of_its_own(rules):
    assert set(rules.kinds) == set(get_args(rules.types.decisions))
    assert list(rules.by_tag.values()) == list(rules.kinds.values())
    assert not [kind for kind, row in rules.kinds.items() if not row.rules]


@EVERY
def test_a_row_offers_decisions_of_its_own_kind_alone(rules):
    """The lists ask the checks of the row that offers, a refusal those of the decision's own row."""
    for game in positions(rules, 4):
        for seat in rules.course.to_act(game.board):
            for kind, row in rules.kinds.items():
                assert {type(decision) for decision in row.offers(game.board, seat)} <= {kind}


@EVERY
def test_greatest_numbers_are_known_of_open_forms_alone(rules):
    assert not [kind for kind, row in rules.kinds.items() if row.most is not None and not row.open_form]
    assert not [kind for kind, row in rules.kinds.items() if row.exact and row.open_form]


@EVERY
def test_closed_kinds_of_waiting_seat_ask_conditions_only(rules):
    """Offers and checks of a decision are written for the acting seat: they may read a mat that others lack."""

    def for_acting_seat(function):
        def called(board, seat, *decision):
            assert seat in rules.course.to_act(board), f"{function} was called for waiting seat {seat}"
            return function(board, seat, *decision)

        return called

    watched = replace(
        rules,
        kinds={
            kind: replace(
                row,
                offers=for_acting_seat(row.offers),
                checks=tuple((rule, for_acting_seat(check)) for rule, check in row.checks_to_call),
            )
            for kind, row in rules.kinds.items()
        },
    )
    for game in positions(rules, 4):
        acting = rules.course.to_act(game.board)
        for seat in range(game.board.table.seats):
            closed = watched.closed_kinds(game.board, seat)
            assert closed or seat in acting or not acting, "a waiting seat learns why it waits"
            assert watched.legal(game.board, seat) or seat not in acting


def arguments_read(check):
    """Return the names that the code of a check loads."""
    return {instruction.argval for instruction in get_instructions(check) if instruction.opname.startswith("LOAD_")}


@EVERY
def test_checks_take_only_arguments_they_read(rules):
    checks = {check for row in rules.kinds.values() for _, check in (*row.when, *row.checks) if isfunction(check)}
    names = {check: argument_names(check) for check in checks}
    assert not [check for check in checks if not {*names[check]} <= {"b", "seat", "d"} & arguments_read(check)]


@pytest.mark.parametrize(
    ("check", "called_with"),
    [
        (lambda b: b, 1),
        (lambda seat: seat, 2),
        (lambda d: d, 3),
        (lambda b, seat: (b, seat), (1, 2)),
        (lambda b, d: (b, d), (1, 3)),
        (lambda seat, d: (seat, d), (2, 3)),
        (lambda b, seat, d: (b, seat, d), (1, 2, 3)),
        (lambda board, player, decision: (board, player, decision), (1, 2, 3)),
    ],
)
def test_check_called_with_arguments_it_names(check, called_with):
    assert as_check(check)(1, 2, 3) == called_with


@pytest.mark.parametrize("check", [lambda b: b, lambda seat: seat, lambda b, seat: (b, seat)])
def test_condition_called_without_a_decision(check):
    assert as_condition(check)(1, 2) == as_check(check)(1, 2, None)
