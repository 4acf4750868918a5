"""Random seasons, calculated again by a program that shares no code with the standings."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.kernel.chronicle import Written
from daybook.domain.league import club_events
from daybook.domain.league.club import Club
from daybook.domain.league.event_checks import event_fault
from daybook.domain.league.moving import Move
from daybook.domain.league.results import Placed
from daybook.domain.league.schedule import layout
from daybook.domain.league.seasons import DEFAULTS, WORTH, Bye, Division, Fixture, Format, Points
from daybook.domain.league.standings import rank_teams
from tests.domain.league.clubs import after, entry, event, founded_club
from tests.domain.league.plain_season import calculate, calculate_teams
from tests.domain.league.test_absences import standings

SEASONS = 150
NEW = UUID("0c8f6a52-93a7-4f0a-8d0e-8a6f6a1c2b33")
ROUNDS = 4
TIEBREAKS = (
    "wins",
    "seconds",
    "thirds",
    "direct",
    "opponents",
    "average_opponents",
    "sonneborn_berger",
    "games",
    "lot",
)


class RandomSeason:
    """A season in which players come, go, are late, excused, absent and replaced at random."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.kind = self.chance.choice(["rounds", "swiss", "divisions"])
        self.places = [(1, 1), (2, 1)] if self.kind == "divisions" else [(1, 1)]
        self.people = [f"p{number}" for number in range(self.chance.randint(9, 12))]
        self.sizes = self.chance.choice([(4, 3), (4, 3), (7, 8, 4, 3)])
        self.club: Club = after(
            founded_club(),
            [
                entry(club_events.LeagueFounded, league="1", name="Mills", rulesets=("making_profit",)),
                entry(club_events.SeasonOpened, season="1", league="1", name="A", format=self._format()),
            ],
        )
        self.tables = 0

    def _format(self) -> Format:
        chance = self.chance
        points = Points(
            {size: (*worth,) for size, worth in WORTH.items()},
            chance.choice(["split", "high", "low"]),
            **{name: chance.randint(-4, 6) for name in ("bye", "late_entry", "excused", "forfeit", "substituted")},
        )
        return msgspec.structs.replace(
            DEFAULTS[self.kind],  # type: ignore[index]
            table_sizes=self.sizes,
            rounds=ROUNDS,
            points=points,
            tiebreaks=("points", *chance.sample(TIEBREAKS, 4)),
            withdrawn=chance.choice(["keep", "keep", "void", "zero"]),
            substitute_result=chance.choice(["member", "none", "substitute"]),
            divisions=(Division("A", (6,)), Division("B", (6,))) if self.kind == "divisions" else (),
        )

    def attempt(self, kind: type[Any], **fields: Any) -> bool:
        """Write an event if the club takes it."""
        said = entry(kind, season="1", **fields)
        if event_fault(self.club, event(self.club, said)) is not None:
            return False
        self.club = after(self.club, [said])
        return True

    def play(self) -> Club:
        late = [person for person in self.people if self.chance.random() < 0.15]
        for person in self.people:
            if person not in late:
                self.enter(person)
        for number in range(1, ROUNDS + 1):
            for person in self.people:
                if self.chance.random() < 0.08:
                    self.attempt(club_events.PlayerWithdrew, person=person)
                elif self.chance.random() < 0.15:
                    self.attempt(club_events.PlayerExcused, person=person, round=number)
                if person in late and self.chance.random() < 0.4:
                    self.enter(person)
            self.draw_round(number)
            for table in [table.id for table in self.club.seasons["1"].tables.values() if table.round == number]:
                self.play_table(table)
            if self.chance.random() < 0.3:
                self.attempt(
                    club_events.PenaltyGiven, person=self.chance.choice(self.people), points=2, why="a phone rang"
                )
            self._set_team_or_handicap()
        self.attempt(club_events.LotDrawn, people=tuple(self.chance.sample(self.people, 4)))
        return self.club

    def _set_team_or_handicap(self) -> None:
        people = tuple(self.chance.sample(self.people, 3))
        if self.chance.random() < 0.4:
            self.attempt(club_events.TeamSet, people=people, name=self.chance.choice(["", "Looms", "Wheels"]))
        if self.chance.random() < 0.3:
            self.attempt(club_events.HandicapSet, people=people, points=self.chance.randint(0, 5))

    def enter(self, person: str) -> None:
        division, group = self.places[self.people.index(person) % len(self.places)]
        self.attempt(club_events.PlayerEntered, person=person, division=division, group=group)

    def draw_round(self, number: int) -> None:
        season, fixtures, byes = self.club.seasons["1"], list[Fixture](), list[Bye]()
        out = {*self.club.withdrawn_people(season), *self.club.excused(season, number)}
        for place in self.places:
            people = [
                entrant.person
                for entrant in self.club.entrants(season)
                if (entrant.division, entrant.group) == place and entrant.person not in out
            ]
            self.chance.shuffle(people)
            shape = layout(len(people), self.sizes)
            for size in shape.tables if shape else ():
                self.tables += 1
                fixtures.append(Fixture(str(self.tables), number, tuple(people[:size]), *place))
                del people[:size]
            byes += [Bye(person, number, *place) for person in people]
        if fixtures:
            assert self.attempt(club_events.ScheduleDrawn, rounds=(number,), fixtures=tuple(fixtures), byes=tuple(byes))

    def play_table(self, table_id: str) -> None:
        chance, seats = self.chance, self.club.seasons["1"].tables[table_id].seats
        for person in seats:
            if chance.random() < 0.12:
                plays = chance.choice(["sam", "tess", *self.people])
                self.attempt(club_events.SubstituteSeated, table=table_id, person=person, substitute=plays)
            elif chance.random() < 0.12:
                automa = chance.choice(["", sorted(self.club.anonymous_ids)[seats.index(person)]])
                self.attempt(club_events.ForfeitRecorded, table=table_id, person=person, automa=automa)
                if chance.random() < 0.2:
                    self.attempt(club_events.SeatRestored, table=table_id, person=person)
        if chance.random() < 0.03:
            self.attempt(club_events.ResultVoided, table=table_id, why="a cat")
            return
        people = [*self.club.seats(self.club.seasons["1"].tables[table_id])]
        if people and chance.random() > 0.05:
            chance.shuffle(people)
            placed, place = list[Placed](), 1
            for at, person in enumerate(people, 1):
                place = place if placed and chance.random() < 0.2 else at
                placed.append(Placed(person, None, place))
            assert self.attempt(club_events.ResultTyped, table=table_id, ruleset="making_profit", placed=tuple(placed))


@pytest.mark.parametrize("seed", range(SEASONS))
def test_random_season_agrees_with_a_separate_calculation(seed):
    club = RandomSeason(seed).play()
    expected = calculate([each.line for each in club.entries], "1")
    shown = standings(club)
    found = {
        (group.division, group.group): sorted((row.place, row.person, row.points) for row in group.rows)
        for group in shown.groups
    }
    assert found == {
        place: sorted((number, person, points) for person, points, number in rows) for place, rows in expected.items()
    }


@pytest.mark.parametrize("seed", range(0, SEASONS, 5))
def test_moved_season_and_its_teams_agree_with_a_separate_calculation(seed):
    club = RandomSeason(seed).play()
    move = Move(club, NEW, {})
    moved = move.run(Written("2026-03-01T10:00:00.000Z", "ida", "import"))
    lines = [each.line for each in moved.entries]
    before = {
        move.person(person): (points, number)
        for rows in calculate([each.line for each in club.entries], "1").values()
        for person, points, number in rows
    }
    after_move = {
        person: (points, number) for rows in calculate(lines, "1").values() for person, points, number in rows
    }
    shown = standings(moved)
    assert after_move == before == {row.person: (row.points, row.place) for g in shown.groups for row in g.rows}
    teams = rank_teams(shown, moved.teams(moved.seasons["1"]))
    assert {team.name: (team.average, team.place) for team in teams} == calculate_teams(lines, "1")


def test_random_seasons_have_every_outcome():
    seen, substitutes = set[str](), 0
    for seed in range(SEASONS):
        for group in standings(RandomSeason(seed).play()).groups:
            for row in group.rows:
                seen |= {line.outcome for line in row.lines if line.outcome}
                substitutes += sum(bool(line.substitute) for line in row.lines)
    assert seen == {"bye", "late_entry", "excused", "forfeit", "substituted", "withdrawn"} and substitutes > 50
