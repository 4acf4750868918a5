"""A season's pages: players, draws, tables, results, standings with their reasons, its end, its files."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable
from uuid import UUID

import pytest
from icalendar import Calendar

from daybook.domain.commands import Adjust, Close, Reopen
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club_commands import (
    CancelSeason,
    CloseSeason,
    EnterPlayers,
    PlanTable,
    PostponeTable,
    ProposeDay,
    RecordForfeit,
    ReopenSeason,
    ReportAbsence,
    SeatSubstitute,
    SetRoundDeadline,
    WithdrawPlayer,
)
from daybook.domain.league.seasons import Division, Entrant
from daybook.services import days, written
from daybook.services.clock import later_time, now
from daybook.services.disputes import umpires
from daybook.services.files import receipts
from daybook.services.league import ratings, results
from daybook.services.names import appearance_key
from daybook.services.people import accounts
from daybook.services.permissions import access
from tests.axe import faults
from tests.browsing import errors_of, open_folds
from tests.played import key, play, update_results, write
from tests.services.clubbing import open_club_game
from tests.web.api.conftest import Caller
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.leagues import PASSWORD, ClubAtHand


@pytest.fixture
def mill(book, app) -> ClubAtHand:
    return ClubAtHand(book, app, public=True)


@pytest.fixture
def olga(mill) -> Visitor:
    return mill.signed_in()


@pytest.fixture
def four(mill) -> list[str]:
    """Anna, Ben, Cleo and Dora play two rounds at one table, which are drawn."""
    people = mill.open_season(rounds=2, table_sizes=(4,), appeal_hours=12)
    mill.draw()
    return people


def play_out(mill: ClubAtHand, game: UUID) -> None:
    """Play a game to its end and close it."""
    play(mill.book, game, seed=2, close=True)


def put_right(mill: ClubAtHand, game: UUID, seat: int, money: int) -> None:
    """A closed game is opened again, a seat gets so much money, and it is closed again."""
    for command in (
        Reopen("counted again"),
        Adjust({f"/players/{seat}/money": money}, "miscounted", "mistyped"),
        Close(),
    ):
        write(mill.book, game, command, at=mill.book.games.get(game).step)


def reasons(page: VisitedPage) -> list[str]:
    """Return the reason for each place, as the standings show it."""
    return [
        part.split("</p>")[0].strip()
        for part in page.html.split('<div class="account-of">')[1:]
        for part in [part.replace("<p>", "", 1)]
        if "comes before" in part.split("</p>")[0] or "share the place" in part.split("</p>")[0]
    ]


# --- players and draws -----------------------------------------------------------------------------------------------


def test_people_and_guests_are_entered_once(mill, olga):
    mill.open_season(names="")
    mia = mill.member("Mia")
    form = olga.get(mill.at("/players")).form("Enter them")
    sent = {"person.0": mill.olga, "person.1": mia, "guests": "Anna\r\n  Ben  \r\n\r\nAnna"}
    page = olga.send(form, **sent)
    olga.send(form, **sent)
    names = mill.book.kept.names(entrant.person for entrant in mill.club.entrants(mill.season))
    assert sorted(names.values()) == ["Anna", "Ben", "Mia", "Olga"]
    assert all(name in page.text for name in names.values())


def test_nobody_named_is_said(mill, olga):
    mill.open_season(names="")
    page = olga.press(mill.at("/players"), "Enter them")
    assert (page.status, "Enter at least one name" in page.text) == (422, True)
    page = olga.send(page.form("Enter them"), guests="x" * 61)
    assert (page.status, "61 characters are too many: at most 60" in page.text) == (422, True)


def test_a_group_takes_people_and_one_is_moved(mill, olga):
    people = mill.open_season(
        "divisions", names="A B C D E F G H", divisions=(Division("A", (4,)), Division("B", (4,)))
    )
    page = olga.get(mill.at("/players"))
    assert "Division A 4 of 4" in page.text
    form = next(form for form in page.forms if form.fields.get("person.0") == people[0])
    olga.send(form, group="2.1")
    assert mill.club.player(mill.season, people[0]).division == 2


def test_draw_is_previewed_and_its_seed_draws_it_again(mill, olga):
    mill.open_season("divisions", names="A B C D E F G H I J K L M N")
    page = olga.get(mill.at("/draw"), seed=17)
    assert "Division 1: Each plays 4 games; players meet 2 times; each sits in each seat 1 time" in page.text.replace(
        "each plays", "Each plays"
    )
    assert mill.season.tables == {}
    again = olga.get(mill.at("/draw"), seed=17)
    assert page.text == again.text
    assert page.text != olga.get(mill.at("/draw"), seed=18).text
    page = olga.send(page.form("Save this schedule"))
    assert "The schedule is drawn" in page.text
    assert len(mill.season.tables) == 14
    assert {draw.seed for draw in mill.season.draws} == {17}


def test_draw_is_refused_when_a_player_entered_meanwhile(mill, olga):
    people = mill.open_season(names="A B C D")
    form = olga.get(mill.at("/draw"), seed=3).form("Save this schedule")
    mill.by_olga(WithdrawPlayer(mill.season.id, people[0]))
    page = olga.send(form)
    assert page.status == 422 or "Nothing was saved" in page.text or "cannot fill a table" in page.text
    assert mill.season.tables == {}


# --- tables and results ----------------------------------------------------------------------------------------------


def test_scores_alone_make_the_places(mill, four, olga):
    page = olga.get(mill.at("/tables/1"))
    seats = mill.club.seats(mill.season.tables["1"])
    page = olga.send(
        page.form("Save the result"), **{"score.0": "31", "score.1": "44", "score.2": "44", "score.3": "−2"}
    )
    result = mill.club.typed_result(mill.season.tables["1"])
    found = [(result.of(person).place, result.of(person).score) for person in seats]
    assert found == [(3, 31), (1, 44), (1, 44), (4, -2)]
    assert "typed in" in page.text and "Nothing was saved" not in page.text


def test_a_walkover_counts_in_the_standings_and_is_not_rated(mill, four, olga):
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    page = olga.send(form, **{"walkover": "yes", "score.0": "31", "dropped.1": "y", "dropped.2": "y", "dropped.3": "y"})
    assert (page.status, "A game that was not played has no scores" in page.text) == (422, True)
    page = olga.send(form, **{"walkover": "yes", "dropped.1": "y", "dropped.2": "y", "dropped.3": "y"})
    assert "walkover" in page.text and "Nothing was saved" not in page.text
    shows_up = mill.club.seats(mill.season.tables["1"])[0]
    points = {
        row.person: row.points
        for group in results.standings_at(mill.book, mill.club, mill.season.id).groups
        for row in group.rows
    }
    assert points[shows_up] == 10 and sum(points.values()) == 10
    ratings.rate_club(mill.book, mill.id)
    assert ratings.current_ratings(mill.book, mill.id) == []
    kept = olga.get(mill.at("/tables/1")).form("Save the result")
    assert kept.fields["walkover"] == "yes"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"score.0": "ten"}, "“ten” is not a score"),
        ({"score.0": "10"}, "Enter everyone’s place, or everyone’s score"),
        ({"place.0": "1"}, "Enter all places or none"),
        ({f"place.{seat}": "1" for seat in range(3)} | {"place.3": "2"}, "that makes place 4"),
        (
            {f"place.{seat}": str(seat + 1) for seat in range(4)} | {"dropped.0": "yes"},
            "dropped out, and is placed after",
        ),
    ],
)
def test_impossible_result_is_named_and_typed_values_stay(mill, four, olga, fields, message):
    page = olga.press(mill.at("/tables/1"), "Save the result", **fields)
    assert (page.status, message in page.text) == (422, True), page.text
    assert fields.items() <= page.form("Save the result").fields.items()
    assert mill.season.tables["1"].typed is None


def test_another_result_needs_a_reason_and_shows_what_it_changed(mill, four, olga):
    anna, ben, cleo, dora = four
    mill.type("1", anna, ben, cleo, dora)
    seats = mill.club.seats(mill.season.tables["1"])
    places = {anna: "2", ben: "1", cleo: "3", dora: "4"}
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    fields = {f"place.{seat}": places[person] for seat, person in enumerate(seats)} | {"ended": "2026-11-20"}
    assert "another one needs a reason" in olga.send(form, **fields).text
    page = olga.send(form, **fields, why="two names were swapped")
    assert "Nothing is saved yet" in page.text and "Places and scores disagree: Anna has 90 points" in page.text
    assert "Ben before Anna, Cleo and Dora, 20 Nov 2026 1 Ben 80 2 Anna 90" in page.text
    assert "2026-11-20T" not in page.html, "a day without a time is not told by the hour"
    assert ["Ben", "2", "6", "1", "10"] in rows_of(page, "beside-tried")
    assert mill.club.typed_result(mill.season.tables["1"]).of(anna).place == 1
    page = olga.send(page.form("Save it like this"))
    assert "two names were swapped" in page.text and "Nothing is saved yet" not in page.text
    assert "Ben: place 2 → 1, points 6 → 10" in page.text
    assert "Anna: place 1 → 2, points 10 → 6" in page.text
    assert "Cleo: place" not in page.text


def rows_of(page: VisitedPage, table: str) -> list[list[str]]:
    body = re.search(rf'<table class="{table}">.*?<tbody>(.*?)</tbody>', page.html, re.S)
    return (
        [
            [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)]
            for row in re.findall("<tr.*?</tr>", body[1], re.S)
        ]
        if body
        else []
    )


def test_places_follow_another_score_and_the_day_stays(mill, four, olga, monkeypatch):
    """84 was a slip for 48: its player loses the first place, and the game keeps its day."""
    seats = mill.club.seats(mill.season.tables["1"])
    before = later_time(now(), days=-2)
    for module in (days, written):
        monkeypatch.setattr(module, "now", lambda: before)
    olga.press(
        mill.at("/tables/1"),
        "Save the result",
        **{f"score.{seat}": score for seat, score in enumerate(["84", "60", "50", "40"])},
    )
    monkeypatch.undo()
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    assert [form.fields[f"place.{seat}"] for seat in range(4)] == [""] * 4
    assert form.fields["ended"] == before[:10]
    page = olga.send(form, **{"score.0": "48", "why": "84 was 48"})
    assert "disagree" not in page.text
    assert [row[3] for row in rows_of(page, "beside-tried")] == ["1", "2", "3", "4"]
    olga.send(page.form("Save it like this"))
    result = mill.club.typed_result(mill.season.tables["1"])
    assert [result.of(person).place for person in seats] == [3, 1, 2, 4]
    assert result.at == moment_of_play(before[:10])


def test_places_that_were_typed_stay(mill, four, olga):
    """Two have the same score, and a tie-break made one the first: the form shows that again."""
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    olga.send(
        form,
        **{
            f"{what}.{seat}": value
            for what, said in (("score", "7773"), ("place", "2134"))
            for seat, value in enumerate(said)
        },
    )
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    assert [form.fields[f"place.{seat}"] for seat in range(4)] == ["2", "1", "3", "4"]


def test_what_is_written_is_what_was_looked_at(mill, four, olga):
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    page = olga.send(
        form,
        **{
            f"{what}.{seat}": value
            for what, said in (("score", "9876"), ("place", "2134"))
            for seat, value in enumerate(said)
        },
    )
    assert "Places and scores disagree" in page.text and mill.season.tables["1"].typed is None
    again = olga.send(page.form("Save it like this"), **{"score.3": "99"})
    assert "Nothing is saved yet" in again.text and mill.season.tables["1"].typed is None
    olga.send(again.form("Save it like this"))
    assert mill.season.tables["1"].typed.placed[3].score == 99


def test_a_table_is_opened_with_one_tap_and_its_result_arrives(mill, four, olga):
    olga.press(mill.at("/tables/1"), "Open the game")
    game = UUID(mill.season.tables["1"].game)
    opening = mill.book.games.get(game).opening
    assert tuple(seat.person for seat in opening.seats) == mill.season.tables["1"].seats
    assert umpires.appeal_hours(mill.book, game) == 12, "as the season says"
    assert olga.get(f"/games/{game}/record").status == 200
    assert "Watch the game" in olga.get(mill.at("/tables/1")).text
    play_out(mill, game)
    page = olga.get(mill.at("/tables/1"))
    assert "Replay the game" in page.text and "typed in" not in page.text
    update_results(mill.book)
    person = olga.get(f"{mill.path}/people/{four[0]}")
    assert "Autumn · recorded move by move 1" in person.text
    assert ("Making Profit", mill.at("/tables/1")) in person.links


def test_a_table_is_opened_with_other_options(mill, four, olga):
    page = olga.get(olga.get(mill.at("/tables/1")).link("With other colours or options"))
    assert [page.form("Open the game").fields[f"name.{seat}"] for seat in range(4)] == [
        mill.book.kept.names([person])[person] for person in mill.club.seats(mill.season.tables["1"])
    ]
    olga.send(page.form("Open the game"), **{"option.hands": "hidden", "name.0": "Mallory"})
    opening = mill.book.games.get(UUID(mill.season.tables["1"].game)).opening
    assert opening.options == {"hands": "hidden"}
    assert tuple(seat.person for seat in opening.seats) == mill.season.tables["1"].seats


def test_a_recorded_game_is_entered_with_its_people(mill, four, olga, open_game):
    game: Opened = open_game(names=("Anna", "Ben", "Cleo", "Dora"))
    assert "No game that fits here" in olga.get(mill.at("/tables/1")).text
    olga.join(game.key("scorekeeper"))
    page = olga.press(mill.at("/tables/1"), "Enter this game")
    assert mill.season.tables["1"].game == str(game.id), page.text
    assert {mill.club.person(person) for person in mill.season.tables["1"].played} == set(four)


def test_who_sat_where_is_put_right_on_the_tables_page(mill, four, olga):
    olga.press(mill.at("/tables/1"), "Open the game")
    game, seats = UUID(mill.season.tables["1"].game), mill.season.tables["1"].seats
    swapped = {"person.0": seats[1], "person.1": seats[0]}
    page = olga.press(mill.at("/tables/1"), "Save who sat where", **swapped, why="swapped chairs")
    assert (page.status, "correct who sat where when the game is closed" in page.text) == (422, True)
    play_out(mill, game)
    form = olga.get(mill.at("/tables/1")).form("Save who sat where")
    page = olga.send(form, **swapped, why="")
    assert (page.status, "Give a reason" in page.text) == (422, True)
    page = olga.send(form, **swapped, why="swapped chairs")
    assert "Who sat where was corrected" in page.text and "swapped chairs" in page.text
    assert mill.season.tables["1"].played == (seats[1], seats[0], *seats[2:])


def test_a_private_record_shows_its_result_and_not_itself(mill, four, olga, visitor):
    olga.press(mill.at("/tables/1"), "Open the game")
    game = UUID(mill.season.tables["1"].game)
    play_out(mill, game)
    page = visitor.get(mill.at("/tables/1"))
    assert "You need a link to read its record" in page.text
    assert str(game) not in page.html
    assert str(game) not in visitor.get(mill.at()).html + visitor.get(mill.at("/tables")).html
    assert visitor.get(f"/games/{game}").status == 403
    assert str(game) not in visitor.get(mill.at("/results.csv")).html
    assert str(game) in olga.get(mill.at("/results.csv")).html


def test_a_plan_is_kept_and_stands_in_the_calendar(mill, four, olga):
    olga.press(mill.at("/tables/1"), "Plan it", when="2026-12-01T19:30", place="Olga’s, 2nd floor; left")
    (event,) = Calendar.from_ical(olga.client.get(mill.at("/calendar.ics")).data).walk("VEVENT")
    assert event["dtstart"].dt.isoformat() == "2026-12-01T19:30:00+00:00"
    assert event["location"] == "Olga’s, 2nd floor; left"
    assert event["summary"] == "Autumn: Round 1, table 1"
    whole = Calendar.from_ical(olga.client.get(f"{mill.path}/calendar.ics").data)
    assert [node["uid"] for node in whole.walk("VEVENT")] == [event["uid"]]


def test_seats_are_changed_and_a_table_made_void_with_its_reason(mill, four, olga):
    seats = mill.club.seats(mill.season.tables["1"])
    swapped = [seats[1], seats[0], *seats[2:]]
    olga.press(
        mill.at("/tables/1"), "Save these seats", **{f"person.{at}": person for at, person in enumerate(swapped)}
    )
    assert mill.club.seats(mill.season.tables["1"]) == tuple(swapped)
    page = olga.press(mill.at("/tables/1"), "Make it void", why="the bus did not come")
    assert "This table is void and does not count. the bus did not come" in page.text


def test_free_play_takes_a_result_with_a_guest(mill, olga):
    anna, ben = mill.open_season("free", names="Anna Ben")
    form = olga.get(mill.at("/tables/new")).form("Save the result")
    page = olga.send(
        form, **{"person.0": anna, "person.1": ben, "guest.2": "Zoe", "place.0": "2", "place.1": "1", "place.2": "3"}
    )
    assert "Ben before Anna and Zoe" in page.text
    assert "Zoe" in olga.get(mill.at()).text, "whoever plays is entered by playing"


def test_a_guest_is_somebody_once_the_result_is_saved(mill, olga):
    anna, _ = mill.open_season("free", names="Anna Ben")
    page = olga.get(mill.at("/tables/new"))
    twice = {"person.0": anna, "guest.1": "Zoe", "guest.2": "Zoe", "place.0": "1", "place.1": "2", "place.2": "3"}
    page = olga.send(page.form("Save the result"), **twice)
    assert page.status == 422 and "Zoe is in the result 2 times" in page.text
    against = {"score.0": "1", "score.1": "2", "score.2": "3", "guest.2": "Ida"}
    page = olga.send(page.form("Save the result"), **twice | against)
    assert "Places and scores disagree" in page.text and "Anna before Zoe and Ida" in page.text
    assert not {*mill.book.kept.names_that_look([appearance_key("Zoe"), appearance_key("Ida")]).values()}, (
        "nobody is kept yet"
    )
    olga.send(page.form("Save it like this"))
    assert {*mill.book.kept.names_that_look([appearance_key("Zoe"), appearance_key("Ida")]).values()} == {"Zoe", "Ida"}


# --- standings -------------------------------------------------------------------------------------------------------


def test_each_place_opens_to_its_reason(mill, four, visitor):
    anna, ben, cleo, dora = four
    mill.type("1", anna, ben, cleo, dora)
    mill.type("2", ben, anna, dora, cleo)
    page = visitor.get(mill.at())
    first, second, third = reasons(page)
    assert first.startswith("Anna and Ben share the place: equal points: 16, equal wins: 1, equal second places: 1")
    assert second.startswith("Ben comes before Cleo: more points: 16 to 4")
    assert "equal points: 4" in third
    header = page.text.split("Place Player Games")[1].split("=1")[0]
    assert header.split()[0:2] == ["Points", "Wins"]
    assert "How often a player came first" in page.text


def test_standings_before_anything_are_empty_bad_day_is_named(mill, four, visitor):
    mill.type("1", *four)
    before = visitor.get(mill.at(), date="2001-01-01")
    assert before.status == 200 and "Anna" not in before.text
    wrong = visitor.get(mill.at(), date="yesterday")
    assert (wrong.status, "Enter a day such as 2026-11-20" in wrong.text) == (422, True)
    assert visitor.client.get(mill.at("/standings.csv?date=never")).status_code == 400


def test_standings_are_the_same_as_csv_and_json(mill, four, visitor):
    anna, ben, cleo, dora = four
    mill.type("1", anna, ben, cleo, dora)
    rows = list(csv.DictReader(io.StringIO(visitor.client.get(mill.at("/standings.csv")).data.decode("utf-8-sig"))))
    told = json.loads(visitor.client.get(mill.at("/standings.json")).data)
    assert [(row["place"], row["name"], row["points"]) for row in rows] == [
        ("1", "Anna", "10"),
        ("2", "Ben", "6"),
        ("3", "Cleo", "3"),
        ("4", "Dora", "1"),
    ]
    assert [(row["place"], row["name"], row["points"]) for row in told["rows"]] == [
        (1, "Anna", 10),
        (2, "Ben", 6),
        (3, "Cleo", 3),
        (4, "Dora", 1),
    ]
    assert told["rows"][0]["why"] == "Anna comes before Ben: more points: 10 to 6"
    for name in ("schedule", "results", "people"):
        assert visitor.client.get(mill.at(f"/{name}.csv")).status_code == 200
        assert json.loads(visitor.client.get(mill.at(f"/{name}.json")).data)["table"] == name


def test_a_name_is_no_formula_in_a_spreadsheet(mill, visitor):
    mill.open_season(names="=1+1 Ben Cleo Dora")
    assert b",'=1+1," in visitor.client.get(mill.at("/people.csv")).data


def test_api_gives_penalties_and_records_lots(mill, four, olga):
    ursula = mill.member("Ursula", "umpire")
    caller, season = Caller(mill.app.test_client()), f"/clubs/{mill.id}/seasons/1"
    umpire, member = (accounts.make_key(mill.book, who, "script") for who in (ursula, mill.member("Mia")))
    late = {"person": four[0], "points": 2, "why": "late"}
    assert caller.post(f"{season}/penalty", late, member).json["error"]["code"] == "role_missing"
    assert caller.post(f"{season}/penalty", late, umpire).status_code == 201
    assert caller.post(f"{season}/lot", {"people": four[:2]}, member).json["error"]["code"] == "role_missing"
    assert caller.post(f"{season}/lot", {"people": four[:2]}, umpire).status_code == 201
    for wrong in ({"points": 0}, {"points": 10**30}, {"why": ""}, {"person": "nobody"}, {"person": ""}):
        assert caller.post(f"{season}/penalty", late | wrong, umpire).status_code in (400, 409, 422), wrong
    assert [(penalty.person, penalty.points) for penalty in mill.club.penalties(mill.season)] == [(four[0], 2)]
    assert mill.season.lots == ((four[0], four[1]),)
    assert "loses 2 points" in olga.get(mill.at("/run")).text


def test_a_penalty_and_a_lot_stand_in_the_account(mill, four, olga):
    anna, ben, cleo, dora = four
    mill.type("1", anna, ben, cleo, dora)
    mill.type("2", ben, anna, dora, cleo)
    page = olga.get(mill.at("/run"))
    assert "Anna and Ben are tied in everything: draw lots" in page.text
    form = page.form("It was drawn like this at the table")
    assert "each number once" in olga.send(form, **{f"number.{anna}": "1", f"number.{ben}": "1"}).text
    olga.send(form, **{f"number.{anna}": "2", f"number.{ben}": "1"})
    assert "drawn earlier in the lot: 1 before 2" in olga.get(mill.at()).text
    page = olga.press(mill.at("/run"), "Take them off", person=ben, points="7", why="left early")
    assert "Ben loses 7 points: left early" in page.text
    assert "Penalty: left early −7" in olga.get(mill.at()).text


def main_buttons(page: VisitedPage) -> list[str]:
    """Return the texts of a page's main buttons."""
    found = re.findall(r'<(?:a|button) class="button primary[^"]*"[^>]*>(.*?)</a>', page.html, re.S)
    return [re.sub("<[^>]*>", "", value).strip() for value in found]


def test_season_shows_the_next_step_and_closes_at_the_foot(mill, olga, visitor):
    mill.open_season(names="", rounds=2, table_sizes=(4,))
    assert main_buttons(olga.get(mill.at())) == ["Enter players"]
    people = mill.guests("Anna Ben Cleo Dora")
    mill.by_olga(EnterPlayers(mill.season.id, tuple(map(Entrant, people)), people))
    assert "Draw the schedule" in olga.get(mill.at("/players")).text
    assert main_buttons(olga.get(mill.at())) == ["Draw the schedule"]
    run = olga.get(mill.at("/run"))
    assert 'class="primary"' not in run.html and run.text.index("How it is played") < run.text.index("How it would end")
    mill.draw()
    mill.type("1", *people)
    page = olga.get(mill.at())
    assert main_buttons(page) == ["To the next table: Round 2, table 2"] and "1 of 2 tables have a result" in page.text
    assert main_buttons(visitor.get(mill.at())) == []
    mill.type("2", *people)
    assert main_buttons(olga.get(mill.at())) == ["Close the season"]
    assert 'class="primary">Close the season like this' in olga.get(mill.at("/run")).html


def test_misplaced_players_are_named_until_tables_are_redrawn(mill, olga, visitor):
    people = mill.open_season(rounds=3, table_sizes=(3, 4))
    mill.draw()
    mill.type("1", *people)
    mill.by_olga(WithdrawPlayer(mill.season.id, people[0], "moved away"))
    olga.press(mill.at("/players"), "Enter them", guests="Emil")
    for path in ("", "/tables", "/players"):
        for somebody in (olga, visitor):
            page = somebody.get(mill.at(path))
            assert "Emil joined after the tables were drawn and has no seat yet" in page.text, path
            assert "Anna no longer plays here but still has a seat at these tables: Round 2, table 2" in page.text
    assert "Anna withdrew" in visitor.get(mill.at("/tables/2")).text
    assert "Emil no place yet" in visitor.get(mill.at("/players")).text
    assert main_buttons(olga.get(mill.at())) == ["Draw again"]
    olga.press(mill.at("/draw"), "Save this schedule")
    assert "no place yet" not in olga.get(mill.at()).text + olga.get(mill.at("/players")).text


def test_standings_are_printed_with_club_season_and_day(mill, four, visitor):
    printed = re.findall(r'<p class="only-print">(.*?)</p>', visitor.get(mill.at(), date="2026-11-20").html)
    assert [re.sub("<[^>]*>", "", value) for value in printed] == [
        "The Mill · Winter league",
        "Standings of 20 Nov 2026",
    ]


# --- the end ---------------------------------------------------------------------------------------------------------


def test_season_closes_with_promotion_and_opens_again(mill, olga):
    mill.open_season("divisions", names="A B C D E F G H", divisions=(Division("A", (4,)), Division("B", (4,))))
    mill.draw()
    page = olga.get(mill.at("/run"))
    assert "has no result: play it or make it void" in page.text
    assert not any("Close the season like this" in form.buttons for form in page.forms)
    for table in mill.season.tables.values():
        mill.type(table.id, *sorted(mill.club.seats(table), key=lambda one: mill.book.kept.names([one])[one]))
    page = olga.press(mill.at("/run"), "Close the season like this")
    assert "1. " not in page.text and "The season is closed" in page.text
    assert "goes up" in page.text and "goes down" in page.text
    assert [(len(order.promoted), len(order.relegated)) for order in mill.season.closed.orders] == [(0, 1), (1, 0)]
    assert "won by A; E" in olga.get(mill.path).text
    page = olga.send(page.form("Open the season again"), why="a result was wrong")
    assert mill.season.is_open


def test_archive_holds_what_may_be_read_with_true_hashes(mill, four, olga, visitor, tmp_path):
    olga.press(mill.at("/tables/1"), "Open the game")
    game = UUID(mill.season.tables["1"].game)
    play_out(mill, game)
    mill.type("2", *four)
    file = zipfile.ZipFile(io.BytesIO(olga.client.get(mill.at("/archive.zip")).data))
    sums = dict(reversed(line.split("  ")) for line in file.read("SHA256SUMS").decode().splitlines())
    assert {*sums} == {*file.namelist()} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256(file.read(name)).hexdigest() == digest, name
    assert {"games/1.daybook", "receipts/1.receipt", "standings.csv", "results.json", "season.json"} <= {*sums}
    assert (
        receipts.check_file(
            io.BytesIO(file.read("games/1.daybook")), receipts.read_receipt(file.read("receipts/1.receipt"))
        ).state
        == "unchanged"
    )
    stranger = zipfile.ZipFile(io.BytesIO(visitor.client.get(mill.at("/archive.zip")).data))
    assert not [name for name in stranger.namelist() if name.startswith(("games/", "receipts/"))]
    assert b"Anna" in stranger.read("results.csv")


# --- people and ratings ----------------------------------------------------------------------------------------------


def test_person_page_has_figures_before_rating_and_opponents(mill, four, visitor):
    mill.type("1", *four)
    mill.type("2", four[1], four[0], four[3], four[2])
    update_results(mill.book)
    ratings.rate_club(mill.book, mill.id)
    person = f"{mill.path}/people/{four[0]}"
    assert "Making Profit 2 1 0.5 1.5" in visitor.get(person, tab="games").text
    assert "provisional" in visitor.get(person, tab="rating").text
    assert "Ben 2 1 1" in visitor.get(person, tab="opponents").text
    page = visitor.get(f"{mill.path}/ratings")
    assert page.text.index("Anna") < page.text.index("Dora")
    assert visitor.get(f"{mill.path}/ratings", game="chess").status == 404
    assert visitor.get(f"{mill.path}/people/nobody").status == 404


def test_what_there_is_not_is_not_found(mill, four, visitor):
    for path in ("/seasons/9", "/seasons/1/tables/99", "/seasons/1/rounds/9", "/leagues/7", "/seasons/beside"):
        assert visitor.get(mill.path + path).status == 404, path
    assert visitor.get("/clubs/00000000-0000-0000-0000-000000000000").status == 404


def test_only_the_clubs_people_hold_the_links_of_its_games(mill, four, olga):
    olga.press(mill.at("/tables/1"), "Open the game")
    game = UUID(mill.season.tables["1"].game)
    assert [grant.role for grant in access.grants_of_game(mill.book, game)] == [
        "scorekeeper",
        "seat",
        "seat",
        "seat",
        "seat",
        "reader",
    ]


# --- for everybody ---------------------------------------------------------------------------------------------------


def sign_in_olga(page, site: str) -> None:
    page.goto(f"{site}/sign-in")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Olga").wait_for()


def check_pages(page, site: str, paths: Iterable[str], *widths: int, examined: bool = False) -> None:
    """Check that pages fit each width with all folds open and report no error; examined: and have no fault."""
    errors = errors_of(page)
    for path in paths:
        page.goto(f"{site}{path}")
        open_folds(page)
        assert not examined or faults(page) == [], path
        for width in widths:
            page.set_viewport_size({"width": width, "height": 844 if width < 600 else 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        assert errors == [], path


def test_club_pages_have_no_fault_and_fit_a_small_phone(mill, page, site):
    people = mill.open_season(
        "divisions", names="A B C D E F G H", divisions=(Division("A", (4,)), Division("B", (4,)))
    )
    mill.draw()
    for table in ("1", "2"):
        mill.type(table, *mill.club.seats(mill.season.tables[table]))
    sign_in_olga(page, site)
    season = [
        f"/seasons/1{rest}"
        for rest in (
            "",
            "/tables",
            "/rounds/1",
            "/players",
            "/draw?seed=1",
            "/run",
            "/format",
            "/stage",
            "/tables/1",
            "/tables/3",
        )
    ]
    rest = [
        "",
        "/settings",
        "/ratings",
        f"/people/{people[0]}",
        "/leagues/1",
        "/leagues/1/seasons/new?kind=divisions",
        "/leagues/1/seasons/new?kind=knockout",
        "/seasons/beside/tables/new",
    ]
    check_pages(
        page, site, ("/clubs", "/clubs/new", *(f"{mill.path}{value}" for value in (*season, *rest))), 360, examined=True
    )


def test_pages_of_absences_and_ends_fit_phone_and_laptop(mill, page, site):
    people = mill.open_season(names="Anna Benjamin Cleopatra Dora Eberhard Friederike Gwendolin Hildegard-Antonia")
    mill.draw()
    first, second, third = (mill.season.tables[number] for number in "123")
    mill.by_olga(PlanTable("1", first.id, later_time(now(), days=3), "The Swan"))
    mill.by_olga(ReportAbsence("1", first.id, person=first.seats[0]))
    mill.by_olga(ProposeDay("1", first.id, later_time(now(), days=6), person=first.seats[1]))
    mill.by_olga(SeatSubstitute("1", second.id, second.seats[0], "zoe-1", "a train", {"zoe-1": "Zoe"}))
    mill.type(second.id, *mill.club.seats(mill.season.tables[second.id]))
    mill.by_olga(RecordForfeit("1", third.id, third.seats[1], with_automa=True))
    mill.by_olga(RecordForfeit("1", third.id, third.seats[2]))
    mill.by_olga(PostponeTable("1", third.id, later_time(now(), days=9), "snow"))
    mill.by_olga(SetRoundDeadline("1", 1, later_time(now(), days=9)[:10]))
    paths = [mill.at(rest) for rest in ("", "/tables", "/rounds/1", "/run", *(f"/tables/{number}" for number in "123"))]
    paths += [f"{mill.path}/people/{people[0]}", f"{mill.path}/people/zoe-1", f"{mill.path}/settings"]
    mill.open_season("knockout", "A B C D E F G H", "Cup")
    mill.draw(rounds=1)
    for table in list(mill.season.tables.values()):
        mill.type(table.id, *table.seats)
    paths += [mill.at(rest) for rest in ("", "/tables", "/draw?seed=1")]
    mill.open_season("divisions", "I J K L M N O P", "Groups", divisions=(Division("A", (4, 4)),))
    mill.draw()
    for table in list(mill.season.tables.values()):
        mill.type(table.id, *table.seats)
    mill.by_olga(CloseSeason(mill.season.id))
    paths += [mill.at(rest) for rest in ("", "/run", "/stage", "/stage?kind=rounds&places=2")]
    mill.open_season(title="Winter")
    mill.by_olga(CancelSeason(mill.season.id, "too few came"))
    paths += [mill.at(rest) for rest in ("", "/run")]
    sign_in_olga(page, site)
    check_pages(page, site, paths, 390, 1280)


def test_final_of_an_open_season_says_to_close_it(mill, four, olga):
    page = olga.get(mill.at("/stage"))
    assert "Close this season first." in page.text and "Nothing was saved" not in page.text


def test_refused_removal_opens_its_own_form_again(mill, four, olga):
    page = olga.press(mill.at("/run"), "Remove the season", why="")
    folds = re.findall(r"<details( open)?><summary>((?:Cancel|Remove) the season)", page.html)
    assert page.status == 422 and folds == [("", "Cancel the season"), (" open", "Remove the season")]


def test_result_corrected_after_closing_is_decided_by_organiser(mill, four, olga, visitor):
    table = mill.season.tables["1"]
    game = open_club_game(mill.book, mill.id, table.seats, mill.season.id, "1", by=mill.olga)
    play_out(mill, game)
    mill.type("2", *mill.club.seats(mill.season.tables["2"]))
    olga.press(mill.at("/run"), "Close the season like this")
    final = mill.season.closed.orders[0].people
    last = mill.club.seats(table).index(final[-1])
    won = olga.get(mill.path).text.split("won by ")[1].split(" ")[0]
    put_right(mill, game, last, 9000)
    page = visitor.get(mill.at())
    assert "Results have changed since the season was closed" in page.text
    assert "An organiser decides if it counts." in page.text and "Decide" not in page.text.split()
    assert f"won by {won}" in olga.get(mill.path).text
    told = visitor.client.get(f"/api/v1{mill.at('/standings')}").json
    assert (told["final"]["orders"][0]["people"], told["final"]["differs"], told["final"]["kept"]) == (
        [*final],
        True,
        None,
    )
    page = olga.get(mill.at("/run"))
    refused = olga.send(page.form("The final order stands"), order="keep", why="")
    assert (refused.status, "Give a reason" in refused.text) == (422, True)
    page = olga.send(page.form("The final order stands"), order="keep", why="prizes were given")
    assert "It counts, says Olga: prizes were given" in page.text
    assert "The final order stays although results have changed: prizes were given" in page.text
    assert "It counts, says Olga" in visitor.get(mill.at()).text and mill.season.closed.orders[0].people == final
    mill.by_olga(ReopenSeason(mill.season.id, "an appeal"))
    assert "It counts, says Olga" not in visitor.get(mill.at()).text


def test_a_season_is_closed_anew_on_its_page(mill, four, olga):
    table = mill.season.tables["1"]
    game = open_club_game(mill.book, mill.id, table.seats, mill.season.id, "1", by=mill.olga)
    play_out(mill, game)
    mill.type("2", *mill.club.seats(mill.season.tables["2"]))
    olga.press(mill.at("/run"), "Close the season like this")
    final = mill.season.closed.orders[0].people
    put_right(mill, game, mill.club.seats(table).index(final[-1]), 9000)
    form = olga.get(mill.at("/run")).form("Close it with the current order")
    assert olga.post(form.action, order="open").status == 400
    page = olga.send(form, order="again", why="counted at last")
    assert "Results have changed" not in page.text and "counted at last" in page.text
    assert mill.season.closed.orders[0].people != final
    step = mill.club.step
    olga.send(form, order="again", why="counted at last")
    assert mill.club.step == step


def test_duplicate_evening_is_shown_to_who_enters_games(mill, four, olga):
    for table in "12":
        mill.type(table, *four)
    page = olga.get(mill.at("/tables/2"))
    for path in ("/tables/2", "", "/run"):
        assert "One game, recorded twice?" in olga.get(mill.at(path)).text
    for path in ("/tables/2", ""):
        assert "recorded twice" not in Visitor(mill.app).get(mill.at(path)).text
    assert "Give a reason" in olga.send(page.form("Count both"), why=" ").text
    page = olga.send(page.form("Count both"), why="a second game")
    assert "recorded twice" not in page.text and "a second game" in page.text
    assert "recorded twice" not in olga.get(mill.at("/run")).text
    assert mill.season.tables["2"].apart == (("1.2", "1.1"),)


def test_team_and_handicap_are_set_on_page_and_shown_as_such(mill):
    anna, ben, *_ = mill.open_season()
    mill.draw(rounds=1)
    mill.type("1", *mill.season.tables["1"].seats)
    olga = mill.signed_in()
    form = olga.get(mill.at("/players")).form("Save the team")
    fields = {**form.fields, "person.0": anna, "person.1": ben, "team": " The  Looms "}
    assert olga.post(mill.at("/players/team"), **fields).status == 200
    assert olga.post(mill.at("/players/handicap"), **{**fields, "handicap": "2", "key": key()}).status == 200
    assert mill.club.teams(mill.season) == {"The Looms": (anna, ben)} and mill.club.handicaps(mill.season)[ben] == 2
    page = olga.get(mill.at()).text
    assert "The Looms" in page and "Handicap: 2 points for 1 game that counts" in page
    without = {name: value for name, value in fields.items() if not name.startswith("person.")}
    for change in ({**without, "handicap": "1"}, {**fields, "handicap": "x"}, {**fields, "handicap": "101"}):
        assert olga.post(mill.at("/players/handicap"), **{**change, "key": key()}).status == 422
