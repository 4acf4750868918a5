"""Clubs for programs: what a person's key opens, standings with their reasons, a result typed in once."""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from flask import Flask

from daybook.domain.league.club_commands import AddMember, AnswerEvening, PlanEvening, WithdrawPlayer
from daybook.services.clock import later_time, now
from daybook.services.files.verify import verify_file
from daybook.services.league import ratings
from daybook.services.league.clubs import OPERATOR
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import begin
from tests.played import update_results
from tests.services.exchange.made import export
from tests.web.api.conftest import Caller
from tests.web.leagues import PASSWORD, ClubAtHand


@pytest.fixture
def mill(tmp_path: Path, signing_data: Path, built_app: Flask) -> Iterator[ClubAtHand]:
    """A club in a daybook of its own."""
    book = open_daybook(Settings(data=Path(copytree(signing_data, tmp_path / "data"))))
    begin(built_app, book)
    built_app.testing = False
    yield ClubAtHand(book, built_app)
    book.close()


@pytest.fixture
def caller(mill: ClubAtHand) -> Caller:
    return Caller(mill.app.test_client())


def test_a_persons_key_opens_their_clubs_and_nobody_elses(mill, caller):
    olga = accounts.make_key(mill.book, mill.olga, "script")
    otto = accounts.make_key(
        mill.book, accounts.make_account(mill.book, "Otto", sign_in="otto", password=PASSWORD), "script"
    )
    assert [club["roles"] for club in caller.get("/clubs", olga).json["clubs"]] == [["organiser", "member"]]
    assert caller.get("/clubs", otto).json == {"clubs": [], "next": None} == caller.get("/clubs").json
    where = f"/clubs/{mill.id}"
    assert caller.get(where, olga).json["club"]["name"] == "The Mill"
    assert [caller.get(where, key).status_code for key in (otto, None, "dbk_wrong")] == [403, 401, 401]
    assert caller.get(f"/clubs/{uuid.uuid4()}", olga).json["error"]["code"] == "unknown_club"
    assert caller.get(f"{where}/seasons/9", olga).json["error"]["code"] == "unknown_season"


LISTS = {  # the end of the address -> the list of its answer, and what each row is known by
    "": ("members", "person"),
    "/ratings": ("ratings", "person"),
    "/seasons/1": ("players", "person"),
    "/seasons/1/standings": ("rows", "person"),
    "/seasons/1/tables": ("tables", "id"),
    "/evenings/1": ("answers", "person"),
}


@pytest.mark.parametrize("path", LISTS)
def test_list_of_a_club_comes_in_pages(mill, caller, path):
    people = mill.open_season(names="Anna Ben Cleo Dora Emil", rounds=2, table_sizes=(4,))
    mill.draw()
    for table in [*mill.season.tables.values()]:
        mill.type(table.id, *mill.club.seats(table))
    mill.by_olga(PlanEvening(later_time(now(), days=7)))
    evening = next(iter(mill.club.evenings))
    for person in people:
        mill.by_olga(AddMember(person))
        mill.by_olga(AnswerEvening(evening, "yes", person))
    update_results(mill.book)
    ratings.rate_club(mill.book, mill.id)
    olga = accounts.make_key(mill.book, mill.olga, "script")
    where, (rows, row_id) = f"/clubs/{mill.id}{path}", LISTS[path]
    every_row = caller.get(where, olga).json
    assert every_row["next"] is None
    found, page = [], caller.get(where, olga, limit=1).json
    while page["next"]:
        found += page[rows]
        assert len(page[rows]) == 1
        page = caller.get(where, olga, **dict(parse_qsl(urlsplit(page["next"]).query))).json
    assert [*found, *page[rows]] == every_row[rows]
    assert len({row[row_id] for row in every_row[rows]}) == len(every_row[rows]) >= 2
    assert caller.get(where, olga, after="nobody").status_code == 422


def test_page_of_a_season_names_only_its_players(mill, caller):
    people = mill.open_season(names="Anna Ben Cleo Dora Emil", rounds=5, table_sizes=(4,))
    mill.draw()
    mill.by_olga(WithdrawPlayer("1", people[4]))
    olga = accounts.make_key(mill.book, mill.olga, "script")
    where = f"/clubs/{mill.id}/seasons/1"
    page = caller.get(where, olga, limit=2).json
    assert {*page["names"]} == {*people[:2]} >= {bye["person"] for bye in page["byes"]}
    assert page["byes"] and page["withdrawn"] == []
    assert caller.get(where, olga).json["withdrawn"] == [people[4]]


def test_later_pages_of_standings_are_of_the_same_position(mill, caller):
    people = mill.open_season(rounds=2, table_sizes=(4,))
    mill.draw(rounds=2)
    mill.type("1", *people)
    olga = accounts.make_key(mill.book, mill.olga, "script")
    where = f"/clubs/{mill.id}/seasons/1/standings"
    for when in ({}, {"at": now()}):
        first = caller.get(where, olga, limit=2, **when).json
        order = [row["person"] for row in caller.get(where, olga, position=first["position"]).json["rows"]]
        mill.type("2", *reversed(people), why="" if when == {} else "again")
        then = caller.get(where, olga, **dict(parse_qsl(urlsplit(first["next"]).query))).json
        assert then["position"] == first["position"]
        assert [row["person"] for row in [*first["rows"], *then["rows"]]] == order
        people = [*reversed(people)]


def test_standings_say_why(mill, caller):
    anna, ben, cleo, dora = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.type("1", anna, ben, cleo, dora)
    olga = accounts.make_key(mill.book, mill.olga, "script")
    where = f"/clubs/{mill.id}/seasons/1"
    told = caller.get(f"{where}/standings", olga).json
    first = told["rows"][0]
    assert (first["person"], first["place"], first["columns"]["points"]) == (anna, 1, "10")
    assert first["why"][-1] == {"key": "points", "says": "more points: 10 to 6", "figures": {"ours": 10, "theirs": 6}}
    assert caller.get(f"{where}/standings", olga, at="2001-01-01T00:00:00.000Z").json["rows"] == []
    assert caller.get(f"{where}/standings", olga, at="yesterday").status_code == 422
    season = caller.get(f"{where}/tables", olga).json
    assert season["tables"][0]["result"]["marks"] == ["typed"]
    assert season["names"][anna] == "Anna"
    assert caller.get(f"/clubs/{mill.id}/ratings", olga).json["ruleset"] == ""


def test_a_result_is_typed_in_once_by_who_may(mill, caller):
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mia = accounts.make_key(mill.book, mill.member("Mia"), "script")
    sven = accounts.make_key(mill.book, mill.member("Sven", "scorekeeper"), "script")
    where = f"/clubs/{mill.id}/seasons/1/results"
    body = {
        "ruleset": "making_profit",
        "table": "1",
        "at": mill.club.step,
        "placed": [{"person": person, "place": place} for place, person in enumerate(people, 1)],
    }
    assert caller.post(where, body, mia).json["error"]["code"] == "role_missing"
    once = uuid.uuid4().hex
    first, again = caller.post(where, body, sven, once), caller.post(where, body, sven, once)
    assert (first.status_code, first.json["repeated"], again.json["repeated"]) == (201, False, True)
    assert again.json["step"] == first.json["step"]
    other = body | {"placed": [{"person": person, "place": place} for place, person in enumerate(people[::-1], 1)]}
    answer = caller.post(where, other, sven, once)
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "key_used"), "it would be lost without a word"
    assert answer.json["error"]["details"]["step"] == first.json["step"]
    answer = caller.post(where, body, sven)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "moved_on")
    answer = caller.post(where, body | {"at": mill.club.step, "placed": body["placed"][:2]}, sven)
    assert answer.status_code == 422
    for id in (
        OPERATOR,
        "the operator",
        " ",
    ):  # who was written in by it could be invited, and do what the operator does
        placed = [{"person": id, "place": 1}, {"person": people[0], "place": 2}]
        answer = caller.post(f"/clubs/{mill.id}/results", {"ruleset": "making_profit", "placed": placed}, sven)
        assert (answer.status_code, answer.json["error"]["code"]) == (422, "no_person")


def test_a_clubs_entries_are_a_file_for_its_organisers(mill, caller):
    olga, where = accounts.make_key(mill.book, mill.olga, "script"), f"/clubs/{mill.id}/entries"
    mia = accounts.make_key(mill.book, mill.member("Mia"), "script")
    answer = caller.get(where, olga)
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    assert verify_file(io.BytesIO(answer.data)).seal == mill.club.seal
    assert caller.get(where, mia).json["error"]["code"] == "role_missing"
    assert caller.get(where).status_code == 401


# --- running a season ------------------------------------------------------------------------------------------------


@pytest.fixture
def keys(mill) -> dict[str, str]:
    """Keys of Olga, the organiser, of an umpire, a scorekeeper and a member."""
    people = {
        "umpire": mill.member("Una", "umpire"),
        "scorekeeper": mill.member("Sven", "scorekeeper"),
        "member": mill.member("Mia"),
        "organiser": mill.olga,
    }
    return {role: accounts.make_key(mill.book, person, "script") for role, person in people.items()}


def test_a_schedule_is_shown_and_then_drawn_as_it_was_shown(mill, caller, keys):
    mill.open_season(rounds=2, table_sizes=(4,))
    where = f"/clubs/{mill.id}/seasons/1/draw"
    shown = caller.get(where, keys["organiser"], seed=7).json
    assert shown == caller.get(where, keys["organiser"], seed=7).json and shown["rounds"] == [1, 2]
    assert not mill.season.tables, "nothing is written"
    body = {"seed": 7, "at": shown["at"]}
    for role in ("umpire", "scorekeeper", "member"):
        assert caller.post(where, body, keys[role]).json["error"]["code"] == "role_missing"
        assert caller.get(where, keys[role], seed=7).status_code == 403
    once = uuid.uuid4().hex
    first, again = (caller.post(where, body, keys["organiser"], once) for _ in range(2))
    assert (first.status_code, first.json["repeated"], again.json["repeated"]) == (201, False, True)
    assert {id: list(table.seats) for id, table in mill.season.tables.items()} == {
        value["table"]: value["seats"] for value in shown["fixtures"]
    }
    assert caller.post(where, body, keys["organiser"]).json["error"]["code"] == "moved_on"
    assert caller.get(where, keys["organiser"]).status_code == 422


def test_what_cannot_be_drawn_is_refused_with_its_reason(mill, caller, keys):
    mill.open_season(names="")
    answer = caller.get(f"/clubs/{mill.id}/seasons/1/draw", keys["organiser"], seed=7)
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "nobody_enters")


def test_a_table_is_planned_by_organisers(mill, caller, keys):
    mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    where = f"/clubs/{mill.id}/seasons/1/tables/1/plan"
    body = {"when": "2026-12-01T19:30:00.000Z", "place": "at the mill"}
    assert caller.post(where, body, keys["scorekeeper"]).status_code == 403
    assert caller.post(where, body, keys["organiser"]).status_code == 201
    table = mill.season.tables["1"]
    assert (table.when, table.place) == (body["when"], body["place"])
    answer = caller.post(where, body | {"when": "tomorrow"}, keys["organiser"])
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "no_such_time")
    answer = caller.post(f"/clubs/{mill.id}/seasons/1/tables/9/plan", body, keys["organiser"])
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "unknown_table")


def test_a_result_is_made_void_by_who_rules_and_with_a_reason(mill, caller, keys):
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.type("1", *people)
    where = f"/clubs/{mill.id}/seasons/1/tables/1/void"
    assert caller.post(where, {"why": "a rehearsal"}, keys["scorekeeper"]).json["error"]["details"]["roles"] == [
        "organiser",
        "umpire",
        "member",
    ]
    assert caller.post(where, {}, keys["umpire"]).status_code == 422
    assert caller.post(where, {"why": "a rehearsal"}, keys["umpire"]).status_code == 201
    shown = caller.get(f"/clubs/{mill.id}/seasons/1/tables", keys["member"]).json["tables"][0]
    assert shown["void"] and shown["result"] is None
    answer = caller.post(where, {"why": "once more"}, keys["umpire"])
    assert answer.status_code == 422 and not answer.json["error"]["code"].startswith("bad_")


def test_two_tables_that_look_alike_were_two_evenings(mill, caller, keys):
    people = mill.open_season(rounds=2, table_sizes=(4,))
    mill.draw()
    for table in "12":
        mill.type(table, *people)
    page, pair = f"/clubs/{mill.id}/seasons/1", [{"season": "1", "table": "2"}, {"season": "1", "table": "1"}]
    assert caller.get(page, keys["scorekeeper"]).json["possible_duplicates"] == [pair]
    assert caller.get(page, keys["member"]).json["possible_duplicates"] == [], "as on the page: for who enters games"
    where, body = (
        f"/clubs/{mill.id}/seasons/1/tables/2/separate-games",
        {"season": "1", "table": "1", "why": "a rematch"},
    )
    assert caller.post(where, body, keys["member"]).json["error"]["code"] == "role_missing"
    assert caller.post(where, body | {"table": "9"}, keys["scorekeeper"]).status_code == 404
    assert caller.post(where, body, keys["scorekeeper"]).status_code == 201
    assert mill.season.tables["2"].apart == (("1.2", "1.1"),)
    assert caller.get(page, keys["scorekeeper"]).json["possible_duplicates"] == []
    assert caller.post(where, body, keys["scorekeeper"]).json["error"]["code"] == "nothing_changed"


def test_season_closes_once_possible_duplicates_are_decided(mill, caller, keys):
    people = mill.open_season(rounds=2, table_sizes=(4,))
    mill.draw()
    where = f"/clubs/{mill.id}/seasons/1"
    mill.type("1", *people)
    body = {"at": mill.club.step}
    assert caller.post(f"{where}/close", body, keys["organiser"]).json["error"]["code"] == "table_unplayed"
    mill.type("2", *people)
    assert caller.post(f"{where}/close", body, keys["organiser"]).json["error"]["code"] == "possible_duplicates"
    body = {"at": mill.club.step}
    for role in ("umpire", "scorekeeper", "member"):
        assert caller.post(f"{where}/close", body, keys[role]).json["error"]["code"] == "role_missing"
    answer = caller.post(f"{where}/close", body, keys["organiser"])
    pair = [{"season": "1", "table": "2"}, {"season": "1", "table": "1"}]
    assert (answer.status_code, answer.json["error"]["details"]) == (422, {"pairs": [pair]})
    assert mill.season.is_open
    once, body = uuid.uuid4().hex, body | {"as_they_are": True}
    first, again = (caller.post(f"{where}/close", body, keys["organiser"], once) for _ in range(2))
    assert (first.status_code, first.json["repeated"], again.json["repeated"]) == (201, False, True)
    assert caller.get(f"{where}/standings", keys["member"]).json["final"]["orders"][0]["people"] == people
    assert caller.post(f"{where}/reopen", {"why": "a slip"}, keys["umpire"]).json["error"]["code"] == "role_missing"
    assert caller.post(f"{where}/reopen", {"why": "a slip"}, keys["organiser"]).status_code == 201
    answer = caller.post(f"{where}/close", body, keys["organiser"])
    assert answer.json["error"]["code"] == "moved_on" and mill.season.is_open, "it was opened since that step"


def test_the_game_of_a_table_is_opened_once_with_its_people(mill, caller, keys):
    mill.open_season(rounds=2, table_sizes=(4,))
    mill.draw()
    where, body = f"/clubs/{mill.id}/seasons/1/tables/1/game", {"ruleset": "making_profit"}
    for role in ("umpire", "member"):
        assert caller.post(where, body, keys[role]).json["error"]["code"] == "role_missing"
    assert caller.post(where, body).status_code in (401, 403)
    assert caller.post(where, body | {"colours": ["red"]}, keys["scorekeeper"]).json["error"]["code"] == "seats"
    assert caller.post(where, {"ruleset": "water_frame"}, keys["scorekeeper"]).status_code == 422
    assert not mill.book.log.game_ids()
    once = uuid.uuid4().hex
    first, again = (caller.post(where, body, keys["scorekeeper"], once) for _ in range(2))
    assert (first.status_code, first.json["repeated"], again.json["repeated"]) == (201, False, True)
    assert (first.json["game"], first.json["links"]) == (again.json["game"], again.json["links"])
    game = mill.book.games.get(uuid.UUID(first.json["game"]))
    assert [seat.person for seat in game.opening.seats] == list(mill.season.tables["1"].seats)
    assert mill.season.tables["1"].game == first.json["game"]
    scorekeeper = next(link["key"] for link in first.json["links"] if link["role"] == "scorekeeper")
    assert caller.get(f"/games/{game.id}/legal", scorekeeper, seat=-1).status_code == 200
    assert caller.post(where, body, keys["scorekeeper"]).status_code == 422, "the table has its game"
    assert len(mill.book.log.game_ids()) == 1


def test_evenings_by_programs(mill, caller):
    sven, olga = (
        accounts.make_key(mill.book, who, "script") for who in (mill.member("Sven", "scorekeeper"), mill.olga)
    )
    where, soon = f"/clubs/{mill.id}/evenings", later_time(now(), seconds=5)
    body = {"when": soon, "place": "Olga's", "games": ["Wingspan", "making_profit"]}
    assert caller.post(where, body, sven).json["error"]["code"] == "role_missing"
    once = uuid.uuid4().hex
    assert [caller.post(where, body, olga, once).json["repeated"] for _ in range(2)] == [False, True]
    told = caller.get(where, sven).json
    assert [(value["id"], value["games"], value["called_off"]) for value in told["evenings"]] == [
        ("1", [":Wingspan", "making_profit"], None)
    ]
    assert caller.post(f"{where}/1/answers", {"answer": "yes"}, sven).status_code == 201
    refused = caller.post(f"{where}/1/answers", {"answer": "yes", "person": mill.olga}, sven)
    assert refused.json["error"]["code"] == "role_missing"
    assert caller.post(f"{where}/1/answers", {"answer": "yes"}, olga).status_code == 201
    shown = caller.get(f"{where}/1", sven).json
    assert [(item["name"], item["answer"], item["before_move"]) for item in shown["answers"]] == [
        ("Sven", "yes", False),
        ("Olga", "yes", False),
    ]
    opened = caller.post(f"{where}/1/games", {"ruleset": "making_profit"}, sven)
    assert opened.status_code == 201, opened.text
    assert mill.club.beside.tables["1"].played == tuple(each_item["person"] for each_item in shown["answers"])
    assert caller.get(f"{where}/1", sven).json["played"] == [{"season": "", "table": "1"}]
    again = told["evenings"][0]["games"]
    moved = {"when": later_time(soon, hours=1), "games": again, "at": shown["step"]}
    assert caller.post(f"{where}/1", moved, olga).status_code == 201, "nobody else planned it meanwhile"
    assert mill.club.evenings["1"].games == tuple(again)
    late = caller.post(f"{where}/1/call-off", {"at": shown["step"]}, olga)
    assert (late.status_code, late.json["error"]["code"]) == (409, "moved_on")
    assert caller.post(f"{where}/1/call-off", {"why": "snow"}, olga).status_code == 201
    assert caller.get(where).status_code == 401 and caller.get(f"{where}/2", sven).status_code == 404
    assert caller.post(where, body | {"when": "2026-02-30T19:00:00.000Z"}, olga).json["error"]["code"] == "no_time"


def test_plays_of_another_program_by_programs(mill, caller):
    sven, mia = (
        accounts.make_key(mill.book, mill.member(*who), "script") for who in (("Sven", "scorekeeper"), ("Mia",))
    )
    where, body = f"/clubs/{mill.id}/imports", {"text": export(3).decode(), "games": {"Wingspan": "Wings"}}
    for path, sent in (("", body), ("/preview", body), ("/x/undo", {})):
        assert caller.post(f"{where}{path}", sent, mia).json["error"]["code"] == "role_missing"
    shown = caller.post(f"{where}/preview", body | {"people": {"Anna": mill.olga}}, sven).json
    assert (shown["source"], shown["fresh"], shown["already_imported"], shown["left_out"]) == ("bgstats", 3, 0, [])
    assert {item["name"]: item["person"] for item in shown["people"]}["Anna"] == mill.olga
    assert mill.club.beside.tables == {}
    once = uuid.uuid4().hex
    first, again = (caller.post(where, body, sven, once).json for _ in range(2))
    assert (first["plays"], first["repeated"], again["repeated"], again["batch"]) == (3, False, True, first["batch"])
    assert caller.post(where, body, sven).json | {"left_out": []} == {
        "batch": "",
        "plays": 0,
        "left_out": [],
        "step": None,
        "repeated": False,
        "already_imported": 3,
        "merged": 0,
        "updated": 0,
    }
    spoilt = caller.post(where, {"text": export(5, playDate="2999-01-01").decode()}, sven).json
    assert (spoilt["plays"], caller.get(where, mia, limit=1).json["imports"][0]["plays"]) == (2, 2)
    listed = caller.get(where, mia, limit=1).json
    second = caller.get(where, mia, limit=1, after=parse_qs(urlsplit(listed["next"]).query)["after"][0]).json
    assert [value["batch"] for value in second["imports"]] == [first["batch"]] and second["next"] is None
    assert caller.post(where, {"text": "name,age"}, sven).json["error"]["code"] == "no_header"
    assert caller.post(f"{where}/{first['batch']}/undo", {}, sven).status_code == 201
    assert len(mill.club.beside.tables) == 2
    assert caller.post(f"{where}/{first['batch']}/undo", {}, sven).json["error"]["code"] == "no_import"


TWELVE = [f"person-{number}" for number in range(12)]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/seasons/1/tables/1/seating", {"people": TWELVE, "why": "x"}),
        ("/seasons/1/games", {"game": str(uuid.uuid4()), "people": TWELVE}),
        ("/seasons/1/draw", {"seed": 1, "at": 0, "people": [f"person-{number}" for number in range(250)]}),
        ("/evenings", {"when": "2026-12-01T19:30:00.000Z", "place": "x" * 120}),
        ("/seasons/1/tables/1/plan", {"when": "", "place": "x" * 120}),
    ],
)
def test_body_within_the_limits_of_its_command_passes_the_edge(mill, caller, keys, path, body):
    mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    answer = caller.post(f"/clubs/{mill.id}{path}", body, keys["organiser"])
    assert answer.status_code == 201 or answer.json["error"]["code"] != "bad_fields"


@pytest.mark.parametrize("seats", [1, 6, 12, 40])
def test_statistics_of_any_possible_number_of_players(mill, caller, seats):
    assert caller.get("/statistics/records", seats=seats).status_code == 200
    assert caller.get("/statistics/records", seats=41).json["error"]["code"] == "bad_fields"


def test_log_of_plays_is_listed_by_filter_and_page(mill, caller):
    mia = mill.member("Mia")
    by_mia = accounts.make_key(mill.book, mia, "script")
    for day in ("2026-05-01", "2026-05-02", "2026-05-03"):
        placed = [{"person": mia, "place": 1, "written": "12½"}, {"person": mill.olga, "place": 2, "score": 7}]
        body = {"placed": placed, "game": "Azul", "place": "Hafen", "ended_on": day, "hour": "19:30"}
        assert caller.post(f"/clubs/{mill.id}/results", body, by_mia).status_code == 201, "members log plays"
    update_results(mill.book)
    where = f"/clubs/{mill.id}/plays"
    first = caller.get(where, by_mia, limit=2, place="Hafen").json
    assert [(play["day"], play["hour"]) for play in first["plays"]] == [
        ("2026-05-03", "19:30"),
        ("2026-05-02", "19:30"),
    ]
    winner = {"person": mia, "name": "Mia", "place": 1, "score": 12.5, "written": "12½", "dropped": False}
    assert first["plays"][0]["players"][0] == winner
    rest = caller.get(where, by_mia, **dict(parse_qsl(urlsplit(first["next"]).query))).json
    assert len(rest["plays"]) == 1 and rest["next"] is None
    assert caller.get(where, by_mia, game=":Go").json["plays"] == []
    assert len(caller.get(where, by_mia, day="2026-05-02").json["plays"]) == 1
    assert caller.get(where, by_mia, kind="any").status_code == 422
    assert caller.get(where).status_code in (401, 403)
