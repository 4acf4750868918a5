"""A round of Arkwright: The Card Game on a phone: whole turns put together by taps, and how many they take.

In `make test`, tests/web/recording/test_drafts_cards.py puts turns together and test_taps.py counts taps.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, accessible, fits
from tests.browser.planned import open_scores
from tests.browser.tapping import TappingPhone
from tests.browser.test_evening import link_of, step_of

pytestmark = pytest.mark.drill

NAMES = ("Anna", "Ben", "Cleo")
TAPS_AT_MOST = 8  # for a usual turn, with the tap that writes it


def open_game(page: Page) -> None:
    page.goto("/new?game=arkwright_card")
    page.get_by_label("Name of this game").fill("Cards and mills")
    for place, name in enumerate(NAMES):
        page.locator(f"input[name='name.{place}']").fill(name)
    page.locator(".rest > summary").click()
    expect(page.get_by_text("Expert rules: any of them, or none for the basic game")).to_be_visible()
    assert page.locator("input[type=checkbox][name^='option.']:checked").count() == 1, "as the basic game"
    accessible(page)
    fits(page)
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))


def through_production(phone: TappingPhone) -> None:
    """Answer the production phase: only real choices remain, one tap each."""
    while "an action" not in phone.heading:
        phone.tap(phone.page.locator(".cell").or_(phone.page.locator(".choices .pick")).first)


def test_round_on_a_phone_is_tapped_undone_and_scored(served_daybook, person):
    keeper = person(PHONE)
    open_game(keeper)
    reading = link_of(keeper, "Spectators")
    keeper.get_by_role("link", name="Start recording").tap()
    keeper.locator("#desk").wait_for()
    phone = TappingPhone(keeper)
    screen = person(DESKTOP)
    screen.goto(reading)
    screen.get_by_role("link", name="Open the game").click()
    expect(screen).to_have_url(re.compile("/games/[0-9a-f-]+$"))
    game = screen.url.rsplit("/", 1)[1]
    phone.tap(phone.on("Anna"))
    phone.tap(phone.on("Food"))
    taps = {}

    # round 1, food
    assert "Anna: choose an action; food is active" in phone.heading
    accessible(keeper)
    taps["employ"] = phone.turn("Employ workers: food, position 2", "Price £5", "A step on the quality track")
    expect(screen.locator("#where")).to_contain_text(f"of {step_of(keeper)}")
    screen.close()
    accessible(keeper)
    taps["quality"] = phone.turn("Quality of food to 1", "Price £4", "Take Extra Shift (3)")
    taps["shares"] = phone.turn("Buy 2 shares", "Price £5", "A step on the ship track")
    through_production(phone)

    print("taps of a usual turn:", taps)
    assert max(taps.values()) <= TAPS_AT_MOST, taps

    # a whole turn is taken back with one tap, and a half-entered one is dropped
    assert "Ben: choose an action; clothes is active" in phone.heading
    keeper.locator(".lane > summary").tap()
    phone.turn("No action", "No development")
    keeper.locator(".undo-what > summary").tap()
    keeper.get_by_role("button", name="Undo the turn: it was mistyped").tap()
    expect(keeper.locator("#desk h1")).to_contain_text("Ben: choose an action")
    phone.tap(phone.page.locator(".cell").first)
    expect(keeper.locator(".draft ol > li")).to_have_count(1)
    keeper.get_by_role("link", name="Start over").tap()
    expect(keeper.locator(".draft")).to_have_count(0)

    # where everybody stood after the first round
    open_scores(served_daybook, keeper, game)
    accessible(keeper)
    fits(keeper)
    keeper.locator(".periods a").first.tap()
    expect(keeper.get_by_role("heading", level=1)).to_contain_text("round 1, food")
    expect(keeper.locator("main")).to_contain_text("shares × £1")
