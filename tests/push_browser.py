"""A browser's side of Web Push: its keys, its subscription, and what it reads of a message."""

from __future__ import annotations

import base64
import json
from typing import Any

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from daybook.services.messages.push import Subscription
from tests.receivers import Received


def encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def mac(key: bytes, content: bytes) -> bytes:
    made = hmac.HMAC(key, hashes.SHA256())
    made.update(content)
    return made.finalize()


class PushBrowser:
    """A browser with a subscription at a push service. HKDF is written out as RFC 5869 says it."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.auth = b"sixteen bytes ok"
        self.subscription = Subscription(endpoint, encode(self.point), encode(self.auth))

    def read(self, body: bytes) -> Any:
        """Decrypt a message (RFC 8291)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        key = mac(mac(self.auth, shared), b"WebPush: info\0" + self.point + sender + b"\1")
        pseudo_random = mac(salt, key)
        content_key = mac(pseudo_random, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = mac(pseudo_random, b"Content-Encoding: nonce\0\1")[:12]
        opened = AESGCM(content_key).decrypt(nonce, sealed, None)
        assert opened.endswith(b"\2")
        return json.loads(opened[:-1])


def claims_of(received: Received) -> dict[str, Any]:
    """Return the claims of a request, once its signature is checked with the key that it names (RFC 8292)."""
    scheme, _, rest = received.headers["Authorization"].partition(" ")
    fields = dict(part.split("=", 1) for part in rest.split(", "))
    head, claims, signature = fields["t"].split(".")
    raw = decode(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(fields["k"]))
    numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert scheme == "vapid" and json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    found: dict[str, Any] = json.loads(decode(claims))
    return found
