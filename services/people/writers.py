"""How records name who wrote an entry: a place at the table, and behind an @ the person's id where it is known."""

from __future__ import annotations

BY_ROLE = "person:"


def opening_writer(person: str | None) -> str:
    """Return how the record names the person who opens a game, and keeps it."""
    return f"scorekeeper@{person}" if person else "scorekeeper"


def writer_of(by: str) -> str:
    """Return the id of the person who wrote an entry; empty if no one was signed in."""
    return by.partition("@")[2]


def role_grant_id(person: str) -> str:
    """Return the id of the grants that a person's roles give; private lines belong to it, as to a link's."""
    return f"{BY_ROLE}{person}"


def person_of_role_grant(grant_id: str) -> str:
    """Return the person whose roles a grant comes from; empty for a link's grant."""
    return grant_id.removeprefix(BY_ROLE) if grant_id.startswith(BY_ROLE) else ""
