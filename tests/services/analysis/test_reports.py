"""Luck and play over many games, checked by a second computation; and the games that a report includes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import Reopen
from daybook.domain.games import PACKAGES, RULESETS
from daybook.services.analysis import luck, positions, reports, summaries, switches, win_chances
from daybook.services.analysis.calibration import CALIBRATION_FILE, calibration_of
from daybook.services.analysis.shrinkage import shrink_chances
from daybook.services.certainty import student_quantile
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.statistics.figure_questions import Filter
from daybook.services.statistics.table import FEW
from daybook.services.statistics.visibility import show_game
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.filled import Filled, filled_once
from tests.played import update_games, write
from tests.services.analysis.quick import little_effort, make_all, name_a_move

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

GAMES = 6
ALL = Filter(practice="yes")
PUBLIC = Filter(practice="yes", readable=frozenset())


@pytest.fixture(scope="module")
def filled() -> Iterator[Filled[list[UUID]]]:
    with filled_once(analyse_games) as filled:
        yield filled


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest, filled: Filled[list[UUID]]) -> Iterator[Settings]:
    with filled.copied(settings, request) as copied:
        yield copied


@pytest.fixture
def games(settings: Settings, filled: Filled[list[UUID]]) -> list[UUID]:
    """Return analysed games of four people of whom three play."""
    return [*filled.told(settings)]


def analyse_games(settings: Settings) -> list[UUID]:
    """Into an empty daybook, with little effort."""
    with (
        pytest.MonkeyPatch.context() as patch,
        closing(open_daybook(replace(settings, win_chances_seconds_per_day=3600))) as book,
    ):
        little_effort(patch)
        records = list(simulate.simulate_games(RULESETS["making_profit"], 3, 2, 1, {}))
        ids = list(simulate.insert_copies(book, records, GAMES, simulate.demonstration_players(4, 1), 1))
        follow(book)
        for id in ids:
            make_all(book, id)
        return ids


def follow(book: Daybook) -> None:
    update_games(book)
    collect.count_all(book)


def keep_calibration(folder: Path, patch: pytest.MonkeyPatch, added: float) -> None:
    """Keep what a measuring of Making Profit came to in the folder of a package, which the game then stands in."""
    game, name = PACKAGES["making_profit"], "making_profit_measured"
    measured = calibration_of(game.ruleset)
    assert measured is not None
    package = folder / name
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / CALIBRATION_FILE).write_bytes(msgspec.json.encode(msgspec.structs.replace(measured, added=added)))
    patch.syspath_prepend(folder)
    patch.setitem(PACKAGES, game.ruleset.id, replace(game, package=name))


def known_of(book: Daybook, ids: list[UUID]) -> dict[str, list[luck.LuckAndPlay]]:
    """The parts of every game by person, from all of its positions."""
    found = defaultdict(list)
    for id in ids:
        game = book.games.get(id)
        known = {position.step: position.chances for position in win_chances.analysis_of(book, game).positions}
        for part in luck.split_luck_and_play(positions.line_steps(game), known):
            found[game.opening.seats[part.seat].person].append(part)
    return found


# --- figures ---------------------------------------------------------------------------------------------------------


def test_luck_and_play_by_person_add_up_over_the_positions(book, games):
    table = reports.luck_and_play_table(book, ALL)
    expected = known_of(book, games)
    assert table.n == GAMES and {row.key for row in table.rows} == expected.keys()
    assert {len(parts) >= FEW for parts in expected.values()} == {True, False}
    for row in table.rows:
        cells = dict(zip((heading.key for heading in table.headings), row.cells, strict=True))
        parts = expected[row.key]
        assert cells["n"] == len(parts)
        for change in luck.CHANGES:
            values = [100 * getattr(part, change) for part in parts]
            if len(parts) < FEW:
                assert cells[change] is cells[f"{change}_mean"] is cells[f"{change}_low"] is None
                continue
            reach = student_quantile(len(values) - 1) * stdev(values) / len(values) ** 0.5
            assert cells[change] == pytest.approx(sum(values), abs=0.02)
            assert cells[f"{change}_mean"] == pytest.approx(mean(values), abs=0.02)
            assert cells[f"{change}_low"] == pytest.approx(mean(values) - reach, abs=0.02)
            assert cells[f"{change}_high"] == pytest.approx(mean(values) + reach, abs=0.02)
    played = [row.cells[7] for row in table.rows if row.cells[7] is not None]
    assert played == sorted(played, reverse=True)


def test_people_who_were_merged_are_one(book, games):
    one, other = sorted(known_of(book, games))[:2]
    both = sum(len(known_of(book, games)[person]) for person in (one, other))
    rows = {
        row.key: row.n
        for row in reports.luck_and_play_table(book, msgspec.structs.replace(ALL, same={other: one})).rows
    }
    assert rows[one] == both and other not in rows


def test_the_dearest_moves_come_first_with_what_was_better(book, games):
    named = {id: name_a_move(book, id, 0.1 * number) for number, id in enumerate(games, 1)}
    rows, dearest = reports.costly_moves_table(book, ALL).rows, named[games[-1]].weighed
    assert [(row.game, row.step) for row in rows] == [(id, named[id].step) for id in reversed(games)]
    assert rows[0].cells[3:] == (
        dearest.seat,
        dearest.played,
        dearest.better,
        10.0 * GAMES,
        5.0 * GAMES,
        pytest.approx(15.0 * GAMES),
    )
    assert rows[0].cells[2] == book.games.get(games[-1]).opening.seats[dearest.seat].person
    assert len(reports.costly_moves_table(book, ALL, limit=1).rows) == 1


def test_the_largest_swings_are_those_of_all_positions(book, games):
    found = []
    for id in games:
        shares = [position.chances.shares for position in win_chances.analysis_of(book, book.games.get(id)).positions]
        largest = sorted((max(abs(b - a) for a, b in zip(*two, strict=True)) for two in pairwise(shares)), reverse=True)
        found += [size for size in largest if size >= summaries.LEAST_SWING][: summaries.MAX_SWINGS]
    rows = reports.turning_points_table(book, ALL, limit=1_000).rows
    assert [abs(row.cells[4]) for row in rows] == pytest.approx(
        sorted((100 * size for size in found), reverse=True), abs=0.02
    )
    for row in rows[:5]:
        assert row.game is not None and row.step in book.games.get(row.game).line()
        assert row.cells[5] <= row.step and row.cells[6] in luck.CHANGES


# --- of which games --------------------------------------------------------------------------------------------------


def told_of(book: Daybook, filters: Filter) -> set[UUID | None]:
    """Return the games that have moments, and as many as the summary counts."""
    tables = reports.costly_moves_table(book, filters, 1_000), reports.turning_points_table(book, filters, 1_000)
    assert {table.n for table in tables} == {reports.luck_and_play_table(book, filters).n}
    return {row.game for table in tables for row in table.rows}


def due_anew(book: Daybook) -> set[UUID]:
    """Return what is due once a follower has started."""
    win_chances.find_unanalysed(book)
    return set(win_chances.games_due(book, 100))


def test_game_not_analysed_is_named_until_a_worker_did_it(book, games):
    with book.views.begin() as c:
        for table in (read_models.analysed_game, read_models.analysed_seat, read_models.analysed_moment):
            c.execute(table.delete().where(table.c.game == games[0]))
    assert reports.count_analysed(book, ALL) == reports.AnalysedGames(GAMES, GAMES - 1, 0)
    assert due_anew(book) == {games[0]}
    win_chances.finish_analysis(book, book.games.get(games[0]))
    assert reports.count_analysed(book, ALL) == reports.AnalysedGames(GAMES, GAMES, 0)


def test_rows_that_another_version_kept_are_made_again(book, games, monkeypatch):
    before = reports.luck_and_play_table(book, ALL)
    monkeypatch.setattr(summaries, "REVISION", summaries.REVISION + 1)
    assert reports.luck_and_play_table(book, ALL).rows == () and due_anew(book) == {*games}
    for id in games:
        win_chances.finish_analysis(book, book.games.get(id))
    assert reports.luck_and_play_table(book, ALL) == before and win_chances.games_due(book) == []


def test_what_is_counted_in_changes_what_is_shown_and_summed_up(book, games, tmp_path, monkeypatch):
    """Each position is drawn towards even shares, and no piece is made again for it."""
    game = book.games.get(games[0])
    keep_calibration(tmp_path, monkeypatch, added=0.0)
    for id in games:
        win_chances.finish_analysis(book, book.games.get(id))
    before = {item.step: item.chances for item in win_chances.analysis_of(book, game).positions}
    rows = reports.luck_and_play_table(book, ALL).rows
    keep_calibration(tmp_path, monkeypatch, added=5.0)
    shown = {position.step: position.chances for position in win_chances.analysis_of(book, game).positions}
    assert shown == {step: shrink_chances(found, 5.0) for step, found in before.items()} and shown != before
    assert due_anew(book) == {*games} and win_chances.pieces_due(book, game) == []
    for id in games:
        win_chances.finish_analysis(book, book.games.get(id))
    assert reports.luck_and_play_table(book, ALL).rows != rows
    test_luck_and_play_by_person_add_up_over_the_positions(book, games)


def test_a_game_that_was_opened_again_is_told_by_nobody(book, games):
    name_a_move(book, games[0], 0.9)
    assert games[0] in told_of(book, ALL)
    write(book, games[0], Reopen("a slip"))
    update_games(book)  # and it was not counted again yet
    assert games[0] not in told_of(book, ALL) and reports.luck_and_play_table(book, ALL).n == GAMES - 1
    follow(book)
    assert reports.count_analysed(book, ALL) == reports.AnalysedGames(GAMES - 1, GAMES - 1, 0)


@pytest.mark.both_databases
def test_a_game_whose_group_wants_none_is_left_out(book, games):
    name_a_move(book, games[0], 0.9)
    switches.switch_chances(book, games[0], False)
    assert games[0] not in told_of(book, ALL)
    assert reports.count_analysed(book, ALL) == reports.AnalysedGames(GAMES, GAMES - 1, 1)
    switches.switch_chances(book, games[0], True)
    assert games[0] in told_of(book, ALL)


def test_a_private_game_is_told_to_who_may_read_it(book, games):
    name_a_move(book, games[0], 0.9)
    show_game(book, games[0], False)
    assert games[0] not in told_of(book, PUBLIC) and reports.count_analysed(book, PUBLIC).known == GAMES - 1
    mine = msgspec.structs.replace(PUBLIC, readable=frozenset({games[0]}))
    assert games[0] in told_of(book, mine) and reports.count_analysed(book, mine).known == GAMES


def test_practice_games_count_where_they_are_asked_for(book, games):
    assert reports.luck_and_play_table(book, Filter()).rows == () and told_of(book, Filter()) == set()


def test_a_service_that_reckons_none_tells_none(book, games, settings):
    without = open_daybook(replace(settings, win_chances_seconds_per_day=0))
    try:
        assert reports.luck_and_play_table(without, ALL).rows == () and told_of(without, ALL) == set()
    finally:
        without.close()
