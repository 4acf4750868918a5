"""Notices about entries that lists, scores and statistics omit because they could not be processed.

The error may reveal covered facts, so only the doctor shows it.
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


class OmittedEntries(Frozen):
    """Entries of a record that lists and statistics omit.

    Args:
        step: the first omitted step.
        at: its time.
        what: where they are missing, in words; empty if the stored record itself is damaged.
    """

    step: int
    at: str
    what: str


def game_left_out(game: Game) -> OmittedEntries | None:
    """Return what is omitted of a readable game, if anything."""
    aside = set_aside.find(book().views, game.id)
    return None if aside is None else _omitted_since(aside, game.entries)


def club_left_out(club_id: UUID) -> OmittedEntries | None:
    """Return what is omitted of a readable club, if anything."""
    aside = set_aside.find(book().views, club_id)
    return None if aside is None else _omitted_since(aside, book().clubs.get(aside.id).entries)


def _omitted_since(aside: SetAside, entries: Sequence[Entry] | Sequence[ClubEntry]) -> OmittedEntries | None:
    is_damaged = set_aside.SEALS in aside.projections
    step = step_of(book(), aside)
    if step is None and not is_damaged:  # rows made from another log, as after a restore: they will be rebuilt
        return None
    step = min(step or 0, len(entries) - 1)
    names = [] if is_damaged else [say(LEFT_OUT[name]) for name in aside.projections]
    return OmittedEntries(step, entries[step].event.at, ", ".join(names))
