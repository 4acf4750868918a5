"""ACG-8: what holds from board to board in random games, and what they are worth."""

from __future__ import annotations

from collections import Counter

import pytest

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, factories, moves, scoring
from daybook.domain.kernel.terms import TABLE, Seat
from tests.domain.games.arkwright_card.random_games import FULL, everywhere, games, rows
from tests.domain.games.moves import only


@pytest.mark.slow
def test_every_pair_of_switches_is_played():
    assert len(rows()) < 30
    for seats in (2, 3, 4):
        assert len({id(b.table) for b, *_ in games(seats)}) == len(rows()) + len(FULL)
        assert all(ARKWRIGHT_CARD.scoring.outcome(b) is None for b, *_ in games(seats))
    ended = sum(ARKWRIGHT_CARD.scoring.outcome(b) is not None for *_, b, _ in everywhere())
    assert ended == 3 * (len(rows()) + len(FULL))


# --- exactly what is legal ---


def test_acg_8_22_every_listed_decision_can_be_played():
    for b, seat, *_ in everywhere()[::23]:
        for d in ARKWRIGHT_CARD.legal(b, seat):
            followed = ARKWRIGHT_CARD.play(b, seat, d)[0]
            assert list(ARKWRIGHT_CARD.integrity.breaches(followed)) == []


def test_acg_8_22_only_a_real_choice_is_asked_for():
    """A decision that only ends a step happens by itself if no other is legal (ACG-4.1.4)."""
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


# --- what is written down ---


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
    """Recount cards of quality, distribution and storing, machine and factory tokens, and markers."""
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
def test_acg_8_14_made_goods_are_sold_shipped_stored_or_wasted():
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


def test_acg_8_15_home_sales_stay_under_appeal_above_demand():
    for b, *_, effects in everywhere():
        for e in only(effects, moves.MarketMeasured):
            assert e.most <= e.appeal
            assert e.most <= max(0, e.appeal - e.demand) + e.patrons
            assert e.most == 0 or e.appeal > e.demand or e.patrons
        for e in only(effects, moves.SoldHome):
            assert e.made + e.stored <= b.players[e.seat].factory(e.good).appeal


def test_acg_8_16_share_value_rises_by_two_for_one_player():
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


def test_acg_5_1_5_score_lines_add_up_to_value_times_shares():
    for *_, b, _ in everywhere():
        for seat, score in enumerate(ARKWRIGHT_CARD.scoring.standing(b)):
            assert score.total == scoring.total(b, seat) >= 0
            for line in score.lines:
                assert all(path.split("/")[2] == str(seat) for path in line.paths)


def test_acg_4_9_expert_actions_appear_only_with_the_option():
    # also ACG-4.8
    for b, _, d, _, effects in everywhere():
        if isinstance(d, moves.ChooseAction) and d.action in ("extra_production", "early_shipping"):
            assert b.options.extra_actions
        if isinstance(d, moves.ExtraProduce):
            assert not only(effects, moves.WentBankrupt, moves.AppealMoved, moves.StorehouseAssigned)
