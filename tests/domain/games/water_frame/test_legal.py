"""WF-8: what is on the list is accepted, everything else is refused with the number of the rule that forbids it."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import msgspec
import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.games.water_frame.board import Board, Turn
from daybook.domain.games.water_frame.chart import usable_markers
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.rules import only_done
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.terms import IllegalDecision
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    doing,
    legal,
    opening_board,
    plant,
    play,
    player,
    random_game,
    refusal,
    set_up,
    to_act,
)

TASTE = {moves.Buy: 30, moves.Build: 20, moves.TakeTile: 40, moves.Sell: 2}


@cache
def boards(seats: int) -> tuple[Board, ...]:
    """The boards of random games, before each decision."""
    found = []
    for seed, options in enumerate(({}, {"factories": "predetermined", "mat": "patrons", "events": "shuffled"})):
        found += [b for b, *_ in random_game(opening_board(seats, **options), seats + 10 * seed, TASTE)]
    return tuple(found)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wf_4_1_2_action_is_over_when_only_done_is_listed(seats):
    """Random turns of every action, with few and with many payments made."""
    chance, over = random.Random(seats), Counter()
    in_turns = [b.twin() for b in boards(seats) if b.stage in ("marker", "main", "additional") and not b.asked]
    for b in in_turns[::4]:
        for marker in usable_markers(b.players[b.mover]):
            b.stage = chance.choice(["main", "additional"])
            b.turn = Turn(
                marker,
                b.printed.chart_rows[0],
                chance.randint(0, 12),
                chance.randint(0, 2),
                affected=chance.sample(GOODS, chance.randint(0, 1)),
                marker_taken=chance.random() < 0.1,
            )
            alone = legal(b, b.mover) == [moves.Done()]
            assert only_done(b) == alone, (b.stage, b.turn)
            over[b.stage, alone] += 1
    assert len(over) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wf_8_3_every_list_is_finite_and_short(seats):
    assert max(len(legal(b, seat)) for b in boards(seats) for seat in range(-1, seats)) <= 300


def test_wf_8_3_the_longest_lists():
    """Tiles that leave the costs open make more."""
    b = doing("factory", 2, player(tiles="developer"), decade=1800)
    assert len(legal(b, 0, moves.Build)) == 2 * sum(
        b.printed.cost(good, level) - 4 for good in b.players[0].factories for level in (1, 2, 3)
    )
    b = set_up(player(tiles="accountant engineer", markers="quality:light quality:dark machinery:light", ships="2 4"))
    assert len(legal(b, 0, moves.Place)) < 450
    b = doing("distribution", 10, player(**{good: plant() for good in b.players[0].factories}))
    assert legal(b, 0) and len(legal(b, 0, moves.SetPrice)) == 0


@pytest.mark.parametrize(
    "d",
    [
        moves.Hire("food", 3),
        moves.HireWarehouse("food"),
        moves.Fire("food"),
        moves.Build("lamps", 1, 6),
        moves.Modernize("food"),
        moves.Install("food", 2),
        moves.RaiseQuality("food"),
        moves.Buy(1),
        moves.Sell(1),
        moves.Produce("food", 1),
        moves.TakeTile("school"),
    ],
)
def test_wf_8_2_what_belongs_to_another_action_waits_for_it(d):
    b = doing("distribution", 4, player(food=plant(rows="2 2 1 0")))
    assert refusal(b, 0, d)[0] == "WF-8.2"
    assert d not in legal(b, 0)


def test_wf_8_4_a_row_is_hired_worker_by_worker():
    """Each step moves one worker from the market; there is no decision that fills a row."""
    b = doing("workers", 4, player(food=plant(rows="2 2 0 0")))
    assert "count" not in moves.Hire.__struct_fields__
    for workers in (1, 2):
        before = b.market
        b, effects = play(b, (0, moves.Hire("food", 3)))
        assert (b.factory(0, "food").workers[2], b.market, len(only(effects, moves.WorkerHired))) == (
            workers,
            before - 1,
            1,
        )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wf_8_4_each_decision_is_written_down_by_itself(seats):
    """WF-8.5: with all its parameters, and read back as it was."""
    for b in boards(seats)[::11]:
        for seat in to_act(b):
            for d in legal(b, seat):
                assert WATER_FRAME.decision(plain(d)) == d


def test_wf_8_1_a_refusal_says_what_is():
    b = doing("quality", 10, player(food=plant(price=7), lamps=plant()), player())
    with pytest.raises(IllegalDecision, match=r"WF-4\.0\.6: seat 0 is to decide"):
        WATER_FRAME.refuse(b, 1, moves.Discard("food"))
    with pytest.raises(msgspec.ValidationError):
        WATER_FRAME.decision({"type": "reorganize"})
