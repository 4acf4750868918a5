"""No letter lies over another, and none is cut off."""

from __future__ import annotations

import pytest

from tests.browsing import open_replay
from tests.ink import faults_by_step, ink_faults
from tests.web.conftest import Shelf


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


LINE = "<p id=plate style='font: 20px/10px sans-serif; width: 300px; margin: 40px'>"


LETTERS = (  # and how many lie over others or are cut off
    ("xxx<br>xxx", 0),  # lines of 10 px: their boxes lie over each other, their letters do not
    ("<b>12</b><b style='margin-left: -10px'>34</b>", 1),
    ("<span style='display: block; overflow: hidden; width: 20px; white-space: nowrap'>cut off</span>", 1),
    ("<span style='display: block; overflow: auto; width: 20px; white-space: nowrap'>scrolls</span>", 0),
    ("<b>12</b><b style='margin-left: -10px; visibility: hidden'>34</b>", 0),
    ("<b>12</b><svg width=60 style='margin-left: -20px'><circle cx=10 cy=75 r=80 /></svg>", 1),
    ("<b>12</b><svg width=60 style='margin-left: -20px'><circle cx=10 cy=75 r=80 fill=none /></svg>", 0),
    (
        "<b>12</b><i style='position: absolute; inset: 0 auto auto 0; width: 99px; height: 42px; background: red'></i>",
        1,
    ),
)


def test_ink_is_measured_by_letters(page):
    for letters, found in LETTERS:
        page.set_content(LINE + letters)
        assert len(ink_faults(page, "#plate")) == found, (letters, ink_faults(page, "#plate"))


@pytest.mark.parametrize(
    ("name", "width", "steps"),
    [
        ("four-mills", 1280, [36, 340]),  # all figures of shares change at once; tokens on the share values
        pytest.param("four-boards", 1280, [260], marks=pytest.mark.drill),  # what has grown between has room
        ("market-day", 390, [400]),  # four figures in a column change at once; many special cards
        pytest.param("friday-four", 640, [85, 125], marks=pytest.mark.drill),  # cards come to one and leave it
    ],
)
def test_letters_of_a_board_lie_apart(shelf, page, name, width, steps):
    """The whole walk is `python -m tests.ink`."""
    record = shelf.record(name)
    page.set_viewport_size({"width": width, "height": 900})
    open_replay(page, f"{shelf.site}{record.path}?step={steps[-1] - 1}")
    assert faults_by_step(page, steps) == {}


SHEET_PIXELS = (297 - 2 * 8) / 25.4 * 96 * 1.5  # of A4 on its side; a browser prints at two thirds before it cuts


def test_figures_of_four_mills_fit_a_sheet_of_paper(shelf, page):
    page.emulate_media(media="print")
    page.goto(f"{shelf.site}{shelf.record('four-mills').path}/figures")
    assert page.locator(".figures-table").evaluate("one => one.getBoundingClientRect().right") <= SHEET_PIXELS
