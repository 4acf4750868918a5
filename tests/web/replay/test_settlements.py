"""Automatic events in the replay as on the record page: also for readers, at their step, permanently."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from daybook.domain.kernel.board import plain
from tests.browsing import wait_for_step
from tests.web.conftest import Opened, VisitedPage
from tests.web.recording.desk import desk
from tests.web.recording.test_settlements import FOOD, PRINTED, account, play_until, table, text_of

SETTLED = ".settlement .settled"


def row_html(page: VisitedPage, step: int) -> str:
    """Return the ledger's row of a step as HTML."""
    return page.html.split(f'id="step-{step}"')[1].split(' id="step-')[0].partition("</section>")[0]


def go(page: Page, step: int) -> None:
    page.locator("#scrubber").evaluate("(one, to) => { one.value = to; one.dispatchEvent(new Event('input')) }", step)
    wait_for_step(page, step)


@pytest.fixture
def mills(open_game: Callable[..., Opened]) -> Opened:
    return open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="water_frame", **PRINTED)


def test_replay_tells_readers_what_each_player_gets_and_pays(mills):
    play_until(mills, "cycle_ended")
    ran = mills.step
    mills.decide(-1, type="reveal_economy", importer=1, workers=1)
    reader = mills.visitor("reader")
    page = reader.get(mills.path, step=str(ran))
    assert table(row_html(page, ran)) == FOOD
    assert table(page.html[page.html.index('id="caption"') :]) == FOOD
    assert "settlement" not in row_html(page, ran - 1)
    assert "Production of food Dora closes the main action" in text_of(row_html(page, ran))
    assert "Dora makes 3 food, sells" not in text_of(row_html(page, ran)), "whoever reads has no seat"
    own = mills.visitor("seat", 3).get(mills.path, step=str(ran), view="3")
    assert "Dora makes 3 food, sells 3 food, share spaces +4, takes £15, pays £12" in text_of(row_html(own, ran))


def test_what_comes_later_is_told_to_a_replay_that_lies_open(mills):
    play_until(mills, "cycle_ended")
    ran = mills.step
    reader = mills.visitor("reader")
    answer = reader.client.get(f"{mills.path}/replay.json?after={ran - 1}").json
    assert table(answer["rows"][str(ran)]) == FOOD


def test_taken_back_step_still_tells_what_ran_then(mills):
    play_until(mills, "cycle_ended")
    ran, keeper = mills.step, mills.visitor()
    keeper.send(next(form for form in desk(mills, keeper).forms if form.action.endswith("/undo")))
    page = mills.visitor("reader").get(mills.path)
    assert f"undone by step {ran + 1}" in text_of(row_html(page, ran))
    assert table(row_html(page, ran)) == FOOD


def test_over_several_steps_each_tells_what_it_came_to_by_then(open_game):
    game = open_game(("Anna",), ruleset_id="arkwright_card")
    play_until(game, "automa_advanced", limit=100)
    began = game.step
    play_until(game, "round_ended")
    page = game.visitor("reader").get(game.path)
    first, last = row_html(page, began), row_html(page, game.step)
    assert "so far" in text_of(first)
    assert table(first)["Makes"] == ["4 food", "", ""] and "Sells" not in table(first)
    assert "so far" not in text_of(last)
    assert table(last) == account(desk(game))


def test_money_that_is_covered_at_the_table_is_covered_there(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    rules, board = game.game.ruleset, game.game.board
    for seat, made in enumerate([rules.legal(board, 0)[1], *[rules.legal(board, 1)[0]] * 2]):
        game.decide(seat, **plain(made))
    seen = {
        who: table(row_html(game.visitor(*who).get(game.path), game.step)) for who in (("reader", None), ("seat", 2))
    }
    for shown in seen.values():
        assert shown["Offers"] == ["1 coffee", "", ""]
        assert shown["Wins"] == ["coffee", "", ""]
    assert seen["reader", None]["Money"] == ["+\u2060£3", "0", "0"]
    assert seen["seat", 2]["Money"] == seen["reader", None]["Money"], "gains alone, without a total beside them"


def test_settlement_is_open_next_to_the_board_and_closes_for_all(mills, site, page):
    mills.play(60, seed=1)
    mills.enter(page, site, "reader")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site}{mills.path}?step=0")
    ran = [
        int(id[5:])
        for id in page.locator("tbody:has(> tr > .says > .settlement)").evaluate_all("all => all.map(one => one.id)")
    ]
    here = page.locator(f"[aria-current=step] {SETTLED}")
    expect(here).to_have_count(0)
    go(page, ran[0])
    expect(here).to_be_visible()
    page.locator("[aria-current=step] .settlement > summary").click()
    expect(here).to_be_hidden()
    assert page.locator("#where").inner_text().startswith(f"step {ran[0]} "), "a tap that folds it goes nowhere"
    go(page, ran[1])
    expect(page.locator("#where")).to_contain_text(f"step {ran[1]} ")
    expect(here).to_be_hidden()
    page.locator("[aria-current=step] .settlement > summary").click()
    whose = page.locator("tbody[aria-current=step]").get_attribute("data-seat")
    page.locator(f"label[for=only-{whose}]").click()
    expect(page.locator(f"[aria-current=step] {SETTLED} tbody tr").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, ran[0])
    expect(page.locator("#caption .settlement")).not_to_have_attribute("open", "")  # over the board by a tap alone


def test_on_a_phone_it_is_a_tap_away_under_the_board(mills, site, page):
    play_until(mills, "cycle_ended")
    page.set_viewport_size({"width": 390, "height": 844})
    mills.enter(page, site, "reader")
    page.goto(f"{site}{mills.path}")
    summary = page.locator("#caption .settlement > summary")
    expect(summary).to_contain_text("Production of food")
    expect(page.locator(f"#caption {SETTLED}")).to_be_hidden()
    box = summary.bounding_box()
    assert box and box["height"] >= 44
    summary.click()
    expect(page.locator(f"#caption {SETTLED}")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#caption .settlement")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#caption {SETTLED}")).to_be_visible()


def test_five_columns_break_no_name(mills, site, page):
    """The importer takes part: the table is as wide as a phone, and every word stands on one line."""
    page.set_viewport_size({"width": 390, "height": 844})
    while "the importer" not in account(desk(mills)).get("", []):
        play_until(mills, "call_out_ended", limit=200)
    mills.enter(page, site)
    page.goto(f"{site}{mills.path}/record")
    page.locator(".to-do summary").first.click()
    heads = page.locator(".to-do .settled thead bdi")
    expect(heads).to_have_text(["Anna", "Ben", "Cleo", "Dora", "the importer"])
    lines = heads.evaluate_all(
        "all => all.map(one => { const of = document.createRange();"
        " of.selectNodeContents(one); return new Set([...of.getClientRects()].map(box => box.top)).size })"
    )
    assert lines in ([1, 1, 1, 1, 1], [1, 1, 1, 1, 2]), "two words may stand on two lines"
    assert page.locator(".to-do .sideways").evaluate("one => one.scrollWidth <= one.clientWidth")
