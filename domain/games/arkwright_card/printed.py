"""The component sheet of Arkwright: The Card Game with types (ACG-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, get_args

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Table, unplayable

Good = Literal["food", "clothes", "cutlery", "lamps"]
Track = Literal["quality", "distribution", "cards", "machinery", "ship", "stock"]
Mode = Literal["price", "appeal"]  # which side of an office or quality card shows
ActionKind = Literal[
    "build", "employ", "automate", "quality", "distribution", "stock", "extra_production", "early_shipping"
]
Achievement = Literal[
    "tycoon",
    "patriot",
    "true_worker",
    "workers_hero",
    "gentleman",
    "specialist",
    "all_rounder",
    "full_lines",
    "boss",
    "professional_broker",
    "stock_enthusiast",
    "big_fish",
    "from_nothing",
    "nouveau_riche",
    "sailor",
]
Development = str  # a development card by its type: "workshop", "patron_clothes_food"

GOODS: tuple[Good, ...] = get_args(Good)  # in the order of the rounds (ACG-1.9)
TRACKS: tuple[Track, ...] = get_args(Track)
ACHIEVEMENTS: tuple[Achievement, ...] = get_args(Achievement)  # ACG-6.7.1 and so on
MODES: tuple[Mode, ...] = get_args(Mode)
POSITIONS = (1, 2)
SLOTS = (1, 2, 3, 4)
QUALITY_CARDS = ("QA", "QB", "QC", "QE")
DISTRIBUTION_CARDS = ("DA", "DB", "DP")
STOREHOUSES = ("SC", "SA", "SB")  # in the order in which they are filled (ACG-4.13.13)
FROM_DEVELOPMENTS = {"QE": "engineer", "DP": "patent", "SC": "big_storehouse"}  # cards that a development card is
LIFTS: dict[str, Track] = {  # tracks without a limit while a player owns the card (ACG-4.11.9)
    "patent": "distribution",
    "engineer": "quality",
    "customs_office": "ship",
    "workshop": "machinery",
    "broker": "stock",
}


class Tile(Frozen):
    """One side of a factory. prices, appeals: slot by slot."""

    prices: tuple[int, ...]
    appeals: tuple[int, ...]
    goods: int
    workers: int
    fixed_cost: int
    shipping_price: int


class Workers(Frozen, dict=True):
    """The worker cards of one position. sides: the decades on them, the earlier first."""

    sides: tuple[int, int]
    goods_by_side: tuple[int, int] = msgspec.field(name="goods")
    workers_by_good: tuple[int, ...] = msgspec.field(name="workers")
    machines_by_good: tuple[int, ...] = msgspec.field(name="machines")

    @cached_property
    def goods(self) -> dict[int, int]:
        """Output by decade."""
        return dict(zip(self.sides, self.goods_by_side, strict=True))

    @cached_property
    def workers(self) -> dict[str, int]:
        return by_good(self.workers_by_good)

    @cached_property
    def machines(self) -> dict[str, int]:
        """Capacity for machines."""
        return by_good(self.machines_by_good)

    def side(self, decade: int) -> int:
        """Return the side for a decade: its own, or that of an earlier one."""
        return max((side for side in self.sides if side <= decade), default=self.sides[0])


class TrackNumbers(Frozen):
    levels: tuple[int, ...]
    first_decade: int  # of the upgrade to level 1, at the earliest
    second_decade: int

    @property
    def limits(self) -> tuple[int, int]:
        return self.first_decade, self.second_decade


class CardNumbers(Frozen):
    """goods: of a patron. more: goods that the home market takes with it."""

    rotates: bool
    goods: tuple[str, ...] | int = ()
    more: int = 0


class Supply(Frozen):
    """The composition of a random supply (ACG-3.3.4). base: cards that are always in it."""

    base: dict[Development, int]
    dealt: int
    limit: int  # of each type
    deck: tuple[tuple[Development, Development], ...]  # both faces of the cards that are shuffled


class StartPlace(Frozen):
    """A player's start, by place in turn order (ACG-2.9)."""

    factories: tuple[str, ...]
    development: str  # a track, or a development card


class Goals(Frozen):
    """The requirements of the achievements (ACG-6.7). Pairs: from, to."""

    score: int
    few_factories: int
    many_factories: int
    shares: tuple[int, int]
    most_shares: int
    share_value: tuple[int, int]
    most_share_value: int
    start_shares: int
    money: int
    shippings: int
    picked: tuple[int, int]  # by the first, by the second


class SoloNumbers(Frozen, dict=True):
    """The solo game (ACG-2.10). rivals: the colours of both automas, and the third colour."""

    rivals: tuple[str, str, str]
    shares: int
    share_value: int
    appeal: dict[str, int]  # of the automas at the start
    appeal_by_good: tuple[int, ...] = msgspec.field(name="factory_appeal")
    advance: int
    automa_markers: int
    neutral_markers: int
    rows: int
    columns: int
    goals: Goals

    @property
    def automas(self) -> tuple[str, str]:
        return self.rivals[:2]

    @cached_property
    def factory_appeal(self) -> dict[str, int]:
        """Appeal of a new factory, to which the number of the decade is added."""
        return by_good(self.appeal_by_good)

    @property
    def places(self) -> int:
        return self.rows * self.columns


class Printed(Frozen, dict=True):
    game_decades: int
    game_rounds: int  # in a decade
    start_money: int
    start_shares: int
    start_share_value: int
    start_loans: int
    start_shipping_tokens: int
    start_level: int
    start_side: int
    start_slot: int
    start_factories: int
    start_ships: int
    start_quality_cap: int
    rules_quality_cap: int  # with the Engineer
    rules_distribution_cap: int
    rules_ships: int
    rules_maintenance: int
    rules_share_sales: int
    rules_share_step: int
    rules_top_step: int
    rules_decay: int
    rules_new_workers_demand: int  # steps down on every demand track
    rules_new_workers_wages: int
    rules_loans: int
    rules_shipping_tokens: int
    rules_shares_top: int
    rules_share_value_top: int
    tracks: dict[str, TrackNumbers]
    factories: dict[str, dict[int, Tile]]  # by side
    office: dict[str, int]
    workers: dict[int, Workers]  # by position
    quality: dict[str, tuple[int, ...]]
    distribution: dict[str, tuple[int, ...]]
    storehouses: dict[str, int]
    market_appeal_top: int
    market_red: dict[str, tuple[int, ...]]  # by good: arrows passed from 0 to 1, from 1 to 2, and so on
    market_green: dict[str, tuple[int, ...]]
    market_wages: tuple[int, ...]
    side_wages_start: int
    side_demand: tuple[int, ...]
    side_demand_start: tuple[int, ...]  # by good
    neutral_start: tuple[int, ...]  # by good
    neutral_step: int
    scoring_share_value_less: tuple[int, ...]  # by shipping tokens
    scoring_stored_prices: tuple[int, ...]  # by good
    cards: dict[Development, CardNumbers]
    cards_contract_pays: tuple[int, ...]
    cards_customs_office_fewer_tokens: int
    cards_extra_shift_goods: int
    cards_workshop_free_machines: int
    cards_foreman_cheaper: int
    cards_foreman_workers: int
    cards_broker_shares: int
    cards_inventor_factories: int
    cards_developer_cheaper: int
    supply_laid: dict[Development, int] = msgspec.field(name="supply")
    deck: dict[str, tuple[Development, Development]]  # both faces of each card
    random_supply_entrepreneurs: int
    random_supply_dealt: int
    random_supply_below_players: int
    seats: dict[int, StartPlace]  # by place in turn order; empty in the solo game
    solo: SoloNumbers | None  # of a game for one

    @cached_property
    def demand_start(self) -> dict[str, int]:
        return by_good(self.side_demand_start)

    @cached_property
    def neutral(self) -> dict[str, int]:
        """Appeal of the third player in a game of two; else empty."""
        start = by_good(self.neutral_start)
        return start if len(self.seats) == 2 else {}

    @cached_property
    def stored_prices(self) -> dict[str, int]:
        return by_good(self.scoring_stored_prices)

    @cached_property
    def rotating(self) -> frozenset[Development]:
        return frozenset(card for card, values in self.cards.items() if values.rotates)

    @cached_property
    def patrons(self) -> dict[Development, tuple[str, ...]]:
        return {
            card: values.goods
            for card, values in self.cards.items()
            if isinstance(values.goods, tuple) and values.goods
        }

    @cached_property
    def supply(self) -> dict[Development, int]:
        return dict.fromkeys(self.cards, 0) | self.supply_laid

    @cached_property
    def random(self) -> Supply:
        """The random supply, with the cards that are shuffled (ACG-3.3.4)."""
        players = len(self.seats) or SOLO_SIDE
        limit = players - self.random_supply_below_players
        base = {"entrepreneur": self.random_supply_entrepreneurs, "engineer": limit, "patent": limit}
        shuffled = tuple(faces for faces in self.deck.values() if not base.keys() & set(faces))
        return Supply(base, players * self.random_supply_dealt, limit, shuffled)

    def last_round(self, decade: int, number: int) -> bool:
        return decade == self.game_decades and number == self.game_rounds


SOLO_SIDE = 3  # the solo game uses the board for three
FORMER_COLOURS = ("red", "blue", "green", "yellow")  # of the sheet before anybody had seen a box; files name them


def printed_numbers(table: Table) -> Printed:
    """Return the sheet's numbers for this many seats. Raises IllegalDecision if they contradict each other."""
    sheet, alone = table.sheet, table.seats == 1
    solo = sheet.named["solo"] | {"rivals": rivals(table)} if alone else None
    side = str(SOLO_SIDE if alone else table.seats)
    numbers = sheet.typed(Printed, {"solo": solo}, seats=str(table.seats), side=side, supply=side)
    refuse_misfits(numbers)
    return numbers


def by_good(values: Sequence[int]) -> dict[str, int]:
    return dict(zip(GOODS, values, strict=True))


def rivals(table: Table) -> list[str]:
    """Return the automas' two colours and the third colour: the first three of the sheet that no player has."""
    colours = table.sheet["game.colours"]
    known = colours if set(table.colours) <= set(colours) else FORMER_COLOURS
    others = [colour for colour in known if colour not in table.colours]
    if len(others) < 3:
        raise unplayable("ACG-6.2.5", "the solo game needs {n} colours", n=4)
    return others[:3]


def refuse_misfits(numbers: Printed) -> None:
    """Raise IllegalDecision for numbers that contradict each other."""
    counts: list[tuple[str, str, int, int]] = [
        ("ACG-1.4", "rounds in a decade", numbers.game_rounds, len(GOODS)),
        (
            "ACG-2.7.5",
            "steps for shipping tokens",
            len(numbers.scoring_share_value_less),
            numbers.rules_shipping_tokens + 1,
        ),
        *(("ACG-1.9", what, len(values), len(GOODS)) for what, values in lists_by_good(numbers)),
        *(("ACG-2.3", f"levels of {track}", len(values.levels), 3) for track, values in numbers.tracks.items()),
        *(
            ("ACG-2.6.4", f"arrows of {good}", len(arrows), numbers.market_appeal_top)
            for tracks in (numbers.market_red, numbers.market_green)
            for good, arrows in tracks.items()
        ),
        *(
            ("ACG-2.4.9", f"slots of {good}", len(slots), len(SLOTS))
            for good, sides in numbers.factories.items()
            for tile in sides.values()
            for slots in (tile.prices, tile.appeals)
        ),
    ]
    for rule, what, given, right in counts:
        if given != right:
            raise unplayable(rule, "{what}: {given}, not {right}", what=what, given=given, right=right)
    refuse_misfit_factories(numbers)
    refuse_misfit_tracks(numbers)
    refuse_misfit_cards(numbers)


def lists_by_good(numbers: Printed) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the lists with one number for each good."""
    yield "side.demand_start", numbers.side_demand_start
    yield "neutral.start", numbers.neutral_start
    yield "scoring.stored_prices", numbers.scoring_stored_prices
    for position, cards in numbers.workers.items():
        yield f"workers.{position}.workers", cards.workers_by_good
        yield f"workers.{position}.machines", cards.machines_by_good
    if numbers.solo is not None:
        yield "solo.factory_appeal", numbers.solo.appeal_by_good


def refuse_misfit_factories(numbers: Printed) -> None:
    for good, sides in numbers.factories.items():
        for side, tile in sides.items():
            sums = [price + appeal for price, appeal in zip(tile.prices, tile.appeals, strict=True)]
            if len(set(sums)) > 1:
                raise unplayable(
                    "ACG-2.4.10",
                    "price and appeal have another sum on some slots of the {good} factory, side {side}",
                    good=good,
                    side=side,
                )
        if not set(sides[1].appeals) <= set(sides[2].appeals) or len(set(sides[2].appeals)) < len(SLOTS):
            raise unplayable(
                "ACG-2.4.13", "side 2 of the {good} factory does not have each appeal of side 1 exactly once", good=good
            )
        for position, cards in numbers.workers.items():
            if not 0 <= cards.machines[good] <= cards.workers[good]:
                raise unplayable(
                    "ACG-2.5.8",
                    "more machines than workers fit on the {good} card of position {position}",
                    good=good,
                    position=position,
                )
    for position, cards in numbers.workers.items():
        if not 1 <= cards.sides[0] < cards.sides[1] <= numbers.game_decades:
            raise unplayable(
                "ACG-2.5.2", "the worker cards of position {position} show no two decades in order", position=position
            )


def refuse_misfit_tracks(numbers: Printed) -> None:
    for rule, what, given, least, most in (
        ("ACG-2.2.4", "the side of a start factory", numbers.start_side, 1, 2),
        ("ACG-2.2.4", "the slot on which a factory opens", numbers.start_slot, 1, len(SLOTS)),
        ("ACG-2.2.7", "the level of a track at the start", numbers.start_level, 0, 2),
        (
            "ACG-4.12.11",
            "the most quality in a factory at the start",
            numbers.start_quality_cap,
            0,
            numbers.rules_quality_cap,
        ),
        ("ACG-2.2.5", "ships at the start", numbers.start_ships, 0, numbers.rules_ships),
        ("ACG-2.2.6", "loans at the start", numbers.start_loans, 0, numbers.rules_loans),
        ("ACG-2.2.6", "shipping tokens at the start", numbers.start_shipping_tokens, 0, numbers.rules_shipping_tokens),
    ):
        if not least <= given <= most:
            raise unplayable(
                rule, "{what}: {given}, not {least} to {most}", what=what, given=given, least=least, most=most
            )
    if not 0 <= numbers.side_wages_start < len(numbers.market_wages):
        raise unplayable("ACG-2.6.11", "the wages track has no space {space}", space=numbers.side_wages_start)
    for good, position in numbers.demand_start.items():
        if not 0 <= position < len(numbers.side_demand):
            raise unplayable("ACG-2.6.6", "the demand track of {good} has no space {space}", good=good, space=position)
    for good, appeal in numbers.neutral.items():
        if appeal > numbers.market_appeal_top:
            raise unplayable("ACG-2.6.14", "the appeal track of {good} has no space {space}", good=good, space=appeal)
    if numbers.start_shares > numbers.rules_shares_top or numbers.start_share_value > numbers.rules_share_value_top:
        raise unplayable("ACG-2.7.1", "shares or share value start beyond the end of their track")
    if not numbers.cards_contract_pays:
        raise unplayable("ACG-2.7.7", "the contract table is empty")


def refuse_misfit_cards(numbers: Printed) -> None:
    turned = {"entrepreneur", "customs_office", "developer", *numbers.patrons}
    for card in sorted(numbers.rotating ^ turned):
        raise unplayable("ACG-4.12.16", "{card} is not used as its rule says", card=card)
    faces = {face for pair in numbers.random.deck for face in pair}
    given = {place.development for place in numbers.seats.values()}
    for card in sorted({*faces, *given} - {*numbers.cards, *TRACKS}):
        raise unplayable("ACG-2.8", "there is no development card {card}", card=card)
    for card in sorted(given - {*TRACKS}):
        if numbers.supply.get(card, 0) < [place.development for place in numbers.seats.values()].count(card):
            raise unplayable("ACG-2.8.21", "the supply has no {card} to start with", card=card)
    for card, values in numbers.distribution.items():
        if sorted(values) != [*range(1, len(values) + 1)]:
            raise unplayable("ACG-2.5.15", "{card} does not show each value from 1 exactly once", card=card)
    limit = numbers.random.limit
    shown = [face for pair in numbers.random.deck for face in set(pair)]
    most = min(len(numbers.random.deck), sum(min(limit, shown.count(face)) for face in faces))
    if limit < 1 or numbers.random.dealt > most:
        raise unplayable("ACG-3.3.4", "there are only {n} cards to deal", n=max(0, most))
    for place in numbers.seats.values():
        goods = place.factories
        if len(set(goods)) != numbers.start_factories or not set(goods) <= set(GOODS):
            raise unplayable("ACG-2.2.4", "each player starts with {n} different factories", n=numbers.start_factories)


def of(table: Table) -> Printed:
    return table.printed(printed_numbers)
