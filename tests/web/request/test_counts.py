"""The callers that limits count."""

from __future__ import annotations

import time


def test_cookie_says_since_when_a_browser_is_known(app):
    client = app.test_client()
    client.get("/sign-in")
    with client.session_transaction() as cookie:
        since = cookie["browser"].partition(".")[0]
    assert abs(time.time() - float(since)) < 60
