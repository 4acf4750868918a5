"""Checks of every request and response: CSRF, valid text, strict headers."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask, Response, abort, g, request, session

from daybook.web.request.access import BROWSER, FORM_WORD, bearer_key, book, current_person
from daybook.web.request.long_work import answer_for_server

FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
# Flask-Talisman would set these headers too, from settings of its own; one table is read faster than those.
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


HSTS_SECONDS = 365 * 24 * 3600


def protect(app: Flask) -> None:
    """Register the checks of requests and the headers of responses."""
    app.before_request(answer_for_server)
    app.before_request(_refuse_broken_text)
    app.before_request(_refuse_forged)
    app.after_request(_with_headers)
    app.jinja_env.globals["csrf_token"] = csrf_token


def csrf_token() -> str:
    """Return the CSRF token for forms (`csrf`) and scripts (X-CSRF-Token): the browser's token and the user's mark."""
    token: str | None = g.get("csrf_token")
    if token is None:
        token = g.csrf_token = f"{browser_token()}.{_person_mark(current_person())}"
    return token


def browser_token() -> str:
    """Return this browser's token, which changes with each sign-in and sign-out."""
    session.setdefault(BROWSER, f"{time.time():.0f}.{secrets.token_urlsafe(9)}")
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(16)
        session.permanent = True
    word: str = session["csrf"]
    return word


SIGNED_LINKS = ("notifications.stop",)  # mail programs send it (RFC 8058); its signed key is the permission


def form_token() -> str:
    """Return the token of this browser's forms, which survives a sign-in but not a sign-out."""
    word: str = session.get(FORM_WORD) or browser_token()
    return word


def _person_mark(person: str | None) -> str:
    """Return a public mark of the person that a page was made for; "" for no one."""
    return hashlib.sha256(person.encode()).hexdigest()[:12] if person else ""


def allow_framing(response: Response, sites: Sequence[str] = ()) -> Response:
    """Allow other sites to frame a page; all other pages refuse that.

    Args:
        sites: the sites that may, such as "https://club.example"; empty: all.
    """
    response.headers["Content-Security-Policy"] = HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", f"frame-ancestors {' '.join(sites) or '*'}"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    g.framed = True
    return response


def forbid_storing(response: Response) -> Response:
    """Forbid caches to store a page that shows keys."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _refuse_broken_text() -> None:
    """Refuse control characters and invalid UTF-8 in addresses and forms, which werkzeug would repair silently."""
    sent = [request.query_string]
    if request.mimetype == "application/x-www-form-urlencoded":
        sent.append(request.get_data())
    for part in sent:
        try:
            unquote_to_bytes(part.replace(b"+", b" ")).decode("utf-8")
        except UnicodeDecodeError:
            abort(400, "encoding")
    if any("\x00" in text or "\ufffd" in text for text in _iter_texts()):
        abort(400, "encoding")


def _iter_texts() -> Iterator[str]:
    """Yield the texts of the address and the form."""
    yield request.path
    for values in (request.args if request.query_string else None, request.form if request.mimetype in FORMS else None):
        if values is not None:
            for name, text in values.items(multi=True):
                yield name
                yield text


def _refuse_forged() -> None:
    """Refuse cookie-authenticated changes from other sites with 403; a key in the header needs no check.

    The API ignores cookies. Browsers name the requesting site; without that, the form's token must match the cookie. A
    token that changed through a sign-in in another tab is thus accepted from our pages, but a form made for one user is
    refused for another. Flask-WTF was rejected: it brings a forms library, and its tokens expire after an hour, while a
    record page stays open all evening.
    """
    if request.method in SAFE or bearer_key() is not None or request.path.startswith("/api/"):
        return
    if request.endpoint in SIGNED_LINKS:
        return
    word, _, made_for = (request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")).partition(".")
    if not (word and hmac.compare_digest(word.encode(), session.get("csrf", "").encode())) and not _is_same_origin():
        abort(403, "csrf")
    if made_for not in ("", _person_mark(current_person())) and request.blueprint != "sign_in":
        abort(403, "person")


def _is_same_origin() -> bool:
    """Check if the browser says that our page sent the request; over http, by its Origin."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    public = urlsplit(book().settings.base_url or request.host_url)
    return request.headers.get("Origin") in (request.host_url.rstrip("/"), f"{public.scheme}://{public.netloc}")


def _with_headers(response: Response) -> Response:
    there = {name.lower() for name, _ in response.headers}
    if g.get("framed"):
        there.add("x-frame-options")
    response.headers.extend([(name, value) for name, value in HEADERS.items() if name.lower() not in there])
    if book().settings.scheme == "https" and not request.host.startswith("localhost"):  # where other servers are, too
        response.headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"
    _forbid_shared_caching(response)
    return response


def _forbid_shared_caching(response: Response) -> None:
    """Forbid storing responses to known users, unless they are public with a lifetime."""
    control = response.headers.get("Cache-Control", "")
    if request.endpoint == "static" or "max-age" in control or "no-store" in control:
        return
    if bearer_key() is not None or session:
        response.headers["Cache-Control"] = "private, no-store"
    elif not control:
        response.headers["Cache-Control"] = "private, no-cache"


def file_response(body: bytes | str, name: str, mimetype: str) -> Response:
    """Return a file for download."""
    return Response(body, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def file_stem(text: str, unnamed: str) -> str:
    """Return a file name's stem from a user's title."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:40] or unnamed
