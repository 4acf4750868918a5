"""Halves of a score sheet in the figures of both databases."""

from __future__ import annotations

import msgspec

from daybook.domain.commands import Close, Decide
from daybook.services.play.period_scores import score_rows, store_scores
from daybook.services.statistics.collect import count_all
from daybook.services.statistics.figure_questions import Filter, Question, compute_table, games_behind
from daybook.services.store import read_models
from tests.played import open_seats, update_games, update_results, write

SHEET = {"game.name": "Duel", "score.halves": True, "score.count": "open"}
OF_DUELS = Filter(ruleset=":Duel")


def test_halves_are_exact_in_rows_and_answers(book):
    sheet = book.sheets.publish("score_sheet", "Duel", SHEET, "tests", is_complete=True)
    game = open_seats(book, ("Anna", "Ben"), "score_sheet", "Duel", sheet=sheet)
    for seat, value in enumerate((12.5, -0.5)):
        write(book, game, Decide(seat, {"type": "enter", "line": "points", "value": value}))
    write(book, game, Decide(0, {"type": "end_game"}))
    write(book, game, Close())
    update_games(book)
    update_results(book)
    assert count_all(book) == 1
    (row,) = [row for row in read_models.list_games(book.views, book.kept) if row.game == game]
    assert row.totals == (12.5, -0.5)
    step = book.games.get(game).step
    store_scores(book, game, step)
    (period,) = score_rows(book.games.get(game), step)
    assert [score["lines"][0]["amount"] for score in msgspec.json.decode(period["sheet"])["scores"]] == [12.5, -0.5]
    for measure in ("score", "by_line"):
        table = compute_table(book, Question(measure, ("seat",), OF_DUELS))
        assert [row.cells[:3] for row in table.rows] == [(0, 1, 12.5), (1, 1, -0.5)], measure
    by_value = Question("score", ("value",), OF_DUELS)
    rows = {row.cells[0]: games_behind(book, by_value, row.key) for row in compute_table(book, by_value).rows}
    assert {value: [source.total for source in behind] for value, behind in rows.items()} == {
        12.5: [12.5],
        -0.5: [-0.5],
    }
