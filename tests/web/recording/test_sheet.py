"""The component sheet: every number with its source, corrected sheets, and what each game was played with."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.water_frame.consistency import column
from daybook.domain.games.water_frame.moves import EventRevealed
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import PinnedSheet
from daybook.services.play import sheet_trials
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web.recording import sheet_form
from daybook.web.words import effect_sentence
from daybook.web.words.record_words import SOURCES
from daybook.web.words.sheet_layout import apart
from daybook.web.words.sheets import call_by, sheet_label
from tests.web.conftest import Form, VisitedPage, Visitor

pytestmark = pytest.mark.slow

GAME = "making_profit"


@pytest.fixture(autouse=True)
def no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """What trials find is tested on its own, and that what a form publishes can be played (test_sheets_played.py)."""
    monkeypatch.setattr(sheet_trials, "GAMES", 0)


@pytest.fixture
def form(visitor: Visitor) -> Form:
    return visitor.get(f"/sheets/{GAME}").form("Publish")


@pytest.fixture
def box(visitor: Visitor) -> Form:
    """The form of the game with the most tables, which takes further rows too."""
    return visitor.get("/sheets/water_frame").form("Publish")


def paths(fields: Iterable[str]) -> set[str]:
    return {apart(field)[0] for field in fields}


# --- what is shown ---


@pytest.mark.parametrize("game", RULESETS)
def test_every_number_stands_with_its_value_source_and_rule(visitor, game):
    page = visitor.get(f"/sheets/{game}")
    sheet = printed_sheet(game)
    assert set(sheet.numbers) <= paths(page.form("Publish").fields)
    for number in sheet.numbers.values():
        assert number.where in page.text
        assert number.rule in page.text
    for tag in {number.tag for number in sheet.numbers.values()}:
        count = sum(number.tag == tag for number in sheet.numbers.values())
        assert f"{tag} {SOURCES[tag]}: {count}" in page.text


@pytest.mark.parametrize("game", RULESETS)
def test_a_form_sent_back_as_it_came_changes_nothing(visitor, game):
    form = visitor.get(f"/sheets/{game}").form("Publish")
    page = visitor.send(form, name="ours", do="publish")
    assert page.status == 422
    assert "Every number is as on the sheet that Daybook comes with" in page.text
    assert (form.fields | {"name": "ours"}).items() <= page.form("Publish").fields.items()


def test_what_is_assumed_stands_out_and_can_be_shown_alone(visitor):
    page = visitor.get("/sheets/water_frame", only="assumed")
    assert page.form("Publish").fields["only"] == "assumed"
    assert visitor.get("/sheets/water_frame", only="nonsense").form("Publish").fields["only"] == "all"
    assert re.search(r'<td class="is-number assumed">.*?name="factories.food.IV"', page.html)
    assert re.search(r'<td class="is-number example">.*?name="factories.food.III"', page.html)
    assert "Factories 46 assumed" in page.text


def test_rows_that_hold_something_assumed_say_so_and_others_do_not(visitor):
    html = visitor.get("/sheets/water_frame").html
    rows = re.findall(r'<tr class="part([^"]*)">(.*?)</tr>', html, re.S)
    assert {"has-assumed" in kinds for kinds, _ in rows} == {True, False}
    for kinds, row in rows:
        assert ("has-assumed" in kinds) is ('class="source assumed"' in row or " new" in kinds), row


# --- publishing ---


def test_a_corrected_sheet_is_published_and_shown_with_its_differences(visitor, form, book):
    page = visitor.send(
        form,
        **{
            "name": "Second printing",
            "by": "Tuesday group",
            "start.money": "5",
            "factories.colours": "red, blue, green, yellow, black, pink",
        },
    )
    assert "The sheet is published" in page.text
    (published,) = book.sheets.list(GAME)
    assert published.overrides == {
        "start.money": 5,
        "factories.colours": ["red", "blue", "green", "yellow", "black", "pink"],
    }
    assert published.by == "Tuesday group"
    assert "Second printing Tuesday group" in page.text
    assert "Money at the start: 0 5" in page.text
    assert page.form("Publish").fields["start.money"] == "5", "the page shows the new sheet"
    assert "box Second printing" in page.text
    assert "differs; Daybook has 0" in page.text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"name": "x", "start.money": "five"}, "Write a whole number, not five"),
        ({"name": "x", "start.money": ""}, "Write a whole number"),
        ({"name": "x", "start.money": "1.5"}, "Write a whole number, not 1.5"),
        ({"name": "x", "start.money": "٣"}, "Write a whole number"),
        ({"name": "x", "start.money": "-1"}, "A number from 0 to 1000000, not -1"),
        ({"name": "x", "cards.R1.money": "many"}, "Money for each certificate: write a whole number, not many"),
        ({"name": " ", "start.money": "5"}, "A sheet has a name"),
        ({"name": "y" * 121, "start.money": "5"}, "A sheet has a name"),
        ({"name": "x", "by": "z" * 65, "start.money": "5"}, "Who publishes it has a name of at most 64 characters"),
        ({"name": "x"}, "Every number is as on the sheet that Daybook comes with"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_published(visitor, form, book, fields, says):
    page = visitor.send(form, **fields)
    assert page.status == 422
    assert says in page.text and ".." not in page.text
    assert fields.items() <= page.form("Publish").fields.items()
    assert book.sheets.list(GAME) == []


def test_what_contradicts_the_rulebook_is_told_once_and_may_be_published_all_the_same(visitor, form, book):
    page = visitor.send(form, **{"name": "ours", "turn.set_price": "9"})
    assert page.status == 200
    sold = "Red sells R1, M1 and M2 for"
    assert f"MP-9.5 With these numbers: {sold} $9. – in the rulebook: {sold} $10." in page.text
    assert f"Red: M2 cards in hand: 1 {sold} $9. In the rulebook: {sold} $10." in page.text, "among all examples"
    assert book.sheets.list(GAME) == []
    again = page.form("Publish anyway")
    other = visitor.send(again, **{"turn.set_price": "8"})
    assert f"With these numbers: {sold} $8" in other.text, "other numbers are looked at anew"
    assert book.sheets.list(GAME) == []
    page = visitor.send(other.form("Publish anyway"))
    assert "The sheet is published" in page.text
    assert "The box may well be right" in page.text
    assert [one.overrides for one in book.sheets.list(GAME)] == [{"turn.set_price": 8}]


def test_what_no_game_can_be_opened_with_is_not_published(visitor, form, book):
    page = visitor.send(form, **{"name": "ours", "turn.actions": "0"})
    assert page.status == 422
    assert "No game can be played with these numbers" in page.text
    assert "MP-2.1.11 A turn has at least 1 action, not 0" in page.text
    assert page.link("A turn has at least") == "#turn.actions"
    assert page.form("Publish").fields["turn.actions"] == "0"
    assert book.sheets.list(GAME) == []


def test_a_group_that_compared_everything_publishes_a_sheet_without_assumptions(visitor, form, book):
    page = visitor.send(form, **{"start.money": "5", "whole": "yes", "do": "check"})
    assert "a placeholder: compare it with your box" not in page.text
    page = visitor.send(page.form("Publish"), name="ours", do="publish")
    assert "The sheet is published" in page.text
    assert page.form("Publish").fields["whole"] == "yes", "what begins as this one assumes nothing either"
    sheet = book.sheets.get(GAME, book.sheets.list(GAME)[0].hash)
    assert {number.tag for number in sheet.numbers.values()} == {"text", "public", "box"}
    assert sheet.numbers["cards.R1.copies"].where == "ours"
    assert book.sheets.list(GAME)[0].overrides == {"start.money": 5}


def test_a_sheet_is_checked_before_it_is_published(visitor, form, book):
    page = visitor.send(form, **{"start.money": "5", "do": "check"})
    assert "The numbers fit together. Nothing is published yet." in page.text
    assert page.form("Publish").fields["start.money"] == "5"
    page = visitor.send(form, **{"turn.set_price": "9", "do": "check"})
    assert "MP-9.5" in page.text
    assert book.sheets.list(GAME) == []


def test_numbers_that_are_published_already_are_found(visitor, form, book):
    for name in ("ours", "theirs"):
        page = visitor.send(form, **{"name": name, "start.money": "5"})
    assert "These numbers are already published, as ours." in page.text
    assert [one.name for one in book.sheets.list(GAME)] == ["ours"]


def test_a_published_sheet_is_where_another_begins(visitor, form, book):
    page = visitor.send(form, **{"name": "ours", "start.money": "5"})
    page = visitor.send(page.form("Publish"), **{"name": "with a third hand card", "start.level": "1"})
    assert [one.overrides for one in book.sheets.list(GAME)] == [
        {"start.money": 5},
        {"start.money": 5, "start.level": 1},
    ]


def test_a_game_is_opened_with_a_sheet_from_its_page(visitor, form, book):
    page = visitor.send(form, **{"name": "ours", "start.money": "5"})
    asked = visitor.get(page.link("New game with it")).form("Open the game")
    assert asked.fields["sheet"] == book.sheets.list(GAME)[0].hash


def test_a_long_list_of_differences_is_folded(visitor, book):
    book.sheets.publish(
        GAME,
        "ours",
        {f"box.{what}": 1 for what in ("factories", "certificates", "cards", "card_types")}
        | {"start.money": 1, "start.level": 1, "turn.hand_limit": 3},
        "seat:1",
    )
    page = visitor.get(f"/sheets/{GAME}")
    assert "ours a player" in page.text
    assert "<summary>7 numbers differ</summary>" in page.html
    assert "7 numbers differ" in visitor.get(f"/new?game={GAME}").text


# --- lists, choices, tables of their own ---


@pytest.mark.parametrize(
    ("fields", "overrides"),
    [
        ({"chart.rows[1]": "5"}, {"chart.rows": [2, 5, 6, 8, 10]}),
        ({"chart.rows[5]": "12"}, {"chart.rows": [2, 4, 6, 8, 10, 12]}),
        ({"thresholds.quality.colour[2]": "16"}, {"thresholds.quality.colour": [6, 12, 16]}),
        ({"thresholds.quality.light[2]": ""}, {"thresholds.quality.light": [5, 8]}),
        ({"timetable.1780.level": "III"}, {"timetable.1780.level": "III"}),
        ({"timetable.1790.obsolete": "i, II"}, {"timetable.1790.obsolete": ["I", "II"]}),
        ({"timetable.1790.obsolete": ""}, {"timetable.1790.obsolete": []}),
        (
            {"predetermined.tiles.2": "Charisma, small warehouse, extra_shifts"},
            {"predetermined.tiles.2": ["charisma", "small_warehouse", "extra_shifts"]},
        ),
        ({"rulings.importer_sells_on": "no"}, {"rulings.importer_sells_on": False}),
        ({"economy.food[0]": "1/1"}, {"economy.food": ["1/1", "0/2", "0/3", "1/1", "1/2", "1/3", "2/1", "2/2", "2/3"]}),
        ({"seats.4.contract_track": "2, 4, 6"}, {"seats.4.contract_track": [2, 4, 6]}),
    ],
)
def test_lists_are_read_place_by_place_or_in_words(visitor, box, fields, overrides):
    read = sheet_form.read_sheet_form("water_frame", printed_sheet("water_frame"), box.fields | fields)
    assert read == sheet_form.TypedSheet(overrides, {})


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"chart.rows[1]": ""}, "chart.rows[1]", "fill this in, or move the next ones up"),
        ({"chart.rows[1]": "four"}, "chart.rows[1]", "write a whole number, not four"),
        ({"timetable.1780.level": "V"}, "timetable.1780.level", "V is not one of: I, II, III, IV"),
        ({"timetable.1790.obsolete": "I, V"}, "timetable.1790.obsolete", "V is not one of: I, II, III, IV"),
        ({"rulings.importer_sells_on": "perhaps"}, "rulings.importer_sells_on", "Write yes or no"),
        ({"events.lobby.effect": "earthquake"}, "events.lobby.effect", "earthquake is not one of"),
    ],
)
def test_a_list_that_cannot_be_read_stays_as_it_was_typed(visitor, box, fields, field, says):
    page = visitor.send(box, **fields)
    assert page.status == 422
    assert says in page.text
    assert fields.items() <= page.form("Publish").fields.items()
    assert f'aria-describedby="{field}-wrong"' in page.html
    assert f'id="{field}-wrong"' in page.html


def test_a_table_of_its_own_has_a_field_for_each_of_its_keys(visitor):
    fields = visitor.get("/sheets/london_markets").form("Publish").fields
    assert (fields["box.height_of_goods_piles[3]"], fields["box.height_of_goods_piles[4]"]) == ("12", "10")
    read = sheet_form.read_sheet_form(
        "london_markets", printed_sheet("london_markets"), fields | {"box.height_of_goods_piles[4]": "9"}
    )
    assert read.overrides == {"box.height_of_goods_piles": {"3": 12, "4": 9}}


# --- a choice, or written out ---


def test_what_a_marker_does_is_chosen_or_written_out(visitor, box, book):
    assert box.fields["events.lobby.effect"] == "special_step"
    assert box.fields["events.lobby.effect~"] == ""
    page = visitor.send(
        box,
        **{
            "events.unknown_a.name": "Corn Riots",
            "events.unknown_a.effect": "~",
            "events.unknown_a.effect~": "importer food -1;  cash -5",
            "name": "ours",
        },
    )
    assert "The sheet is published" in page.text
    (published,) = book.sheets.list("water_frame")
    assert published.overrides["events.unknown_a.effect"] == "importer food -1; cash -5"
    fields = page.form("Publish").fields
    assert (fields["events.unknown_a.effect"], fields["events.unknown_a.effect~"]) == ("~", "importer food -1; cash -5")
    assert "Effect: nothing, or what the table tells importer food -1; cash -5" in page.text


@pytest.mark.parametrize("text", ["", "it rains", "importer tea 1", "cash -5; cash"])
def test_what_is_written_out_and_cannot_be_read_stays_there(visitor, box, text):
    fields = {"events.unknown_a.effect": "~", "events.unknown_a.effect~": text}
    page = visitor.send(box, name="ours", **fields)
    assert page.status == 422
    assert "Effect: each effect is one of: importer food -1" in page.text
    assert fields.items() <= page.form("Publish").fields.items()


def test_what_was_written_beside_a_choice_is_kept_and_not_taken(visitor, box):
    fields = box.fields | {"events.unknown_a.effect": "pay", "events.unknown_a.effect~": "it rains"}
    assert sheet_form.read_sheet_form("water_frame", printed_sheet("water_frame"), fields).overrides == {
        "events.unknown_a.effect": "pay"
    }
    page = visitor.send(box, **fields, do="check")
    assert page.form("Publish").fields["events.unknown_a.effect~"] == "it rains"


# --- rows that a group adds ---


def test_a_marker_that_the_sheet_does_not_know_is_added_by_its_name(visitor, box, book):
    page = visitor.send(
        box, **{"events.+1.name": "Corn Riots", "events.+1.effect": "pay", "events.+1.amount": "3", "do": "check"}
    )
    fields = page.form("Publish").fields
    assert (fields["events.+1.name"], fields["events.+2.name"]) == ("Corn Riots", ""), "one more row is there"
    page = visitor.send(page.form("Publish"), **{"events.+2.name": "Great Frost", "name": "ours"})
    page = visitor.send(page.form("Publish anyway"))
    (published,) = book.sheets.list("water_frame")
    assert published.overrides["events.corn_riots.amount"] == 3
    assert published.overrides["events.great_frost.name"] == "Great Frost"
    assert "Event markers, Corn Riots, How much: 3" in page.text
    fields = page.form("Publish").fields
    assert fields["events.corn_riots.name"] == "Corn Riots"
    page = visitor.send(
        page.form("Publish"),
        **{"events.corn_riots.name": "Bread Riots", "events.great_frost.name": "", "name": "mended"},
    )
    visitor.send(page.form("Publish anyway"))
    mended = book.sheets.list("water_frame")[1]
    assert {path for path in mended.overrides if path.endswith(".name")} == {"events.bread_riots.name"}


def test_a_band_that_the_sheet_does_not_know_is_added_by_its_number(visitor, box, book):
    assert box.fields["wages.5.up_to"] == "0" and "wages.6.up_to" not in box.fields, "one more row is there"
    page = visitor.send(
        box,
        **{
            "wages.4.up_to": "18",
            "wages.5.up_to": "19",
            "wages.5.wage": "6",
            "share_track.4.up_to": "0",
            "do": "check",
        },
    )
    fields = page.form("Publish").fields
    assert (fields["wages.5.up_to"], fields["wages.5.wage"], fields["wages.6.up_to"]) == ("19", "6", "0")
    page = visitor.send(page.form("Publish"), **{"wages.6.up_to": "20", "wages.6.wage": "seven", "name": "ours"})
    assert "write a whole number" in page.text
    page = visitor.send(page.form("Publish"), **{"wages.6.wage": "7", "name": "ours"})
    page = visitor.send(page.form("Publish anyway"))
    (published,) = book.sheets.list("water_frame")
    assert published.overrides == {
        "wages.4.up_to": 18,
        "wages.5.up_to": 19,
        "wages.5.wage": 6,
        "wages.6.up_to": 20,
        "wages.6.wage": 7,
        "share_track.4.up_to": 0,
    }
    assert "Wages, Band 6, Wage: 7" in page.text
    sheet = book.sheets.get("water_frame", published.hash)
    assert column(sheet, "wages", "up_to") == [8, 12, 16, 18, 19, 20]
    assert column(sheet, "share_track", "up_to") == [10, 30, 60]


def test_the_output_of_one_good_is_added_where_it_differs_from_that_of_all(visitor, box, book):
    levels = [f"output.{good}.{level}.1" for good in ("food", "lamps") for level in ("I", "II", "III", "IV")]
    assert [box.fields[field] for field in levels] == [""] * 8
    page = visitor.send(box, **{"output.lamps.III.2": "many", "output.III.4": "3", "do": "check"})
    assert "write a whole number" in page.text
    page = visitor.send(page.form("Publish"), **{"output.lamps.III.2": "3", "output.food.I.1": "1", "do": "check"})
    fields = page.form("Publish").fields
    assert (fields["output.lamps.III.2"], fields["output.lamps.III.1"], fields["output.lamps.II.1"]) == ("3", "", "")
    assert re.search(r'name="output.lamps.III.4" value="" [^>]*placeholder="3"', page.html), "as for all goods"
    page = visitor.send(page.form("Publish"), name="ours", do="publish")
    (published,) = book.sheets.list("water_frame")
    assert published.overrides == {
        "output.III.4": 3,
        "output.lamps.III.1": 2,
        "output.lamps.III.2": 3,
        "output.lamps.III.3": 2,
        "output.lamps.III.4": 3,
    }, "what says the same as for all goods is nothing of its own"
    assert "Goods made by a complete row of lamps, III, Row 2: 3" in page.text
    form = page.form("Publish")
    keys = [field.split(".")[2] for field in form.fields if field.startswith("output.lamps.") and field.endswith(".1")]
    assert keys == ["I", "II", "III", "IV"], "in the order of the levels"
    page = visitor.send(form, name="again")
    assert "already published, as ours" in page.text
    page = visitor.send(form, **{f"output.lamps.III.{row}": "" for row in range(1, 5)}, name="without")
    assert book.sheets.list("water_frame")[-1].overrides == {"output.III.4": 3}, page.text


def test_the_output_of_one_good_is_read_from_a_file(visitor, book):
    text = b'[sheet]\nformat = 1\ngame = "water_frame"\nname = "b"\n[output.food.I]\n1 = 2\n[output.food.IV]\n4 = 4\n'
    page = bring(visitor, text, "water_frame")
    fields = page.form("Publish").fields
    assert [fields[f"output.food.I.{row}"] for row in range(1, 5)] == ["2", "2", "1", "0"]
    warned = visitor.send(page.form("Publish"), name="b")
    assert "WF-9.38 With these numbers: Blue stores 3 food." in warned.text
    visitor.send(warned.form("Publish anyway"))
    (published,) = book.sheets.list("water_frame")
    assert published.overrides == {
        f"output.food.{level}.{row}": made
        for level, whole in (("I", (2, 2, 1, 0)), ("IV", (3, 3, 2, 4)))
        for row, made in enumerate(whole, 1)
    }


def test_an_unknown_one_takes_its_name_from_the_box(visitor, box, book):
    page = visitor.send(
        box,
        **{
            "events.unknown_a.name": "Corn Riots",
            "events.unknown_a.effect": "pay",
            "events.unknown_a.amount": "3",
            "tiles.unknown_a.name": "Windmill",
            "name": "ours",
        },
    )
    assert "The sheet is published" in page.text
    assert "Event markers, Corn Riots, Effect: nothing, or what the table tells everyone pays" in page.text


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"events.+1.name": "Lobby"}, "events.+1.name", "there is one called Lobby already"),
        ({"events.+1.name": "…"}, "events.+1.name", "a name has letters or digits"),
        ({"events.+1.name": "x" * 41}, "events.+1.name", "a name has at most 40 characters, not 41"),
        ({"events.+1.effect": "pay"}, "events.+1.name", "what is it called?"),
        ({"events.+1.name": "Corn Riots", "events.+1.amount": "many"}, "events.+1.amount", "write a whole number"),
        (
            {"events.+1.name": "Corn Riots", "events.unknown_a.name": "Corn riots"},
            "events.unknown_a.name",
            "there is one called Corn riots already",
        ),
        ({"events.unknown_a.name": "Opium War"}, "events.unknown_a.name", "there is one called Opium War already"),
        ({"events.unknown_a.name": ""}, "events.unknown_a.name", "a name has letters or digits"),
    ],
)
def test_a_name_that_cannot_be_stays_as_it_was_typed(visitor, box, book, fields, field, says):
    page = visitor.send(box, name="ours", **fields)
    assert page.status == 422
    assert says in page.text
    assert f'aria-describedby="{field}-wrong"' in page.html
    assert fields.items() <= page.form("Publish").fields.items()
    assert book.sheets.list("water_frame") == []


def test_two_rows_of_one_name_are_told_apart_by_the_table(visitor, box):
    page = visitor.send(box, **{"events.+1.name": "Corn Riots", "events.+7.name": "corn  riots"})
    assert "there is one called corn riots already" in page.text
    assert page.form("Publish").fields["events.+7.name"] == "corn  riots"


def test_a_row_that_was_left_empty_is_no_row(visitor, box):
    assert sheet_form.read_sheet_form("water_frame", printed_sheet("water_frame"), box.fields) == sheet_form.TypedSheet(
        {}, {}
    )


# --- files ---


def test_a_sheet_is_saved_as_a_file_and_read_back(visitor, form, book):
    sent = visitor.client.post(
        form.action, data=form.fields | {"name": "Second printing", "by": "us", "start.money": "5", "do": "save"}
    )
    assert sent.headers["Content-Disposition"] == 'attachment; filename="making-profit-second-printing.toml"'
    page = bring(visitor, sent.data)
    assert "The numbers fit together. Nothing is published yet." in page.text
    fields = page.form("Publish").fields
    assert (fields["name"], fields["by"], fields["start.money"]) == ("Second printing", "us", "5")
    page = visitor.send(page.form("Publish"))
    (published,) = book.sheets.list(GAME)
    assert (published.name, published.by, published.overrides) == ("Second printing", "us", {"start.money": 5})
    assert (
        visitor.client.get(page.link("Save as a file")).data
        == visitor.client.get(f"/sheets/{GAME}/file?hash={published.hash}").data
    )
    assert b'name = "Second printing"' in visitor.client.get(page.link("Save as a file")).data


def test_a_file_with_added_rows_fills_the_form(visitor, box):
    sent = visitor.client.post(box.action, data=box.fields | {"events.+1.name": "Corn Riots", "do": "save"})
    page = bring(visitor, sent.data, "water_frame")
    assert page.form("Publish").fields["events.corn_riots.name"] == "Corn Riots"
    assert "The box holds 17 event markers; the sheet has 18" in page.text


def test_what_a_file_holds_and_the_sheet_does_not_take_is_named(visitor):
    page = bring(visitor, b'[sheet]\nformat = 1\ngame = "making_profit"\n[start]\nmoney = "much"\ncash = 3\nlevel = 1')
    assert page.status == 200
    assert "2 lines of the file are left out" in page.text
    assert "Money at the start: a whole number, not 'much'" in page.text
    assert "start.cash: the sheet of making_profit has no such number" in page.text
    assert page.form("Publish").fields["start.level"] == "1"


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"", "The file does not begin as a sheet does"),
        (b"GIF89a\xff", "The file is not text in UTF-8"),
        (b'[sheet]\nformat = 1\ngame = "chess"', "The file contains a sheet of chess, not of making_profit"),
    ],
)
def test_a_file_that_is_no_sheet_of_this_game(visitor, file, says):
    page = bring(visitor, file)
    assert page.status == 422
    assert says in page.text


def bring(visitor: Visitor, file: bytes, game: str = GAME) -> VisitedPage:
    return VisitedPage(
        visitor.client.post(
            f"/sheets/{game}/file", data={"csrf": visitor.token(), "file": (io.BytesIO(file), "sheet.toml")}
        )
    )


# --- elsewhere ---


def test_sheets_that_are_not_here_are_not_found(visitor):
    assert visitor.get("/sheets/chess").status == 404
    for path in (f"/sheets/{GAME}", f"/sheets/{GAME}/file"):
        assert visitor.get(path, hash="0" * 64).status == 404
    assert visitor.post(f"/sheets/{GAME}?hash={'0' * 64}").status == 404


def test_a_record_says_what_it_was_played_with(friday):
    text = friday.visitor().get(f"{friday.path}/about").text
    assert "Making Profit, revision 1 of the rules" in text
    assert f"as Daybook knows them {printed_sheet(GAME).digest()[:12]}" in text
    assert "Hands open: every card drawn is written down" in text
    assert "live, at the table, by the scorekeeper" in text
    assert "7: 7 decisions, 0 struck out" in text


def test_a_record_shows_its_seal_as_a_code_that_a_phone_can_keep(friday):
    page = friday.visitor().get(f"{friday.path}/about")
    seal = friday.game.seal
    assert f"{seal[:4]} {seal[4:8]} {seal[8:12]} {seal[12:16]}" in page.text
    assert f'data-seal="7.{seal}"' in page.html
    assert page.html.count('<div class="qr" aria-hidden="true"><svg') == 1


def test_a_photographed_seal_is_compared(page, site, friday):
    friday.enter(page, site, "reader")
    page.goto(f"{site}{friday.path}/about#7.{friday.game.seal}")
    page.get_by_text("is the one in this record").wait_for()
    page.goto("about:blank")
    page.goto(f"{site}{friday.path}/about#7.{'0' * 64}")
    page.get_by_text("is not the newest one here").wait_for()


def test_the_record_is_downloaded_whole_by_who_sees_everything(friday):
    page = friday.visitor().get(f"{friday.path}/about")
    keeper = friday.visitor()
    answer = keeper.client.get(page.link("Download the record"))
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="friday.daybook"'
    lines = answer.data.splitlines()
    assert len(lines) == 9
    assert json.loads(lines[-1])["seal"] == friday.game.seal


def test_while_hands_are_covered_a_reader_gets_no_record(friday):
    for role, seat in (("reader", None), ("seat", 1)):
        somebody = friday.visitor(role, seat)
        assert "It can be downloaded when the game is closed" in somebody.get(f"{friday.path}/about").text
        assert somebody.get(f"{friday.path}/export").status == 403


def test_a_published_sheet_stands_in_the_order_of_the_box(visitor, book):
    hash = book.sheets.publish(GAME, "Second printing", {"start.money": 5}, "scorekeeper")

    def fields(**query: str) -> list[str]:
        html = visitor.get(f"/sheets/{GAME}", **query).html
        return re.findall(r'<(?:input|select|textarea) id="([^"]+\.[^"]+)"', html)

    assert len(fields()) == len(printed_sheet(GAME).numbers)
    assert fields(hash=hash) == fields()


def test_a_game_calls_things_as_its_sheet_does(visitor, book):
    hash = book.sheets.publish("water_frame", "ours", {"events.unknown_a.name": "Great FROST"}, "us")
    form = visitor.get("/new", game="water_frame", sheet=hash).form("Open the game")
    visitor.send(form, **{"title": "Frost", "name.0": "Anna", "name.1": "Ben", "colour.0": "blue", "colour.1": "red"})
    (game,) = book.kept.games()
    assert book.games.get(game.id).opening.sheet.overrides == {"events.unknown_a.name": "Great FROST"}
    about = visitor.get(f"/games/{game.id}/about").text
    assert "Event markers, Great FROST, Name on the marker: Great FROST" in about


def test_what_happened_is_told_by_the_names_of_each_sheet(app):
    happened = plain(EventRevealed("WF-12", "unknown_a", 3))
    with app.test_request_context():
        assert effect_sentence("water_frame", happened, ()) == "Event of 3: Unknown A"
        for hash, name in (("one", "Great Frost"), ("other", "Long Summer")):
            call_by(PinnedSheet(hash, {}, {"events.unknown_a.name": name}))
            assert effect_sentence("water_frame", happened, ()) == f"Event of 3: {name}"


def test_names_of_things_last_for_one_request(app):
    words = {"unknown_a": "Unknown A", "lobby": "Lobby"}
    with app.test_request_context():
        call_by(
            PinnedSheet(
                "",
                {},
                {"events.unknown_a.name": "Great Frost", "events.corn_riots.name": "Corn RIOTS", "ships.8.crew": 3},
            )
        )
        assert sheet_label("events", "unknown_a", words) == "Great Frost"
        assert sheet_label("events", "corn_riots", words) == "Corn RIOTS"
        assert sheet_label("events", "lobby", words) == "Lobby"
        assert sheet_label("events", "Event of 1770", words) == "Event of 1770"
        call_by(PinnedSheet("", {}, {"events.unknown_a.name": "Unknown A"}))
        assert sheet_label("events", "corn_riots", words) == "Corn riots"
    with app.test_request_context():
        assert sheet_label("events", "unknown_a", words) == "Unknown A"
