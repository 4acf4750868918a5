"""All pages of a browser share one stream: over http it has six connections, and six pages would take them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect

from daybook.domain.commands import Note
from daybook.domain.kernel.tags import tag_of
from daybook.services.permissions import access
from daybook.services.play.live import Streams
from tests.contexts import new_context
from tests.servers import wait_until
from tests.web.conftest import Opened

EIGHT = 8
POLL_MS = 5000  # longer than a page without a stream waits
SILENCE_MS = 6000  # longer than a page waits for a sign of life


@pytest.fixture
def games(open_game: Callable[..., Opened]) -> list[Opened]:
    found = [open_game(title=title, public=True) for title in ("Friday", "Saturday")]
    for game in found:
        game.deal()
    return found


@pytest.fixture
def context(site: str, browser: Browser) -> Iterator[BrowserContext]:
    context = new_context(browser, locale="en-GB", reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def streams(app: Flask) -> Streams:
    streams: Streams = app.extensions["streams"]
    return streams


def count(streams: Streams, number: int) -> None:
    wait_until(lambda: streams.count_open() == number, f"{number} streams, not {streams.count_open()}")


def stands_at(page: Page, step: int) -> None:
    expect(page.locator(f'#desk[data-at="{step}"]')).to_be_attached()


def grow(game: Opened) -> None:
    game.write(Note(1, "The dog"))


def keeps(context: BrowserContext, site: str, game: Opened) -> Page:
    page = context.new_page()
    game.enter(page, site)
    return page


def test_eight_pages_of_two_games_share_one_stream(games, site, context, streams):
    friday, saturday = games
    pages = [keeps(context, site, (friday, saturday)[number % 2]) for number in range(EIGHT)]
    count(streams, 1)
    pages[-1].get_by_role("button", name="Run the factory").click()  # of Saturday
    for page in pages[1::2]:
        stands_at(page, 8)
    assert saturday.step == 8
    grow(friday)
    for page in pages[0::2]:
        stands_at(page, 8)
    count(streams, 1)


def test_another_page_takes_over_when_the_leader_closes(games, site, context, streams):
    friday, _ = games
    pages = []
    for _ in range(3):
        pages.append(keeps(context, site, friday))
        count(streams, 1)  # the first has it
    while len(pages) > 1:
        pages.pop(0).close()
        grow(friday)
        for page in pages:
            stands_at(page, friday.step)
        count(streams, 1)


def test_another_page_takes_over_when_the_leader_falls_silent(games, site, context, streams):
    """Frozen, or gone without a word: the others miss its signs of life. Once it speaks again, one of them leads."""
    friday, _ = games
    first = keeps(context, site, friday)
    count(streams, 1)
    second = context.new_page()
    second.clock.install()
    friday.enter(second, site)
    stands_at(second, 7)
    first.evaluate("() => { window.speak = BroadcastChannel.prototype.postMessage }")
    first.evaluate("() => { BroadcastChannel.prototype.postMessage = () => {} }")
    for _ in range(5):
        grow(friday)
    second.clock.fast_forward(SILENCE_MS)
    stands_at(second, 12)
    expect(second.locator("[data-cut]")).to_be_hidden()
    first.evaluate("() => { BroadcastChannel.prototype.postMessage = window.speak }")
    count(streams, 1)
    grow(friday)
    for page in (first, second):
        stands_at(page, 13)


def test_offline_tap_is_written_once_after_what_others_wrote(games, site, context):
    friday, _ = games
    page = keeps(context, site, friday)
    context.set_offline(True)
    page.get_by_role("button", name="Run the factory").click()
    expect(page.locator("[data-waiting]:not([hidden])")).to_contain_text("1 waiting")
    for _ in range(5):
        grow(friday)
    context.set_offline(False)
    stands_at(page, 13)
    assert [tag_of(type(entry.event)) for entry in friday.game.entries[8:]] == ["note_added"] * 5 + [
        "decision_recorded"
    ]
    expect(page.locator("[data-waiting]:not([hidden])")).to_have_count(0)


def test_pages_go_on_alone_where_they_cannot_speak_to_each_other(games, site, context, streams):
    friday, saturday = games
    context.add_init_script("delete window.BroadcastChannel")
    pages = [keeps(context, site, game) for game in (friday, saturday)]
    count(streams, 2)
    grow(friday)
    grow(saturday)
    for page in pages:
        stands_at(page, 8)


def test_where_there_is_no_stream_one_page_asks_for_all(games, site, context, streams):
    friday, saturday = games
    streams.room.size = 0
    pages = [context.new_page(), context.new_page()]
    pages[0].clock.install()
    with pages[0].expect_request(f"**{friday.path}/newest.json"):
        friday.enter(pages[0], site)
    with pages[0].expect_request(f"**{saturday.path}/newest.json"):
        saturday.enter(pages[1], site)
    grow(friday)
    grow(saturday)
    pages[0].clock.fast_forward(POLL_MS)
    for page in pages:
        stands_at(page, 8)


def test_page_of_another_user_is_told_on_a_shared_stream(open_game, site, context, streams):
    """The stream of a revoked link continues for the person with another link."""
    mine, other = open_game(title="Mine"), open_game(title="Other")
    for game in (mine, other):
        game.deal()
    streams.look_seconds = 0.05
    first = keeps(context, site, mine)
    count(streams, 1)
    second = keeps(context, site, other)
    grow(other)
    stands_at(second, 8)  # by a stream of both games
    grant = next(item for item in access.grants_of_game(mine.book, mine.id) if item.role == "scorekeeper")
    with first.expect_request("**/events?*"):
        access.revoke(mine.book, grant.id)
    grow(other)
    stands_at(second, 9)
    expect(second.locator("[data-cut]")).to_be_hidden()
