"""Invariants of every board (MP-7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daybook.domain.games.making_profit import knowledge
from daybook.domain.games.making_profit.board import CARDS, UNKNOWN, Board
from daybook.domain.kernel.invariants import Invariant
from daybook.domain.kernel.terms import Breach, because


def breaches(b: Board) -> Iterator[Breach]:
    for invariant in INVARIANTS:
        breach = invariant.broken(b)
        if isinstance(breach, Breach):
            yield breach


def cards_add_up(b: Board) -> Breach | None:
    known, copies = knowledge.known_by_type(b), b.printed.copies
    total = sum(known.values()) + b.deck[UNKNOWN] + b.discard[UNKNOWN]
    total += sum([player.hand[UNKNOWN] for player in b.players])
    if total != b.printed.all_cards:
        return Breach(
            "MP-7.1", because("cards", "there are {total} cards, not {all}", total=total, all=b.printed.all_cards)
        )
    for card in CARDS:
        if known[card] > copies[card]:
            return Breach(
                "MP-7.1",
                because(
                    "copies",
                    "there are {known} {card} cards, not {copies}",
                    known=known[card],
                    card=card,
                    copies=copies[card],
                ),
            )
    return None


def seen_as_recorded(b: Board) -> Breach | None:
    """Check that open hands are seen, that no card of a hidden deck is, and that developed cards are."""
    if any(UNKNOWN in player.factory for player in b.players):
        right = False
    elif b.hands_are_hidden:
        right = b.deck_size == b.deck[UNKNOWN]
    else:
        right = not (b.deck[UNKNOWN] or b.discard[UNKNOWN] or any(player.hand[UNKNOWN] for player in b.players))
    return (
        None
        if right
        else Breach(
            "MP-3.4.1", because("unseen", "a card is unseen where the record sees it, or seen where it does not")
        )
    )


def certificates_add_up(b: Board) -> Breach | None:
    right = b.printed.certificates_each_colour
    for colour, total in b.bank.items():
        for player in b.players:
            total += player.certificates.get(colour, 0)
        if total != right:
            return Breach(
                "MP-7.2",
                because(
                    "certificates",
                    "there are {total} {colour} certificates, not {all}",
                    total=total,
                    colour=colour,
                    all=right,
                ),
            )
    return None


def levels_fit(b: Board) -> Breach | None:
    last = b.printed.factories_last_level
    levels = [len(player.factory) for player in b.players]
    if max(levels) <= last and levels.count(last) == (b.ended == "level_ten"):
        return None
    return Breach("MP-7.3", because("levels", "a factory has level {last} exactly when that ended the game", last=last))


def nothing_below_zero(b: Board) -> Breach | None:
    for player in b.players:
        if player.money < 0:
            return Breach("MP-7.4", because("money", "the money of a player is below 0"))
        if min(player.hand.values()) < 0 or min(player.certificates.values()) < 0:
            return Breach("MP-7.1", because("places", "a player has fewer than 0 cards or certificates"))
    if min(*b.bank.values(), *b.deck.values(), *b.discard.values()) < 0:
        return Breach("MP-7.1", because("places", "a number of cards or certificates on the table is below 0"))
    return None


def deck_rebuilt(b: Board) -> Breach | None:
    """Check that the deck is empty between actions only if no card is left for it (MP-4.7.5)."""
    if b.deck_size or b.start is None or b.ended or b.draws or b.discarder is not None:
        return None
    if not any(b.discard.values()) and all(player.cards <= b.printed.turn_hand_limit for player in b.players):
        return None
    return Breach("MP-7.5", because("deck", "the deck is empty although there are cards to rebuild it"))


def actions_in_turn(b: Board) -> Breach | None:
    if 0 <= b.actions <= b.printed.turn_actions:
        return None
    return Breach("MP-7.6", because("actions", "{actions} actions are left in the turn", actions=b.actions))


def developer_plays(b: Board) -> Breach | None:
    if b.developer is None or 0 <= b.developer < b.seats:
        return None
    return Breach("MP-4.8.2", because("developer", "{seat} does not play in this game", seat=b.developer))


def names_possible(b: Board) -> Breach | None:
    if b.stocks is None:
        return None
    if len(b.stocks.held) == b.seats and (not b.hands_are_hidden or knowledge.can_be(b.stocks)):
        return None  # open hands are visible, and a hand corrected by hand may contradict earlier knowledge
    return Breach(
        "MP-7.14", because("card_unknown", "the cards named since the shuffle cannot all have been in these hands")
    )


HANDS, FACTORIES = "/players/*/hand", "/players/*/factory"
CERTIFICATES = "/players/*/certificates"
INVARIANTS = (  # each with the parts of the board that it reads
    Invariant(cards_add_up, (HANDS, FACTORIES, "/deck", "/discard")),
    Invariant(seen_as_recorded, (HANDS, FACTORIES, "/deck", "/discard")),
    Invariant(certificates_add_up, (CERTIFICATES, "/bank")),
    Invariant(levels_fit, (FACTORIES, "/ended")),
    Invariant(nothing_below_zero, ("/players/*/money", HANDS, CERTIFICATES, "/bank", "/deck", "/discard")),
    Invariant(
        deck_rebuilt,
        (
            HANDS,
            "/players/*/owes",
            "/deck",
            "/discard",
            "/start",
            "/turn",
            "/ended",
            "/draws",
            "/drawer",
            "/nationalising",
        ),
    ),
    Invariant(actions_in_turn, ("/actions",)),
    Invariant(developer_plays, ("/developer",)),
    Invariant(names_possible, ("/stocks",)),
)


def invariants(seats: int) -> Sequence[Invariant]:
    return INVARIANTS
