"""Win chances for programs: of finished games for all; of practice games on request."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from flask import Flask

from daybook.services.analysis import switches, win_chances
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.statistics.visibility import show_game
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import open_seats, open_table_of, play, play_game, update_games
from tests.services.analysis.quick import little_effort, make_all, name_a_move
from tests.web.api.conftest import Caller, wrong


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daybook]:
    book = open_daybook(
        Settings(data=tmp_path_factory.mktemp("book") / "data", win_chances_seconds_per_day=3600), create=True
    )
    yield book
    book.close()


@pytest.fixture(scope="module")
def analysed_game(book: Daybook) -> UUID:
    """A public game that has ended and was analysed."""
    id = play_game(book, 1, public=True)
    update_games(book)
    with pytest.MonkeyPatch.context() as patch:
        little_effort(patch)
        make_all(book, id)
    return id


@pytest.fixture
def caller(app: Flask) -> Caller:
    return Caller(app.test_client())


def test_a_game_that_has_ended_tells_its_chances(caller, analysed_game):
    told = caller.get(f"/games/{analysed_game}/chances").json
    assert (told["state"], told["missing"]) == ("done", 0) and len(told["positions"]) > 20
    for value in told["positions"]:
        assert sum(value["shares"]) == pytest.approx(1, abs=0.01)
        assert all(
            low <= share <= high for low, share, high in zip(value["low"], value["shares"], value["high"], strict=True)
        )
    first, last = told["positions"][0]["shares"], told["positions"][-1]["shares"]
    assert sorted(last)[-1] == 1.0 and told["moves"] and len(told["parts"]) == 3
    for part in told["parts"]:
        went = part["drawn"] + part["decided"] + part["together"]
        assert went == pytest.approx(last[part["seat"]] - first[part["seat"]], abs=0.001)


def test_a_game_that_a_table_plays_tells_none_whoever_asks(caller, book):
    id = open_table_of(book, public=True)
    scorekeeper = access.key_of(book, access.make_grant(book, id, "scorekeeper"))
    told = caller.get(f"/games/{id}/chances", scorekeeper).json
    assert (told["state"], told["positions"], told["moves"]) == ("unfinished", [], [])
    assert wrong(caller.post(f"/games/{id}/chances", {}, scorekeeper)) == (409, "chances_unfinished")


def test_running_practice_game_is_analysed_on_request(caller, book, monkeypatch):
    little_effort(monkeypatch)
    id = open_seats(book, title="To learn", options={"hands": "hidden"}, kind="practice", public=True)
    play(book, id, 12, seed=1)
    assert caller.get(f"/games/{id}/chances").json["state"] == "not_requested"
    assert caller.post(f"/games/{id}/chances", {}).json["state"] == "waiting"
    update_games(book)
    assert win_chances.games_due(book) == [id]
    make_all(book, id)
    assert len(caller.get(f"/games/{id}/chances").json["positions"]) == 13
    play(book, id, 1, seed=2)
    assert caller.get(f"/games/{id}/chances").json["state"] == "not_requested"


def test_luck_and_play_list_only_games_the_key_may_read(caller, book, analysed_game, monkeypatch):
    little_effort(monkeypatch)
    collect.count_game(book, analysed_game)
    named = name_a_move(book, analysed_game)
    told = caller.get("/statistics/luck", ruleset="making_profit").json
    assert (told["games"], told["known"], told["unwanted"]) == (1, 1, 0)
    (move,) = told["moves"]["rows"]
    assert (move["game"], move["step"]) == (str(analysed_game), named.step)
    assert move["cells"]["better"] == named.weighed.better and move["cells"]["cost"] == 14.0
    assert told["swings"]["rows"] and sorted(told["people"]["names"].values()) == ["Anna", "Ben", "Cleo"]
    show_game(book, analysed_game, False)
    try:
        scorekeeper = access.key_of(book, access.make_grant(book, analysed_game, "scorekeeper"))
        assert caller.get("/statistics/luck", scorekeeper).json["moves"] == told["moves"]
        for asked in ({}, {"ruleset": "making_profit"}):
            hidden = caller.get("/statistics/luck", **asked)
            assert str(analysed_game) not in hidden.text and "Anna" not in hidden.text
            assert (hidden.json["known"], hidden.json["people"]["rows"]) == (0, [])
    finally:
        show_game(book, analysed_game, True)
    switches.switch_chances(book, analysed_game, False)
    try:
        told = caller.get("/statistics/luck").json
        assert (told["known"], told["unwanted"], told["moves"]["rows"], told["swings"]["rows"]) == (0, 1, [], [])
    finally:
        switches.switch_chances(book, analysed_game, True)


def test_a_group_may_do_without(caller, book, analysed_game):
    switches.switch_chances(book, analysed_game, False)
    switches.switch_chances(book, analysed_game, False)
    try:
        told = caller.get(f"/games/{analysed_game}/chances").json
        assert (told["state"], told["positions"], told["parts"]) == ("unwanted", [], [])
    finally:
        switches.switch_chances(book, analysed_game, True)
    assert caller.get(f"/games/{analysed_game}/chances").json["state"] == "done"
