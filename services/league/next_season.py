"""Propose the season that follows a closed one: promotion, relegation, and its likely name."""

from __future__ import annotations

import re

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club, Season
from daybook.domain.league.succession import Placement, next_placements
from daybook.services.people import anonymise
from daybook.services.store.daybook import Daybook

YEARS = re.compile(r"(.*)([0-9]{4})([/–-])([0-9]{2}|[0-9]{4})")  # a season that begins in one and ends in the next


def propose_placements(book: Daybook, club: Club, season: Season) -> list[Placement]:
    """Propose places for the players of a closed season, except former members and anonymous people.

    Raises Refused while it is open.
    """
    if season.closed is None:
        raise Refused(because("season_open", "{season} is not closed yet", season=season.name))
    withdrawn = {club.person(person_id) for person_id in club.withdrawn_people(season)}
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
