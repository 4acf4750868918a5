"""Passwords: Argon2id hashes, renewed when the parameters change.

A check takes 32 MiB and about 0.1 seconds, on purpose. A few run at once, so that many sign-ins cannot exhaust the
memory; callers that wait too long get PasswordsBusyError.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.kernel.texts import composed

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH, MAX_LENGTH = 10, 200
MIN_DIFFERENT_CHARACTERS = 5
MIN_GUESSES = 10**8  # with the sign-in limits, they take years
MAX_RATED_LENGTH = 20  # longer passwords are in no list, and take zxcvbn seconds
MAX_CONCURRENT_HASHES = 2
WAIT_SECONDS = 10.0

_places = BoundedSemaphore(MAX_CONCURRENT_HASHES)


class PasswordsBusyError(Exception):
    """Too many passwords are being checked at the moment: retry soon."""


@cache
def hasher() -> PasswordHasher:
    """Return a hasher with the current parameters."""
    from argon2 import PasswordHasher  # native

    return PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)


def weakness(password: str, sign_in: str = "") -> WhyNot:
    """Return the reason to refuse a password; None if it is acceptable. Raises PasswordsBusyError."""
    password = _normalise(password)
    if len(password) < MIN_LENGTH:
        return because("too_short", "a password has at least {least} characters", least=MIN_LENGTH)
    if len(password) > MAX_LENGTH:
        return because("too_long", "a password has at most {most} characters", most=MAX_LENGTH)
    if len(set(password)) < MIN_DIFFERENT_CHARACTERS:
        return because("too_plain", "it has fewer than {least} different characters", least=MIN_DIFFERENT_CHARACTERS)
    if sign_in and password.casefold() == sign_in:
        return because("sign_in_name", "the password cannot be the sign-in name")
    if len(password) <= MAX_RATED_LENGTH and _guesses(password, sign_in) < MIN_GUESSES:
        return because("common", "it is one of the passwords that are tried first; several words together are better")
    return None


def _guesses(password: str, sign_in: str) -> int:
    """Estimate the guesses to find a password with lists of common passwords. Raises PasswordsBusyError."""
    from zxcvbn import zxcvbn  # its lists take a while to load

    with _hashing_slot():
        return int(zxcvbn(password, user_inputs=["daybook", sign_in])["guesses"])


def hash_password(password: str) -> str:
    """Return the hash of a password. Raises PasswordsBusyError."""
    with _hashing_slot():
        return hasher().hash(_normalise(password))


def matches_hash(password: str, stored_hash: str | None) -> bool:
    """Check a password against a stored hash.

    None never matches and takes equally long, so that the time does not reveal which names exist. Raises
    PasswordsBusyError.
    """
    from argon2.exceptions import InvalidHashError, VerificationError

    with _hashing_slot():
        try:
            hasher().verify(stored_hash or _hash_of_nobody(hasher()), _normalise(password)[: MAX_LENGTH + 1])
        except (VerificationError, InvalidHashError):
            return False
    return stored_hash is not None


def needs_rehash(stored_hash: str) -> bool:
    """Check if a hash was created with other parameters than the current ones."""
    return hasher().check_needs_rehash(stored_hash)


def _normalise(password: str) -> str:
    """Normalise the password, so that every keyboard produces the same characters."""
    return composed(password, "NFKC")


@cache
def _hash_of_nobody(by: PasswordHasher) -> str:
    return by.hash("nobody signs in with this")


@contextmanager
def _hashing_slot() -> Iterator[None]:
    if not _places.acquire(timeout=WAIT_SECONDS):
        raise PasswordsBusyError
    try:
        yield
    finally:
        _places.release()
