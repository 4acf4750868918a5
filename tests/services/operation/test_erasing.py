"""Erasing games and clubs: what goes, what stays, and that live rows and rebuilt rows are the same afterwards."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from eventsourcing.persistence import StoredEvent

from daybook.domain.commands import Note
from daybook.domain.league.club_commands import EnterResult, RenameClub
from daybook.domain.league.club_events import BESIDE
from daybook.services.clock import now
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.verify import verify_game
from daybook.services.following import game_rows, projections
from daybook.services.following.projections import BatchProjector, catch_up, prepare_read_models, rebuild_read_models
from daybook.services.league import clubs, ratings, results
from daybook.services.names import BadNameError
from daybook.services.operation import backups, broken_off, erasing, stranger_files
from daybook.services.operation.usage import measure_usage
from daybook.services.people import anonymise, byte_limits
from daybook.services.people.photos import Photo, store_photo
from daybook.services.permissions import access
from daybook.services.play.writing import Conflict
from daybook.services.statistics import collect, month_sums, person_sums
from daybook.services.store import read_models, set_aside
from daybook.services.store.daybook import KEPT, Daybook, open_daybook
from daybook.services.store.kept import kept_person
from daybook.services.store.log import RecordErasedError, UnknownClubError, UnknownGameError
from daybook.workers.follower import write_ended
from tests.played import key, open_table_of, play, play_game, write
from tests.rows import all_rows
from tests.services.fixture_files import file_of, played_game
from tests.services.leagues import enter_game, found_mill, places_of

pytestmark = pytest.mark.sqlite_suffices  # but for those in which rows of both stores are removed

KILLED = KeyboardInterrupt  # nothing catches it, as nothing catches kill -9
COMPARED = (
    *read_models.FROM_LOG,
    *read_models.RESULTS,
    *read_models.COUNTED,
    read_models.uncounted_game,
    read_models.rating_row,
)


def scores() -> projections.Projection:
    """Notes the periods that ended, as the follower does."""
    fold = lambda events: {read_models.unscored_period: game_rows.period_end_rows(events)}  # noqa: E731
    return projections.Projection(projections.SCORES, fold, write_ended)


def follow(book: Daybook) -> None:
    """Bring all read models up to date, jobs included."""
    for projection in (projections.games_projection(book), projections.results_projection(book), scores()):
        catch_up(book, projection)
    for page in read_models.periods_without_score(book.views):
        for _, game, step in page:
            projections.period_scores.store_scores(book, game, step)
    collect.count_all(book)
    for club in ratings.list_stale_clubs(book):
        ratings.rate_club(book, club)


def assert_rebuild_changes_nothing(book: Daybook) -> None:
    live = all_rows(book.views, COMPARED)
    rebuild_read_models(book)
    collect.count_all(book)
    assert all_rows(book.views, COMPARED) == live


def traces(book: Daybook, game_id: UUID) -> list[str]:
    """The tables that have a row with this id in any column."""
    found = []
    for engine, tables in ((book.views, read_models.metadata.sorted_tables), (book.kept.engine, KEPT)):
        with engine.connect() as c:
            for table in tables:
                if table is read_models.read_from:  # it says where a follower is
                    continue
                rows = c.execute(sa.select(table)).all()
                if any(str(game_id) in map(str, row) for row in rows):
                    found.append(table.name)
    return found


def rating_rows(book: Daybook) -> list[tuple[Any, ...]]:
    return all_rows(book.views, [read_models.rating_row])["rating_row"]


def enter(book: Daybook, club: UUID, game: UUID) -> None:
    enter_game(book, club, BESIDE, game)


# --- games -----------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_erased_game_leaves_no_row_and_rebuild_agrees(book):
    kept, gone = play_game(book, 1, names="Anna Ben"), play_game(book, 1, names="Rude Word", public=True)
    access.make_first_grants(book, gone)
    store_photo(book, gone, Photo("f" * 64, 1, 1, b"jpeg"))
    follow(book)
    before = all_rows(book.views, COMPARED)
    tombstone = erasing.erase_record(book, gone, "spam")
    follow(book)
    assert (tombstone.by, tombstone.why, tombstone.entries) == (
        "operator",
        "spam",
        len(book.log.positions(gone)) and tombstone.step,
    )
    assert traces(book, gone) == []
    names = set(book.kept.engine.values(sa.select(kept_person.c.name)))
    assert names == {"Anna", "Ben"}
    after = all_rows(book.views, COMPARED)
    for table, rows in after.items():
        assert rows == [row for row in before[table] if gone not in row], table
    assert_rebuild_changes_nothing(book)
    assert book.games.get(kept).status == "closed"


def test_erased_names_are_in_no_file(book):
    gone = play_game(book, 1, names="Zyzzyva Quixotic", title="Vexing title")
    follow(book)
    erasing.erase_record(book, gone, "spam")
    words = (b"Zyzzyva", b"Quixotic", b"Vexing")
    files = [file for file in book.settings.data.rglob("*") if file.is_file()]
    assert [(file.name, word) for file in files for word in words if word in file.read_bytes()] == []


def test_erased_game_is_unknown_to_every_reader(book):
    game = play_game(book, 1)
    erasing.erase_record(book, game, "asked for")
    for read in (book.games.get, lambda id: export_game(book, id), lambda id: write(book, id, Note(0, "x"))):
        with pytest.raises(UnknownGameError, match="asked for"):
            read(game)
    assert book.games.find(game) is None
    assert game not in book.log.game_ids()


def test_erased_game_again_is_erased_once(book):
    game = play_game(book, 1)
    first = erasing.erase_record(book, game, "one")
    assert erasing.erase_record(book, game, "two") == first
    assert len(book.log.tombstones()) == 1


def test_unknown_id_and_empty_reason_are_refused(book):
    with pytest.raises(UnknownGameError):
        erasing.erase_record(book, uuid4(), "why")
    game = open_table_of(book)
    with pytest.raises(BadNameError):
        erasing.erase_record(book, game, " ")
    assert book.games.get(game).step == 0


def test_game_of_unknown_rules_can_be_erased(book):
    from tests.services.following.test_projections import poison

    open_table_of(book)
    game = poison(book)
    erasing.erase_record(book, game, "unreadable")
    follow(book)
    assert set_aside.select_all(book.views) == []
    assert_rebuild_changes_nothing(book)


@pytest.mark.both_databases
def test_game_set_aside_and_then_erased_is_no_longer_aside(book):
    from tests.services.following.test_projections import poison

    open_table_of(book)
    game = poison(book)
    follow(book)
    assert {row.id for row in set_aside.select_all(book.views)} == {game}
    erasing.erase_record(book, game, "unreadable")
    follow(book)
    assert set_aside.select_all(book.views) == []


def test_import_of_erased_game_is_refused(book):
    game = play_game(book, 1)
    content = export_game(book, game)
    erasing.erase_record(book, game, "spam")
    with pytest.raises(RecordErasedError, match="spam"):
        import_file(book, content)
    assert traces(book, game) == []


@pytest.mark.both_databases
def test_recorder_with_cached_game_is_refused(book, settings):
    with closing(open_daybook(settings)) as other:
        game = open_table_of(book)
        play(other, game, 3, seed=1)
        stale = other.games.get(game)
        erasing.erase_record(book, game, "spam")
        with pytest.raises(UnknownGameError):
            play(other, game, 1, seed=1)
        with pytest.raises(RecordErasedError):
            other.games.append(stale, stale.entries[-1:])
        assert traces(book, game) == []


# --- clubs -----------------------------------------------------------------------------------------------------------


def test_play_of_erased_game_keeps_people_and_scores(book):
    club = found_mill(book)
    for seed in (1, 2):
        enter(book, club, play_game(book, seed))
    gone = UUID(next(iter(book.clubs.get(club).games)))
    follow(book)
    before = [(result.at, result.placed) for result in results.club_results(book, book.clubs.get(club))]
    rated = rating_rows(book)
    erasing.erase_record(book, gone, "spam")
    follow(book)
    now = results.club_results(book, book.clubs.get(club))
    assert [(result.at, result.placed) for result in now] == before
    assert {result.game for result in now} == {None, *book.clubs.get(club).games}
    assert [rating[-2:] for rating in rating_rows(book)] == [rating[-2:] for rating in rated] != []
    assert_rebuild_changes_nothing(book)


def test_running_game_of_club_leaves_table_without_result(book):
    club, game = found_mill(book), open_table_of(book)
    enter(book, club, game)
    erasing.erase_record(book, game, "spam")
    follow(book)
    assert book.clubs.get(club).games == {}
    assert results.club_results(book, book.clubs.get(club)) == []
    assert_rebuild_changes_nothing(book)


@pytest.mark.both_databases
def test_erased_club_leaves_no_row_and_games_stay(book, settings):
    club, game = found_mill(book), play_game(book, 1)
    enter(book, club, game)
    typed = EnterResult(BESIDE, "making_profit", places_of("anna", "ben"))
    clubs.write(book, club, typed, by="sam", key=key())
    follow(book)
    assert len(all_rows(book.views, [read_models.seat_summary])["seat_summary"]) == 5
    with closing(open_daybook(settings)) as other:
        assert other.clubs.get(club).name == "The Mill"
        erasing.erase_record(book, club, "asked for")
        for item in (book, other):
            with pytest.raises(UnknownClubError, match="asked for"):
                item.clubs.get(club)
            assert item.clubs.all() == [] and item.clubs.cards() == {}
            with pytest.raises(UnknownClubError):
                clubs.write(item, club, RenameClub("New"), by="olga", key=key())
    follow(book)
    assert traces(book, club) == []
    assert "Olga" not in book.kept.engine.values(sa.select(kept_person.c.name))
    assert len(all_rows(book.views, [read_models.seat_summary])["seat_summary"]) == 3
    assert_rebuild_changes_nothing(book)
    assert book.games.get(game).status == "closed"


# --- followers -------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("behind", "batch"), [(0, 500), (2, 1), (60, 3)])
def test_follower_that_is_behind_ends_with_the_same_rows(book, batch, behind):
    """It stops before, in the middle of, or after the erased game's lines, and goes on after they are gone."""
    open_table_of(book, names="Anna Ben")
    game = play_game(book, 1)
    open_table_of(book, names="Cleo Dan")
    made = [projections.games_projection(book), projections.results_projection(book), scores()]
    for projection in made:
        projector = BatchProjector(book, projection, limit=behind or 1)
        for _ in range(1 if behind else 0):
            projector.process_batch()
    erasing.erase_record(book, game, "spam")
    for projection in made:
        projector = BatchProjector(book, projection, pause=lambda seconds: None, limit=batch)
        while projector.process_batch():
            pass
    prepare_read_models(book, lambda done, total: pytest.fail("the rows are of this log: nothing is rebuilt"))
    assert traces(book, game) == [] and set_aside.select_all(book.views) == []
    follow(book)
    assert_rebuild_changes_nothing(book)


@pytest.mark.both_databases
def test_rows_written_by_a_late_job_are_swept(book):
    game = play_game(book, 1)
    follow(book)
    late = collect.rows_of(book.games.get(game), 1, False)
    folded = book.games.get(game)
    erasing.erase_record(book, game, "spam")
    follow(book)
    with book.views.begin() as connection:  # a job that read the game before it was erased
        collect.write_rows(connection, folded, late)
    assert traces(book, game) != []
    broken_off.complete_interrupted(book, now())
    assert traces(book, game) == []


@pytest.mark.both_databases
def test_game_erased_during_a_rebuild_has_no_rows(book, monkeypatch):
    games = [play_game(book, seed, names="Anna Ben") for seed in (1, 1, 1)]
    lay, erased = projections.insert_games, []

    def lay_then_erase(of: Daybook, ids: Any, end: int) -> Any:
        left_out = lay(of, ids, end=end)
        if not erased:
            erased.append(games[1])
            erasing.erase_record(book, games[1], "spam")
            play_game(book, 1, names="Anna Ben")
        return left_out

    monkeypatch.setattr(projections, "insert_games", lay_then_erase)
    rebuild_read_models(book)
    monkeypatch.undo()
    follow(book)
    assert traces(book, games[1]) == [] and erased
    assert_rebuild_changes_nothing(book)


# --- broken off ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where", ["_keep_plays", "_remove_kept", "remove_games", "_forget_people", "remove_lines", "rmtree"]
)
def test_erasing_killed_on_the_way_is_finished_later(book, monkeypatch, where):
    club, game = found_mill(book), play_game(book, 1)
    enter(book, club, game)
    follow(book)
    places = {"remove_lines": book.log, "rmtree": erasing.shutil, "remove_games": read_models}
    place = places.get(where, erasing)

    def killed(*args: Any, **kwargs: Any) -> None:
        raise KILLED

    monkeypatch.setattr(place, where, killed)
    with pytest.raises(KILLED):
        erasing.erase_record(book, game, "spam")
    monkeypatch.undo()
    with pytest.raises(RecordErasedError):
        book.games.get(game)
    with suppress(Conflict):
        follow(book)
    broken_off.complete_interrupted(book)
    follow(book)
    assert set(traces(book, game)) <= {"club_game"}
    assert [result.game for result in results.club_results(book, book.clubs.get(club))] == [None]
    assert len(book.log.positions(game)) == 1
    assert_rebuild_changes_nothing(book)


def test_mentions_of_person_pass_over_game_erased_meanwhile(book):
    game = open_table_of(book, names="Anna Ben")
    person = book.games.get(game).opening.seats[0].person
    write(book, game, Note(0, "Anna sighs"))
    assert len(anonymise.find_mentions(book, [person])) == 1
    erasing.append_tombstone(book, game, "spam")
    assert anonymise.find_mentions(book, [person]) == []


def test_every_kept_column_with_an_id_of_a_record_is_known():
    """A new kept table cannot be forgotten: its ids are among the columns that are erased."""
    handled = {"kept_game.id", "kept_game.replaced_by", "kept_without_chances.id"}
    for table in KEPT:
        handled |= {f"{table.name}.{column.name}" for column in erasing.record_columns(table)}
    there = {f"{table.name}.{column.name}" for table in KEPT for column in table.c if isinstance(column.type, sa.Uuid)}
    assert there == handled


def test_verify_of_erased_game_says_erased(book):
    game = play_game(book, 1)
    seal = book.games.get(game).seal
    erasing.erase_record(book, game, "spam")
    check = verify_game(book, game)
    assert not check.intact and "erased" in check.message and check.seal == seal
    assert verify_game(book, game, seal[:16]).received == check.steps - 1


# --- backups, doctor, other stores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("remove", [True, False])
def test_backup_with_tombstones_is_sound_and_restored(book, settings, tmp_path, remove):
    open_table_of(book)
    gone, club = play_game(book, 1), found_mill(book)
    if remove:
        erasing.erase_record(book, gone, "spam")
        erasing.erase_record(book, club, "spam")
    else:  # killed right after the tombstone
        erasing.append_tombstone(book, gone, "spam")
        erasing.append_tombstone(book, club, "spam")
    taken = backups.take_backup(settings, tmp_path / "backup")
    assert (taken.found.games, taken.found.clubs, taken.found.erased, taken.found.broken) == (1, 0, 2, [])
    again = replace(settings, data=tmp_path / "again")
    backups.restore_backup(tmp_path / "backup", again)
    with closing(open_daybook(again, create=True)) as restored:
        broken_off.complete_interrupted(restored)
        follow(restored)
        assert [len(restored.log.positions(id)) for id in (gone, club)] == [1, 1]
        assert traces(restored, gone) == [] == traces(restored, club)


def test_backup_with_forged_tombstone_is_refused(book, settings, tmp_path):
    game = play_game(book, 1)
    last = book.log.last_event(game)
    version, line = last.originator_version, book.log.line_of(last)
    stone = erasing.make_tombstone(uuid4(), version, line, "forged", erasing.Written(now(), "operator", "forged"))
    forged = StoredEvent(game, version + 1, "game_erased", stone.line)
    book.log.recorder.insert_events([forged])
    book.log.remove_lines(game)
    assert backups.take_backup(settings, tmp_path / "backup").found.broken != []


def test_game_from_an_older_backup_is_erased_again(book, settings, tmp_path):
    game = play_game(book, 1)
    backups.take_backup(settings, tmp_path / "backup")
    erasing.erase_record(book, game, "spam")
    again = replace(settings, data=tmp_path / "again")
    backups.restore_backup(tmp_path / "backup", again)
    with closing(open_daybook(again, create=True)) as restored:
        assert restored.games.get(game).status == "closed"
        erasing.erase_record(restored, game, "spam again")
        assert traces(restored, game) == []


def test_statistics_after_erasing_are_those_without_the_game(book):
    play_game(book, 1, names="Anna Ben", public=True)
    gone = play_game(book, 2, names="Anna Ben", public=True)
    follow(book)
    with book.views.begin() as connection:
        before = connection.execute(sa.select(read_models.figures_version)).all()
    erasing.erase_record(book, gone, "spam")
    follow(book)
    with book.views.begin() as connection:
        after = connection.execute(sa.select(read_models.figures_version)).all()
        assert after != before, "what was answered of this stretch is answered again"
        assert connection.scalar(sa.select(sa.func.count()).select_from(read_models.seat_summary)) == 2


@pytest.mark.both_databases
def test_erased_game_leaves_no_sums_of_months_or_people(book, monkeypatch):
    monkeypatch.setattr(month_sums, "MIN_GAMES", 1)
    play_game(book, 1, names="Anna Ben", public=True)
    gone = play_game(book, 2, names="Rude Word", public=True)
    people = {seat.person for seat in book.games.get(gone).opening.seats}
    follow(book)
    for ruleset_id, month in month_sums.find_unsummed(book):
        month_sums.sum_month(book, ruleset_id, month)
    for ruleset_id, group in person_sums.find_unsummed(book):
        person_sums.sum_people(book, ruleset_id, group)
    summed_people = sa.select(read_models.person_sum.c.person).distinct()
    assert people < {*book.views.values(summed_people)}
    erasing.erase_record(book, gone, "spam")
    assert people.isdisjoint(book.views.values(summed_people))
    assert book.views.values(sa.select(read_models.figure_sum.c.month)) == []
    assert month_sums.find_unsummed(book) != []


@pytest.mark.both_databases
def test_strangers_game_is_erased_and_counted_on_both_databases(book, settings):
    game = import_file(book, file_of(played_game(1, limit=10)), stranger="strangers")
    counts = byte_limits.ByteCounts()
    counts.add(book, ["strangers", "link x"], {"records": 40_000, "photo_bytes": 50_000})
    counts.add(book, ["strangers"], {"records": 40_000})
    assert ("strangers", "records", 80_000) in byte_limits.stored_since(book, 1)
    byte_limits.require_room(book, ["strangers"], 1_000)
    with pytest.raises(byte_limits.TooManyBytesError):
        byte_limits.require_room(book, ["strangers", "link x"], 200_000_000)
    assert measure_usage(book).brought_in > 0 and measure_usage(book).stores != []
    assert [file.about for file in stranger_files.erase_before(book, "9999", "spam")] == [str(game)]
    assert book.log.is_erased(game) and measure_usage(book).brought_in == 0
