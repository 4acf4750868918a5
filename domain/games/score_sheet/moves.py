"""The decisions at a score sheet and their effects."""

from __future__ import annotations

from typing import Literal

from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect

Ending = Literal["said", "rounds", "target", "last"]
# ended by a player; after the last round; a player reached the target; one player is left


class Enter(Decision, tag="enter"):
    """A figure in the own column, or another in its place.

    line: by its key; round: 0 for the one that is played, and for a line that is counted once.
    """

    line: str
    value: Points
    round: int = 0


class Clear(Decision, tag="clear"):
    """A figure of the own column is taken out again, and its cell is empty as before. line, round: as in Enter."""

    line: str
    round: int = 0


class EndRound(Decision, tag="end_round"):
    pass


class EndGame(Decision, tag="end_game"):
    """won: of a game that is played together; of others it goes without saying."""

    won: bool | None = None


class GoOut(Decision, tag="go_out"):
    """Out of a game that the last one left wins."""


class Leave(Decision, tag="leave"):
    """A player leaves early. placed: 0: behind all others; -1: by the figures; else the agreed place."""

    placed: int = 0


class ComeLater(Decision, tag="come_later"):
    """A player joins after a round, and misses the rounds until then."""


class Join(Decision, tag="join"):
    """A late player joins, or one that left is back. points: agreed to begin with."""

    points: Points = 0


class SettleTie(Decision, tag="settle_tie"):
    """The table decides a tie: this player is ahead of those with the same result."""

    seat: Seat


class TakeRole(Decision, tag="take_role"):
    role: str


class TakeTeam(Decision, tag="take_team"):
    """The choice of a team, by its number; 0: none."""

    team: int


class SayStart(Decision, tag="say_start"):
    """The starting player."""

    seat: Seat


class Use(Decision, tag="use"):
    """The use of an expansion and its lines, or the end of it."""

    expansion: str
    used: bool = True


AnyDecision = (
    Enter
    | Clear
    | EndRound
    | EndGame
    | GoOut
    | Leave
    | ComeLater
    | Join
    | SettleTie
    | TakeRole
    | TakeTeam
    | SayStart
    | Use
)


class Entered(SeatEffect, tag="entered"):
    """A figure was entered.

    line: its key; name: as the sheet prints it; round: 0 for a line that is counted once; counts: its points.
    """

    line: str
    name: str
    round: int
    value: Points
    counts: Points


class Changed(SeatEffect, tag="changed"):
    """A figure was changed. was: the figure before; counts: the difference in points."""

    line: str
    name: str
    round: int
    was: Points
    value: Points
    counts: Points


class Cleared(SeatEffect, tag="cleared"):
    """A figure was cleared. was: that figure; counts: the difference in points."""

    line: str
    name: str
    round: int
    was: Points
    counts: Points


class RoundEnded(Effect, tag="round_ended"):
    round: int


class GameEnded(Effect, tag="game_ended"):
    why: Ending
    won: bool | None = None


class WentOut(SeatEffect, tag="went_out"):
    """A player went out. left: players still in."""

    left: int


class LeftEarly(SeatEffect, tag="left_early"):
    """A player left early. placed: as in Leave; rounds: completed or begun with figures by the player."""

    placed: int
    rounds: int


class ComesLater(SeatEffect, tag="comes_later"):
    """A player misses the rounds until they join."""


class Joined(SeatEffect, tag="joined"):
    """A player takes part from this round on. points: agreed to begin with."""

    round: int
    points: Points


class TieSettled(SeatEffect, tag="tie_settled"):
    """A player is ahead of others with the same result."""


class RoleTaken(SeatEffect, tag="role_taken"):
    role: str


class TeamTaken(SeatEffect, tag="team_taken"):
    team: int


class StartSaid(SeatEffect, tag="start_said"):
    pass


class ExpansionUsed(Effect, tag="expansion_used"):
    expansion: str
    used: bool


AnyEffect = (
    Entered
    | Changed
    | Cleared
    | RoundEnded
    | GameEnded
    | WentOut
    | LeftEarly
    | ComesLater
    | Joined
    | TieSettled
    | RoleTaken
    | TeamTaken
    | StartSaid
    | ExpansionUsed
)
