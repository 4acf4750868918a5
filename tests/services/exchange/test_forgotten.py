"""Forgotten people: no play names them, no export does, and no import brings them back."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from daybook.domain.league.club_events import BLANK, PlaysImported
from daybook.services.exchange import bgg, bgstats_file, table
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import anonymity, club_imports, members
from daybook.services.league.club_imports import ImportAnswers
from daybook.services.league.clubs.import_plan import NEW
from daybook.services.league.moving import export_club
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.clubbing import found_club

pytestmark = pytest.mark.sqlite_suffices

NAME = "Wilhelmina Zwickmühle"
UUID_OF_MINA = "6a1f0000-0000-4000-8000-00000000beef"
ODD = f"{NAME} and the {NAME.upper()} variant"
WAYS_OUT = {
    "csv": table.file_of,
    "json": lambda plays: bgstats_file.write_bgstats(plays, "2026-11-20T19:30:00.000Z"),
    "xml": bgg.write_bgg,
}


def bgstats(*days: int, name: str = NAME, uuid: str = UUID_OF_MINA) -> bytes:
    """A file of BG Stats in which she plays with Ben on some days, and every text names her."""
    return json.dumps(
        {
            "players": [{"id": 1, "uuid": uuid, "name": name}, {"id": 2, "uuid": "ben", "name": "Ben"}],
            "games": [{"id": 1, "uuid": "go", "name": "Go", "highestWins": True}],
            "locations": [{"id": 1, "uuid": "home", "name": f"At {name}’s"}],
            "plays": [
                {
                    "uuid": f"play-{day}",
                    "playDate": f"2026-05-{day:02} 20:00:00",
                    "gameRefId": 1,
                    "locationRefId": 1,
                    "board": ODD,
                    "comments": f"well done, {name}!",
                    "playerScores": [
                        {"playerRefId": 1, "score": "51", "winner": True, "role": f"{name}’s", "team": name},
                        {"playerRefId": 2, "score": "40", "winner": False},
                    ],
                }
                for day in days
            ],
        }
    ).encode()


def bring(book: Daybook, club: UUID, content: bytes, by: str, **chosen: str) -> None:
    club_imports.import_plays(book, club, read_plays(content), ImportAnswers(chosen), by=by, key=key())


def ways_out(book: Daybook, club: UUID) -> str:
    plays = club_imports.club_plays(book, book.clubs.get(club))
    return "\n".join(write(plays).decode() for write in WAYS_OUT.values())


def find_person(book: Daybook, club: UUID, name: str) -> str:
    names = book.kept.names(book.clubs.get(club).everybody())
    return next(id for id, called in names.items() if called == name)


@pytest.fixture
def forgotten(book: Daybook, club: UUID, anna: str) -> str:
    """She was imported with Ben, and made anonymous; her id."""
    bring(book, club, bgstats(1, 2), anna)
    mina = find_person(book, club, NAME)
    assert NAME in ways_out(book, club) and UUID_OF_MINA in ways_out(book, club)
    anonymity.make_anonymous(book, mina, by=anna)
    return mina


def test_forgotten_person_is_on_no_way_out(book, club, forgotten):
    out = ways_out(book, club)
    assert "zwickm" not in out.lower() and UUID_OF_MINA not in out
    assert f"{BLANK} and the {BLANK} variant" in out and f"well done, {BLANK}!" in out
    assert members.name_of(book, forgotten) in out, "her plays stay"


def test_club_folded_again_names_no_forgotten_person(book, club, forgotten):
    held = book.clubs.get(club)
    book.clubs._cached.clear()
    again = book.clubs.get(club)
    for found in (held, again):
        texts = [repr(entry.event) for entry in found.entries] + [repr(found.beside.tables)]
        assert not [text for text in texts if "zwickm" in text.lower()]
    assert again.seal == held.seal and again.beside.tables == held.beside.tables
    assert NAME.encode() in export_club(book, club), "lines that were sealed stay"


def test_next_import_does_not_bring_the_name_back(book, club, anna, forgotten):
    shown = club_imports.preview_import(book, book.clubs.get(club), read_plays(bgstats(2, 3)))
    assert [(person.name, person.person, person.forgotten) for person in shown.people if person.name != "Ben"] == [
        (NAME, "", True)
    ]
    bring(book, club, bgstats(2, 3), anna)
    after = book.clubs.get(club)
    assert len(after.beside.tables) == 3
    assert "zwickm" not in ways_out(book, club).lower() and UUID_OF_MINA not in ways_out(book, club)
    assert NAME not in book.kept.names(after.everybody()).values()
    last = [*after.beside.tables.values()][-1].typed
    assert last is not None and {place.person for place in last.placed} & after.anonymous_ids, (
        "she is an anonymous player"
    )
    newest = after.entries[-1].event
    assert isinstance(newest, PlaysImported) and f"bgstats:{UUID_OF_MINA}" not in newest.source_people


@pytest.mark.parametrize(
    "content",
    [
        bgstats(3, uuid="of-another-phone"),
        bgstats(3, name="Mina Z."),
        bgstats(3, name=f"  {NAME.upper()} ", uuid=""),
        f"day,game,players,scores\n2026-05-03,Go,{NAME}; Ben,51; 40\n".encode(),
        f'<plays><play id="7" date="2026-05-03"><item name="Go" objectid="188"/><players><player name="{NAME}" win="1"/>'
        '<player name="Ben" win="0"/></players></play></plays>'.encode(),
    ],
    ids=["another id", "another name", "no id", "table", "bgg"],
)
def test_forgotten_person_is_recognised_by_id_or_name(book, club, anna, forgotten, content):
    bring(book, club, content, anna)
    club_now = book.clubs.get(club)
    assert {*book.kept.names(club_now.everybody()).values()} == {"anna", "Ben", members.name_of(book, forgotten)}
    assert "Mina Z." not in ways_out(book, club)


def test_forgotten_id_is_recognised_in_another_club(book, anna, forgotten):
    other = found_club(book, anna, "Another")
    bring(book, other, bgstats(3), anna)
    assert {*book.kept.names(book.clubs.get(other).everybody()).values()} == {"anna", "Ben"}
    namesake = f"day,game,players,scores\n2026-05-04,Go,{NAME}; Ben,51; 40\n".encode()
    bring(book, other, namesake, anna)
    assert find_person(book, other, NAME), "somebody else may have the name there"


def test_organiser_lets_a_forgotten_name_in_by_hand(book, club, anna, forgotten):
    bring(book, club, bgstats(3), anna, **{NAME: NEW})
    assert find_person(book, club, NAME) != forgotten
    assert f"well done, {NAME}!" in ways_out(book, club), "of this play nobody asked to be forgotten"


@pytest.mark.parametrize(
    "name",
    ["Wilhelmina Zwickmuhle", "ZWICKMÜHLE, Wilhelmina", "Wilhelmina  Zwickmu\u0308hle", "Wil\u200dhelmina Zwickmühle"],
)
def test_forgotten_person_is_recognised_in_other_spellings(book, club, anna, forgotten, name):
    shown = club_imports.preview_import(book, book.clubs.get(club), read_plays(bgstats(3, name=name, uuid="another")))
    assert [person.forgotten for person in shown.people if person.name != "Ben"] == [True]
    bring(book, club, bgstats(3, name=name, uuid="another"), anna)
    assert "zwickm" not in ways_out(book, club).lower() and "muhle" not in ways_out(book, club).lower()


def test_forgotten_person_is_left_out_of_plays_of_others(book, club, anna, forgotten):
    """Remarks, a place and a game name her, though she is no player."""
    content = json.loads(bgstats(3))
    content["players"][0] |= {"uuid": "cleo", "name": "Cleo"}
    content["games"][0] |= {"uuid": "another", "name": f"{NAME}’s Chess"}
    bring(book, club, json.dumps(content).encode(), anna)
    after = book.clubs.get(club)
    assert [*after.beside.tables.values()][-1].typed.ruleset == f":{BLANK}’s Chess"
    assert "zwickm" not in ways_out(book, club).lower()
    assert "zwickm" not in repr(after.entries[-1].event).lower(), "it is not written"
