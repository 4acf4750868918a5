"""Errors of a database, a queue or a disk that cannot be reached now: wait, and try again."""

from __future__ import annotations

import eventsourcing.persistence as log_errors
import sqlalchemy as sa

from daybook.services.store.disk import CannotWriteError
from daybook.services.store.log import OutOfOrderError


class UnavailableError(Exception):
    """A database, the queue or a disk cannot be reached now; the message says which."""


UNAVAILABLE: tuple[type[Exception], ...] = (
    UnavailableError,
    CannotWriteError,
    OutOfOrderError,
    sa.exc.OperationalError,
    sa.exc.InterfaceError,
    sa.exc.TimeoutError,
    log_errors.OperationalError,
    log_errors.InterfaceError,
    log_errors.ConnectionPoolClosedError,
)
