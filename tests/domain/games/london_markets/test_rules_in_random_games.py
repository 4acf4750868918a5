"""LM-7 and LM-3.3, held by random games."""

from __future__ import annotations

import random
from itertools import pairwise

import msgspec
import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import GOODS, MARKETS
from daybook.domain.kernel.terms import TABLE, Seat
from tests.domain.games.london_markets.playing import (
    board_at_first_card,
    crates,
    offering,
    opening_board,
    player,
    refusal,
)
from tests.domain.games.london_markets.random_games import TABLES, everywhere, games
from tests.domain.games.moves import only


def can_offer(b: Board, seat: Seat, d: moves.Offer) -> bool:
    """LM-3.4.4 for one offer, as the rule says it: what hands have shown of the deal, in a matrix."""
    if b.stage != "offers" or d.unseen or min(d.coffee, d.soap, d.silk, d.china) < 0:
        return False
    offer = {goods: getattr(d, goods) for goods in GOODS}
    own = b.players[seat]
    if offer == own.offer:
        return False
    if own.unseen is not None:
        return all(offer[goods] <= own.hand[goods] + own.unseen[goods] for goods in GOODS)
    need = {goods: max(0, offer[goods] - own.hand[goods]) for goods in GOODS}
    shown = {goods: b.piles[goods] + sum(p.hand[goods] for p in b.players) for goods in GOODS}
    return sum(need.values()) <= own.hand["?"] and all(
        shown[goods] + need[goods] <= b.printed.goods_each_type for goods in GOODS
    )


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_lm_4_7_4_exactly_the_holdable_offers_are_accepted(seats, hands):
    chance = random.Random(seats)
    for b, *_ in games(seats, hands):
        if b.stage != "offers":
            continue
        for seat in range(seats):
            listed = LONDON_MARKETS.legal(b, seat)
            for _ in range(10):
                d = moves.Offer(*(chance.choice((0, 0, 1, 2, 3, 6, 9)) for _ in GOODS))
                assert (refusal(b, seat, d) is None) == can_offer(b, seat, d)
                of_one_type = sum(getattr(d, goods) > 0 for goods in GOODS) < 2
                assert not of_one_type or (d in listed) == can_offer(b, seat, d)


def test_lm_7_1_goods_cards_are_neither_made_nor_lost():
    for *_, b, _ in games(4, "open"):
        if b.stage != "deal":
            on_table = [p.offer for p in b.players if b.settling and isinstance(p.offer, dict)]
            for goods in GOODS:
                held = sum(p.hand[goods] + p.unseen[goods] for p in b.players)
                assert b.piles[goods] + held + sum(offer[goods] for offer in on_table) == b.printed.goods_each_type


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_lm_7_3_crates_on_display_are_nine_or_three_for_each_bar(seats, hands):
    for *_, b, _ in games(seats, hands)[::10]:
        for market in MARKETS:
            bars = sum(slot is not None for layer in b.stacks[market] for slot in layer)
            assert sum(crates(b, market)) == min(9, 3 * bars)


def test_lm_7_5_after_round_r_so_many_market_cards_are_revealed():
    for *_, b, effects in everywhere():
        for ended in only(effects, moves.RoundEnded):
            assert len(b.revealed) == ended.round


def test_lm_7_6_two_markets_are_without_a_merchant():
    assert all(len({*MARKETS} - {*b.merchants.values()}) == 2 for *_, b, _ in everywhere() if b.round)


def test_lm_7_7_assistants_stand_on_the_space_of_the_round():
    for *_, b, _ in everywhere():
        if b.phase in ("reveal", "actions", "replenish", "auction"):
            assert set(b.assistants.values()) == {b.round}


def test_lm_7_8_each_player_uses_one_token_in_a_round():
    for b, _, _, followed, _ in everywhere():
        if followed.round > b.round:
            assert followed.used == []
        if b.phase in ("replenish", "auction"):
            assert len(b.used) == b.seats


def test_lm_7_9_payments_explain_every_change_of_money():
    for b, _, _, followed, effects in everywhere():
        money = [p.money for p in b.players]
        for e in effects:
            match e:
                case moves.ProfitGained() | moves.SpecialPaid() | moves.AuctionWon() | moves.MoneyInstead():
                    money[e.seat] += e.amount
                case moves.SpecialPlayed():
                    money[e.seat] -= e.fee
                case moves.AuctionShared():
                    for seat in e.seats:
                        money[seat] += e.each
        assert [p.money for p in followed.players] == money
        assert min(money) >= 0


def test_lm_7_10_hands_change_only_by_named_actions():
    changing = (
        moves.HandDealt,
        moves.UseMerchant,
        moves.UseAssistant,
        moves.NameGoods,
        moves.DrawGoods,
        moves.Replenish,
        moves.Exchange,
        moves.Offer,
        moves.OffersRevealed,
    )
    for b, _, d, followed, effects in everywhere():
        if not isinstance(d, changing) and not any(isinstance(e, moves.OfferShown) for e in effects):
            assert [p.cards for p in followed.players] == [p.cards for p in b.players]


def test_lm_7_11_two_special_cards_a_turn_one_of_them_paid():
    plays: dict[tuple[int, int, int], list[int]] = {}
    for number, (b, seat, _, _, effects) in enumerate(everywhere()):
        for e in only(effects, moves.SpecialPlayed):
            plays.setdefault((id(b.table), b.round, seat), []).append(e.fee)
        assert number >= 0
    assert all(fees in ([0], [0, 3]) for fees in plays.values())
    assert [0, 3] in plays.values()


def test_lm_7_12_covered_types_grow_in_a_round_and_were_offered():
    for b, _, _, followed, effects in everywhere():
        if followed.round == b.round and followed.stage != "over":
            assert set(b.covered) <= set(followed.covered) or only(effects, moves.AuctionsEnded)
        for covered in only(effects, moves.GoodsCovered):
            assert covered.goods in b.face


def test_lm_7_13_the_set_up_leaves_three_bars_of_each_colour():
    for seats in (3, 4):
        b = board_at_first_card(seats)
        owners = [owner for layers in b.stacks.values() for layer in layers for owner in layer if owner is not None]
        assert sorted(owners) == sorted([*range(seats)] * 3)


def test_lm_7_14_closed_round_replenishes_and_offers_nothing():
    for b, _, d, _, _ in everywhere():
        if b.card == "closed":
            assert not isinstance(d, moves.Replenish | moves.Exchange | moves.Offer | moves.OffersRevealed)


def test_lm_7_16_a_type_pays_no_more_than_printed():
    for b, _, _, _, effects in everywhere():
        for e in only(effects, moves.AuctionWon, moves.AuctionShared):
            printed = b.face[e.goods] if not e.special else 0
            paid = e.amount if isinstance(e, moves.AuctionWon) else e.each * len(e.seats)
            assert paid <= printed


def test_lm_4_7_15_a_round_has_one_to_four_auctions():
    for b, *_ in everywhere():
        assert b.auction in range(5) if b.phase == "auction" else b.auction == 0


def test_lm_4_11_2_automatic_steps_ignore_hidden_cards():
    """The same game goes through the same steps with hidden hands."""
    for seats in (3, 4):
        b = opening_board(seats, "hidden")
        for step in games(seats, "open"):
            if step[0].stage == "deal" and b.stage != "offer_cards":
                break
            open_board, seat, d, followed, _ = step
            if isinstance(d, moves.HandDealt) or open_board.stage == "special_cards":
                continue
            assert b.stage == open_board.stage
            assert LONDON_MARKETS.course.to_act(b) == LONDON_MARKETS.course.to_act(open_board)
            b = LONDON_MARKETS.play(b, seat, moves.TakeSpecial("?") if isinstance(d, moves.TakeSpecial) else d)[0]
            assert [p.hand for p in b.players] == [p.hand for p in followed.players]
        assert b.stage in ("over", "offer_cards") or b.round


# --- LM-3.3: nobody learns what they may not see ---


def elsewhere(b: Board, viewer: Seat | None, chance: random.Random) -> Board:
    """A board that looks the same to the viewer: what she has not seen lies otherwise."""
    other = b.twin()
    hidden = [p for seat, p in enumerate(other.players) if seat != viewer]
    swap_goods(hidden, chance)
    swap_specials(other, hidden, viewer, chance)
    if other.stage == "offers":
        for p in hidden:
            if p.offer is not None:
                p.offer = dict.fromkeys(GOODS, 0) | {chance.choice(GOODS): chance.randrange(4)}
    return other


def swap_goods(hidden, chance):
    pool = [goods for p in hidden for goods in GOODS for _ in range(p.unseen[goods])]
    chance.shuffle(pool)
    for p in hidden:
        size, p.unseen = p.hand["?"], dict.fromkeys(GOODS, 0)
        for _ in range(size):
            p.unseen[pool.pop()] += 1


def swap_specials(second, hidden, viewer, chance):
    looking = second.looking if second.looking and LONDON_MARKETS.course.to_act(second) == (viewer,) else None
    places = [p.specials for p in hidden]
    places += [cards for pile, cards in enumerate(second.specials, 1) if pile != looking]
    pool = [card for place in places for card in place]
    chance.shuffle(pool)
    for place in places:
        place[:] = [pool.pop() for _ in place]


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_3_3_masked_board_is_the_same_for_all_hidden_cards(seats):
    chance = random.Random(seats)
    for b, *_ in games(seats, "open"):
        if b.stage == "deal":
            continue
        for viewer in (0, seats - 1, None):
            seen, other = LONDON_MARKETS.secrecy.redact_board(b, viewer), elsewhere(b, viewer, chance)
            assert seen == LONDON_MARKETS.secrecy.redact_board(other, viewer)
            assert LONDON_MARKETS.figures(b) == LONDON_MARKETS.figures(other) == LONDON_MARKETS.figures(seen)
            acting = LONDON_MARKETS.course.to_act(b)
            assert acting == LONDON_MARKETS.course.to_act(other) == LONDON_MARKETS.course.to_act(seen)
            assert list(LONDON_MARKETS.integrity.breaches(seen)) == []
            if viewer is not None:
                own, true = seen.players[viewer], b.players[viewer]
                assert (own.unseen, own.specials, own.offer) == (true.unseen, true.specials, true.offer)


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_3_3_hidden_hands_record_hides_sealed_offers_only(seats):
    for b, *_ in games(seats, "hidden"):
        seen = LONDON_MARKETS.secrecy.redact_board(b, None)
        for p, true in zip(seen.players, b.players, strict=True):
            p.offer = true.offer if b.stage == "offers" else p.offer
        assert seen == b


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_lm_3_3_a_step_is_told_without_what_is_not_seen(seats, hands):
    for _, seat, d, followed, effects in games(seats, hands):
        for viewer in (0, seats - 1, None):
            said, heard = LONDON_MARKETS.secrecy.redact_step(followed, seat, d, effects, viewer)
            assert len(heard) == len(effects)
            if followed.stage == "over":
                assert (said, list(heard)) == (d, list(effects))
                continue
            assert all(e.card == "?" for e in only(heard, moves.SpecialTaken) if e.seat != viewer)
            assert all(e.cards is None for e in only(heard, moves.GoodsDealt) if e.seat != viewer)
            if (
                isinstance(d, moves.Offer)
                and seat != viewer
                and only(effects, moves.OfferSealed)
                and not only(effects, moves.OfferShown)
            ):
                assert said == moves.Offer(unseen=True)
            if isinstance(d, moves.TakeSpecial) and seat != viewer:
                assert said == moves.TakeSpecial("?")
            if isinstance(d, moves.HandDealt) and effects[0].seat != viewer:
                assert said == moves.HandDealt(unseen=True)
            assert LONDON_MARKETS.decision(msgspec.to_builtins(said)) == said


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_lm_3_3_consequences_follow_on_the_masked_board(seats, hands):
    for b, seat, d, _, effects in games(seats, hands):
        if seat == TABLE:
            continue
        seen = LONDON_MARKETS.secrecy.redact_board(b, seat)
        foreseen, heard = LONDON_MARKETS.play(seen, seat, d)
        assert list(LONDON_MARKETS.integrity.breaches(foreseen)) == []
        if not isinstance(d, moves.Offer):
            assert heard == effects


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_3_3_sealed_offers_are_in_no_masked_document(seats):
    """Marked amounts, which lie nowhere else, are searched in all that others are given."""
    b = offering(
        *[player(hand="17 coffee 13 silk", specials="rich_offer")] + [player()] * (seats - 1),
        numbers={"goods.each_type": 40},
    )
    d = moves.Offer(coffee=17, silk=13)
    followed, step = LONDON_MARKETS.step(b, 0, d)
    for viewer in (1, None):
        before, seen = (LONDON_MARKETS.secrecy.redact_board(board, viewer) for board in (b, followed))
        said, heard = LONDON_MARKETS.secrecy.redact_step(followed, 0, d, [moves.OfferSealed("LM-4.7.2", 0)], viewer)
        given = [said, list(heard), seen.players[0].offer, LONDON_MARKETS.legal(followed, 1)]
        assert "17" not in str(given) and "13" not in str(given)
        assert seen.players[0].hand == before.players[0].hand
        assert LONDON_MARKETS.figures(followed) == LONDON_MARKETS.figures(b)
    assert step.changes == {"/players/0/offer": [None, {"coffee": 17, "soap": 0, "silk": 13, "china": 0}]}


def test_lm_3_4_4_list_of_offers_ignores_sealed_ones():
    """Also with hidden hands: the last player may seal an offer that is impossible together with the others."""
    b = offering(player(hand="8 ?"), player(hand="8 ?"), player(hand="8 ?"), hands="hidden")
    b = LONDON_MARKETS.play(b, 0, moves.Offer(soap=4))[0]
    few, many = [LONDON_MARKETS.play(b, 1, offer)[0] for offer in (moves.Offer(soap=1), moves.Offer(soap=4))]
    assert LONDON_MARKETS.legal(few, 2) == LONDON_MARKETS.legal(many, 2)
    assert only(LONDON_MARKETS.play(many, 2, moves.Offer(soap=4))[1], moves.OffersImpossible)


# --- how many games there are ---


def test_rounds_follow_each_other():
    rounds = [e.round for *_, effects in games(4, "hidden") for e in effects if isinstance(e, moves.RoundEnded)]
    assert rounds == [*range(1, 13)] * 2
    for (_, _, _, b, _), (following, *_) in pairwise(games(4, "hidden")):
        assert b == following or b.stage == "over"
