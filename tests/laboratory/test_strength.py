"""Practice players : their level, and how strong they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daybook.cli import main
from daybook.services.certainty import wilson
from tests.laboratory.commands import laboratory
from tests.laboratory.strength import rotated_seats, seatings, share_interval

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    return lambda *words: CliRunner().invoke(main if words[0] == "simulate" else laboratory, words)


def test_a_share_has_the_interval_of_wilson() -> None:
    low, high = wilson(81, 263)  # Newcombe 1998, table I
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson(20, 20)[1] == 1.0 and wilson(0, 20)[0] == 0.0


def test_steady_plays_chance_and_says_who_won(run: Run) -> None:
    words = ("strength", "making_profit", "--players", "3", "--games", "6", "--seed", "2")
    found = json.loads(run(*words, "--json").stdout)
    assert (found["games"], found["seats"], found["level"], found["against"]) == (6, 3, "steady", "chance")
    shown = run(*words).stdout
    assert f"won by steady: {100 * found['share']:.1f} %" in shown
    assert "does not know the game 'chess'" in run("strength", "chess").stderr


@pytest.mark.parametrize(("seats", "games"), [(1, 1), (2, 2), (3, 3), (4, 2), (5, 5), (6, 2)])
def test_deal_is_replayed_until_seats_are_balanced(seats: int, games: int) -> None:
    played = [seat for number in range(games) for seat in rotated_seats(seats, number)]
    assert seatings(seats) == games
    assert {played.count(seat) for seat in range(seats)} == {len(played) // seats}


def test_equal_players_share_deals_replayed_with_seats_changed(run: Run) -> None:
    words = ("strength", "making_profit", "--players", "2", "--against", "steady", "--games", "9", "--json")
    found = json.loads(run(*words, "--rotate").stdout)
    assert (found["games"], found["rotations"], found["share"]) == (10, 2, 0.5)
    assert found["interval"] == [*wilson(2.5, 5)]
    alone = json.loads(run(*words).stdout)
    assert (alone["games"], alone["rotations"], alone["interval"]) == (9, 1, [*wilson(9 * alone["share"], 9)])


def test_games_of_one_deal_tell_as_much_as_deals_differ() -> None:
    alike, apart = [1.0, 0.0] * 18 + [1.0, 1.0] * 2, [1.0, 1.0] * 11 + [0.0, 0.0] * 9
    assert sum(alike) == sum(apart) == 22
    (low, high), (lower, higher) = share_interval(alike, 2), share_interval(apart, 2)
    assert lower < wilson(22, 40)[0] < low < 0.55 < high < wilson(22, 40)[1] < higher
    assert share_interval(alike, 1) == wilson(22, 40)
    assert share_interval([1.0] * 8, 2) == wilson(4, 4) and share_interval([1.0, 0.5], 2) == wilson(0.75, 1)


def test_run_begun_before_replayed_deals_continues(run: Run, tmp_path: Path) -> None:
    words = ("strength", "making_profit", "--players", "2", "--games", "2", "--keep", str(tmp_path / "run"))
    assert run(*words).exit_code == 0
    assert "rotations" not in (tmp_path / "run").read_text()
    assert "keeps games of another run" in run(*words, "--rotate").stderr


@pytest.mark.parametrize("level", ["chance", "steady"])
def test_games_are_simulated_at_a_level(run: Run, level: str) -> None:
    words = ("simulate", "--players", "3", "--games", "2", "--seed", "5", "--level", level, "--json")
    assert run(*words).stdout == run(*words).stdout
    other = {"chance": "steady", "steady": "chance"}[level]
    assert run(*words).stdout != run(*words[:-2], other, "--json").stdout


def test_a_run_that_is_kept_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    words = ("strength", "making_profit", "--players", "2", "--seed", "2", "--keep", str(tmp_path / "run"), "--json")
    begun = json.loads(run(*words, "--games", "3").stdout)
    lines = (tmp_path / "run").read_bytes().splitlines(keepends=True)
    assert (begun["games"], len(lines)) == (3, 4)
    (tmp_path / "run").write_bytes(b"".join(lines)[:-5])  # stopped while the last game was written down
    went_on = json.loads(run(*words, "--games", "5").stdout)
    assert (tmp_path / "run").read_bytes().count(b"\n") == 6
    alone = json.loads(run(*words[:-3], "--games", "5", "--json").stdout)
    assert {**went_on, "decisions_a_second": 0} == {**alone, "decisions_a_second": 0}
    assert "keeps games of another run" in run(*words, "--games", "5", "--level", "chance").stderr


def test_a_solo_game_is_played_against_nobody(run: Run) -> None:
    words = ("strength", "arkwright_card", "--players", "1", "--games", "2", "--level")
    found = json.loads(run(*words, "steady", "--json").stdout)
    assert (found["seats"], found["against"], found["other_place"]) == (1, None, None)
    assert "2 solo games" in run(*words, "chance").stdout


def test_strong_players_are_measured_too(run: Run) -> None:
    words = ("strength", "making_profit", "--players", "2", "--games", "2", "--level", "strong", "--against", "steady")
    found = json.loads(run(*words, "--playouts", "6", "--json").stdout)
    assert (found["level"], found["against"], found["games"]) == ("strong", "steady", 2)
    played = run("simulate", "--players", "2", "--games", "1", "--level", "strong", "--playouts", "6", "--json")
    assert json.loads(played.stdout)["games"] == 1
