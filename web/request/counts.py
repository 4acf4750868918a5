"""Which count holds each address that writes: asked before its view, so that nothing is written without one.

A count is by person where somebody is signed in, else by network address; those whose address cannot be told are slowed
down together. What anybody may make out of nothing is counted in the kept tables, where no restart forgets it. What is
written into a game or a club needs a link or a role, comes as quickly as people tap, and is counted in memory.
"""

from __future__ import annotations

from flask import Flask, abort, current_app, request

from daybook.domain.kernel.frozen import Frozen
from daybook.services.people import sign_in_limits
from daybook.services.people.sign_in_limits import LockedOut
from daybook.web.request.access import book, person
from daybook.web.request.origin import origin, slow_down
from daybook.web.request.security import SAFE, Tries

WRITES_A_MINUTE = 600  # of one person or address, into games and clubs: a whole club behind one address taps less


class Count(Frozen):
    """How many of a kind in `minutes`, of a person and of an address."""

    of_person: int
    of_address: int
    minutes: int


COUNTS = {
    "sheet": Count(of_person=30, of_address=30, minutes=60),
    "club": Count(of_person=12, of_address=12, minutes=60),
    "list": Count(of_person=60, of_address=60, minutes=60),  # of people, or of plays with theirs
    "what_if": Count(of_person=120, of_address=60, minutes=60),
}
AT_THE_VIEW = {  # counted there, since only some of what is sent counts
    "account": "origin.new_account",
    "check": "origin.checked_file",
    "game": "origin.new_game",
    "key": "origin.wrong_key",
    "sign_in": "sign_in_limits.count_sign_in",
}
IN_MEMORY = "write"
NOTHING_KEPT = "nothing kept"  # what is sent is looked at, or lies in the browser's own cookie

HELD_BY: dict[str, str] = {  # endpoint, or a blueprint whose other addresses are all held so -> what holds it
    "new_game": "game",
    "importing": "game",
    "practice": "game",
    "practice_table": "game",
    "Practice": "game",
    "practice_table.practice_turn": IN_MEMORY,
    "Games.open_game": "game",
    "Records.import_record": "game",
    "signin": "sign_in",
    "signin.sign_up": "account",
    "signin.sign_out": NOTHING_KEPT,
    "invited": "key",
    "invited.accept": "account",
    "links.join": "key",
    "sheet": "sheet",
    "making": "sheet",
    "Rulesets and sheets": "sheet",
    "clubs": "club",
    "people.add_list": "list",
    "exchange.bring": "list",
    "Clubs.bring_plays_in": "list",
    "what_if.make": "what_if",
    "What if.make_fork": "what_if",
    "what_if": IN_MEMORY,
    "What if": IN_MEMORY,
    "checking": "check",
    "compare": NOTHING_KEPT,
    "evidence": NOTHING_KEPT,
    "Evidence": IN_MEMORY,
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
            "stood",
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
            "exchange",
            "evenings",
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
            "operator",
        ),
        IN_MEMORY,
    ),
}


def begin_counts(app: Flask) -> None:
    """Nobody has written anything."""
    app.extensions["writes"] = Tries(WRITES_A_MINUTE, seconds=60)


def held_by(endpoint: str) -> str | None:
    """What holds an address that writes; None: nothing is said of it."""
    return HELD_BY.get(endpoint) or HELD_BY.get(endpoint.partition(".")[0])


def count_write() -> None:
    """Count a request that writes, as its address is held. 429 after too many."""
    if request.method in SAFE or request.endpoint is None:
        return
    name = held_by(request.endpoint)
    if name == IN_MEMORY:
        writes: Tries = current_app.extensions["writes"]
        who = person() or origin()
        if not writes.one_more(who):  # of all whose origin is unknown together
            if who:
                abort(429, "writes")
            slow_down(name)
    elif name in COUNTS:
        _count(name, COUNTS[name])


def _count(name: str, count: Count) -> None:
    try:
        if (who := person()) is not None:
            sign_in_limits.count_made(book(), name, f"person {who}", count.of_person, count.minutes)
        elif where := origin():
            sign_in_limits.count_made(book(), name, where, count.of_address, count.minutes)
        else:
            slow_down(name)
    except LockedOut:
        abort(429, "writes")
