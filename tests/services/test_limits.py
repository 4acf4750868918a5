"""The share of an address that new browsers can take."""

from __future__ import annotations

import time
from uuid import uuid4

import pytest

from daybook.services import limits
from daybook.services.limits import LIMITS, NEW_BROWSER_SECONDS, Caller, Counts, Limit, LimitExceededError

ADDRESS, OTHER_ADDRESS = "192.0.2.7", "192.0.2.8"
KNOWN = time.time() - NEW_BROWSER_SECONDS - 1


@pytest.fixture
def counts(book, monkeypatch):
    small = Limit(3600, account=6, link=6, browser=6, address=20)
    monkeypatch.setattr(limits, "LIMITS", LIMITS | {"game": small, "account": small})
    return Counts(book)


def take_all(counts: Counts, name: str, caller) -> int:
    """Return how often callers may do something until it is refused."""
    for count in range(1000):
        try:
            counts.take(name, caller())
        except LimitExceededError:
            return count
    raise AssertionError("no limit")


def fresh(address: str = ADDRESS) -> Caller:
    return Caller(browser=uuid4().hex, address=address, browser_since=time.time())


@pytest.mark.parametrize(
    ("hostile", "taken"),
    [
        (fresh, 10),
        (lambda: Caller(address=ADDRESS), 6),
        (lambda: Caller(browser=uuid4().hex, address=ADDRESS), 10),
        (lambda: Caller(browser=uuid4().hex, address=ADDRESS, browser_since=time.time() + 10**6), 10),
    ],
    ids=["a new cookie each time", "no cookie", "a cookie without a time", "a cookie from the future"],
)
@pytest.mark.sqlite_suffices
@pytest.mark.parametrize("name", ["game", "account"])
def test_new_browsers_leave_half_of_an_address(counts, name, hostile, taken):
    assert take_all(counts, name, hostile) == taken
    assert take_all(counts, name, lambda: Caller(browser="a", address=ADDRESS, browser_since=KNOWN)) == 6
    assert take_all(counts, name, lambda: Caller(account="p", address=ADDRESS)) == 6
    assert take_all(counts, name, lambda: fresh(OTHER_ADDRESS)) == 10


def test_new_browsers_of_many_networks_leave_half_of_a_wide_one(counts):
    number = iter(range(1000))
    assert take_all(counts, "game", lambda: fresh(f"2001:db8:0:{next(number):x}::/64")) == 40
    known = Caller(browser="a", address="2001:db8:0:ffff::/64", browser_since=KNOWN)
    assert take_all(counts, "game", lambda: known) == 6


def test_known_browsers_share_the_whole_of_an_address(counts):
    assert take_all(counts, "game", lambda: Caller(browser=uuid4().hex, address=ADDRESS, browser_since=KNOWN)) == 20
