"""Withholding: the operator removes games, clubs and sheets from public lists, with a reason, and restores them.

A withheld game stays readable for holders of links and roles, and only the operator can make it public again. Record,
links and statistics stay. A withheld club is listed only for its members, a withheld sheet nowhere; games that pinned
it keep it.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.names import clean_name
from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.services.statistics import visibility
from daybook.services.statistics.collect import note_public
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import Withheld, is_withheld, kept_game, kept_withheld, lock_game
from daybook.services.store.sheets import kept_sheet

WHY_LIMIT = 300
ID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
NAMED = re.compile(rf"(?:^|/(?:games|clubs)/)({ID})(?![0-9a-zA-Z-])")
SHEET = re.compile(r"(?:^|[?&]hash=)([0-9a-f]{64})(?![0-9a-zA-Z])")


class Withholdable(NamedTuple):
    """Game, club or sheet that can be withheld.

    Args:
        about: its id.
    """

    kind: str
    about: str


class UnknownThingError(LookupError):
    """Unknown id: give an id, or the address of a page."""

    def __init__(self) -> None:
        super().__init__("this Daybook has nothing of this id or address")


class WithheldShown(Frozen):
    """Something that was taken off, with what it is called."""

    withheld: Withheld
    name: str


def parse_thing(book: Daybook, text: str) -> Withholdable:
    """Find what an id or the address of a page names. Raises UnknownThingError."""
    if match := NAMED.search(text.strip()):
        uuid = UUID(match[1])
        if book.kept.game(uuid) is not None:
            return Withholdable("game", str(uuid))
        if uuid in book.clubs.cards():
            return Withholdable("club", str(uuid))
    if (match := SHEET.search(text.strip())) and _name_of_sheet(book, match[1]) is not None:
        return Withholdable("sheet", match[1])
    raise UnknownThingError


def take_off(book: Daybook, thing: Withholdable, why: str, *, by: str) -> None:
    """Take something off the public lists; of what is off already the reason is another one now. Raises BadNameError."""
    why = clean_name("why", why, WHY_LIMIT)
    if thing.kind == "game":
        note_public(book, UUID(thing.about), False)  # first: figures hold nothing that is off
    with book.kept.engine.begin() as c:
        public = bool(thing.kind == "game" and lock_game(c, UUID(thing.about)))
        before = c.execute(sa.select(kept_withheld).where(is_withheld(*thing))).first()
        upsert(
            c,
            kept_withheld,
            [
                {
                    "kind": thing.kind,
                    "about": thing.about,
                    "why": why,
                    "by": by,
                    "at": now(),
                    "public": before.public if before else public,
                    "back_why": None,
                    "back_at": None,
                }
            ],
            ["kind", "about"],
        )
        if thing.kind == "game":
            c.execute(kept_game.update().where(kept_game.c.id == UUID(thing.about)).values(public=False))
    if thing.kind == "game":
        visibility.note_as_kept(book, UUID(thing.about))


def put_back(book: Daybook, thing: Withholdable, why: str) -> bool:
    """Put something back, a game as its owner had it; False: it is not off. Raises BadNameError."""
    why = clean_name("why", why, WHY_LIMIT)
    with book.kept.engine.begin() as c:
        if thing.kind == "game":
            lock_game(c, UUID(thing.about))
        before = c.execute(sa.select(kept_withheld).where(is_withheld(*thing))).first()
        if before is None:
            return False
        c.execute(kept_withheld.update().where(is_withheld(*thing)).values(back_why=why, back_at=now()))
        if thing.kind == "game":
            c.execute(kept_game.update().where(kept_game.c.id == UUID(thing.about)).values(public=before.public))
    if thing.kind == "game":
        visibility.note_as_kept(book, UUID(thing.about))
    return True


def page_of_withheld(book: Daybook, after: str, limit: int) -> ListPage[WithheldShown]:
    """Return a page of everything that was withheld, newest first, including restored items.

    Args:
        after: the end of the previous page.

    Raises UnknownPlaceError.
    """
    at, about = kept_withheld.c.at, kept_withheld.c.about
    query = sa.select(kept_withheld).order_by(at.desc(), about)
    with book.kept.engine.connect() as c:
        if after:
            last = c.execute(query.where(about == after)).first()
            if last is None:
                raise UnknownPlaceError(after)
            query = query.where(sa.or_(at < last.at, sa.and_(at == last.at, about > last.about)))
        rows = c.execute(query.limit(limit + 1)).all()
    found = [Withheld(**row._mapping) for row in rows[:limit]]
    return ListPage(
        [WithheldShown(withheld, _name_of(book, withheld)) for withheld in found],
        found[-1].about if len(rows) > limit else "",
    )


def _name_of(book: Daybook, withheld: Withheld) -> str:
    """Return what a thing is called; its id if its owner does not show it to everyone."""
    if withheld.kind == "sheet":
        return _name_of_sheet(book, withheld.about) or withheld.about
    if withheld.kind == "club":
        club = book.clubs.cards().get(UUID(withheld.about))
        return club.name if club and club.settings.public else withheld.about
    kept = book.kept.game(UUID(withheld.about))
    return kept.title if kept and (withheld.public or kept.public) else withheld.about


def _name_of_sheet(book: Daybook, sheet_hash: str) -> str | None:
    return book.kept.engine.value(sa.select(kept_sheet.c.name).where(kept_sheet.c.hash == sheet_hash))
