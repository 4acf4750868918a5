"""Replace or discard a game before its first decision; swap two seats after it.

The old record stays, abandoned, and no list shows it. Its links lead to the new game.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from daybook.domain.commands import Abandon, Note
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat, because
from daybook.services.permissions.access import move_grants
from daybook.services.play.recording import append_command, rename_game
from daybook.services.play.repetition import new_key
from daybook.services.play.writing import Writer
from daybook.services.store.daybook import Daybook

REPLACED = "opened again with another set-up"
DISCARDED = "opened by mistake"


def can_replace(book: Daybook, game: Game) -> bool:
    """Check if a game can still be replaced or discarded: no player has decided, and no club has entered it."""
    decided = any(isinstance(entry.event, DecisionRecorded) and entry.event.seat != TABLE for entry in game.entries)
    if decided or game.status != "running" or game.lease is not None or game.opening.kind != "table":
        return False
    book.clubs.catch_up()
    return not book.clubs.with_game(game.id)


def require_replaceable(book: Daybook, game: Game) -> None:
    """Raise Refused if a game cannot be replaced or discarded any more."""
    if not can_replace(book, game):
        raise Refused(because("begun", "the game has begun, or a club has entered it: it cannot be replaced"))


def discard_game(book: Daybook, game: Game, *, by: Writer, key: str) -> None:
    """Abandon a game and remove it from all lists. Raises Refused."""
    require_replaceable(book, game)
    append_command(book, game.id, Abandon(DISCARDED), by=by, key=key)
    book.kept.set_replacement(game.id, game.id)


def replace_game(book: Daybook, game: Game, new_id: UUID, *, by: str) -> None:
    """Let a new game take the place of an old one: its links move there, and the old game is abandoned. Raises Refused."""
    require_replaceable(book, game)
    continue_elsewhere(book, game, new_id, REPLACED, by=by)


def continue_elsewhere(book: Daybook, game: Game, new_id: UUID, why: str, *, by: str) -> None:
    """Move the links of a game to the one that continues it, and abandon the game."""
    old, new = book.kept.game(game.id), book.kept.game(new_id)
    assert old is not None and new is not None
    move_grants(book, game.id, new_id, seats_by_name(old.names, new.names))
    append_command(book, game.id, Abandon(why), by=by, key=new_key())


def seats_by_name(old: Sequence[str], new: Sequence[str]) -> dict[Seat, Seat]:
    """Return the new seat of each old one: that of the same name, else the next one left over."""
    seats = {seat: new.index(name) for seat, name in enumerate(old) if name in new}
    left = [seat for seat in range(len(new)) if seat not in seats.values()]
    return seats | dict(zip((seat for seat in range(len(old)) if seat not in seats), left, strict=False))


def swap_seats(book: Daybook, game: Game, seats: tuple[Seat, Seat], says: str, *, by: Writer, key: str) -> None:
    """Swap the players of two seats from the start, with their links; a note in the record says so.

    Names are not part of the record, so no step changes. Raises Refused, BadNameError.
    """
    kept, (first, second) = book.kept.game(game.id), seats
    assert kept is not None
    book.clubs.catch_up()
    if book.clubs.with_game(game.id):
        raise Refused(because("in_club", "a club has entered the game: change the seats at its table"))
    if game.opening.kind != "table" or len({kept.people[seat] for seat in seats} & guests_of(game)) != len(seats):
        raise Refused(because("not_guests", "a player of these seats has an account: their seats cannot be swapped"))
    names = [*kept.names]
    names[first], names[second] = names[second], names[first]
    if append_command(book, game.id, Note(0, says), by=by, key=key).repeated:
        return
    rename_game(book, game.id, names=names)
    move_grants(book, game.id, game.id, {**dict(enumerate(range(len(names)))), first: second, second: first})


def guests_of(game: Game) -> set[str]:
    """Return the ids of a game's guests: they exist only in this game."""
    return {
        seat.person
        for number, seat in enumerate(game.opening.seats)
        if seat.person == uuid5(game.id, f"seat {number}").hex
    }
