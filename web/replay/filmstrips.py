"""Filmstrips: a replay drawn for one kind of viewer, with each step's redrawn parts, changes and ledger row.

Records only grow, so filmstrips are extended, never rebuilt; struck steps keep their drawings and get a new row.
Viewers with the same sight and language share one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache
from flask import current_app
from flask_babel import get_locale
from markupsafe import Markup

from daybook.domain.kernel.board import Document, fold
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import BoardPart, DrawnPart, Mark, Picture, Scene, find_marks
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.replay import ledger, settlements
from daybook.web.replay.ledger import LedgerRow
from daybook.web.replay.settlements import SettledStretch, Settlement

MAX_FILMSTRIPS = 24  # a long game takes some megabytes
STRIP_ID = "strip"  # of the part with every seat's score


class Frame(Frozen):
    """Parts redrawn in a step, and changes by place."""

    drawn: dict[str, DrawnPart]
    marks: dict[str, Mark]


class StepAccount(Frozen):
    """Automatic actions at a step.

    Args:
        decided: number of the step's sentences about its cause.
    """

    card: Settlement
    decided: int


class Filmstrip:
    """One game through one sight."""

    def __init__(self, scene: Scene, game: Game, base: str, writers: Mapping[str, str]) -> None:
        self.scene = scene
        self.writers = writers  # names of authors by id
        self.base = base  # the address of the replay
        self.periods = game.ruleset.course.periods
        self.columns = list(game.ruleset.ledger.columns)
        self.ledger = list(words.GAMES[game.ruleset.id].ledger.shown) or self.columns
        self.lock = Lock()
        self.picture = Picture(scene)
        self.strip = build_strip(scene, self.columns[-1])
        self.steps: list[StepShown] = []
        self.shots: list[Frame] = []
        self._stretches: dict[int, SettledStretch] = {}  # by step, what has run by itself by then and goes on
        self.accounts: dict[int, StepAccount] = {}  # by the steps at which something ran by itself
        self._rows: dict[str, list[str]] = {"": []}  # HTML by step, for each view that links may name
        self.headings: list[tuple[int, str]] = []  # the rows that begin a period, and its name
        self._document: Document = {}
        self._drawn: dict[str, DrawnPart] = {}  # as it lies at the end
        self._versions: dict[str, tuple[list[int], list[DrawnPart]]] = {}

    @property
    def newest(self) -> int:
        return len(self._rows[""]) - 1

    def standing_steps(self) -> list[StepShown]:
        """Return the steps that count, without entries on boards that are undone."""
        struck = {step.step for step in self.steps if step.taken_back_by is not None}
        return [step for step in self.steps if step.board_step not in struck]

    def chart_values(self, column: str) -> list[list[int]]:
        """Return a column after each step; a struck step keeps the values before it."""
        standing = {step.step: step.columns[column] for step in self.standing_steps()}
        values = [standing[0]]
        for step in range(1, len(self.steps)):
            values.append(standing.get(step, values[-1]))
        return values

    def extend(self, game: Game) -> None:
        """Add the steps recorded since."""
        first = len(self.steps)
        if game.step < first:
            return
        new = list(replay.iter_steps(game, self.scene.sight, first - 1))
        restruck = self._mark_struck(game, first)
        self.steps += new
        for step in new:
            self._add_frame(game, step)
            self._add_account(game, step)
        self._write([*restruck, *range(first, len(self.steps))])

    def _mark_struck(self, game: Game, first: int) -> list[int]:
        """Mark earlier steps that a new one took back; their numbers."""
        found = []
        for step, by in game.struck_steps().items():
            if step < first and self.steps[step].taken_back_by != by:
                self.steps[step] = msgspec.structs.replace(self.steps[step], taken_back_by=by)
                found.append(step)
        return sorted(found)

    def _add_frame(self, game: Game, step: StepShown) -> None:
        before = dict(self._drawn)
        if step.step == 0:
            self._document = _opening_document(game, self.scene.sight)
            redrawn = self.picture.draw_all(self._document)
        else:
            fold(self._document, step.changes)
            redrawn = self.picture.redraw(self._document, step.changes)
        redrawn |= self.picture.draw_parts([self.strip], {"columns": step.columns})
        redrawn = {
            part_id: drawn
            for part_id, drawn in redrawn.items()
            if part_id not in before or not before[part_id].is_like(drawn)
        }
        self.shots.append(Frame(redrawn, find_marks(before, redrawn)))
        self._drawn.update(redrawn)
        for part_id, drawn in redrawn.items():
            at, versions = self._versions.setdefault(part_id, ([], []))
            at.append(step.step)
            versions.append(drawn)

    def _add_account(self, game: Game, step: StepShown) -> None:
        before = self._stretches.get(game.parents[step.step]) if step.step else None
        after = settlements.extend_stretch(game, before, step)
        if after is None:
            return
        if after.going_on:
            self._stretches[step.step] = after
        if after is before:
            return
        scene = self.scene
        own = [] if scene.sight is None or scene.sight == EVERYTHING else [scene.sight]
        card = settlements.build_card(game, after, scene.names, scene.unshown, own)
        if card.lines or card.figures:
            self.accounts[step.step] = StepAccount(card, settlements.count_decided(game, before, step))

    def _write(self, wanted: list[int]) -> None:
        for row in self.ledger_rows(wanted):
            new = row.step > self.newest
            for view, rows in self._rows.items():
                rows[row.step : row.step + 1] = [self.row(row, view)]
            if new and row.heading:
                self.headings.append((row.step, row.heading))

    def ledger_rows(self, wanted: Sequence[int]) -> list[LedgerRow]:
        """Return the wanted ledger rows."""
        return ledger.build_rows(
            self.scene.ruleset,
            self.steps,
            self.scene.names,
            self.ledger,
            self.periods,
            wanted,
            self.scene.unshown,
            self.writers,
        )

    def row(self, row: LedgerRow, view: str, is_current: bool = False) -> str:
        """Render a row.

        Args:
            view: sight code for its links.
            here: the current step.
        """
        return str(
            _template_module().row(
                row, self.scene, self.base, self.ledger, view, is_current, self.accounts.get(row.step)
            )
        )

    def row_unsent(self, first: int, last: int, leads: int, view: str) -> str:
        """Render the placeholder of rows that are not on the page: a link to one of them."""
        return str(_template_module().unsent(first, last, leads, len(self.ledger), view))

    def rows(self, view: str = "") -> list[str]:
        """Return all rows as HTML, by step."""
        if view not in self._rows:
            self._rows[view] = [self.row(row, view) for row in self.ledger_rows(range(len(self.steps)))]
        return self._rows[view]

    def at(self, step: int) -> dict[str, DrawnPart]:
        """Return every part as drawn after a step."""
        return {part_id: versions[bisect_right(at, step) - 1] for part_id, (at, versions) in self._versions.items()}

    def board_at(self, step: int, focus: Seat | None = None) -> Markup:
        """Draw the board after a step with its changes marked.

        Args:
            focus: the player whose part is open.
        """
        return self.picture.frame(self.at(step), self.shots[step].marks, focus)

    def focus_at(self, step: int) -> Seat | None:
        """Return the player of the newest decision up to a step."""
        return next(
            (seat for at in range(step, -1, -1) if (seat := self.steps[at].seat) is not None and seat >= 0), None
        )

    def strip_at(self, step: int) -> Markup:
        """Draw the strip after a step with its changes marked."""
        return self.picture.mark_changes(self.strip, self.at(step)[STRIP_ID], self.shots[step].marks)


def build_strip(scene: Scene, column: str) -> BoardPart:
    """Return the board part with every seat's figure of a column."""
    return BoardPart(
        STRIP_ID,
        ("/columns",),
        lambda document: (document["columns"][column],),
        lambda pen, values: str(pen.macros("replay_parts.html").strip(scene, column, values)),
    )


def _opening_document(game: Game, sight: Sight) -> Document:
    return msgspec.json.decode(msgspec.json.encode(replay.opening_document(game, sight)), type=dict)


def _template_module() -> Any:
    return current_app.jinja_env.get_template("replay_parts.html").module


class Filmstrips:
    """The filmstrips looked at last."""

    def __init__(self, size: int) -> None:
        self._filmstrips: LRUCache[tuple[Any, ...], Filmstrip] = LRUCache(size)
        self._lock = Lock()

    @contextmanager
    def newest_of(
        self,
        game: Game,
        names: tuple[str, ...],
        writers: Mapping[str, str],
        sight: Sight,
        base: str,
        view: TablePrivacy = NOTHING,
    ) -> Iterator[Filmstrip]:
        """Yield a game's filmstrip, extended to its newest step and locked.

        Names are part of its key, so renamed or anonymous players disappear from filmstrips.
        """
        scene = Scene(game.ruleset.id, game.table, names, sight, str(get_locale()), view)
        key = (game.id, sight, hides_nothing(game, sight), scene.locale, names, tuple(sorted(writers.items())), view)
        with self._lock:
            filmstrip = self._filmstrips.get(key)
            if filmstrip is None:
                filmstrip = self._filmstrips[key] = Filmstrip(scene, game, base, writers)
        with filmstrip.lock:
            try:
                filmstrip.extend(game)
            except BaseException:  # half wound it is of no use to anybody
                self._drop(key)
                raise
            yield filmstrip

    def _drop(self, key: tuple[Any, ...]) -> None:
        with self._lock:
            self._filmstrips.pop(key, None)

    def forget(self) -> None:
        with self._lock:
            self._filmstrips.clear()
