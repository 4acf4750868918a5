"""Sealed offers on a device: it goes from hand to hand, and neither the way back nor a file shows an earlier one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Frame, expect

from daybook.domain.commands import Decide
from daybook.domain.kernel.board import plain
from daybook.services.files.import_export import export_game, import_file
from daybook.services.play.practice import Dealer
from daybook.services.store.daybook import Daybook
from tests.here.phone import PHONE, frame_of, is_no_wider_than_the_screen, until
from tests.played import open_seats, write

pytestmark = [pytest.mark.slow, pytest.mark.server]

NAMES = ("Anna", "Ben", "Cleo")


def at_an_auction(book: Daybook) -> bytes:
    """Return the file of a game of London Markets before its first offers."""
    id = open_seats(book, NAMES, "london_markets", "Cellar", options={"hands": "hidden"})
    while (game := book.games.get(id)).board.stage != "offers":
        chosen = Dealer(game.step).next_decision(game.ruleset, game.board)
        assert chosen is not None
        write(book, id, Decide(chosen[0], plain(chosen[1])), at=game.step)
    return export_game(book, id)


def says(frame: Frame, heading: str) -> None:
    expect(frame.get_by_role("heading", level=1)).to_contain_text(heading)


def test_one_phone_takes_all_offers_in_turn(shell, address, book, tmp_path):
    file = tmp_path / "auction.daybook"
    file.write_bytes(at_an_auction(book))
    page, frame = shell, frame_of(shell)
    page.set_viewport_size(PHONE)
    page.context.set_offline(True)
    frame.goto(f"{address}app/import")
    frame.set_input_files("[name=record]", file)
    frame.get_by_role("button", name="Import").click()
    frame.wait_for_url("**/games/*-*")
    game = frame.url.split("/games/")[1][:36]
    frame.goto(f"{address}app/games/{game}/record")
    frame.get_by_role("link", name="Pass this phone around").click()
    frame.get_by_role("button", name="I am Anna").click()
    says(frame, "Anna: make an offer")
    assert is_no_wider_than_the_screen(frame)
    frame.locator('[name="n.only"][value="silk"]').click()
    frame.locator('[name="n.only.silk"][value="1"]').click()
    frame.get_by_role("button", name="Seal an offer").click()
    says(frame, "Pass the phone to Ben")
    assert is_no_wider_than_the_screen(frame)
    for _ in range(2):
        page.go_back()
        says(frame, "Pass the phone to Ben")
    saved = bytes(
        frame.evaluate(
            f"async () => [...new Uint8Array(await (await fetch('/here/app/games/{game}/export')).arrayBuffer())]"
        )
    )
    assert saved == file.read_bytes(), "what is saved meanwhile ends before what lies sealed"
    page.reload()
    until(page, "window.marks?.page")
    frame = frame_of(page)
    frame.goto(f"{address}app/games/{game}/pass")
    for name in NAMES[1:]:
        frame.get_by_role("button", name=f"I am {name}").click()
        says(frame, f"{name}: make an offer")
        frame.locator('[name="n.only"][value="nothing"]').click()
        frame.get_by_role("button", name="Seal an offer").click()
    frame.wait_for_url("**/record")
    expect(frame.locator("#desk")).to_contain_text("Anna sells the most silk")
    saved = bytes(
        frame.evaluate(
            f"async () => [...new Uint8Array(await (await fetch('/here/app/games/{game}/export')).arrayBuffer())]"
        )
    )
    id = import_file(book, saved)
    assert book.games.get(id).board.stage != "offers" or book.games.get(id).board.auction == 2
