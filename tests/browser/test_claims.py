"""Disputes that test_disputed_evening leaves out, in a real browser: a proposed line in free words, and an audit."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Person, ServedDaybook, look_at
from tests.browser.planned import played_on
from tests.browser.test_evening import link_of, open_game, step_of
from tests.browsing import click_through


class GameUnderWay:
    """A game of three that is under way on the scorekeeper's phone, and the link of each."""

    def __init__(self, served: ServedDaybook, keeper: Page, decisions: int) -> None:
        open_game(keeper, "A disputed evening", ["Anna", "Berta", "Cleo"], hands="open")
        self.links = keeper.url
        self.game = keeper.url.split("/links")[0]
        self.of = {name: link_of(keeper, name) for name in ("Anna", "Berta", "Cleo")}
        played_on(served, UUID(self.game.rsplit("/", 1)[1]), limit=decisions)
        keeper.goto(f"{self.game}/record")
        self.step = step_of(keeper)


@pytest.fixture
def keeper(person: Person) -> Page:
    return person(PHONE)


@pytest.fixture
def evening(served_daybook: ServedDaybook, keeper: Page) -> GameUnderWay:
    return GameUnderWay(served_daybook, keeper, 12)


def sat_down(page: Page, link: str) -> Page:
    page.goto(link)
    page.wait_for_url(re.compile("/games/"))
    return page


@pytest.mark.drill
def test_a_line_of_ones_own_is_tried_and_proposed_to_the_table(person, keeper, evening):
    keeper.goto(f"{evening.game}/claims/new?step={evening.step - 2}")
    keeper.get_by_label("What is wrong?").fill("it should have gone otherwise")
    keeper.get_by_role("button", name="Raise the claim").tap()
    keeper.wait_for_url(re.compile(r"/claims/\d+$"))
    claim = keeper.url

    keeper.goto(f"{evening.game}?step={evening.step - 3}")
    keeper.get_by_role("link", name="This game").tap()
    keeper.get_by_role("button", name="What if").tap()
    keeper.get_by_label("Name (optional)").fill("otherwise")
    look_at(keeper)
    click_through(keeper.get_by_role("button", name="Try it"))
    for _ in range(8):
        form = keeper.locator("form[action$='/play'] .pick")
        if form.count():
            click_through(form.first)
            break
        click_through(keeper.locator(".choices .pick").first)
    expect(keeper.get_by_role("heading", name="In this what-if")).to_be_visible()
    keeper.get_by_role("button", name="10 moves").tap()
    # Chance may end the game before the tenth move.
    expect(keeper.get_by_text(re.compile(r"this what-if (?!1;)\d+;"))).to_be_visible()
    look_at(keeper)
    desk = sat_down(person(DESKTOP), evening.of["Anna"])
    assert desk.request.get(keeper.url).status == 403
    click_through(keeper.get_by_role("button", name="Back to its start"))
    click_through(keeper.get_by_role("button", name="1 move", exact=True))
    keeper.get_by_role("button", name="Propose it", exact=True).tap()
    expect(keeper.get_by_role("heading", name="proposes: Go back to")).to_be_visible()
    look_at(keeper)
    for name in ("Anna", "Berta", "Cleo"):
        page = sat_down(person(PHONE), evening.of[name])
        page.goto(claim)
        click_through(page.get_by_role("button", name=f"{name} agrees"))
    expect(page.locator(".state")).to_have_text("Closed")
    keeper.goto(f"{evening.game}/what-if")
    keeper.get_by_role("link", name="otherwise").tap()
    keeper.get_by_role("button", name="Delete this what-if").tap()
    expect(keeper.get_by_text("The what-if is deleted")).to_be_visible()


@pytest.mark.drill
def test_an_audit_is_asked_for_and_a_worker_carries_it_out(keeper, evening):
    keeper.goto("/audit")
    keeper.get_by_role("button", name="Audit the").tap()
    expect(keeper.get_by_text("waits for its audit")).to_be_visible()
    expect(keeper.locator("[data-due]")).to_have_count(0)
    look_at(keeper)
    keeper.goto(f"{evening.game}/audit")
    expect(keeper.get_by_text("agree with every step")).to_be_visible()
    click_through(keeper.get_by_role("button", name="Audit it now"))
    expect(keeper.get_by_text("agree with every step")).to_be_visible()
    look_at(keeper)
