"""Phase 2: tokens, bars and goods (LM-4.4)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

from daybook.domain.games.london_markets import moves, stacks
from daybook.domain.games.london_markets.board import Board, stages_of
from daybook.domain.games.london_markets.course import end_turn, go_on_with_turn
from daybook.domain.games.london_markets.printed import GENERAL, GOODS, MARKETS, MERCHANTS, Track
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import Decision, Reason, Seat, Tell, WhyNot, because, holds, refuse_unless

# --- checks ---


def not_in_actions(b: Board) -> Reason:
    return because("wrong_phase", "this belongs to the actions; the phase is {phase}", phase=b.phase)


in_actions = Awaits("in_actions", "this is the phase of actions", stages_of("actions"), not_in_actions)


def its_turn(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(seat == b.mover, "not_your_turn", "it is the turn of seat {seat}", seat=b.mover)


def stage_is(b: Board, *stages: str) -> WhyNot:
    return refuse_unless(b.stage in stages, "action_running", "choose this first: {awaited}", awaited=b.stage)


@holds("no action is under way")
def no_action_running(b: Board) -> WhyNot:
    return stage_is(b, "turn")


@holds("no merchant or assistant was chosen in this turn")
def token_to_choose(b: Board) -> WhyNot:
    return refuse_unless(not b.acted, "already_acted", "the token of this turn is already chosen")


@holds("a merchant or an assistant was chosen")
def token_chosen(b: Board) -> WhyNot:
    return refuse_unless(b.acted, "must_choose_token", "choose a merchant or an assistant first")


@holds("the merchant was not used this round")
def merchant_free(b: Board, d: moves.UseMerchant) -> WhyNot:
    return refuse_unless(
        d.merchant not in b.used, "token_used", "the merchant {token} was used this round", token=d.merchant
    )


@holds("this assistant is in the game")
def assistant_there(b: Board, d: moves.UseAssistant) -> WhyNot:
    return refuse_unless(
        d.track in b.assistants,
        "no_such_assistant",
        "there is no assistant {track} with {seats} players",
        track=d.track,
        seats=b.seats,
    )


@holds("the assistant was not used this round")
def assistant_free(b: Board, d: moves.UseAssistant) -> WhyNot:
    return refuse_unless(
        d.track not in b.used, "token_used", "the assistant {token} was used this round", token=d.track
    )


@holds("no merchant is at that market")
def no_merchant(b: Board, d: moves.UseAssistant) -> WhyNot:
    return refuse_unless(
        d.market not in b.merchants.values(), "merchant_present", "a merchant is at {market}", market=d.market
    )


@holds("the player must place a bar")
def bar_awaited(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "turn", "nothing_awaited", "no bar has to be placed") or stage_is(b, "place")


@holds("the player must name a type of goods")
def name_awaited(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "turn", "nothing_awaited", "no type has to be named") or stage_is(b, "name_goods")


@holds("the market’s own pile is used up")
def home_pile_used_up(b: Board) -> WhyNot:
    """Another pile is drawn from when the market's own, or the one named, is used up."""
    return refuse_unless(
        b.stage in ("draw_goods", "place"),
        "home_pile_first",
        "draw from the market's own pile, or the pile of the named type, while it has cards",
    ) or stage_is(b, "draw_goods")


@holds("the place in the open layer is free")
def slot_free(b: Board, d: moves.PlaceBar) -> WhyNot:
    return None if b.market is None else stacks.slot_taken(b, b.market, d.slot)


@holds("the pile has cards")
def pile_stocked(b: Board, d: moves.NameGoods | moves.DrawGoods) -> WhyNot:
    return empty(b, d.goods)


def empty(b: Board, goods: str) -> WhyNot:
    """Refuse to take goods from an empty pile."""
    return refuse_unless(b.piles[goods], "pile_empty", "the {goods} pile is empty", goods=goods)


# --- tokens ---


def use_merchant(b: Board, seat: Seat, d: moves.UseMerchant, tell: Tell) -> None:
    market = b.merchants[d.merchant]
    assert market is not None
    b.used.append(d.merchant)
    b.acted = True
    tell(moves.MerchantUsed("LM-4.4.4", seat, d.merchant, market))
    if d.merchant == "stack":
        begin_placing(b, seat, market, b.printed.actions_stack_bars, "LM-4.4.5", tell)
    elif d.merchant == "profit":
        gain_profit(b, seat, market, "LM-4.4.6", tell)
    else:
        begin_drawing(b, seat, market, "LM-4.4.7", tell)


def use_assistant(b: Board, seat: Seat, d: moves.UseAssistant, tell: Tell) -> None:
    """Use an assistant; the space on which she stands sets the action (LM-4.4.8)."""
    action = b.printed.tracks[d.track].actions[b.assistants[d.track] - 1]
    b.used.append(d.track)
    b.acted = True
    tell(moves.AssistantUsed("LM-4.4.4", seat, d.track, d.market, action))
    if action == "place":
        begin_placing(b, seat, d.market, b.printed.actions_assistant_bars, "LM-4.4.8", tell)
    elif action == "profit":
        gain_profit(b, seat, d.market, "LM-4.4.8", tell)
    else:
        begin_drawing(b, seat, d.market, "LM-4.4.8", tell)


def gain_profit(b: Board, seat: Seat, market: str, rule: str, tell: Tell) -> None:
    shown = stacks.crates(b, seat, market)
    amount = max(b.printed.actions_least, shown)
    b.players[seat].money += amount
    tell(moves.ProfitGained(rule, seat, market, shown, amount))
    go_on_with_turn(b, tell)


def turn_ended(b: Board, seat: Seat, d: moves.EndTurn, tell: Tell) -> None:
    end_turn(b, tell)


# --- bars ---


def begin_placing(b: Board, seat: Seat, market: str, count: int, rule: str, tell: Tell) -> None:
    """Make the player place this many bars, or all if there are fewer (LM-6.3, LM-6.4)."""
    b.bars = min(count, b.players[seat].bars)
    if b.bars < count:
        tell(moves.BarsLacking(rule, seat, count - b.bars))
    if b.bars:
        b.market = market
        b.stage = "place"
    else:
        go_on_with_turn(b, tell)


def place_bar(b: Board, seat: Seat, d: moves.PlaceBar, tell: Tell) -> None:
    market = b.market
    assert market is not None
    layer, slot = stacks.place(b, seat, market, d.slot)
    tell(moves.BarPlaced("LM-4.2.5", seat, seat, market, layer, slot, stacks.crates(b, seat, market)))
    b.bars -= 1
    if not b.bars:
        b.market = None
        go_on_with_turn(b, tell)


# --- goods cards ---


def begin_drawing(b: Board, seat: Seat, market: str, rule: str, tell: Tell) -> None:
    """Fix the number of cards to draw (LM-4.4.11); at the general market a type is named first (LM-4.4.10)."""
    shown = stacks.crates(b, seat, market)
    b.quota = max(b.printed.actions_least, shown)
    tell(moves.GoodsGranted(rule, seat, market, shown, b.quota))
    home, stocked = b.traded[market], b.stocked_types
    assert home is not None
    if home != GENERAL:
        draw(b, seat, home, tell)
    elif len(stocked) > 1:
        b.stage = "name_goods"
        return
    go_on_drawing(b, seat, tell)


def draw(b: Board, seat: Seat, goods: str, tell: Tell) -> None:
    """Draw the wanted cards of a type, as far as the pile goes."""
    count = min(b.quota, b.piles[goods])
    if count:
        take_goods(b, seat, goods, count, tell)


def take_goods(b: Board, seat: Seat, goods: str, count: int, tell: Tell) -> None:
    b.quota -= count
    b.piles[goods] -= count
    b.players[seat].hand[goods] += count
    tell(moves.GoodsDrawn("LM-4.4.10", seat, goods, count))


def go_on_drawing(b: Board, seat: Seat, tell: Tell) -> None:
    """Draw the rest from a last pile, lose it without piles, or let the player choose (LM-4.4.10)."""
    stocked = b.stocked_types
    if b.quota and len(stocked) > 1:
        b.stage = "draw_goods"
        return
    if b.quota and stocked:
        draw(b, seat, stocked[0], tell)
    if b.quota:
        tell(moves.GoodsLost("LM-4.4.10", seat, b.quota))
        b.quota = 0
    go_on_with_turn(b, tell)


def name_goods(b: Board, seat: Seat, d: moves.NameGoods, tell: Tell) -> None:
    """Name a type of goods and draw cards of it (LM-4.4.10)."""
    tell(moves.GoodsNamed("LM-4.4.10", seat, d.goods))
    draw(b, seat, d.goods, tell)
    go_on_drawing(b, seat, tell)


def draw_goods(b: Board, seat: Seat, d: moves.DrawGoods, tell: Tell) -> None:
    take_goods(b, seat, d.goods, 1, tell)
    go_on_drawing(b, seat, tell)


# --- candidates ---


MERCHANT_USES = tuple(moves.UseMerchant(merchant) for merchant in MERCHANTS)
ASSISTANT_USES = tuple(moves.UseAssistant(track, market) for track in get_args(Track) for market in MARKETS)
NAMES = tuple(moves.NameGoods(goods) for goods in GOODS)
DRAWS = tuple(moves.DrawGoods(goods) for goods in GOODS)


def candidate_assistant_uses(b: Board, seat: Seat) -> Iterable[Decision]:
    return [d for d in ASSISTANT_USES if d.track in b.assistants]


def candidate_bars(b: Board, seat: Seat) -> Iterable[Decision]:
    return bars(b.printed.bars_layer) if b.stage == "place" else ()


@lru_cache
def bars(layer: int) -> tuple[moves.PlaceBar, ...]:
    """Return a decision to place a bar in each slot of a layer."""
    return tuple(moves.PlaceBar(slot) for slot in (None, *range(layer)))


def candidate_names(b: Board, seat: Seat) -> Iterable[Decision]:
    return NAMES if b.stage == "name_goods" else ()


def candidate_draws(b: Board, seat: Seat) -> Iterable[Decision]:
    return DRAWS if b.stage == "draw_goods" else ()
