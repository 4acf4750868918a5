"""The command line on clubs: what there is, and standings as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from daybook import base, cli
from daybook.domain.league.club_commands import EnterResult
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.played import key
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, places_of, season

Run = Callable[..., Result]


@pytest.fixture
def run(settings: Settings) -> Run:
    """Runs a command on a data folder with a club and a season in it, in which one table was played."""
    environ = {"DAYBOOK_DATA": str(settings.data)}
    if settings.database_url:
        environ["DAYBOOK_DATABASE_URL"] = settings.database_url
    book = open_daybook(settings, create=True)
    try:
        club = found_mill(book)
        number = season(book, club)
        draw_rounds(book, club, number)
        clubs.write(book, club, EnterResult(number, "making_profit", places_of(*PLAYERS[:3]), "1"), by="sam", key=key())
    finally:
        book.close()
    return lambda *words: CliRunner().invoke(cli.main, words, env=environ)


def club_of(run: Run) -> str:
    return str(json.loads(run("club", "list", "--json").stdout)["club"])


def test_clubs_are_listed_with_their_seasons(run):
    shown = json.loads(run("club", "list", "--json").stdout)
    assert (shown["name"], shown["members"], shown["public"]) == ("The Mill", 9, False)
    assert shown["seasons"] == [{"season": "1", "league": "Mills", "name": "Season 1", "kind": "rounds", "open": True}]
    text = run("club", "list").stdout
    assert f"{shown['club']}  The Mill, 9 members" in text and "  1  Mills, Season 1 (open)" in text


def test_standings_are_shown_as_text_json_and_csv(run):
    club = club_of(run)
    text = run("club", "standings", club, "1").stdout.splitlines()
    assert text[0].split()[:5] == ["place", "name", "games", "points", "wins"]
    assert text[1].split()[:5] == ["1", "Anna", "1", "10", "1"] and len(text) == 7
    shown = json.loads(run("club", "standings", club, "1", "--json").stdout)
    assert [row["name"] for row in shown["rows"]][:3] == ["Anna", "Ben", "Cleo"]
    assert shown["rows"][0]["why"].startswith("Anna comes before Ben")
    table = list(csv.DictReader(io.StringIO(run("club", "standings", club, "1", "--csv").stdout.lstrip("\ufeff"))))
    assert [row["points"] for row in table] == ["10", "5", "2", "0", "0", "0"]


def test_standings_of_a_day_before_the_season_are_refused(run):
    result = run("club", "standings", club_of(run), "1", "--at", "2020-01-01")
    assert result.exit_code == base.UNUSABLE and "no season '1'" in result.output
    result = run("club", "standings", club_of(run), "1", "--at", "yesterday")
    assert result.exit_code == base.UNUSABLE and "'yesterday'" in result.output
    assert run("club", "standings", club_of(run), "1", "--at", "2126-01-01").exit_code == 0
    result = run("club", "standings", "00000000-0000-0000-0000-000000000000", "1")
    assert result.exit_code == base.UNUSABLE and "there is no club" in result.output


def test_a_club_is_exported_and_verified_as_one_file(run, tmp_path):
    club, file = club_of(run), tmp_path / "mill.daybook"
    assert run("club", "export", club, str(file)).exit_code == 0
    assert run("club", "export", club).stdout.encode() == file.read_bytes()
    found = json.loads(run("verify", str(file), "--json").stdout)
    assert found["intact"] and found["steps"] == len(file.read_bytes().splitlines()) - 1
    assert run("verify", str(file), "--receipt", found["seal"]).exit_code == 0
    file.write_bytes(file.read_bytes().replace(b"Mills", b"Mines", 1))
    result = run("verify", str(file))
    assert result.exit_code == base.FOUND and "broken at step" in result.output
    result = run("club", "export", "00000000-0000-0000-0000-000000000000")
    assert result.exit_code == base.UNUSABLE and "there is no club" in result.output


def test_club_is_imported_for_an_account_and_once(run, settings, tmp_path):
    club, file = json.loads(run("club", "list", "--json").stdout)["club"], tmp_path / "mill.daybook"
    assert run("club", "export", club, str(file)).exit_code == 0
    book = open_daybook(settings)
    ida = accounts.make_account(book, "Ida", sign_in="ida", password="seven looms at dawn")
    book.close()
    first = run("club", "import", str(file), "--organiser", ida)
    assert first.exit_code == 0 and "with intact seals" in first.stdout
    again = run("club", "import", str(file), "--organiser", "IDA")
    assert again.exit_code == 0 and "imported before" in again.stdout and again.stdout[:36] == first.stdout[:36]
    assert "no account has" in run("club", "import", str(file), "--organiser", "nobody").output
    moved = tmp_path / "moved.daybook"
    assert run("club", "export", first.stdout[:36], str(moved)).exit_code == 0
    assert "whole" in run("verify", str(moved)).output
    file.write_bytes(file.read_bytes()[:-9])
    cut = run("club", "import", str(file), "--organiser", ida)
    assert cut.exit_code != 0 and "does not end with its seal" in cut.output
