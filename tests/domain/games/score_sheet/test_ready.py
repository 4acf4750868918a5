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
    """Return, round by round, each player's entries and the end of the round."""
    return [
        move
        for of in figures
        for move in (*((seat, Enter(line, value)) for seat, value in enumerate(of)), (0, EndRound()))
    ]


def deals(lines: tuple[str, ...], *figures: tuple[tuple[int, ...], ...]) -> Moves:
    """Round by round, the figures of each player line by line, and the end of each."""
    return [
        move
        for of in figures
        for move in (
            *(
                (seat, Enter(line, value))
                for seat, values in enumerate(of)
                for line, value in zip(lines, values, strict=True)
            ),
            (0, EndRound()),
        )
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
    # 340: 20, -20, 60 and a bonus of 30, -10 without its bonus, 40, 60, -10, 60, -10, 120
    # 190: 10, -10, 30, 40, 60, -20, -10, 100, -90, 80
    "skull-king": (
        2,
        deals(
            ("bid", "tricks", "bonus"),
            ((1, 1, 0), (0, 0, 0)),
            ((0, 1, 0), (2, 1, 0)),
            ((3, 3, 30), (0, 0, 0)),
            ((1, 2, 20), (2, 2, 0)),
            ((2, 2, 0), (3, 3, 0)),
            ((0, 0, 0), (4, 6, 0)),
            ((5, 4, 0), (2, 3, 0)),
            ((3, 3, 0), (5, 5, 0)),
            ((4, 5, 0), (0, 4, 0)),
            ((6, 6, 0), (4, 4, 0)),
        ),
        [340, 190],
        (1, 2),
    ),
    # ten rounds for six: 20, 30, -10, -20 and 20 in each, and 20 + 10 for each trick of the last: 0 to 9 of them
    "wizard": (
        6,
        deals(("bid", "tricks"), *(((0, 0), (1, 1), (1, 0), (2, 0), (0, 0), (others, others)) for others in range(10))),
        [200, 300, -100, -200, 200, 650],
        (3, 2, 5, 6, 3, 1),
    ),
    # 11 + 0 + 10, 10 + 11 + 13, and never exact
    "oh-hell": (
        3,
        [*deals(("bid", "tricks"), ((1, 1), (0, 0), (1, 0)), ((2, 1), (1, 1), (0, 1)), ((0, 0), (3, 3), (1, 0))), *END],
        [21, 34, 0],
        (2, 1, 3),
    ),
    # first team: 61, 42 and a nil of 100, 94, 44, 130, 130, less 100 for 11 bags; second: 60, -80, -20, 50, 0, 0
    "spades": (
        4,
        deals(
            ("bid", "tricks", "nil"),
            ((3, 4, 0), (4, 3, 0), (3, 3, 0), (2, 3, 0)),
            ((0, 0, 100), (5, 4, 0), (4, 6, 0), (3, 3, 0)),
            ((5, 7, 0), (1, 0, 0), (4, 6, 0), (1, 0, 0)),
            ((2, 4, 0), (3, 2, 0), (2, 4, 0), (2, 3, 0)),
            ((6, 7, 0), (0, 0, 0), (7, 6, 0), (0, 0, 0)),
            ((7, 7, 0), (0, 0, 0), (6, 6, 0), (0, 0, 0)),
        ),
        [501, 10, 501, 10],
        (1, 3, 1, 3),
    ),
    # 70 + 100, 200, 125 + 200, 55 and 100 + 200; 30, 0 - 200, -25, 45 + 100, 0
    "tichu": (
        4,
        deals(
            ("cards", "call"),
            ((70, 100), (30, 0), (0, 0), (0, 0)),
            ((200, 0), (0, 0), (0, 0), (0, -200)),
            ((125, 0), (-25, 0), (0, 200), (0, 0)),
            ((55, 0), (45, 100), (0, 0), (0, 0)),
            ((100, 200), (0, 0), (0, 0), (0, 0)),
        ),
        [1050, -50, 1050, -50],
        (1, 3, 1, 3),
    ),
    # a won game of 48 brings 98, a lost grand of 96 costs 146 and brings the others 40, a won game of 24 brings 74
    "skat": (
        3,
        [*column(0, game=48), (0, EndRound()), *column(1, game=-96), (0, EndRound()), *column(2, game=24), *END],
        [138, -146, 114],
        (1, 3, 2),
    ),
    # 1 + 4 + 8 + 9 + 15 and a row and a column; 0, not -14, + 3 + 8 + 9 + 19 and a column: equal, more rows
    "azul": (
        2,
        [
            *deals(("tiles", "floor"), ((1, 0), (0, 14)), ((5, 1), (3, 0)), ((8, 0), (10, 2)), ((12, 3), (9, 0))),
            *column(0, tiles=15, rows=1, columns=1, colours=0),
            *column(1, tiles=20, floor=1, rows=0, columns=1, colours=0),
            *END,
        ],
        [46, 46],
        (1, 2),
    ),
    "azul-sintra": (
        2,
        [
            *column(0, broken_glass=6, palace=20),
            *column(1, broken_glass=2, palace=12),
            *rounds("windows", (5, 4), (8, 9), (9, 10), (12, 11), (14, 16), (15, 14)),
        ],
        [77, 74],
        (1, 2),
    ),
    "azul-summer-pavilion": (
        2,
        [
            *column(0, stars=12, all_ones=1, all_twos=1, all_threes=0, all_fours=0),
            *column(1, stars=0, all_ones=1, all_twos=0, all_threes=0, all_fours=0),
            *deals(
                ("tiles", "left_over"),
                ((6, 0), (5, 0)),
                ((8, 0), (7, 0)),
                ((10, 1), (9, 0)),
                ((12, 0), (11, 0)),
                ((14, 0), (13, 0)),
                ((15, 1), (20, 0)),
            ),
        ],
        [87, 69],
        (1, 2),
    ),
    "azul-queens-garden": (
        2,
        [
            *column(0, groups=30, groups_of_six=2, left_over=3),
            *column(1, groups=24, groups_of_six=1, left_over=0),
            *rounds("evaluation", (10, 12), (14, 12), (18, 20), (22, 21)),
        ],
        [103, 95],
        (1, 2),
    ),
    # (31 - 20) * 2 - 15, 15 * 3, 7 + 20 + 20; 34 * 4 + 20, -20 * 2 for a wager without numbers, 0
    "lost-cities": (
        2,
        [
            *column(0, yellow=31, yellow_wagers=1, blue=5),
            *column(1, red=54, red_wagers=3, expeditions_of_eight_cards=1),
            (0, EndRound()),
            *column(0, white=35, white_wagers=2),
            *column(1, green_wagers=1),
            (0, EndRound()),
            *column(0, yellow=27, red=40, expeditions_of_eight_cards=1),
            *column(1, blue=20),
            (0, EndRound()),
        ],
        [99, 116],
        (2, 1),
    ),
    # 6 * 2 + 4 + 8 + 3; 7 * 3 + 5
    "lost-cities-rivals": (
        2,
        [
            *column(0, yellow=6, yellow_wagers=1, blue=4, expeditions_of_four_cards=1, coins=3),
            *column(1, red=7, red_wagers=2, coins=5),
            *END,
        ],
        [27, 26],
        (1, 2),
    ),
    "lost-cities-board-game": (
        2,
        [
            *column(0, artefacts=20),
            *column(1, artefacts=-15),
            *deals(("paths", "bonus_points"), ((30, 10), (40, 0)), ((-10, 5), (25, 10)), ((60, 0), (20, 15))),
        ],
        [115, 95],
        (1, 2),
    ),
    "lost-cities-roll-and-write": (
        2,
        [
            *column(0, red=20, orange=-15, yellow=30, blue=10, artefacts=12, dice=8, bridges=10),
            *column(1, red=40, purple=-20, artefacts=3, dice=20),
            *END,
        ],
        [75, 43],
        (1, 2),
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


def test_ready_definitions_count_in_every_way():
    read = [read_definition(ready_sheet(name)) for name in READY]
    assert {d.game_name for d in read} == {sheet_name(name) for name in READY} and READY.keys() == EXAMPLES.keys()
    assert {d.score_count for d in read} == {"end", "rounds", "open", "target", "places"}
    assert {d.score_wins for d in read} == {"most", "least", "last", "together"}
    assert {line.kind for d in read for line in d.score_lines} == {
        "number",
        "times",
        "choice",
        "yes",
        "minus",
        "formula",
    }
    assert any(d.formula for d in read) and any(d.ties for d in read)
    assert any(d.game_roles for d in read) and any(d.game_expansions for d in read)


def sheet_name(name: str) -> Any:
    return ready_sheet(name)["game.name"]


def test_any_game_is_one_line_for_who_cannot_wait():
    b, _ = play(opened(SHEET, 3), *((seat, Enter("points", value)) for seat, value in enumerate((7, 12, 7))), *END)
    assert (totals(b), ranks(b)) == ([7, 12, 7], (2, 1, 2))
    assert SCORE_SHEET.legal(b, 0) == []


def test_lost_game_of_skat_brings_thirty_each_at_a_table_of_four():
    b, _ = play(opened(ready_sheet("skat"), 4), *column(1, game=-48), *END)
    assert totals(b) == [30, -98, 30, 30]


def test_spades_for_three_has_no_partners():
    assert [player.team for player in opened(ready_sheet("spades"), 3).players] == [0, 0, 0]


def test_sixth_expedition_of_lost_cities_counts_with_its_cards():
    sheet = ready_sheet("lost-cities")
    b, _ = play(opened(sheet, 2), (0, Use("Sixth expedition")), *column(0, purple=30, purple_wagers=1))
    assert totals(b) == [20, 0]
