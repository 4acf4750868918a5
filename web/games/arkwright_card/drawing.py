"""Draw Arkwright: The Card Game: market board, development cards, and the parts of each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, automas, cards, factories, printed, production
from daybook.domain.games.arkwright_card.board import Board, Factory, Player, Stage
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.sheet import key_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.boards.pen import BRIEF
from daybook.web.boards.symbols import SymbolSheet, draw_symbols
from daybook.web.games.arkwright import GOODS_WORDS, SYMBOLS_TEMPLATE
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import card_effect
from daybook.web.words.say import Texts, say

TEMPLATE = "arkwright_card.html"
STYLES = ("board-mats.css", "board-arkwright.css")  # in addition to board.css
DECIDING = ("/stage", "/mover")  # paths that determine the deciding seat
ROMAN = ("I", "II", "III", "IV")
STEPS: dict[Stage, str] = {  # step of the round, in the words of the game
    "price": "price",
    "development": "development",
    "take_card": "development",
    "foreman": "development",
    "replace": "development",
    "automa": "automas",
}


# --- words -----------------------------------------------------------------------------------------------------------


TRACK_TITLES: Texts = {
    "quality": "Quality",
    "distribution": "Distribution",
    "cards": "Development cards",
    "machinery": "Machinery",
    "ship": "Ship",
    "stock": "Stock exchange",
}
CARD_NAMES: Texts = {  # as printed
    "entrepreneur": "Entrepreneur",
    "customs_office": "Customs Office",
    "extra_shift": "Extra Shift",
    "workshop": "Workshop",
    "foreman": "Foreman",
    "broker": "Broker",
    "patron": "Patron",
    "inventor": "Inventor",
    "developer": "Developer",
    "contract": "Contract",
    "patent": "Patent",
    "engineer": "Engineer",
    "big_storehouse": "Big Storehouse",
}


class CardWords(NamedTuple):
    """Words of a development card.

    Args:
        goods: of a Patron.
        does: short description.
    """

    number: int
    name: str
    goods: tuple[str, ...]
    does: str


class Words(NamedTuple):
    """Words of a drawing in the language of its scene, with the sheet's card names."""

    goods: dict[str, str]
    tracks: dict[str, str]
    cards: dict[str, CardWords]
    colours: dict[str, str]


def words_of(scene: Scene) -> Words:
    numbers = printed.of(scene.table)
    return Words(
        {good: say(text) for good, text in GOODS_WORDS.items()},
        {track: say(text) for track, text in TRACK_TITLES.items()},
        {
            card: CardWords(
                scene.table.sheet[f"cards.{card}.number"],
                card_name(scene.table.sheet[f"cards.{card}.name"]),
                numbers.patrons.get(card, ()),
                card_effect(numbers, card),
            )
            for card in numbers.cards
        },
        {rival: solo.colour(rival) for rival in (numbers.solo.rivals if numbers.solo else ())},
    )


def card_name(name: str) -> str:
    """Return a card's translated name; a custom card keeps its name."""
    text = CARD_NAMES.get(key_of(name))
    return name if text is None else say(text)


# --- the parts -------------------------------------------------------------------------------------------------------


def symbols(scene: Scene) -> SymbolSheet:
    """Draw the symbols of both Arkwright games, and in a solo game the markers of parties without seats."""
    shared, alone = draw_symbols(SYMBOLS_TEMPLATE).joined_with(draw_symbols(TEMPLATE)), printed.of(scene.table).solo
    return shared if alone is None else shared.joined_with(draw_symbols(TEMPLATE, alone.rivals, macro="rivals"))


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return the parts of the drawn board, each with the places of the board that it shows."""
    numbers, words = printed.of(scene.table), words_of(scene)
    drawn = [
        _course_part(scene, numbers, words),
        _ruler(numbers),
        *(_track_part(scene, numbers, words, good) for good in printed.GOODS),
        _wages_part(numbers),
        _work_part(scene, words),
    ]
    if numbers.solo is None:
        drawn.append(_supply_part(scene, words))
    else:
        drawn += [
            _grid_part(numbers.solo, words),
            _bag(numbers.solo, words),
            _achievements(),
            *(_automa_part(scene, words, rival) for rival in numbers.solo.automas),
        ]
    for seat in range(len(scene.names)):
        drawn += [
            _brief_part(scene, seat),
            _head(scene, seat),
            *(_factory_part(scene, words, seat, good) for good in printed.GOODS),
            _tokens_part(numbers, seat),
            _levels_part(scene, words, seat),
            _owned_cards(numbers, words, seat),
            _reserve_part(scene, seat),
        ]
    return tuple(drawn)


def board_of(scene: Scene, document: Document) -> Board:
    return ARKWRIGHT_CARD.typed_board(document, scene.table)


def paths_of_players(scene: Scene, *paths: str) -> tuple[str, ...]:
    """Return these paths for every player."""
    return tuple(f"/players/{seat}/{path}" for seat in range(len(scene.names)) for path in paths)


def deciding_seats(document: Document) -> list[Seat]:
    """Return the seat to decide next, which may be the table; empty after the end."""
    if document["stage"] == "over":
        return []
    return [TABLE if document["mover"] is None else document["mover"]]


# --- the course of the game ------------------------------------------------------------------------------------------


def _course_part(scene: Scene, numbers: printed.Printed, words: Words) -> BoardPart:
    """Return the part with every round, the current one and its step."""
    years = scene.table.sheet["game.years"]
    decades = [(ROMAN[decade], years[decade] if decade < len(years) else "") for decade in range(numbers.game_decades)]

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        step = STEPS.get(board.stage, board.phase)
        return board.decade, board.round, step, deciding_seats(document)

    return BoardPart(
        "course",
        ("/decade", "/round", *DECIDING),
        look,
        macro_drawer(TEMPLATE, "course", scene, words, decades, printed.GOODS, numbers.solo is not None),
    )


# --- the market board ------------------------------------------------------------------------------------------------


class MarketLane(NamedTuple):
    """Owner of a lane on the market board: a seat, an automa or the third player."""

    name: str
    mark: str  # name in the drawing
    colour: str
    at: str  # where its figures are


class Stands(NamedTuple):
    """An appeal marker, and what the home market takes at this appeal."""

    appeal: int
    sells: int


def market_lanes(scene: Scene) -> list[MarketLane]:
    """Return the lanes: seats in order, then parties without seats."""
    numbers = printed.of(scene.table)
    found = [
        MarketLane(name, f"mark{seat}", colour, f"/players/{seat}")
        for seat, (name, colour) in enumerate(zip(scene.names, scene.table.colours, strict=True))
    ]
    if numbers.solo is not None:
        found += [
            MarketLane(solo.automa(rival), f"ac-{rival}", rival, f"{BRIEF}/solo/automas/{rival}")
            for rival in numbers.solo.automas
        ]
    if numbers.neutral:
        found.append(MarketLane(say("the neutral player"), "ac-neutral", "", "/neutral"))
    return found


def standing(board: Board, good: str) -> list[Stands | None]:
    """Return each lane's marker on the track of a good, if any."""
    appeals = [None if (factory := player.factories[good]) is None else factory.appeal for player in board.players]
    if board.solo is not None:
        appeals += [automa.appeal.get(good) for automa in board.solo.automas.values()]
    if board.printed.neutral:
        appeals.append(board.neutral.get(good))
    demand = board.demand_value(good)
    return [None if appeal is None else Stands(appeal, max(0, appeal - demand)) for appeal in appeals]


def track_spaces(numbers: printed.Printed) -> int:
    """Return the spaces of a market track, common to appeal and demand."""
    return max(numbers.market_appeal_top, max(numbers.side_demand)) + 1


def marker_position(numbers: printed.Printed, position: int) -> float:
    """Return the position of a demand marker: the space of its value, and how far into it."""
    value = numbers.side_demand[position]
    alike = [other for other, demand in enumerate(numbers.side_demand) if demand == value]
    return round(value + (alike.index(position) + 0.5) / len(alike), 3)


def _ruler(numbers: printed.Printed) -> BoardPart:
    return BoardPart("ruler", (), lambda document: (), macro_drawer(TEMPLATE, "ruler", track_spaces(numbers)))


def _track_part(scene: Scene, numbers: printed.Printed, words: Words, good: str) -> BoardPart:
    """Return the part with each appeal over the demand for a good, and the arrows that move it."""
    arrows = [
        (step, bool(up), bool(down))
        for step, (up, down) in enumerate(zip(numbers.market_red[good], numbers.market_green[good], strict=True), 1)
        if up or down
    ]
    ticks = [marker_position(numbers, position) for position in range(len(numbers.side_demand))]

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        position = board.demand[good]
        active = board.phase != "over" and board.round == printed.GOODS.index(good) + 1
        return standing(board, good), position, marker_position(numbers, position), board.demand_value(good), active

    paths = (
        f"/demand/{good}",
        f"/neutral/{good}",
        "/round",
        "/stage",
        *paths_of_players(scene, f"factories/{good}/appeal"),
        *(f"/solo/automas/{colour}/appeal/{good}" for colour in (numbers.solo.automas if numbers.solo else ())),
    )
    return BoardPart(
        f"track-{good}",
        paths,
        look,
        macro_drawer(TEMPLATE, "track", words, market_lanes(scene), good, track_spaces(numbers), arrows, ticks),
    )


def _wages_part(numbers: printed.Printed) -> BoardPart:
    """Return the wages track; a value is at its first space."""
    track = [
        (wage, space == 0 or numbers.market_wages[space - 1] != wage) for space, wage in enumerate(numbers.market_wages)
    ]
    bands = sorted(set(numbers.market_wages))

    def look(document: Document) -> Looks:
        return document["wages"], numbers.market_wages[document["wages"]]

    return BoardPart("wages", ("/wages",), look, macro_drawer(TEMPLATE, "wages", track, bands))


class FactoryWork(NamedTuple):
    """A factory at work. takes: what the home market does; None: not known before the sale."""

    seat: Seat
    good: str
    made: int
    takes: int | None
    left: int


def _work_part(scene: Scene, words: Words) -> BoardPart:
    """Return the part with the producing seat and the goods sold in this phase."""

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        return current_work(board), board.sales

    paths = (
        *DECIDING,
        "/round",
        "/production",
        "/sales",
        "/turn/good",
        "/demand",
        *paths_of_players(scene, "factories"),
    )
    return BoardPart("work", paths, look, macro_drawer(TEMPLATE, "work", scene, words))


def current_work(board: Board) -> FactoryWork | None:
    """Return what the deciding seat is producing, if anything."""
    made = board.production
    if board.mover is None or not made.made:
        return None
    if board.stage in ("produce", "sell", "ship", "store"):
        takes = production.most_at_home(board, production.at_work(board, board.mover), made.patrons)
        return FactoryWork(board.mover, board.active, made.made, takes, made.left)
    if board.turn.good is not None:
        return FactoryWork(board.mover, board.turn.good, made.made, None, made.left)
    return None


# --- development cards -----------------------------------------------------------------------------------------------


def _supply_part(scene: Scene, words: Words) -> BoardPart:
    """Return the part with the types in the game and their remaining copies."""

    def look(document: Document) -> Looks:
        owned = [card for player in document["players"] for card in player["cards"]]
        return ([(card, count) for card, count in document["supply"].items() if count or card in owned],)

    return BoardPart(
        "supply", ("/supply", *paths_of_players(scene, "cards")), look, macro_drawer(TEMPLATE, "supply", words)
    )


def _grid_part(numbers: printed.SoloNumbers, words: Words) -> BoardPart:
    """Return the part with each place's card and disc."""

    def look(document: Document) -> Looks:
        on = {place: colour for colour, place in document["solo"]["discs"].items()}
        grid = document["solo"]["grid"]
        return (
            [
                (place, grid[place - 1] if place <= len(grid) else None, on.get(place))
                for place in range(1, numbers.places + 1)
            ],
        )

    return BoardPart(
        "grid", ("/solo/grid", "/solo/discs"), look, macro_drawer(TEMPLATE, "grid", words, numbers.columns)
    )


def _bag(numbers: printed.SoloNumbers, words: Words) -> BoardPart:
    def look(document: Document) -> Looks:
        return [(colour, document["solo"]["bag"][colour]) for colour in numbers.rivals], document["solo"]["drawn"]

    return BoardPart("bag", ("/solo/bag", "/solo/drawn"), look, macro_drawer(TEMPLATE, "bag", words))


def _achievements() -> BoardPart:
    def look(document: Document) -> Looks:
        there = document["solo"]
        return ([(name, there["achievements"][name], name in there["earned"]) for name in printed.ACHIEVEMENTS],)

    return BoardPart(
        "achievements",
        ("/solo/achievements", "/solo/earned"),
        look,
        macro_drawer(TEMPLATE, "achievements", {name: solo.achievement(name) for name in printed.ACHIEVEMENTS}),
    )


def _automa_part(scene: Scene, words: Words, rival: str) -> BoardPart:
    """Return the part with an automa's shares and factories, like a player's."""
    at = f"/solo/automas/{rival}"

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        of, opens = board.alone.automas[rival], automas.numbers(board).factory_appeal
        built = [
            (good, of.appeal.get(good), board.demand_value(good), opens[good] + board.decade) for good in printed.GOODS
        ]
        return of.shares, of.share_value, of.score, built, len(printed.GOODS) - len(of.appeal)

    return BoardPart(
        f"automa-{rival}",
        (at, "/demand", "/decade"),
        look,
        macro_drawer(TEMPLATE, "automa", words, rival, solo.automa(rival)),
    )


# --- one player ------------------------------------------------------------------------------------------------------


def _head(scene: Scene, seat: Seat) -> BoardPart:
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        player = board_of(scene, document).players[seat]
        return (
            player.money,
            player.shares,
            player.share_value,
            player.portfolio,
            player.bankrupt,
            seat in deciding_seats(document),
            document["start"] == seat and len(scene.names) > 1,
        )

    paths = (f"{at}/money", f"{at}/shares", f"{at}/share_value", f"{at}/bankrupt", "/start", *DECIDING)
    return BoardPart(f"head-{seat}", paths, look, macro_drawer(TEMPLATE, "head", scene, seat))


def _brief_part(scene: Scene, seat: Seat) -> BoardPart:
    """Return the short part of a player for small screens: money, shares and factories in figures."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        works = [
            (
                good,
                None
                if factory is None
                else (
                    ROMAN[factory.side - 1],
                    factories.appeal(board, good, factory),
                    factories.production(board, good, factory),
                ),
            )
            for good, factory in ((good, player.factories[good]) for good in printed.GOODS)
        ]
        return (
            player.money,
            player.shares,
            player.share_value,
            player.portfolio,
            player.loans,
            seat in deciding_seats(document),
            works,
        )

    paths = tuple(f"{at}/{field}" for field in ("money", "shares", "share_value", "loans", "factories", "cards"))
    return BoardPart(f"brief-{seat}", (*paths, *DECIDING), look, macro_drawer(TEMPLATE, "brief", scene, seat))


class Staff(NamedTuple):
    """Worker card.

    Args:
        spots: "worker", "machine", or "replaceable" for a worker that a machine can replace.
    """

    side: str
    goods: int
    spots: list[str]
    token: bool  # it has the machine token


class Point(NamedTuple):
    """Office, quality or distribution card next to a factory."""

    card: str
    value: int
    mode: printed.Mode


class FactoryDrawing(NamedTuple):
    """Drawing of a factory with the cards next to it."""

    side: str
    slots: list[tuple[int, int]]  # price and appeal
    token: int  # slot number, from 1
    tile: list[int]  # goods, workers, fixed cost, shipping price
    staff: list[Staff | None]
    office: Point
    quality: list[Point]
    distribution: Point | None
    stores: list[tuple[str, int, int]]  # card, capacity, goods
    foreman: bool
    price: int
    appeal: int
    makes: int
    costs: int


def house(board: Board, player: Player, good: str, factory: Factory) -> FactoryDrawing:
    numbers, tile = board.printed, board.tile(good, factory)
    laid = factory.distribution
    return FactoryDrawing(
        ROMAN[factory.side - 1],
        slots_of(tile),
        factory.slot,
        shown_on(tile),
        [staff(numbers, good, position, factory) for position in printed.POSITIONS],
        Point("office", numbers.office[good], factory.office),
        [Point(card, points.value, points.mode) for card, points in factory.quality.items()],
        None if laid is None else Point(laid.card, laid.value, "appeal"),
        [
            (card, numbers.storehouses[card], factory.storehouses[card])
            for card in printed.STOREHOUSES
            if card in factory.storehouses
        ],
        factory.foreman,
        factories.goods_price(board, good, factory),
        factories.appeal(board, good, factory),
        factories.production(board, good, factory),
        factories.cost(board, player, good, factory, len(factory.workers)).amount,
    )


def slots_of(tile: printed.Tile) -> list[tuple[int, int]]:
    return list(zip(tile.prices, tile.appeals, strict=True))


def shown_on(tile: printed.Tile) -> list[int]:
    return [tile.goods, tile.workers, tile.fixed_cost, tile.shipping_price]


def staff(numbers: printed.Printed, good: str, position: int, factory: Factory) -> Staff | None:
    """Return a worker card of a factory, irreplaceable workers first; None if it is not there yet."""
    if position > len(factory.workers):
        return None
    of, card = numbers.workers[position], factory.workers[position - 1]
    fit = of.machines[good]
    spots = ["worker"] * (of.workers[good] - fit) + ["machine"] * card.machines
    return Staff(
        ROMAN[card.side - 1],
        of.goods[card.side],
        spots + ["replaceable"] * (fit - card.machines),
        0 < card.machines < fit,
    )


def _factory_part(scene: Scene, words: Words, seat: Seat, good: str) -> BoardPart:
    """Return the part of a factory with its cards, or what a new one would show."""
    at, numbers = f"/players/{seat}", printed.of(scene.table)

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        factory = player.factories[good]
        side = min(board.decade, 2)
        new = numbers.factories[good][side]
        return (
            None if factory is None else house(board, player, good, factory),
            (ROMAN[side - 1], slots_of(new), shown_on(new)) if factory is None else None,
        )

    return BoardPart(
        f"factory-{seat}-{good}",
        (f"{at}/factories/{good}", f"{at}/cards", "/wages", "/decade"),
        look,
        macro_drawer(TEMPLATE, "factory", words, seat, good),
    )


def _tokens_part(numbers: printed.Printed, seat: Seat) -> BoardPart:
    """Return the part with loan tokens, shipping tokens and ships."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        player = document["players"][seat]
        return (
            player["loans"],
            player["shipping_tokens"],
            numbers.scoring_share_value_less[player["shipping_tokens"]],
            player["ships"],
            numbers.tracks["ship"].levels[player["levels"]["ship"]],
        )

    return BoardPart(
        f"tokens-{seat}",
        (f"{at}/loans", f"{at}/shipping_tokens", f"{at}/ships", f"{at}/levels/ship"),
        look,
        macro_drawer(TEMPLATE, "tokens", seat, numbers.rules_loans, numbers.rules_shipping_tokens, numbers.rules_ships),
    )


def _levels_part(scene: Scene, words: Words, seat: Seat) -> BoardPart:
    """Return the part with development tracks and the decade that opens the next step."""
    at, numbers = f"/players/{seat}", printed.of(scene.table)

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        return (
            [
                (track, numbers.tracks[track].levels, player.levels[track], opening_decade(board, seat, track))
                for track in printed.TRACKS
            ],
        )

    paths = (f"{at}/levels", f"{at}/cards", "/decade")
    return BoardPart(f"levels-{seat}", paths, look, macro_drawer(TEMPLATE, "levels", words, seat))


def opening_decade(board: Board, seat: Seat, track: str) -> str:
    """Return the decade that opens the next step of a track; "" if it is open or there is none."""
    player = board.players[seat]
    if cards.track_full(board, seat, track) or not cards.decade_too_early(board, seat, track):
        return ""
    return ROMAN[board.printed.tracks[track].limits[player.levels[track]] - 1]


def _owned_cards(numbers: printed.Printed, words: Words, seat: Seat) -> BoardPart:
    """Draw a player's development cards and free places."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        player = document["players"][seat]
        return (
            [(card, card in player["rotated"]) for card in player["cards"]],
            numbers.tracks["cards"].levels[player["levels"]["cards"]],
        )

    most = max(numbers.tracks["cards"].levels)
    return BoardPart(
        f"owned-{seat}",
        (f"{at}/cards", f"{at}/rotated", f"{at}/levels/cards"),
        look,
        macro_drawer(TEMPLATE, "owned", words, seat, most),
    )


class ReserveCard(NamedTuple):
    """A card of the reserve. shows: its values, or what it holds; here: it is not at a factory."""

    card: str
    kind: str
    shows: str
    here: bool


def reserve_cards(board: Board, player: Player) -> list[ReserveCard]:
    """Return each card at its own place, even if it is at a factory; other players' cards are left out."""
    numbers = board.printed
    found = [
        *((card, "quality", between(numbers.quality[card])) for card in printed.QUALITY_CARDS),
        *((card, "distribution", between(numbers.distribution[card])) for card in printed.DISTRIBUTION_CARDS),
        *((card, "storehouse", str(numbers.storehouses[card])) for card in sorted(printed.STOREHOUSES)),
    ]
    return [
        ReserveCard(card, kind, shows, player.where(card) is None and player.has(card))
        for card, kind, shows in found
        if card not in printed.FROM_DEVELOPMENTS or player.has(card)
    ]


def between(values: Sequence[int]) -> str:
    return f"{min(values)}–{max(values)}"


def _reserve_part(scene: Scene, seat: Seat) -> BoardPart:
    """Return the part with cards at no factory, the machine token and the engineer token."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        board = board_of(scene, document)
        player = board.players[seat]
        return reserve_cards(board, player), factories.token_card(board, player) is None, player.quality_cap

    return BoardPart(
        f"reserve-{seat}",
        (f"{at}/factories", f"{at}/cards", f"{at}/quality_cap"),
        look,
        macro_drawer(TEMPLATE, "reserve", seat),
    )
