"""Sheets on which games break off are found before they are published, and the numbers that are to blame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.kernel.sheet import overridden
from daybook.services.play import sheet_trials
from daybook.services.play.sheet_trials import GAMES, Trial, break_offs, play_trial, publish_tried
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import Unplayable

pytestmark = pytest.mark.sqlite_suffices

HARMLESS = {"box.machines": 49, "tiles.office.pays": 7, "ships.8.crew": 2, "machines.upkeep": 2}
SHEET = printed_sheet("water_frame")


@pytest.fixture(autouse=True)
def as_many_games_as_people_get(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_trials, "GAMES", GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_games_on_the_sheets_that_daybook_comes_with_end(ruleset):
    assert list(break_offs(ruleset, printed_sheet(ruleset.id))) == []


@pytest.mark.parametrize(
    ("numbers", "blamed"),
    [
        ({"mat.III.shade": "light"}, ["mat.III.shade"]),
        ({"timetable.1800.level": "I"}, ["timetable.1800.level"]),
        ({"shares.held": 3, "shares.setup_price": 5}, ["shares.setup_price", "shares.held"]),  # neither of them alone
    ],
)
def test_the_numbers_that_break_a_game_off_are_named(numbers, blamed):
    found = list(break_offs(WATER_FRAME, overridden(SHEET, HARMLESS | numbers)))
    assert [path for one in found for path in one.paths] == blamed
    assert all(one.barred and one.rule == "WF-2" and one.reason.figures["step"] for one in found)


def test_a_game_that_does_not_open_did_not_break_off():
    trial = Trial(4, {}, 1)
    assert play_trial(WATER_FRAME, overridden(SHEET, {"seats.4.tiles_drawn": 60}), trial) is None
    assert play_trial(WATER_FRAME, overridden(SHEET, {"seats.4.laid": 9}), trial) is not None


def test_what_breaks_a_game_off_is_not_published(book, monkeypatch):
    unasked = replace(WATER_FRAME, integrity=replace(WATER_FRAME.integrity, consistency=()))
    monkeypatch.setitem(RULESETS, "water_frame", unasked)  # rules that expect nothing of a sheet
    with pytest.raises(
        Unplayable, match=r"WF-2: with this number a game of 4 comes to no end: it goes as far as step \d+"
    ):
        publish_tried(book.sheets, "water_frame", "ours", {"seats.4.laid": 9}, "Anna", whole=False)
    assert book.sheets.list("water_frame") == []
