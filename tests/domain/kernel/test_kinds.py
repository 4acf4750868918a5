"""The tables of decisions: a row for each kind, and in it what belongs to that kind alone."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from daybook.domain.games import RULESETS
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
    """What offers and checks a decision is written for the acting seat: it may read a mat that others do not have."""

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
                checks=tuple((rule, for_acting_seat(check)) for rule, check in row.checks),
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
