"""A game with halves in a club: every page, file and answer shows 12.5 as 12.5."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.commands import Close, Decide
from daybook.domain.league.club_commands import EnterGame, FoundLeague, OpenSeason, PlanEvening
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.seasons import Format
from daybook.services.clock import now
from daybook.services.league import clubs, ratings
from daybook.services.people import accounts
from tests.played import open_seats, write
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import enter_as_keeper

DUEL = {"game.name": "Duel", "score.halves": True, "score.count": "open"}
ROUNDS = ((7.5, 12), (5, -0.5))  # 12.5 to 11.5


@pytest.fixture
def duel(mill: Any) -> Any:
    """Two games of Anna and Ben, one in a season and one in the evening."""
    hash = mill.book.sheets.publish("score_sheet", "Duel", DUEL, "tests", is_complete=True)
    anna, ben = (mill.member(name) for name in ("Anna", "Ben"))
    league = mill.by_olga(FoundLeague("Duels", [":Duel"])).step
    form = Format("free", table_sizes=(2,))
    opened = mill.by_olga(OpenSeason(clubs.league_at(mill.club, league), "Autumn", form)).step
    mill.by_olga(PlanEvening(now(), "Club room"))
    season = clubs.season_at(mill.club, opened).id
    mill.games = []
    for held in (season, BESIDE):
        game = open_seats(
            mill.book, ("Anna", "Ben"), "score_sheet", "Duel", sheet=hash, public=True, people=(anna, ben)
        )
        for figures in ROUNDS:
            for seat, figure in enumerate(figures):
                write(mill.book, game, Decide(seat, {"type": "enter", "line": "points", "value": figure}))
            write(mill.book, game, Decide(0, {"type": "end_round" if figures == ROUNDS[0] else "end_game"}))
        enter_as_keeper(mill.book, mill.id, EnterGame(held, str(game), people=(anna, ben)), by=mill.olga)
        write(mill.book, game, Close())
        mill.games.append(game)
    catch_up(mill.book)
    ratings.rate_club(mill.book, mill.id)
    mill.people = (anna, ben)
    return mill


PAGES = (
    "",
    "/plays",
    "/people/{anna}",
    "/seasons/{season}",
    "/seasons/{season}/tables/1",
    "/seasons/{season}/results.csv",
    "/plays.csv",
    "/plays.json",
    "/plays.xml",
    "/evenings/1",
    "/evenings/1/review",
    "/evenings/1/live",
    "/statistics",
)
ANSWERS = ("/statistics/:Duel", "/statistics/:Duel/ask?measure=by_line&by=person", "/statistics/:Duel/records.csv")


def test_every_page_of_a_club_shows_halves(duel):
    olga, season = duel.signed_in(), next(name for name in duel.club.seasons if name != BESIDE)
    addresses = [duel.path + page.format(anna=duel.people[0], season=season) for page in PAGES]
    for language in ("en", "ko"):
        for address in (*addresses, *ANSWERS, f"/games/{duel.games[0]}", f"/games/{duel.games[0]}/score"):
            text = olga.client.get(address, headers={"Accept-Language": language}).text
            assert "12.5" in text and "12.50" not in text, address


def test_halves_of_a_record_reach_programs_as_numbers(duel):
    olga = duel.signed_in()
    headers = {"Authorization": f"Bearer {accounts.make_key(duel.book, duel.olga, 'script')}"}
    plays = olga.client.get(f"/api/v1{duel.path}/plays", headers=headers).json["plays"]
    assert [[player["score"] for player in play["players"]] for play in plays] == [[12.5, 11.5]] * 2
    bg_stats = olga.client.get(f"/api/v1/games/{duel.games[0]}/bg-stats", headers=headers).json["play"]
    assert [player["score"] for player in bg_stats["players"]] == [12.5, 11.5]


def test_exported_halves_are_known_when_they_come_back(duel):
    olga = duel.signed_in()
    file = olga.client.get(f"{duel.path}/plays.csv").text
    page = olga.press(f"{duel.path}/import", "Preview the import", text=file)
    assert "0 plays are new, 2 are already here" in page.text
    page = olga.press(f"{duel.path}/import", "Preview the import", text=file.replace("daybook:", "other:"))
    assert "2 are here under another id" in page.text and "Day, people and scores agree" in page.text
