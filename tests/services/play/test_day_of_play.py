"""The day on which a game was played, where that is not when it was written down."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from daybook.domain.commands import Note, SetDayOfPlay
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DayOfPlaySet
from daybook.domain.kernel.times import day_of_play_fault
from daybook.domain.league.club_events import BESIDE
from daybook.services.files import recordfile
from daybook.services.files.import_export import export_game, import_file
from daybook.services.following import projections
from daybook.services.league import result_changes
from daybook.services.play.writing import Receipt
from daybook.services.settings import Settings
from daybook.services.statistics import collect, figure_questions
from daybook.services.statistics.figure_questions import Filter, Question
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import open_seats, play_game, update_games, update_results, write
from tests.services.league.test_results import stands
from tests.services.leagues import enter_game, found_mill

pytestmark = pytest.mark.sqlite_suffices

FRIDAY, SATURDAY = "2026-03-20", "2026-03-21"


def tell(book: Daybook, game, day: str) -> Receipt:
    return write(book, game, SetDayOfPlay(day))


def test_day_of_play_is_set_at_opening_or_later_with_its_history(book):
    game = open_seats(book, recorded="notes", played_on=FRIDAY)
    assert book.games.get(game).day_of_play() == FRIDAY
    step = tell(book, game, SATURDAY).step
    write(book, game, Note(0, "from Ben's notes"))
    found = book.games.get(game)
    event = found.entries[step].event
    assert isinstance(event, DayOfPlaySet) and (event.previous_day, event.day) == (FRIDAY, SATURDAY)
    assert [found.day_of_play(at) for at in (0, step, found.step)] == [FRIDAY, SATURDAY, SATURDAY]
    tell(book, game, "")
    assert book.games.get(game).day_of_play() == ""


def test_a_game_that_says_no_day_is_written_as_before(book):
    entry = book.games.get(open_seats(book)).entries[0]
    assert b"played" not in entry.line


@pytest.mark.parametrize(
    ("day", "message"),
    [
        ("2026-02-30", "is not a day"),
        ("20260320", "is not a day"),
        ("2026-3-1", "is not a day"),
        ("yesterday", "is not a day"),
        ("1899-12-31", "is before 1900-01-01"),
        ("9999-12-31", "is still to come"),
    ],
)
def test_what_is_no_day_of_play_is_refused(book, day, message):
    with pytest.raises(Refused, match=message):
        open_seats(book, played_on=day)
    with pytest.raises(Refused, match=message):
        tell(book, open_seats(book), day)
    assert len(book.kept.games()) == 1


def test_tomorrow_has_begun_somewhere_and_the_day_after_has_not():
    now = datetime(2026, 3, 20, 23, 59, tzinfo=UTC)
    written = now.isoformat()
    assert day_of_play_fault((now + timedelta(1)).date().isoformat(), written) is None
    assert day_of_play_fault((now + timedelta(2)).date().isoformat(), written) is not None
    assert day_of_play_fault("9999-12-31", "9999-12-31T00:00:00.000Z") is None


def test_nothing_is_written_where_nothing_is_said(book):
    game = open_seats(book, played_on=FRIDAY)
    with pytest.raises(Refused, match="already says"):
        tell(book, game, FRIDAY)


def test_a_file_takes_the_day_along(book, tmp_path):
    game = open_seats(book, played_on=FRIDAY)
    tell(book, game, SATURDAY)
    content = export_game(book, game)
    header, *lines = content.splitlines(keepends=True)
    assert json.loads(header)["played_on"] == FRIDAY
    bare = recordfile.header_line(recordfile.build_bare_header(recordfile.read_header(header)))
    other = open_daybook(Settings(data=tmp_path / "other"), create=True)
    try:
        assert other.games.get(import_file(other, content)).day_of_play() == SATURDAY
        named = {**json.loads(bare), "game": None, "title": "typed"}
        said = b'{"entry": {"type": "day_of_play_set", "day": "2026-03-22", "previous_day": "2026-03-20"}}\n'
        typed = import_file(other, json.dumps(named).encode() + b"\n" + said)
        assert other.games.get(typed).day_of_play() == "2026-03-22"
        for forged in (
            header.replace(FRIDAY.encode(), SATURDAY.encode()),  # not what the sealed opening says
            json.dumps({**named, "played_on": "1812-01-01"}).encode() + b"\n",
        ):
            with pytest.raises(recordfile.BadFileError, match="played"):
                import_file(other, forged + (b"".join(lines) if b"revision" in forged else b""))
    finally:
        other.close()


@pytest.mark.both_databases
def test_results_lists_and_statistics_go_by_the_day(book):
    club = found_mill(book)
    game = play_game(book, 3)
    enter_game(book, club, BESIDE, game)
    ended = stands(book, club, BESIDE)["1"].at

    def months() -> list[str]:
        collect.count_all(book)
        return figure_questions.compute_table(book, Question("length", ("month",), Filter("making_profit"))).column(
            "month"
        )

    tell(book, game, FRIDAY)
    update_games(book)
    update_results(book)
    assert stands(book, club, BESIDE)["1"].at[:10] == FRIDAY != ended[:10]
    assert months() == [FRIDAY[:7]]
    (row,) = read_models.list_games(book.views, book.kept)
    assert (row.played_on, row.opened_at[:10]) == (FRIDAY, ended[:10])
    states = result_changes.table_history(book, book.clubs.get(club), BESIDE, "1")
    assert [state.cause for state in states] == ["entered", "dated"]
    projections.rebuild_read_models(book)
    assert (stands(book, club, BESIDE)["1"].at[:10], months()) == (FRIDAY, [FRIDAY[:7]])
