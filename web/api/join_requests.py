"""API of requests to join a club, for its organisers."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.services.league import join_requests
from daybook.services.people.accounts import InvalidAccountError
from daybook.services.permissions.actions import ClubVisit, require
from daybook.web.api.base import WRITE, book
from daybook.web.api.clubs import league, requested_club, requesting_person
from daybook.web.api.errors import ApiError

REQUESTS = "/clubs/<uuid:club_id>/join-requests"


class JoinRequestShown(Frozen):
    person: str
    name: str
    at: str  # UTC


class JoinRequestsShown(Frozen):
    requests: list[JoinRequestShown]  # the oldest first


class JoinAnswer(Exact):
    answer: Literal["admit", "refuse"]
    guest: Annotated[str, Meta(max_length=64)] = ""  # the guest of the club that the person is


class JoinAnswered(Frozen):
    person: str
    member: bool


@league.reads(REQUESTS, JoinRequestsShown, "the requests that wait for an answer", key=True)
def list_join_requests(club_id: UUID) -> JoinRequestsShown:
    """List the requests to join a club

    Of people who opened the club's own link; for organisers, with their own key.
    """
    club = requested_club(club_id)
    require(ClubVisit(club, requesting_person()), "manage_members")
    found = join_requests.list_open_requests(book(), club)
    names = book().kept.names([request.person for request in found])
    return JoinRequestsShown(
        [JoinRequestShown(request.person, names.get(request.person, ""), request.at) for request in found]
    )


@league.acts(
    REQUESTS + "/<string:person_id>", JoinAnswered, "if the person is a member now", body=JoinAnswer, fails=WRITE
)
def answer_join_request(body: JoinAnswer, club_id: UUID, person_id: str) -> JoinAnswered:
    """Admit a person to the club, or refuse their request

    For organisers, with their own key. `guest`: the guest of the club that the person is; the guest's games become
    theirs. A person who was refused cannot ask again, but can be invited.
    """
    requested_club(club_id)
    if body.answer == "refuse":
        join_requests.refuse_request(book(), club_id, person_id, by=requesting_person())
    else:
        try:
            join_requests.admit_person(book(), club_id, person_id, by=requesting_person(), guest=body.guest)
        except InvalidAccountError as bad:
            raise ApiError(422, bad.reason.key, str(bad), "revoke an open invitation of the club first") from bad
    return JoinAnswered(person_id, bool(book().clubs.get(club_id).roles(person_id)))
