"""`daybook transcript` and `daybook read`: a game written out, mended by hand, and read again."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from daybook import cli
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.services.fixture_files import FIXTURES, read_fixture

DUEL = FIXTURES / "short-duel.daybook"


def run(*words: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli.main, words, input=typed)


def test_written_game_is_read_into_a_file_and_the_service(tmp_path):
    text, file, data = tmp_path / "duel.txt", tmp_path / "duel.daybook", str(tmp_path / "data")
    text.write_text(run("transcript", str(DUEL)).stdout)
    assert text.read_text() == (FIXTURES / "written" / "short-duel.txt").read_text()
    assert run("read", str(text), str(file)).exit_code == 0
    assert read_fixture(file.read_bytes()).game.document == read_fixture(DUEL.read_bytes()).game.document
    open_daybook(Settings(data=Path(data)), create=True).close()
    game = json.loads(run("read", str(text), "--data", data, "--json").stdout)["game"]
    assert run("transcript", game, "--data", data).stdout == text.read_text()


def test_unreadable_line_is_told_and_all_before_it_is_kept(tmp_path):
    file = tmp_path / "duel.daybook"
    lines = run("transcript", str(DUEL)).stdout.splitlines()
    at = lines.index("the table: M1")
    doubtful = "\n".join([*lines[:at], "the table", *lines[at + 1 :]])
    found = run("read", "-", str(file), "--json", typed=doubtful)
    assert found.exit_code == 1
    told = json.loads(found.stdout)
    assert (told["line"], told["step"]) == (at + 1, read_fixture(file.read_bytes()).game.step)
    assert lines[at].endswith(tuple(value["text"] for value in told["may_mean"]))
    assert "may mean" in found.stderr
    own = run("read", "-", str(file), typed="\n".join([*lines[:at], "table: draws a +1$, level 9"]))
    assert "“level 9” belongs to none of these" in own.stderr
    assert run("read", "-", str(file), typed="\n".join(lines)).exit_code == 0
    assert read_fixture(file.read_bytes()).game.document == read_fixture(DUEL.read_bytes()).game.document


def test_nothing_is_overwritten_and_what_is_no_game_is_said(tmp_path):
    other = tmp_path / "other.daybook"
    other.write_bytes(DUEL.read_bytes())
    text = run("transcript", str(FIXTURES / "hidden-trio.daybook")).stdout
    assert "holds another game" in run("read", "-", str(other), typed=text).stderr
    assert other.read_bytes() == DUEL.read_bytes()
    for typed, says in (
        ("hop", "the game and the players are missing"),
        (b"\xff", "not text in UTF-8"),
        ("", "are missing"),
    ):
        found = run("read", "-", str(tmp_path / "x.daybook"), typed=typed)
        assert (found.exit_code, says in found.stderr) == (2, True), found.stderr
    assert run("transcript", "nothing").exit_code == 2
