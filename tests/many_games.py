"""Lay many unrecorded games as rows of the read models and of the kept tables.

For searching and paging alone: there is no log behind them.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.services.store.database import StoreEngine
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_game, kept_look, kept_person, kept_seat, look_rows
from daybook.services.store.read_models import club_game, game_row

FIRST = datetime(2016, 1, 1, 18)
NAMES = (
    "Anna",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fritz",
    "Gisela",
    "Hana",
    "Ines",
    "Jakob",
    "민지",
    "서연",
    "Karl",
    "Éva",
)
REGULARS = 2000  # people who sit in half of all seats
AT_ONCE = 20_000  # games whose rows are in hand together


def lay_games(book: Daybook, number: int, *, club: UUID | None = None, public_of_ten: int = 5, seats: int = 4) -> None:
    """Lay this many games, 45 minutes apart; the last ones are still running.

    Half of the seats are taken by regulars, each of the others by somebody who never comes again. public_of_ten: of
    ten games so many are public; every hundredth is a club's.
    """
    drawn, games_played = random.Random(17), [*RULESETS]
    everybody = [{"id": f"r{item}", "name": f"{NAMES[item % len(NAMES)]} {item}"} for item in range(REGULARS)]
    lay_rows(book.kept.engine, {kept_person: everybody})
    for start in range(0, number, AT_ONCE):
        games, people, taken, rows, of_club = (list[dict[str, Any]]() for _ in range(5))
        for at in range(start, min(start + AT_ONCE, number)):
            game = UUID(int=drawn.getrandbits(128))
            time = f"{FIRST + timedelta(minutes=45 * at):%Y-%m-%dT%H:%M:%S.000Z}"
            games.append({"id": game, "title": f"Evening {at}", "public": at % 10 < public_of_ten, "created_at": time})
            for seat in range(seats):
                if drawn.random() < 0.5:
                    id = f"r{drawn.randrange(REGULARS)}"
                else:
                    id = f"{at}-{seat}"
                    people.append({"id": id, "name": f"{drawn.choice(NAMES)} G{at}"})
                taken.append({"game": game, "seat": seat, "person": id})
            status = "running" if at >= number - 30 else "closed"
            rows.append(row(game, games_played[at % len(games_played)], time, status, at + 1))
            if club is not None and at % 100 == 0:
                of_club.append({"club": club, "game": game, "season": "", "table": "", "entered": True})
        lay_rows(book.kept.engine, {kept_game: games, kept_person: people, kept_seat: taken})
        lay_rows(book.views, {game_row: rows, club_game: of_club})
    for engine in (book.kept.engine, book.views):
        with engine.begin() as c:
            c.exec_driver_sql("ANALYZE")


def lay_rows(engine: StoreEngine, tables: dict[sa.Table, list[dict[str, Any]]]) -> None:
    """Insert many rows at once, by one statement per table or COPY. People get the row of their look as well."""
    if people := tables.get(kept_person):
        tables = tables | {kept_look: look_rows({person["id"]: person["name"] for person in people})}
    with engine.begin() as c:
        c.exec_driver_sql("SELECT 1")
        raw: Any = c.connection.driver_connection
        for table, rows in tables.items():
            names = ", ".join(f'"{name}"' for name in rows[0]) if rows else ""
            if engine.schema is None:
                values = ([value.hex if isinstance(value, UUID) else value for value in row.values()] for row in rows)
                marks = ", ".join("?" * len(rows[0])) if rows else ""
                if rows:
                    raw.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", values)
            elif rows:
                with raw.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row([*row.values()])


def row(game: UUID, ruleset: str, time: str, status: str, position: int) -> dict[str, Any]:
    return {
        "game": game,
        "ruleset": ruleset,
        "rules": ruleset,
        "kind": "table",
        "status": status,
        "revealed": status == "closed",
        "colours": '["a","b","c","d"]',
        "step": 200,
        "marks": "{}",
        "totals": "[4,3,2,1]",
        "over": status == "closed",
        "ranks": "[1,2,3,4]" if status == "closed" else "[]",
        "revision": RULESETS[ruleset].revision,
        "as_played": 0,
        "against_rules": 0,
        "claims_open": 0,
        "opened_at": time,
        "last_at": time,
        "played_on": "",
        "list": "running" if status == "running" else "finished",
        "position": position,
    }
