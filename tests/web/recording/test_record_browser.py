"""Recording in a browser: keys, taps that wait for the network, what others record meanwhile, and sizes for thumbs."""

from __future__ import annotations

import re
import statistics

import pytest
from playwright.sync_api import expect

from daybook.domain.commands import Note
from daybook.domain.kernel.terms import TABLE
from tests.bench.first_choice import GAMES, GOAL_PX, NAMES, measure_game
from tests.web.conftest import with_three_unseen_cards


def test_digits_press_and_enter_writes_without_leaving_the_page(page, site, friday):
    friday.enter(page, site)
    assert "#" not in page.url, "the key is out of the address"
    page.locator("#desk:focus").wait_for()
    page.evaluate("document.body.dataset.stayed = 'yes'")
    page.keyboard.press("1")
    page.locator('#desk[data-at="8"]').wait_for()
    expect(page.locator("[data-live]")).to_have_text(re.compile("Anna runs the factory: "))
    assert page.locator("body").get_attribute("data-stayed") == "yes"
    assert friday.game.entries[-1].event.decision == {"type": "run"}


def test_escape_goes_back_enter_saves_and_fields_keep_digits(page, site, open_game):
    game = with_three_unseen_cards(open_game)
    step = game.step
    game.enter(page, site)
    page.locator("#desk:focus").wait_for()
    page.get_by_label("Sell R1 and others").press("Enter")
    page.locator(".path").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Run the factory").wait_for()
    page.get_by_text("Fix…").click()
    page.get_by_label(f"A note on step {step}").fill("1 2 3")
    page.keyboard.press("1")
    assert page.get_by_label(f"A note on step {step}").input_value() == "1 2 31"
    page.goto(f"{site}{game.path}/record?seat=0&kind=run")
    page.locator(".write").press("Enter")
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()


def test_the_keys_of_every_program_undo_and_redo(page, site, friday):
    friday.decide(0, type="develop", card="R2")
    step = friday.step
    friday.enter(page, site)
    page.locator("#desk:focus").wait_for()
    for number, (key, line) in enumerate(
        [("Control+z", step - 1), ("Control+y", step), ("Meta+z", step - 1), ("Meta+Shift+z", step)], 1
    ):
        page.keyboard.press(key)
        page.locator(f'#desk[data-at="{step + number}"]:focus').wait_for()
        assert friday.game.line()[-1] == line
    page.keyboard.press("Control+y")  # nothing is left to be redone
    page.get_by_text("Fix…").click()
    note = page.get_by_label(f"A note on step {step}")
    note.fill("a slip")
    note.press("Control+z")  # of the text, and not of the record
    note.fill("no slip")
    page.get_by_role("button", name="Save the note").click()
    page.locator(f'#desk[data-at="{step + 5}"]').wait_for()


def test_without_network_the_entry_waits_and_is_written_once(browser, site, friday):
    page = browser.new_page()  # one whose console may speak of the network
    friday.enter(page, site)
    step = friday.step
    lost = []

    def lose(route) -> None:
        """The first time the entry arrives and its answer is lost; the second time it does not even arrive."""
        lost.append(route.request.post_data)
        if len(lost) == 1:
            route.fetch()
        route.abort()

    page.route(f"**{friday.path}/record", lose)
    page.get_by_role("button", name="Run the factory").click()
    expect(page.locator("[data-waiting]")).to_contain_text("1 waiting")
    with page.expect_request(f"**{friday.path}/record"):
        page.get_by_role("button", name="Run the factory").click()  # tapped again, it waits once
    page.unroute(f"**{friday.path}/record")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    page.locator("[data-waiting]").wait_for(state="hidden")
    expect(page.locator("[data-dropped]")).to_have_count(0)
    page.close()
    assert friday.step == step + 1


def test_who_is_choosing_is_told_and_not_interrupted(page, site, open_game):
    game = with_three_unseen_cards(open_game)
    game.enter(page, site)
    page.get_by_label("Sell R1 and others").click()
    page.locator(".path").wait_for()
    game.write(Note(game.step, "tea"), by="seat:1")
    page.get_by_text(f"Step {game.step} was recorded in the meantime.").wait_for()
    assert page.locator(".path").is_visible()


def test_keepers_page_keeps_its_seat_while_others_record(page, site, open_game):
    game = open_game(NAMES[:3], hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    game.enter(page, site)
    page.locator("#desk[data-seat='0']").wait_for()
    game.decide(1, type="third_card", claimed=False)
    page.locator(f"#desk[data-at='{game.step}'][data-seat='0']").wait_for()


def test_card_that_saves_is_never_where_another_was(page, site, open_game):
    page.set_viewport_size({"width": 390, "height": 844})
    game = with_three_unseen_cards(open_game)
    game.enter(page, site)
    page.get_by_label("Sell R1 and others").click()
    cards = page.locator(".choices > li:not(.taken)")
    page.get_by_text("2 of 3").wait_for()
    first, last = cards.first.bounding_box(), cards.last.bounding_box()
    cards.first.click()
    page.get_by_text("3 of 3").wait_for()
    assert cards.first.bounding_box()["y"] >= last["y"] + last["height"] - 1
    page.get_by_label("Take off R1").first.click()
    page.get_by_text("2 of 3").wait_for()
    assert cards.first.bounding_box() == first


def test_everything_that_records_is_large_enough_for_a_thumb(page, site, friday):
    page.set_viewport_size({"width": 360, "height": 740})
    friday.enter(page, site)
    page.get_by_text("Fix…").click()
    expect(page.get_by_role("link", name="Correct the board")).to_be_in_viewport(ratio=1)  # what is unfolded moves up
    expect(page.get_by_role("link", name="Record it as played")).to_be_in_viewport(ratio=1)
    page.locator(".undo-what > summary").click()
    for box in (locator.bounding_box() for locator in page.locator(".pick, .undo button").all()):
        assert box["height"] >= 48
    for box in (item.bounding_box() for item in page.locator("a:visible, button:visible, summary:visible").all()):
        assert box["height"] >= 24
        assert box["width"] >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
@pytest.mark.parametrize("ruleset_id", GAMES)
def test_choices_begin_within_120_px_on_a_phone(page, site, open_game, ruleset_id):
    page.set_viewport_size({"width": 390, "height": 844})
    planned = GAMES[ruleset_id]
    game = open_game(NAMES[: planned.seats], ruleset_id=ruleset_id, **planned.options)
    game.enter(page, site)
    places = list(measure_game(page, site, game, planned.seed, every=8, steps=40))
    assert statistics.median(place.first for place in places) <= GOAL_PX
