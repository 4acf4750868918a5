"""What a browser's cookie holds, signed: read where it is looked at, written where it changed."""

from __future__ import annotations

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import URLSafeTimedSerializer


class CookieSessions(SecureCookieSessionInterface):
    """Flask's own sessions; what signs them is made once, and the API, which looks at no cookie, has none."""

    def __init__(self) -> None:
        self._signing: tuple[object, URLSafeTimedSerializer | None] = (None, None)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        key, signer = self._signing
        if key != app.secret_key or signer is None:
            signer = super().get_signing_serializer(app)
            self._signing = app.secret_key, signer
        return signer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if "HTTP_COOKIE" not in request.environ or request.path.startswith("/api/"):
            return self.session_class()
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.accessed or session.modified:
            super().save_session(app, session, response)
