"""The command line on the data folder of a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result

from daybook import cli
from daybook.services.following import projections
from daybook.services.league import results
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.services.fixture_files import FIXTURES, read_fixture

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
FRIDAY = FIXTURES / "friday-four.daybook"


@pytest.fixture
def run(settings: Settings) -> Run:
    """Runs a command on a data folder with tables; once on SQLite, once on PostgreSQL."""
    environ = {"DAYBOOK_DATA": str(settings.data)}
    if settings.database_url:
        environ["DAYBOOK_DATABASE_URL"] = settings.database_url

    def command(*words: str) -> Result:
        return CliRunner().invoke(cli.main, words, env=environ)

    assert command("init").exit_code == 0
    return command


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_init_may_be_repeated(run):
    assert run("init").exit_code == 0


def test_a_file_goes_in_and_out(run, tmp_path):
    came = json_of(run("import", str(FRIDAY), "--public", "--json"))
    assert (came["added"], came["step"]) == (127, 126)
    assert json_of(run("import", str(FRIDAY), "--json"))["added"] == 0
    out = tmp_path / "out.daybook"
    assert run("export", came["game"], "--out", str(out)).exit_code == 0
    assert out.read_bytes() == FRIDAY.read_bytes()
    assert run("export", came["game"]).stdout_bytes == FRIDAY.read_bytes()
    bare = read_fixture(run("export", came["game"], "--bare").stdout_bytes)
    assert bare.bare and bare.game.document == read_fixture(FRIDAY.read_bytes()).game.document


def test_what_cannot_come_in(run):
    result = run("import", __file__)
    assert result.exit_code == 2 and "test_data.py: line 1" in result.stderr
    result = run("export", str(uuid4()))
    assert result.exit_code == 2 and "there is no game" in result.stderr


@pytest.mark.sqlite_suffices
def test_a_game_recorded_in_the_service(run, settings):
    new = json_of(run("new", "--seat", "Anna:red", "--seat", "Bo:blue", "--option", "hands=hidden", "--json"))
    id = new["game"]
    assert json_of(run("record", id, "--seat", "-1", '{"type":"start_player_drawn","seat":0}', "--json"))["step"] == 1
    assert run("record", id, "--seat", "0", '{"type":"develop","card":"M2"}').exit_code == 0
    assert run("record", id, '{"take_back":{"to_step":1}}').exit_code == 0
    assert run("record", id, '{"adjust":{"values":{"/players/0/money":3},"why":"found"}}').exit_code == 0
    assert run("record", id, '{"note":{"about_step":1,"text":"x"}}').exit_code == 0
    assert run("record", id, '{"abandon":{"why":"late"}}').exit_code == 0
    assert run("record", id, '{"reopen":{"why":"early"}}').exit_code == 0
    refused = run("record", id, '{"close":{}}')
    assert refused.exit_code == 1 and "not over" in refused.stderr
    assert run("record", id, "--seat", "1", '{"type":"run"}').exit_code == 1
    assert run("record", id, "--seat", "5", '{"type":"run"}').exit_code == 2
    assert run("record", str(uuid4()), '{"close":{}}').exit_code == 2
    book = open_daybook(settings)
    try:
        game = book.games.get(read_fixture(run("export", id).stdout_bytes).game.id)
        assert game.step == 7
        assert game.document["players"][0]["money"] == 3
        grant = access.read_key(book, new["key"])
        assert grant is not None and (grant.game, grant.role) == (game.id, "scorekeeper")
    finally:
        book.close()


def test_a_game_that_cannot_begin(run):
    two = ("--seat", "A:red", "--seat", "B:blue")
    for words in (two[:2], (*two, "--game", "chess"), (*two, "--title", "x" * 200), (*two, "--option", "hands=1")):
        assert run("new", *words).exit_code == 2


@pytest.mark.sqlite_suffices
def test_simulated_games(run, settings, tmp_path):
    words = ("simulate", "--players", "2", "--games", "3", "--seed", "5", "--json")
    summary = json_of(run(*words, "--save", "--files", str(tmp_path / "games")))
    assert summary["games"] == 3
    assert json_of(run(*words)) == summary
    files = sorted((tmp_path / "games").glob("*.daybook"))
    assert len(files) == 3
    assert run("check", *map(str, files)).exit_code == 0
    book = open_daybook(settings)
    try:
        assert {str(game.id) for game in book.kept.games()} == {file.stem for file in files}
        assert all(book.games.get(id).opening.kind == "practice" for id in book.log.game_ids())
    finally:
        book.close()
    assert "3 games of Making Profit" in run(*words[:-1]).stdout


@pytest.mark.sqlite_suffices
def test_folder_is_filled_with_demonstration_games(run, settings, tmp_path):
    words = ("simulate", "--players", "3", "--games", "2", "--seed", "5", "--fill", "12", "--people", "5")
    assert "12 games are kept, laid again with 5 people" in run(*words).stdout
    assert run(*words[:-1], "2").exit_code == 2  # fewer people than seats
    book = open_daybook(settings)
    try:
        games = [book.games.get(id) for id in book.log.game_ids()]
        assert len(games) == 12 == len(book.kept.games(public_only=True))
        assert all(game.status == "closed" and game.opening.kind == "practice" for game in games)
        people = {seat.person for game in games for seat in game.opening.seats}
        names = {name for game in book.kept.games() for name in game.names}
        assert len(people) == len(names) == 5
        assert sorted(game.opening.at for game in games) == [game.opening.at for game in games]
        assert len({game.entries[-1].seal for game in games}) == 12
        ids = [str(game.id) for game in games[:2]]
    finally:
        book.close()
    for id in ids:
        assert run("export", id, "--out", str(tmp_path / "again.daybook")).exit_code == 0
        assert run("verify", str(tmp_path / "again.daybook")).exit_code == 0
        assert run("check", str(tmp_path / "again.daybook")).exit_code == 0


@pytest.mark.sqlite_suffices
def test_practice_club_is_made_where_no_follower_has_run(run, monkeypatch):
    monkeypatch.setattr(results, "MAX_CHANGES_AHEAD", 30)  # closed games, and what is typed in
    run("simulate", "--players", "3", "--games", "1", "--seed", "5", "--fill", "40")
    assert "15 members, 20 games and 2 seasons" in run("simulate", "--club").stdout


def test_rebuild_and_doctor(run, settings):
    run("import", str(FRIDAY))
    behind = [json.loads(line) for line in run("doctor", "--json").stdout.splitlines()]
    assert any(found["about"] == "projection games" and found["state"] == "warn" for found in behind)
    assert run("rebuild").exit_code == 0
    result = run("doctor", "--json")
    found = {line["about"]: line["state"] for line in map(json.loads, result.stdout.splitlines())}
    assert found["projection games"] == found["clock"] == "ok"
    assert found["data folder"] == "ok"
    assert found["log"] == ("ok" if settings.database_url is None else "bad")  # the tests' PostgreSQL flushes nothing
    assert found["queue"] == "warn"  # it is started by serve
    assert result.exit_code == (1 if "bad" in found.values() else 0)
    book = open_daybook(settings)
    try:
        projections.require_schema(book)
    finally:
        book.close()


def test_without_data_it_says_what_to_do(tmp_path):
    def run(*words: str) -> Result:
        return CliRunner().invoke(cli.main, words)

    for words in (("export", str(uuid4())), ("rebuild",), ("import", str(FRIDAY)), ("follow",), ("web",)):
        result = run(*words, "--data", str(tmp_path / "none"))
        assert result.exit_code == 2, result.output
        assert "daybook init" in result.stderr
    result = run("doctor", "--data", str(tmp_path / "none"))
    assert result.exit_code == 1 and "daybook init" in result.stdout
    assert run("rebuild", "--data", __file__).exit_code == 2
    assert run("serve", "--port", "99999", "--data", str(tmp_path)).exit_code == 2


@pytest.mark.parametrize("command", ["serve", "web", "follow", "work", "analyse"])
def test_no_process_starts_where_commits_are_not_flushed(command, postgres_database, tmp_path):
    environ = {"DAYBOOK_DATA": str(tmp_path / "data"), "DAYBOOK_DATABASE_URL": postgres_database}
    assert CliRunner().invoke(cli.main, ["init"], env=environ).exit_code == 0
    refused = CliRunner().invoke(cli.main, [command], env=environ)
    assert refused.exit_code == 2
    assert "PostgreSQL runs with fsync off" in refused.stderr


@pytest.mark.sqlite_suffices
def test_practice_club_is_made_once_per_level_by_the_command(run, settings):
    assert "15 members, 20 games and 2 seasons" in run("simulate", "--club").stdout
    assert "15 members, 20 games and 2 seasons" in run("simulate", "--club").stdout, "the same again is the same club"
    book = open_daybook(settings)
    try:
        (club,) = book.clubs.all()
        assert club.settings.public and len(book.log.game_ids()) == 20
        assert "15 members, 20 games and 2 seasons" in run("simulate", "--club", "--level", "steady").stdout
        assert len(book.clubs.all()) == 2
        assert len({str(book.games.get(id).board) for id in book.log.game_ids()}) > 6, "six are played at each level"
    finally:
        book.close()
