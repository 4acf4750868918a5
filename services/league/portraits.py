"""Photos of people, and permission to see them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.league import clubs
from daybook.services.people import accounts, photo_store, photos
from daybook.services.store.database import lock_subject
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_portrait

PORTRAIT_SIDE = 480  # pixels


class Portrait(Frozen):
    """A person's photo: JPEG. hash: the SHA-256 of its bytes."""

    hash: str
    bytes: bytes


def store_portrait(book: Daybook, person: str, sent: bytes, *, by: str) -> None:
    """Store a re-encoded photo of a person instead of the one before.

    Raises InvalidPhotoError, and InvalidAccountError if the person was made anonymous in the meantime.
    """
    shown = photos.reencode(sent, PORTRAIT_SIDE)
    with book.kept.engine.begin() as c:
        lock_subject(c, "portrait", person)
        accounts.require_person(c, person)
        photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person == person)
        row = {"person": person, "hash": shown.hash, "kept_at": now()}
        c.execute(kept_portrait.insert().values(row | photo_store.insert_photo(c, shown.bytes)))
        accounts.log_change(c, person, by, "portrait_changed")


def remove_portrait(book: Daybook, person: str, *, by: str) -> None:
    with book.kept.engine.begin() as c:
        if photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person == person):
            accounts.log_change(c, person, by, "portrait_removed")


def has_portrait(book: Daybook, person: str) -> bool:
    return bool(people_with_portraits(book, [person]))


def people_with_portraits(book: Daybook, people: Sequence[str]) -> set[str]:
    """Return those of these people with a photo."""
    column = kept_portrait.c.person
    return {row.person for row in book.kept.engine.rows_where_in(sa.select(column), column, people)}


def read_portrait(book: Daybook, person: str) -> Portrait | None:
    """Return a person's photo. The caller checks if the viewer may see it (`may_see_portrait`)."""
    row = book.kept.engine.row(sa.select(kept_portrait).where(kept_portrait.c.person == person))
    content = None if row is None else photo_store.read_photo(book, row)
    return None if row is None or content is None else Portrait(row.hash, content)


def may_see_portrait(book: Daybook, viewer: str, person: str) -> bool:
    """Check if a viewer may see a person's photo and address: the person, and members of clubs that they chose."""
    return person in portraits_in_sight(book, viewer, [person])


def portraits_in_sight(book: Daybook, viewer: str, people: Collection[str]) -> set[str]:
    """Return the subset of people with a photo and address that a viewer may see (`may_see_portrait`)."""
    seen = {viewer}.intersection(people)
    for club in clubs.clubs_of(book, viewer):
        seen |= clubs.joined_by_choice(book, club, [person for person in people if club.roles(person)])
    return seen
