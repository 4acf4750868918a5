"""Scores as players write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from daybook.domain.league.results import Placed, PlayDetails, by_score
from daybook.domain.league.scores import exact_score, read_score, split_score


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("12", 12),
        (" 12.5 ", 12.5),
        ("12,5", 12.5),
        ("½", 0.5),
        ("12½", 12.5),
        ("-½", -0.5),
        ("−3", -3),
        ("12+30", 42),
        ("10 + 15 + 8 - 5", 28),
        ("12½+½", 13),
        ("0", 0),
    ],
)
def test_written_scores_are_read_as_numbers(text, score):
    assert read_score(text) == score
    assert type(read_score(text)) is type(score)


@pytest.mark.parametrize(
    "text", ["", "-", "+", "1.000", "1,000", "12+", "12++3", "49ish", "1e9", "½½", "5.", ".", "36, 42", "NaN"]
)
def test_unclear_scores_are_no_numbers(text):
    assert read_score(text) is None


def test_lowest_score_wins_where_the_game_says_so():
    scored = [(31, False), (12.5, False), (44, False), (0, True)]
    assert by_score(scored) == [2, 3, 1, 4]
    assert by_score(scored, lowest_wins=True) == [2, 1, 3, 4]


def test_scores_count_as_they_were_written():
    assert exact_score(12.1) == Fraction(121, 10)
    assert split_score("12+30") == (42, "12+30") and split_score(" 7 ") == (7, "")
    assert split_score("12½") == (None, "12½") and split_score("49ish") == (None, "49ish")
    details = PlayDetails(scores={"anna": "12½"})
    assert details.score_of(Placed("anna", None, 1)) == 12.5 and details.score_of(Placed("ben", None, 2, 3)) == 3


def test_written_score_is_dropped_when_the_score_changes():
    details = PlayDetails(scores={"anna": "12+30", "ben": "½"}, colours={"anna": "red", "cleo": "blue"})
    kept = details.among([Placed("anna", None, 1, 42), Placed("ben", None, 2, 1)])
    assert (kept.scores, kept.colours) == ({"anna": "12+30"}, {"anna": "red"})
