"""The shared document of a game: concurrent readers all see the current board."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID

import pytest

from daybook.domain import entries
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.kernel.board import Document, deep_copy
from daybook.domain.kernel.record import Game
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from tests.services.fixture_files import written_at

READERS = 6


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def played_game(steps: int) -> Game:
    sheet = printed_sheet(WATER_FRAME.id)
    seated = [PracticeSeat(colour, colour, colour) for colour in WATER_FRAME.colours(sheet)[:2]]
    game = open_practice_game(UUID(int=1), WATER_FRAME, sheet, seated, {}, written_at(0))
    for _ in play_out(game, Dealer(1), written_at, steps):
        pass
    return game


def written_again(game: Game) -> Game:
    """Return the same game without a cached document."""
    again = Game(game.id, game.ruleset)
    for entry in game.entries:
        again.apply(entry)
    return again


def test_all_who_read_it_at_once_see_the_board_as_it_lies(switching):
    begin, played = Barrier(READERS), played_game(300)
    right = played.board.document()

    def read(game: Game) -> Document:
        begin.wait()
        return deep_copy(game.document)

    with ThreadPoolExecutor(READERS) as readers:
        for _ in range(20):
            assert all(document == right for document in readers.map(read, [written_again(played)] * READERS))


def test_document_handed_out_stays_when_the_game_goes_on():
    game = played_game(40)
    seen, before = game.document, deep_copy(game.document)
    chosen = Dealer(2).next_decision(WATER_FRAME, game.board)
    assert chosen is not None
    entry, board = entries.decide(game, *chosen, written_at(game.step + 1))
    later = game.then(entry, board)
    assert later.document == board.document() != before
    assert seen == before == game.document
