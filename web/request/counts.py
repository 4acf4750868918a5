"""Count each writing request before its view, for the limit of its route in `services.limits`.

Writes into a game are counted by the link, and other actions of signed-in users by their account. New things that anyone
can create are counted by account; without one by a link older than the limit's window, because each new game gives new
links; and without both by browser and address.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from flask import Flask, current_app, request, session
from werkzeug.exceptions import TooManyRequests

from daybook.services import limits
from daybook.services.clock import later_time, now
from daybook.services.limits import LIMITS, Caller, Counts, LimitExceededError
from daybook.services.permissions import access
from daybook.services.permissions.visits import Visit, rank_grants
from daybook.web.request.access import BROWSER, book, current_person, held_grants
from daybook.web.request.origin import client_address
from daybook.web.request.security import SAFE


def begin_counts(app: Flask) -> None:
    """Start without any count in memory."""
    app.extensions["counts"] = Counts(app.extensions["daybook"])


def writer() -> Caller:
    """Return the caller of a request that writes into a game or a club."""
    game_id = (request.view_args or {}).get("game_id")
    grants = [grant for grant in held_grants() if game_id in (None, grant.game)]
    return _caller(rank_grants(grants)[0].id if grants and game_id else grants[0].id if grants else "")


def watcher(visited: Mapping[UUID, Visit]) -> Caller:
    """Return the caller of a stream about some games; a club's role comes with an account."""
    held = {grant.id for grant in held_grants()}
    links = [visit.grant.id for visit in visited.values() if visit.grant is not None and visit.grant.id in held]
    return _caller(links[0] if links else "")


def maker(window_seconds: int) -> Caller:
    """Return the caller of a request that makes something out of nothing."""
    account = current_person()
    if account is not None:
        return Caller(account=account, address=client_address())
    before = later_time(now(), seconds=-window_seconds)
    return _caller(access.oldest_link(book(), [grant.id for grant in held_grants()], before))


def _caller(link: str) -> Caller:
    """Return the caller that this request counts for."""
    word: str = session.get(BROWSER, "")
    since = word.partition(".")[0]
    return Caller(current_person() or "", link, word, client_address(), float(since) if since.isdecimal() else 0.0)


def importer() -> str:
    """Return the importer of a game for the daily limit of win chances: an account, or else an address."""
    return current_person() or client_address()


def take(name: str) -> None:
    """Count one of something for this request's caller. Raises LimitExceededError."""
    counts: Counts = current_app.extensions["counts"]
    limit = LIMITS[name]
    counts.take(name, writer() if name == "write" else maker(limit.window_seconds))


def take_or_refuse(name: str, why: str = "") -> None:
    """Count one of something; 429 once the limit is used up."""
    try:
        take(name)
    except LimitExceededError as exceeded:
        raise TooManyRequests(why, retry_after=exceeded.seconds) from exceeded


def count_write() -> None:
    """Count a request that writes, by the limit of its route; 429 once that is used up."""
    if request.method in SAFE or request.endpoint is None:
        return
    name = limits.limit_of(request.endpoint)
    if name in LIMITS and name not in limits.AT_THE_VIEW:
        take_or_refuse(name, "writes")


def wrong_key() -> None:
    """Count a key that opens nothing; 429 after too many. The right one opens even then."""
    take_or_refuse("wrong_key")
