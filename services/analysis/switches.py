"""Groups that want no win chances: a game, or all games of a club, for which none are reckoned and none are shown."""

from __future__ import annotations

from uuid import UUID

import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_without_chances
from daybook.services.store.read_models import club_game


def wants_chances(book: Daybook, game_id: UUID) -> bool:
    """Check if a game's or club's own switch is on."""
    return (
        book.kept.engine.value(sa.select(kept_without_chances.c.id).where(kept_without_chances.c.id == game_id)) is None
    )


def switch_chances(book: Daybook, game_id: UUID, wanted: bool) -> None:
    """Switch win chances of a game or of a club on or off."""
    with book.kept.engine.begin() as c:
        if wanted:
            c.execute(kept_without_chances.delete().where(kept_without_chances.c.id == game_id))
        else:
            insert_once(c, kept_without_chances, {"id": game_id, "at": now()})


def are_chances_on(book: Daybook, game_id: UUID) -> bool:
    """Check if chances are on for a game and for every club that it is entered in."""
    without = ids_without_chances(book)
    return not without or (game_id not in without and clubs_with_game(book, game_id).isdisjoint(without))


def ids_without_chances(book: Daybook) -> set[UUID]:
    """Return the games and clubs with chances switched off."""
    return {*book.kept.engine.values(sa.select(kept_without_chances.c.id))}


def clubs_with_game(book: Daybook, game_id: UUID) -> set[UUID]:
    """Return the clubs that a game is entered in, as far as projected."""
    return {*book.views.values(sa.select(club_game.c.club).where(club_game.c.game == game_id, club_game.c.entered))}
