"""A game as a book to print: what was decided, period by period, with the table and the figures it left, and the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visitor


def test_a_finished_game_has_each_round_and_its_end(friday, app):
    friday.play(1000, seed=3)
    page = friday.visitor().get(f"{friday.path}/book")
    rounds = page.html.count('<section class="chapter">')
    assert rounds > 3 and page.html.count('class="board-here"') == rounds
    assert all(
        text in page.text for text in ("Round 1", "After step", "share the win with", "Money", "runs the factory")
    )
    assert page.text.index("Round 1") < page.text.index("Round 2")
    assert Visitor(app).get(f"{friday.path}/book").status == 403


def test_a_game_that_is_played_goes_until_now(friday):
    friday.play(3, seed=3)
    page = friday.visitor("reader").get(f"{friday.path}/book")
    assert "Until now" in page.text and "the win with" not in page.text


def test_it_is_printed_without_what_only_a_screen_needs(friday, site, page):
    friday.play(30, seed=3)
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/book")
    page.locator(".chapter").first.wait_for()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("link", name="Skip to content")).to_be_hidden()
    expect(page.locator(".chapter .board-here").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 700])  # a phone, and A4 between its margins
def test_every_board_of_a_book_is_whole(shelf, page, width):
    game = shelf.record("three-portfolios")
    html = Visitor(shelf.app).get(f"{game.path}/book").html
    ids = re.findall(r' id="(see[^"]*)"', html)
    assert len(ids) > 10 and len(ids) == len(set(ids))
    page.set_viewport_size({"width": width, "height": 1000})
    page.goto(f"{shelf.site}{game.path}/book")
    boards = page.locator(".chapter .board")
    shown = boards.evaluate_all("(all) => all.map((board) => board.querySelectorAll('.see:checked').length)")
    assert set(shown) == {1}
    page.emulate_media(media="print")
    areas = page.locator(".chapter .area")
    assert all(areas.evaluate_all("(all) => all.map((area) => area.checkVisibility())"))
    cut = page.locator(".chapter .turns li").evaluate_all(
        "(all) => all.filter((turn) => turn.scrollWidth > turn.clientWidth).length"
    )
    assert cut == 0
