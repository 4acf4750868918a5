"""A demonstration club: two divisions, a closed season, and the next one in progress.

Its games are practice games, copied from a few that are played here, and every result says so. The same key makes the
same club: after an interruption, a second run adds the missing parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from uuid import UUID, uuid5

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import (
    AddMember,
    ChangeClubSettings,
    CloseSeason,
    ClubCommand,
    DrawSchedule,
    EnterGame,
    EnterPlayers,
    FoundLeague,
    OpenNextSeason,
    OpenSeason,
    PlanTable,
    RecordLot,
)
from daybook.domain.league.seasons import DEFAULTS, Division, Entrant
from daybook.domain.league.standings import Standings
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, next_season, results
from daybook.services.league.season_tables import tables_in_order
from daybook.services.permissions.access import Grant
from daybook.services.play import simulate
from daybook.services.play.practice import Level
from daybook.services.play.simulate import NAMES
from daybook.services.play.writing import Receipt, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import Person
from daybook.services.store.log import AlreadyWrittenError

PLAYERS, SEATS, PLAYED = 14, 4, 6
ROUNDS_BEGUN = 3  # of the second season
WEEK = 7  # days
WEEKS_BETWEEN = 6  # since the first season's last round
TABLES = 14 + 2 * ROUNDS_BEGUN  # that are played
LOTS = 4  # drawn at most before a season is closed

Titles = Callable[[Season, SeasonTable], str]  # what the game of a table is called
Progress = Callable[[int], object]  # number of further tables that are played


class Demonstration:
    """Builder of a practice club.

    Args:
        by: the writer of its entries.
        founder: its organiser.
        level: the strength of its players.
    """

    def __init__(
        self, book: Daybook, name: str, founder: str, *, by: str, key: str, public: bool, level: Level = "chance"
    ) -> None:
        self.book = book
        self.name = name
        self.founder = founder
        self.by = by
        self.key = key
        self.public = public
        self.level = level
        self.random = Random(f"club {key}")
        self.id: UUID = clubs.found_club(book, name, founder, by=by, key=self._key("club")).record

    @property
    def club(self) -> Club:
        return self.book.clubs.get(self.id)

    def make(self, league: str, season: str, titles: Titles, progress: Progress = lambda more: None) -> None:
        """Make the whole club."""
        settings = msgspec.structs.replace(self.club.settings, public=self.public, simulated=True)
        self._write(ChangeClubSettings(settings), "settings")
        rules = game_of_practice()
        founded = self._write(FoundLeague(league, (rules.id,)), "league")
        people = self._people()
        played = simulate.simulate_games(rules, SEATS, PLAYED, 7, {}, self.level)
        sources = [game for game in played if game.status == "closed"]
        season_format = msgspec.structs.replace(
            DEFAULTS["divisions"],
            divisions=(Division("1", (7,)), Division("2", (7,))),
            promote=2,
            relegate=2,
            counts=("practice",),
        )
        opened = self._write(OpenSeason(clubs.league_at(self.club, founded.step), season, season_format), "season 1")
        first = clubs.season_at(self.club, opened.step).id
        entrants = tuple(Entrant(person.id, 1 + place // 7) for place, person in enumerate(people))
        self._write(EnterPlayers(first, entrants), "players 1")
        self._draw(first)
        self._play(first, sources, 99, titles, progress)
        self._close(first)
        players = tuple(
            Entrant(placement.person, placement.division, placement.group)
            for placement in next_season.propose_placements(self.book, self.club, self.club.season(first))
            if placement.division
        )
        opened = self._write(OpenNextSeason(first, next_season.next_name(season), players), "season 2")
        second = clubs.season_at(self.club, opened.step).id
        self._draw(second)
        self._play(second, sources, ROUNDS_BEGUN, titles, progress)
        self._plan(second)

    def _people(self) -> list[Person]:
        """Add the members of the club; they have no accounts."""
        people = [Person(uuid5(self.id, f"player {number}").hex, NAMES[number]) for number in range(PLAYERS)]
        for number, person in enumerate(people):
            self._write(AddMember(person.id, guests={person.id: person.name}), f"member {number}")
        return people

    def _draw(self, season: str) -> None:
        if not self.club.season(season).draws:
            self._write(DrawSchedule(season, 3), f"draw {season}")

    def _play(self, season: str, sources: list[Game], rounds: int, titles: Titles, progress: Progress) -> None:
        tables = [table for table in tables_in_order(self.club.season(season)) if table.round <= rounds]
        last, before = max(table.round for table in tables), 1 if rounds == ROUNDS_BEGUN else WEEKS_BETWEEN
        for table in tables:
            game_id = uuid5(self.id, f"game {season} {table.id}")
            self._lay(game_id, sources, table, titles(self.club.season(season), table), last - table.round + before)
            if not table.game:
                self._write(EnterGame(season, str(game_id), table.id), f"game {season} {table.id}", keeps=game_id)
            progress(1)

    def _lay(self, game_id: UUID, sources: list[Game], table: SeasonTable, title: str, weeks: int) -> None:
        """Insert the game of a table, some weeks ago. Better players win more often."""
        names = self.book.kept.names(table.seats)
        strong = sorted(range(SEATS), key=lambda seat: self._strength(table.seats[seat]) + self.random.gauss(0, 0.7))
        source = max(sources, key=lambda game: self._fits(game, strong))
        self.book.kept.keep(game_id, title, self.public, [Person(person, names[person]) for person in table.seats])
        begun = later_time(now(), days=-WEEK * weeks, seconds=600 * int(table.id))
        try:
            self.book.log.append(*simulate.copy_entries(source, game_id, table.seats, begun, self.random))
        except AlreadyWrittenError:
            return

    def _strength(self, person: str) -> float:
        return Random(f"strength {person}").gauss(0, 1)

    def _fits(self, game: Game, strong: list[int]) -> float:
        """Return how well the end of a game fits the players' strength.

        strong: the seats, the weakest first.
        """
        outcome = game.ruleset.scoring.outcome(game.board)
        ranks = outcome.ranks if outcome else (1,) * SEATS
        return sum(place * -ranks[seat] for place, seat in enumerate(strong)) + self.random.random()

    def _close(self, season: str) -> None:
        """Close a season, with lots if nothing else decides."""
        for number in range(LOTS):
            if not self.club.season(season).is_open:
                return
            try:
                self._write(CloseSeason(season), f"close {season}")
            except Refused:
                tied = tied_people(results.standings_at(self.book, self.club, season))
                if number == LOTS - 1 or not tied:
                    raise
                for place, people in enumerate(tied):
                    self._write(RecordLot(season, tuple(people)), f"lot {season} {number} {place}")

    def _plan(self, season: str) -> None:
        """Plan the next round for next week."""
        for table in tables_in_order(self.club.season(season)):
            if table.round == ROUNDS_BEGUN + 1:
                day = later_time(now(), days=WEEK - 1)[:10]
                self._write(PlanTable(season, table.id, f"{day}T18:30:00.000Z"), f"plan {season} {table.id}")

    def _write(self, command: ClubCommand, step: str, keeps: UUID | None = None) -> Receipt:
        """Write a command. keeps: a game with the founder as scorekeeper."""
        writer = Writer(self.by, [Grant("", keeps, "scorekeeper")] if keeps else [])
        return clubs.write(self.book, self.id, command, by=writer, key=self._key(step))

    def _key(self, what: str) -> str:
        return hashlib.sha256(f"demonstration {self.key} {what}".encode()).hexdigest()[:40]


def game_of_practice() -> AnyRuleset:
    """Return the first installed game for that many players."""
    return next(rules for rules in RULESETS.values() if SEATS in rules.seats)


def tied_people(standings: Standings) -> list[list[str]]:
    """Return groups of players in a shared place that only a lot can order; players without a game are left out."""
    found = []
    for group in standings.groups:
        for place in dict.fromkeys(row.place for row in group.rows):
            people = [row.person for row in group.rows if row.place == place and row.games_played]
            if len(people) > 1:
                found.append(people)
    return found
