"""Every fact of a file, as the club stores it and exports it again."""

from __future__ import annotations

import csv
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.services.exchange import bgg, bgstats_file, table
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports
from tests.played import key

pytestmark = pytest.mark.sqlite_suffices

PLAYER = {
    "score": "",
    "winner": False,
    "newPlayer": False,
    "startPlayer": False,
    "rank": 0,
    "seatOrder": 0,
    "team": "0",
}
PLAYERS = [
    {"id": 1, "uuid": "u-anna", "name": "Anna", "isAnonymous": False, "bggUsername": "anna77"},
    {"id": 2, "uuid": "u-ben", "name": "Ben", "isAnonymous": False},
    {"id": 3, "uuid": "u-solo", "name": "The machine", "isAnonymous": False, "metaData": '{"isNpc":true}'},
    {"id": 4, "uuid": "u-anon", "name": "Anonymous player", "isAnonymous": 1},
]
GAMES = [
    {"id": 1, "uuid": "g-azul", "name": "Azul", "bggId": 230802, "highestWins": True},
    {"id": 2, "uuid": "g-hearts", "name": "Hearts", "bggId": 6887, "highestWins": False},
    {"id": 3, "uuid": "g-pandemic", "name": "Pandemic", "bggId": 30549, "cooperative": True, "noPoints": True},
    {"id": 4, "uuid": "g-brink", "name": "On the Brink", "bggId": 40849, "isExpansion": True, "isBaseGame": False},
    {"id": 5, "uuid": "g-tichu", "name": "Tichu", "bggId": 215, "usesTeams": True},
]


def play(uuid: str, game: int, *scores: dict[str, Any], **fields: Any) -> dict[str, Any]:
    rows = [PLAYER | {"playerRefId": number} | score for number, score in enumerate(scores, 1)]
    return {"uuid": uuid, "playDate": "2026-10-01 19:30:00", "gameRefId": game, "playerScores": rows} | fields


PLAYS = [
    play(
        "p-azul",
        1,
        {"score": "12+30", "winner": True, "rank": 1, "seatOrder": 1, "role": "blue"},
        {"score": "40", "rank": 2, "startPlayer": True, "newPlayer": True, "seatOrder": 0},
        {"score": "39", "rank": 3, "seatOrder": 2},
        locationRefId=1,
        durationMin=45,
        board="grey side",
        comments="it rained",
        bggId=77001,
    ),
    play("p-hearts", 2, {"score": "26"}, {"score": "3", "winner": True}, ignored=True),
    play("p-pandemic", 3, {"winner": True}, {"winner": True}, expansionPlays=[{"gameRefId": 4, "bggId": 40849}]),
    play("p-tie", 1, {"score": "50", "rank": 1}, {"score": "50", "rank": 1, "winner": True}, manualWinner=True),
    play(
        "p-teams",
        5,
        {"team": "0", "winner": True},
        {"team": "1"},
        {"team": "0", "winner": True},
        {"team": "1"},
        usesTeams=True,
        playImages=[{}],
        tags=[{"tagRefId": 1}],
        scoresheet="{}",
        rating=7,
    ),
]
FILE = json.dumps(
    {
        "about": "BG Stats",
        "userInfo": {"meRefId": 1, "bggUsername": "anna77"},
        "tags": [{"id": 1, "uuid": "t", "name": "league"}],
        "challenges": [{"type": "10x10"}],
        "deletedObjects": [{"uuid": "p-gone", "type": "Play"}, {"uuid": "u-gone", "type": "Player"}],
        "locations": [{"id": 1, "uuid": "l-1", "name": "The cellar"}],
        "players": PLAYERS,
        "games": GAMES,
        "plays": PLAYS,
    }
).encode()


@pytest.fixture
def typed(book, club, anna):
    club_imports.import_plays(book, club, read_plays(FILE), by=anna, key=key())
    names = book.kept.names(book.clubs.get(club).everybody())
    tables = [table.typed for table in book.clubs.get(club).beside.tables.values()]
    return names, [result for result in tables if result is not None]


def test_facts_of_bgstats_file_are_stored(book, club, typed):
    names, (azul, hearts, pandemic, tie, teams) = typed
    anna, ben = (player.person for player in sorted(azul.placed, key=lambda player: player.place)[:2])
    whole = book.clubs.get(club).person
    assert (names[whole(anna)].casefold(), names[whole(ben)]) == ("anna", "Ben")
    assert [(player.seat, player.place, player.score) for player in azul.placed] == [(0, 2, 40), (1, 1, 42), (2, 3, 39)]
    details = azul.details
    assert (details.place, details.minutes, details.variant) == ("The cellar", 45, "grey side")
    assert (details.comments, details.bgg, details.scores) == ("it rained", 230802, {anna: "12+30"})
    assert (details.roles, details.teams, details.start_player, details.new) == ({anna: "blue"}, {}, ben, (ben,))
    assert details.automas == (azul.placed[2].person,) and details.automas[0] in book.clubs.get(club).anonymous_ids
    assert hearts.details.lowest_wins and hearts.details.uncounted == ("ignored",)
    assert [(player.seat, player.place) for player in hearts.placed] == [(None, 2), (None, 1)]
    assert pandemic.details.cooperative and pandemic.details.no_scores
    assert pandemic.details.expansions == ("On the Brink",)
    assert [(player.place, player.score) for player in pandemic.placed] == [(1, None), (1, None)]
    assert tie.details.tie_settled and [player.place for player in tie.placed] == [2, 1]
    assert [teams.details.teams[player.person] for player in teams.placed] == ["0", "1", "0", "1"]
    assert len(teams.details.automas) == 1


def test_file_says_what_is_not_imported():
    incoming = read_plays(FILE)
    assert incoming.skipped == {"photos": 1, "tags": 1, "score_sheets": 1, "ratings": 1, "challenges": 1}
    assert incoming.deleted == ("bgstats:p-gone",)
    assert incoming.owner is not None and incoming.owner.id == "bgstats:u-anna"


def test_exported_bgstats_file_has_the_facts_it_came_with(book, club, anna, typed):
    plays = club_imports.club_plays(book, book.clubs.get(club))
    owner = next(player for each in plays for player in each.players if player.id == "bgstats:u-anna")
    out = json.loads(bgstats_file.write_bgstats(plays, "2026-11-20T19:30:00.000Z", owner))
    people = {row["id"]: row for row in out["players"]}
    games = {row["id"]: row for row in out["games"]}
    assert people[out["userInfo"]["meRefId"]]["bggUsername"].casefold() == "anna77"
    assert {row["uuid"] for row in people.values()} >= {"u-anna", "u-ben"}
    assert [row["metaData"] for row in people.values() if row["name"] == "Automa"] == ['{"isNpc":1}']
    kinds = {(row["isBaseGame"], row["isExpansion"]) for row in games.values()}
    assert all(type(flag) is int for kind in kinds for flag in kind), "other programs compare with 1"
    came = {each["uuid"]: each for each in PLAYS}
    for row in out["plays"]:
        before = came[row["uuid"]]
        assert games[row["gameRefId"]]["bggId"] == GAMES[before["gameRefId"] - 1]["bggId"]
        assert row["ignored"] == before.get("ignored", False)
        assert row["manualWinner"] == before.get("manualWinner", False)
        assert row["usesTeams"] == before.get("usesTeams", False)
        expansions = [games[each["gameRefId"]]["name"] for each in row["expansionPlays"]]
        assert expansions == (["On the Brink"] if "expansionPlays" in before else [])
        by_name = {people[each["playerRefId"]]["uuid"]: each for each in row["playerScores"]}
        for score in before["playerScores"]:
            uuid = PLAYERS[score["playerRefId"] - 1]["uuid"]
            if uuid in by_name:
                exported = by_name[uuid]
                assert exported["winner"] == score["winner"] and exported["score"] == score["score"]
                assert exported["rank"] == (score["rank"] or exported["rank"])
                assert exported["seatOrder"] == score["seatOrder"]


LIST = b"""<plays username="anna" userid="7" total="2" page="1">
<play id="101" date="2026-04-18" quantity="3" length="90" incomplete="0" nowinstats="0" location="">
<item name="Catan" objecttype="thing" objectid="13"/></play>
<play id="102" date="2026-04-19" quantity="1" length="0" incomplete="1" nowinstats="1" location="">
<item name="Coup" objecttype="thing" objectid="131357"/>
<players><player username="anna" userid="7" name="Anna" startposition="2" score="1" win="1"/>
<player username="" userid="0" name="Ben" startposition="1" score="0" win="0"/></players></play></plays>"""


def test_plays_without_players_belong_to_the_owner_of_the_list():
    plays = read_plays(LIST).plays
    assert [[player.id for player in each.players] for each in plays[:3]] == [["bgg:7"]] * 3
    assert [(player.name, player.seat) for player in plays[3].players] == [("Ben", 0), ("Anna", 1)]
    assert plays[3].uncounted == ("incomplete", "nowinstats")


def test_exported_xml_has_whole_numbers_and_quantities(book, club, anna):
    club_imports.import_plays(book, club, read_plays(LIST), by=anna, key=key())
    club_imports.import_plays(book, club, read_plays(FILE), by=anna, key=key())
    content = bgg.write_bgg(club_imports.club_plays(book, book.clubs.get(club)))
    rows = ElementTree.fromstring(content).findall("play")
    assert [row.get("quantity") for row in rows if row.get("id") == "101"] == ["3"]
    for row in rows:
        for element in row.iter():
            for name in ("id", "quantity", "length", "incomplete", "nowinstats", "objectid", "userid", "new", "win"):
                assert (element.get(name) or "0").isdecimal(), (element.tag, name)
    again = club_imports.preview_import(book, book.clubs.get(club), read_plays(content))
    assert (again.fresh, again.already_imported) == (0, 9)


def test_remarks_keep_their_lines_in_every_format():
    remarks = "First line\n\nSecond; = line\tand more"
    play = Play("p1", "2026-05-01", PlayedGame("Azul"), (Player("Anna", won=True), Player("Ben")), comments=remarks)
    contents = [bgg.write_bgg([play]), bgstats_file.write_bgstats([play], "2026-05-02T10:00:00.000Z")]
    for content in (*contents, table.file_of([play])):
        for breaks in (b"\n", b"\r\n"):
            [read] = read_plays(content if breaks == b"\n" else content.replace(b"\n", breaks)).plays
            assert read.comments == "First line\n\nSecond; = line and more"


def test_what_other_programs_read_wrongly_is_written_plainly(book, club, anna):
    """A lost cooperative play with first places, a machine's name, and numbers below zero."""
    content = {
        "players": PLAYERS,
        "games": [{"id": 1, "uuid": "g", "name": "Pandemic", "bggId": 30549, "cooperative": True, "highestWins": True}],
        "plays": [
            {
                "uuid": "lost",
                "playDate": "2026-05-01 20:00:00",
                "gameRefId": 1,
                "playerScores": [
                    {**PLAYER, "playerRefId": number, "rank": 1, "score": "-12.5"} for number in (1, 2, 3)
                ],
            }
        ],
    }
    club_imports.import_plays(book, club, read_plays(json.dumps(content).encode()), by=anna, key=key())
    now = book.clubs.get(club)
    files = {
        kind: club_imports.export_plays(book, now, kind, anna, days_only=False).decode("utf-8-sig")
        for kind in club_imports.PLAYS_FORMATS
    }
    assert not any(row["winner"] for row in json.loads(files["json"])["plays"][0]["playerScores"])
    players = [*ElementTree.fromstring(files["xml"]).iter("player")]
    assert [(row.get("name").title(), row.get("win")) for row in players] == [
        ("Anna", "0"),
        ("Ben", "0"),
        ("Automa", "0"),
    ]
    assert [row["score"] for row in csv.DictReader(files["csv"].splitlines())] == ["-12.5"] * 3
    for text in files.values():
        assert club_imports.preview_import(book, now, read_plays(text.encode())).is_empty
