"""What every request and every answer must keep to: forms of our own, text that is text, strict headers."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask, Response, abort, g, request, session

from daybook.web.request.access import BROWSER, FORM_WORD, bearer_key, book, person
from daybook.web.request.long_work import answer_as_told

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
    app.before_request(answer_as_told)
    app.before_request(_refuse_broken_text)
    app.before_request(_refuse_forged)
    app.after_request(_with_headers)
    app.jinja_env.globals["csrf_token"] = csrf_token


def csrf_token() -> str:
    """What a page's forms send as `csrf`, and its scripts as the header X-CSRF-Token: this browser's own word, and for
    whom the page was made.
    """
    token: str | None = g.get("csrf_token")
    if token is None:
        token = g.csrf_token = f"{browser_word()}.{_mark_of(person())}"
    return token


def browser_word() -> str:
    """A word that this browser alone has, until somebody signs in or out in it."""
    session.setdefault(BROWSER, secrets.token_urlsafe(9))
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(16)
        session.permanent = True
    word: str = session["csrf"]
    return word


def word_of_forms() -> str:
    """The word by which this browser's forms are known; who signs in keeps it, who signs out does not."""
    word: str = session.get(FORM_WORD) or browser_word()
    return word


def _mark_of(person: str | None) -> str:
    """By which a form says for whom its page was made; empty: nobody was signed in. It is no secret."""
    return hashlib.sha256(person.encode()).hexdigest()[:12] if person else ""


def let_be_framed(response: Response) -> Response:
    """For a page that stands in frames of other pages: every other page refuses that."""
    response.headers["Content-Security-Policy"] = HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    g.framed = True
    return response


def no_store(response: Response) -> Response:
    """For pages that show keys: no copy of them is kept anywhere."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _refuse_broken_text() -> None:
    """Addresses and forms are UTF-8 without control characters; werkzeug would mend them silently."""
    sent = [request.query_string]
    if request.mimetype == "application/x-www-form-urlencoded":
        sent.append(request.get_data())
    for part in sent:
        try:
            unquote_to_bytes(part.replace(b"+", b" ")).decode("utf-8")
        except UnicodeDecodeError:
            abort(400, "encoding")
    if any("\x00" in text or "\ufffd" in text for text in _texts()):
        abort(400, "encoding")


def _texts() -> Iterator[str]:
    """What werkzeug has read of the address and the form. A body of another kind is no form."""
    yield request.path
    for values in (request.args if request.query_string else None, request.form if request.mimetype in FORMS else None):
        if values is not None:
            for name, text in values.items(multi=True):
                yield name
                yield text


def _refuse_forged() -> None:
    """A change asked for with the cookie must come from a page of ours. A key in the header proves itself.

    The API looks at no cookie, so nobody's browser can be made to use it. A browser says whether a page of ours asks;
    of one that does not, the form's word has to be the cookie's. So a page goes on when that word has changed: whoever
    signs in or out in another tab has it drawn anew. But what was made for one person is not written as another's.
    Flask-WTF would bring a forms library along for these lines, and its tokens last an hour by default: a record page
    lies open all evening.
    """
    if request.method in SAFE or bearer_key() is not None or request.path.startswith("/api/"):
        return
    word, _, made_for = (request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")).partition(".")
    if not (word and hmac.compare_digest(word.encode(), session.get("csrf", "").encode())) and not _asked_by_own_page():
        abort(403, "csrf")
    if made_for not in ("", _mark_of(person())) and request.blueprint != "sign_in":
        abort(403, "person")


def _asked_by_own_page() -> bool:
    """Whether the browser says that a page of ours asks; over plain http it names the page's origin alone."""
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
    _keep_private(response)
    return response


def _keep_private(response: Response) -> None:
    """No copy of an answer to somebody who is known is kept anywhere: another may sit at this device next, and a link
    may end. What says for how long it is kept is the same for everybody.
    """
    control = response.headers.get("Cache-Control", "")
    if request.endpoint == "static" or "max-age" in control or "no-store" in control:
        return
    if bearer_key() is not None or session:
        response.headers["Cache-Control"] = "private, no-store"
    elif not control:
        response.headers["Cache-Control"] = "private, no-cache"


def file_answer(body: bytes | str, name: str, mimetype: str) -> Response:
    """A file to be kept."""
    return Response(body, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def file_stem(text: str, unnamed: str) -> str:
    """How the file of something begins that people have named."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:40] or unnamed
