"""Compressed lines: byte for byte what was written, and readable for as long as there are dictionaries."""

from __future__ import annotations

import hashlib
from contextlib import closing
from threading import Thread
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
import zstandard
from eventsourcing.persistence import StoredEvent

from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.domain.kernel.record import Game
from daybook.services.files.verify import verify_lines
from daybook.services.operation import backups, doctor
from daybook.services.settings import Settings
from daybook.services.store.compression import FRAME_MAGIC, MAX_LINE_BYTES, DictionaryCompressor, shipped_dictionaries
from daybook.services.store.daybook import open_daybook
from daybook.services.store.log import AlreadyWrittenError, GameLog, open_log
from daybook.services.store.sqlite import connect
from tests.dictionaries import train_dictionary
from tests.services.fixture_files import played_game

RELEASED = {  # SHA-256 of each dictionary: what was compressed with it is read with it permanently
    32_768: "89dc1dfe4a6fbbd7ceaba5e5bb416956a2e2089a6623a4eec624fa40e56cf554"
}
GAME = played_game(3, seats=3, limit=60)
NEXT = 40_000  # the number of a dictionary that a later version brings
UNKNOWN = 50_000


def stored(log: GameLog, game: Game = GAME) -> list[bytes]:
    return [event.state for event in log.recorder.select_events(game.id)]


def lines(game: Game = GAME) -> list[bytes]:
    return [entry.line for entry in game.entries]


def by_shell(settings: Settings, statement: str, *values: object) -> None:
    """Alter the database with a shell, against its triggers."""
    if settings.database_url is not None:
        with psycopg.connect(settings.database_url) as shell:
            shell.execute("SET session_replication_role = replica")
            shell.execute("SET search_path = daybook_log")
            shell.execute(statement.replace("?", "%s"), values)  # type: ignore[arg-type]
        return
    with closing(connect(settings.database_file("log"), "FULL")) as shell:
        triggers = shell.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            shell.execute(f"DROP TRIGGER {name}")
        shell.execute(statement, values)
        for _, sql in triggers:
            shell.execute(sql)


def number_of(frame: bytes) -> int:
    return int(zstandard.get_frame_parameters(frame).dict_id)


# --- what is stored --------------------------------------------------------------------------------------------------


def test_released_dictionaries_never_change():
    shipped = shipped_dictionaries()
    assert {number: hashlib.sha256(content).hexdigest() for number, content in shipped.items()} == RELEASED
    assert all(zstandard.ZstdCompressionDict(content).dict_id() == number for number, content in shipped.items())


def test_lines_take_a_quarter_and_come_back_unchanged(log):
    log.append(*GAME.entries)
    assert sum(map(len, stored(log))) * 4 < sum(map(len, lines()))
    assert log.lines(GAME.id) == lines() and log.entries(GAME.id) == GAME.entries
    assert [log.line_of(entry) for entry in log.notifications(0)] == lines()
    assert [log.line_of(entry) for entry in log.recorded_events(GAME.id)] == lines()
    assert log.seal_at(log.newest()) == GAME.seal
    assert log.append(*GAME.entries[3:5]) == log.position(GAME.id, 4), "written already"
    with pytest.raises(AlreadyWrittenError):
        log.append(msgspec.structs.replace(GAME.entries[4], line=lines()[4].replace(b'"step":4', b'"step":5')))


def test_line_above_the_limit_is_stored_as_it_is(log):
    log.append(*GAME.entries[:2])
    longer = msgspec.structs.replace(GAME.entries[2], line=b"{" + b" " * MAX_LINE_BYTES + lines()[2][1:])
    log.append(longer)
    assert stored(log)[2:] == [longer.line]


def test_line_that_does_not_shrink_is_stored_as_it_is():
    assert compressor().compress(b"{}") == b"{}"


def test_threads_compress_at_once(log):
    games = [uuid4() for _ in range(4)]
    found: list[bool] = []

    def record(game_id: UUID) -> None:
        for entry in GAME.entries:
            log.append(msgspec.structs.replace(entry, originator_id=game_id))
            found.append(log.lines(game_id, entry.step) == [entry.line])

    threads = [Thread(target=record, args=[id]) for id in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * len(games) * len(GAME.entries)
    assert all(log.lines(id) == lines() for id in games)


# --- dictionaries ----------------------------------------------------------------------------------------------------


def compressor() -> DictionaryCompressor:
    made = DictionaryCompressor(lambda number: None)
    made.number = 32_768
    return made


def later_dictionary() -> bytes:
    return train_dictionary(lines(played_game(4)), NEXT, size=8_000)


def store_dictionary(settings: Settings, number: int, content: bytes) -> None:
    by_shell(settings, "INSERT INTO dictionaries VALUES (?, ?)", number, content)


def test_lines_of_an_earlier_dictionary_stay_readable(settings):
    open_daybook(settings, create=True).close()
    with closing(open_log(settings)) as log:
        log.append(*GAME.entries[:9])
        store_dictionary(settings, NEXT, later_dictionary())
        with closing(open_log(settings)) as newer:
            newer.append(*GAME.entries[9:20])
            assert [number_of(state) for state in stored(newer)] == [32_768] * 9 + [NEXT] * 11
            assert newer.lines(GAME.id) == log.lines(GAME.id) == lines()[:20], "by the log that was open before, too"
    if settings.database_url is None:
        backups.take_backup(settings, settings.data / "copy")
        backups.restore_backup(settings.data / "copy", Settings(data=settings.data / "again"))
        with closing(open_log(Settings(data=settings.data / "again"))) as restored:
            assert restored.lines(GAME.id) == lines()[:20]


def forged(number: int) -> bytes:
    """Return a frame of an unknown dictionary."""
    content = zstandard.ZstdCompressionDict(train_dictionary(lines(), number, size=8_000))
    return zstandard.ZstdCompressor(dict_data=content, write_checksum=False).compress(lines()[9])


def with_head(size: int) -> bytes:
    """A frame that tells another size of what is in it."""
    content = zstandard.ZstdCompressionDict(shipped_dictionaries()[32_768])
    packed = zstandard.ZstdCompressor(dict_data=content, write_checksum=False).compress(b" " * 100_000)
    assert packed[7:11] == (100_000).to_bytes(4, "little")
    return packed[:7] + size.to_bytes(4, "little") + packed[11:]


BAD = {
    "of a dictionary that nobody has": (
        lambda: forged(UNKNOWN),
        f"dictionary {UNKNOWN}, .* install the newest Daybook",
    ),
    "cut off": (lambda: good_frame()[:-3], "cannot be unpacked"),
    "with more behind it": (lambda: good_frame() + b"x", "cannot be unpacked"),
    "of a head alone": (lambda: FRAME_MAGIC, "cannot be unpacked"),
    "of a bomb": (lambda: zstandard.ZstdCompressor().compress(b" " * 2**30), "longer than a line"),
    "of a size that is not told": (
        lambda: zstandard.ZstdCompressor(write_content_size=False).compress(b" " * 2**24),
        "longer than a line",
    ),
    "of a size that is too small": (lambda: with_head(50), "cannot be unpacked"),
    "of a size that is too large": (lambda: with_head(MAX_LINE_BYTES), "cannot be unpacked"),
}


def good_frame() -> bytes:
    return compressor().compress(lines()[9])


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.sqlite_suffices
def test_damaged_frame_harms_one_game(log, bad):
    frame, says = BAD[bad]
    log.append(*GAME.entries[:9])
    log.recorder.insert_events([StoredEvent(GAME.id, 10, "decision_recorded", frame())])
    other = uuid4()
    log.append(msgspec.structs.replace(GAME.entries[0], originator_id=other))
    with pytest.raises(InvalidLineError, match=says):
        log.entries(GAME.id)
    found = log.notifications(0)
    with pytest.raises(InvalidLineError, match=says):
        log.decode(found[9])
    assert [log.line_of(entry) for entry in (*found[:9], found[10])] == [*lines()[:9], lines()[0]]
    assert log.entries(other)[0].line == lines()[0]
    checked = verify_lines(log.lines(GAME.id))
    assert (checked.steps, checked.broken_at) == (9, 9)
    assert log.seal_at(log.position(GAME.id, 9)) is not None


@pytest.mark.both_databases
def test_doctor_names_a_missing_or_changed_dictionary(settings):
    def results() -> list[tuple[str, str, str]]:
        return [
            (found.state, found.says, found.do)
            for found in doctor.run_checks(settings)
            if found.about == "dictionaries"
        ]

    with closing(open_daybook(settings, create=True)) as book:
        book.log.append(*GAME.entries)
        assert results() == [("ok", "1, as they came", "")]
        store_dictionary(settings, NEXT, later_dictionary())
        assert results() == [("ok", f"2, as they came, {NEXT} of a newer Daybook", "")]
        by_shell(settings, "UPDATE dictionaries SET content = ? WHERE number = 32768", b"another")
        ((state, says, _),) = results()
        assert state == "bad" and says.startswith("32768 in the log: not what came with Daybook")
        assert book.log.lines(GAME.id) == lines(), "it reads with its own"
        by_shell(settings, "DELETE FROM dictionaries WHERE number = 32768")
        ((state, says, do),) = results()
        assert (state, says) == ("bad", "the log lacks 32768") and "daybook init" in do
    open_log(settings, create=True).close()
    assert [state for state, _, _ in results()] == ["ok"]
