"""The caller of a request, by `Authorization: Bearer <key>`; cookies are ignored.

A link's key opens one game; a person's key opens what their roles permit in the games of their clubs.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

from flask import g, request

from daybook.domain.kernel.terms import Seat
from daybook.services.people import accounts
from daybook.services.permissions import access, club_roles, visits
from daybook.services.permissions.access import Grant
from daybook.services.permissions.sights import EVERYTHING, Sight, sights_of
from daybook.services.permissions.visits import Visit
from daybook.web.api.base import book
from daybook.web.api.errors import ApiError

ASK = "ask the scorekeeper for a link that may do this, and send its key as Authorization: Bearer <key>"


def holder(game_id: UUID | None = None) -> Grant | None:
    """Return the grant of this request's key; None without a key. Raises ApiError (401) for a key that opens nothing.

    A person's key has the grants of the person's roles in a game, and this is the fullest; in other games it has none.
    """
    if (who := person()) is not None:
        return None if game_id is None else next(iter(club_roles.role_grants(book(), who, game_id)), None)
    key = _bearer()
    if key is None:
        return None
    grant = access.read_key(book(), key)
    if grant is None:
        raise ApiError(401, "wrong_key", "the key is not valid: it is mistyped, cut off, revoked or expired", ASK)
    return grant


def person() -> str | None:
    """Return the id of the person of this request's key; None without a key, or for a link's."""
    if "api_person" not in g:
        key = _bearer()
        read = accounts.read_key(book(), key) if key is not None else None
        g.api_person = None if read is None else read.person
    found: str | None = g.api_person
    return found


def _bearer() -> str | None:
    """Return the key of the Authorization header; "" for another scheme, None without one."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    kind, _, key = header.partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def games_of_key() -> set[UUID]:
    """Return the games that this request's key opens."""
    if (who := person()) is not None:
        return club_roles.games_of_clubs(book(), who)
    grant = holder()
    return set() if grant is None else {grant.game}


def requested_visit(game_id: UUID) -> Visit:
    """Return the visit of a game by this request's key. Raises UnknownGameError, MayNotError."""
    grant = holder()
    found, _ = visits.visit_of(book(), game_id, links=[] if grant is None else [grant.id], person=person())
    return found


def not_yours(grant: Grant | None) -> ApiError:
    if grant is None and person() is not None:
        return ApiError(403, "not_this_game", "the game is of none of your clubs", ASK)
    if grant is None:
        return ApiError(401, "key_missing", "this needs a key of the game", ASK)
    return ApiError(403, "not_this_game", "the key is of another game", ASK)


# --- sights ----------------------------------------------------------------------------------------------------------


def sight_of(visit: Visit, wanted: str | None = None) -> Sight:
    """Return the requested sight ("all", "spectator" or a seat), by default the fullest of the caller. Raises ApiError."""
    allowed = sights_of(visit.game, visit.grant)
    if wanted is None:
        return allowed[0]
    sight = {"all": EVERYTHING, "spectator": None}[wanted] if wanted in ("all", "spectator") else int(wanted)
    if sight not in allowed:
        raise ApiError(
            403,
            "not_your_view",
            f"this key does not see the game as {wanted}",
            "leave `view` out, or send one of details.views",
            views=[sight_name(sight) for sight in allowed],
        )
    return sight


def sight_name(sight: Sight) -> str:
    """Return the name of a sight in addresses and answers."""
    return "spectator" if sight is None else "all" if sight == EVERYTHING else str(sight)


def may_see_hand(visit: Visit, seat: Seat) -> bool:
    """Check if the caller may see what only this seat sees."""
    allowed = sights_of(visit.game, visit.grant)
    return EVERYTHING in allowed or seat in allowed


# --- idempotency -----------------------------------------------------------------------------------------------------


def entry_key(grant: Grant, key: str) -> str:
    """Return the stored form of a client's idempotency key.

    It is different for each holder, so that an entry never counts as a repetition of another holder's. It cannot be
    guessed, because a guessable entry and its seal would confirm guesses about hidden cards.
    """
    return hashlib.sha256(f"{grant.id} {key}".encode()).hexdigest()


def opening_key(key: str) -> str:
    """Return the stored form of a key that opens a game.

    A repeated request gets the game's links, so the record, which many may read, holds only the hash.
    """
    return hashlib.sha256(f"open {key}".encode()).hexdigest()
