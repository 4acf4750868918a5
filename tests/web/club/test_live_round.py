"""The live page of a round: what it shows to whom, what its stream sends, and the delay that a league sets."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from flask import Flask, url_for

from daybook.domain.commands import Note
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.league.club import SeasonTable
from daybook.domain.league.club_commands import (
    AnswerEvening,
    ChangeClubSettings,
    ChangeLeague,
    PlanEvening,
    SetEveningTables,
)
from daybook.domain.league.club_events import EveningTable
from daybook.domain.league.standings import Standings
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, live_round, plays, results
from daybook.services.permissions import access, delays
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.store.daybook import Daybook
from tests.played import key, play, update_games, write
from tests.services.files.test_disagreements import catch_up
from tests.web.conftest import Visitor, silence_beats
from tests.web.leagues import ClubAtHand
from tests.web.recording.test_live import Stream, listening

pytestmark = [pytest.mark.sqlite_suffices]


class LiveRound(ClubAtHand):
    """A club whose first round is played."""

    def start(self, names: str = "Anna Ben Cleo Dora Eve Finn", public: bool = True, **options: str) -> None:
        self.open_season("swiss", names, table_sizes=(3,), rounds=3)
        self.draw()
        for table in self.round_tables():
            self.open_game(table, public, **options)

    def round_tables(self, number: int = 1) -> list[SeasonTable]:
        return [table for table in self.season.tables.values() if table.round == number]

    def open_game(
        self, table: SeasonTable, public: bool = True, ruleset: str = "making_profit", **options: str
    ) -> UUID:
        names = self.book.kept.names(table.seats)
        colours = RULESETS[ruleset].colours(self.book.sheets.printed_sheet(ruleset))
        players = [
            SeatedPerson(names[person], colour, person) for person, colour in zip(table.seats, colours, strict=False)
        ]
        new = NewGame(ruleset, f"Table {table.id}", players, options=options, public=public)
        opened, _ = clubs.open_table(self.book, self.id, self.season.id, table.id, new, by=self.olga, key=key())
        return opened.record

    @property
    def games(self) -> list[UUID]:
        return [UUID(table.game) for table in self.round_tables() if table.game]

    @property
    def live(self) -> str:
        return self.at("/rounds/1/live")


@pytest.fixture
def live(book: Daybook, app: Flask) -> LiveRound:
    club = LiveRound(book, app, public=True)
    club.start()
    return club


def text_of(visitor: Visitor, address: str) -> str:
    return visitor.get(address).text


def test_live_page_shows_tables_turns_and_standings(live, visitor):
    play(live.book, live.games[0], 20)
    page = visitor.get(live.live)
    assert page.status == 200
    assert page.html.count('<svg class="small-board"') == 2
    assert "data-since" in page.html
    assert "Standings as they are now" in page.text
    assert visitor.get(live.at("/live")).status == 200
    assert 'data-theme="dark"' in visitor.get(live.live, view="projector").html
    overlay = visitor.get(f"{live.live}/{live.round_tables()[0].id}/overlay")
    assert overlay.html.count("<article") == 1


def test_live_standings_mark_rises_and_possible_places(live):
    for number, game in enumerate(live.games):
        play(live.book, game, seed=number, close=True)
    live.draw(2)
    for table in live.round_tables(2):
        live.open_game(table)
    game = UUID(live.round_tables(2)[0].game)
    play(live.book, game, 40)
    groups = standings_now(live, 2)
    before = {place.person: place.before for place in groups[0].places}
    assert sorted(before.values()) == sorted(row.place for row in first_round(live).groups[0].rows)
    assert any(place.rise for place in groups[0].places)
    assert all(place.best <= place.worst for place in groups[0].places)


def first_round(live: LiveRound) -> Standings:
    return results.standings_of(
        live.club,
        live.club,
        live.season.id,
        [result for result in results.season_results(live.book, live.club, live.season.id) if result.round == 1],
    )


def standings_now(live: LiveRound, number: int) -> list[live_round.LiveGroup]:
    scope = live_round.scope_of_round(live.season, number)
    tables = [
        live_round.read_table(live.book, live.club, season, table, lambda _: True) for season, table in scope.tables
    ]
    return live_round.live_standings(live.book, live.club, live.season, number, tables)


def test_possible_places_only_become_narrower(book, app):
    live = LiveRound(book, app)
    live.open_season("swiss", "Anna Ben Cleo Dora Eve Finn Gil Hana Ivo", table_sizes=(3,), rounds=3)
    chance = Random(7)
    for number in (1, 2, 3):
        live.draw(number)
        ranges = {place.person: (place.best, place.worst) for place in standings_now(live, number)[0].places}
        for table in chance.sample(live.round_tables(number), 3):
            live.type(table.id, *chance.sample(table.seats, 3))
            for place in standings_now(live, number)[0].places:
                best, worst = ranges[place.person]
                assert best <= place.best <= place.worst <= worst
                ranges[place.person] = place.best, place.worst
        final = {row.person: row.place for row in results.standings_at(book, live.club, live.season.id).groups[0].rows}
        assert ranges == {person: (place, place) for person, place in final.items()}


def test_private_game_on_public_page_shows_members_only(book, app, visitor):
    live = LiveRound(book, app, public=True)
    live.start(public=False)
    play(book, live.games[0], 20)
    stranger = visitor.get(live.live)
    assert "small-board" not in stranger.html
    assert stranger.text.count("private") == 2
    assert str(live.games[0]) not in stranger.html
    live.member("Mia")
    assert '<svg class="small-board"' in live.signed_in("mia").get(live.live).html


def test_private_club_has_no_live_page_for_strangers(book, app, visitor):
    live = LiveRound(book, app)
    live.start()
    table = live.round_tables()[0].id
    for address in ("", "/events", "/changes", f"/{table}/overlay"):
        assert visitor.client.get(live.live + address).status_code in (302, 303, 403, 404)
    assert visitor.client.get(live.at("/live")).status_code in (302, 303, 403, 404)
    assert visitor.client.get(f"/api/v1{live.live}").status_code in (401, 403)


def redact(game: Game) -> Document:
    return game.ruleset.secrecy.redact_board(game.board, None).document()


def test_covered_things_stay_covered(book, app, visitor):
    live = LiveRound(book, app, public=True)
    league = next(iter(live.club.leagues.values()))
    live.by_olga(ChangeLeague(league.id, league.name, ("london_markets",)))
    live.open_season("swiss", "Anna Ben Cleo Dora", table_sizes=(4,), rounds=3)
    live.draw()
    (table,) = live.round_tables()
    game = live.open_game(table, ruleset="london_markets")
    play(book, game, lambda game: redact(game) != game.document, seed=2)
    seen = live_round.read_table(book, live.club, live.season.id, live.round_tables()[0], lambda _: True)
    assert seen.game is not None
    assert seen.position is not None
    assert redact(seen.game) == seen.position.board != seen.game.document
    assert {seat.total for seat in seen.seats} == {None}, "players keep their money covered"
    assert visitor.get(live.live).status == 200


def test_api_shows_the_round_as_the_page_does(live, visitor):
    play(live.book, live.games[0], 20)
    shown = visitor.client.get(f"/api/v1{live.live}").get_json()
    assert [table["state"] for table in shown["tables"]] == ["running", "running"]
    assert shown["tables"][0]["step"] == live.book.games.get(live.games[0]).step
    assert len(shown["standings"][0]["places"]) == 6
    assert {"Anna", "Ben"} <= {*shown["names"].values()}


# --- the stream ------------------------------------------------------------------------------------------------------


def events_in(stream: Stream) -> Iterator[Any]:
    """Yield the data of a live page's compressed events."""
    unpack, text = zlib.decompressobj(wbits=31), ""
    while True:
        text += unpack.decompress(stream.answer.read1()).decode()
        *events, text = text.split("\n\n")
        for event in events:
            if event.startswith("id: "):
                yield json.loads(event.partition("data: ")[2])


def test_stream_sends_only_the_table_that_changed(live, site, app, visitor):
    page = visitor.get(live.live)
    token = page.html.split('data-token="')[1].split('"')[0]
    with listening(site, f"{live.live}/events?after={token}") as stream:
        play(live.book, live.games[1], 3)
        data = next(events_in(stream))
        tables = live.round_tables()
        assert f"region table.{live.season.id}.{tables[1].id} " in data["html"]
        assert f"region table.{live.season.id}.{tables[0].id} " not in data["html"]
    changes = visitor.client.get(f"{live.live}/changes", query_string={"after": token}).get_json()
    assert changes["names"] == data["names"]


# --- the delay -------------------------------------------------------------------------------------------------------

SECRET = "the north gate is open"


@pytest.fixture
def delayed(live: LiveRound) -> LiveRound:
    league = live.club.leagues[live.season.league]
    live.by_olga(ChangeLeague(league.id, league.name, league.rulesets, 60))
    play(live.book, live.games[0], 12)
    write(live.book, live.games[0], Note(5, SECRET))
    update_games(live.book)
    return live


def addresses_of_game(app: Flask, game: UUID, step: int) -> Iterator[str]:
    values = {"game_id": game, "step": step, "other_id": game, "period": "round"}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            is_read = "GET" in (rule.methods or ()) and not rule.endpoint.endswith("events")
            if is_read and "game_id" in rule.arguments and rule.arguments <= values.keys():
                yield url_for(rule.endpoint, **{name: values[name] for name in rule.arguments})


@pytest.mark.parametrize("who", ["stranger", "member", "reader"])
def test_no_address_leads_a_spectator_around_the_delay(delayed, app, who):
    book, game = delayed.book, delayed.games[0]
    step = book.games.get(game).step
    visitor = Visitor(app)
    if who == "member":
        visitor.sign_in(delayed.member("Mia"))
    if who == "reader":
        visitor.join(access.key_of(book, access.make_grant(book, game, "reader")))
    opened = 0
    for address in addresses_of_game(app, game, step):
        for query in ("", f"?step={step}", "?after=0", "?view=spectator"):
            answer = visitor.client.get(address + query)
            opened += answer.status_code == 200
            assert SECRET not in answer.get_data(as_text=True), address + query
            if str(step) not in address + query:  # a refusal repeats it
                assert f'"step":{step}' not in answer.get_data(as_text=True).replace(" ", ""), address + query
    assert opened > 20
    for address in ("/", "/api/v1/games", delayed.live, delayed.live + "/changes", delayed.path):
        answer = visitor.client.get(address)
        assert SECRET not in answer.get_data(as_text=True)
        assert f'"step":{step}' not in answer.get_data(as_text=True).replace(" ", "")
    assert visitor.client.get(f"/games/{game}/newest.json").get_json()["step"] == 0


def test_seats_see_the_game_without_delay(delayed, app):
    book, game = delayed.book, delayed.games[0]
    player = Visitor(app)
    player.join(access.key_of(book, access.make_grant(book, game, "seat", 0)))
    assert SECRET in player.get(f"/games/{game}").html
    assert SECRET in delayed.signed_in("olga").get(f"/games/{game}").html, "an organiser records"


def test_spectators_see_the_game_after_the_delay(delayed, visitor, monkeypatch):
    game = delayed.games[0]
    assert SECRET not in visitor.get(f"/games/{game}").html
    later = later_time(now(), seconds=61)
    monkeypatch.setattr(delays, "now", lambda: later)
    assert SECRET in visitor.get(f"/games/{game}").html


def test_result_is_shown_after_the_delay(live, app, monkeypatch):
    league = live.club.leagues[live.season.league]
    live.by_olga(ChangeLeague(league.id, league.name, league.rulesets, 60))
    embeds(live)
    at = f"{live.path}/seasons/{live.season.id}"
    table = live.round_tables()[0]
    addresses = (
        *(at, f"{at}/standings.csv", f"{at}/results.csv", f"{live.path}/plays", f"{at}/feed.atom"),
        *(f"{at}/rounds/1", f"{at}/tables/{table.id}", f"{live.path}/embed/seasons/{live.season.id}/standings"),
        *(f"/api/v1{at}/standings", f"/api/v1{at}/tables", f"/api/v1{at}/rounds/1/live"),
    )
    of_organiser = [address for address in addresses if "/embed/" not in address and "/api/" not in address]
    stranger, member, olga = Visitor(app), Visitor(app), live.signed_in("olga")
    member.sign_in(live.member("Mia"))
    visitors = {"stranger": stranger, "member": member}

    def read(visitor: Visitor) -> dict[str, str]:
        answers = {address: visitor.get(address) for address in addresses}
        assert [address for address, answer in answers.items() if answer.status != 200] == []
        return {address: answer.text for address, answer in answers.items()}

    catch_up(live.book)
    before, at_first = {who: read(visitor) for who, visitor in visitors.items()}, read(olga)
    play(live.book, live.games[0], close=True)
    catch_up(live.book)
    for_organiser = read(olga)
    assert [address for address in of_organiser if for_organiser[address] == at_first[address]] == []
    for who, visitor in visitors.items():
        now_read = read(visitor)
        assert [address for address in addresses if now_read[address] != before[who][address]] == [], who
    monkeypatch.setattr(delays, "now", lambda: later_time(now(), seconds=61))
    monkeypatch.setattr(results, "now", lambda: later_time(now(), seconds=61))
    monkeypatch.setattr(plays, "now", lambda: later_time(now(), seconds=61))
    for who, visitor in visitors.items():
        after = read(visitor)
        assert [address for address in addresses if after[address] == before[who][address]] == [], who


def test_spectator_stream_is_silent_until_the_delay_is_over(delayed, site, app):
    silence_beats(app)
    game = delayed.games[0]
    with listening(site, f"/games/{game}/events") as stream:
        assert stream.event() == ["id: 0", 'data: {"step": 0}']
        write(delayed.book, game, Note(1, "more"))
        streams = app.extensions["streams"]
        (open_stream,) = streams._open[game]
        assert open_stream.newest[game] == 0


# --- on other sites --------------------------------------------------------------------------------------------------


def embeds(live: LiveRound, **settings: Any) -> None:
    live.by_olga(ChangeClubSettings(msgspec.structs.replace(live.club.settings, embeds=True, **settings)))


def test_embeds_need_the_permission_of_the_club(live, visitor):
    address = f"{live.path}/embed/seasons/{live.season.id}/standings"
    assert visitor.get(address).status == 404
    embeds(live, embed_sites=("https://club.example",))
    answer = visitor.get(address).answer
    assert answer.status_code == 200
    assert "frame-ancestors https://club.example;" in answer.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    assert visitor.get(f"{live.path}/embed/seasons/{live.season.id}/tables").status == 200
    assert visitor.get(f"{live.path}/embed/calendar").status == 404, "evenings are for members"
    assert "frame-ancestors 'none'" in visitor.get(live.live).answer.headers["Content-Security-Policy"]


def test_embeds_of_a_private_club_show_nothing(book, app):
    live = LiveRound(book, app)
    live.start()
    embeds(live)
    for part in ("standings", "tables"):
        address = f"{live.path}/embed/seasons/{live.season.id}/{part}"
        assert Visitor(app).get(address).status == 404
        assert live.signed_in().get(address).status == 404, "a cookie in a frame changes nothing"


def test_embedded_calendar_shows_no_places(live, visitor):
    embeds(live, public_evenings=True)
    live.by_olga(PlanEvening(later_time(now(), days=2), "12 Mill Lane"))
    page = visitor.get(f"{live.path}/embed/calendar")
    assert page.status == 200
    assert "Mill Lane" not in page.html


@pytest.mark.parametrize(
    "site", ["javascript:1", "https://a.example/path", "https://a.example; script-src *", "'self'"]
)
def test_embed_site_that_is_no_site_is_refused(live, site):
    with pytest.raises(Refused):
        embeds(live, embed_sites=(site,))


# --- the report ------------------------------------------------------------------------------------------------------


def test_a_day_later_the_page_is_the_report(live, visitor, monkeypatch):
    for number, game in enumerate(live.games):
        play(live.book, game, seed=number, close=True)
    assert "report of the round" not in visitor.get(live.live).text
    later = later_time(now(), days=1)
    monkeypatch.setattr(live_round, "now", lambda: later)
    page = visitor.get(live.live)
    assert "report of the round" in page.text
    assert "Moments" in page.text


# --- an evening ------------------------------------------------------------------------------------------------------


def test_evening_shows_opened_and_planned_tables(book, app, visitor):
    live = LiveRound(book, app, public=True)
    live.start()
    people = live.club.everybody()
    live.by_olga(PlanEvening(later_time(now(), hours=-1)))
    evening = next(iter(live.club.evenings))
    for person in people[:6]:
        live.by_olga(AnswerEvening(evening, "yes", person))
    planned = (EveningTable("making_profit", people[:3]), EveningTable("", people[3:6]))
    live.by_olga(SetEveningTables(evening, planned, 1))
    address = f"{live.path}/evenings/{evening}/live"
    assert visitor.client.get(address).status_code == 403, "evenings are for members"
    member = live.signed_in()
    page = member.get(address)
    assert page.html.count("<article") == 4, "two tables of the round were opened this evening, two are planned"
    assert member.client.get(f"{address}/changes").get_json()["names"]
    assert member.get(f"{address}/plan-1/overlay").status == 200
    shown = member.client.get(f"/api/v1{address}")
    assert shown.status_code in (401, 403), "the API ignores cookies"
