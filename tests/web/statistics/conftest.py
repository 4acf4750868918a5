"""Evenings of clubs with counted games."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain.commands import Close
from daybook.services.statistics import collect
from tests.played import play, update_results, write
from tests.web.conftest import Opened
from tests.web.leagues import ClubAtHand


def count_games_of(game: Opened) -> None:
    """Let the list and the statistics catch up with the record, as the workers do."""
    game.update_list()
    collect.count_all(game.book)


@pytest.fixture
def evening(book, app) -> tuple[ClubAtHand, Opened, list[str]]:
    """Return a public club with a season of four whose first table was recorded to its end, for its players alone."""
    club = ClubAtHand(book, app, public=True)
    people = club.open_season(rounds=2, table_sizes=(4,))
    club.draw()
    olga = club.signed_in()
    olga.press(club.at("/tables/1"), "Open the game")
    game = Opened(book, app, UUID(club.season.tables["1"].game or ""))
    play(book, game.id, seed=2)
    write(book, game.id, Close())
    update_results(book)
    count_games_of(game)
    return club, game, people
