"""Knock-out rounds: qualification, seeding of tables, and the final."""

from __future__ import annotations

from random import Random

import pytest

from daybook.domain.league.seasons import DEFAULTS, Format, Points, format_fault
from daybook.services.league.knockout import (
    KnockoutRound,
    PlayedTable,
    count_losses,
    deal_in_snake_order,
    draw_next_round,
)

DUELS = Format("knockout", (2,), points=Points({"2": (1, 0)}), advance_per_table=1)
FOURS = DEFAULTS["knockout"]


def play_out(
    season_format: Format, n: int, seed: int = 1, upsets: bool = True
) -> tuple[list[str], list[PlayedTable], int]:
    """Play a knock-out to its end. Return the last people, all tables and the number of rounds."""
    chance = Random(seed)
    people = [f"p{number:02}" for number in range(n)]
    played, byes, rounds = list[PlayedTable](), dict[str, int](), 0
    while True:
        drawn = draw_next_round(season_format, people, played, byes, {}, Random(seed))
        if not isinstance(drawn, KnockoutRound):
            assert drawn.key == "knockout_over"
            losses = count_losses(season_format, people, played)
            return [person for person in people if losses[person] < season_format.lives], played, rounds
        rounds += 1
        assert rounds < 40
        seated = [person for table in drawn.tables for person in table]
        alive = {
            person for person, lost in count_losses(season_format, people, played).items() if lost < season_format.lives
        }
        assert {*seated, *drawn.resting} == alive and len(seated) + len(drawn.resting) == len(alive)
        for person in drawn.resting:
            byes[person] = byes.get(person, 0) + 1
        for table in drawn.tables:
            ranked = [*table]
            chance.shuffle(ranked) if upsets else ranked.sort()
            assert len(table) in season_format.table_sizes
            played.append(PlayedTable(rounds, tuple(ranked)))


@pytest.mark.parametrize("n", range(2, 34))
def test_single_knockout_of_duels_has_one_winner_left(n):
    left, played, rounds = play_out(DUELS, n)
    assert len(left) == 1 and len(played) == n - 1 and rounds == (n - 1).bit_length()


@pytest.mark.parametrize("n", range(3, 34))
def test_double_knockout_of_duels_gives_everyone_two_losses(n):
    double = Format("knockout", (2,), points=Points({"2": (1, 0)}), advance_per_table=1, lives=2)
    left, played, _ = play_out(double, n)
    assert len(left) == 1 and len(played) in (2 * n - 2, 2 * n - 1)


@pytest.mark.parametrize("lives", [1, 2])
@pytest.mark.parametrize("n", range(3, 41))
def test_two_of_four_advance_until_one_final_is_played(n, lives):
    season_format = Format("knockout", (4, 3), points=Points(), advance_per_table=2, lives=lives)
    left, played, rounds = play_out(season_format, n)
    assert len(left) == 1 and len([table for table in played if table.round == rounds]) == 1


def test_knockout_without_upsets_ends_with_the_first_two_seeds():
    left, played, _ = play_out(DUELS, 16, upsets=False)
    assert left == ["p00"] and {*played[-1].people} == {"p00", "p01"}


def test_snake_gives_tables_of_equal_strength():
    tables = deal_in_snake_order([str(number) for number in range(16)], (4, 4, 4, 4))
    assert [sum(map(int, table)) for table in tables] == [30, 30, 30, 30]


def test_byes_of_the_first_round_go_to_the_best_seeds():
    drawn = draw_next_round(DUELS, [f"p{n}" for n in range(6)], [], {}, {}, Random(1))
    assert isinstance(drawn, KnockoutRound) and drawn.resting == ("p0", "p1")


def test_players_of_one_group_sit_apart_in_the_first_round():
    people = [f"{group}{place}" for place in range(4) for group in "ab"]
    groups = {person: (1, "ab".index(person[0]) + 1) for person in people}
    drawn = draw_next_round(DUELS, people, [], {}, groups, Random(1))
    assert isinstance(drawn, KnockoutRound)
    assert all({person[0] for person in table} == {"a", "b"} for table in drawn.tables)


def test_player_who_does_not_come_is_out():
    played = [PlayedTable(1, ("a", "b"), ("c", "d")), PlayedTable(1, ("e", "f", "g", "h"))]
    losses = count_losses(FOURS, [*"abcdefgh"], played)
    assert [person for person, lost in losses.items() if lost] == ["c", "d", "g", "h"]


def test_more_advancing_than_the_smallest_table_is_refused():
    fault = format_fault(Format("knockout", (4, 3), points=Points(), advance_per_table=3))
    assert fault is not None and fault.key == "advance_per_table"
