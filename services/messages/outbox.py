"""The outbox: what clubs send, noted once for each entry and occasion, and sent at least once.

The follower notes messages in the order of the log and moves the position in the same transaction, so that a kill neither
loses nor repeats one. The table is not a read model: a rebuild does not touch it. A restored or copied Daybook has
another instance than the one noted here, and sends nothing until the operator permits it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel import events
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, as_of_step
from daybook.services.clock import later_time, now
from daybook.services.league import year_reviews
from daybook.services.messages import webhooks
from daybook.services.messages.occasions import (
    OLDEST_ENTRY_HOURS,
    RESULT_DELAY_SECONDS,
    Notice,
    Occasion,
    notices_of_entry,
    reminders_of,
    round_reminders,
    year_to_review,
)
from daybook.services.messages.webhooks import Answer, OutgoingMessage, Webhook
from daybook.services.store.database import insert_missing, insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.game_cache import UNREADABLE
from daybook.services.store.kept import kept_message, kept_outbox, kept_webhook
from daybook.services.store.log import PositionedEntry, RecordErasedError, club_entries_in, game_entries_in
from daybook.services.store.read_models import club_game

BATCH = 500
CAUSES = (
    club_events.EveningPlanned,
    club_events.EveningCalledOff,
    club_events.EveningAnswered,
    club_events.SeasonOpened,
    club_events.ScheduleDrawn,
    club_events.RoundDeadlineSet,
    club_events.SeasonClosed,
    club_events.ResultTyped,
    club_events.ResultAccepted,
    club_events.GameEntered,
    events.GameClosed,
)
TOPICS = [tag_of(cause) for cause in CAUSES]
RETRY_SECONDS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400)  # the last again and again
GIVE_UP_HOURS = 72  # of failures without a success; then the webhook is switched off
MAX_PER_HOUR = 60  # messages of one club; further ones wait
MAX_RETRY_SECONDS = 6 * 3_600.0
DUE_LIMIT = 200
JANUARY = "01"
SHOWN_LIMIT = 50
KEPT_DAYS = 60  # for which a message that was sent is listed

Writer = Callable[[Club, Webhook, Occasion, str], tuple[str, str] | None]  # returns text and link, or None: outdated


class MessageShown(Frozen):
    """A message in the list of a club."""

    occasion: Occasion
    subject: str
    at: str
    due: str
    state: str
    attempts: int
    answer: str | None
    sent_at: str | None


# --- noting ----------------------------------------------------------------------------------------------------------


def is_paused(book: Daybook) -> bool:
    """Check if messages wait for the operator's permission: this Daybook was restored or copied."""
    row = book.kept.engine.row(sa.select(kept_outbox.c.instance))
    return row is not None and row.instance != _instance(book)


def permit_sending(book: Daybook) -> None:
    """Send from this Daybook from now on, and nothing that was recorded before."""
    values = {"position": book.log.newest(), "instance": _instance(book)}
    with book.kept.engine.begin() as c:
        c.execute(kept_message.update().where(kept_message.c.state == "waiting").values(state="dropped"))
        if not c.execute(kept_outbox.update().values(**values)).rowcount:
            c.execute(kept_outbox.insert().values(only=1, **values))
    note_year_reviews(book, state="dropped")


def note_messages(book: Daybook) -> int:
    """Note the messages of the next entries; return the number of entries. Raises the errors in UNAVAILABLE."""
    newest = book.log.newest()
    row = book.kept.engine.row(sa.select(kept_outbox.c.position, kept_outbox.c.instance))
    if row is None:
        with book.kept.engine.begin() as c:
            insert_once(c, kept_outbox, {"only": 1, "position": newest, "instance": _instance(book)})
        return 0
    if row.instance != _instance(book) or row.position >= newest:
        return 0
    given = book.log.notifications(row.position, BATCH, TOPICS)
    position = given[-1].id if len(given) == BATCH else max(newest, given[-1].id if given else 0)
    clubs_sending = {*book.kept.engine.values(sa.select(kept_webhook.c.club).where(kept_webhook.c.off_why.is_(None)))}
    seen = [book.log.decode_lazily(entry) for entry in given] if clubs_sending else []
    at = now()
    noted = [*_noted_of_clubs(book, seen, clubs_sending, at), *_noted_of_games(book, seen, clubs_sending, at)]
    with book.kept.engine.begin() as c:
        moved = kept_outbox.update().where(kept_outbox.c.position == row.position).values(position=position)
        if not c.execute(moved).rowcount:
            return len(given)  # another follower noted them
        for club, step, notice in noted:
            new = _row(club, step, notice, at)
            _drop_outdated(c, club, step, notice, new["id"])
            insert_missing(c, kept_message, [new])
        old = kept_message.c.at < later_time(at, hours=-24 * KEPT_DAYS), kept_message.c.state != "waiting"
        c.execute(kept_message.delete().where(*old))
    return len(given)


Noted = tuple[UUID, int, Notice]


def _noted_of_clubs(book: Daybook, seen: Sequence[PositionedEntry], sending: set[UUID], at: str) -> Iterator[Noted]:
    for _, entry in club_entries_in(seen):
        if entry.originator_id in sending:
            try:
                club = as_of_step(book.clubs.get(entry.originator_id), entry.step)
            except (RecordErasedError, UnknownClubError, *UNREADABLE):
                continue
            yield from ((club.id, entry.step, notice) for notice in notices_of_entry(club, entry.step, entry.event, at))


def _noted_of_games(book: Daybook, seen: Sequence[PositionedEntry], sending: set[UUID], at: str) -> Iterator[Noted]:
    """Yield the results of games that belong to a club."""
    closed = {
        entry.originator_id: entry
        for _, entry in game_entries_in(seen)
        if entry.event.at >= later_time(at, hours=-OLDEST_ENTRY_HOURS)
    }
    query = sa.select(club_game.c.game, club_game.c.club, club_game.c.season, club_game.c.table)
    for row in book.views.rows_where_in(query, club_game.c.game, closed):
        if row.club in sending:
            due = later_time(at, seconds=RESULT_DELAY_SECONDS)
            yield row.club, closed[row.game].step, Notice("result", f"{row.season} {row.table}", due)


def _drop_outdated(c: sa.Connection, club: UUID, step: int, notice: Notice, message_id: str) -> None:
    """Drop waiting messages about an evening or a round's day that changed, and a waiting result that is replaced."""
    if notice.occasion in ("evening_planned", "evening_changed", "evening_called_off"):
        older = kept_message.c.occasion.startswith("evening"), kept_message.c.step < step
    elif notice.occasion == "round_ends":
        older = kept_message.c.occasion == "round_ends", kept_message.c.step < step
    elif notice.occasion == "result":
        older = kept_message.c.occasion == "result", kept_message.c.id != message_id
    else:
        return
    waiting = kept_message.c.club == club, kept_message.c.subject == notice.subject, kept_message.c.state == "waiting"
    c.execute(kept_message.update().where(*waiting, *older).values(state="dropped"))


def _row(club: UUID, step: int, notice: Notice, at: str) -> dict[str, Any]:
    digest = hashlib.sha256(f"{club} {step} {notice.occasion} {notice.subject} webhook".encode()).hexdigest()
    return {
        "id": f"msg_{digest[:32]}",
        "club": club,
        "step": step,
        "occasion": notice.occasion,
        "subject": notice.subject,
        "at": at,
        "due": notice.due,
        "state": "waiting",
        "attempts": 0,
        "answer": None,
        "sent_at": None,
        "receiver_id": None,
    }


def note_test(book: Daybook, club: UUID, key: str) -> None:
    """Note a test message of a club. key: of the form, so that a repeated one is sent once."""
    at = now()
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_message, [_row(club, 0, Notice("test", key, at), at)])


def note_reminders(book: Daybook, club: Club) -> None:
    """Note the reminders of evenings and rounds that were planned before the club had a webhook."""
    at = now()
    with book.kept.engine.begin() as c:
        for evening in club.evenings.values():
            if not evening.called_off and evening.when > at:
                for notice in reminders_of(evening.id, evening.when, at):
                    insert_missing(c, kept_message, [_row(club.id, evening.moved, notice, at)])
        for dated in (dated for season in club.open_seasons() for dated in season.round_deadlines.values()):
            for notice in round_reminders(club, dated, at):
                insert_missing(c, kept_message, [_row(club.id, dated.step, notice, at)])


def note_year_reviews(book: Daybook, at: str = "", state: str = "waiting") -> None:
    """Note the message about the last year of each club, once, in the first days of January.

    A club with only imported plays in the year gets no message. at: now, if empty.
    """
    at = at or now()
    if at[5:7] != JANUARY or is_paused(book):
        return
    noted = sa.select(kept_message.c.club, kept_message.c.subject).where(kept_message.c.occasion == "year_in_review")
    done = {(row.club, row.subject) for row in book.kept.engine.rows(noted)}
    for club_id in book.kept.engine.values(sa.select(kept_webhook.c.club).where(kept_webhook.c.off_why.is_(None))):
        try:
            club = book.clubs.get(club_id)
        except (RecordErasedError, UnknownClubError, *UNREADABLE):
            continue
        year = year_to_review(club, at)
        review = year_reviews.find_review(book, club, year) if year and (club_id, year) not in done else None
        if review is not None and review.live:
            row = {**_row(club_id, 0, Notice("year_in_review", year, at), at), "state": state}
            with book.kept.engine.begin() as c:
                insert_missing(c, kept_message, [row])


def _instance(book: Daybook) -> str:
    """Identify the files or the database that messages are sent from; a copy has others."""
    file = book.kept.engine.file
    if file is not None:
        return f"file {file.stat().st_ino} {file.resolve()}"
    with book.kept.engine.connect() as c:
        number = c.scalar(sa.text("SELECT oid::text FROM pg_database WHERE datname = current_database()"))
        return f"database {number} {c.scalar(sa.text('SELECT system_identifier::text FROM pg_control_system()'))}"


# --- sending ---------------------------------------------------------------------------------------------------------


def messages_due(book: Daybook) -> list[str]:
    """Return the ids of messages to send now, the oldest first; at most one of each club."""
    if is_paused(book):
        return []
    due = kept_message.c.state == "waiting", kept_message.c.due <= now()
    oldest = kept_message.c.due, kept_message.c.at, kept_message.c.step  # entries that are noted together have one time
    query = sa.select(kept_message.c.id, kept_message.c.club).where(*due).order_by(*oldest).limit(DUE_LIMIT)
    first: dict[UUID, str] = {}
    for row in book.kept.engine.rows(query):
        first.setdefault(row.club, row.id)
    return [*first.values()]


def send_message(book: Daybook, message_id: str, write: Writer) -> None:
    """Send a message that is due, and note the answer or the time of the next attempt."""
    row = book.kept.engine.row(sa.select(kept_message).where(kept_message.c.id == message_id))
    at = now()
    if row is None or row.state != "waiting" or row.due > at or is_paused(book):
        return
    webhook, sealed = webhooks.webhook_of(book, row.club), webhooks.secrets_of(book, row.club)
    if webhook is None or webhook.off_why or (row.occasion != "test" and row.occasion not in webhook.occasions):
        _note(book, row.id, state="dropped")
        return
    if sealed is None:
        _switch_off(book, row.club, "secret")
        return
    if (wait := _seconds_to_wait(book, row.club, at)) > 0:
        _note(book, row.id, due=later_time(at, seconds=wait))
        return
    try:
        club = book.clubs.get(row.club)
        written = None if club.removed else write(club, webhook, row.occasion, row.subject)
    except (RecordErasedError, UnknownClubError):
        written = None
    if written is None:
        _note(book, row.id, state="dropped")
        return
    text, link = written
    message = OutgoingMessage(row.id, row.occasion, row.at, club.name, text, link, _message_to_edit(book, row))
    answer = webhooks.post_message(webhook.kind, sealed, message, book.settings.webhooks_to_private_networks)
    _note_answer(book, row, webhook, answer, bool(message.receiver_id))


def _note_answer(
    book: Daybook, row: sa.Row[tuple[object, ...]], webhook: Webhook, answer: Answer, edited: bool
) -> None:
    at = now()
    attempts = row.attempts + 1
    if answer.is_accepted:
        _note(
            book,
            row.id,
            state="sent",
            attempts=attempts,
            answer=answer.text,
            sent_at=at,
            receiver_id=answer.receiver_id or None,
        )
        book.kept.engine.write(kept_webhook.update().where(kept_webhook.c.club == row.club).values(failing_since=None))
        return
    if edited and answer.status == 404:  # the message was deleted in the chat: send a new one
        about = kept_message.c.club == row.club, kept_message.c.subject == row.subject
        book.kept.engine.write(kept_message.update().where(*about).values(receiver_id=None))
        return
    since = webhook.failing_since or at
    if answer.status in webhooks.GONE[webhook.kind] or since <= later_time(at, hours=-GIVE_UP_HOURS):
        _note(book, row.id, state="failed", attempts=attempts, answer=answer.text)
        _switch_off(book, row.club, answer.text)
        return
    wait: float = RETRY_SECONDS[min(attempts, len(RETRY_SECONDS)) - 1]
    if answer.retry_seconds is not None:
        wait = max(wait, min(answer.retry_seconds, MAX_RETRY_SECONDS))
    _note(book, row.id, attempts=attempts, answer=answer.text, due=later_time(at, seconds=wait))
    book.kept.engine.write(kept_webhook.update().where(kept_webhook.c.club == row.club).values(failing_since=since))


def _note(book: Daybook, message_id: str, **values: object) -> None:
    book.kept.engine.write(kept_message.update().where(kept_message.c.id == message_id).values(**values))


def _switch_off(book: Daybook, club: UUID, why: str) -> None:
    with book.kept.engine.begin() as c:
        c.execute(kept_webhook.update().where(kept_webhook.c.club == club).values(off_why=why))
        waiting = kept_message.c.club == club, kept_message.c.state == "waiting"
        c.execute(kept_message.update().where(*waiting).values(state="failed"))


def _seconds_to_wait(book: Daybook, club: UUID, at: str) -> float:
    """Return how long a club that sent many messages within an hour has to wait."""
    recent = kept_message.c.club == club, kept_message.c.sent_at > later_time(at, hours=-1)
    query = sa.select(kept_message.c.sent_at).where(*recent).order_by(kept_message.c.sent_at.desc()).limit(MAX_PER_HOUR)
    sent = book.kept.engine.values(query)
    if len(sent) < MAX_PER_HOUR:
        return 0.0
    ends = datetime.fromisoformat(later_time(sent[-1], hours=1))
    return max(1.0, (ends - datetime.now(UTC)).total_seconds())


def _message_to_edit(book: Daybook, row: sa.Row[tuple[object, ...]]) -> str:
    """Return the receiver's id of an earlier message about the same result, or ""."""
    if row.occasion != "result":
        return ""
    about = kept_message.c.club == row.club, kept_message.c.subject == row.subject, kept_message.c.occasion == "result"
    sent = kept_message.c.state == "sent", kept_message.c.receiver_id.is_not(None)
    query = sa.select(kept_message.c.receiver_id).where(*about, *sent).order_by(kept_message.c.sent_at.desc()).limit(1)
    return book.kept.engine.value(query) or ""


def messages_of(book: Daybook, club: UUID) -> list[MessageShown]:
    """Return a club's newest messages."""
    query = sa.select(kept_message).where(kept_message.c.club == club)
    rows = book.kept.engine.rows(query.order_by(kept_message.c.at.desc(), kept_message.c.due.desc()).limit(SHOWN_LIMIT))
    return [
        MessageShown(row.occasion, row.subject, row.at, row.due, row.state, row.attempts, row.answer, row.sent_at)
        for row in rows
    ]
