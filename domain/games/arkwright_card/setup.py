"""The set-up, in the order of ACG-3.3.7."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.arkwright_card import cards, course, factories, moves
from daybook.domain.games.arkwright_card.board import Board, Solo, WorkerCard
from daybook.domain.games.arkwright_card.printed import GOODS, TRACKS, Development
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("start factories are chosen in this game")
def factories_chosen(b: Board) -> WhyNot:
    """Require the option to choose start factories; the solo game has it unless they are drawn (ACG-6.2.6)."""
    if b.solo is not None:
        return option(not b.options.solo_random_factories)
    return option(b.options.choose_factories)


def option(on: bool) -> WhyNot:
    """Refuse a decision of a variant that the game does not use."""
    return refuse_unless(on, "option_off", "this belongs to a variant that this game does not use")


@holds("the player has no factory of this good yet")
def another_good(b: Board, seat: Seat, d: moves.PlaceStartFactory) -> WhyNot:
    return factories.not_open(b, seat, d.good)


@holds("development cards are dealt at random in this game")
def supply_by_chance(b: Board) -> WhyNot:
    return option(b.options.random_supply)


@holds("a card of the shuffled deck shows it")
def a_face(b: Board, d: moves.CardDealt) -> WhyNot:
    return refuse_unless(
        any(d.card in faces for faces in b.printed.random.deck),
        "card_not_available",
        "no card of the shuffled deck shows {card}",
        card=d.card,
    )


@holds("the supply does not have too many cards of one type")
def few_of_type(b: Board, d: moves.CardDealt) -> WhyNot:
    most = b.printed.random.limit
    return refuse_unless(
        b.supply[d.card] < most,
        "supply_limit",
        "the supply holds at most {most} cards of a type, and {card} already has that many",
        most=most,
        card=d.card,
    )


@holds("a start development is chosen in this game")
class StartChosen:
    """The condition that a start development is chosen; in the solo game as the ruling has it (ACG-6.2.7, ACG-7.1.7).

    solo: the rulings under which that is so.
    """

    __name__ = "start_chosen"

    def __init__(self, *solo: str) -> None:
        self.solo = solo

    def __call__(self, b: Board, seat: Seat) -> WhyNot:
        if b.solo is not None:
            return option(b.options.solo_start_development in self.solo)
        return option(b.options.choose_factories or b.options.random_supply)


@holds("the track has a next step")
def track_open(b: Board, seat: Seat, d: moves.ChooseStartDevelopment) -> WhyNot:
    return cards.track_full(b, seat, d.track)


@holds("no decade restriction prevents it")
def not_restricted(b: Board, seat: Seat, d: moves.ChooseStartDevelopment) -> WhyNot:
    return cards.decade_too_early(b, seat, d.track)


@holds("the card lies in the supply")
def in_supply(b: Board, d: moves.ChooseStartCard) -> WhyNot:
    return cards.not_in_supply(b, d.card)


@holds("the card lies at this place of the grid")
def at_place(b: Board, d: moves.ChooseStartCard) -> WhyNot:
    return cards.not_at_place(b, d.card, d.place)


@holds("the player has room for a development card")
def room_for_card(b: Board, seat: Seat) -> WhyNot:
    most = cards.limit(b, b.players[seat])
    return refuse_unless(most, "card_limit", "seat {seat} may have {most} development cards", seat=seat, most=most)


@holds("shares are sold before the game")
def shares_for_sale(b: Board) -> WhyNot:
    return option(b.options.start_shares)


@holds("the player can pay for the shares")
def affordable(b: Board, seat: Seat, d: moves.BuyStartShares) -> WhyNot:
    """Refuse to buy start shares that cost more than the player has."""
    player = b.players[seat]
    return refuse_unless(
        d.shares >= 0 and d.shares * player.share_value <= player.money,
        "no_money",
        "a share costs £{price}, and the player has £{money}",
        price=player.share_value,
        money=player.money,
    )


@holds("the share track has room")
def shares_left(b: Board, seat: Seat, d: moves.BuyStartShares) -> WhyNot:
    player, top = b.players[seat], b.printed.rules_shares_top
    return refuse_unless(player.shares + d.shares <= top, "share_cap", "the share track ends at {top}", top=top)


# --- the start player and the factories ---


def start_player_determined(b: Board, seat: Seat, d: moves.StartPlayerDetermined, tell: Tell) -> None:
    b.start = d.seat
    tell(moves.StartPlayerFound("ACG-3.2.1", d.seat))
    if b.printed.neutral:
        b.neutral = dict(b.printed.neutral)
        tell(moves.NeutralPlaced("ACG-3.2.10", dict(b.neutral)))
    if b.options.choose_factories:
        b.stage, b.mover = "start_factory", b.start
        return
    for place, each in zip(b.printed.seats.values(), b.from_start(), strict=True):
        for good in place.factories:
            open_start_factory(b, each, good, "ACG-3.2.5", tell)
    lay_supply(b, tell)


def open_start_factory(b: Board, seat: Seat, good: str, rule: str, tell: Tell) -> None:
    """Open a factory with the worker card of position 1, and the marker on appeal 0 (ACG-3.2.5)."""
    factory = factories.new_factory(b, b.printed.start_side)
    factory.workers.append(WorkerCard(b.printed.workers[1].sides[0]))
    b.players[seat].factories[good] = factory
    tell(moves.FactoryOpened(rule, seat, good, factory.side, factory.slot, True))


def place_start_factory(b: Board, seat: Seat, d: moves.PlaceStartFactory, tell: Tell) -> None:
    """Once around clockwise, then once around counterclockwise (ACG-3.3.1)."""
    open_start_factory(b, seat, d.good, "ACG-3.3.1", tell)
    b.mover = next_to_place(b)
    if b.mover is None:
        lay_supply(b, tell)


def next_to_place(b: Board) -> Seat | None:
    opened = [len(list(player.open())) for player in b.players]
    order = b.from_start()
    first = (seat for seat in order if not opened[seat])
    second = (seat for seat in reversed(order) if opened[seat] < b.printed.start_factories)
    return next(first, next(second, None))


# --- the supply ---


def lay_supply(b: Board, tell: Tell) -> None:
    by_chance = b.options.random_supply
    laid = b.printed.random.base if by_chance else b.printed.supply
    for card, count in laid.items():
        b.supply[card] = count
    tell(
        moves.SupplyLaid(
            "ACG-3.3.4" if by_chance else "ACG-3.2.9", {card: count for card, count in laid.items() if count}
        )
    )
    if by_chance and b.printed.random.dealt:
        b.stage, b.mover = "supply", None
    else:
        begin_developments(b, tell)


def card_dealt(b: Board, seat: Seat, d: moves.CardDealt, tell: Tell) -> None:
    b.supply[d.card] += 1
    b.dealt.append(d.card)
    awaited = b.printed.random.dealt - len(b.dealt)
    tell(moves.CardLaid("ACG-3.3.4", d.card, awaited))
    if awaited:
        return
    if not faces_fit(b.dealt, b.printed.random.deck):
        tell(moves.FacesUnlikely("ACG-3.3.4", tuple(b.dealt)))
    begin_developments(b, tell)


def faces_fit(dealt: Iterable[Development], deck: tuple[tuple[Development, Development], ...]) -> bool:
    """Check if the faces can belong to different cards."""
    holder: dict[int, Development] = {}

    def find(face: Development, tried: set[int]) -> bool:
        for card, faces in enumerate(deck):
            if face in faces and card not in tried:
                tried.add(card)
                if card not in holder or find(holder[card], tried):
                    holder[card] = face
                    return True
        return False

    return all(find(face, set()) for face in dealt)


def faces_left(b: Board, d: moves.CardDealt) -> int:
    """Faces that are left of a type; what cannot lie there by the sheet is dealt only when nothing else can."""
    deck = b.printed.random.deck
    if faces_fit([*b.dealt, d.card], deck):
        return max(1, sum(d.card in faces for faces in deck) - b.dealt.count(d.card))
    fitting = any(
        faces_fit([*b.dealt, other], deck) for other in b.printed.cards if b.supply[other] < b.printed.random.limit
    )
    return 0 if fitting else 1


# --- the start development ---


def begin_developments(b: Board, tell: Tell) -> None:
    if b.solo is not None:
        begin_alone(b, b.solo, tell)
        return
    if b.options.choose_factories or b.options.random_supply:
        b.stage, b.mover = "start_development", choosing_order(b)[0]
        return
    for place, seat in zip(b.printed.seats.values(), b.from_start(), strict=True):
        if place.development in TRACKS:
            cards.develop(b, seat, place.development, "ACG-3.2.6", tell)
        else:
            cards.take(b, seat, place.development, "ACG-3.2.6", tell)
    place_foremen(b, tell)


def begin_alone(b: Board, solo: Solo, tell: Tell) -> None:
    """Begin a solo game: the grid (ACG-6.2.3), then factories before the development (ACG-6.2.7)."""
    if not solo.grid:
        b.stage, b.mover = "grid", None
    elif b.options.solo_start_development == "none":
        sell_shares(b, tell)
    else:
        b.stage, b.mover = "start_development", b.starter


def choosing_order(b: Board) -> tuple[Seat, ...]:
    """Clockwise, or by ruling the other way round (ACG-3.3.2, ACG-7.1.4)."""
    order = b.from_start()
    return order[::-1] if b.options.start_choice_reverse else order


def choose_start_development(b: Board, seat: Seat, d: moves.ChooseStartDevelopment, tell: Tell) -> None:
    cards.develop(b, seat, d.track, "ACG-3.3.2", tell)
    next_chooser(b, tell)


def choose_start_card(b: Board, seat: Seat, d: moves.ChooseStartCard, tell: Tell) -> None:
    cards.take(b, seat, d.card, "ACG-3.3.2", tell, d.place)
    if d.card == "foreman":
        b.stage = "start_foreman"
    else:
        next_chooser(b, tell)


def skip_start(b: Board, seat: Seat, d: moves.SkipStart, tell: Tell) -> None:
    tell(moves.StartSkipped("ACG-3.3.2", seat))
    next_chooser(b, tell)


def next_chooser(b: Board, tell: Tell) -> None:
    """Let the next player choose a start development; after the last one, sell shares."""
    order = choosing_order(b)
    later = order[order.index(b.moving) + 1 :]
    if later:
        b.stage, b.mover = "start_development", later[0]
    else:
        sell_shares(b, tell)


# --- the Foreman and the first shares ---


def place_foremen(b: Board, tell: Tell) -> None:
    """Let the starting owners of the Foreman place it, in turn order (ACG-3.2.7)."""
    for seat in b.from_start():
        player = b.players[seat]
        if "foreman" in player.cards and not any(factory.foreman for _, factory in player.open()):
            b.stage, b.mover = "start_foreman", seat
            return
    sell_shares(b, tell)


def place_foreman(b: Board, seat: Seat, d: moves.PlaceForeman, tell: Tell) -> None:
    put_foreman(b, seat, d, tell)
    if b.options.choose_factories or b.options.random_supply:
        next_chooser(b, tell)
    else:
        place_foremen(b, tell)


def put_foreman(b: Board, seat: Seat, d: moves.PlaceForeman, tell: Tell) -> None:
    b.players[seat].factory(d.good).foreman = True
    tell(moves.ForemanPlaced("ACG-4.12.6", seat, d.good))


def sell_shares(b: Board, tell: Tell) -> None:
    """Begin the sale of start shares if the game has it; otherwise begin the game."""
    if b.options.start_shares:
        b.stage, b.mover = "start_shares", b.starter
    else:
        course.begin_game(b, tell)


def buy_start_shares(b: Board, seat: Seat, d: moves.BuyStartShares, tell: Tell) -> None:
    player = b.players[seat]
    amount = d.shares * player.share_value
    player.money -= amount
    player.shares += d.shares
    tell(moves.SharesBought("ACG-3.3.6", seat, d.shares, player.share_value, amount, False, player.shares))
    order = b.from_start()
    later = order[order.index(seat) + 1 :]
    if later:
        b.mover = later[0]
    else:
        course.begin_game(b, tell)


# --- candidates ---


FACTORIES = tuple(moves.PlaceStartFactory(good) for good in GOODS)
DEVELOPMENTS = tuple(moves.ChooseStartDevelopment(track) for track in TRACKS)
FOREMEN = tuple(moves.PlaceForeman(good) for good in GOODS)


def candidate_seats(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.StartPlayerDetermined(each) for each in range(b.seats)]


def candidate_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.CardDealt(card) for card in b.printed.cards]


def candidate_start_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    if b.solo is not None:
        return [moves.ChooseStartCard(card, place) for place, card in b.solo.free().items()]
    return [moves.ChooseStartCard(card) for card in b.printed.cards]


def candidate_purchases(b: Board, seat: Seat) -> Iterable[Decision]:
    player = b.players[seat]
    most = b.printed.rules_shares_top - player.shares
    if player.share_value:
        most = min(most, player.money // player.share_value)
    return [moves.BuyStartShares(count) for count in range(most + 1)]
