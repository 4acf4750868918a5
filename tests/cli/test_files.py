"""The command line on record files: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from daybook import cli
from daybook.domain.commands import Note
from daybook.services.files import file_recording
from daybook.services.files.recordfile import BareLine
from tests.services.fixture_files import FIXTURES, read_fixture, reseal_line

FRIDAY = str(FIXTURES / "friday-four.daybook")
HAND = str(FIXTURES / "by-hand.daybook")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.main, words)


def run_json(*words: str) -> Any:
    """Return a command's JSON output."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(cli.main.commands))
def test_every_command_says_what_it_does(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 5
    assert result.stdout.count("\n\n") >= 2


def test_replay_tells_the_game():
    result = run("replay", FRIDAY)
    assert result.exit_code == 0
    assert result.stdout == (FIXTURES / "friday-four.txt").read_text(encoding="utf-8")


def test_replay_prints_the_board_after_a_step():
    game = read_fixture(Path(FRIDAY).read_bytes()).game
    shown = run_json("replay", FRIDAY, "--step", "41")
    assert shown["board"] == game.document_at(41)
    assert (shown["step"], shown["board_step"]) == (41, 41)
    board = game.ruleset.typed_board(game.document_at(41), game.table)
    assert shown["to_act"] == list(game.ruleset.course.to_act(board))
    assert json.loads(run("replay", FRIDAY, "--step", "41").stdout) == shown


def test_replay_prints_every_step_as_a_line():
    result = run("replay", str(FIXTURES / "corrections.daybook"), "--json")
    steps = [json.loads(line) for line in result.stdout.splitlines()]
    assert [step["entry"]["step"] for step in steps] == list(range(len(steps)))
    assert {step["taken_back_by"] for step in steps} > {None}


def test_replay_reads_what_is_piped_to_it():
    done = subprocess.run(
        [sys.executable, "-m", "daybook", "replay", "-"], check=True, capture_output=True, input=Path(HAND).read_bytes()
    )
    assert done.stdout == (FIXTURES / "by-hand.txt").read_bytes()


def test_legal_lists_who_may_do_what():
    game = read_fixture(Path(FRIDAY).read_bytes()).game
    shown = run_json("legal", FRIDAY, "--step", "20")
    board = game.ruleset.typed_board(game.document_at(20), game.table)
    assert shown["to_act"] == list(game.ruleset.course.to_act(board))
    assert len(shown["legal"]) == sum(len(game.ruleset.legal(board, seat)) for seat in shown["to_act"])
    facts = run_json("legal", FRIDAY, "--step", "0")["legal"]
    assert {"seat": -1, "decision": {"type": "drawn", "card": "R1"}, "weight": 21} in facts
    assert run_json("legal", FRIDAY)["legal"] == []


def test_score_shows_every_line_with_its_rule():
    game = read_fixture(Path(FRIDAY).read_bytes()).game
    shown = run_json("score", FRIDAY)
    assert [value["total"] for value in shown["scores"]] == [
        score.total for score in game.ruleset.scoring.standing(game.board)
    ]
    assert all(line["rule"] for item in shown["scores"] for line in item["lines"])
    assert shown["outcome"]["ranks"] == [4, 3, 1, 2]
    assert not run_json("score", FRIDAY, "--step", "30")["over"]
    assert "ranks: Anna 4, Bruno 3, Chiara 1, Dan 2" in run("score", FRIDAY).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "nowhere.daybook"),
        ("replay", FRIDAY, "--step", "127"),
        ("legal", FRIDAY, "--step", "-1"),
        ("score", FRIDAY, "--step", "x"),
        ("replay", __file__),
        ("check", __file__),
        ("verify", __file__),
        ("verify", FRIDAY, "--receipt", "abc"),
        ("verify", HAND),
        ("check",),
        ("dance",),
        ("export", "not-an-id"),
        ("simulate", "--game", "chess"),
        ("simulate", "--players", "9"),
    ],
)
def test_what_cannot_be_used_ends_with_2(words):
    result = run(*words)
    assert result.exit_code == 2
    assert "Error" in result.stderr
    assert "Traceback" not in result.output


# --- checking --------------------------------------------------------------------------------------------------------


def test_check_and_verify_say_that_all_is_well():
    assert run("check", FRIDAY, HAND).exit_code == 0
    assert run_json("check", FRIDAY)["clean"]
    found = run_json("verify", FRIDAY)
    assert (found["intact"], found["steps"]) == (True, 127)
    assert run_json("verify", FRIDAY, "--receipt", found["seal"])["received"] == 126


def test_check_names_the_step_the_rule_and_the_reason(tmp_path):
    content = Path(FRIDAY).read_bytes()
    game = read_fixture(content).game
    step = next(x.step for x in game.entries if getattr(x.event, "seat", -1) == 0)
    file = tmp_path / "x.daybook"
    file.write_bytes(reseal_line(content, step + 2, seat=1))
    result = run("check", str(file))
    assert result.exit_code == 1
    assert f"step {step}: MP-4.1.1: it is the turn of seat 0" in result.stdout
    found = json.loads(run("check", str(file), "--json").stdout)["findings"][0]
    assert (found["step"], found["kind"], found["rule"]) == (step, "refused", "MP-4.1.1")
    assert found["reason"] == "it is the turn of seat 0"


def test_check_shows_what_differs(tmp_path):
    content = Path(FRIDAY).read_bytes()
    file = tmp_path / "x.daybook"
    file.write_bytes(reseal_line(content, 40, effects=[]))
    result = run("check", str(file))
    assert result.exit_code == 1
    assert "step 38: the rules come to other effects" in result.stdout
    assert "effects: recorded []" in result.stdout


def test_check_of_a_bare_file_that_the_rules_refuse(tmp_path):
    file = tmp_path / "x.daybook"
    file.write_bytes(b"".join(Path(HAND).read_bytes().splitlines(keepends=True)[:3]) + b'{"close":{}}\n')
    result = run("check", str(file))
    assert result.exit_code == 1
    assert "step 3: the game is not over" in result.stdout


def test_check_says_the_reason_apart_from_its_rule(tmp_path):
    file = tmp_path / "x.daybook"
    file.write_bytes(
        b"".join(Path(HAND).read_bytes().splitlines(keepends=True)[:2]) + b'{"seat":1,"decision":{"type":"run"}}\n'
    )
    assert "step 2: MP-4.1.1: it is the turn of seat 0" in run("check", str(file)).stdout
    (found,) = json.loads(run("check", str(file), "--json").stdout)["findings"]
    assert (found["rule"], found["reason"]) == ("MP-4.1.1", "it is the turn of seat 0")


def test_verify_names_the_first_altered_step(tmp_path):
    file = tmp_path / "x.daybook"
    file.write_bytes(Path(FRIDAY).read_bytes().replace(b'"step":30,', b'"step":31,'))
    result = run("verify", str(file), FRIDAY)
    assert result.exit_code == 1
    assert "broken at step 30" in result.stdout and "whole" in result.stdout
    assert json.loads(run("verify", str(file), "--json").stdout)["broken_at"] == 30


def test_several_files_with_one_that_is_none(tmp_path):
    result = run("check", FRIDAY, __file__, HAND)
    assert result.exit_code == 2
    assert result.stdout.count("agree with today's rules") == 2


# --- recording into a file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bare", [False, True])
def test_a_game_recorded_into_a_file(tmp_path, bare):
    file = str(tmp_path / "evening.daybook")
    words = ["new", file, "--seat", "Anna:red", "--seat", "Bo:blue", "--option", "hands=hidden", "--title", "Tuesday"]
    assert run(*words, *(["--bare"] if bare else [])).exit_code == 0
    assert run("record", file, "--seat", "-1", '{"type":"start_player_drawn","seat":1}').exit_code == 0
    placed = run_json("record", file, "--seat", "1", '{"type":"develop","card":"M2"}')
    assert placed["step"] == 2
    assert run("record", file, '{"note":{"about_step":2,"text":"well begun"}}').exit_code == 0
    assert run("record", file, '{"take_back":{"to_step":1,"cause":"mistyped","why":"it was an M1"}}').exit_code == 0
    assert run("record", file, '{"seat":1,"decision":{"type":"develop","card":"M1"}}').exit_code == 0
    record = read_fixture(Path(file).read_bytes())
    assert (record.bare, record.game.step, record.header.title) == (bare, 5, "Tuesday")
    assert record.game.document["players"][1]["factory"] == ["M1"]
    assert run("check", file).exit_code == 0
    assert run("verify", file).exit_code == (2 if bare else 0)


def test_a_refused_decision_ends_with_1_and_writes_nothing(tmp_path):
    file = tmp_path / "x.daybook"
    run("new", str(file), "--seat", "Anna:red", "--seat", "Bo:blue")
    before = file.read_bytes()
    result = run("record", str(file), "--seat", "0", '{"type":"run"}')
    assert (result.exit_code, result.stderr) == (
        1,
        "refused: MP-4.1.1: the game has not begun: first deal the cards and draw the starting player\n",
    )
    result = run("record", str(file), "--seat", "0", '{"type":"run"}', "--json")
    assert json.loads(result.stdout)["refused"]["rule"] == "MP-4.1.1"
    for line, seat in (('{"type":"pray"}', "0"), ("{", "0"), ('{"type":"run"}', "7")):
        assert run("record", str(file), "--seat", seat, line).exit_code == 2
    assert run("record", str(file), '{"dance":{}}').exit_code == 2
    assert run("record", str(tmp_path / "nowhere"), '{"close":{}}').exit_code == 2
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.daybook"]


def test_a_file_that_is_there_is_never_overwritten(tmp_path):
    file = tmp_path / "x.daybook"
    file.write_text("mine")
    result = run("new", str(file), "--seat", "Anna:red", "--seat", "Bo:blue")
    assert result.exit_code == 2 and "already exists" in result.stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    "words",
    [
        ("--seat", "Anna"),
        ("--seat", "Anna:red"),
        ("--seat", "Anna:red", "--seat", "Bo:red"),
        ("--seat", "Anna:red", "--seat", "Bo:pink"),
        ("--game", "chess", "--seat", "Anna:red", "--seat", "Bo:blue"),
        ("--seat", "Anna:red", "--seat", "Bo:blue", "--option", "hands=shut"),
        ("--seat", "Anna:red", "--seat", "Bo:blue", "--option", "hands"),
        ("--seat", ":red", "--seat", "Bo:blue"),
        ("--seat", "Anna:red", "--seat", "Bo:blue", "--data", "x"),
    ],
)
def test_a_game_that_cannot_begin(tmp_path, words):
    file = tmp_path / "x.daybook"
    result = run("new", str(file), *words)
    assert result.exit_code == 2, result.output
    assert not file.exists()


def test_several_who_write_at_once_lose_nothing(tmp_path):
    file = tmp_path / "x.daybook"
    run("new", str(file), "--seat", "Anna:red", "--seat", "Bo:blue")

    def notes(who: int) -> None:
        for number in range(10):
            file_recording.append_line(file, BareLine(Note(0, f"{who} {number}")), "scorekeeper")

    threads = [threading.Thread(target=notes, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    game = read_fixture(file.read_bytes()).game
    assert game.step == 40
    assert len({getattr(x.event, "text", None) for x in game.entries}) == 41


def test_the_files_mode_stays(tmp_path):
    file = tmp_path / "x.daybook"
    run("new", str(file), "--seat", "Anna:red", "--seat", "Bo:blue")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    os.chmod(file, 0o644)
    assert run("record", str(file), '{"note":{"about_step":0,"text":"x"}}').exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


# --- as a program ----------------------------------------------------------------------------------------------------


def test_a_file_is_replayed_without_loading_the_service():
    script = (
        "import sys\nfrom daybook.cli import main\n"
        "try: main(['replay', sys.argv[1], '--step', '3', '--json'])\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'flask', 'rq', 'redis', 'sqlalchemy', 'psycopg', 'uvicorn', 'daybook.web', 'daybook.workers'}\n"
        "heavy &= sys.modules.keys()\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", script, FRIDAY], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["step"] == 3


def test_no_bar_is_drawn_where_there_is_no_terminal():
    done = subprocess.run(
        [sys.executable, "-m", "daybook", "check", FRIDAY, HAND], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_what_a_record_says_moves_no_terminal_and_begins_no_line(tmp_path):
    """A stranger's record shows as its own lines only."""
    said = "rain\n7  seat 0 wins \x1b[2J\x9b31m\u202e"
    file = tmp_path / "noted.daybook"
    note = json.dumps({"note": {"about_step": 0, "text": said}}).encode() + b"\n"
    file.write_bytes((FIXTURES / "by-hand.daybook").read_bytes() + note)
    plain, as_json = run("replay", str(file)), run("replay", str(file), "--json")
    assert (plain.exit_code, as_json.exit_code) == (0, 0)
    assert "note on step 0: rain\\n7  seat 0 wins \\x1b[2J\\x9b31m\\u202e\n" in plain.stdout
    for printed in (plain.stdout, as_json.stdout):
        assert all(line.isprintable() for line in printed.split("\n"))
    assert json.loads(as_json.stdout.split("\n")[-2])["entry"]["text"] == said
