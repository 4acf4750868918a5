"""The byte meter: everything that is written to the log and the kept tables, on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

from daybook.services.people.photos import Photo, store_photo
from daybook.services.store.byte_meter import ByteMeter, use_meter
from tests.played import open_table_of


@pytest.fixture
def meter():
    found = ByteMeter(lambda size: None)
    use_meter(found)
    yield found
    use_meter(None)


def test_photo_counts_with_all_its_bytes(book, meter):
    game = open_table_of(book)
    opened = meter.bytes.copy()
    store_photo(book, game, Photo("f" * 64, 1, 1, bytes(70_000)))
    grown = meter.bytes - opened
    assert 70_000 <= grown["photo_bytes"] <= 71_000
    assert grown.total() < 71_000


def test_opened_game_counts_record_title_and_names(book, meter):
    open_table_of(book, names=f"{'A' * 40} Ben", title="T" * 60)
    assert meter.bytes["records"] > 200
    assert meter.bytes["game"] > 60 and meter.bytes["person"] > 40


def test_refused_addition_writes_nothing(book):
    game = open_table_of(book)

    def refuse(size: int) -> None:
        raise LookupError

    use_meter(ByteMeter(refuse))
    try:
        with pytest.raises(LookupError):
            store_photo(book, game, Photo("f" * 64, 1, 1, b"jpeg"))
    finally:
        use_meter(None)
    assert store_photo(book, game, Photo("f" * 64, 1, 1, b"jpeg")), "it was not there"
