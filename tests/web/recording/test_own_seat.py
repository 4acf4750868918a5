"""A phone at a seat while others play: what is its own, what is to come, a word on its turn; and a second pen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Opened, Visitor


def seat_page(game: Opened, seat: int) -> str:
    return game.visitor("seat", seat).get(f"{game.path}/record").html


def test_who_waits_sees_the_own_money_hand_and_what_comes_next(friday):
    own = seat_page(friday, 1).partition('class="your-seat"')[2].partition("</section>")[0]
    assert '<span class="faded">money</span> <span class="n">$0</span>' in own
    assert "R2 and M2" in own, "Ben’s hand"
    assert "Your next turn begins with: take two actions" in own
    assert 'data-turn=""' in seat_page(friday, 1)


def test_set_up_says_nothing_of_turns_or_other_players(open_game):
    game = open_game(("Anna", "Ben"), ruleset_id="water_frame", factories="free", mat="random", events="random")
    game.decide(-1, type="start_player", seat=0)
    page = game.visitor("seat", 1).get(f"{game.path}/record")
    assert "next turn begins" not in page.text
    assert "The table: lay the grey markers on the mat, row I" in page.text


def test_whose_turn_it_is_hears_of_it_and_sees_the_figures_once(friday):
    html = seat_page(friday, 0)
    assert 'data-turn="Your turn"' in html
    assert 'class="your-seat"' not in html, "the figures of who decides stand in the head already"
    assert "in hand" in html and "next turn begins" not in html


def test_nobody_sees_another_hand(friday):
    assert 'class="holds"' in seat_page(friday, 1)
    for role in ("scorekeeper", "reader"):
        assert 'class="holds"' not in friday.visitor(role).get(f"{friday.path}/record").html


def test_a_scorekeeper_who_plays_has_an_own_strip_and_the_own_offer_first(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    keeper, held = game.visitor("scorekeeper"), "Press and hold to see what you have money"
    assert held not in keeper.get(f"{game.path}/record").text
    page = keeper.post(f"{game.path}/links/seat", seat="0")
    assert f"{held} £{game.game.board.players[0].money}" in page.text
    assert "Anna: make an offer for auction 1" in page.text
    assert "plays for Anna" in keeper.get(f"{game.path}/links").text
    keeper.post(f"{game.path}/links/seat", seat="")
    assert held not in keeper.get(f"{game.path}/record").text
    game.play(1, seed=game.step)  # the first of them seals an offer
    assert "Choose your seat after" in keeper.post(f"{game.path}/links/seat", seat="0").text
    assert game.visitor("seat", 1).post(f"{game.path}/links/seat", seat="0").status == 403


def test_scorekeeper_who_plays_sees_public_figures_without_holding(open_game):
    game = open_game(("Anna", "Ben"), ruleset_id="arkwright_card")
    keeper = game.visitor("scorekeeper")
    page = keeper.post(f"{game.path}/links/seat", seat="1")
    assert "Press and hold" not in page.text and 'class="your-seat"' in page.html


def test_keepers_own_costs_name_the_keeper_under_decisions_of_others(open_game):
    """The dl under the decisions is of the keeper's seat, also while another seat decides."""
    game = open_game(("Anna", "Ben"), ruleset_id="arkwright_card")
    keeper = game.visitor("scorekeeper")
    keeper.post(f"{game.path}/links/seat", seat="0")
    named = {}
    for _ in range(60):
        game.play(1)
        (seat, *_) = game.game.ruleset.waits_for(game.game.board) or (-1,)
        holds = re.search(r'<dl class="holds">(.*?)</dl>', keeper.get(f"{game.path}/record", seat=str(seat)).html, re.S)
        if holds and seat >= 0 and "costs per production" in holds[1]:
            named.setdefault(seat, "Anna" in holds[1])
    assert named == {0: False, 1: True}


@pytest.mark.parametrize(
    ("ruleset", "options", "message"),
    [
        ("london_markets", {"hands": "open"}, "in hand"),
        (
            "water_frame",
            {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"},
            "wages per production",
        ),
        ("arkwright_card", {}, "costs per production"),
    ],
)
def test_every_game_says_what_is_to_come(open_game, ruleset, options, message):
    game = open_game(ruleset_id=ruleset, **options)
    game.play(60)
    assert message in seat_page(game, 2)


def test_turn_of_others_changes_the_title_and_vibrates(browser, site, friday):
    context = browser.new_context(has_touch=True)
    page = context.new_page()
    page.add_init_script(
        "window.shaken = []; navigator.vibrate = (times) => { window.shaken.push(times); return true; }"
    )
    friday.enter(page, site, "seat", 1)
    assert "Your turn" not in page.title()
    page.locator("#desk h1").tap()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="end_turn")
    expect(page).to_have_title(re.compile("^Your turn – Record"))
    assert page.evaluate("window.shaken") == [[120, 80, 120]]
    context.close()


def test_a_second_phone_gets_the_pen_by_one_code(open_game):
    game = open_game()
    keeper = game.visitor()
    page = keeper.get(f"{game.path}/record")
    pen = keeper.get(page.link("Keep the link on a second phone"))
    assert pen.html.count("<svg") == 1
    assert "records for every seat" in pen.text
    second = Visitor(game.app)
    assert second.join(game.key("scorekeeper")).status == 200
    assert second.get(f"{game.path}/record").status == 200
    game.deal()
    assert "on a second phone" not in keeper.get(f"{game.path}/record").text, "it stands at the start alone"
    assert game.visitor("seat", 0).get(f"{game.path}/pen").status == 403


def test_lm_6_22_own_covered_money_shows_only_on_demand(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "turn":
        game.play(1, seed=game.step)
    for seat in range(3):  # one decides, two wait
        phone = game.visitor("seat", seat)
        page = phone.get(f"{game.path}/record")
        assert "Press and hold to see what you have money £0" in page.text
        open_figures = page.html.split('<header class="record-head">')[1].split("</ul>")[0]
        assert "money" not in open_figures and "goods" in open_figures
