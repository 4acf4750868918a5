"""Sights: a holder's view of a game. A sight hides what its viewer may not see (`services.play.redaction`)."""

from __future__ import annotations

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER
from daybook.domain.sealed_entries import first_sealed, sealed_places
from daybook.services.permissions.access import Grant

Sight = int | None  # a seat's number; EVERYTHING; None: a spectator's
EVERYTHING: int = KEEPER  # hides only what is sealed


def sights_of(game: Game, grant: Grant | None) -> tuple[Sight, ...]:
    """Return the sights that a holder may choose from, the fullest first.

    Where offers are sealed the scorekeeper has no single seat's sight, because a seat sees its own offer.
    """
    every = (EVERYTHING, None, *range(len(game.opening.seats)))
    if game.is_revealed:
        return every
    if grant is None or grant.game != game.id or grant.only_reads:
        return (None,)
    if grant.role in ("scorekeeper", "umpire"):
        return (EVERYTHING, None) if game.ruleset.secrecy.seals else every
    return (grant.seat, None)


def hides_nothing(game: Game, sight: Sight) -> bool:
    """Check if a sight shows everything. Before the game is open, no one sees sealed parts."""
    return not game.ruleset.secrecy.hides_something or (sight == EVERYTHING and not game.may_hold_sealed)


def stays_covered(game: Game) -> bool:
    """Check if a game was stopped and still covers something: it can be reopened, so only its scorekeeper reveals it."""
    return game.status == "abandoned" and not game.is_revealed and game.ruleset.secrecy.covers_something


def nothing_covered(game: Game, grant: Grant | None) -> bool:
    """Check if nothing on the board is covered from a holder.

    A refusal of a tried value or decision would tell what is covered, so trying is for those who know it.
    """
    allowed = sights_of(game, grant)
    if EVERYTHING in allowed:
        return True
    own = allowed[0]
    return own is not None and bool(game.ruleset.secrecy.redact_board(game.board, own).document() == game.document)


def holds_sealed(game: Game) -> bool:
    """Check if the board, or what was just undone on it, has something that no one may read yet."""
    if hides_nothing(game, EVERYTHING):
        return False
    if first_sealed(game) is not None:
        return True
    return bool(sealed_places(game))
