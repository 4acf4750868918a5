"""Clubs share the event log with games, and a list of games has no club."""

from __future__ import annotations

from threading import Thread
from uuid import uuid4

import pytest
from eventsourcing.persistence import StoredEvent

from daybook.domain.kernel.chronicle import InvalidLineError, Written
from daybook.domain.league.club import Club, fold_club, founding_entry
from daybook.domain.league.club_events import ClubEntry, ClubRenamed, MemberJoined
from daybook.domain.league.event_checks import checked_entry
from daybook.services.files.import_export import RecordsDivergeError, export_game, import_file
from daybook.services.following import projections
from daybook.services.following.projections import BatchProjector, games_projection, rebuild_read_models
from daybook.services.store import read_models
from daybook.services.store.folded_cache import Clubs
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.log import AlreadyWrittenError, club_entries_in, game_entries_in
from tests.domain.league.clubs import at
from tests.played import open_table_of, play
from tests.reads import count_reads
from tests.rows import all_rows


def club_of(renamed: int = 2) -> Club:
    id = uuid4()
    club = fold_club(id, [founding_entry(id, "The Mill", "olga", Written(at(0), "olga", "k0"))])
    for number in range(1, renamed + 1):
        club = club.then(
            checked_entry(
                club, ClubRenamed(name=f"The Mill {number}", **club.next(Written(at(number), "olga", f"k{number}")))
            )
        )
    return club


def test_a_club_is_read_as_it_was_written(log):
    club = club_of()
    log.append(*club.entries)
    assert log.club_entries(club.id) == club.entries and log.club_entries(club.id, 2) == club.entries[2:]
    assert log.club_ids() == [club.id] and log.game_ids() == []
    assert [entry for _, entry in log.since(0)] == club.entries


def test_games_and_clubs_are_told_apart(book):
    club, game = club_of(), open_table_of(book)
    book.log.append(*club.entries)
    play(book, game, 5, seed=1)
    assert book.log.game_ids() == [game] and book.log.club_ids() == [club.id]
    assert book.log.entries(club.id) == [] and book.log.club_entries(game) == []
    seen = book.log.since(0)
    assert [entry for _, entry in club_entries_in(seen)] == club.entries
    assert [entry for _, entry in game_entries_in(seen)] == book.log.entries(game)
    with pytest.raises(UnknownGameError):
        book.games.get(club.id)


def test_two_who_write_the_same_step_of_a_club_do_not_both(log):
    club = club_of(1)
    log.append(*club.entries)
    log.append(club_next(club, "one"))
    with pytest.raises(AlreadyWrittenError):
        log.append(club_next(club, "two"))


def club_next(club: Club, name: str) -> ClubEntry:
    return checked_entry(club, ClubRenamed(name=name, **club.next(Written(at(30), "olga", name))))


def test_followers_of_games_pass_clubs_by_and_reach_the_end(book):
    game = open_table_of(book)
    book.log.append(*club_of().entries)
    play(book, game, 30, seed=1)
    book.log.append(*club_of().entries)
    for limit in (1, 500):
        projector = BatchProjector(book, games_projection(book), limit=limit)
        while projector.process_batch():
            pass
        assert projector.position == book.log.newest()
    before = all_rows(book.views)["game_row"]
    assert len(before) == 1
    rebuild_read_models(book)
    assert all_rows(book.views)["game_row"] == before
    assert {read_models.position_of(book.views, name) for name in (projections.GAMES, projections.SCORES)} == {
        book.log.newest()
    }


def test_a_record_file_does_not_take_the_place_of_a_club(book):
    game = open_table_of(book)
    club = club_of()
    book.log.append(*club.entries)
    data = export_game(book, game).replace(str(game).encode(), str(club.id).encode())
    with pytest.raises(RecordsDivergeError):
        import_file(book, data)
    assert book.log.club_entries(club.id) == club.entries and book.kept.game(club.id) is None


def test_clubs_founded_anywhere_are_found(book):
    first, game = club_of(), open_table_of(book)
    assert book.clubs.all() == []
    book.log.append(*first.entries)  # by another process
    play(book, game, 3, seed=1)
    second = club_of(0)
    book.log.append(*second.entries)
    assert [club.id for club in book.clubs.all()] == [first.id, second.id] == book.log.club_ids()
    book.log.append(club_next(first, "The Forge"))
    assert [club.name for club in book.clubs.all()] == ["The Forge", "The Mill"]


# --- what a process knows, and what it does not know yet ---


@pytest.mark.parametrize("size", [200, 1])
def test_clubs_are_current_however_many_are_kept_at_hand(book, size):
    """The cache takes in writes of other processes, for clubs in it and for others."""
    game = open_table_of(book)
    mine, beside = Clubs(book.log, size), Clubs(book.log)
    clubs = [club_of(0) for _ in range(3)]
    for club in clubs:
        beside.append(club.entries)
    assert [club.id for club in mine.all()] == [club.id for club in clubs]
    for number, club in enumerate(clubs):
        beside.append([club_next(club, f"The Forge {number}")])
        play(book, game, number + 2, seed=number + 1)
        assert mine.get(club.id).name == f"The Forge {number}" == beside.get(club.id).name
    assert [club.name for club in mine.all()] == [club.name for club in beside.all()]
    with count_reads(book) as reads:
        assert mine.get(clubs[2].id).name == "The Forge 2"
    assert len(reads.log) == 1


def test_many_threads_see_a_club_grow_and_never_shrink(book):
    """Threads that take news in at the same time, out of order, all end at what the log has."""
    club = club_of(0)
    book.clubs.append(club.entries)
    seen: list[list[int]] = []

    def look() -> None:
        steps = [book.clubs.get(club.id).step for _ in range(40)]
        seen.append(steps)

    threads = [Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(20):
        grown = checked_entry(
            club, ClubRenamed(name=f"{number}", **club.next(Written(at(number + 1), "olga", f"k{number}")))
        )
        book.log.append(grown)
        club = club.then(grown)
    for thread in threads:
        thread.join()
    assert len(seen) == 4 and all(steps == sorted(steps) for steps in seen)
    assert book.clubs.get(club.id).step == club.step == 20


def test_club_written_by_a_newer_version_is_left_out(book, caplog):
    """Its roles give no rights from earlier entries."""
    club, other = club_of(0), club_of(0)
    book.clubs.append(club.entries)
    book.clubs.append(other.entries)
    assert len(book.clubs.all()) == 2
    line = club_next(club, "The Forge").line.replace(b'"club_renamed"', b'"club_dissolved"')
    book.log.recorder.insert_events([StoredEvent(club.id, 2, "club_dissolved", line)])
    for _ in range(3):
        assert [locator.id for locator in book.clubs.all()] == [other.id]
    assert caplog.text.count(f"club {club.id} is left out") == 1, "it is read, and told, once"
    with pytest.raises(InvalidLineError):
        book.clubs.get(club.id)


def test_clubs_beyond_the_cache_are_not_read_to_find_members(book):
    """Every first page asks that of all of them."""
    few = Clubs(book.log, 2)
    all_of = [club_of() for _ in range(5)]
    for club in all_of:
        book.log.append(*club.entries)
    assert [*few.cards()] == [club.id for club in all_of] and len(few.with_people(["olga"])) == 5
    anna = all_of[3].then(
        checked_entry(
            all_of[3], MemberJoined(person="anna", roles=(), **all_of[3].next(Written(at(9), "olga", "joined")))
        )
    )
    book.log.append(anna.entries[-1])
    assert few.with_people(["anna"]) == few.readable_among([anna.id]) and few.with_people(["nobody"]) == []
    with count_reads(book) as reads:
        assert [card.name for card in few.cards().values()] == ["The Mill 2"] * 5
        assert [club.id for club in few.with_people(["anna", "nobody"])] == [anna.id]
    assert len(reads.log) <= 3, "what is new, and nothing of the clubs"


def test_a_club_that_is_held_goes_on_with_its_card(book):
    clubs = Clubs(book.log)
    club = club_of(0)
    book.log.append(*club.entries)
    assert clubs.cards()[club.id].name == "The Mill" and clubs.with_people(["zoe"]) == []
    for said in (
        ClubRenamed(name="The Loom", **club.next(Written(at(1), "olga", "name"))),
        MemberJoined(person="zoe", roles=(), **club.next(Written(at(2), "olga", "zoe")) | {"step": 2}),
    ):
        club = club.then(checked_entry(club, said))
        book.log.append(club.entries[-1])
    assert clubs.cards()[club.id].name == "The Loom" and [person.id for person in clubs.with_people(["zoe"])] == [
        club.id
    ]
