"""Scores with halves and decimals count as they were written, in every statistic of a club."""

from __future__ import annotations

from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.league import clubs, year_reviews
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import Question, club_filter, compute_table, games_behind
from tests.played import key, update_games, update_results
from tests.services.clubbing import join_anew

AZUL = ":Azul"


def test_halves_and_decimals_are_exact_in_statistics(book, club, anna):
    ben = join_anew(book, club, "Ben", by=anna)
    for day, scores in enumerate([("12½", "12"), ("40", "12,25"), ("12.5", "40")], 1):
        placed = tuple(Placed(person, None, 1 if person == anna else 2) for person in (anna, ben))
        details = PlayDetails(scores=dict(zip((anna, ben), scores, strict=True)))
        clubs.write(
            book,
            club,
            EnterResult(BESIDE, AZUL, placed, ended_at=f"2026-05-0{day}T10:00:00.000Z", details=details),
            by=anna,
            key=key(),
        )
    update_games(book)
    update_results(book)
    of_club = club_filter(book.clubs.get(club), ruleset_id=AZUL)
    by_person = compute_table(book, Question("score", ("person",), of_club))
    figures = {row.cells[0]: row.cells[1:5] for row in by_person.rows}
    assert figures == {anna: (3, 21.67, 12.5, 40), ben: (3, 21.42, 12, 40)}
    assert [type(cell) for cell in figures[ben][2:]] == [int, int], "whole numbers stay whole"
    (margins,) = compute_table(book, Question("winning_margin", (), of_club)).rows
    assert {0.5, 27.75} < {*margins.cells}
    (key_of_anna,) = (row.key for row in by_person.rows if row.cells[0] == anna)
    behind = games_behind(book, Question("score", ("person",), of_club), key_of_anna)
    assert sorted(source.value for source in behind) == [12.5, 12.5, 40] and behind[0].total == behind[0].value
    summary = reports.summarize_scores(book, of_club)
    assert summary is not None and {summary.best.score, summary.worst} == {12, 40}
    year_reviews.review_club(book, club)
    assert year_reviews.find_review(book, book.clubs.get(club), "2026").plays == 3
