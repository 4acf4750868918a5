"""Draw the grid of the solo game: cards that can be taken, and cards under a disc."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.kernel.terms import Decision, Seat
from daybook.web.games.arkwright_card.values import card, card_effect
from daybook.web.words.game_words import Chart, ChartCell, Lane
from daybook.web.words.say import of_kind, say


def grid(b: Board, taking: Sequence[moves.TakeCard] | Sequence[moves.ChooseStartCard]) -> Iterator[Chart]:
    """Chart the card grid.

    Args:
        taking: decisions that take a card, all of one kind.
    """
    solo, numbers = b.solo, b.printed.solo
    if solo is None or numbers is None:
        return
    rows: list[list[ChartCell]] = [[] for _ in range(numbers.rows)]
    for d in taking:
        row, column = divmod(d.place - 1, numbers.columns)
        place, effect = say("column {n}", n=column + 1), card_effect(b.printed, d.card)
        note = f"{place}: {effect}" if effect else place
        rows[row].append(ChartCell(label=card(d.card), adds=[d], note=note))
    if any(rows):
        yield Chart(
            heading=say("A card of the grid"),
            kinds=(type(taking[0]),),
            lanes=[
                Lane(heading=say("Row {n}", n=number), cells=cells, words=True)
                for number, cells in enumerate(rows, 1)
                if cells
            ],
        )


def start(b: Board, seat: Seat, legal: Sequence[Decision]) -> Iterator[Chart]:
    yield from grid(b, of_kind(legal, moves.ChooseStartCard))
