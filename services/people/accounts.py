"""Accounts: how a person signs in, with what, for how long, from where; and who changed what of it.

A person (`kept_person`) may have an account; a guest has none. What a browser's cookie and a program hold is drawn
here and kept as a digest, so that what the database holds opens nothing.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
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
    kept_merged_account,
    kept_person,
    kept_session,
    lock_person,
    note_looks,
)
from daybook.services.structs import copy_fields

logger = logging.getLogger(__name__)

SESSION_DAYS = 30  # without a visit
SESSION_LONGEST_DAYS = 180
SEEN_MINUTES = 60  # how often a visit is written down
SESSIONS_LIMIT = 30  # of one person; the one not seen for longest is ended
KEY_DAYS, KEY_DAYS_DEFAULT = (30, 90, 365), 90  # how long a key works, of which one is chosen
KEYS_LIMIT = 20
KEY_NAME_LIMIT = 60
ADDRESS_LIMIT = 200
DEVICE_LIMIT = 60
SIGN_IN_LEAST, SIGN_IN_MOST = 3, 40
SIGN_IN_SIGNS = "._-@+"
Scope = Literal["read", "record", "organise"]  # of a key: each includes those before it
KEY_MARK = "dbk_"  # what a person's keys begin with

What = Literal[
    "account_made",
    "signed_in_by_link",
    "password_set",
    "password_removed",
    "sign_in_changed",
    "name_changed",
    "address_changed",
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


ENDED: Sequence[tuple[sa.Table, What]] = ((kept_key, "key_revoked"), (kept_calendar, "calendar_revoked"))


class BadAccount(ValueError):
    """What was given cannot be kept: `field` and `reason` say what to correct. Nothing was changed."""

    def __init__(self, field: str, reason: Reason) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


NO_ACCOUNT = because("no_account", "this person has no account yet: invite them")

TAKEN = because("taken", "this sign-in name is taken: choose another")


class WrongSignIn(Exception):
    """The sign-in name and the password do not go together; which of the two is wrong is not told."""


class Account(Frozen):
    """A person's account.

    sign_in: None where the person signs in only with links. club: whose invitation created it, until its owner sets
    another password. by_link: the link sign-in with which the password was set.
    """

    person: str
    name: str
    sign_in: str | None
    address: str
    has_password: bool
    made_at: str
    password_at: str | None
    club: UUID | None = None
    by_link: str | None = None


class Session(Frozen):
    """One browser that is signed in. id opens nothing; device: what the browser says it is; name: of the person, where
    it was asked for; links_used: whether a link signed the person in lately, where that was asked for."""

    id: str
    person: str
    device: str
    made_at: str
    seen_at: str
    ends_at: str
    name: str = ""
    links_used: bool = False


class Key(Frozen):
    """A key of a person's programs. id opens nothing. made_with: the id of the key that created it."""

    id: str
    person: str
    name: str
    made_at: str
    seen_at: str | None
    ends_at: str
    scope: Scope
    made_with: str | None

    @property
    def has_ended(self) -> bool:
        return self.ends_at <= now()


class Change(Frozen):
    """Who changed what: by is a person's id or "operator"."""

    at: str
    person: str
    by: str
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
    """Make an account, with a sign-in name and a password or, for who comes by a link, with neither; the person's id.

    person: somebody who is known already and has none. by: who invited; club: into which; along: what is written with
    it, or forbids it. Raises BadAccount, BadNameError, Busy, and what `along` raises; then there is no account.
    """
    name = clean_name("name", name, NAME_LIMIT)
    wrong = None if person is None else person_fault(person)  # what is no person's id may be a word of ours
    if wrong is not None:
        raise BadAccount("person", wrong)
    sign_in, hash = _credentials(sign_in, password)
    id, at = person or uuid4().hex, now()
    try:
        with book.kept.engine.begin() as c:
            along(c, id)
            if is_merged(c, id):
                raise BadAccount("person", because("has_account", "this person already has an account"))
            upsert(c, kept_person, [{"id": id, "name": name}], ["id"])
            note_looks(c, {id: name})
            c.execute(
                kept_account.insert().values(
                    person=id,
                    sign_in=sign_in or None,
                    password=hash,
                    address="",
                    made_at=at,
                    password_at=at if hash else None,
                    club=club,
                )
            )
            if hash and link_sign_ins.is_reserved(c, sign_in, id):
                raise BadAccount("sign_in", TAKEN)
            log_change(c, id, by or id, "account_made")
    except IntegrityError as taken:
        if account(book, id) is not None:
            raise BadAccount("person", because("has_account", "this person already has an account")) from taken
        raise BadAccount("sign_in", TAKEN) from taken
    return id


def require_somebody(c: sa.Connection, person: str) -> None:
    """Refuse to keep anything of who was made anonymous or merged into another account, also while that was on its way.

    Raises BadAccount.
    """
    if not lock_person(c, person) or is_merged(c, person):
        raise BadAccount("person", NO_ACCOUNT)


def is_merged(c: sa.Connection, person: str) -> bool:
    """Check if an id is that of an account that was merged into another one."""
    return c.scalar(sa.select(kept_merged_account.c.kept).where(kept_merged_account.c.gone == person)) is not None


def remove_account(book: Daybook, person: str) -> None:
    """Remove an account that was made just now; the person stays."""
    with book.kept.engine.begin() as c:
        c.execute(kept_account.delete().where(kept_account.c.person == person))


def account(book: Daybook, person: str) -> Account | None:
    found = accounts(book, [person])
    return found[0] if found else None


def accounts(book: Daybook, people: Sequence[str]) -> list[Account]:
    """Those of these people who have an account."""
    query = (
        sa.select(kept_account, kept_person.c.name)
        .join(kept_person, kept_person.c.id == kept_account.c.person)
        .order_by(kept_person.c.name, kept_account.c.person)
    )
    found = book.kept.engine.rows_where_in(query, kept_account.c.person, people)
    return [copy_fields(Account, row, has_password=row.password is not None) for row in found]


def called(book: Daybook, name: str) -> list[Account]:
    """Return the accounts of the people whose name looks like this one."""
    return accounts(book, [*book.kept.names_that_look([appearance_key(name)])])


def person_of_sign_in(book: Daybook, sign_in: str) -> str | None:
    """Return whose sign-in name this is; also one that an undo of a link sign-in would restore."""
    folded = _fold_sign_in(sign_in)
    person = book.kept.engine.value(sa.select(kept_account.c.person).where(kept_account.c.sign_in == folded))
    return person or next((old.person for old in link_sign_ins.with_old_name(book, folded)), None)


def ids_merged_into(c: sa.Connection, person: str) -> Sequence[str]:
    """Return the ids of accounts that were merged into this person's."""
    gone = sa.select(kept_merged_account.c.gone).where(kept_merged_account.c.kept == person)
    return c.scalars(gone.order_by(kept_merged_account.c.at, kept_merged_account.c.gone)).all()


def merged_with(book: Daybook, person: str) -> Sequence[str]:
    """As `ids_merged_into`."""
    with book.kept.engine.connect() as c:
        return ids_merged_into(c, person)


def rename(book: Daybook, person: str, name: str, *, by: str) -> None:
    """Give a person another name, in all games; who was made anonymous keeps none. Raises BadNameError."""
    name = clean_name("name", name, NAME_LIMIT)
    with book.kept.engine.begin() as c:
        ids = [person, *ids_merged_into(c, person)]
        anew = kept_person.update().where(kept_person.c.id.in_(ids), kept_person.c.name != name).values(name=name)
        if lock_person(c, person) and c.execute(anew).rowcount:
            note_looks(c, dict.fromkeys(ids, name))
            log_change(c, person, by, "name_changed")


def release(book: Daybook, person: str) -> None:
    """Let an account no longer belong to the club whose invitation created it; links that wait end."""
    with book.kept.engine.begin() as c:
        c.execute(kept_account.update().where(kept_account.c.person == person).values(club=None))
        end_sign_in_links(c, person)
        log_change(c, person, person, "links_forbidden")


def set_address(book: Daybook, person: str, address: str, *, by: str) -> None:
    """Sets the address a person can be written to; the organisers of the person's clubs see it. Raises BadAccount."""
    address = " ".join(address.split())
    if len(address) > ADDRESS_LIMIT or not (address.isprintable() or not address):
        raise BadAccount(
            "address",
            because("too_long", "an address has at most {limit} characters that can be shown", limit=ADDRESS_LIMIT),
        )
    was = account(book, person)
    if was is not None and was.address != address:
        with book.kept.engine.begin() as c:
            c.execute(kept_account.update().where(kept_account.c.person == person).values(address=address))
            log_change(c, person, by, "address_changed")


def set_password(
    book: Daybook, person: str, sign_in: str, password: str, *, but: str = "", by_link: str | None = None, by: str
) -> int:
    """Give a person a sign-in name and a new password. Return how many keys and addresses ended.

    It ends the sessions and the other ways into the account, except the session `but`. The caller has checked that
    the request comes from the person.

    Args:
        by_link: the link sign-in with which the caller's session began. While it can be undone, the old password
            still works and devices that signed in before stay signed in.

    Raises:
        BadAccount, Busy.
    """
    if not password:
        raise BadAccount(
            "password", because("too_short", "a password has at least {least} characters", least=passwords.LEAST)
        )
    sign_in, hash = _credentials(sign_in, password)
    try:
        with book.kept.engine.begin() as c:
            was = c.execute(sa.select(kept_account).where(kept_account.c.person == person).with_for_update()).first()
            if was is None:
                raise BadAccount("person", NO_ACCOUNT)
            opened = link_sign_ins.open_in(c, person)
            on_trial = link_sign_ins.is_open(opened, by_link)
            c.execute(
                kept_account.update()
                .where(kept_account.c.person == person)
                .values(
                    sign_in=sign_in, password=hash, password_at=now(), club=None, by_link=by_link if on_trial else None
                )
            )
            if link_sign_ins.is_reserved(c, sign_in, person):
                raise BadAccount("sign_in", TAKEN)
            if was.sign_in != sign_in:
                log_change(c, person, by, "sign_in_changed")
            log_change(c, person, by, "password_set")
            link_sign_ins.remove(c, link_sign_ins.later_than(opened, by_link), person, but=but)
            if on_trial:
                c.execute(kept_session.delete().where(kept_session.c.by_link == by_link, kept_session.c.id != but))
                end_sign_in_links(c, person)
                ended = 0
            else:
                ended = end_ways_in(c, person, but=but, by=by)
    except IntegrityError as taken:
        raise BadAccount("sign_in", TAKEN) from taken
    sign_in_limits.forget(book, sign_in)
    return ended


def end_ways_in(c: sa.Connection, person: str, *, but: str = "", by: str) -> int:
    """End whatever opens an account beside its password, but one session: whoever was in the account may have made a
    link, a key or an address to come back by. How many keys and addresses there were."""
    c.execute(kept_session.delete().where(kept_session.c.person == person, kept_session.c.id != but))
    end_sign_in_links(c, person)
    ended = 0
    for table, what in ENDED:
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
    """Check the current password of the person who is signed in; a wrong one counts as a wrong sign-in.

    Raises LimitExceededError, PasswordsBusy.
    """
    found = account(book, person)
    names = [found.sign_in if found else None, *(old.sign_in for old in link_sign_ins.open_of(book, person))]
    for name in dict.fromkeys(filter(None, names)):
        with suppress(WrongSignIn):
            if check_sign_in(book, name, password, origin, known=True) == person:
                return True
    return False


def _credentials(sign_in: str, password: str) -> tuple[str, str | None]:
    """A sign-in name as it is kept, and the hash of a password: both or neither. Raises BadAccount, Busy."""
    if not sign_in.strip() and not password:
        return "", None
    folded = _fold_sign_in(sign_in)
    if not SIGN_IN_LEAST <= len(folded) <= SIGN_IN_MOST:
        raise BadAccount(
            "sign_in",
            because(
                "length", "a sign-in name has {least} to {most} characters", least=SIGN_IN_LEAST, most=SIGN_IN_MOST
            ),
        )
    if not all(sign.isalnum() or sign in SIGN_IN_SIGNS for sign in folded):
        raise BadAccount(
            "sign_in",
            because("signs", "a sign-in name is made of letters, digits and {signs}", signs=" ".join(SIGN_IN_SIGNS)),
        )
    weak = passwords.weakness(password, folded)
    if weak is not None:
        raise BadAccount("password", weak)
    return folded, passwords.hash_password(password)


def _fold_sign_in(sign_in: str) -> str:
    """A sign-in name as it is compared: neither case nor the keyboard matters."""
    return composed(sign_in, "NFKC").strip().casefold()


# --- signing in ------------------------------------------------------------------------------------------------------


def sign_in(
    book: Daybook,
    name: str,
    password: str,
    *,
    origin: str,
    device: str,
    known: bool = False,
    link: str = "",
    wait: Callable[[float], object] = time.sleep,
    counted: bool = False,
) -> str:
    """Sign in with a password; return what the browser's cookie is to hold. Raises as `check_sign_in` does."""
    try:
        person, by_link = prove_sign_in(book, name, password, origin, known, link=link, wait=wait, counted=counted)
        return begin_session(book, person, device, along=lambda c: by_link)
    except BadAccount as gone:
        raise WrongSignIn from gone


def check_sign_in(
    book: Daybook,
    name: str,
    password: str,
    origin: str,
    known: bool = False,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> str:
    """Return the person of a sign-in name and its password. Raises as `prove_sign_in` does."""
    return prove_sign_in(book, name, password, origin, known, wait=wait)[0]


def prove_sign_in(
    book: Daybook,
    name: str,
    password: str,
    origin: str,
    known: bool = False,
    *,
    link: str = "",
    wait: Callable[[float], object] = time.sleep,
    counted: bool = False,
) -> tuple[str, str | None]:
    """Return the person of a sign-in name and its password, and the link sign-in with which that password was set.

    Unknown names take as long. The password that a link sign-in replaced works too, while that can be undone.

    Args:
        known: the user has signed in before in this browser.
        link: the id of a working link that the browser holds.
        wait: called with the seconds until it is the turn of this try.
        counted: this very try has been counted, and has waited.

    Raises:
        WrongSignIn, LimitExceededError, PasswordsBusy.
    """
    folded = _fold_sign_in(name)
    try:
        seconds = 0.0 if counted else sign_in_limits.count_sign_in(book, folded, origin, known, link)
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
    proven = next((one for one in candidates if passwords.matches_hash(password, one and one.password)), None)
    if proven is None:
        _log_failure(book, folded, origin, "wrong name or password")
        raise WrongSignIn
    sign_in_limits.uncount_sign_in(book, folded, origin, known)
    if passwords.is_old(proven.password):
        anew = passwords.hash_password(password)
        for table in (kept_account, kept_link_sign_in):
            book.kept.engine.write(
                table.update()
                .where(table.c.person == proven.person, table.c.password == proven.password)
                .values(password=anew)
            )
    return proven.person, proven.by_link


def _log_failure(book: Daybook, name: str, origin: str, why: str) -> None:
    """What was typed stays out: people type their password in place of their name."""
    mark = sign_in_limits.mark_of_name(book, name)
    logger.warning("sign-in failed: %s; name %s, from %s", why, mark, origin or "an unknown address")


def begin_session(
    book: Daybook, person: str, device: str, along: Callable[[sa.Connection], str | None] = lambda c: None
) -> str:
    """A new session; what the browser's cookie is to hold. The caller has seen to it that it is the person.

    along: what is written with it, or forbids it; it returns the link sign-in with which the session begins. Raises BadAccount for who was made anonymous meanwhile, and what
    `along` raises; then there is none, and nothing was written.
    """
    token, at = secrets.token_urlsafe(24), now()
    with book.kept.engine.begin() as c:
        require_somebody(c, person)
        by_link = along(c)
        c.execute(kept_session.delete().where(kept_session.c.ends_at <= at))
        kept = (
            sa.select(kept_session.c.id)
            .where(kept_session.c.person == person, kept_session.c.by_link.is_not_distinct_from(by_link))
            .order_by(kept_session.c.seen_at.desc(), kept_session.c.id)
            .offset(SESSIONS_LIMIT - 1)  # a link never ends the sessions of devices that can undo it
        )
        old = c.scalars(kept).all()
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
    """Whether a link signed a person in lately: `link_sign_ins` tells which."""
    return sa.exists().where(kept_link_sign_in.c.person == person)


SESSION_NOW = (  # asked by every request of who is signed in: to put it together takes twice as long as to ask
    sa.select(kept_session, kept_person.c.name, links_used(kept_session.c.person).label("links_used"))
    .outerjoin(kept_person, kept_person.c.id == kept_session.c.person)
    .where(kept_session.c.id == sa.bindparam("id"), kept_session.c.ends_at > sa.bindparam("at"))
)


def session_of(book: Daybook, token: str) -> Session | None:
    """The session of a cookie, if it goes on, with the person's name; being asked for is a visit, which lets it go on
    for longer."""
    row = book.kept.engine.row(SESSION_NOW, {"id": digest(token), "at": now()})
    if row is None:
        return None
    found = msgspec.structs.replace(_session(row), name=row.name or "", links_used=bool(row.links_used))
    return touch_session(book, found)


def touch_session(book: Daybook, session: Session) -> Session:
    """A session that goes on: now and then it is written down that it was seen, which lets it go on for longer."""
    at = now()
    if later_time(session.seen_at, minutes=SEEN_MINUTES) < at:
        ends = min(later_time(at, days=SESSION_DAYS), later_time(session.made_at, days=SESSION_LONGEST_DAYS))
        with suppress(CannotWriteError), book.kept.engine.begin() as c:  # on a full disk people still read
            c.execute(kept_session.update().where(kept_session.c.id == session.id).values(seen_at=at, ends_at=ends))
    return session


def is_still_in(book: Daybook, way: Session | Key) -> bool:
    """Whether a session has not ended meanwhile, or a key works still; this is no visit."""
    if isinstance(way, Key):
        found = sa.select(kept_key.c.id).where(kept_key.c.id == way.id, kept_key.c.ends_at > now())
    else:
        found = sa.select(kept_session.c.id).where(kept_session.c.id == way.id, kept_session.c.ends_at > now())
    return book.kept.engine.value(found) is not None


def sessions(book: Daybook, person: str) -> list[Session]:
    """Sessions of a person, that is where they are signed in, the newest visit first."""
    query = sa.select(kept_session).where(kept_session.c.person == person, kept_session.c.ends_at > now())
    return [
        _session(row) for row in book.kept.engine.rows(query.order_by(kept_session.c.seen_at.desc(), kept_session.c.id))
    ]


def end_session(book: Daybook, person: str, id: str, *, by: str) -> bool:
    """End one of a person's sessions; False if the person has none of this id."""
    with book.kept.engine.begin() as c:
        ended = c.execute(kept_session.delete().where(kept_session.c.id == id, kept_session.c.person == person))
        if ended.rowcount:
            log_change(c, person, by, "session_ended")
    return bool(ended.rowcount)


def end_sessions(book: Daybook, person: str, *, but: str = "", by: str) -> int:
    """End all of a person's sessions but one; how many there were."""
    with book.kept.engine.begin() as c:
        ended = c.execute(kept_session.delete().where(kept_session.c.person == person, kept_session.c.id != but))
        if ended.rowcount:
            log_change(c, person, by, "sessions_ended")
    return int(ended.rowcount)


def _session(row: Any) -> Session:
    return copy_fields(Session, row, name="", links_used=False)


def digest(secret: str) -> str:
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
    """Create a key for a person's program, and return it; only its digest is stored.

    Args:
        made_with: the key of the program that asks: the new one ends no later, and has a narrower scope.

    Raises BadNameError, BadAccount.
    """
    name = clean_name("key", name, KEY_NAME_LIMIT)
    if days not in KEY_DAYS:
        raise BadAccount("key_days", because("key_days", "choose one of the periods that are offered"))
    at = now()
    ends_at = later_time(at, days=days)
    if scope not in get_args(Scope) or (
        made_with is not None and get_args(Scope).index(scope) >= get_args(Scope).index(made_with.scope)
    ):
        raise BadAccount("scope", because("key_scope", "choose a scope that is offered, narrower than the key's own"))
    if made_with is not None:
        ends_at = min(ends_at, made_with.ends_at)
    key = KEY_MARK + secrets.token_urlsafe(32)
    count = sa.select(sa.func.count()).select_from(kept_key).where(kept_key.c.person == person)
    with book.kept.engine.begin() as c:
        require_somebody(c, person)  # and nobody else counts at the same time
        c.execute(kept_key.delete().where(kept_key.c.person == person, kept_key.c.ends_at <= at))
        if c.scalars(count).one() >= KEYS_LIMIT:
            raise BadAccount(
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
    """The key of a person, if it works; being asked for is written down now and then."""
    if not key.startswith(KEY_MARK):
        return None
    at = now()
    row = book.kept.engine.row(sa.select(kept_key).where(kept_key.c.id == digest(key), kept_key.c.ends_at > at))
    if row is None:
        return None
    if row.seen_at is None or later_time(row.seen_at, minutes=SEEN_MINUTES) < at:
        with suppress(CannotWriteError), book.kept.engine.begin() as c:
            c.execute(kept_key.update().where(kept_key.c.id == row.id).values(seen_at=at))
    return copy_fields(Key, row)


def keys(book: Daybook, person: str) -> list[Key]:
    query = sa.select(kept_key).where(kept_key.c.person == person)
    return [copy_fields(Key, row) for row in book.kept.engine.rows(query.order_by(kept_key.c.made_at, kept_key.c.id))]


def revoke_key(book: Daybook, person: str, id: str, *, by: str) -> bool:
    """End a key, and the keys that it created; False if the person has none of this id."""
    with book.kept.engine.begin() as c:
        gone = c.execute(
            kept_key.delete().where(
                sa.or_(kept_key.c.id == id, kept_key.c.made_with == id), kept_key.c.person == person
            )
        )
        if gone.rowcount:
            log_change(c, person, by, "key_revoked")
    return bool(gone.rowcount)


# --- who changed what ------------------------------------------------------------------------------------------------


def log_change(c: sa.Connection, person: str, by: str, what: What, at: str = "") -> None:
    """Write down who changed what of a person, in the same transaction. at: when; empty: now."""
    assert what in get_args(What)
    c.execute(kept_change.insert().values(at=at or now(), person=person, by=by, what=what))


def changes(book: Daybook, people: Sequence[str], limit: int = 200) -> list[Change]:
    """What was changed of these people, the newest first."""
    query = sa.select(kept_change).order_by(kept_change.c.id.desc()).limit(limit)
    found = book.kept.engine.rows_where_in(query, kept_change.c.person, people)
    return [copy_fields(Change, row) for row in sorted(found, key=lambda row: -row.id)[:limit]]
