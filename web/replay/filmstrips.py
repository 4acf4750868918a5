"""Filmstrips: a replay drawn for one kind of viewer, with each step's redrawn parts, changes and ledger row.

Records only grow, so filmstrips are extended, never rebuilt; struck steps keep their drawings and get a new row. Each
step is drawn when it is requested.
Viewers with the same sight and language share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache
from flask import current_app
from flask_babel import get_locale
from markupsafe import Markup

from daybook.domain.kernel.board import Document, fold
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.period_points import corrected_columns
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Score, ScoreLine, Seat
from daybook.domain.sealed_entries import leaves_sealed
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards import BoardPart, DrawnPart, Mark, Picture, Scene, find_marks
from daybook.web.boards.charts import LineChart, build_chart
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.replay import ledger, settlements
from daybook.web.replay.ledger import LedgerRow, LedgerSentence, replacements_of
from daybook.web.replay.reveals import may_reveal
from daybook.web.replay.settlements import SettledStretch, Settlement
from daybook.web.request.template_globals import capitalize_first
from daybook.web.words.seal_words import reveal_seal

MAX_FILMSTRIPS = 24  # a long game takes some megabytes
MAX_DRAWN_STEPS = 8  # cached, of one filmstrip; the step after one of them is drawn from its changes
STRIP_ID = "strip"  # of the part with every seat's score


class StepAccount(Frozen):
    """Automatic actions at a step.

    Args:
        decided: number of the step's sentences about its cause.
    """

    card: Settlement
    decided: int


class DrawnStep(Frozen):
    """A drawn step: all its parts, those that it redrew, and the changes by place."""

    parts: dict[str, DrawnPart]
    redrawn: dict[str, DrawnPart]
    marks: dict[str, Mark]


class Filmstrip:
    """One game through one sight. Drawings, ledger rows and settlement cards are built on first use."""

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
        self.headings: list[tuple[int, str]] = []  # the rows that begin a period, and its name
        self._game = game
        self._opening = replay.opening_document(game, scene.sight)
        self._document: Document = {}  # the board after step `_document_step`
        self._document_step = -1
        self._drawn: LRUCache[int, DrawnStep] = LRUCache(MAX_DRAWN_STEPS)
        self._unfinished: dict[int, SettledStretch] = {}  # automatic actions that are not finished, by step
        self._stretches: dict[int, tuple[SettledStretch | None, SettledStretch]] = {}  # before and after a step
        self._accounts: dict[int, StepAccount | None] = {}
        self._scored: tuple[str, list[StepShown]] = "", []  # the steps at which the score is whole, by the newest seal
        self._scores: dict[int, list[Score]] = {}  # of every seat, after a step
        self._rows: dict[str, dict[int, str]] = {"": {}}  # HTML by step, for each view that links may name

    @property
    def newest(self) -> int:
        return len(self.steps) - 1

    @property
    def lowest_wins(self) -> bool:
        """True if the lowest score wins."""
        return self._game.ruleset.scoring.lowest_wins(self._game.board)

    def away_at(self, step: int) -> list[Seat]:
        """Return the seats without a comparable score at a step: their players have not come yet, or left."""
        about = self._game.ruleset.scoring.about
        if about is None:
            return []
        play = about(self._game.board_at(step))
        return [*play.absent, *(seat for seat, has_left in enumerate(play.left_early) if has_left)]

    def standing_steps(self) -> list[StepShown]:
        """Return the steps that count, without entries on boards that are undone."""
        struck = {step.step for step in self.steps if step.taken_back_by is not None}
        return [step for step in self.steps if step.board_step not in struck]

    def counted_steps(self) -> list[StepShown]:
        """Return the standing steps without those that took others back."""
        return [step for step in self.standing_steps() if step.type != "decisions_taken_back"]

    def scored_steps(self) -> list[StepShown]:
        """Return the standing steps at which the score is whole: on a sheet, the ends of rounds, and the newest.

        Later corrections of a round count in that round.
        """
        if self._scored[0] == self._game.seal:
            return self._scored[1]
        self._scored = self._game.seal, self._find_scored_steps()
        return self._scored[1]

    def _find_scored_steps(self) -> list[StepShown]:
        standing = self.standing_steps()
        if words.GAMES[self.scene.ruleset].score.in_period is None:
            return standing
        game, before = self._game, [*standing[:1], *standing]
        return [
            msgspec.structs.replace(step, columns=dict(corrected_columns(game, step.step, step.columns, game.board)))
            for step, last in zip(standing, before, strict=False)
            if step in (standing[0], standing[-1]) or self.period_of(step) != self.period_of(last)
        ]

    def score_lines(self, step: int, seat: Seat) -> dict[tuple[str, ...], ScoreLine]:
        """Return the lines of a seat's score after a step by name, with the colour or other text that distinguishes them."""
        if step not in self._scores:
            scoring, board = self._game.ruleset.scoring, self._game.board_at(step)
            self._scores[step] = words.counting_scores(self.scene.ruleset, board, scoring.standing(board))
        lines = self._scores[step][seat].lines
        return {(line.name, *(text for text in line.figures.values() if isinstance(text, str))): line for line in lines}

    @property
    def is_read_by_round(self) -> bool:
        """True if each step is only a figure of a round: readers then go from round to round."""
        in_period = words.GAMES[self.scene.ruleset].score.in_period
        return in_period is not None and bool(self.period_of(self.steps[-1]))

    def period_of(self, step: StepShown) -> dict[str, int]:
        """Return the numbers of the periods that a step belongs to, by their marks."""
        return {mark: step.marks[mark] for mark in self.periods if mark in step.marks}

    def period_entries(self, step: int, seat: Seat) -> str:
        """Return what a seat entered in the period that a step ended, of a game that is scored by whole periods."""
        in_period = words.GAMES[self.scene.ruleset].score.in_period
        period = [*self.period_of(self.steps[max(step - 1, 0)]).values()]
        return in_period(self._game.board, seat, period[-1]) if in_period and period else ""

    def chart_values(self, column: str) -> list[list[Points]]:
        """Return a column after each step; a struck step keeps the values before it, and so does half a round."""
        standing = {step.step: step.columns[column] for step in self.scored_steps()}
        values = [standing[0]]
        for step in range(1, len(self.steps)):
            values.append(standing.get(step, values[-1]))
        return values

    def chart(self, column: str) -> LineChart:
        """Build the chart of a column; a score that the lowest wins has the leader at the top."""
        leads = column == self.columns[-1]
        return build_chart(column, self.chart_values(column), self._chart_places(), leads and self.lowest_wins)

    def _chart_places(self) -> list[int]:
        """Return the number of scored rounds, or of counted steps, at each step; empty if each step has its own place."""
        if not self.is_read_by_round:
            counted = {step.step for step in self.counted_steps()}
            return (
                []
                if len(counted) == len(self.steps)
                else [n - 1 for n in accumulate(map(counted.__contains__, range(len(self.steps))))]
            )
        ends, last = set[int](), self.steps[0]
        for step in self.scored_steps()[1:]:
            if step is not self.steps[-1] or step.columns != last.columns:
                ends.add(step.step)
            last = step
        return list(accumulate(step.step in ends for step in self.steps))

    def extend(self, game: Game) -> None:
        """Add the steps recorded since."""
        first = len(self.steps)
        if game.step < first:
            return
        self._game = game
        new = list(replay.iter_steps(game, self.scene.sight, first - 1))
        self._mark_struck(game, first)
        self.steps += new
        for step in new:
            self._add_stretch(game, step)
        self._add_headings(first)
        self._forget_rows(replacements_of(new))
        self._reveal_seals(new)

    def _mark_struck(self, game: Game, first: int) -> None:
        """Mark earlier steps that a new step took back."""
        found = []
        for step, by in game.struck_steps().items():
            if step < first and self.steps[step].taken_back_by != by:
                self.steps[step] = msgspec.structs.replace(self.steps[step], taken_back_by=by)
                found.append(step)
        self._forget_rows(found)

    def _reveal_seals(self, new: Sequence[StepShown]) -> None:
        """Say what was sealed at steps that new steps revealed."""
        vocabulary = words.GAMES[self.scene.ruleset].reveals
        if not any(may_reveal(self._game.entries[step.step].event, vocabulary) for step in new):
            return
        for number, step in enumerate(self.steps):
            if leaves_sealed(self._game, number) and (revealed := reveal_seal(self._game, step)) is not step:
                self.steps[number] = revealed
                self._forget_rows([number])

    def _forget_rows(self, steps: Iterable[int]) -> None:
        for rows in self._rows.values():
            for step in steps:
                rows.pop(step, None)

    def _add_stretch(self, game: Game, step: StepShown) -> None:
        before = self._unfinished.get(game.parents[step.step]) if step.step else None
        after = settlements.extend_stretch(game, before, step)
        if after is None:
            return
        if after.going_on:
            self._unfinished[step.step] = after
        if after is not before:
            self._stretches[step.step] = before, after

    def _add_headings(self, first: int) -> None:
        labels = [
            ledger.period_of_step(self.scene.ruleset, self.steps, max(0, step), self.periods)
            for step in range(first - 1, len(self.steps))
        ]
        for step, (earlier, period) in enumerate(pairwise(labels), first):
            if step == 1 or period != earlier:
                self.headings.append((step, period))

    def account_at(self, step: int) -> StepAccount | None:
        """Return the automatic actions at a step, if any."""
        if step in self._stretches and (step not in self._accounts or self.steps[step].closed_periods):
            self._accounts[step] = self._build_account(step, *self._stretches[step])
        return self._accounts.get(step)

    def _build_account(self, step: int, before: SettledStretch | None, after: SettledStretch) -> StepAccount | None:
        scene = self.scene
        own = [] if scene.sight is None or scene.sight == EVERYTHING else [scene.sight]
        card = settlements.build_card(self._game, after, scene.names, scene.unshown, own)
        if not card.lines and not card.figures:
            return None
        return StepAccount(card, settlements.count_decided(self._game, before, self.steps[step]))

    # --- drawings -----------------------------------------------------------------------------------------------

    def board_at(self, step: int, focus: Seat | None = None) -> Markup:
        """Draw the board after a step with its changes marked.

        Args:
            focus: the player whose part is open.
        """
        drawn = self.draw_step(step)
        return self.picture.frame(drawn.parts, drawn.marks, focus)

    def strip_at(self, step: int) -> Markup:
        """Draw the strip after a step with its changes marked."""
        drawn = self.draw_step(step)
        return self.picture.mark_changes(self.strip, drawn.parts[STRIP_ID], drawn.marks)

    def draw_step(self, step: int) -> DrawnStep:
        """Draw a step, or return it from the cache."""
        if (found := self._drawn.get(step)) is None:
            before = self._parts_before(step)
            redrawn = self._draw_changed(step, before)
            found = self._drawn[step] = DrawnStep(before | redrawn, redrawn, find_marks(before, redrawn))
        return found

    def _parts_before(self, step: int) -> dict[str, DrawnPart]:
        if step == 0:
            return {}
        previous = self._drawn.get(step - 1)
        return self._draw_whole(step - 1) if previous is None else previous.parts

    def _draw_whole(self, step: int) -> dict[str, DrawnPart]:
        columns = {"columns": self.steps[step].columns}
        return self.picture.draw_all(self._fold_to(step)) | self.picture.draw_parts([self.strip], columns)

    def _draw_changed(self, step: int, before: Mapping[str, DrawnPart]) -> dict[str, DrawnPart]:
        """Draw the parts that a step changed."""
        if step == 0:
            return self._draw_whole(0)
        shown = self.steps[step]
        redrawn = self.picture.redraw(self._fold_to(step), shown.changes)
        redrawn |= self.picture.draw_parts([self.strip], {"columns": shown.columns})
        return {
            part_id: drawn
            for part_id, drawn in redrawn.items()
            if part_id not in before or not before[part_id].is_like(drawn)
        }

    def _fold_to(self, step: int) -> Document:
        """Return the board after a step as the viewer sees it; valid until the next call."""
        if not 0 <= self._document_step <= step:
            self._document, self._document_step = msgspec.json.decode(msgspec.json.encode(self._opening), type=dict), 0
        first, self._document_step = self._document_step + 1, -1  # an interrupted fold leaves an invalid board
        for shown in self.steps[first : step + 1]:
            fold(self._document, shown.changes)
        self._document_step = step
        return self._document

    def focus_at(self, step: int) -> Seat | None:
        """Return the player of the newest decision up to a step."""
        return next(
            (seat for at in range(step, -1, -1) if (seat := self.steps[at].seat) is not None and seat >= 0), None
        )

    # --- the ledger ---------------------------------------------------------------------------------------------

    def ledger_rows(self, wanted: Sequence[int]) -> list[LedgerRow]:
        """Return the wanted ledger rows."""
        rows = ledger.build_rows(
            self.scene.ruleset,
            self.steps,
            self.scene.names,
            self.ledger,
            self.periods,
            wanted,
            self.scene.unshown,
            self.writers,
        )
        return [self._with_details(row) for row in rows]

    def _with_details(self, row: LedgerRow) -> LedgerRow:
        """Add what players do in the set-up, and what the cards of a fact show."""
        rules, shown = self.scene.ruleset, self.scene.unshown.redact_step(self.steps[row.step])
        details: Sequence[str] = ()
        if row.step == 0:
            details = words.GAMES[rules].table_begins(self._game.board_at(0), self.scene.names)
        elif row.kind == "fact" and shown.decision is not None:
            said = " ".join(sentence.says for sentence in row.told)
            cards = words.explain_cards(rules, shown.decision, self._game.opening.sheet.values)
            details = [text for text in cards if text not in said]
        told = [*row.told, *(LedgerSentence(capitalize_first(text)) for text in details)]
        return msgspec.structs.replace(row, told=told) if details else row

    def row(self, row: LedgerRow, view: str, is_current: bool = False) -> str:
        """Render a row.

        Args:
            view: sight code for its links.
            here: the current step.
        """
        return str(
            _template_module().row(row, self.scene, self.base, self.ledger, view, is_current, self.account_at(row.step))
        )

    def row_unsent(self, first: int, last: int, leads: int, view: str) -> str:
        """Render the placeholder of rows that are not on the page: a link to one of them."""
        return str(_template_module().unsent(first, last, leads, len(self.ledger), view))

    def rows(self, view: str, wanted: Sequence[int]) -> list[str]:
        """Return the rows of these steps as HTML."""
        rendered = self._rows.setdefault(view, {})
        for row in self.ledger_rows([step for step in wanted if step not in rendered]):
            rendered[row.step] = self.row(row, view)
        return [rendered[step] for step in wanted]


def build_strip(scene: Scene, column: str) -> BoardPart:
    """Return the board part with every seat's figure of a column."""
    return BoardPart(
        STRIP_ID,
        ("/columns",),
        lambda document: (document["columns"][column],),
        lambda pen, values: str(pen.macros("replay_parts.html").strip(scene, column, values)),
    )


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
        delay_seconds: int = 0,
    ) -> Iterator[Filmstrip]:
        """Yield a game's filmstrip, extended to its newest step and locked.

        Names are part of its key, so renamed or anonymous players disappear from filmstrips. So is the delay, because
        other viewers extend theirs with newer steps.
        """
        scene = Scene(game.ruleset.id, game.table, names, sight, str(get_locale()), view)
        by = tuple(sorted(writers.items()))
        key = (game.id, sight, hides_nothing(game, sight), scene.locale, names, by, view, delay_seconds)
        with self._lock:
            filmstrip = self._filmstrips.get(key)
            if filmstrip is None:
                filmstrip = self._filmstrips[key] = Filmstrip(scene, game, base, writers)
        with filmstrip.lock:
            try:
                filmstrip.extend(game)
            except BaseException:  # the rows are incomplete
                self._drop(key)
                raise
            yield filmstrip

    def _drop(self, key: tuple[Any, ...]) -> None:
        with self._lock:
            self._filmstrips.pop(key, None)

    def forget(self) -> None:
        with self._lock:
            self._filmstrips.clear()
