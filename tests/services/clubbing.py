"""A club with people who have accounts, for the tests of what they may do."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from daybook.domain.games import RULESETS
from daybook.domain.league.club_events import BESIDE, Role
from daybook.services.league import clubs, members
from daybook.services.people import accounts, invitations
from daybook.services.store.daybook import Daybook
from tests.played import key

PASSWORD = "seven looms at dawn"


def account(book: Daybook, name: str) -> str:
    return accounts.make_account(book, name, sign_in=name, password=PASSWORD)


def found_club(book: Daybook, founder: str, name: str = "Mill Club") -> UUID:
    return clubs.found_club(book, name, founder, by=founder, key=key()).club


def bring_in(book: Daybook, club: UUID, person: str, roles: Sequence[Role] = (), *, by: str) -> None:
    """Somebody with an account comes into a club by their own will."""
    made = members.invite(book, club, roles, by=by)
    members.accept(book, invitations.read_invitation(book, invitations.key_of(book, made)), person)


def open_club_game(
    book: Daybook,
    club: UUID,
    seats: Sequence[str],
    *,
    by: str,
    ruleset_id: str = "making_profit",
    public: bool = False,
    **options: str,
) -> UUID:
    """A game of the club, with its people in the seats."""
    colours = RULESETS[ruleset_id].colours(book.sheets.printed_sheet(ruleset_id))[: len(seats)]
    game, _ = clubs.open_table(
        book,
        club,
        BESIDE,
        None,
        ruleset_id=ruleset_id,
        title="Friday",
        people=seats,
        colours=colours,
        options=options,
        public=public,
        by=by,
        key=key(),
    )
    return game.game


def guest(book: Daybook, name: str) -> str:
    """Somebody who is known by name alone."""
    id = uuid4().hex
    book.kept.keep_person(id, name)
    return id


__all__ = ["BESIDE", "PASSWORD", "account", "bring_in", "found_club", "guest", "key", "open_club_game"]
