"""The days on which the win chances of imported games are due."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

from daybook.services.clock import now
from daybook.services.files.imported_games import due_days, note_import


def test_three_imports_of_a_visitor_are_due_each_day(book):
    games = [uuid4() for _ in range(7)]
    for game in games:
        note_import(book, game, "192.0.2.7")
    other, operators = uuid4(), [uuid4() for _ in range(5)]
    note_import(book, other, "192.0.2.8")
    for game in operators:
        note_import(book, game, "")
    due = due_days(book, [*games, other, *operators, uuid4()])
    today = now()[:10]
    assert sorted(Counter(due[game] for game in games).values()) == [1, 3, 3]
    assert [due[game] for game in games] == sorted(due[game] for game in games)
    assert {due[games[0]], due[other], *(due[game] for game in operators)} == {today}
    assert len(due) == 13, "a game recorded here is not among them"
