"""A club with people who have accounts, for tests of permissions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from daybook.domain.games import RULESETS
from daybook.domain.league.club_events import BESIDE, Role
from daybook.services.league import clubs, joining, members
from daybook.services.people import accounts, invitations
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.store.daybook import Daybook
from tests.played import key

PASSWORD = "seven looms at dawn"


def account(book: Daybook, name: str) -> str:
    return accounts.make_account(book, name, sign_in=name, password=PASSWORD)


def found_club(book: Daybook, founder: str, name: str = "Mill Club") -> UUID:
    return clubs.found_club(book, name, founder, by=founder, key=key()).record


def bring_in(book: Daybook, club: UUID, person: str, roles: Sequence[Role] = (), *, by: str) -> None:
    """Let a person with an account join a club."""
    made = members.invite(book, club, roles, by=by)
    joining.accept_invitation(book, invitations.read_invitation(book, invitations.key_of(book, made)), person)


def join_anew(book: Daybook, club: UUID, name: str, roles: Sequence[Role] = (), *, by: str) -> str:
    """Bring in a person whose account the club's invitation creates. Return the id."""
    made = members.invite(book, club, roles, by=by)
    return joining.accept_with_new_account(book, made, name, sign_in=name, password=PASSWORD)


def new_game(
    book: Daybook, seats: Sequence[str], ruleset_id: str = "making_profit", public: bool = False, **options: str
) -> NewGame:
    """A game for people of a club."""
    colours = RULESETS[ruleset_id].colours(book.sheets.printed_sheet(ruleset_id))
    players = [SeatedPerson("", colour, person) for person, colour in zip(seats, colours, strict=False)]
    return NewGame(ruleset_id, "Friday", players, options, public=public)


def open_club_game(
    book: Daybook,
    club: UUID,
    seats: Sequence[str],
    season: str = BESIDE,
    table: str | None = None,
    *,
    by: str,
    **how: Any,
) -> UUID:
    """A game of the club, with its people and guests in the seats. how: of `new_game`."""
    new, guests = new_game(book, seats, **how), book.kept.names(seats)
    return clubs.open_table(book, club, season, table, new, guests, by=by, key=key())[0].record


def guest(book: Daybook, name: str) -> str:
    """Add a person without an account."""
    id = uuid4().hex
    book.kept.keep_person(id, name)
    return id


__all__ = [
    "BESIDE",
    "PASSWORD",
    "account",
    "bring_in",
    "found_club",
    "guest",
    "join_anew",
    "key",
    "new_game",
    "open_club_game",
]
