"""An evening of London Markets: four phones seal their offers, a screen follows and sees none before all lie open."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, SMALL_PHONE, accessible, fits, join
from tests.browser.planned import played_on
from tests.browser.test_evening import choices, decide, link_of

pytestmark = pytest.mark.drill

NAMES = ("Anna", "Ben", "Cleo", "Dora")
TAPS_AT_MOST = 5  # four questions about the offer cards, and the whole of it written down


def open_game(page: Page) -> None:
    page.goto("/new?game=london_markets")
    page.get_by_label("Name of this game").fill("Four stalls")
    for place, name in enumerate(NAMES):
        page.locator(f"input[name='name.{place}']").fill(name)
    page.locator("input[name='option.hands'][value='hidden']").check()
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))


def prompt_of(page: Page) -> str:
    return page.locator("#desk h1").inner_text()


def choose(page: Page, goods: str, count: int) -> None:
    """Tap a type, then the number of its cards."""
    page.locator(f"label:has(input[name='n.only'][value='{goods}'])").tap()
    page.locator(f"label:has(input[name='n.only.{goods}'][value='{count}'])").tap()


def give(page: Page, goods: str, count: int) -> None:
    """Tap a number of cards of one type and seal the offer."""
    choose(page, goods, count)
    page.get_by_role("button", name="Seal an offer").tap()


def test_four_phones_seal_offers_and_a_screen_sees_them_at_once(served_daybook, person):
    keeper = person(PHONE)
    open_game(keeper)
    links = {name: link_of(keeper, name) for name in (*NAMES, "Spectators")}
    keeper.get_by_role("link", name="Start recording").tap()
    keeper.locator("#desk").wait_for()
    game = keeper.url.split("/games/")[1].partition("/")[0]
    taken = [decide(keeper) for _ in range(4)]  # what the table turns up, and the first of the bars
    keeper.goto("about:blank")
    played_on(served_daybook, UUID(game), "round", limit=-1)
    keeper.goto(f"/games/{game}/record")
    while "offered in auction" not in prompt_of(keeper):
        fits(keeper)
        wanted = [kind for kind in ("Profit", "Take") if any(kind in choice for choice in choices(keeper))]
        taken.append(decide(keeper, wanted[0] if wanted else ""))
    assert max(taken) <= TAPS_AT_MOST
    assert sorted(taken)[-3] <= 2, "all but the offer cards and the merchants"
    accessible(keeper)
    fits(keeper)

    screen = person(DESKTOP)
    screen.goto(links["Spectators"])
    screen.get_by_role("link", name="Open the game").click()
    expect(screen).to_have_url(re.compile("/games/[0-9a-f-]+$"))
    phones = {}
    for name in NAMES[:3]:
        phones[name] = person(SMALL_PHONE)
        join(phones[name], links[name])
        phones[name].goto(f"/games/{game}/record")
        expect(phones[name].locator("#desk h1")).to_contain_text(f"{name}: make an offer for auction 1")
    accessible(phones["Anna"])
    fits(phones["Anna"])

    auction_is_sealed_and_revealed(keeper, screen, phones)


def auction_is_sealed_and_revealed(keeper: Page, screen: Page, phones: dict[str, Page]) -> None:
    """Ben and Anna seal, Anna thinks better of it, Dora has no phone, and Cleo is the last."""
    anna, ben, cleo = (phones[name] for name in NAMES[:3])
    choose(anna, "soap", 3)
    give(ben, "silk", 2)
    expect(ben.locator("#desk h1")).to_contain_text("your offer is sealed; waiting for Anna, Cleo and Dora")
    expect(anna.locator(".newest")).to_contain_text("Ben seals an offer")
    expect(anna.locator("input[name='n.only.soap'][value='3']")).to_be_checked()
    anna.get_by_role("button", name="Seal an offer").tap()  # what she had chosen stayed, and nothing stood in its way
    expect(anna.locator("#desk h1")).to_contain_text("your offer is sealed")
    anna.get_by_text("Change it").tap()
    give(anna, "china", 1)
    expect(anna.locator("#desk h1")).to_contain_text("your offer is sealed; waiting for Cleo and Dora")

    keeper.get_by_role("link", name="Dora").tap()
    expect(keeper.locator("#desk h1")).to_contain_text("Dora: make an offer for auction 1")
    give(keeper, "china", 2)
    expect(keeper.locator("#desk h1")).to_contain_text(
        "what else was offered in auction 1? Already sealed: Anna, Ben and Dora"
    )

    expect(screen.locator("#caption")).to_contain_text("Dora seals an offer")
    for page in (screen, cleo, keeper):
        expect(page.locator("main")).to_contain_text("Ben seals an offer")
        assert not re.search(r"offers (\d|nothing)|2 silk|1 china|3 soap|2 china", page.content())
    cleo.locator("label:has(input[name='n.only'][value='nothing'])").tap()
    cleo.get_by_role("button", name="Seal an offer").tap()
    for page in (screen, anna, ben, keeper):
        expect(page.locator("main")).to_contain_text("Anna offers 1 china")
        expect(page.locator("main")).to_contain_text("Ben offers 2 silk")
        expect(page.locator("main")).to_contain_text("Cleo offers nothing")
        expect(page.locator("main")).to_contain_text("Dora sells the most china, 2")
