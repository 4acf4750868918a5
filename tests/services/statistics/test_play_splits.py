"""Splits by facts of a club's plays: where, when and with what, and each player's part; counted again here by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from random import Random
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.days import moment_at
from daybook.services.league import clubs
from daybook.services.statistics import play_splits, reports
from daybook.services.statistics.collect import GENERAL_STATISTICS
from daybook.services.statistics.figure_questions import (
    Filter,
    InvalidQuestionError,
    Question,
    club_filter,
    compute_table,
    games_behind,
    splits_of,
)
from daybook.services.store.daybook import Daybook
from tests.played import key, update_results
from tests.services.leagues import found_mill

PEOPLE = ("anna", "ben", "cleo")
PLACES = ("Home", "The | Mill", "")
EXPANSIONS: tuple[tuple[str, ...], ...] = ((), ("Queen's Gambit",), ("Queen's Gambit", 'The "Lost" Tiles'))


def details_of(random: Random, number: int) -> PlayDetails:
    has_marks = number % 3 != 0
    return PlayDetails(
        place=random.choice(PLACES),
        minutes=random.choice((0, 30, 45)),
        expansions=random.choice(EXPANSIONS),
        variant=random.choice(("", "River", "Sea")),
        start_player=random.choice(PEOPLE) if has_marks else "",
        new=tuple(random.sample(PEOPLE, random.choice((1, 2)))) if has_marks else (),
        roles=dict(zip(PEOPLE, random.sample(("red", "blue", "green"), 3), strict=True)) if number % 2 else {},
        hour=random.choice(("", "19:30", "09:05")),
    )


@pytest.fixture
def plays(book: Daybook) -> tuple[Daybook, UUID, list[tuple[str, PlayDetails, list[str]]]]:
    """A club with plays; a play is its day, its details, and its people by place."""
    club, random, written = found_mill(book), Random(7), []
    for number in range(24):
        day = date(2026, random.randint(1, 10), random.randint(1, 28)).isoformat()
        order, details = random.sample(PEOPLE, 3), details_of(random, number)
        placed = [Placed(person, None, place) for place, person in enumerate(order, 1)]
        at = moment_at(f"{day}T10:00", "UTC")
        command = EnterResult(BESIDE, "water_frame", placed, ended_at=at, details=details)
        clubs.write(book, club, command, by="sam", key=key())
        written.append((day, details, order))
    update_results(book)
    return book, club, written


def of(book: Daybook, club: UUID, **more: Any) -> Filter:
    return club_filter(book.clubs.get(club), **more)


def facts_of(split: str, day: str, details: PlayDetails, person: str) -> list[Any]:
    match split:
        case "location":
            return [details.place] if details.place else []
        case "weekday":
            return [date.fromisoformat(day).weekday()]
        case "hour":
            return [details.hour[:2]] if details.hour else []
        case "variant":
            return [details.variant] if details.variant else []
        case "expansion":
            return [*details.expansions]
        case "role":
            return [details.roles[person]] if details.roles else []
        case "started":
            return [int(person == details.start_player)] if details.start_player else []
    return [int(person in details.new)] if details.new else []


@pytest.mark.parametrize("people", [(), ("ben",)])
def test_split_counts_places_and_wins_of_its_plays(plays, people):
    book, club, written = plays
    for split in play_splits.SPLITS:
        n, wins = Counter[Any](), Counter[Any]()
        for day, details, order in written:
            for person in people or PEOPLE:
                for fact in facts_of(split, day, details, person):
                    n[fact] += 1
                    wins[fact] += order[0] == person
        question = Question("place", (split,), of(book, club, people=people))
        table = compute_table(book, question)
        assert dict(zip(table.column(split), table.column("n"), strict=True)) == n, split
        assert dict(zip(table.column(split), table.column("wins"), strict=True)) == {fact: wins[fact] for fact in n}
        for row in table.rows:
            assert len(games_behind(book, question, row.key)) == row.n, (split, row.key)


def test_split_adds_up_the_lengths_of_plays(plays):
    book, club, written = plays
    for split in ("location", "weekday", "hour", "variant", "expansion"):
        minutes = defaultdict[Any, list[int]](list)
        everyone = Counter[Any]()
        for day, details, _ in written:
            for fact in facts_of(split, day, details, ""):
                everyone[fact] += 1
                minutes[fact] += [details.minutes] if details.minutes else []
        table = compute_table(book, Question("length", (split,), of(book, club)))
        found = dict(zip(table.column(split), table.column("mean"), strict=True))
        expected = {fact: 60 * sum(told) / len(told) for fact, told in minutes.items() if told}
        assert found == pytest.approx(expected), split
        assert reports.count_plays_by(book, of(book, club), split) == everyone, split


def test_viewer_of_days_only_has_no_places_and_hours(plays):
    book, club, _ = plays
    hidden = club_filter(book.clubs.get(club).without_evenings())
    assert {"location", "hour"}.isdisjoint(splits_of(GENERAL_STATISTICS.measure("place"), hidden))
    for split in ("location", "hour"):
        with pytest.raises(InvalidQuestionError):
            games_behind(book, Question("place", (split,), hidden), "Home")
    with pytest.raises(InvalidQuestionError):
        compute_table(book, Question("place", ("weekday",)))  # only plays of a club have such facts


@pytest.mark.parametrize(
    ("zone", "at", "weekday"),
    [
        ("UTC", "2024-02-29T23:30:00.000Z", 3),
        ("Europe/Berlin", "2024-02-29T23:30:00.000Z", 4),
        ("Europe/Berlin", "2026-03-29T22:30:00.000Z", 0),  # summer time since this morning
        ("Europe/Berlin", "2026-03-28T22:30:00.000Z", 5),
        ("America/New_York", "2026-01-01T03:00:00.000Z", 2),
        ("Asia/Seoul", "2026-01-04T10:00:00.000Z", 6),  # stands for its day
        ("Pacific/Auckland", "2026-01-04T10:00:00.000Z", 6),
    ],
)
def test_weekday_of_a_record_is_of_the_clubs_zone(book, zone, at, weekday):
    expression = play_splits.expression("weekday", zone)
    rows = f"(SELECT '{at}' AS at) s CROSS JOIN (SELECT '' AS day) p"
    assert reports.run(book, reports.Query(f"SELECT {expression} FROM {rows}", {})) == [(weekday,)]


def test_cooperative_plays_have_figures_of_their_own(plays):
    book, club, _ = plays
    before = [(row.cells, row.n) for row in reports.head_to_head(book, of(book, club)).rows]
    streaks = [row.cells for row in reports.win_streaks(book, of(book, club)).rows]
    wins = reports.most_wins(book, of(book, club))
    (played,) = reports.summarize_person(book, of(book, club, people=["ben"]), "ben").games
    for place in (1, 2, 1):
        placed = [Placed(person, None, place, 300) for person in ("anna", "ben")]
        details = PlayDetails(cooperative=True, minutes=60)
        at = moment_at("2026-10-30T10:00", "UTC")
        command = EnterResult(BESIDE, "water_frame", placed, ended_at=at, details=details)
        clubs.write(book, club, command, by="sam", key=key())
    update_results(book)
    assert reports.won_together(book, of(book, club)) == reports.WonTogether(2, 3)
    assert reports.won_together(book, of(book, club, people=["cleo"])) == reports.WonTogether(0, 0)
    assert [(row.cells, row.n) for row in reports.head_to_head(book, of(book, club)).rows] == before
    assert [row.cells for row in reports.win_streaks(book, of(book, club)).rows] == streaks
    assert reports.most_wins(book, of(book, club)) == wins
    assert reports.summarize_scores(book, of(book, club, ruleset_id="water_frame")) is None
    assert compute_table(book, Question("place", ("person",), of(book, club))).n == 24
    summary = reports.summarize_person(book, of(book, club, people=["ben"]), "ben")
    assert summary.together == reports.WonTogether(2, 3)
    (now,) = summary.games
    assert (now.n, now.wins, now.expected, now.place) == (27, played.wins, played.expected, played.place)
    assert sum(game.n for game in reports.summarize_games(book, of(book, club)).games) == 27
