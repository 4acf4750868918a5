"""Found a club."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID, uuid5

from daybook.domain.kernel.chronicle import Written
from daybook.domain.league.club import founding_entry
from daybook.services.clock import now
from daybook.services.names import TITLE_LIMIT, clean_name
from daybook.services.play import recording
from daybook.services.play.repetition import BadKeyError, KeyUsedError, check_key, mark_of
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import AlreadyWrittenError

BY_KEY = UUID("9d0a2f57-2f7c-5d8b-9e10-4e0f3b586c1d")  # clubs founded twice with one key are one club
OWN_LOGS = UUID("6d1c2b7e-93f4-5a1b-8a55-0f7d0b1e2c44")  # namespace; a person has one log
OWN_LOG_KEY = "own log"


def own_log_id(person: str) -> UUID:
    """Return the id of a person's own log, also before it exists."""
    return uuid5(OWN_LOGS, person)


def found_own_log(book: Daybook, name: str, person: str) -> UUID:
    """Open a person's own log of plays, unless it exists; return its id. Raises BadNameError."""
    log_id = own_log_id(person)
    written = Written(now(), person, OWN_LOG_KEY)
    entry = founding_entry(log_id, clean_name("name", name, TITLE_LIMIT), person, written, is_own_log=True)
    if not book.log.club_entries(log_id):
        with suppress(AlreadyWrittenError):
            book.clubs.append([entry])
    return log_id


def found_club(book: Daybook, name: str, founder: str, *, by: str, key: str) -> Receipt:
    """Found a club with its first organiser.

    Args:
        key: at least 16 characters that no one else would choose, as for a game.

    Raises BadNameError, BadKeyError, KeyUsedError.
    """
    check_key(key)
    if len(key) < recording.OPENING_KEY_LENGTH:
        raise BadKeyError(f"a new club needs an idempotency key of at least {recording.OPENING_KEY_LENGTH} characters")
    name = clean_name("name", name, TITLE_LIMIT)
    club_id = uuid5(BY_KEY, key)
    mark = mark_of(book, key, club_id, name, founder)
    entry = founding_entry(club_id, name, founder, Written(now(), by, key, mark))
    if not book.log.club_entries(club_id):
        with suppress(AlreadyWrittenError):
            book.clubs.append([entry])
            return Receipt(club_id, 0, entry.seal)
    founded = book.log.club_entries(club_id)[0]
    if founded.event.nonce != mark:
        raise KeyUsedError(club_id, 0)
    return Receipt(club_id, 0, founded.seal, repeated=True)
