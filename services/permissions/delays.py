"""The delay that a league sets for spectators: users without a seat see its games as they were some seconds ago."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.kernel.record import Game
from daybook.domain.league.event_checks.leagues import MAX_SPECTATOR_DELAY_SECONDS
from daybook.services.clock import later_time, now
from daybook.services.permissions.access import Grant
from daybook.services.store.daybook import Daybook

SEATED = frozenset({"scorekeeper", "umpire", "seat"})


def delay_for(book: Daybook, game: Game, grants: Iterable[Grant]) -> int:
    """Return the delay with which a holder sees a game, in seconds."""
    if any(grant.role in SEATED for grant in grants) or not _may_be_followed(game):
        return 0
    return book.clubs.spectator_delay(game.id)


def game_for(book: Daybook, game: Game, grants: Iterable[Grant]) -> Game:
    """Return a game as a holder may see it now."""
    return delayed_game(book, game, delay_for(book, game, grants))


def delayed_game(book: Daybook, game: Game, delay_seconds: int) -> Game:
    """Return a game as it was some seconds ago."""
    return book.games.as_of(game, later_time(now(), seconds=-delay_seconds)) if delay_seconds else game


def _may_be_followed(game: Game) -> bool:
    return game.status == "running" or game.entries[-1].event.at > later_time(
        now(), seconds=-MAX_SPECTATOR_DELAY_SECONDS
    )
