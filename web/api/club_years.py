"""API of the years in review of a club and its people."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.league.club import Club
from daybook.services.days import today_of
from daybook.services.league import year_reviews
from daybook.services.league.year_reviews import EVERYBODY, CountOf, YearReview
from daybook.web.api.base import book
from daybook.web.api.clubs import league, requested_club
from daybook.web.api.errors import ApiError

YEARS = "/clubs/<uuid:club_id>/years"


class YearQuery(Exact):
    person: Annotated[str, Meta(max_length=64)] = ""  # the years of this person; default: of the club


class YearsShown(Frozen):
    years: list[str]  # years with plays that count, the newest first
    current: bool  # all results are included


class YearShown(Frozen):
    review: YearReview  # people by id, games by their keys; the place is null if this key may not see the evenings
    names: dict[str, str]  # of the people in this answer, by id
    over: bool  # false: the year continues, and these are the plays so far
    current: bool  # all results are included


@league.reads(YEARS, YearsShown, "the years", query=YearQuery)
def list_years(query: YearQuery, club_id: UUID) -> YearsShown:
    """List a club's years

    Those in which the club, or one of its people, finished a play that counts.
    """
    club = requested_club(club_id)
    person = _requested_person(club, query.person)
    return YearsShown(year_reviews.reviewed_years(book(), club, person), year_reviews.is_current(book(), club.id))


@league.reads(YEARS + "/<string:year>", YearShown, "the year", query=YearQuery)
def show_year(query: YearQuery, club_id: UUID, year: str) -> YearShown:
    """Show a year in review

    Plays, games, people, hours, records, the longest run of wins, the most played game, new games and the h-index; of
    the club, or of one of its people. Cooperative plays are separate. Days are in the club's time zone.
    """
    club = requested_club(club_id)
    review = year_reviews.find_review(book(), club, year, _requested_person(club, query.person))
    if review is None:
        raise ApiError(
            404,
            "unknown_year",
            f"nothing was played in {year[:8]!a} that counts",
            "GET /clubs/{club}/years lists the years; new plays are included a moment later",
        )
    return YearShown(
        review,
        book().kept.names(_people_in(review)),
        year < today_of(club.zone)[:4],
        year_reviews.is_current(book(), club.id),
    )


def _requested_person(club: Club, person_id: str) -> str:
    if not person_id:
        return EVERYBODY
    person = club.person(person_id)
    if not club.knows(person):
        raise ApiError(404, "unknown_person", "the club has no such person", "GET /clubs/{club} lists its members")
    return person


def _people_in(review: YearReview) -> set[str]:
    counts: list[CountOf] = [*review.people_listed, *review.winners]
    people = {count.key for count in counts} | {record.person for record in review.records_listed}
    return people | {review.run.person if review.run else "", review.person} - {""}
