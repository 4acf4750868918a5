"""Figures entered in a grid: lines down, players across, each cell a decision of its player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from daybook.domain.kernel.board import plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.permissions.visits import Visit
from daybook.web import words
from daybook.web.request.forms import parse_number
from daybook.web.words import say
from daybook.web.words.game_words import Grid

NAME = "n"  # how the names of cells begin: "n.0.eggs.6", with the figure that was shown


class FilledCell(Frozen):
    """A cell that somebody changed. place: of its line, in their order; text: empty where the figure was taken out;
    decision: None where the text is no whole number.
    """

    seat: Seat
    place: int
    text: str
    decision: Decision | None

    @property
    def plain(self) -> dict[str, object]:
        fields: dict[str, object] = plain(self.decision)
        return fields

    @property
    def wrong(self) -> str:
        return say("“{text}” is no whole number.", text=self.text[:20])


class ShownGrid(Frozen):
    """A grid on the page. mine: the seats whose columns the visitor may fill in; sent: what stands in cells unsaved."""

    grid: Grid
    mine: tuple[Seat, ...]
    sent: Mapping[str, str] = {}

    @property
    def tags(self) -> frozenset[str]:
        return frozenset(map(tag_of, self.grid.kinds))

    def name(self, seat: Seat, line: str) -> str:
        was = self.grid.figures[seat][line]
        return f"{NAME}.{seat}.{line}.{'' if was is None else was}"

    def text(self, seat: Seat, line: str) -> str:
        was = self.grid.figures[seat][line]
        return self.sent.get(self.name(seat, line), "" if was is None else str(was))


def grid_shown(visit: Visit, seats: tuple[Seat, ...], round: int, sent: Mapping[str, str] = {}) -> ShownGrid | None:
    """The grid of a game that has one, while it is recorded."""
    grid_of = words.GAMES[visit.rules].choosing.grid
    if grid_of is None or not visit.running:
        return None
    return ShownGrid(grid_of(visit.game.board, round), seats, sent)


def filled_cells(grid: Grid, form: Mapping[str, str]) -> Iterator[FilledCell]:
    """The cells of a form that say something else than was shown, and than stands there by now; a figure is taken out
    where it still is the one that was shown.
    """
    lines = {line.key: place for place, line in enumerate(grid.lines)}
    for name, sent in form.items():
        kind, _, rest = name.partition(".")
        place, _, rest = rest.partition(".")
        line, _, was = rest.rpartition(".")
        seat, text = parse_number(place), sent.strip().replace("−", "-")
        if kind != NAME or seat is None or not 0 <= seat < len(grid.figures) or line not in lines:
            continue
        if text == was:
            continue
        value, figure = parse_number(text), grid.figures[seat][line]
        if text and value is None:
            yield FilledCell(seat, lines[line], text, None)
        elif value != figure and (text or was == str(figure)):
            yield FilledCell(seat, lines[line], text, grid.decision(line, value))
