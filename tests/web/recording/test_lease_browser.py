"""The scripts that take a game to a device and hand it back, in a browser: the device's pages below the service's."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import msgspec
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, ViewportSize, expect
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from daybook.domain.commands import Note
from daybook.domain.entries import decide
from daybook.domain.kernel import events
from daybook.services.files import leases
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.written import new_written
from daybook.web.app import begin
from tests.played import write
from tests.web.conftest import Opened

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def phone(
    tmp_path: Path, empty_data: Path, app: Flask, built_device_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Daybook]:
    """Return the daybook of a device, with its pages at the addresses of a browser's worker."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    monkeypatch.setitem(built_device_app.config, "SESSION_COOKIE_NAME", "device")
    monkeypatch.setitem(built_device_app.config, "SESSION_COOKIE_PATH", "/here/app")
    begin(built_device_app, opened)
    monkeypatch.setattr(app, "wsgi_app", DispatcherMiddleware(app.wsgi_app, {"/here/app": built_device_app.wsgi_app}))
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A phone. What the service refuses stands in its console; no script may fail."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport=PHONE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def taken_game(friday: Opened, phone: Daybook, site: str, page: Page) -> Opened:
    """The game on Friday, which the phone has taken: as it is there."""
    friday.enter(page, site)
    page.goto(f"{site}/here/app/take?game={friday.id}")
    expect(page.get_by_text("Ready without network")).to_be_visible()
    page.get_by_role("button", name="Take the game").click()
    page.wait_for_url("**/here/app/**/record")
    return Opened(phone, friday.app, friday.id)


def handing_back(page: Page, served: str, game: Opened) -> None:
    page.goto(f"{served}/here/app{game.path}/hand-back")
    page.get_by_role("button", name="Hand it back", exact=True).click()


def end_there(game: Opened) -> None:
    leases.end_here(game.book, game.id, "lost", by="scorekeeper", key=secrets.token_hex(8))


def test_device_that_slept_through_the_lease_end_takes_it_again(friday, phone, site, page):
    """It asked for the game and never heard the answer; meanwhile the table went on without it."""
    asked = secrets.token_hex(8)
    leases.take_lease(friday.book, friday.id, "computer", by="scorekeeper", key=asked)
    end_there(friday)
    friday.enter(page, site)
    page.evaluate("([name, key]) => localStorage.setItem(name, key)", [f"take {friday.id}", asked])
    page.goto(f"{site}/here/app/take?game={friday.id}")
    take = page.get_by_role("button", name="Take the game")
    take.click()
    expect(page.get_by_text("The game has continued in the meantime")).to_be_visible()
    assert friday.game.lease is None
    take.click()
    page.wait_for_url("**/here/app/**/record")
    assert friday.game.lease == friday.step


def test_it_is_handed_back_in_parts(friday, phone, taken_game, site, page):
    taken_game.play(10)
    for number in range(140):
        write(phone, taken_game.id, Note(1, f"note {number}"))
    bodies: list[int] = []
    page.on(
        "request",
        lambda sent: (
            bodies.append(len((sent.post_data or "").splitlines())) if sent.url.endswith("/lease/lines") else None
        ),
    )
    handing_back(page, site, taken_game)
    expect(page.get_by_text("From now on, record it on the server")).to_be_visible()
    assert len(bodies) == 2 and bodies[0] == 100
    assert friday.game.document == taken_game.game.document
    assert friday.game.lease is None
    page.get_by_role("link", name="To the game").click()
    page.wait_for_url(f"{site}{friday.path}**")
    page.goto(f"{site}/here/app{taken_game.path}/hand-back")
    expect(page.get_by_text("This game was handed back")).to_be_visible()


def test_steps_after_the_lease_was_ended_become_a_what_if(friday, taken_game, site, page):
    taken_game.play(6)
    end_there(friday)
    friday.play(3, seed=9)
    handing_back(page, site, taken_game)
    expect(page.get_by_role("heading", name="The game continued without this device")).to_be_visible()
    page.get_by_role("button", name="Keep it as a what-if").click()
    expect(page.get_by_text("is kept as a what-if")).to_be_visible()
    page.get_by_role("link", name="To the game").click()
    page.wait_for_url("**/what-if/**")
    expect(page.get_by_text("From the device, step").first).to_be_visible()


def test_nothing_is_asked_where_nothing_was_recorded(friday, taken_game, site, page):
    end_there(friday)
    handing_back(page, site, taken_game)
    expect(page.get_by_role("link", name="To the game")).to_be_visible()
    expect(page.get_by_role("button", name="Keep it as a what-if")).to_be_hidden()


def test_what_the_rules_do_not_agree_with_is_shown_first(friday, taken_game, site, page):
    taken_game.play(3)
    game, dealer = taken_game.game, Dealer(2)
    chosen = dealer.next_decision(game.ruleset, game.board)
    assert chosen is not None
    event: Any = decide(game, *chosen, new_written("scorekeeper", "forged"))[0].event
    forged = events.write_entry(
        game.id, msgspec.structs.replace(event, columns={name: [7] * 3 for name in game.opening.columns}), game.seal
    )
    taken_game.book.games.append(game, [forged])
    before = friday.step
    handing_back(page, site, taken_game)
    expect(page.get_by_role("heading", name="The rules do not agree")).to_be_visible()
    expect(page.locator("[data-findings] li")).to_have_count(1)
    expect(page.locator("[data-findings] li")).to_contain_text(f"{forged.step}: ")
    assert friday.step == before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="anyway").click()
    expect(page.get_by_text("From now on, record it on the server")).to_be_visible()
    assert friday.step == forged.step + 1


def test_a_game_that_somebody_else_has_is_not_taken(friday, phone, site, page):
    friday.enter(page, site)
    page.goto(f"{site}/here/app/take?game={friday.id}")
    expect(page.get_by_role("button", name="Take the game")).to_be_visible()
    leases.take_lease(friday.book, friday.id, "tablet", by="scorekeeper@ben", key=secrets.token_hex(8))
    page.get_by_role("button", name="Take the game").click()
    expect(page.locator("[data-wrong]")).to_contain_text("the game is recorded on a device")
    assert phone.log.game_ids() == []
    page.context.set_offline(True)
    page.get_by_role("button", name="Take the game").click()
    expect(page.get_by_text("The server does not answer")).to_be_visible()


def test_a_game_that_began_on_the_device_is_given_away(friday, phone, site, page):
    page.goto(f"{site}/here/app/new?game=making_profit")
    page.fill("[name=title]", "In the train")
    for seat, name in enumerate(("Anna", "Ben", "Cleo")):
        page.fill(f'[name="name.{seat}"]', name)
    page.locator("main form button").last.click()
    page.wait_for_url("**/games/**")
    (id,) = phone.log.game_ids()
    page.goto(f"{site}/here/app/games/{id}/give")
    page.get_by_role("button", name="Give it to the server").click()
    expect(page.get_by_text("The server has the game")).to_be_visible()
    page.get_by_role("link", name="To the game").click()
    page.wait_for_url(f"{site}/games/{id}/record")
    assert friday.book.games.get(id).seal == phone.games.get(id).seal
