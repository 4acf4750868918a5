"""A score sheet as it is filled in: a column for each player, and in it the figures of every round."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from daybook.domain.games.score_sheet.columns import Figures, Player
from daybook.domain.games.score_sheet.counting import Tally, count_sheet
from daybook.domain.games.score_sheet.definition import Definition, Line, definition_of
from daybook.domain.games.score_sheet.moves import Ending
from daybook.domain.kernel import terms
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Seat, Table


class Board(terms.Board):
    players: list[Player]
    expansions: list[str] = []  # those that are used, in the order of the sheet
    start: Seat | None = None  # the starting player, if recorded
    ended: Ending | None = None
    won: bool | None = None  # of a game that was played together

    definition: ClassVar[Definition]  # of the board's table
    is_so_far: ClassVar[bool] = False  # the newest round is being played: formulas that lack a figure count nothing yet

    def on(self, table: Table) -> None:
        super().on(table)
        self.__dict__["definition"] = definition_of(table)

    @property
    def settled(self) -> list[Seat]:
        """The players ahead of others with the same result, the foremost first (SC-7.9)."""
        ahead = [seat for seat, player in enumerate(self.players) if player.settled]
        return sorted(ahead, key=lambda seat: -self.players[seat].settled)

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
    def has_partners(self) -> bool:
        """True if the figures of a team are added before they are counted (SC-7.11)."""
        return bool(self.definition.game_teams) and any(player.team for player in self.players)

    @property
    def left(self) -> list[Seat]:
        """The players still in."""
        return [seat for seat, player in enumerate(self.players) if not player.out]

    @property
    def here(self) -> list[Seat]:
        """The players at the table that are still in."""
        return [seat for seat in self.left if not self.players[seat].away]

    @property
    def rounds_in_all(self) -> int:
        """The number of rounds of a game that ends after the last one."""
        return self.definition.rounds(self.seats)

    @property
    def dealers(self) -> list[Seat]:
        """The dealer of each round: clockwise, without players that miss it; empty without dealers (SC-4.5)."""
        dealers: list[Seat] = []
        for number in range(1, self.round + 1) if self.definition.game_dealer else ():
            first = dealers[-1] + 1 if dealers else self.start or 0
            turn = [(first + step) % self.seats for step in range(self.seats)]
            dealers.append(next((seat for seat in turn if number not in self.players[seat].missed), turn[0]))
        return dealers

    @property
    def sides(self) -> list[list[Seat]]:
        """Groups of seats with figures that are added before they are counted."""
        if not self.has_partners:
            return [[seat] for seat in range(self.seats)]
        return [side for seat in range(self.seats) if (side := self.side(seat))[0] == seat]

    def side(self, seat: Seat) -> list[Seat]:
        """Return the seats that add up their totals: a player's team, or the player (SC-7.7)."""
        team = self.players[seat].team
        return [seat] if not team else [other for other, player in enumerate(self.players) if player.team == team]

    def so_far(self) -> Board:
        """Return the board that pages count while a round is played."""
        if self.ended is not None or not self.definition.reads_figures:
            return self
        board = BoardSoFar(*msgspec.structs.astuple(self))
        board.on(self.table)
        return board

    def tally(self) -> Tally:
        """Count the sheet: what each line and each round brings each player. It is counted once while nothing changes."""
        state = msgspec.msgpack.encode((self.players, self.expansions, self.start))
        counted: bytes
        tally: Tally | None
        counted, tally = self.__dict__.get("counted", (b"", None))
        if tally is None or counted != state:
            tally = count_sheet(
                self.definition,
                self.players,
                tuple(line.key for line in self.lines),
                self.sides,
                self.dealers,
                self.is_so_far,
            )
            self.__dict__["counted"] = state, tally
        return tally

    def total(self, seat: Seat) -> Points:
        """Return the total of a player's own column; partners share one."""
        return self.tally().totals[seat]

    def side_totals(self, tally: Tally | None = None) -> list[Points]:
        """Return the totals that players are placed by: a team member's is the team's (SC-7.7)."""
        totals = (tally or self.tally()).totals
        if self.has_partners:
            return totals
        return [as_points(sum([totals[other] for other in self.side(seat)])) for seat in range(self.seats)]

    def round_totals(self, seat: Seat) -> list[Points]:
        """Return the total of each round of a player."""
        return [totals[seat] for totals in self.tally().rounds]

    def figure(self, seat: Seat, line: Line) -> Points:
        """Return the sum of a line's figures in all rounds."""
        player = self.players[seat]
        if line.key in player.once:
            return player.once[line.key] or 0
        return as_points(sum([figures.get(line.key) or 0 for figures in player.rounds]))


class BoardSoFar(Board):
    """The board while its newest round is played."""

    is_so_far: ClassVar[bool] = True


def empty_round(definition: Definition) -> Figures:
    return dict.fromkeys(definition.keys_by_round)


def opening(table: Table) -> Board:
    """Return an empty sheet (SC-1.2), with partners in turn (SC-4.4)."""
    definition = definition_of(table)
    teams = definition.game_teams
    if teams and (table.seats <= teams or table.seats % teams):
        teams = 0
    return Board(
        [
            Player(
                [empty_round(definition)],
                team=seat % teams + 1 if teams else 0,
                once=dict.fromkeys(definition.keys_once),
            )
            for seat in range(table.seats)
        ]
    )
