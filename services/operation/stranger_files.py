"""Files that visitors without an account bring in: marked, listed, refused while the disk is nearly full, and erased.

Only a Daybook that its operator declared public (DAYBOOK_PUBLIC) marks them. A game that went on here after it was
imported, or that a club entered, is a game recorded here: no timer erases it, and neither does the command for all.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now
from daybook.services.operation import erasing
from daybook.services.people import anonymise, photos
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_brought, kept_stranger_file
from daybook.services.store.log import AlreadyWrittenError, UnknownGameError, is_erasure
from daybook.services.store.sheets import kept_sheet
from daybook.services.store.stranger_marks import unmark_import

TIMER = "timer"  # author of automatic deletions
ERASED_PER_BATCH = 100

logger = logging.getLogger(__name__)


class StrangerFile(Frozen):
    """Data imported by a visitor without an account.

    Args:
        kind: game, photo or sheet.
        about: id of the game, game and hash of the photo, or hash of the sheet.
        went_on: the game was continued here, or a club entered it.
    """

    kind: str
    about: str
    game: UUID | None
    bytes: int
    client: str
    at: str
    went_on: bool = False


def iter_files(book: Daybook, before: str = "") -> Iterator[StrangerFile]:
    """Yield the marked data that is still here, oldest first.

    Args:
        before: only older data; empty for all.
    """
    query = sa.select(kept_stranger_file).order_by(kept_stranger_file.c.at, kept_stranger_file.c.about)
    if before:
        query = query.where(kept_stranger_file.c.at < before)
    for row in book.kept.engine.rows(query):
        file = StrangerFile(**row._mapping)
        if file.kind != "game":
            yield file
        elif (version := _newest_version(book, UUID(file.about))) is not None:
            went_on = not _is_only_brought(book, UUID(file.about), version)
            yield StrangerFile(**{**row._mapping, "went_on": went_on})


def _newest_version(book: Daybook, game_id: UUID) -> int | None:
    """Return the newest version of a game; None if it is erased or was never imported."""
    last = book.log.last_event(game_id)
    return None if last is None or is_erasure(last) else last.originator_version


def _is_only_brought(book: Daybook, game_id: UUID, version: int) -> bool:
    """Check if every step up to a version came in a file, and no club entered the game."""
    rows = book.kept.engine.rows(
        sa.select(kept_brought.c.first, kept_brought.c.last)
        .where(kept_brought.c.game == game_id)
        .order_by(kept_brought.c.first)
    )
    covered = -1
    for first, last in rows:
        if first > covered + 1:
            break
        covered = max(covered, last)
    book.clubs.catch_up()
    return covered >= version - 1 and not book.clubs.with_game(game_id)


def erase_before(
    book: Daybook, before: str, why: str, by: str = erasing.OPERATOR, limit: int | None = None
) -> list[StrangerFile]:
    """Erase strangers' data from before a time and return it. Games that were continued here stay."""
    erased: list[StrangerFile] = []
    for file in iter_files(book, before):
        if not file.went_on and _erase_one(book, file, why, by):
            erased.append(file)
        if limit is not None and len(erased) >= limit:
            break
    if erased:
        anonymise.clean_files(book)
    return erased


def _erase_one(book: Daybook, file: StrangerFile, why: str, by: str) -> bool:
    """Erase a file; False if the game went on meanwhile."""
    if file.kind == "game":
        game_id = UUID(file.about)
        version = _newest_version(book, game_id)
        if version is None or not _is_only_brought(book, game_id, version):
            return False
        try:
            entry = erasing.append_tombstone(book, game_id, why, by, last_version=version)
        except (AlreadyWrittenError, UnknownGameError):
            return False
        erasing.finish_erasure(book, [entry])
    elif file.kind == "photo" and file.game is not None:
        photos.remove_photo(book, file.game, file.about.rpartition("/")[2])
    else:
        book.kept.engine.write(kept_sheet.delete().where(kept_sheet.c.hash == file.about))
    with book.kept.engine.begin() as c:
        unmark_import(c, file.kind, file.about)
    return True


def erase_old(book: Daybook) -> None:
    """Erase what is older than the operator's setting says, if there is one."""
    days = book.settings.visitor_files_days
    if days and book.settings.public:
        before = later_time(now(), hours=-24 * days)
        erased = erase_before(
            book, before, f"brought in by a visitor without an account {days} days ago", TIMER, ERASED_PER_BATCH
        )
        if erased:
            logger.info("%d files of strangers are erased", len(erased))
