"""MP-7 and the promises of the kernel, held by random games from the deal to the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec
import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.games.making_profit.board import CARDS, Board
from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from tests.domain.games.making_profit.playing import EAGER, after, after_deal, everything, game, opening_board, refusal

TABLES = [(seats, hands) for seats in range(2, 7) for hands in ("open", "hidden")]
SMALL = {f"cards.{card}.copies": 5 for card in CARDS} | {"start.money": 30}  # the deck runs out again and again


Played = tuple[Board, Seat, Decision, Board, list[Any]]
USUAL, EAGERLY, SCARCE, PILED = range(4)
TEMPERS = ((None, None), (None, EAGER), (SMALL, EAGER), (SMALL, {moves.Develop: 20, moves.EndTurn: 1}))


@cache
def games(seats: int, hands: str) -> tuple[tuple[Played, ...], ...]:
    """A few games of different tempers, the last two with a deck that runs out: the board, the decision, what came."""
    return tuple(
        tuple(
            (b, seat, d, *MAKING_PROFIT.play(b, seat, d))
            for b, seat, d in game(opening_board(seats, hands, numbers), seats, taste)
        )
        for numbers, taste in TEMPERS
    )


def steps(seats: int, hands: str) -> Iterator[Played]:
    return chain(*games(seats, hands))


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_4_9_and_mp_7_10_exactly_the_legal_decisions_are_accepted(seats, hands):
    """Of all that can be written down, by any seat; what is refused leaves the board as it was."""
    for step, (b, *_) in enumerate(steps(seats, hands)):
        legal = {seat: MAKING_PROFIT.legal(b, seat) for seat in range(-1, seats)}
        assert all(bool(legal[seat]) == (seat in MAKING_PROFIT.course.to_act(b)) for seat in legal)
        before = b.document()
        for seat, own in legal.items():
            assert [refusal(b, seat, d) for d in own] == [None] * len(own)
            assert len(set(own)) == len(own)
        if step % 10 == 0:
            for d in everything(b):
                for seat in range(-2, seats + 1):
                    meant = MAKING_PROFIT.as_listed(b.table, seat, d)
                    assert (refusal(b, seat, d) is None) == (meant in legal.get(seat, [])), (seat, d)
        assert b.document() == before


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_10_nothing_is_legal_after_the_end(seats, hands):
    *_, (*_, b, _) = games(seats, hands)[USUAL]
    assert MAKING_PROFIT.scoring.outcome(b) is not None
    assert [MAKING_PROFIT.legal(b, other) for other in range(-1, seats)] == [[]] * (seats + 1)
    assert {refusal(b, other, x)[1] for other in range(-1, seats) for x in everything(b)} == {"game_over"}


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_why_gives_a_verdict_on_everything(seats, hands):
    for b, seat, *_ in games(seats, hands)[SCARCE]:
        for d in everything(b)[::7]:
            verdicts = MAKING_PROFIT.why(b, seat, d)
            failed = [verdict for verdict in verdicts if verdict.reason is not None]
            assert (failed == []) == (refusal(b, seat, d) is None)
            assert all(str(verdict.reason) for verdict in failed)


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_1_to_mp_7_6_hold_after_every_step_and_mp_7_13_changes_rebuild_the_board(seats, hands):
    for b, seat, d, followed, effects in steps(seats, hands):
        before = b.document()
        forward = deep_copy(before)
        again, step = MAKING_PROFIT.step(b, seat, d, before)
        assert again == followed
        assert list(MAKING_PROFIT.integrity.breaches(followed)) == []
        assert list(mismatches(before, step.changes)) == []
        fold(forward, step.changes)
        assert forward == followed.document()
        unfold(forward, step.changes)
        assert forward == before
        assert MAKING_PROFIT.typed_board(followed.document(), b.table) == followed
        assert MAKING_PROFIT.decision(msgspec.to_builtins(d)) == d
        assert msgspec.convert(step.effects, list[MAKING_PROFIT.types.effects]) == effects


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_3_only_a_finished_game_has_a_factory_of_level_ten(seats, hands):
    for b, *_ in steps(seats, hands):
        assert all(p.level < 10 for p in b.players)


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_5_a_deck_of_84_is_never_empty_between_actions(seats, hands):
    for b, *_ in games(seats, hands)[EAGERLY]:
        assert b.deck_size or b.nationalising


@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_mp_7_7_after_nationalisation_no_hand_is_above_two_and_the_pile_is_empty(seats, hands):
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
def test_mp_7_11_the_running_game_has_seen_too_few_turns_without_development_to_end(seats, hands):
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
    """What the games above are worth: they come to the rare rules too."""
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
def test_mp_3_3_a_masked_board_is_the_same_however_the_unseen_cards_lie(seats):
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


def perft(b: Board, depth: int) -> int:
    if not depth:
        return 1
    return sum(
        perft(MAKING_PROFIT.play(b, seat, d)[0], depth - 1)
        for seat in MAKING_PROFIT.course.to_act(b)
        for d in MAKING_PROFIT.legal(b, seat)
    )


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (lambda: after_deal("R1 R1", "M1 M2"), [6, 23, 91, 321]),
        (lambda: after(opening_board(3, "hidden"), (TABLE, moves.StartPlayerDrawn(0))), [13, 103, 677]),
    ],
)
def test_the_number_of_games_of_a_few_decisions(position, counts):
    b = position()
    assert [perft(b, depth) for depth in range(1, len(counts) + 1)] == counts
