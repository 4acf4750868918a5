"""The log of a club's plays: one row per play, however it was written down, found by filters in the order of days."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from daybook.domain.commands import Close, Reopen
from daybook.domain.kernel.times import later_time
from daybook.domain.league.club_commands import (
    EnterResult,
    MergePeople,
    RemoveGame,
    SetTimeZone,
    UndoImport,
    VoidResult,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.exchange.plays_file import read_plays
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import club_imports, clubs, plays, results
from daybook.services.league.club_imports import ImportAnswers
from daybook.services.league.plays import LoggedPlay, PlayFilter, SearchWord
from daybook.services.paging import UnknownPlaceError
from daybook.services.store.read_models import club_play, club_play_person
from tests.played import key, play, write
from tests.rows import all_rows
from tests.services.clubbing import open_club_game
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import found_mill

TABLE = """date,game,players,scores,winner,location
2026-05-01,Azul,Anna; Ben,44; 45,Ben,Hafen
2026-05-03,Azul,Anna; Cleo,50; 45,Anna,Hafen
2025-05-02,Hanabi,Anna; Zoe,,,Home
"""

LOG = (club_play, club_play_person)

pytestmark = pytest.mark.both_databases


@pytest.fixture
def club(book):
    return found_mill(book)


def bring(book, club, text=TABLE):
    club_now = book.clubs.get(club)
    known = {name: name.lower() for name in ("Anna", "Ben", "Cleo") if club_now.knows(name.lower())}
    club_imports.import_plays(book, club, read_plays(text.encode()), ImportAnswers(known), by="olga", key=key())


def type_in(book, club, *people, at="2026-05-02T18:00:00.000Z", game="making_profit", **how):
    placed = [Placed(person, None, place, 50 - place) for place, person in enumerate(people, 1)]
    clubs.write(book, club, EnterResult(BESIDE, game, placed, ended_at=at, **how), by="sam", key=key())


def logged(book, club, limit=50, words=(), **wanted) -> list[LoggedPlay]:
    catch_up(book)
    found, after = [], ""
    while True:
        page = plays.list_plays(book, book.clubs.get(club), PlayFilter(**wanted), after, limit, words)
        found += page.rows
        if not page.next:
            return found
        after = page.next


def record(book, club, *people):
    game = open_club_game(book, club, people, BESIDE, by="sam")
    play(book, game, seed=5)
    write(book, game, Close())
    return game


def test_log_has_every_kind_of_play_newest_first(book, club):
    bring(book, club)
    type_in(book, club, "ben", "anna", "cleo")
    game = record(book, club, "anna", "ben", "cleo")
    found = logged(book, club)
    assert [(play.kind, play.day) for play in found] == [
        ("recorded", book.games.get(game).entries[-1].event.at[:10]),
        ("imported", "2026-05-03"),
        ("typed", "2026-05-02"),
        ("imported", "2026-05-01"),
        ("imported", "2025-05-02"),
    ]
    assert (found[1].ruleset, found[1].place, found[1].source) == (":Azul", "Hafen", "table")
    assert [(seated.person, seated.place, seated.score) for seated in found[1].people] == [
        ("anna", 1, 50),
        ("cleo", 2, 45),
    ]
    ended = {seated.seat: seated for seated in results.club_results(book, book.clubs.get(club))[-1].placed}
    assert {seated.person: (seated.place, seated.score) for seated in found[0].people} == {
        seated.person: (seated.place, seated.score) for seated in ended.values()
    }
    assert found[0].record == str(game) and not any(play.record for play in found[1:])


@pytest.mark.parametrize(
    ("wanted", "days"),
    [
        ({"game": ":Azul"}, ["2026-05-03", "2026-05-01"]),
        ({"person": "cleo"}, ["2026-05-03", "2026-05-02"]),
        ({"place": "Hafen"}, ["2026-05-03", "2026-05-01"]),
        ({"year": "2025"}, ["2025-05-02"]),
        ({"year": "20255"}, []),
        ({"year": "0000"}, []),
        ({"kind": "typed"}, ["2026-05-02"]),
        ({"source": "table"}, ["2026-05-03", "2026-05-01", "2025-05-02"]),
        ({"mark": "no_scores"}, ["2025-05-02"]),
        ({"person": "cleo", "kind": "imported"}, ["2026-05-03"]),
    ],
)
def test_filters_leave_the_plays_that_match(book, club, wanted, days):
    bring(book, club)
    type_in(book, club, "ben", "anna", "cleo")
    assert [play.day for play in logged(book, club, **wanted)] == days
    assert plays.count_plays(book, book.clubs.get(club), PlayFilter(**wanted)) == len(days)


def test_pages_hold_each_play_once_in_one_order(book, club):
    random = Random(7)
    for _ in range(12):
        day = random.choice(["2026-01-01", "2026-01-02", "2026-01-03"])
        type_in(book, club, *random.sample(["anna", "ben", "cleo", "dan"], 2), at=f"{day}T10:00:00.000Z")
    whole = logged(book, club)
    assert len(whole) == 12 and [play.day for play in whole] == sorted((play.day for play in whole), reverse=True)
    for limit in (1, 5, 12):
        assert logged(book, club, limit) == whole
    with pytest.raises(UnknownPlaceError):
        plays.list_plays(book, book.clubs.get(club), PlayFilter(), "1.999", 5)


def test_log_follows_corrections_voids_and_undone_imports(book, club):
    bring(book, club)
    type_in(book, club, "ben", "anna")
    [typed] = logged(book, club, kind="typed")
    corrected = [Placed("anna", None, 1, 60), Placed("ben", None, 2, 50)]
    clubs.write(
        book,
        club,
        EnterResult(
            BESIDE, "making_profit", corrected, typed.table, ended_at="2026-05-02T18:00:00.000Z", why="swapped"
        ),
        by="sam",
        key=key(),
    )
    [again] = logged(book, club, kind="typed")
    assert [(seated.person, seated.score) for seated in again.people] == [("anna", 60), ("ben", 50)]
    clubs.write(book, club, VoidResult(BESIDE, typed.table, "not finished"), by="olga", key=key())
    assert logged(book, club, kind="typed") == []
    [batch] = club_imports.imports_of(book.clubs.get(club))
    clubs.write(book, club, UndoImport(batch.batch), by="olga", key=key())
    assert logged(book, club) == []


def test_recorded_play_leaves_while_reopened_and_when_removed(book, club):
    game = record(book, club, "anna", "ben", "cleo")
    [one] = logged(book, club)
    write(book, game, Reopen("a miscount"))
    assert logged(book, club) == []
    write(book, game, Close())
    [again] = logged(book, club)
    assert again == one
    clubs.write(book, club, RemoveGame(BESIDE, one.table, str(game), "another club's"), by="olga", key=key())
    assert logged(book, club) == []


def test_merged_people_are_one_person_of_the_log(book, club):
    bring(book, club)
    zoe = next(person for person in book.clubs.get(club).everybody() if book.kept.names([person])[person] == "Zoe")
    clubs.write(book, club, MergePeople("cleo", zoe, "the same"), by="olga", key=key())
    assert [play.day for play in logged(book, club, person="cleo")] == ["2026-05-03", "2025-05-02"]
    assert "cleo" in [player.person for player in logged(book, club)[-1].people]


def test_days_follow_the_clubs_zone_for_moments_alone(book, club):
    type_in(book, club, "ben", "anna", at="2026-05-02T23:30:00.000Z")
    bring(book, club)
    days = [play.day for play in logged(book, club)]
    clubs.write(book, club, SetTimeZone("Asia/Seoul"), by="olga", key=key())
    assert days == ["2026-05-03", "2026-05-02", "2026-05-01", "2025-05-02"]
    assert sorted(play.day for play in logged(book, club)) == ["2025-05-02", "2026-05-01", "2026-05-03", "2026-05-03"]


def test_cooperative_plays_are_marked(book, club):
    details = PlayDetails(cooperative=True, lowest_wins=True, place="Hall_5%")
    type_in(book, club, "ben", "anna", details=details)
    [one] = logged(book, club, mark="cooperative")
    assert (one.marks, one.lowest_wins, one.place) == (("cooperative",), True, "Hall_5%")
    assert len(logged(book, club, words=[SearchWord((), (), "_5%")])) == 1
    assert logged(book, club, words=[SearchWord((), (), "l5")]) == [], "signs of a pattern are plain characters"


def test_all_words_of_a_search_must_match(book, club):
    bring(book, club)
    azul, anna, ben = (
        SearchWord((":Azul",), (), "azul"),
        SearchWord((), ("anna",), "anna"),
        SearchWord((), ("ben",), "b"),
    )
    assert len(logged(book, club, words=[azul])) == 2
    assert len(logged(book, club, words=[anna])) == 3
    assert len(logged(book, club, words=[azul, ben])) == 1
    assert len(logged(book, club, words=[SearchWord((), (), "HAF")])) == 2


def test_viewer_without_evenings_gets_no_place(book, club):
    bring(book, club)
    catch_up(book)
    outside = book.clubs.get(club).without_evenings()
    page = plays.list_plays(book, outside, PlayFilter(), "", 50)
    assert [row.place for row in page.rows] == ["", "", ""]
    assert plays.list_plays(book, outside, PlayFilter(place="Hafen"), "", 50).rows == []
    assert plays.list_plays(book, outside, PlayFilter(), "", 50, [SearchWord((), (), "hafen")]).rows == []
    assert plays.choices(book, outside, 10).places == ()


def test_choices_list_what_the_log_has(book, club):
    bring(book, club)
    type_in(book, club, "ben", "anna")
    catch_up(book)
    found = plays.choices(book, book.clubs.get(club), 1)
    assert (found.games, found.places, found.years) == ((":Azul",), ("Hafen",), ("2026", "2025"))
    assert (found.kinds, found.sources) == (("typed", "imported"), ("table",))


def test_equally_frequent_choices_are_in_order_of_name(book, club):
    rows = [("Wingspan", "Attic"), ("Azul", "Hafen"), ("Catan", "Cellar"), ("Go", "Bar"), ("Go", "Zoo")]
    bring(
        book, club, "date,game,players,location\n" + "".join(f"2026-05-01,{game},Anna;Ben,{at}\n" for game, at in rows)
    )
    catch_up(book)
    found = plays.choices(book, book.clubs.get(club), 4)
    assert found.games == (":Go", ":Azul", ":Catan", ":Wingspan")
    assert found.places == ("Attic", "Bar", "Cellar", "Hafen")


def test_rebuild_writes_the_same_rows(book, club):
    bring(book, club)
    type_in(book, club, "ben", "anna")
    record(book, club, "anna", "ben", "cleo")
    catch_up(book)
    before = all_rows(book.views, LOG)
    rebuild_read_models(book)
    assert all_rows(book.views, LOG) == before and all(before.values())


def test_reader_waits_for_new_rows_only_while_they_are_new(book, club, monkeypatch):
    waited = []
    monkeypatch.setattr(plays, "time", SimpleNamespace(sleep=waited.append))
    newest = book.clubs.get(club).entries[-1].event.at
    monkeypatch.setattr(plays, "now", lambda: later_time(newest, minutes=1))
    assert not plays.wait_for_rows(book, book.clubs.get(club)) and not waited
    monkeypatch.setattr(plays, "now", lambda: later_time(newest, seconds=2.5 if waited else 0.5))
    assert not plays.wait_for_rows(book, book.clubs.get(club)) and len(waited) == 1
    catch_up(book)
    assert plays.wait_for_rows(book, book.clubs.get(club)) and len(waited) == 1
