"""Step B: price and appeal of the active good (ACG-4.10)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.arkwright_card import factories, market, moves, turns
from daybook.domain.games.arkwright_card.board import Board, Factory
from daybook.domain.games.arkwright_card.printed import MODES, SLOTS
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless


def at_work(b: Board, seat: Seat) -> Factory:
    return b.players[seat].factory(b.active)


# --- checks ---


@holds("the factory has such a slot")
def a_slot(d: moves.SetSlot) -> WhyNot:
    return refuse_unless(d.slot in SLOTS, "no_change", "a factory has slots 1 to {slots}", slots=len(SLOTS))


@holds("the slot was not set yet")
def slot_once(b: Board) -> WhyNot:
    return once(b, "slot")


def once(b: Board, what: str) -> WhyNot:
    """Refuse to set the same thing twice in one price step."""
    return refuse_unless(what not in b.turn.changed, "already_done", "{what} was set in this step", what=what)


@holds("the slot is a different one")
def another_slot(b: Board, seat: Seat, d: moves.SetSlot) -> WhyNot:
    return refuse_unless(
        at_work(b, seat).slot != d.slot, "no_change", "the factory token lies on slot {slot}", slot=d.slot
    )


@holds("the office was not turned yet")
def office_once(b: Board) -> WhyNot:
    return once(b, "office")


@holds("the office shows its other side")
def other_side(b: Board, seat: Seat, d: moves.SetOffice) -> WhyNot:
    return refuse_unless(at_work(b, seat).office != d.mode, "no_change", "the office shows {mode}", mode=d.mode)


@holds("the card is next to the factory")
def card_there(b: Board, seat: Seat, d: moves.SetQuality) -> WhyNot:
    return refuse_unless(
        d.card in at_work(b, seat).quality,
        "card_not_available",
        "{card} is not next to the {good} factory",
        card=d.card,
        good=b.active,
    )


@holds("the card was not turned yet")
def quality_once(b: Board, d: moves.SetQuality) -> WhyNot:
    return once(b, d.card)


@holds("the card shows its other side")
def other_way(b: Board, seat: Seat, d: moves.SetQuality) -> WhyNot:
    return refuse_unless(
        at_work(b, seat).quality[d.card].mode != d.mode, "no_change", "{card} shows {mode}", card=d.card, mode=d.mode
    )


# --- actions ---


def set_slot(b: Board, seat: Seat, d: moves.SetSlot, tell: Tell) -> None:
    factory = at_work(b, seat)
    tell(moves.SlotSet("ACG-4.10.2", seat, b.active, factory.slot, d.slot))
    factory.slot = d.slot
    b.turn.changed.append("slot")
    go_on(b, seat, tell)


def set_office(b: Board, seat: Seat, d: moves.SetOffice, tell: Tell) -> None:
    at_work(b, seat).office = d.mode
    b.turn.changed.append("office")
    tell(moves.OfficeTurned("ACG-4.10.2", seat, b.active, d.mode))
    go_on(b, seat, tell)


def set_quality(b: Board, seat: Seat, d: moves.SetQuality, tell: Tell) -> None:
    card = at_work(b, seat).quality[d.card]
    card.mode = d.mode
    b.turn.changed.append(d.card)
    tell(moves.QualityTurned("ACG-4.10.2", seat, b.active, d.card, card.value, d.mode))
    go_on(b, seat, tell)


def go_on(b: Board, seat: Seat, tell: Tell) -> None:
    """End the step once everything has been set (ACG-4.1.4)."""
    left = {"slot", "office", *at_work(b, seat).quality} - {*b.turn.changed}
    if not left and not turns.developer_of_use(b, seat):
        fix(b, seat, tell)


def confirm_price(b: Board, seat: Seat, d: moves.ConfirmPrice, tell: Tell) -> None:
    fix(b, seat, tell)


def fix(b: Board, seat: Seat, tell: Tell) -> None:
    """Move the marker to the total appeal, also down after a decay (ACG-4.10.3, ACG-4.10.4)."""
    factory = at_work(b, seat)
    appeals, prices = factories.appeal_parts(b, b.active, factory), factories.price_parts(b, b.active, factory)
    tell(moves.PriceFixed("ACG-4.10.3", seat, b.active, sum(appeals), sum(prices), appeals, prices))
    market.move_appeal(b, seat, b.active, factory, sum(appeals), tell)
    b.turn.changed = []
    b.stage = "development"


# --- candidates ---


SLOT_CHOICES = tuple(moves.SetSlot(slot) for slot in SLOTS)
OFFICES = tuple(moves.SetOffice(mode) for mode in MODES)


def candidate_qualities(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.SetQuality(card, mode) for card in at_work(b, seat).quality for mode in MODES]
