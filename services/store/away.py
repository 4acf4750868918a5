"""What is raised while something that is needed cannot be reached: a database, the queue, a disk that takes nothing."""

from __future__ import annotations

import eventsourcing.persistence as log_errors
import sqlalchemy as sa

from daybook.services.store.disk import CannotWrite
from daybook.services.store.log import OutOfOrder


class Away(Exception):
    """Something that is needed cannot be reached now; the message says what."""


class BucketAway(Exception):
    """The bucket that photos lie in cannot be asked now, and nothing was written; the message says what it does.

    do: what whoever runs Daybook does about it.
    """

    do = "start what is away, or mend DAYBOOK_PHOTOS_URL or the key that asks (AWS_ACCESS_KEY_ID)"


class NotOurBucket(BucketAway):
    """The bucket's prefix is another Daybook's: nothing is removed there."""

    do = (
        "give this Daybook a prefix of its own in DAYBOOK_PHOTOS_URL; if the other one is gone for good, "
        "`daybook photos take-over` makes the bucket this one's"
    )


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
