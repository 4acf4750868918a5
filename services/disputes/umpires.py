"""Umpires: whom the table asks when it does not agree, the link of each, and for how long a ruling may be appealed."""

from __future__ import annotations

from uuid import UUID, uuid4

import msgspec
import sqlalchemy as sa

from daybook.domain import disputes
from daybook.domain.disputes import aside
from daybook.domain.kernel.record import Entry, Game, Refused, UmpireNamed, Written
from daybook.domain.kernel.ruleset import TABLE, Seat, because
from daybook.services.names import NAME_LIMIT, checked_name
from daybook.services.people import access
from daybook.services.people.access import Grant
from daybook.services.play import record
from daybook.services.play.record import Receipt, checked_seat
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_appeal, kept_person

APPEAL_HOURS = 48  # where the group has set nothing else
HOURS_LIMIT = 24 * 30


class Umpire(msgspec.Struct, frozen=True):
    """Somebody whom the table asks. seat: where they sit, if they play."""

    number: int
    person: str
    name: str
    seat: Seat | None


def name_umpire(
    book: Daybook, game_id: UUID, name: str = "", *, seat: Seat | None = None, person: str | None = None, by: str,
    key: str,
) -> Receipt:
    """Name the next umpire: somebody beside the table by name, a player by seat, or a person who is known already.

    Raises BadName, Refused.
    """
    is_new = seat is None and person is None
    person = person or uuid4().hex
    if is_new:
        name = checked_name("umpire", name, NAME_LIMIT)

    def named(game: Game, written: Written) -> tuple[list[Entry], None]:
        if seat == TABLE:
            raise Refused(because("seat", "the table is no umpire"))
        who = person if seat is None else game.opening.seats[checked_seat(game, seat)].person
        return [aside(game, UmpireNamed, written, umpire=len(disputes.umpires(game)), person=who)], None

    if is_new:
        book.kept.keep_person(person, name)
    return record.write(book, game_id, named, None, by, key)


def umpires(book: Daybook, game: Game) -> list[Umpire]:
    persons = disputes.umpires(game)
    seated = {taken.person: seat for seat, taken in enumerate(game.opening.seats)}
    kept = book.kept.game(game.id)
    with book.kept.engine.connect() as c:
        names = {row.id: row.name for row in c.execute(sa.select(kept_person).where(kept_person.c.id.in_(persons)))}
    found = []
    for number, person in enumerate(persons):
        seat = seated.get(person)
        name = kept.names[seat] if kept and seat is not None else names.get(person, "")
        found.append(Umpire(number, person, name, seat))
    return found


def umpire_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """The link of an umpire, who sees everything; one who plays rules with the link of his own seat.

    Raises Refused for a number that nobody has, or that a player has.
    """
    game = book.games.get(game_id)
    found = next((one for one in umpires(book, game) if one.number == umpire), None)
    if found is None or found.seat is not None:
        raise Refused(because("not_the_umpire", "umpire {umpire} has no link of their own", umpire=umpire))
    held = (one for one in access.grants(book, game_id) if one.role == "umpire" and one.umpire == umpire)
    return next(held, None) or access.grant(book, game_id, "umpire", umpire=umpire)


def appeal_hours(book: Daybook, game_id: UUID) -> int:
    """For how long after a ruling an appeal is possible in a game."""
    with book.kept.engine.connect() as c:
        hours = c.scalar(sa.select(kept_appeal.c.hours).where(kept_appeal.c.game == game_id))
    return APPEAL_HOURS if hours is None else int(hours)


def set_appeal_hours(book: Daybook, game_id: UUID, hours: int) -> None:
    """As the league or the group has agreed; for rulings from now on. 0: no appeal."""
    assert 0 <= hours <= 24 * 365
    upsert(book.kept.engine, kept_appeal, [{"game": game_id, "hours": hours}], ["game"])
