"""Accounts: credentials, sessions, keys of programs, and a log of changes.

A person (`kept_person`) may have an account; a guest has none. Cookies and keys are stored as digests only, so a stolen
database signs no one in.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Literal, get_args
from uuid import UUID, uuid4

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.kernel.texts import composed
from daybook.domain.league.event_checks.common import person_fault
from daybook.services.clock import later_time, now
from daybook.services.limits import LimitExceededError
from daybook.services.names import NAME_LIMIT, appearance_key, clean_name
from daybook.services.people import link_sign_ins, passwords, sign_in_limits
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.kept import (
    kept_account,
    kept_calendar,
    kept_change,
    kept_invitation,
    kept_key,
    kept_link_sign_in,
    kept_mail,
    kept_merged_account,
    kept_person,
    kept_session,
    lock_person,
    note_looks,
)
from daybook.services.structs import copy_fields

logger = logging.getLogger(__name__)

SESSION_DAYS = 30  # since the last visit
SESSION_LONGEST_DAYS = 180
SEEN_MINUTES = 60  # between two updates of `seen_at`
SESSIONS_LIMIT = 30  # per person; the least recently used one ends
KEY_DAYS, KEY_DAYS_DEFAULT = (30, 90, 365), 90  # the lifetimes that are offered
KEYS_LIMIT = 20  # per person
KEY_NAME_LIMIT = 60
ADDRESS_LIMIT = 200
DEVICE_LIMIT = 60
SIGN_IN_MIN_LENGTH, SIGN_IN_MAX_LENGTH = 3, 40
SIGN_IN_PUNCTUATION = "._-@+"
Scope = Literal["read", "record", "organise"]  # of a key: each includes those before it
KEY_PREFIX = "dbk_"

What = Literal[
    "account_made",
    "signed_in_by_link",
    "password_set",
    "password_removed",
    "sign_in_changed",
    "name_changed",
    "address_changed",
    "mail_changed",
    "mail_verified",
    "mail_removed",
    "portrait_changed",
    "portrait_removed",
    "session_ended",
    "sessions_ended",
    "key_made",
    "key_revoked",
    "calendar_made",
    "calendar_revoked",
    "link_made",
    "link_revoked",
    "link_undone",
    "link_confirmed",
    "links_allowed",
    "links_forbidden",
    "accounts_merged",
    "invited",
    "joined",
    "roles_changed",
    "left",
    "merged",
    "split",
    "anonymised",
    "files_cleaned",
    "seat_claimed",
    "seat_left",
]


REVOKED_WAYS_IN: Sequence[tuple[sa.Table, What]] = ((kept_key, "key_revoked"), (kept_calendar, "calendar_revoked"))


class InvalidAccountError(ValueError):
    """An account's data is invalid: `field` and `reason` say what to correct. Nothing was changed."""

    def __init__(self, field: str, reason: Reason) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


NO_ACCOUNT = because("no_account", "this person has no account yet: invite them")

TAKEN = because("taken", "this sign-in name is taken: choose another")


class WrongCredentialsError(Exception):
    """The sign-in name and the password do not match. The error does not say which one is wrong."""


class Account(Frozen):
    """Account of a person."""

    person: str
    name: str
    sign_in: str | None  # None: the person signs in with links only
    address: str
    has_password: bool
    made_at: str
    password_at: str | None
    club: UUID | None = None  # the club that invited the person, until the owner sets another password
    by_link: str | None = None  # the link sign-in with which the password was set


class Session(Frozen):
    """Session of one browser."""

    id: str  # a digest: it opens nothing
    person: str
    device: str  # as the browser describes it
    made_at: str
    seen_at: str
    ends_at: str
    name: str = ""  # of the person; only `session_of` reads it
    links_used: bool = False  # a link signed the person in recently; only `session_of` reads it


class Key(Frozen):
    """Key of a person's program."""

    id: str  # a digest: it opens nothing
    person: str
    name: str
    made_at: str
    seen_at: str | None
    ends_at: str
    scope: Scope
    made_with: str | None  # the id of the key that created it

    @property
    def has_ended(self) -> bool:
        return self.ends_at <= now()


class Change(Frozen):
    """Change of a person's data."""

    at: str
    person: str
    by: str  # a person's id, or "operator"
    what: What


# --- accounts --------------------------------------------------------------------------------------------------------


def make_account(
    book: Daybook,
    name: str,
    *,
    sign_in: str = "",
    password: str = "",
    person: str | None = None,
    by: str = "",
    club: UUID | None = None,
    along: Callable[[sa.Connection, str], None] = lambda c, person: None,
) -> str:
    """Create an account with both sign-in name and password, or with neither; return the person's id.

    Args:
        person: the id of a person who has no account yet; None: a new person.
        by: the person who invited them; empty: the person.
        club: the club that they were invited to.
        along: writes more in the same transaction; if it raises, no account is created.

    Raises:
        InvalidAccountError, BadNameError, PasswordsBusyError, and what `along` raises.
    """
    name = clean_name("name", name, NAME_LIMIT)
    fault = None if person is None else person_fault(person)  # other texts may have a meaning as a writer's name
    if fault is not None:
        raise InvalidAccountError("person", fault)
    sign_in, password_hash = _credentials(sign_in, password)
    person_id, at = person or uuid4().hex, now()
    try:
        with book.kept.engine.begin() as c:
            along(c, person_id)
            if is_merged(c, person_id):
                raise InvalidAccountError("person", because("has_account", "this person already has an account"))
            upsert(c, kept_person, [{"id": person_id, "name": name}], ["id"])
            note_looks(c, {person_id: name})
            c.execute(
                kept_account.insert().values(
                    person=person_id,
                    sign_in=sign_in or None,
                    password=password_hash,
                    address="",
                    made_at=at,
                    password_at=at if password_hash else None,
                    club=club,
                )
            )
            if password_hash and link_sign_ins.is_reserved(c, sign_in, person_id):
                raise InvalidAccountError("sign_in", TAKEN)
            log_change(c, person_id, by or person_id, "account_made")
    except IntegrityError as error:
        if account_of(book, person_id) is not None:
            raise InvalidAccountError("person", because("has_account", "this person already has an account")) from error
        raise InvalidAccountError("sign_in", TAKEN) from error
    return person_id


def require_person(c: sa.Connection, person: str) -> None:
    """Refuse to store data of an anonymous person or a merged account.

    It locks the person, so that neither can happen before the transaction ends. Raises InvalidAccountError.
    """
    if not lock_person(c, person) or is_merged(c, person):
        raise InvalidAccountError("person", NO_ACCOUNT)


def is_merged(c: sa.Connection, person: str) -> bool:
    """Check if an id is that of an account that was merged into another one."""
    return c.scalar(sa.select(kept_merged_account.c.kept).where(kept_merged_account.c.gone == person)) is not None


def remove_account(book: Daybook, person: str) -> None:
    """Remove an account that was created just now; keep the person."""
    with book.kept.engine.begin() as c:
        c.execute(kept_account.delete().where(kept_account.c.person == person))


def account_of(book: Daybook, person: str) -> Account | None:
    matches = accounts_of(book, [person])
    return matches[0] if matches else None


def accounts_of(book: Daybook, people: Sequence[str]) -> list[Account]:
    """Return the accounts of these people; some have none."""
    query = (
        sa.select(kept_account, kept_person.c.name)
        .join(kept_person, kept_person.c.id == kept_account.c.person)
        .order_by(kept_person.c.name, kept_account.c.person)
    )
    rows = book.kept.engine.rows_where_in(query, kept_account.c.person, people)
    return [copy_fields(Account, row, has_password=row.password is not None) for row in rows]


def accounts_called(book: Daybook, name: str) -> list[Account]:
    """Return the accounts of people with a similar-looking name."""
    return accounts_of(book, [*book.kept.names_that_look([appearance_key(name)])])


def person_of_sign_in(book: Daybook, sign_in: str) -> str | None:
    """Return the person with a sign-in name, or with one that an undo of a link sign-in would restore."""
    folded = _fold_sign_in(sign_in)
    person = book.kept.engine.value(sa.select(kept_account.c.person).where(kept_account.c.sign_in == folded))
    return person or next((old.person for old in link_sign_ins.with_old_name(book, folded)), None)


def ids_merged_into(c: sa.Connection, person: str) -> Sequence[str]:
    """Return the ids of accounts that were merged into this person's."""
    gone = sa.select(kept_merged_account.c.gone).where(kept_merged_account.c.kept == person)
    return c.scalars(gone.order_by(kept_merged_account.c.at, kept_merged_account.c.gone)).all()


def merged_pairs(book: Daybook, people: Collection[str]) -> set[tuple[str, str]]:
    """Return the kept and the ended id of each merge of accounts that kept one of these ids."""
    query = sa.select(kept_merged_account.c.kept, kept_merged_account.c.gone)
    return {(row.kept, row.gone) for row in book.kept.engine.rows_where_in(query, kept_merged_account.c.kept, people)}


def merged_with(book: Daybook, person: str) -> Sequence[str]:
    """Return the ids of accounts that were merged into this person's, in a transaction of its own."""
    with book.kept.engine.connect() as c:
        return ids_merged_into(c, person)


def rename_person(book: Daybook, person: str, name: str, *, by: str) -> None:
    """Rename a person in all games, unless they are anonymous. Raises BadNameError."""
    name = clean_name("name", name, NAME_LIMIT)
    with book.kept.engine.begin() as c:
        ids = [person, *ids_merged_into(c, person)]
        update = kept_person.update().where(kept_person.c.id.in_(ids), kept_person.c.name != name).values(name=name)
        if lock_person(c, person) and c.execute(update).rowcount:
            note_looks(c, dict.fromkeys(ids, name))
            log_change(c, person, by, "name_changed")


def release_from_club(book: Daybook, person: str) -> None:
    """Detach an account from the club that invited it, and end its open sign-in links."""
    with book.kept.engine.begin() as c:
        c.execute(kept_account.update().where(kept_account.c.person == person).values(club=None))
        end_sign_in_links(c, person)
        log_change(c, person, person, "links_forbidden")


def set_address(book: Daybook, person: str, address: str, *, by: str) -> None:
    """Set the address at which a person can be reached; organisers of the person's clubs see it.

    Raises InvalidAccountError.
    """
    address = " ".join(address.split())
    if len(address) > ADDRESS_LIMIT or not (address.isprintable() or not address):
        raise InvalidAccountError(
            "address",
            because("too_long", "an address has at most {limit} characters that can be shown", limit=ADDRESS_LIMIT),
        )
    was = account_of(book, person)
    if was is not None and was.address != address:
        with book.kept.engine.begin() as c:
            c.execute(kept_account.update().where(kept_account.c.person == person).values(address=address))
            log_change(c, person, by, "address_changed")


def set_password(
    book: Daybook, person: str, sign_in: str, password: str, *, but: str = "", by_link: str | None = None, by: str
) -> int:
    """Set a person's sign-in name and password; return how many keys and calendar addresses ended.

    It ends the sessions and the other ways into the account, except the session `but`. The caller has checked that
    the request comes from the person.

    Args:
        by_link: the link sign-in with which the caller's session began. While it can be undone, the old password
            still works and devices that signed in before stay signed in.

    Raises:
        InvalidAccountError, Busy.
    """
    if not password:
        raise InvalidAccountError(
            "password", because("too_short", "a password has at least {least} characters", least=passwords.MIN_LENGTH)
        )
    sign_in, password_hash = _credentials(sign_in, password)
    try:
        with book.kept.engine.begin() as c:
            was = c.execute(sa.select(kept_account).where(kept_account.c.person == person).with_for_update()).first()
            if was is None:
                raise InvalidAccountError("person", NO_ACCOUNT)
            opened = link_sign_ins.open_in(c, person)
            on_trial = link_sign_ins.is_open(opened, by_link)
            c.execute(
                kept_account.update()
                .where(kept_account.c.person == person)
                .values(
                    sign_in=sign_in,
                    password=password_hash,
                    password_at=now(),
                    club=None,
                    by_link=by_link if on_trial else None,
                )
            )
            if link_sign_ins.is_reserved(c, sign_in, person):
                raise InvalidAccountError("sign_in", TAKEN)
            if was.sign_in != sign_in:
                log_change(c, person, by, "sign_in_changed")
            log_change(c, person, by, "password_set")
            link_sign_ins.remove_link_sign_ins(c, link_sign_ins.later_than(opened, by_link), person, but=but)
            if on_trial:
                c.execute(kept_session.delete().where(kept_session.c.by_link == by_link, kept_session.c.id != but))
                end_sign_in_links(c, person)
                ended = 0
            else:
                ended = end_ways_in(c, person, but=but, by=by)
    except IntegrityError as error:
        raise InvalidAccountError("sign_in", TAKEN) from error
    sign_in_limits.forget_tries(book, sign_in)
    return ended


def end_ways_in(c: sa.Connection, person: str, *, but: str = "", by: str) -> int:
    """End a person's sessions except one, sign-in links, keys and calendar addresses.

    An intruder may have created any of them in order to return. Return how many keys and addresses ended.
    """
    c.execute(kept_session.delete().where(kept_session.c.person == person, kept_session.c.id != but))
    end_sign_in_links(c, person)
    c.execute(kept_mail.update().where(kept_mail.c.person == person).values(signs_in=False))
    ended = 0
    for table, what in REVOKED_WAYS_IN:
        gone = c.execute(table.delete().where(table.c.person == person)).rowcount
        ended += gone
        for _ in range(gone):
            log_change(c, person, by, what)
    return ended


def end_sign_in_links(c: sa.Connection, person: str) -> None:
    """No link that waits signs the person in any more."""
    waits = (kept_invitation.c.used_at.is_(None), kept_invitation.c.revoked_at.is_(None))
    c.execute(
        kept_invitation.update()
        .where(kept_invitation.c.person == person, kept_invitation.c.club.is_(None), *waits)
        .where(kept_invitation.c.ends_at > now())
        .values(revoked_at=now())
    )


def is_password(book: Daybook, person: str, password: str, origin: str) -> bool:
    """Check the current password of a signed-in person; a wrong one counts as a failed sign-in.

    Raises LimitExceededError, PasswordsBusyError.
    """
    current = account_of(book, person)
    names = [current.sign_in if current else None, *(old.sign_in for old in link_sign_ins.open_of(book, person))]
    for name in dict.fromkeys(filter(None, names)):
        with suppress(WrongCredentialsError):
            if check_sign_in(book, name, password, origin, seen_before=True) == person:
                return True
    return False


def _credentials(sign_in: str, password: str) -> tuple[str, str | None]:
    """Return the folded sign-in name and the password's hash; both empty if both are missing.

    Raises InvalidAccountError, PasswordsBusyError.
    """
    if not sign_in.strip() and not password:
        return "", None
    folded = _fold_sign_in(sign_in)
    if not SIGN_IN_MIN_LENGTH <= len(folded) <= SIGN_IN_MAX_LENGTH:
        raise InvalidAccountError(
            "sign_in",
            because(
                "length",
                "a sign-in name has {least} to {most} characters",
                least=SIGN_IN_MIN_LENGTH,
                most=SIGN_IN_MAX_LENGTH,
            ),
        )
    if not all(character.isalnum() or character in SIGN_IN_PUNCTUATION for character in folded):
        raise InvalidAccountError(
            "sign_in",
            because(
                "signs", "a sign-in name is made of letters, digits and {signs}", signs=" ".join(SIGN_IN_PUNCTUATION)
            ),
        )
    weak = passwords.weakness(password, folded)
    if weak is not None:
        raise InvalidAccountError("password", weak)
    return folded, passwords.hash_password(password)


def _fold_sign_in(sign_in: str) -> str:
    """Normalise a sign-in name for comparison: case and composition do not matter."""
    return composed(sign_in, "NFKC").strip().casefold()


# --- signing in ------------------------------------------------------------------------------------------------------


def sign_in(
    book: Daybook,
    name: str,
    password: str,
    *,
    origin: str,
    device: str,
    seen_before: bool = False,
    link: str = "",
    wait: Callable[[float], object] = time.sleep,
    counted: bool = False,
) -> str:
    """Sign in with a password; return the token for the browser's cookie. Raises as `check_sign_in` does."""
    try:
        person, by_link = prove_sign_in(
            book, name, password, origin, seen_before, link=link, wait=wait, counted=counted
        )
        return begin_session(book, person, device, along=lambda c: by_link)
    except InvalidAccountError as error:
        raise WrongCredentialsError from error


def check_sign_in(
    book: Daybook,
    name: str,
    password: str,
    origin: str,
    seen_before: bool = False,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> str:
    """Return the person of a sign-in name and its password. Raises as `prove_sign_in` does."""
    return prove_sign_in(book, name, password, origin, seen_before, wait=wait)[0]


def prove_sign_in(
    book: Daybook,
    name: str,
    password: str,
    origin: str,
    seen_before: bool = False,
    *,
    link: str = "",
    wait: Callable[[float], object] = time.sleep,
    counted: bool = False,
) -> tuple[str, str | None]:
    """Return the person of a sign-in name and its password, and the link sign-in with which that password was set.

    Unknown names take equally long. A password that a link sign-in replaced works too, while it can be undone.

    Args:
        seen_before: the user has signed in before in this browser.
        link: the id of a working link that the browser holds.
        wait: sleeps for the seconds until it is this try's turn.
        counted: this try was counted already, and has waited.

    Raises:
        WrongCredentialsError, LimitExceededError, PasswordsBusyError.
    """
    folded = _fold_sign_in(name)
    try:
        seconds = 0.0 if counted else sign_in_limits.count_sign_in(book, folded, origin, seen_before, link)
    except LimitExceededError:
        _log_failure(book, folded, origin, "too many tries")
        raise
    if seconds:
        wait(seconds)
    row = book.kept.engine.row(sa.select(kept_account).where(kept_account.c.sign_in == folded))
    olds = {old.password: old for old in reversed(link_sign_ins.with_old_name(book, folded)) if old.password}
    candidates: list[Any] = [*reversed(olds.values())]
    if row is None or row.password not in olds:
        candidates.append(row)
    proven = next(
        (candidate for candidate in candidates if passwords.matches_hash(password, candidate and candidate.password)),
        None,
    )
    if proven is None:
        _log_failure(book, folded, origin, "wrong name or password")
        raise WrongCredentialsError
    sign_in_limits.uncount_sign_in(book, folded, origin, seen_before)
    if passwords.needs_rehash(proven.password):
        rehashed = passwords.hash_password(password)
        for table in (kept_account, kept_link_sign_in):
            book.kept.engine.write(
                table.update()
                .where(table.c.person == proven.person, table.c.password == proven.password)
                .values(password=rehashed)
            )
    return proven.person, proven.by_link


def _log_failure(book: Daybook, name: str, origin: str, why: str) -> None:
    """Log a failed sign-in by a digest of the name: users sometimes type a password as their name."""
    mark = sign_in_limits.mark_of_name(book, name)
    logger.warning("sign-in failed: %s; name %s, from %s", why, mark, origin or "an unknown address")


def begin_session(
    book: Daybook, person: str, device: str, along: Callable[[sa.Connection], str | None] = lambda c: None
) -> str:
    """Begin a session; return the token for the browser's cookie. The caller has authenticated the person.

    `along` writes more in the same transaction and returns the link sign-in with which the session begins; if it
    raises, nothing is written. Raises InvalidAccountError for a person who has been made anonymous meanwhile.
    """
    token, at = secrets.token_urlsafe(24), now()
    with book.kept.engine.begin() as c:
        require_person(c, person)
        by_link = along(c)
        c.execute(kept_session.delete().where(kept_session.c.ends_at <= at))
        surplus = (
            sa.select(kept_session.c.id)
            .where(kept_session.c.person == person, kept_session.c.by_link.is_not_distinct_from(by_link))
            .order_by(kept_session.c.seen_at.desc(), kept_session.c.id)
            .offset(SESSIONS_LIMIT - 1)  # a link never ends the sessions of devices that can undo it
        )
        old = c.scalars(surplus).all()
        c.execute(kept_session.delete().where(kept_session.c.id.in_(old)))
        c.execute(
            kept_session.insert().values(
                id=digest(token),
                person=person,
                device=device[:DEVICE_LIMIT],
                made_at=at,
                seen_at=at,
                ends_at=later_time(at, days=SESSION_DAYS),
                by_link=by_link,
            )
        )
    logger.info("signed in: %s", person)
    return token


def links_used(person: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Build the condition that a link signed a person in recently."""
    return sa.exists().where(kept_link_sign_in.c.person == person)


SESSION_NOW = (  # built once: every request of a signed-in user runs it, and building takes twice as long as running
    sa.select(kept_session, kept_person.c.name, links_used(kept_session.c.person).label("links_used"))
    .outerjoin(kept_person, kept_person.c.id == kept_session.c.person)
    .where(kept_session.c.id == sa.bindparam("id"), kept_session.c.ends_at > sa.bindparam("at"))
)


def session_of(book: Daybook, token: str) -> Session | None:
    """Return the session of a cookie with the person's name, and record the visit; None if it has ended."""
    row = book.kept.engine.row(SESSION_NOW, {"id": digest(token), "at": now()})
    if row is None:
        return None
    session = msgspec.structs.replace(_session(row), name=row.name or "", links_used=bool(row.links_used))
    return touch_session(book, session)


def touch_session(book: Daybook, session: Session) -> Session:
    """Record the visit of a session if the last record is old, which extends it."""
    at = now()
    if later_time(session.seen_at, minutes=SEEN_MINUTES) < at:
        ends = min(later_time(at, days=SESSION_DAYS), later_time(session.made_at, days=SESSION_LONGEST_DAYS))
        with suppress(CannotWriteError), book.kept.engine.begin() as c:  # a full disk stops no reader
            c.execute(kept_session.update().where(kept_session.c.id == session.id).values(seen_at=at, ends_at=ends))
    return session


def is_still_valid(book: Daybook, way: Session | Key) -> bool:
    """Check if a session or key is still valid, without recording a visit."""
    if isinstance(way, Key):
        query = sa.select(kept_key.c.id).where(kept_key.c.id == way.id, kept_key.c.ends_at > now())
    else:
        query = sa.select(kept_session.c.id).where(kept_session.c.id == way.id, kept_session.c.ends_at > now())
    return book.kept.engine.value(query) is not None


def sessions_of(book: Daybook, person: str) -> list[Session]:
    """Return a person's sessions, the newest visit first."""
    query = sa.select(kept_session).where(kept_session.c.person == person, kept_session.c.ends_at > now())
    return [
        _session(row) for row in book.kept.engine.rows(query.order_by(kept_session.c.seen_at.desc(), kept_session.c.id))
    ]


def end_session(book: Daybook, person: str, session_id: str, *, by: str) -> bool:
    """End a session of a person; return False if the person has none with this id."""
    with book.kept.engine.begin() as c:
        ended = c.execute(kept_session.delete().where(kept_session.c.id == session_id, kept_session.c.person == person))
        if ended.rowcount:
            log_change(c, person, by, "session_ended")
    return bool(ended.rowcount)


def end_sessions(book: Daybook, person: str, *, but: str = "", by: str) -> int:
    """End all of a person's sessions except one; return how many."""
    with book.kept.engine.begin() as c:
        ended = c.execute(kept_session.delete().where(kept_session.c.person == person, kept_session.c.id != but))
        if ended.rowcount:
            log_change(c, person, by, "sessions_ended")
    return int(ended.rowcount)


def _session(row: Any) -> Session:
    return copy_fields(Session, row, name="", links_used=False)


def digest(secret: str) -> str:
    """Return the SHA-256 digest of a secret, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


# --- keys of programs ------------------------------------------------------------------------------------------------


def make_key(
    book: Daybook,
    person: str,
    name: str,
    days: int = KEY_DAYS_DEFAULT,
    scope: Scope = "organise",
    made_with: Key | None = None,
) -> str:
    """Create a key for a program of a person, and return it; only its digest is stored.

    Args:
        made_with: the key with which the program calls; the new key ends no later and has a narrower scope.

    Raises BadNameError, InvalidAccountError.
    """
    name = clean_name("key", name, KEY_NAME_LIMIT)
    if days not in KEY_DAYS:
        raise InvalidAccountError("key_days", because("key_days", "choose one of the periods that are offered"))
    at = now()
    ends_at = later_time(at, days=days)
    if scope not in get_args(Scope) or (
        made_with is not None and get_args(Scope).index(scope) >= get_args(Scope).index(made_with.scope)
    ):
        raise InvalidAccountError(
            "scope", because("key_scope", "choose a scope that is offered, narrower than the key's own")
        )
    if made_with is not None:
        ends_at = min(ends_at, made_with.ends_at)
    key = KEY_PREFIX + secrets.token_urlsafe(32)
    count = sa.select(sa.func.count()).select_from(kept_key).where(kept_key.c.person == person)
    with book.kept.engine.begin() as c:
        require_person(c, person)  # locks the person, so that the count is exact
        c.execute(kept_key.delete().where(kept_key.c.person == person, kept_key.c.ends_at <= at))
        if c.scalars(count).one() >= KEYS_LIMIT:
            raise InvalidAccountError(
                "key", because("too_many", "a person has at most {limit} keys: revoke one first", limit=KEYS_LIMIT)
            )
        c.execute(
            kept_key.insert().values(
                id=digest(key),
                person=person,
                name=name,
                made_at=at,
                seen_at=None,
                ends_at=ends_at,
                scope=scope,
                made_with=None if made_with is None else made_with.id,
            )
        )
        log_change(c, person, person, "key_made")
    return key


def read_key(book: Daybook, key: str) -> Key | None:
    """Return a person's key if it works, and record its use if the last record is old."""
    if not key.startswith(KEY_PREFIX):
        return None
    at = now()
    row = book.kept.engine.row(sa.select(kept_key).where(kept_key.c.id == digest(key), kept_key.c.ends_at > at))
    if row is None:
        return None
    if row.seen_at is None or later_time(row.seen_at, minutes=SEEN_MINUTES) < at:
        with suppress(CannotWriteError), book.kept.engine.begin() as c:
            c.execute(kept_key.update().where(kept_key.c.id == row.id).values(seen_at=at))
    return copy_fields(Key, row)


def keys_of_person(book: Daybook, person: str) -> list[Key]:
    query = sa.select(kept_key).where(kept_key.c.person == person)
    return [copy_fields(Key, row) for row in book.kept.engine.rows(query.order_by(kept_key.c.made_at, kept_key.c.id))]


def revoke_key(book: Daybook, person: str, key_id: str, *, by: str) -> bool:
    """Revoke a key and the keys created with it; return False if the person has none with this id."""
    with book.kept.engine.begin() as c:
        gone = c.execute(
            kept_key.delete().where(
                sa.or_(kept_key.c.id == key_id, kept_key.c.made_with == key_id), kept_key.c.person == person
            )
        )
        if gone.rowcount:
            log_change(c, person, by, "key_revoked")
    return bool(gone.rowcount)


# --- log of changes --------------------------------------------------------------------------------------------------


def log_change(c: sa.Connection, person: str, by: str, what: What, at: str = "") -> None:
    """Log a change of a person's data in the same transaction, at a time or now."""
    assert what in get_args(What)
    c.execute(kept_change.insert().values(at=at or now(), person=person, by=by, what=what))


def changes_of(book: Daybook, people: Sequence[str], limit: int = 200) -> list[Change]:
    """Return the newest changes of these people's data, newest first."""
    query = sa.select(kept_change).order_by(kept_change.c.id.desc()).limit(limit)
    rows = book.kept.engine.rows_where_in(query, kept_change.c.person, people)
    return [copy_fields(Change, row) for row in sorted(rows, key=lambda row: -row.id)[:limit]]
