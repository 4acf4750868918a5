"""Period scores: worked out from the board as it lay when the period ended, whenever that is done."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import Abandon, Adjust, Close, Note, Reopen, TakeBack
from daybook.domain.kernel.events import BoardStep, GameClosed
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.terms import Score
from daybook.services.play.period_scores import (
    FINAL,
    NothingEndedError,
    PeriodScore,
    periods_ended,
    score_rows,
    score_sheets,
    store_scores,
)
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from tests.played import open_table_of, play, play_game, until_ended, write
from tests.rows import all_rows

pytestmark = pytest.mark.sqlite_suffices


def score_all(book: Daybook, game_id: UUID) -> None:
    for entry in book.games.get(game_id).entries:
        if periods_ended(entry.event):
            store_scores(book, game_id, entry.step)


def rows(book: Daybook) -> list[tuple[Any, ...]]:
    return all_rows(book.views, [read_models.period_score])["period_score"]


def test_each_period_is_scored_from_the_board_at_its_end(book):
    id = play_game(book, 1)
    game = book.games.get(id)
    scores = {sheet.step: sheet.scores for sheet in score_sheets(book, book.games.get(id))}
    for entry, document in documents_after(game.entries):
        if isinstance(entry.event, BoardStep) and entry.event.closed_periods:
            board = game.ruleset.typed_board(msgspec.json.decode(msgspec.json.encode(document)), game.table)
            assert scores[entry.step] == list(game.ruleset.scoring.standing(board))


def standing_at(game: Game, step: int) -> tuple[Score, ...]:
    rules = game.ruleset
    return rules.scoring.standing(rules.typed_board(game.document_at(step), game.table))


def test_score_has_each_seats_lines_rank_and_the_rounds_gain(book):
    id = play_game(book, 2)
    game = book.games.get(id)
    *rounds, final = score_sheets(book, book.games.get(id))
    assert [(sheet.period, sheet.number) for sheet in rounds] == [("round", n + 1) for n in range(len(rounds))]
    for seat in range(3):
        brought = sum(sheet.change[seat] for sheet in rounds)
        assert brought == final.scores[seat].total - standing_at(game, 0)[seat].total
    for sheet in rounds[:-1]:
        totals = [score.total for score in sheet.scores]
        assert sheet.ranks == [1 + sum(other > total for other in totals) for total in totals]
        assert sheet.outcome is None


def test_a_closed_game_has_a_final_score_with_its_outcome(book):
    id = play_game(book, 3)
    game, final = book.games.get(id), score_sheets(book, book.games.get(id))[-1]
    closed = game.entries[final.step].event
    assert isinstance(closed, GameClosed)
    assert (final.period, final.number, final.final) == (FINAL, 1, True)
    assert final.ranks == closed.ranks
    assert [score.total for score in final.scores] == closed.totals
    assert final.outcome == game.ruleset.scoring.outcome(game.board)
    assert final.outcome is not None
    assert final.change == [0, 0, 0]


def test_score_can_be_read_before_a_worker_has_written_it(book):
    id = play_game(book, 4)
    before = score_sheets(book, book.games.get(id))
    assert not any(sheet.settled for sheet in before)
    score_all(book, id)
    after = score_sheets(book, book.games.get(id))
    assert all(sheet.settled for sheet in after)
    assert [msgspec.structs.replace(sheet, settled=True) for sheet in before] == after


def test_the_same_score_written_twice_changes_nothing(book):
    id = play_game(book, 5)
    score_all(book, id)
    first = rows(book)
    assert len(first) == len(score_sheets(book, book.games.get(id)))
    score_all(book, id)
    assert rows(book) == first


def test_a_score_written_late_is_the_one_written_at_once(book):
    id = open_table_of(book)
    (first,) = until_ended(book, id, 6)
    at_once = score_rows(book.games.get(id), first)
    play(book, id, seed=6)
    newest = book.games.get(id).step
    write(book, id, TakeBack(first - 2, "mistyped", "the wrong card"), at=newest)
    play(book, id, seed=7)
    assert score_rows(book.games.get(id), first) == at_once


@pytest.mark.both_databases
def test_what_is_written_down_stays(book):
    """Rows keep their first result; only a rebuild computes them again."""
    id = open_table_of(book)
    (step,) = until_ended(book, id, 8)
    store_scores(book, id, step)
    with book.views.begin() as connection:
        connection.execute(read_models.period_score.update().values(number=99))
    store_scores(book, id, step)
    assert [row[3] for row in rows(book)] == [99]


def test_a_period_taken_back_keeps_its_row_and_does_not_stand(book):
    id = open_table_of(book)
    first, second = until_ended(book, id, 9, periods=2)
    score_all(book, id)
    write(book, id, TakeBack(first, "table", "the wrong card"), at=second)
    assert [sheet.step for sheet in score_sheets(book, book.games.get(id))] == [first]
    (again,) = until_ended(book, id, 40)
    score_all(book, id)
    assert [(sheet.number, sheet.step) for sheet in score_sheets(book, book.games.get(id))] == [(1, first), (2, again)]
    assert [row[1] for row in rows(book)] == [first, second, again]


def test_period_gain_counts_from_the_previous_period_of_its_line(book):
    id = open_table_of(book)
    first, second = until_ended(book, id, 10, periods=2)
    write(book, id, TakeBack(first, "table", "the wrong card"), at=second)
    until_ended(book, id, 50)
    game, sheet = book.games.get(id), score_sheets(book, book.games.get(id))[-1]
    assert sheet.change == [
        now.total - before.total for now, before in zip(sheet.scores, standing_at(game, first), strict=True)
    ]


def test_a_reopened_games_final_score_does_not_stand(book):
    id = play_game(book, 11)
    closed = score_sheets(book, book.games.get(id))[-1].step
    score_all(book, id)
    write(book, id, Note(3, "a good one"))
    assert score_sheets(book, book.games.get(id))[-1].step == closed
    write(book, id, Reopen("one coin was missed"))
    assert not any(sheet.final for sheet in score_sheets(book, book.games.get(id)))
    money = book.games.get(id).document["players"][0]["money"]
    write(book, id, Adjust({"/players/0/money": money + 1}, "one coin was missed", "table"), at=closed + 2)
    write(book, id, Close())
    final = score_sheets(book, book.games.get(id))[-1]
    assert (final.final, final.settled, final.step) == (True, False, closed + 4)
    assert final.change == [1, 0, 0]  # since the last round ended


def test_an_abandoned_game_has_no_final_score(book):
    id = open_table_of(book)
    (step,) = until_ended(book, id, 12)
    write(book, id, Abandon("it got late"))
    assert [sheet.step for sheet in score_sheets(book, book.games.get(id))] == [step]


def test_a_step_that_ends_nothing_is_not_scored(book):
    id = open_table_of(book)
    play(book, id, 2, seed=13)
    with pytest.raises(NothingEndedError, match="step 1"):
        store_scores(book, id, 1)


def test_a_score_survives_as_plain_json(book):
    sheets = score_sheets(book, book.games.get(play_game(book, 14)))
    assert msgspec.json.decode(msgspec.json.encode(sheets), type=list[PeriodScore]) == sheets
