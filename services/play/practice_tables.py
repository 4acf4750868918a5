"""Practice tables: a user plays on the record page against practice players, which move by themselves.

The record names the practice players (`domain/kernel/practice_seats.py`). They think in a worker: the follower enqueues
a job when it is their turn (`workers/follower.py`), and the page follows as usual. Facts of the table are drawn from
the service's secret, so no one can predict them. Everything is recorded by "practice".
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any
from uuid import UUID

from daybook.domain.commands import Close, Command, Decide
from daybook.domain.games import PACKAGES, RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionRecorded, DecisionsTakenBack, Entry
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.policy import best_decisions
from daybook.domain.kernel.practice_seats import Level, practice_person
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.clock import later_time, now
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play.drawing import draw_fact
from daybook.services.play.practice import MAX_GAME_STEPS, TABLE_PLAYOUTS, TURN_SECONDS, Dealer, ThinkingTime
from daybook.services.play.recording import NewGame, SeatedPerson, append_command, game_id_of_key, open_game
from daybook.services.play.repetition import new_key
from daybook.services.play.search import SearchResult, estimate_decisions, has_hidden_information
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store import read_models, secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownRulesetError

BY = "practice"
IDLE_MINUTES = 60  # an idle table is no longer resumed automatically
WHY_SECONDS = 1.5  # to compute an explanation
OPEN_HANDS = {"hands": "open"}  # a practice player decides by the cards that it was dealt


class Opponents(Frozen):
    """Practice players at a user's table.

    Args:
        names: of all other seats, in seat order.
    """

    level: Level
    names: Sequence[str]


def open_practice_table(
    book: Daybook,
    *,
    ruleset_id: str,
    title: str,
    name: str,
    seat: Seat,
    opponents: Opponents,
    options: Mapping[str, Any],
    by: str,
    key: str,
    admit: Callable[[], object] = lambda: None,
) -> Receipt:
    """Open a game of kind "practice" with one seat for the user. Raises the errors of `open_game`, UnknownRulesetError."""
    if ruleset_id not in RULESETS:
        raise UnknownRulesetError(ruleset_id)
    colours = RULESETS[ruleset_id].colours(book.sheets.printed_sheet(ruleset_id))
    names = [*opponents.names[:seat], name, *opponents.names[seat:]]
    game_id = game_id_of_key(key)
    players = [
        SeatedPerson(
            called,
            colours[place % len(colours)],
            "" if place == seat else practice_person(game_id, place, opponents.level),
        )
        for place, called in enumerate(names)
    ]
    return open_game(
        book,
        NewGame(
            ruleset_id=ruleset_id,
            title=title,
            players=players,
            options=options_of(ruleset_id, options),
            kind="practice",
        ),
        by=by,
        key=key,
        admit=admit,
    )


def options_of(ruleset_id: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options for a practice table: hands are recorded, where a game lets them be hidden."""
    known = RULESETS[ruleset_id].types.options.__struct_fields__
    return {**options, **{name: value for name, value in OPEN_HANDS.items() if name in known}}


def hides_information(game: Game) -> bool:
    """Check if seats of the game see different things."""
    return has_hidden_information(game.ruleset)


# --- moving ----------------------------------------------------------------------------------------------------------


def waits_for_practice(game: Game) -> bool:
    """Check if a practice player, or the table that deals to them, is to decide now."""
    return _next_mover(game) is not None


def moves_by_itself(game: Game) -> bool:
    """Check if practice players continue, or close a game, without a request.

    Not after a take-back: the user may take back more.
    """
    return (waits_for_practice(game) or _is_over(game)) and not isinstance(game.entries[-1].event, DecisionsTakenBack)


def is_by_practice(entry: Entry) -> bool:
    """Check if practice players wrote an entry."""
    return entry.event.by == BY


def tables_waiting_for_practice(book: Daybook) -> list[UUID]:
    """Return recently active tables at which a user waits for practice players."""
    since = later_time(now(), minutes=-IDLE_MINUTES)
    return [
        game_id
        for game_id in read_models.select_running_practice(book.views, since)
        if (game := book.games.find(game_id)) is not None and moves_by_itself(game)
    ]


def _is_over(game: Game) -> bool:
    """Check if a game of practice players is over but not closed."""
    return (
        game.status == "running"
        and game.is_at_table
        and bool(game.practice_levels)
        and game.ruleset.scoring.outcome(game.board) is not None
    )


def _next_mover(game: Game) -> Seat | None:
    """Return the practice seat, or the table, that is to decide now; None if a user is."""
    if game.status != "running" or not game.is_at_table or not game.practice_levels:
        return None
    seats = game.ruleset.waits_for(game.board)
    return next((seat for seat in seats if seat == TABLE or seat in game.practice_levels), None)


def turn_seconds(waiting: int) -> float:
    """Return the thinking time at a table, divided among waiting tables to limit the total wait."""
    return TURN_SECONDS / (1 + waiting)


def play_practice_turn(book: Daybook, game_id: UUID, seconds: float = TURN_SECONDS) -> int:
    """Record the decisions of practice players and the table until a user is to decide; close a finished game.

    Args:
        seconds: thinking time shared by strong players (`ThinkingTime`); 0 makes them decide as steady ones.

    Returns:
        the number of recorded steps. Concurrent calls write each step once.
    """
    levels = book.games.get(game_id).practice_levels
    thinking = ThinkingTime(seconds, [seat for seat, level in levels.items() if level == "strong"], monotonic)
    for steps in range(MAX_GAME_STEPS):
        game = book.games.get(game_id)
        command = _next_command(book, game, thinking)
        if command is None:
            return steps
        try:
            append_command(book, game_id, command, at=game.step, by=BY, key=new_key())
        except Conflict:  # another writer was faster: read the game again
            continue
        except Refused:  # it is recorded somewhere else now
            return steps
    return MAX_GAME_STEPS


def _next_command(book: Daybook, game: Game, thinking: ThinkingTime) -> Command | None:
    if _is_over(game):
        return Close()
    mover = _next_mover(game)
    return None if mover is None else Decide(mover, plain(_choose_decision(book, game, mover, thinking)))


def _choose_decision(book: Daybook, game: Game, seat: Seat, thinking: ThinkingTime) -> Decision:
    rules, board = game.ruleset, game.board
    dealer = Dealer(seed_of(book, game, game.step))
    if seat == TABLE and (fact := draw_fact(book, game, rules.kinds.keys())) is not None:
        return fact
    package, level = PACKAGES.get(rules.id), game.practice_levels[seat]
    if level == "chance" or package is None or package.policy is None:
        return dealer.choose_by_chance(rules, board, seat)
    if level == "strong":
        with thinking.decision_time(seat) as seconds:
            return rules.decision(_estimate_seat(book, game, game.step, seat, seconds).best)
    return dealer.any_of(best_decisions(rules, package.policy, board, seat))


def seed_of(book: Daybook, game: Game, step: int) -> int:
    """Return the secret, reproducible seed of everything drawn after a step."""
    drawn = hmac.new(secret.secret_of(book), f"practice {game.id} {step}".encode(), "sha256").digest()
    return int.from_bytes(drawn[:8], "big")


def _estimate_seat(
    book: Daybook, game: Game, step: int, seat: Seat, seconds: float, extra: Sequence[Decision] = ()
) -> SearchResult:
    """Estimate a strong player's decisions on the board after a step, as its seat saw it."""
    view = game.ruleset.secrecy.redact_board(game.board_at(step), seat)
    return estimate_decisions(
        game.ruleset, view, seat, seed=seed_of(book, game, step), playouts=TABLE_PLAYOUTS, seconds=seconds, extra=extra
    )


# --- why -------------------------------------------------------------------------------------------------------------


def practice_moves(game: Game) -> list[int]:
    """Return the standing steps at which practice players decided, newest first."""
    return [
        step
        for step in reversed(game.line()[1:])
        if isinstance(event := game.entries[step].event, DecisionRecorded) and event.seat in game.practice_levels
    ]


def may_explain(game: Game, sights: Sequence[Sight]) -> bool:
    """Check if an explanation reveals nothing covered: the game hides nothing, or all is open to the viewer."""
    return not hides_information(game) or (game.is_revealed and EVERYTHING in sights)


def explain_move(book: Daybook, game: Game, step: int, seconds: float = WHY_SECONDS) -> SearchResult | None:
    """Estimate a practice player's decision and its alternatives on what its seat saw.

    None if the step is not such a decision or the game has no policy. The caller checks `may_explain`.
    """
    event = game.entries[step].event
    package = PACKAGES.get(game.ruleset.id)
    if step not in practice_moves(game) or not isinstance(event, DecisionRecorded):
        return None
    if package is None or package.policy is None:
        return None
    made = game.ruleset.decision(event.decision)
    return _estimate_seat(book, game, game.parents[step], event.seat, seconds, [made])
