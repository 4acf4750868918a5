"""Checks that all decisions share, and what leads from one step of a turn to the next (ACG-4.1, ACG-4.20)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from daybook.domain.games.arkwright_card import cards, course, factories, production
from daybook.domain.games.arkwright_card.board import Board, Stage, Turn
from daybook.domain.games.arkwright_card.market import workers_came
from daybook.domain.games.arkwright_card.moves import ActionEnded, CardReadied, CardRotated, StepSkipped, UseDeveloper
from daybook.domain.games.arkwright_card.printed import ActionKind
from daybook.domain.kernel.rule_parts import WrittenCheck, as_check
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

STAGES: dict[ActionKind, Stage] = {  # where an action begins
    "build": "build",
    "employ": "employ",
    "automate": "automate",
    "quality": "quality",
    "distribution": "distribution",
    "stock": "buy_shares",
    "extra_production": "extra_production",
    "early_shipping": "early_shipping",
}
ACTIONS: dict[Stage, ActionKind] = {stage: action for action, stage in STAGES.items()} | {
    "take_loans": "stock",
    "regain_ships": "stock",
}

# --- checks ---


def game_on(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "over", "game_over", "the game is over")


@holds("the player is not bankrupt")
def in_game(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        not at_table(b, seat) or not b.players[seat].bankrupt,
        "player_out",
        "seat {seat} is bankrupt and out of the game",
        seat=seat,
    )


def at_table(b: Board, seat: Seat) -> bool:
    return 0 <= seat < b.seats


def its_turn(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.mover is not None, "not_your_turn", "the table is to decide") or refuse_unless(
        seat == b.mover, "not_your_turn", "seat {seat} is to decide", seat=b.mover
    )


@holds("no upgrade by the Inventor comes first")
def inventor_served(b: Board, seat: Seat) -> WhyNot:
    """Right after the Inventor is discarded, an upgrade by it follows (ACG-4.3.10)."""
    return refuse_unless(
        b.turn.inventor != [] or not any(factories.up_by_inventor(b, factory) for _, factory in b.players[seat].open()),
        "inventor_first",
        "the Inventor's upgrade comes first",
    )


def any_passes(b: Board, seat: Seat, some: Iterable[Decision], checks: Iterable[WrittenCheck]) -> bool:
    """Check if one of some decisions passes all of these checks."""
    to_call = [as_check(check) for check in checks]
    for d in some:
        for check in to_call:
            if check(b, seat, d) is not None:
                break
        else:
            return True
    return False


# --- the Developer, at any point of a turn (ACG-4.12.10) ---


@holds("the player has the Developer, and it is not rotated")
def developer_ready(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "developer") or cards.already_rotated(b, seat, "developer")


@holds("the card is a different rotated card of the player")
def something_rotated(b: Board, seat: Seat, d: UseDeveloper) -> WhyNot:
    return refuse_unless(
        d.card != "developer" and d.card in b.players[seat].rotated,
        "nothing_to_ready",
        "{card} is not another rotated card of seat {seat}",
        card=d.card,
        seat=seat,
    )


def developer_of_use(b: Board, seat: Seat) -> bool:
    player = b.players[seat]
    return "developer" in player.cards and "developer" not in player.rotated and bool(player.rotated)


def use_developer(b: Board, seat: Seat, d: UseDeveloper, tell: Tell) -> None:
    player = b.players[seat]
    player.rotated.remove(d.card)
    player.rotated.append("developer")
    tell(CardRotated("ACG-4.12.10", seat, "developer"))
    tell(CardReadied("ACG-4.12.10", seat, d.card))


def candidate_readied(b: Board, seat: Seat) -> list[Decision]:
    if b.phase != "action" or "developer" not in b.players[seat].cards:
        return []
    return [UseDeveloper(card) for card in b.players[seat].rotated]


# --- from step to step ---


def next_step(b: Board) -> None:
    """Forgets what the step before needed; what went back in this turn stays out of reach until its end (ACG-4.11.2).

    Its place matters only with the ruling ACG-7.1.8. Without that ruling, turns are recorded as before.
    """
    b.turn = Turn(discarded=b.turn.discarded, returned=b.turn.returned if b.options.same_turn_by_copy else [])


def go_on(b: Board, step_possible: Callable[[Board, Seat], bool], tell: Tell) -> None:
    """End the action after a step if no other step is possible (ACG-4.1.4)."""
    b.turn.acted = True
    if not step_possible(b, b.moving) and not developer_of_use(b, b.moving):
        end_action(b, tell)


def end_action(b: Board, tell: Tell) -> None:
    seat = b.moving
    if b.turn.newcomers:
        workers_came(b, seat, "ACG-4.3.5" if b.stage == "build" else "ACG-4.4.6", tell)
    tell(ActionEnded("ACG-4.2.3", seat, ACTIONS[b.stage]))
    begin_price(b, tell)


def begin_price(b: Board, tell: Tell) -> None:
    """Begin step B, or skip it if the player has no open factory of the active good (ACG-4.10.1)."""
    next_step(b)
    if b.acting.factories[b.active] is None:
        tell(StepSkipped("ACG-4.10.1", b.moving, b.active))
        b.stage = "development"
    else:
        b.stage = "price"


def end_turn(b: Board, tell: Tell) -> None:
    """Pass the turn clockwise, or begin the production phase (ACG-4.1.2)."""
    order = [seat for seat in b.from_start() if not b.players[seat].bankrupt]
    later = order[order.index(b.moving) + 1 :]
    if later:
        course.begin_turn(b, later[0], tell)
    elif b.solo is not None and not b.solo.first:
        course.await_draw(b)
    else:
        production.begin_production_phase(b, tell)


def step_awaited(b: Board, awaited: bool = False) -> WhyNot:
    return refuse_unless(awaited, "wrong_step", "the game waits for something else: {awaited}", awaited=b.stage)
