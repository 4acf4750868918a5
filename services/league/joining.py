"""Join a club by an invitation, with an account or a new one."""

from __future__ import annotations

import logging
from contextlib import suppress
from uuid import uuid4

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import AdmitInvited
from daybook.domain.league.club_events import ROLES, Role
from daybook.services.league import clubs, members
from daybook.services.league.clubs import account_in as account_in
from daybook.services.league.clubs import came_by_choice as came_by_choice
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.people import accounts, anonymise, invitations, mail_addresses
from daybook.services.people.invitations import InvalidInvitationError, Invitation
from daybook.services.permissions.actions import ClubVisit, MayNotError, may
from daybook.services.play.repetition import new_key
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError

logger = logging.getLogger(__name__)


def read_invitation(book: Daybook, key: str) -> Invitation:
    """Return the invitation of a key. Raises InvalidInvitationError.

    A sign-in link works only while its creator may still create it, since the person may have left the club. A link that
    the person requested by mail works while the address may sign them in.
    """
    found = invitations.read_invitation(book, key)
    if found.club is None and found.made_by == found.person:
        address = mail_addresses.address_of(book, found.person)
        if address is None or not (address.is_active and address.signs_in):
            raise InvalidInvitationError(because("revoked", "the link was revoked, or replaced by a newer one"))
    elif found.club is None:
        assert found.person is not None
        account, clubs_of_maker = accounts.account_of(book, found.person), clubs.clubs_of(book, found.made_by)
        allowed = any(members.may_make_link(book, club, found.made_by, account) for club in clubs_of_maker)
        if found.made_by != clubs.OPERATOR and not allowed:
            raise InvalidInvitationError(because("revoked", "the link was revoked, or replaced by a newer one"))
    return found


def accept_invitation(book: Daybook, invitation: Invitation, person: str) -> None:
    """Join a club by an invitation, as the signed-in person; an invited guest becomes that person.

    Raises InvalidInvitationError, Refused; the link then still works.
    """
    club = _inviting_club(book, invitation)
    _preview_arrival(book, club, invitation, person)
    invitations.use_invitation(book, invitation, person)
    _arrive(book, invitation, person)


def _inviting_club(book: Daybook, invitation: Invitation) -> Club:
    """Return the club of an invitation while its creator may invite. Raises InvalidInvitationError."""
    assert invitation.club is not None
    club = book.clubs.get(invitation.club)
    if not may(ClubVisit(club, invitation.made_by), "manage_members"):
        raise InvalidInvitationError(because("revoked", "the link was revoked, or replaced by a newer one"))
    return club


def _preview_arrival(book: Daybook, club: Club, invitation: Invitation, person: str) -> None:
    """Raise Refused if a person could not join a club by an invitation."""
    with suppress(NothingToWriteError):
        clubs.preview(book, club.id, _admission(invitation, person), by=invitation.made_by)


def _admission(invitation: Invitation, person: str, used_at: str = "") -> AdmitInvited:
    """Return the command that admits an invited person."""
    return AdmitInvited(person, invitation.person or "", _roles_of(invitation), used_at)


def _arrive(book: Daybook, invitation: Invitation, person: str, used_at: str = "") -> None:
    """Write the admission of an invited person. Raises as `clubs.write` does."""
    assert invitation.club is not None
    command = _admission(invitation, person, used_at)
    with suppress(NothingToWriteError):
        clubs.write(book, invitation.club, command, by=invitation.made_by, key=new_key())


def complete_arrivals(book: Daybook, after: str, before: str) -> None:
    """Admit people with a used invitation, if the process ended before it wrote the club.

    Their link works only once, so they could not try again.
    """
    used = invitations.used_into_clubs(book, after, before)
    gone = anonymise.anonymous_of(book, [person for _, person, _ in used])
    for invitation, person, used_at in used:
        if person not in gone:
            try:
                _arrive(book, invitation, person, used_at)
            except (Refused, MayNotError, UnknownClubError, UnreadableError) as error:
                logger.warning(
                    "%s does not come into club %s by a link that was used: %s", person, invitation.club, error
                )


def _roles_of(invitation: Invitation) -> tuple[Role, ...]:
    return tuple(role for role in ROLES if role in invitation.roles and role != "member")


def accept_with_new_account(
    book: Daybook, invitation: Invitation, name: str, *, sign_in: str = "", password: str = ""
) -> str:
    """Join a club with a new account; return the person's id.

    Without a sign-in name and password, the person signs in by links only. Raises InvalidInvitationError,
    InvalidAccountError, BadNameError, PasswordsBusyError, Refused; no account exists then.
    """
    club = _inviting_club(book, invitation)
    _preview_arrival(book, club, invitation, invitation.person or uuid4().hex)
    person = accounts.make_account(
        book,
        name,
        sign_in=sign_in,
        password=password,
        person=invitation.person,
        by=invitation.made_by,
        club=club.id,
        along=lambda c, person: invitations.spend_invitation(c, invitation, person),
    )
    try:
        _arrive(book, invitation, person)
    except Refused:  # the guest was merged with another person in the meantime
        accounts.remove_account(book, person)
        raise
    return person
