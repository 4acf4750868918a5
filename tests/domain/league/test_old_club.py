"""A club that was written down once and for all, with every kind of event.

`format_3.jsonl` is never made again: if a test here fails, clubs that people have kept would be read differently.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec

from daybook.domain.kernel.chronicle import body_of, seal_line
from daybook.domain.league.club import Club, as_of_step, fold_club
from daybook.domain.league.club_events import AnyEvent, read_line
from daybook.domain.league.results import PlayDetails
from tests.domain.league.clubs import ID, at

LINES = (Path(__file__).parent / "format_3.jsonl").read_bytes().splitlines()
SEAL = "ef0908ba1dee7f40df0f98e989cb0e9f4ae4ba2e022f0efc269b43bcc9d30f3d"
FIRST_SPRING = 34  # lines, after which the first season is still open


def old_club() -> Club:
    return fold_club(ID, [read_line(ID, version, line) for version, line in enumerate(LINES[:FIRST_SPRING], 1)])


def later_club() -> Club:
    """The same club at the end."""
    return fold_club(ID, [read_line(ID, version, line) for version, line in enumerate(LINES, 1)])


def test_every_kind_of_event_is_there():
    kinds = {kind.__struct_config__.tag for kind in get_args(AnyEvent)}
    assert {entry.topic for entry in later_club().entries} == kinds


def test_every_old_line_is_written_today_as_it_was_then():
    seal = ""
    for entry in (read_line(ID, version, line) for version, line in enumerate(LINES, 1)):
        line, seal = seal_line(body_of(entry.event), seal)
        assert line == entry.line
    assert seal == SEAL


def test_an_old_club_means_what_it_meant():
    club = old_club()
    assert (club.name, club.founded_at) == ('Zur "Mühle" – né?', at(0))
    assert club.people() == {
        "olga": ("organiser", "member"),
        "anna": ("umpire", "scorekeeper", "member"),
        "ben": ("member",),
        "cleo": ("member",),
    }
    assert [club.person(id) for id in ("ann", "august")] == ["anna", "august"]
    settings = club.settings
    assert (settings.simulated, settings.public, settings.appeal_hours, settings.correction_days) == (
        False,
        True,
        24,
        7,
    )
    league = club.leagues["1"]
    assert (league.name, league.rulesets) == ("Mills and markets", ("making_profit", "london_markets"))


def test_an_old_season_means_what_it_meant():
    club = old_club()
    season = club.seasons["1"]
    assert (season.name, season.league, season.format.kind, season.format.best, season.is_open) == (
        "Spring 26",
        "1",
        "rounds",
        2,
        True,
    )
    assert season.format.points.by_seats["4"] == (10, 6, 3, 1) and season.format.points.ties == "split"
    assert list(season.players) == ["olga", "anna", "ben", "cleo", "dan"] and club.withdrawn_people(season) == ["dan"]
    first, second = season.tables.values()
    assert (first.seats, first.round, first.when, first.place, first.game) == (
        ("cleo", "anna", "ben", "olga"),
        1,
        at(200),
        "The Swan",
        "",
    )
    result = club.typed_result(first)
    assert result is not None and [(place.person, place.seat, place.place) for place in result.placed] == [
        ("ben", 0, 1),
        ("olga", 1, 2),
        ("anna", 2, 3),
        ("cleo", 3, 4),
    ]
    assert second.voided is not None and second.voided.why == "not played"
    assert [(bye.person, bye.round) for bye in season.byes] == [("dan", 1), ("olga", 2)]
    assert [(penalty.person, penalty.points, penalty.why) for penalty in club.penalties(season)] == [("ben", 2, "late")]
    assert club.lots(season) == [("cleo", "olga")]


def test_an_old_result_beside_the_seasons_means_what_it_meant():
    club = old_club()
    result = club.typed_result(club.beside.tables["1"])
    assert result is not None and (result.season, result.ruleset, result.at) == (None, "london_markets", at(5))
    assert [(place.person, place.seat, place.place, place.score, place.dropped) for place in result.placed] == [
        ("gus", 0, 1, 31, False),
        ("anna", 1, 1, 31, False),
        ("ben", None, 3, None, True),
    ]


def test_old_final_order_entry_keeps_its_meaning():
    season = later_club().seasons["1"]
    assert season.closed is not None and season.kept is not None
    assert (season.closed.orders[0].people[0], season.kept.orders[0].people[0], season.kept.why) == (
        "ben",
        "olga",
        "prizes were given",
    )


def test_an_old_time_zone_means_what_it_meant():
    assert (old_club().zone, later_club().zone) == ("UTC", "Asia/Seoul")


def test_an_old_word_of_who_sat_where_means_what_it_meant():
    table = later_club().beside.tables["sat"]
    assert (table.game, table.people) == ("g-sat", ("cleo", "anna", "ben"))
    entered = next(entry.event for entry in later_club().entries if getattr(entry.event, "recorded", ()))
    assert (entered.seats, entered.recorded, entered.why) == (  # type: ignore[union-attr]
        ("anna", "cleo", "ben"),
        ("anna", "dan", "ben"),
        "Cleo came instead",
    )


def test_old_merge_of_plays_keeps_its_meaning():
    beside = later_club().beside
    assert beside.joined == {"b3-1": ".b1-1"} and beside.tables["b1-1"].joined == ("b3-1",)
    assert beside.set_aside["b3-1"].typed is not None and "b3-1" not in beside.tables
    details = beside.tables["b1-1"].typed.details  # type: ignore[union-attr]
    assert (details.minutes, details.place) == (9, "Home")


def test_an_old_removal_means_what_it_meant():
    entries = later_club().entries
    step = next(entry.step for entry in entries if entry.topic == "club_removed")
    then = as_of_step(later_club(), step)
    assert (then.removed, then.open_seasons(), later_club().removed) == ("founded twice", [], "")
    step = next(entry.step for entry in entries if entry.topic == "league_removed")
    assert as_of_step(later_club(), step).leagues["3"].removed == "founded twice"
    assert not later_club().leagues["3"].removed


def test_old_notes_and_imports_of_plays_keep_their_meaning():
    club = later_club()
    typed, brought = club.beside.tables["7"].typed, club.beside.tables["b1-1"]
    assert typed is not None and typed.ruleset == ":Wingspan"
    assert typed.details == PlayDetails(
        "cellar",
        75,
        ("Oceania",),
        "long",
        "a remark",
        "anna",
        ("ben",),
        {"anna": "Medic"},
        {"ben": "A"},
        {"anna": "49-46ish"},
        True,
    )
    assert brought.typed is not None and (brought.typed.ruleset, brought.typed.details.minutes) == (":Go", 9)
    assert (
        club.beside.imported == {"bgg:1": "b1", "bgstats:u": "b1", "bgstats:v": "b3"}
        and "b2-1" not in club.beside.tables
    )


def test_old_requests_of_players_keep_their_meaning():
    table = later_club().seasons["1"].tables["1"]
    assert table.absent == ("anna",) and table.proposal is not None
    assert (table.proposal.when, table.proposal.place, table.proposal.agreed) == (
        "2026-01-20T19:00:00.000Z",
        "The Swan",
        ("ben", "anna"),
    )


def test_old_tables_of_an_evening_keep_their_meaning():
    (evening,) = later_club().evenings.values()
    assert [(table.game, table.people) for table in evening.tables] == [(":Go", ("anna", "ben")), ("", ("cleo",))]


def test_an_evening_means_what_it_meant():
    club = later_club()
    (evening,) = club.evenings.values()
    assert (evening.when, evening.place, evening.games) == (
        "2026-01-09T19:30:00.000Z",
        "Mühle 3",
        ("making_profit", ":Azul"),
    )
    assert club.expected(evening, "maybe") == ["ben"] and evening.called_off and evening.called_off.why == "…"


def test_old_blanked_text_is_left_out():
    club = later_club()
    called_off = club.evenings["1"].called_off
    assert called_off is not None and called_off.why == club.entries[52].event.why == "…"  # type: ignore[union-attr]
    assert b"snow" in club.entries[52].line
    before, now = as_of_step(club, 52).evenings["1"], club.evenings["1"]
    assert msgspec.structs.replace(now, tables=(), tables_since=0) == before
