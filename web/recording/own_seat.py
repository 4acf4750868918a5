"""What a phone at a seat shows while others play: what is its own, what is to come, and whether it is its turn."""

from __future__ import annotations

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Board, Seat
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.services.play.replay import Position
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy


class OwnSeat(Frozen):
    """figures, holds: each with its name. asked: what the next turn of this seat begins with; "" where that is now, or
    the game does not say.
    """

    seat: Seat
    turn: bool
    figures: list[tuple[str, str]]
    holds: list[tuple[str, str]]
    asked: str


def own_seat(visit: Visit, position: Position, view: TablePrivacy, so_far: Board | None = None) -> OwnSeat | None:
    """For who plays with the link of one seat; None for everybody else, and once the game is over.

    so_far: the board as the turn so far would make it.
    """
    seats = visit.own_seats
    if may(visit, "manage") or len(seats) != 1 or not visit.running or not position.to_act:
        return None
    seat, rules = seats[0], visit.game.ruleset
    vocabulary = words.GAMES[rules.id]
    board = rules.typed_board(position.board, visit.game.table) if so_far is None else so_far
    turn = seat in rules.waits_for(visit.game.board)
    begun = not position.marks.keys().isdisjoint(rules.course.periods)  # in the set-up other things are decided
    return OwnSeat(
        seat,
        turn,
        [
            (
                "–"
                if view.hides_column(column, seat)
                else words.column_value(rules.id, column, position.columns[column][seat]),
                words.column_label(rules.id, column),
            )
            for column in vocabulary.ledger.at_hand or rules.ledger.columns
        ],
        [(text, name) for name, text in vocabulary.seat.holds(board, seat)],
        words.say(vocabulary.seat.turn_begins) if vocabulary.seat.turn_begins and not turn and begun else "",
    )
