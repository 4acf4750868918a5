"""Invariants of every board (ACG-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from daybook.domain.games.arkwright_card import cards, printed
from daybook.domain.games.arkwright_card.board import Board, Factory, Player, Solo
from daybook.domain.kernel.invariants import Invariant
from daybook.domain.kernel.terms import Breach, Seat, because, by_number

OfBoard = Callable[[Board], Breach | None]
OfPlayer = Callable[[Board, Seat, Player], Breach | None]

OPENING = ("start_player", "start_factory")  # phases before the supplies are dealt
AT_WORK = ("price", "produce", "sell", "ship", "store")  # with the factory of the active good


def breaches(b: Board) -> Iterator[Breach]:
    whole = nothing_missing(b)
    if whole is not None:
        yield whole  # further checks need a valid board
        return
    for invariant, _ in TABLE:
        breach = invariant(b)
        if breach is not None:
            yield breach
    for seat, player in enumerate(b.players):
        yield from broken_by(b, seat, player)


def invariants(seats: int) -> list[Invariant]:
    """Return the invariants by the parts of the board that they read."""
    found = [Invariant(nothing_missing, NAMED), *(Invariant(invariant, reads) for invariant, reads in TABLE)]
    for seat in range(seats):
        found += [
            Invariant(partial(find_player_breach, of_player, seat), tuple(part.format(seat=seat) for part in reads))
            for of_player, reads in PLAYERS
        ]
        found += [
            Invariant(
                partial(find_factory_breach, seat, good),
                (f"/players/{seat}/factories/{good}", f"/players/{seat}/quality_cap"),
            )
            for good in printed.GOODS
        ]
    return found


def find_player_breach(invariant: OfPlayer, seat: Seat, b: Board) -> Breach | None:
    return invariant(b, seat, b.players[seat])


def find_factory_breach(seat: Seat, good: str, b: Board) -> Breach | None:
    player = b.players[seat]
    factory = player.factories[good]
    return None if factory is None else misfit(b, seat, player, good, factory)


def nothing_missing(b: Board) -> Breach | None:
    """Every good, track and type of card has its place."""
    named = (
        b.demand.keys() == set(printed.GOODS)
        and b.supply.keys() == set(b.printed.cards)
        and b.neutral.keys() <= set(printed.GOODS)
    )
    for player in b.players:
        named = named and player.levels.keys() == set(printed.TRACKS) and player.factories.keys() == set(printed.GOODS)
    if named and len(b.sales) == b.seats == b.table.seats and nothing_missing_alone(b):
        return None
    return Breach("ACG-8.1", because("board", "a part of the board is missing"))


def broken_by(b: Board, seat: Seat, player: Player) -> Iterator[Breach]:
    wrong = tracks_in_range(b, seat, player)
    if wrong is not None:
        yield wrong
        return
    for of_player, _ in PLAYERS[1:]:
        breach = of_player(b, seat, player)
        if breach is not None:
            yield breach
    for good, factory in player.open():
        amiss = misfit(b, seat, player, good, factory)
        if amiss is not None:
            yield amiss


# --- the market board and the supply ---


def market_in_range(b: Board) -> Breach | None:
    """ACG-8.12, and the third player's markers (ACG-8.4)."""
    last, top = len(b.printed.side_demand) - 1, b.printed.market_appeal_top
    if not all(0 <= position <= last for position in b.demand.values()):
        return Breach("ACG-8.12", because("market", "a demand marker is off its track"))
    if not 0 <= b.wages < len(b.printed.market_wages):
        return Breach("ACG-8.12", because("market", "the wages marker is off its track"))
    if not all(0 <= appeal <= top for appeal in b.neutral.values()):
        return Breach("ACG-8.4", because("market", "an appeal marker is off its track"))
    return None


def development_cards(b: Board) -> dict[str, int]:
    """Return the development cards in this game, by type."""
    if not b.options.random_supply:
        return b.printed.supply
    laid = dict(b.printed.random.base)
    for card in b.dealt:
        laid[card] = laid.get(card, 0) + 1
    return laid


CARDS_OF_A_TYPE = by_number(
    "total", "there is {total} card of {card}, not {all}", "there are {total} cards of {card}, not {all}"
)


def cards_add_up(b: Board) -> Breach | None:
    """Check that the cards of the set-up are in the supply or with players (ACG-8.10)."""
    there = {} if b.stage in OPENING and b.solo is None else development_cards(b)
    held: dict[str, int] = {}
    for player in b.players:
        for card in player.cards:
            held[card] = held.get(card, 0) + 1
    for lying in [*b.solo.grid, *b.solo.removed] if b.solo is not None else ():
        if lying is not None:
            held[lying] = held.get(lying, 0) + 1
    for card, count in b.supply.items():
        if count < 0:
            return Breach("ACG-8.10", because("cards", "the number of {card} in the supply is below 0", card=card))
        total, right = count + held.pop(card, 0), there.get(card, 0)
        if total != right:
            return Breach("ACG-8.10", because("cards", CARDS_OF_A_TYPE, total=total, card=card, all=right))
    return Breach("ACG-8.10", because("cards", "a card is unknown to this game")) if held else None


def somebody_starts(b: Board) -> Breach | None:
    if (b.start is None and not b.round) or b.start in range(b.seats):
        return None
    return Breach("ACG-8.18", because("start", "no player of this game is the start player"))


def somebody_decides(b: Board) -> Breach | None:
    """Check that the awaited player is still in the game (ACG-8.22)."""
    if b.mover is None or (b.mover in range(b.seats) and not b.players[b.mover].bankrupt):
        return None
    return Breach("ACG-8.22", because("mover", "the player to decide is not in the game"))


def work_goes_on(b: Board) -> Breach | None:
    """Check that a half-done action can be finished (ACG-8.22)."""
    if b.mover is None or b.mover not in range(b.seats):
        return None
    player, turn = b.players[b.mover], b.turn
    needed = {*turn.shipping}
    if turn.good is not None:
        needed.add(turn.good)
    if b.stage in AT_WORK:
        needed.add(b.active)
    if not all(player.factories.get(good) is not None for good in needed):
        return Breach("ACG-8.22", because("work", "a factory that is at work is not open"))
    for seat, sold in enumerate(b.sales):
        if b.phase == "production" and sold is not None and b.players[seat].factories[b.active] is None:
            return Breach("ACG-8.22", because("work", "a factory that is at work is not open"))
    if b.stage == "take_card" and not (
        turn.discarded
        and any(
            cards.available(b, card) and card not in player.cards and card != turn.discarded[-1] for card in b.supply
        )
    ):
        return Breach("ACG-8.22", because("work", "no card is left to take"))
    if b.stage in ("foreman", "start_foreman") and "foreman" not in player.cards:
        return Breach("ACG-8.22", because("work", "the Foreman is not available to place"))
    return None


# --- the solo game ---


def nothing_missing_alone(b: Board) -> bool:
    """Both automas and all achievements are there in a game for one, and in no other."""
    solo, numbers = b.solo, b.printed.solo
    if solo is None or numbers is None:
        return solo is None and numbers is None
    return (
        set(solo.automas) == set(numbers.automas)
        and set(solo.bag) == set(numbers.rivals)
        and set(solo.discs) <= set(numbers.rivals)
        and set(solo.achievements) == set(printed.ACHIEVEMENTS)
        and all(automa.appeal.keys() <= set(printed.GOODS) for automa in solo.automas.values())
    )


def alone_fits(b: Board) -> Breach | None:
    """Bag, grid, discs and the automas' tracks (ACG-8.20)."""
    if b.solo is None or b.printed.solo is None:
        return None
    return bag_whole(b.solo, b.printed.solo) or grid_fits(b, b.solo, b.printed.solo) or automas_in_range(b, b.solo)


def bag_whole(solo: Solo, numbers: printed.SoloNumbers) -> Breach | None:
    first, second, third = numbers.rivals
    whole = {first: numbers.automa_markers, second: numbers.automa_markers, third: numbers.neutral_markers}
    if all(
        solo.bag[colour] >= 0 and solo.bag[colour] + solo.drawn.count(colour) == count
        for colour, count in whole.items()
    ) and {*solo.drawn} <= {*whole}:
        return None
    return Breach("ACG-8.20", because("bag", "a marker is neither in the bag nor next to it, or in both places"))


def grid_fits(b: Board, solo: Solo, numbers: printed.SoloNumbers) -> Breach | None:
    """Check that the laid grid has three discs on three cards."""
    if b.stage in ("supply", "grid"):
        return None
    if len(solo.grid) != numbers.places or len({*solo.discs.values()}) < len(solo.discs):
        return Breach("ACG-8.20", because("grid", "the grid does not have all its places, or a card has two discs"))
    laid = b.stage == "discs" or len(solo.discs) == len(numbers.rivals)
    if not laid or any(solo.card(place) is None for place in solo.discs.values()):
        return Breach("ACG-8.20", because("grid", "a disc of the grid lies on no card"))
    if solo.grid.count(None) < len(b.players[0].cards):
        return Breach("ACG-8.10", because("grid", "the grid has fewer empty places than cards were taken"))
    return None


def automas_in_range(b: Board, solo: Solo) -> Breach | None:
    numbers = b.printed
    for colour, automa in solo.automas.items():
        if not (
            0 <= automa.shares <= numbers.rules_shares_top
            and 0 <= automa.share_value <= numbers.rules_share_value_top
            and all(0 <= appeal <= numbers.market_appeal_top for appeal in automa.appeal.values())
        ):
            return Breach(
                "ACG-8.20", because("track", "a marker of the {colour} automa is off its track", colour=colour)
            )
    return None


# --- a player ---


def tracks_in_range(b: Board, seat: Seat, player: Player) -> Breach | None:
    """ACG-8.1, ACG-8.11."""
    numbers = b.printed
    for name, value, most in (
        ("shares", player.shares, numbers.rules_shares_top),
        ("share_value", player.share_value, numbers.rules_share_value_top),
        ("loans", player.loans, numbers.rules_loans),
        ("shipping_tokens", player.shipping_tokens, numbers.rules_shipping_tokens),
        ("ships", player.ships, numbers.rules_ships),
        ("money", player.money, player.money),
    ):
        if not 0 <= value <= most:
            return Breach(
                "ACG-8.1",
                because("track", "seat {seat} has {value} on the track {track}", seat=seat, value=value, track=name),
            )
    for track in printed.TRACKS:
        if not 0 <= player.levels[track] < len(numbers.tracks[track].levels):
            return Breach(
                "ACG-8.1",
                because(
                    "track",
                    "seat {seat} has {value} on the track {track}",
                    seat=seat,
                    value=player.levels[track],
                    track=track,
                ),
            )
    if player.quality_cap not in (numbers.start_quality_cap, numbers.rules_quality_cap) or (
        "engineer" in player.cards and player.quality_cap != numbers.rules_quality_cap
    ):
        return Breach("ACG-8.11", because("cap", "the engineer token of seat {seat} is in the wrong place", seat=seat))
    return None


def developments_fit(b: Board, seat: Seat, player: Player) -> Breach | None:
    """No type twice, no more than the limit, and only cards that rotate are rotated (ACG-8.10, ACG-8.19)."""
    if len(set(player.cards)) < len(player.cards):
        return Breach("ACG-8.10", because("cards", "seat {seat} has two cards of a type", seat=seat))
    if len(player.cards) > b.level(player, "cards"):
        return Breach("ACG-8.10", because("cards", "seat {seat} has too many development cards", seat=seat))
    for card in player.rotated:
        if card not in player.cards or card not in b.printed.rotating or player.rotated.count(card) > 1:
            return Breach(
                "ACG-8.19", because("cards", "{card} cannot be rotated for seat {seat}", card=card, seat=seat)
            )
    return None


def factories_open(b: Board, seat: Seat, player: Player) -> Breach | None:
    """Check that the starting factories are open, and none of a bankrupt player (ACG-8.3, ACG-8.4)."""
    count = sum([factory is not None for factory in player.factories.values()])
    if (
        count == 0
        if player.bankrupt
        else count >= b.printed.start_factories or b.stage in OPENING or (b.solo is not None and not b.round)
    ):
        return None
    if player.bankrupt:
        return Breach("ACG-8.3", because("factories", "seat {seat} is bankrupt, and has open factories", seat=seat))
    return Breach("ACG-8.3", because("factories", "seat {seat} has {count} open factories", seat=seat, count=count))


def cards_apart(b: Board, seat: Seat, player: Player) -> Breach | None:
    """Check that each quality, distribution and storehouse card is in one place, and is the player's (ACG-8.7)."""
    lying: list[str] = []
    foremen = 0
    for _, factory in player.open():
        lying += factory.quality
        lying += factory.storehouses
        foremen += factory.foreman
        if factory.distribution is not None:
            lying.append(factory.distribution.card)
    if len(set(lying)) < len(lying):
        return Breach("ACG-8.7", because("cards", "a card of seat {seat} lies in two places", seat=seat))
    for card in lying:
        if not player.has(card):
            return Breach("ACG-8.7", because("cards", "{card} does not belong to seat {seat}", card=card, seat=seat))
    placing = b.mover == seat and b.stage in ("foreman", "start_foreman")
    if foremen > 1 or (foremen == 1) != ("foreman" in player.cards and not placing):
        unplaced = b.phase == "setup" and not foremen
        if not unplaced:
            return Breach("ACG-8.7", because("cards", "the Foreman of seat {seat} is in the wrong place", seat=seat))
    return None


def one_token(b: Board, seat: Seat, player: Player) -> Breach | None:
    """Machines on a part of a card need the machine token (ACG-8.6)."""
    numbers = b.printed.workers
    partly = 0
    for good, factory in player.open():
        for position, card in zip(printed.POSITIONS, factory.workers, strict=False):
            partly += 0 < card.machines < numbers[position].machines[good]
    if partly < 2:
        return None
    return Breach(
        "ACG-8.6",
        because(
            "machines",
            "machines of seat {seat} lie on a part of {cards} cards, with one token for that",
            seat=seat,
            cards=partly,
        ),
    )


def misfit(b: Board, seat: Seat, player: Player, good: str, factory: Factory) -> Breach | None:
    """Return what no factory can have: its appeal, slot, side, cards or workers."""
    numbers = b.printed
    if not (
        0 <= factory.appeal <= numbers.market_appeal_top and factory.slot in printed.SLOTS and factory.side in (1, 2)
    ):
        return Breach(
            "ACG-8.4",
            because("factory", "the {good} factory of seat {seat} has a marker off its track", seat=seat, good=good),
        )
    if len(factory.workers) > len(printed.POSITIONS):
        return Breach(
            "ACG-8.5",
            because("factory", "the {good} factory of seat {seat} has too many worker cards", seat=seat, good=good),
        )
    for position, card in enumerate(factory.workers, 1):
        if card.side not in numbers.workers[position].sides:
            return Breach(
                "ACG-8.5",
                because(
                    "factory",
                    "a worker card of the {good} factory of seat {seat} has no such side",
                    seat=seat,
                    good=good,
                ),
            )
        if not 0 <= card.machines <= numbers.workers[position].machines[good]:
            return Breach(
                "ACG-8.6",
                because(
                    "factory",
                    "a worker card of the {good} factory of seat {seat} has no room for its machines",
                    seat=seat,
                    good=good,
                ),
            )
    return misfit_cards(b, seat, player, good, factory)


def misfit_cards(b: Board, seat: Seat, player: Player, good: str, factory: Factory) -> Breach | None:
    """Values that stand on the cards, under the caps, and goods that find room (ACG-8.7, ACG-8.14)."""
    numbers, lying = b.printed, factory.distribution
    for name, quality in factory.quality.items():
        if name not in printed.QUALITY_CARDS or quality.value not in numbers.quality[name]:
            return Breach(
                "ACG-8.7",
                because(
                    "factory",
                    "a quality card of the {good} factory of seat {seat} shows no such value",
                    seat=seat,
                    good=good,
                ),
            )
    if factory.quality_value > player.quality_cap:
        return Breach(
            "ACG-8.7",
            because("factory", "the {good} factory of seat {seat} has too much quality", seat=seat, good=good),
        )
    if lying is not None and (
        lying.card not in printed.DISTRIBUTION_CARDS
        or lying.value not in numbers.distribution[lying.card]
        or lying.value > numbers.rules_distribution_cap
    ):
        return Breach(
            "ACG-8.7",
            because(
                "factory",
                "the distribution card of the {good} factory of seat {seat} shows no such value",
                seat=seat,
                good=good,
            ),
        )
    for name, goods in factory.storehouses.items():
        if name not in printed.STOREHOUSES or not 0 <= goods <= numbers.storehouses[name]:
            return Breach(
                "ACG-8.14",
                because(
                    "factory",
                    "a storehouse of the {good} factory of seat {seat} has no room for its goods",
                    seat=seat,
                    good=good,
                ),
            )
    return None


# Each with the parts of the board that it reads.
NAMED = ("/players/*/levels", "/players/*/factories", "/demand", "/supply", "/neutral", "/sales", "/solo")
TABLE: tuple[tuple[OfBoard, tuple[str, ...]], ...] = (
    (market_in_range, ("/demand", "/wages", "/neutral")),
    (cards_add_up, ("/players/*/cards", "/supply", "/dealt", "/stage", "/solo")),
    (somebody_starts, ("/start", "/round")),
    (somebody_decides, ("/mover", "/players/*/bankrupt")),
    (
        work_goes_on,
        (
            "/players/*/factories",
            "/players/*/cards",
            "/mover",
            "/turn",
            "/stage",
            "/round",
            "/sales",
            "/supply",
            "/solo",
        ),
    ),
    (alone_fits, ("/players/*/cards", "/stage", "/solo")),
)
OWN = "/players/{seat}"
PLAYERS: tuple[tuple[OfPlayer, tuple[str, ...]], ...] = (
    (
        tracks_in_range,
        (
            f"{OWN}/shares",
            f"{OWN}/share_value",
            f"{OWN}/loans",
            f"{OWN}/shipping_tokens",
            f"{OWN}/ships",
            f"{OWN}/money",
            f"{OWN}/levels",
            f"{OWN}/quality_cap",
            f"{OWN}/cards",
        ),
    ),
    (developments_fit, (f"{OWN}/cards", f"{OWN}/rotated", f"{OWN}/levels")),
    (factories_open, (f"{OWN}/factories", f"{OWN}/bankrupt", "/stage", "/round", "/solo")),
    (cards_apart, (f"{OWN}/factories", f"{OWN}/cards", "/mover", "/stage")),
    (one_token, (f"{OWN}/factories",)),
)
