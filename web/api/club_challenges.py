"""API of a club's challenges: list, set and give up."""

from __future__ import annotations

from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Challenge
from daybook.domain.league.club_commands import GiveUpChallenge, SetChallenge
from daybook.services.league import challenges
from daybook.services.league.challenges import Progress
from daybook.services.paging import page_of_list
from daybook.web.api.base import book
from daybook.web.api.clubs import ClubWrite, add_club_writes, league, requested_club
from daybook.web.api.errors import ApiError
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import PageQuery

CHALLENGES = "/clubs/<uuid:club_id>/challenges"
CHALLENGE = CHALLENGES + "/<string:challenge_id>"


class ChallengesShown(Frozen):
    challenges: list[Challenge]  # empty `person`: a challenge of the club; people by id, games by key
    next: str | None  # the address of the next page; null: this is the last


@league.reads(CHALLENGES, ChallengesShown, "a page of challenges, the newest first", query=PageQuery)
def list_challenges(query: PageQuery, club_id: UUID) -> ChallengesShown:
    """List a club's challenges

    Of the club and of its people, also those that have ended. `next` is the address of the page behind this one, null
    at the end.
    """
    newest = [*reversed(requested_club(club_id).challenges.values())]
    found, more = fetch_page(
        query, lambda after, limit: page_of_list(newest, lambda challenge: challenge.id, after, limit)
    )
    return ChallengesShown(found, more)


@league.reads(CHALLENGE, Progress, "the challenge and its progress")
def show_challenge(club_id: UUID, challenge_id: str) -> Progress:
    """Show a challenge

    With its progress, what counts and what is missing, computed from the plays of the club. Void plays and those that
    are marked as not counted are left out.
    """
    club = requested_club(club_id)
    if challenge_id not in club.challenges:
        raise ApiError(
            404,
            "unknown_challenge",
            f"the club has no challenge {challenge_id[:40]!a}",
            "GET /clubs/{club}/challenges lists its challenges",
        )
    return challenges.count_progress(book(), club, club.challenges[challenge_id])


def _no_fields(club_id: UUID) -> dict[str, str]:
    requested_club(club_id)
    return {}


def _challenge_of_path(club_id: UUID, challenge_id: str) -> dict[str, str]:
    requested_club(club_id)
    return {"challenge": challenge_id}


add_club_writes(_no_fields, ClubWrite(CHALLENGES, SetChallenge))
add_club_writes(_challenge_of_path, ClubWrite(CHALLENGE + "/give-up", GiveUpChallenge))
