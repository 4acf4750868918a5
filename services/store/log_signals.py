"""Signals inside one process: new entries in the log, and commits that wait for their acknowledgement."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Event

from eventsourcing.persistence import IntegrityError


class NewEntriesSignal:
    """Notify threads that wait for new entries."""

    def __init__(self) -> None:
        self.count = 0
        self.has_waiters = Event()
        self._condition = Condition()
        self._waiters = 0

    def notify(self) -> None:
        """Wake every waiting thread: the log has new entries, or may have."""
        with self._condition:
            self.count += 1
            self._condition.notify_all()

    def wait(self, count: int, timeout_seconds: float) -> None:
        """Wait until there were more than `count` notifications."""
        with self._condition:
            self._condition.wait_for(lambda: self.count > count, timeout_seconds)

    @contextmanager
    def registered_waiter(self) -> Iterator[None]:
        """Count the caller as a waiter inside the block."""
        self._change_waiters(1)
        try:
            yield
        finally:
            self._change_waiters(-1)

    def _change_waiters(self, change: int) -> None:
        with self._condition:
            self._waiters += change
            if self._waiters:
                self.has_waiters.set()
            else:
                self.has_waiters.clear()
                self._condition.notify_all()

    def wait_until_unused(self) -> None:
        """Wait until no thread waits."""
        with self._condition:
            self._condition.wait_for(lambda: not self._waiters)


class CommitWatch:
    """Measure how long commits of this process wait for their acknowledgement. Threads may share it."""

    def __init__(self) -> None:
        self._acknowledged_at = 0.0
        self._failing_since: float | None = None
        self._waiting = dict[object, float]()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the commit inside the block."""
        key, began = object(), time.monotonic()
        self._waiting[key] = began
        try:
            yield
        except IntegrityError:  # the database has answered
            raise
        except BaseException:
            self._failing_since = began if self._failing_since is None else self._failing_since
            raise
        else:
            self._acknowledged_at, self._failing_since = time.monotonic(), None
        finally:
            del self._waiting[key]

    def since_acknowledged(self) -> float:
        """Return the seconds since a commit was acknowledged."""
        return time.monotonic() - self._acknowledged_at

    def unanswered_seconds(self) -> float:
        """Return for how long no commit was acknowledged although there were attempts; 0 if all is well."""
        attempts = [*self._waiting.copy().values(), *([] if self._failing_since is None else [self._failing_since])]
        return time.monotonic() - max(min(attempts), self._acknowledged_at) if attempts else 0.0
