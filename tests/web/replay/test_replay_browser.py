"""The replay in a browser: all steps at once, by keys, slider, ledger and chart, and those that come meanwhile."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from daybook.domain.commands import RuleOnClaim
from daybook.services.disputes import claims
from daybook.services.disputes.umpires import appeal_hours
from tests.browsing import open_replay, wait_for_step
from tests.ink import ink_faults
from tests.played import write
from tests.servers import wait_until
from tests.web.conftest import held_request, silence_beats
from tests.web.disputes.test_claims import umpire
from tests.web.replay.test_replay import answer, evening, take_back

__all__ = ["evening"]  # a public game of some rounds


def at(page: Page, step: int) -> None:
    expect(page.locator("#where")).to_have_text(re.compile(rf"^step {step} of "))


LOOK = """(page) => {
  const told = (text) => text.replace(/\\s+/g, " ").trim();
  return [
    [...page.querySelectorAll("[data-part]")].map((part) => part.dataset.part + told(part.innerHTML)),
    told(page.querySelector("#caption").textContent),
    [...page.querySelectorAll("[aria-current=step]")].map((row) => row.id),
  ]; }"""
AS_SERVED = f"""async (address) => {{
  const html = await (await fetch(address)).text();
  return ({LOOK})(new DOMParser().parseFromString(html, "text/html")); }}"""


def look(page: Page) -> list[Any]:
    """Return the contents of every part of the board, the caption, and the marked rows of the ledger."""
    shown: list[Any] = page.evaluate(f"({LOOK})(document)")
    return shown


def as_served(page: Page, address: str) -> list[Any]:
    """The same of the page that is served at an address, before any script."""
    shown: list[Any] = page.evaluate(AS_SERVED, address)
    return shown


def test_keys_move_except_in_fields_with_modifiers_or_when_off(evening, site, page):
    page.goto(f"{site}{evening.path}?step=0")
    moves = [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 8),
        ("Shift+ArrowRight", 11),
        ("Shift+ArrowLeft", 7),
        ("1", 8),
        ("1", 9),
        ("End", evening.step),
        ("Home", 0),
    ]
    for key, step in moves:
        page.keyboard.press(key)
        at(page, step)
    expect(page).to_have_url(re.compile(r"\?step=0$"))
    page.keyboard.press("Control+ArrowRight")
    page.locator("#speed").focus()
    page.keyboard.press("End")
    at(page, 0)
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("?")
    page.get_by_label("Use these keys").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowRight")
    at(page, 0)


def test_each_step_is_drawn_in_the_browser_as_on_the_server(evening, site, page):
    page.add_init_script("localStorage.setItem('daybook.replay.leave-out', 'false')")  # struck-out steps too
    open_replay(page, f"{site}{evening.path}?step=0")
    for step in range(evening.step + 1):
        at(page, step)
        wait_for_step(page, step)
        shown = look(page)
        assert shown == as_served(page, f"{site}{evening.path}?step={step}"), step
        assert shown[-1] == [f"step-{step}"]
        page.keyboard.press("ArrowRight")


def test_slider_ledger_and_chart_jump_and_a_player_filters(evening, site, page):
    page.goto(f"{site}{evening.path}?step=0")
    slider = page.get_by_role("slider")
    slider.fill("8")
    at(page, 8)
    expect(slider).to_have_attribute("aria-valuetext", "round 1, Anna develops R2: the factory is at level 1")
    expect(page.locator("#aloud")).to_have_text(re.compile("^step 8 of .*Anna develops R2"))
    slider.fill("0")
    at(page, 0)
    page.locator("#step-8 .says p").first.click(position={"x": 4, "y": 4})
    at(page, 8)
    plot = page.locator("[data-chart]").locator("visible=true").first
    box = plot.bounding_box()
    assert box
    plot.click(position={"x": box["width"] - 1, "y": 20})
    at(page, evening.step)
    page.locator("label[for=only-0]").click()
    expect(page.get_by_label("Only the steps of Anna")).to_be_checked()
    expect(page.locator("#step-8")).to_be_visible()
    expect(page.locator("#step-1")).to_be_hidden()


def stands_still(page: Page, address: str) -> None:
    """Open a page; then its clock only goes on as a test lets it. The page gives up a request after 20 seconds."""
    page.clock.install(time=0)
    page.goto(address)
    page.clock.pause_at(15)


def press_play(page: Page) -> None:
    """Press Play or Pause, also below a notice."""
    page.locator("#play").dispatch_event("click")


def plays_to(page: Page, step: int) -> None:
    def there() -> bool:
        page.clock.run_for(100)  # milliseconds; a step lasts three times that
        return int(re.findall(r"\d+", page.locator("#where").inner_text())[0]) >= step

    wait_until(there, f"step {step}")


def test_playing_never_starts_by_itself_and_can_be_paused(evening, site, page):
    stands_still(page, f"{site}{evening.path}?step=0")
    at(page, 0)
    page.locator("#speed").select_option("4")
    press_play(page)
    plays_to(page, 3)
    press_play(page)
    stopped = page.locator("#where").inner_text()
    page.clock.run_for(60_000)
    assert page.locator("#where").inner_text() == stopped


def test_playing_waits_for_the_steps_and_a_pause_holds_meanwhile(evening, site, page):
    held: list[Route] = []
    page.route("**/replay.json*", lambda route: held.append(route))
    stands_still(page, f"{site}{evening.path}?step=0")
    page.locator("#speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1500)  # five steps, had they come
    page.get_by_role("button", name="Pause").click()
    with page.expect_response("**/replay.json*") as answered:
        held_request(page, held).continue_()
    answered.value.finished()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.clock.run_for(60_000)
    at(page, 1)
    page.get_by_role("button", name="Play").click()
    plays_to(page, 2)


@pytest.fixture
def lonely_page(browser: Browser, site: str) -> Iterator[Page]:
    """Return a page whose console may report failed requests."""
    with browser.new_context(hurried=True) as context:
        yield context.new_page()


def test_missing_steps_are_requested_until_they_come(evening, site, lonely_page):
    lonely_page.route("**/replay.json*", lambda route: route.abort())
    lonely_page.goto(f"{site}{evening.path}?step=0")
    expect(lonely_page.locator("[data-cut]")).to_be_visible()
    lonely_page.keyboard.press("ArrowRight")
    at(lonely_page, 0)
    lonely_page.unroute("**/replay.json*")
    at(lonely_page, 1)
    expect(lonely_page.locator("[data-cut]")).to_be_hidden()


def test_refused_steps_lead_to_what_the_server_says(evening, site, lonely_page):
    lonely_page.route("**/replay.json*", lambda route: route.fulfill(status=403, body=""))
    lonely_page.goto(f"{site}{evening.path}?step=0")
    expect(lonely_page.locator("#replay")).to_have_class(re.compile("scripted"))
    lonely_page.keyboard.press("PageDown")
    lonely_page.wait_for_url(re.compile(r"step=[1-9]"))


def test_back_leads_to_the_jump_and_a_drawn_slider_is_one_jump(evening, site, page):
    open_replay(page, f"{site}{evening.path}?step=0")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("End")
    page.wait_for_url(f"**step={evening.step}")
    page.keyboard.press("ArrowLeft")  # the step between them is struck out
    at(page, evening.step - 2)
    page.wait_for_url(f"**step={evening.step - 2}")
    page.locator("#scrubber").evaluate("""slider => {
      for (const step of [3, 5, 8]) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    }""")
    at(page, 8)
    page.wait_for_url("**step=8")
    page.go_back()
    at(page, evening.step - 2)
    page.go_back()
    at(page, 1)
    page.go_forward()
    at(page, evening.step - 2)
    page.wait_for_url(f"**step={evening.step - 2}")


def test_a_held_button_repeats(evening, site, page):
    stands_still(page, f"{site}{evening.path}?step=0")
    page.get_by_role("button", name="A step forward").hover()
    page.mouse.down()
    plays_to(page, 3)
    page.mouse.up()
    stopped = page.locator("#where").inner_text()
    page.clock.run_for(60_000)
    assert page.locator("#where").inner_text() == stopped


def test_what_was_taken_back_can_be_left_out(evening, site, page):
    back = next(entry.step for entry in evening.game.entries if entry.topic == "decisions_taken_back")
    page.goto(f"{site}{evening.path}?step={back - 2}")
    page.keyboard.press("ArrowRight")
    at(page, back)
    page.keyboard.press("?")
    page.get_by_label("Leave out struck-out steps").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowLeft")
    at(page, back - 1)
    page.keyboard.press("?")
    page.get_by_label("Leave out struck-out steps").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowLeft")
    at(page, back - 2)
    page.keyboard.press("ArrowRight")
    at(page, min(back + 1, evening.step))


def follow(page: Page, address: str) -> None:
    """Open the page and wait until it follows the game."""
    with page.expect_request("**/events?*"):
        page.goto(address)


def test_a_second_screen_is_told_of_each_new_step(evening, site, app, page):
    silence_beats(app)
    follow(page, f"{site}{evening.path}")
    for _ in range(3):
        evening.play(1, seed=5)
        expect(page.locator("#where")).to_have_text(f"step {evening.step} of {evening.step}")
    wait_for_step(page, evening.step)
    assert look(page) == as_served(page, f"{site}{evening.path}")


def test_who_looks_back_is_told_of_new_steps_and_not_moved(evening, site, page):
    follow(page, f"{site}{evening.path}?step=5")
    evening.play(1, seed=5)
    more = page.get_by_role("button", name="new step")
    expect(more).to_have_text("1 new step")
    evening.play(1, seed=5)
    expect(more).to_have_text("2 new steps")
    at(page, 5)
    more.click()
    at(page, evening.step)
    expect(more).to_be_hidden()


def test_a_newer_take_back_strikes_rows_out_on_the_open_page(evening, site, page):
    follow(page, f"{site}{evening.path}")
    take_back(evening, 9)
    expect(page.locator("#step-10")).to_have_class(re.compile("struck"))


def test_phone_buttons_are_large_and_ledger_and_chart_slide_over(evening, site, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}{evening.path}?step=8")
    sizes = page.locator(".transport button:visible, .transport a:visible").evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )
    assert sizes and all(height >= 44 and width >= 32 for width, height in sizes), sizes
    expect(page.locator("#ledger")).to_be_hidden()
    page.get_by_role("link", name="Ledger").click()
    expect(page.locator("#step-8")).to_be_in_viewport()
    page.locator("#step-9 .told > .of").click()
    expect(page.locator("#ledger")).to_be_hidden()
    at(page, 9)
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="Chart").click()
    expect(page.locator("#charts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#charts")).to_be_hidden()


LONG = ("Bartholomäus", "Konstantinos", "Maximiliane", "Wilhelmina A", "Christopher", "Alexandrina")


def test_long_names_are_cut_short_next_to_the_actions(open_game, site, page):
    game = open_game(names=LONG, title="Friday at the Weavers' Arms")
    game.enter(page, site)
    page.goto(site + game.path)
    expect(page.get_by_role("button", name="What if")).to_be_visible()
    for width in (1200, 1280, 1440, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert ink_faults(page, ".replay-head") == [], width


@pytest.mark.parametrize(
    ("ruleset", "seats"), [pytest.param("making_profit", 6, marks=pytest.mark.drill), ("london_markets", 4)]
)
def test_phone_transport_is_not_cut_and_captions_are_whole_lines(open_game, site, page, ruleset, seats):
    game = open_game(names=("Anna", "Ben", "Cleo", "Dora", "Ewa", "Finn")[:seats], public=True, ruleset_id=ruleset)
    game.play(2000, seed=4)
    longest = max(game.game.entries, key=lambda entry: len(getattr(entry.event, "effects", ()))).step
    for width, height in ((390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{site}{game.path}?step={longest}")
        transport_stands_whole(page, width, height, may_be_short=ruleset == "making_profit")


def transport_stands_whole(page: Page, width: int, height: int, may_be_short: bool) -> None:
    expect(page.locator("#play")).to_be_visible()
    sides = page.locator(".tools > *:visible, .scrub > *:visible, .moves > *:visible, .tools select").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right, box.bottom])"
    )
    assert sides and all(left >= 0 and right <= width and bottom <= height for left, right, bottom in sides), sides
    assert ink_faults(page, ".transport") == []
    room, line, holds = page.locator("#caption").evaluate(
        "one => [one.clientHeight, parseFloat(getComputedStyle(one).lineHeight), one.scrollHeight]"
    )
    assert room % line == 0, "whole lines"
    if may_be_short and holds <= room:
        return
    if page.locator("#caption .settlement").count():
        page.locator("#caption .settlement > summary").click()
    else:
        expect(page.locator("#caption")).to_have_class(re.compile("longer"))
        page.locator("#caption").click()
    grown, under = page.evaluate(
        "[caption.getBoundingClientRect().bottom, document.querySelector('.transport').getBoundingClientRect().top]"
    )
    assert page.locator("#caption").evaluate("one => one.clientHeight") > room and grown <= under


# --- playing by the size of what changed, and stopping where somebody decides ----------------------------------------


def test_a_step_stands_the_longer_the_more_it_changed_the_score(evening, site, page, visitor):
    evening.play(60, seed=5)
    steps = answer(visitor, evening)["steps"]
    scored = [
        sum(int(re.sub(r"\D", "", by)) for at, (_, by) in marks.items() if at.startswith("/columns/"))
        for _, marks in steps
    ]
    loud = max(range(1, evening.step), key=lambda step: scored[step])
    quiet = next(step for step in range(1, evening.step) if not scored[step])
    assert scored[loud] >= 5
    stands_still(page, f"{site}{evening.path}?step=0")
    page.locator("#speed").select_option("change")
    for step, held in ((quiet, False), (loud, True)):
        page.locator("#scrubber").fill(str(step - 1))
        press_play(page)
        plays_to(page, step)
        page.clock.run_for(500)  # milliseconds: longer than a step in which nobody scores
        (at if held else past)(page, step)
        page.clock.run_for(5000)
        past(page, step)
        page.locator("#scrubber").fill("0")  # and it plays no more
        expect(page.get_by_role("button", name="Play")).to_be_visible()


def past(page: Page, step: int) -> None:
    expect(page.locator("#where")).not_to_have_text(re.compile(rf"^step {step} of "))


def test_playing_stops_at_a_claim_and_at_its_ruling(evening, site, page):
    umpire(evening, "Uma")
    before = evening.step
    raised = claims.raise_claim(evening.book, evening.id, 8, "wrong", by="scorekeeper", key=secrets.token_hex(8)).step
    write(
        evening.book,
        evening.id,
        RuleOnClaim(raised, "play_on", "so it is", umpire=0, appeal_hours=appeal_hours(evening.book, evening.id)),
        at=raised,
        by="umpire:0",
    )
    ruled = evening.step
    assert ruled > raised
    stands_still(page, f"{site}{evening.path}?step={before - 1}")
    page.locator("#speed").select_option("change")
    for step in (raised, ruled):
        press_play(page)
        plays_to(page, step)
        at(page, step)
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.clock.run_for(60_000)
        at(page, step)
