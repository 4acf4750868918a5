"""Names of writers in records: the role at the table and, after an @, the person's id."""

from __future__ import annotations

BY_ROLE = "person:"


def opening_writer(person: str | None) -> str:
    """Return the record's name for the person that opens a game and keeps its record."""
    return f"scorekeeper@{person}" if person else "scorekeeper"


def writer_of(by: str) -> str:
    """Return the id of an entry's writer; empty if they were not signed in."""
    return by.partition("@")[2]


def role_grant_id(person: str) -> str:
    """Return the id of the grants from a person's roles; it owns private lines as a link's id does."""
    return f"{BY_ROLE}{person}"


def person_of_role_grant(grant_id: str) -> str:
    """Return the person behind a grant from roles; empty for a link's grant."""
    return grant_id.removeprefix(BY_ROLE) if grant_id.startswith(BY_ROLE) else ""
