"""A whole evening through the pages: opened, recorded by taps on a phone, followed live, replayed, scored, checked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, SMALL_PHONE, ServedDaybook, accessible, fits, join, tap_at_desk
from tests.browser.planned import open_scores, played_on
from tests.browsing import click_through

USUAL = ("Develop", "Run the factory", "Buy a", "Sell", "End the turn")
TAPS_AT_MOST = 2


def open_game(page: Page, title: str, names: list[str], hands: str = "hidden") -> None:
    """Through the form for a new game, up to the page with the links."""
    page.goto("/new?game=making_profit")
    page.get_by_label("Name of this game").fill(title)
    for place, name in enumerate(names):
        page.locator(f"input[name='name.{place}']").fill(name)
    page.locator(".rest > summary").click()
    page.locator(f"input[name='option.hands'][value='{hands}']").check()
    fits(page)
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))


def link_of(page: Page, whose: str) -> str:
    """Return the link beside a name on the page of links."""
    row = page.locator(".link-row", has=page.get_by_role("heading", name=whose))
    return row.locator("[data-copied]").input_value()


def step_of(page: Page) -> int:
    return int(page.locator("#desk").get_attribute("data-at") or "")


def decide(page: Page, wanted: str = "") -> int:
    """Record a decision by taps alone: the first choice that says `wanted`, then always the first one.

    Gives the number of taps.
    """
    before, taps = step_of(page), 0
    choice = places_saying(page, wanted).first
    box = choice.bounding_box()
    assert box is not None and box["height"] >= 48
    while True:
        tap_at_desk(page, choice)
        taps += 1
        if step_of(page) > before:
            return taps
        write = page.locator("#desk .write")
        choice = write.first if write.count() else places_saying(page).first


def places_saying(page: Page, text: str = "") -> Locator:
    """The places of charts and the buttons that say this."""
    cells, buttons = page.locator(".chart .cell"), page.locator(".choices .pick")
    return cells.and_(page.get_by_label(text)).or_(buttons.filter(has_text=text)) if text else cells.or_(buttons)


def choices(page: Page) -> list[str]:
    said: list[str] = places_saying(page).evaluate_all("all => all.map(one => one.ariaLabel || one.innerText)")
    return [" ".join(item.split()) for item in said]


def tap_on(page: Page, limit: int) -> list[int]:
    """Record this many decisions, or until the game is over; return the taps of each."""
    taps = list[int]()
    while len(taps) < limit and (on_offer := choices(page)):
        usual = [kind for kind in USUAL if any(kind in offer for offer in on_offer)]
        taps.append(decide(page, usual[0] if usual else ""))
    return taps


def test_three_people_record_an_evening_and_others_follow(served_daybook, person, tmp_path):
    keeper = person(PHONE)
    open_game(keeper, "Tuesday at Berta's", ["Anna", "Berta", "Cleo"])
    reading, seat_link = link_of(keeper, "Spectators"), link_of(keeper, "Berta")
    fits(keeper)
    assert "#" in reading and "#" in seat_link
    keeper.get_by_role("link", name="Start recording").tap()
    keeper.locator("#desk").wait_for()
    fits(keeper)

    # a second screen follows, with nothing but the readers' link
    screen = person(DESKTOP)
    screen.goto(reading)
    screen.get_by_role("link", name="Open the game").click()
    expect(screen).to_have_url(re.compile("/games/[0-9a-f-]+$"))
    assert "#" not in screen.url
    game = screen.url.rsplit("/", 1)[1]
    expect(screen.locator("#where")).to_contain_text(f"of {step_of(keeper)}")
    taken = list[int]()
    for _ in range(3):
        taken.append(decide(keeper))
        expect(screen.locator("#where")).to_contain_text(f"of {step_of(keeper)}")

    # a seat records its own decisions only
    berta = person(SMALL_PHONE)
    join(berta, seat_link)
    berta.goto(f"/games/{game}/record")
    fits(berta)
    accessible(berta)

    # a slip is undone
    at = step_of(keeper)
    decide(keeper)
    keeper.locator(".undo-what > summary").tap()
    keeper.get_by_role("button", name=re.compile("it was mistyped")).tap()
    expect(keeper.locator("#desk")).to_have_attribute("data-at", str(at + 2))
    expect(keeper.locator(".steps li").nth(1)).to_contain_text("undone by")

    taken += tap_on(keeper, 12)
    for page in (keeper, screen):  # that pages follow was seen: nobody looks while most of the evening goes by
        page.goto("about:blank")
    played_on(served_daybook, UUID(game), limit=-1)
    screen.goto(f"/games/{game}")
    keeper.goto(f"/games/{game}/record")
    taken += tap_on(keeper, 100)
    usual = sorted(taken)[: len(taken) * 9 // 10]
    assert max(usual) <= TAPS_AT_MOST, taken
    expect(keeper.locator(".masthead")).to_contain_text("over")
    keeper.get_by_role("button", name="Finish").tap()
    expect(keeper.get_by_text("The record is complete.", exact=True)).to_be_visible()
    newest = step_of(keeper)
    expect(screen.locator("#where")).to_contain_text(f"of {newest}")

    replayed_by_keyboard(screen, game, newest)
    scored_by_a_worker(served_daybook, keeper, game)
    exported_and_checked(served_daybook, keeper, game, tmp_path, newest)


def replayed_by_keyboard(page: Page, game: str, newest: int) -> None:
    """Replay from the opening to the end and back by keys alone; each step has its address."""
    page.goto(f"/games/{game}")
    page.locator("#plate").wait_for()
    where = page.locator("#where")
    page.keyboard.press("Home")
    expect(where).to_contain_text("step 0 of")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("step 6 of")  # the slip, step 4, and its undo are skipped
    expect(page).to_have_url(re.compile("step=6$"))  # written a moment after the last key
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("step 3 of")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(page.locator("#caption")).not_to_be_empty()
    after_period = where.inner_text()
    page.keyboard.press("Shift+ArrowRight")
    expect(where).not_to_have_text(after_period)
    page.keyboard.press("End")
    expect(where).to_contain_text(f"step {newest} of {newest}")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("Home")
    expect(where).to_contain_text("step 0 of")
    page.keyboard.press(" ")
    expect(where).not_to_contain_text("step 0 of")
    page.keyboard.press(" ")
    page.goto(f"/games/{game}?step=7")
    expect(where).to_contain_text("step 7 of")


def scored_by_a_worker(served: ServedDaybook, page: Page, game: str) -> None:
    """The final sheet stands as soon as a worker has done it; every number opens to its steps."""
    open_scores(served, page, game)
    expect(page.get_by_text("Provisional")).to_have_count(0)
    accessible(page)
    fits(page)
    page.locator("summary", has_text="certificates").first.tap()
    expect(page.locator("details[open] a").first).to_be_visible()


def exported_and_checked(served: ServedDaybook, page: Page, game: str, folder: Path, newest: int) -> None:
    page.goto(f"/games/{game}/about")
    with page.expect_download() as download:
        page.locator("a[href$='/export']").first.click()
    file = folder / "evening.daybook"
    download.value.save_as(file)
    assert len(file.read_text().splitlines()) == newest + 2
    for command in ("verify", "check"):
        done = served.daybook(command, str(file))
        assert done.exit_code == 0, done.output
    board = json.loads(served.daybook("replay", str(file), "--step", "5", "--json").stdout)
    assert board


def test_a_game_is_recorded_and_replayed_without_script(served_daybook, person):
    page = person(PHONE, script=False)
    open_game_without_script(page, "No script", ["Anna", "Ben"])
    click_through(page.get_by_role("link", name="Start recording"))
    for _ in range(4):
        before = step_of(page)
        for _ in range(4):
            click_through(page.locator(".chart .cell, .choices .pick, #desk .write").first)
            if step_of(page) > before:
                break
        assert step_of(page) > before
    click_through(page.get_by_role("link", name="Replay").first)
    page.goto(f"{page.url.split('?')[0]}?step=2")
    expect(page.locator("#where")).to_contain_text("step 2 of")
    page.locator("#moves button[data-go='forward']").click()
    expect(page.locator("#where")).to_contain_text("step 3 of")


def open_game_without_script(page: Page, title: str, names: list[str]) -> None:
    page.goto("/new?game=making_profit")
    page.locator("#title").fill(title)
    for place, name in enumerate(names):
        page.locator(f"input[name='name.{place}']").fill(name)
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))
