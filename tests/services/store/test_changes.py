"""Cached answers of a database are valid until another process writes, and not one query longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.commands import Note
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.changes import FileChanges, QueryCache
from daybook.services.store.daybook import open_daybook
from tests.forked import running
from tests.played import write
from tests.reads import count_reads

pytestmark = pytest.mark.sqlite_suffices


def in_another_process(settings: Settings, work: Callable[..., None], *arguments: Any) -> None:
    """Has another process do something to a daybook, and waits until that is acknowledged."""
    with running(work, settings, *arguments) as (_, told):
        assert told.recv() == "done"


def notes(settings: Settings, game: UUID, pipe: Any) -> None:
    book = open_daybook(settings)
    write(book, game, Note(0, "said elsewhere"))
    pipe.send("done")


def revokes(settings: Settings, grant: str, pipe: Any) -> None:
    book = open_daybook(settings)
    access.revoke(book, grant)
    pipe.send("done")


def renames(settings: Settings, game: UUID, pipe: Any) -> None:
    book = open_daybook(settings)
    book.kept.rename(game, "Another title")
    pipe.send("done")


# --- another process writes ------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_entry_of_another_process_is_seen_by_the_next_question(book, open_table):
    game = open_table()
    assert book.games.get(game).step == 0
    for step in (1, 2):
        in_another_process(book.settings, notes, game)
        assert book.games.get(game).step == step
    write(book, game, Note(0, "said here"))
    assert book.games.get(game).step == 3


@pytest.mark.both_databases
def test_link_revoked_by_another_process_opens_nothing(book, open_table):
    grant = access.make_first_grants(book, open_table())[1]
    key = access.key_of(book, grant)
    assert [access.read_key(book, key) for _ in range(2)] == [grant, grant]
    in_another_process(book.settings, revokes, grant.id)
    assert access.read_key(book, key) is None


@pytest.mark.both_databases
def test_a_title_that_another_process_changes_is_read_anew(book, open_table):
    game = open_table()
    before = book.kept.game(game)
    in_another_process(book.settings, renames, game)
    after_it = book.kept.game(game)
    assert before is not None and after_it is not None
    assert (before.title == "Another title", after_it.title) == (False, "Another title")


def test_what_is_known_is_not_read_again(book, open_table):
    game = open_table()
    grant = access.make_first_grants(book, game)[0]
    for read in (lambda: access.grant_of(book, grant.id), lambda: book.kept.game(game)):
        read()
        with count_reads(book) as reads:
            read()
        assert (reads.log, reads.tables) == ([], [])


def test_game_is_folded_once(book, open_table):
    game = open_table()
    assert book.games.get(game) is book.games.get(game)


# --- answers ---------------------------------------------------------------------------------------------------------


def test_answer_that_was_outdated_when_read_is_not_cached(book, open_table):
    game = open_table()
    remembered = QueryCache(FileChanges(book.settings.database_file("kept")))

    def read_and_then_it_changes() -> str:
        title = book.kept.games_of([game])[0].title
        book.kept.rename(game, "Another title")
        return title

    assert remembered.get("title", read_and_then_it_changes) != "Another title"
    assert remembered.get("title", lambda: book.kept.games_of([game])[0].title) == "Another title"
    remembered.close()


def test_without_word_of_changes_everything_is_read():
    times = iter(range(5))
    remembered = QueryCache(None)
    assert [remembered.get("what", lambda: next(times)) for _ in range(3)] == [0, 1, 2]
