"""A replay wound up for one kind of viewer: what each step drew anew, what it changed, and its row in the ledger.

A record only grows, so a filmstrip is wound on and never wound again; steps that are taken back later keep their
drawings and get a new row. Reels are shared by all who look through the same sight in the same language.
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
from daybook.services.people.access import EVERYTHING, Sight, hides_nothing
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import BoardPart, DrawnPart, Mark, Picture, Scene, find_marks
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.replay import ledger, settlements
from daybook.web.replay.ledger import LedgerRow
from daybook.web.replay.settlements import SettledStretch, Settlement

KEPT_FILMSTRIPS = 24  # a long game takes some megabytes
STRIP = "strip"  # the part that shows every seat with what it would score


class Frame(Frozen):
    """What one step drew anew, by part, and what it changed, by place."""

    drawn: dict[str, DrawnPart]
    marks: dict[str, Mark]


class StepAccount(Frozen):
    """What has run by itself at a step. decided: the sentences of the step that tell what led there."""

    card: Settlement
    decided: int


class Filmstrip:
    """One game through one sight."""

    def __init__(self, scene: Scene, game: Game, base: str, writers: Mapping[str, str]) -> None:
        self.scene = scene
        self.writers = writers  # what people who wrote in it are called, by id
        self.base = base  # the address of the replay
        self.periods = game.ruleset.course.periods
        self.columns = list(game.ruleset.ledger.columns)
        self.ledger = list(words.GAMES[game.ruleset.id].ledger.shown) or self.columns
        self.lock = Lock()
        self.picture = Picture(scene)
        self.strip = strip_of(scene, self.columns[-1])
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

    def extend(self, game: Game) -> None:
        """Take in what has been recorded since."""
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
            if step < first and self.steps[step].struck_by != by:
                self.steps[step] = msgspec.structs.replace(self.steps[step], struck_by=by)
                found.append(step)
        return sorted(found)

    def _add_frame(self, game: Game, step: StepShown) -> None:
        before = dict(self._drawn)
        if step.step == 0:
            self._document = _opening(game, self.scene.sight)
            redrawn = self.picture.draw_all(self._document)
        else:
            fold(self._document, step.changes)
            redrawn = self.picture.redraw(self._document, step.changes)
        redrawn |= self.picture.draw_parts([self.strip], {"columns": step.columns})
        redrawn = {id: drawn for id, drawn in redrawn.items() if id not in before or not before[id].is_like(drawn)}
        self.shots.append(Frame(redrawn, find_marks(before, redrawn)))
        self._drawn.update(redrawn)
        for id, drawn in redrawn.items():
            at, versions = self._versions.setdefault(id, ([], []))
            at.append(step.step)
            versions.append(drawn)

    def _add_account(self, game: Game, step: StepShown) -> None:
        before = self._stretches.get(game.parents[step.step]) if step.step else None
        after = settlements.stretch_at(game, before, step)
        if after is None:
            return
        if after.going_on:
            self._stretches[step.step] = after
        if after is before:
            return
        scene = self.scene
        own = [] if scene.sight is None or scene.sight == EVERYTHING else [scene.sight]
        card = settlements.card_of(game, after, scene.names, scene.unshown, own)
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
        """The wanted rows of the ledger."""
        return ledger.rows(
            self.scene.ruleset,
            self.steps,
            self.scene.names,
            self.ledger,
            self.periods,
            wanted,
            self.scene.unshown,
            self.writers,
        )

    def row(self, row: LedgerRow, view: str, here: bool = False) -> str:
        """A row as HTML. view: what its links to other steps name; here: it is the step at hand."""
        return str(_module().row(row, self.scene, self.base, len(self.ledger), view, here, self.accounts.get(row.step)))

    def row_unsent(self, first: int, last: int, leads: int, view: str) -> str:
        """What stands for the rows of steps that are not on the page: a link to one of them."""
        return str(_module().unsent(first, last, leads, len(self.ledger), view))

    def rows(self, view: str = "") -> list[str]:
        """All rows as HTML, by step."""
        if view not in self._rows:
            self._rows[view] = [self.row(row, view) for row in self.ledger_rows(range(len(self.steps)))]
        return self._rows[view]

    def at(self, step: int) -> dict[str, DrawnPart]:
        """Every part as it lies after a step."""
        return {id: versions[bisect_right(at, step) - 1] for id, (at, versions) in self._versions.items()}

    def board_at(self, step: int, focus: Seat | None = None) -> Markup:
        """The board after a step, with what the step changed marked. focus: whose part lies open."""
        return self.picture.frame(self.at(step), self.shots[step].marks, focus)

    def focus_at(self, step: int) -> Seat | None:
        """The player who acts at a step, or acted last before the table did."""
        return next(
            (seat for at in range(step, -1, -1) if (seat := self.steps[at].seat) is not None and seat >= 0), None
        )

    def strip_at(self, step: int) -> Markup:
        """The strip after a step, marked too."""
        return self.picture.mark_changes(self.strip, self.at(step)[STRIP], self.shots[step].marks)


def strip_of(scene: Scene, column: str) -> BoardPart:
    """The part that shows every seat with its figure of a column."""
    return BoardPart(
        STRIP,
        ("/columns",),
        lambda document: (document["columns"][column],),
        lambda pen, values: str(pen.macros("replay_parts.html").strip(scene, column, values)),
    )


def _opening(game: Game, sight: Sight) -> Document:
    return msgspec.json.decode(msgspec.json.encode(replay.opening_document(game, sight)), type=dict)


def _module() -> Any:
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
        """The filmstrip of a game, wound on to its newest step; nobody winds it further meanwhile.

        Who is called otherwise from now on, or not at all, is in no filmstrip any more: the names are part of its key.
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
