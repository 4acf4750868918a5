"""Messages about waiting: after wrong passwords, or after opening many games without an account."""

from __future__ import annotations

from daybook.services.limits import LimitExceededError
from daybook.web.words.say import say, say_n


def waiting_time(seconds: int) -> str:
    """Format a waiting time: "in 45 seconds", "in 4 minutes"."""
    if seconds < 90:
        return say_n("in {n} second", "in {n} seconds", seconds)
    return say_n("in {n} minute", "in {n} minutes", -(-seconds // 60))


def too_many_tries(locked: LimitExceededError) -> str:
    return say("Too many wrong tries. Try again {when}.", when=waiting_time(locked.seconds))


def too_many_games(locked: LimitExceededError, person: str | None) -> str:
    """Return the message after too many new games.

    Args:
        person: None if no one is signed in.
    """
    if person is not None:
        return say("You have opened many games. Try again {when}.", when=waiting_time(locked.seconds))
    return say(
        "Too many games were opened from here without an account. Sign in, or try again {when}.",
        when=waiting_time(locked.seconds),
    )


def too_many_mails(many: LimitExceededError) -> str:
    return say("Too many mails were requested. Try again {when}.", when=waiting_time(many.seconds))
