"""Statistics for programs: measures, answers, the games behind them, and their readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.games import RULESETS
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests.played import update_games, update_results
from tests.web.api.conftest import Caller
from tests.web.leagues import ClubAtHand


@pytest.fixture(scope="module")
def counted_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daybook, UUID]]:
    """Ten practice games of three people, and the one of them that is for its players alone."""
    book = open_daybook(Settings(data=tmp_path_factory.mktemp("asked") / "data"), create=True)
    games = list(simulate.simulate_games(RULESETS["making_profit"], 3, 2, 1, {}))
    hidden = list(simulate.insert_copies(book, games, 10, simulate.demonstration_players(3, 1), 1))[-1]
    book.kept.show(hidden, False)
    update_games(book)
    collect.count_all(book)
    yield book, hidden
    book.close()


@pytest.fixture(scope="module")
def caller(counted_games: tuple[Daybook, UUID]) -> Caller:
    return Caller(create_app(counted_games[0]).test_client())


ASKED = {"ruleset": "making_profit", "practice": "yes"}


def test_what_is_counted_is_listed_with_the_questions(caller):
    told = caller.get("/statistics/measures", ruleset="making_profit").json
    dividends = next(value for value in told["measures"] if value["measure"] == "dividends")
    assert "what" in dividends["splits"] and not dividends["per_game"]
    for question in told["questions"]:
        answer = caller.get("/statistics/answer", measure=question["measure"], split=question["splits"], **ASKED)
        assert answer.status_code == 200, question
        assert answer.json["rows"], question


def test_an_answer_opens_its_games_for_who_may_read_them(counted_games, caller):
    book, hidden = counted_games
    key = access.key_of(book, access.make_grant(book, hidden, "reader"))
    for games, asker in ((9, None), (10, key)):
        told = caller.get("/statistics/answer", asker, measure="score", split="seat", **ASKED).json
        assert told["n"] == games
        assert [row["cells"]["n"] for row in told["rows"]] == [games] * 3
        assert told["rows"][0]["cells"]["rate"] is not None
        behind = caller.get("/statistics/games", asker, measure="score", split="seat", row="0", **ASKED).json["games"]
        assert len(behind) == games
        assert (str(hidden) in {value["game"] for value in behind}) == (asker is not None)
        assert caller.get(f"/games/{behind[0]['game']}/position", asker, step=behind[0]["step"]).status_code == 200
    assert caller.get("/statistics/answer", "wrong", measure="score").status_code == 401


@pytest.mark.parametrize("where", ["records", "meetings", "streaks", "winners"])
def test_tables_name_no_game_that_may_not_be_read(counted_games, caller, where):
    answer = caller.get(f"/statistics/{where}", **ASKED)
    assert answer.json["n"] == 9 and answer.json["rows"]
    assert str(counted_games[1]) not in answer.text


@pytest.mark.parametrize(
    ("where", "query"),
    [
        ("answer", {"measure": "score", "split": ["person", "seat"]}),
        ("records", {}),
        ("meetings", {}),
        ("streaks", {}),
        ("winners", {}),
    ],
)
def test_a_table_is_shown_page_by_page(counted_games, caller, where, query):
    whole, rows = caller.get(f"/statistics/{where}", **ASKED, **query).json, []
    page = caller.get(f"/statistics/{where}", limit=2, **ASKED, **query).json
    while page["next"]:
        rows += page["rows"]
        assert len(page["rows"]) == 2
        page = caller.client.get(page["next"]).get_json()
    assert len(whole["rows"]) > 2 and rows + page["rows"] == whole["rows"]
    assert caller.get(f"/statistics/{where}", after="x", **ASKED, **query).json["error"]["code"] == "bad_place"


@pytest.mark.parametrize(
    ("where", "query", "status"),
    [
        ("answer", {"measure": "luck"}, 422),
        ("answer", {"measure": "length", "split": "seat"}, 422),
        ("answer", {}, 422),
        ("answer", {"measure": "score", "split": ["seat", "seats", "won"]}, 422),
        ("games", {"measure": "score", "split": "seat", "row": "x"}, 422),
        ("games", {"measure": "score", "split": "seat", "row": "9" * 30}, 422),
        ("winners", {}, 422),
        ("records", {"since": "2026-02-30"}, 422),
        ("records", {"tz": "Mars/Phobos"}, 422),
        ("records", {"season": "1"}, 422),
        ("records", {"club": "6f1c7a3e-3d5e-4b0e-9f0c-6a2f1b7f0a11"}, 404),
    ],
)
def test_what_cannot_be_asked_is_refused(caller, where, query, status):
    answer = caller.get(f"/statistics/{where}", **query)
    assert answer.status_code == status, answer.text
    assert answer.json["error"]["code"]


def test_a_clubs_figures_are_for_who_may_read_its_pages(counted_games, caller):
    club = ClubAtHand(counted_games[0], create_app(counted_games[0]))
    olga = accounts.make_key(counted_games[0], club.olga, "script")
    assert caller.get("/statistics/records", olga, club=str(club.id)).json["rows"] == []
    assert caller.get("/statistics/records", club=str(club.id)).status_code == 401
    assert caller.get("/statistics/records", olga, club=str(club.id), season="9").status_code == 404


def test_typed_results_of_a_club_count(book, app):
    club, caller = ClubAtHand(book, app, public=True), Caller(app.test_client())
    people = club.open_season(rounds=2, table_sizes=(4,))
    club.draw()
    club.type("1", *people)
    update_results(book)
    asked: dict[str, Any] = {"club": str(club.id), "measure": "place", "split": "person"}
    answer = caller.get("/statistics/answer", **asked).json
    assert (answer["n"], answer["typed"], len(answer["rows"])) == (1, 1, 4)
    (one,) = caller.get("/statistics/games", row=people[0], **asked).json["games"]
    assert (one["game"], one["step"], one["season"], one["table"]) == (None, None, club.season.id, "1")
    assert one["place"] == 1 and one["total"] == 90
    assert caller.get("/statistics/streaks", club=str(club.id)).json["typed"] == 1
    assert caller.get("/statistics/answer", club=str(club.id), measure="score", split="person").json["n"] == 1
    assert caller.get("/statistics/answer", club=str(club.id), measure="steps").json["n"] == 0
