"""ACG-8 in the solo game: random games from the set-up to the end, with every pair of options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, achievements, moves, scoring, solo_moves
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS
from daybook.domain.kernel.terms import TABLE, Decision
from tests.domain.games.arkwright_card.playing import game, opening_board
from tests.domain.games.arkwright_card.random_solo_games import every_step, rows
from tests.domain.games.moves import only


def ends() -> list[Any]:
    return [b for *_, b, _ in every_step() if b.stage == "over"]


@pytest.mark.slow
def test_every_pair_of_options_is_played_to_the_end():
    assert len(rows()) < 40
    assert len(ends()) == 2 * len(rows())
    ranks = Counter(ARKWRIGHT_CARD.scoring.outcome(b).ranks for b in ends())
    assert {(1,), (3,)} <= {*ranks}, ranks
    assert {ARKWRIGHT_CARD.scoring.outcome(b).reason.key for b in ends()} >= {"solo_won", "solo_lost", "solo_bankrupt"}


def test_acg_8_10_cards_are_neither_made_nor_lost():
    for *_, b, _ in every_step():
        lying = Counter(b.supply)
        lying.update(b.players[0].cards)
        lying.update(card for card in b.alone.grid if card is not None)
        lying.update(b.alone.removed)
        assert sum(lying.values()) == (17 if b.stage != "supply" else 5 + len(b.dealt))
        assert lying["entrepreneur"] == 1


def test_acg_8_20_markers_and_discs_are_neither_made_nor_lost():
    for b, *_, followed, _ in every_step():
        solo = followed.alone
        assert sum(solo.bag.values()) + len(solo.drawn) == 8
        assert all(len(value.appeal) <= 4 for value in solo.automas.values())
        assert all(solo.card(place) for place in solo.discs.values())
        assert len({*solo.discs.values()}) == len(solo.discs) <= 3
        for colour, item in b.alone.automas.items():
            later = solo.automas[colour]
            assert later.shares >= item.shares and later.share_value >= item.share_value
            assert all(later.appeal[good] >= appeal for good, appeal in item.appeal.items())


def test_acg_6_3_3_every_round_has_one_draw_and_one_turn():
    turns: dict[int, list[type]] = {}
    for *_, d, b, effects in every_step():
        told = turns.setdefault(id(b.table), [])
        told += [type(e) for e in effects if isinstance(e, moves.TurnBegun | moves.RoundBegun)]
        told += [solo_moves.MarkerDrawn] if isinstance(d, solo_moves.MarkerDrawn) else []
        if b.stage == "over" and not b.players[0].bankrupt:
            assert Counter(told) == {moves.TurnBegun: 12, moves.RoundBegun: 12, solo_moves.MarkerDrawn: 12}


def test_acg_8_12_demand_wages_and_automas_move_as_told():
    for b, *_, followed, effects in every_step():
        demand, wages = dict(b.demand), b.wages
        worth = {colour: [item.shares, item.share_value] for colour, item in b.alone.automas.items()}
        for e in effects:
            match e:
                case moves.DemandMoved():
                    assert demand[e.good] == e.before
                    demand[e.good] = e.after
                case moves.WagesMoved():
                    wages = e.after
                case solo_moves.AutomaSharesGained():
                    worth[e.colour][0] += e.count
                case solo_moves.AutomaValueRaised() | solo_moves.AutomaTopPointWon():
                    worth[e.colour][1] += e.steps
        assert (followed.demand, followed.wages) == (demand, wages)
        assert {colour: [value.shares, value.share_value] for colour, value in followed.alone.automas.items()} == worth


def test_acg_6_7_certain_stays_and_the_end_judges_the_rest():
    for b, *_, followed, effects in every_step():
        now = followed.alone.achievements
        for name, was in b.alone.achievements.items():
            assert was in ("open", now[name]) or followed.players[0].bankrupt, name
        if followed.phase == "over":
            assert "open" not in now.values()
            assert all((now[name] == "reached") == achievements.is_fulfilled(followed, name) for name in ACHIEVEMENTS)
        assert {e.achievement for e in only(effects, solo_moves.AchievementEarned)} <= {
            name for name, state in now.items() if state == "reached"
        }


def test_acg_6_6_3_how_many_achievements_count():
    for b in ends():
        rank, reached = scoring.solo_rank(b), achievements.reached_achievements(b)
        if b.options.solo_pick_achievements:
            assert len(b.alone.earned) == min(len(reached), {1: 2, 2: 1, 3: 0}[rank])
        else:
            assert b.alone.earned == (reached if rank == 1 else [])


def test_acg_6_6_1_the_outcome_is_what_was_told():
    for *_, b, effects in every_step():
        for e in only(effects, solo_moves.SoloWon, solo_moves.SoloLost):
            [score] = ARKWRIGHT_CARD.scoring.standing(b)
            assert score.total == e.score
            assert e.best == max(value.score for value in b.alone.automas.values())
            assert scoring.solo_rank(b) == (1 if isinstance(e, solo_moves.SoloWon) else e.rank)


def test_acg_6_4_5_the_highest_appeal_is_given_once_at_most():
    for *_, effects in every_step():
        assert len(only(effects, solo_moves.AutomaTopPointWon, solo_moves.TopPointShared)) <= 1
        assert all(e.most <= e.appeal for e in only(effects, moves.MarketMeasured))


def rules_broken_by(b, change):
    b = b.twin()
    change(b)
    return [breach.rule for breach in ARKWRIGHT_CARD.integrity.breaches(b)]


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("ACG-8.20", lambda b: b.alone.bag.update(blue=4)),
        ("ACG-8.20", lambda b: b.alone.drawn.append("red")),
        ("ACG-8.20", lambda b: b.alone.discs.update(blue=b.alone.discs["green"])),
        ("ACG-8.20", lambda b: b.alone.discs.pop("blue")),
        ("ACG-8.20", lambda b: b.alone.discs.update(blue=99)),
        ("ACG-8.20", lambda b: b.alone.grid.append(None)),
        ("ACG-8.10", lambda b: b.alone.grid.__setitem__(2, None)),
        ("ACG-8.10", lambda b: b.alone.removed.append("patent")),
        ("ACG-8.20", lambda b: setattr(b.alone.automas["blue"], "shares", 31)),
        ("ACG-8.20", lambda b: setattr(b.alone.automas["green"], "share_value", -1)),
        ("ACG-8.20", lambda b: b.alone.automas["green"].appeal.update(food=21)),
        ("ACG-8.1", lambda b: b.alone.automas["green"].appeal.update(tea=1)),
        ("ACG-8.1", lambda b: b.alone.automas.pop("green")),
        ("ACG-8.1", lambda b: setattr(b, "solo", None)),
    ],
)
def test_acg_8_20_a_board_that_cannot_be_is_told(rule, change):
    b = next(b for *_, b, _ in every_step() if b.round == 2 and b.stage == "action" and not b.players[0].cards)
    assert rule in rules_broken_by(b, change)


def test_acg_6_1_1_facts_are_weighed_by_what_is_left():
    for b, seat, *_ in every_step():
        if seat == TABLE:
            facts: list[tuple[Decision, int]] = ARKWRIGHT_CARD.facts(b)
            assert all(weight >= 0 for _, weight in facts) and sum(weight for _, weight in facts) > 0


def test_acg_6_1_1_whoever_plays_whatever_colour():
    b = ARKWRIGHT_CARD.opening_board(ARKWRIGHT_CARD.table(["green"], {}, opening_board(1).table.sheet))
    steps = list(game(b, 5))
    assert ARKWRIGHT_CARD.scoring.outcome(ARKWRIGHT_CARD.play(*steps[-1])[0]) is not None
    assert [colour for colour, _ in b.opponents] == ["blue", "orange"]


def test_solo_games_meet_no_decision_of_several_players():
    met = {type(step.decision) for step in every_step()}
    assert not met & {moves.StartPlayerDetermined, moves.DiscardEntrepreneur}
