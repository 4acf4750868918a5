"""Daybook on a device whose worker ends, as when memory is short: it says so, keeps the record, and starts again.

`make drills` also gives and takes a game then, and opens a page.
"""

from __future__ import annotations

from uuid import UUID

import pytest
from playwright.sync_api import Frame, Page, expect

from daybook.services.store.daybook import Daybook
from tests.here.phone import frame_of, is_no_wider_than_the_screen, until
from tests.here.test_device import STEP, WRITE_NOTES
from tests.here.test_device import begin_game as begin_here
from tests.here.test_lease import begin_game, link

pytestmark = [pytest.mark.slow, pytest.mark.server]

FAILED = "Daybook on this device has failed. Everything recorded here is kept."
STOPPED = "Daybook on this device has stopped. Everything recorded here is kept."


def end_worker(shell: Page) -> None:
    (worker,) = shell.workers
    worker.evaluate("self.close()")
    expect(shell.locator("#stopped")).to_contain_text(STOPPED)


def restart(shell: Page, button: str) -> Frame:
    """Start Daybook again by a button of the shell, or of the page in its frame; the frame."""
    shell.evaluate("window.older = true")
    within = shell.locator("#stopped") if button == "shell" else frame_of(shell).locator("[data-device-failed]")
    within.get_by_role("button", name="Start it again").click()
    until(shell, "!window.older && window.marks?.page")
    return frame_of(shell)


def join_as_scorekeeper(shell: Page, book: Daybook, address: str, game_id: UUID) -> None:
    page = shell.context.new_page()
    page.goto(f"{address.removesuffix('/here/')}/join#{link(book, game_id, 'scorekeeper')}")
    page.wait_for_url("**/record")
    page.close()


def take_game(shell: Page, book: Daybook, address: str) -> UUID:
    join_as_scorekeeper(shell, book, address, game_id := begin_game(book))
    frame = frame_of(shell)
    frame.goto(f"{address}app/take?game={game_id}")
    frame.get_by_role("button", name="Take the game").click()
    frame.wait_for_url("**/record")
    return game_id


def test_hand_back_after_worker_ended_says_so_and_repeats(shell, service, address):
    game_id = take_game(shell, service.book, address)
    assert shell.evaluate(WRITE_NOTES, [str(game_id), 2]) == 303
    frame = frame_of(shell)
    frame.goto(f"{address}app/games/{game_id}/hand-back")
    end_worker(shell)
    frame.get_by_role("button", name="Hand it back").click()
    expect(frame.get_by_text(FAILED)).to_be_visible()
    expect(frame.get_by_role("button", name="Hand it back")).to_be_enabled()
    assert is_no_wider_than_the_screen(frame)
    frame = restart(shell, "page")
    assert frame.url.endswith("/hand-back")
    frame.get_by_role("button", name="Hand it back").click()
    expect(frame.get_by_text("From now on, record it on the server")).to_be_visible()
    assert service.book.games.get(game_id).leases


def test_hand_back_ended_before_device_noted_it_repeats(shell, service, address):
    """The server has everything; the device's worker ends before it notes that."""
    game_id = take_game(shell, service.book, address)
    assert shell.evaluate(WRITE_NOTES, [str(game_id), 2]) == 303
    frame = frame_of(shell)
    frame.goto(f"{address}app/games/{game_id}/hand-back")
    (worker,) = shell.workers

    def end_then_answer(route):
        answer = route.fetch()
        worker.evaluate("self.close()")
        route.fulfill(response=answer)

    shell.route("**/lease/return", end_then_answer)
    frame.get_by_role("button", name="Hand it back").click()
    expect(frame.get_by_text(FAILED)).to_be_visible()
    expect(frame.get_by_text("From now on, record it on the server")).to_be_hidden()
    shell.unroute("**/lease/return")
    frame = restart(shell, "page")
    frame.get_by_role("button", name="Hand it back").click()
    expect(frame.get_by_text("From now on, record it on the server")).to_be_visible()


@pytest.mark.drill
def test_give_after_worker_ended_says_so_and_repeats(shell, service, address):
    frame = frame_of(shell)
    game_id = begin_here(shell, frame, address)
    frame.goto(f"{address}app/games/{game_id}/give")
    end_worker(shell)
    frame.get_by_role("button", name="Give it to the server").click()
    expect(frame.get_by_text(FAILED)).to_be_visible()
    expect(frame.get_by_text("The server does not answer")).to_be_hidden()
    frame = restart(shell, "page")
    frame.get_by_role("button", name="Give it to the server").click()
    expect(frame.get_by_text("The server has the game")).to_be_visible()
    assert service.book.games.find(UUID(game_id))


@pytest.mark.drill
def test_take_after_worker_ended_says_so_and_repeats(shell, service, address):
    join_as_scorekeeper(shell, service.book, address, game_id := begin_game(service.book))
    frame = frame_of(shell)
    frame.goto(f"{address}app/take?game={game_id}")
    expect(frame.get_by_role("button", name="Take the game")).to_be_visible()
    end_worker(shell)
    frame.get_by_role("button", name="Take the game").click()
    expect(frame.get_by_text(FAILED)).to_be_visible()
    frame = restart(shell, "page")
    frame.get_by_role("button", name="Take the game").click()
    frame.wait_for_url("**/record")


def test_tap_after_worker_ended_is_written_after_restart(shell, address):
    frame = frame_of(shell)
    game_id = begin_here(shell, frame, address)
    before = shell.evaluate(STEP, game_id)
    frame.goto(f"{address}app/games/{game_id}/record")
    end_worker(shell)
    frame.locator("#desk .choices .pick, #desk form[data-swap][method=post] button").first.click()
    frame = restart(shell, "shell")
    assert frame.url.endswith("/record")
    until(shell, f"({STEP})('{game_id}').then((step) => step > {before})")


@pytest.mark.drill
def test_page_opened_after_worker_ended_is_readable(shell, address):
    frame = frame_of(shell)
    end_worker(shell)
    frame.goto(f"{address}app/device")
    expect(frame.get_by_text(STOPPED)).to_be_visible()
    frame = restart(shell, "shell")
    expect(frame.get_by_role("heading", level=1)).to_have_text("On this device")
