"""Scopes of the keys of users' programs: the scope that each request needs."""

from __future__ import annotations

from typing import get_args

from daybook.services.limits import NOTHING_KEPT, limit_of
from daybook.services.people.accounts import Scope

RECORD = frozenset(  # endpoints, and blueprints for their endpoints, that write into the record of a game
    {
        "Analysis",
        "Claims",
        "Corrections",
        "Evidence",
        "Games.open_game",
        "Practice",
        "Recording",
        "Records",
        "What if",
        "adjust",
        "as_played",
        "better_moves",
        "chances",
        "claims",
        "correct",
        "count",
        "importing",
        "new_game",
        "passing",
        "photos",
        "practice",
        "practice_table",
        "record",
        "ruling",
        "typed_line",
        "what_if",
    }
)
ORGANISE = frozenset(  # those that show or hand out links, which outlive the key; also where they only read
    {"Claims.give_umpire_a_link", "Games.list_grants", "device_lease", "lease", "links", "people", "umpires"}
)


def required_scope(endpoint: str, writes: bool) -> Scope:
    """Return the scope that a request needs. Writing needs "organise" unless a table says less."""
    names = {endpoint, endpoint.partition(".")[0]}
    if names & ORGANISE:
        return "organise"
    if not writes or limit_of(endpoint) == NOTHING_KEPT:
        return "read"
    return "record" if names & RECORD else "organise"


def allows(scope: Scope, needed: Scope) -> bool:
    """Check if a key's scope includes another: organise includes record, and record includes read."""
    order = get_args(Scope)
    return order.index(scope) >= order.index(needed)
