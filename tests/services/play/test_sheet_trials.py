"""Sheets on which games break off are found before they are published, and the numbers that are to blame."""

from __future__ import annotations

import time

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.score_sheet.rules import SCORE_SHEET
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.kernel.sheet import InvalidSheetError, overridden
from daybook.services.play import sheet_trials
from daybook.services.play.sheet_trials import (
    GAMES_PER_PLAYER_COUNT,
    Trial,
    examine_and_try,
    play_trial,
    publish_tried,
    try_games,
)
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import UnplayableError, examine_sheet

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

HARMLESS = {"box.machines": 49, "tiles.office.pays": 7, "ships.8.crew": 2, "machines.upkeep": 2}
SHEET = printed_sheet("water_frame")


@pytest.fixture(autouse=True)
def as_many_games_as_people_get(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_trials, "GAMES_PER_PLAYER_COUNT", GAMES_PER_PLAYER_COUNT)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_games_on_the_sheets_that_daybook_comes_with_end(ruleset, monkeypatch):
    monkeypatch.setattr(sheet_trials, "GAMES_PER_PLAYER_COUNT", 1)  # random games of each table play them too
    assert examine_and_try(ruleset, printed_sheet(ruleset.id)) == []


@pytest.mark.parametrize(
    ("numbers", "blamed"),
    [
        ({"mat.III.shade": "light"}, ["mat.III.shade"]),
        ({"timetable.1800.level": "I"}, ["timetable.1800.level"]),
        ({"shares.held": 3, "shares.setup_price": 5}, ["shares.setup_price", "shares.held"]),  # neither of them alone
    ],
)
def test_the_numbers_that_break_a_game_off_are_named(numbers, blamed):
    found = try_games(WATER_FRAME, overridden(SHEET, HARMLESS | numbers)).findings
    assert [path for item in found for path in item.paths] == blamed
    assert all(finding.barred and finding.rule == "WF-2" and finding.reason.figures["step"] for finding in found)


@pytest.mark.parametrize(
    ("ruleset_id", "numbers"),
    [
        ("making_profit", {"cards.R2.resources": 1_000_000}),
        ("london_markets", {"setup.bars_passed": 0}),
        ("london_markets", {"setup.bars_passed": 5, "bars.each_colour": 5, "setup.bars_in_market": 3}),
        ("london_markets", {"seats.4.tracks": []}),
        ("arkwright_card", {"solo.rows": 2}),
        ("arkwright_card", {"solo.columns": 6}),
        ("arkwright_card", {"supply.3.patent": 0}),
        ("water_frame", {"loan.amount": 0}),
        ("water_frame", {"tiles.patron_food.copies": 0}),
        ("water_frame", {"shares.held": 0}),
        ("water_frame", {"price.most": 6}),
        ("water_frame", {"predetermined.events.1770": "nothing"}),
        ("water_frame", {"predetermined.players.4.blue.prices": [6, 26]}),
    ],
)
def test_sheet_that_trials_cannot_finish_is_barred(ruleset_id, numbers):
    ruleset, sheet = RULESETS[ruleset_id], overridden(printed_sheet(ruleset_id), numbers)
    assert not any(message.barred for message in examine_sheet(ruleset, sheet)), "the game opens"
    assert any(message.barred for message in examine_and_try(ruleset, sheet))


def test_a_game_that_does_not_open_did_not_break_off():
    trial = Trial(4, {}, 1)
    assert play_trial(WATER_FRAME, overridden(SHEET, {"seats.4.tiles_drawn": 60}), trial) is None
    assert play_trial(WATER_FRAME, overridden(SHEET, {"seats.4.laid": 9}), trial) is not None


def test_what_breaks_a_game_off_is_not_published(book):
    with pytest.raises(
        UnplayableError, match=r"WF-2: with this number a 4-player game cannot finish: it is stuck at step \d+"
    ):
        publish_tried(book.sheets, "water_frame", "ours", {"seats.4.laid": 9}, "Anna", is_complete=False)
    assert book.sheets.list("water_frame") == []


# --- definitions whose games take long ---------------------------------------------------------------------------------

LONG_GAME = {
    "game.name": "Long evening",
    "game.most": 12,
    "game.colours": [f"colour {n}" for n in range(12)],
    "score.count": "rounds",
    "score.number": 99,
    "score.lines": [{"name": f"Line {n}", "kind": "number"} for n in range(12)],
}


@pytest.fixture
def few_seconds(monkeypatch):
    monkeypatch.setattr(sheet_trials, "TRIAL_CPU_SECONDS", 0.2)
    sheet_trials.try_games.cache.clear()
    yield
    sheet_trials.try_games.cache.clear()


def test_trial_of_a_long_game_ends_and_says_how_far_it_came(few_seconds):
    began = time.thread_time()
    findings = examine_and_try(SCORE_SHEET, overridden(printed_sheet(SCORE_SHEET.id), LONG_GAME))
    assert time.thread_time() - began < 2
    (stopped,) = [finding for finding in findings if "take long" in str(finding.reason)]
    assert not stopped.barred and stopped.reason.figures["ended"] < stopped.reason.figures["planned"]


def test_sheet_of_a_long_game_is_published_and_not_listed(book, few_seconds):
    hash = publish_tried(book.sheets, SCORE_SHEET.id, "Long evening", LONG_GAME, "", person="anna")
    assert book.sheets.published(SCORE_SHEET.id, hash).unlisted == "trial"
    assert book.sheets.newest(SCORE_SHEET.id, 9) == [] and book.sheets.count(SCORE_SHEET.id) == 0
    assert [item.hash for item in book.sheets.newest(SCORE_SHEET.id, 9, by="anna")] == [hash]
    assert book.sheets.hash_by_name(":Long evening") is None
    assert book.sheets.hash_by_name(":Long evening", before=[hash]) == hash


def test_trial_out_of_time_while_it_searches_still_bars(monkeypatch):
    budget = sheet_trials.CpuBudget(1e9)
    broken = overridden(SHEET, {"mat.III.shade": "light"})

    def run_out(*_: object) -> list[str]:
        raise sheet_trials.OutOfTimeError

    monkeypatch.setattr(sheet_trials, "numbers_to_blame", run_out)
    (found,) = sheet_trials._try_games(WATER_FRAME, broken, budget).findings
    assert found.barred and found.paths == ()


ONE_LINE = {"game.fewest": 2, "game.most": 2, "score.lines": [{"name": "Birds", "kind": "number"}]}  # a short trial


@pytest.mark.parametrize(
    ("name", "unlisted"),
    [
        ("Aviary", ""),
        ("Making Profit", "name"),
        ("Ｍａｋｉｎｇ profit", "name"),
        ("Making-\u3164Profit!", "name"),
        ("Catan", "name"),
        ("Making Profits", ""),
        ("\u041caking \u0420rofit", "name"),  # capitals of Cyrillic
        ("C\u0430t\u0430n", "name"),  # its small letters
        ("\u039c\u0391\u039a\u0399\u039dG PROFIT", "name"),  # capitals of Greek
        ("Maklng Prof\u0131t", "name"),
        ("\u13df\u13aat\u0430n\u0323", "name"),  # Cherokee, and a dot below
        ("\u041b\u043e\u0442\u043e", ""),
    ],
)
def test_sheet_called_as_a_game_of_daybook_is_not_listed(book, name, unlisted):
    given = ONE_LINE | {"game.name": name}
    hash = publish_tried(book.sheets, SCORE_SHEET.id, name, given, "", person="anna")
    assert book.sheets.published(SCORE_SHEET.id, hash).unlisted == unlisted
    assert [row.hash for row in book.sheets.page(SCORE_SHEET.id, "", 9).rows] == ([] if unlisted else [hash])


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u115f", " \ufe0f "])
def test_sheet_of_an_invisible_name_is_refused(book, name):
    with pytest.raises(InvalidSheetError):
        publish_tried(book.sheets, SCORE_SHEET.id, name, ONE_LINE | {"game.name": "Aviary"}, "")
    with pytest.raises(InvalidSheetError):
        publish_tried(book.sheets, SCORE_SHEET.id, "Aviary", ONE_LINE | {"game.name": name}, "")


def test_sheet_without_an_account_becomes_its_publishers(book):
    first = publish_tried(book.sheets, "water_frame", "rude", HARMLESS, "a stranger")
    assert book.sheets.page("water_frame", "", 9).rows == []
    assert publish_tried(book.sheets, "water_frame", "Second box", HARMLESS, "", person="anna") == first
    assert [row.name for row in book.sheets.page("water_frame", "", 9).rows] == ["Second box"]
    publish_tried(book.sheets, "water_frame", "taken over", HARMLESS, "", person="ben")
    assert [item.name for item in book.sheets.newest("water_frame", 9, by="anna")] == ["Second box"]
