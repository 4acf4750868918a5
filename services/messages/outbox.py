"""The outbox: messages, noted once for each entry, occasion and recipient, and sent at least once.

A club's messages go to its webhook and to those members who want them by mail or push. Mails about an account (a link to
sign in, an invitation) wait here, too.

The follower notes messages in the order of the log and moves the position in the same transaction, so that a kill neither
loses nor repeats one. The table is not a read model: a rebuild does not touch it. A restored or copied Daybook has
another instance than the one noted here, and sends nothing until the operator permits it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel import events
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, Evening, as_of_step
from daybook.services.clock import later_time, now
from daybook.services.league import evening_reviews, year_reviews
from daybook.services.messages import audience, choices, mail, push, webhooks
from daybook.services.messages.occasions import (
    ACCOUNT_OCCASIONS,
    CHOSEN_BY_CLUBS,
    CHOSEN_BY_PEOPLE,
    OLDEST_ENTRY_HOURS,
    RESULT_DELAY_SECONDS,
    Method,
    Notice,
    Occasion,
    notices_of_entry,
    reminders_of,
    round_reminders,
    year_to_review,
)
from daybook.services.messages.webhooks import Answer, OutgoingMessage, Webhook
from daybook.services.people import mail_addresses
from daybook.services.store.database import insert_missing, insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.services.store.kept import kept_mail, kept_message, kept_outbox, kept_push, kept_webhook
from daybook.services.store.log import PositionedEntry, RecordErasedError, club_entries_in, game_entries_in
from daybook.services.store.read_models import club_game

BATCH = 500
CAUSES = (
    club_events.EveningPlanned,
    club_events.EveningCalledOff,
    club_events.EveningAnswered,
    club_events.EveningTablesSet,
    club_events.TablePostponed,
    club_events.SubstituteSeated,
    club_events.SeasonOpened,
    club_events.ScheduleDrawn,
    club_events.RoundDeadlineSet,
    club_events.SeasonClosed,
    club_events.ResultTyped,
    club_events.ResultAccepted,
    club_events.GameEntered,
    events.GameClosed,
    events.ClaimRaised,
    events.ClaimRuled,
)
TOPICS = [tag_of(cause) for cause in CAUSES]
RETRY_SECONDS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400)  # the last again and again
GIVE_UP_HOURS = 72  # of failures without a success; then the webhook is switched off
MAX_PER_HOUR = 60  # messages of one club, or to one person by one method; further ones wait
MAX_RETRY_SECONDS = 6 * 3_600.0
DUE_LIMIT = 200
SKIPPED = "skipped"  # the answer of a review that an organiser does not send
PERMANENT_FAILURE = 5  # first digit of a mail server's answers after which no other attempt helps
JANUARY = "01"
SHOWN_LIMIT = 50
KEPT_DAYS = 60  # for which a message that was sent is listed


class Recipient(Frozen):
    """Recipient of a message. person: empty for a club's webhook; target: the subscription of a push message."""

    method: Method
    person: str = ""
    target: str = ""


WEBHOOK = Recipient("webhook")


class Draft(Frozen):
    """A message to be written in words. club: none for a message about an account."""

    club: Club | None
    occasion: Occasion
    subject: str
    language: str
    person: str = ""


class Written(Frozen):
    """A message in words. path: of its page in this Daybook; stop: the words before the address that stops such mails."""

    text: str
    link: str
    path: str
    stop: str = ""


Writer = Callable[[Draft], Written | None]  # None: the message is outdated


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
    note_evening_reviews(book, state="dropped")


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
    clubs_sending = _sending_clubs(book)
    personal = recipients(book) if given else {}
    seen = [book.log.decode_lazily(entry) for entry in given] if clubs_sending or personal else []
    at = now()
    noted = [
        *_noted_of_clubs(book, seen, clubs_sending, personal, at),
        *_noted_of_games(book, seen, clubs_sending, personal, at),
    ]
    with book.kept.engine.begin() as c:
        moved = kept_outbox.update().where(kept_outbox.c.position == row.position).values(position=position)
        if not c.execute(moved).rowcount:
            return len(given)  # another follower noted them
        for club, step, notice, to in noted:
            rows = [_row(club, step, notice, at, recipient) for recipient in to]
            _drop_outdated(c, club, step, notice, [new["id"] for new in rows])
            insert_missing(c, kept_message, rows)
        old = kept_message.c.at < later_time(at, hours=-24 * KEPT_DAYS), kept_message.c.state != "waiting"
        c.execute(kept_message.delete().where(*old))
    return len(given)


def recipients(book: Daybook, person: str = "") -> dict[str, list[Recipient]]:
    """Return where each person receives messages; only of one person, if given."""
    query = sa.select(kept_mail.c.person).where(kept_mail.c.verified_at.is_not(None), kept_mail.c.off_why.is_(None))
    people = book.kept.engine.values(query.where(kept_mail.c.person == person) if person else query)
    found = defaultdict[str, list[Recipient]](list)
    for reader in people if book.settings.smtp_url else ():
        found[reader].append(Recipient("mail", reader))
    devices = sa.select(kept_push.c.person, kept_push.c.id)
    for row in book.kept.engine.rows(devices.where(kept_push.c.person == person) if person else devices):
        found[row.person].append(Recipient("push", row.person, row.id))
    return found


Personal = Mapping[str, Sequence[Recipient]]
Noted = tuple[UUID, int, Notice, Sequence[Recipient]]


def _noted_of_clubs(
    book: Daybook, seen: Sequence[PositionedEntry], sending: set[UUID], personal: Personal, at: str
) -> Iterator[Noted]:
    for _, entry in club_entries_in(seen):
        if entry.originator_id in sending or personal:
            try:
                club = as_of_step(book.clubs.get(entry.originator_id), entry.step)
            except (RecordErasedError, UnknownClubError, *UNREADABLE):
                continue
            for notice in notices_of_entry(club, entry.step, entry.event, at):
                yield club.id, entry.step, notice, _addressees(club, notice, sending, personal)


def _addressees(club: Club, notice: Notice, sending: Container[UUID], personal: Personal) -> list[Recipient]:
    """Return the recipients of a club's notice: its webhook, and people."""
    to = [WEBHOOK] if club.id in sending and notice.occasion in CHOSEN_BY_CLUBS else []
    if personal and notice.occasion in CHOSEN_BY_PEOPLE:
        ids = [i for person in audience.audience_in(club, notice.occasion, notice.subject) for i in club.ids_of(person)]
        to += [recipient for person_id in ids for recipient in personal.get(person_id, ())]
    return to


def _noted_of_games(
    book: Daybook, seen: Sequence[PositionedEntry], sending: set[UUID], personal: Personal, at: str
) -> Iterator[Noted]:
    """Yield the results and claims of games that belong to a club."""
    recent = [
        (entry.originator_id, entry)
        for _, entry in game_entries_in(seen)
        if entry.event.at >= later_time(at, hours=-OLDEST_ENTRY_HOURS)
    ]
    closed = {game: entry for game, entry in recent if isinstance(entry.event, events.GameClosed)}
    query = sa.select(club_game.c.game, club_game.c.club, club_game.c.season, club_game.c.table)
    rows = book.views.rows_where_in(query, club_game.c.game, {game for game, _ in recent})
    games = {row.game: row for row in rows}
    for game, entry in closed.items():
        if game in games:
            row, due = games[game], later_time(at, seconds=RESULT_DELAY_SECONDS)
            with suppress(RecordErasedError, UnknownClubError, *UNREADABLE):
                club = book.clubs.get(row.club)
                notice = Notice("result", f"{row.season} {row.table}", due, club.spectator_delay(row.season))
                yield row.club, entry.step, notice, _addressees(club, notice, sending, personal)
    for game, entry in recent if personal else ():
        event = entry.event
        if game in games and isinstance(event, events.ClaimRaised | events.ClaimRuled):
            number = event.step if isinstance(event, events.ClaimRaised) else event.claim
            occasion: Occasion = "claim" if isinstance(event, events.ClaimRaised) else "claim_ruled"
            notice = Notice(occasion, f"{game} {number}", at)
            with suppress(RecordErasedError, UnknownGameError, *UNREADABLE):
                people = audience.people_of_claim(book, book.games.get(game), number, occasion, game)
                yield games[game].club, entry.step, notice, [to for person in people for to in personal.get(person, ())]


def _drop_outdated(c: sa.Connection, club: UUID, step: int, notice: Notice, new_ids: Sequence[str]) -> None:
    """Drop waiting messages about an evening or a round's day that changed, and a waiting result that is replaced."""
    older: tuple[sa.ColumnElement[bool], ...]
    if notice.occasion in ("evening_planned", "evening_changed", "evening_called_off"):
        older = kept_message.c.occasion.startswith("evening"), kept_message.c.step.between(1, step - 1)
    elif notice.occasion in ("round_ends", "tables_drawn", "table_postponed"):
        older = kept_message.c.occasion == notice.occasion, kept_message.c.step < step
    elif notice.occasion == "result":
        older = kept_message.c.occasion == "result", kept_message.c.id.not_in(new_ids)
    else:
        return
    waiting = kept_message.c.club == club, kept_message.c.subject == notice.subject, kept_message.c.state == "waiting"
    c.execute(kept_message.update().where(*waiting, *older).values(state="dropped"))


def _row(club: UUID | None, step: int, notice: Notice, at: str, to: Recipient = WEBHOOK) -> dict[str, Any]:
    key = (str(club or ""), str(step), notice.occasion, notice.subject, to.method, to.person, to.target)
    digest = hashlib.sha256(" ".join(key).encode()).hexdigest()
    return {
        "id": f"msg_{digest[:32]}",
        "club": club,
        "step": step,
        "occasion": notice.occasion,
        "subject": notice.subject,
        "method": to.method,
        "person": to.person,
        "target": to.target,
        "address": None,
        "at": at,
        "due": later_time(notice.due, seconds=notice.chat_delay_seconds) if to == WEBHOOK else notice.due,
        "state": "waiting",
        "attempts": 0,
        "answer": None,
        "sent_at": None,
        "receiver_id": None,
    }


def note_account_mail(book: Daybook, occasion: Occasion, subject: str, person: str) -> None:
    """Note a mail about a person's account: subject is the address to confirm, or the link that signs in."""
    at = now()
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_message, [_row(None, 0, Notice(occasion, subject, at), at, Recipient("mail", person))])


def note_invitation(book: Daybook, club: UUID, invitation: str, address: str, language: str) -> None:
    """Note a mail with an invitation to a club, to an address without an account."""
    at = now()
    row = _row(club, 0, Notice("invitation", f"{invitation} {language}", at), at, Recipient("mail"))
    row["address"] = mail_addresses.seal_address(book, row["id"], address)
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_message, [row])


def note_test(book: Daybook, club: UUID, key: str) -> None:
    """Note a test message of a club. key: of the form, so that a repeated one is sent once."""
    at = now()
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_message, [_row(club, 0, Notice("test", key, at), at)])


def note_reminders(book: Daybook, club: Club, person: str = "") -> None:
    """Note the reminders of evenings and rounds that were planned before the club had a webhook.

    person: note those for this member instead, whose address or device is new.
    """
    at = now()
    sending, personal = ((), recipients(book, person)) if person else ((club.id,), {})
    with book.kept.engine.begin() as c:
        for evening in club.evenings.values():
            if not evening.called_off and evening.when > at:
                for notice in reminders_of(evening.id, evening.when, at):
                    to = _addressees(club, notice, sending, personal)
                    insert_missing(c, kept_message, [_row(club.id, evening.moved, notice, at, who) for who in to])
        for dated in (dated for season in club.open_seasons() for dated in season.round_deadlines.values()):
            for notice in round_reminders(club, dated, at):
                to = _addressees(club, notice, sending, personal)
                insert_missing(c, kept_message, [_row(club.id, dated.step, notice, at, who) for who in to])


def note_year_reviews(book: Daybook, at: str = "", state: str = "waiting") -> None:
    """Note the message about the last year of each club, once, in the first days of January.

    A club with only imported plays in the year gets no message. at: now, if empty.
    """
    at = at or now()
    if at[5:7] != JANUARY or is_paused(book):
        return
    noted = sa.select(kept_message.c.club, kept_message.c.subject).where(kept_message.c.occasion == "year_in_review")
    done = {(row.club, row.subject) for row in book.kept.engine.rows(noted)}
    sending, personal = _sending_clubs(book), recipients(book)
    for club in _clubs_to_note(book, sending, personal):
        year = year_to_review(club, at)
        review = year_reviews.find_review(book, club, year) if year and (club.id, year) not in done else None
        if review is not None and review.live:
            notice = Notice("year_in_review", year, at)
            rows = [_row(club.id, 0, notice, at, to) for to in _addressees(club, notice, sending, personal)]
            with book.kept.engine.begin() as c:
                insert_missing(c, kept_message, [{**row, "state": state} for row in rows])


def note_evening_reviews(book: Daybook, at: str = "", state: str = "waiting") -> None:
    """Note the review of each evening once it is over, for clubs that send messages. at: now, if empty."""
    at = at or now()
    if is_paused(book):
        return
    sending, personal = _sending_clubs(book), recipients(book)
    for club in _clubs_to_note(book, sending, personal):
        for evening in _evenings_to_review(book, club, at):
            if not evening_reviews.is_due(book, club, evening, at):
                continue
            review = evening_reviews.review_evening(book, club, evening)
            has_news = review.played and review.is_live
            _note_evening_review(book, club, evening, state if has_news else "dropped", sending, personal)


def _evenings_to_review(book: Daybook, club: Club, at: str) -> list[Evening]:
    """Return the past evenings with a review that is neither noted nor too old for a message."""
    if club.removed or club.settings.simulated:
        return []
    oldest = later_time(at, hours=-OLDEST_ENTRY_HOURS)
    begun = [
        evening
        for evening in club.evenings.values()
        if evening.when <= at and not evening.called_off and evening_reviews.latest_time(club, evening) > oldest
    ]
    return [evening for evening in begun if review_state(book, club, evening) is None] if begun else []


def review_state(book: Daybook, club: Club, evening: Evening) -> str | None:
    """Return the state of an evening's review: that of the message to the webhook; None: it is not decided yet."""
    about = kept_message.c.club == club.id, kept_message.c.subject == evening.id, kept_message.c.method == "webhook"
    query = sa.select(kept_message.c.state).where(*about, kept_message.c.occasion == "evening_review")
    state: str | None = book.kept.engine.value(query)
    return state


def reviews_skipped(book: Daybook, club: UUID) -> set[str]:
    """Return the evenings of a club without a review, as an organiser chose."""
    about = kept_message.c.club == club, kept_message.c.occasion == "evening_review", kept_message.c.answer == SKIPPED
    return {*book.kept.engine.values(sa.select(kept_message.c.subject).where(*about))}


def send_evening_review(book: Daybook, club: Club, evening: Evening) -> None:
    """Send the review of an evening now, once."""
    _note_evening_review(book, club, evening, "waiting", _sending_clubs(book), recipients(book))


def skip_evening_review(book: Daybook, club: Club, evening: Evening) -> None:
    """Send no review of an evening."""
    _note_evening_review(book, club, evening, "dropped", (), {}, SKIPPED)


def _note_evening_review(
    book: Daybook,
    club: Club,
    evening: Evening,
    state: str,
    sending: Container[UUID],
    personal: Personal,
    answer: str | None = None,
) -> None:
    """Note the review for its recipients. The row of the webhook exists in any case: it says that this is done."""
    at = now()
    notice = Notice("evening_review", evening.id, at)
    to = _addressees(club, notice, sending, personal)
    rows = [{**_row(club.id, 0, notice, at, who), "state": state, "answer": answer} for who in to]
    if WEBHOOK not in to:
        rows.append({**_row(club.id, 0, notice, at), "state": "dropped", "answer": answer})
    with book.kept.engine.begin() as c:
        done = _row(club.id, 0, notice, at)["id"]
        if c.scalar(sa.select(kept_message.c.id).where(kept_message.c.id == done)) is None:
            insert_missing(c, kept_message, rows)


def _sending_clubs(book: Daybook) -> set[UUID]:
    return {*book.kept.engine.values(sa.select(kept_webhook.c.club).where(kept_webhook.c.off_why.is_(None)))}


def _clubs_to_note(book: Daybook, sending: Collection[UUID], personal: Personal) -> Iterator[Club]:
    """Yield the clubs with a webhook or with recipients among their members."""
    of_people = {club.id for club in book.clubs.with_people([*personal])} if personal else set[UUID]()
    for club_id in sorted({*sending, *of_people}):
        with suppress(RecordErasedError, UnknownClubError, *UNREADABLE):
            yield book.clubs.get(club_id)


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
    """Return the ids of messages to send now, the oldest first; at most one for each recipient."""
    if is_paused(book):
        return []
    due = kept_message.c.state == "waiting", kept_message.c.due <= now()
    oldest = kept_message.c.due, kept_message.c.at, kept_message.c.step  # entries that are noted together have one time
    first: dict[tuple[object, ...], str] = {}
    for row in book.kept.engine.rows(sa.select(kept_message).where(*due).order_by(*oldest).limit(DUE_LIMIT)):
        channel = row.club if row.method == "webhook" else row.person or row.id
        first.setdefault((row.method, channel, row.target), row.id)
    return [*first.values()]


def send_message(book: Daybook, message_id: str, write: Writer) -> None:
    """Send a message that is due, and note the answer or the time of the next attempt."""
    row = book.kept.engine.row(sa.select(kept_message).where(kept_message.c.id == message_id))
    at = now()
    if row is None or row.state != "waiting" or row.due > at or is_paused(book):
        return
    if (wait := _seconds_to_wait(book, row, at)) > 0:
        _note(book, row.id, due=later_time(at, seconds=wait))
        return
    {"webhook": _send_to_webhook, "mail": _send_mail, "push": _send_push}[row.method](book, row, write)


Row = sa.Row[tuple[object, ...]]


def _send_to_webhook(book: Daybook, row: Row, write: Writer) -> None:
    webhook, sealed = webhooks.webhook_of(book, row.club), webhooks.secrets_of(book, row.club)
    if webhook is None or webhook.off_why or (row.occasion != "test" and row.occasion not in webhook.occasions):
        _note(book, row.id, state="dropped")
        return
    if sealed is None:
        _switch_off(book, row.club, "secret")
        return
    club = _club_of(book, row)
    written = None if club is None else write(Draft(club, row.occasion, row.subject, webhook.language))
    if club is None or written is None:
        _note(book, row.id, state="dropped")
        return
    message = OutgoingMessage(
        row.id, row.occasion, row.at, club.name, written.text, written.link, _message_to_edit(book, row)
    )
    answer = webhooks.post_message(webhook.kind, sealed, message, book.settings.webhooks_to_private_networks)
    _note_answer(book, row, webhook, answer, bool(message.receiver_id))


def _club_of(book: Daybook, row: Row) -> Club | None:
    """Return the club of a message, with delayed results except for the players of a table; None if it is gone."""
    with suppress(RecordErasedError, UnknownClubError):
        club = book.clubs.get(row.club)
        if row.occasion != "result" or row.method == "webhook":
            club = club.with_delayed_results()
        return None if club.removed else club
    return None


def _send_mail(book: Daybook, row: Row, write: Writer) -> None:
    if not book.settings.smtp_url:
        _note(book, row.id, state="dropped")
        return
    to, language, stop_key = _mail_recipient(book, row)
    written = _write_to_person(book, row, write, language) if to else None
    if written is None:
        _note(book, row.id, state="dropped", address=None)
        return
    stop_link = f"{book.settings.base_url}/mail/stop?key={stop_key}" if stop_key else ""
    text = f"{written.text}\n\n{written.link}".rstrip() + (f"\n\n-- \n{written.stop}\n{stop_link}" if stop_link else "")
    answer = mail.send_mail(book.settings, mail.Mail(row.id, to, text, stop_link))
    if answer.status // 100 == PERMANENT_FAILURE and (address := mail_addresses.address_of(book, row.person)):
        mail_addresses.switch_off(book, address, answer.text)
    _note_personal_answer(book, row, answer, is_final=answer.status // 100 == PERMANENT_FAILURE)


def _send_push(book: Daybook, row: Row, write: Writer) -> None:
    found = push.read_subscription(book, row.target, row.person)
    written = _write_to_person(book, row, write, found[1]) if found is not None else None
    if found is None or written is None:
        _note(book, row.id, state="dropped")
        return
    title, _, rest = written.text.partition("\n")
    answer = push.send_push(book, found[0], row.id, title, rest, written.path)
    if push.has_ended(answer):
        push.remove_device(book, row.person, row.target)
    _note_personal_answer(book, row, answer, is_final=push.has_ended(answer))


def _mail_recipient(book: Daybook, row: Row) -> tuple[str, str, str]:
    """Return the address of a mail, its language, and the key that stops such mails; no address: it is outdated."""
    if row.address is not None:
        to = mail_addresses.unseal_address(book, row.id, bytes(row.address))
        if not to or mail_addresses.refuses_invitations(book, to):
            return "", "", ""
        digest = mail_addresses.digest_of_address(book, to)
        return to, row.subject.partition(" ")[2], mail_addresses.key_of(book, mail_addresses.REFUSE, digest)
    address = mail_addresses.address_of(book, row.person)
    if address is None or not address.address:
        return "", "", ""
    if row.occasion == "confirm_address":
        return (address.address if address.id == row.subject else ""), address.language, ""
    if not address.is_active:
        return "", "", ""
    is_account = row.occasion in ACCOUNT_OCCASIONS
    stop_key = "" if is_account else mail_addresses.key_of(book, mail_addresses.STOP, address.id)
    return address.address, address.language, stop_key


def _write_to_person(book: Daybook, row: Row, write: Writer, language: str) -> Written | None:
    """Write a message to a person in words; None if it is outdated, or if the person may not or will not have it."""
    club = _club_of(book, row) if row.club is not None else None
    if row.club is not None and club is None:
        return None
    if club is not None and row.occasion not in ACCOUNT_OCCASIONS:
        if row.occasion not in choices.chosen_by(book, row.person, row.method):
            return None
        if row.occasion in CHOSEN_BY_CLUBS and not club.roles(row.person):
            return None
        if audience.is_declined(club, row.occasion, row.subject, row.person):
            return None
    return write(Draft(club, row.occasion, row.subject, language, row.person))


def _note_personal_answer(book: Daybook, row: Row, answer: Answer, *, is_final: bool) -> None:
    """Note the answer to a message to a person; try again later for three days."""
    at, attempts = now(), row.attempts + 1
    if answer.is_accepted:
        _note(book, row.id, state="sent", attempts=attempts, answer=answer.text, sent_at=at, address=None)
    elif is_final or row.at <= later_time(at, hours=-GIVE_UP_HOURS):
        _note(book, row.id, state="failed", attempts=attempts, answer=answer.text, address=None)
    else:
        _note(book, row.id, attempts=attempts, answer=answer.text, due=_next_attempt(at, attempts, answer))


def _next_attempt(at: str, attempts: int, answer: Answer) -> str:
    wait: float = RETRY_SECONDS[min(attempts, len(RETRY_SECONDS)) - 1]
    if answer.retry_seconds is not None:
        wait = max(wait, min(answer.retry_seconds, MAX_RETRY_SECONDS))
    return later_time(at, seconds=wait)


def _note_answer(book: Daybook, row: Row, webhook: Webhook, answer: Answer, edited: bool) -> None:
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
    _note(book, row.id, attempts=attempts, answer=answer.text, due=_next_attempt(at, attempts, answer))
    book.kept.engine.write(kept_webhook.update().where(kept_webhook.c.club == row.club).values(failing_since=since))


def _note(book: Daybook, message_id: str, **values: object) -> None:
    book.kept.engine.write(kept_message.update().where(kept_message.c.id == message_id).values(**values))


def _switch_off(book: Daybook, club: UUID, why: str) -> None:
    """Send nothing more to a webhook, and tell the organisers by mail and push."""
    at = now()
    notice, to = Notice("webhook_off", at, at), list[Recipient]()
    with suppress(RecordErasedError, UnknownClubError):
        to = _addressees(book.clubs.get(club), notice, (), recipients(book))
    with book.kept.engine.begin() as c:
        insert_missing(c, kept_message, [_row(club, 0, notice, at, who) for who in to])
        c.execute(kept_webhook.update().where(kept_webhook.c.club == club).values(off_why=why))
        waiting = kept_message.c.club == club, kept_message.c.state == "waiting", kept_message.c.method == "webhook"
        c.execute(kept_message.update().where(*waiting).values(state="failed"))


def _seconds_to_wait(book: Daybook, row: Row, at: str) -> float:
    """Return how long a club or a person with many messages within an hour has to wait."""
    channel = kept_message.c.club == row.club if row.method == "webhook" else kept_message.c.person == row.person
    if row.method != "webhook" and not row.person:
        return 0.0  # an invitation: limited when it was requested
    recent = channel, kept_message.c.method == row.method, kept_message.c.sent_at > later_time(at, hours=-1)
    query = sa.select(kept_message.c.sent_at).where(*recent).order_by(kept_message.c.sent_at.desc()).limit(MAX_PER_HOUR)
    sent = book.kept.engine.values(query)
    if len(sent) < MAX_PER_HOUR:
        return 0.0
    ends = datetime.fromisoformat(later_time(sent[-1], hours=1))
    return max(1.0, (ends - datetime.now(UTC)).total_seconds())


def _message_to_edit(book: Daybook, row: Row) -> str:
    """Return the receiver's id of an earlier message about the same result, or ""."""
    if row.occasion != "result":
        return ""
    about = kept_message.c.club == row.club, kept_message.c.subject == row.subject, kept_message.c.method == "webhook"
    sent = kept_message.c.state == "sent", kept_message.c.receiver_id.is_not(None)
    query = (
        sa.select(kept_message.c.receiver_id)
        .where(*about, *sent, kept_message.c.occasion == "result")
        .order_by(kept_message.c.sent_at.desc())
        .limit(1)
    )
    return book.kept.engine.value(query) or ""


def messages_of(book: Daybook, club: UUID) -> list[MessageShown]:
    """Return the newest messages to a club's webhook."""
    return _list_messages(book, kept_message.c.club == club, kept_message.c.method == "webhook")


def messages_to(book: Daybook, person: str) -> list[MessageShown]:
    """Return the newest messages to a person that were sent, wait after a failure, or could not be sent."""
    tried = sa.or_(kept_message.c.attempts > 0, kept_message.c.state == "sent")
    return _list_messages(book, kept_message.c.person == person, tried)


def _list_messages(book: Daybook, *which: sa.ColumnElement[bool]) -> list[MessageShown]:
    query = sa.select(kept_message).where(*which)
    rows = book.kept.engine.rows(query.order_by(kept_message.c.at.desc(), kept_message.c.due.desc()).limit(SHOWN_LIMIT))
    return [
        MessageShown(row.occasion, row.subject, row.at, row.due, row.state, row.attempts, row.answer, row.sent_at)
        for row in rows
    ]
