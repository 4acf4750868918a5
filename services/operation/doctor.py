"""Check an installation, and name a remedy for each fault. Nothing is changed."""

from __future__ import annotations

import gettext
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import psycopg
import sqlalchemy as sa
from redis import Redis
from redis.exceptions import RedisError

from daybook.domain.games import NOT_LOADED, PACKAGES
from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.clock import later_time, now
from daybook.services.counted import counted
from daybook.services.files import receipt_keys
from daybook.services.following import projections
from daybook.services.league import results
from daybook.services.operation import backup_state, scrub, unnamed_proxy, upgrade
from daybook.services.operation.health import MAX_COMMIT_SILENCE_SECONDS, Pulse
from daybook.services.permissions import access
from daybook.services.queue_address import Sentinels, hosts_of, is_by_sentinels, read_sentinels, strip_credentials
from daybook.services.queue_client import connect_queue, connect_sentinel
from daybook.services.settings import BadSettingError, Settings
from daybook.services.store import history, migrations, postgres, read_models, secret, set_aside
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.compression import shipped_dictionaries
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.history import LostDataError
from daybook.services.store.kept import kept_apart, kept_appeal, kept_fork, kept_game, kept_grant, kept_photo
from daybook.services.store.log import NoLogError, NotDurableError, durability
from daybook.services.store.migrations import UnfitTablesError
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sqlite import connect, find_damage, has_wal_reset_bug, sqlite, weaknesses

CheckState = Literal["ok", "warn", "bad"]

FREE_BYTES_LEAST, FREE_BYTES_EASY = 200 * 2**20, 2 * 2**30
STANDBYS = """SELECT current_setting('synchronous_standby_names'),
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')),
    pg_has_role('pg_read_all_stats', 'USAGE')"""
REMOTE = ("nfs", "cifs", "smb", "9p", "afs", "fuse.sshfs", "fuse.rclone", "glusterfs", "ceph", "lustre", "vboxsf")
MAX_BACKUP_AGE = timedelta(hours=48)
CLOCK_SLACK = timedelta(minutes=2)
MAX_OPENING_SECONDS = 60  # within which an opened game is in the log
TABLES_OF_LOGGED_GAMES = (
    kept_grant,
    kept_photo,
    kept_fork,
    kept_appeal,
    kept_apart,
)  # only games in the log have rows here
RESTORE = "stop, and restore a backup with `daybook restore`: it has both as they were at one moment"
QUEUE_TIMEOUT_SECONDS = 3
MAX_FOLLOWER_SILENCE = timedelta(minutes=2)  # a running follower reports every few seconds
TRANSLATIONS = Path(__file__).resolve().parents[1] / "web" / "translations"


class CheckResult(Frozen):
    """One thing that was looked at. do: what to do about it; empty if nothing is needed."""

    state: CheckState
    about: str
    says: str
    do: str = ""


def run_checks(settings: Settings, thorough: bool = False) -> list[CheckResult]:
    """Run all checks; only the heartbeat is written.

    Args:
        thorough: verify every seal, too.
    """
    found = [
        *_check_sqlite(settings),
        *_check_folder(settings),
        *_check_space(settings),
        *_check_queue(settings),
        *_check_proxy(settings),
    ]
    if damaged := [*_check_databases(settings)]:
        return [*found, *damaged, *_not_loaded(), *_check_printed_sheets(), *_check_translations()]
    try:
        book = open_daybook(settings)
    except (NoLogError, NotDurableError) as wrong:
        found.append(CheckResult("bad", "log", str(wrong), "run `daybook init`, or start with `daybook serve`"))
    except UnfitTablesError as wrong:
        found.append(CheckResult("bad", "kept tables", wrong.says, wrong.do))
    except LostDataError as wrong:
        found.append(CheckResult("bad", "data", wrong.says, wrong.do))
    except (*UNAVAILABLE, psycopg.Error, sa.exc.SQLAlchemyError, sqlite.Error) as away:
        why = postgres.why_away(settings.database_url) if settings.database_url is not None else ""
        found.append(CheckResult("bad", "log", why or str(away).strip(), "start the database, or mend its address"))
    else:
        try:
            found += [finding for look in (*WITH_DATA, *([_check_seals] if thorough else [])) for finding in look(book)]
        finally:
            book.close()
    return [*found, *_not_loaded(), *_check_printed_sheets(), *_check_translations()]


# --- without the data ------------------------------------------------------------------------------------------------


def _check_sqlite(settings: Settings) -> Iterator[CheckResult]:
    if settings.database_url is not None:
        return
    if has_wal_reset_bug(sqlite.sqlite_version_info):
        yield CheckResult(
            "bad",
            "SQLite",
            f"{sqlite.sqlite_version} may corrupt its write-ahead log",
            "install pysqlite3 0.6.1 or newer, or a Python with SQLite 3.51.3 or newer",
        )
    else:
        yield CheckResult("ok", "SQLite", sqlite.sqlite_version)


def _check_folder(settings: Settings) -> Iterator[CheckResult]:
    folder = settings.data
    if not folder.is_dir():
        yield CheckResult(
            "bad" if settings.database_url is None else "warn",
            "data folder",
            f"{folder} is not there",
            "run `daybook init`, or name another with --data; the first start makes it",
        )
        return
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.fsync(file.fileno())
    except OSError as wrong:
        yield CheckResult(
            "bad",
            "data folder",
            f"{folder} cannot be written: {wrong.strerror}",
            "make it this user's own, or name another with --data",
        )
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield CheckResult("warn", "data folder", f"others may enter {folder}", f"chmod 700 {folder}")
    kind = file_system_type(folder)
    if kind.startswith(REMOTE):
        state: CheckState = "bad" if settings.database_url is None else "warn"
        yield CheckResult(
            state,
            "file system",
            f"{folder} is on {kind}, where SQLite and sockets are not reliable",
            "use a folder on a local disk, or PostgreSQL and a Redis by their addresses",
        )
    else:
        yield CheckResult("ok", "data folder", f"{folder} on {kind or 'a local disk'}")


def file_system_type(folder: Path) -> str:
    """Return the type of a folder's file system; "" if unknown."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return ""
    resolved, best, kind = folder.resolve(), Path("/"), ""
    for line in mounts.read_text(errors="replace").splitlines():
        _, point, type_, *_ = line.split(" ")
        at = Path(point.replace("\\040", " "))
        if resolved.is_relative_to(at) and at.is_relative_to(best):
            best, kind = at, type_
    return kind


def _check_space(settings: Settings) -> Iterator[CheckResult]:
    folder = next(path for path in (settings.data, *settings.data.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    says = f"{free // 2**20:,} MiB free"
    if free < FREE_BYTES_LEAST:
        yield CheckResult("bad", "disk", says, "free some space: a full disk stops recording")
    elif free < FREE_BYTES_EASY:
        yield CheckResult("warn", "disk", says, "free some space before long")
    else:
        yield CheckResult("ok", "disk", says)


def _check_proxy(settings: Settings) -> Iterator[CheckResult]:
    if unnamed_proxy.is_unnamed(settings):
        yield CheckResult("warn", "proxy", unnamed_proxy.SEEN, unnamed_proxy.DO)


def _check_databases(settings: Settings) -> Iterator[CheckResult]:
    """Check that each data file is an intact database; the remaining checks need that."""
    if settings.database_url is not None:
        return
    views = settings.database_file("views")
    for file, about, do in (
        (settings.database_file("log"), "log", RESTORE),
        (settings.database_file("kept"), "kept tables", RESTORE),
        (views, "read models", f"stop Daybook, remove {views}, and start it again: they are rebuilt"),
    ):
        if why := find_damage(file):
            yield CheckResult("bad", about, f"{file} is damaged: {why}", do)


def _check_queue(settings: Settings) -> Iterator[CheckResult]:
    if is_by_sentinels(settings.queue_url):
        yield from _check_sentinels(read_sentinels(settings.queue_url))
    with connect_queue(settings.queue_url, QUEUE_TIMEOUT_SECONDS) as queue:
        try:
            info: Any = queue.info("server")
        except RedisError as away:
            state: CheckState = "bad" if settings.redis_url else "warn"
            yield CheckResult(
                state,
                "queue",
                f"no server answers: {away}",
                "start it; recording continues meanwhile, and scores follow"
                if settings.redis_url
                else "it is started by `daybook serve`; recording does not need it",
            )
            return
        version = info.get("valkey_version") or info.get("redis_version")
        yield CheckResult("ok", "queue", f"a server of version {version} answers")
        try:
            kept: Any = queue.config_get("appendonly", "maxmemory-policy")
        except RedisError:
            yield CheckResult(
                "warn",
                "queue",
                "the server does not tell its settings",
                "see that it keeps an append-only file and evicts nothing",
            )
            return
        yield from _check_queue_access(settings, queue)
    if kept.get("appendonly") != "yes":
        yield CheckResult(
            "warn",
            "queue",
            "it keeps no append-only file: jobs are lost when it ends, and laid again",
            "set appendonly yes",
        )
    if kept.get("maxmemory-policy") != "noeviction":
        yield CheckResult(
            "bad",
            "queue",
            f"maxmemory-policy is {kept.get('maxmemory-policy')}: it may drop jobs",
            "set maxmemory-policy noeviction",
        )


def _check_sentinels(at: Sentinels) -> Iterator[CheckResult]:
    """Check that the sentinels answer and that a failover is possible."""
    knowing: list[Any] = []
    for host, port in at.hosts:
        says, do = "", "start it, or mend the addresses in DAYBOOK_REDIS_URL"
        try:
            with connect_sentinel(at, host, port, QUEUE_TIMEOUT_SECONDS) as sentinel:
                masters: Any = sentinel.sentinel_masters()
        except RedisError as away:
            says = f"does not answer: {away}"
        else:
            if at.name in masters:
                knowing.append(masters[at.name])
                continue
            says, do = f"knows no {at.name!r}", "have it watch that server (sentinel monitor), or mend the name"
        yield CheckResult("warn", "sentinels", f"the sentinel {host}:{port} {says}", do)
    if not knowing:
        return
    if len(knowing) <= len(at.hosts) // 2 or len(knowing) < knowing[0]["quorum"]:
        yield CheckResult("bad", "sentinels", "too few know the queue's server to choose another", "start the others")
    elif all(master["num-slaves"] == 0 for master in knowing):
        yield CheckResult(
            "warn", "sentinels", "the queue's server has no replica: nothing takes over from it", "start a replica"
        )
    else:
        yield CheckResult("ok", "sentinels", f"{len(knowing)} of {len(at.hosts)} know the queue's server")


def _check_queue_access(settings: Settings, queue: Redis) -> Iterator[CheckResult]:
    """Check that other hosts need a password for the queue: its writers control our workers."""
    hosts = hosts_of(settings.queue_url)
    if not hosts or not _accepts_without_password(settings.queue_url):
        return
    config: Any = queue.config_get("bind", "protected-mode")
    bound = config["bind"].replace("-", "").split()
    listens = config["protected-mode"] == "no" and not (bound and all(map(_is_local, bound)))
    if all(map(_is_local, hosts)) and not listens:
        return
    yield CheckResult(
        "warn",
        "queue",
        "it needs no password, and other hosts reach it: they can read and empty it",
        "set requirepass, give the password in DAYBOOK_REDIS_URL (redis://:password@host), "
        "and let only our hosts reach its port",
    )


def _accepts_without_password(url: str) -> bool:
    with connect_queue(strip_credentials(url), QUEUE_TIMEOUT_SECONDS) as nobody:
        try:
            return bool(nobody.ping())
        except RedisError:
            return False


def _is_local(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


# --- with the data ---------------------------------------------------------------------------------------------------


def _check_durability(book: Daybook) -> Iterator[CheckResult]:
    lacking = durability(book.log)
    if not lacking:
        entries = counted(book.log.newest(), "entry", "entries")
        yield CheckResult("ok", "log", f"{entries} written; every commit is flushed")
    for says in lacking:
        yield CheckResult("bad", "log", says, "until then a power cut may cost what was acknowledged")


def _check_dictionaries(book: Daybook) -> Iterator[CheckResult]:
    """Check that the log has the dictionaries that its entries need, as shipped."""
    recorder, shipped = book.log.recorder, shipped_dictionaries()
    in_log = {*recorder.dictionary_numbers()}
    lacking = sorted(shipped.keys() - in_log)
    wrong = [number for number in sorted(shipped.keys() & in_log) if recorder.dictionary(number) != shipped[number]]
    if lacking:
        yield CheckResult(
            "bad", "dictionaries", f"the log lacks {_join_numbers(lacking)}", "run `daybook init`, which adds them"
        )
    if wrong:
        yield CheckResult(
            "bad",
            "dictionaries",
            f"{_join_numbers(wrong)} in the log: not what came with Daybook, which reads with its own meanwhile",
            "install Daybook again, or else restore the log from a backup",
        )
    if not lacking and not wrong:
        newer = sorted(in_log - shipped.keys())
        says = f", {_join_numbers(newer)} of a newer Daybook" if newer else ""
        yield CheckResult("ok", "dictionaries", f"{len(in_log)}, as they came{says}")


def _join_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _check_standby(book: Daybook) -> Iterator[CheckResult]:
    """Check that a standby database has all acknowledged entries."""
    url = book.settings.database_url
    if url is None or not postgres.has_several_hosts(url):
        return
    with postgres.connect(url) as connection:
        names, there, may_see = connection.execute(STANDBYS).fetchone() or ("", 0, True)
    if not names:
        yield CheckResult(
            "bad",
            "standby",
            "no standby has to have what is acknowledged (synchronous_standby_names is empty): what was recorded last "
            "is lost with the primary, and an old primary that wakes acknowledges on",
            "set synchronous_standby_names on both hosts; docs/deploy says how",
        )
    elif not there and not may_see:
        yield CheckResult(
            "warn",
            "standby",
            "the database does not show standbys to Daybook's role",
            "GRANT pg_read_all_stats to the role of DAYBOOK_DATABASE_URL",
        )
    elif not there:
        yield CheckResult(
            "bad", "standby", "the standby is away: nothing can be recorded", "start it, or look at its log"
        )
    else:
        yield CheckResult("ok", "standby", "has what is acknowledged")


def _check_kept_tables(book: Daybook) -> Iterator[CheckResult]:
    lacking: list[str] = []
    if book.settings.database_url is None:
        with book.kept.engine.connect() as connection:
            lacking = weaknesses(connection.connection.driver_connection)
    if not lacking:
        yield CheckResult("ok", "kept tables", f"of version {migrations.newest_version()}; every commit is flushed")
    for says in lacking:
        yield CheckResult("bad", "kept tables", says, "until then a power cut may cost names and links")
    if others := upgrade.kept_for_older_versions(book):
        yield CheckResult(
            "ok",
            "upgrade",
            f"for parts of another version there are still {', '.join(others)}",
            "once none runs any more: `daybook init --finish`",
        )
    for copy in migrations.list_copies(book.kept.engine):
        yield CheckResult(
            "ok",
            "kept tables",
            f"{copy} has them as they were before they got a newer version",
            "remove it when all is well; docs/backup.md says how",
        )


def _check_games(book: Daybook) -> Iterator[CheckResult]:
    """Check that the log and the kept tables have the same games; copies of two moments do not."""
    with book.kept.engine.connect() as connection:
        named = {row.id: row.created_at for row in connection.execute(sa.select(kept_game))}
        given = {
            game_id
            for table in TABLES_OF_LOGGED_GAMES
            for game_id in connection.scalars(sa.select(table.c.game).distinct())
        }
        given -= {*connection.scalars(sa.select(kept_grant.c.game).where(kept_grant.c.revoked_at == access.RESERVED))}
    have = set(book.log.game_ids())  # read after the kept tables, which name a game before it is opened
    lost, nameless = named.keys() - have, have - named.keys()
    lost -= {game_id for game_id in lost - given if later_time(named[game_id], seconds=MAX_OPENING_SECONDS) > now()}
    if lost & given:
        yield CheckResult(
            "bad",
            "games",
            f"{_list_of_ids(lost & given)} with a title and links and no record: the log is "
            "not the one that belongs to these kept tables",
            RESTORE,
        )
    if lost - given:
        yield CheckResult(
            "warn",
            "games",
            f"{_list_of_ids(lost - given)} with a title and no record: opening them broke "
            "off, or the log is not the one that belongs to these kept tables",
            f"if games that were played are missing: {RESTORE}",
        )
    if nameless:
        yield CheckResult(
            "bad",
            "games",
            f"{_list_of_ids(nameless)} with a record and no title: the kept tables are not "
            "those that belong to this log",
            RESTORE,
        )
    if not (lost or nameless):
        yield CheckResult("ok", "games", "every one that has a title has its record")


def _list_of_ids(ids: Collection[UUID]) -> str:
    return f"{counted(len(ids), 'game')} (such as {min(ids)})"


def _check_secret(book: Daybook) -> Iterator[CheckResult]:
    try:
        if secret.has_secret(book):
            yield CheckResult("ok", "secret", "there, this user's own, and the one that links were signed with")
    except BadSettingError as wrong:
        yield CheckResult("bad", "secret", str(wrong), "links and cookies cannot be signed until this is corrected")


def _check_receipt_key(book: Daybook) -> Iterator[CheckResult]:
    """Check the receipt key, if there is one yet."""
    published = receipt_keys.published_keys(book)
    current = [key_row for key_row in published if key_row.until is None]
    try:
        key = receipt_keys.find_signing_key(book)
    except receipt_keys.BadSigningKeyError as wrong:
        yield CheckResult("bad", "receipt key", str(wrong), "no receipts can be issued until this is corrected")
        return
    if len(current) > 1:
        yield CheckResult(
            "warn",
            "receipt key",
            f"receipts are signed with {len(current)} keys, all of them published",
            "put one file on all web hosts (DAYBOOK_RECEIPT_KEY_FILE), then run `daybook new-receipt-key`",
        )
    elif key is not None:
        public = receipt_keys.public_half(key)
        earlier = counted(len(published) - len(current), "earlier one is", "earlier ones are")
        yield CheckResult("ok", "receipt key", f"signs as {public[:16]}..., {earlier} published")


def _check_clock(book: Daybook) -> Iterator[CheckResult]:
    here = datetime.fromisoformat(now())
    newest = book.log.newest()
    try:
        last = [entry.event.at for _, entry in book.log.since(max(newest - 1, 0), 1)]
    except InvalidLineError:  # reported below, with everything that is set aside
        last = []
    if here.year < 2025:
        yield CheckResult("bad", "clock", f"it is {here:%Y-%m-%d} here", "set the machine's clock")
    elif last and datetime.fromisoformat(last[0]) > here + CLOCK_SLACK:
        yield CheckResult(
            "warn",
            "clock",
            f"the newest entry was written at {last[0]}, which is still to come",
            "set the clocks of all machines by the network; order in a record does not depend on them",
        )
    else:
        yield CheckResult("ok", "clock", f"it is {here.astimezone(UTC):%Y-%m-%d %H:%M} UTC")
    if book.settings.database_url is not None:
        with postgres.connect(book.settings.database_url) as connection:
            row = connection.execute("SELECT now()").fetchone()
        assert row is not None
        if abs(row[0] - datetime.now(UTC)) > CLOCK_SLACK:
            yield CheckResult(
                "warn",
                "clock",
                f"PostgreSQL's machine has {row[0]:%Y-%m-%d %H:%M:%S %Z}",
                "set the clocks of all machines by the network",
            )


def _check_read_models(book: Daybook) -> Iterator[CheckResult]:
    try:
        projections.require_schema(book)
    except projections.OtherSchemaError as other:
        yield CheckResult("bad", "read models", str(other), "run `daybook rebuild`, or `daybook serve`")
        return
    newest = book.log.newest()
    for name in (projections.GAMES, projections.SCORES, results.RESULTS):
        behind = newest - read_models.position_of(book.views, name)
        if behind:
            yield CheckResult(
                "warn",
                f"projection {name}",
                f"{counted(behind, 'position')} of the log behind",
                "a follower takes them in: see that `daybook follow` runs",
            )
        else:
            yield CheckResult("ok", f"projection {name}", f"at position {newest}, the newest")
    for health in read_models.projection_health(book.views):
        yield from _projection_health(health)
    for aside in set_aside.select_all(book.views):
        yield CheckResult(
            "bad",
            "set aside",
            f"{aside.id}, at position {aside.position} of the log: {aside.says}",
            "its record is kept as it is, and all others go on: install the version that wrote it, or "
            "restore it from a backup; then start again, or run `daybook rebuild`",
        )


def _projection_health(health: read_models.Health) -> Iterator[CheckResult]:
    about = f"follower {health.projection}"
    silent = datetime.fromisoformat(now()) - datetime.fromisoformat(health.beat_at)
    if health.state in ("failing", "stopped"):
        yield CheckResult("bad", about, f"{health.state}: {health.message}", "the log of `daybook follow` says more")
    elif silent > MAX_FOLLOWER_SILENCE:
        yield CheckResult(
            "warn", about, f"last heard of at {health.beat_at}", "start `daybook follow` or `daybook serve`"
        )
    elif health.state == "waiting":
        yield CheckResult("warn", about, f"waiting: {health.message}", "start what it waits for")
    else:
        yield CheckResult("ok", about, "running")


def _check_seals(book: Daybook) -> Iterator[CheckResult]:
    """Check every seal, and on SQLite the structure of the files."""
    if book.settings.database_url is None:
        for name in ("log", "kept"):
            file = book.settings.database_file(name)
            with closing(connect(file, "NORMAL")) as connection:
                wrong = [row[0] for row in connection.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
            if wrong:
                yield CheckResult("bad", "files", f"{file} is damaged: {'; '.join(wrong)}", RESTORE)
    records = damaged = 0
    for record_id, check in scrub.check_all_records(book):
        records += 1
        if not check.intact:
            damaged += 1
            yield CheckResult(
                "bad", "seals", f"{record_id} is damaged at step {check.broken_at}: {check.message}", RESTORE
            )
    if not damaged:
        yield CheckResult("ok", "seals", f"every seal of {counted(records, 'game or club', 'games and clubs')} holds")


def _clock_steps(book: Daybook) -> Iterator[CheckResult]:
    """Check if the clock went back: times of records after that are earlier than those before."""
    for step in history.clock_steps(book.kept):
        back = datetime.fromisoformat(step.before) - datetime.fromisoformat(step.after)
        days = round(back / timedelta(days=1))
        by = counted(days, "day") if days else counted(max(round(back.total_seconds() / 60), 1), "minute")
        yield CheckResult(
            "warn",
            "clock",
            f"it went back {by}, from {step.before} to {step.after}: times recorded around then are in doubt",
            "set the machine's clock by the network; order in a record does not depend on it",
        )


def _check_parts(book: Daybook) -> Iterator[CheckResult]:
    """Check that a commit is acknowledged, and that every part does its job; as health and metrics see it."""
    reachability = Pulse(book).check_reachability()
    for complaint in reachability.complaints():
        if not complaint.about.startswith(("follower", "silent")):  # told above, and none where Daybook does not run
            yield CheckResult("bad", complaint.about, complaint.says, complaint.do)
    if reachability.unanswered:
        if reachability.unanswered <= MAX_COMMIT_SILENCE_SECONDS:
            yield CheckResult(
                "bad", "recording", "a commit was not acknowledged", "try again; look at the disk and the database"
            )
    else:
        yield CheckResult("ok", "recording", "a commit is acknowledged")
    if failed := sum(reachability.queue.failed.values()):
        yield CheckResult(
            "warn", "jobs", f"{counted(failed, 'job')} failed at every try", "the log of `daybook work` says why"
        )


def _check_published_sheets(book: Daybook) -> Iterator[CheckResult]:
    for ruleset_id in PACKAGES:
        for sheet in book.sheets.list(ruleset_id, also_withheld=True):
            if book.sheets.get(ruleset_id, sheet.hash).digest() != sheet.hash:
                yield CheckResult(
                    "bad",
                    f"sheet {sheet.name}",
                    "its numbers are not those its hash names",
                    "restore the kept tables from a backup",
                )


def _check_backups(book: Daybook) -> Iterator[CheckResult]:
    settings = book.settings
    if settings.database_url is not None:
        yield CheckResult("ok", "backups", "PostgreSQL is backed up by its own programs: docs/backup.md")
        return
    if not settings.automatic_backups:
        yield CheckResult(
            "warn", "backups", "automatic backups are switched off", "create them yourself: docs/backup.md"
        )
        return
    found = backup_state.summarise(settings)
    if found.state.error:
        yield CheckResult(
            "bad",
            "backups",
            f"the last one failed: {found.state.error}",
            "correct that; the next try is within an hour",
        )
    if found.state.copy_error:
        yield CheckResult(
            "bad", "backup copies", found.state.copy_error, "correct the command in DAYBOOK_BACKUP_COMMAND"
        )
    if found.age_seconds is None:
        yield CheckResult(
            "warn", "backups", "there is none yet", "start `daybook serve`: it creates the first one within minutes"
        )
    else:
        is_old = found.age_seconds > MAX_BACKUP_AGE.total_seconds()
        says = f"the newest of {counted(found.count, 'backup')} is {found.age_seconds / 3600:.0f} hours old ({found.bytes // 10**6:,} MB in {found.folder})"
        yield CheckResult(
            "bad" if is_old else "ok", "backups", says, "start `daybook serve`, and look at its log" if is_old else ""
        )
    if found.shares_disk and settings.backup_command is None:
        yield CheckResult("warn", "backups", backup_state.SAME_DISK, backup_state.SAME_DISK_REMEDY)


WITH_DATA: tuple[Callable[[Daybook], Iterator[CheckResult]], ...] = (
    _check_durability,
    _check_dictionaries,
    _check_standby,
    _check_kept_tables,
    _check_secret,
    _check_receipt_key,
    _check_games,
    _check_clock,
    _clock_steps,
    _check_read_models,
    _check_parts,
    _check_published_sheets,
    _check_backups,
)


# --- what comes with Daybook -----------------------------------------------------------------------------------------


def _not_loaded() -> Iterator[CheckResult]:
    for game in NOT_LOADED:
        yield CheckResult(
            "bad", f"game {game.id}", str(game), "renew that package, or remove it; all other games go on"
        )


def _check_printed_sheets() -> Iterator[CheckResult]:
    for ruleset_id, game in PACKAGES.items():
        ruleset = game.ruleset
        try:
            sheet = printed_sheet(ruleset_id)
            ruleset.opening_board(ruleset.table(ruleset.colours(sheet)[: ruleset.seats[0]], {}, sheet))
        except (OSError, ImportError, IllegalDecision, *CANNOT_GO_ON) as wrong:
            yield CheckResult(
                "bad",
                f"sheet of {ruleset_id}",
                f"{type(wrong).__name__}: {wrong}",
                f"install the package of {game.package} again",
            )
        else:
            yield CheckResult("ok", f"sheet of {ruleset_id}", f"{len(sheet.numbers)} numbers, {sheet.digest()[:12]}")


def _check_translations() -> Iterator[CheckResult]:
    sources = sorted(TRANSLATIONS.rglob("*.po"))
    lacking = [source for source in sources if not _is_compiled(source.with_suffix(".mo"))]
    for source in lacking:
        yield CheckResult(
            "bad",
            "translations",
            f"{source.relative_to(TRANSLATIONS)} is not compiled",
            f"{Path(sys.executable).parent / 'pybabel'} compile -d {TRANSLATIONS}",
        )
    if sources and not lacking:
        yield CheckResult("ok", "translations", ", ".join(source.parts[-3] for source in sources))


def _is_compiled(catalogue: Path) -> bool:
    try:
        with catalogue.open("rb") as file:
            return bool(gettext.GNUTranslations(file).info())
    except (OSError, UnicodeDecodeError):
        return False
