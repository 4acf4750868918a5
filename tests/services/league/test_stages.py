"""A group stage and its final, played as a knock-out, with substitutes and forfeits."""

from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest

from daybook.domain.league.club_commands import (
    CloseSeason,
    DrawSchedule,
    EnterPlayers,
    EnterResult,
    FoundLeague,
    OpenSeason,
    OpenStage,
    RecordForfeit,
    RecordLot,
    ReopenSeason,
    SeatSubstitute,
)
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Division, Entrant, Format
from daybook.services.league import clubs, results, season_end
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.store.daybook import Daybook
from tests.domain.league.plain_season import calculate
from tests.played import key
from tests.refusals import refused_for
from tests.services.leagues import found_mill, season

pytestmark = pytest.mark.sqlite_suffices

EIGHT = ("anna", "ben", "cleo", "dan", "eve", "finn", "gus", "hal")


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def write(book: Daybook, club: UUID, command: object) -> None:
    clubs.write(book, club, command, by="olga", key=key())


def draw_and_play(book: Daybook, club: UUID, number: str, chance: Random) -> None:
    """Draw what is left and play it; some players send a substitute or do not come."""
    write(book, club, DrawSchedule(number, chance.randrange(1000)))
    for table in [*book.clubs.get(club).seasons[number].tables.values()]:
        if table.is_settled:
            continue
        first, second = table.seats[:2]
        if chance.random() < 0.4:
            write(book, club, SeatSubstitute(number, table.id, first, "sam"))
        if chance.random() < 0.3:
            write(book, club, RecordForfeit(number, table.id, second))
        here = book.clubs.get(club)
        people = [*here.seats(here.seasons[number].tables[table.id])]
        chance.shuffle(people)
        placed = tuple(Placed(person, None, place, 90 - 7 * place) for place, person in enumerate(people, 1))
        write(book, club, EnterResult(number, "making_profit", placed, table.id))


def compare(book: Daybook, club: UUID, number: str) -> None:
    here = book.clubs.get(club)
    expected = calculate([entry.line for entry in here.entries], number)
    for group in results.standings_at(book, here, number).groups:
        found = sorted((row.person, row.points, row.place) for row in group.rows)
        assert found == sorted(expected[group.division, group.group])


def close_groups(book: Daybook, club: UUID, chance: Random) -> str:
    groups = (Division("A", (4,)), Division("B", (4,)))
    made = msgspec.structs.replace(
        DEFAULTS["divisions"], divisions=groups, promote=0, relegate=0, table_sizes=(4, 3), rounds=2
    )
    if not book.clubs.get(club).leagues:
        write(book, club, FoundLeague("Mills", ("making_profit",)))
    write(book, club, OpenSeason("1", "Groups", made))
    number = [*book.clubs.get(club).seasons][-1]
    entrants = tuple(Entrant(person, 1 + place % 2, 1) for place, person in enumerate(EIGHT))
    write(book, club, EnterPlayers(number, entrants, {person: person.title() for person in ("gus", "hal")}))
    draw_and_play(book, club, number, chance)
    compare(book, club, number)
    write(book, club, CloseSeason(number))
    return number


def stage(after: str, kind: Format, places: int = 2) -> OpenStage:
    return OpenStage(after, "Final", kind, places)


FOURS = msgspec.structs.replace(DEFAULTS["knockout"], table_sizes=(4, 3))


@pytest.mark.parametrize("seed", range(3))
def test_group_stage_and_final_agree_with_a_plain_calculation(book, club, seed):
    chance = Random(seed)
    number = close_groups(book, club, chance)
    write(book, club, stage(number, FOURS, 4))
    here = book.clubs.get(club)
    final = here.stages_after(here.seasons[number])[0]
    groups = calculate([entry.line for entry in here.entries], number)
    firsts = {rows[0][0] for rows in groups.values()}
    assert {*[*final.players][:2]} == firsts and len(final.players) == 8
    for _ in range(2):
        try:
            draw_and_play(book, club, final.id, chance)
        except CannotDrawError as no:
            assert no.reason.key == "tie_at_cut"
            people = [no.reason.figures["person"], no.reason.figures["other"]]
            write(book, club, RecordLot(final.id, tuple(map(str, people))))
            draw_and_play(book, club, final.id, chance)
    compare(book, club, final.id)
    with refused_for("knockout_over", CannotDrawError):
        write(book, club, DrawSchedule(final.id, 1))
    write(book, club, CloseSeason(final.id))
    here = book.clubs.get(club)
    assert len(season_end.winners(book, here, here.seasons[final.id], ())[0]) == 1


def test_season_with_a_drawn_final_is_frozen(book, club):
    number = close_groups(book, club, Random(5))
    write(book, club, stage(number, FOURS))
    final = book.clubs.get(club).stages_after(book.clubs.get(club).seasons[number])[0]
    assert len(final.players) == 4
    draw_and_play(book, club, final.id, Random(6))
    with refused_for("stage_drawn"):
        write(book, club, ReopenSeason(number, "a mistake"))


def test_final_needs_a_closed_season_with_enough_players(book, club):
    number = season(book, club, "rounds")
    with refused_for("season_open"):
        write(book, club, stage(number, FOURS))
    closed = close_groups(book, club, Random(7))
    with refused_for("stage_places"):
        write(book, club, stage(closed, FOURS, 5))
