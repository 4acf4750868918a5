"""Runs of consecutive wins, merged from parts of the log.

`runs_of_seats` computes the WinRuns of each person in a part, and `merge_runs` merges those of several parts. A run at the
end of one part continues at the start of the next. If the games of two parts interleave in time (an old notebook typed
in later), they cannot be merged: such a person is `tangled`, and every seat is read in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from daybook.services.statistics.queries import Rows

GamePlayed = tuple[str, int, Any, bool]  # (time, position in the log, game, won)


class WinRuns(NamedTuple):
    """Consecutive games of one person, with the runs of wins and of games without a win."""

    person: str
    first_at: str  # time and position of the first game
    first_position: int
    last_at: str  # and of the last
    last_position: int
    n: int
    at_first: int  # length of the run of wins at the start
    first_until: str  # its last game
    first_game: Any  # an id, as the database has it
    at_last: int  # length of the run of wins at the end
    last_since: str  # its first game
    last_game: Any  # the last of all games
    longest: int  # the longest run of wins, the first of equals
    since: str
    until: str
    game: Any
    lost_at_first: int  # games without a win at the start
    lost_at_last: int  # and at the end
    without: int  # the longest run of games without a win
    tangled: int = 0  # 1: the games are not in order, so that only `n` is right

    @property
    def place(self) -> tuple[str, int]:
        return self.first_at, self.first_position


def join_runs(first: WinRuns, second: WinRuns) -> WinRuns:
    """Join the runs of two parts, the second of which comes after the first."""
    across = first.at_last + second.at_first
    since = first.last_since if first.at_last else second.first_at
    until, game = (second.first_until, second.first_game) if second.at_first else (first.last_at, first.last_game)
    longest = max(  # the first of equals
        (first.longest, first.since, first.until, first.game),
        (across, since, until, game),
        (second.longest, second.since, second.until, second.game),
        key=lambda run: run[0],
    )
    begun = first if first.at_first < first.n else first._replace(at_first=across, first_until=until, first_game=game)
    ended = second if second.at_first < second.n else second._replace(at_last=across, last_since=since)
    return begun._replace(
        last_at=second.last_at,
        last_position=second.last_position,
        n=first.n + second.n,
        at_last=ended.at_last,
        last_since=ended.last_since,
        last_game=second.last_game,
        longest=longest[0],
        since=longest[1],
        until=longest[2],
        game=longest[3],
        lost_at_first=first.lost_at_first + (second.lost_at_first if first.lost_at_first == first.n else 0),
        lost_at_last=second.lost_at_last + (first.lost_at_last if second.lost_at_last == second.n else 0),
        without=max(first.without, second.without, first.lost_at_last + second.lost_at_first),
    )


def _tangle_runs(first: WinRuns, second: WinRuns) -> WinRuns:
    last_at, last_position = max((first.last_at, first.last_position), (second.last_at, second.last_position))
    return first._replace(last_at=last_at, last_position=last_position, n=first.n + second.n, tangled=1)


def merge_runs(rows: Iterable[tuple[Any, ...]]) -> Rows:
    """Merge the runs of each person from several parts, in any order."""
    merged: dict[str, WinRuns] = {}
    for runs in sorted((WinRuns(*row) for row in rows), key=lambda runs: runs.place):
        before = merged.get(runs.person)
        if before is None:
            merged[runs.person] = runs
        elif before.tangled or runs.tangled or (before.last_at, before.last_position) >= runs.place:
            merged[runs.person] = _tangle_runs(before, runs)
        else:
            merged[runs.person] = join_runs(before, runs)
    return list(merged.values())


def runs_of_seats(rows: Iterable[tuple[Any, ...]]) -> Rows:
    """Compute each person's runs from rows (person, at, position, seat, game, won), in any order."""
    played = defaultdict[str, list[GamePlayed]](list)
    for person, at, position, _seat, game, won in sorted(rows, key=itemgetter(1, 2, 3)):
        played[person].append((at, position, game, won > 0))
    return [_runs_in(person, games) for person, games in played.items()]


def _runs_in(person: str, games: Sequence[GamePlayed]) -> WinRuns:
    """Compute the runs of a person's games, which are in order."""
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
