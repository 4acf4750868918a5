"""Rate limits: routes, counted subjects, numbers and windows.

A caller is counted as an account, else as a link, else as a browser at an address; the address comes last, since a club
shares one. Counts are rows of the kept tables, so all processes of a Daybook share them and no restart forgets them.
The rows hold keyed digests, no name and no address. A large limit is counted in memory and written down now and then.

The library `limits` (5.8) was tried: it shares counts through a Redis client older than ours (redis < 8) or not at all,
and has neither locks that double nor turns. It would be a second mechanism next to these rows.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv6Network
from threading import Lock
from typing import Any

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now, seconds_until
from daybook.services.store import secret
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_attempt


class Limit(Frozen):
    """Rate limit in a time window. With 0, callers are counted by the next wider subject instead."""

    window_seconds: int
    account: int  # of one signed-in user
    link: int  # of one link to a game
    browser: int  # of one browser at one address; requests without a cookie of ours count as one browser
    address: int  # of all browsers at one address, half of it of new ones; of a /48 of IPv6 four times as much

    def __post_init__(self) -> None:
        assert self.window_seconds > 0 and self.browser > 0 and self.address >= self.browser


MINUTE, HOUR = 60, 3600
NEW_BROWSER_SECONDS = 600  # after its first cookie; anyone can drop the cookie and be new again

LIMITS = {
    "write": Limit(MINUTE, account=600, link=600, browser=600, address=3000),  # into games and clubs
    "game": Limit(HOUR, account=120, link=60, browser=60, address=600),  # opened, imported or practised
    "account": Limit(HOUR, account=0, link=0, browser=30, address=300),
    "sheet": Limit(HOUR, account=30, link=30, browser=30, address=300),
    "club": Limit(HOUR, account=12, link=12, browser=12, address=120),
    "list": Limit(HOUR, account=60, link=60, browser=60, address=600),  # of people, or of plays with theirs
    "what_if": Limit(HOUR, account=120, link=60, browser=60, address=600),
    "check": Limit(10 * MINUTE, account=60, link=60, browser=60, address=600),  # files: judging one takes long
    "mail": Limit(HOUR, account=60, link=10, browser=10, address=100),  # requested, to one person each
    "report": Limit(HOUR, account=0, link=0, browser=10, address=60),  # of abuse; anyone can have many accounts
    "wrong_key": Limit(MINUTE, account=0, link=0, browser=30, address=300),  # the right one opens even then
}
NOTHING_KEPT = "nothing kept"  # what is sent is only read, or stored in the browser's own cookie
SIGN_IN = "sign_in"  # counted by `services.people.sign_in_limits`, with the numbers below
AT_THE_VIEW = frozenset(
    {"account", "check", "game", "mail", "wrong_key"}
)  # counted there, since only some requests count

# Wrong passwords. A browser in which the user has signed in before is counted by itself.
MAX_FAILURES_PER_NAME_AND_ADDRESS = 5  # then the name is locked for that address; four times as many for a /48
NAME_LOCK_SECONDS, NAME_LOCK_MAX_SECONDS = 60, 3600  # doubled by each further one
NAME_FORGOTTEN_HOURS = 24  # after the last wrong one
FAILURES_PER_NAME_BEFORE_TURNS = 20  # from everywhere; from then on tries for the name take turns
FAILURES_PER_ADDRESS_BEFORE_TURNS, ADDRESS_WINDOW_MINUTES = 120, 10  # for any names; then tries of the address do
SECONDS_PER_TURN = 0.5
MAX_TURN_WAIT_SECONDS = 20.0

IMPORTS_WITH_CHANCES_PER_DAY = 3  # of one account, or of one address without; further games wait for the next days

# Live streams open at once, in one process.
STREAMS_PER_PROCESS = 2000  # each holds a connection and some 20 kB
STREAMS_PER_HOLDER = 100  # of an account or a link: a club may share one link of readers
STREAMS_PER_BROWSER = 20  # without either
STREAMS_PER_ADDRESS = 200  # of all of those at one address

ROUTES: dict[str, str] = {  # endpoint, or a blueprint for its other endpoints -> its limit
    "new_game": "game",
    "importing": "game",
    "practice": "game",
    "practice_table": "game",
    "Practice": "game",
    "practice_table.practice_turn": "write",
    "Games.open_game": "game",
    "Records.import_record": "game",
    "sign_in": SIGN_IN,
    "sign_in.sign_up": "account",
    "sign_in.sign_out": NOTHING_KEPT,
    "invited": "wrong_key",
    "invited.accept": "wrong_key",  # the invitation is used up; what others at the address do never stops it
    "links.join": "wrong_key",
    "operation.show": "wrong_key",
    "reports": "report",
    "notifications.mail": "mail",
    "notifications.sign_in_by_mail": "mail",
    "notifications.confirm": "wrong_key",
    "notifications.stop": "wrong_key",
    "sheet": "sheet",
    "making": "sheet",
    "Rulesets and sheets": "sheet",
    "clubs": "club",
    "people.add_list": "list",
    "exchange.bring": "list",
    "own_log.start": "club",
    "Clubs.bring_plays_in": "list",
    "Clubs.import_club": "club",
    "what_if.make": "what_if",
    "What if.make_fork": "what_if",
    "what_if": "write",
    "What if": "write",
    "checking": "check",
    "compare": NOTHING_KEPT,
    "evidence": NOTHING_KEPT,
    "Evidence": "write",
    "help": NOTHING_KEPT,
    "Reading": NOTHING_KEPT,
    **dict.fromkeys(
        (
            "links",
            "lease",
            "device_lease",
            "record",
            "typed_line",
            "passing",
            "adjust",
            "as_played",
            "correct",
            "count",
            "chances",
            "better_moves",
            "about",
            "claims",
            "ruling",
            "umpires",
            "photos",
            "audit",
            "me",
            "merging",
            "people",
            "anonymous",
            "club",
            "messages",
            "notifications",
            "wrong",
            "wrong_figure",
            "exchange",
            "own_log",
            "challenges",
            "plays",
            "season",
            "evenings",
            "evening_review",
            "league",
            "players",
            "draw",
            "table",
            "closing",
            "succession",
            "Games",
            "Recording",
            "Corrections",
            "Claims",
            "Analysis",
            "Clubs",
            "Keys",
            "operator",
            "operation",
        ),
        "write",
    ),
}


def limit_of(endpoint: str) -> str | None:
    """Return the name of a route's limit; None if the table does not have the route."""
    return ROUTES.get(endpoint) or ROUTES.get(endpoint.partition(".")[0])


# --- callers ---------------------------------------------------------------------------------------------------------


class Caller(Frozen):
    """Client of a request, as far as the request identifies it."""

    account: str = ""  # a person's id
    link: str = ""  # a grant's id
    browser: str = ""  # the browser's own word, from its signed cookie
    address: str = ""  # empty on a device, which limits no one
    browser_since: float = 0.0  # when the browser got its cookie, in seconds of the epoch; 0: it has none

    @property
    def is_new_browser(self) -> bool:
        """Check if the browser has no cookie, or got it just now (a time in the future is a wrong clock)."""
        return not self.browser_since or time.time() < self.browser_since + NEW_BROWSER_SECONDS


class LimitExceededError(Exception):
    """A limit is used up until a time; nothing was done."""

    def __init__(self, until: str) -> None:
        self.seconds = max(1, seconds_until(until))
        super().__init__(f"too many of these: come again in {self.seconds} seconds")
        self.until = until


def subjects_of(limit: Limit, caller: Caller) -> Iterator[tuple[str, int]]:
    """Yield each subject that a caller is counted as, with its limit."""
    if caller.account and limit.account:
        yield f"account {caller.account}", limit.account
    elif caller.link and limit.link:
        yield f"link {caller.link}", limit.link
    elif caller.address:
        yield f"browser {caller.address} {caller.browser}", limit.browser
        wide = wide_network(caller.address)
        for network, most in [(caller.address, limit.address), *([(wide, 4 * limit.address)] if wide else [])]:
            if caller.is_new_browser:
                yield f"new browsers {network}", most // 2
            yield f"address {network}", most


def wide_network(address: str) -> str:
    """Return the /48 of an IPv6 network; empty for IPv4."""
    return str(IPv6Network(address).supernet(new_prefix=48)) if ":" in address else ""


# --- counts ----------------------------------------------------------------------------------------------------------

BATCHED_FROM = 200  # a smaller limit is written down with each count
BATCHES = 20  # of a large limit: how often it is written down at least until it is used up
MAX_SUBJECTS = 10_000  # in memory
MAX_CLOCK_SKEW_HOURS = 1  # between our machines; a count from farther ahead came from a wrong clock
CLEANUP_PREFIX = "00"  # purge old rows with about 1 new row in 256


@dataclass(slots=True)
class _Window:
    ends: float  # by this process's monotonic clock
    shared: int = 0  # what all processes have written down
    own: int = 0  # counted here and not written yet
    known: bool = False  # `shared` was read


@dataclass(slots=True)
class Counts:
    """The counts of one Daybook."""

    book: Daybook
    _windows: OrderedDict[str, _Window] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, name: str, caller: Caller) -> None:
        """Count one of something. Raises LimitExceededError."""
        limit = LIMITS[name]
        for subject, most in subjects_of(limit, caller):
            self._take(f"{name} {subject}", most, limit.window_seconds)

    def _take(self, subject: str, limit: int, seconds: int) -> None:
        with self._lock:
            window = self._window(subject, seconds)
        if limit >= BATCHED_FROM and not window.known:  # by a plain read: no tap waits for a writer
            count, window.ends = read_window(self.book, subject, seconds)
            window.shared, window.known = max(count, window.shared), True
        with self._lock:
            if window.shared + window.own >= limit:
                raise LimitExceededError(later_time(now(), seconds=max(0.0, window.ends - time.monotonic())))
            window.own += 1
            left = limit - window.shared
            batch = min(limit // BATCHES, left // 8) if limit >= BATCHED_FROM else 1
            if window.own < batch:
                return
            taken, window.own = window.own, 0
        count, until = add_to_window(self.book, subject, taken, seconds)
        with self._lock:
            window.shared, window.known = max(count, window.shared), True
            window.ends = time.monotonic() + seconds_until(until)
        if count > limit:
            raise LimitExceededError(until)

    def _window(self, subject: str, seconds: int) -> _Window:
        window = self._windows.pop(subject, None)
        if window is None or window.ends <= time.monotonic():
            window = _Window(time.monotonic() + seconds)
        self._windows[subject] = window
        while len(self._windows) > MAX_SUBJECTS:
            self._windows.popitem(last=False)
        return window


def read_window(book: Daybook, subject: str, seconds: int) -> tuple[int, float]:
    """Return what is counted of a subject in its window, and when that ends by this process's monotonic clock."""
    about = digest_of_subject(book, subject)
    row = next(iter(book.kept.engine.rows(sa.select(kept_attempt).where(kept_attempt.c.about == about))), None)
    if row is None or has_expired(row.first_at, now(), seconds=seconds):
        return 0, time.monotonic() + seconds
    return row.failures, time.monotonic() + seconds_until(later_time(row.first_at, seconds=seconds))


def add_to_window(book: Daybook, subject: str, amount: int, seconds: int) -> tuple[int, str]:
    """Add to what is counted of a subject; return the total in its window, and when that ends."""
    at, about = now(), digest_of_subject(book, subject)
    with book.kept.engine.begin() as c:
        row = locked_row(c, about)
        row = after_window_try(row, at, seconds, amount)
        write_rows(c, row)
    return row["failures"], later_time(row["first_at"], seconds=seconds)


# --- rows ------------------------------------------------------------------------------------------------------------


def digest_of_subject(book: Daybook, subject: str) -> str:
    """Return the key of a row. Called first outside a transaction: it may have to make the secret."""
    return hmac.new(secret.secret_of(book), f"attempt {subject}".encode(), hashlib.sha256).hexdigest()


def locked_row(c: sa.Connection, about: str) -> dict[str, Any]:
    """Return the row about a subject, locked until the transaction ends: concurrent tries are counted one by one."""
    while True:
        new = {"about": about, "failures": 0, "first_at": "", "last_at": "", "until": ""}
        if insert_once(c, kept_attempt, new) and about.startswith(CLEANUP_PREFIX):
            delete_old_rows(c)
        row = (
            c.execute(sa.select(kept_attempt).where(kept_attempt.c.about == about).with_for_update()).mappings().first()
        )
        if row is not None:  # else it was deleted in between
            return dict(row)


def write_rows(c: sa.Connection, *rows: dict[str, Any]) -> None:
    """Update stored counts by what they are about."""
    for row in rows:
        c.execute(kept_attempt.update().where(kept_attempt.c.about == row["about"]).values(**row))


def delete_old_rows(c: sa.Connection) -> None:
    """Delete what is counted no more. A row that is being made has no time yet."""
    before = later_time(now(), hours=-2 * NAME_FORGOTTEN_HOURS)
    old = sa.select(kept_attempt.c.about).where(kept_attempt.c.last_at < before, kept_attempt.c.last_at != "")
    c.execute(kept_attempt.delete().where(kept_attempt.c.about.in_(old.with_for_update(skip_locked=True))))


def after_window_try(row: dict[str, Any], at: str, seconds: int, amount: int = 1) -> dict[str, Any]:
    """Return a row with more counted; in a new window if its own has ended."""
    ended = has_expired(row["first_at"], at, seconds=seconds)
    first, count = (at, amount) if ended else (row["first_at"], row["failures"] + amount)
    return {**row, "failures": count, "first_at": first, "last_at": at}


def has_expired(begun: str, at: str, **length: float) -> bool:
    """Check if a window has ended. One that starts in the future (a wrong clock) counts as ended."""
    return not begun or later_time(begun, **length) < at or later_time(at, hours=MAX_CLOCK_SKEW_HOURS) < begun
