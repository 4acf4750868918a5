"""Founding a club, how it does things, and who belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID, uuid5

from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.terms import because
from daybook.domain.league import club_events
from daybook.domain.league.club import Merge, founding_entry
from daybook.services import days
from daybook.services.clock import now
from daybook.services.league.clubs.newcomers import NO_GUESTS, Guests
from daybook.services.league.clubs.roles import MAY, What
from daybook.services.league.clubs.writing import ClubWriter, write
from daybook.services.names import TITLE_LIMIT, clean_name
from daybook.services.people import accounts
from daybook.services.play import recording
from daybook.services.play.repetition import BadKeyError, KeyUsedError, check_key, mark_of
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import AlreadyWrittenError

BY_KEY = UUID("9d0a2f57-2f7c-5d8b-9e10-4e0f3b586c1d")  # clubs founded twice with one key are one club


def found_club(book: Daybook, name: str, founder: str, *, by: str, key: str) -> Receipt:
    """Found a club, with its first organiser. key: as for a game, at least 16 characters nobody else would choose.

    Raises BadNameError, BadKeyError, KeyUsedError.
    """
    check_key(key)
    if len(key) < recording.OPENING_KEY_LENGTH:
        raise BadKeyError(f"a new club needs an idempotency key of at least {recording.OPENING_KEY_LENGTH} characters")
    name = clean_name("name", name, TITLE_LIMIT)
    id, before = uuid5(BY_KEY, key), uuid5(BY_KEY, f"{key} {name} {founder}")
    if there := book.log.club_entries(before):  # from when an id was made of name and founder as well
        return Receipt(before, 0, there[0].seal, repeated=True)
    mark = mark_of(book, key, id, name, founder)
    entry = founding_entry(id, name, founder, Written(now(), by, key, mark))
    if not book.log.club_entries(id):
        with suppress(AlreadyWrittenError):
            book.clubs.append([entry])
            return Receipt(id, 0, entry.seal)
    founded = book.log.club_entries(id)[0]
    if founded.event.nonce != mark:
        raise KeyUsedError(id, 0)
    return Receipt(id, 0, founded.seal, repeated=True)


def rename(book: Daybook, club_id: UUID, name: str, *, by: str, key: str) -> Receipt:
    """Another name for the club."""
    name = " ".join(name.split())
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.ClubRenamed(name=name, **pen.next)),
        ("rename", name),
        by=by,
        key=key,
    )


def settle(
    book: Daybook, club_id: UUID, settings: club_events.ClubSettings, *, by: str, key: str, at: int | None = None
) -> Receipt:
    """How the club does things: what counts where, whether its pages are public."""
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.ClubSettled(settings=settings, **pen.next)),
        ("settle", settings),
        by=by,
        key=key,
        at=at,
        bears=lambda event: isinstance(event, club_events.ClubSettled),
    )


def set_zone(book: Daybook, club_id: UUID, zone: str, *, by: str, key: str) -> Receipt:
    """The club's days are those of another time zone. Raises Refused for a zone that is not known."""
    if not days.is_zone(zone):
        raise Refused(because("no_zone", "“{zone}” is no time zone", zone=zone[:40]))
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.ZoneSet(zone=zone, **pen.next)),
        ("set_zone", zone),
        by=by,
        key=key,
    )


def remove_club(book: Daybook, club_id: UUID, why: str, *, by: str, key: str) -> Receipt:
    """The club was a mistake; nothing was played in it. It can be restored."""
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.ClubRemoved(why=why.strip(), **pen.next)),
        ("remove_club", why),
        by=by,
        key=key,
    )


def restore_club(book: Daybook, club_id: UUID, why: str, *, by: str, key: str) -> Receipt:
    return write(
        book,
        club_id,
        "settle",
        lambda pen: pen.write(club_events.ClubRestored(why=why.strip(), **pen.next)),
        ("restore_club", why),
        by=by,
        key=key,
    )


def join(
    book: Daybook,
    club_id: UUID,
    person: str,
    roles: Sequence[club_events.Role] = (),
    guests: Guests = NO_GUESTS,
    *,
    by: str,
    key: str,
) -> Receipt:
    """Somebody belongs to the club from now on. by: an organiser, who invited them; guests: where they are new here."""

    def act(pen: ClubWriter) -> None:
        pen.write(club_events.MemberJoined(person=pen.club.person(person), roles=_added_roles(roles), **pen.next))
        pen.guests |= guests

    return write(book, club_id, "people", act, ("join", person, roles), by=by, key=key)


def give_roles(
    book: Daybook, club_id: UUID, person: str, roles: Sequence[club_events.Role], *, by: str, key: str
) -> Receipt:
    """All the roles somebody has from now on, beside being a member."""
    return write(
        book,
        club_id,
        "people",
        lambda pen: pen.write(
            club_events.RolesGiven(person=pen.club.person(person), roles=_added_roles(roles), **pen.next)
        ),
        ("give_roles", person, roles),
        by=by,
        key=key,
    )


def _added_roles(roles: Sequence[club_events.Role]) -> tuple[club_events.Role, ...]:
    return tuple(role for role in MAY["read"] if role in roles and role != "member")


def leave(book: Daybook, club_id: UUID, person: str, why: str = "", *, by: str, key: str) -> Receipt:
    """Somebody leaves: everybody may leave; organisers may have others leave."""
    club = book.clubs.get(club_id)
    what: What = "read" if by and club.person(by) == club.person(person) else "people"
    return write(
        book,
        club_id,
        what,
        lambda pen: pen.write(club_events.MemberLeft(person=pen.club.person(person), why=why.strip(), **pen.next)),
        ("leave", person, why),
        by=by,
        key=key,
    )


def merge(book: Daybook, club_id: UUID, kept: str, gone: str, why: str, *, by: str, key: str) -> Receipt:
    """Two ids are one person, known as `kept` from now on."""
    return write(
        book,
        club_id,
        "people",
        lambda pen: pen.write(
            club_events.PeopleMerged(
                kept=pen.club.person(kept), gone=pen.club.person(gone), why=why.strip(), **pen.next
            )
        ),
        ("merge", kept, gone, why),
        by=by,
        key=key,
    )


def split(book: Daybook, club_id: UUID, merge: int, why: str, *, by: str, key: str) -> Receipt:
    """Undo the merge of a step. Raises Refused, also for two accounts that their owner merged."""

    def act(pen: ClubWriter) -> None:
        known = pen.club.merges.get(merge)
        if known is not None and is_account_merge(book, known):
            raise Refused(because("own_merge", "{person} merged two accounts: that stays", person=known.kept))
        pen.write(club_events.PeopleSplit(merge=merge, why=why.strip(), **pen.next))

    return write(book, club_id, "people", act, ("split", merge, why), by=by, key=key)


def is_account_merge(book: Daybook, merge: Merge) -> bool:
    """Check if a merge is one of two accounts, which their owner merged."""
    return merge.kept in accounts.merged_with(book, merge.gone) or merge.gone in accounts.merged_with(book, merge.kept)
