"""The command line on receipts, comparisons and audits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from daybook import cli
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.services.fixture_files import FIXTURES, reseal_line
from tests.services.following.test_projections import unreadable

FRIDAY = FIXTURES / "friday-four.daybook"


class Folder:
    def __init__(self, data: Path) -> None:
        self.data = data
        assert self.run("init").exit_code == 0
        self.game: str = json.loads(self.run("import", str(FRIDAY), "--public", "--json").stdout)["game"]

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(cli.main, words, env={"DAYBOOK_DATA": str(self.data)})


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


@pytest.fixture
def receipt(folder: Folder, tmp_path: Path) -> Path:
    file = tmp_path / "friday.receipt"
    assert folder.run("receipt", folder.game, "--out", str(file)).exit_code == 0
    return file


def json_of(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_record_is_held_against_a_receipt(folder, receipt):
    result = folder.run("verify", str(FRIDAY), "--receipt", str(receipt), "--json")
    assert result.exit_code == 0 and json_of(result)["state"] == "unchanged" and json_of(result)["signed"]
    key = json.loads(receipt.read_text())["public_key"]
    assert folder.run("verify", str(FRIDAY), "--receipt", str(receipt), "--key", key).exit_code == 0
    other = folder.run("verify", str(FRIDAY), "--receipt", str(receipt), "--key", "00" * 32)
    assert other.exit_code == 1 and "signed with another key" in other.output


def test_a_short_code_is_typed_with_spaces(folder, receipt):
    seal = json.loads(receipt.read_text())["seal"]
    code = f"{seal[:4]} {seal[4:8]} {seal[8:12]}".upper()
    assert folder.run("verify", str(FRIDAY), "--receipt", code).exit_code == 0


def test_earlier_receipt_is_a_prefix_and_an_altered_record_fails(folder, tmp_path):
    early, altered = tmp_path / "early", tmp_path / "altered.daybook"
    assert folder.run("receipt", folder.game, "--step", "60", "--out", str(early)).exit_code == 0
    assert "extended" in folder.run("verify", str(FRIDAY), "--receipt", str(early)).output
    altered.write_bytes(reseal_line(FRIDAY.read_bytes(), 40, at="2020-01-01T00:00:00.000Z"))
    assert folder.run("verify", str(altered)).exit_code == 0  # sealed anew: only the receipt tells
    result = folder.run("verify", str(altered), "--receipt", str(early), "--json")
    assert result.exit_code == 1 and (json_of(result)["state"], json_of(result)["altered_at"]) == ("altered", 38)


def test_what_is_no_receipt_cannot_be_used(folder, tmp_path):
    file = tmp_path / "no.receipt"
    file.write_text("{}")
    assert folder.run("verify", str(FRIDAY), "--receipt", str(file)).exit_code == 2
    assert folder.run("verify", str(FRIDAY), "--key", "00").exit_code == 2
    assert folder.run("receipt", folder.game, "--step", "9999").exit_code == 2


def test_records_are_compared(folder):
    assert folder.run("compare", str(FRIDAY), str(FRIDAY)).exit_code == 0
    other = folder.run("compare", str(FRIDAY), str(FIXTURES / "hidden-four.daybook"), "--json")
    assert other.exit_code == 1 and json_of(other)["parts"]
    assert folder.run("compare", str(FRIDAY), str(FIXTURES / "market-day.daybook")).exit_code == 2


def test_all_records_are_audited(folder):
    result = folder.run("audit", "--json")
    assert result.exit_code == 0 and json_of(result) == {"audited": 1, "clean": 1, "groups": [], "unread": {}}
    assert "1 game audited, 1 agrees with today's rules" in folder.run("audit", folder.game).output
    assert folder.run("audit", "nothing").exit_code == 2


def test_unreadable_record_ends_no_audit_and_is_reported_last(folder):
    other: str = json.loads(folder.run("import", str(FIXTURES / "market-day.daybook"), "--json").stdout)["game"]
    book = open_daybook(Settings(data=folder.data))
    unreadable(book, UUID(other))
    book.close()
    for words in ((), ("--workers", "2")):
        result = folder.run("audit", *words)
        assert result.exit_code == 1
        assert f"game {other} cannot be read: " in result.output
        assert result.output.endswith("1 game audited, 1 agrees with today's rules; 1 cannot be read\n")
    assert json_of(folder.run("audit", "--json"))["unread"].keys() == {other}
