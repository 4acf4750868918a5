"""Accessible pages: axe finds no fault in either light, and one live sentence reports events."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import ViewportSize

from daybook.services.operation import withheld
from daybook.services.people import accounts, operators
from tests.axe import COLOURS, RUN, faults, in_both_lights
from tests.browsing import open_folds
from tests.web.conftest import VisitedPage
from tests.web.leagues import PASSWORD

WIDE = ViewportSize(width=1280, height=720)
SMALL = ViewportSize(width=360, height=740)
PREDETERMINED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
TOO_SMALL = """() => [...document.querySelectorAll("a[href], button, select, summary, textarea")].filter((one) => {
  const inline = one.matches("p a") && getComputedStyle(one).display === "inline";
  const hidden = one.matches(".skip") || one.closest(".aloud") || !one.checkVisibility({ visibilityProperty: true });
  const { width, height } = one.getBoundingClientRect();
  return !inline && !hidden && (width < 43.5 || height < 43.5);
}).map((one) => one.outerHTML.slice(0, 120))"""

UNDER_THE_FOOT = """() => [...document.querySelectorAll("main :is(a[href], button, select, summary, textarea, input)")]
  .filter((one) => {
    one.focus();
    const bar = document.querySelector(".foot, .undo");
    if (!bar || one !== document.activeElement || bar.contains(one)) return false;
    return bar.getBoundingClientRect().top < one.getBoundingClientRect().bottom
      && one.getBoundingClientRect().top < bar.getBoundingClientRect().bottom;
  }).map((one) => one.outerHTML.slice(0, 120))"""


def test_pages_have_no_fault_fit_a_phone_and_keep_focus_visible(page, site, friday):
    page.goto(f"{site}/")
    assert in_both_lights(page).faults == []
    friday.enter(page, site)
    friday.decide(0, type="develop", card="R2")
    paths = [
        "/",
        "/new",
        "/new?game=making_profit",
        "/import",
        "/practice?game=making_profit",
        "/help",
        "/join",
        f"{friday.path}/links",
        f"{friday.path}/score",
        f"{friday.path}/about",
        f"{friday.path}/record",
        f"{friday.path}/record?kind=run",
        f"{friday.path}/undo?to_step=5",
        f"{friday.path}/adjust",
        f"{friday.path}/claims/new?step=2",
        f"{friday.path}/count",
    ]
    dark = {"/new?game=making_profit", f"{friday.path}/score", f"{friday.path}/record", f"{friday.path}/count"}
    for path in paths:
        page.set_viewport_size(WIDE)
        page.goto(f"{site}{path}")
        open_folds(page)
        assert (in_both_lights(page).faults if path in dark else faults(page)) == [], path
        page.set_viewport_size(SMALL)
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], path
        assert page.evaluate(UNDER_THE_FOOT) == [], path


def test_equal_texts_are_measured_once_and_unknown_ones_skipped(browser):
    page = browser.new_page()
    pale = "<p style='color: #bbb'>pale</p>"
    unknown = "<svg><text y=20 style='fill: #bbb; color: #bbb'>pale</text></svg><p style='color: #bbb'>x</p>"
    for body, places in ((pale * 3, 1), (f"{pale}<b>{pale}</b><div style='background: #ddd'>{pale}</div>", 3)):
        page.set_content(f"<html lang=en><title>x</title><main>{body}{unknown}")
        found = [line for line in faults(page) if line.startswith("color-contrast")]
        assert len([line for line in found if "<p" in line]) == places, found
    page.evaluate("for (const one of document.querySelectorAll('*')) one.toggleAttribute('data-measured', true)")
    measured = page.evaluate(RUN, [None, COLOURS])["violations"]
    assert [len(value["nodes"]) for value in measured] == [3], "each text by itself, and nothing of what is not marked"
    page.close()


def test_the_operator_s_page_has_no_fault(page, site, book, friday):
    anna = accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)
    operators.name_operator(book, anna, by="operator")
    withheld.take_off(book, withheld.parse_thing(book, str(friday.id)), "an offending title", by="operator")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site}/sign-in?next=/operator")
    page.get_by_label("Sign-in name").fill("anna")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Put it back", exact=True).first.click()
    assert in_both_lights(page).faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_form_with_something_wrong_has_no_fault(browser, site):
    page = browser.new_page()  # one whose console may speak of a refused form
    page.goto(f"{site}/new?game=making_profit")
    page.get_by_label("Name at seat A").fill("Anna")
    page.get_by_text("Open the game").click()
    page.get_by_text("The game is not open yet").wait_for()
    assert faults(page) == []
    page.close()


@pytest.mark.parametrize(
    ("ruleset", "options", "steps"),
    [
        ("making_profit", {}, 10),
        ("london_markets", {"hands": "open"}, 90),
        ("water_frame", PREDETERMINED, 12),
        ("arkwright_card", {}, 20),
    ],
)
def test_headings_of_the_record_page_skip_no_level(open_game, ruleset, options, steps):
    game = open_game(ruleset_id=ruleset, **options)
    keeper = game.visitor()
    for seed in range(4):
        levels = headings(keeper.get(f"{game.path}/record"))
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels)), levels
        game.play(steps, seed)


def headings(page: VisitedPage) -> list[int]:
    """The levels of a page's headings, but those of the drawn table."""
    return [int(level) for level in re.findall(r"<h([1-6])\b", page.html.partition('class="board-here"')[0])]


def test_a_record_page_is_for_large_text_fingers_and_keys(browser, site, open_game):
    games = [
        open_game(ruleset_id="water_frame", **PREDETERMINED),
        open_game(ruleset_id="london_markets", hands="open"),
        open_game(ruleset_id="arkwright_card"),
        open_game(ruleset_id="making_profit"),
    ]
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    for game in games:
        game.play(30)
        game.enter(page, site)
        assert page.evaluate(TOO_SMALL) == [], game.game.ruleset.id
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for summary in page.locator("#desk details:not([open], .closed) > summary").all():
            if summary.is_visible():
                summary.evaluate("(one) => { one.parentElement.open = true }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, game.game.ruleset.id
    context.close()

    mills = open_game(ruleset_id="water_frame", **PREDETERMINED)
    mills.play(1)
    assert mills.game.board.stage == "marker"
    page = browser.new_page()
    mills.enter(page, site)
    page.locator("#desk").focus()
    says = page.locator(":focus").get_attribute
    page.keyboard.press("ArrowDown")
    first = says("aria-label")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    there = says("aria-label")
    assert first is not None and first.startswith("Factory on the £2 row")
    assert there is not None and there.startswith("Workers on the £4 row")
    page.keyboard.press("3")  # the third place of this row of the chart
    page.locator(".draft").wait_for()
    while page.locator("#write").count() == 0:
        page.locator(".chart .cell, .choices .pick").first.click()
        page.locator("#desk:not(.busy)").wait_for()
    page.locator("#desk").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.locator(":focus").get_attribute("data-to-write") is not None:
            page.keyboard.press("Enter")
        if page.locator("#write:focus").count():
            break
    assert page.locator("#write:focus").count() == 1, "Write is at most three tabs away"
    step = mills.step
    page.keyboard.press("Enter")
    page.locator(f"#desk:not([data-at='{step}'])").wait_for()
    assert mills.step > step
    page.close()
