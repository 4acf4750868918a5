"""Pages of spectators while others record: they update themselves, also after the laptop slept for an hour.

`make drills` has more viewers. Where the server fails: test_failing_server.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from daybook.domain.commands import RaiseClaim
from daybook.domain.disputes import claims
from daybook.services.disputes import umpires
from daybook.services.permissions import access
from tests.contexts import new_context
from tests.played import key
from tests.web.conftest import Opened

pytestmark = pytest.mark.slow

HOUR_MS = 3_600_000


@pytest.fixture
def game(friday: Opened) -> Opened:
    umpires.name_umpire(friday.book, friday.id, "Uli", by="scorekeeper", key=key())
    friday.write(RaiseClaim(3, "one coin too many", seat=1), by="seat:1")
    return friday


@pytest.fixture
def context(site: str, browser: Browser) -> Iterator[BrowserContext]:
    context = new_context(browser, locale="en-GB", reduced_motion="reduce")
    yield context
    context.close()


def claim_page(game: Opened) -> str:
    (number,) = claims(game.game)
    return f"{game.path}/claims/{number}"


def address_of(game: Opened, viewer: str) -> str:
    return {
        "reader": game.path,
        "seat": f"{game.path}/record",
        "umpire": claim_page(game),
        "share": f"/s/{access.share_game(game.book, game.id).id}",
    }[viewer]


def open_as(game: Opened, page: Page, site: str, viewer: str) -> None:
    if viewer == "seat":
        game.enter(page, site, "seat", 1)
    elif viewer == "umpire":
        umpires.umpire_grant(game.book, game.id, 0)
        game.enter(page, site, "umpire")
    elif viewer == "reader":
        game.enter(page, site, "reader")
    page.goto(site + address_of(game, viewer))


def shows(page: Page, game: Opened, viewer: str) -> None:
    if viewer in ("seat", "umpire"):
        expect(page.locator(f'[data-at="{game.step}"]').first).to_be_attached()
    else:
        expect(page.get_by_text(f"step {game.step} of {game.step}").first).to_be_visible()
    for note in ("[data-failing]", "[data-ended]", "[data-cut]"):
        expect(page.locator(note)).to_be_hidden()


VIEWERS = ["seat", "share", *(pytest.param(viewer, marks=pytest.mark.drill) for viewer in ("reader", "umpire"))]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_page_renews_and_recovers_after_a_sleep(game, context, site, viewer):
    page = context.new_page()
    page.clock.install()
    open_as(game, page, site, viewer)
    shows(page, game, viewer)
    game.play(2)
    shows(page, game, viewer)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)  # the lid is closed: nothing runs, the stream is cut
    context.set_offline(True)
    game.play(3, seed=2)
    page.clock.fast_forward(HOUR_MS)
    page.clock.resume()
    context.set_offline(False)
    shows(page, game, viewer)
    game.play(1, seed=3)
    shows(page, game, viewer)


def test_pages_recover_after_a_sleep_without_their_leader(game, context, site):
    """The page that had the stream for all is closed while the laptop sleeps."""
    leader = context.new_page()
    open_as(game, leader, site, "reader")
    follower = context.new_page()
    follower.clock.install()
    follower.goto(site + game.path)
    shows(follower, game, "reader")
    follower.clock.pause_at(follower.evaluate("Date.now()") + 1000)
    leader.close()
    game.play(2)
    follower.clock.fast_forward(HOUR_MS)
    follower.clock.resume()
    shows(follower, game, "reader")


def test_link_revoked_during_a_sleep_says_that_the_page_ended(game, context, site):
    page = context.new_page()
    page.clock.install()
    open_as(game, page, site, "seat")
    shows(page, game, "seat")
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    context.set_offline(True)
    seat = next(grant for grant in access.grants_of_game(game.book, game.id) if grant.seat == 1)
    access.revoke(game.book, seat.id)
    game.play(2)
    page.clock.fast_forward(HOUR_MS)
    page.clock.resume()
    context.set_offline(False)
    expect(page.locator("[data-ended]")).to_be_visible()
    expect(page.locator("#desk")).to_be_visible()
