"""The draw of a season's remaining tables: a proposal, and what its publication writes."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from daybook.domain.league.club_commands import DrawSchedule, EnterPlayers, EnterResult, WithdrawPlayer
from daybook.domain.league.seasons import Division, Entrant
from daybook.services.league import clubs, season_draws
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.play.writing import Conflict
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.refusals import refused_for
from tests.services.leagues import found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def publish_draw(book: Daybook, club: UUID, number: str, seed: int = 1, **asked: int) -> None:
    command = DrawSchedule(number, seed, **asked)
    clubs.write(book, club, command, by="olga", key=key(), at=book.clubs.get(club).step)


def type_result(book: Daybook, club: UUID, number: str, table: str, *people: str) -> None:
    result = EnterResult(number, "making_profit", tuple(places_of(*people)), table)
    clubs.write(book, club, result, by="sam", key=key())


def test_a_heat_is_drawn_beside_tables_that_have_names(book, club):
    number = season(book, club, "heats")
    type_result(book, club, number, "final", "anna", "ben", "cleo")
    publish_draw(book, club, number)
    assert [*book.clubs.get(club).seasons[number].tables] == ["final", "1", "2"]


def test_played_rounds_stay_and_the_rest_gets_new_ids(book, club):
    number = season(book, club)
    publish_draw(book, club, number, rounds=3)
    before = book.clubs.get(club).seasons[number].tables
    assert [(table.id, table.round) for table in before.values()] == [
        ("1", 1),
        ("2", 1),
        ("3", 2),
        ("4", 2),
        ("5", 3),
        ("6", 3),
    ]
    type_result(book, club, number, "2", *before["2"].seats)
    clubs.write(book, club, WithdrawPlayer(number, before["3"].seats[0]), by="olga", key=key())
    publish_draw(book, club, number, 2, rounds=3)
    after = book.clubs.get(club).seasons[number].tables
    assert (after["1"], after["2"].seats) == (before["1"], before["2"].seats)
    assert [(table.id, table.round) for table in after.values()] == [("1", 1), ("2", 1), ("3", 2), ("4", 3)]
    assert all(before["3"].seats[0] not in after[id].seats for id in ("3", "4"))


def test_same_seed_proposes_the_same_and_writes_nothing(book, club):
    number = season(book, club)
    here = book.clubs.get(club)
    one, two = (season_draws.propose_draw(book, here, here.seasons[number], 7) for _ in range(2))
    assert one == two and book.clubs.get(club).step == here.step


def test_outdated_proposal_is_not_published(book, club):
    number = season(book, club)
    here = book.clubs.get(club)
    clubs.write(book, club, WithdrawPlayer(number, "anna"), by="olga", key=key())
    with pytest.raises(Conflict):
        clubs.write(book, club, DrawSchedule(number, 7), at=here.step, by="olga", key=key())


def test_the_next_swiss_round_waits_for_the_one_before(book, club):
    number = season(book, club, "swiss")
    publish_draw(book, club, number)
    first = book.clubs.get(club).seasons[number].tables
    type_result(book, club, number, "1", *first["1"].seats)
    here = book.clubs.get(club)
    with refused_for("round_open", CannotDrawError):
        season_draws.propose_draw(book, here, here.seasons[number], 1)
    type_result(book, club, number, "2", *first["2"].seats)
    publish_draw(book, club, number)
    tables = book.clubs.get(club).seasons[number].tables
    leaders = {first["1"].seats[0], first["2"].seats[0]}
    assert any(leaders <= {*tables[id].seats} for id in ("3", "4"))


def test_nobody_is_drawn_where_nobody_plays(book, club):
    number = season(book, club, people=())
    here = book.clubs.get(club)
    with refused_for("nobody_enters", CannotDrawError):
        season_draws.propose_draw(book, here, here.seasons[number], 1)


def test_late_entrant_gets_a_place_in_the_remaining_rounds(book, club):
    number = season(book, club, "divisions", divisions=(Division("A", (6,)), Division("B", (3,))))
    publish_draw(book, club, number)
    tables = book.clubs.get(club).seasons[number].tables
    first = next(iter(tables.values()))
    type_result(book, club, number, first.id, *first.seats)
    here = book.clubs.get(club)
    with pytest.raises(CannotDrawError, match="every group has begun"):
        season_draws.propose_draw(book, here, here.seasons[number], 1)
    clubs.write(book, club, EnterPlayers(number, (Entrant("sam"),)), by="olga", key=key())
    publish_draw(book, club, number, 2)
    after = book.clubs.get(club).seasons[number]
    assert after.tables[first.id].typed is not None
    games = Counter(person for table in after.tables.values() for person in table.seats)
    assert games["sam"] >= 2 and min(games.values()) >= 3 - 1 and max(games.values()) - min(games.values()) <= 2
    for round in after.rounds:
        seated = [person for table in after.tables.values() if table.round == round for person in table.seats]
        seated += [bye.person for bye in after.byes if bye.round == round]
        assert len(seated) == len({*seated})
    here = book.clubs.get(club)
    with pytest.raises(CannotDrawError, match="every group has begun"):
        season_draws.propose_draw(book, here, here.seasons[number], 3)
