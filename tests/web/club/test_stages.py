"""Pages on which the best of a closed season go on to a knock-out."""

from __future__ import annotations

import pytest

from daybook.domain.league.club_commands import CloseSeason

pytestmark = pytest.mark.sqlite_suffices


def close_season(mill):
    people = mill.open_season(rounds=1)
    mill.draw()
    mill.type("1", *mill.season.tables["1"].seats)
    mill.by_olga(CloseSeason("1"))
    return people


@pytest.mark.both_databases
def test_final_is_previewed_opened_drawn_and_won(mill):
    close_season(mill)
    seats, olga = mill.club.seasons["1"].tables["1"].seats, mill.signed_in()
    page = olga.get(f"{mill.at('/stage')}?places=3&kind=knockout")
    assert page.status == 200 and "3 players advance" in page.text
    page = olga.press(f"{mill.at('/stage')}?places=3&kind=knockout", "Open the final", name="Grand final")
    assert page.status == 200 and "Stage before" in page.text
    assert [*mill.season.players] == [*seats[:3]] and mill.season.qualifying_season == "1"
    assert "Grand final" in olga.get(f"{mill.path}/seasons/1").text
    page = olga.get(mill.at("/draw"))
    assert page.status == 200 and "Number of the draw" in page.text
    assert "do not meet" not in page.text and "Unfairness" not in page.text
    mill.draw()
    (table,) = mill.season.tables.values()
    assert {*table.seats} == {*seats[:3]}
    mill.type(table.id, *table.seats)
    for path in ("", "/tables", "/run", "/players"):
        assert olga.get(mill.at(path)).status == 200, path
    mill.by_olga(CloseSeason(mill.season.id))
    assert "won by" in olga.get(mill.path).text


def test_final_with_more_places_than_players_is_refused(mill):
    close_season(mill)
    page = mill.signed_in().get(f"{mill.at('/stage')}?places=9")
    assert "fewer than 9 players" in page.text and page.status == 200


@pytest.mark.parametrize("places", ["-1", "0", "x"])
def test_final_without_places_is_refused(mill, places):
    close_season(mill)
    olga = mill.signed_in()
    page = olga.press(f"{mill.at('/stage')}?places=2", "Open the final", places=places)
    assert page.status == 422 and "Enter a whole number." in page.text and len(mill.club.seasons) == 1


def test_knockout_season_is_opened_by_the_form(mill):
    olga = mill.signed_in()
    page = olga.press(
        f"{mill.path}/leagues/1/seasons/new?kind=knockout", "Open the season", name="Cup", advance_per_table="1"
    )
    assert page.status == 200 and (mill.season.format.kind, mill.season.format.advance_per_table) == ("knockout", 1)
