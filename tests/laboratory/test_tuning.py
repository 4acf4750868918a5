"""Weights tuned by self-play: out of a seed, kept step by step, held against those before on other games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from daybook.domain.games import PACKAGES, PRACTISED
from daybook.domain.kernel.policy import Policy
from daybook.domain.kernel.weights import Weighted
from daybook.services.store.printed_sheets import printed_sheet
from tests.laboratory.commands import laboratory
from tests.laboratory.strength import play_between, rotated_seats
from tests.laboratory.tuning import NotTuned, Tuning, WaveringPlayers, figures_of, tune, with_figures, write_if_better

PACKAGE = PACKAGES["making_profit"]
RULES, SHEET = PACKAGE.ruleset, printed_sheet("making_profit")
Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    return lambda *words: CliRunner().invoke(
        laboratory, ("tune", "making_profit", "--games", "4", "--compared", "8", *words)
    )


def policy_by(**figures: float) -> Policy[Any]:
    """Making Profit's, with other weights."""
    policy = PACKAGE.policy
    assert policy is not None and policy.weights is not None and policy.by_weights is not None
    return policy.by_weights(with_figures(policy.weights, figures))


def test_it_comes_out_of_its_seed_and_a_kept_run_goes_on(run: Run, tmp_path: Path) -> None:
    words, kept = ("--steps", "4", "--seed", "5", "--json"), ("--keep", str(tmp_path / "run"))
    whole = json.loads(run(*words).stdout)
    assert (whole["steps"], len(whole["tried"]), whole["compared"], whole["seats"]) == (4, 4, 8, 4)
    assert json.loads(run(*words, *kept).stdout) == whole
    lines = (tmp_path / "run").read_bytes()
    (tmp_path / "run").write_bytes(b"".join(lines.splitlines(keepends=True)[:4])[:-5])  # stopped in its third step
    assert json.loads(run(*words, *kept).stdout) == whole and (tmp_path / "run").read_bytes() == lines
    assert "keeps games of another run" in run("--steps", "4", "--seed", "6", *kept).stderr


def test_what_it_came_to_is_told_and_written_where_it_is_asked_for(run: Run, tmp_path: Path) -> None:
    told = run("--steps", "6", "--to", str(tmp_path / "found.json")).stdout
    found = msgspec.json.decode((tmp_path / "found.json").read_bytes(), type=Tuning)
    assert f"won {100 * found.share:.1f} % of 8 other games" in told
    assert found.after.keys() == found.before.keys() and found.after != found.before
    assert [len(one.moves) for one in found.tried] == [len(found.before)] * 6
    assert "does not know the game 'chess'" in CliRunner().invoke(laboratory, ("tune", "chess")).stderr


def test_weights_are_written_only_if_they_are_better_beyond_doubt(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    told = json.loads(run("--steps", "2", "--weights", str(file), "--json").stdout)
    assert file.exists() == (told["interval"][0] > 0.5)
    file.unlink(missing_ok=True)
    assert PACKAGE.policy is not None
    worse = Tuning("making_profit", "1.4", 4, 3, {"hands": "open"}, 2, 4, {}, {"fade": 0.5}, 8, 0.5, (0.2, 0.8), [])
    for found, is_better in ((worse, False), (msgspec.structs.replace(worse, interval=(0.51, 0.8)), True)):
        write_if_better(file, PACKAGE.policy, found)
        assert file.exists() == found.is_better == is_better
    written = msgspec.json.decode(file.read_bytes(), type=Weighted)
    assert msgspec.convert(written.weights, type(PACKAGE.policy.weights)) == policy_by(fade=0.5).weights
    assert "--seed 3 --option hands=open`" in written.origin and "interval 51.0 to 80.0" in written.origin


@pytest.mark.slow
def test_weights_that_are_far_off_come_nearer() -> None:
    """Who takes a card of the own factory for four times its worth develops too dearly, and loses."""
    found = tune(RULES, policy_by(resource=20.0), SHEET, seats=4, steps=4, games=4, compared=8, seed=4)
    assert found.after["resource"] < 0.9 * found.before["resource"] and found.share > 0.5


def test_each_deal_is_played_twice_with_seats_changed_so_that_equals_come_out_even() -> None:
    policy = policy_by()
    table = RULES.table(RULES.colours(SHEET)[:4], {}, SHEET)
    own = [sorted(rotated_seats(4, number)) for number in range(3)]
    assert own == [[0, 2], [1, 3], [0, 2]]
    for seed in range(5):
        played = [play_between(RULES, table, WaveringPlayers(seed, [policy] * 4), seats).points for seats in own[:2]]
        assert sum(played) == 1.0


@pytest.mark.parametrize("game", PRACTISED)
def test_every_game_has_weights_in_its_folder_each_greater_than_nothing(game: str) -> None:
    policy = PACKAGES[game].policy
    assert policy is not None and policy.weights is not None and policy.by_weights is not None
    figures = figures_of(policy.weights)
    assert len(figures) > 8 and all(number > 0 for number in figures.values())
    other = policy.by_weights(with_figures(policy.weights, dict.fromkeys(figures, 2.0)))
    assert other.weights is not None and set(figures_of(other.weights).values()) == {2.0}


def test_games_are_as_many_for_either_side() -> None:
    for seats, games, compared in ((3, 4, 8), (4, 3, 9), (4, 4, 6)):
        with pytest.raises(NotTuned, match="even numbers"):
            tune(RULES, policy_by(), SHEET, seats=seats, steps=2, games=games, compared=compared, seed=1)


def test_weights_are_known_by_their_paths() -> None:
    class Some(msgspec.Struct, frozen=True):
        card: dict[str, float]
        fade: float

    some = Some({"R1": 6.0, "?": 0.4}, 0.5)
    assert figures_of(some) == {"card.R1": 6.0, "card.?": 0.4, "fade": 0.5}
    assert with_figures(some, {"card.?": 0.6}) == Some({"R1": 6.0, "?": 0.6}, 0.5)
    assert with_figures(some, figures_of(some)) == some
