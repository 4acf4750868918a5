"""Events: which may lie in a decade, and what they do (WF-2.15, WF-4.22.5, WF-4.22.6).

Every event is a list of primitive effects, which happen one after the other; the board keeps those still to come,
because some ask a player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from daybook.domain.games.water_frame import bank, moves
from daybook.domain.games.water_frame.board import Board, Turn
from daybook.domain.games.water_frame.printed import GOODS, Event, Good
from daybook.domain.games.water_frame.production import further
from daybook.domain.games.water_frame.written import LARGEST, WrittenEffect, read_effects
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, first_reason, holds, refuse_unless

RULE = "WF-4.22.6"
END: Event = "end_of_game"
BUREAUCRACY: Event = "bureaucracy"
LONGEST_NAME = 60
MOST_PRIMITIVES = 20

# --- which event may lie here ---


def events_left(b: Board) -> list[Event]:
    """Return the events that are possible in this decade and not revealed yet (WF-4.22.5)."""
    numbers = b.printed
    if b.decade == numbers.last_decade:
        return [END]
    match b.options.events:
        case "random":
            found = shuffled_in(b)
        case "predetermined":
            found = [numbers.events_laid[b.decade]]
        case "shuffled":
            laid = numbers.events_laid[b.decade]
            found = (
                list(numbers.predetermined_events_starred) if laid in numbers.predetermined_events_starred else [laid]
            )
    return [event for event in found if event not in b.events]


def shuffled_in(b: Board) -> list[Event]:
    """Bureaucracy is one of the first three markers; the others are drawn (WF-3.2.2)."""
    places, due = places_left(b), BUREAUCRACY not in b.events
    if due and places == 1:
        return [BUREAUCRACY]
    drawn = [
        event
        for event, marker in b.printed.events.items()
        if event not in (END, BUREAUCRACY) and (marker.two_players or b.seats > 2)
    ]
    return [BUREAUCRACY, *drawn] if due and places > 1 else drawn


def places_left(b: Board) -> int:
    """Decades from this one on that may hold Bureaucracy: all but the preparation round and the last two."""
    return sum(decade >= b.decade for decade in sorted(b.printed.decades)[1:-2])


def orders_with_event(b: Board, d: moves.RevealEvent) -> int:
    """Weigh an event by the number of orders of the remaining events that begin with it."""
    found = events_left(b)
    if b.options.events != "random" or BUREAUCRACY not in found or len(found) == 1:
        return 1
    return len(found) - 1 if d.name == BUREAUCRACY else places_left(b) - 1


# --- checks ---


def candidate_events(b: Board, seat: Seat) -> Iterator[moves.RevealEvent]:
    return map(moves.RevealEvent, events_left(b))


def candidate_custom(b: Board, seat: Seat) -> Iterator[moves.EventCustom]:
    """Yield a marker without effect and one with each, as examples."""
    if b.decade == b.printed.last_decade:
        return
    first, until = b.starter, b.printed.last_decade
    does: tuple[tuple[moves.Primitive, ...], ...] = (
        (),
        (moves.ImporterMoves("food", 1),),
        (moves.WorkersMove("fired", "market", 1),),
        (moves.ShareSpaces(first, -1),),
        (moves.CashGiven(first, -1),),
        (moves.DistributionMoves(first, "food", 1),),
        (moves.QualityMoves(first, "food", 1),),
        (moves.ContractMoves(first, "food", 1),),
        (moves.RowCloses(b.printed.chart_rows[0], until),),
        (moves.SpecialStep(first),),
    )
    yield from (moves.EventCustom(f"Event of {b.decade}", effects) for effects in does)


@holds("the event can be in this decade")
def event_may_lie(b: Board, d: moves.RevealEvent) -> WhyNot:
    left = d.name in events_left(b)
    return refuse_unless(
        left or d.name not in b.events, "event_revealed", "{event} is already revealed", event=d.name
    ) or refuse_unless(left, "event_elsewhere", "{event} cannot be in {decade}", event=d.name, decade=b.decade)


@holds("the event is not the end of the game if the last event is known")
def not_at_the_end(b: Board) -> WhyNot:
    return refuse_unless(b.decade != b.printed.last_decade, "last_event", "the last event is the end of the game")


@holds("the event has a name of its own")
def name_fits(b: Board, d: moves.EventCustom) -> WhyNot:
    return refuse_unless(
        d.name not in b.events, "event_revealed", "{event} is already revealed", event=d.name
    ) or refuse_unless(
        d.name.strip() and len(d.name) <= LONGEST_NAME and d.name != END,
        "event_name",
        "an event has a name of 1 to {most} characters, and is not the end of the game",
        most=LONGEST_NAME,
    )


@holds("an event can have these effects")
def primitives_fit(b: Board, d: moves.EventCustom) -> WhyNot:
    """Require known names and numbers of a sensible size."""
    return refuse_unless(
        len(d.effects) <= MOST_PRIMITIVES, "event_effects", "an event has at most {most} effects", most=MOST_PRIMITIVES
    ) or first_reason(
        refuse_unless(fits(b, primitive), "event_effect", "effect {number} of the event is not possible", number=number)
        for number, primitive in enumerate(d.effects, 1)
    )


def fits(b: Board, primitive: moves.Primitive) -> bool:
    """Check if a part of an economy marker's effect is possible for this game."""
    seats = range(b.seats)
    match primitive:
        case moves.ImporterMoves(_, spaces):
            return is_possible_amount(spaces)
        case moves.WorkersMove(origin, to, count):
            return origin != to and is_possible_amount(count) and count > 0
        case moves.ShareSpaces(seat, amount) | moves.CashGiven(seat, amount):
            return seat in seats and is_possible_amount(amount)
        case moves.DistributionMoves(seat, _, n) | moves.QualityMoves(seat, _, n) | moves.ContractMoves(seat, _, n):
            return seat in seats and is_possible_amount(n)
        case moves.RowCloses(row, until):
            return row in b.printed.chart_rows and until in b.printed.decades and until > b.decade
        case moves.SpecialStep(seat):
            return seat in seats


def is_possible_amount(amount: int) -> bool:
    return 0 < abs(amount) <= LARGEST


# --- what follows ---


def reveal_event(b: Board, seat: Seat, d: moves.RevealEvent, tell: Tell) -> None:
    tell(moves.EventRevealed("WF-4.22.5", d.name, b.decade))
    b.events.append(d.name)
    b.turns, b.turn = 0, Turn()
    if b.printed.events[d.name].effect == "final_exchange":
        b.stage = "final_exchange"
        return
    b.stage = "event_step"
    b.to_happen = list(does(b, d.name))


def event_custom(b: Board, seat: Seat, d: moves.EventCustom, tell: Tell) -> None:
    tell(moves.EventRevealed(RULE, d.name, b.decade))
    b.events.append(d.name)
    b.turns, b.turn = 0, Turn()
    b.stage = "event_step"
    b.to_happen = list(d.effects)


def does(b: Board, event: Event) -> Iterator[moves.Primitive]:
    """Yield an event's effects as printed (WF-2.15); questions and payments go in player order."""
    marker, order = b.printed.events[event], b.in_order()
    amount = marker.amount
    match marker.effect:
        case "close_row":
            permanent = b.printed.rulings.bureaucracy_permanent
            yield moves.RowCloses(amount, b.printed.last_decade if permanent else b.next_decade)
        case "special_step":
            yield from map(moves.SpecialStep, order)
        case "fired_to_box":
            yield moves.WorkersMove("fired", "box", amount)
        case "best_quality":
            for good in GOODS:
                yield from (moves.ShareSpaces(seat, amount) for seat in best_quality(b, good))
        case "importers_back" | "importers_on":
            spaces = amount if marker.effect == "importers_on" else -amount
            yield from (moves.ImporterMoves(good, spaces) for good in GOODS)
        case "share_value_back" | "share_value_on":
            spaces = amount if marker.effect == "share_value_on" else -amount
            yield from (moves.ShareSpaces(seat, spaces) for seat in order)
        case "pay":
            yield from (moves.CashGiven(seat, -amount - marker.per_loan * b.players[seat].loans) for seat in order)
        case "contracts_up":
            laid = [(seat, good) for seat in order for good in GOODS if b.players[seat].contracts[good]]
            yield from (moves.ContractMoves(seat, good, amount) for seat, good in laid)
        case written:
            for effect in read_effects(written, GOODS):
                yield from written_out(b, effect, order)


def written_out(b: Board, effect: WrittenEffect, order: Sequence[Seat]) -> Iterator[moves.Primitive]:
    """Yield one printed effect for every player, in player order (WF-4.22.6)."""
    goods = cast("tuple[Good, ...]", effect.goods)
    match effect.word:
        case "special_step":
            yield from map(moves.SpecialStep, order)
        case "share_spaces":
            yield from (moves.ShareSpaces(seat, effect.n) for seat in order)
        case "cash":
            yield from (moves.CashGiven(seat, effect.n) for seat in order)
        case "importer":
            yield from (moves.ImporterMoves(good, effect.n) for good in goods)
        case "workers":
            yield moves.WorkersMove(*cast("tuple[moves.Pile, moves.Pile]", effect.piles), effect.n)
        case "close_row":
            yield moves.RowCloses(effect.n, b.next_decade)
        case "distribution":
            yield from (moves.DistributionMoves(seat, good, effect.n) for seat in order for good in goods)
        case "quality":
            yield from (moves.QualityMoves(seat, good, effect.n) for seat in order for good in goods)
        case "contract":
            yield from (moves.ContractMoves(seat, good, effect.n) for seat in order for good in goods)


def best_quality(b: Board, good: Good) -> list[Seat]:
    """Return the player of the factory with the highest quality; no one in a tie (WF-2.15.5)."""
    qualities = {seat: b.quality(seat, good) for seat in b.in_order() if b.players[seat].factories[good] is not None}
    first = [seat for seat, quality in qualities.items() if quality == max(qualities.values())]
    return first if len(first) == 1 else []


def event_step(b: Board, tell: Tell) -> bool:
    """One thing after the other; a step with a special marker is waited for."""
    if not b.to_happen:
        b.stage = "broker"
        b.turns = 0
        return True
    happens = b.to_happen[0]
    if isinstance(happens, moves.SpecialStep) and not b.turn.marker_taken:
        return False
    b.to_happen = b.to_happen[1:]
    b.turn = Turn()
    happen(b, happens, tell)
    return True


def step_passed(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    """Take no special marker."""
    b.turn.marker_taken = True


def happen(b: Board, primitive: moves.Primitive, tell: Tell) -> None:
    """Carry out a part of an economy marker's effect."""
    match primitive:
        case moves.ImporterMoves(good, spaces):
            before = b.importers[good]
            b.importers[good] = max(0, before + spaces)
            if b.importers[good] != before:
                tell(moves.ImporterMoved(RULE, good, before, b.importers[good]))
        case moves.WorkersMove():
            move_workers(b, primitive, tell)
        case moves.ShareSpaces(seat, spaces):
            bank.move_share_value(b, seat, spaces, "event", RULE, tell)
        case moves.CashGiven(seat, amount) if amount <= 0:
            bank.pay(b, seat, -amount, "event", RULE, tell)
        case moves.CashGiven(seat, amount):
            b.players[seat].cash += amount
            tell(moves.MoneyGiven(RULE, seat, amount))
        case moves.DistributionMoves() | moves.QualityMoves():
            move_marker(b, primitive, tell)
        case moves.ContractMoves(seat, good, spaces):
            move_contract(b, seat, good, spaces, tell)
        case moves.RowCloses(row, until):
            close_row(b, row, until, tell)


def move_workers(b: Board, d: moves.WorkersMove, tell: Tell) -> None:
    """Move workers, as many as exist."""
    piles = {"market": b.market, "fired": b.fired, "box": b.box}
    count = min(d.count, piles[d.origin])
    if count:
        piles[d.origin] -= count
        piles[d.to] += count
        b.market, b.fired, b.box = piles["market"], piles["fired"], piles["box"]
        tell(moves.WorkersMoved(RULE, d.origin, d.to, count))


def move_marker(b: Board, d: moves.DistributionMoves | moves.QualityMoves, tell: Tell) -> None:
    """If the appeal would be below 0, the price falls, without loss of share value."""
    factory, numbers = b.players[d.seat].factories[d.good], b.printed
    if factory is None:
        return
    if isinstance(d, moves.DistributionMoves):
        before, factory.distribution = (
            factory.distribution,
            clamp_level(factory.distribution, d.levels, numbers.distribution_most),
        )
        changed = factory.distribution != before
    else:
        most = numbers.quality_engineer if b.players[d.seat].owns("engineer") else numbers.quality_most
        before, factory.quality = factory.quality, clamp_level(factory.quality, d.levels, most)
        changed = factory.quality != before
    lacking, price = -b.appeal(d.seat, d.good), factory.price
    if lacking > 0:
        factory.price -= lacking
    if changed and isinstance(d, moves.DistributionMoves):
        tell(moves.DistributionChanged(RULE, d.seat, d.good, factory.distribution, b.appeal(d.seat, d.good)))
    elif changed:
        tell(moves.QualityChanged(RULE, d.seat, d.good, factory.quality, b.appeal(d.seat, d.good)))
    if lacking > 0:
        tell(moves.PriceFallen(RULE, d.seat, d.good, price, factory.price))


def clamp_level(level: int, by: int, limit: int) -> int:
    """Return a changed level, limited to `most`; a level above the limit stays."""
    return max(0, min(level + by, max(level, limit)))


def move_contract(b: Board, seat: Seat, good: Good, spaces: int, tell: Tell) -> None:
    before = b.players[seat].contracts[good]
    if before:
        after = b.players[seat].contracts[good] = further(b, before, spaces)
        if after != before:
            tell(moves.ContractRaised(RULE, seat, good, before, after))


def close_row(b: Board, row: int, until: int, tell: Tell) -> None:
    """Close a row of the chart; at least one row stays open."""
    closed = b.closed_rows
    if all(closed[str(other)] >= b.next_decade for other in b.printed.chart_rows if other != row):
        return
    closed[str(row)] = max(closed[str(row)], until)
    tell(moves.ChartRowClosed(RULE, row, closed[str(row)]))
