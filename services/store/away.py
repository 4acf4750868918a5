"""What is raised while something that is needed cannot be reached: a database, the queue, a disk that takes nothing."""

from __future__ import annotations

import eventsourcing.persistence as log_errors
import sqlalchemy as sa

from daybook.services.store.disk import CannotWrite
from daybook.services.store.log import OutOfOrder


class Away(Exception):
    """Something that is needed cannot be reached now; the message says what."""


AWAY: tuple[type[Exception], ...] = (
    Away,
    CannotWrite,
    OutOfOrder,
    sa.exc.OperationalError,
    sa.exc.InterfaceError,
    sa.exc.TimeoutError,
    log_errors.OperationalError,
    log_errors.InterfaceError,
    log_errors.ConnectionPoolClosedError,
)
