"""A running game taken from a server on a phone, recorded without a network, killed twice, and handed back."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Frame, Page, expect

from daybook.domain import entries
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.record import Game
from daybook.services.files.audit import audit
from daybook.services.files.verify import verify_game
from daybook.services.permissions import access
from daybook.services.play.practice import Dealer
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from tests.contexts import close_dialog
from tests.here.phone import PHONE, frame_of, is_no_wider_than_the_screen, until
from tests.here.test_device import STEP, killable
from tests.played import play

pytestmark = [pytest.mark.slow, pytest.mark.server]

OPTIONS = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
BEFORE = 12  # decisions before the phone takes the game
WRITE = """async ([game, steps]) => {
  const page = new DOMParser().parseFromString(new TextDecoder().decode(
    (await ask("GET", `/here/app/games/${game}/record`)).content), "text/html");
  const csrf = page.querySelector("[name=csrf]").value;
  for (const [seat, at, decision] of steps) {
    const body = new URLSearchParams({ csrf, seat, at, decision, key: crypto.randomUUID() });
    const answer = await ask("POST", `/here/app/games/${game}/record`,
      { "Content-Type": "application/x-www-form-urlencoded" }, new TextEncoder().encode(body.toString()).buffer);
    if (answer.status !== 303) return `${answer.status}: ${decision}`;
  }
  return "";
}"""


def deal(game: Game, dealer: Dealer, limit: int = 10_000) -> list[list[Any]]:
    """Play a dealer's decisions to the end of the decade, or this many, in the game.

    Return seat, step and JSON of each.
    """
    decade = game.figures_at(game.step)[1]["decade"]
    made: list[list[Any]] = []
    while len(made) < limit and game.figures_at(game.step)[1]["decade"] == decade:
        chosen = dealer.next_decision(game.ruleset, game.board)
        assert chosen is not None
        seat, decision = chosen
        entry, board = entries.decide(game, seat, decision, Written("", "dealer", f"dealt-{game.step + 1}"))
        made.append([seat, game.step, json.dumps(plain(decision))])
        game.apply(entry, board)
    return made


def begin_game(book: Daybook) -> UUID:
    """A game of Water Frame for four, a dozen decisions old."""
    players = [
        SeatedPerson(name, colour)
        for name, colour in (("Agnes", "red"), ("Bert", "blue"), ("Clara", "green"), ("Dora", "yellow"))
    ]
    id = open_game(
        book,
        NewGame(ruleset_id="water_frame", title="In the cellar", players=players, options=OPTIONS),
        key=uuid4().hex,
    ).record
    access.make_first_grants(book, id)
    play(book, id, BEFORE, seed=5)
    return id


def link(book: Daybook, game_id: UUID, role: str) -> str:
    return next(access.key_of(book, grant) for grant in access.grants_of_game(book, game_id) if grant.role == role)


def start_shell(page: Page, address: str) -> Frame:
    """The shell, without a network, up to its first page."""
    page.context.set_offline(True)
    page.goto(address)
    until(page, "window.marks?.page || window.failed || window.refused")
    wrong = page.evaluate("window.failed ?? window.refused ?? ''")
    assert wrong == "", wrong
    return frame_of(page)


def test_a_decade_in_the_cellar_comes_back_as_one_sealed_record(chromium, profile, service):
    address, book = service.address, service.book
    id = begin_game(book)
    origin = address.removesuffix("/here/")
    with killable(chromium, profile) as (page, kill):
        page.set_viewport_size(PHONE)
        page.goto(f"{origin}/join#{link(book, id, 'scorekeeper')}")
        page.wait_for_url("**/record")
        page.goto(f"{origin}/games/{id}/lease")
        page.get_by_role("link", name="Prepare this device").click()
        until(page, "window.marks?.page || window.failed || window.refused")
        frame = frame_of(page)
        expect(frame.get_by_text("Ready without network")).to_be_visible()
        assert is_no_wider_than_the_screen(frame)
        frame.get_by_role("button", name="Take the game").click()
        frame.wait_for_url("**/record")
        lease = book.games.get(id).lease
        assert lease == BEFORE + 1

        game = fold_game(id, [*book.games.get(id).entries])
        dealer = Dealer(8)
        first, second = deal(game, dealer, limit=25), deal(game, dealer)
        page.context.set_offline(True)
        assert page.evaluate(WRITE, [str(id), first]) == ""
        kill()
    with killable(chromium, profile) as (page, kill):
        start_shell(page, address)
        assert page.evaluate(STEP, str(id)) == lease + 25, "nothing that was acknowledged is missing"
        half = len(second) // 2
        assert page.evaluate(WRITE, [str(id), second[:half]]) == ""
        kill()
    assert book.games.get(id).step == lease
    with killable(chromium, profile) as (page, _):
        page.set_viewport_size(PHONE)
        frame = start_shell(page, address)
        assert page.evaluate(WRITE, [str(id), second[half:]]) == ""
        frame.goto(f"{address}app/games/{id}/hand-back")
        frame.get_by_role("button", name="Hand it back").click()
        expect(frame.get_by_text("The server does not answer")).to_be_visible()
        frame.goto(f"{address}app/games/{id}/record")
        expect(frame.get_by_text("Only this device records the game")).to_be_visible()
        reveal = frame.locator("dialog.reveal[open]")  # unless the killed browser has forgotten that it was here before
        if reveal.count():
            close_dialog(reveal)
        expect(frame.get_by_text("You are online again.", exact=True)).to_be_hidden()
        page.context.set_offline(False)
        expect(frame.get_by_text("You are online again.", exact=True)).to_be_visible()
        frame.get_by_role("link", name="Hand it back").click()
        frame.get_by_role("button", name="Hand it back").click()
        expect(frame.get_by_text("From now on, record it on the server")).to_be_visible()
        assert is_no_wider_than_the_screen(frame)
        expect(frame.get_by_role("link", name="To the game")).to_have_attribute("href", f"/games/{id}")
        frame.goto(f"{address}app/games/{id}/record")
        expect(frame.get_by_text("This game was handed back")).to_be_visible()
        page.goto(f"{origin}/join#{link(book, id, 'reader')}")
        page.wait_for_url(f"**/games/{id}**")
        expect(page.get_by_text("In the cellar").first).to_be_visible()
    back = book.games.get(id)
    assert back.step == lease + len(first) + len(second) + 1
    assert (back.lease, back.leases) == (None, [(lease, back.step)])
    assert back.document == game.document
    assert verify_game(book, id).intact
    assert audit(back).clean
