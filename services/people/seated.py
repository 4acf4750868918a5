"""Who sits in a game and who wrote in it, as far as this Daybook knows.

A record says it by ids, and an id that anybody can read proves nothing: what a file brought (`kept_brought`) may name
anybody. Its ids stay inside its game. There whoever sits in a seat is a person of this game alone, until somebody with
an account says that it was them. Of steps that were written here the record itself says it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from daybook.domain.kernel.events import UmpireNamed
from daybook.domain.kernel.record import Game
from daybook.services.people.writers import writer_of
from daybook.services.store.kept import GameKept

AT_ONCE = timedelta(minutes=1)
NOBODY: frozenset[str] = frozenset()


def id_within(game_id: UUID, seat: int) -> str:
    """By which whoever sits in a seat of a game that a file opened is known, in that game alone."""
    return uuid5(game_id, f"brought, seat {seat}").hex


def is_opened_by_file(kept: GameKept | None) -> bool:
    return kept is not None and any(first == 0 for first, _ in kept.brought)


def was_brought(game: Game, kept: GameKept) -> bool:
    """Whether a file opened a game, also by command line before that was noted: what is opened here is kept at once."""
    kept_after = datetime.fromisoformat(kept.created_at) - datetime.fromisoformat(game.opening.at)
    return is_opened_by_file(kept) or abs(kept_after) > AT_ONCE


def people_of(game: Game, kept: GameKept | None) -> tuple[str, ...]:
    """Return who sits where, by id. The kept seats follow when two accounts of one person become one."""
    if kept is not None and (is_opened_by_file(kept) or len(kept.people) == len(game.opening.seats)):
        return kept.people
    return tuple(seat.person for seat in game.opening.seats)


def umpires_of(game: Game, kept: GameKept | None) -> list[str]:
    """The ids of the umpires, by their numbers; empty for one whom a file names."""
    named = [event for step in game.asides if isinstance(event := game.entries[step].event, UmpireNamed)]
    return ["" if kept is not None and _is_brought(kept, event.step) else event.person for event in named]


def writers_here(game: Game, kept: GameKept | None) -> set[str]:
    """How the record names all who wrote in it here, and not in a file."""
    if kept is None or not kept.brought:
        return {*game.writers}
    return {by for step, by in enumerate(game.writers) if not _is_brought(kept, step)}


def _is_brought(kept: GameKept, step: int) -> bool:
    return any(first <= step <= last for first, last in kept.brought)


def ids_brought(game: Game, kept: GameKept | None) -> Collection[str]:
    """The ids that files brought into a record: they are nobody's of this Daybook, whoever else has them."""
    return NOBODY if kept is None or not kept.brought else frozenset(_ids_within(game, kept)) - {""}


def _ids_within(game: Game, kept: GameKept) -> Iterator[str]:
    if is_opened_by_file(kept):
        yield from (seat.person for seat in game.opening.seats)
    for first, last in kept.brought:
        yield from map(writer_of, {*game.writers[first : last + 1]})
        for step in game.asides:
            event = game.entries[step].event if first <= step <= last else None
            if isinstance(event, UmpireNamed):
                yield event.person
