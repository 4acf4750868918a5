"""Score sheets with halves: every total is exact, and a sheet without halves refuses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.games.score_sheet.moves import ComeLater, EndGame, EndRound, Enter, Join
from daybook.domain.kernel.points import Points, is_points
from daybook.domain.kernel.terms import IllegalDecision
from tests.domain.games.score_sheet.playing import after, board, column, ranks, refusal, sheet_with, totals

Values = list[Fraction]  # by player
Formula = tuple[str, Callable[[dict[str, Values]], Values]]  # as it is written, and its values by those of the lines
HALVES: dict[str, Any] = {"score_halves": True}


def half_below(value: Fraction) -> Fraction:
    return Fraction(floor(value * 2), 2)


def any_formula(chance: Random, keys: Sequence[str], depth: int = 0) -> Formula:
    """Return a random formula, and the plain calculation of it."""
    if depth > 2 or chance.random() < 0.3:
        if chance.random() < 0.7:
            key = chance.choice(keys)
            return key, lambda lines: lines[key]
        number = Fraction(chance.randint(0, 9), 2)
        return str(float(number)), lambda lines: [number] * len(lines[keys[0]])
    (first, value), (second, other) = (any_formula(chance, keys, depth + 1) for _ in range(2))
    by = chance.choice((2, 3, 0.5, 1.5))
    pairs: Callable[[dict[str, Values]], zip[tuple[Fraction, Fraction]]]
    pairs = lambda lines: zip(value(lines), other(lines), strict=True)  # noqa: E731
    formulas: Sequence[Formula] = (
        (f"({first} + {second})", lambda lines: [a + b for a, b in pairs(lines)]),
        (f"({first} - {second})", lambda lines: [a - b for a, b in pairs(lines)]),
        (f"({first} * {second})", lambda lines: [half_below(a * b) for a, b in pairs(lines)]),
        (f"({first} / {by})", lambda lines: [Fraction(floor(a / Fraction(by))) for a in value(lines)]),
        (f"max({first}, {second})", lambda lines: [max(a, b) for a, b in pairs(lines)]),
        (
            f"if({first} < {second}, {first}, 1.5)",
            lambda lines: [a if a < b else Fraction(3, 2) for a, b in pairs(lines)],
        ),
        (f"all({first})", lambda lines: [sum(value(lines), Fraction())] * len(value(lines))),
        (f"rank({first})", lambda lines: [Fraction(1 + sum(b > a for b in value(lines))) for a in value(lines)]),
        (f"abs({first})", lambda lines: [abs(a) for a in value(lines)]),
    )
    return chance.choice(formulas)


@pytest.mark.parametrize("seed", range(40))
def test_sc_7_1_totals_equal_a_calculation_with_fractions(seed):
    chance = Random(seed)
    while (played := any_game(chance)) is None:  # a definition that cannot be
        continue
    b, expected = played
    assert totals(b) == expected
    assert all(map(is_points, [*totals(b), *b.round_totals(0)])), "12 is never 12.0"
    signs = [total if b.definition.score_wins == "most" else -total for total in expected]
    assert list(ranks(b)) == [1 + sum(other > total for other in signs) for total in signs]
    assert msgspec.json.decode(msgspec.json.encode(b.document())) == b.document()


def any_game(chance: Random) -> tuple[Board, Values] | None:
    """Play a random game of a random definition; return it with the totals by a plain calculation."""
    factors = {f"line_{at}": Fraction(chance.randint(1, 6), 2) for at in range(chance.randint(1, 4))}
    kinds = {key: chance.choice(("number", "times", "minus")) for key in factors}
    lines = [
        {"name": key.replace("_", " "), "kind": kinds[key], "each": points(factor)} for key, factor in factors.items()
    ]
    formula, calculate = any_formula(chance, list(factors))
    seats, rounds = chance.randint(2, 5), chance.randint(1, 4)
    wins = chance.choice(("most", "least"))
    fields = {"score_lines": lines, "score_total": formula, "score_count": "open", "score_wins": wins}
    try:
        b = board(seats, game_most=seats, **fields, **HALVES)
    except IllegalDecision:
        return None
    expected = [Fraction()] * seats
    for number in range(rounds):
        counted: dict[str, Values] = {}
        for key in factors:
            whole = kinds[key] != "number" and factors[key].denominator == 2
            low = -25 if kinds[key] == "number" else 0
            figures = [Fraction(chance.randint(low, 25) * (1 + whole), 2) for _ in range(seats)]
            b = after(b, *((seat, Enter(key, points(figure))) for seat, figure in enumerate(figures)))
            factor = {"number": Fraction(1), "times": factors[key], "minus": -factors[key]}[kinds[key]]
            counted[key] = [figure * factor for figure in figures]
        expected = [total + more for total, more in zip(expected, calculate(counted), strict=True)]
        b = after(b, (0, EndRound())) if number < rounds - 1 else b
    return after(b, (0, EndGame())), expected


def points(number: Fraction) -> Points:
    return int(number) if number.denominator == 1 else float(number)


def test_sc_3_7_sheet_without_halves_refuses_them():
    with pytest.raises(IllegalDecision, match=r"SC-3\.7: Points takes whole numbers only, not 12\.5"):
        after(board(2), (0, Enter("points", 12.5)))


@pytest.mark.parametrize(
    ("line", "value", "rule"),
    [
        ({"kind": "number"}, 12.25, "SC-3.7"),
        ({"kind": "times", "each": 0.5}, 2.5, "SC-3.7"),
        ({"kind": "yes", "each": 0.5}, 0.5, "SC-3.7"),
        ({"kind": "choice", "values": [0, 1.5]}, 2.5, "SC-3.3"),
        ({"kind": "number", "most": 9.5}, 10, "SC-3.3"),
        ({"kind": "minus", "each": 3}, 2.5, ""),
        ({"kind": "times", "each": 0.5}, 3, ""),
        ({"kind": "choice", "values": [0, 1.5]}, 1.5, ""),
    ],
)
def test_sc_3_7_half_is_accepted_where_points_stay_halves(line, value, rule):
    b = board(2, score_lines=[{"name": "Line", **line}], **HALVES)
    if rule:
        assert (refusal(b, 0, Enter("line", value)) or ("",))[0] == rule
    else:
        assert totals(after(b, (0, Enter("line", value))))[0] in (-7.5, 1.5)


def test_half_that_stood_against_the_rules_counts_a_half():
    b = board(2, score_lines=[{"name": "Pawns", "kind": "times", "each": 0.5}], **HALVES)
    played = SCORE_SHEET.insist(b, 0, Enter("pawns", 1.5))
    assert played and totals(played[0])[0] == 0.5, "a record holds no quarters"


def test_sc_5_5_agreed_points_can_be_halves():
    b = after(board(2, score_count="open", **HALVES), (1, ComeLater()), *column(0, points=3), (0, EndRound()))
    assert totals(after(b, (1, Join(0.5)))) == [3, 0.5]
    whole = after(board(2, score_count="open"), (1, ComeLater()), *column(0, points=3), (0, EndRound()))
    assert refusal(whole, 1, Join(0.5)) == ("SC-5.5", "no_half")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"score_lines": [{"name": "Eggs", "kind": "times", "each": 0.5}]},
            "0.5 is a half, but score.halves is not true",
        ),
        (
            {"score_lines": [{"name": "Eggs"}], "score_total": "eggs * 1.5"},
            "1.5 is a half, but score.halves is not true",
        ),
        ({"score_count": "target", "score_number": 10.5}, "10.5 is a half, but score.halves is not true"),
        ({"score_count": "rounds", "score_number": 1.5, **HALVES}, "a number from 1 to 99, not 1.5"),
    ],
)
def test_sc_2_14_numbers_with_halves_need_a_sheet_with_halves(fields, reason):
    with pytest.raises(IllegalDecision) as no:
        read_definition(sheet_with(**fields))
    assert no.value.rule in ("SC-2.14", "SC-2.7") and str(no.value.reason) == reason


def test_sc_6_3_target_is_reached_by_halves():
    b = board(2, score_count="target", score_number=10.5, **HALVES)
    b = after(b, *column(0, points=10), *column(1, points=2.5), (0, EndRound()))
    assert SCORE_SHEET.scoring.outcome(b) is None
    b = after(b, *column(0, points=0.5), *column(1, points=8), (0, EndRound()))
    assert totals(b) == [10.5, 10.5] and ranks(b) == (1, 1)
