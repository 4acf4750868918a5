"""Lays a great many games on PostgreSQL: copies of a few that chance played, each with all rows that Daybook has of it.

The last of them have all their entries in the log as well. A copy has an id, people, a day and an opening of its own,
which is written and packed as any other; its further entries are those of the game that it copies, byte for byte, and so
are its figures. So it replays, is audited and is followed as if it had been played, and takes the same room; what does
not hold is its chain of seals, of which the second entry has another opening's (`daybook verify` says so). Entries of
many games lie among one another, as they do where many play at once. Games without entries have figures of some
measures alone: those of all would fill a disk of 100 GB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, cast
from uuid import UUID

import msgspec
import psycopg
import sqlalchemy as sa

from daybook.domain.kernel.chronicle import seal_of
from daybook.domain.kernel.events import GameOpened, SeatTaken, write_entry
from daybook.domain.kernel.record import Game
from daybook.services.analysis import win_chances
from daybook.services.following import projections
from daybook.services.league.results import RESULTS
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_game, kept_person, kept_seat
from daybook.services.store.log_postgres import SCHEMA as LOG
from daybook.services.store.read_models import REBUILT, club_game, club_row, uncounted_game, unscored_period
from tests.bench.counted_games import SHARES, play_every_kind, some_people
from tests.many_games import NAMES, lay_rows

SOURCES = 6  # games of each ruleset that are copied
ROOM = 200  # positions of a game whose entries are not laid
BATCH = 20_000  # games whose rows are laid together
MEASURES = ("place", "score", "winning_margin", "length", "level", "dividends")  # whose figures each copy has
AT_ONE_TIME = 500  # games that are played at once: so many entries lie between two of a game
FIRST, DAYS = datetime(2016, 1, 1, 18), 3_900
PROJECTIONS = (projections.GAMES, projections.SCORES, RESULTS)
BY_ENTRIES = (read_models.period_score, read_models.opening_step)  # of games that have them
TABLES = [table for table in REBUILT if table not in (club_row, club_game, uncounted_game, unscored_period)]
COPIED = "copied_game (game uuid, source uuid, at text, first bigint, last bigint, public int, opening bytea)"
SEATED = "copied_seat (game uuid, seat int, person text)"
NEW: dict[str, str] = {  # what a copy has of its own, by column
    "game": "c.game",
    "at": "c.at",
    "ended_at": "c.at",
    "opened_at": "c.at",
    "last_at": "c.at",
    "kind": "'table'",
    "list": "'finished'",
    "person": "p.person",
    "public": "c.public",
    "position": "c.last",
    "placed": "(SELECT jsonb_agg(jsonb_set(one, '{person}', to_jsonb(p.person)) ORDER BY n)::text"
    " FROM jsonb_array_elements(s.placed::jsonb) WITH ORDINALITY AS o (one, n)"
    " JOIN copied_seat p ON p.game = c.game AND p.seat = (one ->> 'seat')::int)",
}


def lay(book: Daybook, number: int, entries: int, *, people: int, public_of_ten: int) -> None:
    """Write this many closed games into an empty service; only the last `entries` of them have entries in the log."""
    random, sources = Random(1), list(play_every_kind(SOURCES))
    lay_rows(
        book.kept.engine,
        {kept_person: [{"id": f"r{item}", "name": f"{NAMES[item % len(NAMES)]} {item}"} for item in range(people)]},
    )
    _lay_sources(book, sources)
    indexes = _drop_indexes(book)
    numbers = range(number)
    for batch in (numbers[start : start + BATCH] for start in range(0, number, BATCH)):
        laid = [_Copy(book, value, number, number - entries, sources, people, random, public_of_ten) for value in batch]
        _lay_batch(book, laid)
        print(f"  {batch.stop:,} games", flush=True)
    _run(book, *indexes)
    print("  indexed", flush=True)
    _note_followed(book)
    with psycopg.connect(str(book.settings.database_url), autocommit=True) as c:
        c.execute("VACUUM (ANALYZE)")


class _Copy:
    """One copy: what it is, and the opening that the log has of it, where it has any."""

    def __init__(
        self,
        book: Daybook,
        number: int,
        count: int,
        without: int,
        sources: Sequence[Game],
        people: int,
        random: Random,
        public_of_ten: int,
    ) -> None:
        ruleset = random.choices([*SHARES], [*SHARES.values()])[0]
        source = random.choice([game for game in sources if game.opening.ruleset == ruleset])
        self.number, self.id = number, UUID(int=random.getrandbits(128), version=4)
        self.at = f"{FIRST + timedelta(days=DAYS * number / count):%Y-%m-%dT%H:%M:%S.000Z}"
        self.public = random.random() * 10 < public_of_ten
        self.people = [f"r{person}" for person in some_people(len(source.opening.seats), people, random)]
        self.first = 100_000 + ROOM * number
        self.opening = _opening_of(book, source, self) if number >= without else None
        self.source = source.id
        self.last = self.first + len(source.entries) - 1


def _opening_of(book: Daybook, source: Game, copy: _Copy) -> bytes:
    event = source.entries[0].event
    assert isinstance(event, GameOpened)
    seats = [SeatTaken(person, seat.colour) for person, seat in zip(copy.people, event.seats, strict=True)]
    own = msgspec.structs.replace(event, game=str(copy.id), kind="table", seats=seats, at=copy.at)
    return book.log.mapper.to_stored_event(write_entry(copy.id, own, "")).state


def _lay_sources(book: Daybook, sources: Sequence[Game]) -> None:
    """Record what is copied, make its rows, and keep these apart."""
    for source in sources:
        book.log.append(*source.entries)
    projections.rebuild_read_models(book)
    ids = ", ".join(f"'{source.id}'" for source in sources)
    _run(
        book,
        f"CREATE UNLOGGED TABLE {COPIED}",
        f"CREATE UNLOGGED TABLE {SEATED}",
        "CREATE INDEX ON copied_seat (game)",
        f"CREATE TABLE source_entry AS SELECT originator_id AS source, originator_version AS version, topic, state"
        f" FROM {LOG}.games_events WHERE originator_id IN ({ids})",
        *(f"CREATE TABLE source_{table.name} AS SELECT * FROM {table.name}" for table in TABLES),
        "ANALYZE",
    )


def _lay_batch(book: Daybook, copies: Sequence[_Copy]) -> None:
    """Write a batch of kept rows, entries and read models with statements of the database itself."""
    rows: dict[sa.Table, list[dict[str, Any]]] = {kept_game: [], kept_seat: []}
    copied, seated = list[dict[str, Any]](), list[dict[str, Any]]()
    for value in copies:
        title = f"Evening {value.number}"
        rows[kept_game].append({"id": value.id, "title": title, "public": value.public, "created_at": value.at})
        seated += [{"game": value.id, "seat": seat, "person": person} for seat, person in enumerate(value.people)]
        copied.append(
            {
                "game": value.id,
                "source": value.source,
                "at": value.at,
                "first": value.first,
                "last": value.last,
                "public": int(value.public),
                "opening": value.opening,
            }
        )
    rows[kept_seat] = seated
    lay_rows(book.kept.engine, rows)
    _run(book, "TRUNCATE copied_game, copied_seat")
    lay_rows(book.views, {_table(COPIED): copied, _table(SEATED): seated})
    _run(book, "ANALYZE copied_game, copied_seat", "SET LOCAL work_mem = '256MB'")
    with_entries = [item for item in copies if item.opening is not None]
    for start in range(0, len(with_entries), AT_ONE_TIME):
        first, last = with_entries[start], with_entries[min(start + AT_ONE_TIME, len(with_entries)) - 1]
        _run(book, *_entries_between(first, last))
    _run(book, *_rows_of_copies())


def _entries_between(first: _Copy, last: _Copy) -> Iterator[str]:
    """The entries of games that were played at once, step by step."""
    between = f"c.at BETWEEN '{first.at}' AND '{last.at}' AND c.opening IS NOT NULL"
    yield (
        f"SELECT setval(pg_get_serial_sequence('{LOG}.games_events', 'notification_id'),"
        f" GREATEST({first.first}, (SELECT max(notification_id) FROM {LOG}.games_events)))"
    )
    yield (
        f"WITH written AS (INSERT INTO {LOG}.games_events (originator_id, originator_version, topic, state)"
        f" SELECT c.game, s.version, s.topic, CASE s.version WHEN 1 THEN c.opening ELSE s.state END"
        f" FROM copied_game c JOIN source_entry s USING (source) WHERE {between} ORDER BY s.version, c.at"
        " RETURNING notification_id, originator_id),"
        " places AS (SELECT originator_id, min(notification_id) AS first, max(notification_id) AS last"
        " FROM written GROUP BY 1)"
        " UPDATE copied_game SET first = places.first, last = places.last FROM places WHERE game = originator_id"
    )


def _rows_of_copies() -> Iterator[str]:
    for table in TABLES:
        names = [column.name for column in table.c]
        new = {**NEW, "position": "c.first"} if table is read_models.seat_summary else {**NEW}
        if table is read_models.result_row:
            new["marks"] = "'[]'"
        columns = ", ".join(new.get(name, f"s.{name}") for name in names)
        joined = ""
        if "person" in names:
            joined = " JOIN copied_seat p ON p.game = c.game AND p.seat = s.seat"
        which = ""
        if table in BY_ENTRIES:
            which = " WHERE c.opening IS NOT NULL"
        elif "measure" in names:
            which = f" WHERE c.opening IS NOT NULL OR s.measure IN ({', '.join(map(repr, MEASURES))})"
        yield (
            f"INSERT INTO {table.name} ({', '.join(map(quoted, names))}) SELECT {columns}"
            f" FROM copied_game c JOIN source_{table.name} s ON s.game = c.source{joined}{which} ORDER BY c.last"
        )


def _drop_indexes(book: Daybook) -> list[str]:
    """Drop what makes laying slow; the statements that bring it back."""
    back: list[str] = []
    with book.views.connect() as c:
        for table in TABLES:
            own = c.exec_driver_sql(
                "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
                f" WHERE conrelid = '{table.name}'::regclass AND contype = 'p'"
            ).all()
            keys = {name for name, _ in own}
            back += [f"ALTER TABLE {table.name} ADD CONSTRAINT {name} {text}" for name, text in own]
            back += [
                text
                for name, text in c.exec_driver_sql(
                    f"SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = '{book.views.schema}'"
                    f" AND tablename = '{table.name}'"
                )
                if name not in keys
            ]
    _run(
        book,
        *(f"ALTER TABLE {text.split()[2]} DROP CONSTRAINT {text.split()[5]}" for text in back if text[0] == "A"),
        *(f"DROP INDEX {text.split()[2]}" for text in back if text[0] == "C"),
    )
    return back


def _note_followed(book: Daybook) -> None:
    """All projections stand at the newest entry, and nothing is left to be counted."""
    newest = book.log.newest()
    last = book.log.notification_at(newest)
    assert last is not None
    with book.views.begin() as c:
        stand = [{"projection": name, "notification_id": newest} for name in PROJECTIONS]
        read_models.write_rows(c, {read_models.position: stand})
        read_models.mark_position(
            c, PROJECTIONS, newest, cast(UUID, last.originator_id), seal_of(book.log.line_of(last))
        )
        read_models.note_change(c)
        for name in ("copied_game", "copied_seat", "source_entry", *(f"source_{table.name}" for table in TABLES)):
            c.execute(sa.text(f"DROP TABLE {name}"))
    win_chances.find_unanalysed(book)


def quoted(name: str) -> str:
    return f'"{name}"'


def _table(declared: str) -> sa.Table:
    return sa.Table(declared.partition(" ")[0], sa.MetaData())


def _run(book: Daybook, *statements: str) -> None:
    """Run in one transaction without a time limit: our own sessions give up a server that is too busy to answer."""
    with psycopg.connect(str(book.settings.database_url)) as c:
        c.execute(f"SET search_path TO {book.views.schema}")
        for statement in statements:
            c.execute(statement)
