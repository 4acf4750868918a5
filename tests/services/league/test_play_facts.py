"""The facts of a play: kept by the club, shown in its rows, and heeded by ratings and statistics."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import list_anonymous_ids
from daybook.domain.league.club_commands import EnterResult, ImportPlays, SetTimeZone
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.league import club_imports, clubs, plays, ratings, results
from daybook.services.league.clubs import import_plan
from daybook.services.league.plays import PlayFilter
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import club_filter
from tests.played import key
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import found_mill

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book):
    return found_mill(book)


def type_in(book, club, *people, day="2026-05-02", **details):
    placed = [Placed(person, None, place) for place, person in enumerate(people, 1)]
    command = EnterResult(BESIDE, ":Azul", placed, ended_at=f"{day}T10:00:00.000Z", details=PlayDetails(**details))
    clubs.write(book, club, command, by="sam", key=key())


def logged(book, club, **wanted):
    catch_up(book)
    return plays.list_plays(book, book.clubs.get(club), PlayFilter(**wanted), "", 50).rows


@pytest.mark.both_databases
def test_scores_are_numbers_and_stay_as_written(book, club):
    type_in(book, club, "anna", "ben", "cleo", scores={"anna": "12½", "ben": "12.25", "cleo": "few"})
    [play] = logged(book, club)
    assert [(player.score, player.score_text) for player in play.people] == [
        (12.5, "12½"),
        (12.25, "12.25"),
        (None, "few"),
    ]
    table = book.clubs.get(club).beside.tables["1"]
    result = book.clubs.get(club).typed_result(table)
    assert result is not None and [result.score_of(placed) for placed in result.placed] == [12.5, 12.25, None]


@pytest.mark.both_databases
def test_hours_order_the_plays_of_a_day(book, club):
    type_in(book, club, "anna", "ben", hour="21:15")
    type_in(book, club, "anna", "cleo", hour="19:30")
    type_in(book, club, "ben", "cleo", day="2026-05-01", hour="23:59")
    assert [play.hour for play in logged(book, club)] == ["21:15", "19:30", "23:59"]
    outside = book.clubs.get(club).without_evenings()
    assert {play.hour for play in plays.list_plays(book, outside, PlayFilter(), "", 50).rows} == {""}


@pytest.mark.both_databases
@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Seoul"])
def test_plays_of_a_day_are_in_one_order_everywhere(book, club, zone):
    """Plays without an hour come last, as they were entered and as they are in a file."""
    by_name = {"anna": "Anna", "ben": "Ben"}
    at_file = [
        Play(
            f"p{n}",
            f"2026-05-02{hour}",
            PlayedGame("Azul"),
            tuple(Player(by_name[who], won=who == won) for who in by_name),
        )
        for n, (hour, won) in enumerate([("", "anna"), ("T09:00:00", "ben"), *[("", "anna")] * 9, ("", "ben")])
    ]
    type_in(book, club, "ben", "anna")
    clubs.write(book, club, ImportPlays("bgg", tuple(at_file), {"Anna": "anna", "Ben": "ben"}, {}), by="sam", key=key())
    type_in(book, club, "anna", "ben", hour="21:15")
    type_in(book, club, "ben", "anna")
    clubs.write(book, club, SetTimeZone(zone), by="olga", key=key())
    tables = [play.id.rpartition(".")[2] for play in logged(book, club)][::-1]
    first, file, (night, last) = (
        tables[0],
        [table.rpartition("-")[2] for table in tables[3:14]],
        (tables[1], tables[-1]),
    )
    assert first.endswith("-2") and (night, tables[2], last) == ("2", "1", "3")
    assert file == ["1", *map(str, range(3, 13))]
    now = book.clubs.get(club)
    found = results.club_results(book, now)
    assert [result.table for result in found] == tables
    assert [result.table for result in results.sort_newest_first(now, found)] == tables[::-1]
    assert list(results.newest_by_season(book, now, 2)[BESIDE])[-1].table == "3"
    ratings.rate_club(book, club)
    rated = [rating.result.rpartition(".")[2] for rating in ratings.rating_history(book, club, "anna")]
    assert rated in (tables, tables[::-1])
    runs = {row.cells[0]: row.cells[1:] for row in reports.win_streaks(book, club_filter(now)).rows}
    typed = [now.beside.tables[table].typed for table in tables]
    wins = [next(each.person for each in result.placed if each.place == 1) for result in typed if result]
    assert wins == ["ben", "anna", "ben", *["anna"] * 10, "ben", "ben"]
    assert {person: cells[1] for person, cells in runs.items()} == {"anna": 10, "ben": 2}
    assert {person: cells[4] for person, cells in runs.items()} == {"anna": 0, "ben": 2}


def test_record_names_all_who_reached_it(book, club):
    for people, scores in (("anna ben", "9 5"), ("cleo anna", "9 9"), ("ben dan", "9 9"), ("eve finn", "9 9")):
        names = people.split()
        type_in(book, club, *names, scores=dict(zip(names, scores.split(), strict=True)))
    catch_up(book)
    table = reports.record_values(book, club_filter(book.clubs.get(club), ruleset_id=":Azul"))
    row = next(row for row in table.rows if row.cells[:3] == ("score", "most", 9))
    assert (row.cells[3], row.others) == ("anna", ("cleo", "ben", "dan", "eve", "finn"))
    best = reports.summarize_scores(book, club_filter(book.clubs.get(club), ruleset_id=":Azul"))
    assert best is not None and (best.best.person, best.best.others) == ("anna", row.others)
    assert b"Anna; Cleo; ben" in table.csv({"anna": "Anna", "cleo": "Cleo"})


@pytest.mark.parametrize(("ids", "days", "newest"), [("12", "11", False), ("21", "11", True), ("12", "21", True)])
def test_files_that_begin_with_the_newest_play_are_recognised(ids, days, newest):
    """BoardGameGeek lists the newest play first."""
    file = [Play(f"bgg:{id}", f"2026-05-0{day}", PlayedGame("Azul"), ()) for id, day in zip(ids, days, strict=True)]
    assert import_plan.is_newest_first(file) == newest


@pytest.mark.parametrize("details", [{"hour": "25:00"}, {"hour": "7:30"}, {"bgg": -1}, {"colours": {"zoe": "red"}}])
def test_facts_that_cannot_be_are_refused(book, club, details):
    with pytest.raises(Refused):
        type_in(book, club, "anna", "ben", **details)


def rated(book, club):
    ratings.rate_club(book, club)
    return {row.person: (row.games, row.wins_60) for row in ratings.current_ratings(book, club)}


def test_plays_without_opponents_or_not_counted_rate_no_one(book, club):
    type_in(book, club, "anna", "ben", cooperative=True)
    type_in(book, club, "anna", "ben", uncounted=("incomplete",))
    catch_up(book)
    assert rated(book, club) == {}
    type_in(book, club, "ben", "anna", tie_settled=True)
    catch_up(book)
    assert rated(book, club) == {"ben": (1, 60), "anna": (1, 0)}
    assert [play.marks for play in logged(book, club, mark="tie_settled")] == [("tie_settled",)]
    assert len(logged(book, club, mark="uncounted")) == len(logged(book, club, mark="cooperative")) == 1


def test_automas_are_no_people_and_never_rated(book, club):
    bot = list_anonymous_ids(club)[1]
    type_in(book, club, bot, "anna", automas=(bot,))
    type_in(book, club, "anna", bot, "ben", automas=(bot,))
    catch_up(book)
    assert rated(book, club) == {"anna": (1, 60), "ben": (1, 0)}
    assert bot not in book.clubs.get(club).everybody()


def test_import_keeps_hour_colour_marks_and_ids(book, club):
    players = (Player("Anna", won=True, colour="red"), Player("Bot", automa=True, anonymous=True))
    game = PlayedGame("Hanabi", bgg=98778, cooperative=True, points=False)
    play = Play("bgg:7", "2026-05-01T19:30:00", game, players, second_id="bgstats:7", uncounted=("incomplete",))
    clubs.write(book, club, ImportPlays("bgg", (play,), {"Anna": "anna"}, {}), by="olga", key=key())
    [(_, table)] = book.clubs.get(club).beside.tables.items()
    sources = [("bgg", "bgg:7"), ("bgg", "bgstats:7")]
    assert table.source == "bgg" and book.clubs.get(club).sources_of(table) == sources
    assert table.typed is not None and table.typed.day == "2026-05-01T10:00:00.000Z"
    details = table.typed.details
    assert (details.hour, details.colours, details.uncounted) == ("19:30", {"anna": "red"}, ("incomplete",))
    [again] = club_imports.club_plays(book, book.clubs.get(club))
    assert (again.id, again.at, again.uncounted) == ("bgstats:7", "2026-05-01T19:30:00", ("incomplete",))
    corrected = EnterResult(BESIDE, ":Hanabi", (Placed("anna", 0, 1),), table.id, why="alone")
    clubs.write(book, club, corrected, by="sam", key=key())
    after = book.clubs.get(club).beside.tables[table.id]
    assert (after.source, after.batch) == ("bgg", "") and book.clubs.get(club).sources_of(after) == sources
