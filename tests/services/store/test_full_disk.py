"""A disk that is really full: what is refused says so, nothing of it is written, and it goes on when there is room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from click.testing import CliRunner

from daybook import cli
from daybook.domain.commands import Note
from daybook.services.files.verify import verify_game
from daybook.services.following import projections
from daybook.services.league import anonymity
from daybook.services.operation import broken_off
from daybook.services.operation.backups import take_backup
from daybook.services.people import accounts, anonymise
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.disk import CannotWriteError, why_unwritten
from daybook.services.store.kept import kept_session
from daybook.services.store.sqlite import sqlite
from tests.played import open_seats, play, update_games, write
from tests.services.clubbing import account
from tests.small_disk import disk, fill

pytestmark = pytest.mark.slow

LONG = "x" * 1500


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    with disk(tmp_path / "disk", "3m") as at:
        yield at


@pytest.fixture
def book(room: Path) -> Iterator[Daybook]:
    with closing(open_daybook(Settings(data=room / "data"), create=True)) as book:
        yield book


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_seats(book, ("Anna", "Ben"))
    play(book, id, 8)
    return id


def noted_until_full(book: Daybook, game: UUID) -> list[int]:
    """Notes written until the disk takes no more; the steps that were acknowledged."""
    acknowledged: list[int] = []
    with pytest.raises(CannotWriteError, match="nothing was written"):
        while True:
            acknowledged.append(write(book, game, Note(1, LONG)).step)
    return acknowledged


def test_recording_is_refused_and_goes_on_when_there_is_room(book, game, room):
    ballast = fill(room, leave=100_000)
    acknowledged = noted_until_full(book, game)
    assert acknowledged
    key = uuid4().hex
    for _ in range(3):
        with pytest.raises(CannotWriteError):
            write(book, game, Note(1, LONG), key=key)
    assert book.games.get(game).step == acknowledged[-1], "a refused note stands in the record"
    with closing(open_daybook(book.settings)) as other:
        assert other.games.get(game).step == acknowledged[-1]
    ballast.unlink()
    receipt = write(book, game, Note(1, LONG), key=key)
    assert (receipt.step, receipt.repeated) == (acknowledged[-1] + 1, False)
    assert verify_game(book, game).intact


def test_on_a_full_disk_people_still_read(book, game, room):
    anna = account(book, "anna")
    token = accounts.begin_session(book, anna, "phone")
    with book.kept.engine.begin() as connection:
        connection.execute(kept_session.update().values(seen_at="2026-01-01T00:00:00.000Z"))
    key = access.key_of(book, access.make_grant(book, game, "seat", 1))
    fill(room)
    noted_until_full(book, game)
    with pytest.raises(CannotWriteError):
        while True:
            book.kept.keep(uuid4(), LONG, False, [])
    session = accounts.session_of(book, token)
    assert session is not None and session.person == anna
    assert access.read_key(book, key) is not None and book.games.get(game).step >= 8


def test_anonymous_person_is_gone_though_the_disk_is_full(book, room, monkeypatch):
    monkeypatch.setattr(broken_off, "MIN_AGE_MINUTES", -1)
    person = account(book, "wilhelmina")
    ballast = fill(room, leave=200_000)
    assert not anonymity.make_anonymous(book, person, by=person)
    assert accounts.account_of(book, person) is None and not book.kept.names([person])[person].startswith("wil")
    broken_off.complete_interrupted(book)
    assert anonymise.is_to_be_cleaned(book, [person])
    ballast.unlink()
    broken_off.complete_interrupted(book)
    assert not any(b"wilhelmina" in file.read_bytes() for file in (room / "data").glob("kept.db*"))


def test_a_follower_waits_for_room(book, game, room):
    update_games(book)
    before = read_models.position_of(book.views, projections.GAMES)
    write(book, game, Note(1, LONG))
    ballast = fill(room)
    with pytest.raises(CannotWriteError), book.views.begin() as connection:
        for number in range(1000):
            read_models.write_rows(
                connection,
                {
                    read_models.health: [
                        {"projection": f"p{number}", "state": "x", "at": 0, "says": LONG, "beat_at": ""}
                    ]
                },
            )
    assert CannotWriteError in UNAVAILABLE and read_models.position_of(book.views, projections.GAMES) == before
    ballast.unlink()
    update_games(book)
    assert read_models.position_of(book.views, projections.GAMES) == book.log.newest()


def test_a_backup_that_finds_no_room_leaves_nothing_behind(book, game, tmp_path):
    with disk(tmp_path / "small", "64k") as small:
        with pytest.raises((OSError, sqlite.Error)) as wrong:
            take_backup(book.settings, small / "copy")
        assert why_unwritten(wrong.value) == "full"
        assert not list(small.iterdir())


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("command", ["init", "web", "follow", "work", "backup"])
def test_start_on_a_full_disk_says_one_sentence(room, begun, command):
    if begun:
        open_daybook(Settings(data=room / "data"), create=True).close()
    fill(room)
    words = [command, str(room / "copy")] if command == "backup" else [command]
    done = CliRunner().invoke(cli.main, [*words, "--data", str(room / "data")])
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1, done.output
    assert "the disk is full" in done.stderr or (not begun and "name" in done.stderr)  # there is no log to work on
