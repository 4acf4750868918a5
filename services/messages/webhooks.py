"""Webhooks: the address to which a club sends its messages, and one attempt to send.

An address is a secret: it is stored encrypted with Daybook's secret and never shown again. A message reaches public
addresses only, follows no redirect, and ends after five seconds or 64 KB of an answer.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import json
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, get_args
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.messages.occasions import CHOSEN_BY_CLUBS, Occasion
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_message, kept_webhook
from daybook.services.store.sealing import seal, unseal

Kind = Literal["discord", "slack", "standard"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HOSTS: dict[Kind, tuple[str, ...]] = {
    "discord": ("discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"),
    "slack": ("hooks.slack.com",),
}
DISCORD_PATH = re.compile(r"/api(/v\d+)?/webhooks/\d+/[\w-]+")
MAX_ADDRESS_CHARACTERS = 1_000
TIMEOUT_SECONDS = 5.0
MAX_ANSWER_BYTES = 64 * 1024
MAX_TEXT_CHARACTERS = 1_900  # Discord refuses more than 2,000
PURPOSE = "webhooks"
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # its addresses contain IPv4 addresses, also private ones
GONE: dict[Kind, frozenset[int]] = {  # answers after which an address is not tried again
    "discord": frozenset({401, 403, 404, 410}),
    "slack": frozenset({403, 404, 410}),
    "standard": frozenset({410}),
}


class BadAddressError(ValueError):
    """An address that Daybook does not send to. key: the reason, for the page's words."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Webhook(Frozen):
    """A club's webhook without its secrets."""

    club: UUID
    kind: Kind
    host: str
    language: str
    occasions: tuple[Occasion, ...]
    made_at: str
    failing_since: str | None
    off_why: str | None


class Sealed(Frozen):
    """The secrets of a webhook. signing: the key of Standard Webhooks, `whsec_` and base64."""

    address: str
    signing: str


class OutgoingMessage(Frozen):
    """A message in words. link: a page that opens for its readers, or "" without a public address."""

    id: str
    occasion: Occasion
    at: str
    club: str
    text: str
    link: str = ""
    receiver_id: str = ""  # of the message to edit


class Answer(Frozen):
    """Answer of a receiver. status: 0 if it did not answer; retry_seconds: as the receiver asked."""

    status: int
    text: str
    retry_seconds: float | None = None
    receiver_id: str = ""

    @property
    def is_accepted(self) -> bool:
        return 200 <= self.status < 300


# --- the address of a club -------------------------------------------------------------------------------------------


def save_webhook(
    book: Daybook, club: UUID, kind: Kind, address: str, language: str, occasions: Sequence[Occasion]
) -> str:
    """Store a club's webhook instead of an earlier one; return its signing secret, which is shown once.

    Raises BadAddressError.
    """
    split = check_address(kind, address, book.settings.webhooks_to_private_networks)
    sealed = Sealed(address, "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode())
    row = {
        "club": club,
        "kind": kind,
        "sealed": seal(book, PURPOSE, club.bytes, msgspec.json.encode(sealed)),
        "host": split.hostname or "",
        "language": language,
        "occasions": json.dumps(list(occasions)),
        "made_at": now(),
        "failing_since": None,
        "off_why": None,
    }
    with book.kept.engine.begin() as c:
        upsert(c, kept_webhook, [row], ["club"])
        c.execute(kept_message.update().where(kept_message.c.club == club).values(receiver_id=None))
    return sealed.signing


def change_webhook(book: Daybook, club: UUID, language: str, occasions: Sequence[Occasion]) -> None:
    """Change language and occasions, and send again if sending was switched off."""
    values = {"language": language, "occasions": json.dumps(list(occasions)), "failing_since": None, "off_why": None}
    book.kept.engine.write(kept_webhook.update().where(kept_webhook.c.club == club).values(**values))


def remove_webhook(book: Daybook, club: UUID) -> bool:
    """Remove a club's webhook with its waiting messages. Return False if there is none."""
    with book.kept.engine.begin() as c:
        waiting = kept_message.c.club == club, kept_message.c.state == "waiting", kept_message.c.method == "webhook"
        c.execute(kept_message.update().where(*waiting).values(state="dropped"))
        return bool(c.execute(kept_webhook.delete().where(kept_webhook.c.club == club)).rowcount)


def webhook_of(book: Daybook, club: UUID) -> Webhook | None:
    row = book.kept.engine.row(sa.select(kept_webhook).where(kept_webhook.c.club == club))
    if row is None:
        return None
    occasions = tuple(occasion for occasion in CHOSEN_BY_CLUBS if occasion in json.loads(row.occasions))
    return Webhook(row.club, row.kind, row.host, row.language, occasions, row.made_at, row.failing_since, row.off_why)


def secrets_of(book: Daybook, club: UUID) -> Sealed | None:
    """Return address and signing secret of a webhook; None if Daybook's secret is another one now."""
    sealed = book.kept.engine.value(sa.select(kept_webhook.c.sealed).where(kept_webhook.c.club == club))
    content = None if sealed is None else unseal(book, PURPOSE, club.bytes, bytes(sealed))
    return None if content is None else msgspec.json.decode(content, type=Sealed)


def check_address(kind: Kind, address: str, allows_private: bool) -> SplitResult:
    """Return the parts of an address that Daybook may send to. Raises BadAddressError."""
    if len(address) > MAX_ADDRESS_CHARACTERS or not address.isascii() or not address.isprintable() or " " in address:
        raise BadAddressError("no_address")
    try:
        split = urlsplit(address)
        host, port = split.hostname or "", split.port
    except ValueError:
        raise BadAddressError("no_address") from None
    if split.scheme not in ("https", "http") or not host or split.username is not None or split.fragment:
        raise BadAddressError("no_address")
    if allows_private:
        return split
    if split.scheme != "https":
        raise BadAddressError("not_https")
    if kind in HOSTS and (host not in HOSTS[kind] or port not in (None, 443)):
        raise BadAddressError(f"not_{kind}")
    if kind == "discord" and not DISCORD_PATH.fullmatch(split.path):
        raise BadAddressError("not_discord")
    if _is_private_number(host):
        raise BadAddressError("private")
    return split


def _is_private_number(host: str) -> bool:
    try:
        return not _is_public(host)
    except ValueError:  # a name: it is checked when it is resolved
        return False


def _is_public(address: str) -> bool:
    """Check if an address is outside of private networks. Raises ValueError if it is not a number."""
    number = ipaddress.ip_address(address)
    return number.is_global and not (isinstance(number, ipaddress.IPv6Address) and number in NAT64)


# --- one attempt -----------------------------------------------------------------------------------------------------


def post_message(kind: Kind, sealed: Sealed, message: OutgoingMessage, allows_private: bool) -> Answer:
    """Send a message once; the answer says what became of it. Raises nothing for a receiver's failure."""
    split = check_address(kind, sealed.address, allows_private)
    body = json.dumps(_body(kind, message), ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Daybook"}
    path, method = f"{split.path or '/'}{'?' + split.query if split.query else ''}", "POST"
    if kind == "discord":
        path = split.path + (f"/messages/{message.receiver_id}" if message.receiver_id else "?wait=true")
        method = "PATCH" if message.receiver_id else "POST"
    elif kind == "standard":
        headers |= sign_body(sealed.signing, message.id, int(time.time()), body)
    try:
        status, given, content = exchange(split, method, path, body, headers, allows_private)
    except PrivateAddressError:
        return Answer(0, "the address leads into a private network")
    except (OSError, http.client.HTTPException, ValueError) as wrong:
        return Answer(0, f"no answer: {type(wrong).__name__}")
    return Answer(
        status,
        f"{status} {http.client.responses.get(status, '')}".strip(),
        retry_after(given, content),
        _id_in(content),
    )


def sign_body(signing: str, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks for a body. timestamp: of this attempt, in seconds."""
    key = base64.b64decode(signing.removeprefix("whsec_"))
    signature = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def _body(kind: Kind, message: OutgoingMessage) -> dict[str, Any]:
    text = message.text[:MAX_TEXT_CHARACTERS]
    if kind == "standard":
        data = {"club": message.club, "text": text, "link": message.link}
        return {"type": message.occasion.replace("_", ".", 1), "timestamp": message.at, "data": data}
    if kind == "slack":
        shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return {"text": f"{shown}\n{message.link}".rstrip()}
    shown = re.sub(r"([\\*_~`|>#\[\]()<@-])", r"\\\1", text)
    return {"content": f"{shown}\n{message.link}".rstrip(), "allowed_mentions": {"parse": []}}


class PrivateAddressError(OSError):
    """The host's name leads into a private network."""


def exchange(
    split: SplitResult, method: str, path: str, body: bytes, headers: Mapping[str, str], allows_private: bool
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Send a request and return status, headers and content of the answer. Redirects are not followed."""
    is_https = split.scheme == "https"
    port = split.port or (443 if is_https else 80)
    host = split.hostname or ""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    opened = _connect(host, port, allows_private)
    guard = threading.Timer(max(0.0, deadline - time.monotonic()), lambda: _shut_down(opened))
    guard.daemon = True
    guard.start()  # a timeout of the socket alone would begin again with each byte
    try:
        if is_https:
            context = ssl.create_default_context()
            opened = context.wrap_socket(opened, server_hostname=host, do_handshake_on_connect=False)
            opened.do_handshake()
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
        connection.sock = opened
        connection.request(method, path, body, {**headers, "Connection": "close"})
        response = connection.getresponse()
        return response.status, response.headers, response.read(MAX_ANSWER_BYTES)
    finally:
        guard.cancel()
        opened.close()


def _connect(host: str, port: int, allows_private: bool) -> socket.socket:
    """Connect to a public address of a host. The address that was checked is the one that is used."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    allowed = [info for info in found if allows_private or _is_public(str(info[4][0]))]
    if not allowed:
        raise PrivateAddressError(host)
    family, kind, protocol, _, address = allowed[0]
    opened = socket.socket(family, kind, protocol)
    opened.settimeout(TIMEOUT_SECONDS)
    try:
        opened.connect(address)
    except OSError:
        opened.close()
        raise
    return opened


def _shut_down(opened: socket.socket) -> None:
    with suppress(OSError):
        opened.shutdown(socket.SHUT_RDWR)


def retry_after(headers: http.client.HTTPMessage, content: bytes) -> float | None:
    """Return the seconds after which the receiver wants the next attempt, if it says so."""
    with suppress(ValueError):
        if given := headers.get("Retry-After"):
            return max(0.0, float(given))
    with suppress(ValueError, TypeError, AttributeError):
        return max(0.0, float(json.loads(content).get("retry_after")))
    return None


def _id_in(content: bytes) -> str:
    """Return the id that a receiver gave to the message, or ""."""
    with suppress(ValueError, AttributeError):
        found = json.loads(content).get("id")
        return found if isinstance(found, str) and found.isdecimal() and len(found) <= 30 else ""
    return ""
