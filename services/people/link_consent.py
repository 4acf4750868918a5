"""Consent of a person that organisers of a club may create links that sign the person in."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people import accounts
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_link_consent


def allow_links(book: Daybook, person: str, club: UUID) -> None:
    """Store a person's consent for a club. The caller authenticates the person. Raises InvalidAccountError."""
    with book.kept.engine.begin() as c:
        accounts.require_person(c, person)
        if insert_once(c, kept_link_consent, {"person": person, "club": club, "at": now()}):
            accounts.log_change(c, person, person, "links_allowed")


def forbid_links(book: Daybook, person: str, club: UUID) -> None:
    """Withdraw the consent for a club, and end links that are not used yet."""
    consent = kept_link_consent.c.person == person, kept_link_consent.c.club == club
    with book.kept.engine.begin() as c:
        if c.execute(kept_link_consent.delete().where(*consent)).rowcount:
            accounts.end_sign_in_links(c, person)
            accounts.log_change(c, person, person, "links_forbidden")


def forbid_all_links(c: sa.Connection, person: str) -> None:
    c.execute(kept_link_consent.delete().where(kept_link_consent.c.person == person))


def allowed_in(book: Daybook, club: UUID, people: Collection[str]) -> dict[str, str]:
    """Return when each of some people gave consent for a club; people without consent are left out."""
    query = sa.select(kept_link_consent).where(kept_link_consent.c.club == club)
    rows = book.kept.engine.rows_where_in(query, kept_link_consent.c.person, people)
    return {row.person: row.at for row in rows}


def clubs_allowed(book: Daybook, person: str) -> dict[UUID, str]:
    """Return the clubs with a person's consent, each with its time."""
    rows = book.kept.engine.rows(sa.select(kept_link_consent).where(kept_link_consent.c.person == person))
    return {row.club: row.at for row in rows}
