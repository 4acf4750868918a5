"""Slips that the table cannot distinguish are named together; what the table confirmed is not questioned again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any

import pytest

from daybook.domain import entries
from daybook.domain.commands import Count
from daybook.domain.games.london_markets.moves import MoneyCounted
from daybook.domain.kernel.board import Document, deep_copy, value_at
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.events import DecisionRecorded, TableCounted
from daybook.domain.kernel.record import Game
from daybook.services.disputes.counting import countable_places
from daybook.services.disputes.explain_count import (
    MAX_SLIPS_PER_GROUP,
    AlikeSlips,
    Explanation,
    SearchCursor,
    SlipSearch,
    rank_slips,
)
from tests.services.fixture_files import golden, written_at


def cut(name: str, step: int) -> Game:
    """A recorded game as it was after a step."""
    game = golden(name).game
    short = Game(game.id, game.ruleset)
    for entry in game.entries[: step + 1]:
        short.apply(entry)
    return short


def slips_found(game: Game, values: Mapping[str, Any], by_hand: bool = False) -> list[AlikeSlips]:
    """Return the slips that explain a count. by_hand: only slips of the hand, which show at once."""
    counted = game.then(entries.count(game, Count(values, ""), written_at(game.step + 1)))
    event = counted.entries[-1].event
    assert isinstance(event, TableCounted)
    found: list[Explanation] = []
    spot: SearchCursor | None = SearchCursor()
    while spot is not None:
        looked = SlipSearch(counted, event).run_piece(spot, 1 if by_hand else 10**6, monotonic() + 60)
        found, spot = found + looked.slips, None if by_hand else looked.next
    return rank_slips(found)


def without(game: Game, step: int) -> Document:
    """Return the pieces on the table if a step had never happened."""
    line = game.line()
    board = game.ruleset.typed_board(deep_copy(game.document_at(game.parents[step])), game.table)
    for later in line[line.index(step) + 1 :]:
        event = game.entries[later].event
        assert isinstance(event, DecisionRecorded)
        board = game.ruleset.play(board, event.seat, game.ruleset.decision(event.decision))[0]
    document: Document = board.document()
    return document


def shares_bought(game: Game) -> list[int]:
    """The first steps in a row that are one decision of one player."""
    steps: list[int] = []
    for step in game.line()[1:]:
        event = game.entries[step].event
        if isinstance(event, DecisionRecorded) and event.decision == {"type": "buy_share"}:
            steps.append(step)
        elif len(steps) > 2:
            break
        else:
            steps = []
    return steps


def test_repeated_decision_is_one_explanation_naming_every_step():
    game = cut("emergency-fund", 14)
    steps = shares_bought(game)
    assert len(steps) > 2
    table = without(game, steps[0])
    assert all(without(game, step) == table for step in steps)
    groups = slips_found(game, {place.path: value_at(table, place.path) for place in countable_places(game)})
    assert groups[0].slips[0].kind == "never_happened" and groups[0].steps == steps
    assert groups[0].weight == pytest.approx(sum(slip.weight for slip in groups[0].slips))
    assert groups[0].weight > 2 * groups[0].slips[0].weight, "together they weigh more than the newest alone"


def test_slips_of_one_group_leave_the_same_board():
    game = cut("emergency-fund", 14)
    steps = shares_bought(game)
    table = without(game, steps[0])
    groups = slips_found(game, {"/players/1/money": value_at(table, "/players/1/money")})
    gone = [group for group in groups if group.slips[0].kind == "never_happened"]
    documents = [{str(without(game, step)) for step in group.steps} for group in gone]
    assert documents and all(len(some) == 1 for some in documents)
    assert len(set.union(*documents)) == len(documents)


def incomes(game: Game, steps: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    """Return the incomes of purses: step, purse, amount."""
    for step in steps:
        for path, (was, now) in getattr(game.entries[step].event, "changes", {}).items():
            if is_cause(path, ("/players/*/money",)) and now > was:
                yield step, path, now - was


def test_slips_of_the_hand_on_one_board_are_a_few_neighbours():
    game = cut("three-stalls", 140)
    [((path, usual), times)] = Counter((path, by) for _, path, by in incomes(game, game.line()[1:])).most_common(1)
    groups = slips_found(game, {path: value_at(game.document, path) + usual}, by_hand=True)
    twice = [group.steps for group in groups if group.slips[0].kind == "taken_twice"]
    assert times == sum(map(len, twice)) and times > MAX_SLIPS_PER_GROUP == max(map(len, twice))
    assert sorted(twice) == sorted(twice, key=max), "neighbours"


@pytest.mark.slow
@pytest.mark.parametrize("compared", [False, True])
def test_money_shown_and_agreed_rules_out_earlier_slips(compared):
    """London Markets, at a Reveal symbol: what was taken wrong before would have been noticed there (LM-3.4.8)."""
    whole, game = cut("market-day", 175), cut("market-day", 154)
    events = [whole.entries[step].event for step in range(155, 176)]
    said = [
        (event.seat, game.ruleset.decision(event.decision)) for event in events if isinstance(event, DecisionRecorded)
    ]
    shown = MoneyCounted(tuple(player["money"] for player in game.document["players"]))
    for seat, decision in [(-1, shown)] * compared + said:
        entry, board = entries.decide(game, seat, decision, written_at(game.step + 1))
        game.apply(entry, board)
    step, path, amount = [*incomes(game, range(100, 154))][-1]
    groups = slips_found(game, {path: value_at(game.document, path) + amount}, by_hand=not compared)
    earlier = [item for group in groups for item in group.steps if item <= 154]
    assert (step in earlier, bool(earlier)) == (not compared, not compared)


def test_slip_is_not_sure_if_another_leaves_the_same_board():
    """However much likelier it is: nothing on the table speaks for the one or the other."""
    likely = Explanation("something_else", 8, ["/x"], True, weight=0.9, alike="a", board="one")
    for board, sure in (("one", False), ("other", True)):
        other = Explanation("never_happened", 5, ["/x"], True, weight=0.001, alike="b", board=board)
        first, *_ = groups = rank_slips([other, likely])
        assert first.slips == [likely] and first.is_sure(groups, 0.0) is sure
