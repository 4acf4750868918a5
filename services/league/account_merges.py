"""Merge two accounts of one person, after both passwords are proved.

The account that stays gets the data of the other one. Sealed records still name the other id, which becomes a further id
of the person: in `kept_merged_account`, and in every club that knows one of them. The kept tables are written first;
`end_merges` completes a merge that was interrupted after that.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import MergeAccounts
from daybook.services.clock import now
from daybook.services.league import clubs, join_requests
from daybook.services.people import accounts, link_consent, link_sign_ins, operators, sign_in_limits
from daybook.services.people.accounts import KEYS_LIMIT, Account
from daybook.services.people.writers import role_grant_id
from daybook.services.play.repetition import new_key
from daybook.services.statistics.collect import note_people
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.kept import (
    kept_account,
    kept_apart,
    kept_calendar,
    kept_change,
    kept_club_link,
    kept_fork,
    kept_invitation,
    kept_join_request,
    kept_key,
    kept_lease,
    kept_mail,
    kept_merged_account,
    kept_message,
    kept_message_choice,
    kept_person,
    kept_portrait,
    kept_push,
    kept_seat,
    kept_session,
    kept_withheld,
    lock_person,
    note_looks,
)
from daybook.services.store.sheets import by_person, kept_sheet

MOVED = (  # columns that name the person by id
    kept_seat.c.person,
    kept_key.c.person,
    kept_invitation.c.person,
    kept_invitation.c.made_by,
    kept_invitation.c.used_by,
    kept_club_link.c.made_by,
    kept_change.c.person,
    kept_change.c.by,
    kept_withheld.c.by,
    kept_lease.c.person,
    kept_merged_account.c.kept,
)

logger = logging.getLogger(__name__)


class ClubRefusedError(Refused):
    """A club's record cannot have both accounts as one person. club: its name."""

    def __init__(self, reason: Reason, club: str) -> None:
        super().__init__(reason)
        self.club = club


class Merger(Frozen):
    """Changes that a merge makes to the account that stays."""

    kept: Account
    gone: Account
    games: int
    what_ifs: int
    keys: int
    clubs: tuple[str, ...]
    ends_calendar: bool  # the secret address of the other account ends


def plan_merge(book: Daybook, kept_id: str, gone_id: str) -> Merger:
    """Check that two accounts can be merged, and return what would move. Raises Refused.

    The caller has checked both passwords.
    """
    found = {account.person: account for account in accounts.accounts_of(book, [kept_id, gone_id])}
    if len(found) != 2:
        raise Refused(because("not_two", "this is one account: sign in with the name of the other one"))
    _refuse_where_another_could_be_signed_in(book, kept_id, gone_id)
    with book.kept.engine.connect() as c:
        if keys_of(c, kept_id) + keys_of(c, gone_id) > KEYS_LIMIT:
            raise Refused(
                because("too_many_keys", "a person has at most {limit} keys: revoke some first", limit=KEYS_LIMIT)
            )
        both = c.execute(_games_of_both(kept_id, gone_id)).first()
        calendars = c.scalars(
            sa.select(kept_calendar.c.person).where(kept_calendar.c.person.in_([kept_id, gone_id]))
        ).all()
        moves = {
            "games": _count_rows_where(c, kept_seat.c.person == gone_id),
            "what_ifs": _count_rows_where(c, kept_fork.c.owner == role_grant_id(gone_id)),
            "keys": keys_of(c, gone_id),
        }
    if both is not None:
        title = next(iter(book.kept.games_of([both.game]))).title
        raise Refused(because("both_sit", "both sit in the game {game}: they are two people", game=title))
    for club in _clubs_of(book, kept_id, gone_id):
        try:
            clubs.preview(book, club.id, MergeAccounts(kept_id, gone_id), by=kept_id)
        except Refused as no:
            raise ClubRefusedError(no.reason, club.name) from no
    names = tuple(club.name for club in clubs.clubs_of(book, gone_id))
    return Merger(found[kept_id], found[gone_id], clubs=names, ends_calendar=len(calendars) == 2, **moves)


def merge_accounts(book: Daybook, kept_id: str, gone_id: str, *, but: str = "") -> Merger:
    """Merge two accounts of one person. This cannot be undone. Raises Refused; then nothing has changed.

    Every session of both ends, except `but`. The caller has checked both passwords.
    """
    planned = plan_merge(book, kept_id, gone_id)
    with book.kept.engine.begin() as c:
        if not all(lock_person(c, person) for person in sorted((kept_id, gone_id))):
            raise Refused(because("not_two", "this is one account: sign in with the name of the other one"))
        accounts_here = sa.select(kept_account.c.person).where(kept_account.c.person.in_([kept_id, gone_id]))
        if (
            len(c.scalars(accounts_here.with_for_update()).all()) != 2
            or c.execute(_games_of_both(kept_id, gone_id)).first()
        ):
            raise Refused(because("changed", "one of the accounts changed in the meantime: try again"))
        games = c.scalars(sa.select(kept_seat.c.game).where(kept_seat.c.person == gone_id)).all()
        _move(c, planned, but)
    for sign_in in filter(None, (planned.gone.sign_in, planned.kept.sign_in)):
        sign_in_limits.forget_tries(book, sign_in)
    for game, people in book.kept.people_of_imports(games).items():
        note_people(book, game, people)
    _merge_in_clubs(book, kept_id, gone_id)
    return planned


def end_merges(book: Daybook, after: str, before: str) -> None:
    """Complete merges that were interrupted before the clubs were written."""
    at = kept_merged_account.c.at
    for row in book.kept.engine.rows(sa.select(kept_merged_account).where(at > after, at < before).order_by(at)):
        _merge_in_clubs(book, row.kept, row.gone)


def keys_of(c: sa.Connection, person: str) -> int:
    return _count_rows_where(c, kept_key.c.person == person)


def _count_rows_where(c: sa.Connection, condition: sa.ColumnElement[bool]) -> int:
    return c.execute(sa.select(sa.func.count()).where(condition)).scalar_one()


def _refuse_where_another_could_be_signed_in(book: Daybook, kept_id: str, gone_id: str) -> None:
    if operators.is_operator(book, gone_id):
        raise Refused(because("gone_operator", "{person} is an operator: sign in as that one first", person=gone_id))
    if link_sign_ins.open_of(book, kept_id) or link_sign_ins.open_of(book, gone_id):
        raise Refused(because("link_open", "a link signed this person in: they confirm it on their own page first"))


def _games_of_both(kept_id: str, gone_id: str) -> sa.Select[tuple[object]]:
    other = kept_seat.alias()
    return (
        sa.select(kept_seat.c.game)
        .join(other, other.c.game == kept_seat.c.game)
        .where(kept_seat.c.person == kept_id, other.c.person == gone_id)
        .limit(1)
    )


def _move(c: sa.Connection, planned: Merger, but: str) -> None:
    """Move everything from one account to the other, and delete the empty one."""
    kept, gone = planned.kept.person, planned.gone.person
    for person in (kept, gone):
        accounts.end_sign_in_links(c, person)
        link_consent.forbid_all_links(c, person)
    c.execute(kept_session.delete().where(kept_session.c.person.in_([kept, gone]), kept_session.c.id != but))
    for column in MOVED:
        c.execute(column.table.update().where(column == gone).values({column.name: kept}))
    for column, kept_value, gone_value in (
        (kept_fork.c.owner, role_grant_id(kept), role_grant_id(gone)),
        (kept_sheet.c.by, by_person(kept), by_person(gone)),
    ):
        c.execute(column.table.update().where(column == gone_value).values({column.name: kept_value}))
    for column in (kept_apart.c.by, kept_apart.c.back_by):
        moved = sa.func.replace(column, f"@{gone}", f"@{kept}")
        c.execute(kept_apart.update().where(column.like(f"%@{gone}")).values({column.name: moved}))
    for table in (kept_calendar, kept_portrait):  # at most one per person
        has = sa.exists().where(table.c.person == kept)
        c.execute(table.update().where(table.c.person == gone, ~has).values(person=kept))
        c.execute(table.delete().where(table.c.person == gone))
    own = kept_join_request.alias()
    has_request = sa.exists().where(own.c.person == kept, own.c.club == kept_join_request.c.club)
    c.execute(kept_join_request.update().where(kept_join_request.c.person == gone, ~has_request).values(person=kept))
    c.execute(kept_join_request.delete().where(kept_join_request.c.person == gone))
    for table in (kept_mail, kept_push, kept_message_choice, kept_message):
        c.execute(table.delete().where(table.c.person == gone))
    c.execute(kept_account.delete().where(kept_account.c.person == gone))
    c.execute(
        kept_account.update()
        .where(kept_account.c.person == kept)
        .values(club=None, address=planned.kept.address or planned.gone.address)
    )
    c.execute(kept_person.update().where(kept_person.c.id == gone).values(name=planned.kept.name))
    note_looks(c, {gone: planned.kept.name})
    c.execute(kept_merged_account.insert().values(gone=gone, kept=kept, at=now()))
    accounts.log_change(c, kept, kept, "accounts_merged")


def _clubs_of(book: Daybook, kept_id: str, gone_id: str) -> list[Club]:
    """Return the clubs that know one of the ids and do not treat them as one person yet."""
    found = book.clubs.with_people([kept_id, gone_id])
    return [
        club
        for club in found
        if (club.knows(kept_id) or club.knows(gone_id)) and club.person(kept_id) != club.person(gone_id)
    ]


def _merge_in_clubs(book: Daybook, kept_id: str, gone_id: str) -> None:
    for club in clubs.clubs_of(book, kept_id):
        join_requests.withdraw_request(book, club.id, kept_id)
    for club in _clubs_of(book, kept_id, gone_id):
        try:
            clubs.write(book, club.id, MergeAccounts(kept_id, gone_id), by=kept_id, key=new_key())
        except (Refused, UnknownClubError, UnreadableError) as no:  # a concurrent change
            logger.warning("%s and %s are not one person in club %s: %s", kept_id, gone_id, club.id, no)
