"""Plays: the data of a game in programs for players. All formats are imported into plays and exported from them.

A play has less information than a record. A field is empty if the format lacks it.
"""

from __future__ import annotations

from hashlib import sha256
from uuid import NAMESPACE_URL, uuid5

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.results import Uncounted
from daybook.domain.league.scores import Score

ANONYMOUS = "Anonymous player"  # the name that other programs use
AUTOMA = "Automa"
ACCOUNT = "bgg-account:"  # before the name of an account on BoardGameGeek, as an id of a person
OWN_LOG = "log:"  # before a person's id, as the source of plays that they bring from their own log into a club
BGG_OWN_NUMBERS = 10**15  # from here on no play of BoardGameGeek has a number, and every program reads it exactly
BGG_DIGITS = 16


class Player(Frozen):
    """A player of a play.

    Args:
        id: the source's id of the person.
        score: a whole number, or a half of a recorded game. `score_text` has the text of any other score, and of a sum.
        place: None if unknown.
        won: None if unknown.
        new: played this game for the first time.
        account: on BoardGameGeek, by which another source may know the person too.
        seat: from 0; None if unknown.
        left_early: went home before the end.
        automa: the rules played, and no person; it is imported as an anonymous player.
    """

    name: str
    id: str = ""
    score: Score | None = None
    score_text: str = ""
    place: int | None = None
    won: bool | None = None
    started: bool = False
    new: bool = False
    role: str = ""
    team: str = ""
    anonymous: bool = False
    account: str = ""
    seat: int | None = None
    automa: bool = False
    left_early: bool = False
    colour: str = ""

    @property
    def key(self) -> str:
        """The identity of the person in the file: the source's id, or the name where the source has no ids."""
        return self.id or self.name

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids under which this and other sources know the person."""
        account = f"{ACCOUNT}{self.account.casefold()}" if self.account else ""
        return tuple(filter(None, (self.id, account)))


class PlayedGame(Frozen):
    """The game of a play.

    Args:
        id: the source's id.
        bgg: number on BoardGameGeek, 0 if unknown.
        year: of publication, 0 if unknown.
        teams: it is played in teams.
    """

    name: str
    id: str = ""
    bgg: int = 0
    lowest_wins: bool = False
    cooperative: bool = False
    points: bool = True
    year: int = 0
    teams: bool = False

    @property
    def key(self) -> str:
        """The identity of the game in the file: the source's id, the number on BoardGameGeek, or the name."""
        return self.id or (f"bgg:{self.bgg}" if self.bgg else self.name)


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
        uncounted: why it is left out of the source's statistics.
        place_id: the source's id of the place.
        tie_settled: the players agreed who won a tie, so the winner counts and not the equal ranks.
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
    uncounted: tuple[Uncounted, ...] = ()
    place_id: str = ""
    tie_settled: bool = False


def bgstats_uuid(kind: str, key: str) -> str:
    """Return the BG Stats id of a play, person, game or place; original ids are kept."""
    return (
        key.removeprefix("bgstats:")
        if key.startswith("bgstats:")
        else str(uuid5(NAMESPACE_URL, f"daybook {kind} {key}"))
    )


def bgg_number(play_id: str) -> int:
    """Return a whole number for a play in BoardGameGeek's format; others than its own are larger than all of them."""
    number = play_id.removeprefix("bgg:")
    if number != play_id and number.isascii() and number.isdecimal() and len(number) < BGG_DIGITS:
        return int(number)
    return BGG_OWN_NUMBERS + int.from_bytes(sha256(play_id.encode()).digest()[:6])


def possible_ids(play_id: str) -> set[str]:
    """Return all ids under which a play may be imported, whatever format it was exported in."""
    return {play_id, f"bgstats:{bgstats_uuid('play', play_id)}", f"bgg:{bgg_number(play_id)}"}
