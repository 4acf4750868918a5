"""Forecasts compared with seeded winners and with two simple forecasts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import Ruleset
from daybook.services.analysis import calibration
from daybook.services.analysis.calibration import CALIBRATION_FILE, Calibration, calibration_of, chances_revision
from daybook.services.store.printed_sheets import printed_sheet
from tests.laboratory import calibrating
from tests.laboratory.calibrating import calibrate, measure_calibration, whoever_leads
from tests.laboratory.commands import laboratory
from tests.services.analysis.quick import LITTLE

RULES = RULESETS["making_profit"]

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Has little played out from each position."""
    monkeypatch.setattr(calibrating, "effort_for", lambda ruleset: LITTLE)
    return lambda *words: CliRunner().invoke(laboratory, ("calibrate", "making_profit", "--players", "3", *words))


def game(shares: list[float], won: list[float], totals: list[int], play_outs: int = 0) -> calibrating._Played:
    """Return a game; by default its shown chances are those of a finished game."""
    return calibrating._Played(20, won, [calibrating._Forecast(10, totals, shares, play_outs)], [])


ASKED = calibrating._CalibrationRun("making_profit", "1.1.1", 2, 7, 1, {})


def test_the_scores_are_those_of_brier() -> None:
    found = measure_calibration(ASKED, [game([0.8, 0.2], [1.0, 0.0], [3, 5]), game([0.4, 0.6], [0.5, 0.5], [4, 4])])
    assert found.brier == pytest.approx((2 * 0.2**2 + 2 * 0.1**2) / 2)
    assert found.brier_leader == pytest.approx((2.0 + 0.0) / 2)
    assert found.ahead_of_leader.mean == pytest.approx(found.brier_leader - found.brier)
    assert found.ahead_of_leader.low < 0 < found.ahead_of_leader.high and not found.is_clearly_better


def test_forecasts_are_told_by_tenths_with_what_came_of_them() -> None:
    found = measure_calibration(ASKED, [game([0.84, 0.16], [1.0, 0.0], [3, 5]), game([1.0, 0.0], [0.0, 1.0], [4, 4])])
    assert [tenth.forecasts for tenth in found.tenths] == [1, 1, 0, 0, 0, 0, 0, 0, 1, 1]
    assert (found.tenths[8].predicted, found.tenths[8].actual) == (0.84, 1.0)
    assert (found.tenths[9].predicted, found.tenths[9].actual) == (1.0, 0.0), "a whole share belongs to the last"


def test_standing_is_judged_by_a_curve_fitted_to_other_games() -> None:
    """The leader wins in one half of the games, the last in the other: each half's curve fails the other."""
    ahead, behind = game([0.5, 0.5], [1.0, 0.0], [9, 1]), game([0.5, 0.5], [0.0, 1.0], [9, 1])
    mixed = measure_calibration(ASKED, [ahead, behind] * 8)
    alike = measure_calibration(ASKED, [ahead] * 16)
    assert mixed.brier_standing > 1.0 > 0.5 == mixed.brier and alike.brier_standing < 0.05


def test_chances_that_come_true_are_clearly_better() -> None:
    right = [
        game([0.9, 0.1], [1.0, 0.0], [1, 9]),
        game([0.1, 0.9], [0.0, 1.0], [8, 2]),
        game([0.7, 0.3], [1.0, 0.0], [5, 5]),
        game([0.2, 0.8], [0.0, 1.0], [5, 5]),
    ] * 6
    assert measure_calibration(ASKED, right).is_clearly_better


def test_each_half_of_the_games_is_judged_by_the_other(run: Run) -> None:
    """Ten play-outs that all went one way, of which one in four did not come true: far too sure, in both halves."""
    sure, wrong = game([1.0, 0.0], [1.0, 0.0], [1, 1], 10), game([1.0, 0.0], [0.0, 1.0], [1, 1], 10)
    found = measure_calibration(ASKED, [sure, sure, sure, sure, sure, sure, wrong, wrong] * 5)
    assert found.added == pytest.approx(10, rel=0.05)  # (10 + 10 / 2) / (10 + 10) = 3 / 4
    assert found.brier == pytest.approx(2 * (0.75 * 0.25**2 + 0.25 * 0.75**2), abs=0.001)
    assert found.brier_as_played == pytest.approx(0.5)
    assert found.tenths[7].forecasts == 40 and found.tenths[7].actual == 0.75
    halves = measure_calibration(ASKED, [sure, wrong] * 20)  # all of one half come true, none of the other
    assert halves.brier > halves.brier_as_played, "what is fitted to one half fails the other"


def test_several_who_lead_share_the_victory() -> None:
    assert whoever_leads([4, 7, 7]) == [0.0, 0.5, 0.5]


def test_it_comes_out_of_its_seed_and_a_kept_run_goes_on(run: Run, tmp_path: Path) -> None:
    words, kept = ("--positions", "2", "--seed", "5", "--json"), ("--keep", str(tmp_path / "run"))
    whole = json.loads(run(*words, "--games", "4").stdout)
    assert (whole["games"], whole["seats"], whole["ruleset"]) == (4, 3, "making_profit")
    assert sum(value["forecasts"] for value in whole["tenths"]) == 3 * whole["positions"]
    run(*words, *kept, "--games", "2")
    lines = (tmp_path / "run").read_bytes()
    (tmp_path / "run").write_bytes(lines[:-7])  # stopped while the last game was written down
    assert json.loads(run(*words, *kept, "--games", "4").stdout) == whole
    assert "keeps games of another run" in run(*words[:-2], "6", *kept, "--games", "4").stderr


def test_result_is_printed_and_written_to_the_named_file(run: Run, tmp_path: Path) -> None:
    told = run("--games", "3", "--positions", "1", "--to", str(tmp_path / "found.json"))
    found = msgspec.json.decode((tmp_path / "found.json").read_bytes(), type=Calibration)
    assert f"Brier score: {found.brier:.3f}" in told.stdout and "clearly better than both: no" in told.stdout
    assert found.curve is not None and "worth at the ends of periods" in told.stdout
    assert found.made_by == chances_revision(RULES)
    score, *tenths = run("--games", "3", "--positions", "1", "--rows").stdout.splitlines()
    assert score.startswith(f"| Making Profit | 3, 3 | {found.brier:.3f} | {found.brier_as_played:.3f} |")
    assert len(tenths) == 10 and sum(int(match) for match in re.findall(r"\((\d+)\)", "".join(tenths))) == 9
    assert "does not know the game 'chess'" in CliRunner().invoke(laboratory, ("calibrate", "chess")).stderr


def test_positions_are_sampled_from_every_part_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrating, "effort_for", lambda ruleset: LITTLE)
    table = RULES.table(RULES.colours(printed_sheet(RULES.id))[:3], {}, printed_sheet(RULES.id))
    played = calibrating._game(RULES, table, 3, 4)
    steps = [forecast.at for forecast in played.forecasts]
    assert [4 * at // played.steps for at in steps] == [0, 1, 2, 3]
    assert [end.at for end in played.ends] == sorted({end.at for end in played.ends})
    assert sum(played.won) == pytest.approx(1)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_what_stands_in_a_games_folder_is_of_that_game(ruleset: Ruleset[Any]) -> None:
    found = calibration_of(ruleset)
    assert found is None or (found.ruleset, found.made_by) == (ruleset.id, chances_revision(ruleset))


def test_what_was_measured_of_other_revisions_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(calibrating, "effort_for", lambda ruleset: LITTLE)
    found = calibrate(RULES, printed_sheet(RULES.id), seats=2, games=2, seed=1, positions=1)
    monkeypatch.setattr(calibration, "files", lambda package: tmp_path)
    assert calibration_of(RULES) is None
    for made_by, counts in ((found.made_by, True), ("0.0.0", False)):
        kept = msgspec.structs.replace(found, made_by=made_by)
        (tmp_path / CALIBRATION_FILE).write_bytes(msgspec.json.encode(kept))
        assert (calibration_of(RULES) is not None) == counts
