"""Make a person anonymous in all clubs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import BlankNames, EndMembership, GiveRoles, WithdrawPlayer
from daybook.services.league import clubs
from daybook.services.league.clubs import account_in as account_in
from daybook.services.league.clubs import came_by_choice as came_by_choice
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.people import accounts, anonymise, forgotten
from daybook.services.play.repetition import new_key
from daybook.services.store.daybook import Daybook

logger = logging.getLogger(__name__)


def all_ids_of(book: Daybook, person: str) -> list[str]:
    """Return all ids of a person in the clubs that can be read, that of the account first."""
    own = [person, *accounts.merged_with(book, person)]
    ids = dict.fromkeys(own)
    for club in book.clubs.with_people(own):
        if club.knows(person) and (account_in(book, club, person) is None or came_by_choice(book, club, person)):
            ids |= dict.fromkeys(club.ids_of(person))
    others = {account.person for account in accounts.accounts_of(book, [*ids])} - {person}
    return [person_id for person_id in ids if person_id not in others]


def make_anonymous(book: Daybook, person: str, *, by: str) -> bool:
    """Make a person permanently anonymous: they also leave their clubs and open seasons.

    The caller has asked twice, and checks if `by` may do it (`may_act_for`, or it is the person). Return False if
    files are still to be cleaned (`anonymous.clean`). Raises Refused for the last organiser of a club with other
    members; nothing has changed then.
    """
    ids = all_ids_of(book, person)
    clubs_of_person = {club.id: club for person_id in ids for club in clubs.clubs_of(book, person_id)}
    others = [club for club in clubs_of_person.values() if len(club.people()) > 1 and not club.removed]
    for club in others:
        if club.organisers() == [club.person(person)]:
            raise Refused(
                because("last_organiser", "{person} is the only organiser, and a club has one", person=person)
            )
    for club in others:  # first: of two organisers who do this at the same time, one stays
        if "organiser" in (roles := club.roles(person)):
            rest = [role for role in roles if role != "organiser"]
            clubs.write(book, club.id, GiveRoles(person, tuple(rest)), by=clubs.OPERATOR, key=new_key())
    _remember_forgotten(book, ids)  # first: the names are deleted next
    _blank_names_in_clubs(book, ids)
    games = [UUID(game) for club in book.clubs.with_people(ids) for game in club.games]
    cleaned = anonymise.anonymise(book, ids, games, by=by)
    _leave_clubs(book, ids)
    return cleaned


def _blank_names_in_clubs(book: Daybook, ids: Sequence[str]) -> None:
    """Have the clubs that know a person show "…" where the name was written: in remarks, variants, reasons, titles."""
    for club in book.clubs.with_people(ids):
        with suppress(NothingToWriteError):
            clubs.write(book, club.id, BlankNames(tuple(ids)), by=clubs.OPERATOR, key=new_key())


def _remember_forgotten(book: Daybook, ids: Sequence[str]) -> None:
    """Have imports recognise a person by the names and the ids of other programs that their clubs know."""
    names, digests = anonymise.names_of(book, ids), list[str]()
    for club in book.clubs.with_people(ids):
        digests += [forgotten.digest_of_name(book, club.id, name) for name in names]
        elsewhere = club.ids_elsewhere().items()
        digests += [forgotten.digest_of_id(book, foreign_id) for foreign_id, person in elsewhere if person in ids]
    forgotten.remember_forgotten(book, digests)


def _leave_clubs(book: Daybook, ids: Sequence[str]) -> None:
    """Withdraw an anonymous person, by any of these ids, from open seasons and clubs.

    The only organiser of a club without other members stays.
    """
    for club in book.clubs.with_people(ids):
        for person in {club.person(person_id) for person_id in ids if club.knows(person_id)}:
            try:
                _leave_club(book, club, person)
            except Refused as error:  # all else is done already
                logger.warning("%s was made anonymous and does not leave club %s: %s", person, club.id, error)


def _leave_club(book: Daybook, club: Club, person: str) -> None:
    for season in club.open_seasons():
        player = club.player(season, person)
        if player is not None and player.withdrew is None:
            clubs.write(book, club.id, WithdrawPlayer(season.id, person), by=clubs.OPERATOR, key=new_key())
    if club.roles(person) and club.organisers() != [person]:
        clubs.write(book, club.id, EndMembership(person), by=clubs.OPERATOR, key=new_key())


def complete_departures(book: Daybook, after: str, before: str) -> bool:
    """Finish interrupted departures from clubs, and the cleaning of files, for people made anonymous lately.

    Return False if the files are still in use or the disk is full.
    """
    gone = anonymise.anonymous_between(book, after, before)
    _leave_clubs(book, gone)
    return not anonymise.is_to_be_cleaned(book, gone) or anonymise.clean_after(book, gone[0])
