"""An illegal move that stood, a step mistyped far back, a miscounted purse, two records of one evening."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Person, ServedDaybook, accessible, fits, join
from tests.browser.test_evening import decide, link_of, open_game, step_of
from tests.browsing import click_through


def begin_game(keeper: Page, title: str, decisions: int) -> str:
    """A game that its scorekeeper has recorded so far; its address."""
    open_game(keeper, title, ["Anna", "Ben", "Cleo"], hands="open")
    game = re.sub(r"/links.*", "", keeper.url)
    keeper.goto(f"{game}/record")
    while step_of(keeper) < decisions:
        decide(keeper)
    return game


def shot(page: Page, name: str, tmp_path: Path) -> None:
    accessible(page)
    fits(page)
    page.screenshot(path=str(tmp_path / f"{name}.png"), full_page=True)


def test_an_illegal_move_that_stood_is_told_looked_at_and_replayed(
    served_daybook: ServedDaybook, person: Person, tmp_path: Path
) -> None:
    keeper = person(PHONE)
    game = begin_game(keeper, "It stood", 14)
    keeper.goto(f"{game}/record")
    keeper.get_by_text("Fix…").click()
    keeper.get_by_role("link", name="Record it as played").click()
    shot(keeper, "who", tmp_path)
    idle = keeper.locator(".tell .pick").nth(1)
    idle.click()
    shot(keeper, "what", tmp_path)
    keeper.get_by_role("button", name="Discard", exact=False).first.click()
    shot(keeper, "fields", tmp_path)
    keeper.get_by_role("button", name="Check with the rules").click()
    expect(keeper.get_by_role("heading", name="What the rules say against it")).to_be_visible()
    keeper.locator(".by-hand summary").first.click()
    keeper.locator(".by-hand input").first.fill("9")
    keeper.get_by_role("button", name="Preview the board").click()
    expect(keeper.get_by_role("button", name="Save it as played")).to_be_visible()
    keeper.get_by_label("Why did it stand?").fill("Nobody saw it")
    shot(keeper, "looked", tmp_path)
    keeper.get_by_role("button", name="Save it as played").click()
    expect(keeper).to_have_url(re.compile("step=15"))
    expect(keeper.locator("#caption")).to_contain_text("Against the rules, and it stood: Nobody saw it")
    expect(keeper.locator("#caption")).to_contain_text("Entered by hand")
    shot(keeper, "replay", tmp_path)


def test_a_step_far_back_is_put_right_and_the_replay_tells_both_lines(
    served_daybook: ServedDaybook, person: Person, tmp_path: Path
) -> None:
    keeper = person(DESKTOP)
    phone = person(PHONE)
    open_game(keeper, "Mistyped", ["Anna", "Ben", "Cleo"], hands="open")
    game = re.sub(r"/links.*", "", keeper.url)
    join(phone, link_of(keeper, "Scorekeeper"))
    phone.goto(f"{game}/record")
    while step_of(phone) < 22:
        decide(phone)
    keeper.goto(f"{game}?step=12")
    keeper.get_by_role("button", name="Wrong?").click()
    keeper.get_by_role("link", name="The record is wrong").click()
    expect(keeper).to_have_url(re.compile("correct.*step=12"))
    shot(keeper, "wrong-desktop", tmp_path)
    phone.goto(keeper.url)
    shot(phone, "wrong-phone", tmp_path)
    for _ in range(12):
        click_through(keeper.get_by_role("link", name="It never happened: leave it out"))
        expect(keeper.get_by_role("heading", name="What it changes for every seat")).to_be_visible()
        if not keeper.locator(".stop").count():
            break
    shot(keeper, "plan-desktop", tmp_path)
    phone.goto(keeper.url)
    shot(phone, "plan-phone", tmp_path)
    keeper.get_by_label("What was wrong?").fill("Step 12 was never played")
    click_through(keeper.get_by_role("button", name="Save the correction"))
    keeper.goto(f"{game}?step=12")
    expect(keeper.locator("#caption")).to_contain_text("recorded by the scorekeeper: Step 12 was never played")
    keeper.locator("label[for='only-struck']").click()
    expect(keeper.locator("#step-12")).to_be_visible()
    expect(keeper.locator("#step-2")).to_be_hidden()
    shot(keeper, "struck-only", tmp_path)
    keeper.goto(f"{game}/struck")
    expect(keeper.get_by_text("Step 12 was never played")).to_be_visible()
    shot(keeper, "struck", tmp_path)


def test_a_miscounted_purse_is_explained_and_settled(
    served_daybook: ServedDaybook, person: Person, tmp_path: Path
) -> None:
    keeper = person(PHONE, script=False)
    opener = person(PHONE)
    game = begin_game(opener, "A purse", 18)
    opener.goto(f"{game}/links")
    keeper.goto(link_of(opener, "Scorekeeper"))
    key = link_of(opener, "Scorekeeper").partition("#")[2]
    keeper.goto(f"{served_daybook.address}/join")
    keeper.locator("input[name=key]").fill(key)
    click_through(keeper.locator("main form button"))
    keeper.goto(f"{game}/count")
    keeper.screenshot(path=str(tmp_path / "count.png"), full_page=True)
    keeper.locator("input[name='/players/0/money']").fill("3")
    keeper.get_by_role("button", name="Save the count").click()
    expect(keeper).to_have_url(re.compile("/counts/19"))
    expect(keeper.get_by_role("heading", name="The record says something else")).to_be_visible()
    expect(keeper.get_by_role("heading", name="What may explain it")).to_be_visible()
    keeper.screenshot(path=str(tmp_path / "counted.png"), full_page=True)
    keeper.get_by_label("The record follows the table, because").fill("counted twice")
    keeper.get_by_role("button", name="Correct the board as counted").click()
    expect(keeper.get_by_text("Settled by step 20")).to_be_visible()
    opener.goto(f"{game}/counts/19")
    shot(opener, "settled", tmp_path)


def test_steps_and_records_are_compared(served_daybook: ServedDaybook, person: Person, tmp_path: Path) -> None:
    keeper = person(DESKTOP)
    phone = person(PHONE)
    game = begin_game(phone, "Mine", 12)
    other = begin_game(phone, "Hers", 14)
    phone.goto(f"{game}/compare?a=3&b=12")
    shot(phone, "steps-phone", tmp_path)
    phone.get_by_label("A game of yours").select_option(label="Hers")
    phone.get_by_role("button", name="Compare with this game").click()
    expect(phone.get_by_role("heading", name="Two records of one evening")).to_be_visible()
    shot(phone, "records-phone", tmp_path)
    phone.goto(f"{other}/about")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download the record").click()
    file = tmp_path / "hers.daybook"
    download.value.save_as(file)
    phone.goto(f"{game}/compare")
    phone.get_by_label("A record file").set_input_files(str(file))
    phone.get_by_role("button", name="Compare with the file").click()
    expect(phone.get_by_role("heading", name="How the two end")).to_be_visible()
    phone.goto(f"{game}/links")
    join(keeper, link_of(phone, "Scorekeeper"))
    keeper.goto(f"{game}/compare?a=3&b=12")
    shot(keeper, "steps-desktop", tmp_path)
