"""`daybook record`: whatever a line of a bare file can say is written alike into a bare file, a full one and a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from click.testing import CliRunner, Result

from daybook import cli
from daybook.domain.kernel.events import OF_WRITING, Entry
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.game_cache import fold_game
from tests.services.fixture_files import read_fixture

EVENING: list[dict[str, Any]] = [
    {"seat": -1, "decision": {"type": "start_player_drawn", "seat": 1}},
    {"seat": 1, "decision": {"type": "develop", "card": "M2"}},
    {"seat": 0, "decision": {"type": "run"}, "as_played": {"why": "nobody looked", "rules_applied": False}},
    {"count": {"values": {"/players/0/money": 9}, "text": "before the break"}},
    {"entry": {"type": "count_accepted", "count_step": 4, "why": "nobody minds"}},
    {"entry": {"type": "claim_raised", "about_step": 3, "statement": "it was not Ada's turn"}},
    {"note": {"about_step": 6, "text": "a long evening"}},
    {"take_back": {"to_step": 2, "cause": "ruling", "why": "she shall wait"}, "answers_step": 6},
    {"adjust": {"values": {"/players/0/money": 9}, "why": "as counted"}, "answers_step": 4},
    {"seat": 1, "decision": {"type": "run"}, "corrects_step": 3, "by": "seat:1"},
    {"abandon": {"why": "the cat"}},
    {"reopen": {"why": "the cat is asleep"}},
]


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.main, words)


def content(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in msgspec.to_builtins(entry.event).items() if name not in OF_WRITING}


def new(where: list[str]) -> str:
    words = ["new", *where, "--seat", "Anna:red", "--seat", "Bo:blue", "--option", "hands=hidden", "--json"]
    result = run(*words)
    assert result.exit_code == 0, result.output
    return str(json.loads(result.stdout).get("game", ""))


def test_every_line_is_the_same_entry_in_file_and_service(tmp_path):
    data = str(tmp_path / "data")
    bare, full = str(tmp_path / "bare.daybook"), str(tmp_path / "full.daybook")
    open_daybook(Settings(data=Path(data)), create=True).close()
    new([bare, "--bare"])
    new([full])
    game = new(["--data", data])
    for line in EVENING:
        for where in ([bare], [full], [game, "--data", data]):
            result = run("record", where[0], json.dumps(line), *where[1:])
            assert (result.exit_code, result.exception) == (0, None), (where, line, result.output)
    book = open_daybook(Settings(data=Path(data)))
    stored = book.log.entries(UUID(game))
    book.close()
    told = [
        [content(entry) for entry in entries[1:]]
        for entries in (
            read_fixture(Path(bare).read_bytes()).game.entries,
            read_fixture(Path(full).read_bytes()).game.entries,
            stored,
        )
    ]
    assert told[0] == told[1] == told[2]
    assert [entry["type"] for entry in told[2]] == [
        "decision_recorded",
        "decision_recorded",
        "decision_as_played",
        "table_counted",
        "count_accepted",
        "claim_raised",
        "note_added",
        "decisions_taken_back",
        "board_adjusted",
        "decision_recorded",
        "game_abandoned",
        "game_reopened",
    ]
    assert (told[2][7]["answers_step"], told[2][8]["answers_step"], told[2][9]["corrects_step"]) == (6, 4, 3)
    assert fold_game(UUID(game), stored).writers[9:11] == ["scorekeeper", "seat:1"]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (
            {"entry": {"type": "claim_raised", "about_step": 0, "statement": "x", "colour": "red"}},
            2,
            "entry: there is no field 'colour'",
        ),
        ({"entry": {"type": "claim_closed", "claim": 0}}, 1, "step 0 raised no claim"),
        ({"count": {"values": {"/turn": 3}}}, 1, "/turn cannot be adjusted"),
        ({"count": {"counted": {}}}, 2, "count: there is no field 'counted'"),
        (
            {"seat": 0, "decision": {"type": "run"}, "as_played": {"by_hand": {}}},
            2,
            "as_played: there is no field 'by_hand'",
        ),
        ({"seat": 0, "decision": {"type": "develop", "cart": "M1"}}, 2, "develop: it has no field 'cart'"),
        ({"seat": 0, "decision": {"type": "run"}}, 1, "MP-4.1.1"),
        ({"note": {"about_step": 0, "text": "x"}, "step": 5}, 2, "it says step 5"),
        ({"note": {"about_step": 0, "text": "x"}, "at": "2026-11-01T10:00:00.000Z"}, 2, "the clock says when"),
        ({"note": {"about_step": 0, "text": "x"}, "by": "x" * 65}, 2, "by: 1 to 64 characters"),
        ({"note": {"about_step": 0, "text": "x"}, "answers_step": 0}, 2, "there is no field 'answers_step'"),
    ],
)
def test_what_cannot_be_written_is_named_alike(tmp_path, line, code, message):
    data = str(tmp_path / "data")
    open_daybook(Settings(data=Path(data)), create=True).close()
    file = str(tmp_path / "full.daybook")
    new([file])
    game = new(["--data", data])
    for where in ([file], [game, "--data", data]):
        result = run("record", where[0], json.dumps(line), *where[1:])
        assert result.exit_code == code, (where, result.output)
        assert message in result.output
    assert read_fixture(Path(file).read_bytes()).game.step == 0
