"""Players, umpires and writers of a game, as far as this Daybook can vouch for them.

A record names people by ids, which are readable by anyone and prove nothing: an imported file (`kept_brought`) may name
any id. Its ids stay inside its game. Until a signed-in user claims a seat, its player is a person of this game only.
For steps that were written here, the record itself is trusted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from daybook.domain.kernel.events import UmpireNamed
from daybook.domain.kernel.record import Game
from daybook.services.people.writers import writer_of
from daybook.services.store.kept import GameKept

CREATION_TOLERANCE = timedelta(minutes=1)
NO_IDS: frozenset[str] = frozenset()


def id_within(game_id: UUID, seat: int) -> str:
    """Return the id of the player in a seat of an imported game, valid in that game only."""
    return uuid5(game_id, f"brought, seat {seat}").hex


def is_opened_by_file(game_kept: GameKept | None) -> bool:
    return game_kept is not None and any(first == 0 for first, _ in game_kept.brought)


def was_imported(game: Game, game_kept: GameKept) -> bool:
    """Check if a file opened a game.

    Early imports by command line have no mark: such a game was stored here long after its opening.
    """
    kept_after = datetime.fromisoformat(game_kept.created_at) - datetime.fromisoformat(game.opening.at)
    return is_opened_by_file(game_kept) or abs(kept_after) > CREATION_TOLERANCE


def people_of(game: Game, game_kept: GameKept | None) -> tuple[str, ...]:
    """Return the ids of the players by seat; kept seats take precedence, since they follow merged accounts."""
    if game_kept is not None and (is_opened_by_file(game_kept) or len(game_kept.people) == len(game.opening.seats)):
        return game_kept.people
    return tuple(seat.person for seat in game.opening.seats)


def umpires_of(game: Game, game_kept: GameKept | None) -> list[str]:
    """Return the ids of the umpires by number; empty for one that only a file names."""
    named = [event for step in game.side_steps if isinstance(event := game.entries[step].event, UmpireNamed)]
    return ["" if game_kept is not None and _is_brought(game_kept, event.step) else event.person for event in named]


def writers_here(game: Game, game_kept: GameKept | None) -> set[str]:
    """Return the writers of entries that were written here, not imported, as the record names them."""
    if game_kept is None or not game_kept.brought:
        return {*game.writers}
    return {by for step, by in enumerate(game.writers) if not _is_brought(game_kept, step)}


def _is_brought(game_kept: GameKept, step: int) -> bool:
    return any(first <= step <= last for first, last in game_kept.brought)


def imported_ids(game: Game, game_kept: GameKept | None) -> Collection[str]:
    """Return the ids that files brought into a record: they identify no person of this Daybook."""
    return NO_IDS if game_kept is None or not game_kept.brought else frozenset(_ids_within(game, game_kept)) - {""}


def _ids_within(game: Game, game_kept: GameKept) -> Iterator[str]:
    if is_opened_by_file(game_kept):
        yield from (seat.person for seat in game.opening.seats)
    for first, last in game_kept.brought:
        yield from map(writer_of, {*game.writers[first : last + 1]})
        for step in game.side_steps:
            event = game.entries[step].event if first <= step <= last else None
            if isinstance(event, UmpireNamed):
                yield event.person
