"""What lists, scores and statistics leave out of a game or a club that they could not take in, as its own pages say it.

What went wrong may name what lies covered, so it is told to the doctor alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.league.club_events import ClubEntry
from daybook.services.following import projections
from daybook.services.league import results
from daybook.services.store import set_aside
from daybook.services.store.damage import step_of
from daybook.services.store.set_aside import SetAside
from daybook.web.request.access import book
from daybook.web.words.say import N_, say

LEFT_OUT = N_(
    {  # by projection
        projections.GAMES: "the lists of games",
        projections.SCORES: "the scores of each period",
        results.RESULTS: "results, standings, statistics",
    }
)


class LeftOut(Frozen):
    """step: the first that is missing; at: when it was written down; what: where it is missing, in words; empty if the
    stored record itself is damaged.
    """

    step: int
    at: str
    what: str


def game_left_out(game: Game) -> LeftOut | None:
    """What is left out of a game that can be read; None: nothing."""
    found = set_aside.find(book().views, game.id)
    return None if found is None else _since(found, game.entries)


def club_left_out(id: UUID) -> LeftOut | None:
    """What is left out of a club that can be read; None: nothing."""
    found = set_aside.find(book().views, id)
    return None if found is None else _since(found, book().clubs.get(found.id).entries)


def _since(found: SetAside, entries: Sequence[Entry] | Sequence[ClubEntry]) -> LeftOut | None:
    is_damaged = set_aside.SEALS in found.projections
    step = step_of(book(), found)
    if step is None and not is_damaged:  # rows made from another log, as after a restore: they will be rebuilt
        return None
    step = min(step or 0, len(entries) - 1)
    names = [] if is_damaged else [say(LEFT_OUT[name]) for name in found.projections]
    return LeftOut(step, entries[step].event.at, ", ".join(names))
