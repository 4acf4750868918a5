"""What is remembered of a database holds until another process writes there, and not one question longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from daybook.domain.commands import Note
from daybook.services.people import access
from daybook.services.settings import Settings
from daybook.services.store import changes
from daybook.services.store.changes import FileChanges, Heads, Remembered
from daybook.services.store.daybook import open_daybook
from daybook.services.store.log import GameLog
from tests.forked import running
from tests.played import write
from tests.reads import count_reads
from tests.services.log_processes import after, entries_played, opening

pytestmark = pytest.mark.sqlite_suffices


def in_another_process(settings: Settings, work: Callable[..., None], *arguments: Any) -> None:
    """Has another process do something to a daybook, and waits until that is acknowledged."""
    with running(work, settings, *arguments) as (_, told):
        assert told.recv() == "done"


def notes(settings: Settings, game: UUID, told: Any) -> None:
    book = open_daybook(settings)
    write(book, game, Note(0, "said elsewhere"))
    told.send("done")


def revokes(settings: Settings, grant: str, told: Any) -> None:
    book = open_daybook(settings)
    access.revoke(book, grant)
    told.send("done")


def renames(settings: Settings, game: UUID, told: Any) -> None:
    book = open_daybook(settings)
    book.kept.rename(game, "Another title")
    told.send("done")


# --- another process writes ------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_entry_of_another_process_is_seen_by_the_next_question(book, open_table):
    game = open_table()
    assert book.games.get(game).step == 0
    for step in (1, 2):
        in_another_process(book.settings, notes, game)
        assert book.games.get(game).step == step
    write(book, game, Note(0, "said here"))
    assert book.games.get(game).step == 3


@pytest.mark.both_databases
def test_a_link_that_another_process_revokes_opens_nothing_from_then_on(book, open_table):
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
    for asked in (lambda: book.games.get(game), lambda: access.grant_of(book, grant.id), lambda: book.kept.game(game)):
        asked()
        with count_reads(book) as reads:
            asked()
        assert (reads.log, reads.tables) == ([], [])


def test_a_game_that_this_process_writes_is_not_read_again(book, open_table):
    game = open_table()
    book.games.get(game)
    with count_reads(book) as reads:
        for number in range(3):
            write(book, game, Note(0, str(number)))
    assert reads.log == []


# --- heads -----------------------------------------------------------------------------------------------------------


class Reading:
    """Reads the lines of games from a log, and counts how often."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.times = 0

    def __call__(self, game: UUID, after: int) -> Callable[[], list[bytes]]:
        def read() -> list[bytes]:
            self.times += 1
            return [line for _, line in self.log.recorder.lines_between(game, after + 1, 1_000_000)]

        return read


@pytest.fixture
def heads(settings: Settings, log: GameLog) -> Any:
    made = Heads(settings.sqlite_file("log"))
    yield made
    made.close()


def test_the_heads_of_games_that_did_not_change_stay_known_when_others_grow(log, heads):
    still, grows = opening(uuid4()), opening(uuid4())
    log.append(still)
    log.append(grows)
    read = Reading(log)
    for entry in (still, grows):
        assert heads.lines_after(entry.originator_id, 0, read(entry.originator_id, 0)) == [entry.line]
    log.append(after(grows))
    assert heads.lines_after(still.originator_id, 1, read(still.originator_id, 1)) == []
    assert read.times == 2
    assert heads.lines_after(grows.originator_id, 1, read(grows.originator_id, 1)) == [after(grows).line]
    assert heads.lines_after(grows.originator_id, 2, read(grows.originator_id, 2)) == []
    assert read.times == 3


def test_what_is_written_while_a_game_is_read_is_found_by_the_next_question(log, heads):
    first = opening(uuid4())
    id = first.originator_id
    log.append(first)

    def read_and_then_it_grows() -> list[bytes]:
        lines = log.recorder.lines_between(id, 1, 10)
        log.append(after(first))
        heads.lines_after(uuid4(), 0, list)  # another thread looks meanwhile
        return [line for _, line in lines]

    assert heads.lines_after(id, 0, read_and_then_it_grows) == [first.line]
    assert heads.lines_after(id, 1, Reading(log)(id, 1)) == [after(first).line]


def test_after_very_many_entries_every_game_is_read_again(log, heads, monkeypatch):
    monkeypatch.setattr(changes, "MANY", 5)
    first = opening(uuid4())
    id, read = first.originator_id, Reading(log)
    log.append(first)
    heads.lines_after(id, 0, read(id, 0))
    log.append(*entries_played(uuid4(), 4))
    assert heads.lines_after(id, 1, read(id, 1)) == [] and read.times == 1
    log.append(after(first))
    log.append(*entries_played(uuid4(), 6))
    assert heads.lines_after(id, 1, read(id, 1)) == [after(first).line] and read.times == 2


# --- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_that_was_out_of_date_when_it_was_read_is_not_remembered(book, open_table):
    game = open_table()
    remembered = Remembered(FileChanges(book.settings.sqlite_file("kept")))

    def read_and_then_it_changes() -> str:
        title = book.kept.games_of([game])[0].title
        book.kept.rename(game, "Another title")
        return title

    assert remembered.get("title", read_and_then_it_changes) != "Another title"
    assert remembered.get("title", lambda: book.kept.games_of([game])[0].title) == "Another title"
    remembered.close()


def test_without_word_of_changes_everything_is_read():
    times = iter(range(5))
    remembered = Remembered(None)
    assert [remembered.get("what", lambda: next(times)) for _ in range(3)] == [0, 1, 2]
