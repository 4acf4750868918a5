"""Umpires: whom the table asks when it does not agree, the link of each, and for how long a ruling may be appealed."""

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
from daybook.services.names import NAME_LIMIT, checked_name
from daybook.services.people import access, seated
from daybook.services.people.access import Grant
from daybook.services.play import recording
from daybook.services.play.writing import Receipt
from daybook.services.store import secret
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import GameKept, kept_appeal

APPEAL_HOURS = 48  # where the group has set nothing else
HOURS_LIMIT = 24 * 30


class Umpire(Frozen):
    """Somebody whom the table asks. seat: where they sit, if they play."""

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
    """Name the next umpire: somebody beside the table by name, a player by seat, or a person who is known already.

    Raises BadName, Refused.
    """
    if seat is not None or person is not None:
        return recording.write(book, game_id, NameUmpire(person or "", seat), by=by, key=key)
    name = checked_name("umpire", name, NAME_LIMIT)
    new = _umpire_id(book, game_id, name, key)
    keep = partial(book.kept.keep_person, new, name)
    return recording.write(book, game_id, NameUmpire(new, None), by=by, key=key, keep=keep)


def _umpire_id(book: Daybook, game_id: UUID, name: str, key: str) -> str:
    """The id of somebody new: the same for the same request, and nobody can try names out on it."""
    return hmac.new(secret.secret_of(book), f"umpire {game_id} {key} {name}".encode(), "sha256").hexdigest()[:32]


def umpires_of_game(book: Daybook, game: Game, kept: GameKept | None) -> list[Umpire]:
    persons = disputes.umpires(game)
    if not persons:
        return []
    seats = {taken.person: seat for seat, taken in enumerate(game.opening.seats)}
    names = book.kept.names({*seated.umpires_of(game, kept)})
    found = []
    for number, person in enumerate(persons):
        seat = seats.get(person)
        name = kept.names[seat] if kept and seat is not None else names.get(person, "")
        found.append(Umpire(number, person, name, seat))
    return found


def umpire_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """The link of an umpire, who sees everything; one who plays rules with the link of his own seat.

    Raises Refused for a number that nobody has, or that a player has.
    """
    game = book.games.get(game_id)
    found = next((one for one in umpires_of_game(book, game, book.kept.game(game_id)) if one.number == umpire), None)
    if found is None or found.seat is not None:
        raise Refused(because("not_the_umpire", "umpire {umpire} has no link of their own", umpire=umpire))
    return access.umpires_grant(book, game_id, umpire)


def appeal_hours(book: Daybook, game_id: UUID) -> int:
    """Hours after a ruling in which an appeal is possible in a game."""
    hours = book.kept.engine.value(sa.select(kept_appeal.c.hours).where(kept_appeal.c.game == game_id))
    return APPEAL_HOURS if hours is None else int(hours)


def set_appeal_hours(book: Daybook, game_id: UUID, hours: int) -> None:
    """As the league or the group has agreed; for rulings from now on. 0: no appeal."""
    assert 0 <= hours <= 24 * 365
    upsert(book.kept.engine, kept_appeal, [{"game": game_id, "hours": hours}], ["game"])
