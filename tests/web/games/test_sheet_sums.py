"""Score sheets: the working of calculated lines, and sums of all players that cannot be right."""

from __future__ import annotations

import pytest

from daybook.domain.games.score_sheet.definition import TOTAL
from daybook.domain.games.score_sheet.moves import EndRound, Enter
from daybook.web.games.score_sheet.grid import wrong_sum
from daybook.web.games.score_sheet.working import working_of
from tests.domain.games.score_sheet.playing import after, board, column, opened, ready_sheet


def working(b, key, at=0, seat=0):
    """Return the working of a line as the page shows it."""
    tally = b.so_far().tally()
    points = tally.rounds[at][seat] if key == TOTAL else tally.round_lines[at][seat][key] if at >= 0 else None
    return working_of(b.so_far(), seat, key, at, tally.lines[seat][key] if points is None else points)


@pytest.mark.parametrize(
    ("name", "figures", "key", "expected"),
    [
        ("wizard", {"bid": 3, "tricks": 3}, "points", "Bid 3 = Tricks 3, so 20 + 10 × 3 = 50"),
        ("wizard", {"bid": 1, "tricks": 3}, "points", "Bid 1 ≠ Tricks 3, so −10 × (3 − 1) = −20"),
        ("oh-hell", {"bid": 1, "tricks": 3}, "points", "Bid 1 ≠ Tricks 3, so 0"),
        ("skull-king", {"bid": 3, "tricks": 3}, "bid_points", "Bid 3 ≠ 0, Bid 3 = Tricks 3, so 20 × 3 = 60"),
        ("skull-king", {"bid": 0, "tricks": 1}, "bid_points", "Bid 0 = 0, Tricks 1 ≠ 0, so −10 × 1 = −10"),
        ("spades", {"bid": 3, "tricks": 4}, "contract", "Tricks 4 ≥ Bid 3, so 9 × 3 + 4 = 31"),
        ("skat", {"game": -48}, "won_or_lost", "Game −48 ≤ 0, Game −48 < 0, so −50"),
    ],
)
def test_working_has_numbers_and_the_branch_taken(name, figures, key, expected):
    assert working(after(opened(ready_sheet(name), 4), *column(0, **figures)), key) == expected


def test_working_of_a_line_counted_once_divides_the_rounds_sum():
    b = opened(ready_sheet("spades"), 4)
    for _ in range(2):
        b = after(b, *column(0, bid=1, tricks=7), *column(1, bid=5, tricks=6), (0, EndRound()))
    assert working(b, "bags", -1) == "−100 × (12 ÷ 10, rounded down) = −100"


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        ("sum - coins + coins / 3", "11 − 7 + (7 ÷ 3, rounded down) = 6"),
        ("max(sum, 20) * 2", "(the highest of 11 and 20) × 2 = 40"),
        ("if(not(coins > 3) or birds = 4, 10, 0) - (birds - 1)", "Birds 4 = 4, so 10 − (4 − 1) = 7"),
        ("most(birds) - birds", "4 − 4 = 0"),
    ],
)
def test_working_of_the_total(total, expected):
    b = board(2, score_lines=[{"name": "Birds"}, {"name": "Coins", "kind": "times"}], score_total=total)
    assert working(after(b, *column(0, birds=4, coins=7)), TOTAL) == expected


@pytest.mark.parametrize(
    ("name", "seats", "line", "figures", "expected"),
    [
        ("wizard", 3, "tricks", (1, 1, 0), "1"),
        ("wizard", 3, "tricks", (1, 1), "1"),
        ("wizard", 3, "tricks", (0, 0), ""),
        ("hearts", 3, "points", (1, 18, 0), "26, 52 or −26"),
        ("hearts", 3, "points", (26, 26, 0), ""),
        ("oh-hell", 4, "tricks", (5, 5, 5, 0), "at least 1 and at most 13"),
        ("oh-hell", 4, "tricks", (0, 0, 0, 0), "at least 1 and at most 13"),
        ("skull-king", 3, "tricks", (1, 1, 0), "at most 1"),
        ("skull-king", 3, "tricks", (0, 0, 0), ""),
        ("spades", 4, "tricks", (5, 5, 3, 0), ""),
        ("spades", 4, "tricks", (5, 5), ""),
        ("spades", 4, "tricks", (5, 5, 4), "13"),
        ("tichu", 4, "cards", (60, 50), "100 or 200"),
        ("tichu", 4, "cards", (60, 40), ""),
        ("catan", 3, "longest_road", (1, 1), "at most 1"),
        ("lost-cities", 2, "yellow_wagers", (2, 2), "at most 3"),
        ("wingspan", 3, "eggs", (60, 60), ""),
    ],
)
def test_sc_2_15_sums_of_ready_sheets_warn(name, seats, line, figures, expected):
    b = opened(ready_sheet(name), seats)
    b = after(b, *((seat, Enter(line, figure)) for seat, figure in enumerate(figures)))
    warning = wrong_sum(b, 1)
    assert (f" should have {expected}. Is one mistyped?" in warning) if expected else not warning


def test_sc_2_15_empty_cells_of_a_finished_round_are_zero():
    b = after(opened(ready_sheet("hearts"), 3), *column(0, points=20), (0, EndRound()))
    assert "add up to 20" in wrong_sum(b, 1) and not wrong_sum(b, 2)
