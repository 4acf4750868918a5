"""ACG-8 in the solo game: random games from the set-up to the end, with every pair of options."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, achievements, moves, scoring, solo_moves
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS
from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from daybook.domain.kernel.terms import TABLE, Decision
from tests.domain.games.arkwright_card.alone import SOLO
from tests.domain.games.arkwright_card.playing import EXPERT, RULINGS, everything, game, opening_board, refusal
from tests.domain.games.moves import only

EASY = {  # automas that can be beaten by anybody
    "solo.share_value": 1,
    "solo.shares": 1,
    "solo.advance": 0,
    "solo.factory_appeal": [0, 0, 0, 0],
    "start.share_value": 12,
    "start.money": 150,
}
TIGHT = {  # tracks that end early, little money and dear wages
    "rules.shares_top": 14,
    "rules.share_value_top": 13,
    "start.share_value": 3,
    "start.money": 8,
    "rules.loans": 4,
    "market.wages": [3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9],
    "solo.share_value": 11,
    "solo.goals.most_shares": 14,
}
CHOICES: dict[str, tuple[Any, ...]] = dict.fromkeys((*EXPERT, *RULINGS, *SOLO), (False, True)) | {
    "solo_start_development": ("free", "board", "none")
}


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Choices of options in which each two meet with all their values."""
    chance = random.Random(6)
    pairs = {((a, x), (b, y)) for a, b in combinations(CHOICES, 2) for x, y in product(CHOICES[a], CHOICES[b])}
    found = []
    while pairs:
        drawn = [{name: chance.choice(values) for name, values in CHOICES.items()} for _ in range(40)]
        best = max(drawn, key=lambda row: len(pairs & {*combinations(row.items(), 2)}))
        pairs -= {*combinations(best.items(), 2)}
        found.append(best)
    return tuple(found)


@cache
def every_step() -> tuple[tuple[Any, ...], ...]:
    decided: Counter[Any] = Counter()
    steps = []
    for seed, row in enumerate((*rows(), *rows())):
        numbers: dict[str, Any] = ({}, EASY, TIGHT, EASY)[seed % 4]
        for b, seat, d in game(opening_board(1, numbers, **row), seed, decided):
            followed, effects = ARKWRIGHT_CARD.play(b, seat, d)
            steps.append((b, seat, d, followed, effects))
    return tuple(steps)


def ends() -> list[Any]:
    return [b for *_, b, _ in every_step() if b.stage == "over"]


def alone(b):
    """Decisions of the solo game, possible ones and some that never are."""
    cards, colours = (*b.printed.cards, "?"), (*b.printed.solo.rivals, *b.table.colours, "?")
    yield from everything(b)
    yield from map(solo_moves.GridLaid, cards)
    for of_colour in (solo_moves.DiscPlaced, solo_moves.AutomaPlaced, solo_moves.MarkerDrawn):
        yield from map(of_colour, colours)
    yield from map(solo_moves.FactoryDrawn, ("food", "lamps"))
    yield from map(solo_moves.PickAchievement, ACHIEVEMENTS)
    for of_place in (moves.TakeCard, moves.ChooseStartCard):
        yield from (of_place(card, place) for card in cards for place in (-1, 0, 1, 5, 15, 16))


@pytest.mark.slow
def test_every_pair_of_options_is_played_to_the_end():
    assert len(rows()) < 40
    assert len(ends()) == 2 * len(rows())
    ranks = Counter(ARKWRIGHT_CARD.scoring.outcome(b).ranks for b in ends())
    assert {(1,), (3,)} <= {*ranks}, ranks
    assert {ARKWRIGHT_CARD.scoring.outcome(b).reason.key for b in ends()} >= {"solo_won", "solo_lost", "solo_bankrupt"}


def test_games_meet_every_decision_and_effect_of_the_solo_game():
    met = {type(e) for *_, effects in every_step() for e in effects} | {type(d) for _, _, d, *_ in every_step()}
    assert {*solo_moves.SoloDecision.__args__, *solo_moves.SoloEffect.__args__} - met == set()
    never = {moves.StartPlayerDetermined, moves.DiscardEntrepreneur}
    assert never & met == set() and {moves.LimitLifted, moves.LimitReturned, solo_moves.LetAutomasBegin} <= met


def test_acg_8_1_to_acg_8_20_hold_after_every_step():
    for *_, b, _ in every_step():
        assert list(ARKWRIGHT_CARD.integrity.breaches(b)) == []


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
        assert all(len(one.appeal) <= 4 for one in solo.automas.values())
        assert all(solo.card(place) for place in solo.discs.values())
        assert len({*solo.discs.values()}) == len(solo.discs) <= 3
        for colour, one in b.alone.automas.items():
            later = solo.automas[colour]
            assert later.shares >= one.shares and later.share_value >= one.share_value
            assert all(later.appeal[good] >= appeal for good, appeal in one.appeal.items())


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
        worth = {colour: [one.shares, one.share_value] for colour, one in b.alone.automas.items()}
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
        assert {colour: [one.shares, one.share_value] for colour, one in followed.alone.automas.items()} == worth


def test_acg_6_7_what_is_certain_stays_so_and_the_end_judges_the_rest():
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
            assert e.best == max(one.score for one in b.alone.automas.values())
            assert scoring.solo_rank(b) == (1 if isinstance(e, solo_moves.SoloWon) else e.rank)


def test_acg_8_22_exactly_the_legal_decisions_are_accepted():
    chance = random.Random(1)
    for step, (b, *_) in enumerate(every_step()):
        deciding = ARKWRIGHT_CARD.course.to_act(b)
        listed = {seat: ARKWRIGHT_CARD.legal(b, seat) for seat in (-1, 0)}
        assert all(bool(listed[seat]) == (seat in deciding) for seat in listed)
        for own in listed.values():
            assert len(set(own)) == len(own) <= 200
        if step % 61 == 0:
            for d in alone(b):
                for seat in (-2, -1, 0, 1):
                    assert (refusal(b, seat, d) is None) == (d in listed.get(seat, [])), (seat, d)
            for d in chance.sample(list(alone(b)), 20):
                failed = [verdict for verdict in ARKWRIGHT_CARD.why(b, 0, d) if verdict.reason is not None]
                assert (failed == []) == (refusal(b, 0, d) is None)


def test_acg_8_21_changes_rebuild_every_board():
    for b, seat, d, followed, _ in every_step()[::5]:
        before = b.document()
        forward = deep_copy(before)
        again, step = ARKWRIGHT_CARD.step(b, seat, d, before)
        assert again == followed
        assert list(mismatches(before, step.changes)) == []
        fold(forward, step.changes)
        assert forward == followed.document()
        unfold(forward, step.changes)
        assert forward == before
        assert ARKWRIGHT_CARD.typed_board(msgspec.json.decode(msgspec.json.encode(forward)), b.table) == b


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


def test_acg_8_21_a_board_out_of_a_record_is_played_on_alike():
    """A record sorts its keys; nothing may depend on the order in which they lay before."""
    for b, seat, d, followed, effects in every_step()[::2]:
        stored = msgspec.json.Encoder(order="deterministic").encode(b.document())
        laid = ARKWRIGHT_CARD.typed_board(msgspec.json.decode(stored), b.table)
        assert ARKWRIGHT_CARD.legal(laid, seat) == ARKWRIGHT_CARD.legal(b, seat)
        assert ARKWRIGHT_CARD.play(laid, seat, d) == (followed, effects)


def test_acg_6_1_1_whoever_plays_whatever_colour():
    b = ARKWRIGHT_CARD.opening_board(ARKWRIGHT_CARD.table(["green"], {}, opening_board(1).table.sheet))
    steps = list(game(b, 5))
    assert ARKWRIGHT_CARD.scoring.outcome(ARKWRIGHT_CARD.play(*steps[-1])[0]) is not None
    assert [colour for colour, _ in b.opponents] == ["blue", "orange"]
