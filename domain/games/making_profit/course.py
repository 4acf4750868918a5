"""Automatic consequences of a decision: discards, draws, the deck, the end of a turn.

`carry_on` continues the running action to its end, or until a seat has to decide (MP-4.1.3).
"""

from __future__ import annotations

from daybook.domain.games.making_profit import knowledge, moves
from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT, UNKNOWN, Board, Card, Player, counts
from daybook.domain.kernel.rule_parts import Spread
from daybook.domain.kernel.terms import Seat, Tell

# Others are paid or owe_discards cards, every hand is cut, or the game ends; a round ends without a consequence.
SPREADS = Spread(always={moves.Nationalised: {}, moves.GameEnded: {}}, others=(moves.DividendPaid, moves.DiscardsOwed))


def carry_on(b: Board, tell: Tell) -> None:
    if b.nationalising and not end_nationalising(b, tell):
        return
    if not carry_out_forced_discards(b, tell) or not draw_unseen(b, tell):
        return
    if b.start is None:
        return
    if not b.deck_size and any(b.discard.values()):
        shuffle(b, "MP-4.7.5", tell)
    if not b.actions:
        end_turn(b, tell)


# --- discards after a sale (MP-4.3) ---


def owe_discards(b: Board, seat: Seat, sold: int, tell: Tell) -> None:
    """Owe a discard per certificate sold of the factory, at most the hand and the level (MP-4.3.4, MP-4.3.5)."""
    player = b.players[seat]
    player.owes = min(sold, player.cards + player.level)
    tell(moves.DiscardsOwed("MP-4.3.4" if player.owes == sold else "MP-4.3.5", seat, player.owes, sold - player.owes))


def carry_out_forced_discards(b: Board, tell: Tell) -> bool:
    """Discard cards without alternative, seat by seat; return if no discard is left (MP-4.3.6, MP-4.3.8)."""
    while (seat := b.discarder) is not None:
        player = b.players[seat]
        if player.cards:
            for card, count in forced_from_hand(player):
                discard_hand(b, seat, card, count, "MP-4.3.8", tell)
        if player.owes and not player.cards:
            for card, count in forced_from_factory(player):
                discard_factory(b, seat, card, count, "MP-4.3.8", tell)
        if player.owes:
            return False
    return True


def forced_from_hand(player: Player) -> list[tuple[Card, int]]:
    held = [card for card in SEEN_OR_NOT if player.hand[card]]
    if player.cards <= player.owes:
        return [(card, player.hand[card]) for card in held if card != UNKNOWN]
    if len(held) == 1 and held[0] != UNKNOWN:
        return [(held[0], player.owes)]
    return []


def forced_from_factory(player: Player) -> list[tuple[Card, int]]:
    laid = [card for card in CARDS if card in player.factory]
    if player.level <= player.owes:
        return [(card, player.factory.count(card)) for card in laid]
    return [(laid[0], player.owes)] if len(laid) == 1 else []


def discard_hand(b: Board, seat: Seat, card: Card, count: int, rule: str, tell: Tell) -> None:
    take(b, seat, (card,) * count)
    pay_off(b.players[seat], count)
    b.discard[card] += count
    tell(moves.CardDiscarded(rule, seat, card, "hand", count))


def discard_factory(b: Board, seat: Seat, card: Card, count: int, rule: str, tell: Tell) -> None:
    player = b.players[seat]
    for _ in range(count):
        player.factory.remove(card)
    pay_off(player, count)
    b.discard[card] += count
    tell(moves.CardDiscarded(rule, seat, card, "factory", count))


def pay_off(player: Player, count: int) -> None:
    player.owes = max(0, player.owes - count)


def take(b: Board, seat: Seat, cards: tuple[Card, ...]) -> None:
    """Cards leave a hand; a known card of a type goes before an unseen one that is named (MP-3.4.2)."""
    player = b.players[seat]
    named = knowledge.unseen(player, cards) if b.hands_are_hidden else knowledge.beyond_shown(player, cards)
    if named and b.stocks is not None:
        b.stocks = knowledge.naming(b.stocks, seat, named)
    for card in cards:
        player.hand[card if player.hand[card] else UNKNOWN] -= 1
    player.shown = max(0, player.shown - cards.count("R1"))


# --- draws, the deck and nationalisation (MP-4.7) ---


def draw_unseen(b: Board, tell: Tell) -> bool:
    """Draw unseen cards at once; return if no draw is left."""
    while b.draws or dealt_on(b):
        if not b.deck_size:
            tell(moves.DrawsLost("MP-4.7.5", b.drawer, b.draws))
            b.draws = 0
        elif b.hands_are_hidden:
            draw(b, UNKNOWN, min(b.draws, b.deck_size), tell)
        else:
            return False
        if b.nationalising:
            return False
    return True


def draw(b: Board, card: Card, count: int, tell: Tell) -> None:
    """Cards go from the deck to the hand; an empty deck is rebuilt at once (MP-4.7.1)."""
    b.deck[card] -= count
    b.players[b.drawer].hand[card] += count
    b.draws -= count
    if b.stocks is not None:
        b.stocks.drawn[b.drawer] += count
        if b.stocks.drawn_cards:
            b.stocks.drawn_cards[b.drawer][card] += count
    tell(moves.CardDrawn("MP-4.7.1", b.drawer, card, count))
    if b.deck_size:
        return
    if any(b.discard.values()):
        shuffle(b, "MP-4.7.2", tell)
    else:
        nationalise(b, tell)


def dealt_on(b: Board) -> bool:
    """Await the hand of the next player in the set-up; return if there is one (MP-3.1.5)."""
    if b.start is not None or b.drawer == b.seats - 1:
        return False
    b.drawer += 1
    b.draws = b.printed.start_hand
    return True


def shuffle(b: Board, rule: str, tell: Tell) -> None:
    """Make the discard pile the deck; its open cards are unseen again (MP-3.4.4)."""
    cards = sum(b.discard.values())
    b.stocks = knowledge.stocks_at_shuffle(b)
    if b.hands_are_hidden:
        b.deck[UNKNOWN] = cards
    else:
        b.deck = b.discard
    b.discard = counts()
    tell(moves.DeckReshuffled(rule, cards))


def nationalise(b: Board, tell: Tell) -> None:
    """Begin cutting every hand to the limit, as deck and pile are used up (MP-4.7.3)."""
    b.nationalising = True
    tell(moves.Nationalised("MP-4.7.3", b.drawer))
    end_nationalising(b, tell)


def end_nationalising(b: Board, tell: Tell) -> bool:
    """End the nationalisation if no hand is above the limit, and reshuffle; return if it ended."""
    if b.discarder is not None:
        return False
    b.nationalising = False
    if any(b.discard.values()):
        shuffle(b, "MP-4.7.3", tell)
    return True


# --- the end of a turn (MP-4.8) ---


def end_turn(b: Board, tell: Tell) -> None:
    """Pass the turn, or end the game if it would come back to the last developer (MP-4.8.4)."""
    seat, following = b.mover, b.follower
    back_to = b.start if b.developer is None else b.developer
    over = following == back_to
    if over or following == b.start:
        tell(moves.RoundEnded("MP-5.5", b.round))
    if over:
        b.ended = "no_development"
        tell(moves.GameEnded("MP-4.8.3" if b.developer is None else "MP-4.8.2", "no_development", following))
        return
    b.turn += 1
    b.actions = b.printed.turn_actions
    tell(moves.TurnPassed("MP-4.1.1", seat, following, b.turn))
