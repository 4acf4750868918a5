"""Runs of consecutive wins of one person."""

from __future__ import annotations

from typing import NamedTuple


class WinRuns(NamedTuple):
    """Runs of wins of a person, and of games without a win. The longest run is the first of equal ones."""

    person: str
    n: int  # games
    longest: int
    since: str  # the first game of the longest run
    until: str  # the last one
    game: str  # the id of the last one
    now: int  # length of the run at the end
    without: int  # the most games without a win


def find_runs(person: str, in_order: str) -> WinRuns:
    """Return the runs of a person.

    Args:
        in_order: "+game|day" for each win and "-game|day" for each other game, divided by spaces.
    """
    plays = in_order.split(" ")
    wins = "".join([play[0] for play in plays])
    runs = wins.split("-")
    longest = len(max(runs, key=len))
    since = until = game = ""
    if longest:
        start = wins.index("+" * longest)
        since = plays[start].partition("|")[2]
        game, _, until = plays[start + longest - 1][1:].partition("|")
    return WinRuns(person, len(plays), longest, since, until, game, len(runs[-1]), len(max(wins.split("+"), key=len)))
