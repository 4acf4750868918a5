"""Draw the rest of a season: preview a proposal, then publish it unchanged.

Tables that were played or begun stay, and the tables drawn after them are replaced. The same number always gives the same
draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club, Season, SeasonTable, first_free
from daybook.domain.league.schedule import MEETING, Before, Schedule, Wishes, layout
from daybook.domain.league.seasons import Bye, Entrant, Fixture, Format
from daybook.services.league import knockout_draws, results, schedule_search
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.league.season_progress import groups_left, last_begun, late_people
from daybook.services.league.table_games import choose_games
from daybook.services.store.daybook import Daybook


class PartialDraw(Frozen):
    """One draw. division, group: of these alone; 0: of all. rounds: those it replaces, and those it brings."""

    division: int
    group: int
    rounds: tuple[int, ...]
    schedule: Schedule


TEAMMATES_COST = 25 * MEETING  # two players of one team at a table
NO_GAMES: Mapping[str, str] = {}


class Proposal(Frozen):
    """The tables that a number draws for a season."""

    seed: int
    parts: tuple[PartialDraw, ...]
    before: Before  # what stands, and counts in the fairness
    games: Mapping[str, str] = NO_GAMES  # the game of each table, by its id

    @property
    def fixtures(self) -> list[Fixture]:
        return [fixture for part in self.parts for fixture in part.schedule.fixtures]

    @property
    def byes(self) -> list[Bye]:
        return [bye for part in self.parts for bye in part.schedule.byes]

    @property
    def rounds(self) -> list[int]:
        return sorted({number for part in self.parts for number in part.schedule.rounds})

    @property
    def unfairness(self) -> int:
        return sum(part.schedule.cost for part in self.parts)


def propose_draw(
    book: Daybook, club: Club, season: Season, seed: int, *, rounds: int = 0, people: Sequence[str] | None = None
) -> Proposal:
    """Propose tables for what is still to be played, drawn by a number. Raises CannotDrawError.

    rounds: how many the season has, where its format leaves that open. people: who enters a heat; None: everyone
    who plays.
    """
    proposal = _propose_tables(book, club, season, seed, rounds, people)
    return msgspec.structs.replace(proposal, games=choose_games(club, season, proposal.fixtures, seed))


def _propose_tables(
    book: Daybook, club: Club, season: Season, seed: int, rounds: int, people: Sequence[str] | None
) -> Proposal:
    gone = club.withdrawn_people(season)
    playing = [entrant for entrant in club.entrants(season) if entrant.person not in gone]
    if not season.is_open:
        raise CannotDrawError(because("season_closed", "{season} is closed; reopen it first", season=season.name))
    if not playing:
        raise CannotDrawError(because("nobody_enters", "there are no players to draw tables for: enter players first"))
    if season.format.kind == "divisions" and not season.format.rounds:
        return _by_groups(club, season, playing, seed)
    last = _last_kept_round(season)
    before = _tables_before(club, season, last)
    first = first_free(table.id for table in season.tables.values() if _is_not_redrawn(table, last))
    schedule = _draw_part(book, club, season, playing, seed, rounds, people, before, first)
    replaced = {table.round for table in season.tables.values() if table.planned and table.round > last}
    return Proposal(seed, (PartialDraw(0, 0, tuple(sorted(replaced | {*schedule.rounds})), schedule),), before)


def _draw_part(
    book: Daybook,
    club: Club,
    season: Season,
    playing: Sequence[Entrant],
    seed: int,
    rounds: int,
    people: Sequence[str] | None,
    before: Before,
    first: int,
) -> Schedule:
    season_format = season.format
    if season_format.kind == "rounds" or season_format.kind == "divisions":
        drawing = msgspec.structs.replace(season_format, rounds=rounds or season_format.rounds)
        return schedule_search.draw_season(
            drawing, playing, seed, before=before, first_table=first, wishes=_team_wishes(club, season)
        )
    standings = results.standings_at(book, club, season.id)
    if season_format.kind == "knockout":
        return knockout_draws.draw_round(book, club, season, playing, standings, seed, before, first)
    if season_format.kind == "swiss":
        excused = club.excused(season, max((fixture.round for fixture in before.fixtures), default=0) + 1)
        return schedule_search.draw_swiss(
            season_format,
            standings.groups,
            seed,
            before=before,
            first_table=first,
            excused=excused,
            wishes=_team_wishes(club, season),
        )
    entered = {entrant.person for entrant in playing} & ({*people} if people is not None else {*standings.order})
    order = [person for person in standings.order if person in entered]
    return schedule_search.draw_heat(season_format, order, seed, before=before, first_table=first)


def _team_wishes(club: Club, season: Season) -> Wishes:
    """Return the cost of each two players of one team at a table."""
    teams = club.teams(season).values()
    return Wishes(costs={pair: TEAMMATES_COST for people in teams for pair in permutations(people, 2)})


def _by_groups(club: Club, season: Season, playing: Sequence[Entrant], seed: int) -> Proposal:
    """Draw each group by itself: whole if nothing was played, else only what is still to be played.

    A group that has begun is drawn again only if a player entered or left it since.
    """
    last = {key: last_begun(season, key) for key in {(entrant.division, entrant.group) for entrant in playing}}
    changed = {(entrant.division, entrant.group) for entrant in late_people(club, season)} | groups_left(club, season)
    groups = sorted(key for key, round_number in last.items() if not round_number or key in changed)
    if not groups:
        raise CannotDrawError(
            because("all_begun", "every group has begun to play, and its tables stay as they are drawn")
        )
    first = first_free(
        table.id
        for table in season.tables.values()
        if (table.division, table.group) not in groups or _is_not_redrawn(table, last[table.division, table.group])
    )
    parts, befores = [], []
    for division, group in groups:
        inside = [entrant for entrant in playing if (entrant.division, entrant.group) == (division, group)]
        begun = last[division, group]
        before = _tables_before(club, season, begun).of_group(division, group)
        rounds = begun + _rounds_to_come(season.format, inside, before) if begun else 0
        schedule = schedule_search.draw_season(
            msgspec.structs.replace(season.format, rounds=rounds), inside, seed, before=before, first_table=first
        )
        replaced = {
            table.round
            for table in season.tables.values()
            if table.planned and (table.division, table.group) == (division, group) and table.round > begun
        }
        parts.append(PartialDraw(division, group, tuple(sorted(replaced | {*schedule.rounds})), schedule))
        befores.append(before)
        first += len(schedule.fixtures)
    return Proposal(
        seed,
        tuple(parts),
        Before(
            [fixture for before in befores for fixture in before.fixtures],
            [bye for before in befores for bye in before.byes],
        ),
    )


def _rounds_to_come(season_format: Format, inside: Sequence[Entrant], before: Before) -> int:
    """Return how many rounds it takes until all have about as many games as in a group that is drawn whole."""
    each = next((size for size in season_format.table_sizes if size <= len(inside)), 0)
    games = len(inside) - 1 if each == 2 else each
    played = Counter(person for fixture in before.fixtures for person in fixture.seats)
    missing = sum(max(0, games - played[entrant.person]) for entrant in inside)
    tables = layout(len(inside), season_format.table_sizes)
    return max(1, -(-missing // sum(tables.tables))) if tables else 1


def _last_kept_round(season: Season) -> int:
    """Return the last round that stays: something was played in it, or it was played to its end. Raises CannotDrawError."""
    tables = [table for table in season.tables.values() if table.planned]
    last = max((table.round for table in tables if table.is_settled), default=0)
    waits_for = [table for table in tables if table.round == last and (not table.is_settled or table.is_unapproved)]
    if (season.format.kind == "knockout" and waits_for) or (
        season.format.kind == "swiss" and any(not table.postponed for table in waits_for)
    ):
        raise CannotDrawError(
            because(
                "round_open", "round {round} is not finished, and the next one is drawn from its results", round=last
            )
        )
    return last


def _is_not_redrawn(table: SeasonTable, last: int) -> bool:
    return table.round <= last or not table.planned


def _tables_before(club: Club, season: Season, last: int) -> Before:
    """Return the earlier meetings and byes. A game that was not played is no meeting; a single player at a table had a bye."""
    stands = [(table, club.players_met(season, table)) for table in season.tables.values() if 0 < table.round <= last]
    byes = [msgspec.structs.replace(bye, person=club.person(bye.person)) for bye in season.byes if bye.round <= last]
    byes += [
        Bye(people[0], table.round, table.division, table.group)
        for table, people in stands
        if len(people) == 1 and table.stand_ins
    ]
    return Before(
        [
            Fixture(table.id, table.round, people if len(people) > 1 else (), table.division, table.group)
            for table, people in stands
        ],
        byes,
    )
