"""Game search of visitors: they find the games of their links and clubs."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from daybook.services.league.clubs import clubs_of, seats_put_right
from daybook.services.permissions.readable_clubs import is_listed
from daybook.services.play.game_search import Searcher
from daybook.services.store.daybook import Daybook


def seeker_of(book: Daybook, person: str | None, links: Iterable[UUID]) -> Searcher:
    """Return a person, or an anonymous visitor, with the games to which they hold links."""
    off = book.kept.withheld("club")
    own = clubs_of(book, person) if person else []
    within = {club.id for club in own}
    put_right = seats_put_right(own, person or "")
    return Searcher(
        links=frozenset(links),
        sat=frozenset(put_right.sat),
        not_sat=put_right.not_sat,
        people=tuple(sorted({person, *(person_id for club in own for person_id in club.ids_of(person))}))
        if person
        else (),
        clubs=tuple(club.id for club in own),
        club_games=frozenset(UUID(game) for club in own for game in club.games),
        readable=tuple(
            (club_id, card.name)
            for club_id, card in book.clubs.cards().items()
            if club_id in within or is_listed(club_id, card, off)
        ),
    )
