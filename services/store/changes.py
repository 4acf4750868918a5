"""Whether anybody has written to an SQLite file since: a question of microseconds, so that what was read need not be
read again.

Whoever remembers what a file holds asks before each use; a commit that was acknowledged anywhere, in whatever process,
is seen by every question that comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast
from uuid import UUID

from cachetools import LRUCache

from daybook.domain.league.club_events import TOPICS
from daybook.domain.tombstone import is_tombstone
from daybook.services.store.sqlite import connect

ANSWERS = 20_000  # remembered of one file
GAMES = 20_000  # of which the newest version is known
MANY = 1_000  # entries since the last look: then nothing is known, rather than all of them read

NO_GAME = UUID(int=0)
News = tuple[str, int, UUID, int, bytes]  # what heads a row, position, game or club, version, line
A = TypeVar("A")


class FileChanges:
    """Tells by a number whether an SQLite file has changed, on a connection of its own. Threads may share it.

    `PRAGMA data_version` takes two microseconds. It changes with every commit of any other connection.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lock = Lock()
        self._connection: Any = None

    @property
    def connection(self) -> Any:
        """Opened when it is first wanted: the file may not be there yet."""
        if self._connection is None:
            self._connection = connect(self.file, "NORMAL")
        return self._connection

    def version(self) -> int:
        """The number as it is now. Call it with the lock."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        with self.lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


class Remembered:
    """What was read from a database, remembered until anybody writes there. Threads may share it.

    changes: of its file; None: nothing tells of them, so everything is read whenever it is asked for.
    """

    def __init__(self, changes: FileChanges | None) -> None:
        self.changes = changes
        self._version = -1
        self._answers: LRUCache[Hashable, Any] = LRUCache(ANSWERS)

    def get(self, question: Hashable, read: Callable[[], A]) -> A:
        """The answer to a question, which `read` reads from the database. Do not change what is handed out."""
        if self.changes is None:
            return read()
        with self.changes.lock:
            version = self.changes.version()
            if version != self._version:
                self._answers.clear()
                self._version = version
            elif question in self._answers:
                return cast(A, self._answers[question])
        answer = read()  # perhaps newer than the version already: then the next question finds another one
        with self.changes.lock:
            if self._version == version:
                self._answers[question] = answer
        return answer

    def close(self) -> None:
        if self.changes is not None:
            self.changes.close()


class Heads:
    """The newest versions of games in an SQLite log, known without asking for each of them. Threads may share it.

    Once the file has changed, the entries that are new are looked at: they say which games have grown, and whether a
    club has.
    """

    def __init__(self, file: Path) -> None:
        self.changes = FileChanges(file)
        self._version = -1
        self._position: int | None = None  # every entry up to here has been looked at
        self._newest: LRUCache[str, int] = LRUCache(GAMES)
        self._clubs_at = 0  # no club has an entry after this position

    def lines_after(self, game_id: UUID, version: int, read: Callable[[], list[bytes]]) -> list[bytes]:
        """The lines of a game after a version; none, without reading them, if that is known to be the newest."""
        with self.changes.lock:
            self._look()
            if self._newest.get(game_id.hex) == version:
                return []
            looked = self._version
        lines = read()
        if not (lines and is_tombstone(lines[-1])):  # its version is not the next one
            self._note(game_id, version + len(lines), looked)
        return lines

    def news_after(self, game_id: UUID, version: int, position: int, read: Callable[[], list[News]]) -> list[News]:
        """The rows of a game after a version and those of clubs after a position, and one that holds the newest of all;
        that one alone, without reading, if it is known that there are no others."""
        with self.changes.lock:
            self._look()
            assert self._position is not None
            if self._clubs_at <= position and (game_id == NO_GAME or self._newest.get(game_id.hex) == version):
                return [("newest", self._position, NO_GAME, 0, b"")]
            looked = self._version
        rows = read()
        self._note(game_id, max((row[3] for row in rows if row[0] == "game"), default=version), looked)
        return rows

    def _note(self, game_id: UUID, version: int, looked: int) -> None:
        """A game was read up to its newest version. looked: as of when; whatever is written later, a look finds."""
        with self.changes.lock:
            if self._version == looked:
                self._newest[game_id.hex] = version

    def forget(self, game_id: UUID) -> None:
        """A game was removed."""
        with self.changes.lock:
            self._newest.pop(game_id.hex, None)

    def _look(self) -> None:
        version = self.changes.version()
        if version == self._version:
            return
        rows = [] if self._position is None else self._rows_after(self._position)
        if self._position is None or len(rows) == MANY:
            self._newest.clear()
            self._position = self._clubs_at = self._last_position()
        else:
            for position, game, newest, topic in rows:
                self._newest[game] = newest
                self._position = position
                if topic.startswith(TOPICS):
                    self._clubs_at = position
        self._version = version

    def _rows_after(self, position: int) -> list[tuple[int, str, int, str]]:
        return cast(
            list[tuple[int, str, int, str]],
            self.changes.connection.execute(
                "SELECT notification_id, originator_id, originator_version, topic FROM games_events"
                " WHERE notification_id > ? ORDER BY notification_id LIMIT ?",
                (position, MANY),
            ).fetchall(),
        )

    def _last_position(self) -> int:
        ((position,),) = self.changes.connection.execute(
            "SELECT coalesce(max(notification_id), 0) FROM games_events"
        ).fetchall()
        return int(position)

    def close(self) -> None:
        self.changes.close()
