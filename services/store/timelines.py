"""The newest timeline of PostgreSQL that any part of a Daybook has met, so that no part uses a former primary.

PostgreSQL begins a new timeline, with the next number, each time a standby is promoted. A primary on an older timeline
than one that a part has met is a former primary: it may accept writes, but they will be lost.

The newest timeline of each database system is stored in the data folder and in the queue's database. Every part reads
both when it starts and every second after that, and repairs what is missing there. No clock is compared.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any, NamedTuple

from daybook.services.atomic_files import replace_file
from daybook.services.settings import PREFIX, Settings

TIMELINES_FILE = "timelines.json"
TIMELINES_KEY = "daybook:timelines"  # a hash at the queue's server: the mark of each database system
QUEUE_SECONDS = 1.0  # for the queue to answer
WITNESS_SECONDS = 5.0  # after its start a part waits no longer for a second witness
WATCH_SECONDS = 1.0  # between two looks whether another host was promoted
VARIABLE = PREFIX + "ALLOW_UNCONFIRMED_PRIMARY"

logger = logging.getLogger(__name__)


class Server(NamedTuple):
    """A database server. system: the id that a primary shares with its standbys; "" if the server does not tell it."""

    system: str
    timeline: int
    is_primary: bool


class Mark(NamedTuple):
    """The newest timeline that a part has seen. resets: how often an operator accepted an older one."""

    resets: int
    timeline: int


Marks = dict[str, Mark]


@dataclass
class Guard:
    """The knowledge of this process about the servers behind an address, shared by its threads.

    confirmed: a second witness has answered since all hosts were last away. refusal: why no session is used now.
    """

    settings: Settings | None = None  # None: nothing is stored, and no second witness is needed
    marks: Marks = field(default_factory=dict)
    confirmed: bool = False
    refusal: str = ""
    _began: float = 0.0
    _is_loaded: bool = False
    _lock: Lock = field(default_factory=Lock)
    _thread: Thread | None = None

    # --- comparing servers ---

    def meet(self, server: Server) -> None:
        """Remember the timeline of a server, and store it if it is the newest."""
        if self._is_news(server):
            self._store()

    def confirm(self, server: Server) -> None:
        """Note that a server is the newest primary as far as any witness knows."""
        is_news = self._is_news(server)
        if is_news or not self.confirmed:
            self.confirmed = True
            self._store()

    def _is_news(self, server: Server) -> bool:
        if not server.system or not server.timeline:
            return False
        with self._lock:
            known = self.marks.get(server.system, Mark(0, 0))
            if server.timeline <= known.timeline:
                return False
            self.marks[server.system] = Mark(known.resets, server.timeline)
            return True

    def is_former(self, server: Server) -> bool:
        return server.timeline < self.newest_of(server)

    def newest_of(self, server: Server) -> int:
        return self.marks.get(server.system, Mark(0, 0)).timeline

    def accept(self, server: Server) -> None:
        """Have the timeline of a server count as the newest, on the operator's word."""
        self.load()
        with self._lock:
            known = self.marks.get(server.system, Mark(0, 0))
            self.marks[server.system] = Mark(known.resets + 1, server.timeline)
        self.confirmed = True
        self._store()

    def refuse(self, why: str) -> None:
        """Log why no session is used, once for each reason."""
        if why != self.refusal:
            logger.error("nothing is written: %s", why)
        self.refusal = why

    # --- the second witness ---

    def use(self, settings: Settings) -> None:
        """Have the timelines stored where these settings say, and a second witness asked as they say."""
        before, self.settings = self.settings, settings
        if before is None or _what_matters(before) != _what_matters(settings):
            self._is_loaded = self.confirmed = False

    def begin(self) -> None:
        """Load what is stored before the first session."""
        if not self._is_loaded:
            self._is_loaded, self._began = True, time.monotonic()
            self.load()

    def may_wait(self) -> bool:
        """Check if a part that has just started still waits for a second witness."""
        return time.monotonic() < self._began + WITNESS_SECONDS

    def has_witness(self, server: Server, servers: Iterable[Server]) -> bool:
        """Check if something besides the server itself says that its timeline is the newest.

        A server that is reached by two names is no second witness, and neither is a queue in this data folder or one
        that has no timeline of this system.
        """
        if self.settings is None or self.settings.allow_unconfirmed_primary:
            return True
        if any(other.system == server.system and other != server for other in servers):
            return True
        return self.settings.redis_url is not None and server.system in self._exchange_with_queue()

    # --- where it is stored ---

    def load(self) -> None:
        """Merge what the data folder and the queue have with what this process knows, and repair them."""
        self._merge(self._read_disk())
        self._store()

    def _store(self) -> None:
        """Store the marks in the queue's database and on disk."""
        self._exchange_with_queue()
        self._store_on_disk()

    def _merge(self, marks: Marks) -> None:
        """Keep the newest mark of each database system."""
        with self._lock:
            for system, mark in marks.items():
                self.marks[system] = max(mark, self.marks.get(system, mark))

    def _read_disk(self) -> Marks:
        if self.settings is None:
            return {}
        try:
            stored = json.loads((self.settings.data / TIMELINES_FILE).read_bytes())
            return {system: Mark(*map(int, mark)) for system, mark in stored.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as wrong:
            logger.warning("%s cannot be read: %s", self.settings.data / TIMELINES_FILE, wrong)
            return {}

    def _store_on_disk(self) -> None:
        if self.settings is None or not self.settings.data.is_dir():
            return
        stored = self._read_disk()
        self._merge(stored)
        if stored != self.marks:
            try:
                replace_file(
                    self.settings.data / TIMELINES_FILE, json.dumps(self.marks, sort_keys=True).encode() + b"\n"
                )
            except OSError as wrong:  # a command may run where the folder cannot be written
                logger.warning("the newest timeline cannot be stored in %s: %s", self.settings.data, wrong)

    def _exchange_with_queue(self) -> Marks:
        """Return the marks that the queue had; {} if it does not answer. Merge them, and store there what is newer.

        A part without a second witness stores nothing: it would take its own word for one.
        """
        if self.settings is None:
            return {}
        from redis.exceptions import RedisError  # takes long, and SQLite needs none of it

        from daybook.services.queue_client import connect_queue_once

        try:
            with connect_queue_once(self.settings.queue_url, QUEUE_SECONDS) as queue:
                found = _read_hash(queue.hgetall(TIMELINES_KEY))
                self._merge(found)
                if self.confirmed and found | self.marks != found:
                    queue.transaction(self._raise_in_queue, TIMELINES_KEY)
                return found
        except (RedisError, OSError):
            return {}

    def _raise_in_queue(self, pipe: Any) -> None:
        found = _read_hash(pipe.hgetall(TIMELINES_KEY))
        self._merge(found)
        pipe.multi()
        for system, mark in self.marks.copy().items():
            if mark != found.get(system):
                pipe.hset(TIMELINES_KEY, system, f"{mark.resets}:{mark.timeline}")

    # --- while the part runs ---

    def watch(self, ask_hosts: Callable[[], Iterable[Server]]) -> None:
        """Look every second for a newer timeline, in a thread of this process."""
        with self._lock:
            if self.settings is None or self._thread is not None:
                return
            self._thread = Thread(target=self._watch, args=[ask_hosts], name="timelines", daemon=True)
            self._thread.start()

    def _watch(self, ask_hosts: Callable[[], Iterable[Server]]) -> None:
        while True:
            time.sleep(WATCH_SECONDS)
            try:
                self.load()
                for server in ask_hosts():
                    self.meet(server)
            except Exception:  # a watch that ends would go unnoticed
                logger.exception("the timelines of the database hosts cannot be compared")

    def forget_threads(self) -> None:
        """Have a forked process begin its own."""
        self._lock, self._thread = Lock(), None


def _what_matters(settings: Settings) -> tuple[object, ...]:
    return settings.data, settings.queue_url, settings.allow_unconfirmed_primary


def _read_hash(stored: Any) -> Marks:
    marks: Marks = {}
    for system, mark in stored.items():
        resets, _, timeline = mark.decode().partition(":")
        if resets.isdecimal() and timeline.isdecimal():
            marks[system.decode()] = Mark(int(resets), int(timeline))
    return marks


_guards: dict[object, Guard] = {}


def guard_of(hosts: object) -> Guard:
    """Return the guard of the servers behind an address."""
    return _guards.setdefault(hosts, Guard())


def _forget_threads() -> None:
    for guard in _guards.values():
        guard.forget_threads()


os.register_at_fork(after_in_child=_forget_threads)
