"""A standby answers what only reads, as the primary would; what it cannot answer so, the primary answers."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask import g
from werkzeug.routing import AnyConverter
from werkzeug.test import TestResponse

from daybook.domain.kernel.terms import TABLE
from daybook.services.operation import doctor
from daybook.services.people import access
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.store import postgres, standby
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.request import standbys
from tests import servers
from tests.played import open_seats, update_games, update_results
from tests.servers import PATIENCE_SECONDS, REPLICATED, standby_of, wait_until
from tests.web.conftest import Opened, Visitor, open_table
from tests.web.leagues import ClubAtHand
from tests.web.request.test_outage import Database

pytestmark = pytest.mark.slow


class Pair:
    """A daybook on a primary and its standby, and a game of three in it that may be read with a link alone."""

    def __init__(self, primary: str, second: Database, data: Path) -> None:
        self.primary, self.second = primary, second
        self.book = open_daybook(Settings(data=data, database_url=primary, read_url=second.url), create=True)
        self.app = create_app(self.book)
        self.from_standby: list[bool] = []  # each request
        self.app.after_request(self._note)
        self.game = open_table(self.book, self.app)

    def _note(self, answer: Any) -> Any:
        self.from_standby.append(g.get("standby") is not None)
        return answer

    @property
    def fitness(self) -> standby.Fitness:
        assert self.book.standby is not None
        return self.book.standby.fitness

    def wait(self) -> None:
        assert self.fitness.wait(PATIENCE_SECONDS), "the standby is never read from"

    def ask(self, visitor: Visitor, path: str) -> tuple[TestResponse, bool]:
        """The answer, and whether the standby gave it."""
        answer = visitor.client.get(path)
        return answer, self.from_standby[-1]

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """The standby takes in nothing more meanwhile."""
        with psycopg.connect(self.second.url, autocommit=True) as there:
            there.execute("SELECT pg_wal_replay_pause()")
            wait_until(
                lambda: there.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",), "a pause"
            )
            try:
                yield
            finally:
                there.execute("SELECT pg_wal_replay_resume()")

    @contextmanager
    def gone(self) -> Iterator[None]:
        self.second.stop()
        try:
            yield
        finally:
            self.second.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        first = (self.second.data / "postmaster.pid").read_text().split()[0]
        found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True, check=True).stdout.split()
        pids = [int(first), *map(int, found)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)


def findings(pair: Pair, url: str, settings: Settings | None = None) -> str:
    """What doctor says of a standby with this address."""
    found = doctor.examine(replace(settings or pair.book.settings, read_url=url))
    return next(one.says for one in found if one.about == "reading")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with servers.postgres(REPLICATED) as primary, standby_of(primary) as second:
        made = Pair(primary, Database(second), tmp_path_factory.mktemp("pair"))
        try:
            yield made
        finally:
            made.second.end()
            made.book.close()


def test_all_that_a_standby_may_answer_it_answers_as_the_primary_does(pair):
    book, app = pair.book, pair.app
    club = ClubAtHand(book, app, public=True)
    people = club.open_season()
    club.draw()
    club.type(next(iter(club.season.tables)), *people)
    game = Opened(book, app, open_seats(book, public=True))
    game.play(1_000)
    update_games(book)
    update_results(book)
    collect.count(book, game.id)
    given = {"game_id": game.id, "club_id": club.id, "season_id": club.season.id, "person_id": people[0]}
    given |= {"ruleset_id": "making_profit", "step": 7, "number": 1, "setup": "3"}
    primary = create_app(replace(book, standby=None))
    reader, other = Visitor(app), Visitor(primary)
    pair.wait()
    addresses = app.url_map.bind("localhost")
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert endpoints >= standbys.BESIDE
    assert {name.partition(".")[0] for name in endpoints} >= standbys.ALL_OF | standbys.API_PARTS
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not standbys.only_reads(rule.endpoint):
            continue
        one_of = {name: min(kind.items) for name, kind in rule._converters.items() if isinstance(kind, AnyConverter)}
        path = addresses.build(rule.endpoint, {**{name: given.get(name) for name in rule.arguments}, **one_of})
        answer, from_standby = pair.ask(reader, path)
        assert from_standby, path
        beside = other.client.get(path)
        assert answer.status_code == beside.status_code < 500, path
        if path.startswith("/api/"):
            assert answer.json == beside.json, path


def test_who_wrote_sees_it_and_who_lost_a_right_has_none_while_the_standby_is_behind(pair):
    game, listed = open_table(pair.book, pair.app), open_table(pair.book, pair.app, title="Listed", public=True)
    listed.update_list()
    reader, stranger = game.visitor("reader"), Visitor(pair.app)
    (link,) = [grant for grant in access.grants_of_game(pair.book, game.id) if grant.role == "reader"]
    newest = f"{game.path}/replay.json"
    pair.wait()
    assert pair.ask(reader, newest)[1], "the standby answers"
    games = "/api/v1/games?limit=1"
    assert pair.ask(stranger, games)[0].json["games"][0]["title"] == "Listed"
    with pair.held_up():
        game.decide(TABLE, type="drawn", card="R2")
        answer, from_standby = pair.ask(reader, newest)
        assert (len(answer.json["steps"]), from_standby) == (game.step + 1, False)
        access.revoke(pair.book, link.id)
        pair.book.kept.show(listed.id, public=False)
        assert pair.ask(reader, newest)[0].status_code == 403
        assert "Listed" not in pair.ask(stranger, games)[0].text
        assert not pair.fitness.wait(0), "it is not asked again while it is behind"
    pair.wait()
    assert pair.ask(reader, newest)[0].status_code == 403
    answer, from_standby = pair.ask(game.visitor(), newest)
    assert (len(answer.json["steps"]), from_standby) == (game.step + 1, True)


def test_what_is_read_of_it_is_no_part_of_what_is_decided_on(pair):
    assert pair.book.standby is not None
    pair.wait()
    there = pair.book.standby.caught_up()
    assert there is not None
    assert there.games.get(pair.game.id) is not pair.book.games.get(pair.game.id)
    with there.views.begin() as connection:
        assert connection.scalar(sa.text("SELECT pg_is_in_recovery()")) is False, "what is written the primary writes"


def test_a_role_that_may_not_ask_how_far_the_primary_is_reads_there(pair, caplog):
    with psycopg.connect(pair.primary, autocommit=True) as there:
        there.execute("CREATE ROLE plain LOGIN")
        there.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        url = pair.primary.replace("postgres@", "plain@")
        asking = sa.create_engine("postgresql+psycopg://", creator=partial(psycopg.connect, url))
        fitness = standby.Fitness(pair.second.url, asking)
        assert not fitness
        wait_until(lambda: "permission denied" in caplog.text, "a look")
        assert not fitness
        fitness.close()
        asking.dispose()
        there.execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC")


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_a_standby_that_goes_and_comes_back(pair, how, monkeypatch, caplog):
    monkeypatch.setattr(postgres, "LONG_SECONDS", 0.3)
    monkeypatch.setattr(standby, "AGAIN_SECONDS", 0.05)
    reader, path = pair.game.visitor(), f"{pair.game.path}/score"
    pair.wait()
    assert pair.ask(reader, path)[1]
    with pair.frozen() if how == "frozen" else pair.gone():
        for _ in range(2):
            answer, from_standby = pair.ask(reader, path)
            assert (answer.status_code, from_standby) == (200, False)
        assert not pair.fitness.wait(0)
    pair.wait()
    assert pair.ask(reader, path)[1]
    assert "Traceback" not in caplog.text


def test_only_a_standby_of_this_database_is_read_from(pair):
    with psycopg.connect(pair.primary, autocommit=True) as there:
        there.execute("CREATE DATABASE another")
    wait_until(lambda: servers._connects(pair.second.url.replace("/postgres?", "/another?")), "it at the standby")
    for url, says in (
        (pair.primary, "it follows no primary"),
        (pair.second.url.replace("/postgres?", "/another?"), "it is no standby of this database"),
        ("postgresql://nobody@127.0.0.1:1/postgres", "it does not answer"),
    ):
        assert says in findings(pair, url)
    assert "answers what only reads" in findings(pair, pair.second.url)
    both = f"{pair.primary},{pair.second.url.partition('host=')[2]}"
    assert "answers what only reads" in findings(pair, both), "of several hosts one that is a standby"


def test_one_that_was_promoted_answers_nothing_more(pair):
    reader = pair.game.visitor()
    pair.wait()
    with psycopg.connect(pair.second.url, autocommit=True) as there:
        there.execute("SELECT pg_promote()")
    answer, from_standby = pair.ask(reader, f"{pair.game.path}/score")
    assert (answer.status_code, from_standby) == (200, False)
    assert "it follows no primary" in findings(pair, pair.second.url)
    with standby_of(pair.primary) as late:  # it goes on with the old one, whose record goes another way
        now = replace(pair.book.settings, database_url=pair.second.url)
        assert "it follows another primary" in findings(pair, late, now)
