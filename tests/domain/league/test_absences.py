"""Absences: substitutes, forfeits, excused and missed rounds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from daybook.domain.league import club_events
from daybook.domain.league.club import Club
from daybook.domain.league.event_checks import event_fault
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Bye, Fixture, Format, Points
from daybook.domain.league.standings import Standings, compute_standings
from tests.domain.league.clubs import Said, after, entry, event, founded_club

PEOPLE = ("anna", "ben", "cleo", "dora")
SEVEN = (*PEOPLE, "eve", "finn", "gus")
POINTS = Points({"4": (10, 6, 3, 1), "2": (10, 4)}, bye=5, late_entry=2, excused=1, forfeit=-3, substituted=-1)


def club_with_tables(kind: str = "rounds", people: tuple[str, ...] = PEOPLE, **settings: Any) -> Club:
    """Return a club with a season whose first round has one table of the first four."""
    settings = {"table_sizes": (4,), "points": POINTS, **settings}
    season_format: Format = msgspec.structs.replace(DEFAULTS[kind], **settings)
    return after(
        founded_club(),
        [
            entry(club_events.LeagueFounded, league="1", name="Mills", rulesets=("making_profit",)),
            entry(club_events.SeasonOpened, season="1", league="1", name="A", format=season_format),
            *(entry(club_events.PlayerEntered, season="1", person=person) for person in people),
            entry(
                club_events.ScheduleDrawn,
                season="1",
                rounds=(1,),
                fixtures=(Fixture("1", 1, people[:4]),),
                byes=tuple(Bye(person, 1) for person in people[4:]),
            ),
        ],
    )


def substitute(person: str, plays: str) -> Said:
    return entry(club_events.SubstituteSeated, season="1", table="1", person=person, substitute=plays)


def forfeit(person: str, automa: str = "") -> Said:
    return entry(club_events.ForfeitRecorded, season="1", table="1", person=person, automa=automa)


def result(*people: str, **fields: Any) -> Said:
    placed = tuple(Placed(person, None, place) for place, person in enumerate(people, 1))
    return entry(club_events.ResultTyped, season="1", table="1", ruleset="making_profit", placed=placed, **fields)


def standings(club: Club) -> Standings:
    season = club.seasons["1"]
    typed = [club.typed_result(table) for table in season.tables.values()]
    return compute_standings(
        season.format,
        club.entrants(season),
        [found for found in typed if found is not None],
        byes=season.byes,
        missed=club.missed_rounds(season),
        penalties=club.penalties(season),
        handicaps=club.handicaps(season),
        withdrawn=club.withdrawn_people(season),
        lots=club.lots(season),
    )


def points(club: Club) -> dict[str, int]:
    return {row.person: int(row.points) for group in standings(club).groups for row in group.rows}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("member", {"anna": 10, "ben": 6, "cleo": 3, "dora": 1, "eve": 5, "finn": 5, "gus": 5}),
        ("none", {"anna": -1, "ben": 6, "cleo": 3, "dora": 1, "eve": 5, "finn": 5, "gus": 5}),
        ("substitute", {"anna": -1, "ben": 6, "cleo": 3, "dora": 1, "eve": 5, "finn": 5, "gus": 15}),
    ],
)
def test_substitute_result_is_credited_as_the_format_says(rule, expected):
    club = after(
        club_with_tables(people=SEVEN, substitute_result=rule),
        [substitute("anna", "gus"), result("gus", "ben", "cleo", "dora")],
    )
    assert points(club) == expected
    typed = club.typed_result(club.seasons["1"].tables["1"])
    assert typed is not None and typed.people == ("gus", "ben", "cleo", "dora")
    assert typed.member_of("gus") == "anna"


def test_substitute_from_outside_never_enters_the_season():
    club = after(club_with_tables(people=SEVEN), [substitute("anna", "zoe"), result("zoe", "ben", "cleo", "dora")])
    assert len(club.entrants(club.seasons["1"])) == len(standings(club).order) == 7
    assert club.knows("zoe") and points(club)["anna"] == 10
    row = standings(club).row("anna")
    assert row is not None and [line.substitute for line in row.lines] == ["zoe"]


def test_forfeit_leaves_the_places_of_the_others():
    club = after(club_with_tables(), [forfeit("cleo"), result("dora", "anna", "ben")])
    assert points(club) == {"dora": 10, "anna": 6, "ben": 3, "cleo": -3}
    row = standings(club).row("cleo")
    assert row is not None and [(line.outcome, line.table) for line in row.lines] == [("forfeit", "1")]
    assert row.games_played == 0


def test_automa_keeps_the_seat_of_a_player_who_did_not_come():
    start = club_with_tables()
    automa = sorted(start.anonymous_ids)[0]
    club = after(start, [forfeit("cleo", automa), result(automa, "dora", "anna", "ben")])
    assert points(club) == {"dora": 6, "anna": 3, "ben": 1, "cleo": -3}
    assert automa not in club.everybody()


def test_table_without_any_player_is_settled():
    club = after(club_with_tables(), [forfeit(person) for person in PEOPLE])
    table = club.seasons["1"].tables["1"]
    assert table.is_settled and club.seats(table) == ()
    assert points(club) == dict.fromkeys(PEOPLE, -3)


def test_seat_is_restored_until_the_substitute_has_played():
    club = after(club_with_tables(), [substitute("anna", "zoe")])
    restore = entry(club_events.SeatRestored, season="1", table="1", person="anna")
    assert club.seats(after(club, [restore]).seasons["1"].tables["1"]) == PEOPLE
    played = after(club, [result("zoe", "ben", "cleo", "dora")])
    fault = event_fault(played, event(played, restore))
    assert fault is not None and fault.key == "stand_in_played"


@pytest.mark.parametrize(
    ("message", "key"),
    [
        (substitute("zoe", "yan"), "no_seat"),
        (substitute("anna", "ben"), "sits_already"),
        (substitute("anna", "a person"), "no_person"),
        (forfeit("zoe"), "no_seat"),
        (entry(club_events.SubstituteSeated, season="1", table="9", person="anna", substitute="zoe"), "no_table"),
        (entry(club_events.SeatRestored, season="1", table="1", person="anna"), "nothing_changed"),
        (entry(club_events.TablePostponed, season="1", table="1", when="2026-01-01T10:00:00.000Z"), "not_later"),
        (entry(club_events.PlayerExcused, season="1", person="anna", round=2), "excused_kind"),
        (result("anna", "ben", "cleo"), "missing_at_table"),
    ],
)
def test_invalid_absence_is_refused(message, key):
    club = club_with_tables()
    fault = event_fault(club, event(club, message))
    assert fault is not None and fault.key == key


def test_missed_rounds_have_separate_outcomes():
    club = after(
        club_with_tables("swiss", SEVEN, rounds=3),
        [
            result(*PEOPLE),
            entry(club_events.PlayerEntered, season="1", person="hal"),
            entry(club_events.PlayerWithdrew, season="1", person="gus"),
            entry(club_events.PlayerExcused, season="1", person="finn", round=2),
            entry(
                club_events.ScheduleDrawn,
                season="1",
                rounds=(2,),
                fixtures=(Fixture("2", 2, ("anna", "ben", "hal", "eve")),),
                byes=(Bye("cleo", 2), Bye("dora", 2)),
            ),
        ],
    )
    missed = {(miss.person, miss.round): miss.outcome for miss in club.missed_rounds(club.seasons["1"])}
    assert missed == {("hal", 1): "late_entry", ("gus", 2): "withdrawn", ("finn", 2): "excused"}
    assert points(club)["hal"] == 2


def test_leaving_and_coming_back_gives_no_late_points_again():
    club = after(
        club_with_tables("swiss", SEVEN, rounds=3),
        [
            entry(club_events.PlayerWithdrew, season="1", person="gus"),
            entry(club_events.ScheduleDrawn, season="1", rounds=(2,), fixtures=(Fixture("2", 2, PEOPLE),)),
            entry(club_events.PlayerEntered, season="1", person="gus"),
        ],
    )
    missed = [miss for miss in club.missed_rounds(club.seasons["1"]) if miss.person == "gus"]
    assert [(miss.round, miss.outcome) for miss in missed] == [(2, "withdrawn")]


def test_postponed_table_has_a_later_day_until_planned_again():
    later = "2026-03-01T18:00:00.000Z"
    club = after(club_with_tables(), [entry(club_events.TablePostponed, season="1", table="1", when=later, why="snow")])
    table = club.seasons["1"].tables["1"]
    assert table.when == later and table.postponed is not None and table.postponed.why == "snow"
    outside = club.without_evenings().seasons["1"].tables["1"]
    assert outside.when == "" and outside.postponed is not None and outside.postponed.when == ""
    again = after(club, [entry(club_events.TablePlanned, season="1", table="1", when="2026-03-02T18:00:00.000Z")])
    assert again.seasons["1"].tables["1"].postponed is None
