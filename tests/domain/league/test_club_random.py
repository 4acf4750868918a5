"""Whatever is tried in a club, in whatever order: it is written or refused with a reason, and the past stays."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league import club_events
from daybook.domain.league.club import as_of_step, fold_club
from daybook.domain.league.event_checks import checked_entry
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import Bye, Fixture, Format
from tests.domain.league.clubs import ID, Said, entry, event, founded_club

PEOPLE = st.sampled_from(["olga", "anna", "ben", "cleo", "dan"])
SEASONS = st.sampled_from(["1", "2", club_events.BESIDE])
EVENINGS = st.sampled_from(["1", "2"])
TABLES = st.sampled_from(["1", "2", "3"])
GAMES = st.sampled_from(["g1", "g2"])
WHY = st.sampled_from(["", "so it is"])
THREE = st.lists(PEOPLE, min_size=2, max_size=3).map(tuple)


def events_of(kind: Any, /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Said]:
    return st.fixed_dictionaries(fields).map(lambda given: entry(kind, **given))


def draws(people: list[tuple[str, ...]], round_number: int, bye: str) -> dict[str, Any]:
    fixtures = tuple(Fixture(str(number), round_number, seats) for number, seats in enumerate(people, 1))
    return {"rounds": (round_number,), "fixtures": fixtures, "byes": (Bye(bye, round_number),)}


def places(people: tuple[str, ...], tied: bool) -> tuple[Placed, ...]:
    return tuple(Placed(person, seat, 1 if tied and seat < 2 else seat + 1) for seat, person in enumerate(people))


EVENTS = st.one_of(
    events_of(club_events.MemberJoined, person=PEOPLE, roles=st.just(())),
    events_of(club_events.MemberLeft, person=PEOPLE, why=WHY),
    events_of(
        club_events.RolesGiven, person=PEOPLE, roles=st.sampled_from([(), ("organiser",), ("umpire", "scorekeeper")])
    ),
    events_of(club_events.PeopleMerged, kept=PEOPLE, merged=PEOPLE, why=WHY),
    events_of(club_events.PeopleSplit, merge=st.integers(0, 30), why=WHY),
    events_of(
        club_events.LeagueFounded, league=st.just("1"), name=st.just("Mills"), rulesets=st.just(("making_profit",))
    ),
    events_of(
        club_events.SeasonOpened,
        season=st.sampled_from(["1", "2"]),
        league=st.just("1"),
        name=st.sampled_from(["A", "B"]),
        format=st.sampled_from([Format(table_sizes=(3, 2)), Format("free", (3, 2))]),
    ),
    events_of(
        club_events.EveningPlanned,
        evening=EVENINGS,
        when=st.sampled_from(["2026-01-02T19:00:00.000Z", "2026-01-03T19:00:00.000Z", "2026-02-30T19:00:00.000Z"]),
    ),
    events_of(
        club_events.EveningTablesSet,
        evening=EVENINGS,
        tables=st.sampled_from([(), (club_events.EveningTable(":Go", ("anna", "ben")),)]),
    ),
    events_of(club_events.EveningCalledOff, evening=EVENINGS, why=WHY),
    events_of(
        club_events.EveningAnswered, evening=EVENINGS, person=PEOPLE, answer=st.sampled_from(["yes", "maybe", "no"])
    ),
    events_of(
        club_events.ChallengeSet,
        challenge=EVENINGS,
        person=st.one_of(st.just(""), PEOPLE),
        kind=st.just("plays"),
        goal=st.integers(0, 3),
        since=st.just("2026-01-01"),
        until=st.sampled_from(["", "2026-12-31", "2025-12-31"]),
    ),
    events_of(club_events.ChallengeGivenUp, challenge=EVENINGS),
    events_of(club_events.PlayerEntered, season=SEASONS, person=PEOPLE),
    events_of(club_events.PlayerWithdrew, season=SEASONS, person=PEOPLE, why=WHY),
    st.builds(
        lambda season, people, round, bye: entry(club_events.ScheduleDrawn, season=season, **draws(people, round, bye)),
        SEASONS,
        st.lists(THREE, max_size=2),
        st.integers(1, 2),
        PEOPLE,
    ),
    events_of(club_events.AbsenceReported, season=SEASONS, table=TABLES, person=PEOPLE, absent=st.booleans()),
    events_of(
        club_events.DayProposed, season=SEASONS, table=TABLES, person=PEOPLE, when=st.just("2026-02-03T19:00:00.000Z")
    ),
    events_of(
        club_events.DayAgreed, season=SEASONS, table=TABLES, person=PEOPLE, when=st.just("2026-02-03T19:00:00.000Z")
    ),
    events_of(club_events.SeatsChanged, season=SEASONS, table=TABLES, seats=THREE, why=WHY),
    events_of(club_events.SubstituteSeated, season=SEASONS, table=TABLES, person=PEOPLE, substitute=PEOPLE, why=WHY),
    events_of(club_events.ForfeitRecorded, season=SEASONS, table=TABLES, person=PEOPLE, why=WHY),
    events_of(club_events.SeatRestored, season=SEASONS, table=TABLES, person=PEOPLE, why=WHY),
    events_of(
        club_events.RoundDeadlineSet,
        season=SEASONS,
        round=st.integers(0, 3),
        until=st.sampled_from(["", "2026-02-03", "2026-02-04", "2020-01-01", "x"]),
    ),
    events_of(club_events.PlayerExcused, season=SEASONS, person=PEOPLE, round=st.integers(1, 3), excused=st.booleans()),
    events_of(
        club_events.GameEntered, season=SEASONS, table=TABLES, game=GAMES, ruleset=st.just("making_profit"), seats=THREE
    ),
    events_of(club_events.GameRemoved, season=SEASONS, table=TABLES, game=GAMES, why=WHY),
    events_of(club_events.PlaysMerged, season=SEASONS, table=TABLES, into_season=SEASONS, into_table=TABLES, why=WHY),
    events_of(club_events.PlaySplit, season=st.just(club_events.BESIDE), table=TABLES, why=WHY),
    events_of(
        club_events.ResultTyped,
        season=SEASONS,
        table=TABLES,
        ruleset=st.just("making_profit"),
        placed=st.builds(places, THREE, st.booleans()),
        why=WHY,
    ),
    events_of(club_events.ResultVoided, season=SEASONS, table=TABLES, why=WHY),
    events_of(club_events.PenaltyGiven, season=SEASONS, person=PEOPLE, points=st.integers(-2, 2), why=WHY),
    events_of(club_events.LotDrawn, season=SEASONS, people=THREE),
    st.builds(
        lambda season, people: entry(
            club_events.SeasonClosed, season=season, orders=(club_events.Order(tuple(people)),)
        ),
        SEASONS,
        st.lists(PEOPLE, max_size=5),
    ),
    events_of(club_events.SeasonReopened, season=SEASONS, why=WHY),
    events_of(club_events.SeasonCancelled, season=SEASONS, why=WHY),
    events_of(club_events.SeasonRemoved, season=SEASONS, why=WHY),
    events_of(club_events.SeasonRestored, season=SEASONS, why=WHY),
)
BEGUN = [
    entry(club_events.LeagueFounded, league="1", name="Mills", rulesets=("making_profit",)),
    entry(club_events.SeasonOpened, season="1", league="1", name="A", format=Format(table_sizes=(3, 2))),
]
PLAYED = [
    *BEGUN,
    *(entry(club_events.PlayerEntered, season="1", person=person) for person in ("olga", "anna", "ben", "cleo", "dan")),
    entry(
        club_events.ScheduleDrawn,
        season="1",
        rounds=(1, 2),
        byes=(Bye("dan", 2),),
        fixtures=(
            Fixture("1", 1, ("olga", "anna", "ben")),
            Fixture("2", 1, ("cleo", "dan")),
            Fixture("3", 2, ("anna", "cleo")),
        ),
    ),
]


@given(st.sampled_from([BEGUN, PLAYED]), st.lists(EVENTS, max_size=25))
def test_whatever_is_tried_is_written_or_refused_with_a_reason(begun, tried):
    club, stood = founded_club(), []
    for value in [*begun, *tried]:
        stood.append(
            (club.step, club.seal, repr(club.seasons), repr(club.people()), dict(club.games), repr(club.evenings))
        )
        try:
            club = club.then(checked_entry(club, event(club, value)))
        except Refused as no:
            assert str(no.reason) and "{" not in str(no.reason)
            assert stood[-1][0] == club.step
        everybody = club.everybody()
        assert club.organisers() and len({*everybody}) == len(everybody)
        for season in club.all_seasons():
            for table in season.tables.values():
                seats = club.seats(table)
                assert len({*seats}) == len(seats)
            entrants = [entrant.person for entrant in club.entrants(season)]
            assert len({*entrants}) == len(entrants) and {*club.withdrawn_people(season)} <= {*entrants}
        for game, (season_id, table_id) in club.games.items():
            assert club.season(season_id).tables[table_id].game == game
    again = fold_club(
        ID, [club_events.read_line(ID, version, entry.line) for version, entry in enumerate(club.entries, 1)]
    )
    assert (again.seasons, again.beside, again.people(), again.games, again.evenings) == (
        club.seasons,
        club.beside,
        club.people(),
        club.games,
        club.evenings,
    )
    for step, seal, seasons, people, games, evenings in stood:
        then = as_of_step(club, step)
        assert (then.seal, repr(then.seasons), repr(then.people()), dict(then.games)) == (seal, seasons, people, games)
        assert repr(then.evenings) == evenings
