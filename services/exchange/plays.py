"""A play: what programs for players write down of one game. What comes in and what goes out is this, whatever the format.

A play says less than a record, and may say it oddly: a format that leaves something out leaves the field empty.
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from daybook.domain.kernel.frozen import Frozen

ANONYMOUS = "Anonymous player"  # as other programs call whoever it was


class Player(Frozen):
    """One who played. id: by which the source knows the person; score: None where it is no whole number, and then what
    is written is `score_text`; place, won: None where nobody said it; new: played this game for the first time.
    """

    name: str
    id: str = ""
    score: int | None = None
    score_text: str = ""
    place: int | None = None
    won: bool | None = None
    start: bool = False
    new: bool = False
    role: str = ""
    team: str = ""
    anonymous: bool = False


class PlayedGame(Frozen):
    """What was played. id: by which the source knows it; bgg: its number on BoardGameGeek; 0: nobody said it."""

    name: str
    id: str = ""
    bgg: int = 0
    least: bool = False
    together: bool = False
    points: bool = True


class Play(Frozen):
    """id: by which the source knows the play; at: when, UTC, 2026-11-20T19:30:00.000Z, or the day alone; minutes: 0 where
    nobody said it; board: the variant or scenario. row: of the file; also: another id, by which a second program knows it; quantity: how
    many plays its entry stood for; uncounted: left out of the source's statistics.
    """

    id: str
    at: str
    game: PlayedGame
    players: tuple[Player, ...]
    minutes: int = 0
    place: str = ""
    board: str = ""
    comments: str = ""
    expansions: tuple[str, ...] = ()
    row: int = 0
    also: str = ""
    quantity: int = 1
    incomplete: bool = False
    uncounted: bool = False


def uuid_of(kind: str, id: str) -> str:
    """By which BG Stats is to know a play, a person, a game or a place; what came from there keeps its own."""
    return (
        id.removeprefix("bgstats:") if id.startswith("bgstats:") else str(uuid5(NAMESPACE_URL, f"daybook {kind} {id}"))
    )


def ids_abroad(id: str) -> set[str]:
    """All ids under which a play can come back, in whatever format it went out."""
    return {id, f"bgstats:{uuid_of('play', id)}", id if id.startswith("bgg:") else f"bgg:{id}"}
