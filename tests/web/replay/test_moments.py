"""The moments that decided a game: found in its score, named on the chart and told on a page of their own."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from flask import Flask
from playwright.sync_api import expect

from daybook.services.play.replay import StepShown
from daybook.services.store.daybook import Daybook
from daybook.web.replay.turning_points import MAX_MOMENTS, ScoreTurn, find_leads, find_swings, find_turns
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened

LISTED = re.compile(r'<li class="evening-moment">.*?step=(\d+)">', re.S)


def by_step(*scores: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    return list(enumerate(scores))


def test_a_lead_is_taken_by_who_alone_has_most_and_keeps_it():
    values = by_step((5, 5), (6, 5), (6, 5), (6, 6), (6, 8), (6, 8), (6, 8))
    assert list(find_leads(values)) == [ScoreTurn(1, "lead", 0, 3), ScoreTurn(4, "lead", 1, 3)]


def test_a_lead_that_is_lost_at_once_is_none():
    values = by_step((6, 5), (6, 5), (6, 7), (8, 7), (8, 7), (8, 7))
    assert list(find_leads(values)) == []


def test_who_plays_alone_leads_nobody():
    assert list(find_leads(by_step((1,), (5,), (9,)))) == []


def test_what_the_set_up_costs_is_no_moment():
    steps = [
        StepShown(step=n, type="decision_recorded", at="", by="", board_step=n, columns={"score": score}, marks=marks)
        for n, (score, marks) in enumerate(
            [
                ([150, 150], {"turn": 0}),
                ([90, 150], {"turn": 0}),
                ([90, 90], {"decade": 1770}),
                ([90, 80], {"decade": 1770}),
            ]
        )
    ]
    assert [turn.step for turn in find_turns(steps, "score", ("decade",))] == [3]


def test_leads_around_one_that_is_left_out_are_said_once():
    """A game with more leads than the page has room for keeps the longest, and never names a player twice in a row."""
    lengths = (9, 8, 7, 3, 9, 8, 7, 6, 9)
    leaders = [seat % 2 for seat, length in enumerate(lengths) for _ in range(length)]
    steps = [
        StepShown(
            step=n,
            type="decision_recorded",
            at="",
            by="",
            board_step=n,
            columns={"score": [20 * n + (seat == 0), 20 * n + (seat == 1)]},
            marks={},
        )
        for n, seat in enumerate(leaders)
    ]
    leads = [turn.seat for turn in find_turns(steps, "score") if turn.kind == "lead"]
    assert leads and all(before != after for before, after in pairwise(leads))


def test_swing_moves_one_seat_and_the_largest_is_first():
    values = by_step((5, 5, 5), (6, 5, 5), (16, 15, 15), (16, 15, 3))
    assert find_swings(values) == [
        ScoreTurn(3, "swing", 2, -12),
        ScoreTurn(2, "swing", 0, 10),
        ScoreTurn(1, "swing", 0, 1),
    ]


@pytest.fixture
def mills(book: Daybook, app: Flask) -> Opened:
    """Four mills on the river, played to the end."""
    return Opened(book, app, put_golden(book, "four-mills", public=True))


def test_the_evening_is_told_in_ten_moments_in_their_order(mills, visitor):
    page = visitor.get(f"{mills.path}/moments")
    steps = [int(step) for step in LISTED.findall(page.html)]
    assert len(steps) == MAX_MOMENTS and steps == sorted(steps)
    assert re.search(r"1810 Bert [+−]\u2060£\d+", page.text) or re.search(r"Bert takes the lead with £\d+", page.text)


def test_moment_is_named_on_the_chart_and_linked_without_script(mills, visitor):
    page = visitor.get(mills.path, step="0")
    named = [(words, href) for words, href in page.links if href.startswith("?step=") and ": " in words]
    assert len(named) == MAX_MOMENTS
    assert all(re.match(r".*(takes the lead with £|[+−]\u2060£\d+, )", words) for words, _ in named), named


def test_one_chart_is_below_the_board_with_a_chip_per_figure(mills, site, browser):
    """Cash first; without script too, and by keyboard."""
    page = browser.new_page(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.goto(f"{site}{mills.path}")
    chips, charts = page.locator("#chart-body label"), page.locator("#chart-body section")
    assert chips.first.inner_text() == "cash" and chips.count() == charts.count() > 20
    expect(charts.locator("visible=true")).to_have_count(1)
    expect(page.get_by_role("region", name="Who was ahead, and when?")).to_be_visible()
    page.get_by_role("radio", name="would score").press("ArrowRight")
    expect(charts.locator("visible=true").locator("h3")).to_have_text("Who had how much, and when: shares")
    page.context.close()


def test_moments_of_a_covered_score_are_not_told(open_game, visitor):
    """London Markets: money, and with it the score, is hidden until the game ends."""
    game = open_game(public=True, ruleset_id="london_markets")
    game.play(120, seed=3)
    page = visitor.get(f"{game.path}/moments")
    assert LISTED.findall(page.html) == []
    assert "hidden until the game ends" in page.text
    assert 'class="moment-list"' not in visitor.get(game.path).html


def test_a_key_goes_to_the_next_moment_and_back(mills, site, page):
    page.goto(f"{site}{mills.path}?step=0")
    steps = page.locator(".moment-list a").evaluate_all("all => all.map(one => Number(one.dataset.step))")
    for step in steps[:3]:
        page.keyboard.press("n")
        expect(page.locator("#where")).to_have_text(re.compile(rf"^step {step} of "))
    page.keyboard.press("b")
    expect(page.locator("#where")).to_have_text(re.compile(rf"^step {steps[1]} of "))


def test_the_moments_fit_a_phone_and_one_sheet_of_paper(mills, site, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}{mills.path}/moments")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    printed = page.pdf(format="A4", margin=dict.fromkeys(("top", "right", "bottom", "left"), "12mm"))  # type: ignore[arg-type]
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
