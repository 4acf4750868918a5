"""The end of a season and a later correction of a result: the final order stands until an organiser changes it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest

from daybook.domain.commands import Close, Reopen
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import Season
from daybook.domain.league.club_commands import (
    CloseSeason,
    CloseSeasonAgain,
    ClubCommand,
    EndMembership,
    KeepFinalOrder,
    MergePeople,
)
from daybook.domain.league.club_events import BESIDE, SeasonClosed
from daybook.services.league import anonymity, clubs, next_season, results, season_archive, season_draws, season_end
from daybook.services.league.season_end import SinceClosing
from daybook.services.permissions.actions import MayNotError
from daybook.services.store.daybook import Daybook
from tests.played import key, update_results, write
from tests.reads import count_reads
from tests.services.league.test_results import play_table, put_right, type_result
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, join, keep_people, merge, season

pytestmark = pytest.mark.sqlite_suffices


class Closed:
    """A season of two rounds that is closed; only table 1 has a record, the other results were typed in."""

    def __init__(self, book: Daybook) -> None:
        self.book, self.club = book, found_mill(book)
        self.id = season(book, self.club)
        draw_rounds(book, self.club, self.id)
        self.game = play_table(book, self.club, self.id, "1", 1)
        for table in ("2", "3", "4"):
            type_result(book, self.club, self.id, table, self.season.tables[table].seats)
        clubs.write(book, self.club, CloseSeason(self.id), at=book.clubs.get(self.club).step, by="olga", key=key())

    @property
    def season(self) -> Season:
        return self.book.clubs.get(self.club).seasons[self.id]

    @property
    def final(self) -> tuple[str, ...]:
        assert self.season.closed is not None
        return self.season.closed.orders[0].people

    def since(self) -> SinceClosing | None:
        return season_end.since_closing(self.book, self.book.clubs.get(self.club), self.season)

    def turn_around(self, money: int = 5000) -> None:
        """Correct the record of table 1: the first seat has this much; with 5000 it wins."""
        put_right(self.book, self.game, money)

    def decide(
        self, how: Callable[..., ClubCommand], why: str = "as the table agreed", seen: str | None = None
    ) -> object:
        found = self.since()
        digest = season_end.orders_digest(found.orders) if found and seen is None else seen or ""
        return clubs.write(self.book, self.club, how(self.id, why, digest), by="olga", key=key())


@pytest.fixture
def closed(book: Daybook) -> Closed:
    return Closed(book)


def test_correction_after_closing_is_next_to_the_final_order(closed):
    assert closed.since() is None
    final = closed.final
    closed.turn_around()
    found = closed.since()
    assert found is not None and found.is_undecided
    assert (found.final[0].people, closed.final) == (final, final)
    assert found.orders[0].people != final
    anna = next(item for item in found.changed if item.person == "anna")
    assert anna.points[1] > anna.points[0]


def test_season_closed_again_keeps_both_orders_in_its_history(closed):
    final = closed.final
    closed.turn_around()
    found = closed.since()
    assert found is not None
    closed.decide(CloseSeasonAgain, "the purse was miscounted")
    assert (closed.final, closed.since()) == (found.orders[0].people, None)
    written = [entry.event for entry in closed.book.clubs.get(closed.club).entries]
    assert [value.orders[0].people for value in written if isinstance(value, SeasonClosed)][-2:] == [
        final,
        closed.final,
    ]
    proposed = next_season.propose_placements(closed.book, closed.book.clubs.get(closed.club), closed.season)
    assert [item.person for item in proposed] == [*closed.final]


def test_who_won_a_closed_season_is_worked_out_once(closed):
    """A club's page names the winners of all its seasons."""
    book, club = closed.book, closed.book.clubs.get(closed.club)
    first = season_end.winners(book, club, closed.season, ())
    assert first == [[closed.final[0]]]
    season_end._winners.clear()
    assert season_end.winners(book, club, closed.season, ()) == first
    assert not season_end._winners, "the rows have not come so far: it may be another one"
    update_results(book)
    known = closed.season
    season_end.winners(book, club, known, ())
    with count_reads(book) as reads:
        assert season_end.winners(book, club, known, ()) == first
    assert (reads.log, reads.tables) == ([], [])
    closed.turn_around()
    assert season_end.winners(book, book.clubs.get(closed.club), closed.season, ()) == first
    closed.decide(CloseSeasonAgain, "the purse was miscounted")
    (anew,) = season_end.winners(book, book.clubs.get(closed.club), closed.season, ())
    assert closed.final[0] in anew and [anew] != first


def test_the_results_of_all_seasons_are_asked_for_at_once(closed):
    book = closed.book
    other = season(book, closed.club)
    club = book.clubs.get(closed.club)
    with count_reads(book) as one:
        results.season_results(book, club, closed.id)
    with count_reads(book) as all_of_them:
        found = results.results_by_season(book, club, club.all_seasons())
    assert len(all_of_them.tables) <= len(one.tables) + 1
    assert len(all_of_them.log) <= len(one.log) + 1, "and the one record"
    assert found == {id: results.season_results(book, club, id) for id in (closed.id, other, BESIDE)}


def test_final_order_stands_until_results_change_again(closed):
    final = closed.final
    closed.turn_around()
    closed.decide(KeepFinalOrder, "prizes were given")
    found = closed.since()
    assert found is not None and not found.is_undecided and found.kept is not None
    assert (found.kept.why, found.kept.orders, closed.final) == ("prizes were given", found.orders, final)
    with pytest.raises(Refused, match="it is already like that"):
        closed.decide(KeepFinalOrder)
    closed.turn_around(0)
    anew = closed.since()
    assert anew is not None and anew.is_undecided and anew.orders != found.orders
    closed.turn_around()
    again = closed.since()
    assert again is not None and not again.is_undecided


def test_what_was_not_looked_at_is_not_written(closed):
    closed.turn_around()
    found = closed.since()
    assert found is not None
    seen = season_end.orders_digest(found.final)
    for how in (CloseSeasonAgain, KeepFinalOrder):
        with pytest.raises(Refused, match="have changed in the meantime"):
            closed.decide(how, seen=seen)
        with pytest.raises(Refused, match="give a reason"):
            closed.decide(how, why=" ")
        with pytest.raises(MayNotError):
            clubs.write(closed.book, closed.club, how(closed.id, "why", seen), by="sam", key=key())
    assert closed.season.kept is None and closed.final == found.final[0].people


def test_season_is_not_closed_again_while_its_game_is_reopened(closed):
    write(closed.book, closed.game, Reopen("the purse is counted"))
    found = closed.since()
    assert found is not None and found.changed
    with pytest.raises(Refused, match="the game of table 1 has not ended"):
        closed.decide(CloseSeasonAgain)
    write(closed.book, closed.game, Close())
    assert closed.since() is None


def test_people_merged_after_closing_are_one_in_the_final_order(closed):
    closed.book.kept.keep_person("august", "August")
    merge(closed.book, closed.club, "august", "anna")
    assert closed.since() is None


def test_merge_after_closing_shows_each_person_once(book):
    club = found_mill(book)
    keep_people(book, "annie")
    ladder = season(book, club, "free", ("annie", "anna", "cleo", "ben"))
    clubs.write(book, club, CloseSeason(ladder), at=book.clubs.get(club).step, by="olga", key=key())
    clubs.write(book, club, MergePeople("anna", "annie", "the same"), by="olga", key=key())
    merged = book.clubs.get(club)
    closed = merged.seasons[ladder].closed
    assert closed is not None and len(closed.orders[0].people) == 4, "the record stays as it is"
    once = ["anna", "ben", "cleo"]
    assert sorted(merged.orders(closed.orders)[0].people) == once
    with zipfile.ZipFile(
        BytesIO(season_archive.archive(book, merged, merged.seasons[ladder], {}, lambda _: True))
    ) as file:
        said = msgspec.json.decode(file.read("season.json"))
    assert sorted(said["closed"][0]["people"]) == once
    assert (
        sorted(placement.person for placement in next_season.propose_placements(book, merged, merged.seasons[ladder]))
        == once
    )


def test_former_member_is_proposed_for_no_group(closed):
    """A year later no table waits for a person who cannot be asked."""
    book, club = closed.book, closed.club
    first, second, third, *_ = closed.final
    clubs.write(book, club, EndMembership(first), by="olga", key=key())
    anonymity.make_anonymous(book, second, by="olga")
    clubs.write(book, club, EndMembership(third), by="olga", key=key())
    join(book, club, third, by="olga")
    proposed = next_season.propose_placements(book, book.clubs.get(club), closed.season)
    assert {value.person: value.way for value in proposed if not value.division} == {first: "left", second: "left"}
    assert {item.person for item in proposed} == {*closed.final}


def test_who_is_made_anonymous_is_drawn_to_no_table_any_more(book):
    club = found_mill(book)
    guest = "guest"
    keep_people(book, guest)
    running, done = season(book, club, "heats", (*PLAYERS, guest)), season(book, club)
    draw_rounds(book, club, done)
    for table in ("1", "2", "3", "4"):
        type_result(book, club, done, table, book.clubs.get(club).seasons[done].tables[table].seats)
    clubs.write(book, club, CloseSeason(done), at=book.clubs.get(club).step, by="olga", key=key())
    for person in ("anna", guest):
        anonymity.make_anonymous(book, person, by="olga")
    found = book.clubs.get(club)
    assert found.withdrawn_people(found.seasons[running]) == ["anna", guest]
    assert found.withdrawn_people(found.seasons[done]) == [], "what is closed stays as it is"
    drawn = season_draws.propose_draw(book, found, found.seasons[running], 1)
    assert {person for fixture in drawn.fixtures for person in fixture.seats}.isdisjoint({"anna", guest})
