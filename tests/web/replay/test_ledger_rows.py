"""The ledger of a long record: rows near the step come with its page, the others with their stretch, or by links."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Route, expect

from daybook.services.store.daybook import Daybook
from daybook.web.replay import ledger
from daybook.web.replay.replay import NEAR_STEPS, STRETCH_STEPS
from tests.bench.replay_view import LARGEST, weight_of
from tests.browsing import errors_of
from tests.contexts import new_context
from tests.web.conftest import Shelf, held_request

FIRST_PAGE_BYTES = 165_000


@pytest.fixture
def book(shelf: Shelf) -> Daybook:
    return shelf.book


@pytest.fixture
def app(shelf: Shelf) -> Flask:
    return shelf.app


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


@pytest.fixture
def mills(shelf: Shelf) -> str:
    """A long public game: the address of its replay."""
    return shelf.record("four-mills").path


def rows_of(html: str) -> list[int]:
    return [int(step) for step in re.findall(r'<tbody [^>]*id="step-(\d+)"', html)]


def test_every_row_is_near_or_stands_behind_a_link(mills, visitor):
    for step in (0, 30, 200):
        html = visitor.get(f"{mills}?step={step}").html
        rows = rows_of(html)
        assert rows == list(range(rows[0], rows[-1] + 1)) and len(rows) <= 2 * STRETCH_STEPS
        assert rows[0] % STRETCH_STEPS == 0 and rows[0] <= max(0, step - NEAR_STEPS) < step + NEAR_STEPS <= rows[-1]
        gaps = [(int(first), int(last)) for first, last in re.findall(r'data-first="(\d+)" data-last="(\d+)"', html)]
        there = sorted([*rows, *(step for first, last in gaps for step in range(first, last + 1))])
        assert there == list(range(len(there)))
        assert len(there) > 300


def test_links_lead_through_all_of_it_without_scripts(mills, visitor):
    page, seen = visitor.get(f"{mills}?step=0"), set[int]()
    while True:
        seen |= {*rows_of(page.html)}
        ahead = [href for says, href in page.links if re.fullmatch(r"Steps \d+ to \d+", says)]
        further = [href for href in ahead if int(re.findall(r"step=(\d+)", href)[0]) > max(seen)]
        if not further:
            break
        page = visitor.get(mills + further[0].partition("#")[0])
    assert seen == set(range(len(seen)))
    assert len(seen) > 300


def test_a_short_record_has_all_its_rows_on_the_page(friday):
    visitor = friday.visitor()
    html = visitor.get(f"{friday.path}?step=1").html
    assert rows_of(html) == list(range(friday.step + 1))
    assert "data-last=" not in html
    assert visitor.client.get(f"{friday.path}/replay.json").json["rows"] == {}


def test_other_rows_come_when_they_are_scrolled_to(mills, site, page):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site}{mills}?step=100")
    newest = int(page.locator("#scrubber").get_attribute("max") or 0)
    gaps = page.locator("#ledger-scroll .unsent")
    gaps.last.scroll_into_view_if_needed()
    expect(page.locator(f"#step-{newest - 1}")).to_be_attached()
    page.keyboard.press("Control+f")
    expect(gaps).to_have_count(0)
    assert [
        int(id[5:])
        for id in page.locator("#ledger-scroll .stretch > table > tbody").evaluate_all(
            "rows => rows.map(row => row.id)"
        )
    ] == list(range(newest + 1))
    page.keyboard.press("End")
    expect(page.locator(f"#step-{newest}")).to_have_attribute("aria-current", "step")
    page.locator("#step-100").evaluate("row => document.querySelector('#ledger-scroll').scrollTop = 0")
    page.locator("#step-3 .says").click()
    expect(page.locator("#where")).to_have_text(f"step 3 of {newest}")


def test_key_to_a_step_that_is_not_here_waits_for_it(mills, site, page):
    held: list[Route] = []
    page.route("**/replay.json?from=0", lambda route: held.append(route))
    page.goto(f"{site}{mills}?step=0")
    newest = page.locator("#scrubber").get_attribute("max")
    page.keyboard.press("4")  # the next decision of the fourth player
    expect(page.locator("#where")).to_have_text(f"step 0 of {newest}")
    held_request(page, held).continue_()
    expect(page.locator("#where")).not_to_have_text(f"step 0 of {newest}")
    page.keyboard.press("End")
    expect(page.locator("#where")).to_have_text(f"step {newest} of {newest}")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(f"step 1 of {newest}")


def test_stretches_hold_each_step_once_and_all_its_parts(mills, visitor):
    newest, first, steps = 1, 0, []
    while first <= newest:
        answer = visitor.client.get(f"{mills}/replay.json?from={first}").json
        newest = answer["newest"]
        parts = set(answer["steps"][0][0])
        assert all(set(drawn) <= parts for drawn, _ in answer["steps"]), "the first step has every part"
        assert [int(step) for step in answer["rows"]] == list(range(first, first + len(answer["steps"])))
        steps += answer["rows"]
        first += STRETCH_STEPS
    assert len(steps) == newest + 1
    for wrong in ("1", "-40", "x", str(first), "40.0"):
        assert visitor.client.get(f"{mills}/replay.json?from={wrong}").status_code == 400


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["london_markets", "water_frame"])
def test_the_first_page_is_small(ruleset, shelf, browser):
    game = shelf.record(LARGEST[ruleset])
    with new_context(browser) as context:
        page = context.new_page()
        errors = errors_of(page)
        weight = weight_of(page, f"{shelf.site}{game.path}?step=100")
    assert errors == []
    assert weight.page > 10_000 and weight.steps > 10_000, "both were counted"
    assert weight.page + weight.rest <= FIRST_PAGE_BYTES, weight


@pytest.mark.parametrize(
    ("before", "at", "message"),
    [
        ("2026-11-23T19:00:00.000Z", "2026-11-20T19:00:00.000Z", ["The clock went back by 3 days before this step."]),
        ("2026-11-20T19:00:00.000Z", "2026-11-20T18:00:00.000Z", ["The clock went back by 1 hour before this step."]),
        (
            "2026-11-20T19:00:00.000Z",
            "2026-11-20T18:50:00.000Z",
            ["The clock went back by some minutes before this step."],
        ),
        ("2026-11-20T19:00:00.000Z", "2026-11-20T18:59:00.000Z", []),
        ("2026-11-20T19:00:00.000Z", "2026-11-23T19:00:00.000Z", []),
    ],
)
def test_ledger_says_where_the_clock_went_back(app, before, at, message):
    with app.test_request_context():
        assert [note.says for note in ledger.clock_note(before, at)] == message
