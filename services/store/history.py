"""The history of a Daybook: an id that its log, its kept tables and its data folder share.

A first start creates all of them. Whatever is missing later was lost, or its disk is not mounted: nothing creates it
again, because a second history would begin there and the first would be forgotten. So every opening compares the
parts. It refuses what is missing, what belongs to another history, and what is older than the rest.

The kept tables note now and then how long the log was, and the log notes how many notes there were. So each of the two
shows that the other is older than it was, as after half a restore.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import BrokenSealError, InvalidLineError, check_seal, seal_of
from daybook.services.atomic_files import replace_file
from daybook.services.clock import later_time, now
from daybook.services.settings import Settings
from daybook.services.store import read_models, shapes
from daybook.services.store.database import AnyRow, StoreEngine, insert_once
from daybook.services.store.kept import KeptTables, kept_clock_step, kept_history
from daybook.services.store.log import GameLog
from daybook.services.store.sqlite import IN_BROWSER, connect

HISTORY_FILE = "history.json"
FIRST_START_SECONDS = 2.0  # in which another process creates the log
FSTAB = Path("/etc/fstab")
EARLIER = "earlier-"  # prefix of the folder for the remains of an earlier history
STAY = ("serve.lock", "network", "queue.sock", "queue.folder")  # every start creates them before the data
NOTE_SECONDS = 3600.0  # between two notes of the time if nothing is recorded
CLOCK_SLACK_SECONDS = 120.0
STEPS_SHOWN = timedelta(days=30)

logger = logging.getLogger(__name__)


class LostDataError(Exception):
    """Part of the data is missing, or belongs to another history. Nothing was changed. do: both ways out."""

    def __init__(self, message: str, do: str) -> None:
        super().__init__(f"{message}: {do}")
        self.says, self.do = message, do


class Stores(NamedTuple):
    """Stores that exist."""

    log: bool  # its tables exist
    entries: bool  # the log has some
    kept: bool  # its tables exist
    remains: list[str]  # other parts of an earlier history


class ClockStep(NamedTuple):
    """A step back of the clock, from the newest stored time to an earlier one."""

    before: str
    after: str


# --- before anything is opened ---------------------------------------------------------------------------------------


def refuse_lost_data(settings: Settings, create: bool) -> None:
    """Check that what is missing was never there. Raises LostDataError.

    A log without tables that has a write-ahead file may be one that another process creates at this moment. It is checked
    again for a while.
    """
    deadline = time.monotonic() + FIRST_START_SECONDS
    while True:
        try:
            return _refuse_lost_data(settings, create)
        except LostDataError:
            if time.monotonic() > deadline or not _is_log_begun(settings):
                raise
        time.sleep(0.05)


def _is_log_begun(settings: Settings) -> bool:
    if settings.database_url is not None:
        return False
    log = settings.database_file("log")
    return log.exists() and log.with_name(f"{log.name}-wal").exists()


def _refuse_lost_data(settings: Settings, create: bool) -> None:
    stores = find_stores(settings)
    if stores.log:
        if not stores.kept and (stores.entries or (settings.data / HISTORY_FILE).exists()):
            raise LostDataError(
                f"names, links and accounts are missing: {_where(settings)} has the log, but no kept tables",
                f"{_bring_back(settings)}, or continue without them with `daybook init --accept-loss`",
            )
        return
    remains = [*(["the kept tables"] if stores.kept else []), *stores.remains]
    if remains:
        raise LostDataError(
            f"the log is missing, and this is not a first start: {_where(settings)} has {', '.join(remains)}",
            f"{_bring_back(settings)}, or start a new history with `daybook init --accept-loss`, which moves the rest out of the way",
        )
    if create:
        _refuse_unmounted(settings.data)


def refuse_unusable_files(settings: Settings) -> None:
    """Check that each name of the data leads to a file of its own. Raises LostDataError."""
    rebuilt, lost = "remove it: it is rebuilt", "mount its disk, restore a backup, or remove it to accept the loss"
    ways_out = {
        settings.data / HISTORY_FILE: rebuilt,
        settings.secret_path: f"{lost}: `daybook new-secret` makes another",
        settings.receipt_key_path: f"{lost}: `daybook new-receipt-key` makes another",
    }
    if settings.database_url is None:
        ways_out |= {settings.database_file("log"): lost, settings.database_file("kept"): lost}
        ways_out[settings.database_file("views")] = rebuilt
    places = dict[tuple[int, int], Path]()
    for file, way_out in ways_out.items():
        try:
            found = file.stat()
        except FileNotFoundError:
            if file.is_symlink():
                raise LostDataError(f"{file} leads to {os.readlink(file)}, which is not there", way_out) from None
            continue
        except PermissionError:
            continue  # opening it says so
        except OSError as wrong:  # a loop of links
            raise LostDataError(f"{file} cannot be opened: {wrong.strerror}", way_out) from wrong
        if not stat.S_ISREG(found.st_mode):
            raise LostDataError(f"{file} is not a file", way_out)
        other = places.setdefault((found.st_dev, found.st_ino), file)
        if other != file:
            raise LostDataError(f"{file} and {other} are one file", way_out)


def find_stores(settings: Settings) -> Stores:
    """Look at what is stored. Raises LostDataError for a file that cannot be one of ours."""
    refuse_unusable_files(settings)
    return _find_files(settings) if settings.database_url is None else _find_schemas(settings)


def _where(settings: Settings) -> str:
    """Return the place of the log in words: the data folder or the database."""
    return str(settings.data) if settings.database_url is None else "the database"


def _bring_back(settings: Settings) -> str:
    if settings.database_url is None and _marked_store(settings) == "postgresql":
        return "this data folder belongs to a Daybook on PostgreSQL, so set DAYBOOK_DATABASE_URL"
    if settings.database_url is None:
        return "mount its disk, name the right folder with --data, or restore a backup with `daybook restore`"
    return "name the right database in DAYBOOK_DATABASE_URL, or restore a dump (docs/backup.md)"


def _find_files(settings: Settings) -> Stores:
    data, entries = settings.data, False
    log, kept = settings.database_file("log"), settings.database_file("kept")
    log_tables, kept_tables = _tables_of(log), _tables_of(kept)
    has_log, has_kept = "games_events" in log_tables, "kept_game" in kept_tables
    for file, has_own, tables in ((log, has_log, log_tables), (kept, has_kept, kept_tables)):
        if tables and not has_own:
            raise LostDataError(
                f"{file} holds other tables than Daybook's", f"{_bring_back(settings)}, or move the file out of the way"
            )
    if has_log:
        with closing(connect(log, "NORMAL")) as connection:
            entries = connection.execute("SELECT 1 FROM games_events LIMIT 1").fetchone() is not None
    own = [HISTORY_FILE, "views.db", "views-damaged.db", "secret", "receipt-key.pem", "pictures", "backups"]
    own += [f"{file.name}-wal" for file, tables in ((log, log_tables), (kept, kept_tables)) if not tables]
    remains = [name for name in own if (data / name).exists()]
    remains += [path.name for path in sorted(data.glob("kept-version-*.db"))]
    remains += ["queue"] if (data / "queue").is_dir() and any((data / "queue").iterdir()) else []
    return Stores(has_log, entries, has_kept, [] if IN_BROWSER else remains)


def _tables_of(file: Path) -> set[str]:
    if not file.exists() or not file.stat().st_size:
        return set()
    with closing(connect(file, "NORMAL")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _find_schemas(settings: Settings) -> Stores:
    from daybook.services.store import postgres

    assert settings.database_url is not None
    postgres.fence(settings)
    with postgres.translate_outage(), postgres.connect(settings.database_url) as connection:
        rows = connection.execute(
            "SELECT nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE nspname LIKE 'daybook%' AND relkind = 'r'"
        ).fetchall()
        there = {(schema, table) for schema, table in rows}
        has_log = ("daybook_log", "games_events") in there
        entries = (
            has_log and connection.execute("SELECT 1 FROM daybook_log.games_events LIMIT 1").fetchone() is not None
        )
    remains = sorted(
        {schema for schema, _ in there if schema.startswith("daybook_views") and EARLIER[:-1] not in schema}
    )
    files = [name for name in ("log.db", HISTORY_FILE) if (settings.data / name).exists()]
    remains += [f"{name} of the data folder" for name in files]
    return Stores(has_log, entries, any(schema == "daybook_kept" for schema, _ in there), remains)


def _refuse_unmounted(folder: Path) -> None:
    """Refuse a folder on a disk that should be mounted and is not. Raises LostDataError."""
    try:
        lines = FSTAB.read_text(errors="replace").splitlines()
    except OSError:
        return
    points = [
        Path(words[1].replace("\\040", " ")) for line in lines if len(words := line.split()) > 2 and words[0][0] != "#"
    ]
    folder = folder.resolve()
    for point in points:
        if point.is_absolute() and point != Path("/") and folder.is_relative_to(point) and not point.is_mount():
            raise LostDataError(
                f"nothing is mounted at {point}, which {FSTAB} names",
                "mount it, or name a data folder elsewhere with --data",
            )


# --- when all is open ------------------------------------------------------------------------------------------------


def check_history(
    settings: Settings,
    log: GameLog,
    kept_tables: StoreEngine,
    views: StoreEngine,
    *,
    create: bool,
    accept_loss: bool = False,
) -> None:
    """Compare the parts with one another. Raises LostDataError.

    create: note the history where none is noted yet. accept_loss: have what is there count as the whole.
    """
    state, row, newest = log.recorder.state(), kept_tables.row(sa.select(kept_history)), log.newest()
    if create and state is None:
        log.recorder.begin_history(uuid4().hex if row is None else row.history)
        state = log.recorder.state()
    if create and row is None and state is not None:
        with kept_tables.begin() as c:
            first = {
                "only": 1,
                "history": state.history,
                "log_position": newest,
                "notes": state.kept_notes,
                "clock": now(),
            }
            insert_once(c, kept_history, first)
        row = kept_tables.row(sa.select(kept_history))
    if state is None or row is None:
        raise LostDataError(
            "the log and the kept tables do not say that they belong together",
            "run `daybook init`, or restore a backup",
        )
    wrong = list(_disagreements(settings, log, state.history, state.kept_notes, row, newest, views))
    if wrong and not accept_loss:
        raise LostDataError(
            wrong[0], f"{_bring_back(settings)}, or continue with what is there with `daybook init --accept-loss`"
        )
    if wrong:
        logger.warning("accepted: %s", "; ".join(wrong))
        with kept_tables.begin() as c:
            notes = max(row.notes, state.kept_notes)
            c.execute(kept_history.update().values(history=state.history, log_position=newest, notes=notes))
        log.recorder.note_kept(notes)
        _forget_positions(views)
        _mark(settings, state.history)
    elif create:
        mark_folder(settings, log)


def _disagreements(
    settings: Settings, log: GameLog, history: str, kept_notes: int, row: AnyRow, newest: int, views: StoreEngine
) -> Iterator[str]:
    if row.history != history:
        yield "the log and the kept tables belong to two different Daybooks"
        return
    marked = _marked_history(settings)
    if marked not in (None, history):
        yield _other_history(settings)
    if newest < row.log_position:
        yield f"the log ends at entry {newest}, and had entry {row.log_position} already: it is older than the kept tables"
    if kept_notes > row.notes:
        yield "the kept tables are older than the log: names, links and accounts of the time since are missing"
    if (lost := _unknown_to(log, views)) is not None:
        yield f"the read models have taken in entry {lost} of another log, or one that this log has lost"


def _unknown_to(log: GameLog, views: StoreEngine) -> int | None:
    """Return a position at which the read models have met another entry than the log has now."""
    if views.file is not None and not views.file.exists():
        return None
    with views.connect() as connection:
        if not shapes.table_exists(connection, read_models.read_from):
            return None
    marks = sorted(read_models.read_marks(views))
    newest = log.newest()  # after the marks: a follower may take in entries meanwhile
    for position, record, seal in marks:
        is_other = position > newest or _intact_seal_at(log, position) not in ("", seal)
        if is_other and not log.is_erased(record):
            return position
    return None


def _forget_positions(views: StoreEngine) -> None:
    """Have the read models be rebuilt at the next start."""
    with views.begin() as c:
        for table in (read_models.read_from, read_models.position):
            c.execute(table.delete())


def _intact_seal_at(log: GameLog, position: int) -> str:
    """Return the seal of an entry that fits its record; "" if there is none there, or a damaged one."""
    found = log.notification_at(position)
    if found is None:
        return ""
    version = found.originator_version
    before = log.recorder.select_events(found.originator_id, gt=version - 2, lte=version - 1)
    try:
        line = log.mapper.compressor.decompress(found.state)
        check_seal(version - 1, line, seal_of(log.line_of(before[0])) if before else "")
    except (InvalidLineError, BrokenSealError):
        return ""
    return seal_of(line)


def refuse_other_history(settings: Settings, history: str) -> None:
    """Check that a data folder does not belong to another history. Raises LostDataError."""
    if _marked_history(settings) not in (None, history):
        raise LostDataError(_other_history(settings), _bring_back(settings))


def _other_history(settings: Settings) -> str:
    return f"{settings.data} has worked with another log until now"


def mark_folder(settings: Settings, log: GameLog) -> None:
    """Store the history in the data folder, so that another database is noticed."""
    state = log.recorder.state()
    if IN_BROWSER or state is None or _marked_history(settings) is not None:
        return
    try:
        _mark(settings, state.history)
    except PermissionError:
        if settings.database_url is None:
            raise  # on PostgreSQL a command may run where the folder cannot be written


def _mark(settings: Settings, history: str) -> None:
    """Write the history's id and kind of store into the data folder."""
    if not IN_BROWSER:
        store = "sqlite" if settings.database_url is None else "postgresql"
        replace_file(
            settings.folder() / HISTORY_FILE, json.dumps({"history": history, "store": store}).encode() + b"\n"
        )


def _marked(settings: Settings) -> dict[str, str]:
    """Read the history's id and kind of store from the data folder."""
    try:
        marked = json.loads((settings.data / HISTORY_FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return marked if isinstance(marked, dict) else {}


def _marked_history(settings: Settings) -> str | None:
    return _marked(settings).get("history")


def _marked_store(settings: Settings) -> str | None:
    return _marked(settings).get("store")


# --- accepting a loss ------------------------------------------------------------------------------------------------


def move_remains(settings: Settings) -> str:
    """Move what remains of a history without a log out of the way; return where it is, or ""."""
    stores = find_stores(settings)
    if stores.log or not (stores.kept or stores.remains):
        return ""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    if settings.database_url is not None:
        _rename_schemas(settings.database_url, stamp)
    aside = settings.data / f"{EARLIER}{stamp}"
    names = [HISTORY_FILE] if settings.database_url is not None else [path.name for path in settings.data.iterdir()]
    moved = [
        name for name in names if name not in STAY and not name.startswith(EARLIER) and (settings.data / name).exists()
    ]
    if moved:
        aside.mkdir(mode=0o700)
    for name in moved:
        os.rename(settings.data / name, aside / name)
    return str(aside) if settings.database_url is None else f"the schemas that end with earlier_{stamp}"


def _rename_schemas(url: str, stamp: str) -> None:
    from daybook.services.store import postgres

    with postgres.translate_outage(), postgres.connect(url) as connection, connection.transaction():
        found = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname ~ '^daybook_(kept|views_[0-9]+)$' ORDER BY 1"
        ).fetchall()
        for (schema,) in found:
            connection.execute(f'ALTER SCHEMA {schema} RENAME TO "{schema}_{EARLIER[:-1]}_{stamp}"')


# --- notes -----------------------------------------------------------------------------------------------------------


def take_note(log: GameLog, kept_tables: KeptTables) -> None:
    """Store the length of the log and the time, if either has changed."""
    newest, at = log.newest(), now()
    row = kept_tables.engine.row(sa.select(kept_history))
    if row is None or not _is_news(row, newest, at):
        return
    with kept_tables.engine.begin() as c:
        row = c.execute(sa.select(kept_history).with_for_update()).one()
        if not _is_news(row, newest, at):
            return
        if has_gone_back(row.clock, at):
            logger.error("the clock went back from %s to %s", row.clock, at)
            insert_once(c, kept_clock_step, {"noted_at": at, "before": row.clock, "after": at})
        notes, position = row.notes + 1, max(newest, row.log_position)
        c.execute(kept_history.update().values(log_position=position, notes=notes, clock=at))
    log.recorder.note_kept(notes)


def _is_news(row: AnyRow, newest: int, at: str) -> bool:
    """Check if the stored state of the log is outdated: it grew, the clock went back, or the note is old."""
    return newest > row.log_position or has_gone_back(row.clock, at) or at > later_time(row.clock, seconds=NOTE_SECONDS)


def has_gone_back(before: str, at: str) -> bool:
    """Check if the second time is earlier than the first, by more than clocks of several machines differ."""
    return later_time(at, seconds=CLOCK_SLACK_SECONDS) < before


def clock_steps(kept_tables: KeptTables) -> list[ClockStep]:
    """Return how often the clock went back in the last weeks, the last time first; also if it was not noted yet."""
    at = now()
    noted = kept_tables.engine.rows(sa.select(kept_clock_step).order_by(kept_clock_step.c.noted_at.desc()))
    since = datetime.fromisoformat(at) - STEPS_SHOWN
    steps = [ClockStep(row.before, row.after) for row in noted if datetime.fromisoformat(row.noted_at) > since]
    row = kept_tables.engine.row(sa.select(kept_history))
    if row is not None and has_gone_back(row.clock, at):
        steps.insert(0, ClockStep(row.clock, at))
    return steps
