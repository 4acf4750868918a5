"""A league or a club that was a mistake leaves the lists, with a reason; its entries stay, and it can be restored."""

from __future__ import annotations

import pytest
from flask import Flask

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    FoundLeague,
    OpenSeason,
    RemoveClub,
    RemoveLeague,
    RenameClub,
    RestoreLeague,
    VoidResult,
)
from daybook.domain.league.seasons import DEFAULTS
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand


@pytest.fixture
def mill(book: Daybook, app: Flask) -> ClubAtHand:
    return ClubAtHand(book, app, public=True)


def test_mistaken_league_is_removed_with_seasons_and_restored(mill):
    mill.open_season()
    mill.draw()
    olga, visitor = mill.signed_in(), Visitor(mill.app)
    form = olga.get(f"{mill.path}/leagues/1").form("Remove it")
    page = olga.send(form, why=" ")
    assert (page.status, "Give a reason" in page.text) == (422, True)
    page = olga.send(form, why="opened twice")
    assert "This league was removed: opened twice" in page.text
    assert "Winter league" not in visitor.get(mill.path).text and "Removed leagues" in olga.get(mill.path).text
    assert "Round 1" not in visitor.get(mill.path).text, "its tables are not the next ones"
    with pytest.raises(Refused, match="the league Winter league was removed"):
        mill.by_olga(OpenSeason("1", "Spring", DEFAULTS["rounds"]))
    with pytest.raises(Refused, match="the league Winter league was removed"):
        mill.type("1", *mill.club.seats(mill.season.tables["1"]))
    olga.send(page.form("Restore the league"), why="it was none")
    assert "Winter league" in visitor.get(mill.path).text
    assert [entry.topic for entry in mill.club.entries][-2:] == ["league_removed", "league_restored"]


def test_removed_league_cannot_return_under_a_taken_name(mill):
    mill.by_olga(RemoveLeague("1", "wrong games"))
    mill.by_olga(FoundLeague("Winter league", ["water_frame"]))
    with pytest.raises(Refused, match="there is already a league “Winter league”"):
        mill.by_olga(RestoreLeague("1", "after all"))


def test_what_was_played_does_not_vanish(mill):
    mill.open_season()
    mill.draw()
    mill.type("1", *mill.club.seats(mill.season.tables["1"]))
    for remove in (lambda why: mill.by_olga(RemoveLeague("1", why)), lambda why: mill.by_olga(RemoveClub(why))):
        with pytest.raises(Refused, match="table 1 of Autumn has a game or a result"):
            remove("a mistake")
    mill.by_olga(VoidResult(mill.season.id, "1", "never played"))
    mill.by_olga(RemoveLeague("1", "a mistake"))


def test_mistaken_club_is_removed_and_restored_by_its_organiser(mill):
    mill.member("Mia", "umpire", "scorekeeper")
    olga, mia, visitor = mill.signed_in(), mill.signed_in("mia"), Visitor(mill.app)
    assert mia.post(f"{mill.path}/remove", why="x", key=key()).status == 403
    olga.press(f"{mill.path}/settings", "Remove it", why="founded twice")
    assert "The Mill" not in visitor.get("/clubs").text and "The Mill" not in mia.get("/clubs").text
    assert visitor.client.get("/api/v1/clubs").json["clubs"] == []
    page = olga.get(mill.path)
    assert "This club was removed: founded twice" in page.text and "Removed clubs" in olga.get("/clubs").text
    with pytest.raises(Refused, match="the club was removed; restore it first"):
        mill.by_olga(RenameClub("The Barn"))
    olga.send(page.form("Restore the club"), why="it was none")
    assert "The Mill" in visitor.get("/clubs").text
