"""Sealed offers on the one phone that records: it goes from hand to hand, and nothing of an earlier one is in it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from daybook.domain.commands import TakeBack
from daybook.domain.games.london_markets.printed import GOODS
from daybook.services.files import leases
from daybook.services.files.verify import verify_file
from daybook.services.permissions.sights import holds_sealed
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.browsing import click_through
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.recording.test_lease import Device

SEATS = ("Anna", "Ben", "Cleo")


@pytest.fixture
def auction(open_game: Callable[..., Opened]) -> Opened:
    """Return a game of three at its first auction, without a sealed offer."""
    game = open_game(SEATS, ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=game.step)
    return game


def uncover_form(keeper: Visitor, game: Opened, name: str = "") -> VisitedPage:
    """Return the form of the named seat on the covered page."""
    page = keeper.get(f"{game.path}/pass")
    return keeper.send(page.form(f"I am {name}"))


def seal_offer(keeper: Visitor, page: VisitedPage, **cards: int) -> VisitedPage:
    return keeper.send(page.form("Seal an offer"), **{f"n.{goods}": str(count) for goods, count in cards.items()})


def offers(game: Opened) -> list[Any]:
    return [player.offer for player in game.game.board.players]


def test_phone_is_passed_on_until_the_last_offer_opens_all(auction):
    keeper = auction.visitor()
    desk = keeper.get(f"{auction.path}/record")
    page = keeper.get(desk.link("Pass this phone around"))
    for number, name in enumerate(SEATS):
        assert f"Pass the phone to {name}" in page.text
        page = keeper.send(page.form(f"I am {name}"))
        assert f"{name}: make an offer for auction 1" in page.text
        assert [other for other in SEATS if other != name and other in page.text] == []
        page = seal_offer(keeper, page, china=number + 1)
    assert "Cleo sells the most china, 3" in page.text, "the rules open them"
    assert page.answer.request.path == f"{auction.path}/record"
    assert auction.game.writers[-1] == "scorekeeper"
    if auction.game.board.stage == "offers":
        assert "Pass the phone to Anna" in keeper.get(page.link("Pass this phone around")).text, "the next auction"


def test_a_page_after_an_offer_says_nothing_of_it(auction):
    keeper = auction.visitor()
    page = seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=2, soap=1)
    assert "Nothing is sealed yet: Cards of several types count as no offer" in page.text
    page = seal_offer(keeper, page, silk=2, soap=1)
    assert "Pass the phone to Ben" in page.text
    assert page.answer.headers["Cache-Control"] == "no-store"
    again = keeper.get(f"{auction.path}/pass/offer")
    assert "Pass the phone to Ben" in again.text, "the address of a form leads to the covered page"
    ben = keeper.send(page.form("I am Ben"))
    anna = keeper.send(keeper.get(f"{auction.path}/pass", seat=0).form("I am Anna"))
    for form in (ben.form("Seal an offer"), anna.form("Seal an offer")):
        assert {form.fields[f"n.{goods}"] for goods in GOODS} == {"0"}
    assert ben.answer.headers["Cache-Control"] == "no-store"
    assert 'autocomplete="off"' in ben.html


def test_form_is_uncovered_by_a_tap_and_covered_on_leaving(auction):
    keeper = auction.visitor()
    assert "Pass the phone to Anna" in keeper.get(f"{auction.path}/pass/offer").text
    assert "make an offer for auction 1" in uncover_form(keeper, auction, "Anna").text
    assert "make an offer for auction 1" in keeper.get(f"{auction.path}/pass/offer").text, "loaded again"
    keeper.get(f"{auction.path}/pass")
    assert "Pass the phone to Anna" in keeper.get(f"{auction.path}/pass/offer").text
    assert "I am Cleo" in keeper.get(f"{auction.path}/pass", seat=2).text
    for made_up in ("7", "-1", "x", "99999999999"):
        assert "Pass the phone to Anna" in keeper.get(f"{auction.path}/pass", seat=made_up).text


def test_sent_twice_it_is_sealed_once(auction):
    keeper = auction.visitor()
    form = uncover_form(keeper, auction, "Anna").form("Seal an offer")
    keeper.send(form, **{"n.silk": "1"})
    step = auction.step
    assert "Pass the phone to Ben" in keeper.send(form, **{"n.silk": "1"}).text
    assert auction.step == step


def test_refusal_gives_the_reason_and_repeats_nothing_typed(auction):
    keeper = auction.visitor()
    page = seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=17)
    assert "Nothing is sealed yet" in page.text
    assert {page.form("Seal an offer").fields[f"n.{goods}"] for goods in GOODS} == {"0"}
    page = keeper.send(page.form("Seal an offer"), **{"n.silk": "many"})
    assert "Nothing is sealed yet: silk: enter a whole number" in page.text
    assert "Nothing is sealed yet" not in uncover_form(keeper, auction, "Anna").text
    assert offers(auction) == [None] * 3


def test_who_has_sealed_may_change_it_without_seeing_it(auction):
    keeper = auction.visitor()
    page = seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=2)
    page = keeper.get(page.link("Change it"))
    assert "Pass the phone to Anna" in page.text
    page = seal_offer(keeper, keeper.send(page.form("I am Anna")), china=1)
    assert "Pass the phone to Ben" in page.text
    assert offers(auction)[0] == {"coffee": 0, "soap": 0, "silk": 0, "china": 1}


def test_some_seal_on_their_own_phones(auction):
    keeper, ben = auction.visitor(), auction.visitor("seat", 1)
    ben.press(f"{auction.path}/record", "Seal an offer", **{"n.soap": "1"})
    page = seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=1)
    assert "Pass the phone to Cleo" in page.text
    assert "1 soap" in ben.get(f"{auction.path}/record").text, "who sealed on a phone of their own sees it there"


def test_inconsistent_offers_stay_sealed_until_one_is_changed(auction):
    keeper = auction.visitor()
    most = auction.game.ruleset.by_tag["offer"].most
    assert most is not None
    goods, count = max(most(auction.game.board, 0).items(), key=lambda one: one[1])
    for name in SEATS:
        page = seal_offer(keeper, uncover_form(keeper, auction, name), **{goods: count})
    assert auction.game.board.stage == "offers", "there are not that many"
    assert "Everyone has sealed an offer, but they cannot all be right" in page.text
    page = keeper.press(page.link("Change it Anna"), "I am Anna")
    page = seal_offer(keeper, page, **{goods: 0})
    if auction.game.board.stage == "offers":
        page = seal_offer(keeper, keeper.press(page.link("Change it Ben"), "I am Ben"), **{goods: 0})
    assert auction.game.board.stage != "offers" or auction.game.board.auction == 2


def test_only_who_keeps_the_record_passes_the_phone(auction):
    for role, seat in (("seat", 1), ("reader", None)):
        other = auction.visitor(role, seat)
        assert other.get(f"{auction.path}/pass").status == 403
        assert other.get(f"{auction.path}/pass/offer").status == 403
        assert other.post(f"{auction.path}/pass", seat="1").status == 403
        assert other.post(f"{auction.path}/pass/offer", seat="1", at="3", key="k").status == 403
        assert "Pass this phone around" not in other.get(f"{auction.path}/record").text


def test_where_nothing_is_sealed_there_is_nothing_to_pass(friday):
    keeper = friday.visitor()
    assert "Pass this phone around" not in keeper.get(f"{friday.path}/record").text
    for page in (
        keeper.get(f"{friday.path}/pass"),
        keeper.post(f"{friday.path}/pass", seat="0"),
        keeper.post(f"{friday.path}/pass/offer", seat="0", at="1", key="k"),
    ):
        assert page.answer.request.path == f"{friday.path}/record"


def test_the_phone_that_records_looks_through_no_seat_s_eyes(auction):
    """Its owner may open a player's link there: the player's sealed offer stays sealed."""
    keeper = auction.visitor()
    seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=2)
    keeper.join(auction.key("seat", 0))
    for path in ("/record", "/record?seat=0", "?view=0", "/replay.json?view=0"):
        text = keeper.get(f"{auction.path}{path}").text
        assert "2 silk" not in text and '"silk":2' not in text.replace(" ", ""), path


def test_links_of_seats_are_not_shown_while_offers_lie_sealed(auction):
    """A person with a phone of their own could open another's link, and read the sealed offer."""
    keeper = auction.visitor()
    assert auction.key("seat", 0) in keeper.get(f"{auction.path}/links").html
    seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=2)
    assert holds_sealed(auction.game)
    page = keeper.get(f"{auction.path}/links")
    assert not any(auction.key("seat", seat) in page.html for seat in range(3))
    assert auction.key("scorekeeper") in page.html
    assert "Offers are still sealed" in page.text


# --- what is saved and handed back meanwhile -------------------------------------------------------------------------


def lines_of(keeper: Visitor, game: Opened) -> list[bytes]:
    answer = keeper.client.get(f"{game.path}/export")
    assert answer.status_code == 200
    return answer.data.splitlines()


def test_file_ends_before_sealed_steps_until_they_are_revealed(auction):
    keeper, before = auction.visitor(), auction.step
    assert len(lines_of(keeper, auction)) == before + 2
    for name in SEATS[:2]:
        seal_offer(keeper, uncover_form(keeper, auction, name), silk=1)
    saved = lines_of(keeper, auction)
    assert len(saved) == before + 2
    assert verify_file(io.BytesIO(b"\n".join(saved) + b"\n")).intact
    assert f"the file ends with step {before}" in keeper.get(f"{auction.path}/about").text
    seal_offer(keeper, uncover_form(keeper, auction, "Cleo"), silk=1)
    assert len(lines_of(keeper, auction)) == auction.step + 2
    assert "the file ends with" not in keeper.get(f"{auction.path}/about").text
    assert auction.visitor("seat", 1).get(f"{auction.path}/export").status == 403


def test_what_was_undone_is_not_read_in_a_file_either(auction):
    """Otherwise undoing, looking and sealing again would reveal an offer."""
    keeper, before = auction.visitor(), auction.step
    seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=1)
    auction.write(TakeBack(before), key="k" * 20)
    assert len(lines_of(keeper, auction)) == before + 2
    assert holds_sealed(auction.game)
    assert auction.key("seat", 0) not in keeper.get(f"{auction.path}/links").html
    for name in SEATS:
        seal_offer(keeper, uncover_form(keeper, auction, name), silk=1)
    assert len(lines_of(keeper, auction)) == auction.step + 2


def test_a_device_hands_nothing_back_while_offers_lie_sealed(auction, tmp_path, empty_data, built_device_app):
    service = auction.visitor()
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    phone = Device(opened, built_device_app, service)
    assert phone.take(auction) == 200
    here, keeper, lease = phone.game(auction), phone.here, auction.step
    assert "Pass this phone around" in keeper.get(f"{auction.path}/record").text
    seal_offer(keeper, uncover_form(keeper, auction, "Anna"), silk=1)
    assert len(lines_of(keeper, here)) == lease + 2
    page = keeper.get(f"{auction.path}/hand-back")
    assert "Offers are still sealed" in page.text and f"the file ends with step {lease}" in page.text
    assert "data-hand-back" not in page.html
    for after in ("", "?after=0"):
        answer = keeper.client.get(f"{auction.path}/hand-back.json{after}")
        assert (answer.status_code, [*answer.get_json()]) == (409, ["wrong"])
    assert f"the file ends with step {lease}" in keeper.get("/device").text
    for name in SEATS[1:]:
        seal_offer(keeper, uncover_form(keeper, here, name), silk=1)
    sent = phone.ask(auction, "lines", phone.lines(auction, lease))
    assert (sent.status_code, sent.get_json()["step"]) == (200, here.step)
    opened.close()


def test_what_lies_sealed_is_no_what_if(auction, tmp_path, empty_data, built_device_app):
    """Its owner sees all of a line: also where another program sends what a device would not."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    phone = Device(opened, built_device_app, auction.visitor())
    assert phone.take(auction) == 200
    lease = auction.step
    seal_offer(phone.here, uncover_form(phone.here, auction, "Anna"), silk=1)
    leases.end_here(auction.book, auction.id, "lost", by="scorekeeper", key="k" * 20)
    lines = opened.log.entries(auction.id)[lease + 1 :]
    answer = phone.ask(auction, "what-if", b"\n".join(entry.line for entry in lines))
    assert (answer.status_code, "silk" in answer.text) == (422, False)
    opened.close()


# --- in a browser ----------------------------------------------------------------------------------------------------


def uncover(page: Page, text: str) -> None:
    """Until its script has come, which empties the form by itself, nothing is filled in."""
    click_through(page.get_by_role("button", name=text))


def pick(page: Page, goods: str, count: int) -> None:
    page.locator(f'[name="n.only"][value="{goods}"]').click()
    page.locator(f'[name="n.only.{goods}"][value="{count}"]').click()


def test_nobody_comes_back_to_what_was_sealed(page, site, auction):
    page.set_viewport_size({"width": 390, "height": 844})
    auction.enter(page, site)
    expect(page.get_by_role("button", name="Preview")).to_be_in_viewport(ratio=1)  # below all that is filled in
    click_through(page.get_by_role("link", name="Pass this phone around"))
    uncover(page, "I am Anna")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Anna: make an offer")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    pick(page, "silk", 1)
    click_through(page.get_by_role("button", name="Seal an offer"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Ben")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for _ in range(2):
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Ben")
    page.reload()
    uncover(page, "I am Ben")
    pick(page, "soap", 1)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Ben")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Ben")  # he taps once more
    uncover(page, "I am Ben")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ben: make an offer")
    expect(page.locator("fieldset.numbers")).not_to_have_count(0)
    expect(page.locator("form :checked:not([value='0'])")).to_have_count(0)
    assert offers(auction)[1] is None


def test_a_phone_that_is_laid_down_covers_the_form(page, site, auction):
    auction.enter(page, site)
    page.goto(f"{site}{auction.path}/pass")
    uncover(page, "I am Anna")
    pick(page, "silk", 1)
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true });
      document.dispatchEvent(new Event("visibilitychange")); }""")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Anna")


def test_page_in_the_back_cache_is_empty_and_covered(page, site, auction):
    auction.enter(page, site)
    page.goto(f"{site}{auction.path}/pass")
    uncover(page, "I am Anna")
    pick(page, "silk", 1)
    expect(page.locator('[name="n.only.silk"]:checked')).to_have_value("1")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(page.locator('[name^="n.only"]:checked')).to_have_count(0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass the phone to Anna")
