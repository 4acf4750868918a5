"""Typed results of any game: a name beside the installed ones, with place, duration, material, and new players."""

from __future__ import annotations

from uuid import UUID

import pytest
from flask import url_for

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.league.club_commands import EnterResult, OpenSeason, PlanEvening
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.domain.league.seasons import DEFAULTS
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, ratings
from daybook.services.people import accounts
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.web.club.table_choices import game_and_sheet
from tests.played import key, leave_unreadable
from tests.services.files.test_disagreements import catch_up
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

NEW = "/seasons/beside/tables/new"


def typed(mill: ClubAtHand, table: str = "1"):
    result = mill.club.beside.tables[table].typed
    assert result is not None
    return result


def test_any_game_is_typed_in_by_name_with_its_details(mill):
    olga = mill.signed_in()
    form = olga.get(mill.path + NEW).form("Save the result")
    said = {
        "game_name": " Wingspan ",
        "person.0": mill.olga,
        "score.0": "81",
        "guest.1": "Ben",
        "score.1": "94",
        "new.1": "yes",
        "place": "Anna’s kitchen",
        "minutes": "75",
        "expansions": "Oceania, Swift starts",
        "ended": "2026-04-18",
    }
    page = olga.send(form, **said)
    result = typed(mill)
    ben = next(place.person for place in result.placed if place.place == 1)
    assert result.ruleset == ":Wingspan"
    assert result.ended_at[:10] == "2026-04-18"
    assert result.details == PlayDetails("Anna’s kitchen", 75, ("Oceania", "Swift starts"), new=(ben,))
    for words in ("Wingspan", "Ben before Olga", "Anna’s kitchen", "75", "Oceania, Swift starts", "new to it"):
        assert words in page.text
    again = olga.get(mill.path + NEW).form("Save the result")
    olga.send(again, **said | {"game_name": "WINGSPAN", "guest.1": "Cleo", "minutes": "60"})
    assert typed(mill, "2").ruleset == ":Wingspan", "the same game, however it is written"
    olga.press(mill.path + NEW, "Save the result", **said | {"game_name": "making profit", "guest.1": "Dan"})
    assert typed(mill, "3").ruleset == "making_profit"


def test_what_is_told_is_put_right_as_the_result_is(mill):
    placed = (Placed(mill.olga, 0, 1),)
    mill.by_olga(EnterResult(BESIDE, clubs.game_named(mill.club, "Solo"), placed))
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/seasons/beside/tables/1").form("Save the result")
    page = olga.send(form, minutes="40", why="it was on the box")
    olga.send(page.form("Save it like this"))
    assert typed(mill).details.minutes == 40 and typed(mill).ruleset == ":Solo"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"minutes": "an hour"}, "The minutes are a whole number"),
        ({"minutes": "100001"}, "a game takes 0 to 100000 minutes, not 100001"),
        ({"expansions": ",".join("abcdefghijklmnopqrstuvwxyz" * 2)}, "at most 40 expansions, not 52"),
        ({"place": "x" * 121}, "the name has 121 characters: at most 120"),
        ({"game_name": "a\x07b"}, "the name contains characters that cannot be shown"),
        ({"game_name": ""}, "Say which game it was"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_saved(mill, fields, message):
    olga = mill.signed_in()
    form = olga.get(mill.path + NEW).form("Save the result")
    page = olga.send(form, **{"game_name": "Go", "person.0": mill.olga, "score.0": "1"} | fields)
    assert page.status == 422 and message.lower() in page.text.lower()
    assert mill.club.beside.tables == {}


def test_game_by_name_is_rated_and_counted_under_that_name(mill):
    ben = mill.member("Ben")
    placed = (Placed(mill.olga, 0, 1, 12), Placed(ben, 1, 2, 7))
    name = clubs.game_named(mill.club, "Go: 9×9")
    mill.by_olga(EnterResult(BESIDE, name, placed))
    catch_up(mill.book)
    ratings.rate_club(mill.book, mill.id)
    olga = mill.signed_in()
    for where in ("/ratings?game=:Go: 9×9", f"/people/{ben}"):
        page = olga.get(mill.path + where)
        assert page.status == 200, where
        assert "Go: 9×9" in page.text, where


def test_programs_type_in_any_game(mill):
    sent = {
        "game": "Carcassonne",
        "placed": [
            {"person": mill.olga, "place": 1, "new": True, "role": "Knight"},
            {"person": "guest-1", "place": 2, "team": "Reds", "written": "40ish"},
        ],
        "start_player": "guest-1",
        "variant": "River",
        "lowest_wins": True,
        "minutes": 35,
        "place": "Club room",
        "ended_on": "2026-03-01",
    }
    program = mill.app.test_client()
    headers = {"Authorization": f"Bearer {accounts.make_key(mill.book, mill.olga, 'script')}", "Idempotency-Key": "k"}
    answer = program.post(f"/api/v1{mill.path}/results", json=sent, headers=headers)
    assert answer.status_code == 201, answer.text
    told = {"variant": "River", "start_player": "guest-1", "roles": {mill.olga: "Knight"}, "lowest_wins": True}
    assert typed(mill).details == PlayDetails(
        "Club room", 35, new=(mill.olga,), teams={"guest-1": "Reds"}, scores={"guest-1": "40ish"}, **told
    )
    again = {
        **{name: sent[name] for name in ("game", "minutes", "place", "ended_on")},
        "placed": [
            {"person": mill.olga, "place": 1, "new": True},
            {"person": "guest-1", "place": 2, "team": "", "score": 41},
        ],
        "table": "1",
        "why": "he had counted wrongly",
    }
    program.post(f"/api/v1{mill.path}/results", json=again, headers=headers | {"Idempotency-Key": "m"})
    assert typed(mill).details == PlayDetails("Club room", 35, new=(mill.olga,), **told)
    both = program.post(
        f"/api/v1{mill.path}/results",
        json=sent | {"ruleset": "making_profit"},
        headers=headers | {"Idempotency-Key": "l"},
    )
    assert both.status_code == 422


def test_a_league_is_of_games_that_are_known_by_their_names(mill):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/leagues/new").form("Start the league")
    assert "game.score_sheet" not in form.fields, "no game is called by the rules of all score sheets"
    olga.send(form, name="Birds", games=" Wingspan \n\nmaking profit\nWingspan")
    league = mill.club.leagues["2"]
    assert league.rulesets == (":Wingspan", "making_profit")
    settings = olga.get(f"{mill.path}/leagues/{league.id}/settings")
    assert "Wingspan" in settings.form("Save changes").fields["games"]
    mill.by_olga(OpenSeason("2", "Spring", DEFAULTS["free"]))
    season, pia = mill.season, mill.member("Pia")
    where = f"{mill.path}/seasons/{season.id}/tables/new"
    two = {"person.0": mill.olga, "score.0": "81", "person.1": pia, "score.1": "70", "ended": "2026-04-18"}
    olga.press(where, "Save the result", ruleset=":Wingspan", **two)
    assert mill.club.season(season.id).tables["1"].typed.ruleset == ":Wingspan"
    against = olga.press(where, "Save the result", ruleset=":Azul", **two)
    assert against.status == 422
    olga.send(settings.form("Save changes"), games="", **{"game.:": "yes", "game.making_profit": ""})
    assert mill.club.leagues[league.id].rulesets == (":",)
    olga.press(where, "Save the result", game_name="Azul", **two)
    assert mill.club.season(season.id).tables["2"].typed.ruleset == ":Azul"
    assert "any other game" in olga.get(f"{mill.path}/leagues/{league.id}").text


@pytest.mark.parametrize("name", ["Heroes/Villains", "~1/~0", "50 % / more"])
def test_the_statistics_of_a_game_are_found_whatever_its_name(mill, name):
    guests = mill.guests("Ben")
    placed = (Placed(mill.olga, 0, 1), *(Placed(ben, 1, 2) for ben in guests))
    result = EnterResult(BESIDE, f":{name}", placed, guests=guests)
    mill.by_olga(result)
    catch_up(mill.book)
    olga = mill.signed_in()
    with mill.app.test_request_context():
        of = {"ruleset_id": f":{name}"}
        page = olga.get(url_for("statistics.game", **of))
        file = url_for("statistics.table_file", name="records", kind="csv", **of)
    assert page.status == 200 and name in page.text
    assert olga.client.get(file).status_code == 200


def test_club_keeps_its_sheet_whatever_strangers_publish(mill):
    sheets, id = mill.book.sheets, SCORE_SHEET.id
    ours = sheets.publish(id, "Aviary", {"game.name": "Aviary"}, "")
    ben = mill.member("Ben")
    seats = [SeatedPerson("Olga", "red", mill.olga), SeatedPerson("Ben", "blue", ben)]
    game = NewGame(id, "Friday", seats, {}, ours)
    clubs.open_table(mill.book, mill.id, BESIDE, None, game, by=mill.olga, key=key())
    clubs.open_table(mill.book, mill.id, BESIDE, None, game, by=mill.olga, key=key())
    newest = next(reversed(mill.club.beside.tables.values())).game
    leave_unreadable(mill.book, UUID(newest))
    theirs = sheets.publish(id, "Aviary", {"game.name": "Aviary", "score.wins": "least"}, "Ben")
    with mill.app.test_request_context("/"):
        played = game_and_sheet(mill.club, ":Aviary")
    assert played is not None and played[1].digest() == ours
    assert sheets.hash_by_name(":Aviary") == theirs, "who has never played it takes the newest"


def test_sheet_belongs_to_the_account_that_published_it(mill):
    """Ids of people are on many pages: typing one in publishes no sheet of theirs."""
    sheets, id = mill.book.sheets, SCORE_SHEET.id
    olga = mill.signed_in()
    made = olga.get(f"/make/{id}").form("Preview")
    olga.send(made, name="Aviary", do="publish", **{"line.0.name": "Birds"})
    (ours,) = sheets.newest(id, 9, by=mill.olga)
    assert ours.by == "", "whose account it was is not told"
    stranger = Visitor(mill.app)
    head = f'[sheet]\nformat = 1\ngame = "{id}"\n'
    for by, numbers in ((mill.olga, "[score]"), (f" {mill.olga}", '[score]\nwins = "least"')):
        text = f'{head}[game]\nname = "Aviary"\n{numbers}\n'
        stranger.post(f"/sheets/{id}", text=text, name="Aviary", by=by, do="publish")
    assert len(sheets.list(id)) == 3, "both were published"
    assert [item.hash for item in sheets.newest(id, 9, by=mill.olga)] == [ours.hash]
    assert sheets.hash_by_name(":Aviary", mill.olga) == ours.hash


def test_new_game_in_a_club_begins_with_what_the_club_plays(mill):
    sheets, id = mill.book.sheets, SCORE_SHEET.id
    seats = [SeatedPerson("Olga", "red", mill.olga), SeatedPerson("Ben", "blue", mill.member("Ben"))]
    ours = sheets.publish(id, "Aviary", {"game.name": "Aviary"}, "", unlisted="account")
    for _ in range(2):
        new = NewGame(id, "Friday", seats, {}, ours)
        clubs.open_table(mill.book, mill.id, BESIDE, None, new, by=mill.olga, key=key())
    placed = (Placed(mill.olga, 0, 1), Placed(seats[1].person, 1, 2))
    mill.by_olga(EnterResult(BESIDE, "water_frame", placed))
    mill.by_olga(EnterResult(BESIDE, ":A game of other programs", placed))
    catch_up(mill.book)
    mill.by_olga(PlanEvening(later_time(now(), hours=2)))
    (evening,) = mill.club.evenings
    page = mill.signed_in().get(f"/new?club={mill.club.id}&evening={evening}")
    games = [says for says, to in page.links if to.startswith("/new?") and "game=" in to]
    assert [says.split(" 2")[0] for says in games][:3] == [
        "Aviary",
        "Arkwright: Water Frame",
        "Arkwright: Water Frame",
    ], games
    opened = mill.signed_in().get(next(to for says, to in page.links if says == "Aviary"))
    assert f'value="{ours}" checked' in opened.html
    assert "A game of other programs" not in page.text
