"""Figures are entered on the record page of a score sheet, on phones and by several keepers."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.servers import wait_until
from tests.web.games.test_score_sheet import fill, opened_by

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COLUMNS = "scroll => [scroll.scrollWidth - scroll.clientWidth, scroll.querySelector('tbody td').offsetWidth]"
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jo", "Kim", "Lee")


def press(page, *keys):
    """Tap keys of the keypad."""
    for key in keys:
        page.locator("#keypad").get_by_role("button", name=key, exact=True).tap()


def test_columns_fit_a_phone_up_to_seven_players(app, book, visitor, site, browser):
    page = browser.new_context(**PHONE).new_page()
    for players in (2, 5, 6, 7, 8, 12):
        opened_by(app, book, visitor, "Any game", *NAMES[:players]).enter(page, site)
        beyond, column = page.locator(".figures-grid .scroll").evaluate(COLUMNS)
        assert (beyond == 0 and column >= 40) if players < 8 else column > 200, players


def test_end_of_round_saves_the_figure_typed_last(app, book, visitor, site, browser):
    """A figure of the same browser is not a conflict for the button that is tapped next."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for seat in range(3):
        game.decide(seat, type="enter", line="bid", value=0)
    for seat in range(2):
        game.decide(seat, type="enter", line="tricks", value=0)
    page = browser.new_context(**PHONE).new_page()
    game.enter(page, site)
    page.get_by_label("Cleo: Tricks", exact=True).tap()
    press(page, "1")
    page.get_by_role("button", name="End the round").tap()
    expect(page.get_by_text("round 2").first).to_be_visible()
    assert game.game.board.players[2].rounds[0] == {"bid": 0, "tricks": 1}
    expect(page.get_by_text("in the meantime")).to_have_count(0)
    expect(page.get_by_label("Cleo: Bid", exact=True)).to_be_focused()  # Ben deals
    expect(page.locator("#keypad")).to_be_visible()


def test_mouse_click_on_a_button_saves_the_figure_typed_last(app, book, visitor, site, browser):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for seat in range(2):
        game.decide(seat, type="enter", line="bid", value=0)
    page = browser.new_page()
    game.enter(page, site)
    page.get_by_label("Cleo: Bid", exact=True).fill("1")
    button = page.get_by_role("button", name="End the round")
    button.hover()
    page.mouse.down()
    page.wait_for_timeout(400)
    page.mouse.up()
    expect(page.get_by_text("round 2").first).to_be_visible()
    assert game.game.board.players[2].rounds[0]["bid"] == 1


def test_figure_typed_into_a_cell_that_another_phone_fills(app, book, visitor, site, browser):
    """Keep the typed figure, say who entered which one, and replace it when saving."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = browser.new_context(**PHONE).new_page()
    game.enter(page, site)
    page.get_by_label("Ben: Bid", exact=True).tap()
    press(page, "9")
    game.decide(1, type="enter", line="bid", value=8)
    said = "Ben: Bid: the scorekeeper entered 8 in the meantime. “Next” saves your 9 instead."
    expect(page.locator("#keypad [data-cell]")).to_have_text(said)
    expect(page.get_by_label("Ben: Bid", exact=True)).to_be_focused()
    expect(page.get_by_label("Ben: Bid", exact=True)).to_have_value("9")
    assert game.game.board.players[1].rounds[0]["bid"] == 8
    press(page, "Next")
    wait_until(lambda: game.game.board.players[1].rounds[0]["bid"] == 9, "the keeper's figure")


def test_figure_of_a_stale_form_does_not_replace_silently(app, book, visitor):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    keeper, seat = game.visitor(), game.visitor("seat", 1)
    stale = keeper.get(f"{game.path}/record")
    fill(seat, seat.get(f"{game.path}/record"), b_bid="8")
    page = fill(keeper, stale, a_bid="1", b_bid="9")
    assert page.status == 422 and "Ben: Bid: Ben entered 8 in the meantime" in page.text
    assert [player.rounds[0]["bid"] for player in game.game.board.players] == [1, 8, None]
    page = fill(keeper, page, b_bid="9")
    assert page.status == 200 and game.game.board.players[1].rounds[0]["bid"] == 9
    page = fill(keeper, fill(keeper, page, b_bid="7"), b_bid="6")
    fill(keeper, page, b_bid="5")  # the keeper's own form is not up to date, but no one else wrote
    assert game.game.board.players[1].rounds[0]["bid"] == 5


def test_refused_figure_is_marked_and_keeps_the_focus(app, book, visitor, site, browser):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = browser.new_context(**PHONE).new_page()
    game.enter(page, site)
    page.get_by_label("Anna: Bid", exact=True).tap()
    press(page, "Minus", "3", "Next")
    cell = page.get_by_label("Anna: Bid", exact=True)
    expect(cell).to_have_attribute("aria-invalid", "true")
    expect(cell).to_be_focused()
    expect(cell).to_have_value("-3")
    press(page, "3", "Next")
    wait_until(lambda: game.game.board.players[0].rounds[0]["bid"] == 3, "the bid")
    expect(page.locator("[aria-invalid]")).to_have_count(0)


def test_typed_line_reads_numbers_as_rounds_only_by_name(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    game.decide(0, type="enter", line="points", value=26)
    game.decide(0, type="end_round")
    keeper = game.visitor()
    shown = keeper.get(f"{game.path}/type")
    assert "Team 1" not in shown.text and "correct the board" not in shown.text
    read = keeper.send(shown.form("Save"), text="Ben points 1", do="read")
    assert "B Ben Points: 1" in read.text and "Points: 1, round 1" not in read.text
    keeper.send(shown.form("Save"), text="Ben points 1 round 1", do="record")
    assert [figures["points"] for figures in game.game.board.players[1].rounds] == [1, None]
