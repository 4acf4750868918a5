"""Mail addresses of accounts: optional, verified by a link, visible to their owner only, and never a sign-in name.

An address is stored encrypted with Daybook's secret. A keyed digest finds the accounts of an address that someone enters
to get a sign-in link.
"""

from __future__ import annotations

import hmac
import json
import secrets
from typing import Any

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.services.clock import later_time, now
from daybook.services.limits import LimitExceededError, add_to_window
from daybook.services.mail_syntax import mail_address_fault
from daybook.services.people.accounts import InvalidAccountError, log_change, require_person
from daybook.services.store import secret
from daybook.services.store.database import insert_once, upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_mail, kept_mail_refusal, kept_message, kept_message_choice, kept_push
from daybook.services.store.sealing import key_for, seal, unseal

PURPOSE = "mail"
CONFIRM_DAYS = 2
MAX_PER_ADDRESS_AND_DAY = 5  # mails that were requested for one address: confirmations, sign-in links, invitations
DAY_SECONDS = 86_400
MAX_ACCOUNTS_PER_ADDRESS = 5  # a family may share one
CONFIRM, STOP, REFUSE = "mail-confirm", "mail-stop", "mail-refuse"  # kinds of signed keys


class MailAddress(Frozen):
    """Address of a person. address: empty if Daybook's secret is another one now."""

    person: str
    id: str
    address: str
    language: str
    made_at: str
    verified_at: str | None
    signs_in: bool
    off_why: str | None

    @property
    def is_active(self) -> bool:
        return bool(self.verified_at and self.address and not self.off_why)


def set_address(book: Daybook, person: str, address: str, language: str) -> MailAddress:
    """Store a person's address, which is not verified yet, instead of an earlier one.

    Raises InvalidAccountError, LimitExceededError.
    """
    address = checked_address(address)
    count_mail(book, address)
    new = MailAddress(person, secrets.token_urlsafe(16), address, language, now(), None, True, None)
    row = {
        "person": person,
        "id": new.id,
        "sealed": seal(book, PURPOSE, person.encode(), address.encode()),
        "digest": digest_of_address(book, address),
        "language": language,
        "made_at": new.made_at,
        "verified_at": None,
        "signs_in": True,
        "off_why": None,
    }
    with book.kept.engine.begin() as c:
        require_person(c, person)
        upsert(c, kept_mail, [row], ["person"])
        _drop_waiting(c, person)
        log_change(c, person, person, "mail_changed")
    return new


def checked_address(address: str) -> str:
    """Return an address without spaces around it. Raises InvalidAccountError."""
    address = address.strip()
    if mail_address_fault(address):
        raise InvalidAccountError("mail", because("no_address", "this is not a mail address: check its spelling"))
    return address


def count_mail(book: Daybook, address: str) -> None:
    """Count a mail that was requested for an address. Raises LimitExceededError."""
    subject = f"mail to {digest_of_address(book, address)}"
    count, until = add_to_window(book, subject, 1, DAY_SECONDS)
    if count > MAX_PER_ADDRESS_AND_DAY:
        raise LimitExceededError(until)


def digest_of_address(book: Daybook, address: str) -> str:
    return hmac.new(key_for(book, PURPOSE), f"address {address.casefold()}".encode(), "sha256").hexdigest()


def address_of(book: Daybook, person: str) -> MailAddress | None:
    row = book.kept.engine.row(sa.select(kept_mail).where(kept_mail.c.person == person))
    return None if row is None else _address_of_row(book, row)


def accounts_at(book: Daybook, address: str) -> list[MailAddress]:
    """Return the accounts that a link sent to this address may sign in."""
    query = sa.select(kept_mail).where(
        kept_mail.c.digest == digest_of_address(book, address),
        kept_mail.c.verified_at.is_not(None),
        kept_mail.c.signs_in,
        kept_mail.c.off_why.is_(None),
    )
    rows = book.kept.engine.rows(query.order_by(kept_mail.c.person).limit(MAX_ACCOUNTS_PER_ADDRESS))
    return [_address_of_row(book, row) for row in rows]


def _address_of_row(book: Daybook, row: sa.Row[tuple[object, ...]]) -> MailAddress:
    address = unseal(book, PURPOSE, row.person.encode(), bytes(row.sealed))
    shown = "" if address is None else address.decode()
    return MailAddress(row.person, row.id, shown, row.language, row.made_at, row.verified_at, row.signs_in, row.off_why)


def key_of(book: Daybook, kind: str, value: str) -> str:
    """Return the key of a link in a mail: its value, signed with Daybook's secret."""
    return secret.sign(secret.secret_of(book), kind, value)


def find_by_key(book: Daybook, kind: str, key: str) -> MailAddress | None:
    """Return the address of a key to confirm it or to stop its messages; None: unknown, or replaced meanwhile."""
    mail_id = secret.signed_value(secret.secret_of(book), kind, key)
    row = mail_id and book.kept.engine.row(sa.select(kept_mail).where(kept_mail.c.id == mail_id))
    found = _address_of_row(book, row) if row else None
    if kind == CONFIRM and found and not found.verified_at and found.made_at < later_time(now(), days=-CONFIRM_DAYS):
        return None
    return found


def confirm(book: Daybook, mail: MailAddress) -> None:
    """Note that the person reads mail at the address."""
    with book.kept.engine.begin() as c:
        unverified = kept_mail.c.id == mail.id, kept_mail.c.verified_at.is_(None)
        if c.execute(kept_mail.update().where(*unverified).values(verified_at=now())).rowcount:
            log_change(c, mail.person, mail.person, "mail_verified")


def change_language(book: Daybook, person: str, language: str) -> None:
    book.kept.engine.write(kept_mail.update().where(kept_mail.c.person == person).values(language=language))


def allow_sign_in(book: Daybook, person: str) -> None:
    """Let links sent to the person's address sign them in again. The caller has checked the password."""
    book.kept.engine.write(kept_mail.update().where(kept_mail.c.person == person).values(signs_in=True))


def remove_address(book: Daybook, person: str) -> bool:
    """Remove a person's address with the mails that wait. Return False if there is none."""
    with book.kept.engine.begin() as c:
        gone = bool(c.execute(kept_mail.delete().where(kept_mail.c.person == person)).rowcount)
        if gone:
            _drop_waiting(c, person)
            log_change(c, person, person, "mail_removed")
    return gone


def _drop_waiting(c: sa.Connection, person: str) -> None:
    waiting = kept_message.c.person == person, kept_message.c.method == "mail", kept_message.c.state == "waiting"
    c.execute(kept_message.update().where(*waiting).values(state="dropped"))


def switch_off(book: Daybook, mail: MailAddress, answer: str) -> None:
    """Send nothing more to an address that the mail server refused."""
    book.kept.engine.write(kept_mail.update().where(kept_mail.c.id == mail.id).values(off_why=answer))


# --- addresses without an account ------------------------------------------------------------------------------------


def seal_address(book: Daybook, message_id: str, address: str) -> bytes:
    return seal(book, PURPOSE, message_id.encode(), address.encode())


def unseal_address(book: Daybook, message_id: str, sealed: bytes) -> str:
    """Return the address of a message; empty if Daybook's secret is another one now."""
    address = unseal(book, PURPOSE, message_id.encode(), sealed)
    return "" if address is None else address.decode()


def refuse_invitations(book: Daybook, digest: str) -> None:
    """Send no invitations to an address any more."""
    with book.kept.engine.begin() as c:
        insert_once(c, kept_mail_refusal, {"digest": digest, "at": now()})


def refuses_invitations(book: Daybook, address: str) -> bool:
    query = sa.select(kept_mail_refusal.c.at).where(kept_mail_refusal.c.digest == digest_of_address(book, address))
    return book.kept.engine.row(query) is not None


def export_messages(book: Daybook, person: str) -> dict[str, Any]:
    """Return everything that is stored of a person's messages, for that person."""
    mail = address_of(book, person)
    chosen = book.kept.engine.rows(sa.select(kept_message_choice).where(kept_message_choice.c.person == person))
    devices = book.kept.engine.rows(sa.select(kept_push).where(kept_push.c.person == person))
    sent = book.kept.engine.rows(sa.select(kept_message).where(kept_message.c.person == person))
    return {
        "mail": mail and {"address": mail.address, "since": mail.made_at, "confirmed": mail.verified_at},
        "chosen": {row.method: json.loads(row.occasions) for row in chosen},
        "devices": [{"device": row.device, "since": row.made_at} for row in devices],
        "sent": [{"occasion": row.occasion, "by": row.method, "at": row.at, "state": row.state} for row in sent],
    }
