"""MP-7 and MP-3.3, held by random games."""

from __future__ import annotations

import random

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.games.making_profit.board import CARDS, Board
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.random_games import EAGERLY, PILED, TABLES, games, steps


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_3_only_a_finished_game_has_a_factory_of_level_ten(seats, hands):
    for b, *_ in steps(seats, hands):
        assert all(p.level < 10 for p in b.players)


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_5_a_deck_of_84_is_never_empty_between_actions(seats, hands):
    for b, *_ in games(seats, hands)[EAGERLY]:
        assert b.deck_size or b.nationalising


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_7_nationalised_hands_hold_two_and_pile_is_empty(seats, hands):
    for b, _, _, followed, _ in games(seats, hands)[PILED]:
        if b.nationalising and not followed.nationalising and not followed.hands_are_hidden:
            assert all(p.cards <= 2 for p in followed.players)
            assert not any(followed.discard.values())


@pytest.mark.parametrize("seats", range(2, 7))
def test_mp_7_8_a_sale_pays_levels_and_shrinks_hand_and_factory(seats):
    sales = 0
    for b, seat, d, followed, effects in steps(seats, "open"):
        if not isinstance(d, moves.SellDone):
            continue
        worth = sum(count * b.worth(colour) for colour, count in b.sale.items())
        assert followed.players[seat].money - b.players[seat].money == worth
        for owed in (e for e in effects if isinstance(e, moves.DiscardsOwed)):
            owner = b.players[owed.seat]
            sold = b.sale[b.table.colours[owed.seat]]
            gone = sum(e.count for e in effects if isinstance(e, moves.CardDiscarded) and e.seat == owed.seat)
            assert gone + followed.players[owed.seat].owes == owed.count == min(sold, owner.cards + owner.level)
            sales += 1
    assert sales


@pytest.mark.parametrize("seats", range(2, 7))
def test_mp_7_9_a_purchase_costs_the_price_and_gives_one_card(seats):
    purchases = 0
    for b, seat, d, followed, effects in steps(seats, "hidden"):
        if not isinstance(d, moves.BuyStock):
            continue
        assert b.players[seat].money - followed.players[seat].money == max(2, b.owner(d.colour).level)
        assert [e.count for e in effects if isinstance(e, moves.CardDrawn)] in ([1], [])
        purchases += 1
    assert purchases


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_11_idle_turns_stay_below_the_ending_number(seats, hands):
    idle, developed = 0, False
    for b, _, _, followed, effects in steps(seats, hands):
        if not b.turn:
            idle, developed = 0, False
        developed = developed or any(isinstance(e, moves.CardDeveloped) for e in effects)
        if any(isinstance(e, moves.TurnPassed) for e in effects):
            idle, developed = (0 if developed else idle + 1), False
            assert idle < (seats if followed.developer is None else seats - 1)


@pytest.mark.parametrize("seats", range(2, 7))
def test_mp_7_12_at_level_zero_the_score_is_the_money(seats):
    for b, *_ in steps(seats, "hidden"):
        if not any(p.level for p in b.players):
            assert [score.total for score in MAKING_PROFIT.scoring.standing(b)] == [p.money for p in b.players]


def test_games_meet_reshuffles_and_nationalisations():
    """The games above reach the rare rules too."""
    met = {type(e) for seats, hands in TABLES for *_, effects in steps(seats, hands) for e in effects}
    assert met >= {moves.DeckReshuffled, moves.Nationalised, moves.HandCut}


# --- MP-3.3: nobody learns what they may not see ---


def elsewhere(b: Board, viewer: int | None, chance: random.Random) -> Board:
    """A board that looks the same to the viewer: what she has not seen lies otherwise."""
    other = b.twin()
    others = [p for seat, p in enumerate(other.players) if seat != viewer]
    pool = []
    for place in [*(p.hand for p in others), other.deck]:
        pool += [card for card in CARDS for _ in range(place[card])]
    for p in others:
        for _ in range(p.shown):
            pool.remove("R1")
    chance.shuffle(pool)
    for p in others:
        size = p.cards
        p.hand = dict.fromkeys(p.hand, 0) | {"R1": p.shown}
        for _ in range(size - p.shown):
            p.hand[pool.pop()] += 1
    other.deck = dict.fromkeys(other.deck, 0) | {card: pool.count(card) for card in CARDS}
    assert list(MAKING_PROFIT.integrity.breaches(other)) == []
    return other


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_mp_3_3_masked_board_is_the_same_for_all_hidden_cards(seats):
    chance = random.Random(seats)
    for b, *_ in steps(seats, "open"):
        for viewer in (0, seats - 1, None):
            seen = MAKING_PROFIT.secrecy.redact_board(b, viewer)
            assert seen == MAKING_PROFIT.secrecy.redact_board(elsewhere(b, viewer, chance), viewer)
            if viewer is not None:
                assert seen.players[viewer].hand == b.players[viewer].hand


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_mp_3_3_a_step_is_told_without_the_types_of_unseen_cards(seats):
    for _, seat, d, followed, effects in steps(seats, "open"):
        for viewer in (0, seats - 1, None):
            said, heard = MAKING_PROFIT.secrecy.redact_step(followed, seat, d, effects, viewer)
            assert len(heard) == len(effects)
            drawn = [e for e in heard if isinstance(e, moves.CardDrawn)]
            if followed.ended is None:
                assert all((e.card == "?") == (e.seat != viewer) for e in drawn)
                assert seat != TABLE or not drawn or (said.card == "?") == (drawn[0].seat != viewer)


# --- how many games there are ---
