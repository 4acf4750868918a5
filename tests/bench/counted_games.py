"""Lays the statistics rows of a great many games, by copying those of a few that chance played.

No game behind them was played and there is no log: every copy has an id, people, a day and a place in the log of its
own, and the figures of the game it copies. So what is measured on them is the work of databases and of pages, with as
many rows as so many games would have; how far figures spread is not to be learnt from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.play import simulate
from daybook.services.statistics import collect
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import Person, kept_game, kept_person
from daybook.services.store.read_models import COUNTED, game_row, opening_step, seat_summary
from tests.many_games import NAMES, lay_rows, row

SOURCES = 24  # games of each ruleset that are copied
SHARES = {"making_profit": 7, "london_markets": 1, "water_frame": 1, "arkwright_card": 1}  # of ten games
ENTRIES = 400  # of a game in the log
PRIVATE_OF_TEN = 1
BATCH = 100_000
TABLE_KIND = "'table'"  # of all copies: the games copied are practice games
FIRST = datetime(2016, 1, 1, 18)
DAYS = 3_900
COPIED: list[sa.Table] = [
    sa.Table(
        "copied_game",
        sa.MetaData(),
        *(sa.Column(name, sa.Uuid) for name in ("game", "source")),
        sa.Column("at", sa.Text),
        sa.Column("position", sa.BigInteger),
        sa.Column("public", sa.Integer),
    ),
    sa.Table(
        "copied_seat",
        sa.MetaData(),
        sa.Column("game", sa.Uuid),
        sa.Column("seat", sa.Integer),
        sa.Column("person", sa.Text),
    ),
]


def lay(book: Daybook, number: int, people: int = 2_000, measures: Sequence[str] = (), several: int = SOURCES) -> None:
    """Write this many counted games into an empty service.

    measures: only figures of these, and no openings; none: of all there are. several: games of each kind to copy.
    """
    random, sources = Random(1), list(play_every_kind(several))
    _lay_people(book, people)
    _lay_sources(book, sources)
    for start in range(0, number, BATCH):
        _lay_copies(book, sources, range(start, min(start + BATCH, number)), number, people, random, measures)
    with book.views.begin() as connection:
        for name in (*(table.name for table in COPIED), *(_source(table) for table in COUNTED)):
            connection.execute(sa.text(f"DROP TABLE {name}"))
    for engine in (book.views, book.kept.engine):
        with engine.begin() as connection:
            connection.execute(sa.text("ANALYZE"))


def _source(table: sa.Table) -> str:
    return f"source_{table.name}"


def play_every_kind(several: int) -> Iterator[Game]:
    """Closed games of every kind, of two players to as many as there can be."""
    for rules in RULESETS.values():
        seats = [players for players in rules.seats if players > 1]
        for number in range(several):
            yield from simulate.simulate_games(rules, seats[number % len(seats)], 1, number, {})


def _lay_people(book: Daybook, people: int) -> None:
    lay_rows(
        book.kept.engine,
        {
            kept_person: [
                {"id": f"r{number}", "name": f"{NAMES[number % len(NAMES)]} {number}"} for number in range(people)
            ]
        },
    )


def _lay_sources(book: Daybook, sources: Sequence[Game]) -> None:
    """The rows of the games that are copied, in tables of their own."""
    with book.views.begin() as connection:
        for table in COPIED:
            table.create(connection)
        for place, game in enumerate(sources):
            collect.write_rows(connection, game, collect.rows_of(game, place + 1, True))
        for table in COUNTED:
            by = "ruleset, measure, game" if "measure" in table.c else "game"
            connection.execute(sa.text(f"CREATE TABLE {_source(table)} AS SELECT * FROM {table.name}"))
            connection.execute(sa.text(f"CREATE INDEX ix_{_source(table)} ON {_source(table)} ({by})"))
            connection.execute(table.delete())


def _lay_copies(
    book: Daybook,
    sources: Sequence[Game],
    numbers: range,
    count: int,
    people: int,
    random: Random,
    measures: Sequence[str],
) -> None:
    """A batch of copies: what they are, in tables of their own; then their rows, by the database itself."""
    by_ruleset = {id: [game for game in sources if game.opening.ruleset == id] for id in RULESETS}
    copies, seats, kept, rows = (list[dict[str, Any]]() for _ in range(4))
    for number in numbers:
        ruleset = random.choices([*SHARES], [*SHARES.values()])[0]
        source, id = random.choice(by_ruleset[ruleset]), UUID(int=random.getrandbits(128), version=4)
        at = f"{FIRST + timedelta(days=DAYS * number / count):%Y-%m-%dT%H:%M:%S.000Z}"
        public = random.random() * 10 >= PRIVATE_OF_TEN
        position = 1_000 + ENTRIES * number
        copies.append({"game": id, "source": source.id, "at": at, "position": position, "public": int(public)})
        seats += [
            {"game": id, "seat": seat, "person": f"r{person}"}
            for seat, person in enumerate(some_people(len(source.opening.seats), people, random))
        ]
        kept.append({"id": id, "title": f"Evening {number}", "public": public, "created_at": at})
        rows.append(row(id, ruleset, at, "closed", position))
    with book.views.begin() as connection:
        for table in COPIED:
            connection.execute(table.delete())
    lay_rows(book.views, {COPIED[0]: copies, COPIED[1]: seats, game_row: rows})
    lay_rows(book.kept.engine, {kept_game: kept})
    with book.views.begin() as connection:
        for text in _copying(measures, by_key=book.views.file is not None):
            connection.execute(sa.text(text))


def some_people(seats: int, people: int, random: Random) -> list[int]:
    """Some come often and most seldom."""
    found = set[int]()
    while len(found) < seats:
        found.add(int(people * random.random() ** 3))
    return random.sample(sorted(found), seats)


def _copying(measures: Sequence[str], by_key: bool) -> Iterator[str]:
    """Return statements that write a batch.

    by_key: measure by measure in the order of keys, as SQLite stores rows; otherwise game by game in the order of
    counting, as rows lie in PostgreSQL.
    """
    new = {
        "game": "c.game",
        "at": "c.at",
        "in_order": "c.at",
        "position": "c.position",
        "person": "p.person",
        "public": "c.public",
    }
    for table in COUNTED:
        names = [column.name for column in table.c]
        columns = [new.get(name, f"s.{name}") for name in names]
        people = " JOIN copied_seat p ON p.game = c.game AND p.seat = s.seat" if table is seat_summary else ""
        text = (
            f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {', '.join(columns)} "
            f"FROM {_source(table)} s JOIN copied_game c ON c.source = s.game{people}"
        )
        if measures and table is opening_step:
            continue
        if "measure" not in table.c:
            order = "c.position" if table is seat_summary or not by_key else "c.game"
            yield f"{text.replace('s.kind', TABLE_KIND)} ORDER BY {order}"
        elif by_key:
            for ruleset in RULESETS:
                for key in _keys(ruleset, measures):
                    yield (f"{text} WHERE s.ruleset = '{ruleset}' AND s.measure = '{key}' ORDER BY c.game, s.seat")
        else:
            keys = sorted({key for ruleset in RULESETS for key in _keys(ruleset, measures)})
            yield f"{text} WHERE s.measure IN ({', '.join(map(repr, keys))}) ORDER BY c.position, s.measure, s.seat"


def _keys(ruleset: str, measures: Sequence[str]) -> list[str]:
    """Return the measures of a game that are written."""
    return [locator.key for locator in collect.statistics_of(ruleset).all if not measures or locator.key in measures]


def add_one(book: Daybook, number: int) -> UUID:
    """A game that is played, recorded and closed now, public, with people of its own."""
    game = next(simulate.simulate_games(RULESETS["making_profit"], 3, 1, number, {}))
    id = uuid4()
    book.kept.keep(id, "A new game", True, [Person(f"r{seat}", f"{NAMES[seat]} {seat}") for seat in range(3)])
    book.log.append(
        *simulate.copy_entries(game, id, [f"r{seat}" for seat in range(3)], "2026-11-01T18:00:00.000Z", Random(number))
    )
    return id


def bytes_of(book: Daybook) -> int:
    """Return the size of the read models on disk."""
    if book.views.file is not None:
        return book.views.file.stat().st_size
    with book.views.connect() as connection:
        return sum(
            connection.scalar(sa.text(f"SELECT pg_total_relation_size('{table.name}')")) or 0
            for table in read_models.metadata.tables.values()
        )
