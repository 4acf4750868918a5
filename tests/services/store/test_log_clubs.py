"""Clubs share the event log with games, and whoever asks for games sees none of them."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from daybook.domain.kernel.chronicle import Written
from daybook.domain.league.club import Club, folded, found
from daybook.domain.league.events import ClubEntry, ClubRenamed
from daybook.domain.league.fitting import added
from daybook.services import projections
from daybook.services.files.import_export import Parted, export_game, import_file
from daybook.services.projections import BatchProjector, games, rebuild
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGame
from daybook.services.store.log import AlreadyWritten, GameLog, of_clubs, of_games, open_log
from tests.domain.league.clubs import at
from tests.played import go_on, opened


@pytest.fixture
def log(settings: Settings) -> Iterator[GameLog]:
    log = open_log(settings, create=True)
    yield log
    log.close()


def club_of(renamed: int = 2) -> Club:
    id = uuid4()
    club = folded(id, [found(id, "The Mill", "olga", Written(at(0), "olga", "k0"))])
    for number in range(1, renamed + 1):
        club = club.then(added(club, ClubRenamed(
            name=f"The Mill {number}", **club.next(Written(at(number), "olga", f"k{number}")))))
    return club


def test_a_club_is_read_as_it_was_written(log: GameLog) -> None:
    club = club_of()
    log.append(*club.entries)
    assert log.club_entries(club.id) == club.entries and log.club_entries(club.id, 2) == club.entries[2:]
    assert log.club_ids() == [club.id] and log.game_ids() == []
    assert [entry for _, entry in log.since(0)] == club.entries


def test_games_and_clubs_are_told_apart(book: Daybook) -> None:
    club, game = club_of(), opened(book)
    book.log.append(*club.entries)
    go_on(book, game, 1, 5)
    assert book.log.game_ids() == [game] and book.log.club_ids() == [club.id]
    assert book.log.entries(club.id) == [] and book.log.club_entries(game) == []
    seen = book.log.since(0)
    assert [entry for _, entry in of_clubs(seen)] == club.entries
    assert [entry for _, entry in of_games(seen)] == book.log.entries(game)
    with pytest.raises(UnknownGame):
        book.games.get(club.id)


def test_two_who_write_the_same_step_of_a_club_do_not_both(log: GameLog) -> None:
    club = club_of(1)
    log.append(*club.entries)
    log.append(club_next(club, "one"))
    with pytest.raises(AlreadyWritten):
        log.append(club_next(club, "two"))


def club_next(club: Club, name: str) -> ClubEntry:
    return added(club, ClubRenamed(name=name, **club.next(Written(at(30), "olga", name))))


def test_followers_of_games_pass_clubs_by_and_reach_the_end(book: Daybook) -> None:
    game = opened(book)
    book.log.append(*club_of().entries)
    go_on(book, game, 1, 30)
    book.log.append(*club_of().entries)
    for limit in (1, 500):
        projector = BatchProjector(book, games(book), limit=limit)
        while projector.step():
            pass
        assert projector.position == book.log.newest()
    before = read_models.all_rows(book.views)["game_row"]
    assert len(before) == 1
    rebuild(book)
    assert read_models.all_rows(book.views)["game_row"] == before
    assert {read_models.reached(book.views, name) for name in (projections.GAMES, projections.SCORES)} == {
        book.log.newest()}


def test_a_record_file_does_not_take_the_place_of_a_club(book: Daybook) -> None:
    game = opened(book)
    club = club_of()
    book.log.append(*club.entries)
    data = export_game(book, game).replace(str(game).encode(), str(club.id).encode())
    with pytest.raises(Parted):
        import_file(book, data)
    assert book.log.club_entries(club.id) == club.entries and book.kept.game(club.id) is None


def test_clubs_founded_anywhere_are_found(book: Daybook) -> None:
    first, game = club_of(), opened(book)
    assert book.clubs.all() == []
    book.log.append(*first.entries)  # by another process
    go_on(book, game, 1, 3)
    second = club_of(0)
    book.log.append(*second.entries)
    assert [club.id for club in book.clubs.all()] == [first.id, second.id] == book.log.club_ids()
    book.log.append(club_next(first, "The Forge"))
    assert [club.name for club in book.clubs.all()] == ["The Forge", "The Mill"]
