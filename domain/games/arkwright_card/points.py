"""Action 4: quality or distribution (ACG-4.6); and what may replace an Engineer that leaves (ACG-4.12.12)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from daybook.domain.games.arkwright_card import factories, moves, turns
from daybook.domain.games.arkwright_card.board import Board, DistributionCard, Factory, Player, QualityCard
from daybook.domain.games.arkwright_card.printed import GOODS, MODES, Mode
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless


def cards_of(b: Board) -> dict[str, tuple[int, ...]]:
    """Return the cards of the kind that is being added, each with its values."""
    return b.printed.quality if b.stage in ("quality", "replace") else b.printed.distribution


def modes(b: Board) -> tuple[Mode | None, ...]:
    """Return the ways to lay a card of that kind."""
    return MODES if b.stage in ("quality", "replace") else NO_MODES


def points(b: Board, factory: Factory) -> int:
    """Quality or distribution at a factory, as is being added."""
    return factory.quality_value if b.stage in ("quality", "replace") else factory.distribution_value


def points_by_factory(b: Board, player: Player) -> dict[str, int]:
    return {good: points(b, factory) for good, factory in player.open()}


def value_of(factory: Factory, card: str) -> int:
    """Return the value that a card next to a factory shows, for a quality or distribution card."""
    return factory.quality[card].value if card in factory.quality else factory.distribution_value


# --- checks ---


def available_to(seat: Seat, card: str, available: bool) -> WhyNot:
    return refuse_unless(
        available,
        "card_not_available",
        "{card} is not one of the cards that seat {seat} can use here",
        card=card,
        seat=seat,
    )


@holds("the card is one that the player can use here")
def own_card(b: Board, seat: Seat, d: moves.Lift | moves.Place | moves.SetCard) -> WhyNot:
    return available_to(seat, d.card, d.card in cards_of(b) and b.players[seat].has(d.card))


@holds("the card is next to a factory")
def at_factory(b: Board, seat: Seat, d: moves.Lift | moves.SetCard) -> WhyNot:
    return refuse_unless(
        b.players[seat].where(d.card) is not None, "card_not_available", "{card} lies in the reserve", card=d.card
    )


@holds("the card lies in the reserve")
def in_reserve(b: Board, seat: Seat, d: moves.Place) -> WhyNot:
    return require_in_reserve(b, seat, d.card)


def require_in_reserve(b: Board, seat: Seat, card: str) -> WhyNot:
    """Refuse a card that is next to a factory instead of in the reserve."""
    good = b.players[seat].where(card)
    return refuse_unless(
        good is None, "card_not_available", "{card} is next to the {good} factory", card=card, good=good
    )


@holds("the card was not taken back in this action")
def not_lifted(b: Board, d: moves.Lift) -> WhyNot:
    return refuse_unless(
        d.card not in b.turn.lifted, "already_done", "{card} was taken back in this action", card=d.card
    )


@holds("the card was not placed or turned in this action")
def not_laid(b: Board, d: moves.Place | moves.SetCard) -> WhyNot:
    return refuse_unless(
        d.card not in b.turn.laid, "already_done", "{card} was placed or turned in this action", card=d.card
    )


@holds("the card shows this")
def on_card(b: Board, d: moves.Place | moves.SetCard) -> WhyNot:
    return refuse_unless(
        d.value in cards_of(b)[d.card] and (d.mode is None) == (b.stage == "distribution"),
        "card_value",
        "{card} does not show this",
        card=d.card,
    )


@holds("the card does not show this yet")
def changes(b: Board, seat: Seat, d: moves.SetCard) -> WhyNot:
    """Refuse to set a card to the value and mode that it shows."""
    factory = factory_of(b, seat, d.card)
    same_mode = d.card not in factory.quality or factory.quality[d.card].mode == d.mode
    return refuse_unless(
        value_of(factory, d.card) != d.value or not same_mode, "no_change", "{card} shows this already", card=d.card
    )


def factory_of(b: Board, seat: Seat, card: str) -> Factory:
    """Return the factory next to which a card is. Raises LookupError."""
    good = b.players[seat].where(card)
    if good is None:
        raise LookupError(f"{card} lies in the reserve")
    return b.players[seat].factory(good)


@holds("the factory has no other distribution card")
def one_distribution(b: Board, seat: Seat, d: moves.Place) -> WhyNot:
    return refuse_unless(
        b.stage == "quality" or b.players[seat].factory(d.good).distribution is None,
        "distribution_cap",
        "the {good} factory already has a distribution card",
        good=d.good,
    )


@holds("the factory has room for this much")
def under_cap(b: Board, seat: Seat, d: moves.Place | moves.SetCard) -> WhyNot:
    """Require no more than the maximum of a factory (ACG-4.6.6)."""
    factory = b.players[seat].factory(good_of(b, seat, d))
    total = points(b, factory) - (value_of(factory, d.card) if isinstance(d, moves.SetCard) else 0) + d.value
    if b.stage == "quality":
        cap, key = b.players[seat].quality_cap, "quality_cap"
    else:
        cap, key = b.printed.rules_distribution_cap, "distribution_cap"
    return refuse_unless(
        total <= cap, key, "a factory holds at most {cap}, and this would make {total}", cap=cap, total=total
    )


def good_of(b: Board, seat: Seat, d: moves.Place | moves.SetCard) -> str:
    if isinstance(d, moves.Place):
        return d.good
    good = b.players[seat].where(d.card)
    if good is None:
        raise LookupError(f"{d.card} lies in the reserve")
    return good


@holds("the action allows this much")
def within_allowance(b: Board, seat: Seat, d: moves.Place | moves.SetCard) -> WhyNot:
    """Require no more than the allowance; less in another factory adds nothing (ACG-4.6.4, ACG-4.6.5)."""
    player, good, added = b.players[seat], good_of(b, seat, d), 0
    gained = d.value - (value_of(player.factory(good), d.card) if isinstance(d, moves.SetCard) else 0)
    for each, factory in player.open():
        total = points(b, factory) + (gained if each == good else 0)
        added += max(0, total - b.turn.before.get(each, 0))
    return refuse_unless(
        added <= b.turn.allowance,
        "add_limit",
        "this action may add {most}, and this would make {added}",
        most=b.turn.allowance,
        added=added,
    )


# --- actions ---


def lift(b: Board, seat: Seat, d: moves.Lift, tell: Tell) -> None:
    """Take a quality or distribution card back from a factory."""
    good = b.players[seat].where(d.card)
    assert good is not None
    factory = b.players[seat].factory(good)
    value = value_of(factory, d.card)
    if b.stage == "quality":
        del factory.quality[d.card]
    else:
        factory.distribution = None
    b.turn.lifted.append(d.card)
    tell(moves.CardLifted("ACG-4.6.2", seat, good, d.card, value, points(b, factory)))
    turns.go_on(b, step_possible, tell)


def place(b: Board, seat: Seat, d: moves.Place, tell: Tell) -> None:
    """Lay a quality or distribution card on a factory (ACG-4.6.2)."""
    factory = b.players[seat].factory(d.good)
    lay(factory, d.card, d.value, d.mode)
    b.turn.laid.append(d.card)
    tell(moves.CardPlaced("ACG-4.6.2", seat, d.good, d.card, d.value, d.mode, points(b, factory)))
    turns.go_on(b, step_possible, tell)


def set_card(b: Board, seat: Seat, d: moves.SetCard, tell: Tell) -> None:
    good = good_of(b, seat, d)
    factory = b.players[seat].factory(good)
    before = value_of(factory, d.card)
    lay(factory, d.card, d.value, d.mode)
    b.turn.laid.append(d.card)
    tell(moves.CardTurned("ACG-4.6.2", seat, good, d.card, before, d.value, d.mode, points(b, factory)))
    turns.go_on(b, step_possible, tell)


def lay(factory: Factory, card: str, value: int, mode: Mode | None) -> None:
    """Put a card on a factory: a distribution card if it has no mode."""
    if mode is None:
        factory.distribution = DistributionCard(card, value)
    else:
        factory.quality[card] = QualityCard(value, mode)


def step_possible(b: Board, seat: Seat) -> bool:
    return (
        can_lift(b, seat)
        or turns.any_passes(b, seat, candidate_places(b, seat), PLACE)
        or (turns.any_passes(b, seat, candidate_sets(b, seat), SET))
    )


def can_lift(b: Board, seat: Seat) -> bool:
    player = b.players[seat]
    return any(card not in b.turn.lifted and player.where(card) is not None for card in cards_of(b))


PLACE = (own_card, in_reserve, not_laid, factories.open_factory, on_card, one_distribution, under_cap, within_allowance)
SET = (own_card, at_factory, not_laid, on_card, changes, under_cap, within_allowance)


# --- quality in the place of an Engineer (ACG-4.12.12) ---


@holds("it is one of the player’s own quality cards")
def regular_card(b: Board, seat: Seat, d: moves.ReplaceQuality) -> WhyNot:
    return available_to(seat, d.card, d.card in b.printed.quality and d.card != "QE")


@holds("the card lies in the reserve")
def still_reserved(b: Board, seat: Seat, d: moves.ReplaceQuality) -> WhyNot:
    return require_in_reserve(b, seat, d.card)


@holds("the card shows this value")
def value_on_card(b: Board, d: moves.ReplaceQuality) -> WhyNot:
    return refuse_unless(d.value in b.printed.quality[d.card], "card_value", "{card} does not show this", card=d.card)


@holds("the quality is not more than before")
def no_more_than_before(b: Board, d: moves.ReplaceQuality) -> WhyNot:
    return refuse_unless(
        d.value <= b.turn.points, "replace_limit", "quality of {points} is left to replace", points=b.turn.points
    )


def replace_quality(b: Board, seat: Seat, d: moves.ReplaceQuality, tell: Tell) -> None:
    assert b.turn.good is not None
    factory = b.players[seat].factory(b.turn.good)
    lay(factory, d.card, d.value, d.mode)
    b.turn.points -= d.value
    tell(moves.CardPlaced("ACG-4.12.12", seat, b.turn.good, d.card, d.value, d.mode, factory.quality_value))
    if not can_replace(b, seat, b.turn.points):
        end_replacing(b, tell)


def done_replacing(b: Board, seat: Seat, d: moves.DoneReplacing, tell: Tell) -> None:
    end_replacing(b, tell)


def can_replace(b: Board, seat: Seat, left: int) -> bool:
    """Check if a card in the reserve shows no more than is left to replace."""
    player = b.players[seat]
    return any(
        card != "QE" and min(values) <= left and player.where(card) is None
        for card, values in b.printed.quality.items()
    )


def end_replacing(b: Board, tell: Tell) -> None:
    seat, good = b.moving, b.turn.good
    assert good is not None
    tell(moves.ReplacingEnded("ACG-4.12.12", seat, good, b.players[seat].factory(good).quality_value))
    b.turn.good, b.turn.points = None, 0
    b.stage = "take_card"


# --- candidates ---


def candidate_lifts(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.Lift(card) for card in cards_of(b) if b.players[seat].where(card) is not None]


def candidate_places(b: Board, seat: Seat) -> Iterable[moves.Place]:
    player = b.players[seat]
    at_hand = [card for card in cards_of(b) if player.has(card) and player.where(card) is None]
    return [
        d
        for card in at_hand
        for d in place_decisions(card, cards_of(b)[card], modes(b))
        if player.factories[d.good] is not None
    ]


def candidate_sets(b: Board, seat: Seat) -> Iterable[moves.SetCard]:
    player = b.players[seat]
    lying = [card for card in cards_of(b) if player.where(card) is not None]
    return [d for card in lying for d in sets(card, cards_of(b)[card], modes(b))]


def candidate_replacements(b: Board, seat: Seat) -> Iterable[Decision]:
    return [
        moves.ReplaceQuality(card, value, mode)
        for card, values in b.printed.quality.items()
        if card != "QE"
        for value in values
        for mode in MODES
    ]


NO_MODES = (None,)


@lru_cache
def place_decisions(card: str, values: tuple[int, ...], modes: tuple[Mode | None, ...]) -> tuple[moves.Place, ...]:
    return tuple(moves.Place(card, good, value, mode) for value in values for mode in modes for good in GOODS)


@lru_cache
def sets(card: str, values: tuple[int, ...], modes: tuple[Mode | None, ...]) -> tuple[moves.SetCard, ...]:
    """Return a decision to set a card for each value and mode."""
    return tuple(moves.SetCard(card, value, mode) for value in values for mode in modes)
