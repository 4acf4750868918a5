"""A score sheet as it is filled in: a column for each player, and in it the figures of every round."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from daybook.domain.games.score_sheet.definition import Definition, Line, definition_of
from daybook.domain.games.score_sheet.moves import Ending
from daybook.domain.kernel import terms
from daybook.domain.kernel.terms import Seat, Table

Figures = dict[str, int | None]  # of one round, by the keys of the lines; None: nothing is entered


class Player(msgspec.Struct):
    """A player's column.

    out: 0 while in, else the number in the order of going out; team: 0 for a player without one.
    """

    rounds: list[Figures]
    out: int = 0
    role: str | None = None
    team: int = 0


class Board(terms.Board):
    players: list[Player]
    expansions: list[str] = []  # those that are used, in the order of the sheet
    start: Seat | None = None  # the starting player, if recorded
    ended: Ending | None = None
    won: bool | None = None  # of a game that was played together

    definition: ClassVar[Definition]  # of the board's table

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["definition"] = definition_of(table)

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def round(self) -> int:
        """The one that is played, or the last."""
        return len(self.players[0].rounds)

    @property
    def lines(self) -> list[Line]:
        """The lines that exist with the expansions in use."""
        return self.definition.used(self.expansions)

    @property
    def may_have_teams(self) -> bool:
        """True if totals decide, of more than two players (SC-4.4)."""
        definition = self.definition
        return self.seats > 2 and definition.score_count != "places" and definition.score_wins in ("most", "least")

    @property
    def left(self) -> list[Seat]:
        """The players still in."""
        return [seat for seat, player in enumerate(self.players) if not player.out]

    def side(self, seat: Seat) -> list[Seat]:
        """Return the seats that add up their totals: a player's team, or the player (SC-7.7)."""
        team = self.players[seat].team
        return [seat] if not team else [other for other, player in enumerate(self.players) if player.team == team]

    def counts(self, seat: Seat) -> dict[str, int]:
        """Return the points of each line of a player, in all rounds."""
        lines = self.lines
        rounds = [self.definition.counts(figures, lines) for figures in self.players[seat].rounds]
        return {key: sum([counts[key] for counts in rounds]) for key in self.definition.lines}

    def total(self, seat: Seat) -> int:
        """Return the total of a player's own column."""
        return sum(self.round_totals(seat))

    def side_total(self, seat: Seat) -> int:
        return sum([self.total(other) for other in self.side(seat)])

    def round_totals(self, seat: Seat) -> list[int]:
        """Return the total of each round of a player."""
        lines, definition = self.lines, self.definition
        return [definition.total(definition.counts(figures, lines)) for figures in self.players[seat].rounds]

    def figure(self, seat: Seat, line: Line) -> int:
        """Return the sum of a line's figures in all rounds."""
        return sum([figures[line.key] or 0 for figures in self.players[seat].rounds])


def empty_round(definition: Definition) -> Figures:
    return dict.fromkeys(definition.lines)


def opening(table: Table) -> Board:
    """Return an empty sheet (SC-1.2)."""
    definition = definition_of(table)
    return Board([Player([empty_round(definition)]) for _ in range(table.seats)])
