"""Moments that every phone shows on a full screen, and the warning that a game is about to end."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from daybook.domain.commands import Close, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.times import written_time
from daybook.domain.sealed_entries import before_seals
from daybook.web.replay.reveals import REVEALED_FOR, is_within
from daybook.web.words import GAMES
from tests.contexts import new_context
from tests.web.conftest import Opened, Visitor
from tests.web.recording.desk import desk
from tests.web.recording.test_sealing import SEATS, seal_offer

pytestmark = pytest.mark.sqlite_suffices

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def auction(open_game: Callable[..., Opened]) -> Opened:
    """Return a game whose first auction waits for the last offer, Cleo's."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    for seat in (0, 1, 3):
        phone = game.visitor("seat", seat)
        seal_offer(phone, desk(game, phone), china=seat)
    return game


def reveal_in(game: Opened, viewer: Visitor) -> str:
    """Return the text of the full screen; "" if there is none."""
    found = re.search(r'<dialog class="reveal".*?</dialog>', desk(game, viewer).html, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", found[0]).split()) if found else ""


def seal_last(game: Opened) -> None:
    cleo = game.visitor("seat", 2)
    seal_offer(cleo, desk(game, cleo), coffee=1)


def test_last_offer_shows_all_offers_to_everyone(auction):
    viewers = [auction.visitor(), *(auction.visitor("seat", seat) for seat in range(4))]
    assert [reveal_in(auction, viewer) for viewer in viewers] == [""] * 5
    seal_last(auction)
    shown = {reveal_in(auction, viewer) for viewer in viewers}
    assert len(shown) == 1
    for text in ("The offers", "Ben 1 china", "Cleo 1 coffee", "Dora 3 china", "Dora sells the most china, 3 against"):
        assert text in next(iter(shown))


def test_offers_that_wait_for_the_choice_of_a_special_card_are_listed(open_game):
    game = open_game(SEATS[:3], ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    assert game.game.board.face["silk"] == "S" and game.game.board.face["china"] == 4
    money = game.game.board.players[1].money
    for seat, offer in enumerate(({"silk": 1}, {"china": 1}, {"coffee": 1})):
        phone = game.visitor("seat", seat)
        seal_offer(phone, desk(game, phone), **offer)
    for viewer in (game.visitor(), game.visitor("seat", 1)):
        shown = reveal_in(game, viewer)
        assert "After Anna has chosen: Ben sells the most china, 1, for £4" in shown
        assert shown.index("Cleo sells the most coffee") < shown.index("After Anna has chosen")
    assert game.game.board.players[1].money == money, "it is only announced"


@pytest.mark.parametrize(("minutes", "is_shown"), [(0, True), (9, True), (11, False), (-1, False)])
def test_moment_is_revealed_for_ten_minutes(minutes, is_shown):
    at = written_time(datetime.now(UTC) - timedelta(minutes=minutes))
    assert is_within(at, REVEALED_FOR) is is_shown


def test_offer_that_was_undone_is_not_revealed(auction):
    seal_last(auction)
    auction.write(TakeBack(before_seals(auction.game, auction.step - 1), "table", "again"))
    assert reveal_in(auction, auction.visitor()) == ""


def test_sealed_offer_is_shown_to_its_seat_only(auction):
    assert "Press and hold to see what you sealed 3 china" in desk(auction, auction.visitor("seat", 3)).text
    for viewer in (auction.visitor(), auction.visitor("seat", 1), auction.visitor("seat", 2)):
        assert "you sealed 3 china" not in desk(auction, viewer).text


@pytest.mark.parametrize(
    "ruleset_id",
    [pytest.param(name, marks=pytest.mark.drill if name == "score_sheet" else []) for name in RULESETS],  # it is long
)
def test_end_of_game_is_revealed_and_announced(open_game, ruleset_id):
    game, announced = open_game(SEATS[:3], ruleset_id=ruleset_id), list[str]()
    while game.game.ruleset.scoring.outcome(game.game.board) is None:
        game.play(1, seed=game.step)
        said = GAMES[ruleset_id].marks.ends_soon(game.game.board, SEATS)
        if said and said[0] not in announced:
            announced.append(said[0])
    assert announced
    keeper = desk(game).html
    assert 'class="ends-soon"' not in keeper, "it is over"
    assert re.search(r'<dialog class="reveal".*(wins? with|share the win|No one wins)', keeper, re.DOTALL)


def test_last_rounds_are_announced_with_their_rule(open_game):
    game = open_game(SEATS, ruleset_id="london_markets")
    while game.game.board.round < 11:
        game.play(1, seed=game.step)
    for viewer in (game.visitor(), game.visitor("seat", 2)):
        assert "The next round is the last LM-4.10.1" in desk(game, viewer).text
    while game.game.board.round < 12:
        game.play(1, seed=game.step)
    assert "This round is the last LM-4.10.1" in desk(game).text


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture
def phone(browser: Browser):
    """Return a new phone whose full-screen dialogs stay open."""
    context = new_context(browser, viewport=PHONE, locale="en-GB", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_phone_keeps_reveal_until_its_own_tap(phone: Page, site, auction):
    auction.enter(phone, site, "seat", 0)
    held = phone.locator(".sealed-own:not(.is-low) b")
    assert held.evaluate("(b) => getComputedStyle(b).opacity") == "0"
    seal_last(auction)
    dialog = phone.get_by_role("dialog", name="The offers")
    expect(dialog).to_contain_text("Dora 3 china")
    box = dialog.bounding_box()
    assert box is not None and (box["width"], box["height"]) == (PHONE["width"], PHONE["height"])
    auction.play(1)
    expect(phone.locator("#desk")).to_have_attribute("data-at", str(auction.step))
    expect(dialog).to_be_visible()
    phone.wait_for_timeout(600)  # a tap that was meant for the page behind is ignored
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_be_hidden()
    phone.reload()
    expect(phone.locator("#desk h1")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_undone_end_leaves_phones_and_closing_repeats_none(phone: Page, site, open_game):
    game = open_game(SEATS[:3])
    while game.game.ruleset.scoring.outcome(game.game.board) is None:
        game.play(1, seed=game.step)
    ended = game.step
    before = game.game.parents[ended]
    game.write(TakeBack(before, "mistyped"))
    game.enter(phone, site, "seat", 0)
    dialog = phone.locator("dialog.reveal")
    for to, is_shown in ((ended, True), (before, False), (ended, True)):
        game.write(TakeBack(to, "mistyped"))
        expect(dialog).to_be_visible() if is_shown else expect(dialog).to_be_hidden()
    phone.wait_for_timeout(600)  # a tap that was meant for the page behind is ignored
    dialog.get_by_role("button", name="Continue").click()
    game.write(Close())
    expect(phone.locator("#desk")).to_have_attribute("data-at", str(game.step))
    expect(phone.get_by_text("The record is complete.")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_spectator_sees_reveal_when_it_arrives_live(phone: Page, site, auction):
    auction.enter(phone, site, "reader")
    with phone.expect_response("**/replay.json*"):
        phone.goto(f"{site}{auction.path}")
    expect(phone.locator("#replay")).to_have_class(re.compile("scripted"))
    expect(phone.locator("[data-reveal]")).to_have_count(0)
    seal_last(auction)
    dialog = phone.get_by_role("dialog", name="The offers")
    expect(dialog).to_contain_text("Dora 3 china")
    box = dialog.bounding_box()
    assert box is not None and (box["width"], box["height"]) == (PHONE["width"], PHONE["height"])
    phone.wait_for_timeout(600)  # a tap that was meant for the page behind is ignored
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_be_hidden()
    auction.play(1)
    expect(phone.locator("#replay")).to_have_attribute("data-running", "1")
    expect(dialog).to_be_hidden()
