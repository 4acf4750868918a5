"""The clubs whose organisers a person lets create links that sign the person in."""

from __future__ import annotations

from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.people import accounts
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_link_consent


def allow(book: Daybook, person: str, club: UUID) -> None:
    """Let the organisers of a club create links that sign a person in. The caller checks who asks. Raises BadAccount."""
    with book.kept.engine.begin() as c:
        accounts.require_somebody(c, person)
        if insert_once(c, kept_link_consent, {"person": person, "club": club, "at": now()}):
            accounts.log_change(c, person, person, "links_allowed")


def forbid(book: Daybook, person: str, club: UUID) -> None:
    """Take it back: links that wait to be used end too."""
    here = kept_link_consent.c.person == person, kept_link_consent.c.club == club
    with book.kept.engine.begin() as c:
        if c.execute(kept_link_consent.delete().where(*here)).rowcount:
            accounts.end_sign_in_links(c, person)
            accounts.log_change(c, person, person, "links_forbidden")


def forbid_all(c: sa.Connection, person: str) -> None:
    c.execute(kept_link_consent.delete().where(kept_link_consent.c.person == person))


def clubs_allowed(book: Daybook, person: str) -> dict[UUID, str]:
    """Return the clubs that a person allowed it, with the times."""
    found = book.kept.engine.rows(sa.select(kept_link_consent).where(kept_link_consent.c.person == person))
    return {row.club: row.at for row in found}
