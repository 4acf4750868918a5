"""Umpires: naming them, their links, and the time limit for appeals."""

from __future__ import annotations

import hmac
from functools import partial
from uuid import UUID

import sqlalchemy as sa

from daybook.domain import disputes
from daybook.domain.commands import NameUmpire
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, because
from daybook.services.names import NAME_LIMIT, clean_name
from daybook.services.people import seated
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.play import recording
from daybook.services.play.writing import Receipt
from daybook.services.store import secret
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import GameKept, kept_appeal

DEFAULT_APPEAL_HOURS = 48  # unless the group has set another limit
HOURS_LIMIT = 24 * 30


class Umpire(Frozen):
    """Umpire of a game.

    Args:
        seat: where the umpire sits, if playing.
    """

    number: int
    person: str
    name: str
    seat: Seat | None


def name_umpire(
    book: Daybook,
    game_id: UUID,
    name: str = "",
    *,
    seat: Seat | None = None,
    person: str | None = None,
    by: str,
    key: str,
) -> Receipt:
    """Name the next umpire: a person outside the game by name, a player by seat, or a known person.

    Raises BadNameError, Refused.
    """
    if seat is not None or person is not None:
        return recording.append_command(book, game_id, NameUmpire(person or "", seat), by=by, key=key)
    name = clean_name("umpire", name, NAME_LIMIT)
    new = _umpire_id(book, game_id, name, key)
    store_person = partial(book.kept.keep_person, new, name)
    return recording.append_command(book, game_id, NameUmpire(new, None), by=by, key=key, before_write=store_person)


def _umpire_id(book: Daybook, game_id: UUID, name: str, key: str) -> str:
    """Return the id of a new person: stable for a repeated request, and useless for guessing names."""
    return hmac.new(secret.secret_of(book), f"umpire {game_id} {key} {name}".encode(), "sha256").hexdigest()[:32]


def umpires_of_game(book: Daybook, game: Game, game_kept: GameKept | None) -> list[Umpire]:
    persons = disputes.umpires(game)
    if not persons:
        return []
    seats = {taken.person: seat for seat, taken in enumerate(game.opening.seats)}
    names = book.kept.names({*seated.umpires_of(game, game_kept)})
    found = []
    for number, person in enumerate(persons):
        seat = seats.get(person)
        name = game_kept.names[seat] if game_kept and seat is not None else names.get(person, "")
        found.append(Umpire(number, person, name, seat))
    return found


def umpire_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """Return the link grant of an umpire, with full sight. A playing umpire rules with the seat's link.

    Raises Refused for an unknown number or a playing umpire.
    """
    game = book.games.get(game_id)
    umpire_row = next(
        (named for named in umpires_of_game(book, game, book.kept.game(game_id)) if named.number == umpire), None
    )
    if umpire_row is None or umpire_row.seat is not None:
        raise Refused(because("not_the_umpire", "umpire {umpire} has no link of their own", umpire=umpire))
    return access.umpires_grant(book, game_id, umpire)


def appeal_hours(book: Daybook, game_id: UUID) -> int:
    """Hours after a ruling in which an appeal is possible in a game."""
    hours = book.kept.engine.value(sa.select(kept_appeal.c.hours).where(kept_appeal.c.game == game_id))
    return DEFAULT_APPEAL_HOURS if hours is None else int(hours)


def set_appeal_hours(book: Daybook, game_id: UUID, hours: int) -> None:
    """Set the appeal period of a game for later rulings; 0 means no appeal."""
    assert 0 <= hours <= 24 * 365
    upsert(book.kept.engine, kept_appeal, [{"game": game_id, "hours": hours}], ["game"])
