"""Questions as of a time or a day: each means its last position, and positions of one time are distinguished."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from daybook.domain.league.club_commands import EnterResult, GivePenalty
from daybook.services import written
from daybook.services.league import clubs, results
from daybook.services.league.clubs import founding
from daybook.services.store.as_of import club_at, last_position
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, places_of, season

DAYS = ("2026-11-20", "2026-11-21", "2026-11-22")


@pytest.mark.parametrize(
    ("written", "last"),
    [
        ([], 0),
        ([(4, "b")], 0),
        ([(1, "a"), (4, "a"), (7, "a")], 7),
        ([(1, "a"), (4, "a"), (7, "b"), (9, "b")], 4),
        ([(7, "b"), (1, "a"), (4, "a")], 4),
    ],
)
def test_a_time_goes_up_to_its_last_position(written, last):
    assert last_position(written, "a") == last


@pytest.mark.parametrize(
    "written",
    [
        [(1, "a"), (2, "z"), (3, "a"), (4, "a"), (5, "c")],  # one clock was far ahead
        [(1, "a"), (2, "a"), (4, "a"), (5, "c"), (6, "c"), (7, "a")],  # a file brought an old time with it
    ],
)
def test_a_wrong_time_changes_the_answer_for_nobody_else(written):
    assert last_position(written, "b") == 4


@pytest.fixture
def spring(book: Daybook, monkeypatch: pytest.MonkeyPatch) -> UUID:
    """A club with a season; on each of three days all that is written falls into one millisecond."""
    for module in (written, founding):
        monkeypatch.setattr(module, "now", lambda: f"{DAYS[0]}T19:30:00.000Z")
    club = found_mill(book)
    draw_rounds(book, club, season(book, club))
    for number, day in enumerate(DAYS, 1):
        for module in (written, founding):
            monkeypatch.setattr(module, "now", lambda day=day: f"{day}T19:30:00.000Z")
        people = book.clubs.get(club).season("1").tables[str(number)].seats
        clubs.write(book, club, EnterResult("1", "making_profit", places_of(*people), str(number)), by="sam", key=key())
        clubs.write(book, club, GivePenalty("1", people[0], number, "late"), by="ursula", key=key())
    return club


def table(book: Daybook, club: UUID, position: int | None = None) -> list[tuple[str, int, int]]:
    shown = results.standings_at(book, book.clubs.get(club), "1", position)
    return [(row.person, row.games_played, len(row.penalties)) for group in shown.groups for row in group.rows]


def test_entries_of_one_millisecond_are_told_apart(book, spring):
    club = book.clubs.get(spring)
    *_, typed, penalty = (book.log.position(spring, step) for step in range(club.step + 1))
    assert club.entries[-2].event.at == club.entries[-1].event.at
    shown = [table(book, spring, position) for position in (typed - 1, typed, penalty)]
    assert [sum(played for _, played, _ in value) for value in shown] == [6, 9, 9]
    assert [club_at(book, club, position).step - club.step for position in (typed - 1, typed, penalty)] == [-2, -1, 0]
    everything = book.log.newest()
    assert table(book, spring, everything) == table(book, spring) == shown[-1]


def test_a_day_is_answered_as_of_its_last_position(book, spring):
    club, steps = book.clubs.get(spring), []
    for day in ("2026-11-19", *DAYS, "2027-01-01"):
        position = results.position_at(book, club, f"{day}T23:59:59.999Z")
        steps.append(club_at(book, club, position).step)
    assert steps == [-1, club.step - 4, club.step - 2, club.step, club.step]
    assert results.position_at(book, club, None) == book.log.newest()
    assert results.position_at(book, club, f"{DAYS[1]}T19:30:00.000Z") == book.log.position(spring, steps[2])


def test_what_others_write_between_moves_no_answer(book, spring):
    club = book.clubs.get(spring)
    before = results.position_at(book, club, None)
    known = table(book, spring)
    clubs.found_club(book, "Another", "olga", by="olga", key=uuid4().hex)
    assert results.position_at(book, club, None) == before < book.log.newest()
    assert table(book, spring, book.log.newest()) == known


def test_results_of_one_day_keep_the_order_of_writing(book):
    """Within a day only the order of entries counts: "10" came after "9"."""
    club = found_mill(book)
    free = season(book, club, "free")
    for number in range(12):
        clubs.write(
            book,
            club,
            EnterResult(
                free, "making_profit", places_of(*PLAYERS[number % 4 :][:3]), ended_at="2020-11-20T20:00:00.000Z"
            ),
            by="sam",
            key=key(),
        )
    found = results.season_results(book, book.clubs.get(club), free)
    assert [item.table for item in found] == [str(number) for number in range(1, 13)]
