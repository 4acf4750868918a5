"""WF-2.6.5 and WF-2.7: a box whose tracks have more or fewer bands than this sheet assumes."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.kernel.sheet import InvalidSheetError, Sheet, overridden
from daybook.services.store import sheetfile
from daybook.services.store.sheets import examine_sheet
from tests.domain.games.water_frame.playing import SHEET, opening_board

FIVE = {"wages.4.up_to": 18, "wages.5.up_to": 20, "wages.5.wage": 6}
THREE = {"wages.3.up_to": 20, "wages.4.up_to": 0}
TRACK = {"share_track.4.up_to": 80, "share_track.5.up_to": 120, "share_track.5.spaces": 5}


def barring_rules(sheet: Sheet) -> list[str]:
    return [finding.rule for finding in examine_sheet(WATER_FRAME, sheet) if finding.barred]


@pytest.mark.parametrize(
    ("numbers", "wages"), [(FIVE, ((8, 2), (12, 3), (16, 4), (18, 5), (20, 6))), (THREE, ((8, 2), (12, 3), (20, 4)))]
)
def test_wf_2_6_5_wages_in_another_number_of_bands(numbers, wages):
    assert barring_rules(overridden(SHEET, numbers)) == []
    assert opening_board(2, numbers).printed.wages == wages


def test_wf_2_7_a_share_track_of_five_bands_and_of_two():
    values = opening_board(2, TRACK).printed.values
    assert len(values) == 121 and values[120] - values[80] == 8
    two = {"share_track.2.up_to": 100, "share_track.3.up_to": 0, "share_track.4.up_to": 0}
    assert len(opening_board(2, two).printed.values) == 101 and barring_rules(overridden(SHEET, two)) == []


@pytest.mark.parametrize(
    "numbers", [{"wages.13.up_to": 30}, {"wages.x.up_to": 30}, {"wages.5.name": "five"}, {"wages.5.wage": "six"}]
)
def test_bands_are_counted_and_have_no_names(numbers):
    with pytest.raises(InvalidSheetError):
        overridden(SHEET, numbers)


@pytest.mark.parametrize(
    "numbers", [{f"{track}.{band}.up_to": 0 for band in "1234"} for track in ("wages", "share_track")]
)
def test_a_track_has_a_band(numbers):
    assert barring_rules(overridden(SHEET, numbers)) != []


def test_a_file_holds_the_bands():
    sheet = overridden(SHEET, {**FIVE, **TRACK})
    read = sheetfile.read_sheet_file(SHEET, sheetfile.sheet_toml(sheet, "Another box", "").encode())
    assert read.wrong == [] and overridden(SHEET, read.overrides).digest() == sheet.digest()
