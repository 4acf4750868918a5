"""The grid of the solo game as it lies: what can be taken, and what lies under a disc."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.kernel.ruleset import Seat
from daybook.web.games.arkwright_card.decisions import DECISIONS
from daybook.web.games.arkwright_card.values import card
from daybook.web.words.say import Cell, Chart, Lane, Names, Plain, say


def grid(b: Board, legal: Sequence[Plain], kind: str, names: Names) -> Iterator[Chart]:
    """kind: the decision that takes a card out of it."""
    solo, numbers = b.solo, b.printed.solo
    if solo is None or numbers is None:
        return
    taking = DECISIONS[kind]
    assert callable(taking)
    rows: list[list[Cell]] = [[] for _ in range(numbers.rows)]
    for d in legal:
        if d["type"] == kind:
            row, column = divmod(d["place"] - 1, numbers.columns)
            rows[row].append(Cell(
                label=card(d["card"]), adds=[d], aloud=taking(d, names), note=say("column {n}", n=column + 1)))
    if any(rows):
        yield Chart(heading=say("A card of the grid"), kinds=frozenset({kind}), lanes=[
            Lane(heading=say("Row {n}", n=number), cells=cells, words=True)
            for number, cells in enumerate(rows, 1) if cells])


def start(b: Board, seat: Seat, legal: Sequence[Plain], names: Names) -> Iterator[Chart]:
    yield from grid(b, legal, "choose_start_card", names)
