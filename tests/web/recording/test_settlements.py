"""The card of automatic events: each player's production, sales, income and costs, until a player confirms it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_written
from daybook.web import words
from tests.web.conftest import Opened, VisitedPage
from tests.web.recording.desk import desk

PRINTED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
PLAYED: dict[str, dict[str, Any]] = {
    "water_frame": PRINTED,
    "making_profit": {},
    "london_markets": {},
    "arkwright_card": {},
}
ENDS = ("done", "end_action", "confirm_price")  # what is over with as little as possible


def play_until(game: Opened, effect: str, before: bool = False, limit: int = 60) -> tuple[Seat, Decision]:
    """Play on, by what is over soonest, until something of this kind happens; the decision it comes from.

    before: all but that decision.
    """
    rules = game.game.ruleset
    for _ in range(limit):
        board = game.game.board
        seat = rules.waits_for(board)[0]
        legal = rules.legal(board, seat)
        chosen = next((d for d in legal if tag_of(type(d)) in ENDS), legal[0])
        there = any(tag_of(type(value)) == effect for value in rules.play(board, seat, chosen)[1])
        if not (there and before):
            game.decide(seat, **plain(chosen))
        if there:
            return seat, chosen
    raise AssertionError(f"no {effect} within {limit} steps")


def account(page: VisitedPage) -> dict[str, list[str]]:
    """The card's table: by the name of each row, what stands in its columns; none: there is no card."""
    found = re.search(r'<section class="to-do".*?</section>', page.html, re.DOTALL)
    return table(found[0]) if found else {}


def card(page: VisitedPage) -> str:
    found = re.search(r'<section class="to-do".*?</section>', page.html, re.DOTALL)
    return text_of(found[0]) if found else ""


def table(html: str) -> dict[str, list[str]]:
    found = re.search(r'<table class="settled[^"]*">(.*?)</table>', html, re.DOTALL)
    rows = re.findall(r"<tr.*?</tr>", found[1], re.DOTALL) if found else []
    read = [[text_of(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows]
    return {row[0]: row[1:] for row in read}


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.DOTALL)).split())


@pytest.fixture
def mills(open_game: Callable[..., Opened]) -> Opened:
    """The predetermined set-up of four."""
    return open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="water_frame", **PRINTED)


@pytest.mark.parametrize("ruleset", PLAYED)
def test_account_holds_every_gain_and_loss_of_the_ledger(ruleset):
    """The net on the card is made of what it tells: no pound moves without a row of it."""
    rules, told = RULESETS[ruleset], words.GAMES[ruleset].account
    assert told is not None
    columns = {row.column for row in told.rows.values() if row.column}
    assert columns
    colours = rules.colours(printed_sheet(ruleset))[: max(2, rules.seats[0])]
    seated = [PracticeSeat(colour, colour, colour) for colour in colours]
    game = open_practice_game(
        uuid4(), rules, printed_sheet(ruleset), seated, PLAYED[ruleset], new_written("practice", "step-0")
    )
    for entry in play_out(game, Dealer(3), lambda step: new_written("practice", f"step-{step}"), 250):
        if not isinstance(entry.event, DecisionRecorded):
            continue
        by: Counter[tuple[str, object]] = Counter()
        for posting in told.postings_of(rules.typed_effects(entry.event.effects)):
            by[told.rows[posting.row].column, posting.who] += told.rows[posting.row].sign * posting.n
        before, after = game.figures_at(game.parents[entry.step])[0], game.figures_at(entry.step)[0]
        for column in columns:
            changed = [now - was for was, now in zip(before[column], after[column], strict=True)]
            assert [by[column, seat] for seat in range(len(changed))] == changed, entry.event.effects


# --- Arkwright: Water Frame ------------------------------------------------------------------------------------------

FOOD = {
    "": ["Anna", "Ben", "Cleo", "Dora"],
    "Makes": ["", "3 food", "", "3 food"],
    "Sells": ["", "1 food", "", "3 food"],
    "Loses": ["", "2 food", "", ""],
    "Share spaces": ["", "+1", "", "+4"],
    "Takes": ["", "£7", "", "£15"],
    "Pays": ["", "£12", "", "£12"],
    "Cash": ["£39", "−\u2060£5 £25", "£38", "+\u2060£3 £32"],
    "Share value": ["£10", "+\u2060£1 £11", "£10", "+\u2060£2 £12"],
}


def test_production_card_shows_make_sell_take_and_pay(mills):
    play_until(mills, "cycle_ended")
    page = desk(mills)
    assert account(page) == FOOD
    assert "Production of food" in page.text
    assert "The start player is now Ben" in page.text


def test_a_players_own_phone_says_it_in_one_sentence(mills):
    play_until(mills, "cycle_ended")
    own = desk(mills, mills.visitor("seat", 3))
    assert "Dora makes 3 food, sells 3 food, share spaces +4, takes £15, pays £12" in card(own)
    assert "Ben makes 3 food, sells" not in card(own)
    assert account(own) == FOOD


def test_preview_before_the_last_turn_shows_the_same(mills):
    seat, last = play_until(mills, "cycle_ended", before=True)
    assert seat == 3
    keeper = mills.visitor()
    page = desk(mills, keeper, seat="3", t=json.dumps([plain(last)]))
    shown = page.html[page.html.index("comes-next") :]
    assert "Then: Production of food" in page.text
    assert table(shown) == FOOD
    assert account(page) == {}, "nothing has run yet"


def test_the_card_stays_until_done_in_each_browser_by_itself(mills):
    play_until(mills, "cycle_ended")
    keeper, dora = mills.visitor(), mills.visitor("seat", 3)
    steps = mills.step
    page = keeper.send(desk(mills, keeper, seat="-1").form("Hide this"))
    assert (page.status, account(page)) == (200, {})
    assert mills.step == steps, "it is no part of the record"
    assert account(desk(mills, dora)) == FOOD, "another phone has not done it"
    mills.decide(-1, type="reveal_economy", importer=1, workers=1)
    newest = desk(mills, keeper)
    assert "Economy of clothes: importer +1" in card(newest)
    assert "Production of food" not in card(newest)
    both = desk(mills, dora)
    assert "Economy of clothes" in card(both)


def test_browser_without_scripts_remembers_done_by_cookie(mills, site, browser):
    play_until(mills, "cycle_ended")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}, base_url=site)
    page = context.new_page()
    page.goto("/join")
    page.get_by_label("Link").fill(mills.key("scorekeeper"))
    page.locator("form[action$='/join'] button").first.click()
    page.goto(f"{mills.path}/record?seat=-1")
    expect(page.locator(".to-do")).to_contain_text("Production of food")
    page.get_by_role("button", name="Hide this").click()
    expect(page).to_have_url(re.compile(f"{mills.path}/record\\?seat=-1$"))
    expect(page.locator("#desk h1")).to_be_visible()
    expect(page.locator(".to-do")).to_have_count(0)
    page.goto(f"{mills.path}/record")
    expect(page.locator(".to-do")).to_have_count(0)
    (kept,) = [cookie for cookie in context.cookies() if cookie["name"] == "done"]
    assert (kept["value"], kept["path"], kept["sameSite"]) == (str(mills.step), f"{mills.path}/record", "Lax")
    context.close()


def test_what_was_taken_back_is_not_to_be_done(mills):
    play_until(mills, "cycle_ended")
    keeper = mills.visitor()
    page = desk(mills, keeper)
    keeper.send(next(form for form in page.forms if form.action.endswith("/undo")))
    assert account(desk(mills, keeper)) == {}


@pytest.mark.parametrize("done", ["x", "-1", "9" * 40, "７"])
def test_a_cookie_that_was_made_up_is_no_cookie(mills, done):
    play_until(mills, "cycle_ended")
    keeper = mills.visitor()
    keeper.client.set_cookie("done", done, path=f"{mills.path}/record")
    assert account(desk(mills, keeper)) == FOOD


# --- the other games -------------------------------------------------------------------------------------------------


def test_factory_run_tells_each_player_the_payment(friday):
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="run")
    ben = desk(friday, friday.visitor("seat", 1))
    assert account(ben) == {
        "": ["Anna", "Ben", "Cleo"],
        "Certificates": ["2", "", ""],
        "Is paid": ["$2", "", ""],
        "Money": ["+\u2060$2 $2", "$0", "$0"],
    }
    assert "Anna’s factory runs" in card(ben)
    friday.decide(1, type="run")  # brings nothing
    assert not card(desk(friday, friday.visitor("seat", 1)))


def test_cards_that_a_factory_draws_are_counted_as_cards(open_game):
    game = open_game(hands="hidden")
    game.decide(-1, type="start_player_drawn", seat=0)
    game.decide(0, type="develop", card="R1")
    game.decide(0, type="run")
    own = desk(game, game.visitor("seat", 0))
    assert account(own)["Cards drawn"] == ["1 card", "", ""]
    assert "draws 1 card" in card(own)


def test_after_an_auction_phones_show_all_offers_side_by_side(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    rules, board = game.game.ruleset, game.game.board
    offer = rules.legal(board, 0)[1]
    for seat, made in enumerate([offer, *[rules.legal(board, 1)[0]] * 2]):
        assert "The auction" not in card(desk(game, game.visitor("seat", 2)))
        game.decide(seat, **plain(made))
    for who in (("scorekeeper", None), ("seat", 2)):
        page = desk(game, game.visitor(*who))
        assert {name: row for name, row in account(page).items() if name != "Money"} == {
            "": ["Anna", "Ben", "Cleo"],
            "Offers": ["1 coffee", "", ""],
            "Wins": ["coffee", "", ""],
            "Takes": ["£3", "", ""],
            "Puts back": ["1 coffee", "", ""],
        }
        assert "No more coffee is sold this round: the type is covered Auction 2: soap, silk and china" in card(page)
        assert not any("Done" in button for form in page.forms for button in form.buttons)
        assert page.form("Hide this").action.endswith("/done"), "there is nothing to do"
        assert " open" not in page.html.partition('<details data-keep="to-do')[2].partition(">")[0], (
            "an offer is asked for"
        )
    own = account(desk(game, game.visitor("seat", 2)))
    assert own["Money"] == ["+\u2060£3", "0", "0"], "while totals are covered, gains alone"


def test_after_the_automas_turn_each_has_a_column(open_game):
    game = open_game(("Anna",), ruleset_id="arkwright_card")
    play_until(game, "automa_advanced", limit=100)
    page = desk(game)
    assert account(page) == {
        "": ["Anna", "automa green", "automa orange"],
        "Makes": ["4 food", "", ""],
        "Appeal": ["", "", "food +2"],
        "Shares": ["", "+1", ""],
    }
    assert "The automas’ turn · Production of food" in card(page), "it asks what is shipped"
    play_until(game, "round_ended")
    assert account(desk(game))["Sells"] == ["", "", "4 food"]
