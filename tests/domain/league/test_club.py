"""A club: what happens in it, what is refused and why, and that its past stays."""

from __future__ import annotations

from itertools import pairwise
from threading import Thread
from typing import Any

import msgspec
import pytest

from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league import club as club_module
from daybook.domain.league import club_events, seasons
from daybook.domain.league.club import Club, Merge, Season, as_of_step, fold_club, people_named
from daybook.domain.league.event_checks import checked_entry, event_fault
from daybook.domain.league.event_checks.evening_checks import answer_fault
from daybook.domain.league.results import Placed, PlayDetails
from daybook.domain.league.seasons import Bye, Division, Fixture, Format, Points
from tests.domain.league.clubs import ID, Said, after, at, entry, event, founded_club, places

ROUNDS = Format("rounds", (4,), rounds=2)
TWO = Format("divisions", (4,), divisions=(Division("A", (4,)), Division("B", (4,))))
PEOPLE = ("olga", "anna", "ben", "cleo", "dan")
LEAGUE = entry(club_events.LeagueFounded, league="1", name="Mills", rulesets=("making_profit",))
OPENED = entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=ROUNDS)
JOINED = [entry(club_events.MemberJoined, person=person, roles=()) for person in PEOPLE[1:]]
ENTERED = [entry(club_events.PlayerEntered, season="1", person=person) for person in PEOPLE]
DRAWN = entry(
    club_events.ScheduleDrawn,
    season="1",
    rounds=(1, 2),
    seed=7,
    unfairness=3,
    byes=(Bye("dan", 1), Bye("olga", 2)),
    fixtures=(Fixture("1", 1, ("olga", "anna", "ben", "cleo")), Fixture("2", 2, ("anna", "ben", "cleo", "dan"))),
)
TYPED = entry(
    club_events.ResultTyped,
    season="1",
    table="1",
    ruleset="making_profit",
    placed=places("ben", "olga", "anna", "cleo"),
)
GAME = entry(
    club_events.GameEntered,
    season="1",
    table="1",
    game="g1",
    ruleset="making_profit",
    seats=("olga", "anna", "ben", "cleo"),
)
REMOVED = entry(club_events.GameRemoved, season="1", table="1", game="g1", why="the wrong one")
VOID_2 = entry(club_events.ResultVoided, season="1", table="2", why="not played")
CLOSED = entry(club_events.SeasonClosed, season="1", orders=(club_events.Order(PEOPLE),))
SPRING = [*JOINED, LEAGUE, OPENED, *ENTERED, DRAWN]


@pytest.fixture(scope="module")
def spring() -> Club:
    """Return a season with two drawn rounds and no result."""
    return after(founded_club(), SPRING)


# --- people ----------------------------------------------------------------------------------------------------------


class Asked(dict[int, Merge]):
    """Merges that another thread reads while they are applied."""

    def __init__(self, club: Club) -> None:
        super().__init__(club.merges)
        self.club, self.heard = club, list[str]()

    def values(self) -> Any:
        for merge in [*super().values()]:
            if not self.heard:
                self.heard.append("asking")
                thread = Thread(target=lambda: self.heard.append(self.club.person("ben")))
                thread.start()
                thread.join()
            yield merge


def test_threads_that_share_a_club_all_know_who_is_who():
    club = after(founded_club(), [*JOINED, entry(club_events.PeopleMerged, kept="anna", merged="ben", why="spelling")])
    club.merges = asked = Asked(club)
    assert club.person("ben") == "anna"
    assert asked.heard == ["asking", "anna"]


def test_the_founder_is_the_first_organiser():
    club = founded_club()
    assert (club.name, club.people(), club.founded_at) == ("The Mill", {"olga": ("organiser", "member")}, at(0))


def test_roles_are_given_and_taken():
    club = after(founded_club(), [*JOINED, entry(club_events.RolesGiven, person="anna", roles=("umpire", "organiser"))])
    assert club.roles("anna") == ("organiser", "umpire", "member")
    club = after(
        club,
        [
            entry(club_events.RolesGiven, person="anna", roles=("scorekeeper",)),
            entry(club_events.MemberLeft, person="ben"),
        ],
    )
    assert club.roles("anna") == ("scorekeeper", "member") and club.roles("ben") == ()
    assert list(club.people()) == ["olga", "anna", "cleo", "dan"]


def test_a_merged_person_is_one_and_has_the_roles_of_both_ids():
    club = after(
        founded_club(),
        [
            *JOINED,
            entry(club_events.RolesGiven, person="ben", roles=("umpire",)),
            entry(club_events.PeopleMerged, kept="anna", merged="ben", why="one and the same"),
        ],
    )
    assert club.person("ben") == "anna" and club.ids_of("ben") == ["anna", "ben"]
    assert club.roles("anna") == ("umpire", "member") and list(club.people()) == ["olga", "anna", "cleo", "dan"]
    assert club.roles("ben") == club.roles("anna")


def test_merges_follow_one_another_and_each_can_be_undone_alone():
    club = after(
        founded_club(),
        [
            entry(club_events.PeopleMerged, kept="b", merged="a", why="spelling"),
            entry(club_events.PeopleMerged, kept="c", merged="b", why="spelling"),
        ],
    )
    assert {club.person(id) for id in "abc"} == {"c"}
    first = after(club, [entry(club_events.PeopleSplit, merge=1, why="brothers")])
    assert [first.person(id) for id in "abc"] == ["a", "c", "c"]
    second = after(club, [entry(club_events.PeopleSplit, merge=2, why="brothers")])
    assert [second.person(id) for id in "abc"] == ["b", "b", "c"]


def test_a_member_who_was_merged_leaves_with_every_id():
    club = after(
        founded_club(),
        [
            *JOINED,
            entry(club_events.PeopleMerged, kept="anna", merged="ben", why="spelling"),
            entry(club_events.MemberLeft, person="anna"),
        ],
    )
    assert list(club.people()) == ["olga", "cleo", "dan"]


# --- seasons ---------------------------------------------------------------------------------------------------------


def test_a_draw_seats_tables_and_names_byes(spring):
    season = spring.seasons["1"]
    assert [(table.id, table.round, table.seats) for table in season.tables.values()] == [
        ("1", 1, ("olga", "anna", "ben", "cleo")),
        ("2", 2, ("anna", "ben", "cleo", "dan")),
    ]
    assert [(bye.person, bye.round) for bye in season.byes] == [("dan", 1), ("olga", 2)]
    assert (season.rounds, season.draws[-1].seed, season.draws[-1].unfairness) == ([1, 2], 7, 3)


def test_redrawn_round_keeps_its_day_and_the_other_rounds(spring):
    again = entry(
        club_events.ScheduleDrawn,
        season="1",
        rounds=(2,),
        fixtures=(Fixture("2", 2, ("dan", "cleo", "ben", "olga")),),
        byes=(Bye("anna", 2),),
    )
    club = after(spring, [entry(club_events.TablePlanned, season="1", table="2", when=at(90), place="The Swan"), again])
    table = club.seasons["1"].tables["2"]
    assert (table.seats, table.when, table.place) == (("dan", "cleo", "ben", "olga"), at(90), "The Swan")
    assert [bye.person for bye in club.seasons["1"].byes] == ["dan", "anna"]
    assert club.seasons["1"].tables["1"] == spring.seasons["1"].tables["1"]


def test_typed_result_is_corrected_for_some_days_then_voided(spring):
    club = after(spring, [TYPED])
    again = event(club, (TYPED[0], {**TYPED[1], "placed": places("olga", "ben", "anna", "cleo"), "why": "misread"}))
    within, late = (
        msgspec.structs.replace(again, at=f"2026-01-{day:02}T10:00:00.000Z") for day in (9, 10)
    )  # seven days are given
    assert event_fault(club, within) is None
    reason = event_fault(club, late)
    assert reason is not None and "for 7 days" in str(reason)
    void = after(club, [entry(club_events.ResultVoided, season="1", table="1", why="misread")])
    assert event_fault(void, msgspec.structs.replace(late, step=void.step + 1)) is None


def test_typed_result_is_replaced_by_a_record_and_returns(spring):
    typed = after(spring, [TYPED])
    table = typed.seasons["1"].tables["1"]
    result = typed.typed_result(table)
    assert result is not None and (result.id, result.season, result.round, result.source, result.marks) == (
        "1.1",
        "1",
        1,
        "typed",
        ("typed",),
    )
    recorded = after(typed, [GAME])
    assert recorded.typed_result(recorded.seasons["1"].tables["1"]) is None and recorded.games == {"g1": ("1", "1")}
    removed = after(recorded, [REMOVED])
    assert removed.typed_result(removed.seasons["1"].tables["1"]) == result and removed.games == {}


def test_a_void_table_has_no_result_until_another_is_typed(spring):
    void = after(spring, [GAME, entry(club_events.ResultVoided, season="1", table="1", why="a card was missing")])
    table = void.seasons["1"].tables["1"]
    assert table.is_settled and not table.game and void.games == {}
    again = after(void, [(TYPED[0], {**TYPED[1], "why": "played again"})])
    assert again.typed_result(again.seasons["1"].tables["1"]) is not None


def test_a_result_of_a_merged_person_is_theirs(spring):
    club = after(spring, [TYPED, entry(club_events.PeopleMerged, kept="anneke", merged="anna", why="her name")])
    result = club.typed_result(club.seasons["1"].tables["1"])
    assert result is not None and result.people == ("ben", "olga", "anneke", "cleo")
    assert club.seats(club.seasons["1"].tables["2"]) == ("anneke", "ben", "cleo", "dan")
    assert club.player(club.seasons["1"], "anneke") == club.seasons["1"].players["anna"]


def test_a_guest_may_play_beside_the_seasons():
    club = after(
        founded_club(),
        [
            entry(
                club_events.ResultTyped,
                season=club_events.BESIDE,
                table="1",
                ruleset="london_markets",
                placed=places("olga", "guest", "anna"),
            )
        ],
    )
    assert club.everybody() == ["olga", "guest", "anna"] and club.roles("guest") == ()
    result = club.typed_result(club.beside.tables["1"])
    assert result is not None and result.season is None and result.id == ".1"


def test_who_withdrew_may_come_back(spring):
    gone = after(spring, [entry(club_events.PlayerWithdrew, season="1", person="dan", why="moved away")])
    assert gone.withdrawn_people(gone.seasons["1"]) == ["dan"]
    back = after(gone, [entry(club_events.PlayerEntered, season="1", person="dan")])
    assert back.withdrawn_people(back.seasons["1"]) == [] and len(back.entrants(back.seasons["1"])) == 5


def test_a_closed_season_opens_again(spring):
    closed = after(spring, [TYPED, VOID_2, CLOSED])
    assert not closed.seasons["1"].is_open
    assert after(closed, [entry(club_events.SeasonReopened, season="1", why="an appeal")]).seasons["1"].is_open


def test_penalties_and_lots_name_people_after_merges(spring):
    club = after(
        spring,
        [
            entry(club_events.PenaltyGiven, season="1", person="ben", points=2, why="late"),
            entry(club_events.LotDrawn, season="1", people=("cleo", "ben")),
            entry(club_events.PeopleMerged, kept="benno", merged="ben", why="his name"),
        ],
    )
    season = club.seasons["1"]
    assert [(penalty.person, penalty.points) for penalty in club.penalties(season)] == [("benno", 2)]
    assert club.lots(season) == [("cleo", "benno")]


def test_final_order_names_merged_people_once(spring):
    club = after(spring, [entry(club_events.PeopleMerged, kept="benno", merged="ben", why="his name")])
    before = club_events.Order(("ben", "anna", "cleo", "benno"), 2, 1, ("ben", "anna"), ("cleo", "benno"))
    [order] = club.orders([before])
    assert order == club_events.Order(("benno", "anna", "cleo"), 2, 1, ("benno", "anna"), ("cleo",))


def test_a_league_changes_its_games_for_its_seasons(spring):
    club = after(
        spring,
        [
            entry(club_events.LeagueChanged, league="1", name="Mills", rulesets=("making_profit", "water_frame")),
            entry(club_events.SeasonChanged, season="1", name="Spring", format=msgspec.structs.replace(ROUNDS, best=3)),
            (GAME[0], {**GAME[1], "ruleset": "water_frame"}),
        ],
    )
    assert club.seasons["1"].format.best == 3 and club.games == {"g1": ("1", "1")}


# --- the past --------------------------------------------------------------------------------------------------------


def test_the_past_can_be_shown_by_step(spring):
    club = after(spring, [TYPED, entry(club_events.ClubRenamed, name="The Forge")])
    before = as_of_step(club, spring.step)
    assert (before.name, before.step, before.seal) == ("The Mill", spring.step, spring.seal)
    assert as_of_step(club, -1).entries == [] and as_of_step(club, club.step) is club


def test_a_club_handed_out_never_changes(spring):
    before = [entry.line for entry in spring.entries], repr(spring.seasons), repr(spring.people())
    after(
        spring,
        [
            TYPED,
            entry(club_events.MemberLeft, person="dan"),
            entry(club_events.PlayerWithdrew, season="1", person="dan"),
            VOID_2,
        ],
    )
    assert ([entry.line for entry in spring.entries], repr(spring.seasons), repr(spring.people())) == before


def test_a_club_is_the_same_read_from_its_lines(spring):
    club = after(spring, [TYPED, GAME, VOID_2, CLOSED])
    again = fold_club(
        ID, [club_events.read_line(ID, version, entry.line) for version, entry in enumerate(club.entries, 1)]
    )
    assert again.entries == club.entries and again.seasons == club.seasons and again.people() == club.people()
    assert again.keys == club.keys and again.games == club.games
    assert all(item.seal != other.seal for item, other in pairwise(club.entries))


def test_no_event_of_a_club_is_called_as_one_of_a_game():
    def tags(union: Any) -> set[str]:
        return {kind.__struct_config__.tag for kind in union.__args__}

    assert not tags(club_events.AnyEvent) & tags(events.AnyEvent)
    assert all(tag.startswith(("club_", "league_", "season_")) for tag in tags(club_events.AnyEvent))


# --- what is refused -------------------------------------------------------------------------------------------------

FRIDAY = "2026-01-09T19:30:00.000Z"
YES_NO: list[club_events.Answer] = ["yes", "no"]
EVENING = entry(club_events.EveningPlanned, evening="1", when=FRIDAY, place="Anna's", games=(":Azul",))
EVENING_BEFORE = entry(club_events.EveningPlanned, evening="1", when="2026-01-01T20:00:00.000Z")
CALLED_OFF = entry(club_events.EveningCalledOff, evening="1", why="snow")
ANSWERED = entry(club_events.EveningAnswered, evening="1", person="dan", answer="yes")


def answer_of(person: str, n: int) -> Said:
    return entry(club_events.EveningAnswered, evening="1", person=person, answer=("yes", "no")[n % 2])


TWENTY_ANSWERS = [EVENING, *(answer_of("dan", n) for n in range(20))]


def evening_after(n: int) -> Said:
    return entry(club_events.EveningPlanned, evening=f"{n + 1}", when=f"2026-01-09T19:30:00.{n:03}Z")


REFUSED: list[tuple[str, list[Said], Said, str]] = [
    ("nothing_changed", [], entry(club_events.ClubRenamed, name="The Mill"), "it is already like that"),
    ("name_empty", [], entry(club_events.ClubRenamed, name=" "), "neither begins nor ends"),
    ("name_long", [], entry(club_events.ClubRenamed, name="x" * 121), "121 characters"),
    ("name_signs", [], entry(club_events.ClubRenamed, name="a\u202eb"), "cannot be shown"),
    ("nothing_changed", [], entry(club_events.ClubSettingsChanged, settings=club_events.ClubSettings()), "already"),
    (
        "period",
        [],
        entry(club_events.ClubSettingsChanged, settings=club_events.ClubSettings(appeal_hours=-1)),
        "0 to 366",
    ),
    ("member_already", [], entry(club_events.MemberJoined, person="anna", roles=()), "anna is already a member"),
    ("no_person", [], entry(club_events.MemberJoined, person="a b", roles=()), "“a b” is not a person’s id"),
    ("no_member", [], entry(club_events.RolesGiven, person="eve", roles=()), "eve is not a member"),
    ("no_member", [], entry(club_events.MemberLeft, person="eve"), "eve is not a member"),
    ("last_organiser", [], entry(club_events.MemberLeft, person="olga"), "olga is the only organiser"),
    (
        "last_organiser",
        [],
        entry(club_events.RolesGiven, person="olga", roles=("umpire",)),
        "olga is the only organiser",
    ),
    ("nothing_changed", [], entry(club_events.RolesGiven, person="anna", roles=("member",)), "already"),
    ("one_person", [], entry(club_events.PeopleMerged, kept="anna", merged="anna", why="x"), "are already one person"),
    ("why_missing", [], entry(club_events.PeopleMerged, kept="anna", merged="eve", why=" "), "give a reason"),
    ("sat_together", [], entry(club_events.PeopleMerged, kept="anna", merged="ben", why="x"), "at table 1 of Spring"),
    ("no_merge", [], entry(club_events.PeopleSplit, merge=3, why="x"), "in step 3"),
    (
        "league_name",
        [],
        entry(club_events.LeagueFounded, league="2", name="Mills", rulesets=("x",)),
        "already a league “Mills”",
    ),
    (
        "league_id",
        [],
        entry(club_events.LeagueFounded, league="1", name="M", rulesets=("x",)),
        "“1” cannot be the id of a new league",
    ),
    ("league_games", [], entry(club_events.LeagueFounded, league="2", name="M", rulesets=()), "each once"),
    ("no_league", [], entry(club_events.LeagueChanged, league="2", name="M", rulesets=("x",)), "no league “2”"),
    (
        "no_league",
        [],
        entry(club_events.SeasonOpened, season="2", league="9", name="S", format=ROUNDS),
        "no league “9”",
    ),
    (
        "season_id",
        [],
        entry(club_events.SeasonOpened, season="1", league="1", name="S", format=ROUNDS),
        "“1” cannot be the id of a new season",
    ),
    (
        "season_name",
        [],
        entry(club_events.SeasonOpened, season="2", league="1", name="Spring", format=ROUNDS),
        "already has a season “Spring”",
    ),
    (
        "table_size",
        [],
        entry(club_events.SeasonOpened, season="2", league="1", name="S", format=Format(table_sizes=(9,))),
        "not 9",
    ),
    (
        "no_points",
        [],
        entry(
            club_events.SeasonChanged,
            season="1",
            name="Spring",
            format=msgspec.structs.replace(ROUNDS, points=Points({"3": (3, 2, 1)})),
        ),
        "table of 4",
    ),
    (
        "kind_drawn",
        [],
        entry(club_events.SeasonChanged, season="1", name="Spring", format=Format("free")),
        "already has tables",
    ),
    ("no_group", [], entry(club_events.PlayerEntered, season="1", person="eve", division=2), "no division 2"),
    (
        "entered_already",
        [],
        entry(club_events.PlayerEntered, season="1", person="anna"),
        "anna already plays in Spring",
    ),
    ("no_season", [], entry(club_events.PlayerEntered, season="2", person="anna"), "no season “2”"),
    (
        "beside",
        [],
        entry(club_events.PlayerEntered, season=club_events.BESIDE, person="anna"),
        "only tables and results",
    ),
    ("not_entered", [], entry(club_events.PlayerWithdrew, season="1", person="eve"), "eve does not play in Spring"),
    (
        "withdrawn_already",
        [entry(club_events.PlayerWithdrew, season="1", person="dan")],
        entry(club_events.PlayerWithdrew, season="1", person="dan"),
        "dan has already withdrawn",
    ),
    (
        "withdrawn",
        [entry(club_events.PlayerWithdrew, season="1", person="dan")],
        DRAWN,
        "dan has withdrawn from Spring",
    ),
    ("round_played", [TYPED], DRAWN, "table 1 of round 1 has a result"),
    (
        "table_id",
        [],
        entry(
            club_events.ScheduleDrawn,
            season="1",
            rounds=(3,),
            fixtures=(Fixture("1", 3, ("olga", "anna", "ben", "cleo")),),
        ),
        "“1” cannot be the id of a new table",
    ),
    (
        "round_not_drawn",
        [],
        entry(
            club_events.ScheduleDrawn,
            season="1",
            rounds=(3,),
            fixtures=(Fixture("3", 4, ("olga", "anna", "ben", "cleo")),),
        ),
        "round 4",
    ),
    (
        "table_seats",
        [],
        entry(club_events.ScheduleDrawn, season="1", rounds=(3,), fixtures=(Fixture("3", 3, ("olga", "anna", "ben")),)),
        "table 3 has 3 seats",
    ),
    (
        "not_entered",
        [],
        entry(
            club_events.ScheduleDrawn,
            season="1",
            rounds=(3,),
            fixtures=(Fixture("3", 3, ("olga", "anna", "ben", "eve")),),
        ),
        "eve does not play",
    ),
    (
        "person_twice",
        [],
        entry(
            club_events.ScheduleDrawn,
            season="1",
            rounds=(3,),
            byes=(Bye("anna", 3),),
            fixtures=(Fixture("3", 3, ("olga", "anna", "ben", "cleo")),),
        ),
        "anna is entered 2 times",
    ),
    ("no_table", [], entry(club_events.TablePlanned, season="1", table="9", when=""), "no table 9"),
    ("no_time", [], entry(club_events.TablePlanned, season="1", table="1", when="tomorrow"), "tomorrow is not a time"),
    ("nothing_changed", [], entry(club_events.TablePlanned, season="1", table="1", when=""), "already"),
    ("table_played", [TYPED], entry(club_events.SeatsChanged, season="1", table="1", seats=PEOPLE[1:]), "settled"),
    (
        "person_twice",
        [],
        entry(club_events.SeatsChanged, season="1", table="1", seats=("dan", "dan", "ben", "cleo")),
        "2 times",
    ),
    ("game_entered", [GAME], (GAME[0], {**GAME[1], "table": "2"}), "as table 1 of Spring"),
    ("table_has_game", [GAME], (GAME[0], {**GAME[1], "game": "g2"}), "has another game"),
    ("other_game", [], (GAME[0], {**GAME[1], "ruleset": "water_frame"}), "this game does not belong to Spring"),
    ("not_at_table", [], (GAME[0], {**GAME[1], "seats": ("olga", "anna", "ben", "dan")}), "dan has no seat"),
    ("missing_at_table", [], (GAME[0], {**GAME[1], "seats": ("olga", "anna", "ben")}), "cleo has a seat"),
    ("no_table", [], (GAME[0], {**GAME[1], "table": "9"}), "no table 9"),
    ("other_record", [GAME], (REMOVED[0], {**REMOVED[1], "game": "g2"}), "not the game of table 1"),
    ("why_missing", [GAME], (REMOVED[0], {**REMOVED[1], "why": ""}), "give a reason"),
    ("table_recorded", [GAME], TYPED, "table 1 has a record"),
    ("nothing_changed", [TYPED], TYPED, "already"),
    ("result_stands", [TYPED], (TYPED[0], {**TYPED[1], "placed": places("olga", "ben", "anna", "cleo")}), "a reason"),
    ("not_yet", [], (TYPED[0], {**TYPED[1], "ended_at": "2027-01-01T00:00:00.000Z"}), "has not ended"),
    (
        "place",
        [],
        (
            TYPED[0],
            {
                **TYPED[1],
                "placed": (Placed("olga", 0, 1), Placed("anna", 1, 1), Placed("ben", 2, 2), Placed("cleo", 3, 4)),
            },
        ),
        "makes place 3",
    ),
    ("void_already", [VOID_2], VOID_2, "already void"),
    ("penalty_points", [], entry(club_events.PenaltyGiven, season="1", person="ben", points=0, why="x"), "1 to 1000"),
    (
        "not_entered",
        [],
        entry(club_events.PenaltyGiven, season="1", person="eve", points=1, why="x"),
        "eve does not play",
    ),
    ("person_twice", [], entry(club_events.LotDrawn, season="1", people=("ben", "ben")), "ben is entered 2 times"),
    ("table_unplayed", [TYPED], CLOSED, "table 2 of round 2 has no result"),
    (
        "unplaced",
        [TYPED, VOID_2],
        entry(club_events.SeasonClosed, season="1", orders=(club_events.Order(PEOPLE[1:]),)),
        "olga plays in Spring",
    ),
    (
        "moved_unplaced",
        [TYPED, VOID_2],
        entry(club_events.SeasonClosed, season="1", orders=(club_events.Order(PEOPLE, promoted=("eve",)),)),
        "eve has no place",
    ),
    ("season_closed", [TYPED, VOID_2, CLOSED], GAME, "Spring is closed; reopen it first"),
    ("season_open", [], entry(club_events.SeasonReopened, season="1", why="x"), "Spring is open"),
    (
        "twice_in_round",
        [],
        entry(club_events.PeopleMerged, kept="dan", merged="olga", why="x"),
        "dan and olga both have a place in round 1 of Spring",
    ),
    (
        "walkover_scores",
        [],
        (
            TYPED[0],
            {
                **TYPED[1],
                "walkover": True,
                "placed": tuple(msgspec.structs.replace(value, score=3) for value in TYPED[1]["placed"]),
            },
        ),
        "was not played has no scores",
    ),
    ("no_evening", [], entry(club_events.EveningPlanned, evening="2", when=FRIDAY), "no evening “2”"),
    ("no_time", [], entry(club_events.EveningPlanned, evening="1", when="2026-02-30T19:00:00.000Z"), "not a time"),
    ("too_far_ahead", [], entry(club_events.EveningPlanned, evening="1", when="2036-02-01T19:00:00.000Z"), "ten years"),
    (
        "evening_past",
        [],
        entry(club_events.EveningPlanned, evening="1", when="2025-12-30T19:00:00.000Z"),
        "is in the past",
    ),
    ("nothing_changed", [EVENING], EVENING, "already"),
    ("evening_games", [], (EVENING[0], {**EVENING[1], "games": (":Azul", ":Azul")}), "each once"),
    ("name_long", [], (EVENING[0], {**EVENING[1], "games": (":" + "x" * 121,)}), "at most 120"),
    ("name_signs", [], (EVENING[0], {**EVENING[1], "place": "a\nb"}), "cannot be shown"),
    ("evenings_many", [*(evening_after(n) for n in range(100))], evening_after(100), "100 evenings are planned"),
    ("no_evening", [], ANSWERED, "no evening “1”"),
    ("called_off", [EVENING, CALLED_OFF], ANSWERED, "was called off"),
    ("nothing_changed", [EVENING, CALLED_OFF], CALLED_OFF, "already"),
    ("nothing_changed", [EVENING, ANSWERED], ANSWERED, "already"),
    ("answered_often", TWENTY_ANSWERS, ANSWERED, "changed 20 times by the same user"),
    (
        "answered_often",
        [*TWENTY_ANSWERS, entry(club_events.MemberLeft, person="dan")],
        ANSWERED,
        "changed 20 times by the same user",
    ),
    (
        "answered_often",
        [
            EVENING,
            *(answer_of(("zoe", "dan")[n > 7], n) for n in range(20)),
            entry(club_events.PeopleMerged, kept="dan", merged="zoe", why="x"),
        ],
        ANSWERED,
        "changed 20 times by the same user",
    ),
    ("evening_over", [EVENING_BEFORE], ANSWERED, "the evening is over"),
    ("evening_over", [EVENING_BEFORE], CALLED_OFF, "the evening is over"),
    ("evening_over", [EVENING_BEFORE], EVENING, "the evening is over"),
    ("too_long", [], entry(club_events.MemberLeft, person="dan", why="x" * 2001), "2001 characters"),
]


@pytest.mark.parametrize(
    ("key", "happened", "first", "message"), REFUSED, ids=[f"{row[0]}-{place}" for place, row in enumerate(REFUSED)]
)
def test_refused(spring, key, happened, first, message):
    club = after(spring, happened)
    with pytest.raises(Refused) as no:
        checked_entry(club, event(club, first))
    assert no.value.reason.key == key and message in str(no.value.reason)


def test_answers_of_a_person_are_counted_without_the_whole_log(spring):
    club = after(spring, TWENTY_ANSWERS)
    answered = event(club, ANSWERED)
    club.entries.clear()
    no = answer_fault(club, answered)
    assert no is not None and no.key == "answered_often"


def test_two_who_play_in_different_groups_are_not_merged():
    club = after(
        founded_club(),
        [
            LEAGUE,
            entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=TWO),
            entry(club_events.PlayerEntered, season="1", person="anna", division=1),
            entry(club_events.PlayerEntered, season="1", person="ann", division=2),
        ],
    )
    reason = event_fault(club, event(club, entry(club_events.PeopleMerged, kept="anna", merged="ann", why="spelling")))
    assert reason is not None and reason.key == "groups_apart"
    moved = after(club, [entry(club_events.PlayerEntered, season="1", person="ann", division=1)])
    merged = after(moved, [entry(club_events.PeopleMerged, kept="anna", merged="ann", why="spelling")])
    assert [entrant.person for entrant in merged.entrants(merged.seasons["1"])] == ["anna"]


def test_who_was_merged_moves_to_another_group_with_every_id():
    club = after(
        founded_club(),
        [
            LEAGUE,
            entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=TWO),
            entry(club_events.PlayerEntered, season="1", person="ann"),
            entry(club_events.PlayerEntered, season="1", person="anna"),
            entry(club_events.PeopleMerged, kept="anna", merged="ann", why="spelling"),
            entry(club_events.PlayerEntered, season="1", person="anna", division=2),
        ],
    )
    season = club.seasons["1"]
    assert [(entrant.person, entrant.division) for entrant in club.entrants(season)] == [("anna", 2)]
    player = club.player(season, "ann")
    assert player is not None and player.division == 2


def test_nobody_takes_points_to_another_group_by_withdrawing():
    people = ("olga", "anna", "ben", "cleo")
    club = after(
        founded_club(),
        [
            LEAGUE,
            entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=TWO),
            *(entry(club_events.PlayerEntered, season="1", person=person) for person in people),
            entry(club_events.ScheduleDrawn, season="1", rounds=(1,), fixtures=(Fixture("1", 1, people),)),
            TYPED,
            entry(club_events.PlayerWithdrew, season="1", person="ben", why="moved away"),
        ],
    )
    reason = event_fault(club, event(club, entry(club_events.PlayerEntered, season="1", person="ben", division=2)))
    assert reason is not None and reason.key == "group_drawn"
    assert event_fault(club, event(club, entry(club_events.PlayerEntered, season="1", person="ben"))) is None


def test_a_group_in_which_somebody_plays_does_not_vanish():
    club = after(
        founded_club(),
        [
            LEAGUE,
            entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=TWO),
            entry(club_events.PlayerEntered, season="1", person="anna", division=2),
        ],
    )
    smaller = msgspec.structs.replace(TWO, divisions=TWO.divisions[:1])
    reason = event_fault(club, event(club, entry(club_events.SeasonChanged, season="1", name="Spring", format=smaller)))
    assert reason is not None and str(reason) == "anna plays in division 2, group 1"


def test_nobody_is_moved_to_a_second_table_of_a_round():
    club = after(
        founded_club(),
        [
            LEAGUE,
            entry(club_events.SeasonOpened, season="1", league="1", name="Spring", format=Format(table_sizes=(2,))),
            *ENTERED,
            entry(
                club_events.ScheduleDrawn,
                season="1",
                rounds=(1,),
                byes=(Bye("dan", 1),),
                fixtures=(Fixture("1", 1, ("olga", "anna")), Fixture("2", 1, ("ben", "cleo"))),
            ),
        ],
    )
    reason = event_fault(
        club, event(club, entry(club_events.SeatsChanged, season="1", table="2", seats=("anna", "cleo")))
    )
    assert reason is not None and str(reason) == "anna sits at table 1 in round 1"
    moved = after(club, [entry(club_events.SeatsChanged, season="1", table="2", seats=("dan", "cleo"))])
    assert moved.seasons["1"].tables["2"].seats == ("dan", "cleo") and moved.seasons["1"].byes == ()


def test_every_role_can_be_held():
    club = after(founded_club(), [entry(club_events.MemberJoined, person="anna", roles=club_events.ROLES[:3])])
    assert club.roles("anna") == club_events.ROLES


EIGHT = ("a", "b", "c", "d", "e", "f", "g", "h")


def two_tables(*more: Said) -> Club:
    """A round of two tables of four."""
    return after(
        founded_club(),
        [
            LEAGUE,
            OPENED,
            *[entry(club_events.PlayerEntered, season="1", person=person) for person in EIGHT],
            entry(
                club_events.ScheduleDrawn,
                season="1",
                rounds=(1, 2),
                fixtures=(Fixture("1", 1, EIGHT[:4]), Fixture("2", 1, EIGHT[4:])),
            ),
            *more,
        ],
    )


def refused(club: Club, one: Said) -> str:
    with pytest.raises(Refused) as no:
        checked_entry(club, event(club, one))
    return no.value.reason.key


def test_people_at_two_tables_merge_once_one_table_is_void():
    one_person = entry(club_events.PeopleMerged, kept="a", merged="e", why="two spellings")
    assert refused(two_tables(), one_person) == "twice_in_round"
    merged = two_tables(entry(club_events.ResultVoided, season="1", table="2", why="drawn twice"), one_person)
    assert merged.person("e") == "a"
    again = entry(
        club_events.ResultTyped, season="1", table="2", ruleset="making_profit", placed=places(*EIGHT[4:]), why="anyway"
    )
    assert refused(merged, again) == "elsewhere"


def test_two_who_never_had_a_place_in_one_round_are_merged():
    club = two_tables(entry(club_events.PlayerEntered, season="1", person="i"))
    assert after(club, [entry(club_events.PeopleMerged, kept="a", merged="i", why="two spellings")]).person("i") == "a"


def test_seat_is_not_taken_next_to_a_bye_under_another_id():
    club = two_tables(
        entry(club_events.PlayerEntered, season="1", person="i"),
        entry(club_events.PlayerEntered, season="1", person="j"),
        entry(
            club_events.ScheduleDrawn,
            season="1",
            rounds=(2,),
            byes=(Bye("i", 2),),
            fixtures=(Fixture("3", 2, EIGHT[:4]),),
        ),
        entry(club_events.PeopleMerged, kept="j", merged="i", why="two spellings"),
    )
    assert (
        refused(club, entry(club_events.SeatsChanged, season="1", table="3", seats=("j", "b", "c", "d"))) == "has_bye"
    )


def test_a_walkover_is_a_mark_of_the_result():
    club = two_tables(
        entry(
            club_events.ResultTyped,
            season="1",
            table="1",
            ruleset="making_profit",
            placed=places(*EIGHT[:4]),
            walkover=True,
        )
    )
    result = club.typed_result(club.seasons["1"].tables["1"])
    assert result is not None and result.marks == ("typed", "walkover") and not result.was_played
    played = entry(
        club_events.ResultTyped,
        season="1",
        table="1",
        ruleset="making_profit",
        placed=places(*EIGHT[:4]),
        why="it was played after all",
    )
    again = after(club, [played])
    result = again.typed_result(again.seasons["1"].tables["1"])
    assert result is not None and result.marks == ("typed",) and result.was_played


def beside(**said: Any) -> Said:
    placed = tuple(Placed(person, None, place) for person, place in (("a", 1), ("b", 2)))
    return entry(club_events.ResultTyped, **{"season": "", "table": "9", "ruleset": ":Go", "placed": placed} | said)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"ruleset": ": Go"}, "name_empty"),
        ({"details": PlayDetails(minutes=-1)}, "minutes"),
        ({"details": PlayDetails(expansions=("x",) * 41)}, "expansions"),
        ({"details": PlayDetails(new=("c",))}, "not_played"),
        ({"details": PlayDetails(start_player="c")}, "not_played"),
        ({"details": PlayDetails(roles={"c": "Medic"})}, "not_played"),
        ({"details": PlayDetails(place="x" * 121)}, "name_long"),
        ({"details": PlayDetails(variant="a\tb")}, "name_signs"),
        ({"placed": tuple(Placed(f"p{n}", None, n + 1) for n in range(41))}, "seats"),
    ],
)
def test_what_cannot_be_told_of_a_play_is_refused(message, reason):
    assert refused(two_tables(), beside(**message)) == reason


def test_outside_seasons_many_may_play_and_no_one_may_win():
    many = tuple(Placed(f"p{n}", None, n + 1) for n in range(40))
    lost = tuple(Placed(person, None, 2) for person in "ab")
    details = PlayDetails(
        "the cellar", 90, ("Asia",), start_player="a", new=("b",), roles={"a": "Medic"}, cooperative=True
    )
    club = after(two_tables(), [beside(placed=many), beside(table="10", placed=lost, details=details)])
    assert club.beside.tables["10"].typed is not None and club.beside.tables["10"].typed.details == details
    assert refused(two_tables(), beside(season="1", table="1", placed=lost)) == "place"


def test_moved_evening_keeps_its_answers_as_earlier_ones():
    """An answer that is given again counts; a person who leaves does not come; of two merged people the newer answer
    counts."""
    club = after(founded_club(), [EVENING, ANSWERED, entry(club_events.MemberJoined, person="eve", roles=())])
    moved = after(club, [(EVENING[0], {**EVENING[1], "when": "2026-01-10T19:30:00.000Z"})])
    evening = moved.evenings["1"]
    assert (evening.when[:10], evening.moved, len(evening.steps)) == ("2026-01-10", 4, 2)
    assert [said.step < evening.moved for said in moved.answers(evening).values()] == [True]
    again = after(moved, [ANSWERED, CALLED_OFF, (EVENING[0], {**EVENING[1], "when": "2026-01-10T19:30:00.000Z"})])
    assert not again.evenings["1"].called_off
    eve = entry(club_events.EveningAnswered, evening="1", person="eve", answer="no")
    one = after(again, [eve, entry(club_events.PeopleMerged, kept="eve", merged="dan", why="spelling")])
    assert [(person, said.answer) for person, said in one.answers(one.evenings["1"]).items()] == [("eve", "no")]
    gone = after(again, [eve, entry(club_events.MemberLeft, person="eve")])
    assert gone.expected(gone.evenings["1"], "yes", "no") == ["dan"] and gone.knows("dan")


def test_a_long_chain_of_merges_is_followed_once(monkeypatch):
    """Every page of a signed-in person resolves identities in each of their clubs."""
    n, followed = 400, list[str]()
    guests = [f"guest{number}" for number in range(n)]
    club = founded_club()
    club.merges = {place: Merge(place, guests[place + 1], guests[place], "x") for place in range(n - 1)}
    once = club_module._root
    monkeypatch.setattr(club_module, "_root", lambda above, id: followed.append(id) or once(above, id))
    assert {club.person(id) for id in guests} == {guests[-1]}
    assert club.ids_of(guests[7]) == [guests[-1], *guests[:-1]]
    assert club.roles("olga") and len(followed) < 5 * n


def test_a_season_is_copied_once_however_much_happens_in_it(spring, monkeypatch):
    """Each reader folds a club from its beginning, while others wait."""
    typed = [
        entry(
            club_events.ResultTyped,
            season="",
            table=str(number),
            ruleset="making_profit",
            placed=places("anna", "ben"),
            ended_at="2026-01-01T10:00:00.000Z",
        )
        for number in range(1, 30)
    ]
    club, copies, once = after(spring, typed), list[str](), Season.copy
    monkeypatch.setattr(Season, "copy", lambda season: copies.append(season.id) or once(season))
    again = fold_club(ID, club.entries)
    assert sorted(copies) == ["", "1"] and again.beside == club.beside
    before = repr(again.beside)
    later = again.then(checked_entry(again, event(again, (typed[0][0], {**typed[0][1], "table": "99"}))))
    assert repr(again.beside) == before and "99" in later.beside.tables


def test_whoever_a_club_knows_it_was_told_of_by_an_event(spring):
    club = after(spring, [entry(club_events.PeopleMerged, kept="anna", merged="zoe", why="x")])
    named = {person for item in club.entries for person in people_named(item.event)}
    assert {*club.everybody(), "zoe"} <= named


def test_no_table_is_called_so_that_none_can_follow_it(spring):
    far = {**TYPED_BESIDE, "table": "9" * 40}
    club = after(spring, [entry(club_events.ResultTyped, **far)])
    assert club.beside.next_table() == "1"
    club = after(club, [entry(club_events.ResultTyped, **{**far, "table": "9" * 9})])
    for expected in ("1000000000", "1000000001"):
        assert club.beside.next_table() == expected
        club = after(club, [entry(club_events.ResultTyped, **{**far, "table": expected})])


TYPED_BESIDE: dict[str, Any] = {
    "season": "",
    "ruleset": "making_profit",
    "placed": places("anna", "ben"),
    "ended_at": "2026-01-01T10:00:00.000Z",
}


def test_a_season_is_played_by_so_many_and_no_more(spring, monkeypatch):
    monkeypatch.setattr(seasons, "ENTRANTS_LIMIT", len(spring.seasons["1"].players))
    assert refused(spring, entry(club_events.PlayerEntered, season="1", person="eve")) == "season_full"
    gone = after(spring, [entry(club_events.PlayerWithdrew, season="1", person="dan", why="")])
    after(gone, [entry(club_events.PlayerEntered, season="1", person="dan")])  # who was there comes back
