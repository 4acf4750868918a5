"""Check the hook that reads the subjects of commits."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

HOOK = ROOT / ".ci" / "commit-message"


@pytest.mark.parametrize(
    ("subject", "accepted"),
    [
        ("Add tie-break by head-to-head result", True),
        ("making_profit: let the owner draw after a purchase (MP-4.2.3)", True),
        ("Pass the viewer on to the page", True),
        ("Seed the drawing of a set-up", True),
        ("Merge branch 'main'", True),
        ("games: that the table decides is asked in one place", False),
        ("Added a page", False),
        ("Adds a page", False),
        ("Adding a page", False),
        ("Add a page; fix another", False),
        ("Add " + "a" * 80, False),
        ("", False),
    ],
)
def test_commit_subject_is_judged(tmp_path, subject, accepted):
    message = tmp_path / "message"
    message.write_text(f"{subject}\n\nThe body is free; it may be long.\n# a comment\n")
    done = subprocess.run([sys.executable, HOOK, message], capture_output=True, text=True)
    assert (done.returncode == 0) is accepted, done.stderr
    assert bool(done.stderr) is not accepted
