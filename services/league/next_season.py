"""The season that follows a closed one: proposed with who goes up and down, opened with all its players at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_events import PlayerEntered, SeasonOpened
from daybook.domain.league.succession import Placement, next_placements
from daybook.services.league.clubs import ClubWriter, check, write
from daybook.services.people import anonymise
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook

Entered = tuple[str, int, int]  # person, division, group
YEARS = re.compile(r"(.*)([0-9]{4})([/–-])([0-9]{2}|[0-9]{4})")  # a season that begins in one and ends in the next


def propose_placements(book: Daybook, club: Club, season: Season) -> list[Placement]:
    """Proposes where everybody of a closed season plays next; nowhere who has left the club since, or was made anonymous.
    Raises Refused while it is open."""
    if season.closed is None:
        raise Refused(because("season_open", "{season} is not closed yet", season=season.name))
    withdrawn = {club.person(id) for id in club.withdrawn_people(season)}
    orders = club.orders(season.closed.orders)
    left = club.people_left() | anonymise.anonymous_of(book, [person for order in orders for person in order.people])
    return next_placements(season.format, orders, withdrawn, left)


def next_name(name: str) -> str:
    """Likely name of the season after this one: a number at its end is counted on, or two years, as in 2026/27."""
    if years := YEARS.fullmatch(name):
        before, first, between, second = years.groups()
        ends = 10 ** len(second)
        if int(second) == (int(first) + 1) % ends:
            return f"{before}{int(first) + 1}{between}{(int(first) + 2) % ends:0{len(second)}}"
    head = name.rstrip("0123456789")
    number = name[len(head) :]
    return f"{head}{int(number) + 1:0{len(number)}}" if number and len(number) < 9 else f"{name} 2"


def open_next(
    book: Daybook, club_id: UUID, after: str, name: str, players: Sequence[Entered], *, by: str, key: str
) -> Receipt:
    """Open the season after a closed one, played as that was, with these players: all of it or nothing.

    Its id is in the event at the receipt's step (`clubs.season_at`). Raises Refused.
    """
    check(book.clubs.get(club_id), by, "schedule")

    def act(pen: ClubWriter) -> None:
        before = pen.club.season(after)
        if before.closed is None:
            raise Refused(because("season_open", "{season} is not closed yet", season=before.name))
        id = pen.club.next_season()
        pen.write(SeasonOpened(season=id, league=before.league, name=name.strip(), format=before.format, **pen.next))
        for person, division, group in players:
            pen.write(
                PlayerEntered(season=id, person=pen.club.person(person), division=division, group=group, **pen.next)
            )

    return write(book, club_id, "settle", act, ("open_next", after, name, players), by=by, key=key)
