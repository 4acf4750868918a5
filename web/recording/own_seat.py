"""Own seat: the view of a player's phone while others play."""

from __future__ import annotations

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Board, Seat
from daybook.services.permissions.visits import Visit
from daybook.services.play.replay import Position
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy


class OwnSeat(Frozen):
    """View of the own seat.

    Args:
        figures: with names.
        covered: figures that players keep covered, with names: shown only on demand.
        holds: with names.
        asked: first prompt of the next turn; "" during the turn or if unknown.
    """

    seat: Seat
    turn: bool
    figures: list[tuple[str, str]]
    covered: list[tuple[str, str]]
    holds: list[tuple[str, str]]
    asked: str


def own_seat(visit: Visit, position: Position, view: TablePrivacy, board: Board) -> OwnSeat | None:
    """Build the view for a user with one seat's link, also a scorekeeper; None for others and after the game.

    Args:
        board: as the user sees it, after the turn so far.
    """
    seats = visit.own_seats
    if len(seats) != 1 or not visit.running or not position.to_act:
        return None
    seat, rules = seats[0], visit.game.ruleset
    vocabulary = words.GAMES[rules.id]
    turn = seat in rules.waits_for(visit.game.board)
    goes_on = vocabulary.marks.ends_soon(board, visit.names) is None  # otherwise this turn may be the last one
    begun = not position.marks.keys().isdisjoint(
        rules.course.periods
    )  # the first prompt of a turn does not apply in the set-up
    columns = vocabulary.ledger.at_hand or tuple(rules.ledger.columns)
    covered = tuple(column for column in columns if column in view.columns)

    def figures(some: tuple[str, ...]) -> list[tuple[str, str]]:
        values = position.columns
        return [
            (words.column_value(rules.id, column, values[column][seat]), words.column_label(rules.id, column))
            for column in some
        ]

    return OwnSeat(
        seat,
        turn,
        figures(tuple(column for column in columns if column not in covered)),
        figures(covered),
        [(text, name) for name, text in vocabulary.seat.holds(board, seat)],
        words.say(vocabulary.seat.turn_begins)
        if vocabulary.seat.turn_begins and not turn and begun and goes_on
        else "",
    )
