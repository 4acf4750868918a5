"""The facts of a play: kept by the club, shown in its rows, and heeded by ratings and statistics."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import list_anonymous_ids
from daybook.domain.league.club_commands import EnterResult, ImportPlays
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.league import club_imports, clubs, plays, ratings
from daybook.services.league.plays import PlayFilter
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
