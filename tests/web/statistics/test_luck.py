"""Luck and play in statistics: by person, the costliest moves, each with its step; and their readers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import NamedTuple
from uuid import UUID

import pytest
from flask import Flask

from daybook.domain.games import RULESETS
from daybook.services.analysis import switches
from daybook.services.analysis.win_chances import AnalysedMove
from daybook.services.people import anonymise
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.statistics.visibility import show_game
from daybook.services.store.daybook import Daybook, open_daybook
from tests.axe import in_both_lights
from tests.played import update_games
from tests.services.analysis.quick import little_effort, make_all, name_a_move
from tests.web.conftest import NAMES, Opened, Visitor, open_table

pytestmark = pytest.mark.slow

ADDRESS = "/statistics/making_profit/luck"
FILES = [f"/statistics/making_profit/{name}.{kind}" for name in ("luck", "moves", "swings") for kind in ("csv", "json")]


@pytest.fixture
def book(
    request: pytest.FixtureRequest, tmp_path: Path, empty_data: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Daybook]:
    """A copy of what was analysed once for all tests that ask for it."""
    little_effort(monkeypatch)
    asked = next((value for value in ("analysed_data", "often_data") if value in request.fixturenames), None)
    with opened(request.getfixturevalue(asked).data if asked else empty_data, tmp_path) as there:
        yield there


@contextmanager
def opened(data: Path, at: Path) -> Iterator[Daybook]:
    there = open_daybook(Settings(data=Path(copytree(data, at / "data")), win_chances_seconds_per_day=3600))
    yield there
    there.close()


class Analysed(NamedTuple):
    """A data folder with an analysed game, one of whose moves has a known better one."""

    data: Path
    game: UUID
    move: AnalysedMove


@pytest.fixture(scope="module")
def analysed_data(built_app: Flask, empty_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    """A public game that has ended, was counted and analysed."""
    at = tmp_path_factory.mktemp("analysed")
    with pytest.MonkeyPatch.context() as patch, opened(empty_data, at) as book:
        little_effort(patch)
        game = open_table(book, built_app, public=True, title="Tuesday")
        game.play(3_000)
        game.update_list()
        collect.count_all(book)
        return Analysed(at / "data", game.id, analyse_with_move(game))


@pytest.fixture
def analysed_game(analysed_data: Analysed, book: Daybook, app: Flask) -> tuple[Opened, AnalysedMove]:
    return Opened(book, app, analysed_data.game), analysed_data.move


def analyse_with_move(game: Opened) -> AnalysedMove:
    make_all(game.book, game.id)
    return name_a_move(game.book, game.id)


def test_a_move_that_cost_most_leads_to_its_step_and_to_what_if(analysed_game, visitor):
    game, move = analysed_game
    page = visitor.get(visitor.get("/statistics/making_profit").link("Luck and play"))
    assert "Of 1 game, 1 has win chances." in page.text and "An estimate: steady practice players" in page.text
    assert "instead: +14 percentage points, likely 7 to 21" in page.text and "Tuesday" in page.text
    who = NAMES[move.weighed.seat]
    assert page.link(f"Step {move.step}, {who}").endswith(f"{game.path}?step={move.step}")
    line = visitor.send(page.form("Try it"))
    assert line.status == 200 and "What if" in line.text


def test_the_swings_name_who_they_befell_and_what_brought_them(analysed_game, visitor):
    rows = json.loads(visitor.client.get("/statistics/making_profit/swings.json").data)["rows"]
    page = visitor.get(ADDRESS)
    assert rows
    for row in rows:
        cells = row["cells"]
        gain = f"{round(cells['gain']):+d}".replace("-", "−")
        brought = {"drawn": "luck", "decided": "play", "together": "both"}[cells["change"]]
        assert f"{cells['person']} {gain} percentage points ({brought})" in page.text
        assert f"?step={row['step']}" in page.html


def test_the_figures_can_be_taken_away_with_game_and_step(analysed_game, visitor):
    game, move = analysed_game
    (row,) = json.loads(visitor.client.get("/statistics/making_profit/moves.json").data)["rows"]
    assert (row["game"], row["step"]) == (str(game.id), move.step)
    assert row["cells"]["better"] == move.weighed.better
    lines = visitor.client.get("/statistics/making_profit/moves.csv").data.decode("utf-8-sig").splitlines()
    assert len(lines) == 2 and lines[1].endswith(f"14.0,7.0,21.0,{game.id},{move.step},0") and '{""type"":' in lines[1]
    people = json.loads(visitor.client.get("/statistics/making_profit/luck.json").data)["rows"]
    assert {row["cells"]["person"] for row in people} == {"Anna", "Ben", "Cleo"}
    assert all(row["cells"]["decided"] is None for row in people), "fewer than five games"
    page = visitor.get(ADDRESS)
    assert "for everyone with at least 5 games" in page.text and 'class="row-bar' not in page.html


def test_with_nothing_reckoned_the_page_says_what_to_do(open_game, visitor, book):
    page = visitor.get(ADDRESS)
    assert "Record a game to its end: Daybook calculates them" in page.text
    assert visitor.get(page.link("New game")).status == 200


def test_a_private_record_tells_nothing_to_strangers(analysed_game, visitor):
    game, _ = analysed_game
    show_game(game.book, game.id, False)
    for address in (ADDRESS, "/statistics/all/luck", *FILES):
        page = visitor.get(address)
        assert page.status == 200 and str(game.id) not in page.html, address
        assert not any(name in page.text for name in NAMES), address
    keeper = game.visitor()
    assert f"{game.path}?step=" in keeper.get(ADDRESS).html
    for address in FILES:
        assert any(name in keeper.get(address).html for name in NAMES), address


def test_club_page_shows_private_records_to_its_members_only(evening):
    club, game, _ = evening
    analyse_with_move(game)
    for above in (club.path, club.at()):  # type: ignore[attr-defined]
        olga, stranger = club.signed_in(), Visitor(game.app)  # type: ignore[attr-defined]
        page = olga.get(olga.get(f"{above}/statistics").link("Luck and play"))
        assert "Of 1 game, 1 has win chances." in page.text and f"{game.path}?step=" in page.html
        assert f"club={club.id}" in page.link("CSV")  # type: ignore[attr-defined]
        other = stranger.get(stranger.get(f"{above}/statistics").link("Luck and play"))
        assert str(game.id) not in other.html and "Anna" not in other.text and "percentage points" not in other.text
    switches.switch_chances(game.book, club.id, False)  # type: ignore[attr-defined]
    page = club.signed_in().get(f"/statistics/all/luck?club={club.id}")  # type: ignore[attr-defined]
    assert "Win chances are switched off for 1 game" in page.text and str(game.id) not in page.html


def test_a_game_whose_keeper_switched_them_off_is_not_told(analysed_game, visitor):
    game, _ = analysed_game
    keeper = game.visitor()
    keeper.press(f"{game.path}/chances", "No win chances")
    for address in (ADDRESS, *FILES):
        assert str(game.id) not in visitor.get(address).html and "Anna" not in visitor.get(address).text, address
    assert "Win chances are switched off for 1 game" in visitor.get(ADDRESS).text


def test_who_was_made_anonymous_has_no_name_in_it(analysed_game, visitor):
    game, move = analysed_game
    who = NAMES[move.weighed.seat]
    assert who in visitor.get(ADDRESS).text
    anonymise.anonymise(game.book, [game.game.opening.seats[move.weighed.seat].person], by="")
    for address in (ADDRESS, *FILES):
        assert who not in visitor.get(address).text, address


def test_where_none_are_reckoned_no_page_leads_there(app, book, visitor):
    from dataclasses import replace

    from daybook.web.app import begin

    begin(app, replace(book, settings=replace(book.settings, win_chances_seconds_per_day=0)))
    assert "Luck and play" not in visitor.get("/statistics/making_profit").text
    assert "are switched off on this Daybook" in visitor.get(ADDRESS).text


@pytest.fixture(scope="module")
def often_data(empty_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    """Practice games of three people, counted and analysed; the last of them."""
    at = tmp_path_factory.mktemp("often")
    with pytest.MonkeyPatch.context() as patch, opened(empty_data, at) as book:
        little_effort(patch)
        records = list(simulate.simulate_games(RULESETS["making_profit"], 3, 2, 1, {}))
        ids = list(simulate.insert_copies(book, records, 6, simulate.demonstration_players(3, 1), 1))
        update_games(book)
        collect.count_all(book)
        for id in ids:
            make_all(book, id)
            move = name_a_move(book, id)
        return Analysed(at / "data", id, move)


def test_a_picture_has_everybodys_play_and_luck(often_data, visitor):
    page = visitor.get(f"{ADDRESS}?practice=yes")
    rows = json.loads(visitor.client.get("/statistics/making_profit/luck.json?practice=yes").data)["rows"]
    for row in rows:
        for change in ("decided", "drawn"):
            mean = round(row["cells"][change + "_mean"], 1)
            gain = f"{mean:+g}".replace("-", "−") if mean else "0"
            assert f"{row['cells']['person']} {gain} a game" in page.text
    assert page.html.count('class="row-bar') >= 2 * len(rows)
    assert "95 percent interval of the average (Student)" in page.text


@pytest.mark.parametrize("width", [390, 1280])
def test_page_is_accessible_and_no_wider_than_the_window(often_data, page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}{ADDRESS}?practice=yes")
    assert in_both_lights(page).faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
