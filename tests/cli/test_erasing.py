"""`daybook erase` and `daybook erased`: what an operator sees before and after."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from daybook.cli import main
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.sheets import UnknownSheetError
from tests.played import open_seats, open_table_of

pytestmark = pytest.mark.sqlite_suffices


def test_erase_shows_title_asks_and_lists_tombstone(tmp_path: Path):
    data = tmp_path / "data"
    with closing(open_daybook(Settings(data=data), create=True)) as book:
        game = str(open_table_of(book, title="Rude"))
    run = lambda *words, **how: CliRunner().invoke(main, [*words, "--data", str(data)], **how)  # noqa: E731
    assert run("erase", "nonsense", "--why", "spam").exit_code == 2
    assert run("erase", game, "--why", " ", "--yes").exit_code == 2
    refused = run("erase", game, "--why", "spam", input="n\n")
    assert (refused.exit_code, "Rude  1 entry" in refused.output) == (1, True)
    assert run("erased").output == "nothing was erased\n"
    done = run("erase", game, "--why", "spam", input="y\n")
    assert done.exit_code == 0 and "backups" in done.output, done.output
    (stone,) = json.loads(run("erased", "--json").output)
    assert (stone["id"], stone["entries"], stone["by"], stone["why"]) == (game, 1, "operator", "spam")
    assert stone["last_seal"] in run("erase", game, "--why", "again", "--yes").output
    assert len(json.loads(run("erased", "--json").output)) == 1


def test_erased_sheet_is_gone_and_its_games_keep_numbers(tmp_path: Path):
    data = tmp_path / "data"
    with closing(open_daybook(Settings(data=data), create=True)) as book:
        sheet = book.sheets.publish("making_profit", "Rude", {"start.money": 3}, "api", unlisted="account")
        game = open_seats(book, sheet=sheet)
    run = lambda *words: CliRunner().invoke(main, [*words, "--data", str(data)])  # noqa: E731
    done = run("erase", sheet.upper(), "--why", "spam", "--yes")
    assert done.exit_code == 0 and "Rude  a component sheet of making_profit" in done.output, done.output
    assert run("erase", sheet, "--why", "spam", "--yes").exit_code == 2
    with closing(open_daybook(Settings(data=data))) as book:
        with pytest.raises(UnknownSheetError):
            book.sheets.get("making_profit", sheet)
        assert book.games.get(game).board.players[0].money == 3
