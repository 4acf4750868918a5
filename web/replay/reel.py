"""A replay wound up for one kind of viewer: what each step drew anew, what it changed, and its row in the ledger.

A record only grows, so a reel is wound on and never wound again; steps that are taken back later keep their
drawings and get a new row. Reels are shared by all who look through the same sight in the same language.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

import msgspec
from flask import current_app
from flask_babel import get_locale

from daybook.domain.kernel.board import Document, fold
from daybook.domain.kernel.record import Game
from daybook.services.people.access import Sight, hides_nothing
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import Drawn, Mark, Picture, Scene, drawing, marks
from daybook.web.boards.veil import NOTHING, Unshown
from daybook.web.replay import ledger

KEPT_REELS = 24  # a long game takes some megabytes
STRIP = "strip"  # the part that shows every seat with what it would score


class Shot(msgspec.Struct, frozen=True):
    """What one step drew anew, by part, and what it changed, by place."""

    drawn: dict[str, Drawn]
    marks: dict[str, Mark]


class Reel:
    """One game through one sight."""

    def __init__(self, scene: Scene, game: Game, base: str, writers: Mapping[str, str]) -> None:
        self.scene = scene
        self.writers = writers  # what people who wrote in it are called, by id
        self.base = base  # the address of the replay
        self.periods = game.ruleset.periods
        self.columns = list(game.ruleset.columns)
        self.ledger = list(words.GAMES[game.ruleset.id].ledger) or self.columns
        self.lock = Lock()
        self.picture = Picture(scene)
        self.steps: list[StepShown] = []
        self.shots: list[Shot] = []
        self.rows: list[str] = []  # HTML by step
        self.headings: list[tuple[int, str]] = []  # the rows that begin a period, and its name
        self._document: Document = {}
        self._drawn: dict[str, Drawn] = {}  # as it lies at the end
        self._versions: dict[str, tuple[list[int], list[Drawn]]] = {}

    @property
    def newest(self) -> int:
        return len(self.rows) - 1

    def wind(self, game: Game) -> None:
        """Take in what has been recorded since."""
        first = len(self.steps)
        if game.step < first:
            return
        new = list(replay.steps(game, self.scene.sight, first - 1))
        restruck = self._strike(game, first)
        self.steps += new
        for step in new:
            self._shoot(game, step)
        self._write([*restruck, *range(first, len(self.steps))])

    def _strike(self, game: Game, first: int) -> list[int]:
        """Mark earlier steps that a new one took back; their numbers."""
        found = []
        for step, by in game.struck().items():
            if step < first and self.steps[step].struck_by != by:
                self.steps[step] = msgspec.structs.replace(self.steps[step], struck_by=by)
                found.append(step)
        return sorted(found)

    def _shoot(self, game: Game, step: StepShown) -> None:
        before = dict(self._drawn)
        if step.step == 0:
            self._document = _opening(game, self.scene.sight)
            redrawn = self.picture.whole(self._document)
        else:
            fold(self._document, step.changes)
            redrawn = {id: self.picture.draw(id, self._document) for id in self.picture.touched(step.changes)}
        redrawn[STRIP] = self._strip(step)
        redrawn = {id: drawn for id, drawn in redrawn.items() if id not in before or before[id].html != drawn.html}
        self.shots.append(Shot(redrawn, marks(before, redrawn)))
        self._drawn.update(redrawn)
        for id, drawn in redrawn.items():
            at, versions = self._versions.setdefault(id, ([], []))
            at.append(step.step)
            versions.append(drawn)

    def _strip(self, step: StepShown) -> Drawn:
        column = self.columns[-1]
        return drawing.drawn(self.scene.unshown.drawn(str(_module().strip(self.scene, column, step.columns[column]))))

    def _write(self, wanted: list[int]) -> None:
        names, game = self.scene.names, self.scene.ruleset
        for row in ledger.rows(
                game, self.steps, names, self.ledger, self.periods, wanted, self.scene.unshown, self.writers):
            html = str(_module().row(row, self.scene, self.base, len(self.ledger)))
            if row.step < len(self.rows):
                self.rows[row.step] = html
                continue
            self.rows.append(html)
            if row.heading:
                self.headings.append((row.step, row.heading))

    def at(self, step: int) -> dict[str, Drawn]:
        """Every part as it lies after a step."""
        return {id: versions[bisect_right(at, step) - 1] for id, (at, versions) in self._versions.items()}


def _opening(game: Game, sight: Sight) -> Document:
    return msgspec.json.decode(msgspec.json.encode(replay.opening(game, sight)), type=dict)


def _module() -> Any:
    return current_app.jinja_env.get_template("replay_parts.html").module


class Reels:
    """The reels looked at last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._reels: OrderedDict[tuple[Any, ...], Reel] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def wound(
        self, game: Game, names: tuple[str, ...], writers: Mapping[str, str], sight: Sight, base: str,
        view: Unshown = NOTHING,
    ) -> Iterator[Reel]:
        """The reel of a game, wound on to its newest step; nobody winds it further meanwhile.

        Who is called otherwise from now on, or not at all, is in no reel any more: the names are part of its key.
        """
        scene = Scene(game.ruleset.id, game.table, names, sight, str(get_locale()), view)
        key = (game.id, sight, hides_nothing(game, sight), scene.locale, names, tuple(sorted(writers.items())), view)
        with self._lock:
            reel = self._reels.get(key) or self._reels.setdefault(key, Reel(scene, game, base, writers))
            self._reels.move_to_end(key)
            while len(self._reels) > self.size:
                self._reels.popitem(last=False)
        with reel.lock:
            try:
                reel.wind(game)
            except BaseException:  # half wound it is of no use to anybody
                self._drop(key)
                raise
            yield reel

    def _drop(self, key: tuple[Any, ...]) -> None:
        with self._lock:
            self._reels.pop(key, None)

    def forget(self) -> None:
        with self._lock:
            self._reels.clear()
