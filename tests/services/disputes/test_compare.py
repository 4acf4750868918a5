"""Two steps, or two records of the same evening, side by side."""

from __future__ import annotations

from difflib import Match, SequenceMatcher
from typing import Any

import msgspec
import pytest

from daybook.domain import entries
from daybook.domain.commands import TakeBack
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes import compare
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play import replay
from tests.played import open_seats, play
from tests.services.fixture_files import played_game, written_at

pytestmark = pytest.mark.sqlite_suffices


def kept_by(game: Game, slips: set[int]) -> Game:
    """Return the same evening from another record: some steps have another legal decision."""
    other = Game(game.id, game.ruleset)
    other.apply(game.entries[0])
    for entry in game.entries[1:]:
        event: Any = entry.event
        if entry.topic != "decision_recorded":
            continue
        decision = game.ruleset.decision(event.decision)
        if entry.step in slips:
            legal = game.ruleset.legal(other.board, event.seat)
            decision = next(item for item in legal if item != decision)
        try:
            made, board = entries.decide(other, event.seat, decision, written_at(other.step + 1))
        except IllegalDecision:
            break
        other.apply(made, board)
    return other


def test_the_same_evening_kept_twice_is_the_same(book):
    game = played_game(3, 3)
    found = compare.compare_records(game, kept_by(game, set()))
    assert found.same and found.first is None and found.alike == game.step - 1


def test_the_first_difference_and_all_of_them(book):
    game = played_game(3, 3)
    other = kept_by(game, {12})
    found = compare.compare_records(game, other)
    assert not found.same and found.first is not None
    assert found.first.after == (11, 11) and 12 in (*found.first.one, *found.first.other)
    assert found.columns_one == game.figures_at(game.step)[0]
    assert sum(len(part.one) for part in found.parts) + found.alike == game.step - 1


def test_what_was_taken_back_is_not_compared(book):
    game = played_game(3, 3, limit=20)
    other = kept_by(game, set())
    other.apply(entries.take_back(other, TakeBack(18), Written("2026-11-20T19:30:00.000Z", "x", "back")))
    for step in (19, 20):
        event: Any = game.entries[step].event
        entry, board = entries.decide(
            other,
            event.seat,
            game.ruleset.decision(event.decision),
            Written("2026-11-20T19:30:00.000Z", "x", f"again-{step}"),
        )
        other.apply(entry, board)
    assert compare.compare_records(game, other).same


def test_equal_steps_with_other_figures_are_named(book):
    game = played_game(3, 3, limit=12)
    steps = list(replay.iter_steps(game, EVERYTHING))
    altered = [
        msgspec.structs.replace(step, columns=step.columns | {"money": [99, 99, 99]}) if step.step >= 7 else step
        for step in steps
    ]
    assert compare.compare_lines(steps, altered).figures == (7, 7)


def test_two_steps_of_one_game(book, open_table):
    id = open_table()
    play(book, id, 12)
    found = compare.compare_steps(book.games.get(id), 4, 12, EVERYTHING)
    game = book.games.get(id)
    assert found.columns_one == game.figures_at(4)[0] and found.columns_other == game.figures_at(12)[0]
    assert found.changes and compare.compare_steps(book.games.get(id), 5, 5, EVERYTHING).changes == {}
    assert not any("/hand/R" in path for path in compare.compare_steps(book.games.get(id), 4, 12, None).changes)


def test_records_of_different_tables_are_not_compared(book):
    with pytest.raises(compare.NotComparableError):
        compare.compare_records(played_game(3, 3, limit=3), played_game(3, 4, limit=3))


def test_two_games_of_the_service_are_compared_as_they_are_seen(book, open_table):
    one, other = open_table(), open_table()
    play(book, one, 14)
    play(book, other, 14)
    assert compare.compare_records(book.games.get(one), book.games.get(other), EVERYTHING, EVERYTHING).same
    assert compare.compare_records(book.games.get(one), book.games.get(other), None, None).same


def test_records_are_alike_by_what_everybody_sees(book):
    """A record of guesses, compared with one that has covered cards, tells nothing of these."""
    id = open_seats(book)
    play(book, id, 40)
    game = book.games.get(id)
    covered = {
        compare._step_content(whole)
        for whole, seen in zip(replay.iter_steps(game, EVERYTHING), replay.iter_steps(game, None), strict=True)
        if whole.decision != seen.decision
    }
    assert covered and not covered & {*compare.step_contents(game)}


def test_few_texts_again_and_again_are_looked_at_only_so_often(monkeypatch):
    """The library's time grows with the third power of their length."""
    begins, ends = [f"begin {n}" for n in range(30)], [f"end {n}" for n in range(20)]
    one, other = ["a", "b"] * 600, ["a", "a", "b"] * 400
    looked = list[int]()
    whole = SequenceMatcher.find_longest_match

    def counted(self: compare.BoundedMatcher, alo: int, ahi: int, blo: int, bhi: int) -> Match:
        looked.append((ahi - alo) * (bhi - blo))
        return whole(self, alo, ahi, blo, bhi)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", counted)
    matcher = compare.BoundedMatcher([*begins, *one, *ends], [*begins, *other, *ends])
    assert matcher.get_matching_blocks() == [(0, 0, 31), (1228, 1228, 22), (1250, 1250, 0)]
    assert sum(looked) < 5 * compare.MAX_TEXT_COMPARISONS
    assert not compare.share_steps(one, other, 0.75 * len(one)) and compare.share_steps(one, one, len(one))


def test_what_is_alike_at_both_ends_is_counted_once():
    assert compare._match_ends("aaa", "aa") == [(0, 0, 2), (3, 2, 0)]
    assert compare._match_ends("xay", "xbby") == [(0, 0, 1), (2, 3, 1), (3, 4, 0)]
    assert compare._match_ends("a", "b") == [(1, 1, 0)]
