"""The solo game: set-up, draws for the automas, and order (ACG-6.2, ACG-6.3)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.arkwright_card import automas, cards, course, production, setup, solo_moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.moves import PlaceStartFactory
from daybook.domain.games.arkwright_card.printed import GOODS, Good
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("this is a solo game")
def alone(b: Board) -> WhyNot:
    """Refuse a decision of the solo game in a game of several players."""
    return refuse_unless(b.solo is not None, "option_off", "this belongs to the solo game")


@holds("this is not a solo game")
def several(b: Board) -> WhyNot:
    """Refuse in the solo game what only several players can decide."""
    return refuse_unless(b.solo is None, "option_off", "in the solo game only the automas can come first")


@holds("the card is still to come")
def card_left(b: Board, d: solo_moves.GridLaid) -> WhyNot:
    return refuse_unless(b.supply.get(d.card, 0), "card_not_available", "no {card} is left to lay", card=d.card)


@holds("start factories are drawn in this game")
def factories_drawn(b: Board) -> WhyNot:
    return setup.option(b.options.solo_random_factories)


@holds("the good is not drawn yet")
def not_drawn(b: Board, d: solo_moves.FactoryDrawn) -> WhyNot:
    return setup.another_good(b, 0, PlaceStartFactory(d.good))


@holds("the disc is still to be placed")
def disc_left(b: Board, d: solo_moves.DiscPlaced) -> WhyNot:
    return refuse_unless(
        d.colour in discs_left(b),
        "disc_placed",
        "{colour} is not one of the discs left: {left}",
        colour=d.colour,
        left=", ".join(discs_left(b)),
    )


@holds("the automa has a marker to place")
def automa_left(b: Board, d: solo_moves.AutomaPlaced) -> WhyNot:
    return refuse_unless(
        d.colour in markers_left(b), "marker_placed", "{colour} has no marker left to place", colour=d.colour
    )


@holds("the bag holds a marker of this colour")
def in_bag(b: Board, d: solo_moves.MarkerDrawn) -> WhyNot:
    return refuse_unless(
        b.alone.bag.get(d.colour, 0) > 0, "not_in_bag", "the bag holds no {colour} marker", colour=d.colour
    )


# --- the grid and its discs ---


def grid_laid(b: Board, seat: Seat, d: solo_moves.GridLaid, tell: Tell) -> None:
    """Lay the grid in reading order; the remaining cards are not used (ACG-6.2.3).

    The unused ones are emitted in the order of their names: a sheet read back from a record is in another order than a
    printed one.
    """
    solo, numbers = b.alone, automas.numbers(b)
    b.supply[d.card] -= 1
    solo.grid.append(d.card)
    row, column = automas.row_and_column(b, len(solo.grid))
    awaited = numbers.places - len(solo.grid)
    tell(solo_moves.GridCardPlaced("ACG-6.2.3", d.card, row, column, awaited))
    if awaited:
        return
    solo.removed = [card for card in sorted(b.printed.cards) for _ in range(b.supply[card])]
    b.supply = dict.fromkeys(b.supply, 0)
    tell(solo_moves.CardsRemoved("ACG-6.2.3", tuple(solo.removed)))
    b.stage = "discs"


def discs_left(b: Board) -> list[str]:
    return [colour for colour in automas.numbers(b).rivals if colour not in b.alone.discs]


def place_disc(b: Board, seat: Seat, d: solo_moves.DiscPlaced, tell: Tell) -> None:
    """Place a disc, then automatically the last one; when all are placed, begin the factories (ACG-6.2.4)."""
    lay_disc(b, d.colour, tell)
    left = discs_left(b)
    if len(left) == 1:
        lay_disc(b, left[0], tell)
        left = []
    if not left:
        tell(solo_moves.BagFilled("ACG-6.2.5", dict(b.alone.bag)))
        begin_factories(b)


def lay_disc(b: Board, colour: str, tell: Tell) -> None:
    solo = b.alone
    row = len(solo.discs)
    solo.discs[colour] = row * automas.numbers(b).columns + 1
    tell(solo_moves.DiscLaid("ACG-6.2.4", colour, row + 1, solo.card(solo.discs[colour]) or ""))


# --- the factories ---


def begin_factories(b: Board) -> None:
    if b.options.solo_random_factories:
        b.stage = "factory_drawn"
    else:
        b.stage, b.mover = "start_factory", 0


def open_factories(b: Board) -> int:
    return len(list(b.players[0].open()))


def factory_drawn(b: Board, seat: Seat, d: solo_moves.FactoryDrawn, tell: Tell) -> None:
    """Open a drawn start factory; after the last, draw the automas' markers (ACG-6.2.6)."""
    setup.open_start_factory(b, 0, d.good, "ACG-6.2.6", tell)
    if open_factories(b) == b.printed.start_factories:
        b.stage = "automa_markers"


def place_start_factory(b: Board, seat: Seat, d: PlaceStartFactory, tell: Tell) -> None:
    """One before the automas' markers, one after them (ACG-6.2.6)."""
    if b.solo is None:
        setup.place_start_factory(b, seat, d, tell)
        return
    setup.open_start_factory(b, seat, d.good, "ACG-6.2.6", tell)
    if markers_left(b):
        b.stage, b.mover = "automa_markers", None
    elif open_factories(b) == b.printed.start_factories:
        setup.begin_developments(b, tell)


def markers_left(b: Board) -> list[str]:
    """Each automa has a marker on half of the tracks."""
    each = len(GOODS) // 2
    return [colour for colour, automa in b.opponents if len(automa.appeal) < each]


def next_track(b: Board) -> Good:
    return GOODS[sum([len(automa.appeal) for _, automa in b.opponents])]


def automa_placed(b: Board, seat: Seat, d: solo_moves.AutomaPlaced, tell: Tell) -> None:
    """Place an automa's marker, then automatically the last remaining one (ACG-6.2.6)."""
    automas.set_marker(b, d.colour, next_track(b), tell)
    left = markers_left(b)
    while len(left) == 1:
        automas.set_marker(b, left[0], next_track(b), tell)
        left = markers_left(b)
    if left:
        return
    if open_factories(b) < b.printed.start_factories:
        b.stage, b.mover = "start_factory", 0
    else:
        setup.begin_developments(b, tell)


# --- the automas' turn, and the first player ---


def marker_drawn(b: Board, seat: Seat, d: solo_moves.MarkerDrawn, tell: Tell) -> None:
    """Carry out the automas' turn, after or before the player's (ACG-6.3.1)."""
    automas.take_turn(b, d.colour, tell)
    if b.alone.first:
        course.begin_turn(b, b.starter, tell)
    else:
        production.begin_production_phase(b, tell)


def let_automas_begin(b: Board, seat: Seat, d: solo_moves.LetAutomasBegin, tell: Tell) -> None:
    cards.discard(b, seat, "entrepreneur", "ACG-4.12.2", tell)
    b.alone.first = True
    tell(solo_moves.AutomasNamedFirst("ACG-6.3.1", seat))
    course.go_on(b, None, tell)


# --- candidates ---


DRAWN = tuple(solo_moves.FactoryDrawn(good) for good in GOODS)
BEGIN = (solo_moves.LetAutomasBegin(),)


def candidate_grid_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [solo_moves.GridLaid(card) for card in b.printed.cards]


def candidate_discs(b: Board, seat: Seat) -> Iterable[Decision]:
    return [solo_moves.DiscPlaced(colour) for colour in automas.numbers(b).rivals]


def candidate_automas(b: Board, seat: Seat) -> Iterable[Decision]:
    return [solo_moves.AutomaPlaced(colour) for colour, _ in b.opponents]


def candidate_markers(b: Board, seat: Seat) -> Iterable[Decision]:
    return [solo_moves.MarkerDrawn(colour) for colour in automas.numbers(b).rivals]


def candidate_begins(b: Board, seat: Seat) -> Iterable[Decision]:
    return BEGIN if b.solo is not None else ()


def copies_left(b: Board, d: solo_moves.GridLaid) -> int:
    return b.supply[d.card]


def colour_left_in_bag(b: Board, d: solo_moves.MarkerDrawn) -> int:
    return b.alone.bag[d.colour]


def markers_to_place(b: Board, d: solo_moves.AutomaPlaced) -> int:
    return len(GOODS) // 2 - len(b.alone.automas[d.colour].appeal)
