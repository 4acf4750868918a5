"""Seats of imported games, which players claim as their own."""

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

LINK_NEEDED = "ask the importer of the game for the link of your seat, and send its key as `link`"


class OwnSeatSent(Exact):
    seat: PlayerSeat  # your seat
    link: LinkKey | None = None  # the key of a link of the game; default: what your roles permit


class OwnSeat(Frozen):
    seat: Seat | None  # yours in this game; null: none
    may_claim: list[Seat]  # seats that this key may claim


@games.acts("/games/<uuid:game_id>/seats/mine", OwnSeat, "your seat", body=OwnSeatSent, fails=ASK)
def claim_seat(body: OwnSeatSent, game_id: UUID) -> OwnSeat:
    """Say that a seat was yours

    For imported games, with your own key. `link` is the key of the seat's link or of the scorekeeper's link. You do not
    need it if your roles let you record the game. From then on the game is in your list. A repeated request changes
    nothing.
    """
    who, grants = _who_says(), _grants(game_id, body.link)
    if not grants:
        requested_visit(game_id)
    stored = book().kept.game(game_id)
    if stored is None or not may_with(grants, stored, "claim_seat", seat=body.seat):
        raise ApiError(403, "not_your_seat", "this needs the link of the seat", LINK_NEEDED, seat=body.seat)
    own_seats.claim_seat(book(), game_id, body.seat, person=who)
    return _own_seat(game_id, who, grants)


@games.acts("/games/<uuid:game_id>/seats/mine", OwnSeat, "none is yours", method="DELETE", fails=ASK)
def leave_seat(game_id: UUID) -> OwnSeat:
    """Say that no seat was yours

    With your own key. It removes you from your seat in this game, even if someone else put you there.
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
        raise ApiError(403, "wrong_link", "`link` is not a key of this game", LINK_NEEDED)
    return [grant, *by_role]


def _own_seat(game_id: UUID, who: str, grants: list[Grant]) -> OwnSeat:
    kept = book().kept.game(game_id)
    assert kept is not None
    return OwnSeat(own_seats.seat_of(book().games.get(game_id), kept, who), own_seats.seats_to_claim(kept, who, grants))
