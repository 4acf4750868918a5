"""Practice players on the command line: their level, and how strong they are."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from daybook.cli import main
from daybook.services.settings import Settings
from daybook.services.statistics.strength import wilson

Run = Callable[..., Result]


@pytest.fixture
def run(settings: Settings) -> Run:
    return lambda *words: CliRunner().invoke(main, words)


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


@pytest.mark.parametrize("level", ["chance", "steady"])
def test_games_are_simulated_at_a_level(run: Run, level: str) -> None:
    words = ("simulate", "--players", "3", "--games", "2", "--seed", "5", "--level", level, "--json")
    assert run(*words).stdout == run(*words).stdout
    other = {"chance": "steady", "steady": "chance"}[level]
    assert run(*words).stdout != run(*words[:-2], other, "--json").stdout
