"""One mail: its text and headers, and one attempt to send it with the operator's mail server."""

from __future__ import annotations

import smtplib
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

from daybook.domain.kernel.frozen import Frozen
from daybook.services.messages.webhooks import Answer
from daybook.services.settings import Settings

TIMEOUT_SECONDS = 10.0
MAX_SUBJECT_CHARACTERS = 150
SMTP_PORT, SMTPS_PORT = 587, 465
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NoEncryptionError(OSError):
    """The mail server offers no encryption for the password."""


class Mail(Frozen):
    """A mail in words.

    Args:
        id: of the message, the same in every attempt.
        stop_link: an address that stops such mails with one POST; empty: none is needed.
    """

    id: str
    to: str
    text: str
    stop_link: str = ""


def compose(settings: Settings, mail: Mail) -> EmailMessage:
    """Return the mail with its headers, as plain text."""
    host = urlsplit(settings.base_url or "").hostname or "localhost"
    composed = EmailMessage()
    composed["From"] = f"Daybook <{settings.mail_sender}>"
    composed["To"] = mail.to
    composed["Subject"] = mail.text.partition("\n")[0][:MAX_SUBJECT_CHARACTERS]
    composed["Date"] = format_datetime(datetime.now(UTC))
    composed["Message-ID"] = f"<{mail.id}@{host}>"
    composed["Auto-Submitted"] = "auto-generated"
    if mail.stop_link:
        composed["List-Unsubscribe"] = f"<{mail.stop_link}>"
        composed["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    composed.set_content(mail.text + "\n")
    return composed


def send_mail(settings: Settings, mail: Mail) -> Answer:
    """Send a mail once. Raises nothing for a failure of the mail server.

    The answer's status is that of the mail server for this recipient; 0 if it did not answer, or if its answer is not
    about the recipient.
    """
    try:
        with _connect(settings) as server:
            server.send_message(compose(settings, mail), settings.mail_sender, [mail.to])
    except smtplib.SMTPRecipientsRefused as refused:
        status, text = next(iter(refused.recipients.values()))
        return Answer(status, f"{status} {text.decode(errors='replace')}"[:200])
    except smtplib.SMTPResponseException as refused:
        return Answer(0, f"{refused.smtp_code} {type(refused).__name__}")
    except (OSError, smtplib.SMTPException, ValueError) as wrong:
        return Answer(0, f"no answer: {type(wrong).__name__}")
    return Answer(250, "250 OK")


def _connect(settings: Settings) -> smtplib.SMTP:
    """Connect to the mail server and sign in. The password is sent encrypted, except on this machine."""
    url = urlsplit(settings.smtp_url or "")
    host, context = url.hostname or "", ssl.create_default_context()
    own_name = urlsplit(settings.base_url or "").hostname or "localhost"
    if url.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            host, url.port or SMTPS_PORT, own_name, timeout=TIMEOUT_SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(host, url.port or SMTP_PORT, own_name, timeout=TIMEOUT_SECONDS)
    try:
        server.ehlo()
        if url.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        elif url.scheme == "smtp" and url.username and host not in LOOPBACK:
            raise NoEncryptionError(host)
        if url.username:
            server.login(unquote(url.username), unquote(url.password or ""))
    except BaseException:
        server.close()
        raise
    return server
