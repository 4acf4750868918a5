"""A grid to enter figures: a line for each figure, a column for each player, each cell a decision of its player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from daybook.domain.kernel import events
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.web import words
from daybook.web.request.forms import parse_number
from daybook.web.words import Names, join_words, say, say_n
from daybook.web.words.cells import cell_of
from daybook.web.words.game_words import Grid, GridLine
from daybook.web.words.say import N_, Plain, number

MAX_FIGURES_SEARCHED = 60  # newest steps, for who filled a cell
REPLACES = N_("{cell}: another phone entered {figure} in the meantime. “Next” saves your {typed} instead.")
REPLACES_OF = N_("{cell}: {name} entered {figure} in the meantime. “Next” saves your {typed} instead.")
CELL_PREFIX = "n"  # a cell's name is "n.0.eggs.6", with the figure that the form showed


def wrong_figure(text: str) -> str:
    return say("“{text}” is not a whole number, a half or a sum such as 10+15-5.", text=text[:20])


def missing_sentence(players: Sequence[str], line: str, number: int) -> str:
    """Say that players have no figure in a line, or in any if `line` is empty; number: 0 without rounds."""
    fields = {"names": join_words(players), "line": line, "round": number}
    if line and number:
        return say_n(
            "{names} has no {line} for round {round}.",
            "{names} have no {line} for round {round}.",
            len(players),
            **fields,
        )
    if line:
        return say_n("{names} has no {line}.", "{names} have no {line}.", len(players), **fields)
    if number:
        return say_n(
            "{names} has no figure for round {round}.",
            "{names} have no figure for round {round}.",
            len(players),
            **fields,
        )
    return say_n("{names} has no figure.", "{names} have no figure.", len(players), **fields)


class FilledCell(Frozen):
    """A cell with a changed text."""

    seat: Seat
    place: int  # the index of its line
    line: str
    text: str  # empty if the figure was deleted
    was: str  # as the form showed it
    figure: Points | None
    decision: Decision | None  # None if the text is neither a number nor a sum

    def is_stale(self, grid: Grid) -> bool:
        """Check if the cell has another figure by now than its form showed."""
        now = grid.figures[self.seat][self.line]
        return self.was != ("" if now is None else str(now))

    @property
    def plain(self) -> dict[str, object]:
        fields: dict[str, object] = plain(self.decision)
        return fields

    @property
    def wrong(self) -> str:
        return wrong_figure(self.text)


class UnsavedFigure(Frozen):
    """A figure that stays in its cell without being saved."""

    seat: Seat
    line: str
    text: str
    says: str  # why
    replaces: bool  # someone else filled the cell in the meantime: the next try replaces that figure


class ShownGrid(Frozen):
    """A grid as the page shows it."""

    grid: Grid
    mine: tuple[Seat, ...]  # seats whose columns the visitor may fill in
    unsaved: tuple[UnsavedFigure, ...] = ()
    writers: Mapping[tuple[Seat, str], str] = {}  # who entered the newest figures, by seat and line
    disputes: bool = False  # the visitor may propose other figures for the rest

    @property
    def tags(self) -> frozenset[str]:
        return frozenset(map(tag_of, self.grid.kinds))

    def name(self, seat: Seat, line: str) -> str:
        was = self.grid.figures[seat][line]
        return f"{CELL_PREFIX}.{seat}.{line}.{'' if was is None else was}"

    def ends_doubtful(self, decision: Plain) -> bool:
        """Check if a decision ends a round or a game that lacks expected figures, or has some that cannot be right."""
        is_doubtful = bool(self.grid.missing or self.grid.warning)
        return is_doubtful and decision["type"] in [tag_of(kind) for kind in self.grid.ends]

    @property
    def first_missing(self) -> str:
        """Name of the first empty cell in which the visitor can enter an expected figure; "" for none."""
        cells = [self.name(cell.seats[0], cell.line) for cell in self.grid.missing if cell.seats[0] in self.mine]
        return next(iter(cells), "")

    @property
    def enters_zeros(self) -> bool:
        """Check if the visitor may enter 0 for everything that is missing."""
        return bool(self.grid.zeros) and all(seat in self.mine for seat, _ in self.grid.zeros)

    def doubts(self, names: Names) -> list[str]:
        """Return what is wrong before the round ends: players without an expected figure, and wrong figures."""
        return [*self.says_missing(names), *([self.grid.warning] if self.grid.warning else [])]

    def says_missing(self, names: Names) -> list[str]:
        """Return sentences that name the players without an expected figure."""
        by_line: dict[str, list[Seat]] = {}
        for cell in self.grid.missing:
            seats = by_line.setdefault("" if cell.is_bare else cell.name, [])
            seats += [seat for seat in cell.seats if seat not in seats]
        return [
            missing_sentence([names[seat] for seat in seats], line, self.grid.rounds) for line, seats in by_line.items()
        ]

    def says_missing_at_end(self, names: Names) -> list[str]:
        """Return a sentence for each line that is counted once and lacks figures in the last round."""
        return [
            missing_sentence([names[seat] for seat in seats], line, 0) for line, seats in self.grid.once_missing.items()
        ]

    def says_replaced(self, cell: FilledCell, names: Names) -> str:
        """Say who filled a cell since its form was shown, and with what."""
        name = say("{name}: {line}", name=names[cell.seat], line=self.grid.lines[cell.place].name)
        figure, writer = self.saved_text(cell.seat, cell.line) or "–", self.writers.get((cell.seat, cell.line), "")
        if not writer:
            return say(REPLACES, cell=name, figure=figure, typed=cell.text)
        return say(REPLACES_OF, cell=name, name=writer, figure=figure, typed=cell.text)

    def unsaved_in(self, seat: Seat, line: str) -> UnsavedFigure | None:
        return next((figure for figure in self.unsaved if (figure.seat, figure.line) == (seat, line)), None)

    def saved_text(self, seat: Seat, line: str) -> str:
        figure = self.grid.figures[seat][line]
        return "" if figure is None else number(figure)

    def text(self, seat: Seat, line: str) -> str:
        unsaved = self.unsaved_in(seat, line)
        return self.saved_text(seat, line) if unsaved is None else unsaved.text


class RecordedCell(Frozen):
    """The cell that a recorded decision filled or emptied."""

    grid: Grid
    line: GridLine
    seat: Seat
    figure: Points | None  # as recorded
    text: str = ""  # as it was typed instead
    wrong: str = ""

    @property
    def choices(self) -> list[tuple[Points, str]]:
        """Return the other values of a line with few values."""
        return [(value, label) for value, label in self.line.choices if value != self.figure]


def recorded_cell(game: Game, event: events.AnyEvent, board: Any) -> RecordedCell | None:
    """Return the cell of a recorded figure. board: before it. None for another decision or a game without a grid."""
    if not isinstance(event, events.DecisionRecorded):
        return None
    cell = cell_of(game, event.decision, board)
    return None if cell is None else RecordedCell(*cell, event.seat, event.decision.get("value"))


def read_cell(game: Game, cell: RecordedCell, text: str, names: Names) -> tuple[RecordedCell, Decision | None]:
    """Read what a recorded cell should be; a cell with its fault if the rules refuse it on the game's board."""
    value = cell.grid.parse(text.strip().replace("−", "-"))
    cell = replace(cell, text=text)
    if value is None:
        return replace(cell, wrong=wrong_figure(text)), None
    if value == cell.figure:
        return replace(cell, wrong=say("The record says {figure} already.", figure=value)), None
    decision = cell.grid.decision(cell.line.key, value)
    redundant = game.ruleset.course.redundant  # back to the figure before this step
    objections = [objection for objection in game.objections(cell.seat, decision) if objection.key not in redundant]
    if objections:
        return replace(cell, wrong=words.reason_sentence(objections[0].reason, game.ruleset.id, names)), None
    return cell, decision


def build_grid(visit: Visit, seats: tuple[Seat, ...], grid_round: int) -> ShownGrid | None:
    """Build the grid while the game is recorded; None for games without one."""
    grid_of = words.GAMES[visit.rules].choosing.grid
    if grid_of is None or not visit.running:
        return None
    grid = grid_of(visit.game.board, grid_round)
    writers = {
        cell: words.by_label(visit.game.writers[step], visit.names, visit.writers)
        for cell, step in newest_figures(visit.game, grid).items()
    }
    return ShownGrid(grid, seats, (), writers, bool(may(visit, "claim")))


def newest_figures(game: Game, grid: Grid) -> dict[tuple[Seat, str], int]:
    """Return the last step of each cell that one of the newest steps filled with its present figure."""
    tags = set(map(tag_of, grid.kinds))
    steps: dict[tuple[Seat, str], int] = {}
    for step in islice(game.line_back(), MAX_FIGURES_SEARCHED):
        event = game.entries[step].event
        if not isinstance(event, events.DecisionRecorded) or event.decision["type"] not in tags:
            continue
        cell = event.seat, event.decision["line"]
        if grid.figures[event.seat].get(cell[1]) == event.decision.get("value"):
            steps.setdefault(cell, step)
    return steps


def filled_cells(grid: Grid, form: Mapping[str, str]) -> Iterator[FilledCell]:
    """Yield cells with another text than the shown and the present figure.

    A deletion is left out if the figure has changed since.
    """
    lines = {line.key: place for place, line in enumerate(grid.lines)}
    for name, sent in form.items():
        kind, _, rest = name.partition(".")
        place, _, rest = rest.partition(".")
        line, _, was = rest.partition(".")
        seat, text = parse_number(place), sent.strip().replace("−", "-")
        if kind != CELL_PREFIX or seat is None or not 0 <= seat < len(grid.figures) or line not in lines:
            continue
        if text == was:
            continue
        value, figure = grid.parse(text), grid.figures[seat][line]
        if text and value is None:
            yield FilledCell(seat, lines[line], line, text, was, None, None)
        elif value != figure and (text or was == str(figure)):
            yield FilledCell(seat, lines[line], line, text, was, value, grid.decision(line, value))
