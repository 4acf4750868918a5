"""Words that both Arkwright games share."""

from __future__ import annotations

from daybook.web.words.say import say, say_n


def pounds(n: int) -> str:
    return say("£{n}", n=n) if n >= 0 else say("−£{n}", n=-n)


def workers(n: int) -> str:
    return say_n("{n} worker", "{n} workers", n)


def machines(n: int) -> str:
    return say_n("{n} machine", "{n} machines", n)


def shares(n: int) -> str:
    return say_n("{n} share", "{n} shares", n)
