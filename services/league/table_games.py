"""Choose the game of each drawn table in a league of several games.

Each player plays each game about equally often: the choice minimises the sum of the squares of how often a player plays a
game, with the earlier tables of the season. A game is chosen only if it allows the table's number of players. The same
number of a draw chooses the same games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import ANY
from daybook.domain.league.club import Club, Season
from daybook.domain.league.seasons import Fixture

RESTARTS = 12
MAX_PASSES = 20  # of improvements, from one start
MAX_SWAPPED_TABLES = 60  # above, only single tables change their games

GamesPlayed = Counter[tuple[str, str]]  # (person, game) -> number of tables


def choose_games(club: Club, season: Season, fixtures: Sequence[Fixture], seed: int) -> dict[str, str]:
    """Return the game of each table by the table's id; nothing in a league of one game, or of any game."""
    games = [game for game in club.rulesets(season) if game != ANY]
    if len(games) < 2 or ANY in club.rulesets(season):
        return {}
    redrawn = {fixture.table for fixture in fixtures}
    rounds = {(fixture.division, fixture.group, fixture.round) for fixture in fixtures}
    played: GamesPlayed = Counter()
    for table in season.tables.values():
        game = table.ruleset or table.planned_game
        is_replaced = table.id in redrawn or (table.division, table.group, table.round) in rounds
        if game and not is_replaced and not table.voided:
            played.update((person, game) for person in club.players_met(season, table))
    return balance_games(fixtures, {game: _sizes(game) for game in games}, played, Random(f"games {seed}"))


def _sizes(game: str) -> range | None:
    """Return the allowed numbers of players, or None if they are unknown."""
    rules = RULESETS.get(game)
    return None if rules is None or rules.title_of is not None else rules.seats


def balance_games(
    fixtures: Sequence[Fixture], games: Mapping[str, range | None], played: GamesPlayed, chance: Random
) -> dict[str, str]:
    """Return the most even games of some tables, by the tables' ids. A table without a fitting game has none.

    games: the allowed numbers of players of each; None: any. played: of earlier tables.
    """
    allowed = {
        fixture.table: [game for game, sizes in games.items() if sizes is None or len(fixture.seats) in sizes]
        for fixture in fixtures
    }
    tables = [fixture for fixture in fixtures if allowed[fixture.table]]
    starts = (_Balance(tables, allowed, played, chance) for _ in range(RESTARTS))
    best = min(starts, key=lambda balance: balance.cost, default=None)
    return best.chosen if best is not None else {}


class _Balance:
    """One search: a game for each table in turn, then changes and swaps while they help. cost: of the result."""

    def __init__(
        self, tables: Sequence[Fixture], allowed: Mapping[str, Sequence[str]], played: GamesPlayed, chance: Random
    ) -> None:
        self.allowed, self.counts, self.chosen = allowed, Counter(played), dict[str, str]()
        in_order = [*tables]
        chance.shuffle(in_order)
        in_order.sort(key=lambda fixture: fixture.round)
        for fixture in in_order:
            games = [*allowed[fixture.table]]
            chance.shuffle(games)
            self._put(fixture, min(games, key=lambda game: self._cost_of(fixture, game)))
        for _ in range(MAX_PASSES):
            changes = sum(self._change(fixture) for fixture in in_order)
            if len(in_order) <= MAX_SWAPPED_TABLES:
                changes += sum(self._swap(*pair) for pair in combinations(in_order, 2))
            if not changes:
                break
        self.cost = sum(n * n for n in self.counts.values())

    def _cost_of(self, fixture: Fixture, game: str) -> int:
        """Return the cost of one more play of a game by the people of a table."""
        return sum(2 * self.counts[person, game] + 1 for person in fixture.seats)

    def _put(self, fixture: Fixture, game: str) -> None:
        self.chosen[fixture.table] = game
        self.counts.update((person, game) for person in fixture.seats)

    def _take(self, fixture: Fixture) -> str:
        game = self.chosen.pop(fixture.table)
        self.counts.subtract((person, game) for person in fixture.seats)
        return game

    def _change(self, fixture: Fixture) -> bool:
        """Give a table its cheapest game; return if it is another one."""
        game = self._take(fixture)
        best = min(self.allowed[fixture.table], key=lambda other: (self._cost_of(fixture, other), other != game))
        self._put(fixture, best)
        return best != game

    def _swap(self, first: Fixture, second: Fixture) -> bool:
        """Swap the games of two tables if that is cheaper; return if they were swapped."""
        game, other = self.chosen[first.table], self.chosen[second.table]
        if game == other or game not in self.allowed[second.table] or other not in self.allowed[first.table]:
            return False
        before = self._pair_cost(first, game, second, other)
        after = self._pair_cost(first, other, second, game)
        if after < before:
            self._take(first)
            self._take(second)
            self._put(first, other)
            self._put(second, game)
        return after < before

    def _pair_cost(self, first: Fixture, game: str, second: Fixture, other: str) -> int:
        """Return the cost of the games of two tables, beyond that of all other tables."""
        mine, its = self._take(first), self._take(second)
        cost = self._cost_of(first, game)
        self._put(first, game)
        cost += self._cost_of(second, other)
        self._take(first)
        self._put(first, mine)
        self._put(second, its)
        return cost
