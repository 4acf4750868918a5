"""Positions of projections, by the eventsourcing library's tracking recorder."""

from __future__ import annotations

from uuid import uuid4

import sqlalchemy as sa
from eventsourcing.persistence import Tracking, TrackingRecorder

from daybook.services.store.away import UnavailableError
from daybook.services.store.database import StoreEngine, insert_missing
from daybook.services.store.read_models import position, position_of

APPLICATION = "games"  # `GameLog.name`: the only application that projections follow


class OvertakenError(Exception):
    """Another follower has moved this projection on: read its position again."""


class LockLostError(UnavailableError):
    """Another follower has taken over: nothing was written."""


class ProjectionTracking(TrackingRecorder):
    """The position of one projection, written in the transaction of its rows.

    The library's recorders have connections of their own, so they could not share a transaction with rows that SQLAlchemy
    writes. Beyond the library, a position moves only from the expected one, and only for the follower whose token it has.
    """

    def __init__(self, engine: StoreEngine, projection: str, token: str = "") -> None:
        self.engine = engine
        self.projection = projection
        self.token = token  # of `take_over`; empty: as long as no follower has taken over

    def max_tracking_id(self, application_name: str = APPLICATION) -> int | None:
        """Return the position; None before the first event."""
        return position_of(self.engine, self.projection) or None

    def insert_tracking(self, tracking: Tracking) -> None:
        """Move to a position in a transaction without rows. Raises LockLostError, OvertakenError."""
        start = self.max_tracking_id() or 0
        with self.engine.begin() as connection:
            self.advance(connection, start, tracking)

    def advance(self, connection: sa.Connection, start: int, tracking: Tracking) -> None:
        """Move from exactly `start` in the transaction of the rows. Raises LockLostError, OvertakenError."""
        if start == 0:
            self._insert_row(connection)
        moved = connection.execute(
            position.update()
            .where(self._is_own_row(), position.c.notification_id == start, position.c.turn == self.token)
            .values(notification_id=tracking.notification_id)
        )
        if moved.rowcount != 1:
            self._require_token(connection)
            raise OvertakenError(self.projection)

    def fence(self, connection: sa.Connection, start: int) -> None:
        """Check in a transaction that the projection is at `start` and ours; hold it until the end."""
        self.advance(connection, start, Tracking(APPLICATION, start))

    def take_over(self) -> str:
        """Write a new token next to the position and return it: older followers cannot move it from now on."""
        self.token = uuid4().hex
        with self.engine.begin() as connection:
            self._insert_row(connection)
            connection.execute(position.update().where(self._is_own_row()).values(turn=self.token))
        return self.token

    def require_token(self) -> None:
        """Raise LockLostError if another follower has taken over."""
        with self.engine.connect() as connection:
            self._require_token(connection)

    def _require_token(self, connection: sa.Connection) -> None:
        if connection.scalar(sa.select(position.c.turn).where(self._is_own_row())) not in (None, self.token):
            raise LockLostError(f"another process has taken over {self.projection}")

    def _insert_row(self, connection: sa.Connection) -> None:
        insert_missing(connection, position, [{"projection": self.projection, "notification_id": 0}])

    def _is_own_row(self) -> sa.ColumnElement[bool]:
        return position.c.projection == self.projection
