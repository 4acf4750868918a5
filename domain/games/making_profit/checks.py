"""The checks of Making Profit: each says why not, or nothing. Their rules stand in the table of rules.py."""

from __future__ import annotations

from daybook.domain.games.making_profit import knowledge, moves
from daybook.domain.games.making_profit.board import UNKNOWN, Board, Card
from daybook.domain.kernel.terms import Seat, WhyNot, by_number, holds, refuse_unless

# --- turn, and the order of phases ---


def game_on(b: Board) -> WhyNot:
    return refuse_unless(not b.ended, "game_over", "the game is over")


def owed_unless(b: Board, condition: bool) -> WhyNot:
    if condition:
        return None
    discarder = b.discarder
    assert discarder is not None
    player = b.players[discarder]
    count = player.cards - b.printed.turn_hand_limit if b.nationalising else player.owes
    return refuse_unless(condition, "discard_owed", DISCARD_FIRST, seat=discarder, count=count)


@holds("every hand is already cut")
def hands_cut(b: Board) -> WhyNot:
    return owed_unless(b, not b.nationalising)


@holds("no cards have to be discarded now")
def discards_done(b: Board) -> WhyNot:
    return owed_unless(b, b.discarder is None)


DISCARD_FIRST = by_number(
    "count", "seat {seat} has {count} card to discard first", "seat {seat} has {count} cards to discard first"
)


def its_turn(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.start is not None,
        "not_your_turn",
        "the game has not begun: first deal the cards and draw the starting player",
    ) or refuse_unless(seat == b.mover, "not_your_turn", "it is the turn of seat {seat}", seat=b.mover)


@holds("no sale is under way")
def no_sale_open(b: Board) -> WhyNot:
    return refuse_unless(not b.selling, "sale_open", "a sale has begun: add to it or finish it")


@holds("an action is left")
def action_left(b: Board) -> WhyNot:
    return refuse_unless(b.actions, "no_action_left", "no action is left in this turn")


DRAW_FIRST = by_number(
    "count", "seat {seat} has {count} card to draw first", "seat {seat} has {count} cards to draw first"
)


@holds("no card has to be drawn now")
def cards_drawn(b: Board) -> WhyNot:
    return refuse_unless(not b.draws, "draw_due", DRAW_FIRST, seat=b.drawer, count=b.draws)


# --- set-up and the deck ---


@holds("the player has a card to draw")
def draw_awaited(b: Board) -> WhyNot:
    return refuse_unless(b.draws, "no_draw_due", "no player has a card to draw")


@holds("the deck can hold this card")
def card_in_deck(b: Board, d: moves.Drawn) -> WhyNot:
    return refuse_unless(b.deck[d.card], "card_unknown", "no {card} can be in the deck", card=d.card)


@holds("all hands are dealt")
def hands_dealt(b: Board) -> WhyNot:
    return refuse_unless(
        b.start is None, "start_player_known", "seat {seat} is the starting player", seat=b.start
    ) or refuse_unless(not b.draws, "draw_due", "the hands are not dealt yet")


@holds("no one has acted yet")
def before_first_action(b: Board) -> WhyNot:
    return refuse_unless(not b.first_action_begun, "claim_closed", "the first action has been taken")


@holds("it is this player’s place in the order of claims")
def in_claim_order(b: Board, seat: Seat) -> WhyNot:
    start = 0 if b.start is None else b.start
    return refuse_unless(
        b.start is not None, "claim_closed", "players claim third cards after the starting player is drawn"
    ) or refuse_unless(
        0 <= seat < b.seats and (seat - start) % b.seats >= b.asked,
        "claim_closed",
        "players claim clockwise from the starting player; the turn of this seat is over",
    )


def may_be_two_r1(b: Board, seat: Seat) -> bool:
    hand = b.players[seat].hand
    return hand["R1"] + hand[UNKNOWN] == b.players[seat].cards == b.printed.start_hand


@holds("both cards of the hand are R1")
def two_r1(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(may_be_two_r1(b, seat), "not_two_r1", "the starting hand is not two R1")


# --- the five actions ---


@holds("the colour is one of this game")
def colour_in_play(b: Board, d: moves.BuyStock | moves.SellAdd) -> WhyNot:
    return refuse_unless(d.colour in b.bank, "colour_not_in_play", "no one plays {colour}", colour=d.colour)


@holds("the bank has a certificate of this factory")
def in_bank(b: Board, d: moves.BuyStock) -> WhyNot:
    return refuse_unless(b.bank[d.colour], "none_in_bank", "the bank has no {colour} certificate", colour=d.colour)


def can_pay(b: Board, seat: Seat, d: moves.BuyStock) -> WhyNot:
    price, money = b.price(d.colour), b.players[seat].money
    return refuse_unless(
        money >= price,
        "cannot_pay",
        "a {colour} certificate costs ${price}, and the player has ${money}",
        colour=d.colour,
        price=price,
        money=money,
    )


CERTIFICATES_HELD = by_number(
    "held", "the player has only {held} {colour} certificate", "the player has only {held} {colour} certificates"
)


@holds("the player has such a certificate left")
def certificate_left(b: Board, seat: Seat, d: moves.SellAdd) -> WhyNot:
    held = b.players[seat].certificates[d.colour]
    return refuse_unless(b.sale[d.colour] < held, "none_held", CERTIFICATES_HELD, held=held, colour=d.colour)


@holds("a sale has begun")
def sale_begun(b: Board) -> WhyNot:
    return refuse_unless(b.selling, "none_held", "no certificate is in the sale")


@holds("the factory is the player’s own")
def own_factory(b: Board, seat: Seat, d: moves.Develop | moves.Run) -> WhyNot:
    return refuse_unless(
        d.factory in (None, b.table.colours[seat]),
        "not_own_factory",
        "players can develop and run only their own factory, {colour}",
        colour=b.table.colours[seat],
    )


@holds("the cards are at most one set")
def one_set(b: Board, d: moves.SellResources) -> WhyNot:
    size = b.printed.turn_set_cards
    return refuse_unless(
        len(d.cards) <= size, "one_set_only", "an action sells {size} cards, not {given}", size=size, given=len(d.cards)
    )


@holds("the hand has three of them")
def three_cards(b: Board, seat: Seat, d: moves.SellResources) -> WhyNot:
    size, held = b.printed.turn_set_cards, b.players[seat].cards
    return refuse_unless(
        held >= size, "three_cards_needed", "a set is {size} cards; the hand has {held}", size=size, held=held
    ) or refuse_unless(
        len(d.cards) >= size, "three_cards_needed", "a set is {size} cards, not {given}", size=size, given=len(d.cards)
    )


# --- cards that leave a hand or a factory ---


def leaving(d: moves.Develop | moves.SellResources | moves.DiscardHand) -> tuple[Card, ...]:
    """Return the cards that leave the hand with a decision."""
    return d.cards if isinstance(d, moves.SellResources) else (d.card,)


def in_hand(b: Board, seat: Seat, d: moves.Develop | moves.SellResources | moves.DiscardHand) -> WhyNot:
    return refuse_unless(
        knowledge.holds(b.players[seat], leaving(d)),
        "no_card",
        "the hand does not hold {cards}",
        cards=", ".join(leaving(d)),
    )


@holds("the decision names the card")
def card_is_named(d: moves.Develop) -> WhyNot:
    return refuse_unless(d.card != UNKNOWN, "card_unknown", "a developed card is open: name its type")


def copies_left(b: Board, seat: Seat, d: moves.Develop | moves.SellResources | moves.DiscardHand) -> WhyNot:
    return copies_for(b, knowledge.unseen(b.players[seat], leaving(d)))


@holds("the hand can be two R1")
def copies_left_for_claim(b: Board, seat: Seat, d: moves.ThirdCard) -> WhyNot:
    return copies_for(b, ["R1"] * b.players[seat].hand[UNKNOWN] if d.claimed else [])


def copies_for(b: Board, cards: list[Card]) -> WhyNot:
    card = knowledge.too_many(b, cards)
    return refuse_unless(
        card is None,
        "card_unknown",
        "the game has {copies} {card}, and too many of them are elsewhere",
        copies=b.printed.copies[card] if card else 0,
        card=card,
    )


@holds("the cards were held since the shuffle or drawn after it")
def drawn_or_kept(b: Board, seat: Seat, d: moves.Develop | moves.SellResources | moves.DiscardHand) -> WhyNot:
    cards = knowledge.unseen(b.players[seat], leaving(d))
    return refuse_unless(
        not cards or b.stocks is None or knowledge.can_be(knowledge.naming(b.stocks, seat, cards)),
        "card_unknown",
        "{cards}: neither held since the shuffle nor drawn after it",
        cards=", ".join(cards),
    )


@holds("the player has cards to discard")
def cards_owed(b: Board) -> WhyNot:
    return refuse_unless(b.discarder is not None, "nothing_owed", "no player has a card to discard")


@holds("hands are being cut")
def cut_due(b: Board) -> WhyNot:
    return refuse_unless(b.nationalising, "nothing_owed", "no nationalisation is in progress")


@holds("it is this player’s place in the order of cutting hands")
def cut_in_order(b: Board, seat: Seat) -> WhyNot:
    return owed_unless(b, not b.nationalising or seat == b.discarder)


@holds("it is this player’s place in the order of discarding")
def discards_in_order(b: Board, seat: Seat) -> WhyNot:
    return owed_unless(b, b.discarder in (None, seat))


@holds("this hand is not cut in one step")
def cut_card_by_card(b: Board, seat: Seat) -> WhyNot:
    """Require an unseen hand: a known one is cut in one decision, by the cards kept."""
    return owed_unless(b, not b.nationalising or b.players[seat].hand[UNKNOWN] > 0)


@holds("the hand is known: cut it in one step")
def cut_at_once(b: Board, seat: Seat) -> WhyNot:
    """Require a known hand: from an unseen one, discarded cards are named one by one."""
    return owed_unless(b, not b.nationalising or not b.players[seat].hand[UNKNOWN])


@holds("the player keeps two cards")
def keeps_two(b: Board, d: moves.Nationalise) -> WhyNot:
    limit = b.printed.turn_hand_limit
    return refuse_unless(
        len(d.keep) == limit, "keep_two", "keep {limit} cards, not {given}", limit=limit, given=len(d.keep)
    )


@holds("the cards kept can be in this hand")
def kept_in_hand(b: Board, seat: Seat, d: moves.Nationalise) -> WhyNot:
    return refuse_unless(
        knowledge.holds(b.players[seat], d.keep), "no_card", "the hand does not hold {cards}", cards=", ".join(d.keep)
    )


HAND_FIRST = by_number("held", "discard {held} hand card first", "discard {held} hand cards first")


@holds("the hand is empty")
def hand_empty(b: Board, seat: Seat) -> WhyNot:
    held = b.players[seat].cards
    return refuse_unless(not held, "hand_first", HAND_FIRST, held=held)


@holds("the card is in the factory")
def in_factory(b: Board, seat: Seat, d: moves.DiscardFactory) -> WhyNot:
    return refuse_unless(d.card in b.players[seat].factory, "no_card", "there is no {card} in the factory", card=d.card)
