"""Plays of other programs come in, go out, come in again, and are taken away."""

from __future__ import annotations

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from uuid import UUID, uuid5

import pytest
import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import GUESTS
from daybook.domain.league.club_commands import EnterResult, MergePeople, SetTimeZone, UndoImport
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed
from daybook.services.exchange import bgg, bgstats_file, incoming, table
from daybook.services.exchange.incoming import (
    NotReadableError,
    clean_text,
    compute_places,
    find_oddities,
    is_yes,
    parse_number,
)
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import anonymity, club_imports, clubs, joining, members, ratings, results
from daybook.services.league.club_imports import ImportAnswers
from daybook.services.league.clubs.import_plan import NEW
from daybook.services.play.repetition import KeyUsedError
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import seat_summary
from tests.played import key
from tests.reads import count_reads
from tests.refusals import refused_for
from tests.services.clubbing import account, found_club
from tests.services.exchange.made import BGG, export
from tests.services.files.test_disagreements import catch_up

ENTRY = (  # one that stands for a hundred plays
    b'<play id="%d" quantity="100"><item name="Go" objectid="188"/><players><player name="Anna"/></players></play>'
)

pytestmark = pytest.mark.sqlite_suffices

FORMATS = {
    "bgstats": lambda plays: bgstats_file.write_bgstats(plays, "2026-11-20T19:30:00.000Z"),
    "bgg": bgg.write_bgg,
    "table": table.file_of,
}


def bring(book: Daybook, club: UUID, content: bytes, by: str, **chosen: str):
    brought = club_imports.import_plays(book, club, read_plays(content), ImportAnswers(chosen), by=by, key=key())
    return brought.receipt, [*brought.spoilt]


def said(book: Daybook, club: UUID) -> list[Play]:
    return club_imports.club_plays(book, book.clubs.get(club))


@pytest.mark.slow
def test_export_of_two_thousand_plays_goes_in_and_out_unchanged(book, club, anna):
    content = export(2000)
    receipt, spoilt = bring(book, club, content, anna)
    assert receipt is not None and spoilt == []
    out = json.loads(FORMATS["bgstats"](said(book, club)))
    came, left = json.loads(content), out

    def told(file):
        games = {
            each_item["id"]: (each_item["uuid"], each_item["name"], each_item["bggId"], each_item["highestWins"])
            for each_item in file["games"]
        }
        people = {item["id"]: (item["uuid"], item["name"].casefold()) for item in file["players"]}
        places = {value["id"]: value["name"] for value in file["locations"]}
        return {
            play["uuid"]: (
                games[play["gameRefId"]],
                play["playDate"],
                play["durationMin"],
                places[play["locationRefId"]],
                play["comments"],
                play.get("bggId") or 0,
                [
                    (
                        people[p["playerRefId"]],
                        *(p[name] for name in ("score", "winner", "newPlayer", "startPlayer", "role")),
                    )
                    for p in play["playerScores"]
                ],
            )
            for play in file["plays"]
        }

    assert told(left) == told(came)
    assert bring(book, club, content, anna)[0] is None, "nothing is new"


@pytest.mark.parametrize("name", FORMATS)
def test_what_goes_out_adds_nothing_when_it_comes_in_again(book, club, anna, name):
    bring(book, club, export(30), anna)
    bring(book, club, BGG, anna)
    placed = (Placed(anna, 0, 1, 30),)
    clubs.write(
        book, club, EnterResult(BESIDE, clubs.game_named(book.clubs.get(club), "Solo"), placed), by=anna, key=key()
    )
    plays = said(book, club)
    assert len(plays) == 30 + 4 + 1
    incoming = read_plays(FORMATS[name](plays))
    assert incoming.spoilt == [] and len(incoming.plays) == len(plays)
    assert club_imports.preview_import(book, book.clubs.get(club), incoming).fresh == 0
    other = found_club(book, anna, "Another")
    club_imports.import_plays(book, other, incoming, by=anna, key=key())
    assert sorted((item.game.name, len(item.players)) for item in said(book, other)) == sorted(
        (play.game.name, len(play.players)) for play in plays
    )


def test_repeated_import_adds_news_and_undo_removes_one_import(book, club, anna):
    bring(book, club, export(20), anna)
    first = {*book.clubs.get(club).beside.tables}
    bring(book, club, export(25), anna)
    assert len(said(book, club)) == 25
    newest, oldest = club_imports.imports_of(book.clubs.get(club))
    assert (newest.plays, oldest.plays) == (5, 20)
    corrected = sorted(first)[0]
    known = book.clubs.get(club).beside.tables[corrected].typed
    assert known is not None
    clubs.write(
        book,
        club,
        EnterResult(BESIDE, known.ruleset, known.placed[::-1], corrected, known.ended_at, "by hand"),
        by=anna,
        key=key(),
    )
    clubs.write(book, club, UndoImport(oldest.batch), by=anna, key=key())
    after = book.clubs.get(club).beside.tables
    assert {*after} & first == {corrected} and len(after) == 6
    bring(book, club, export(20), anna)
    assert len(said(book, club)) == 25, "the one by hand is found by its scores"


def test_spoilt_rows_are_named_by_number_and_the_rest_imported(book, club, anna):
    incoming = read_plays(BGG)
    assert [(item.row, item.reason.key) for item in incoming.spoilt] == []
    receipt, spoilt = bring(book, club, BGG, anna)
    assert receipt is not None
    assert [(finding.row, finding.reason.key) for finding in spoilt] == [(3, "no_day")]
    catan, again, coup, go = (table.typed for table in book.clubs.get(club).beside.tables.values() if table.typed)
    assert catan.details.scores[catan.placed[0].person] == "49-46ish" and catan.placed[1].score == 36
    assert (catan.details.minutes, catan.details.place, catan.details.comments) == (1310, "kitchen", "late & long")
    assert again.placed == catan.placed and [place.place for place in coup.placed] == [2, 2]
    assert coup.ended_at.startswith("1900-01-01") and go.placed[0].place == 1
    future = export(2, playDate="2999-01-01 10:00:00")
    assert [(each_item.row, each_item.reason.key) for each_item in bring(book, club, future, anna)[1]] == [
        (1, "not_yet")
    ]
    clubs.write(book, club, SetTimeZone("Asia/Seoul"), by=anna, key=key())
    first = export(1, playDate="0001-01-01 00:00:00")
    assert [value.reason.key for value in bring(book, club, first, anna)[1]] == ["no_day"], "before the calendar begins"


def test_what_is_odd_is_told(book, club):
    odd = club_imports.preview_import(book, book.clubs.get(club), read_plays(BGG)).odd
    assert {what: rows for what, (_, rows) in odd.items()} == {
        "score_text": [1, 1],
        "quantity": [1, 1],
        "no_winner": [2],
        "no_day": [2],
        "uncounted": [1, 1, 2],
    }


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "no_header"),
        (b"{", "no_json"),
        (b'{"plays":' + b"[" * 100_000, "no_json"),
        (b'{"plays": [], "plays": []}', "repeated_key"),
        (b'{"plays": [{"bggId": 1, "bggId": 2}]}', "repeated_key"),
        (b"game,player,score,score\nGo,Anna,1,2\n", "repeated_column"),
        (b"game,player,player\nGo,Anna,Ben\n", "repeated_column"),
        (b'{"games": []}', "no_plays"),
        (b"\xff\xfe\x00", "no_text"),
        (b"name,age\nAnna,7\n", "no_header"),
        (b"<html></html>", "no_plays"),
        (b"<plays><play>", "no_xml"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><plays>&b;</plays>', "entities"),
        (b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><plays/>', "entities"),
        (json.dumps({"plays": [{}] * 20_001}).encode(), "plays_many"),
        (b"<plays>" + b"".join(ENTRY % n for n in range(201)) + b"</plays>", "plays_many"),
        (b"play,game,player\n" + b"".join(b"%d,Go,Anna\n" % n for n in range(20_001)), "plays_many"),
        (b"x" * 40_000_001, "file_large"),
    ],
)
def test_a_file_of_another_program_is_refused_with_a_sentence(content, key):
    with refused_for(key, NotReadableError):
        read_plays(content)


SIGNS = 40_000


def seconds_to_read(content: bytes) -> float:
    began = time.process_time()
    with suppress(NotReadableError):
        read_plays(content)
    return time.process_time() - began


@pytest.mark.parametrize(
    "content",
    [
        b"<?xml" * (SIGNS // 5),
        b"<" * SIGNS,
        b"day,game,player,expansions\n2026-05-01,Go,Anna,a" + b" " * SIGNS + b"b\n",
        b"day,game,players,winner\n2026-05-01,Go,Anna;" + b" " * SIGNS + b"Ben,a" + b" " * SIGNS + b"b\n",
        b"day,game,player,score\n2026-05-01,Go,Anna," + b"1" * SIGNS + b"\n",
    ],
    ids=lambda content: content[:5].decode(),
)
def test_a_file_takes_as_long_to_read_as_it_is_and_no_longer(content):
    usual = min(seconds_to_read(b"day,game,player\n" + b"2026-05-01,Go,Anna\n" * (SIGNS // 19)) for _ in range(3))
    assert min(seconds_to_read(content) for _ in range(2)) < 0.1 + 3 * usual


def test_two_of_one_name_may_have_a_score_and_none():
    rows = "2026-05-01,Go,Anonymous player,7\n2026-05-01,Go,Anonymous player,\n"
    first, again = (read_plays(f"day,game,player,score\n{text}".encode()).plays for text in (rows, rows))
    assert [player.score for player in first[0].players] == [7, None]
    assert first[0].id == again[0].id
    (known,) = read_plays(b"day,game,player,score\n2026-01-01,Skat,Ann,5\n2026-01-01,Skat,Ben,\n").plays
    (corrected,) = read_plays(b"day,game,player,score\n2026-01-01,Skat,Ann,6\n2026-01-01,Skat,Ben,\n").plays
    assert known.id == corrected.id == "table:09124f24b877ad3c7c3a", "a corrected score is not another play"


def test_rows_of_every_strange_kind_are_spoilt_alone():
    file = json.loads(export(8))
    strange = ["a row", None, {"uuid": "x"}, {"uuid": "x", "gameRefId": 1, "playerScores": [{"playerRefId": 77}]}]
    file["plays"][2:6] = strange
    incoming = read_plays(json.dumps(file).encode())
    assert [item.row for item in incoming.spoilt] == [3, 4, 5, 6] and len(incoming.plays) == 4


def test_tables_have_a_line_a_play_or_a_line_a_player():
    by_play = "Date\tGame\tPlayers\tScores\tWinner\n2026-05-01\tAzul\tAnna; Ben\t51; 40\tAnna\n"
    by_player = "day,game,player,score\n2026-05-01,Azul,Anna,51\n2026-05-01,Azul,Ben,40\n"
    for text in (by_play, by_player):
        (play,) = read_plays(text.encode()).plays
        assert [(player.name, player.score) for player in play.players] == [("Anna", 51), ("Ben", 40)]
        assert compute_places(play) == [1, 2]


def test_nobody_of_another_club_is_found_by_a_name(book, club, anna):
    other = found_club(book, anna, "Another")
    bring(book, other, export(5), anna)
    theirs = {*book.clubs.get(other).everybody()} - {anna}
    bring(book, club, export(5), anna)
    assert not theirs & {*book.clubs.get(club).everybody()}
    assert all(
        not person.person
        for person in club_imports.preview_import(book, book.clubs.get(other), read_plays(BGG)).people
        if person.name == "Zoe"
    )


def test_who_was_matched_by_hand_is_known_by_the_id_from_then_on(book, club, anna):
    bring(book, club, export(3), anna, Anna=anna, Ben=NEW)
    matched = {
        person.name: person.person
        for person in club_imports.preview_import(book, book.clubs.get(club), read_plays(export(40, 1))).people
    }
    assert matched["Anna"] == anna


@pytest.mark.parametrize(
    ("players", "places"),
    [
        ([Player("A", score=3), Player("B", score=5)], [2, 1]),
        ([Player("A", score=3, won=True), Player("B", score=5, won=False)], [1, 2]),
        ([Player("A", won=False), Player("B", won=False)], [2, 2]),
        ([Player("A", won=True), Player("B", won=False), Player("C", won=False)], [1, 2, 2]),
        ([Player("A", place=3), Player("B", place=1), Player("C", place=1)], [3, 1, 1]),
        ([Player("A"), Player("B")], [2, 2]),
    ],
)
def test_places_are_as_they_are_said_else_by_winners_and_scores(players, places):
    play = Play("x", "2026-01-01", PlayedGame("Go"), tuple(players))
    assert compute_places(play) == places
    assert ("no_winner" in find_oddities(play)) == (1 not in places)


@pytest.mark.parametrize(
    "content",
    [
        export(3, playerScores=[{"playerRefId": ref, "score": str(ref), "winner": ref == 99} for ref in (1, 99)]),
        b"date,game,players,scores,winner\n2026-05-01,Azul,Anna; anonymous player,51;60,Anonymous player\n",
        b'<plays><play id="7" date="2026-05-01"><item name="Go" objectid="188"/><players><player name="Anna" win="0"/>'
        b'<player name="" win="1"/></players></play></plays>',
    ],
    ids=["bgstats", "table", "bgg"],
)
def test_anonymous_player_stays_out_of_club_and_ratings(book, club, anna, content):
    bring(book, club, content, anna, Anna=anna)
    after = book.clubs.get(club)
    first = next(iter(after.beside.tables.values())).typed
    assert first is not None
    (anonymous,) = {place.person for place in first.placed} & after.anonymous_ids
    assert anonymous not in after.everybody() and not after.knows(anonymous)
    rated = ratings.ratings_by_ruleset(results.club_results(book, after), after.counted_marks, after.anonymous_ids)
    assert rated[ratings.OVERALL][anna][0].wins == 0 and anonymous not in rated[ratings.OVERALL]
    catch_up(book)
    with book.views.connect() as c:
        assert anonymous not in {*map(after.person, c.scalars(sa.select(seat_summary.c.person)))} >= {anna}
    with pytest.raises(Refused, match="not in the club"):
        clubs.write(book, club, MergePeople(anna, anonymous, "it was her"), by=anna, key=key())
    for name in FORMATS:
        out = read_plays(FORMATS[name](said(book, club)))
        assert [player.anonymous for player in out.plays[0].players].count(True) == 1, name
        assert club_imports.preview_import(book, after, out).fresh == 0


def test_game_under_another_name_is_known_by_its_id_afterwards(book, club, anna):
    chosen, first = {"Wingspan": "making  profit", "Azul": "Azul: the small box"}, export(30)
    shown = club_imports.preview_import(book, book.clubs.get(club), read_plays(first), ImportAnswers(games=chosen))
    assert {game.name: game.here for game in shown.games}["Azul"] == ":Azul: the small box"
    club_imports.import_plays(book, club, read_plays(first), ImportAnswers(games=chosen), by=anna, key=key())
    later = club_imports.preview_import(book, book.clubs.get(club), read_plays(export(60)))
    keys = {item.name: (item.here, item.known) for item in later.games}
    assert keys["Wingspan"] == ("making_profit", True) and keys["Azul"] == (":Azul: the small box", True)
    long = {"Go": "x" * 200}
    spoilt = club_imports.import_plays(
        book, club, read_plays(export(60)), ImportAnswers(games=long), by=anna, key=key()
    ).spoilt
    assert {finding.reason.key for finding in spoilt} == {"name_long"}


def test_two_taps_and_two_devices_at_once_bring_one_import(book, club, anna):
    incoming, once, another = read_plays(export(300)), key(), key()

    def tap(writer: str) -> club_imports.ImportResult:
        return club_imports.import_plays(book, club, incoming, by=anna, key=writer)

    with ThreadPoolExecutor(4) as pool:
        brought = [*pool.map(tap, (once, once, another, another))]
    (stands,) = club_imports.imports_of(book.clubs.get(club))
    assert stands.plays == len(said(book, club)) == 300
    assert sorted(item.plays for item in brought) == [0, 0, 300, 300], "each tap of the one that came first says it"
    assert {value.batch for value in brought if value.plays} == {stands.batch}
    first = once if brought[0].plays else another
    with pytest.raises(KeyUsedError):
        club_imports.import_plays(book, club, read_plays(export(301)), by=anna, key=first)


def test_what_is_no_text_is_none(book):
    """Deep values need more depth to be written than to be read: some could be read and not reported."""
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    assert clean_text(deep) == "" and clean_text({"name": deep}) == "" and clean_text(7) == "7"
    assert parse_number(deep, 9) == 0 and not is_yes(deep)
    for field in ("name", "uuid", "bggId", "cooperative", "noPoints"):
        file = json.loads(export(1))
        file["games"] = [value | {field: [[]]} for value in file["games"]]
        assert len(read_plays(json.dumps(file).encode()).plays) == (field != "name")


def test_two_names_of_one_person_are_nobody_twice(book, club, anna):
    bring(book, club, b"date,game,players\n2026-05-01,Azul,Ben; Dan\n2026-05-02,Azul,Benny; Dan\n", anna)
    after = book.clubs.get(club)
    names = book.kept.names(after.everybody())
    ben, benny = (next(id for id, name in names.items() if name == wanted) for wanted in ("Ben", "Benny"))
    clubs.write(book, club, MergePeople(benny, ben, "the same"), by=anna, key=key())
    _, spoilt = bring(book, club, b"date,game,players\n2026-05-03,Azul,Ben; Benny\n2026-05-04,Azul,Ben; Dan\n", anna)
    assert [(finding.row, finding.reason.key) for finding in spoilt] == [(2, "twice_in_row")]
    assert {len({*table.people}) for table in book.clubs.get(club).beside.tables.values()} == {2}
    newest = [*book.clubs.get(club).beside.tables.values()][-1]
    assert benny in newest.people, "whom they are known as today"


def test_who_was_made_anonymous_is_not_named_again_by_a_file(book, club, anna):
    """A person who brings another file with the name would otherwise learn the identity."""
    bring(book, club, b"date,game,players\n2026-05-01,Azul,Ben; Dan\n", anna)
    bring(book, club, export(20), anna)
    names = book.kept.names(book.clubs.get(club).everybody())
    gone = {id for id, name in names.items() if name in ("Ben", "Chlo\u00e9")}
    assert len(gone) == 2
    for person in gone:
        anonymity.make_anonymous(book, person, by=anna)
    before = {person: games_of(book, club, person) for person in gone}
    bring(book, club, b"date,game,players\n2026-05-02,Azul,Ben; Dan\n", anna)
    bring(book, club, export(60), anna)
    after = book.clubs.get(club)
    assert {person: games_of(book, club, person) for person in gone} == before
    assert "Ben" not in book.kept.names(after.everybody()).values()
    assert {book.kept.names([person])[person][:9] for person in gone} == {"Anonymous"}


def games_of(book: Daybook, club: UUID, person: str) -> int:
    return sum(person in table.people for table in book.clubs.get(club).beside.tables.values())


def test_an_import_makes_so_many_guests_and_no_more(book, club, anna, monkeypatch):
    monkeypatch.setattr(clubs.import_plan, "MAX_NEW_GUESTS", 3)
    with refused_for("guests_many"):
        bring(book, club, b"date,game,players\n2026-05-01,Azul,Al; Bo; Cy; Di\n", anna)
    with count_reads(book) as reads:
        bring(book, club, b"date,game,players\n2026-05-01,Azul,Al; Bo; Cy\n", anna)
    assert sum("INSERT INTO kept_person" in item for item in reads.tables) == 1, "all at once"


def test_a_guests_id_that_somebody_took_before_is_theirs(book, club, anna):
    """Anyone can compute it; an account with that id would be the guest, whom no one else could rename."""
    eve = account(book, "eve")
    other = found_club(book, eve, "Other Club")
    foretold = uuid5(GUESTS, f"{club} ben").hex
    placed = [Placed(eve, 0, 1), Placed(foretold, 1, 2)]
    clubs.write(book, other, EnterResult(BESIDE, "making_profit", placed), by=eve, key=key())
    joining.accept_with_new_account(book, members.invite(book, other, person=foretold, by=eve), "Fool")
    bring(book, club, b"date,game,players\n2026-05-01,Azul,Ben; Dan\n", anna)
    after = book.clubs.get(club)
    assert not after.knows(foretold)
    assert {*book.kept.names(after.everybody()).values()} == {"anna", "Ben", "Dan"}
    bring(book, club, b"date,game,players\n2026-05-02,Azul,Ben; Dan\n", anna)
    assert len(book.clubs.get(club).everybody()) == 3


def test_file_for_another_program_holds_no_formulas():
    """Spreadsheets part a line at a semicolon where a comma is part of a number; XML holds no control character."""
    names = ("=1+1", "a;=1", "a; -b", "@x", "＝1", "Anna; Ben")
    comments = "it rained\x1b[31m\x07\x0b\ufffe and\nwe =left= \u202ethere"
    plays = [Play("x:1", "2026-04-18", PlayedGame("Go"), tuple(Player(name) for name in names), comments=comments)]
    cells = [cell for line in table.file_of(plays).decode("utf-8-sig").splitlines() for cell in re.split("[,;]", line)]
    assert not [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@", "＝"))]
    (came,) = table.read_table(table.file_of(plays)).plays
    assert [player.name for player in came.players] == [*names]
    (came,) = bgg.read_bgg(bgg.write_bgg(plays)).plays
    first, second = came.comments.split("\n")
    assert first == "it rained[31m and" and second.startswith("we =left=") and second.isprintable()


def test_remarks_are_cleaned_line_by_line():
    assert (
        incoming.clean_remarks(" It\trained.\r\nBen\x07 left.\n\n\n\n\rSo it ended. ")
        == "It rained.\nBen left.\n\nSo it ended."
    )
