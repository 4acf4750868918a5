"""Results and standings: what stands, what stood, what a correction or a ruling changed, and the same from the log."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import count, repeat
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from daybook.domain.commands import Abandon, Adjust, Close, Reopen, RuleOnClaim, WithdrawClaim
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import GameClosed
from daybook.domain.league.club_commands import (
    CloseSeason,
    EnterResult,
    GivePenalty,
    RemoveGame,
    RenameClub,
    VoidResult,
    WithdrawPlayer,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, Result
from daybook.services import written
from daybook.services.clock import later_time
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.following.projections import BatchProjector, rebuild_read_models, results_projection
from daybook.services.league import clubs, result_changes, results, season_end
from daybook.services.league.results import UnknownSeasonError
from daybook.services.permissions.actions import MayNotError
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from tests.played import key, open_table_of, play, play_game, update_results, write
from tests.rows import all_rows
from tests.services.clubbing import new_game, open_club_game
from tests.services.leagues import PLAYERS, enter_game, found_mill, merge, places_of

pytestmark = pytest.mark.sqlite_suffices

CLOCKS = ("goes on", "stands still", "goes back")


@pytest.fixture
def clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control time while a test writes: real, frozen, or back, as after a corrected clock."""
    times = {
        "stands still": repeat("2026-11-20T19:30:00.000Z"),
        "goes back": (later_time("2026-11-20T19:30:00.000Z", seconds=-n) for n in count()),
    }
    if request.param in times:
        monkeypatch.setattr(written, "now", partial(next, times[request.param]))


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def begin_table(book: Daybook, club: UUID, season: str, table: str) -> UUID:
    people = book.clubs.get(club).season(season).tables[table].seats
    return open_club_game(book, club, people, season, table, by="sam")


def play_table(book: Daybook, club: UUID, season: str, table: str, seed: int) -> UUID:
    """A table is played to its end."""
    game = begin_table(book, club, season, table)
    play(book, game, seed=seed, close=True)
    return game


def type_result(book: Daybook, club: UUID, season: str, table: str, people: Sequence[str], **how: Any) -> None:
    clubs.write(book, club, EnterResult(season, "making_profit", places_of(*people), table, **how), by="sam", key=key())


def stands(book: Daybook, club: UUID, season: str, position: int | None = None) -> dict[str, Result]:
    """Return the valid results by table."""
    found = results.season_results(book, book.clubs.get(club), season, position)
    return {result.table or "": result for result in found}


def order(book: Daybook, club: UUID, season: str, position: int | None = None) -> list[tuple[str, Fraction]]:
    shown = results.standings_at(book, book.clubs.get(club), season, position)
    return [(row.person, row.points) for group in shown.groups for row in group.rows]


def put_right(book: Daybook, game: UUID, money: int) -> None:
    """The game is opened again, seat 0 gets so much money, and it is closed again."""
    write(book, game, Reopen("the purse was counted"))
    write(book, game, Adjust({"/players/0/money": money}, "miscounted", "mistyped"), at=book.games.get(game).step)
    write(book, game, Close())


# --- what stands -----------------------------------------------------------------------------------------------------


def test_a_closed_game_is_the_result_of_its_table(book, club, spring):
    game = play_table(book, club, spring, "2", 1)
    closed = book.games.get(game).entries[-1].event
    assert isinstance(closed, GameClosed)
    result = stands(book, club, spring)["2"]
    assert (result.id, result.season, result.round, result.source, result.game, result.marks) == (
        "1.2",
        "1",
        1,
        "record",
        str(game),
        (),
    )
    assert result.placed == tuple(
        Placed(person, seat, closed.ranks[seat], closed.totals[seat]) for seat, person in enumerate(PLAYERS[3:])
    )
    assert result.at == closed.at and stands(book, club, spring).keys() == {"2"}


def test_points_of_typed_and_recorded_results_add_up(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    type_result(book, club, spring, "4", ("anna", "cleo", "eve"))
    assert order(book, club, spring)[:2] == [("anna", 20), ("cleo", 7)]
    clubs.write(book, club, GivePenalty(spring, "anna", 15, "late"), by="ursula", key=key())
    assert order(book, club, spring)[0] == ("cleo", 7)
    play_table(book, club, spring, "2", 3)
    points = dict(order(book, club, spring))
    assert points["dan"] + points["eve"] + points["finn"] == 2 + 10 + 5 + 2  # eve was third at table 4


def test_a_record_takes_the_place_of_a_typed_result(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    assert (stands(book, club, spring)["1"].source, stands(book, club, spring)["1"].marks) == ("typed", ("typed",))
    before = stands(book, club, spring)["1"]
    game = play_table(book, club, spring, "1", 5)
    assert stands(book, club, spring)["1"].source == "record"
    clubs.write(book, club, RemoveGame(spring, "1", str(game), "another evening"), by="sam", key=key())
    assert stands(book, club, spring)["1"] == before


def test_a_game_that_still_runs_or_was_given_up_has_no_result(book, club, spring):
    game = begin_table(book, club, spring, "1")
    assert stands(book, club, spring) == {}
    write(book, game, Abandon("the last train"))
    assert stands(book, club, spring) == {}


def test_a_void_table_counts_for_nobody(book, club, spring):
    play_table(book, club, spring, "1", 5)
    clubs.write(book, club, VoidResult(spring, "1", "a card was missing"), by="ursula", key=key())
    assert stands(book, club, spring) == {} and {points for _, points in order(book, club, spring)} == {0}


@pytest.mark.parametrize("clock", CLOCKS[:2], indirect=True)
@pytest.mark.usefixtures("clock")
def test_merged_people_count_as_one_today_and_in_the_past(book, club, spring):
    game = play_game(book, 7)
    enter_game(book, club, BESIDE, game, people=("anna", "ben", "cleo"))
    before = book.log.newest()
    merge(book, club, "anneke", "anna")
    type_result(book, club, spring, "1", ("anneke", "ben", "cleo"))
    assert order(book, club, spring)[0] == ("anneke", 10) and len(order(book, club, spring)) == 6
    found = results.club_results(book, book.clubs.get(club))
    assert [(value.season, value.people) for value in found] == [
        (None, ("anneke", "ben", "cleo")),
        ("1", ("anneke", "ben", "cleo")),
    ]
    past = results.club_results(book, book.clubs.get(club), before)
    assert [item.people for item in past] == [("anneke", "ben", "cleo")]
    assert "anneke" in dict(order(book, club, spring, before))


def test_a_practice_game_is_marked_and_does_not_count(book, club, spring):
    people = book.clubs.get(club).season(spring).tables["1"].seats
    game = clubs.open_table(
        book, club, spring, "1", replace(new_game(book, people), kind="practice"), by="sam", key=key()
    )[0].record
    play(book, game, seed=1, close=True)
    assert stands(book, club, spring)["1"].marks == ("practice",)
    assert {points for _, points in order(book, club, spring)} == {0}


def test_another_typed_result_keeps_the_day_of_the_first(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    first = stands(book, club, spring)["1"]
    with pytest.raises(Refused, match="already like that"):
        type_result(book, club, spring, "1", PLAYERS[:3], why="sent again")
    type_result(book, club, spring, "1", ("ben", "anna", "cleo"), why="the sheet was misread")
    assert stands(book, club, spring)["1"].people[0] == "ben" and stands(book, club, spring)["1"].at == first.at
    type_result(
        book, club, spring, "1", ("ben", "anna", "cleo"), why="another day", ended_at="2026-01-02T20:00:00.000Z"
    )
    assert stands(book, club, spring)["1"].at == "2026-01-02T20:00:00.000Z"


def test_a_result_is_tried_and_nothing_is_written(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    here, newest = book.clubs.get(club), book.log.newest()
    then = clubs.preview(
        book,
        club,
        EnterResult(spring, "making_profit", places_of("ben", "anna", "cleo", scores=(3, 9, 1)), "1", why="misread"),
        by="sam",
    )
    tried = result_changes.try_typed(book, here, then)
    assert tried.before is not None and (tried.before.people[0], tried.after.people[0]) == ("anna", "ben")
    assert [(item.person, item.place) for item in tried.changed] == [("ben", (2, 1)), ("anna", (1, 2))]
    assert tried.contradiction is not None and book.log.newest() == newest
    with pytest.raises(MayNotError):
        clubs.preview(book, club, EnterResult(spring, "making_profit", places_of(*PLAYERS[:3]), "1"), by="anna")


def test_an_unknown_season_is_named(book, club, spring):
    with pytest.raises(UnknownSeasonError):
        results.standings_at(book, book.clubs.get(club), "9")
    with pytest.raises(UnknownSeasonError):
        results.standings_at(book, book.clubs.get(club), spring, 0)


# --- what stood ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", CLOCKS, indirect=True)
@pytest.mark.usefixtures("clock")
def test_standings_of_a_position_are_what_was_known_then(book, club, spring):
    positions = [book.log.newest()]
    shown = [order(book, club, spring)]

    def note_order() -> None:
        positions.append(book.log.newest())
        shown.append(order(book, club, spring))

    game = play_table(book, club, spring, "1", 5)
    note_order()
    put_right(book, game, 99)
    note_order()
    type_result(book, club, spring, "2", PLAYERS[3:])
    note_order()
    clubs.write(book, club, WithdrawPlayer(spring, "finn"), by="olga", key=key())
    note_order()
    clubs.write(book, club, RenameClub("The Forge"), by="olga", key=key())
    assert len({str(value) for value in shown}) >= 4
    assert [order(book, club, spring, position) for position in positions] == shown
    update_results(book)
    assert [order(book, club, spring, position) for position in positions] == shown


def test_a_correction_changes_the_standings_and_says_whose(book, club, spring):
    game = play_table(book, club, spring, "1", 1)
    type_result(book, club, spring, "2", PLAYERS[3:])
    before = stands(book, club, spring)["1"]
    last = next(item for item in before.placed if item.seat == 0)
    put_right(book, game, 999)
    after = stands(book, club, spring)["1"]
    assert next(place for place in after.placed if place.seat == 0).place == 1 and after.at == before.at
    changes = result_changes.what_changed(book, book.clubs.get(club), spring, "1")
    assert [change.state.cause for change in changes] == ["corrected"]
    change = changes[0]
    assert (change.before, change.state.result) == (before, after)
    assert last.place > 1 and "anna" in {value.person for value in change.changed}
    assert [row.person for row in change.standings_after.groups[0].rows] == [
        person for person, _ in order(book, club, spring)
    ]
    assert change.standings_before.row("dan") is not None  # what stood at the other table stands in both


def test_ruling_is_named_and_a_claim_makes_a_result_provisional(book, club, spring):
    game = play_table(book, club, spring, "1", 5)
    umpires.name_umpire(book, game, "Uli", by="scorekeeper", key=key())
    claim = claims.raise_claim(book, game, 9, "one coin too many", seat=1, by="seat:1", key=key()).step
    assert stands(book, club, spring)["1"].marks == ("provisional",)
    with pytest.raises(Refused, match="a claim is open about the game of table 1"):
        season_end.final_orders(book, book.clubs.get(club), spring)
    write(
        book,
        game,
        RuleOnClaim(
            claim,
            "adjusted",
            "so it is",
            umpire=0,
            values={"/players/0/money": 999},
            appeal_hours=appeal_hours(book, game),
        ),
        at=book.games.get(game).step,
        by="umpire:0",
    )
    causes = [state.cause for state in result_changes.table_history(book, book.clubs.get(club), spring, "1")]
    assert causes == ["closed", "claimed", "reopened", "ruled"]
    changes = result_changes.what_changed(book, book.clubs.get(club), spring, "1")
    assert [change.state.cause for change in changes] == ["claimed", "ruled"]
    ruled = changes[-1]
    assert ruled.before is not None and ruled.before.marks == ("provisional",)
    assert ruled.state.result is not None and ruled.state.result.placed[0].score != ruled.before.placed[0].score


@pytest.mark.parametrize("clock", ["stands still"], indirect=True)
@pytest.mark.usefixtures("clock")
def test_entries_of_one_moment_are_told_in_their_order(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    game = play_table(book, club, spring, "1", 5)
    clubs.write(book, club, RemoveGame(spring, "1", str(game), "another evening"), by="sam", key=key())
    enter_game(book, club, spring, game, "1")
    clubs.write(book, club, VoidResult(spring, "1", "nobody remembers"), by="ursula", key=key())
    assert [state.cause for state in result_changes.table_history(book, book.clubs.get(club), spring, "1")] == [
        "typed",
        "entered",
        "closed",
        "removed",
        "entered",
        "voided",
    ]


def test_a_table_tells_all_that_became_of_it(book, club, spring):
    type_result(book, club, spring, "1", PLAYERS[:3])
    type_result(book, club, spring, "1", ("ben", "anna", "cleo"), why="the sheet was misread")
    game = play_table(book, club, spring, "1", 5)
    clubs.write(book, club, RemoveGame(spring, "1", str(game), "another evening"), by="sam", key=key())
    clubs.write(book, club, VoidResult(spring, "1", "nobody remembers"), by="ursula", key=key())
    states = result_changes.table_history(book, book.clubs.get(club), spring, "1")
    assert [(state.cause, state.result.people[0] if state.result else "", state.why) for state in states] == [
        ("typed", "anna", ""),
        ("typed", "ben", "the sheet was misread"),
        ("entered", "", ""),
        ("closed", "anna", ""),
        ("removed", "ben", "another evening"),
        ("voided", "", "nobody remembers"),
    ]


# --- the end of a season ---------------------------------------------------------------------------------------------


def test_a_season_is_closed_in_the_order_that_stands(book, club, spring):
    for table, item in book.clubs.get(club).season(spring).tables.items():
        type_result(book, club, spring, table, item.seats)
    expected, at, once = [person for person, _ in order(book, club, spring)], book.clubs.get(club).step, key()
    with pytest.raises(MayNotError):
        clubs.write(book, club, CloseSeason(spring), at=at, by="sam", key=key())
    closed = clubs.write(book, club, CloseSeason(spring), at=at, by="olga", key=once)
    final = book.clubs.get(club).seasons[spring].closed
    assert final is not None and list(final.orders[0].people) == expected
    again = clubs.write(book, club, CloseSeason(spring), at=at, by="olga", key=once)
    assert (again.step, again.repeated) == (closed.step, True)


def test_a_season_is_not_closed_while_a_game_runs(book, club, spring):
    for table, item in [*book.clubs.get(club).season(spring).tables.items()][1:]:
        type_result(book, club, spring, table, item.seats)
    begin_table(book, club, spring, "1")
    with pytest.raises(Refused, match="the game of table 1 has not ended"):
        clubs.write(book, club, CloseSeason(spring), at=book.clubs.get(club).step, by="olga", key=key())


def test_the_result_of_a_game_that_was_given_up_is_typed(book, club, spring):
    game = begin_table(book, club, spring, "1")
    with pytest.raises(Refused, match="table 1 has a record"):
        type_result(book, club, spring, "1", PLAYERS[:3])
    write(book, game, Abandon("the last train"))
    type_result(book, club, spring, "1", PLAYERS[:3])
    assert stands(book, club, spring)["1"].people == PLAYERS[:3] and book.clubs.get(club).games == {}
    assert [state.cause for state in result_changes.table_history(book, book.clubs.get(club), spring, "1")] == ["typed"]


# --- rows ------------------------------------------------------------------------------------------------------------


def story(book: Daybook, club: UUID, spring: str) -> None:
    """A bit of everything."""
    type_result(book, club, spring, "2", PLAYERS[3:])
    game = play_table(book, club, spring, "1", 5)
    umpires.name_umpire(book, game, "Uli", by="scorekeeper", key=key())
    claim = claims.raise_claim(book, game, 9, "one coin too many", seat=1, by="seat:1", key=key()).step
    write(book, game, WithdrawClaim(claim), by="seat:1")
    put_right(book, game, 50)
    other = open_table_of(book)
    enter_game(book, club, BESIDE, other, people=("dan", "eve", "finn"))
    clubs.write(book, club, RemoveGame(BESIDE, "1", str(other), "another club's"), by="sam", key=key())
    write(book, game, Reopen("once more"))


def test_batches_of_any_size_and_a_rebuild_come_to_the_same_rows(book, club, spring):
    story(book, club, spring)
    found = []
    for limit in (1, 7, 500):
        with book.views.begin() as connection:
            for table in (*read_models.RESULTS, read_models.position):
                connection.execute(table.delete())
        projector = BatchProjector(book, results_projection(book), limit=limit)
        while projector.process_batch():
            pass
        assert projector.position == book.log.newest()
        found.append(all_rows(book.views, read_models.RESULTS))
    rebuild_read_models(book)
    found.append(all_rows(book.views, read_models.RESULTS))
    assert found[0] == found[1] == found[2] == found[3]
    assert [len(rows) for rows in found[0].values()] == [6, 1, 2, 3, 6, 3]
    assert read_models.position_of(book.views, results.RESULTS) == book.log.newest()


def test_taking_events_in_twice_changes_nothing(book, club, spring):
    story(book, club, spring)
    update_results(book)
    before = all_rows(book.views, read_models.RESULTS)
    rows = results.fold(book, book.log.since(0, 10_000))
    with book.views.begin() as connection:
        read_models.write_rows(connection, rows)
    assert all_rows(book.views, read_models.RESULTS) == before


@pytest.mark.both_databases
def test_what_is_shown_does_not_wait_for_the_rows(book, club, spring):
    update_results(book)
    story(book, club, spring)
    club_now = book.clubs.get(club)
    ahead = results.season_results(book, club_now, spring), result_changes.table_history(book, club_now, spring, "1")
    update_results(book)
    with book.views.connect() as c:
        assert c.scalar(sa.select(sa.func.count()).select_from(read_models.result_row)) == 6
    assert ahead == (
        results.season_results(book, club_now, spring),
        result_changes.table_history(book, club_now, spring, "1"),
    )


def test_a_club_says_how_far_its_results_have_come(book, club, spring):
    game, apart = play_table(book, club, spring, "1", 5), play_game(book, 3)
    update_results(book)
    first = results.newest_changes(book)[club]
    write(book, apart, Reopen("another game"))
    update_results(book)
    assert results.newest_changes(book) == {club: first}
    write(book, game, Reopen("a slip"))
    update_results(book)
    assert results.newest_changes(book) == {club: book.log.newest()}
