"""Making Profit: checks, actions, and the tables that name the rule of each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from domain.games.making_profit import knowledge
from domain.games.making_profit.board import CARDS, SEEN_OR_NOT, UNKNOWN, Board, Card, Options, opening, printed
from domain.games.making_profit.course import carry_on, discard_factory, discard_hand, draw, owe, take
from domain.games.making_profit.invariants import breaches
from domain.games.making_profit.moves import (
    AnyDecision,
    AnyEffect,
    BuyStock,
    CardDeveloped,
    Develop,
    DiscardFactory,
    DiscardHand,
    DividendPaid,
    Drawn,
    EndTurn,
    FactoryRun,
    GameEnded,
    HandCut,
    Nationalise,
    ResourcesSold,
    RoundEnded,
    Run,
    SellAdd,
    SellDone,
    SellResources,
    StartPlayerChosen,
    StartPlayerDrawn,
    StockBought,
    StockOffered,
    StockSold,
    ThirdCard,
    ThirdCardClaimed,
    ThirdCardDeclined,
)
from domain.games.making_profit.scoring import COLUMNS, marks, outcome, standing
from domain.games.making_profit.secrecy import masked, told
from domain.ruleset import TABLE, Decision, Reason, Ruleset, Seat, Table, Tell, because


def opened(table: Table) -> Board:
    """The table set up as far as nobody has to look: hidden hands are dealt at once (MP-3.1)."""
    b = opening(table)
    b.draws = b.printed.starting_hand
    carry_on(b, unheard)
    return b


def unheard(effect: Any) -> None:
    """Nobody is told how cards nobody sees are dealt."""


def to_act(b: Board) -> tuple[Seat, ...]:
    if b.ended:
        return ()
    discarder = b.discarder
    if discarder is not None:
        return (discarder,)
    if b.draws or b.start is None:
        return (TABLE,)
    if b.acted:
        return (b.mover,)
    waiting = claimants(b)
    return tuple(waiting) if b.mover in waiting else (*waiting, b.mover)


def claimants(b: Board) -> list[Seat]:
    """Who may still claim a third card, in order from the starting player (MP-3.2.1)."""
    return [seat for place, (seat, _) in enumerate(b.clockwise(b.mover)) if place >= b.asked and may_be_two_r1(b, seat)]


def may_be_two_r1(b: Board, seat: Seat) -> bool:
    hand = b.players[seat].hand
    return hand["R1"] + hand[UNKNOWN] == b.players[seat].cards == b.printed.starting_hand


# --- checks: whose turn it is, and what comes first ---


def game_on(b: Board, seat: Seat, d: Any) -> Reason | None:
    return because("game_over", "the game is over") if b.ended else None


def hands_cut(b: Board, seat: Seat, d: Any) -> Reason | None:
    return owed(b) if b.nationalising else None


def discards_done(b: Board, seat: Seat, d: Any) -> Reason | None:
    return None if b.discarder is None else owed(b)


def owed(b: Board) -> Reason:
    discarder = b.discarder
    assert discarder is not None
    player = b.players[discarder]
    count = player.cards - b.printed.hand_limit if b.nationalising else player.owes
    return because("discard_owed", "seat {seat} has {count} cards to discard first", seat=discarder, count=count)


def its_turn(b: Board, seat: Seat, d: Any) -> Reason | None:
    if b.start is None:
        return because("not_your_turn", "the game has not begun: cards are dealt and the starting player is drawn")
    return None if seat == b.mover else because("not_your_turn", "it is the turn of seat {seat}", seat=b.mover)


def no_sale_open(b: Board, seat: Seat, d: Any) -> Reason | None:
    return because("sale_open", "a sale is being put together: add to it or finish it") if b.selling else None


def action_left(b: Board, seat: Seat, d: Any) -> Reason | None:
    return None if b.actions else because("no_action_left", "no action is left in this turn")


def cards_drawn(b: Board, seat: Seat, d: Any) -> Reason | None:
    if not b.draws:
        return None
    return because("draw_due", "seat {seat} has {count} cards to draw first", seat=b.drawer, count=b.draws)


def by_table(b: Board, seat: Seat, d: Any) -> Reason | None:
    return None if seat == TABLE else because("table_decides", "the table decides this, not a player")


# --- checks: set-up and the deck ---


def draw_awaited(b: Board, seat: Seat, d: Drawn) -> Reason | None:
    return None if b.draws else because("no_draw_due", "nobody has a card to draw")


def card_in_deck(b: Board, seat: Seat, d: Drawn) -> Reason | None:
    if b.deck[d.card]:
        return None
    return because("card_unknown", "no {card} can be in the deck", card=d.card)


def hands_dealt(b: Board, seat: Seat, d: StartPlayerDrawn) -> Reason | None:
    if b.start is not None:
        return because("start_player_known", "seat {seat} is the starting player", seat=b.start)
    return because("draw_due", "the hands are not dealt yet") if b.draws else None


def at_table(b: Board, seat: Seat, d: StartPlayerDrawn) -> Reason | None:
    if 0 <= d.seat < b.seats:
        return None
    return because("no_such_seat", "there are {seats} seats, numbered from 0", seats=b.seats)


def before_first_action(b: Board, seat: Seat, d: ThirdCard) -> Reason | None:
    return because("claim_closed", "the first action has been taken") if b.acted else None


def in_claim_order(b: Board, seat: Seat, d: ThirdCard) -> Reason | None:
    if b.start is None:
        return because("claim_closed", "claims follow when the starting player is drawn")
    if 0 <= seat < b.seats and (seat - b.start) % b.seats >= b.asked:
        return None
    return because("claim_closed", "claims go clockwise from the starting player and have passed this seat")


def two_r1(b: Board, seat: Seat, d: ThirdCard) -> Reason | None:
    if may_be_two_r1(b, seat):
        return None
    return because("not_two_r1", "the starting hand is not two R1")


# --- checks: the five actions ---


def colour_in_play(b: Board, seat: Seat, d: BuyStock | SellAdd) -> Reason | None:
    return None if d.colour in b.bank else because(
        "colour_not_in_play", "nobody plays {colour}", colour=d.colour)


def in_bank(b: Board, seat: Seat, d: BuyStock) -> Reason | None:
    return None if b.bank[d.colour] else because(
        "none_in_bank", "the bank has no {colour} certificate", colour=d.colour)


def can_pay(b: Board, seat: Seat, d: BuyStock) -> Reason | None:
    price, money = b.price(d.colour), b.players[seat].money
    if money >= price:
        return None
    return because(
        "cannot_pay", "a {colour} certificate costs ${price}; there is ${money}",
        colour=d.colour, price=price, money=money)


def certificate_left(b: Board, seat: Seat, d: SellAdd) -> Reason | None:
    held = b.players[seat].certificates[d.colour]
    if b.sale[d.colour] < held:
        return None
    return because("none_held", "{held} {colour} certificates are held, no more", held=held, colour=d.colour)


def sale_begun(b: Board, seat: Seat, d: SellDone) -> Reason | None:
    return None if b.selling else because("none_held", "no certificate is in the sale")


def own_factory(b: Board, seat: Seat, d: Develop | Run) -> Reason | None:
    if d.factory in (None, b.table.colours[seat]):
        return None
    return because(
        "not_own_factory", "only the own factory, {colour}, can be developed and run", colour=b.table.colours[seat])


def one_set(b: Board, seat: Seat, d: SellResources) -> Reason | None:
    size = b.printed.set_cards
    if len(d.cards) <= size:
        return None
    return because("one_set_only", "one action sells {size} cards, not {given}", size=size, given=len(d.cards))


def three_cards(b: Board, seat: Seat, d: SellResources) -> Reason | None:
    size, held = b.printed.set_cards, b.players[seat].cards
    if held < size:
        return because("three_cards_needed", "a set is {size} cards; the hand has {held}", size=size, held=held)
    if len(d.cards) < size:
        return because("three_cards_needed", "a set is {size} cards, not {given}", size=size, given=len(d.cards))
    return None


# --- checks: cards that leave a hand or a factory ---


def leaving(d: Develop | SellResources | DiscardHand) -> tuple[Card, ...]:
    return d.cards if isinstance(d, SellResources) else (d.card,)


def in_hand(b: Board, seat: Seat, d: Develop | SellResources | DiscardHand) -> Reason | None:
    if knowledge.holds(b.players[seat], leaving(d)):
        return None
    return because("no_card", "the hand does not hold {cards}", cards=", ".join(leaving(d)))


def named(b: Board, seat: Seat, d: Develop) -> Reason | None:
    return because("card_unknown", "a developed card lies open: its type is named") if d.card == UNKNOWN else None


def copies_left(b: Board, seat: Seat, d: Develop | SellResources | DiscardHand) -> Reason | None:
    return copies_for(b, knowledge.unseen(b.players[seat], leaving(d)))


def copies_left_for_claim(b: Board, seat: Seat, d: ThirdCard) -> Reason | None:
    return copies_for(b, ["R1"] * b.players[seat].hand[UNKNOWN] if d.claimed else [])


def copies_for(b: Board, cards: list[str]) -> Reason | None:
    card = knowledge.too_many(b, cards)
    if card is None:
        return None
    return because(
        "card_unknown", "there are {copies} {card}, and too many of them lie elsewhere",
        copies=b.printed.copies[card], card=card)


def drawn_or_kept(b: Board, seat: Seat, d: Develop | SellResources | DiscardHand) -> Reason | None:
    cards = knowledge.unseen(b.players[seat], leaving(d))
    if not cards or b.stocks is None or knowledge.can_be(knowledge.naming(b.stocks, seat, cards)):
        return None
    return because(
        "card_unknown", "{cards}: neither held since the shuffle nor drawn after it", cards=", ".join(cards))


def cards_owed(b: Board, seat: Seat, d: DiscardHand | DiscardFactory) -> Reason | None:
    return because("nothing_owed", "nobody has a card to discard") if b.discarder is None else None


def cut_due(b: Board, seat: Seat, d: Nationalise) -> Reason | None:
    return None if b.nationalising else because("nothing_owed", "there is no nationalisation")


def cut_in_order(b: Board, seat: Seat, d: Any) -> Reason | None:
    return owed(b) if b.nationalising and seat != b.discarder else None


def discards_in_order(b: Board, seat: Seat, d: DiscardHand | DiscardFactory) -> Reason | None:
    return None if b.discarder in (None, seat) else owed(b)


def cut_card_by_card(b: Board, seat: Seat, d: DiscardHand) -> Reason | None:
    """A hand that is known is cut in one decision, by what is kept."""
    return owed(b) if b.nationalising and not b.players[seat].hand[UNKNOWN] else None


def cut_at_once(b: Board, seat: Seat, d: Nationalise) -> Reason | None:
    """Of a hand that is not known the cards discarded are named, one by one."""
    return owed(b) if b.nationalising and b.players[seat].hand[UNKNOWN] else None


def keeps_two(b: Board, seat: Seat, d: Nationalise) -> Reason | None:
    limit = b.printed.hand_limit
    if len(d.keep) == limit:
        return None
    return because("keep_two", "{limit} cards are kept, not {given}", limit=limit, given=len(d.keep))


def kept_in_hand(b: Board, seat: Seat, d: Nationalise) -> Reason | None:
    if knowledge.holds(b.players[seat], d.keep):
        return None
    return because("no_card", "the hand does not hold {cards}", cards=", ".join(d.keep))


def hand_empty(b: Board, seat: Seat, d: DiscardFactory) -> Reason | None:
    held = b.players[seat].cards
    return because("hand_first", "{held} hand cards go first", held=held) if held else None


def in_factory(b: Board, seat: Seat, d: DiscardFactory) -> Reason | None:
    if d.card in b.players[seat].factory:
        return None
    return because("no_card", "there is no {card} in the factory", card=d.card)


# --- actions ---


def drawn(b: Board, seat: Seat, d: Drawn, tell: Tell) -> None:
    draw(b, d.card, 1, tell)
    carry_on(b, tell)


def start_player_drawn(b: Board, seat: Seat, d: StartPlayerDrawn, tell: Tell) -> None:
    b.start = d.seat
    b.turn = 1
    b.actions = b.printed.actions
    tell(StartPlayerChosen("MP-3.1.6", d.seat))


def third_card(b: Board, seat: Seat, d: ThirdCard, tell: Tell) -> None:
    b.asked = (seat - b.mover) % b.seats + 1
    if not d.claimed:
        tell(ThirdCardDeclined("MP-3.2.3", seat))
        return
    player = b.players[seat]
    player.hand["R1"] += player.hand[UNKNOWN]
    player.hand[UNKNOWN] = 0
    player.shown = player.hand["R1"]
    tell(ThirdCardClaimed("MP-3.2.2", seat))
    b.drawer, b.draws = seat, 1
    carry_on(b, tell)


def buy_stock(b: Board, seat: Seat, d: BuyStock, tell: Tell) -> None:
    player, owner = b.players[seat], b.table.colours.index(d.colour)
    price = b.price(d.colour)
    b.actions -= 1
    player.money -= price
    b.bank[d.colour] -= 1
    player.certificates[d.colour] += 1
    tell(StockBought("MP-4.2.3", seat, d.colour, price, b.players[owner].level, owner))
    b.drawer, b.draws = owner, 1
    carry_on(b, tell)


def sell_add(b: Board, seat: Seat, d: SellAdd, tell: Tell) -> None:
    b.sale[d.colour] += 1
    tell(StockOffered("MP-4.3.8", seat, d.colour, b.sale[d.colour]))


def sell_done(b: Board, seat: Seat, d: SellDone, tell: Tell) -> None:
    """Everything is paid at the levels before the sale; the owners discard after that (MP-4.3.3, MP-4.3.4)."""
    b.actions -= 1
    for colour in b.table.colours:
        if b.sale[colour]:
            sell(b, seat, colour, b.sale[colour], tell)
    for owner, _ in b.clockwise(seat):
        sold = b.sale[b.table.colours[owner]]
        if sold:
            owe(b, owner, sold, tell)
    b.sale = dict.fromkeys(b.sale, 0)
    carry_on(b, tell)


def sell(b: Board, seat: Seat, colour: str, count: int, tell: Tell) -> None:
    price = b.worth(colour)
    player = b.players[seat]
    player.certificates[colour] -= count
    b.bank[colour] += count
    player.money += count * price
    tell(StockSold("MP-4.3.3", seat, colour, count, price, count * price))


def develop(b: Board, seat: Seat, d: Develop, tell: Tell) -> None:
    player = b.players[seat]
    b.actions -= 1
    take(b, seat, (d.card,))
    player.factory.append(d.card)
    b.developer = seat
    tell(CardDeveloped("MP-4.4.1", seat, d.card, player.level))
    if player.level == b.printed.last_level:
        b.ended = "level_ten"
        tell(RoundEnded("MP-5.5", b.round))
        tell(GameEnded("MP-4.8.1", "level_ten", seat))
        return
    carry_on(b, tell)


def run(b: Board, seat: Seat, d: Run, tell: Tell) -> None:
    yields = [b.printed.yields[card] for card in b.players[seat].factory]
    money, resources = sum(y.money for y in yields), sum(y.resources for y in yields)
    b.actions -= 1
    tell(FactoryRun("MP-4.5.2", seat, money, resources))
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
            tell(DividendPaid("MP-4.5.3", seat, colour, held, per_certificate, held * per_certificate))


def sell_resources(b: Board, seat: Seat, d: SellResources, tell: Tell) -> None:
    b.actions -= 1
    take(b, seat, d.cards)
    for card in d.cards:
        b.discard[card] += 1
    b.players[seat].money += b.printed.set_price
    tell(ResourcesSold("MP-4.6.1", seat, d.cards, b.printed.set_price))
    carry_on(b, tell)


def pass_on(b: Board, seat: Seat, d: EndTurn, tell: Tell) -> None:
    b.actions = 0
    carry_on(b, tell)


def discard_from_hand(b: Board, seat: Seat, d: DiscardHand, tell: Tell) -> None:
    discard_hand(b, seat, d.card, 1, "MP-4.7.3" if b.nationalising else "MP-4.3.4", tell)
    carry_on(b, tell)


def discard_from_factory(b: Board, seat: Seat, d: DiscardFactory, tell: Tell) -> None:
    discard_factory(b, seat, d.card, 1, "MP-4.3.4", tell)
    carry_on(b, tell)


def cut_hand(b: Board, seat: Seat, d: Nationalise, tell: Tell) -> None:
    hand = b.players[seat].hand
    cards = tuple(card for card in CARDS for _ in range(hand[card] - d.keep.count(card)))
    take(b, seat, cards)
    for card in cards:
        b.discard[card] += 1
    tell(HandCut("MP-4.7.3", seat, cards))
    carry_on(b, tell)


# --- candidates: everything a seat might try ---


DRAWS = tuple(Drawn(card) for card in CARDS)
THIRD_CARDS = (ThirdCard(True), ThirdCard(False))
DEVELOPS = tuple(Develop(card) for card in CARDS)
RUNS = (Run(),)
SALES_DONE = (SellDone(),)
TURN_ENDS = (EndTurn(),)
HAND_DISCARDS = tuple(DiscardHand(card) for card in SEEN_OR_NOT)
FACTORY_DISCARDS = tuple(DiscardFactory(card) for card in CARDS)


def some_seats(b: Board, seat: Seat) -> Iterable[Decision]:
    return [StartPlayerDrawn(other) for other in range(b.seats)]


def some_stock(b: Board, seat: Seat) -> Iterable[Decision]:
    return [BuyStock(colour) for colour in b.table.colours]


def some_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    return [SellAdd(colour) for colour in b.table.colours]


def some_sets(b: Board, seat: Seat) -> Iterable[Decision]:
    player, size = b.players[seat], b.printed.set_cards
    if player.cards < size or b.nationalising or player.owes:
        return ()
    return sets(SEEN_OR_NOT if player.hand[UNKNOWN] else CARDS, size)


@lru_cache
def sets(types: tuple[Card, ...], size: int) -> tuple[SellResources, ...]:
    return tuple(SellResources(cards) for cards in combinations_with_replacement(types, size))


def some_cuts(b: Board, seat: Seat) -> Iterable[Decision]:
    return cuts(b.printed.hand_limit) if b.nationalising else ()


@lru_cache
def cuts(limit: int) -> tuple[Nationalise, ...]:
    return tuple(Nationalise(cards) for cards in combinations_with_replacement(CARDS, limit))


# --- the tables ---


TURN = (
    ("MP-7.10", game_on), ("MP-4.7.3", hands_cut), ("MP-4.1.3", discards_done), ("MP-4.1.1", its_turn),
)
ACTION = (*TURN, ("MP-4.3.8", no_sale_open), ("MP-4.1.2", action_left), ("MP-4.1.3", cards_drawn))
NAMED = (("MP-3.4.3", copies_left), ("MP-3.4.6", drawn_or_kept))
FACT = (("MP-7.10", game_on), ("MP-4.9", by_table), ("MP-4.7.3", hands_cut))

MAKING_PROFIT: Ruleset[Board] = Ruleset(
    id="making_profit",
    prefix="MP",
    title="Making Profit",
    revision=1,
    seats=range(2, 7),
    catalogue="MP-4.9",
    decisions=AnyDecision,
    effects=AnyEffect,
    options=Options,
    board=Board,
    colours=lambda sheet: printed(sheet).colours,
    open=opened,
    to_act=to_act,
    candidates={
        Drawn: lambda b, seat: DRAWS,
        StartPlayerDrawn: some_seats,
        DiscardHand: lambda b, seat: HAND_DISCARDS,
        DiscardFactory: lambda b, seat: FACTORY_DISCARDS,
        Nationalise: some_cuts,
        ThirdCard: lambda b, seat: THIRD_CARDS,
        SellDone: lambda b, seat: SALES_DONE,
        Develop: lambda b, seat: DEVELOPS,
        BuyStock: some_stock,
        Run: lambda b, seat: RUNS,
        SellResources: some_sets,
        SellAdd: some_sales,
        EndTurn: lambda b, seat: TURN_ENDS,
    },
    checks={
        Drawn: (*FACT, ("MP-4.7.1", draw_awaited), ("MP-3.4.3", card_in_deck)),
        StartPlayerDrawn: (*FACT, ("MP-3.1.6", hands_dealt), ("MP-3.1.6", at_table)),
        ThirdCard: (
            ("MP-7.10", game_on), ("MP-4.7.3", hands_cut), ("MP-3.2.3", before_first_action),
            ("MP-3.2.1", in_claim_order), ("MP-4.1.3", cards_drawn), ("MP-3.2.3", two_r1),
            ("MP-3.4.3", copies_left_for_claim)),
        BuyStock: (
            *ACTION, ("MP-4.1.6", colour_in_play), ("MP-4.2.1", in_bank), ("MP-4.2.1", can_pay)),
        SellAdd: (
            *TURN, ("MP-4.1.2", action_left), ("MP-4.1.3", cards_drawn), ("MP-4.1.6", colour_in_play),
            ("MP-4.3.1", certificate_left)),
        SellDone: (*TURN, ("MP-4.1.2", action_left), ("MP-4.1.3", cards_drawn), ("MP-4.3.1", sale_begun)),
        Develop: (*ACTION, ("MP-4.1.6", own_factory), ("MP-4.4.1", in_hand), ("MP-3.4.2", named), *NAMED),
        Run: (*ACTION, ("MP-4.1.6", own_factory)),
        SellResources: (
            *ACTION, ("MP-4.6.2", one_set), ("MP-4.6.1", three_cards), ("MP-4.6.1", in_hand), *NAMED),
        EndTurn: (*TURN, ("MP-4.3.8", no_sale_open), ("MP-4.1.3", cards_drawn)),
        DiscardHand: (
            ("MP-7.10", game_on), ("MP-4.3.8", no_sale_open), ("MP-4.3.4", cards_owed), ("MP-4.7.3", cut_in_order),
            ("MP-4.1.3", discards_in_order), ("MP-4.7.3", cut_card_by_card), ("MP-4.3.4", in_hand), *NAMED),
        DiscardFactory: (
            ("MP-7.10", game_on), ("MP-4.3.8", no_sale_open), ("MP-4.7.3", hands_cut), ("MP-4.3.4", cards_owed),
            ("MP-4.1.3", discards_in_order), ("MP-4.3.4", hand_empty), ("MP-4.3.4", in_factory)),
        Nationalise: (
            ("MP-7.10", game_on), ("MP-4.3.8", no_sale_open), ("MP-4.7.3", cut_due), ("MP-4.7.3", cut_in_order),
            ("MP-4.7.3", cut_at_once), ("MP-4.7.3", keeps_two), ("MP-4.7.3", kept_in_hand)),
    },
    actions={
        Drawn: drawn,
        StartPlayerDrawn: start_player_drawn,
        ThirdCard: third_card,
        BuyStock: buy_stock,
        SellAdd: sell_add,
        SellDone: sell_done,
        Develop: develop,
        Run: run,
        SellResources: sell_resources,
        EndTurn: pass_on,
        DiscardHand: discard_from_hand,
        DiscardFactory: discard_from_factory,
        Nationalise: cut_hand,
    },
    weight=lambda b, fact: b.deck[fact.card] if isinstance(fact, Drawn) else 1,
    standing=standing,
    outcome=outcome,
    masked=masked,
    told=told,
    columns=COLUMNS,
    marks=marks,
    periods=("round",),
    breaches=breaches,
    causes=(
        "/players/*/money", "/players/*/certificates/*", "/players/*/hand/*", "/players/*/factory", "/bank/*",
        "/deck/*", "/discard/*", "/developer", "/stocks",
    ),
)
