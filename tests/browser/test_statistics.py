"""Statistics on a phone: from a question to the games behind a cell, to one game and its step."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from daybook.domain.games import RULESETS
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.read_models import counted_game
from tests.browser.conftest import DESKTOP, PHONE, ServedDaybook, fits, look_at
from tests.browsing import click_through
from tests.servers import wait_until


@pytest.fixture
def counted_games(served_daybook: ServedDaybook) -> Iterator[Daybook]:
    """Add six practice games of four people beside the running service; its workers count them."""
    book = open_daybook(Settings(data=served_daybook.data))
    games = list(simulate.simulate_games(RULESETS["making_profit"], 3, 2, 5, {}))
    laid = list(simulate.insert_copies(book, games, 6, simulate.demonstration_players(4, secrets.randbits(30)), 5))
    ours = sa.select(sa.func.count()).where(counted_game.c.game.in_(laid), counted_game.c.seats > 0)

    def all_counted() -> bool:
        with book.views.connect() as connection:
            return connection.execute(ours).scalar_one() == len(laid)

    wait_until(all_counted, "the workers to count six games")
    yield book
    book.close()


def smallest_type(page: Page) -> float:
    """Return the smallest type size in the main part of a page, in pixels."""
    return float(
        page.evaluate("""() => Math.min(...[...document.querySelectorAll("main *")]
        .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .map(one => parseFloat(getComputedStyle(one).fontSize)))""")
    )


@pytest.mark.parametrize(
    "script", [True, pytest.param(False, marks=pytest.mark.drill)], ids=["with scripts", "without"]
)
def test_a_question_leads_to_its_games_and_to_the_step(person, counted_games, script):
    page = person(PHONE, script=script)
    page.goto("/")
    click_through(page.get_by_role("link", name="Statistics", exact=True))
    page.goto("/statistics?practice=yes")
    look_at(page) if script else fits(page)
    click_through(page.get_by_role("link", name="Making Profit"))
    look_at(page) if script else fits(page)
    page.get_by_role("link", name="Does the first seat win more often?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Does the first seat win more often?")
    expect(page.get_by_role("listitem").filter(has_text="seat A").locator("svg")).to_be_visible()
    assert smallest_type(page) >= 11
    page.locator("summary", has_text="Ask something else").click()
    page.get_by_label("What to count").select_option(label="Greatest dividend at once")
    page.get_by_label("Split by").select_option(label="Seat")
    page.get_by_label("and by", exact=True).select_option(label="nothing")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Greatest dividend at once")
    page.locator("tbody tr").first.locator("td").last.click(force=True)  # a link lies over its whole row
    expect(page.get_by_role("heading", level=1)).to_have_text("Greatest dividend at once: seat A")
    look_at(page) if script else fits(page)
    page.locator("tbody tr").first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/games/[0-9a-f-]{36}.*step=\d+"))
    expect(page.locator("body")).to_contain_text("is paid")


def test_openings_are_followed_on_a_desk(person, counted_games):
    page = person(DESKTOP)
    page.goto("/statistics/making_profit/openings?practice=yes")
    click_through(page.get_by_role("link", name="3 players").first)
    look_at(page)
    first = page.locator("tbody tr.opens").first.get_by_role("link")
    decision = first.inner_text()
    first.click()
    expect(page.get_by_role("navigation", name="The way here")).to_contain_text(f"player 1: {decision}")
    look_at(page)
    page.get_by_role("link", name="One decision back").click()
    expect(page.get_by_role("navigation", name="The way here")).not_to_contain_text(decision)
