"""Verification of backups: files as written, sound stores, and games with valid seals.

A forger could rewrite the manifest and seal the games again; the check code printed at the time of the backup reveals
that.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import LAST_OF_0, BrokenSealError, InvalidLineError, check_seal
from daybook.domain.kernel.events import GameOpened, begins_as, read_line
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.unique_keys import decode_json
from daybook.domain.league.club_events import is_of_club
from daybook.domain.tombstone import is_tombstone, tombstone_entry
from daybook.services.counted import counted
from daybook.services.files.verify import SealCheck, verify_lines
from daybook.services.settings import SECRET_BYTES
from daybook.services.store.compression import DictionaryCompressor
from daybook.services.store.kept import kept_history, kept_version
from daybook.services.store.log import LAYOUT
from daybook.services.store.log_sqlite import TABLES
from daybook.services.store.sqlite import sqlite

FORMAT = 3
MANIFEST = "backup.json"
LOG, KEPT, SECRET, RECEIPT_KEY = "log.db", "kept.db", "secret", "receipt-key.pem"
STORES = (LOG, KEPT)
NAMES = (*STORES, SECRET, RECEIPT_KEY)
MAX_MANIFEST_BYTES = 64 * 2**20
BLOCK = 2**20

Progress = Callable[[int, int], object]  # entries verified, entries in all


class BadBackupError(Exception):
    """The copy is damaged, incomplete or changed; nothing was restored. The message says what is wrong."""


class BackupFile(Exact):
    """One file of a backup. sha256: hexadecimal."""

    size: int
    sha256: str


class BrokenChronicle(Exact):
    """Game or club with broken seals in the log itself, and its first altered step."""

    id: str
    step: int
    says: str


class StoreContents(Exact, omit_defaults=True):
    """Contents of a backup's stores.

    Args:
        position: of the newest entry in the log.
        unopened: games in the kept tables that the log lacks, since their opening was in progress or interrupted;
            usually empty.
        broken: damage that the log had already; usually empty.
        kept: version of the kept tables.
        erased: number of tombstones.
        history: the id that both stores share.
    """

    position: int
    entries: int
    games: int
    clubs: int
    unopened: list[str]
    broken: list[BrokenChronicle]
    kept: int = 0
    erased: int = 0
    history: str = ""


class Backup(Exact):
    """Manifest of a backup.

    Args:
        backup: the format.
    """

    backup: int
    made_at: str
    found: StoreContents
    files: dict[str, BackupFile]

    @property
    def code(self) -> str:
        """The check code: the SHA-256 of all this, which names the files by theirs."""
        return hashlib.sha256(content_of(self)).hexdigest()


def content_of(backup: Backup) -> bytes:
    return msgspec.json.encode(backup, order="deterministic")


def describe_file(path: Path) -> BackupFile:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            size += len(block)
    return BackupFile(size, digest.hexdigest())


def read_manifest(folder: Path) -> Backup:
    """Read the manifest of a backup. Raises BadBackupError."""
    file = folder / MANIFEST
    if not folder.is_dir():
        raise BadBackupError(f"{folder} is no folder: name the folder of a backup")
    if not _is_plain(file):
        raise BadBackupError(f"{folder} holds no {MANIFEST}: it is no backup of `daybook backup`, or not a whole one")
    content = file.read_bytes() if file.stat().st_size <= MAX_MANIFEST_BYTES else b""
    try:
        version = decode_json(content, dict[str, Any]).get("backup")
        if version in (1, 2):
            raise BadBackupError(
                f"{file}: the backup has format {version}: Daybook {LAST_OF_0} is the last version that reads it"
            )
        if version != FORMAT:
            raise BadBackupError(f"{file}: the backup has format {version!r}; this Daybook reads format {FORMAT}")
        return msgspec.json.decode(content, type=Backup)
    except msgspec.DecodeError as wrong:
        raise BadBackupError(f"{file} cannot be read: {wrong}") from wrong


def require_names(folder: Path, backup: Backup) -> None:
    """Check that the files are plain and are those in the manifest. Raises BadBackupError."""
    if not set(STORES) <= set(backup.files) <= set(NAMES):
        raise BadBackupError(f"{folder / MANIFEST} names other files than a backup has")
    present = {path.name for path in folder.iterdir()} - {MANIFEST}
    if lacking := sorted(set(backup.files) - present):
        raise BadBackupError(f"{folder} is not whole: {', '.join(lacking)} is missing")
    if strange := sorted(present - set(backup.files)):
        raise BadBackupError(f"{folder} holds what is no part of the backup: {', '.join(strange)}")
    for name in backup.files:
        if not _is_plain(folder / name):
            raise BadBackupError(f"{folder / name} is no plain file")


def require_parts(folder: Path, backup: Backup) -> None:
    """Check the size and hash of each file. Raises BadBackupError."""
    for name, part in backup.files.items():
        if describe_file(folder / name) != part:
            raise BadBackupError(f"{folder / name} is not what was written: it was damaged or changed since")


def _is_plain(path: Path) -> bool:
    return path.exists() and stat.S_ISREG(path.lstat().st_mode)


def require_contents(folder: Path, backup: Backup, progress: Progress) -> None:
    """Check that the stores are sound and match the manifest. Raises BadBackupError."""
    contents = examine_stores(folder, progress)
    if contents.unopened != backup.found.unopened:
        raise BadBackupError(f"{folder / KEPT} names games that {LOG} lacks: the copies are not of one moment")
    for broken in contents.broken:
        if broken not in backup.found.broken:
            raise BadBackupError(
                f"{folder / LOG} was changed: {broken.id} is broken at step {broken.step}: {broken.says}"
            )
    if contents != backup.found:
        raise BadBackupError(f"{folder / LOG} does not hold what the backup says")


def examine_stores(folder: Path, progress: Progress) -> StoreContents:
    """Return the contents of a backup's stores after verifying every seal. Raises BadBackupError."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        with closing(open_immutable(folder / LOG)) as log, closing(open_immutable(folder / KEPT)) as kept:
            _require_integrity(log, folder / LOG)
            _require_integrity(kept, folder / KEPT)
            _require_our_log(log, folder / LOG)
            _require_plain_tables(kept, folder / KEPT)
            history = _shared_history(log, kept)
            found = msgspec.structs.replace(
                _count_contents(log, games_without_log(log, kept), progress), kept=_kept_version(kept), history=history
            )
    except sqlite.DatabaseError as wrong:
        raise BadBackupError(f"{folder} cannot be read: {wrong}") from wrong
    if (folder / SECRET).exists() and len((folder / SECRET).read_bytes().strip()) < SECRET_BYTES:
        raise BadBackupError(f"{folder / SECRET} holds fewer than {SECRET_BYTES} bytes")
    if (folder / RECEIPT_KEY).exists():
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            load_pem_private_key((folder / RECEIPT_KEY).read_bytes(), None)
        except (ValueError, TypeError) as wrong:
            raise BadBackupError(f"{folder / RECEIPT_KEY} holds no key") from wrong
    return found


def open_immutable(file: Path) -> Any:
    """Open a file that no one changes; creates no files next to it."""
    return sqlite.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


def _require_integrity(connection: Any, file: Path) -> None:
    found = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    found += [f"table {row[0]} names what is not there" for row in connection.execute("PRAGMA foreign_key_check")]
    if found != ["ok"]:
        raise BadBackupError(f"{file} is damaged: {'; '.join(found)}")


def _require_our_log(log: Any, file: Path) -> None:
    """Check that the log has this version's tables and triggers, and no other ones."""
    layout = log.execute("PRAGMA user_version").fetchone()[0]
    if layout != LAYOUT:
        raise BadBackupError(
            f"{file} has layout {layout}; this Daybook knows layout {LAYOUT}: install the other version"
        )
    with closing(sqlite.connect(":memory:")) as reference:
        for statement in TABLES:
            reference.execute(statement)
        if _read_schema(log) != _read_schema(reference):
            raise BadBackupError(f"{file} has other tables or triggers than Daybook makes")


def _read_schema(log: Any) -> list[tuple[str, str, str]]:
    rows = log.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    return [(kind, name, re.sub(r"\s+", " ", sql)) for kind, name, sql in rows]


def _require_plain_tables(database: Any, file: Path) -> None:
    acting = database.execute("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')").fetchall()
    if acting:
        raise BadBackupError(f"{file} holds {acting[0][0]}, which acts by itself; Daybook makes no such thing")


def _shared_history(log: Any, database: Any) -> str:
    """Return the id of the history that both stores belong to. Raises BadBackupError where one is older than the other."""
    state = log.execute("SELECT history, kept_notes FROM log_state").fetchone()
    row = database.execute(f"SELECT history, log_position, notes FROM {kept_history.name}").fetchone()
    (newest,) = log.execute("SELECT coalesce(max(rowid), 0) FROM games_events").fetchone()
    if state is None or row is None or state[0] != row[0]:
        raise BadBackupError("the log and the kept tables belong to two different Daybooks")
    if newest < row[1]:
        raise BadBackupError(
            f"the log ends at entry {newest}, and had entry {row[1]} already: it is older than the kept tables"
        )
    if state[1] > row[2]:
        raise BadBackupError("the kept tables are older than the log")
    return str(row[0])


def _kept_version(database: Any) -> int:
    """Return the version of the kept tables, as `services.store.migrations.stored_version`."""
    if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (kept_version.name,)).fetchone():
        return 0
    return int(database.execute(f"SELECT max(number) FROM {kept_version.name}").fetchone()[0] or 0)


# --- what is in a log ------------------------------------------------------------------------------------------------


def _count_contents(log: Any, unopened: list[str], progress: Progress) -> StoreContents:
    entries, position = log.execute("SELECT count(*), coalesce(max(rowid), 0) FROM games_events").fetchone()
    rows = log.execute(
        "SELECT originator_id, originator_version, topic, state FROM games_events"
        " ORDER BY originator_id, originator_version"
    )
    compressor = DictionaryCompressor(partial(_dictionary, log))
    done, games, clubs, erased, broken = 0, 0, 0, 0, []
    for record_id, group in groupby(rows, lambda row: row[0]):
        _, versions, topics, packed = zip(*group, strict=True)
        stored = list(zip(versions, topics, map(compressor.decompress_if_possible, packed), strict=True))
        found = verify_chronicle(record_id, stored)
        if found.broken_at is not None:
            broken.append(BrokenChronicle(record_id, found.broken_at, found.message))
        if is_tombstone(stored[-1][2]):
            erased += 1
        elif is_of_club(stored[0][2]):
            clubs += 1
        else:
            games += 1
        done += len(stored)
        progress(done, entries)
    return StoreContents(position, entries, games, clubs, unopened, broken, erased=erased)


def _dictionary(log: Any, number: int) -> bytes | None:
    """Return a compression dictionary of the log by number."""
    found = log.execute("SELECT content FROM dictionaries WHERE number = ?", (number,)).fetchone()
    return found[0] if found else None


def verify_chronicle(record_id: str, stored: Sequence[tuple[int, str, bytes]]) -> SealCheck:
    """Verify a game or club: its seals and the order of its lines."""
    if len(stored) == 1 and is_tombstone(stored[0][2]):
        return _verify_tombstone(record_id, *stored[0])
    for place, (version, topic, line) in enumerate(stored):
        if version != place + 1:
            return SealCheck(place, "", place, "it is missing")
        if not begins_as(line, topic):
            return SealCheck(place, "", place, f"it is stored as {topic}, which it is not")
    found = verify_lines([line for _, _, line in stored])
    if found.intact and not is_of_club(stored[0][2]) and not is_tombstone(stored[0][2]):
        return _opening_fault(record_id, stored[0][2]) or found
    return found


def _verify_tombstone(record_id: str, version: int, topic: str, line: bytes) -> SealCheck:
    """Verify a tombstone, the only line of an erased record."""
    try:
        entry = tombstone_entry(UUID(record_id), version, line)
        check_seal(entry.step, line, entry.event.last_seal)
    except (InvalidLineError, BrokenSealError) as wrong:
        return SealCheck(0, "", version - 1, str(wrong))
    if UUID(entry.event.id).hex != record_id or entry.event.entries != entry.step or topic != entry.topic:
        return SealCheck(0, "", entry.step, "it is the tombstone of another record")
    return SealCheck(entry.event.entries, entry.seal)


def _opening_fault(record_id: str, line: bytes) -> SealCheck | None:
    """Return the fault of a game's opening; None if it is valid."""
    try:
        event = read_line(UUID(record_id), 1, line).event
    except InvalidLineError as wrong:
        return SealCheck(0, "", 0, str(wrong))
    if not isinstance(event, GameOpened) or UUID(event.game).hex != record_id:
        return SealCheck(0, "", 0, "it opens another game")
    return None


def games_without_log(log: Any, database: Any) -> list[str]:
    """Return the games in the kept tables that the log lacks."""
    in_log = {
        game_id for (game_id,) in log.execute("SELECT originator_id FROM games_events WHERE originator_version = 1")
    }
    return sorted(game_id for (game_id,) in database.execute("SELECT id FROM kept_game") if game_id not in in_log)


def backup_lines(backup: Backup) -> Iterator[str]:
    """Yield lines that describe a backup."""
    contents = backup.found
    clubs = f" and {counted(contents.clubs, 'club')}" if contents.clubs else ""
    entries = counted(contents.entries, "entry", "entries")
    erased = f", {contents.erased} erased" if contents.erased else ""
    yield f"{counted(contents.games, 'game')}{clubs}{erased}, {entries}, every seal verified" + (
        " but those below" if contents.broken else ""
    )
    for broken in contents.broken:
        yield f"{broken.id} is broken in the log: step {broken.step}: {broken.says}"
    if contents.unopened:
        games = counted(len(contents.unopened), "game has", "games have")
        yield f"{games} a title and no record: opening was under way, or broke off"
    for name, what in ((SECRET, "the secret that signs links"), (RECEIPT_KEY, "the key that signs receipts")):
        if name not in backup.files:
            yield f"without {what}: there was none"
    yield f"check code {backup.code}"
