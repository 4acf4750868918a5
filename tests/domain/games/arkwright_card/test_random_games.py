"""ACG-8 and the promises of the kernel, held by random games from the set-up to the end."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from itertools import combinations, islice
from typing import Any

import msgspec
import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, factories, moves, scoring
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.games.arkwright_card.solo_moves import SoloDecision, SoloEffect
from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from tests.domain.games.arkwright_card.playing import (
    EXPERT,
    RULINGS,
    choose_action,
    everything,
    factory,
    game,
    opening_board,
    player,
    refusal,
    set_up,
)
from tests.domain.games.moves import only

Played = tuple[Board, Seat, Decision, Board, list[Any]]
LEAN = {  # little money and dear wages: loans and places for tokens run out, and some go bankrupt
    "start.money": 8,
    "start.share_value": 3,
    "rules.loans": 4,
    "rules.shipping_tokens": 3,
    "scoring.share_value_less": [0, 1, 1, 2],
    "market.wages": [3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9],
}
SHORT = {"rules.shares_top": 13, "rules.share_value_top": 12, "market.appeal_top": 6, "market.wages": [2, 3, 4]} | {
    f"market.{arrows}.{good}": [0, 0, 1, 1, 1, 1] for arrows in ("red", "green") for good in GOODS
}

FULL = [dict.fromkeys(EXPERT, True)] * 6


@cache
def rows() -> tuple[dict[str, bool], ...]:
    """Choices of options in which each two switches meet on and on, on and off, off and on, off and off."""
    names, chance = (*EXPERT, *RULINGS), random.Random(0)
    pairs = {(a, x, b, y) for a, b in combinations(names, 2) for x in (False, True) for y in (False, True)}
    found = []
    while pairs:
        drawn = [{name: chance.random() < 0.5 for name in names} for _ in range(40)]
        best = max(drawn, key=lambda row: len(pairs & pairs_in(row)))
        pairs -= pairs_in(best)
        found.append(best)
    return tuple(found)


def pairs_in(row: dict[str, bool]) -> set[tuple[str, bool, str, bool]]:
    return {(a, row[a], b, row[b]) for a, b in combinations(row, 2)}


@cache
def every_game() -> dict[int, tuple[Played, ...]]:
    """Every step of a game for each choice of options, some at tables where things run out; by number of seats."""
    decided: Counter[Any] = Counter()
    found = {}
    for seats in (2, 3, 4):
        steps = []
        for seed, row in enumerate((*rows(), *FULL)):
            numbers: dict[str, Any] = ({}, LEAN, {}, SHORT)[seed % 4] if row not in FULL else {}
            for b, seat, d in game(opening_board(seats, numbers, **row), seed, decided):
                followed, effects = ARKWRIGHT_CARD.play(b, seat, d)
                steps.append((b, seat, d, followed, effects))
        found[seats] = tuple(steps)
    return found


def games(seats: int) -> tuple[Played, ...]:
    return every_game()[seats]


def everywhere() -> list[Played]:
    return [step for seats in (2, 3, 4) for step in games(seats)]


every_table = pytest.mark.parametrize("seats", [2, 3, 4])


@pytest.mark.slow
def test_every_pair_of_switches_is_played():
    assert len(rows()) < 30
    for seats in (2, 3, 4):
        assert len({id(b.table) for b, *_ in games(seats)}) == len(rows()) + len(FULL)
        assert all(ARKWRIGHT_CARD.scoring.outcome(b) is None for b, *_ in games(seats))
    ended = sum(ARKWRIGHT_CARD.scoring.outcome(b) is not None for *_, b, _ in everywhere())
    assert ended == 3 * (len(rows()) + len(FULL))


# --- exactly what is legal ---


@every_table
def test_acg_8_22_and_acg_4_19_exactly_the_legal_decisions_are_accepted(seats):
    """Of all that can be written down, by any seat; what is refused leaves the board as it was."""
    chance = random.Random(seats)
    for step, (b, *_) in enumerate(games(seats)):
        deciding = ARKWRIGHT_CARD.course.to_act(b)
        listed = {seat: ARKWRIGHT_CARD.legal(b, seat) for seat in range(-1, seats)}
        assert all(bool(listed[seat]) == (seat in deciding) for seat in listed)
        before = b.document()
        for seat, own in listed.items():
            assert all(refusal(b, seat, d) is None for d in chance.sample(own, min(len(own), 10)))
            assert len(set(own)) == len(own) <= 200
        if step % 97 == 0:
            for d in everything(b):
                for seat in {-2, -1, *deciding, chance.randrange(seats), seats}:
                    assert (refusal(b, seat, d) is None) == (d in listed.get(seat, [])), (seat, d)
        assert b.document() == before


def test_acg_8_22_every_listed_decision_can_be_played():
    for b, seat, *_ in everywhere()[::23]:
        for d in ARKWRIGHT_CARD.legal(b, seat):
            followed = ARKWRIGHT_CARD.play(b, seat, d)[0]
            assert list(ARKWRIGHT_CARD.integrity.breaches(followed)) == []


def test_acg_8_22_only_a_real_choice_is_asked_for():
    """What only ends a step happens by itself when nothing else is legal (ACG-4.1.4)."""
    alone = Counter()
    for b, seat, *_ in everywhere():
        decisions = ARKWRIGHT_CARD.legal(b, seat)
        if seat != TABLE and len(decisions) == 1:
            alone[type(decisions[0])] += 1
    assert not {*alone} & {
        moves.EndAction,
        moves.ConfirmPrice,
        moves.SkipDevelopment,
        moves.DoneReplacing,
        moves.BeginSale,
        moves.SellHome,
        moves.Ship,
        moves.EndProduction,
        moves.KeepEntrepreneur,
        moves.DeclineEntrepreneur,
        moves.DeclineTopPoint,
        moves.ChooseStartPlayer,
    }


def test_acg_4_1_3_nothing_is_legal_after_the_end():
    *_, (_, _, _, b, _) = games(4)
    assert ARKWRIGHT_CARD.scoring.outcome(b) is not None
    assert [ARKWRIGHT_CARD.legal(b, seat) for seat in range(-1, 4)] == [[]] * 5
    assert {refusal(b, seat, d)[1] for seat in range(-1, 4) for d in everything(b)} == {"game_over"}


@every_table
def test_why_gives_a_verdict_on_everything(seats):
    for b, seat, *_ in games(seats)[::211]:
        for d in list(everything(b))[::7]:
            verdicts = ARKWRIGHT_CARD.why(b, seat, d)
            failed = [verdict for verdict in verdicts if verdict.reason is not None]
            assert (failed == []) == (refusal(b, seat, d) is None), (seat, d)
            assert all(str(verdict.reason) for verdict in failed)


# --- what is written down ---


@every_table
def test_acg_8_21_a_board_out_of_a_record_is_played_on_alike(seats):
    """A record sorts its keys; what is told does not depend on the order in which they lay before."""
    for b, seat, d, followed, effects in games(seats)[::3]:
        stored = msgspec.json.Encoder(order="deterministic").encode(b.document())
        laid_again = ARKWRIGHT_CARD.typed_board(msgspec.json.decode(stored), b.table)
        assert {*ARKWRIGHT_CARD.legal(laid_again, seat)} == {*ARKWRIGHT_CARD.legal(b, seat)}
        assert ARKWRIGHT_CARD.play(laid_again, seat, d) == (followed, effects)


@every_table
def test_acg_8_21_changes_rebuild_every_board(seats):
    for b, seat, d, followed, effects in games(seats)[::3]:
        before = b.document()
        forward = deep_copy(before)
        again, step = ARKWRIGHT_CARD.step(b, seat, d, before)
        assert again == followed
        assert list(mismatches(before, step.changes)) == []
        fold(forward, step.changes)
        assert forward == followed.document()
        unfold(forward, step.changes)
        assert forward == before
        assert ARKWRIGHT_CARD.typed_board(followed.document(), b.table) == followed
        assert ARKWRIGHT_CARD.decision(json.loads(json.dumps(msgspec.to_builtins(d)))) == d
        assert msgspec.convert(step.effects, list[ARKWRIGHT_CARD.types.effects]) == effects


@cache
def rarely() -> tuple[Played, ...]:
    """From positions that games hardly come to: an Engineer makes room, the Customs Office serves stored goods."""
    engineer = {"food": factory(quality={"QE": (5, "price")}), "clothes": factory()}
    stored = {"food": factory(stored={"SA": 2, "SB": 1}), "clothes": factory()}
    positions = [
        set_up(player(cards="engineer workshop", **engineer), player(), stage="development"),
        choose_action(
            set_up(
                player(cards="customs_office developer", **stored),
                player(),
                dealt="customs_office developer",
                options={"extra_actions": True},
            ),
            "early_shipping",
        ),
    ]
    steps = []
    for seed in range(30):
        for b, seat, d in islice(game(positions[seed % 2], seed), 40):
            followed, effects = ARKWRIGHT_CARD.play(b, seat, d)
            assert list(ARKWRIGHT_CARD.integrity.breaches(followed)) == []
            steps.append((b, seat, d, followed, effects))
    return tuple(steps)


def test_games_meet_every_decision_and_effect():
    """What the games above are worth."""
    met_effects = {type(effect) for *_, effects in [*everywhere(), *rarely()] for effect in effects}
    decided = {type(d) for _, _, d, _, _ in [*everywhere(), *rarely()]}
    every = {*ARKWRIGHT_CARD.types.effects.__args__, *ARKWRIGHT_CARD.kinds}
    assert every - met_effects - decided == {moves.FacesUnlikely, *SoloDecision.__args__, *SoloEffect.__args__}


def test_acg_1_7_nothing_is_hidden():
    for b, seat, d, _, effects in everywhere()[::500]:
        for viewer in (None, 0, 1):
            assert ARKWRIGHT_CARD.secrecy.redact_board(b, viewer) == b
            assert ARKWRIGHT_CARD.secrecy.redact_step(b, seat, d, effects, viewer) == (d, effects)


def test_every_effect_names_a_rule_and_every_step_has_one():
    for _, _, d, _, effects in everywhere():
        assert effects, d
        assert all(effect.rule.startswith("ACG-") for effect in effects)


# --- ACG-8: the invariants between two boards ---


def test_acg_8_1_to_acg_8_19_hold_after_every_step():
    for *_, b, _ in everywhere():
        assert list(ARKWRIGHT_CARD.integrity.breaches(b)) == []


def test_acg_8_2_shares_loans_and_tokens_never_go_back():
    for b, _, _, followed, _ in everywhere():
        for before, p in zip(b.players, followed.players, strict=True):
            assert (p.shares, p.share_value) >= (before.shares, before.share_value) or p.bankrupt
            assert p.shares >= before.shares and p.share_value >= before.share_value
            assert p.loans >= before.loans and p.shipping_tokens >= before.shipping_tokens
            assert all(p.levels[track] >= before.levels[track] for track in p.levels)
            assert p.quality_cap >= before.quality_cap


def test_acg_8_3_a_factory_closes_by_bankruptcy_alone():
    for b, _, _, followed, _ in everywhere():
        for before, p in zip(b.players, followed.players, strict=True):
            assert set(dict(before.open())) <= set(dict(p.open())) or p.bankrupt
            assert p.bankrupt or not followed.round or 2 <= len(list(p.open())) <= 4
            assert not p.bankrupt or (p.money, p.cards, list(p.open())) == (0, [], [])


def test_acg_8_4_acg_8_5_and_acg_8_6_what_is_at_a_factory_stays():
    for b, _, _, followed, _ in everywhere():
        for before, p in zip(b.players, followed.players, strict=True):
            for good, now in p.open():
                was = before.factories[good]
                if was is None:
                    assert (now.appeal, now.slot, now.office) == (0, 4, "price")
                    continue
                assert now.side >= was.side and len(now.workers) >= len(was.workers)
                for old, new in zip(was.workers, now.workers, strict=False):
                    assert (new.side, new.machines) >= (old.side, old.machines) and new.machines >= old.machines
                assert [card.side in sides for card, sides in zip(now.workers, ((1, 2), (1, 3)), strict=False)] == [
                    True
                ] * len(now.workers)


def test_acg_8_7_every_card_and_token_lies_in_one_place():
    """Counted anew: cards of quality, distribution and storing; machine and factory tokens; markers."""
    for *_, b, _ in everywhere():
        for p in b.players:
            places: Counter[str] = Counter()
            tokens = 0
            for good, f in p.open():
                places.update(list(f.quality))
                places.update(list(f.storehouses))
                places.update([f.distribution.card] if f.distribution else [])
                places.update(["foreman"] if f.foreman else [])
                assert sum(card.value for card in f.quality.values()) <= p.quality_cap
                assert f.distribution is None or 1 <= f.distribution.value <= 4
                tokens += sum(
                    0 < card.machines < factories.machine_capacity(b, good, position)
                    for position, card in enumerate(f.workers, 1)
                )
            assert all(count == 1 for count in places.values())
            assert tokens <= 1
            needs = {"QE": "engineer", "DP": "patent", "SC": "big_storehouse", "foreman": "foreman"}
            assert all(needs[card] in p.cards for card in places if card in needs)


def test_acg_8_8_setting_price_and_appeal_changes_no_sum():
    for b, seat, d, followed, _ in everywhere():
        if isinstance(d, moves.SetSlot | moves.SetOffice | moves.SetQuality):
            sums = [
                factories.goods_price(board, board.active, f) + factories.appeal(board, board.active, f)
                for board in (b, followed)
                for f in (board.players[seat].factory(b.active),)
            ]
            assert sums[0] == sums[1]


def test_acg_8_9_the_marker_stands_on_the_total_appeal():
    for b, seat, d, followed, _ in everywhere():
        if isinstance(d, moves.ConfirmPrice):
            f = followed.players[seat].factory(b.active)
            assert f.appeal == min(b.printed.market_appeal_top, factories.appeal(followed, b.active, f))


def test_acg_8_10_development_cards_are_neither_made_nor_lost():
    totals: dict[int, Counter[str]] = {}
    for *_, b, _ in everywhere():
        if not b.round:
            continue
        lying = Counter(b.supply)
        for p in b.players:
            lying.update(p.cards)
            assert len(set(p.cards)) == len(p.cards) <= b.level(p, "cards")
        assert totals.setdefault(id(b.table), lying) == lying
        assert lying["entrepreneur"] == 1
        assert sum(lying.values()) == {2: 11, 3: 17, 4: 22}[b.seats] or b.options.random_supply


def test_acg_8_11_the_engineer_raises_the_cap_for_good():
    had: set[tuple[int, Seat]] = set()
    for *_, b, effects in everywhere():
        had |= {(id(b.table), e.seat) for e in only(effects, moves.CardTaken) if e.card == "engineer"}
        for seat, p in enumerate(b.players):
            assert (p.quality_cap == 6) == ((id(b.table), seat) in had)


def test_acg_8_12_and_acg_8_13_demand_and_wages_move_as_told():
    for b, _, _, followed, effects in everywhere():
        demand, wages = dict(b.demand), b.wages
        for e in effects:
            match e:
                case moves.DemandMoved():
                    assert demand[e.good] == e.before
                    assert e.after == min(max(e.before + e.steps, 0), len(b.printed.side_demand) - 1)
                    demand[e.good] = e.after
                    assert e.rule in ("ACG-4.0.8", "ACG-4.0.9", "ACG-4.18.5")
                case moves.WagesMoved():
                    assert 0 <= e.after - e.before <= 1
                    wages = e.after
        assert (followed.demand, followed.wages) == (demand, wages)
        if b.phase == "production":
            assert not [e for e in only(effects, moves.DemandMoved) if e.rule != "ACG-4.18.5"]
        assert len(only(effects, moves.WorkersCame)) <= 1


@pytest.mark.slow
def test_acg_8_14_goods_that_are_made_are_sold_shipped_stored_or_wasted():
    for b, _, _, followed, effects in everywhere():
        ended = {e.seat for e in only(effects, moves.WentBankrupt)}
        stock = {(seat, good): f.goods_stored for seat, p in enumerate(b.players) for good, f in p.open()}
        waiting = b.production.left
        for e in effects:
            match e:
                case moves.GoodsMade() | moves.ShiftWorked():
                    waiting += e.made if isinstance(e, moves.GoodsMade) else e.goods
                case moves.SoldHome():
                    waiting -= e.made
                    stock[e.seat, e.good] -= e.stored
                case moves.Shipped():
                    for good, count in e.goods.items():
                        fresh = min(count, waiting)
                        waiting -= fresh
                        stock[e.seat, good] -= count - fresh
                case moves.GoodsWasted() if e.rule == "ACG-4.13.12":
                    waiting -= e.count
                case moves.GoodsWasted():
                    stock[e.seat, e.good] -= e.count
                case moves.GoodsStored():
                    waiting -= e.count - stock[e.seat, e.good]
                    stock[e.seat, e.good] = e.count
        if b.stage in ("produce",) and followed.stage == "produce" and followed.mover == b.mover:
            continue  # made, and still on offer
        for seat, p in enumerate(followed.players):
            for good, f in p.open():
                assert f.goods_stored == stock.get((seat, good), 0), (good, effects)
                assert all(count <= b.printed.storehouses[card] for card, count in f.storehouses.items())
        assert not ended or b.phase in ("action", "production")


def test_acg_8_15_home_sales_stay_under_appeal_and_need_it_to_beat_demand():
    for b, *_, effects in everywhere():
        for e in only(effects, moves.MarketMeasured):
            assert e.most <= e.appeal
            assert e.most <= max(0, e.appeal - e.demand) + e.patrons
            assert e.most == 0 or e.appeal > e.demand or e.patrons
        for e in only(effects, moves.SoldHome):
            assert e.made + e.stored <= b.players[e.seat].factory(e.good).appeal


def test_acg_8_16_a_share_value_rises_by_two_at_most_for_one_player():
    for b, _, _, followed, effects in everywhere():
        rises = [p.share_value - before.share_value for before, p in zip(b.players, followed.players, strict=True)]
        assert all(rise in (0, 1, 2) for rise in rises) and rises.count(2) <= 1
        assert sum(rises) == sum(e.steps for e in only(effects, moves.ShareValueRaised, moves.TopPointWon))


def test_acg_8_17_effects_explain_every_change_of_money():
    for b, _, _, followed, effects in everywhere():
        money = [p.money for p in b.players]
        for e in effects:
            match e:
                case moves.SoldHome() | moves.Shipped() | moves.EmergencyHelped() | moves.LoanTaken():
                    money[e.seat] += e.amount
                case moves.CostPaid() | moves.SharesBought() | moves.WentBankrupt():
                    money[e.seat] -= e.amount
        assert [p.money for p in followed.players] == money
        assert min(money) >= 0


def test_acg_8_18_everybody_who_stays_has_twelve_turns():
    turns: dict[int, Counter[Seat]] = {}
    for b, *_, followed, effects in everywhere():
        count = turns.setdefault(id(b.table), Counter())
        count.update(e.seat for e in only(effects, moves.TurnBegun))
        assert followed.turns == sum(count.values())
        for begun in only(effects, moves.RoundBegun):
            assert not followed.players[begun.start].bankrupt
        if followed.stage == "over" and len(followed.remaining) > 1:
            assert all(count[seat] == 12 for seat in followed.remaining)
            assert all(count[seat] <= 12 for seat in range(b.seats))


def test_acg_8_19_no_card_is_rotated_when_a_decade_begins():
    for *_, b, effects in everywhere():
        if b.stage == "decade_end" or any(e.round == 1 for e in only(effects, moves.RoundBegun)):
            assert [p.rotated for p in b.players] == [[]] * b.seats
        for e in only(effects, moves.CardsReadied, moves.CardReadied):
            cards = e.cards if isinstance(e, moves.CardsReadied) else (e.card,)
            assert all(
                card.startswith("patron") or card in ("entrepreneur", "customs_office", "developer") for card in cards
            )


def test_acg_4_1_1_a_round_has_three_phases():
    for b, *_, followed, _ in everywhere():
        if followed.phase == "production":
            assert b.phase in ("action", "production")
        if b.phase == "production":
            assert followed.phase in ("production", "preparation", "action", "over")


def test_acg_5_1_5_the_lines_of_a_score_add_up_to_value_times_shares():
    for *_, b, _ in everywhere():
        for seat, score in enumerate(ARKWRIGHT_CARD.scoring.standing(b)):
            assert score.total == scoring.total(b, seat) >= 0
            for line in score.lines:
                assert all(path.split("/")[2] == str(seat) for path in line.paths)


def test_acg_4_9_and_acg_4_8_are_played_with_the_expert_actions_alone():
    for b, _, d, _, effects in everywhere():
        if isinstance(d, moves.ChooseAction) and d.action in ("extra_production", "early_shipping"):
            assert b.options.extra_actions
        if isinstance(d, moves.ExtraProduce):
            assert not only(effects, moves.WentBankrupt, moves.AppealMoved, moves.StorehouseAssigned)
