"""Signed browser session cookies, read on first use and written when changed.

Cookies are shared between ports, so each installation has its own cookie name, made from its secret. Over https it
begins with `__Host-`, so that neither a sibling domain nor a network attacker can set it.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from functools import lru_cache

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer

from daybook.web.request.origin import is_https

SIGNATURE_CACHE_SIZE = 1024  # verified cookies
HOST_PREFIX = "__Host-"
LEGACY_COOKIE_NAME = "daybook"  # of all installations, signed with SHA-1
SIGN_IN_KEYS = ("signed_in", "signed_in_before", "csrf", "owner")  # not adopted from a cookie that was sent without TLS


class BrowserSession(SecureCookieSession):
    """A session, and the name of the old cookie if it was read from another one."""

    moved_from = ""


class CookieSessions(SecureCookieSessionInterface):
    """Flask's sessions under the cookie names above; requests to the API have none."""

    digest_method = staticmethod(hashlib.sha256)
    session_class = BrowserSession

    def __init__(self, app: Flask) -> None:
        """Name the cookie after the application's secret key, which must be set."""
        assert isinstance(app.secret_key, bytes)
        mark = hmac.new(app.secret_key, b"cookie name", hashlib.sha256).hexdigest()[:8]
        app.config["SESSION_COOKIE_NAME"] = f"daybook-{mark}"
        self.signing, self.signing_before = (
            URLSafeTimedSerializer(
                app.secret_key,
                salt=self.salt,
                serializer=self.serializer,
                signer_kwargs={"key_derivation": self.key_derivation, "digest_method": digest},
            )
            for digest in (self.digest_method, hashlib.sha1)
        )

        self.unsigned = lru_cache(SIGNATURE_CACHE_SIZE)(_unsign)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer:
        return self.signing

    def get_cookie_name(self, app: Flask) -> str:
        name: str = app.config["SESSION_COOKIE_NAME"]
        return HOST_PREFIX + name if is_https() else name

    def get_cookie_path(self, app: Flask) -> str:
        return "/" if is_https() else super().get_cookie_path(app)  # `__Host-` asks for it

    def get_cookie_secure(self, app: Flask) -> bool:
        return is_https()

    def open_session(self, app: Flask, request: Request) -> BrowserSession:
        if "HTTP_COOKIE" not in request.environ or request.path.startswith("/api/"):
            return self.session_class()
        name = self.get_cookie_name(app)
        if name in request.cookies:
            return self._read(app, self.signing, request.cookies[name]) or self.session_class()
        return self._moved(app, request) or self.session_class()

    def _moved(self, app: Flask, request: Request) -> BrowserSession | None:
        """Return the session of an earlier cookie (of http, or with the legacy name), without other ones."""
        plain = app.config["SESSION_COOKIE_NAME"]
        for name, signing in ((plain, self.signing), (LEGACY_COOKIE_NAME, self.signing_before)):
            found = self._read(app, signing, request.cookies.get(name, ""))
            if found is not None:
                if name == plain:
                    for key in SIGN_IN_KEYS:
                        found.pop(key, None)
                found.moved_from = name
                found.accessed = found.modified = False  # it is moved when a page looks at it
                return found
        return None

    def _read(self, app: Flask, signing: URLSafeTimedSerializer, cookie: str) -> BrowserSession | None:
        """Return the content of a cookie; None if invalid or too old. Other hosts' clocks may be ahead."""
        try:
            payload, at = self.unsigned(signing, cookie)
            held = signing.load_payload(payload)
        except BadSignature:
            return None
        age = time.time() - at
        return self.session_class(held) if age <= app.permanent_session_lifetime.total_seconds() else None

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if not (session.accessed or session.modified):
            return
        moved_from = session.moved_from if isinstance(session, BrowserSession) else ""
        if not session.modified and not moved_from:
            response.vary.add("Cookie")
            return
        session.modified = True
        super().save_session(app, session, response)
        if moved_from:
            response.delete_cookie(moved_from, path=super().get_cookie_path(app), secure=is_https())


def _unsign(signing: URLSafeTimedSerializer, cookie: str) -> tuple[bytes, float]:
    """Return the content and signing time of a cookie. Raises BadSignature."""
    signer = signing.make_signer(signing.salt)
    assert isinstance(signer, TimestampSigner)
    payload, at = signer.unsign(cookie, return_timestamp=True)
    return payload, at.timestamp()
