"""Evenings of a club: planned, moved, called off, and who comes."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import Answer, AnyEvent, EveningAnswered, EveningCalledOff, EveningPlanned
from daybook.services.league.clubs.leagues import require_known
from daybook.services.league.clubs.newcomers import NO_GUESTS, Guests, refuse_strangers
from daybook.services.league.clubs.roles import What
from daybook.services.league.clubs.writing import ClubWriter, write
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook


def plan_evening(
    book: Daybook,
    club_id: UUID,
    when: str,
    place: str = "",
    games: Sequence[str] = (),
    *,
    evening: str = "",
    by: str,
    key: str,
    at: int | None = None,
) -> Receipt:
    """An evening on which the club meets (`evening_at`); `evening`: another day, place or games for that one, which
    takes place after all if it was called off.

    when: UTC, as records write it; games: as `game_named` says them. Raises UnknownRulesetError.
    """
    require_known(games)
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(
            EveningPlanned(
                evening=evening or pen.club.next_evening(),
                when=when,
                place=place.strip(),
                games=tuple(games),
                **pen.next,
            )
        ),
        ("plan_evening", evening, when, place, games),
        by=by,
        key=key,
        at=at,
        bears=lambda event: _plans(event, evening),
    )


def _plans(event: AnyEvent, evening: str) -> bool:
    return isinstance(event, EveningPlanned | EveningCalledOff) and event.evening == evening


def call_off_evening(
    book: Daybook, club_id: UUID, evening: str, why: str = "", *, by: str, key: str, at: int | None = None
) -> Receipt:
    return write(
        book,
        club_id,
        "schedule",
        lambda pen: pen.write(EveningCalledOff(evening=evening, why=why.strip(), **pen.next)),
        ("call_off_evening", evening, why),
        by=by,
        key=key,
        at=at,
        bears=lambda event: _plans(event, evening),
    )


def answer_evening(
    book: Daybook,
    club_id: UUID,
    evening: str,
    answer: Answer,
    person: str = "",
    guests: Guests = NO_GUESTS,
    *,
    by: str,
    key: str,
) -> Receipt:
    """Whether somebody comes: every member says it for themselves, organisers for others and for guests, too.

    person: empty: who writes this. guests: where they are new.
    """
    club = book.clubs.get(club_id)
    of_others = bool(person) and club.person(person) != club.person(by)
    what: What = "schedule" if of_others else "answer"

    def act(pen: ClubWriter) -> None:
        whole = pen.club.person(person or by)
        refuse_strangers(book, pen.club, [whole], guests)
        pen.guests |= guests
        pen.write(EveningAnswered(evening=evening, person=whole, answer=answer, **pen.next))

    return write(book, club_id, what, act, ("answer_evening", evening, answer, person or by), by=by, key=key)


def evening_at(club: Club, step: int) -> Evening:
    """The evening that the event of a step is about."""
    event = club.entries[step].event
    assert isinstance(event, EveningPlanned)
    return club.evenings[event.evening]
