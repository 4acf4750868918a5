"""Erasing of games and clubs by an operator.

The tombstone (`domain.tombstone`) is appended first, as the next entry of the record. From then on the record is erased
for everyone and cannot be continued. All further steps follow from the tombstone, and the follower repeats
`finish_erasure` until everything is gone, also after a crash.

1. Clubs that entered the game keep its players and result, as a typed result without a link.
2. The kept tables lose its title, seats, links, photos and what-ifs, and names of people who occur nowhere else.
3. The log loses its lines, in one transaction (`GameLog.remove_lines`).
4. The read models lose its rows, and the picture cache is emptied.
5. The files of the kept tables are cleaned (`services.people.anonymise.clean_files`).

Backups and downloaded files are not affected.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import cast
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Entry, Written, key_within
from daybook.domain.kernel.events import stored_entries as game_entries
from daybook.domain.kernel.record import Game
from daybook.domain.league.club import Club, SeasonTable, people_named
from daybook.domain.league.club_events import ClubEntry, GameRemoved, ResultTyped, is_of_club
from daybook.domain.league.club_events import read_line as read_club_line
from daybook.domain.league.results import Result
from daybook.domain.tombstone import Tombstone, make_tombstone
from daybook.services.clock import now
from daybook.services.league.results import result_states
from daybook.services.names import clean_name
from daybook.services.people import anonymise
from daybook.services.people.photo_store import delete_photos
from daybook.services.play.repetition import new_key
from daybook.services.store import disagreements, read_models
from daybook.services.store.daybook import KEPT, Daybook
from daybook.services.store.game_cache import UNREADABLE, fold_game
from daybook.services.store.kept import (
    kept_account,
    kept_game,
    kept_lease,
    kept_look,
    kept_person,
    kept_photo,
    kept_portrait,
    kept_seat,
    kept_withheld,
    kept_without_chances,
)
from daybook.services.store.log import AlreadyWrittenError, UnknownGameError, is_erasure
from daybook.services.store.sheets import kept_sheet
from daybook.services.store.stranger_marks import unmark_import

WHY_LIMIT = 200
OPERATOR = "operator"
TOMBSTONES_PER_BATCH = 500
RECORD_COLUMNS = ("game", "other", "club")  # of kept tables, with the id of a game or club

logger = logging.getLogger(__name__)

Buried = Entry[Tombstone]


def erase_record(book: Daybook, record_id: UUID, why: str, by: str = OPERATOR) -> Tombstone:
    """Erase a game or a club. For one that is erased already, remove what was left.

    Raises UnknownGameError for an unknown id, and BadNameError for an invalid reason.
    """
    entry = append_tombstone(book, record_id, why, by)
    finish_erasure(book, [entry])
    anonymise.clean_files(book)
    return entry.event


def erase_sheet(book: Daybook, sheet_hash: str, why: str, by: str = OPERATOR) -> None:
    """Erase a published component sheet. Games that were opened with it keep its numbers.

    If it was withheld, that is remembered, so it cannot be published again. Raises UnknownSheetError, and BadNameError for an
    invalid reason.
    """
    why = clean_name("why", why, WHY_LIMIT)
    sheet = book.sheets.find(sheet_hash)
    with book.kept.engine.begin() as c:
        c.execute(kept_sheet.delete().where(kept_sheet.c.hash == sheet_hash))
        unmark_import(c, "sheet", sheet_hash)
    logger.warning("the sheet %s of %s is erased: %s (%s)", sheet_hash, sheet.ruleset, why, by)
    anonymise.clean_files(book)


def erase_own_logs(book: Daybook, people: Collection[str]) -> None:
    """Erase the own logs of anonymous people, except those that are erased already."""
    logs = [
        club.id
        for club in book.clubs.with_people([*people])
        if club.is_own_log and any(club.roles(person) for person in people)
    ]
    finish_erasure(book, [append_tombstone(book, log_id, "the log’s owner was made anonymous") for log_id in logs])
    if logs:
        anonymise.clean_files(book)


def append_tombstone(
    book: Daybook, record_id: UUID, why: str, by: str = OPERATOR, last_version: int | None = None
) -> Buried:
    """Append the tombstone of a game or club, or return the one that it has.

    last_version: the version after which it may be erased; None: any. Raises UnknownGameError, BadNameError, and AlreadyWrittenError
    if the record went on after `last_version`.
    """
    why = clean_name("why", why, WHY_LIMIT)
    while True:
        last = book.log.last_event(record_id)
        if last is None:
            raise UnknownGameError(record_id)
        version = last.originator_version
        if is_erasure(last):
            return cast(Buried, book.log.mapper.to_domain_event(last))
        if last_version is not None and version != last_version:
            raise AlreadyWrittenError(f"{record_id} has version {version} by now")
        entry = make_tombstone(record_id, version, book.log.line_of(last), why, Written(now(), by, new_key()))
        with suppress(AlreadyWrittenError):
            book.log.append(entry)
            logger.warning("%s is erased: %s (%s)", record_id, why, by)
            return entry


def finish_all(book: Daybook, since: str = "") -> None:
    """Finish everything that was erased since a time: a process may have been killed, or have written rows late."""
    found = [entry for entry in book.log.tombstones() if entry.event.at >= since]
    for start in range(0, len(found), TOMBSTONES_PER_BATCH):
        finish_erasure(book, found[start : start + TOMBSTONES_PER_BATCH])


def finish_erasure(book: Daybook, erased: Sequence[Buried]) -> None:
    """Remove all data of erased records; may be repeated."""
    names: set[str] = set()
    for entry in erased:
        lines = _remaining_lines(book, entry)
        if lines and is_of_club(lines[0]):
            names |= _people_of_club(entry.originator_id, lines)
        elif lines:
            _keep_plays(book, entry, lines)
        if lines:  # pictures do not show their game and are drawn again on demand
            shutil.rmtree(book.settings.data / "pictures", ignore_errors=True)
    ids = [entry.originator_id for entry in erased]
    _remove_kept(book, ids, names)
    for record_id in ids:
        book.log.remove_lines(record_id)
        book.games.cache.forget(record_id)
    with book.views.begin() as connection:  # typed results of clubs are removed when the follower reaches the tombstone
        read_models.remove_games(connection, ids)
        read_models.remove_clubs(connection, ids)


def _remaining_lines(book: Daybook, entry: Buried) -> list[bytes]:
    """Return the lines of an erased record that the log still has."""
    return [*map(book.log.line_of, book.log.recorder.select_events(entry.originator_id, lte=entry.step))]


# --- plays of clubs --------------------------------------------------------------------------------------------------


def _keep_plays(book: Daybook, entry: Buried, lines: Sequence[bytes]) -> None:
    """Keep players and result of an erased game in each club that entered it, without a link."""
    book.clubs.catch_up()
    for club in book.clubs.with_game(entry.originator_id):
        result = _last_result(book, entry.originator_id, lines)
        while True:
            current = book.clubs.get(club.id)
            events = _club_entries_without(current, entry, result)
            try:
                if events:
                    book.clubs.append(events)
            except AlreadyWrittenError:
                continue
            break


def _last_result(book: Daybook, game_id: UUID, lines: Sequence[bytes]) -> Result | None:
    """Return the result of a game; None if it has none or cannot be read."""
    try:
        game: Game = fold_game(game_id, game_entries(game_id, 1, lines))
        states = result_states(game, None, disagreements.select_of_game(book.kept, game_id))
    except UNREADABLE as wrong:
        logger.warning("the clubs of game %s keep no result of it: %s", game_id, wrong)
        return None
    return states[-1].result if states else None


def _club_entries_without(club: Club, entry: Buried, result: Result | None) -> list[ClubEntry]:
    """Return the entries with which a club loses a record and keeps its result."""
    game = str(entry.originator_id)
    place = club.games.get(game)
    if place is None:
        return []
    season, table_id = place
    table: SeasonTable = club.season(season).tables[table_id]
    why = f"erased: {entry.event.why}"
    written = Written(now(), entry.event.by, new_key())
    removed = GameRemoved(**club.next(written), season=season, table=table_id, game=game, why=why)
    entries = [club.write(removed)]
    if result is not None and _does_count(result, table):
        kept = club.result(table, result)
        then = club.then(entries[0])
        typed = ResultTyped(
            **then.next(msgspec.structs.replace(written, key=key_within(written, 1), nonce="")),
            season=season,
            table=table_id,
            ruleset=kept.ruleset,
            placed=kept.placed,
            ended_at=kept.at,
            why=why,
        )
        entries.append(then.write(typed))
    return entries


def _does_count(result: Result, table: SeasonTable) -> bool:
    """Check if a result counts: a typed one would count in any case."""
    accepted = table.accepted is not None and table.accepted.game == result.game
    return "practice" not in result.marks and (accepted or "against_rules" not in result.marks)


# --- kept tables -----------------------------------------------------------------------------------------------------


def _people_of_club(club_id: UUID, lines: Sequence[bytes]) -> set[str]:
    """Return everyone named in a club's record, as far as it can be read."""
    people: set[str] = set()
    with suppress(*UNREADABLE):
        for version, line in enumerate(lines, 1):
            people.update(people_named(read_club_line(club_id, version, line).event))
    return people


def _remove_kept(book: Daybook, ids: Collection[UUID], people: Collection[str]) -> None:
    """Delete kept rows of games and clubs, and names of people that occur nowhere else."""
    still_known = {person for card in book.clubs.cards().values() for person in card.people}
    with book.kept.engine.begin() as c:
        seated = {*c.scalars(sa.select(kept_seat.c.person).where(kept_seat.c.game.in_(ids)))}
        delete_photos(c, kept_photo, kept_photo.c.game.in_(ids))
        for table in KEPT:
            for column in record_columns(table):
                c.execute(table.delete().where(column.in_(ids)))
        replaced = kept_game.update().where(kept_game.c.replaced_by.in_(ids))
        c.execute(replaced.values(replaced_by=kept_game.c.id))  # as if discarded
        c.execute(kept_game.delete().where(kept_game.c.id.in_(ids)))
        c.execute(kept_without_chances.delete().where(kept_without_chances.c.id.in_(ids)))
        c.execute(kept_withheld.delete().where(kept_withheld.c.about.in_([str(record_id) for record_id in ids])))
        _forget_people(c, {*seated, *people} - still_known)


def record_columns(table: sa.Table) -> Iterator[sa.Column[UUID]]:
    """Columns of a kept table that hold the id of a game or a club, next to those of its own key `id`."""
    for name in RECORD_COLUMNS:
        if name in table.c and isinstance(table.c[name].type, sa.Uuid):
            yield table.c[name]


def _forget_people(c: sa.Connection, people: Collection[str]) -> None:
    """Delete names and portraits of people without a game, account or lease."""
    if not people:
        return
    for table in (kept_seat, kept_account, kept_lease):
        people = {*people} - {*c.scalars(sa.select(table.c.person).where(table.c.person.in_(people)))}
    delete_photos(c, kept_portrait, kept_portrait.c.person.in_(people))
    for table, column in ((kept_portrait, "person"), (kept_look, "person"), (kept_person, "id")):
        c.execute(table.delete().where(table.c[column].in_(people)))
