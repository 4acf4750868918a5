"""People across games: their photo, what is kept of them, and how they are made anonymous."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import sqlalchemy as sa

from services import accounts, photos
from services.clock import now
from services.daybook import Daybook
from services.kept import kept_fork, kept_game, kept_portrait, kept_seat

PORTRAIT_SIDE = 480  # pixels


class Portrait(msgspec.Struct, frozen=True):
    """A person's photo: JPEG. hash: the SHA-256 of its bytes."""

    hash: str
    bytes: bytes


def name_of(book: Daybook, person: str) -> str:
    """A person's name; empty for who is not kept, such as "operator"."""
    return book.kept.names([person]).get(person, "")


# --- photo -----------------------------------------------------------------------------------------------------------


def keep_portrait(book: Daybook, person: str, sent: bytes, *, by: str) -> None:
    """Keep a photo of a person, made anew from what was sent, in place of the one before. Raises BadPhoto."""
    shown = photos.made_anew(sent, PORTRAIT_SIDE)
    with book.kept.engine.begin() as c:
        c.execute(kept_portrait.delete().where(kept_portrait.c.person == person))
        c.execute(kept_portrait.insert().values(
            person=person, hash=shown.hash, bytes=shown.bytes, kept_at=now()))
        accounts.changed(c, person, by, "portrait_changed")


def remove_portrait(book: Daybook, person: str, *, by: str) -> None:
    with book.kept.engine.begin() as c:
        if c.execute(kept_portrait.delete().where(kept_portrait.c.person == person)).rowcount:
            accounts.changed(c, person, by, "portrait_removed")


def portrait(book: Daybook, person: str) -> Portrait | None:
    """The caller asks whether the viewer may see it (`may_see`)."""
    with book.kept.engine.connect() as c:
        row = c.execute(sa.select(kept_portrait).where(kept_portrait.c.person == person)).first()
    return None if row is None else Portrait(row.hash, row.bytes)


def may_see(book: Daybook, viewer: str, person: str) -> bool:
    """Whether somebody may see a person's photo."""
    return viewer == person


# --- what is kept ----------------------------------------------------------------------------------------------------


def fork_owner(person: str) -> str:
    """To whom private lines belong that a person has made."""
    return f"person:{person}"


def kept_of(book: Daybook, person: str) -> bytes:
    """All that is kept of a person, as JSON, for themselves."""
    shown = portrait(book, person)
    sessions = [{"device": one.device, "since": one.made_at, "last": one.seen_at, "until": one.ends_at}
                for one in accounts.sessions(book, person)]
    keys = [{"name": one.name, "since": one.made_at, "last": one.seen_at} for one in accounts.keys(book, person)]
    told: dict[str, Any] = {
        "person": person,
        "name": name_of(book, person),
        "account": accounts.account(book, person),
        "photo": None if shown is None else {
            "media_type": photos.MEDIA_TYPE, "base64": base64.b64encode(shown.bytes).decode()},
        "signed_in": sessions,
        "keys": keys,
        "changes": accounts.changes(book, [person], 10_000),
        "games": games_of(book, [person]),
        "private_lines": lines_of(book, person),
        "told": "Passwords, keys and links are not in this file: Daybook keeps only what they are checked against. "
                "What was recorded in a game stays in its record, where this person stands by id alone.",
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def games_of(book: Daybook, ids: list[str]) -> list[dict[str, Any]]:
    """The games in which somebody sits, by any of these ids; the newest first."""
    query = (
        sa.select(kept_game.c.id, kept_game.c.title, kept_game.c.created_at, kept_seat.c.seat)
        .join(kept_seat, kept_seat.c.game == kept_game.c.id).where(kept_seat.c.person.in_(ids))
        .order_by(kept_game.c.created_at.desc(), kept_game.c.id))
    with book.kept.engine.connect() as c:
        return [
            {"game": str(row.id), "title": row.title, "seat": row.seat, "opened": row.created_at}
            for row in c.execute(query)]


def lines_of(book: Daybook, person: str) -> list[dict[str, Any]]:
    """The private lines that a person keeps beside games."""
    query = sa.select(kept_fork).where(kept_fork.c.owner == fork_owner(person)).order_by(kept_fork.c.made_at)
    with book.kept.engine.connect() as c:
        return [
            {"game": str(row.game), "at": row.at, "title": row.title, "moves": msgspec.json.decode(row.moves),
             "made": row.made_at} for row in c.execute(query)]
