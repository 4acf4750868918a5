"""Passwords: kept as Argon2id hashes, made anew when the parameters change, checked a few at a time.

A check takes 32 MiB and about a tenth of a second, on purpose. So that a crowd at the door cannot take all memory,
only a few are carried out at once; who waits longer is told to come again.
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

LEAST, MOST = 10, 200  # characters
DIFFERENT = 5  # characters at least
GUESSES = 10**8  # after which a password may be guessed: slowed down as sign-ins are, that takes years
LOOKED_AT = 20  # characters: what is longer stands in no list, and would take seconds to look at
AT_ONCE = 2
WAIT_SECONDS = 10.0

_places = BoundedSemaphore(AT_ONCE)


class PasswordsBusy(Exception):
    """Too many passwords are being checked just now: try again in a moment."""


@cache
def hasher() -> PasswordHasher:
    """Hashes with today's parameters."""
    from argon2 import PasswordHasher  # native

    return PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)


def weakness(password: str, sign_in: str = "") -> WhyNot:
    """Why a password cannot be taken; None: it can. Raises Busy."""
    password = _normalise(password)
    if len(password) < LEAST:
        return because("too_short", "a password has at least {least} characters", least=LEAST)
    if len(password) > MOST:
        return because("too_long", "a password has at most {most} characters", most=MOST)
    if len(set(password)) < DIFFERENT:
        return because("too_plain", "it has fewer than {least} different characters", least=DIFFERENT)
    if sign_in and password.casefold() == sign_in:
        return because("sign_in_name", "the password cannot be the sign-in name")
    if len(password) <= LOOKED_AT and _guesses(password, sign_in) < GUESSES:
        return because("common", "it is one of the passwords that are tried first; several words together are better")
    return None


def _guesses(password: str, sign_in: str) -> int:
    """How many guesses find it, by lists of common passwords, words and names. Raises Busy."""
    from zxcvbn import zxcvbn  # its lists take a while to load

    with _hashing_slot():
        return int(zxcvbn(password, user_inputs=["daybook", sign_in])["guesses"])


def hash_password(password: str) -> str:
    """Hash of a password. Raises Busy."""
    with _hashing_slot():
        return hasher().hash(_normalise(password))


def matches_hash(password: str, kept: str | None) -> bool:
    """Whether a password is the kept one. None takes as long and never fits, so that nobody learns whom there is.

    Raises Busy.
    """
    from argon2.exceptions import InvalidHashError, VerificationError

    with _hashing_slot():
        try:
            hasher().verify(kept or _hash_of_nobody(hasher()), _normalise(password)[: MOST + 1])
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def is_old(kept: str) -> bool:
    """Whether a hash was made with other parameters than today's."""
    return hasher().check_needs_rehash(kept)


def _normalise(password: str) -> str:
    """The same characters whatever keyboard typed them."""
    return composed(password, "NFKC")


@cache
def _hash_of_nobody(by: PasswordHasher) -> str:
    return by.hash("nobody signs in with this")


@contextmanager
def _hashing_slot() -> Iterator[None]:
    if not _places.acquire(timeout=WAIT_SECONDS):
        raise PasswordsBusy
    try:
        yield
    finally:
        _places.release()
