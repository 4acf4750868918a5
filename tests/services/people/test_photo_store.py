"""Photos as rows of a table of their own: stored, removed, backed up, and never rewritten when names are cleaned."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa

from daybook.services.league import portraits
from daybook.services.operation import backups
from daybook.services.people import accounts, anonymise, photos
from daybook.services.people.photos import Photo
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_person, kept_photo, kept_photo_bytes, kept_portrait
from tests.services.people.test_anonymise import tables
from tests.web.people.test_sign_in import photo as jpeg

pytestmark = pytest.mark.sqlite_suffices

GAME = UUID(int=7)


@pytest.fixture
def sqlite_book(tmp_path: Path) -> Iterator[Daybook]:
    with closing(open_daybook(Settings(data=tmp_path / "files"), create=True)) as book:
        yield book


def store_photo(book: Daybook, size: int = 2_000) -> Photo:
    content = os.urandom(size)
    photo = Photo(hashlib.sha256(content).hexdigest(), 40, 30, content)
    assert photos.store_photo(book, GAME, photo)
    return photo


def count_photos(book: Daybook) -> int:
    return book.kept.engine.value(sa.select(sa.func.count()).select_from(kept_photo_bytes)) or 0


@pytest.mark.both_databases
def test_photo_of_game_is_read_until_removed(book):
    photo, other = store_photo(book), store_photo(book)
    assert not photos.store_photo(book, GAME, photo), "it is there already"
    assert photos.read_photo_of_game(book, GAME, photo.hash) == photo and count_photos(book) == 2
    assert photos.read_photo_of_game(book, UUID(int=8), photo.hash) is None, "of another game"
    photos.remove_photo(book, GAME, photo.hash)
    assert (
        photos.read_photo_of_game(book, GAME, photo.hash) is None and photos.photo_size(book, GAME, photo.hash) is None
    )
    assert photos.read_photo_of_game(book, GAME, other.hash) == other and count_photos(book) == 1
    photos.remove_photo(book, UUID(int=8), other.hash)
    assert photos.read_photo_of_game(book, GAME, other.hash) == other, "another game's photo is not removed"


def test_new_photo_of_person_replaces_the_last(book):
    mina = accounts.make_account(book, "Mina")
    for width in (300, 200):
        portraits.store_portrait(book, mina, jpeg(width, 100), by=mina)
        assert count_photos(book) == 1
    found = portraits.read_portrait(book, mina)
    assert found is not None and found.bytes[:3] == b"\xff\xd8\xff" and portraits.has_portrait(book, mina)
    portraits.remove_portrait(book, mina, by=mina)
    assert count_photos(book) == 0 and not portraits.has_portrait(book, mina)


@pytest.mark.both_databases
def test_key_of_anonymous_persons_photo_leaves_the_files(book):
    mina = accounts.make_account(book, "Mina")
    portraits.store_portrait(book, mina, jpeg(), by=mina)
    key = bytes(book.kept.engine.value(sa.select(kept_portrait.c.key)) or b"")
    found = portraits.read_portrait(book, mina)
    assert found is not None and found.bytes not in tables(book), "it is encrypted"
    assert anonymise.anonymise(book, [mina], by=mina)
    assert key and key not in tables(book) and count_photos(book) == 0


@pytest.mark.both_databases
def test_damaged_photo_is_not_shown(book):
    photo = store_photo(book)
    book.kept.engine.write(kept_photo_bytes.update().values(bytes=os.urandom(500)))
    assert photos.read_photo_of_game(book, GAME, photo.hash) is None
    book.kept.engine.write(kept_photo_bytes.delete())
    assert photos.read_photo_of_game(book, GAME, photo.hash) is None


def test_cleaning_names_rewrites_no_photo(sqlite_book, monkeypatch):
    monkeypatch.setattr(anonymise, "PATIENCE_SECONDS", 0.0)
    store_photo(sqlite_book, 5_000_000)
    mina = accounts.make_account(sqlite_book, "Mina")
    assert anonymise.clean_files(sqlite_book)
    with sqlite_book.kept.engine.connect() as reader:  # while somebody reads, the log of writes only grows
        reader.execute(sa.select(kept_photo.c.hash)).all()
        assert not anonymise.anonymise(sqlite_book, [mina], by=mina)
        assert 0 < (sqlite_book.settings.data / "kept.db-wal").stat().st_size < 1_000_000


@pytest.mark.both_databases
def test_clean_keeps_every_row_and_index(book):
    accounts.make_account(book, "Mina", sign_in="mina", password="seven looms at dawn")
    before = book.kept.engine.rows(sa.select(kept_person))
    schema = sa.inspect(book.kept.engine).get_indexes("kept_seat")
    assert anonymise.clean_files(book)
    assert book.kept.engine.rows(sa.select(kept_person)) == before
    assert sa.inspect(book.kept.engine).get_indexes("kept_seat") == schema


def test_backup_holds_photos(sqlite_book, tmp_path):
    photo = store_photo(sqlite_book)
    backups.take_backup(sqlite_book.settings, tmp_path / "backup")
    restored = Settings(data=tmp_path / "again")
    backups.restore_backup(tmp_path / "backup", restored)
    with closing(open_daybook(restored)) as copy:
        assert photos.read_photo_of_game(copy, GAME, photo.hash) == photo
        photos.remove_photo(copy, GAME, photo.hash)
    assert photos.read_photo_of_game(sqlite_book, GAME, photo.hash) == photo
