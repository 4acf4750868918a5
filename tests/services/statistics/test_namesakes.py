"""Each of several similar people has the number that they would have if all were named."""

from __future__ import annotations

from random import Random
from uuid import UUID

import pytest

from daybook.services.names import number_namesakes
from daybook.services.people import accounts
from daybook.services.statistics.figure_questions import Filter
from daybook.services.statistics.namesakes import PersonNamed, name_people
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_person
from daybook.services.store.read_models import seat_summary
from tests.many_games import lay_rows
from tests.query_plans import statements_of

NAMES = ["Anna", "anna", "An\u3164na", "Anna (1)", "anna (2)", "Anna (2)", "Ben", "ben", "Ben (3)", "민지", "Cleo"]
OPEN = Filter(readable=frozenset())
pytestmark = pytest.mark.both_databases


def lay(book: Daybook, people: list[tuple[str, str, int]]) -> None:
    """People, each with one game of a stranger. (id, name, public)"""
    rows = [
        dict.fromkeys((column.name for column in seat_summary.c), 0)
        | {
            "game": UUID(int=number),
            "ruleset": "making_profit",
            "kind": "table",
            "seats": 2,
            "person": id,
            "colour": "",
            "at": f"2026-01-{number % 28 + 1:02}",
            "public": public,
        }
        for number, (id, _, public) in enumerate(people)
    ]
    lay_rows(book.views, {seat_summary: rows})
    lay_rows(book.kept.engine, {kept_person: [{"id": id, "name": name} for id, name, _ in people]})


def test_numbers_are_those_among_everybody_in_the_games(book):
    for seed in range(4):
        random = Random(seed)
        people = [(f"{seed}-{n}", f"{random.choice(NAMES)}{seed}", random.randrange(2)) for n in range(30)]
        people += [(f"{seed}+{n}", f"Anna{seed} ({n})", random.randrange(2)) for n in range(random.randrange(9))]
        lay(book, people)
        names = {id: name for id, name, public in people if public}
        first = {id: f"2026-01-{place % 28 + 1:02}" for place, (id, _, public) in enumerate(people) if public}
        expected = number_namesakes(names, first)
        for asked in ([*names], random.sample([*names], 3), [*names][:1]):
            assert name_people(book, OPEN, asked) == {id: PersonNamed(names[id], expected[id]) for id in asked}
        with book.views.begin() as c:
            c.execute(seat_summary.delete())


def test_a_name_that_is_written_anew_looks_like_itself(book):
    lay(book, [("a", "Anna", 1), ("b", "Ben", 1), ("c", "anna", 1)])
    accounts.rename_person(book, "b", "ANNA", by="b")
    assert [name_people(book, OPEN, [id])[id].shown for id in "abc"] == ["Anna (1)", "ANNA (2)", "anna (3)"]
    assert book.kept.names_that_look(["ben"]) == {}


def test_what_others_are_called_is_not_read(book):
    lay(book, [("a", "Anna", 1), ("c", "anna", 1), *((f"o{n}", f"Other {n}", 1) for n in range(50))])
    with statements_of(book.views) as rows, statements_of(book.kept.engine) as names:
        assert name_people(book, OPEN, ["a"])["a"].shown == "Anna (1)"
    if book.views.schema is None:
        for engine, asked in ((book.views, rows), (book.kept.engine, names)):
            with engine.connect() as c:
                plans = [
                    row[3] for text, given in asked for row in c.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)
                ]
            assert plans and not [plan for plan in plans if plan.startswith("SCAN")]
