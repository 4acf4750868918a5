"""The component sheet of Arkwright: The Card Game with types (ACG-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import msgspec

from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import IllegalDecision, Reason, Table, because

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
LIFTS: dict[str, Track] = {  # whose limit a card lifts while it is owned (ACG-4.11.9)
    "patent": "distribution",
    "engineer": "quality",
    "customs_office": "ship",
    "workshop": "machinery",
    "broker": "stock",
}


class Tile(msgspec.Struct, frozen=True):
    """One side of a factory. prices, appeals: slot by slot."""

    prices: tuple[int, ...]
    appeals: tuple[int, ...]
    goods: int
    workers: int
    fixed_cost: int
    shipping_price: int


class Workers(msgspec.Struct, frozen=True):
    """The worker cards of one position. sides: the decades on them, the earlier first; goods: by that decade."""

    sides: tuple[int, int]
    goods: dict[int, int]
    workers: dict[str, int]
    machines: dict[str, int]  # how many fit on it

    def side(self, decade: int) -> int:
        """The side for a decade: its own, or that of an earlier one."""
        return max((side for side in self.sides if side <= decade), default=self.sides[0])


class Supply(msgspec.Struct, frozen=True):
    """How a supply is built by chance (ACG-3.3.4). base: cards that always lie there."""

    base: dict[Development, int]
    dealt: int
    limit: int  # of each type
    deck: tuple[tuple[Development, Development], ...]  # both faces of the cards that are shuffled


class StartPlace(msgspec.Struct, frozen=True):
    """What a player starts with, by place in turn order (ACG-2.9)."""

    factories: tuple[Good, ...]
    development: str  # a track, or a development card


class Goals(msgspec.Struct, frozen=True):
    """What the achievements ask for (ACG-6.7). Pairs: from, to."""

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


class SoloNumbers(msgspec.Struct, frozen=True):
    """The solo game (ACG-2.10). rivals: the colours of both automas, and the third colour."""

    rivals: tuple[str, str, str]
    shares: int
    share_value: int
    appeal: dict[str, int]  # of the automas at the start
    factory_appeal: dict[str, int]  # of a new factory, and the number of the decade more
    advance: int
    automa_markers: int
    neutral_markers: int
    rows: int
    columns: int
    goals: Goals

    @property
    def automas(self) -> tuple[str, str]:
        return self.rivals[:2]

    @property
    def places(self) -> int:
        return self.rows * self.columns


class Printed(msgspec.Struct, frozen=True):
    decades: int
    rounds: int  # in a decade
    money: int
    shares: int
    share_value: int
    loans: int
    shipping_tokens: int
    level: int
    side: int
    slot: int
    start_factories: int
    start_ships: int
    start_quality_cap: int
    quality_cap: int  # with the Engineer
    distribution_cap: int
    ships: int
    maintenance: int
    share_sales: int
    share_step: int
    top_step: int
    decay: int
    fewer_customers: int  # steps down on every demand track when workers are new
    wage_steps: int
    loan_places: int
    token_places: int
    shares_top: int
    share_value_top: int
    levels: dict[str, tuple[int, ...]]
    limits: dict[str, tuple[int, ...]]  # by track: the earliest decade of each upgrade
    tiles: dict[str, dict[int, Tile]]
    office: dict[str, int]
    workers: dict[int, Workers]
    quality: dict[str, tuple[int, ...]]
    distribution: dict[str, tuple[int, ...]]
    storehouses: dict[str, int]
    appeal_top: int
    red: dict[str, tuple[int, ...]]  # by good: arrows passed from 0 to 1, from 1 to 2, and so on
    green: dict[str, tuple[int, ...]]
    wages: tuple[int, ...]
    wages_start: int
    demand: tuple[int, ...]
    demand_start: dict[str, int]
    neutral: dict[str, int]  # appeal of the third player in a game of two; else empty
    neutral_step: int
    value_less: tuple[int, ...]  # by shipping tokens
    stored_prices: dict[str, int]
    contract: tuple[int, ...]
    cards: tuple[Development, ...]
    rotating: frozenset[Development]
    patrons: dict[Development, tuple[str, ...]]
    patron_goods: dict[Development, int]
    customs_tokens: int
    shift_goods: int
    free_machines: int
    foreman_cheaper: int
    foreman_workers: int
    broker_shares: int
    inventor_factories: int
    developer_cheaper: int
    supply: dict[Development, int]
    random: Supply
    places: tuple[StartPlace, ...]
    solo: SoloNumbers | None  # of a game for one

    def last_round(self, decade: int, round: int) -> bool:
        return decade == self.decades and round == self.rounds


def printed_numbers(table: Table) -> Printed:
    """The sheet's numbers for this many seats. Raises IllegalDecision where they cannot go together."""
    sheet = table.sheet
    side = 3 if table.seats == 1 else table.seats  # the solo game lies on the board for three
    cards = names_under(sheet, "cards")
    numbers = Printed(
        decades=sheet["game.decades"],
        rounds=sheet["game.rounds"],
        money=sheet["start.money"],
        shares=sheet["start.shares"],
        share_value=sheet["start.share_value"],
        loans=sheet["start.loans"],
        shipping_tokens=sheet["start.shipping_tokens"],
        level=sheet["start.level"],
        side=sheet["start.side"],
        slot=sheet["start.slot"],
        start_factories=sheet["start.factories"],
        start_ships=sheet["start.ships"],
        start_quality_cap=sheet["start.quality_cap"],
        quality_cap=sheet["rules.quality_cap"],
        distribution_cap=sheet["rules.distribution_cap"],
        ships=sheet["rules.ships"],
        maintenance=sheet["rules.maintenance"],
        share_sales=sheet["rules.share_sales"],
        share_step=sheet["rules.share_step"],
        top_step=sheet["rules.top_step"],
        decay=sheet["rules.decay"],
        fewer_customers=sheet["rules.new_workers_demand"],
        wage_steps=sheet["rules.new_workers_wages"],
        loan_places=sheet["rules.loans"],
        token_places=sheet["rules.shipping_tokens"],
        shares_top=sheet["rules.shares_top"],
        share_value_top=sheet["rules.share_value_top"],
        levels={track: tuple(sheet[f"tracks.{track}.levels"]) for track in TRACKS},
        limits={
            track: (sheet[f"tracks.{track}.first_decade"], sheet[f"tracks.{track}.second_decade"]) for track in TRACKS
        },
        tiles={good: {side: tile(sheet, good, side) for side in (1, 2)} for good in GOODS},
        office={good: sheet[f"office.{good}"] for good in GOODS},
        workers={position: workers(sheet, position) for position in POSITIONS},
        quality={card: tuple(sheet[f"quality.{card}"]) for card in QUALITY_CARDS},
        distribution={card: tuple(sheet[f"distribution.{card}"]) for card in DISTRIBUTION_CARDS},
        storehouses={card: sheet[f"storehouses.{card}"] for card in STOREHOUSES},
        appeal_top=sheet["market.appeal_top"],
        red={good: tuple(sheet[f"market.red.{good}"]) for good in GOODS},
        green={good: tuple(sheet[f"market.green.{good}"]) for good in GOODS},
        wages=tuple(sheet["market.wages"]),
        wages_start=sheet[f"side.{side}.wages_start"],
        demand=tuple(sheet[f"side.{side}.demand"]),
        demand_start=by_good(sheet, f"side.{side}.demand_start"),
        neutral=by_good(sheet, "neutral.start") if table.seats == 2 else {},
        neutral_step=sheet["neutral.step"],
        value_less=tuple(sheet["scoring.share_value_less"]),
        stored_prices=by_good(sheet, "scoring.stored_prices"),
        contract=tuple(sheet["cards.contract.pays"]),
        cards=cards,
        rotating=frozenset(card for card in cards if sheet[f"cards.{card}.rotates"]),
        patrons={card: tuple(sheet[f"cards.{card}.goods"]) for card in cards if card.startswith("patron")},
        patron_goods={card: sheet[f"cards.{card}.more"] for card in cards if card.startswith("patron")},
        customs_tokens=sheet["cards.customs_office.fewer_tokens"],
        shift_goods=sheet["cards.extra_shift.goods"],
        free_machines=sheet["cards.workshop.free_machines"],
        foreman_cheaper=sheet["cards.foreman.cheaper"],
        foreman_workers=sheet["cards.foreman.workers"],
        broker_shares=sheet["cards.broker.shares"],
        inventor_factories=sheet["cards.inventor.factories"],
        developer_cheaper=sheet["cards.developer.cheaper"],
        supply={card: sheet.under(f"supply.{side}").get(card, 0) for card in cards},
        random=random_supply(sheet, side),
        places=tuple(start_places(sheet, table.seats)),
        solo=solo(sheet, table) if table.seats == 1 else None,
    )
    for rule, reason in misfits(numbers):
        raise IllegalDecision(rule, reason)
    return numbers


def names_under(sheet: Sheet, path: str) -> tuple[str, ...]:
    """The names that stand next below a path, in the order of the sheet."""
    return tuple(dict.fromkeys(key.split(".")[0] for key in sheet.under(path)))


def by_good(sheet: Sheet, path: str) -> dict[str, int]:
    """A list with one number for each good."""
    values = sheet[path]
    if len(values) != len(GOODS):
        raise IllegalDecision(
            "ACG-1.9", because("sheet", "{what}: {given}, not {right}", what=path, given=len(values), right=len(GOODS))
        )
    return dict(zip(GOODS, values, strict=True))


def tile(sheet: Sheet, good: str, side: int) -> Tile:
    path = f"factories.{good}.{side}"
    return Tile(
        tuple(sheet[f"{path}.prices"]),
        tuple(sheet[f"{path}.appeals"]),
        sheet[f"{path}.goods"],
        sheet[f"{path}.workers"],
        sheet[f"{path}.fixed_cost"],
        sheet[f"{path}.shipping_price"],
    )


def workers(sheet: Sheet, position: int) -> Workers:
    path = f"workers.{position}"
    first, second = sheet[f"{path}.sides"]
    less, more = sheet[f"{path}.goods"]
    return Workers(
        (first, second),
        {first: less, second: more},
        by_good(sheet, f"{path}.workers"),
        by_good(sheet, f"{path}.machines"),
    )


def random_supply(sheet: Sheet, players: int) -> Supply:
    """With the cards that are shuffled: all but those that are laid out first and their likes (ACG-3.3.4)."""
    limit = players - sheet["random_supply.below_players"]
    base = {"entrepreneur": sheet["random_supply.entrepreneurs"], "engineer": limit, "patent": limit}
    faces = [(first, second) for first, second in sheet.under("deck").values()]
    shuffled = tuple(
        pair for pair in faces if "entrepreneur" not in pair and "engineer" not in pair and "patent" not in pair
    )
    return Supply(base, players * sheet["random_supply.dealt"], limit, shuffled)


def start_places(sheet: Sheet, seats: int) -> Iterator[StartPlace]:
    """In the solo game nothing is given by place."""
    if seats == 1:
        return
    for place in range(1, seats + 1):
        yield StartPlace(tuple(sheet[f"seats.{seats}.{place}.factories"]), sheet[f"seats.{seats}.{place}.development"])


FORMER_COLOURS = ("red", "blue", "green", "yellow")  # of the sheet before anybody had seen a box; files name them


def solo(sheet: Sheet, table: Table) -> SoloNumbers:
    """The first colours of the sheet that the player has left are the automas', the next one is the third colour."""
    colours = sheet["game.colours"]
    known = colours if set(table.colours) <= set(colours) else FORMER_COLOURS
    others = [colour for colour in known if colour not in table.colours]
    if len(others) < 3:
        raise IllegalDecision("ACG-6.2.5", because("sheet", "the solo game needs {n} colours", n=4))
    goals = sheet.under("solo.goals")
    return SoloNumbers(
        rivals=(others[0], others[1], others[2]),
        shares=sheet["solo.shares"],
        share_value=sheet["solo.share_value"],
        appeal={good: sheet[f"solo.appeal.{good}"] for good in GOODS},
        factory_appeal=by_good(sheet, "solo.factory_appeal"),
        advance=sheet["solo.advance"],
        automa_markers=sheet["solo.automa_markers"],
        neutral_markers=sheet["solo.neutral_markers"],
        rows=sheet["solo.rows"],
        columns=sheet["solo.columns"],
        goals=Goals(**goals | {name: tuple(goals[name]) for name in ("shares", "share_value", "picked")}),
    )


def misfits(numbers: Printed) -> Iterator[tuple[str, Reason]]:
    """What makes a sheet unplayable: numbers that contradict each other."""
    counts: list[tuple[str, str, int, int]] = [
        ("ACG-1.4", "rounds in a decade", numbers.rounds, len(GOODS)),
        ("ACG-2.7.5", "steps for shipping tokens", len(numbers.value_less), numbers.token_places + 1),
        *(("ACG-2.3", f"levels of {track}", len(levels), 3) for track, levels in numbers.levels.items()),
        *(
            ("ACG-2.6.4", f"arrows of {good}", len(arrows), numbers.appeal_top)
            for tracks in (numbers.red, numbers.green)
            for good, arrows in tracks.items()
        ),
        *(
            ("ACG-2.4.9", f"slots of {good}", len(slots), len(SLOTS))
            for good, sides in numbers.tiles.items()
            for tile in sides.values()
            for slots in (tile.prices, tile.appeals)
        ),
    ]
    for rule, what, given, right in counts:
        if given != right:
            yield rule, because("sheet", "{what}: {given}, not {right}", what=what, given=given, right=right)
            return
    yield from misfit_factories(numbers)
    yield from misfit_tracks(numbers)
    yield from misfit_cards(numbers)


def misfit_factories(numbers: Printed) -> Iterator[tuple[str, Reason]]:
    for good, sides in numbers.tiles.items():
        for side, tile in sides.items():
            sums = [price + appeal for price, appeal in zip(tile.prices, tile.appeals, strict=True)]
            if len(set(sums)) > 1:
                yield (
                    "ACG-2.4.10",
                    because(
                        "sheet",
                        "price and appeal have another sum on some slots of the {good} factory, side {side}",
                        good=good,
                        side=side,
                    ),
                )
        if not set(sides[1].appeals) <= set(sides[2].appeals) or len(set(sides[2].appeals)) < len(SLOTS):
            yield (
                "ACG-2.4.13",
                because("sheet", "side 2 of the {good} factory has not each appeal of side 1 once", good=good),
            )
        for position, cards in numbers.workers.items():
            if not 0 <= cards.machines[good] <= cards.workers[good]:
                yield (
                    "ACG-2.5.8",
                    because(
                        "sheet",
                        "more machines than workers fit on the {good} card of position {position}",
                        good=good,
                        position=position,
                    ),
                )
    for position, cards in numbers.workers.items():
        if not 1 <= cards.sides[0] < cards.sides[1] <= numbers.decades:
            yield (
                "ACG-2.5.2",
                because(
                    "sheet", "the worker cards of position {position} show no two decades in order", position=position
                ),
            )


def misfit_tracks(numbers: Printed) -> Iterator[tuple[str, Reason]]:
    for rule, what, given, least, most in (
        ("ACG-2.2.4", "the side of a start factory", numbers.side, 1, 2),
        ("ACG-2.2.4", "the slot on which a factory opens", numbers.slot, 1, len(SLOTS)),
        ("ACG-2.2.7", "the level of a track at the start", numbers.level, 0, 2),
        (
            "ACG-4.12.11",
            "the most quality in a factory at the start",
            numbers.start_quality_cap,
            0,
            numbers.quality_cap,
        ),
        ("ACG-2.2.5", "ships at the start", numbers.start_ships, 0, numbers.ships),
        ("ACG-2.2.6", "loans at the start", numbers.loans, 0, numbers.loan_places),
        ("ACG-2.2.6", "shipping tokens at the start", numbers.shipping_tokens, 0, numbers.token_places),
    ):
        if not least <= given <= most:
            yield (
                rule,
                because(
                    "sheet", "{what}: {given}, not {least} to {most}", what=what, given=given, least=least, most=most
                ),
            )
    if not 0 <= numbers.wages_start < len(numbers.wages):
        yield "ACG-2.6.11", because("sheet", "the wages track has no space {space}", space=numbers.wages_start)
    for good, position in numbers.demand_start.items():
        if not 0 <= position < len(numbers.demand):
            yield (
                "ACG-2.6.6",
                because("sheet", "the demand track of {good} has no space {space}", good=good, space=position),
            )
    for good, appeal in numbers.neutral.items():
        if appeal > numbers.appeal_top:
            yield (
                "ACG-2.6.14",
                because("sheet", "the appeal track of {good} has no space {space}", good=good, space=appeal),
            )
    if numbers.shares > numbers.shares_top or numbers.share_value > numbers.share_value_top:
        yield "ACG-2.7.1", because("sheet", "shares or share value start beyond the end of their track")
    if not numbers.contract:
        yield "ACG-2.7.7", because("sheet", "the contract table is empty")


def misfit_cards(numbers: Printed) -> Iterator[tuple[str, Reason]]:
    turned = {"entrepreneur", "customs_office", "developer", *numbers.patrons}
    for card in sorted(numbers.rotating ^ turned):
        yield "ACG-4.12.16", because("sheet", "{card} is not used as its rule says", card=card)
    faces = {face for pair in numbers.random.deck for face in pair}
    given = {place.development for place in numbers.places}
    for card in sorted({*faces, *given} - {*numbers.cards, *TRACKS}):
        yield "ACG-2.8", because("sheet", "there is no development card {card}", card=card)
    for card in sorted(given - {*TRACKS}):
        if numbers.supply.get(card, 0) < [place.development for place in numbers.places].count(card):
            yield "ACG-2.8.21", because("sheet", "the supply has no {card} to start with", card=card)
    for card, values in numbers.distribution.items():
        if sorted(values) != [*range(1, len(values) + 1)]:
            yield "ACG-2.5.15", because("sheet", "{card} does not show each value from 1 on once", card=card)
    limit = numbers.random.limit
    shown = [face for pair in numbers.random.deck for face in set(pair)]
    most = min(len(numbers.random.deck), sum(min(limit, shown.count(face)) for face in faces))
    if limit < 1 or numbers.random.dealt > most:
        yield "ACG-3.3.4", because("sheet", "there are only {n} cards to deal", n=max(0, most))
    for place in numbers.places:
        goods = place.factories
        if len(set(goods)) != numbers.start_factories or not set(goods) <= set(GOODS):
            yield (
                "ACG-2.2.4",
                because("sheet", "each player starts with {n} different factories", n=numbers.start_factories),
            )


def of(table: Table) -> Printed:
    """The table's sheet, read once."""
    numbers: Any = table.__dict__.get("arkwright_card")
    if numbers is None:
        numbers = table.__dict__["arkwright_card"] = printed_numbers(table)
    return numbers  # type: ignore[no-any-return]
