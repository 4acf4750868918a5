"""A decade of Arkwright, Water Frame on a phone: whole turns put together by taps, and how many they take."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.browser.conftest import DESKTOP, PHONE, ServedDaybook, accessible, apart, fits
from tests.browser.planned import open_scores, played_on
from tests.browser.tapping import TappingPhone
from tests.browser.test_evening import exported_and_checked, link_of, step_of

pytestmark = pytest.mark.drill

NAMES = ("Anna", "Ben", "Cleo", "Dora")
TAPS_AT_MOST = 8  # for a turn, with the tap that writes it


def usual_turn(phone: TappingPhone) -> int:
    """A marker on the first row that is free, and what stands first."""
    before, step = phone.taps, step_of(phone.page)
    phone.tap(phone.page.locator(".cell").first)
    if phone.page.locator(".cell").count():
        phone.tap(phone.page.locator(".cell").first)
    while step_of(phone.page) == step:  # what ends the turn writes it, unless more could be done or it spreads
        write = phone.page.locator("#desk button.write")
        phone.tap(write if write.count() else phone.page.locator(".cell, .choices .pick").first)
    return phone.taps - before


def open_game(page: Page) -> None:
    page.goto("/new?game=water_frame")
    page.locator("#title").fill("Four mills on the river, with the long winter rules")
    for place, name in enumerate(NAMES):
        page.locator(f"input[name='name.{place}']").fill(name)
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))


def economy(phone: TappingPhone) -> None:
    """The economy marker is one tap on its place."""
    assert "economy marker" in phone.heading
    before = phone.taps
    phone.tap(phone.on("Importer +1, 2 workers back"))
    assert phone.taps == before + 1


def through_production(phone: TappingPhone) -> None:
    """Answer the production phase and the end of the decade: only real choices remain, one tap each."""
    while not any(value in phone.heading for value in ("economy marker", "an action marker", "the event of")):
        fits(phone.page)
        write = phone.page.locator("#desk button.write")
        phone.tap(write if write.count() else phone.page.locator(".choices .pick").last)


def test_decade_on_a_phone_is_tapped_scored_and_exported(served_daybook, person, tmp_path):
    keeper = person(PHONE)
    open_game(keeper)
    reading = link_of(keeper, "Spectators")
    keeper.get_by_role("link", name="Start recording").tap()
    keeper.locator("#desk").wait_for()
    phone = TappingPhone(keeper)
    accessible(keeper)
    screen = person(DESKTOP)
    screen.goto(reading)
    screen.get_by_role("link", name="Open the game").click()
    expect(screen).to_have_url(re.compile("/games/[0-9a-f-]+$"))
    apart(screen, ".replay-head h1", ".replay-head .strip li:last-child", ".replay-nav")
    game = screen.url.rsplit("/", 1)[1]
    taps = {}

    economy(phone)
    assert "Anna: place an action marker" in phone.heading
    accessible(keeper)
    taps["factory"] = phone.turn("Factory on the £2 row", "Build food I at £5", "Build lamps I at £8")
    expect(screen.locator("#where")).to_contain_text(f"of {step_of(keeper)}")
    screen.close()
    taps["workers"] = phone.turn(
        "Workers on the £4 row",
        "food, row 3: 2 workers",
        "cutlery, row 3: 3 workers",
        "Take a development tile",
        "School",
    )
    accessible(keeper)
    taps["quality"] = phone.turn("Quality on the £6 row", "Raise quality of clothes", "clothes at £6")
    taps["production"] = phone.turn("light grey Production on the £2 row", "Produce food, rows 1 to 2", "food at £6")
    through_production(phone)

    print("taps of a usual turn:", taps)
    assert max(taps.values()) <= TAPS_AT_MOST, taps

    economy(phone)

    # usual turns, and the rest of the decade
    turns = [usual_turn(phone) for _ in range(2)]
    assert max(turns) <= 4, turns
    keeper.goto("about:blank")
    played_on(served_daybook, UUID(game), "decade")
    keeper.goto(f"/games/{game}/record")
    expect(keeper.locator(".masthead .eyebrow")).to_contain_text("1780")
    accessible(keeper)
    open_scores(served_daybook, keeper, game)
    accessible(keeper)
    fits(keeper)
    keeper.locator(".periods a").first.tap()
    expect(keeper.get_by_role("heading", level=1)).to_contain_text("1770")
    expect(keeper.locator(".ledger-table")).to_contain_text("Income from sales")
    newest = record_head(served_daybook, UUID(game))
    exported_and_checked(served_daybook, keeper, game, tmp_path, newest)


def record_head(served: ServedDaybook, game: UUID) -> int:
    book = open_daybook(Settings(data=served.data))
    try:
        return book.games.get(game).step
    finally:
        book.close()


def test_a_turn_is_put_together_with_a_mouse_on_a_wide_screen(served_daybook, person):
    page = person(DESKTOP)
    open_game(page)
    page.get_by_role("link", name="Start recording").click()
    page.locator(".cell").first.click()
    expect(page.locator("#desk h1")).to_contain_text("Anna: place an action marker")
    accessible(page)
    page.get_by_label(re.compile("^Quality on the £6 row")).click()
    expect(page.locator(".draft ol > li")).to_have_count(1)
    accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator(".draft")).to_have_count(0)
