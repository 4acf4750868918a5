"""A practice club, and the season after a closed one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import OpenNextSeason
from daybook.domain.league.seasons import Entrant
from daybook.services.league import clubs, moving, next_season, results
from daybook.services.league.demonstration import TABLES, Demonstration
from daybook.services.permissions.actions import MayNotError
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.filled import Filled, filled_once
from tests.played import key
from tests.services.leagues import found_mill, keep_people, season

pytestmark = pytest.mark.sqlite_suffices


def practice_club(book: Daybook) -> Demonstration:
    return Demonstration(book, "Practice club", "olga", by="olga", key="a-key-of-a-practice-club", public=False)


def make_club(book: Daybook) -> None:
    practice_club(book).make("Practice league", "Season 1", lambda season, table: f"{season.name}, {table.id}")


def fill(settings: Settings) -> None:
    with closing(open_daybook(settings)) as book:
        keep_people(book, "olga")
        make_club(book)


@pytest.fixture(scope="module")
def filled() -> Iterator[Filled[None]]:
    with filled_once(fill) as filled:
        yield filled


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest, filled: Filled[None]) -> Iterator[Settings]:
    if "demonstration" not in request.fixturenames:
        yield settings
        return
    with filled.copied(settings, request) as copied:
        yield copied


@pytest.fixture
def demonstration(book: Daybook) -> Demonstration:
    """A practice club that was made."""
    return practice_club(book)


def test_a_practice_club_has_played_a_season_and_begun_the_next(demonstration):
    club = demonstration.club
    first, second = club.seasons.values()
    assert not first.is_open and second.is_open and second.name == "Season 2"
    played = results.season_results(demonstration.book, club, first.id)
    assert len(played) == 14 and len(club.games) == TABLES
    assert all("practice" in result.marks for result in results.club_results(demonstration.book, club)), "it says so"
    standings = results.standings_at(demonstration.book, club, second.id)
    assert all(row.games_played for group in standings.groups for row in group.rows)
    assert first.closed is not None
    upper, lower = first.closed.orders
    assert len(upper.relegated) == len(lower.promoted) == 2
    divisions = {entrant.person: entrant.division for entrant in club.entrants(second)}
    assert {divisions[value] for value in upper.relegated} == {2} and {divisions[item] for item in lower.promoted} == {
        1
    }
    assert any(table.when for table in second.tables.values())
    assert moving.export_club(demonstration.book, club.id)


def test_made_again_under_its_key_nothing_is_added(demonstration):
    step, games = demonstration.club.step, len(demonstration.book.kept.games())
    make_club(demonstration.book)
    again = practice_club(demonstration.book)
    assert (again.id, again.club.step, len(demonstration.book.kept.games())) == (demonstration.id, step, games)


def test_next_season_waits_for_the_end_and_for_who_may_open_it(book):
    club = found_mill(book)
    number = season(book, club)
    with pytest.raises(Refused, match="not closed yet"):
        next_season.propose_placements(book, book.clubs.get(club), book.clubs.get(club).season(number))
    with pytest.raises(Refused, match="not closed yet"):
        clubs.write(book, club, OpenNextSeason(number, "Season 2", []), by="olga", key=key())
    with pytest.raises(MayNotError):
        clubs.write(book, club, OpenNextSeason(number, "Season 2", []), by="anna", key=key())
    assert len(book.clubs.get(club).seasons) == 1


def test_the_next_season_is_opened_whole_or_not_at_all(demonstration):
    before, (first, *_) = demonstration.club.step, demonstration.club.seasons
    with pytest.raises(Refused):
        clubs.write(
            demonstration.book,
            demonstration.id,
            OpenNextSeason(first, "Season 3", (Entrant("nobody-known", 9, 9),)),
            by="olga",
            key=key(),
        )
    assert demonstration.club.step == before
    players = [
        Entrant(placement.person, placement.division, placement.group)
        for placement in next_season.propose_placements(
            demonstration.book, demonstration.club, demonstration.club.season(first)
        )
    ]
    receipt = clubs.write(
        demonstration.book, demonstration.id, OpenNextSeason(first, "Season 3", players), by="olga", key=key()
    )
    opened = clubs.season_at(demonstration.club, receipt.step)
    assert opened.format == demonstration.club.season(first).format and len(demonstration.club.entrants(opened)) == 14


@pytest.mark.parametrize(
    ("name", "then"),
    [
        ("Season 1", "Season 2"),
        ("Autumn 2026", "Autumn 2027"),
        ("Cup 09", "Cup 10"),
        ("Autumn", "Autumn 2"),
        ("No. 99", "No. 100"),
        ("2026/27", "2027/28"),
        ("Winter 2099–2100", "Winter 2100–2101"),
        ("League 2099-00", "League 2100-01"),
        ("Games 2026-41", "Games 2026-42"),
    ],
)
def test_the_name_of_the_next_season_is_counted_on(name, then):
    assert next_season.next_name(name) == then
