"""Web Push (RFC 8030, 8291, 8292): messages that an installed page shows, also while it is closed.

The key pair of VAPID is derived from Daybook's secret, so all hosts have the same one. Endpoints are addresses that a
browser names: only those of the known push services are accepted.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import secrets
import time
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.league import clubs
from daybook.services.messages.webhooks import (
    MAX_ADDRESS_CHARACTERS,
    Answer,
    BadAddressError,
    PrivateAddressError,
    exchange,
    retry_after,
)
from daybook.services.people.accounts import require_person
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_push, kept_session
from daybook.services.store.sealing import key_for, seal, unseal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

PURPOSE = "push"
HOSTS = ("fcm.googleapis.com", "updates.push.services.mozilla.com")
DOMAINS = (".push.apple.com", ".notify.windows.com")
DEVICES_LIMIT = 10  # of one person
TTL_SECONDS = 48 * 3_600  # for which a push service keeps a message
TOKEN_SECONDS = 12 * 3_600  # at most 24 hours
POINT_BYTES, AUTH_BYTES, SALT_BYTES, RECORD_BYTES = 65, 16, 16, 4_096
MAX_TEXT_BYTES = 2_000  # services accept 4 kB
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
TEMPORARY = (408, 413, 429)  # other answers from 400 to 499 say that the subscription has ended


class Subscription(Frozen):
    """Subscription of a browser, with its keys as base64url."""

    endpoint: str
    p256dh: str
    auth: str


class Device(Frozen):
    """A browser that shows a person's messages."""

    id: str
    device: str
    made_at: str


# --- devices ---------------------------------------------------------------------------------------------------------


def may_ask(book: Daybook, person: str) -> bool:
    """Check if a page may ask the person for permission: they have answered for an evening."""
    return any(
        club.person(person) in club.answers(evening)
        for club in clubs.clubs_of(book, person)
        for evening in club.evenings.values()
    )


def subscribe(book: Daybook, person: str, session: str, given: Subscription, device: str, language: str) -> None:
    """Store a browser's subscription; the oldest ends if there are too many. Raises BadAddressError.

    session: with it, the subscription ends.
    """
    split = check_endpoint(given.endpoint, book.settings.webhooks_to_private_networks)
    try:
        is_valid = len(_decode(given.p256dh)) == POINT_BYTES and len(_decode(given.auth)) == AUTH_BYTES
    except ValueError:
        is_valid = False
    if not is_valid:
        raise BadAddressError("no_push")
    subscription_id = hashlib.sha256(given.endpoint.encode()).hexdigest()
    row = {
        "id": subscription_id,
        "person": person,
        "session": session,
        "sealed": seal(book, PURPOSE, subscription_id.encode(), msgspec.json.encode(given)),
        "host": split.hostname or "",
        "device": device,
        "language": language,
        "made_at": now(),
    }
    own = sa.select(kept_push.c.id).where(kept_push.c.person == person)
    with book.kept.engine.begin() as c:
        require_person(c, person)
        upsert(c, kept_push, [row], ["id"])
        kept = c.scalars(own.order_by(kept_push.c.made_at.desc(), kept_push.c.id).limit(DEVICES_LIMIT)).all()
        c.execute(kept_push.delete().where(kept_push.c.person == person, kept_push.c.id.not_in(kept)))


def devices_of(book: Daybook, person: str) -> list[Device]:
    query = sa.select(kept_push).where(kept_push.c.person == person).order_by(kept_push.c.made_at, kept_push.c.id)
    return [Device(row.id, row.device, row.made_at) for row in book.kept.engine.rows(query)]


def remove_device(book: Daybook, person: str, device: str) -> None:
    book.kept.engine.write(kept_push.delete().where(kept_push.c.id == device, kept_push.c.person == person))


def read_subscription(book: Daybook, device: str, person: str) -> tuple[Subscription, str] | None:
    """Return a person's subscription and its language; None if it has ended, also with its session."""
    query = sa.select(kept_push).join(kept_session, kept_session.c.id == kept_push.c.session)
    row = book.kept.engine.row(query.where(kept_push.c.id == device, kept_push.c.person == person))
    content = unseal(book, PURPOSE, device.encode(), bytes(row.sealed)) if row is not None else None
    return None if row is None or content is None else (msgspec.json.decode(content, type=Subscription), row.language)


def check_endpoint(endpoint: str, allows_private: bool) -> SplitResult:
    """Return the parts of a known push service's address. Raises BadAddressError."""
    try:
        split = urlsplit(endpoint)
        host, port = split.hostname or "", split.port
    except ValueError:
        raise BadAddressError("no_push") from None
    if len(endpoint) > MAX_ADDRESS_CHARACTERS or not endpoint.isascii() or not endpoint.isprintable():
        raise BadAddressError("no_push")
    if allows_private and split.scheme == "http" and host == "127.0.0.1":
        return split
    is_known = host in HOSTS or host.endswith(DOMAINS)
    if split.scheme != "https" or not is_known or port not in (None, 443) or split.username is not None:
        raise BadAddressError("no_push")
    return split


# --- sending ---------------------------------------------------------------------------------------------------------


def send_push(book: Daybook, given: Subscription, message_id: str, title: str, text: str, path: str) -> Answer:
    """Send a message once. Raises nothing for a failure of the push service."""
    allows_private = book.settings.webhooks_to_private_networks
    shown = text.encode()[:MAX_TEXT_BYTES].decode(errors="ignore")
    content = json.dumps({"title": title, "text": shown, "path": path, "id": message_id}, ensure_ascii=False).encode()
    try:
        split = check_endpoint(given.endpoint, allows_private)
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL_SECONDS),
            "Urgency": "normal",
            "Topic": message_id.removeprefix("msg_")[:32],
            "Authorization": sign_request(book, f"{split.scheme}://{split.netloc}"),
            "User-Agent": "Daybook",
        }
        target = f"{split.path or '/'}{'?' + split.query if split.query else ''}"
        body = encrypt(given, content)
        status, given_headers, answer = exchange(split, "POST", target, body, headers, allows_private)
    except PrivateAddressError:
        return Answer(0, "the address leads into a private network")
    except (OSError, http.client.HTTPException, ValueError) as wrong:
        return Answer(0, f"no answer: {type(wrong).__name__}")
    text_shown = f"{status} {http.client.responses.get(status, '')}".strip()
    return Answer(status, text_shown, retry_after(given_headers, answer))


def has_ended(answer: Answer) -> bool:
    """Check if the push service knows the subscription no more."""
    return 400 <= answer.status < 500 and answer.status not in TEMPORARY


def public_key(book: Daybook) -> str:
    """Return the public key with which browsers subscribe, as base64url."""
    return _encode(_point_of(_private_key(book)))


def _private_key(book: Daybook) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    wide = key_for(book, "vapid 1") + key_for(book, "vapid 2")  # 512 bits: the remainder is uniform
    return ec.derive_private_key(int.from_bytes(wide) % (CURVE_ORDER - 1) + 1, ec.SECP256R1())


def _point_of(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def sign_request(book: Daybook, audience: str) -> str:
    """Return the Authorization header for a push service (RFC 8292)."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    settings = book.settings
    contact = f"mailto:{settings.mail_sender}" if settings.mail_sender else settings.base_url or ""
    claims: dict[str, object] = {"aud": audience, "exp": int(time.time()) + TOKEN_SECONDS}
    if contact.startswith(("mailto:", "https:")):
        claims["sub"] = contact
    parts = [_encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    key = _private_key(book)
    r, s = decode_dss_signature(key.sign(".".join(parts).encode(), ec.ECDSA(SHA256())))
    token = ".".join([*parts, _encode(r.to_bytes(32) + s.to_bytes(32))])
    return f"vapid t={token}, k={_encode(_point_of(key))}"


def encrypt(
    given: Subscription, content: bytes, own: EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return content that only the subscribed browser can read (RFC 8291). own and salt: random, if left out."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(SALT_BYTES)
    point = _decode(given.p256dh)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point))

    def derive(key: bytes, with_salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, with_salt, info).derive(key)

    key = derive(shared, _decode(given.auth), b"WebPush: info\0" + point + _point_of(own), 32)
    content_key = derive(key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(key, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4) + bytes([POINT_BYTES]) + _point_of(own)
    return head + AESGCM(content_key).encrypt(nonce, content + b"\2", None)


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Return the bytes of base64url with or without padding. Raises ValueError."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
