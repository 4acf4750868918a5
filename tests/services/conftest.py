"""A service on real storage, and games to record in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import UUID

import pytest

from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook
from tests.conftest import opened_copy
from tests.played import open_seats
from tests.services.clubbing import account, found_club
from tests.services.leagues import draw_rounds, season

Opened = Callable[..., UUID]


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    """A service on a fresh data folder; once on SQLite, once on PostgreSQL."""
    with opened_copy(settings) as book:
        yield book


@pytest.fixture
def open_table(book: Daybook) -> Opened:
    """Opens a game of Making Profit and gives its id."""

    def open_one(
        names: str = "Anna Ben Cleo", hands: str = "open", title: str = "Tuesday", public: bool = False
    ) -> UUID:
        return open_seats(book, names.split(), title=title, options={"hands": hands}, public=public)

    return open_one


@pytest.fixture
def anna(book: Daybook) -> str:
    """Create Anna's account; return her id."""
    return account(book, "anna")


@pytest.fixture
def club(book: Daybook, anna: str) -> UUID:
    """A club that Anna has founded."""
    return found_club(book, anna)


@pytest.fixture
def spring(book: Daybook, club: UUID) -> str:
    """A season of two rounds of two tables of three, of which nothing was played."""
    number = season(book, club)
    draw_rounds(book, club, number)
    return number
