"""Tables, positions and a random player for the tests of Arkwright: The Card Game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby, product
from pathlib import Path
from typing import Any, get_args

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.board import (
    Board,
    DistributionCard,
    Factory,
    Player,
    QualityCard,
    Stage,
    WorkerCard,
    opening,
)
from daybook.domain.games.arkwright_card.printed import GOODS, MODES, STOREHOUSES, TRACKS, ActionKind, Mode
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.sheet import overridden, parse
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table
from tests.domain.games.moves import Moves

FOLDER = Path(__file__).parents[4] / "domain/games/arkwright_card"
SHEET = parse("arkwright_card", (FOLDER / "sheet.toml").read_text("utf-8"))
COLOURS = ("red", "blue", "green", "yellow")
RED, BLUE, GREEN, YELLOW = range(4)
EXPERT = ("restrictions", "choose_factories", "no_ships", "random_supply", "start_shares", "extra_actions")
RULINGS = ("patron_needs_sale", "top_point_optional", "extra_decay", "start_choice_reverse", "same_turn_by_copy")


def table(seats: int = 4, numbers: Mapping[str, Any] | None = None, **options: bool) -> Table:
    return ARKWRIGHT_CARD.table(COLOURS[:seats], options, overridden(SHEET, numbers or {}))


def opening_board(seats: int = 4, numbers: Mapping[str, Any] | None = None, **options: bool) -> Board:
    return ARKWRIGHT_CARD.opening_board(table(seats, numbers, **options))


MOVES = Moves(ARKWRIGHT_CARD)
play, after, effects_after, refusal = MOVES.play, MOVES.after, MOVES.effects_after, MOVES.refusal
broken, with_values, to_act = MOVES.broken, MOVES.with_values, ARKWRIGHT_CARD.course.to_act


def red(*decisions: Decision) -> list[tuple[Seat, Decision]]:
    """Decisions of seat 0, one after the other."""
    return [(RED, d) for d in decisions]


def steps_of(kind: type[Decision]) -> tuple[str, ...]:
    """The steps to which a kind of decision belongs."""
    [at] = [condition for _, condition in ARKWRIGHT_CARD.kinds[kind].when if isinstance(condition, Awaits)]
    return at.what


def legal(board: Board, *kinds: type) -> list[Decision]:
    """Return the legal decisions of the seats that decide now."""
    [seat] = ARKWRIGHT_CARD.course.to_act(board)
    return [d for d in ARKWRIGHT_CARD.legal(board, seat) if not kinds or isinstance(d, kinds)]


def legal_types(board: Board) -> set[type]:
    return {type(d) for d in legal(board)}


# --- from the opening on ---


def board_at_first_turn(
    seats: int = 4, start: Seat = 0, numbers: Mapping[str, Any] | None = None, **options: bool
) -> Board:
    """Return a board at the first turn after the basic set-up; the owner of the Foreman puts it at the first factory."""
    b = after(opening_board(seats, numbers, **options), (TABLE, moves.StartPlayerDetermined(start)))
    while b.stage == "start_foreman":
        b = after(b, (b.moving, ARKWRIGHT_CARD.legal(b, b.moving)[0]))
    return b


def skip_turn(b: Board) -> Board:
    """A turn in which nothing is done, and whatever has to be confirmed in it."""
    seat = b.moving
    b = after(b, (seat, moves.PassAction()))
    if b.stage == "price":
        b = after(b, (seat, moves.ConfirmPrice()))
    return after(b, (seat, moves.SkipDevelopment()))


def to_end_of_round(b: Board) -> Board:
    """Skip all remaining turns of a round; no one uses anything in production."""
    while b.phase == "action":
        b = skip_turn(b)
    return plainly(b, "production")


def plainly(b: Board, *phases: str) -> Board:
    """Play to the end of these phases by the plainest decisions."""
    while b.phase in phases:
        d = min(ARKWRIGHT_CARD.legal(b, b.moving), key=lambda d: (plain_rank(d), str(d)))
        b = after(b, (b.moving, d))
    return b


def plain_rank(d: Decision) -> int:
    names = ("BeginSale", "EndProduction", "DeclineEntrepreneur", "DeclineTopPoint", "KeepEntrepreneur")
    if isinstance(d, moves.SellHome | moves.Ship):
        return d.count
    return 0 if type(d).__name__ in names else 99


# --- positions made by hand ---


def factory(
    side: int = 1,
    slot: int = 4,
    office: Mode = "price",
    appeal: int = 0,
    workers: str = "1",
    quality: Mapping[str, tuple[int, Mode]] | None = None,
    distribution: tuple[str, int] | None = None,
    stored: Mapping[str, int] | None = None,
    foreman: bool = False,
) -> Factory:
    """workers: the decade on each card, and its machines behind a point: "1", "2.1 3.2"."""
    cards = [card.split(".") for card in workers.split()]
    return Factory(
        side=side,
        slot=slot,
        office=office,
        appeal=appeal,
        foreman=foreman,
        workers=[WorkerCard(int(card[0]), int(card[1]) if card[1:] else 0) for card in cards],
        quality={card: QualityCard(value, mode) for card, (value, mode) in (quality or {}).items()},
        distribution=DistributionCard(*distribution) if distribution else None,
        storehouses=dict(stored or {}),
    )


def player(
    money: int = 50, cards: str = "", rotated: str = "", levels: Mapping[str, int] | None = None, **fields: Any
) -> dict[str, Any]:
    """Fields named after goods are factories; without any there are a food and a clothes factory."""
    factories = {good: fields.pop(good) for good in GOODS if good in fields}
    return {
        "money": money,
        "cards": cards.split(),
        "rotated": rotated.split(),
        "levels": dict(levels or {}),
        "factories": factories or {"food": factory(), "clothes": factory()},
    } | fields


def set_up(
    *players: dict[str, Any],
    stage: Stage = "action",
    mover: Seat | None = 0,
    decade: int = 1,
    round: int = 1,
    start: Seat = 0,
    demand: Mapping[str, int] | None = None,
    wages: int = 0,
    dealt: str | None = None,
    numbers: Mapping[str, Any] | None = None,
    options: Mapping[str, bool] | None = None,
    **fields: Any,
) -> Board:
    """A position made by hand. demand: positions; dealt: cards of a supply by chance, with those of the players."""
    chosen = dict(options or {}) | ({"random_supply": True} if dealt is not None else {})
    b = opening(table(len(players), numbers, **chosen))
    b.players = [make_player(b, given) for given in players]
    b.demand |= demand or {}
    b.wages = wages
    b.stage, b.mover, b.decade, b.round, b.start = stage, mover, decade, round, start
    b.turns = 1
    b.dealt = (dealt or "").split()
    b.neutral = dict(b.printed.neutral)
    built = Counter(b.printed.random.base if dealt is not None else b.printed.supply) + Counter(b.dealt)
    for p in b.players:
        built.subtract(p.cards)
    b.supply |= built
    for name, value in fields.items():
        setattr(b, name, value)
    assert list(ARKWRIGHT_CARD.integrity.breaches(b)) == []
    return b


def make_player(b: Board, given: dict[str, Any]) -> Player:
    fields = dict(given)
    usual = b.players[0]
    levels, factories = fields.pop("levels"), fields.pop("factories")
    if "engineer" in fields["cards"]:
        fields.setdefault("quality_cap", b.printed.rules_quality_cap)
    named = {
        name: fields.pop(name, getattr(usual, name))
        for name in ("shares", "share_value", "loans", "shipping_tokens", "ships", "quality_cap")
    }
    return Player(**named, **fields, levels=dict(usual.levels) | levels, factories=dict.fromkeys(GOODS) | factories)


def at(value: int, steps: int = 3) -> int:
    """Return the lowest position of a demand marker that shows a value, on the board for this many players."""
    return value * steps


def choose_action(b: Board, action: ActionKind) -> Board:
    return after(b, (b.moving, moves.ChooseAction(action)))


def own(b: Board, good: str = "food", seat: Seat = 0) -> Factory:
    return b.players[seat].factory(good)


# --- a random player ---


def game(b: Board, seed: int, decided: Counter[Any] | None = None) -> Iterator[tuple[Board, Seat, Decision]]:
    """Yield the steps of a random game: board, seat, decision.

    decided: the decisions so far and their kinds; rare kinds come first.
    """
    chance = random.Random(seed)
    counts = Counter[Any]() if decided is None else decided
    while seats := ARKWRIGHT_CARD.course.to_act(b):
        seat = seats[0]
        decisions = ARKWRIGHT_CARD.legal(b, seat)
        if seat == TABLE:
            facts = ARKWRIGHT_CARD.facts(b)
            d = chance.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]
        else:
            kinds = [list(some) for _, some in groupby(decisions, type)]
            rare = [1 / (1 + counts[type(some[0])]) ** 2 for some in kinds]
            [some] = chance.choices(kinds, rare)
            [d] = chance.choices(some, [1 / (1 + counts[d]) for d in some])
        counts.update((type(d), d))
        yield b, seat, d
        b = ARKWRIGHT_CARD.play(b, seat, d)[0]


# --- all that can be said ---


def everything(b: Board) -> Iterator[Decision]:
    """Decisions of every kind, possible ones and some that never are."""
    cards, positions = (*b.printed.cards, "?"), (0, 1, 2, 3)
    points = ("QA", "QB", "QC", "QE", "DA", "DB", "DP", "?")
    counts = (-1, 0, 1, 2, 3, 4, 5, 6, 9)
    seats = range(-1, b.seats + 1)
    for kind in ARKWRIGHT_CARD.kinds:
        if not kind.__struct_fields__:
            yield kind()
    for each in (moves.StartPlayerDetermined, moves.DiscardEntrepreneur, moves.ChooseStartPlayer):
        yield from map(each, seats)
    for of_good in (moves.PlaceStartFactory, moves.PlaceForeman, moves.Build, moves.Upgrade, moves.InventorUpgrade):
        yield from map(of_good, GOODS)
    for of_position in (moves.Employ, moves.Rotate, moves.PlaceToken):
        yield from (of_position(*some) for some in product(GOODS, positions))
    for of_track in (moves.ChooseStartDevelopment, moves.TakeDevelopment):
        yield from map(of_track, TRACKS)
    for of_card in (
        moves.CardDealt,
        moves.ChooseStartCard,
        moves.TakeCard,
        moves.DiscardForLimit,
        moves.UseDeveloper,
        moves.UsePatron,
    ):
        yield from map(of_card, cards)
    for of_count in (moves.BuyStartShares, moves.UseBroker, moves.SellHome, moves.SetSlot):
        yield from map(of_count, counts)
    yield from map(moves.ChooseAction, get_args(ActionKind))
    yield from map(moves.AssignStorehouse, (*STOREHOUSES, "?"))
    yield from map(moves.Lift, points)
    yield from (moves.Place(*some) for some in product(points, GOODS, counts, (None, *MODES)))
    yield from (moves.SetCard(*some) for some in product(points, counts, (None, *MODES)))
    yield from (moves.ReplaceQuality(*some) for some in product(points, counts, MODES))
    yield from (moves.ExtraProduce(*some) for some in product(GOODS, (-1, 0, 1, 2, 3)))
    yield from (moves.ShipStored(*some) for some in product(GOODS, counts))
    yield from map(moves.SetOffice, MODES)
    yield from (moves.SetQuality(*some) for some in product(points, MODES))
    yield from (moves.Ship(*some) for some in product(counts, (False, True)))
    yield from (moves.UseInventorDouble(*some) for some in product(TRACKS, repeat=2))
