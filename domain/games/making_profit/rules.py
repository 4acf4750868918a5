"""Making Profit: the acting seats, the actions, and the tables with the rule of each check."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from operator import attrgetter
from typing import Any

import msgspec

from daybook.domain.games.making_profit import checks, moves
from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT, UNKNOWN, Board, Card, Options, opening
from daybook.domain.games.making_profit.consistency import CONSISTENCY
from daybook.domain.games.making_profit.course import (
    SPREADS,
    carry_on,
    discard_factory,
    discard_hand,
    draw,
    owe_discards,
    take,
)
from daybook.domain.games.making_profit.examples import EXAMPLES
from daybook.domain.games.making_profit.invariants import breaches, invariants
from daybook.domain.games.making_profit.names import NAMES
from daybook.domain.games.making_profit.scoring import COLUMNS, marks, outcome, rows, standing, totals
from daybook.domain.games.making_profit.secrecy import redact_board, redact_step, sample_board
from daybook.domain.kernel.conditions import at_table, by_table
from daybook.domain.kernel.rule_parts import Course, DecisionKind, Integrity, Ledger, Scoring, Secrecy, Types
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table, Tell


def set_up(table: Table) -> Board:
    """Return the board set up as far as no one has to look: hidden hands are dealt at once (MP-3.1)."""
    b = opening(table)
    b.draws = b.printed.start_hand
    carry_on(b, unheard)
    return b


def unheard(effect: Any) -> None:
    """Ignore the effect of dealing unseen cards."""


def to_act(b: Board) -> tuple[Seat, ...]:
    if b.ended:
        return ()
    discarder = b.discarder
    if discarder is not None:
        return (discarder,)
    if b.draws or b.start is None:
        return (TABLE,)
    if b.first_action_begun:
        return (b.mover,)
    waiting = claimants(b)
    return tuple(waiting) if b.mover in waiting else (*waiting, b.mover)


def claimants(b: Board) -> list[Seat]:
    """Return the seats that may still claim a third card, from the starting player on (MP-3.2.1)."""
    order = [seat for seat, _ in b.clockwise(b.mover)]
    return [seat for seat in order[b.asked :] if checks.may_be_two_r1(b, seat)]


# --- actions ---


def draw_card(b: Board, seat: Seat, d: moves.Drawn, tell: Tell) -> None:
    draw(b, d.card, 1, tell)
    carry_on(b, tell)


def start_player_drawn(b: Board, seat: Seat, d: moves.StartPlayerDrawn, tell: Tell) -> None:
    b.start = d.seat
    b.turn = 1
    b.actions = b.printed.turn_actions
    tell(moves.StartPlayerChosen("MP-3.1.6", d.seat))


def third_card(b: Board, seat: Seat, d: moves.ThirdCard, tell: Tell) -> None:
    b.asked = (seat - b.mover) % b.seats + 1
    if not d.claimed:
        tell(moves.ThirdCardDeclined("MP-3.2.3", seat))
        return
    player = b.players[seat]
    player.hand["R1"] += player.hand[UNKNOWN]
    player.hand[UNKNOWN] = 0
    player.shown = player.hand["R1"]
    tell(moves.ThirdCardClaimed("MP-3.2.2", seat))
    b.drawer, b.draws = seat, 1
    carry_on(b, tell)


def buy_stock(b: Board, seat: Seat, d: moves.BuyStock, tell: Tell) -> None:
    player, owner = b.players[seat], b.table.colours.index(d.colour)
    price = b.price(d.colour)
    b.actions -= 1
    player.money -= price
    b.bank[d.colour] -= 1
    player.certificates[d.colour] += 1
    tell(moves.StockBought("MP-4.2.3", seat, d.colour, price, b.players[owner].level, owner))
    b.drawer, b.draws = owner, 1
    carry_on(b, tell)


def sell_add(b: Board, seat: Seat, d: moves.SellAdd, tell: Tell) -> None:
    b.sale[d.colour] += 1
    tell(moves.StockOffered("MP-4.3.8", seat, d.colour, b.sale[d.colour]))


def sell_done(b: Board, seat: Seat, d: moves.SellDone, tell: Tell) -> None:
    """Everything is paid at the levels before the sale; the owners discard after that (MP-4.3.3, MP-4.3.4)."""
    b.actions -= 1
    for colour in b.table.colours:
        if b.sale[colour]:
            sell(b, seat, colour, b.sale[colour], tell)
    for owner, _ in b.clockwise(seat):
        sold = b.sale[b.table.colours[owner]]
        if sold:
            owe_discards(b, owner, sold, tell)
    b.sale = dict.fromkeys(b.sale, 0)
    carry_on(b, tell)


def sell(b: Board, seat: Seat, colour: str, count: int, tell: Tell) -> None:
    """Sell certificates of a colour to the bank and emit the effect."""
    price = b.worth(colour)
    player = b.players[seat]
    player.certificates[colour] -= count
    b.bank[colour] += count
    player.money += count * price
    tell(moves.StockSold("MP-4.3.3", seat, colour, count, price, count * price))


def develop(b: Board, seat: Seat, d: moves.Develop, tell: Tell) -> None:
    player = b.players[seat]
    b.actions -= 1
    take(b, seat, (d.card,))
    player.factory.append(d.card)
    b.developer = seat
    tell(moves.CardDeveloped("MP-4.4.1", seat, d.card, player.level))
    if player.level == b.printed.factories_last_level:
        b.ended = "level_ten"
        tell(moves.RoundEnded("MP-5.5", b.round))
        tell(moves.GameEnded("MP-4.8.1", "level_ten", seat))
        return
    carry_on(b, tell)


def run(b: Board, seat: Seat, d: moves.Run, tell: Tell) -> None:
    yields = [b.printed.cards[card] for card in b.players[seat].factory]
    money, resources = sum(y.money for y in yields), sum(y.resources for y in yields)
    b.actions -= 1
    tell(moves.FactoryRun("MP-4.5.2", seat, money, resources))
    if money:
        pay_dividends(b, seat, money, tell)
    b.drawer, b.draws = seat, resources
    carry_on(b, tell)


def pay_dividends(b: Board, runner: Seat, per_certificate: int, tell: Tell) -> None:
    colour = b.table.colours[runner]
    for seat, player in b.clockwise(runner):
        held = player.certificates[colour]
        if held:
            player.money += held * per_certificate
            tell(moves.DividendPaid("MP-4.5.3", seat, colour, held, per_certificate, held * per_certificate))


def sell_resources(b: Board, seat: Seat, d: moves.SellResources, tell: Tell) -> None:
    b.actions -= 1
    take(b, seat, d.cards)
    for card in d.cards:
        b.discard[card] += 1
    b.players[seat].money += b.printed.turn_set_price
    tell(moves.ResourcesSold("MP-4.6.1", seat, d.cards, b.printed.turn_set_price))
    carry_on(b, tell)


def pass_on(b: Board, seat: Seat, d: moves.EndTurn, tell: Tell) -> None:
    b.actions = 0
    carry_on(b, tell)


def discard_from_hand(b: Board, seat: Seat, d: moves.DiscardHand, tell: Tell) -> None:
    discard_hand(b, seat, d.card, 1, "MP-4.7.3" if b.nationalising else "MP-4.3.4", tell)
    carry_on(b, tell)


def discard_from_factory(b: Board, seat: Seat, d: moves.DiscardFactory, tell: Tell) -> None:
    discard_factory(b, seat, d.card, 1, "MP-4.3.4", tell)
    carry_on(b, tell)


def cut_hand(b: Board, seat: Seat, d: moves.Nationalise, tell: Tell) -> None:
    hand = b.players[seat].hand
    cards = tuple(card for card in CARDS for _ in range(hand[card] - d.keep.count(card)))
    take(b, seat, cards)
    for card in cards:
        b.discard[card] += 1
    tell(moves.HandCut("MP-4.7.3", seat, cards))
    carry_on(b, tell)


# --- the one way to write it ---


def own_factory_unsaid(table: Table, seat: Seat, d: moves.Develop | moves.Run) -> Decision:
    """Return the decision without the name of the player's own factory."""
    own = 0 <= seat < table.seats and d.factory == table.colours[seat]
    return msgspec.structs.replace(d, factory=None) if own else d


def set_in_order(table: Table, seat: Seat, d: moves.SellResources) -> Decision:
    return moves.SellResources(in_order(d.cards))


def kept_in_order(table: Table, seat: Seat, d: moves.Nationalise) -> Decision:
    return moves.Nationalise(in_order(d.keep))


def in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=SEEN_OR_NOT.index))


# --- candidates: everything a seat might try, and how likely a fact is ---


DRAWS = tuple(moves.Drawn(card) for card in CARDS)
THIRD_CARDS = (moves.ThirdCard(True), moves.ThirdCard(False))
DEVELOPS = tuple(moves.Develop(card) for card in CARDS)
RUNS = (moves.Run(),)
SALES_DONE = (moves.SellDone(),)
TURN_ENDS = (moves.EndTurn(),)
HAND_DISCARDS = tuple(moves.DiscardHand(card) for card in SEEN_OR_NOT)
FACTORY_DISCARDS = tuple(moves.DiscardFactory(card) for card in CARDS)


def candidate_seats(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.StartPlayerDrawn(other) for other in range(b.seats)]


def candidate_purchases(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the decision to buy a certificate of each colour."""
    return purchases(b.table.colours)


@lru_cache
def purchases(colours: tuple[str, ...]) -> tuple[moves.BuyStock, ...]:
    return tuple(moves.BuyStock(colour) for colour in colours)


def candidate_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    return sales(b.table.colours)


@lru_cache
def sales(colours: tuple[str, ...]) -> tuple[moves.SellAdd, ...]:
    return tuple(moves.SellAdd(colour) for colour in colours)


def candidate_sets(b: Board, seat: Seat) -> Iterable[Decision]:
    player, size = b.players[seat], b.printed.turn_set_cards
    if player.cards < size or b.nationalising or player.owes:
        return ()
    return sets(tuple([card for card in SEEN_OR_NOT if player.hand[card] or player.hand[UNKNOWN]]), size)


@lru_cache
def sets(types: tuple[Card, ...], size: int) -> tuple[moves.SellResources, ...]:
    """Return a sale for each set of a size from these card types."""
    return tuple(moves.SellResources(cards) for cards in combinations_with_replacement(types, size))


def candidate_cuts(b: Board, seat: Seat) -> Iterable[Decision]:
    return cuts(b.printed.turn_hand_limit) if b.nationalising else ()


@lru_cache
def cuts(limit: int) -> tuple[moves.Nationalise, ...]:
    """Return a decision to nationalise for each set of cards."""
    return tuple(moves.Nationalise(cards) for cards in combinations_with_replacement(CARDS, limit))


def copies_left_in_deck(b: Board, d: moves.Drawn) -> int:
    return b.deck[d.card]


# --- the tables ---


TURN = (
    ("MP-7.10", checks.game_on),
    ("MP-4.7.3", checks.hands_cut),
    ("MP-4.1.3", checks.discards_done),
    ("MP-4.1.1", checks.its_turn),
)
ACTION = (*TURN, ("MP-4.3.8", checks.no_sale_open), ("MP-4.1.2", checks.action_left), ("MP-4.1.3", checks.cards_drawn))
SALE = (*TURN, ("MP-4.1.2", checks.action_left), ("MP-4.1.3", checks.cards_drawn))
NAMED = (("MP-3.4.3", checks.copies_left), ("MP-3.4.6", checks.drawn_or_kept))
FACT = (("MP-7.10", checks.game_on), ("MP-4.9", by_table), ("MP-4.7.3", checks.hands_cut))

DECISIONS: dict[type[Decision], DecisionKind[Board]] = {
    moves.Drawn: DecisionKind(
        offers=lambda b, seat: DRAWS,
        does=draw_card,
        weight=copies_left_in_deck,
        covered_fact=True,
        seen_by=attrgetter("drawer"),
        when=(*FACT, ("MP-4.7.1", checks.draw_awaited)),
        checks=(("MP-3.4.3", checks.card_in_deck),),
    ),
    moves.StartPlayerDrawn: DecisionKind(
        offers=candidate_seats,
        does=start_player_drawn,
        when=(*FACT, ("MP-3.1.6", checks.hands_dealt)),
        checks=(("MP-3.1.6", at_table),),
    ),
    moves.DiscardHand: DecisionKind(
        offers=lambda b, seat: HAND_DISCARDS,
        does=discard_from_hand,
        when=(
            ("MP-7.10", checks.game_on),
            ("MP-4.3.8", checks.no_sale_open),
            ("MP-4.3.4", checks.cards_owed),
            ("MP-4.7.3", checks.cut_in_order),
            ("MP-4.1.3", checks.discards_in_order),
            ("MP-4.7.3", checks.cut_card_by_card),
        ),
        checks=(("MP-4.3.4", checks.in_hand), *NAMED),
    ),
    moves.DiscardFactory: DecisionKind(
        offers=lambda b, seat: FACTORY_DISCARDS,
        does=discard_from_factory,
        when=(
            ("MP-7.10", checks.game_on),
            ("MP-4.3.8", checks.no_sale_open),
            ("MP-4.7.3", checks.hands_cut),
            ("MP-4.3.4", checks.cards_owed),
            ("MP-4.1.3", checks.discards_in_order),
            ("MP-4.3.4", checks.hand_empty),
        ),
        checks=(("MP-4.3.4", checks.in_factory),),
    ),
    moves.Nationalise: DecisionKind(
        offers=candidate_cuts,
        does=cut_hand,
        meaning=kept_in_order,
        when=(
            ("MP-7.10", checks.game_on),
            ("MP-4.3.8", checks.no_sale_open),
            ("MP-4.7.3", checks.cut_due),
            ("MP-4.7.3", checks.cut_in_order),
            ("MP-4.7.3", checks.cut_at_once),
        ),
        checks=(("MP-4.7.3", checks.keeps_two), ("MP-4.7.3", checks.kept_in_hand)),
    ),
    moves.ThirdCard: DecisionKind(
        offers=lambda b, seat: THIRD_CARDS,
        does=third_card,
        when=(
            ("MP-7.10", checks.game_on),
            ("MP-4.7.3", checks.hands_cut),
            ("MP-3.2.3", checks.before_first_action),
            ("MP-3.2.1", checks.in_claim_order),
            ("MP-4.1.3", checks.cards_drawn),
            ("MP-3.2.3", checks.two_r1),
        ),
        checks=(("MP-3.4.3", checks.copies_left_for_claim),),
    ),
    moves.SellDone: DecisionKind(
        offers=lambda b, seat: SALES_DONE, does=sell_done, when=(*SALE, ("MP-4.3.1", checks.sale_begun))
    ),
    moves.Develop: DecisionKind(
        offers=lambda b, seat: DEVELOPS,
        does=develop,
        meaning=own_factory_unsaid,
        when=ACTION,
        checks=(
            ("MP-4.1.6", checks.own_factory),
            ("MP-4.4.1", checks.in_hand),
            ("MP-3.4.2", checks.card_is_named),
            *NAMED,
        ),
    ),
    moves.BuyStock: DecisionKind(
        offers=candidate_purchases,
        does=buy_stock,
        when=ACTION,
        checks=(("MP-4.1.6", checks.colour_in_play), ("MP-4.2.1", checks.in_bank), ("MP-4.2.1", checks.can_pay)),
    ),
    moves.Run: DecisionKind(
        offers=lambda b, seat: RUNS,
        does=run,
        meaning=own_factory_unsaid,
        when=ACTION,
        checks=(("MP-4.1.6", checks.own_factory),),
    ),
    moves.SellResources: DecisionKind(
        offers=candidate_sets,
        does=sell_resources,
        meaning=set_in_order,
        when=ACTION,
        checks=(("MP-4.6.2", checks.one_set), ("MP-4.6.1", checks.three_cards), ("MP-4.6.1", checks.in_hand), *NAMED),
    ),
    moves.SellAdd: DecisionKind(
        offers=candidate_sales,
        does=sell_add,
        when=SALE,
        checks=(("MP-4.1.6", checks.colour_in_play), ("MP-4.3.1", checks.certificate_left)),
    ),
    moves.EndTurn: DecisionKind(
        offers=lambda b, seat: TURN_ENDS,
        does=pass_on,
        when=(*TURN, ("MP-4.3.8", checks.no_sale_open), ("MP-4.1.3", checks.cards_drawn)),
    ),
}

MAKING_PROFIT: Ruleset[Board] = Ruleset(
    id="making_profit",
    prefix="MP",
    title="Making Profit",
    revision=1,
    seats=range(2, 7),
    colours=lambda sheet: tuple(sheet["factories.colours"]),
    catalogue="MP-4.9",
    kinds=DECISIONS,
    types=Types(decisions=moves.AnyDecision, effects=moves.AnyEffect, options=Options, board=Board),
    course=Course(
        open=set_up, to_act=to_act, marks=marks, periods=("round",), before_turns=(moves.ThirdCard,), spreads=SPREADS
    ),
    scoring=Scoring(standing=standing, outcome=outcome, totals=totals),
    ledger=Ledger(columns=COLUMNS, rows=rows, own=("/players/*",), shared=("/players/*/factory",)),
    secrecy=Secrecy(redact_board=redact_board, redact_step=redact_step, sample_board=sample_board),
    integrity=Integrity(
        breaches=breaches,
        invariants=invariants,
        supplies=(("/players/*/certificates/*", "/bank/{1}"),),
        causes=(
            "/players/*/money",
            "/players/*/certificates/*",
            "/players/*/hand/*",
            "/players/*/factory",
            "/bank/*",
            "/deck/*",
            "/discard/*",
            "/developer",
            "/stocks",
        ),
        names=NAMES,
        consistency=CONSISTENCY,
        examples=EXAMPLES,
    ),
)
