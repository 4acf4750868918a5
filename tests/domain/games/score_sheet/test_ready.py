"""The ready definitions: each with a worked example, and together every kind of counting."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.games.score_sheet.moves import EndGame, EndRound, Enter, GoOut, TakeRole, Use
from daybook.domain.kernel.terms import Decision, Seat
from tests.domain.games.score_sheet.playing import READY, SHEET, column, opened, play, ranks, ready_sheet, totals

Moves = list[tuple[Seat, Decision]]
END: Moves = [(0, EndGame())]


def rounds(line: str, *figures: tuple[int, ...]) -> Moves:
    """Round by round, what everybody has, and the end of each."""
    return [
        move
        for of in figures
        for move in (*((seat, Enter(line, value)) for seat, value in enumerate(of)), (0, EndRound()))
    ]


EXAMPLES: dict[str, tuple[int, Moves, list[int], tuple[int, ...]]] = {
    "catan": (
        3,
        [
            *column(0, settlements=2, cities=3, longest_road=1),
            *column(1, settlements=3, cities=1, largest_army=1, victory_point_cards=1),
            *column(2, settlements=4, cities=0),
            *END,
        ],
        [10, 8, 4],
        (1, 2, 3),
    ),
    "coup": (3, [(2, GoOut()), (0, GoOut())], [0, 0, 0], (2, 1, 3)),
    "hearts": (
        3,
        rounds("points", (26, 0, 0), (26, 0, 0), (26, 0, 0), (20, 6, 0), (2, 11, 13)),
        [100, 17, 13],
        (3, 2, 1),
    ),
    "pandemic": (2, [(0, TakeRole("Medic")), (1, EndGame(True))], [0, 0], (1, 1)),
    "president": (
        4,
        [*column(0, place=3), *column(1, place=1), *column(2, place=4), *column(3, place=2), *END],
        [3, 1, 4, 2],
        (3, 1, 4, 2),
    ),
    "scrabble": (
        2,
        [*rounds("words", (24, 30), (18, 11)), *column(0, words=9, tiles_of_others=7), *column(1, tiles_left=7), *END],
        [58, 34],
        (1, 2),
    ),
    "seven-wonders": (
        3,
        [
            *column(0, military=10, coins=8, wonder=7, civilian=12, science=0, trade=3, guilds=4),  # 38
            *column(1, military=-3, coins=11, wonder=10, civilian=6, science=16, trade=6, guilds=0),  # 38, more coins
            *column(2, military=1, coins=2, wonder=3, civilian=20, science=1, trade=0, guilds=5),  # 30
            *END,
        ],
        [38, 38, 30],
        (2, 1, 3),
    ),
    "skull-king": (
        2,
        rounds(
            "bid", (20, -10), (40, 20), (-20, 40), (0, 60), (50, 0), (60, -10), (70, 0), (0, 80), (90, 90), (0, 100)
        ),
        [310, 370],
        (2, 1),
    ),
    "wingspan": (
        2,
        [
            (0, Use("Oceania")),
            *column(
                0, birds=45, bonus_cards=7, end_of_round_goals=11, eggs=14, food_on_cards=3, tucked_cards=5, nectar=5
            ),
            *column(1, birds=52, bonus_cards=4, end_of_round_goals=9, eggs=10, tucked_cards=8, nectar=7, food_left=2),
            *END,
        ],
        [90, 90],
        (2, 1),
    ),
    "yahtzee": (
        2,
        [
            *column(0, ones=3, twos=6, threes=9, fours=12, fives=15, sixes=18, full_house=1, chance=20),  # 63: bonus
            *column(1, ones=2, twos=6, threes=9, fours=12, fives=15, sixes=18, yahtzee=1, more_yahtzees=1),  # 62
            *END,
        ],
        [143, 212],
        (2, 1),
    ),
}


@pytest.mark.parametrize("name", READY)
def test_an_example_of_each_comes_to_what_its_players_would_say(name):
    seats, moves, expected, places = EXAMPLES[name]
    b, _ = play(opened(ready_sheet(name), seats), *moves)
    assert (totals(b), ranks(b)) == (expected, places)


def test_there_are_ten_and_together_they_count_in_every_way():
    read = [read_definition(ready_sheet(name)) for name in READY]
    assert len(read) == 10 and {d.game_name for d in read} == {sheet_name(name) for name in READY}
    assert {d.score_count for d in read} == {"end", "rounds", "open", "target", "places"}
    assert {d.score_wins for d in read} == {"most", "least", "last", "together"}
    assert {line.kind for d in read for line in d.score_lines} == {"number", "times", "choice", "yes", "minus"}
    assert any(d.formula for d in read) and any(d.ties for d in read)
    assert any(d.game_roles for d in read) and any(d.game_expansions for d in read)


def sheet_name(name: str) -> Any:
    return ready_sheet(name)["game.name"]


def test_any_game_is_one_line_for_who_cannot_wait():
    b, _ = play(opened(SHEET, 3), *((seat, Enter("points", value)) for seat, value in enumerate((7, 12, 7))), *END)
    assert (totals(b), ranks(b)) == ([7, 12, 7], (2, 1, 2))
    assert SCORE_SHEET.legal(b, 0) == []
