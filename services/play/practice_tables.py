"""Practice tables: somebody plays a game on the record page against practice players, who move on their own turn.

Who practice players are stands in the record (`domain/kernel/practice_seats.py`). They think in a worker: the follower
lays a job when it is left to them (`workers/follower.py`), and the page follows as any other does. What the table
decides is drawn as well, out of the service's secret, so that nobody can foretell it. All that is drawn and decided is
recorded like everything else, by "practice".
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
from daybook.services.people.access import EVERYTHING, Sight
from daybook.services.play.drawing import draw_fact
from daybook.services.play.practice import STEPS_LIMIT, TABLE_PLAYOUTS, TURN_SECONDS, Dealer, ThinkingTime
from daybook.services.play.recording import NewGame, SeatedPerson, id_by_key, open_game, write
from daybook.services.play.repetition import own_key
from daybook.services.play.search import Reckoning, covers, reckon
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store import read_models, secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownRuleset

BY = "practice"
DUE_MINUTES = 60  # after which a table where nothing was done waits for somebody to come back
WHY_SECONDS = 1.5  # for what is reckoned once more, to be shown
OPEN_HANDS = {"hands": "open"}  # a practice player decides by the cards that it was dealt


class Opponents(Frozen):
    """Who sits with somebody at a practice table. names: of all seats but theirs, in the order of the seats."""

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
    """A game of kind "practice" in which one seat is somebody's. Raises what `open_game` does, UnknownRuleset."""
    if ruleset_id not in RULESETS:
        raise UnknownRuleset(ruleset_id)
    colours = RULESETS[ruleset_id].colours(book.sheets.printed_sheet(ruleset_id))
    names = [*opponents.names[:seat], name, *opponents.names[seat:]]
    game_id = id_by_key(key)
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


def hides(game: Game) -> bool:
    """Whether seats of the game see different things."""
    return covers(game.ruleset)


# --- moving ----------------------------------------------------------------------------------------------------------


def waits_for_practice(game: Game) -> bool:
    """Whether a practice player, or the table that deals to them, is to decide now."""
    return _next_mover(game) is not None


def moves_by_itself(game: Game) -> bool:
    """Whether practice players, or a game that is over, go on now without being asked to. Not after something was taken
    back: whoever took it back may take back more.
    """
    return (waits_for_practice(game) or _is_over(game)) and not isinstance(game.entries[-1].event, DecisionsTakenBack)


def is_by_practice(entry: Entry) -> bool:
    """Whether practice players wrote an entry, and so go on by themselves from there."""
    return entry.event.by == BY


def tables_due(book: Daybook) -> list[UUID]:
    """The tables at which somebody waits for practice players, of those at which something was done lately."""
    since = later_time(now(), minutes=-DUE_MINUTES)
    return [
        game_id
        for game_id in read_models.practice_running(book.views, since)
        if (game := book.games.find(game_id)) is not None and moves_by_itself(game)
    ]


def _is_over(game: Game) -> bool:
    """Whether a game of practice players is over, and is to be closed."""
    return (
        game.status == "running"
        and game.is_at_table
        and bool(game.practice_levels)
        and game.ruleset.scoring.outcome(game.board) is not None
    )


def _next_mover(game: Game) -> Seat | None:
    """A seat that plays by itself, or the table, where it is waited for."""
    if game.status != "running" or not game.is_at_table or not game.practice_levels:
        return None
    seats = game.ruleset.waits_for(game.board)
    return next((seat for seat in seats if seat == TABLE or seat in game.practice_levels), None)


def turn_seconds(waiting: int) -> float:
    """How long practice players think at a table while so many others wait: all together wait little longer."""
    return TURN_SECONDS / (1 + waiting)


def move_on(book: Daybook, game_id: UUID, seconds: float = TURN_SECONDS) -> int:
    """Let practice players, and the table for them, decide until somebody else is to, and close a game that is over.

    How many steps that took. Asked twice at once, each step is written once.

    seconds: that strong players share (`ThinkingTime`); without any they decide as steady ones.
    """
    levels = book.games.get(game_id).practice_levels
    thinking = ThinkingTime(seconds, [seat for seat, level in levels.items() if level == "strong"], monotonic)
    for steps in range(STEPS_LIMIT):
        game = book.games.get(game_id)
        command = _next_command(book, game, thinking)
        if command is None:
            return steps
        try:
            write(book, game_id, command, at=game.step, by=BY, key=own_key())
        except Conflict:  # somebody was quicker: look again
            continue
        except Refused:  # it is recorded somewhere else now
            return steps
    return STEPS_LIMIT


def _next_command(book: Daybook, game: Game, thinking: ThinkingTime) -> Command | None:
    if _is_over(game):
        return Close()
    mover = _next_mover(game)
    return None if mover is None else Decide(mover, plain(_decision(book, game, mover, thinking)))


def _decision(book: Daybook, game: Game, seat: Seat, thinking: ThinkingTime) -> Decision:
    rules, board = game.ruleset, game.board
    dealer = Dealer(seed_of(book, game, game.step))
    if seat == TABLE and (fact := draw_fact(book, game, rules.kinds.keys())) is not None:
        return fact
    package, level = PACKAGES.get(rules.id), game.practice_levels[seat]
    if level == "chance" or package is None or package.policy is None:
        return dealer.choice(rules, board, seat)
    if level == "strong":
        with thinking.of_decision(seat) as seconds:
            return rules.decision(_reckon_seat(book, game, game.step, seat, seconds).best)
    return dealer.any_of(best_decisions(rules, package.policy, board, seat))


def seed_of(book: Daybook, game: Game, step: int) -> int:
    """Out of which what comes after a step is drawn: the same again, and nobody outside can know it."""
    drawn = hmac.new(secret.secret_of(book), f"practice {game.id} {step}".encode(), "sha256").digest()
    return int.from_bytes(drawn[:8], "big")


def _reckon_seat(
    book: Daybook, game: Game, step: int, seat: Seat, seconds: float, also: Sequence[Decision] = ()
) -> Reckoning:
    """What a strong player reckons with in a seat, on the board as it lay after a step and as that seat sees it."""
    view = game.ruleset.secrecy.redact_board(game.board_at(step), seat)
    return reckon(
        game.ruleset, view, seat, seed=seed_of(book, game, step), playouts=TABLE_PLAYOUTS, seconds=seconds, also=also
    )


# --- why -------------------------------------------------------------------------------------------------------------


def practice_moves(game: Game) -> list[int]:
    """The steps at which practice players decided, of those that stand, the newest first."""
    return [
        step
        for step in reversed(game.line()[1:])
        if isinstance(event := game.entries[step].event, DecisionRecorded) and event.seat in game.practice_levels
    ]


def may_ask_why(game: Game, sights: Sequence[Sight]) -> bool:
    """Whether nothing covered could be learnt from what a practice player reckoned with: nothing is hidden in the game,
    or everything lies open to who asks.
    """
    return not hides(game) or (game.lies_open and EVERYTHING in sights)


def explain_move(book: Daybook, game: Game, step: int, seconds: float = WHY_SECONDS) -> Reckoning | None:
    """What speaks for a practice player's decision and against others, reckoned on what its seat saw; None for a step
    that is none, or a game that is played by chance. The caller asks `may_ask_why`.
    """
    event = game.entries[step].event
    package = PACKAGES.get(game.ruleset.id)
    if step not in practice_moves(game) or not isinstance(event, DecisionRecorded):
        return None
    if package is None or package.policy is None:
        return None
    made = game.ruleset.decision(event.decision)
    return _reckon_seat(book, game, game.parents[step], event.seat, seconds, [made])
