"""A lock between processes of several hosts, by an advisory lock of PostgreSQL."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import psycopg

from daybook.services.store import postgres
from daybook.services.store.away import UnavailableError


@dataclass(slots=True)
class AdvisoryLock:
    """A `locks.ProcessLock` by an advisory lock, which its own connection holds."""

    url: str
    key: int
    connection: postgres.Session | None = None

    def take(self) -> bool:
        """Try to get the advisory lock without waiting; return False if another process has it."""
        with postgres.translate_outage():
            if self.connection is None or self.connection.closed:
                self.connection = postgres.connect(self.url)
            self.connection.require_newest()
            row = self.connection.execute("SELECT pg_try_advisory_lock(%s)", [self.key]).fetchone()
        return row == (True,)

    def check(self) -> None:
        """Raise UnavailableError if the connection that holds the lock is lost."""
        if self.connection is None:
            raise UnavailableError("the connection that holds the turn has gone")
        with postgres.translate_outage():
            self.connection.require_newest()
            self.connection.execute("SELECT 1")

    def release(self) -> None:
        if self.connection is not None:
            with suppress(psycopg.OperationalError), self.connection:
                self.connection.execute("SELECT pg_advisory_unlock_all()")  # the server notices a closing only later
            self.connection = None
