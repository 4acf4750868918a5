"""People across games and clubs: their photo, who they are in a club, invitations, and what is kept of them.

`may_act_for` says what an organiser may do for a guest, `may_make_link` for a member with an account.
"""

from __future__ import annotations

import base64
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_commands import (
    AddMember,
    AdmitInvited,
    BlankNames,
    EndMembership,
    GiveRoles,
    MergePeople,
    WithdrawPlayer,
)
from daybook.domain.league.club_events import ROLES, MemberLeft, Role
from daybook.services.clock import now
from daybook.services.league import calendars, clubs, told_apart
from daybook.services.league.clubs import account_in as account_in
from daybook.services.league.clubs import came_by_choice as came_by_choice
from daybook.services.league.clubs.people import NothingToWriteError
from daybook.services.names import NAME_LIMIT, clean_name
from daybook.services.people import (
    accounts,
    anonymise,
    forgotten,
    invitations,
    link_consent,
    link_sign_ins,
    operators,
    photo_store,
    photos,
)
from daybook.services.people.accounts import Account
from daybook.services.people.byte_limits import client_of_person
from daybook.services.people.invitations import Invitation, NoInvitation
from daybook.services.people.writers import role_grant_id
from daybook.services.play.repetition import new_key
from daybook.services.store.database import lock_subject
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.kept import kept_fork, kept_game, kept_portrait, kept_seat, kept_stored
from daybook.services.store.sheets import by_person, kept_sheet

logger = logging.getLogger(__name__)

PORTRAIT_SIDE = 480  # pixels


class Portrait(Frozen):
    """A person's photo: JPEG. hash: the SHA-256 of its bytes."""

    hash: str
    bytes: bytes


def name_of(book: Daybook, person: str) -> str:
    """Return a person's name; empty for an unknown person, such as "operator"."""
    return book.kept.names([person]).get(person, "")


# --- photo -----------------------------------------------------------------------------------------------------------


def keep_portrait(book: Daybook, person: str, sent: bytes, *, by: str) -> None:
    """Store a re-encoded photo of a person instead of the one before.

    Raises BadPhoto, and BadAccount if the person was made anonymous in the meantime.
    """
    shown = photos.reencode(sent, PORTRAIT_SIDE)
    with book.kept.engine.begin() as c:
        lock_subject(c, "portrait", person)
        accounts.require_somebody(c, person)
        photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person == person)
        row = {"person": person, "hash": shown.hash, "kept_at": now()}
        c.execute(kept_portrait.insert().values(row | photo_store.insert_photo(c, shown.bytes)))
        accounts.log_change(c, person, by, "portrait_changed")


def remove_portrait(book: Daybook, person: str, *, by: str) -> None:
    with book.kept.engine.begin() as c:
        if photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person == person):
            accounts.log_change(c, person, by, "portrait_removed")


def has_portrait(book: Daybook, person: str) -> bool:
    return bool(with_portrait(book, [person]))


def with_portrait(book: Daybook, people: Sequence[str]) -> set[str]:
    """Return the people who have a photo."""
    column = kept_portrait.c.person
    return {row.person for row in book.kept.engine.rows_where_in(sa.select(column), column, people)}


def portrait(book: Daybook, person: str) -> Portrait | None:
    """Return a person's photo. The caller checks if the viewer may see it (`may_see`)."""
    row = book.kept.engine.row(sa.select(kept_portrait).where(kept_portrait.c.person == person))
    content = None if row is None else photo_store.read_photo(book, row)
    return None if row is None or content is None else Portrait(row.hash, content)


def may_see(book: Daybook, viewer: str, person: str) -> bool:
    """Check if a viewer may see a person's photo and address: the person, and members of clubs that they chose."""
    if viewer == person:
        return True
    return any(came_by_choice(book, club, person) for club in clubs.clubs_of(book, viewer) if club.roles(person))


# --- in clubs --------------------------------------------------------------------------------------------------------


def may_act_for(book: Daybook, club: Club, actor: str, person: str) -> bool:
    """Check if an organiser may rename a guest of a club, invite them, or make them anonymous.

    It takes an organiser of every club that knows the guest. For a person with an account no one may.
    """
    if actor == clubs.OPERATOR:
        return True
    if not clubs.may(club, actor, "people") or not club.knows(person):
        return False
    known_in = _known_in(book, club, person)
    if any(account_in(book, other, id) is not None for other in (club, *known_in) for id in club.ids_of(person)):
        return False
    return all(clubs.may(other, actor, "people") for other in known_in)


def _known_in(book: Daybook, club: Club, person: str) -> list[Club]:
    """Return all clubs that know a person of a club, by whichever id."""
    ids = club.ids_of(person)
    return [other for other in book.clubs.with_people(ids) if any(other.knows(id) for id in ids)]


def may_make_link(book: Daybook, club: Club, actor: str, account: Account | None) -> bool:
    """Check if an organiser of a club may create a link that signs a member in."""
    return account is not None and _link_fault(book, club, actor, account) is None


def _link_fault(book: Daybook, club: Club, actor: str, account: Account) -> Reason | None:
    """Return why an organiser of a club cannot create a link that signs a member in, if there is a reason.

    The member allowed it, or the club's invitation created the account and its owner has not set a password since. The
    latter holds only while the organiser organises every club of the member: a link opens them all.
    """
    if actor == clubs.OPERATOR:
        return None
    person = account.person
    if not clubs.may(club, actor, "people"):
        return because("not_organiser", "only an organiser of the club can do this")
    if not club.roles(person):
        return because("not_member", "{person} is not a member of the club", person=person)
    if operators.is_operator(book, person):
        return because(
            "is_operator", "{person} is an operator: only the administrator can create a link", person=person
        )
    allowed_at = link_consent.clubs_allowed(book, person).get(club.id)
    if allowed_at is not None and not _left_since(club, person, allowed_at):
        return None
    if not all(clubs.may(other, actor, "people") for other in _known_in(book, club, person)):
        return because("other_clubs", "{person} belongs to a club that you do not organise", person=person)
    if not is_account_of(book, club, account):
        return because(
            "not_allowed",
            "{person} has not allowed links for signing in: members allow it on their own page, and the administrator"
            " can create a link with daybook sign-in-link",
            person=person,
        )
    return None


def is_account_of(book: Daybook, club: Club, account: Account) -> bool:
    """Check if an account belongs to a club: its invitation created it, and the owner has set no password since."""
    person = account.person
    return (
        account.club == club.id
        and came_by_choice(book, club, person)
        and not _left_since(club, person, account.made_at)
    )


def forbid_links(book: Daybook, account: Account, club_id: UUID) -> None:
    """Let no organiser of a club create links that sign a person in, also where its invitation created the account."""
    link_consent.forbid(book, account.person, club_id)
    if account.club == club_id:
        accounts.release(book, account.person)


def _left_since(club: Club, person: str, at: str) -> bool:
    ids = club.ids_of(person)
    left = (entry.event for entry in club.entries if isinstance(entry.event, MemberLeft))
    return any(event.person in ids and event.at >= at for event in left)


def add_member(book: Daybook, club_id: UUID, name: str, roles: Sequence[Role] = (), *, by: str, key: str) -> str:
    """Add a new member without an account and return the id. Raises BadNameError, and as `clubs.write` does."""
    name = clean_name("name", name, NAME_LIMIT)
    person = uuid5(club_id, f"member {key} {name}").hex  # the same again, should this break off half-way
    clubs.write(book, club_id, AddMember(person, tuple(roles), {person: name}), by=by, key=key)
    return person


def can_merge(book: Daybook, club: Club, kept: str, gone: str) -> bool:
    """Check if two ids can be made one person."""
    try:
        clubs.preview(book, club.id, MergePeople(kept, gone, "x"), by=clubs.OPERATOR)
    except Refused:
        return False
    return True


def rename_guest(book: Daybook, club_id: UUID, person: str, name: str, *, by: str) -> None:
    """Rename a person without an account. Raises Refused, BadNameError."""
    club = book.clubs.get(club_id)
    clubs.check(club, by, "people")
    if account_in(book, club, person) is not None:
        raise Refused(because("own_name", "{person} has an account and can change the name there", person=person))
    _refuse_beyond_reach(book, club, by, person)
    accounts.rename(book, person, name, by=by)


def _refuse_beyond_reach(book: Daybook, club: Club, actor: str, person: str) -> None:
    """Raise Refused if an organiser may not act for a person."""
    if anonymise.is_anonymous(book, person):
        raise Refused(because("anonymous_name", "a person who was made anonymous cannot have a name"))
    if not may_act_for(book, club, actor, person):
        raise Refused(because("other_clubs", "{person} belongs to a club that you do not organise", person=person))


# --- invitations -----------------------------------------------------------------------------------------------------


def invite(
    book: Daybook, club_id: UUID, roles: Sequence[Role] = (), *, person: str | None = None, by: str
) -> Invitation:
    """Create a link into a club. Raises NotAllowed, Refused.

    person: a guest or a member without an account.
    """
    club = book.clubs.get(club_id)
    clubs.check(club, by, "people")
    if person is not None:
        if account_in(book, club, person) is not None:
            raise Refused(because("has_sign_in", "{person} already has an account", person=person))
        _refuse_beyond_reach(book, club, by, person)
    return invitations.invite(book, club_id, tuple(roles), person=person, by=by)


def sign_in_link(book: Daybook, club_id: UUID, person: str, *, by: str) -> Invitation:
    """Create a link that signs a member in, for who has forgotten the password. Raises Refused, BadAccount."""
    club = book.clubs.get(club_id)
    clubs.check(club, by, "people")
    account = account_in(book, club, person)
    if account is not None:
        if (fault := _link_fault(book, club, by, account)) is not None:
            raise Refused(fault)
        if len(link_sign_ins.open_of(book, account.person)) >= link_sign_ins.OPEN_LIMIT:
            raise Refused(
                because(
                    "links_used",
                    "{limit} links were used within {days} days: the member confirms them on another device first",
                    limit=link_sign_ins.OPEN_LIMIT,
                    days=link_sign_ins.UNDO_DAYS,
                )
            )
    return invitations.sign_in_link(book, account.person if account else person, by=by)


def read_invitation(book: Daybook, key: str) -> Invitation:
    """Return what a link lets in to, by its key. Raises NoInvitation.

    A link for signing in works while its maker may still create it: the person may have left the club since.
    """
    found = invitations.read_invitation(book, key)
    if found.club is None:
        assert found.person is not None
        account, of = accounts.account(book, found.person), clubs.clubs_of(book, found.made_by)
        may = any(may_make_link(book, club, found.made_by, account) for club in of)
        if found.made_by != clubs.OPERATOR and not may:
            raise NoInvitation(because("revoked", "the link was revoked, or replaced by a newer one"))
    return found


def accept(book: Daybook, invitation: Invitation, person: str) -> None:
    """Come into a club by an invitation. person: who is signed in; if the link is for a guest, they say that it is
    them. Raises NoInvitation, Refused; then the link still holds."""
    club = _inviting_club(book, invitation)
    _preview_arrival(book, club, invitation, person)
    invitations.use(book, invitation, person)
    _arrive(book, invitation, person)


def _inviting_club(book: Daybook, invitation: Invitation) -> Club:
    """Return the club of an invitation while its creator may invite. Raises NoInvitation."""
    assert invitation.club is not None
    club = book.clubs.get(invitation.club)
    if not clubs.may(club, invitation.made_by, "people"):
        raise NoInvitation(because("revoked", "the link was revoked, or replaced by a newer one"))
    return club


def _preview_arrival(book: Daybook, club: Club, invitation: Invitation, person: str) -> None:
    """Raise Refused if a person could not come into a club by an invitation."""
    with suppress(NothingToWriteError):
        clubs.preview(book, club.id, _admission(invitation, person), by=invitation.made_by)


def _admission(invitation: Invitation, person: str, used_at: str = "") -> AdmitInvited:
    return AdmitInvited(person, invitation.person or "", _roles_of(invitation), used_at)


def _arrive(book: Daybook, invitation: Invitation, person: str, used_at: str = "") -> None:
    """Let a person in who used an invitation. Raises as writing in a club does."""
    assert invitation.club is not None
    command = _admission(invitation, person, used_at)
    with suppress(NothingToWriteError):
        clubs.write(book, invitation.club, command, by=invitation.made_by, key=new_key())


def end_arrivals(book: Daybook, after: str, before: str) -> None:
    """Let people in who used an invitation between two times, if the process ended in between.

    The link works once, also for them.
    """
    used = invitations.used_into_clubs(book, after, before)
    gone = anonymise.anonymous_of(book, [person for _, person, _ in used])
    for invitation, person, used_at in used:
        if person not in gone:
            try:
                _arrive(book, invitation, person, used_at)
            except (Refused, clubs.NotAllowed, UnknownClubError, UnreadableError) as no:
                logger.warning("%s does not come into club %s by a link that was used: %s", person, invitation.club, no)


def _roles_of(invitation: Invitation) -> tuple[Role, ...]:
    return tuple(role for role in ROLES if role in invitation.roles and role != "member")


def accept_anew(book: Daybook, invitation: Invitation, name: str, *, sign_in: str = "", password: str = "") -> str:
    """Come into a club with an account of one's own, made now; the person's id. Without a sign-in name and password
    the person signs in by links alone. Raises NoInvitation, BadAccount, BadNameError, Busy, Refused; then there is no account."""
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
        along=lambda c, person: invitations.spend(c, invitation, person),
    )
    try:
        _arrive(book, invitation, person)
    except Refused:  # the guest was merged with somebody meanwhile
        accounts.remove_account(book, person)
        raise
    return person


# --- anonymous -------------------------------------------------------------------------------------------------------


def ids_everywhere(book: Daybook, person: str) -> list[str]:
    """Return all ids of a person in the clubs that can be read, that of the account first."""
    own = [person, *accounts.merged_with(book, person)]
    ids = dict.fromkeys(own)
    for club in book.clubs.with_people(own):
        if club.knows(person) and (account_in(book, club, person) is None or came_by_choice(book, club, person)):
            ids |= dict.fromkeys(club.ids_of(person))
    others = {account.person for account in accounts.accounts(book, [*ids])} - {person}
    return [id for id in ids if id not in others]


def make_anonymous(book: Daybook, person: str, *, by: str) -> bool:
    """Make a person anonymous for good, and have them leave their clubs and open seasons.

    The caller has asked twice, and checks if `by` may do it (`may_act_for`, or it is the person). Return False if
    files are still to be cleaned (`anonymous.clean`). Raises Refused for the last organiser of a club with other
    members; nothing has changed then.
    """
    ids = ids_everywhere(book, person)
    of = {club.id: club for id in ids for club in clubs.clubs_of(book, id)}
    others = [club for club in of.values() if len(club.people()) > 1 and not club.removed]
    for club in others:
        if club.organisers() == [club.person(person)]:
            raise Refused(
                because("last_organiser", "{person} is the only organiser, and a club has one", person=person)
            )
    for club in others:  # first: of two organisers who do this at once one stays
        if "organiser" in (roles := club.roles(person)):
            rest = [role for role in roles if role != "organiser"]
            clubs.write(book, club.id, GiveRoles(person, tuple(rest)), by=clubs.OPERATOR, key=new_key())
    _remember_forgotten(book, ids)  # first: afterwards nobody knows the names
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
        digests += [forgotten.digest_of_id(book, id) for id, person in elsewhere if person in ids]
    forgotten.remember_forgotten(book, digests)


def _leave_clubs(book: Daybook, ids: Sequence[str]) -> None:
    """Withdraw an anonymous person, by any of these ids, from open seasons and clubs.

    The only organiser of a club without other members stays.
    """
    for club in book.clubs.with_people(ids):
        for one in {club.person(id) for id in ids if club.knows(id)}:
            try:
                _leave_club(book, club, one)
            except Refused as no:  # all else is done already
                logger.warning("%s was made anonymous and does not leave club %s: %s", one, club.id, no)


def _leave_club(book: Daybook, club: Club, person: str) -> None:
    for season in club.open_seasons():
        player = club.player(season, person)
        if player is not None and player.withdrew is None:
            clubs.write(book, club.id, WithdrawPlayer(season.id, person), by=clubs.OPERATOR, key=new_key())
    if club.roles(person) and club.organisers() != [person]:
        clubs.write(book, club.id, EndMembership(person), by=clubs.OPERATOR, key=new_key())


def end_leaving(book: Daybook, after: str, before: str) -> bool:
    """Complete what was interrupted for people who were made anonymous between two times.

    Return False if the files are still being read, or there is no room.
    """
    gone = anonymise.anonymous_between(book, after, before)
    _leave_clubs(book, gone)
    return not anonymise.is_to_be_cleaned(book, gone) or anonymise.clean_after(book, gone[0])


# --- what is kept ----------------------------------------------------------------------------------------------------


def personal_data(book: Daybook, person: str) -> bytes:
    """Return everything that is stored of a person, as JSON, for that person."""
    shown = portrait(book, person)
    sessions = [
        {"device": one.device, "since": one.made_at, "last": one.seen_at, "until": one.ends_at}
        for one in accounts.sessions(book, person)
    ]
    keys = [
        {"name": one.name, "since": one.made_at, "last": one.seen_at, "until": one.ends_at}
        for one in accounts.keys(book, person)
    ]
    told: dict[str, Any] = {
        "person": person,
        "name": name_of(book, person),
        "earlier_names": sorted(anonymise.earlier_names(book, ids_everywhere(book, person))),
        "account": accounts.account(book, person),
        "photo": None
        if shown is None
        else {"media_type": photos.MEDIA_TYPE, "base64": base64.b64encode(shown.bytes).decode()},
        "signed_in": sessions,
        "keys": keys,
        "calendar_address": calendars.address_of(book, person),
        "changes": accounts.changes(book, [person], 10_000),
        "clubs": [
            {"club": str(club.id), "name": club.name, "roles": club.roles(person)}
            for club in clubs.clubs_of(book, person)
        ],
        **club_data_of(book, person),
        "sheets": sheets_of(book, person),
        "stored": stored_of(book, person),
        "games": games_of(book, person),
        "private_lines": forks_of(book, person),
        "evenings_told_apart": told_apart.said_by(book, person),
        "told": "Passwords, keys and links are not in this file: Daybook keeps only what they are checked against. "
        "What was recorded in a game stays in its record, where this person stands by id alone.",
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def club_data_of(book: Daybook, person: str) -> dict[str, list[dict[str, Any]]]:
    """Return what clubs hold of a person beside recorded games: imported and typed plays, evenings, seasons."""
    ids = ids_everywhere(book, person)
    plays, evenings, seasons = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for club in book.clubs.with_people(ids):
        mine, named = {id for id in ids if club.knows(id)}, {"club": str(club.id)}
        for season in club.all_seasons():
            tables = (table for table in season.tables.values() if not mine.isdisjoint(table.people))
            plays += [named | play for table in tables for play in _play_of(table, mine)]
            entered = [player for id, player in season.players.items() if id in mine]
            seasons += [{**named, "season": season.name, "withdrew": one.withdrew is not None} for one in entered]
        evenings += [
            {**named, "evening": evening.when, "answer": answered.answer}
            for evening in club.evenings.values()
            for id, answered in evening.answers.items()
            if id in mine
        ]
    return {"plays": plays, "evenings": evenings, "seasons": seasons}


def _play_of(table: SeasonTable, ids: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield a person's part of a play that was typed in or imported; what others did is theirs."""
    if table.typed is None or table.game:
        return
    details = table.typed.details
    for placed in table.typed.placed:
        if placed.person in ids:
            told = {
                "game": table.typed.ruleset,
                "day": table.typed.day,
                "imported": bool(table.batch),
                "players": len(table.typed.placed),
                "place": placed.place,
                "score": details.scores.get(placed.person, placed.score),
                "role": details.roles.get(placed.person, ""),
                "team": details.teams.get(placed.person, ""),
                "began": details.start == placed.person,
                "new_to_it": placed.person in details.new,
                "minutes": details.minutes,
                "where": details.place,
                "variant": details.board,
                "expansions": details.expansions,
                "remarks": details.comments,
            }
            yield {name: value for name, value in told.items() if value or name == "score"}


def sheets_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the component sheets that a person published."""
    query = sa.select(kept_sheet.c.hash, kept_sheet.c.name, kept_sheet.c.at).where(kept_sheet.c.by == by_person(person))
    return [{"sheet": row.hash, "name": row.name, "at": row.at} for row in book.kept.engine.rows(query)]


def stored_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return how many bytes a person stored, by day and kind."""
    query = sa.select(kept_stored).where(kept_stored.c.client == client_of_person(person)).order_by(kept_stored.c.day)
    return [{"day": row.day, "kind": row.kind, "bytes": row.bytes} for row in book.kept.engine.rows(query)]


def games_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the games of a person by any id, the newest first, with corrections by their clubs.

    seat: where they sat. named_in: where the record names them, if that is elsewhere.
    """
    ids = ids_everywhere(book, person)
    mine = {club.id: club for id in ids for club in clubs.clubs_of(book, id)}
    put_right = clubs.seats_put_right(mine.values(), person)
    sitting = kept_seat.c.person.in_(ids)
    query = (
        sa.select(kept_game.c.id, kept_game.c.title, kept_game.c.created_at)
        .where(
            sa.or_(kept_game.c.id.in_(sa.select(kept_seat.c.game).where(sitting)), kept_game.c.id.in_(put_right.sat))
        )
        .order_by(kept_game.c.created_at.desc(), kept_game.c.id)
    )
    named = defaultdict[UUID, list[int | None]](list)
    with book.kept.engine.connect() as c:
        rows = c.execute(query).all()
        for game, at in c.execute(sa.select(kept_seat.c.game, kept_seat.c.seat).where(sitting)):
            named[game].append(at)
    found = []
    for row in rows:
        for named_in in named.get(row.id, [None]):
            seat = None if row.id in put_right.not_sat else put_right.sat.get(row.id, named_in)
            told = {"game": str(row.id), "title": row.title, "seat": seat, "opened": row.created_at}
            found.append(told if named_in in (seat, None) else {**told, "named_in": named_in})
    return found


def forks_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """Return the private lines of a person."""
    query = sa.select(kept_fork).where(kept_fork.c.owner == role_grant_id(person)).order_by(kept_fork.c.made_at)
    return [
        {
            "game": str(row.game),
            "at": row.at,
            "title": row.title,
            "moves": msgspec.json.decode(row.moves),
            "made": row.made_at,
        }
        for row in book.kept.engine.rows(query)
    ]
