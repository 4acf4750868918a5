"""Component sheets: published once, found by what they say, never changed."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.sheet import LARGEST_PRINTED, InvalidSheetError, overridden
from daybook.services.files import import_export, recordfile, verify
from daybook.services.play import recording
from daybook.services.play.practice import Dealer
from daybook.services.store.game_cache import UnknownRulesetError
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import UnknownSheetError, UnplayableError, examine_sheet
from tests.domain.games.moves import deal_steps

pytestmark = pytest.mark.sqlite_suffices

GAME = "making_profit"


def test_the_sheet_a_game_comes_with(book):
    printed = book.sheets.printed_sheet(GAME)
    assert printed["certificates.each_colour"] == 10
    assert all(number.where for number in printed.numbers.values())
    assert book.sheets.get(GAME, printed.digest()) is printed


@pytest.mark.both_databases
def test_a_corrected_sheet_is_found_by_its_hash(book):
    hash = book.sheets.publish(GAME, "second printing", {"start.money": 3, "turn.actions": 2}, "scorekeeper")
    sheet = book.sheets.get(GAME, hash)
    assert sheet.digest() == hash
    assert sheet["start.money"] == 3
    assert (sheet.numbers["start.money"].tag, sheet.numbers["start.money"].where) == ("box", "second printing")
    assert [(item.hash, item.name, item.overrides) for item in book.sheets.list(GAME)] == [
        (hash, "second printing", {"start.money": 3})
    ]
    assert book.sheets.list("another_game") == []


@pytest.mark.both_databases
def test_the_same_numbers_are_the_same_sheet(book):
    once = book.sheets.publish(GAME, "ours", {"start.money": 3}, "Anna")
    again = book.sheets.publish(GAME, "theirs", {"start.money": 3}, "Bo")
    assert once == again
    assert [sheet.name for sheet in book.sheets.list(GAME)] == ["ours"]


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("x", {}),
        ("x", {"start.money": 0}),
        ("x", {"start.cash": 1}),
        ("x", {"start.money": "much"}),
        ("x", {"start.money": True}),
        (" ", {"start.money": 3}),
        ("x" * 121, {"start.money": 3}),
        ("x\x00", {"start.money": 3}),
    ],
)
def test_no_sheet(book, name, overrides):
    with pytest.raises(InvalidSheetError):
        book.sheets.publish(GAME, name, overrides, "Anna")
    assert book.sheets.list(GAME) == []


@pytest.mark.both_databases
def test_an_unknown_hash(book):
    with pytest.raises(UnknownSheetError):
        book.sheets.get(GAME, "0" * 64)
    hash = book.sheets.publish(GAME, "ours", {"start.money": 3}, "Anna")
    with pytest.raises(UnknownRulesetError):
        book.sheets.get("another_game", hash)


# --- what the rules say to a sheet ---


@pytest.mark.parametrize("game", RULESETS)
def test_the_sheet_a_game_comes_with_is_played_as_it_is(game):
    assert examine_sheet(RULESETS[game], printed_sheet(game)) == []


@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("seed", range(12))
def test_any_well_formed_sheet_is_examined_and_opens(game, seed):
    """The rules refuse absurd numbers, and do not crash."""
    rules, sheet, random = RULESETS[game], printed_sheet(game), Random(seed)
    known = sorted(path for path in sheet.numbers if not path.endswith(".name"))
    paths = random.sample(known, min(len(known), random.choice([1, 1, 2, 5, 20, len(known)])))
    odd = overridden(sheet, {path: another(random, sheet[path]) for path in paths})
    findings = examine_sheet(rules, odd)
    if not any(finding.barred for finding in findings):
        rules.opening_board(rules.table(rules.colours(odd)[: rules.seats_with(odd)[0]], {}, odd))
    assert all(str(finding.reason) for finding in findings)


def another(random: Random, value: Any) -> Any:
    """A value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice([0, 1, value + 1, max(0, value - 1), 50, LARGEST_PRINTED])
    if isinstance(value, str):
        return random.choice(["", "x", value + "x", "I", "S", "0/0"])
    if isinstance(value, dict):
        return {key: another(random, part) for key, part in value.items()}
    parts = [another(random, part) if random.random() < 0.5 else part for part in value]
    return random.choice([[], parts, parts[:-1], parts + parts[:1], parts[::-1]])


def test_what_no_game_can_be_opened_with_is_not_published(book):
    with pytest.raises(UnplayableError, match=r"MP-7\.1: a number of cards or certificates on the table is below 0"):
        book.sheets.publish(GAME, "ours", {"start.certificates": 11}, "Anna")
    assert book.sheets.list(GAME) == []


def test_a_box_that_contradicts_the_rulebook_is_published(book):
    hash = book.sheets.publish(GAME, "ours", {"turn.set_price": 9}, "")
    assert [finding.rule for finding in examine_sheet(RULESETS[GAME], book.sheets.get(GAME, hash))] == ["MP-9.5"]


def test_too_long_a_name_of_who_publishes(book):
    with pytest.raises(InvalidSheetError, match="by: who publishes it has a name of at most 64 characters"):
        book.sheets.publish(GAME, "ours", {"start.money": 3}, "x" * 65)


# --- rows that a group adds ---

ADDED = {"events.corn_riots.name": "Corn Riots", "events.corn_riots.effect": "pay", "events.corn_riots.amount": 2}


def test_sheet_with_an_added_row_is_kept_in_the_order_of_the_box(book):
    hash = book.sheets.publish("water_frame", "ours", {**ADDED, "ships.8.crew": 2}, "Anna")
    sheet = book.sheets.get("water_frame", hash)
    assert sheet.under("events.corn_riots") == {
        "name": "Corn Riots",
        "two_players": True,
        "effect": "pay",
        "amount": 2,
        "per_loan": 0,
    }
    known = [path for path in sheet.numbers if not path.startswith("events.corn_riots.")]
    assert known == list(printed_sheet("water_frame").numbers)
    (listed,) = book.sheets.list("water_frame")
    assert listed.overrides["events.corn_riots.name"] == "Corn Riots"
    assert len(listed.overrides) == 6


@pytest.mark.both_databases
def test_game_with_an_added_row_is_recorded_exported_and_read(book):
    hash = book.sheets.publish("water_frame", "ours", ADDED, "Anna")
    opened = recording.open_game(
        book,
        recording.NewGame(
            ruleset_id="water_frame",
            title="Tuesday",
            players=[recording.SeatedPerson("A", "blue"), recording.SeatedPerson("B", "red")],
            options={},
            sheet=hash,
        ),
        key="k" * 16,
    )
    game = book.games.get(opened.record)
    assert game.opening.sheet.hash == hash
    assert game.opening.sheet.values["events.corn_riots.amount"] == 2
    assert game.opening.sheet.overrides["events.corn_riots.name"] == "Corn Riots"
    assert "corn_riots" in game.board.printed.events
    file = import_export.export_game(book, opened.record)
    assert verify.verify_file(io.BytesIO(file)).seal == game.seal
    read = recordfile.read_record_file(io.BytesIO(file), "2026-01-01T00:00:00Z")
    assert read.game.table.sheet.digest() == hash
    assert "corn_riots" in read.game.board.printed.events


@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_played_with_what_a_group_added(seed):
    rules, random = RULESETS["water_frame"], Random(seed)
    effects = [
        "importer each -1",
        "workers fired box 2; workers box fired 1",
        "share_spaces -2",
        "cash -5; cash 3",
        "distribution each -1",
        "quality lamps 1",
        "contract each 1; special_step",
        "close_row 4",
    ]
    own = {f"events.unknown_{letter}.effect": effect for letter, effect in zip("abcdefgh", effects, strict=True)}
    sheet = overridden(printed_sheet("water_frame"), {**ADDED, **own, "tiles.windmill.name": "Windmill"})
    *_, (*_, board, _) = deal_steps(rules, Dealer(random.randrange(1000)), 2 + seed, sheet)
    assert list(rules.integrity.breaches(board)) == []
    assert rules.scoring.outcome(board) is not None
