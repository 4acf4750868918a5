"""Seats of imported games, claimed by the people that sat there."""

from __future__ import annotations

from uuid import UUID

from daybook.domain.kernel.field_types import PlayerSeat
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.terms import Seat
from daybook.services.league import own_seats
from daybook.services.permissions import access, club_roles
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import may_with
from daybook.web.api.base import ASK, book
from daybook.web.api.errors import ApiError
from daybook.web.api.game_links import games
from daybook.web.api.keys import person as person_of_key
from daybook.web.api.keys import requested_visit
from daybook.web.api.requests import LinkKey

LINK_NEEDED = "ask whoever imported the game for the link of your seat, and send its key as `link`"


class OwnSeatSent(Exact):
    seat: PlayerSeat  # your seat
    link: LinkKey | None = None  # the key of a link of the game; default: what your roles permit


class OwnSeat(Frozen):
    seat: Seat | None  # yours in this game; null: none
    may_claim: list[Seat]  # seats that this key may claim


@games.acts("/games/<uuid:game_id>/seats/mine", OwnSeat, "your seat", body=OwnSeatSent, fails=ASK)
def claim_seat(body: OwnSeatSent, game_id: UUID) -> OwnSeat:
    """Say that a seat was yours

    In a game that a file brought, with your own key. `link` is the key of the seat's link or of the scorekeeper's; who
    may record the game by a role needs none. The game is among yours from then on. Said again, nothing changes.
    """
    who, grants = _who_says(), _grants(game_id, body.link)
    if not grants:
        requested_visit(game_id)
    stored = book().kept.game(game_id)
    if stored is None or not may_with(grants, stored, "claim_seat", seat=body.seat):
        raise ApiError(403, "not_your_seat", "this is said with the link of the seat", LINK_NEEDED, seat=body.seat)
    own_seats.claim_seat(book(), game_id, body.seat, person=who)
    return _own_seat(game_id, who, grants)


@games.acts("/games/<uuid:game_id>/seats/mine", OwnSeat, "none is yours", method="DELETE", fails=ASK)
def leave_seat(game_id: UUID) -> OwnSeat:
    """Say that no seat was yours

    Whoever said that one was, or whatever brought you there; with your own key.
    """
    who = _who_says()
    kept = book().kept.game(game_id)
    if kept is None or own_seats.seat_of(book().games.get(game_id), kept, who) is None:
        requested_visit(game_id)
    own_seats.leave_seat(book(), game_id, person=who)
    return _own_seat(game_id, who, _grants(game_id, None))


def _who_says() -> str:
    who = person_of_key()
    if who is None:
        raise ApiError(401, "person_missing", "this needs the key of a person", "send a key from your own page, /me")
    return who


def _grants(game_id: UUID, link: str | None) -> list[Grant]:
    """Return a person's grants in a game by roles and by the link that was sent. Raises ApiError."""
    by_role = list(club_roles.role_grants(book(), _who_says(), game_id))
    if link is None:
        return by_role
    grant = access.read_key(book(), link)
    if grant is None or grant.game != game_id:
        raise ApiError(403, "wrong_link", "`link` is no key of this game", LINK_NEEDED)
    return [grant, *by_role]


def _own_seat(game_id: UUID, who: str, grants: list[Grant]) -> OwnSeat:
    kept = book().kept.game(game_id)
    assert kept is not None
    return OwnSeat(own_seats.seat_of(book().games.get(game_id), kept, who), own_seats.seats_to_claim(kept, who, grants))
