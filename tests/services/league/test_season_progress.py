"""The state of a season: its next step, tables without a result, and people without a place in the draw."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain.league.club import Season
from daybook.domain.league.club_commands import CloseSeason, EnterPlayers, PlanTable, VoidResult, WithdrawPlayer
from daybook.domain.league.seasons import Division, Entrant
from daybook.services.league import clubs, results
from daybook.services.league.demonstration import tied_people
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.league.season_progress import SeasonProgress, progress_of
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.league.test_season_draws import publish_draw, type_result
from tests.services.leagues import found_mill, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def at(book: Daybook, club: UUID, number: str) -> tuple[Season, SeasonProgress]:
    here = book.clubs.get(club)
    found = results.season_results(book, here, number)
    tied = bool(tied_people(results.standings_at(book, here, number)))
    seen = {person for result in found for person in result.people}
    return here.seasons[number], progress_of(
        here, here.seasons[number], {item.table or "" for item in found}, seen, tied=tied
    )


def play(book: Daybook, club: UUID, number: str, *tables: str) -> None:
    for table in tables:
        type_result(book, club, number, table, *book.clubs.get(club).seasons[number].tables[table].seats)


def test_season_names_one_next_step_from_start_to_finish(book, club):
    number = season(book, club, people=())
    assert at(book, club, number)[1].next == "enter"
    for person in ("anna", "ben", "cleo"):
        clubs.write(book, club, EnterPlayers(number, (Entrant(person),)), by="olga", key=key())
    assert at(book, club, number)[1].next == "draw"
    publish_draw(book, club, number, rounds=2)
    _, progress = at(book, club, number)
    assert (progress.next, progress.played, progress.tables, [item.id for item in progress.to_play]) == (
        *("play", 0, 2),
        ["1", "2"],
    )
    clubs.write(book, club, PlanTable(number, "2", "2026-12-01T19:30:00.000Z", ""), by="olga", key=key())
    assert at(book, club, number)[1].to_play[0].id == "2", "the table with a day comes first"
    seats = at(book, club, number)[0].tables["1"].seats
    for table in "12":
        type_result(book, club, number, table, *seats)
    assert at(book, club, number)[1].next == "close"
    here = book.clubs.get(club)
    clubs.write(book, club, CloseSeason(number), at=here.step, by="olga", key=key())
    assert at(book, club, number)[1].next == "open_next"


@pytest.mark.parametrize("kind", ["rounds", "swiss"])
def test_who_comes_in_late_is_told_of_until_the_draw_knows_them(book, club, kind):
    number = season(book, club, kind)
    publish_draw(book, club, number, **({"rounds": 3} if kind == "rounds" else {}))
    clubs.write(book, club, EnterPlayers(number, (Entrant("sam"),)), by="olga", key=key())
    undrawn = at(book, club, number)[1].undrawn
    assert ([item.person for item in undrawn.late], undrawn.can_draw, at(book, club, number)[1].next) == (
        *(["sam"], True),
        "draw_anew",
    )
    play(book, club, number, "1")
    undrawn = at(book, club, number)[1].undrawn
    assert ([value.person for value in undrawn.late], undrawn.can_draw) == (["sam"], kind == "rounds")
    play(book, club, number, "2")
    publish_draw(book, club, number, **({"rounds": 3} if kind == "rounds" else {}))
    assert not at(book, club, number)[1].undrawn


def test_withdrawn_player_is_named_at_open_tables(book, club):
    number = season(book, club)
    publish_draw(book, club, number, rounds=3)
    play(book, club, number, "1")
    gone = at(book, club, number)[0].tables["2"].seats[0]
    clubs.write(book, club, WithdrawPlayer(number, gone), by="olga", key=key())
    undrawn = at(book, club, number)[1].undrawn
    assert {(table.id, person) for table, person in undrawn.left} >= {("2", gone)} and undrawn.can_draw
    publish_draw(book, club, number, rounds=3)
    undrawn = at(book, club, number)[1].undrawn
    assert ([table.id for table, _ in undrawn.left], undrawn.can_draw) == (["2"], False), "the round has begun"
    clubs.write(book, club, VoidResult(number, "2", "without them there is no table"), by="olga", key=key())
    assert not at(book, club, number)[1].undrawn


def test_group_that_changed_is_drawn_again(book, club):
    number = season(book, club, "divisions", divisions=(Division("A", (6,)), Division("B", (3,))))
    publish_draw(book, club, number)
    play(book, club, number, "1")
    here = book.clubs.get(club)
    later = [table for table in here.seasons[number].tables.values() if table.round > 1]
    gone = later[-1].seats[0]
    clubs.write(book, club, WithdrawPlayer(number, gone), by="olga", key=key())
    assert at(book, club, number)[1].undrawn.can_draw
    publish_draw(book, club, number)
    after = at(book, club, number)[0]
    assert all(gone not in table.seats for table in after.tables.values() if table.round > 1)
    with pytest.raises(CannotDrawError, match="every group has begun"):
        publish_draw(book, club, number)
