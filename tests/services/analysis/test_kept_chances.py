"""Complete win chances outlive read models: a rebuild of another version, another data folder, another year."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.commands import Reopen
from daybook.domain.games import RULESETS
from daybook.services.analysis import win_chances
from daybook.services.analysis.kept_chances import restore_chances
from daybook.services.analysis.win_chances import Analysis, analysis_of, games_due, pieces_due
from daybook.services.following import projections
from daybook.services.operation import backups
from daybook.services.play import simulate
from daybook.services.store import kept, read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import update_games, write
from tests.rows import all_rows
from tests.services.analysis.quick import make_all

pytestmark = pytest.mark.slow


@pytest.fixture
def game(book: Daybook) -> UUID:
    """A game that was analysed."""
    records = list(simulate.simulate_games(RULESETS["making_profit"], 3, 1, 1, {}))
    id = next(simulate.insert_copies(book, records, 1, simulate.demonstration_players(3, 1), 1))
    update_games(book)
    make_all(book, id)
    return id


def chances_of(book: Daybook, game_id: UUID) -> Analysis:
    return analysis_of(book, book.games.get(game_id))


def spent_rows(book: Daybook) -> list[tuple[Any, ...]]:
    return all_rows(book.views, [read_models.analysis_spent])["analysis_spent"]


def lose_views(book: Daybook) -> None:
    """Have everything rebuilt that a newer Daybook rebuilds."""
    with book.views.begin() as c:
        c.execute(read_models.views_schema.update().values(number=read_models.SCHEMA - 1))
    projections.prepare_read_models(book)


def take_up(book: Daybook, game_id: UUID) -> list[list[win_chances.Piece]]:
    """Do the follower's work; return what is still due."""
    restore_chances(book, book.games.get(game_id))
    win_chances.finish_analysis(book, book.games.get(game_id))
    return pieces_due(book, book.games.get(game_id))


def change_kept(book: Daybook, **values: Any) -> None:
    with book.kept.engine.begin() as c:
        c.execute(kept.kept_chances.update().values(**values))


def test_read_models_of_another_version_are_rebuilt_chances_kept(book, game):
    before = chances_of(book, game)
    lose_views(book)
    win_chances.find_unanalysed(book)  # as the follower does when it is started
    assert chances_of(book, game).positions == [] and games_due(book) == [game] and spent_rows(book) == []
    assert take_up(book, game) == [] and spent_rows(book) == []
    assert chances_of(book, game) == before and before.positions and before.moves and games_due(book) == []


@pytest.mark.sqlite_suffices
def test_a_restored_backup_has_them(book, game, settings, tmp_path):
    before = chances_of(book, game)
    backups.take_backup(settings, tmp_path / "copy")
    restored = replace(settings, data=tmp_path / "again")
    backups.restore_backup(tmp_path / "copy", restored)
    with closing(open_daybook(restored)) as again:
        projections.prepare_read_models(again)
        assert take_up(again, game) == [] and spent_rows(again) == [] and chances_of(again, game) == before


@pytest.mark.sqlite_suffices
@pytest.mark.parametrize(
    "values",
    [
        {"made_by": "0.0.0"},
        {"seal": "0" * 64},
        {"step": 10_000},
        {"pieces": "["},
        {"pieces": '[["position",3,1,{}]]'},
        {"pieces": '[["guess",3,1,{}]]'},
    ],
)
def test_what_is_not_of_this_record_and_version_is_made_again(book, game, values):
    lose_views(book)
    change_kept(book, **values)
    assert take_up(book, game) != [] and chances_of(book, game).positions == []


@pytest.mark.sqlite_suffices
def test_of_a_game_that_went_on_what_holds_is_taken_up(book, game):
    before = chances_of(book, game)
    write(book, game, Reopen("a slip"))
    lose_views(book)
    restore_chances(book, book.games.get(game))
    assert chances_of(book, game).positions == before.positions and chances_of(book, game).moves == before.moves
