"""How component sheets are laid out: every number of every game once, in words."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.sheet import Sheet, Tag, overridden, row_of, takes
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web.recording.sheet_form import SheetChapter, Showing, number_text
from daybook.web.words.sheet_layout import SheetLines, SheetTable, apart, keys_in, parts, path_of_row, rows
from daybook.web.words.sheets import TAGS, layout_of, number_label, source_word

every_game = pytest.mark.parametrize("game", RULESETS)


def sections(game: str) -> list[SheetChapter]:
    return Showing(game, printed_sheet(game), printed_sheet(game), {}, {}).sections()


@every_game
def test_every_number_stands_in_one_place(app, game):
    with app.test_request_context():
        chapters = sections(game)
    fields = Counter(field for chapter in chapters for field in chapter.fields)
    assert {field: count for field, count in fields.items() if count > 1} == {}
    further = {field for field in fields if field.split(".")[1].startswith("+") or row_of(printed_sheet(game), field)}
    assert {apart(field)[0] for field in fields.keys() - further} == set(printed_sheet(game).numbers)
    assert len(chapters) == len(layout_of(game)), "no number is left over for a chapter of its own"


def further(part: SheetTable, sheet: Sheet) -> list[tuple[str, ...]]:
    """The rows of a table that has none until a group adds them."""
    return [(key,) for key in sheet.additions[part.adds].keys] if part.adds else []


@every_game
def test_no_part_of_a_layout_is_for_numbers_that_are_not_there(game):
    sheet = printed_sheet(game)
    for part in parts(layout_of(game)):
        if isinstance(part, SheetLines):
            assert set(part.numbers) <= set(sheet.numbers), part.title
        else:
            keys = rows(part, sheet) or further(part, sheet)
            assert keys, part.title
            for pattern in part.columns:
                assert any(takes(sheet, apart(path_of_row(pattern, one))[0]) for one in keys), pattern
        for pattern in part.words:
            assert any(keys_in(pattern, path) is not None for path in sheet.numbers), pattern
        if isinstance(part, SheetTable) and part.adds:
            assert {pattern.rpartition(".")[2] for pattern in part.columns} == set(sheet.additions[part.adds].row)


@every_game
def test_every_table_that_takes_rows_can_be_added_to(game):
    adds = [part.adds for part in parts(layout_of(game)) if isinstance(part, SheetTable) and part.adds]
    assert sorted(adds) == sorted(printed_sheet(game).additions)


@every_game
def test_every_number_has_a_label_of_its_own_and_every_value_words(app, game):
    with app.test_request_context():
        labels = Counter(number_label(game, path) for path in printed_sheet(game).numbers)
        for path, value in printed_sheet(game).values().items():
            assert number_label(game, path) != path
            assert number_text(game, path, value) or value == []
    assert {label for label, count in labels.items() if count > 1} == set()


def test_what_a_group_added_is_called_by_its_name(app):
    values = overridden(printed_sheet("water_frame"), {"events.corn_riots.name": "Corn RIOTS"}).values()
    with app.test_request_context():
        assert number_label("water_frame", "events.corn_riots.amount", values) == "Event markers, Corn RIOTS, How much"
        assert number_label("water_frame", "events.corn_riots.amount") == "Event markers, Corn riots, How much"
        assert number_label("water_frame", "gone.long.ago") == "gone.long.ago"


def test_what_came_with_the_sheet_is_called_in_the_language_of_the_page(app):
    sheet = printed_sheet("water_frame")
    ours = overridden(sheet, {"tiles.unknown_a.name": "Chimney"}).values()
    with app.test_request_context(headers={"Accept-Language": "ko"}):
        assert number_label("water_frame", "tiles.unknown_a.copies", sheet.values()) == "개발 타일, 알 수 없음 A, 장수"
        assert number_label("water_frame", "tiles.unknown_a.copies", ours) == "개발 타일, Chimney, 장수"


def test_a_game_that_nobody_has_laid_out_is_shown_number_by_number(app):
    sheet = printed_sheet("making_profit")
    with app.test_request_context():
        (only,) = Showing("sawmill", sheet, sheet, {}, {}).sections()
    assert only.fields == list(sheet.numbers)


def test_patterns_and_places():
    assert keys_in("cards.*.copies", "cards.M2.copies") == ("M2",)
    assert keys_in("cards.*.copies", "cards.M2.x.copies") is None
    assert keys_in("tracks.*.actions[*]", "tracks.A.actions[11]") == ("A", "11")
    assert path_of_row("tracks.*.actions[*]", ("A", "11")) == "tracks.A.actions[11]"
    assert apart("box.height[3]") == ("box.height", "3")
    assert apart("box.height") == ("box.height", None)


def test_every_source_has_a_word(app):
    assert set(TAGS) == set(get_args(Tag))
    with app.test_request_context():
        assert all(source_word(tag) for tag in get_args(Tag))
