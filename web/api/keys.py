"""Whose request this is. The API looks at `Authorization: Bearer <key>` alone, never at a cookie.

A key is of a link, and opens one game; or of a person, and opens what their roles open in the games of their clubs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from uuid import UUID

from flask import g, request

from daybook.domain.commands import Command, seats_moved
from daybook.domain.kernel.terms import Seat
from daybook.services.people import accounts
from daybook.services.permissions import access, club_roles, visits
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import Fields, MayNotError, require
from daybook.services.permissions.sights import EVERYTHING, Sight, sights_of
from daybook.services.permissions.visits import NotReadableError, Visit
from daybook.web.api.base import book
from daybook.web.api.errors import ApiError

ASK = "ask the scorekeeper for a link that may do this, and send its key as Authorization: Bearer <key>"


def holder(game_id: UUID | None = None) -> Grant | None:
    """The grant of the key this request came with; None: it came with none. 401 for a key that opens nothing.

    A person's key holds what their roles give in a game, of which this is the fullest; in no game of theirs, nothing.
    """
    if (who := person()) is not None:
        return None if game_id is None else next(iter(club_roles.role_grants(book(), who, game_id)), None)
    key = _bearer()
    if key is None:
        return None
    grant = access.read_key(book(), key)
    if grant is None:
        raise ApiError(401, "wrong_key", "the key opens nothing: it is mistyped, cut off, revoked or expired", ASK)
    return grant


def person() -> str | None:
    """The id of the person whose key this request came with; None: it came with none, or with a link's."""
    if "api_person" not in g:
        key = _bearer()
        read = accounts.read_key(book(), key) if key is not None else None
        g.api_person = None if read is None else read.person
    found: str | None = g.api_person
    return found


def _bearer() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    kind, _, key = header.partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def games_of_key() -> set[UUID]:
    """The games that this request's key holds something in."""
    if (who := person()) is not None:
        return club_roles.games_of_clubs(book(), who)
    grant = holder()
    return set() if grant is None else {grant.game}


def visit_asked(game_id: UUID) -> Visit:
    """The game as this request's key may meet it: read once, and handed on. 404 where there is none, 401 or 403 where
    it is not theirs."""
    grant = holder()
    try:
        found, _ = visits.visit_of(book(), game_id, links=[] if grant is None else [grant.id], person=person())
    except NotReadableError as no:
        raise _not_yours(grant) from no
    return found


def member(visit: Visit, *roles: str) -> Grant:
    """What the holder has in this game in one of these roles; 401 or 403 for anybody else."""
    if visit.grant is None:
        raise _not_yours(holder())
    found = next((one for one in visit.grants if one.role in roles), None)
    if found is None:
        raise _needs_role(visit.grant, roles)
    return found


def _needs_role(grant: Grant, roles: Sequence[str]) -> ApiError:
    return ApiError(403, "not_allowed", f"a {grant.role}'s link may not do this; it is for: {', '.join(roles)}", ASK)


def writer(visit: Visit, kind: type[Command], said: Fields) -> Grant:
    """What the holder has in this game to write such a command with; 401 or 403 for anybody else. said: its fields."""
    try:
        return require(visit, kind, **said)
    except MayNotError as no:
        raise _may_not(no) from no


def _may_not(no: MayNotError) -> ApiError:
    grant, said = no.grant, no.fields
    if grant is None:
        return _not_yours(holder())
    if grant.role not in no.roles:
        return _needs_role(grant, no.roles)
    match no.missing:
        case "seat":
            return ApiError(
                403,
                "not_your_seat",
                f"the link of seat {grant.seat} does not record for seat {said['seat']}",
                f"record for seat {grant.seat} or for the table (-1), or send the key of that seat",
                seat=grant.seat,
            )
        case "speak":
            whom = "the scorekeeper" if said["seat"] is None else f"seat {said['seat']}"
            return ApiError(
                403,
                "not_your_seat",
                f"the link of seat {grant.seat} does not speak for {whom}",
                f"speak for seat {grant.seat}, or send another key",
                seat=grant.seat,
            )
        case "others":
            others = sorted(seats_moved(no.game, said["to_step"]) - {grant.seat})
            return ApiError(
                403,
                "not_your_seat",
                f"this would take back decisions of seat {others[0]}, or let them stand again",
                "ask the scorekeeper for it, or that seat",
                seats=others,
            )
        case "umpire":
            return ApiError(
                403,
                "not_the_umpire",
                f"this key does not rule for umpire {said['umpire']}",
                "GET /games/{game}/umpires lists them; send the key of that umpire's link",
            )
        case "fact":
            return ApiError(
                403, "not_your_sight", "this fact names what others do not see", "ask the scorekeeper to record it"
            )
    return ApiError(
        403,
        "not_your_sight",
        "something lies covered from this key, and a refusal would tell it",
        "ask the scorekeeper to propose it",
    )


def _not_yours(grant: Grant | None) -> ApiError:
    if grant is None and person() is not None:
        return ApiError(403, "not_this_game", "the game is of none of your clubs", ASK)
    if grant is None:
        return ApiError(401, "key_missing", "this needs a key of the game", ASK)
    return ApiError(403, "not_this_game", "the key is of another game", ASK)


# --- sights ----------------------------------------------------------------------------------------------------------


def sight_of(visit: Visit, wanted: str | None = None) -> Sight:
    """The sight asked for ("all", "spectator" or a seat); by default the fullest this holder has."""
    allowed = sights_of(visit.game, visit.grant)
    if wanted is None:
        return allowed[0]
    sight = {"all": EVERYTHING, "spectator": None}[wanted] if wanted in ("all", "spectator") else int(wanted)
    if sight not in allowed:
        raise ApiError(
            403,
            "not_your_sight",
            f"this key does not see the game as {wanted}",
            "leave `sight` out, or ask for one of details.sights",
            sights=[sight_name(sight) for sight in allowed],
        )
    return sight


def sight_name(sight: Sight) -> str:
    """How a sight stands in addresses and answers."""
    return "spectator" if sight is None else "all" if sight == EVERYTHING else str(sight)


def may_see_hand(visit: Visit, seat: Seat) -> bool:
    """Whether this holder may know what only this seat knows."""
    allowed = sights_of(visit.game, visit.grant)
    return EVERYTHING in allowed or seat in allowed


# --- idempotency -----------------------------------------------------------------------------------------------------


def entry_key(grant: Grant, key: str) -> str:
    """A client's idempotency key as the record keeps it.

    Each holder has keys of their own, so that nobody's entry is taken for a repetition of another's. What is kept
    cannot be guessed either: a seal must not be a way to try out what a hidden card might be.
    """
    return hashlib.sha256(f"{grant.id} {key}".encode()).hexdigest()


def opening_key(key: str) -> str:
    """The same for a new game. Whoever repeats the client's own key is answered with the game's links, and the
    record, which many may read, holds only this."""
    return hashlib.sha256(f"open {key}".encode()).hexdigest()
