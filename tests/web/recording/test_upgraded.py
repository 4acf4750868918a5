"""A page that lay open while Daybook was renewed: its scripts do not know the pages that come now."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route

from tests.web.recording.test_offline import where_bars_are_set_up


def upgrade(page: Page) -> None:
    """Make every later page one of another version."""

    def answer(route: Route) -> None:
        given = route.fetch()
        route.fulfill(response=given, body=re.sub(r"/static/[0-9a-f]{16}/", "/static/0123456789abcdef/", given.text()))

    page.route("**/record*", answer)


def test_first_tap_after_an_upgrade_writes_once_and_reloads(page, site, open_game):
    game = where_bars_are_set_up(open_game)
    game.enter(page, site)
    upgrade(page)
    lay_open: list[bool] = []
    for step in (game.step, game.step + 1):
        page.evaluate("window.layOpen = true")
        page.locator("#desk :is(.chart, .choices) button").first.click()
        page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
        page.wait_for_load_state()  # with its scripts: until then a tap is a form of a page without any
        lay_open.append(page.evaluate("window.layOpen ?? false"))
        assert game.step == step + 1
    assert lay_open == [False, True], "the next tap finds a page that knows what it is answered"
