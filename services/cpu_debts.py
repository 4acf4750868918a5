"""CPU time that visitors used recently; the least is served first, and too much waits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

HALF_LIFE_SECONDS = 60.0  # in which a debt halves
MAX_DEBT_SECONDS = 60.0  # beyond it long work is refused
HEAVY_DEBT_SECONDS = 5.0  # beyond it an address leaves some slots to all others
SMALLEST_DEBT_SECONDS = 0.001  # is forgotten
CLEANUP_SIZE = 4096  # accounts, after which settled ones are looked for


class Visitor(NamedTuple):
    """A client: its address, and what tells it from others there."""

    address: str
    holder: str = ""  # a session or a link; empty: neither


class TooMuchDebtError(Exception):
    """The visitor used too much CPU time; nothing was done."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"try again in {seconds} seconds")
        self.seconds = seconds


class CpuDebts:
    """CPU seconds by visitor and by address, halved each minute. Safe for threads.

    A session or a link has one account, wherever it is used. Visitors without one share the account of their address.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._debts: dict[tuple[str, ...], tuple[float, float]] = {}  # seconds, and at what time they were that
        self._cleanup_size = CLEANUP_SIZE
        self._lock = Lock()

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Add CPU seconds to the debts of the visitor and of the address."""
        with self._lock:
            at = self._clock()
            for account in ((visitor.address,), _account(visitor)):
                self._debts[account] = (self._seconds(account, at) + seconds, at)
            if len(self._debts) > self._cleanup_size:
                self._debts = {key: debt for key, debt in self._debts.items() if self._seconds(key, at) > 0}
                self._cleanup_size = 2 * max(len(self._debts), CLEANUP_SIZE // 2)

    def of_address(self, address: str) -> float:
        """Return the debt of an address in CPU seconds."""
        return self._seconds((address,), self._clock())

    def of_visitor(self, visitor: Visitor) -> float:
        return self._seconds(_account(visitor), self._clock())

    def is_heavy(self, address: str) -> bool:
        return self.of_address(address) > HEAVY_DEBT_SECONDS

    def refuse_debtor(self, visitor: Visitor) -> None:
        """Raise TooMuchDebtError for a visitor with more than MAX_DEBT_SECONDS."""
        debt = self.of_visitor(visitor)
        if debt > MAX_DEBT_SECONDS:
            raise TooMuchDebtError(math.ceil(HALF_LIFE_SECONDS * math.log2(debt / MAX_DEBT_SECONDS)) or 1)

    def _seconds(self, account: tuple[str, ...], at: float) -> float:
        """Return an account's debt in CPU seconds, halved each minute since the last charge."""
        seconds, since = self._debts.get(account, (0.0, at))
        debt = halved(seconds, at - since)
        return debt if debt >= SMALLEST_DEBT_SECONDS else 0.0


def halved(seconds: float, age_seconds: float) -> float:
    """Return what is left of a debt after a while."""
    return float(seconds * 0.5 ** (age_seconds / HALF_LIFE_SECONDS))


def _account(visitor: Visitor) -> tuple[str, ...]:
    """Return the account key of a visitor: the holder, else the address."""
    return ("", visitor.holder) if visitor.holder else (visitor.address, "")
