"""Runs of wins: how often somebody won one game after the other, put together from parts of the log.

    of_seats(rows)         what is told of each person's games in a part: WinRuns
    put_together(rows)     one WinRuns of each person, from those of several parts

A run that ends one part and a run that begins the next are one run. Games that lie between each other in time, as those
of an old notebook among those of today, cannot be put together so: the runs of such a person are `tangled`, and every
seat has to be read in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from daybook.services.statistics.queries import Rows

GamePlayed = tuple[str, int, Any, bool]  # when, where in the log, which, and whether it was won


class WinRuns(NamedTuple):
    """Games of one person, one after the other, with their runs of wins and of games without one.

    first_at, first_position, last_at, last_position: of the games it begins and ends with, in the order in which games
    follow one another. at_first, at_last: how many it begins and ends with were won, and lost_at_first, lost_at_last
    not won; first_until, first_game: of the last of the one; last_since: of the first of the other; last_game: of all
    of them the last. longest, since, until, game: the longest run of wins, of several the first; without: the
    longest of games not won. tangled: its games are not in order, so that nothing but their number is known.
    """

    person: str
    first_at: str
    first_position: int
    last_at: str
    last_position: int
    n: int
    at_first: int
    first_until: str
    first_game: Any  # an id, as the database has it
    at_last: int
    last_since: str
    last_game: Any
    longest: int
    since: str
    until: str
    game: Any
    lost_at_first: int
    lost_at_last: int
    without: int
    tangled: int = 0

    @property
    def place(self) -> tuple[str, int]:
        return self.first_at, self.first_position


def join_runs(one: WinRuns, other: WinRuns) -> WinRuns:
    """Joins the runs of a person's games, the second part of which comes after the first."""
    across = one.at_last + other.at_first
    since = one.last_since if one.at_last else other.first_at
    until, game = (other.first_until, other.first_game) if other.at_first else (one.last_at, one.last_game)
    longest = max(  # of several the first
        (one.longest, one.since, one.until, one.game),
        (across, since, until, game),
        (other.longest, other.since, other.until, other.game),
        key=lambda run: run[0],
    )
    begun = one if one.at_first < one.n else one._replace(at_first=across, first_until=until, first_game=game)
    ended = other if other.at_first < other.n else other._replace(at_last=across, last_since=since)
    return begun._replace(
        last_at=other.last_at,
        last_position=other.last_position,
        n=one.n + other.n,
        at_last=ended.at_last,
        last_since=ended.last_since,
        last_game=other.last_game,
        longest=longest[0],
        since=longest[1],
        until=longest[2],
        game=longest[3],
        lost_at_first=one.lost_at_first + (other.lost_at_first if one.lost_at_first == one.n else 0),
        lost_at_last=other.lost_at_last + (one.lost_at_last if other.lost_at_last == other.n else 0),
        without=max(one.without, other.without, one.lost_at_last + other.lost_at_first),
    )


def _tangle_runs(one: WinRuns, other: WinRuns) -> WinRuns:
    last_at, last_position = max((one.last_at, one.last_position), (other.last_at, other.last_position))
    return one._replace(last_at=last_at, last_position=last_position, n=one.n + other.n, tangled=1)


def put_together(rows: Iterable[tuple[Any, ...]]) -> Rows:
    """The runs of each person, from those of several parts in any order."""
    found: dict[str, WinRuns] = {}
    for runs in sorted((WinRuns(*row) for row in rows), key=lambda runs: runs.place):
        before = found.get(runs.person)
        if before is None:
            found[runs.person] = runs
        elif before.tangled or runs.tangled or (before.last_at, before.last_position) >= runs.place:
            found[runs.person] = _tangle_runs(before, runs)
        else:
            found[runs.person] = join_runs(before, runs)
    return list(found.values())


def of_seats(rows: Iterable[tuple[Any, ...]]) -> Rows:
    """The same from seats: person, at, position, seat, game, and whether it won, in any order."""
    played = defaultdict[str, list[GamePlayed]](list)
    for person, at, position, _seat, game, won in sorted(rows, key=itemgetter(1, 2, 3)):
        played[person].append((at, position, game, won > 0))
    return [_runs_in(person, games) for person, games in played.items()]


def _runs_in(person: str, games: Sequence[GamePlayed]) -> WinRuns:
    """The runs of somebody's games in the order in which they were played."""
    runs = [list(run) for _, run in groupby(games, key=itemgetter(3))]
    won = [run if run[0][3] else [] for run in runs]
    lost = [0 if run[0][3] else len(run) for run in runs]
    begun, ended, longest = won[0], won[-1], max(won, key=len)
    (at, position, game, _), (last_at, last_position, last_game, _) = games[0], games[-1]
    return WinRuns(
        person,
        at,
        position,
        last_at,
        last_position,
        len(games),
        len(begun),
        begun[-1][0] if begun else "",
        begun[-1][2] if begun else game,
        len(ended),
        ended[0][0] if ended else "",
        last_game,
        len(longest),
        longest[0][0] if longest else "",
        longest[-1][0] if longest else "",
        longest[-1][2] if longest else None,
        lost[0],
        lost[-1],
        max(lost),
    )
