"""No letter lies over another, and none is cut off."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page

from daybook.services.files.import_export import import_file
from daybook.services.store.daybook import Daybook
from tests.bench.replay_view import FIXTURES
from tests.browsing import open_replay
from tests.ink import faults_by_step, ink_faults

LINE = "<p id=plate style='font: 20px/10px sans-serif; width: 300px; margin: 40px'>"


@pytest.mark.parametrize(
    ("letters", "found"),
    [
        ("xxx<br>xxx", 0),  # lines of 10 px: their boxes lie over each other, their letters do not
        ("<b>12</b><b style='margin-left: -10px'>34</b>", 1),
        ("<span style='display: block; overflow: hidden; width: 20px; white-space: nowrap'>cut off</span>", 1),
        ("<span style='display: block; overflow: auto; width: 20px; white-space: nowrap'>scrolls</span>", 0),
        ("<b>12</b><b style='margin-left: -10px; visibility: hidden'>34</b>", 0),
    ],
)
def test_ink_is_measured_by_letters(page: Page, letters: str, found: int) -> None:
    page.set_content(LINE + letters)
    assert len(ink_faults(page, "#plate")) == found, ink_faults(page, "#plate")


def test_shares_that_change_in_all_their_figures_are_read(book: Daybook, app: Flask, site: str, page: Page) -> None:
    """At step 150 of this game somebody sells shares: the number, its worth, the bank and the space change at once."""
    record = import_file(book, (FIXTURES / "four-mills.daybook").read_bytes(), public=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    open_replay(page, f"{site}/games/{record}?step=149")
    assert faults_by_step(page, [150], (".holding", ".ledger-head")) == {}
