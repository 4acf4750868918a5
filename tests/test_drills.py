"""`make drills` runs programs that exist, for a short time."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.bench import drills


@pytest.mark.parametrize("name", drills.PROGRAMS)
def test_drills_name_programs_that_exist(name):
    assert find_spec(f"tests.bench.{name}") is not None


def test_drills_without_the_needed_program_are_left_out(monkeypatch, capsys):
    monkeypatch.setattr(drills, "NEEDS", {"alerts": "no-such-program"})
    assert drills.run("alerts", "tests.bench.alerts")
    assert "left out" in capsys.readouterr().out


@pytest.mark.slow
def test_drills_report_a_program_that_fails():
    assert not drills.run("taps", "tests.bench.taps --game none")
