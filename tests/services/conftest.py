"""A service on real storage, and games to record in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest

from daybook.services.play.recording import SeatedPerson, open_game
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.services.clubbing import account, found_club

Opened = Callable[..., UUID]


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    """A service on a fresh data folder; once on SQLite, once on PostgreSQL."""
    book = open_daybook(settings)
    yield book
    book.close()


@pytest.fixture
def opened(book: Daybook) -> Opened:
    """Opens a game of Making Profit and gives its id."""

    def open_one(
        names: str = "Anna Ben Cleo", hands: str = "open", title: str = "Tuesday", public: bool = False
    ) -> UUID:
        colours = ["red", "blue", "green", "yellow", "black", "white"]
        players = [SeatedPerson(name, colour) for name, colour in zip(names.split(), colours, strict=False)]
        return open_game(
            book, ruleset="making_profit", title=title, players=players, options={"hands": hands}, public=public,
            key=uuid4().hex).game

    return open_one


@pytest.fixture
def anna(book: Daybook, quick_hashes: None) -> str:
    """Somebody with an account; her id."""
    return account(book, "anna")


@pytest.fixture
def club(book: Daybook, anna: str) -> UUID:
    """A club that Anna has founded."""
    return found_club(book, anna)
