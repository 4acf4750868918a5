"""A play: what programs for players write down of one game. What comes in and what goes out is this, whatever the format.

A play says less than a record, and may say it oddly: a format that leaves something out leaves the field empty.
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from daybook.domain.kernel.frozen import Frozen

ANONYMOUS = "Anonymous player"  # the name that other programs use


class Player(Frozen):
    """A player of a play.

    Args:
        id: the source's id of the person.
        score: None if it is not a whole number; `score_text` then has the text.
        place: None if unknown.
        won: None if unknown.
        new: played this game for the first time.
    """

    name: str
    id: str = ""
    score: int | None = None
    score_text: str = ""
    place: int | None = None
    won: bool | None = None
    started: bool = False
    new: bool = False
    role: str = ""
    team: str = ""
    anonymous: bool = False


class PlayedGame(Frozen):
    """The game of a play.

    Args:
        id: the source's id.
        bgg: number on BoardGameGeek, 0 if unknown.
    """

    name: str
    id: str = ""
    bgg: int = 0
    lowest_wins: bool = False
    cooperative: bool = False
    points: bool = True


class Play(Frozen):
    """A play of any game.

    Args:
        id: the source's id.
        at: UTC time (2026-11-20T19:30:00.000Z) or only the day.
        minutes: 0 if unknown.
        variant: or scenario.
        row: row of the file.
        second_id: another id, used by a second program.
        quantity: number of plays its entry stood for.
        uncounted: left out of the source's statistics.
    """

    id: str
    at: str
    game: PlayedGame
    players: tuple[Player, ...]
    minutes: int = 0
    place: str = ""
    variant: str = ""
    comments: str = ""
    expansions: tuple[str, ...] = ()
    row: int = 0
    second_id: str = ""
    quantity: int = 1
    incomplete: bool = False
    uncounted: bool = False


def bgstats_uuid(kind: str, key: str) -> str:
    """Return the BG Stats id of a play, person, game or place; original ids are kept."""
    return (
        key.removeprefix("bgstats:")
        if key.startswith("bgstats:")
        else str(uuid5(NAMESPACE_URL, f"daybook {kind} {key}"))
    )


def possible_ids(play_id: str) -> set[str]:
    """Return all ids under which a play may be imported, whatever format it was exported in."""
    return {
        play_id,
        f"bgstats:{bgstats_uuid('play', play_id)}",
        play_id if play_id.startswith("bgg:") else f"bgg:{play_id}",
    }
