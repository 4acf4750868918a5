"""The list of places in which something about a person is stored: complete, and used by the file, the page and deletion."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
import sqlalchemy as sa

import daybook
from daybook.domain.league.club_commands import AnswerEvening, EnterResult, FoundLeague, PlanEvening
from daybook.domain.league.club_events import BESIDE, BLANK
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.disputes import umpires
from daybook.services.exchange.plays_file import read_plays
from daybook.services.files.import_export import import_file
from daybook.services.league import anonymity, club_imports, clubs, members, own_seats, personal_data
from daybook.services.operation import abuse_reports, withheld
from daybook.services.people import accounts, anonymise, operators, places
from daybook.services.people.places import PLACES, UnlistedCacheError, open_cache, unlisted
from daybook.services.play import recording
from daybook.services.store import kept, read_models, sheets
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_change, kept_earlier_name, kept_operator, kept_person, kept_withheld
from daybook.web.people.anonymous import DELETED, STAYS
from tests.played import key, open_seats
from tests.services.clubbing import PASSWORD, bring_in, found_club, guest, open_club_game
from tests.services.exchange.test_forgotten import bgstats
from tests.services.files.test_disagreements import catch_up
from tests.services.fixture_files import file_of, played_game

TABLES = [table for data in (kept, sheets, read_models) for table in data.metadata.sorted_tables]


@pytest.mark.sqlite_suffices
def test_every_table_is_listed_once_or_holds_nobody():
    assert unlisted(TABLES, []) == []
    listed = [name for place in PLACES for name in (*place.tables, *place.files)] + [*places.WITHOUT_PEOPLE]
    assert sorted(listed) == sorted({*listed})
    files = {"log.db", "kept.db", "views.db", "pictures", "backups"}
    assert {*listed} <= {table.name for table in TABLES} | files | places.WITHOUT_PEOPLE


@pytest.mark.sqlite_suffices
def test_new_table_or_cache_is_reported_until_listed(book):
    assert unlisted([sa.Table("kept_birthday", sa.MetaData(), sa.Column("person", sa.Text))], []) == ["kept_birthday"]
    with pytest.raises(UnlistedCacheError, match="portraits"):
        open_cache(book, "portraits", 1_000)
    code = [
        file for room in ("services", "web", "workers") for file in (Path(daybook.__path__[0]) / room).rglob("*.py")
    ]
    made = [file.name for file in code if re.search(r"\bFileCache\(", file.read_text())]
    assert made == ["places.py"], "every cache is opened by its place"


@pytest.mark.sqlite_suffices
def test_data_folder_has_no_file_that_is_not_listed(book):
    found = [file.name for file in book.settings.data.iterdir() if not re.search(r"-(wal|shm)$|\.lock$", file.name)]
    assert found and unlisted([], found) == []


@pytest.mark.sqlite_suffices
def test_every_place_has_words_and_a_part_of_the_file(book, anna):
    exported = json.loads(personal_data.export_personal_data(book, anna))
    assert {*exported} - {"told"} == {part for place in PLACES for part in place.exported}
    for place in PLACES:
        assert bool(place.exported) != bool(place.not_exported), place.key
        assert place.is_deleted or place.stays, place.key
    assert {place.key for place in PLACES if place.is_deleted} == {*DELETED, "names"}
    assert {place.key for place in PLACES if place.stays} == {*STAYS}


@pytest.fixture
def mina(book: Daybook) -> str:
    return accounts.make_account(book, "Mina Zett", sign_in="mina", password=PASSWORD)


def test_file_of_person_has_imported_and_typed_plays(book, anna, mina):
    club = found_club(book, anna)
    bring_in(book, club, mina, by=anna)
    incoming = read_plays(bgstats(1, 2, name="Mina Zett"))
    club_imports.import_plays(book, club, incoming, by=anna, key=key())
    clubs.write(book, club, PlanEvening(later_time(now(), days=1)), by=anna, key=key())
    clubs.write(book, club, AnswerEvening("1", "yes"), by=mina, key=key())
    told = json.loads(personal_data.export_personal_data(book, mina))
    assert [(item["club"], item["game"], item["score"], item["place"], item["role"]) for item in told["plays"]] == [
        (str(club), ":Go", 51, 1, "Mina Zett’s")
    ] * 2
    assert told["plays"][0]["remarks"] == "well done, Mina Zett!" and told["plays"][0]["imported"]
    assert [(value["club"], value["answer"]) for value in told["evenings"]] == [(str(club), "yes")]
    assert json.loads(personal_data.export_personal_data(book, anna))["plays"] == []


def test_anonymous_operator_loses_the_role(book, mina):
    operators.name_operator(book, mina, by="operator")
    anonymity.make_anonymous(book, mina, by=mina)
    assert book.kept.engine.value(sa.select(sa.func.count()).select_from(kept_operator)) == 0


def test_pictures_are_removed_with_the_person(book, mina):
    cache = open_cache(book, "pictures", 1_000_000)
    cache.keep("drawn before", b"Mina Zett")
    anonymity.make_anonymous(book, mina, by=mina)
    assert cache.get("drawn before") is None
    cache.keep("drawn after", b"Anonymous")
    assert open_cache(book, "pictures", 1_000_000).get("drawn after") == b"Anonymous"


def test_other_hosts_pictures_are_removed_when_next_used(book, mina, tmp_path):
    """Another host has its own data folder, which is not cleaned when the person is made anonymous here."""
    cache = open_cache(book, "pictures", 1_000_000)
    anonymity.make_anonymous(book, mina, by=mina)
    cache.keep("drawn before", b"Mina Zett")
    os.utime(cache.folder / "drawn before", (0, 0))
    places._cleared.clear()
    assert open_cache(book, "pictures", 1_000_000).get("drawn before") is None


def count_cleanings(book: Daybook) -> int:
    query = sa.select(sa.func.count()).select_from(kept_change).where(kept_change.c.what == "files_cleaned")
    return book.kept.engine.value(query) or 0


def test_one_cleaning_serves_all_who_asked_within_an_hour(book):
    people = [accounts.make_account(book, f"Guest {n}") for n in range(4)]
    done = [anonymity.make_anonymous(book, person, by=person) for person in people]
    assert done == [True, False, False, False] and count_cleanings(book) == 1
    assert anonymise.is_to_be_cleaned(book, people)
    assert not anonymity.complete_departures(book, "", later_time(now(), days=1)), "the hour is not over"
    book.kept.engine.write(
        kept_change.update()
        .where(kept_change.c.what == "files_cleaned")
        .values(at=later_time(now(), hours=-anonymise.CLEANING_INTERVAL_HOURS))
    )
    assert anonymity.complete_departures(book, "", later_time(now(), days=1)) and count_cleanings(book) == 2
    assert not anonymise.is_to_be_cleaned(book, people)


def test_reason_of_the_operator_does_not_name_the_person(book, mina):
    club = found_club(book, mina)
    game = open_club_game(book, club, [mina, guest(book, "Ben")], by=mina)
    withheld.take_off(book, withheld.parse_thing(book, str(game)), "Mina Zett asked for it", by="operator")
    secret = abuse_reports.send_report(book, "name", "/clubs", "Mina Zett is no name", key="report")
    anonymity.make_anonymous(book, mina, by=mina)
    assert book.kept.engine.value(sa.select(kept_withheld.c.why)) == f"{BLANK} asked for it"
    report = abuse_reports.read_report(book, secret)
    assert report is not None and report.why == f"{BLANK} is no name"


def test_names_of_club_and_league_lose_the_person(book, anna, mina):
    club = found_club(book, anna, "Mina Zett’s club")
    bring_in(book, club, mina, by=anna)
    clubs.write(book, club, FoundLeague("Mina Zett memorial", ["making_profit"]), by=anna, key=key())
    catch_up(book)
    anonymity.make_anonymous(book, mina, by=mina)
    catch_up(book)
    name = f"{BLANK}’s club"
    assert book.clubs.get(club).name == book.clubs.cards()[club].name == name
    assert book.views.value(sa.select(read_models.club_row.c.name)) == name
    assert book.clubs.get(club).leagues["1"].name == f"{BLANK} memorial"


def test_game_called_after_person_loses_the_name(book, anna, mina):
    club = found_club(book, anna)
    bring_in(book, club, mina, by=anna)
    named = ":Mina Zett’s Chess"
    clubs.write(book, club, FoundLeague("League", [named]), by=anna, key=key())
    clubs.write(book, club, PlanEvening(later_time(now(), days=1), "", [named]), by=anna, key=key())
    placed = (Placed(mina, 0, 1, 5), Placed(anna, 1, 2, 4))
    clubs.write(book, club, EnterResult(BESIDE, named, placed), by=anna, key=key())
    game = open_club_game(book, club, [anna, members.add_member(book, club, "Ben", by=anna, key=key())], by=anna)
    recording.rename_game(book, game, "A game for Mina Zett")
    catch_up(book)
    anonymity.make_anonymous(book, mina, by=mina)
    catch_up(book)
    after = book.clubs.get(club)
    assert after.leagues["1"].rulesets == after.evenings["1"].games == (f":{BLANK}’s Chess",)
    assert [play.game.name for play in club_imports.club_plays(book, after)] == [f"{BLANK}’s Chess"]
    assert {row.ruleset for row in book.views.rows(sa.select(read_models.seat_summary))} == {f":{BLANK}’s Chess"}
    assert book.kept.game(game).title == f"A game for {BLANK}"


def test_earlier_names_are_exported_found_and_deleted(book, anna, mina):
    club = found_club(book, anna, "Minka Alt’s club")
    bring_in(book, club, mina, by=anna)
    accounts.rename_person(book, mina, "Minka Alt", by=mina)
    accounts.rename_person(book, mina, "Mina Neu", by=mina)
    game = open_club_game(book, club, [anna, mina], by=anna)
    recording.rename_game(book, game, names=["anna", "Mimi vom Berg"])
    recording.rename_game(book, game, names=["anna", "Mina Neu"])
    recording.rename_game(book, game, "Mimi vom Berg against Mina Zett")
    told = json.loads(personal_data.export_personal_data(book, mina))
    assert told["earlier_names"] == ["Mimi vom Berg", "Mina Zett", "Minka Alt"]
    anonymity.make_anonymous(book, mina, by=mina)
    assert book.clubs.get(club).name == f"{BLANK}’s club"
    assert book.kept.game(game).title == f"{BLANK} against {BLANK}"
    assert not book.kept.engine.rows(sa.select(kept_earlier_name))
    incoming = read_plays(bgstats(1, 2, name="Minka Alt", uuid="another"))
    assert [
        person.forgotten
        for person in club_imports.preview_import(book, book.clubs.get(club), incoming).people
        if person.name == "Minka Alt"
    ] == [True]


def test_name_of_claimed_seat_goes_with_the_person(book, anna, mina):
    game = import_file(book, file_of(played_game(2)))
    named = book.kept.game(game).names[0]
    own_seats.claim_seat(book, game, 0, person=mina)
    recording.rename_game(book, game, f"{named}’s game")
    anonymity.make_anonymous(book, mina, by=mina)
    assert named not in book.kept.engine.values(sa.select(kept_person.c.name))
    assert book.kept.game(game).title == f"{BLANK}’s game"


def test_umpire_named_by_name_is_forgotten(book, anna, mina):
    """The umpire of another game has the name too, and keeps it."""
    club = found_club(book, anna)
    bring_in(book, club, mina, by=anna)
    games = [
        open_club_game(book, club, [anna, members.add_member(book, club, "Ben", by=anna, key=key())], by=anna),
        open_seats(book, ("Cleo", "Dan")),
    ]
    for game in games:
        umpires.name_umpire(book, game, "Mina Zett", by="x@y", key=key())
    anonymity.make_anonymous(book, mina, by=mina)
    shown = [umpires.umpires_of_game(book, book.games.get(game), book.kept.game(game))[0].name for game in games]
    assert shown == [anonymise.anonymous_name(mina), "Mina Zett"]
