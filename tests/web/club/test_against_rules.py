"""A forged record in a season: every page says so, and it counts when an organiser has accepted it."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
from flask import Flask

from daybook.domain.commands import Close, Reopen, TakeBack
from daybook.domain.league.club_commands import AcceptResult, ChangeSeason, EnterGame
from daybook.domain.league.results import MARKS
from daybook.services.files.import_export import import_file
from daybook.services.league import clubs, members, ratings, result_changes, results
from daybook.services.permissions import access
from daybook.services.statistics import collect, visibility
from daybook.services.store.daybook import Daybook
from daybook.web.request.days import ZONE_COOKIE
from daybook.web.words.say import day_label
from tests.played import key, play_game, write
from tests.refusals import refused_for
from tests.services.files.test_disagreements import catch_up, forged_file
from tests.services.leagues import enter_as_keeper
from tests.web.api.conftest import Caller
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import ClubAtHand


class Forged(ClubAtHand):
    """A season of free play with one game, in which seat 2 got 500 from nowhere."""

    def __init__(self, book: Daybook, app: Flask, elsewhere: Daybook) -> None:
        super().__init__(book, app, public=True)
        self.open_season("free", names="")
        self.game = import_file(book, forged_file(elsewhere, play_game(elsewhere, 5)), public=True)
        access.make_first_grants(book, self.game)
        people = [members.add_member(book, self.id, name, by=self.olga, key=key()) for name in ("Anna", "Ben", "Cleo")]
        enter_as_keeper(book, self.id, EnterGame(self.season.id, str(self.game), people=people), by=self.olga)
        self.table = next(iter(self.season.tables))
        catch_up(book)

    def counts(self) -> bool:
        standings = results.standings_at(self.book, self.club, self.season.id)
        lines = [line for group in standings.groups for row in group.rows for line in row.lines if line.result]
        assert lines and {line.result.marks for line in lines if line.result} == {("against_rules",)}
        return all(line.why_not is None for line in lines)

    def rated(self) -> bool:
        found = results.club_results(self.book, self.club)
        return bool(ratings.ratings_by_ruleset(found, self.club.counted_marks).get("making_profit"))

    def accept(self, why: str = "we were all there") -> None:
        self.by_olga(AcceptResult(self.season.id, self.table, why))


@pytest.fixture
def forged(book: Daybook, app: Flask, elsewhere: Daybook) -> Forged:
    return Forged(book, app, elsewhere)


def test_every_page_says_so(forged, visitor):
    game = f"/games/{forged.game}"
    for page in ("/", game, f"{game}/score", f"{game}/about", forged.at(), forged.at("/tables/" + forged.table)):
        assert "against the rules" in visitor.get(page).text.lower(), page
    told = Caller(forged.app.test_client()).get(f"/games/{forged.game}").json
    assert told["against_rules"] and told["against_rules"][0] > 0
    (row,) = [
        item
        for item in Caller(forged.app.test_client()).get("/games").json["games"]
        if item["game"] == str(forged.game)
    ]
    assert row["against_rules"] >= 1


def test_it_counts_when_an_organiser_accepted_it(forged):
    assert not forged.counts()
    assert not forged.rated()
    olga, page = forged.signed_in(), forged.at(f"/tables/{forged.table}")
    table = olga.get(page)
    assert "What the rules say" in table.text and "Today’s rules give a different result" in table.text
    assert olga.send(table.form("Accept the result"), why="").status == 422
    table = olga.press(page, "Accept the result", why="we were all there")
    assert "an organiser accepted it" in table.text and "we were all there" in table.text
    assert "against the rules" in table.text, "it keeps its mark"
    assert forged.counts() and forged.rated()
    (change,) = result_changes.what_changed(forged.book, forged.club, forged.season.id, forged.table)
    assert change.state.cause == "accepted" and change.changed


def test_who_is_no_organiser_is_told_that_and_not_why(forged, visitor):
    forged.member("Uma", "umpire")
    for somebody in (visitor, forged.signed_in("uma")):
        page = somebody.get(forged.at(f"/tables/{forged.table}"))
        assert "against the rules" in page.text and "Accept the result" not in page.text
        assert somebody.post(forged.at(f"/tables/{forged.table}/accept"), why="me", key="k").status in (401, 403)
    assert not forged.counts()


def test_a_season_may_say_that_such_results_count(book, app, elsewhere):
    forged = Forged(book, app, elsewhere)
    season = forged.season
    format = msgspec.structs.replace(season.format, counts=MARKS)
    clubs.write(book, forged.id, ChangeSeason(season.id, season.name, format), by=forged.olga, key=key())
    assert forged.counts()


def test_what_was_accepted_is_what_the_game_ended_with_then(forged):
    """After a new close with the forgery still in it, the result must be accepted again."""
    forged.accept()
    book, id = forged.book, forged.game
    assert forged.counts()
    write(book, id, Reopen("look again"))
    write(book, id, Close())
    catch_up(book)
    assert not forged.counts()
    forged.accept("still so")
    assert forged.counts()


def test_where_nothing_is_wrong_nothing_is_accepted(forged):
    book, honest = forged.book, play_game(forged.book, 3)
    people = [members.add_member(book, forged.id, name, by=forged.olga, key=key()) for name in ("Dora", "Edo", "Fay")]
    catch_up(book)
    enter_as_keeper(book, forged.id, EnterGame(forged.season.id, str(honest), people=people), by=forged.olga)
    table = [*forged.season.tables][-1]
    with refused_for("nothing_to_accept"):
        clubs.write(book, forged.id, AcceptResult(forged.season.id, table, "good"), by=forged.olga, key=key())


def test_a_record_put_right_is_an_ordinary_one(forged):
    book, id = forged.book, forged.game
    write(book, id, Reopen("that is not so"))
    game = Opened(book, forged.app, id)
    last = game.game.line()[-1]
    write(book, id, TakeBack(game.game.parents[last], "mistyped", "nobody got 500"))
    game.play(2000)
    catch_up(book)
    assert "against the rules" not in Visitor(forged.app).get(game.path).text.lower()
    (result,) = results.season_results(book, forged.club, forged.season.id)
    assert result.marks == ()


def test_statistics_count_and_list_games_left_out(forged, monkeypatch):
    collect.count_all(forged.book)
    visitor = Visitor(forged.app)
    said = "1 game is left out: the rules disagree with its record."
    for where in ("/statistics", "/statistics/making_profit", f"{forged.path}/statistics", f"{forged.at()}/statistics"):
        page = visitor.get(where)
        assert said in page.text, where
        listed = visitor.get(page.link("Games left out"))
        assert listed.link(forged.book.kept.game(forged.game).title).startswith(f"/games/{forged.game}")
    assert "left out: the rules" not in visitor.get("/statistics/water_frame").text
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):  # never the same day
        visitor.client.set_cookie(ZONE_COOKIE, zone)
        with forged.app.test_request_context():
            day = day_label(forged.book.games.get(forged.game).opening.at, zone)
        assert day in visitor.get("/statistics/making_profit/left-out").text, zone
    person = forged.club.everybody()[-1]
    page = visitor.get(f"{forged.path}/people/{person}")
    assert said in page.text
    assert str(forged.game) in visitor.get(page.link("Games left out")).html
    assert said in visitor.get(f"{forged.path}/ratings").text
    files = (
        f"{forged.path}/ratings.csv",
        f"{forged.at()}/standings.csv",
        f"/statistics/making_profit/winners.csv?club={forged.id}",
        f"/statistics/making_profit/ask.csv?club={forged.id}&measure=place&split=person",
    )
    for file in files:
        rows = list(csv.DictReader(io.StringIO(visitor.client.get(file).data.decode("utf-8-sig"))))
        assert {row["games_left_out"] for row in rows} == {"1"}, file
    caller, asked = Caller(forged.app.test_client()), {"club": str(forged.id)}
    for address in ("records", "meetings", "streaks", "answer", "games"):
        measure = {"measure": "place"} if address in ("answer", "games") else {}
        assert caller.get(f"/statistics/{address}", **asked, **measure).json["left_out"] == 1, address
    visibility.show_game(forged.book, forged.game, False)
    assert "left out: the rules" not in visitor.get("/statistics").text, "who may not read it is told nothing"
    page = visitor.get(visitor.get(f"{forged.path}/statistics").link("Games left out"))
    assert "only for its players" in page.text and str(forged.game) not in page.html
