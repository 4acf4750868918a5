"""Packed lines: byte for byte what was written, beside plain ones, for as long as there are dictionaries."""

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

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import BadLine
from daybook.domain.kernel.record import Game
from daybook.services.files.verify import verify_lines
from daybook.services.operation import backups, doctor
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.log import AlreadyWritten, GameLog, open_log, read_row
from daybook.services.store.packing import FRAME, LONGEST, Dictionary, Packing, shipped_dictionaries
from daybook.services.store.sqlite import connect
from tests.dictionaries import train_dictionary
from tests.services.fixture_files import played_game
from tests.services.log_processes import entries_played

RELEASED = {  # of each dictionary, SHA-256: what was packed with it is read with it for ever
    "making_profit-32768": "a993ac75acf25f39b570daf1e14bb9e0a8c610e2c2f0fbe66bbbfc9c3399e378",
    "london_markets-32769": "97c467ca11719915041feebf98a55d12e9f12513345b363e5c6eacca807aa0e9",
    "water_frame-32770": "c0dbf9cd5b90cd5a969991c75a1a319a5d82ecb96f36b9dcc820f68d29ff46a4",
    "arkwright_card-32771": "573d02a468cb87ec959153bae45da59d035a2f78e3a2225e8c7c0ce5b966a5c7",
    "score_sheet-32772": "0811a4712cb27a8d9e9ca86384fea38a817ccaeeac17d524533b8ae1484a4eda",
}
GAME = played_game(3, seats=3, limit=60)
NEXT = 40_000  # the number of a dictionary that a later version brings
UNKNOWN = 50_000


def stored(log: GameLog, game: Game = GAME) -> list[bytes]:
    return log.recorder.lines(game.id, 0)


def lines(game: Game = GAME) -> list[bytes]:
    return [entry.line for entry in game.entries]


def by_shell(settings: Settings, statement: str, *values: object) -> None:
    """As somebody with a database shell, past what forbids it."""
    if settings.database_url is not None:
        with psycopg.connect(settings.database_url) as shell:
            shell.execute("SET session_replication_role = replica")
            shell.execute("SET search_path = daybook_log")
            shell.execute(statement.replace("?", "%s"), values)  # type: ignore[arg-type]
        return
    with closing(connect(settings.sqlite_file("log"), "FULL")) as shell:
        triggers = shell.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            shell.execute(f"DROP TRIGGER {name}")
        shell.execute(statement, values)
        for _, sql in triggers:
            shell.execute(sql)


def number_of(frame: bytes) -> int:
    return int(zstandard.get_frame_parameters(frame).dict_id)


# --- what is stored --------------------------------------------------------------------------------------------------


def test_the_dictionaries_are_those_that_were_released():
    found = {f"{one.ruleset}-{one.number}": one for one in shipped_dictionaries().values()}
    assert {name: hashlib.sha256(one.content).hexdigest() for name, one in found.items()} == RELEASED
    assert {one.ruleset for one in found.values()} == {*RULESETS}
    assert all(zstandard.ZstdCompressionDict(one.content).dict_id() == one.number for one in found.values())


def test_lines_are_stored_as_a_quarter_and_come_back_byte_for_byte(log):
    log.append(*GAME.entries)
    assert sum(map(len, stored(log))) * 4 < sum(map(len, lines()))
    assert log.lines(GAME.id) == lines() and log.entries(GAME.id) == GAME.entries
    assert [line for _, _, _, line in log.rows_since(0)] == [line for _, _, _, line in log.rows_of(GAME.id)] == lines()
    assert log.news(0, GAME.id, 5).entries == GAME.entries[5:]
    assert log.seal_at(log.newest()) == GAME.seal
    assert log.append(*GAME.entries[3:5]) == log.position(GAME.id, 4), "written already"
    with pytest.raises(AlreadyWritten):
        log.append(msgspec.structs.replace(GAME.entries[4], line=lines()[4].replace(b'"step":4', b'"step":5')))


def test_what_no_dictionary_is_for_is_stored_as_it_is(log):
    another = entries_played(uuid4(), 3)  # somebody else's game
    log.append(*another)
    assert log.recorder.lines(another[0].originator_id, 0) == [entry.line for entry in another]
    log.append(*GAME.entries[:2])
    longer = msgspec.structs.replace(GAME.entries[2], line=b"{" + b" " * LONGEST + lines()[2][1:])
    log.append(longer)
    assert log.recorder.lines(GAME.id, 2) == [longer.line]


def test_threads_pack_and_unpack_at_once(log):
    games = [uuid4() for _ in range(4)]
    found: list[bool] = []

    def record(id: UUID) -> None:
        for entry in GAME.entries:
            log.append(msgspec.structs.replace(entry, originator_id=id))
            found.append(log.lines(id, entry.step) == [entry.line])

    threads = [Thread(target=record, args=[id]) for id in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * len(games) * len(GAME.entries)
    assert all(log.lines(id) == lines() for id in games)


# --- dictionaries ----------------------------------------------------------------------------------------------------


def a_later_one() -> Dictionary:
    return Dictionary(NEXT, "making_profit", train_dictionary(lines(played_game(4)), NEXT, size=8_000))


def bring(settings: Settings, one: Dictionary) -> None:
    by_shell(settings, "INSERT INTO dictionaries VALUES (?, ?, ?)", one.number, one.ruleset, one.content)


def test_what_an_earlier_dictionary_packed_is_read_when_there_is_a_later_one(settings):
    open_daybook(settings, create=True).close()
    with closing(open_log(settings)) as log:
        log.append(*GAME.entries[:9])
        bring(settings, a_later_one())
        with closing(open_log(settings)) as newer:
            newer.append(*GAME.entries[9:20])
            assert [number_of(one) for one in stored(newer)] == [32_768] * 9 + [NEXT] * 11
            assert newer.lines(GAME.id) == log.lines(GAME.id) == lines()[:20], "by who opened the log before, too"
    if settings.database_url is None:
        backups.take_backup(settings, settings.data / "copy")
        backups.restore_backup(settings.data / "copy", Settings(data=settings.data / "again"))
        with closing(open_log(Settings(data=settings.data / "again"))) as restored:
            assert restored.lines(GAME.id) == lines()[:20]


def forged(number: int) -> bytes:
    """A frame of a dictionary that nobody has."""
    content = zstandard.ZstdCompressionDict(train_dictionary(lines(), number, size=8_000))
    return zstandard.ZstdCompressor(dict_data=content, write_checksum=False).compress(lines()[9])


def with_head(size: int) -> bytes:
    """A frame that tells another size of what is in it."""
    content = zstandard.ZstdCompressionDict(shipped_dictionaries()[32_768].content)
    packed = zstandard.ZstdCompressor(dict_data=content, write_checksum=False).compress(b" " * 100_000)
    assert packed[7:11] == (100_000).to_bytes(4, "little")
    return packed[:7] + size.to_bytes(4, "little") + packed[11:]


BAD = {
    "of a dictionary that nobody has": (
        lambda: forged(UNKNOWN),
        f"dictionary {UNKNOWN}, .* install the newest Daybook",
    ),
    "cut off": (lambda: Packed.one()[:-3], "cannot be unpacked"),
    "with more behind it": (lambda: Packed.one() + b"x", "cannot be unpacked"),
    "of a head alone": (lambda: FRAME, "cannot be unpacked"),
    "of a bomb": (lambda: zstandard.ZstdCompressor().compress(b" " * 2**30), "longer than a line"),
    "of a size that is not told": (
        lambda: zstandard.ZstdCompressor(write_content_size=False).compress(b" " * 2**24),
        "longer than a line",
    ),
    "of a size that is too small": (lambda: with_head(50), "cannot be unpacked"),
    "of a size that is too large": (lambda: with_head(LONGEST), "cannot be unpacked"),
}


class Packed:
    """A line as it is stored."""

    @staticmethod
    def one() -> bytes:
        packing = Packing(lambda number: None, lambda id: lines()[0])
        packing.pack_with((one.number, one.ruleset) for one in shipped_dictionaries().values())
        return packing.pack(GAME.id, 10, lines()[9])


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.sqlite_suffices
def test_a_frame_that_cannot_be_unpacked_harms_one_game(log, bad):
    frame, says = BAD[bad]
    log.append(*GAME.entries[:9])
    log.recorder.insert_events([StoredEvent(GAME.id, 10, "decision_recorded", frame())])
    other = uuid4()
    log.append(msgspec.structs.replace(GAME.entries[0], originator_id=other))
    with pytest.raises(BadLine, match=says):
        log.entries(GAME.id)
    with pytest.raises(BadLine, match=says):
        log.news(0, GAME.id)
    rows = log.rows_since(0)
    with pytest.raises(BadLine, match="is to be installed"):
        read_row(rows[9])
    assert [row[3] for row in (*rows[:9], rows[10])] == [*lines()[:9], lines()[0]]
    assert log.entries(other)[0].line == lines()[0]
    checked = verify_lines(log.lines(GAME.id))
    assert (checked.steps, checked.broken_at) == (9, 9)
    assert log.seal_at(log.position(GAME.id, 9)) is not None


@pytest.mark.both_databases
def test_the_doctor_tells_a_dictionary_that_is_lost_or_another(settings):
    def told() -> list[tuple[str, str, str]]:
        return [(one.state, one.says, one.do) for one in doctor.run_checks(settings) if one.about == "dictionaries"]

    with closing(open_daybook(settings, create=True)) as book:
        book.log.append(*GAME.entries)
        assert told() == [("ok", "5, as they came", "")]
        bring(settings, a_later_one())
        assert told() == [("ok", f"6, as they came, {NEXT} of a newer Daybook", "")]
        by_shell(settings, "DELETE FROM dictionaries WHERE number = 32769")
        by_shell(settings, "UPDATE dictionaries SET content = ? WHERE number = 32768", b"another")
        (lost, other) = told()
        assert lost[:2] == ("bad", "the log lacks 32769") and "daybook init" in lost[2]
        assert other[0] == "bad" and other[1].startswith("32768 in the log: not what came with Daybook")
        assert book.log.lines(GAME.id) == lines(), "it reads with its own meanwhile"
    open_log(settings, create=True).close()
    assert len(told()) == 1
