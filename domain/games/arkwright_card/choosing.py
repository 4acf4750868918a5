"""The choice of an action, and its end (ACG-4.2)."""

from __future__ import annotations

from copy import copy
from typing import get_args

from daybook.domain.games.arkwright_card import building, exchange, extras, points, setup, turns
from daybook.domain.games.arkwright_card.board import Board, Stage
from daybook.domain.games.arkwright_card.moves import ActionChosen, ActionPassed, ChooseAction, PassAction
from daybook.domain.games.arkwright_card.printed import ActionKind
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, holds, refuse_unless

EXPERT = ("extra_production", "early_shipping")
TRACK: dict[ActionKind, str] = {"automate": "machinery", "quality": "quality", "distribution": "distribution"}


@holds("the action is part of this game")
def action_in_use(b: Board, d: ChooseAction) -> WhyNot:
    return setup.option(b.options.extra_actions) if d.action in EXPERT else None


@holds("a step of the action is possible")
def action_possible(b: Board, seat: Seat, d: ChooseAction) -> WhyNot:
    """Require that a step of the action is possible now (ACG-4.2.2)."""
    begun = copy(b)  # `begin` lays new parts in the place of old ones, and changes none
    begun.on(b.table)
    begin_action(begun, d.action)
    return refuse_unless(
        possible(begun, seat), "action_impossible", "no step of this action is possible: {action}", action=d.action
    )


def possible(b: Board, seat: Seat) -> bool:
    """Check if a seat can take a step of the action that it chose."""
    match b.stage:
        case "build" | "employ" | "automate":
            return building.step_possible(b, seat)
        case "quality" | "distribution":
            return points.step_possible(b, seat)
        case "buy_shares" | "take_loans" | "regain_ships":
            return exchange.step_possible(b, seat)
    return extras.step_possible(b, seat)


@holds("something was done in the action")
def acted_or_idle(b: Board, seat: Seat) -> WhyNot:
    """Require a step, unless none is possible since the board was corrected (ACG-8.22)."""
    return refuse_unless(b.turn.acted or not possible(b, seat), "nothing_done", "nothing has been done in this action")


def begin_action(b: Board, action: ActionKind) -> None:
    """Store what the action needs of the moment at which it begins."""
    player = b.acting
    b.stage = turns.STAGES[action]
    turns.next_step(b)
    if action in TRACK:
        b.turn.allowance = b.level(player, TRACK[action])
    if action in ("quality", "distribution"):
        b.turn.before = points.points_by_factory(b, player)


def choose_action(b: Board, seat: Seat, d: ChooseAction, tell: Tell) -> None:
    tell(ActionChosen("ACG-4.2.1", seat, d.action))
    begin_action(b, d.action)


def pass_action(b: Board, seat: Seat, d: PassAction, tell: Tell) -> None:
    tell(ActionPassed("ACG-4.2.1", seat))
    turns.begin_price(b, tell)


CHOICES = tuple(ChooseAction(action) for action in get_args(ActionKind))
RUNNING: tuple[Stage, ...] = tuple(turns.ACTIONS)
