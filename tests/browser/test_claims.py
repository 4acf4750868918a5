"""A disputed evening in a real browser: a claim with a photo, umpires and an appeal, a line of one's own, a receipt
that a stranger verifies, and an audit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Person, ServedDaybook, look_at, photo_of_table
from tests.browser.test_evening import decide, link_of, open_game, step_of
from tests.browsing import click_through


class GameUnderWay:
    """A game of three that is under way on the scorekeeper's phone, and the link of each."""

    def __init__(self, keeper: Page, decisions: int) -> None:
        open_game(keeper, "A disputed evening", ["Anna", "Berta", "Cleo"], hands="open")
        self.links = keeper.url
        self.game = keeper.url.split("/links")[0]
        self.of = {name: link_of(keeper, name) for name in ("Anna", "Berta", "Cleo")}
        keeper.goto(f"{self.game}/record")
        for _ in range(decisions):
            decide(keeper)
        self.step = step_of(keeper)


@pytest.fixture
def keeper(person: Person) -> Page:
    return person(PHONE)


@pytest.fixture
def evening(keeper: Page) -> GameUnderWay:
    return GameUnderWay(keeper, 12)


def umpire_named(keeper: Page, evening: GameUnderWay, name: str) -> str:
    """An umpire's link, out of the page of links."""
    keeper.goto(evening.links)
    keeper.get_by_label("The next umpire").fill(name)
    keeper.get_by_role("button", name="Name the umpire").click()
    look_at(keeper)
    return link_of(keeper, name)


def sat_down(page: Page, link: str) -> Page:
    page.goto(link)
    page.wait_for_url(re.compile("/games/"))
    return page


def test_a_claim_is_raised_ruled_on_and_appealed(person: Person, keeper: Page, evening: GameUnderWay) -> None:
    uli = sat_down(person(DESKTOP), umpire_named(keeper, evening, "Uli"))
    vera = sat_down(person(PHONE), umpire_named(keeper, evening, "Vera"))
    anna = sat_down(person(PHONE), evening.of["Anna"])

    anna.goto(evening.game)
    anna.get_by_role("button", name="A step back", exact=True).tap()  # the button goes along to the step at hand
    expect(anna.locator("#where")).to_contain_text(f"step {evening.step - 1 + 2} of")
    anna.get_by_role("button", name="A step back", exact=True).tap()
    anna.get_by_role("button", name="A step back", exact=True).tap()
    anna.get_by_role("link", name="This game").tap()
    anna.get_by_role("button", name="Wrong?").tap()
    click_through(anna.get_by_role("link", name="The table was wrong"))
    anna.get_by_label("What is wrong?").fill("that card was not hers")
    anna.get_by_label("Photos of the table").set_input_files(photo_of_table())
    look_at(anna)
    anna.get_by_role("button", name="Raise the claim").tap()
    expect(anna.get_by_text("Nobody has ruled yet")).to_be_visible()
    expect(anna.get_by_role("heading", name="What the rules say")).to_be_visible()
    image = anna.get_by_role("img", name="Photo 1")
    image.scroll_into_view_if_needed()
    anna.wait_for_function("document.querySelector('.photos img').naturalWidth == 1600")
    look_at(anna)
    claim = anna.url

    keeper.goto(f"{evening.game}/record")
    expect(keeper.get_by_role("link", name="Claim on step")).to_be_visible()
    look_at(keeper)

    uli.goto(claim)
    click_through(uli.get_by_role("link", name="Play on"))
    uli.get_by_label("Why?").fill("the photo shows it in her hand")
    look_at(uli)
    uli.get_by_role("button", name="Uli makes this ruling").click()
    expect(uli.get_by_text("Ruled on, and it may be appealed")).to_be_visible()

    anna.goto(claim)
    anna.locator("#appeal").get_by_label("Why?").fill("the photo was taken later")
    anna.get_by_role("button", name="Appeal").tap()
    expect(anna.get_by_text("Appealed: another umpire has to rule")).to_be_visible()

    vera.goto(claim)
    vera.get_by_role("link", name="Go back").tap()
    expect(vera.get_by_text("It strikes out")).to_be_visible()
    vera.get_by_label("Why?").fill("nobody knows what she held")
    look_at(vera)
    vera.get_by_role("button", name="Vera makes this ruling").tap()
    expect(vera.locator(".state")).to_have_text("Closed")
    expect(vera.locator("#story .steps li")).to_have_count(6)
    look_at(vera)
    keeper.goto(f"{evening.game}/record")
    expect(keeper.locator(".claims-open")).to_have_count(0)


def test_a_line_of_ones_own_is_tried_and_proposed_to_the_table(
    person: Person, keeper: Page, evening: GameUnderWay
) -> None:
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
    expect(keeper.get_by_text("Proposed: Go back")).to_be_visible()
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


def test_a_receipt_is_saved_and_a_stranger_verifies_the_record(
    served_daybook: ServedDaybook, keeper: Page, evening: GameUnderWay, tmp_path: Path
) -> None:
    keeper.goto(f"{evening.game}/score")
    look_at(keeper)
    keeper.get_by_role("link", name="Save a receipt").tap()
    keeper.wait_for_url("**/receipt*")
    expect(keeper.locator(".receipt .qr svg")).to_be_visible()
    look_at(keeper)
    with keeper.expect_download() as saving:
        keeper.get_by_role("link", name="Save the receipt").tap()
    receipt = tmp_path / "evening.receipt"
    saving.value.save_as(receipt)
    keeper.goto(f"{evening.game}/record")
    decide(keeper)
    keeper.goto(f"{evening.game}/about")
    with keeper.expect_download() as saving:
        keeper.get_by_role("link", name="Download the record").tap()
    record = tmp_path / "evening.daybook"
    saving.value.save_as(record)
    told = served_daybook.daybook("verify", str(record), "--receipt", str(receipt))
    assert told.returncode == 0 and "goes on to step" in told.stdout, told.stdout + told.stderr
    lines = record.read_text().splitlines()
    lines[3] = lines[3].replace('"at":"2', '"at":"1', 1)
    record.write_text("\n".join(lines) + "\n")
    assert served_daybook.daybook("verify", str(record), "--receipt", str(receipt)).returncode == 1

    keeper.goto(f"{evening.game}/receipt")
    keeper.get_by_label("The file that was saved").set_input_files(receipt)
    keeper.get_by_role("button", name="Compare the record with it").tap()
    expect(keeper.locator("#held")).to_contain_text("goes on to step")
    expect(keeper.locator("#held")).to_contain_text("signed by this Daybook")
    keeper.get_by_role("link", name="How anyone can verify it").tap()
    expect(keeper.get_by_role("heading", name="What this shows, and what it does not")).to_be_visible()
    look_at(keeper)


def test_an_audit_is_asked_for_and_a_worker_carries_it_out(keeper: Page, evening: GameUnderWay) -> None:
    keeper.goto("/audit")
    keeper.get_by_role("button", name="Audit the").tap()
    expect(keeper.get_by_text("wait for their audit")).to_be_visible()
    expect(keeper.locator("[data-due]")).to_have_count(0)
    look_at(keeper)
    keeper.goto(f"{evening.game}/audit")
    expect(keeper.get_by_text("agree with every step")).to_be_visible()
    click_through(keeper.get_by_role("button", name="Audit it now"))
    expect(keeper.get_by_text("agree with every step")).to_be_visible()
    look_at(keeper)
