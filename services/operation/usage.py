"""Disk usage: sizes of the stores, the largest records, and recent storage by client."""

from __future__ import annotations

import shutil

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.operation import stranger_files
from daybook.services.people.byte_limits import RETENTION_DAYS, client_of_person, stored_since
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_photo, kept_photo_bytes

MAX_RECORDS_SHOWN = 10  # games and clubs


class StoreSize(Frozen):
    """A file or a schema of the database, and its bytes."""

    name: str
    bytes: int


class LargeRecord(Frozen):
    """A game or a club: its title, the bytes of its entries, and how many photos it has."""

    id: str
    title: str
    entries: int
    bytes: int
    photos: int


class ClientUsage(Frozen):
    """Bytes that a client stored in the last `RETENTION_DAYS` days.

    Args:
        client: a person by id, a link, an address, or strangers.
    """

    client: str
    name: str
    bytes: int
    kinds: dict[str, int]


class Usage(Frozen):
    """Bytes of everything. free: on the disk of the data folder; photos: all of them; brought_in: by strangers."""

    free: int
    stores: list[StoreSize]
    photos: int
    brought_in: int
    records: list[LargeRecord]
    clients: list[ClientUsage]
    days: int = RETENTION_DAYS


def measure_usage(book: Daybook) -> Usage:
    """Measure disk usage."""
    photo_bytes = book.kept.engine.value(sa.select(sa.func.sum(sa.func.length(kept_photo_bytes.c.bytes))))
    return Usage(
        free=shutil.disk_usage(book.settings.data).free if book.settings.data.exists() else 0,
        stores=_store_sizes(book),
        photos=int(photo_bytes or 0),
        brought_in=sum(file.bytes for file in stranger_files.iter_files(book)),
        records=_largest_records(book),
        clients=_client_usage(book),
    )


def _store_sizes(book: Daybook) -> list[StoreSize]:
    if book.settings.database_url is None:
        files = [file for file in book.settings.data.rglob("*") if file.is_file()]
        sizes = {name: sum(file.stat().st_size for file in files if file.name.startswith(name)) for name in FILES}
        sizes["pictures"] = sum(file.stat().st_size for file in files if file.parent.name == "pictures")
        return [StoreSize(name, size) for name, size in sizes.items()]
    query = sa.text(
        "SELECT schemaname, sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)))::bigint"
        " FROM pg_tables WHERE schemaname LIKE 'daybook%' GROUP BY 1 ORDER BY 1"
    )
    with book.kept.engine.connect() as c:
        return [StoreSize(name, int(size)) for name, size in c.execute(query)]


FILES = ("log.db", "kept.db", "views.db")


def _largest_records(book: Daybook) -> list[LargeRecord]:
    largest = book.log.recorder.select_largest(MAX_RECORDS_SHOWN)
    ids = [record_id for record_id, _, _ in largest]
    titles = {kept.id: kept.title for kept in book.kept.games_of(ids)}
    titles |= {record_id: card.name for record_id, card in book.clubs.cards().items() if record_id in ids}
    count = sa.select(kept_photo.c.game, sa.func.count()).where(kept_photo.c.game.in_(ids)).group_by(kept_photo.c.game)
    photos = {game: int(number) for game, number in book.kept.engine.rows(count)}
    return [
        LargeRecord(str(record_id), titles.get(record_id, ""), entries, size, photos.get(record_id, 0))
        for record_id, entries, size in largest
    ]


def _client_usage(book: Daybook) -> list[ClientUsage]:
    kinds: dict[str, dict[str, int]] = {}
    for client, kind, size in stored_since(book, RETENTION_DAYS):
        kinds.setdefault(client, {})[kind] = size
    people = {
        client_of_person(person): name for person, name in book.kept.names([c.partition(" ")[2] for c in kinds]).items()
    }
    found = [
        ClientUsage(client, people.get(client, ""), sum(by_kind.values()), by_kind) for client, by_kind in kinds.items()
    ]
    return sorted(found, key=lambda row: -row.bytes)
