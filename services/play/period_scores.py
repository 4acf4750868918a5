"""Period scores: the standing when a round ended, and the result of a finished game.

A score belongs to the step at which its period ended. It is computed from the board of that step, never from the
present one, so recomputing gives the same score. Workers store it; until then it is computed on request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import neg
from typing import TYPE_CHECKING, Literal
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel import events
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.period_points import later_corrections
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Outcome, Score
from daybook.services.store import read_models
from daybook.services.store.read_models import period_score, unscored_period

if TYPE_CHECKING:
    from daybook.services.store.daybook import Daybook

FINAL = "game"  # the period that ends when a game is closed
PERIOD = ("game", "step", "period")  # primary key of a period score
Taken = Literal["", "official", "computed"]
# official: the table itself showed what counts; computed: worked out from the record, the players keep it covered;
# empty: the game makes no such difference


class ScoredPeriod(Frozen):
    """Computed score of a period.

    Args:
        change: growth of each total since the last period of the same kind ended on this line of play, or since the
            opening; for the final score since any period ended.
    """

    scores: list[Score]
    ranks: list[int]
    change: list[Points]
    outcome: Outcome | None


class PeriodScore(Frozen):
    """A period's score.

    Args:
        settled: a worker has stored it; otherwise it was computed for this answer.
        scores: when the period ended.
        totals: with later corrections of this and earlier periods.
        change: of these totals in the period.
        taken: the players counted this standing themselves.
    """

    period: str
    number: int
    step: int
    final: bool
    settled: bool
    scores: list[Score]
    totals: list[Points]
    ranks: list[int]
    change: list[Points]
    outcome: Outcome | None
    taken: Taken = ""


class NothingEndedError(LookupError):
    """No period ended at the step, so it has no score."""

    def __init__(self, game_id: UUID, step: int) -> None:
        super().__init__(f"no period of game {game_id} ended at step {step}")


def periods_ended(event: events.AnyEvent) -> list[tuple[str, int]]:
    """Return the periods that an event ended, as (period, number)."""
    if isinstance(event, events.GameClosed):
        return [(FINAL, 1)]
    return event.closed_periods if isinstance(event, events.BoardStep) else []


def periods_ended_at(entry: events.Entry) -> list[tuple[str, int]]:
    """Return the periods that ended at an undecoded entry. Raises InvalidLineError."""
    header = events.glance(entry)
    return [(FINAL, 1)] if header.kind is events.GameClosed else header.closed_periods


def score_sheets(book: Daybook, game: Game) -> list[PeriodScore]:
    """Return the scores of all standing periods in order, the final one last."""
    settled, reckoner = _settled_scores(book, game.id), ScoreCalculator(game)
    sheets = []
    begins: dict[str, int] = {}  # step where the current period of each kind began, unless at the opening
    corrections: dict[int, list[Points]] = {}  # that are not in the recorded totals, by the end of a period
    for step in standing_ends(game):
        ended = periods_ended(game.entries[step].event)
        for period, number in ended:
            done = settled.get((step, period))
            start = begins.get(period, 0)
            reckoning = done or reckoner.score_period(step, period, start)
            if step not in corrections:
                corrections[step] = later_corrections(game, step, game.board)
            more, before = corrections[step], corrections.get(start, [0] * len(reckoning.scores))
            sheets.append(
                PeriodScore(
                    period,
                    number,
                    step,
                    period == FINAL,
                    done is not None,
                    reckoning.scores,
                    [as_points(score.total + n) for score, n in zip(reckoning.scores, more, strict=True)],
                    reckoning.ranks,
                    [as_points(sum(parts)) for parts in zip(reckoning.change, more, map(neg, before), strict=True)],
                    reckoning.outcome,
                    how_standing_was_taken(game, step, period),
                )
            )
        begins |= dict.fromkeys([FINAL, *(period for period, _ in ended)], step)
    return sheets


def how_standing_was_taken(game: Game, step: int, period: str) -> Taken:
    """Return how the standing at the end of a period was taken: shown at the table, or computed."""
    veil = game.ruleset.secrecy.veil
    if veil is None:
        return ""
    if period == FINAL:
        return "official"
    tag = tag_of(veil.lifted)
    for earlier in game.line_back(step):
        event = game.entries[earlier].event
        if earlier < step and period in [kind for kind, _ in periods_ended(event)]:
            break
        if isinstance(event, events.DecisionRecorded) and any(effect["type"] == tag for effect in event.effects):
            return "official"
    return "computed"


def standing_ends(game: Game) -> list[int]:
    """Return the steps on the current line of play at which periods ended.

    The final score counts while the game is closed.
    """
    steps = [step for step in game.line() if periods_ended(game.entries[step].event)]
    if game.status == "closed":
        steps.append(next(entry.step for entry in reversed(game.entries) if isinstance(entry.event, events.GameClosed)))
    return steps


def score_rows(game: Game, step: int) -> list[read_models.TableRow]:
    """Build the rows of the periods that ended at a step. Raises NothingEndedError."""
    return ScoreCalculator(game).build_rows(step)


def store_scores(book: Daybook, game_id: UUID, step: int) -> None:
    """Store the scores of the periods that ended at a step; existing rows stay.

    Raises UnknownGameError, NothingEndedError.
    """
    rows = score_rows(book.games.get(game_id), step)
    with book.views.begin() as connection:
        insert_scores(connection, rows)


def insert_scores(
    connection: sa.Connection, rows: Sequence[read_models.TableRow], tables: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Insert scores that are missing and delete their marks as unscored.

    Args:
        tables: replacements of the present tables, if any.
    """
    score, unscored = ((tables or {}).get(table, table) for table in (period_score, unscored_period))
    read_models.insert_missing(connection, score, rows)
    for row in rows:
        connection.execute(unscored.delete().where(*(unscored.c[name] == row[name] for name in PERIOD)))


def note_ended(connection: sa.Connection, rows: Sequence[read_models.TableRow]) -> None:
    """Note that these periods ended; a worker may have been quicker."""
    read_models.write_rows(connection, {unscored_period: rows})
    scored = sa.exists().where(*(period_score.c[name] == unscored_period.c[name] for name in PERIOD))
    connection.execute(
        unscored_period.delete().where(unscored_period.c.game.in_({row["game"] for row in rows}), scored)
    )


class ScoreCalculator:
    """Calculator of one game's scores; caches boards and standings."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = lru_cache(maxsize=None)(game.board_at)
        self.so_far = lru_cache(maxsize=None)(lambda step: game.ruleset.so_far(self.board(step)))
        self.standing = lru_cache(maxsize=None)(lambda step: list(game.ruleset.scoring.standing(self.so_far(step))))

    def build_rows(self, step: int) -> list[read_models.TableRow]:
        """Build the rows of the periods that ended at a step. Raises NothingEndedError."""
        periods = periods_ended(self.game.entries[step].event)
        if not periods:
            raise NothingEndedError(self.game.id, step)
        return [
            {
                "game": self.game.id,
                "step": step,
                "period": period,
                "number": number,
                "final": period == FINAL,
                "sheet": read_models.as_json(self.score_period(step, period, period_start(self.game, step, period))),
            }
            for period, number in periods
        ]

    def score_period(self, step: int, period: str, start: int) -> ScoredPeriod:
        """Compute the score of a period that ended at a step.

        Args:
            start: the step where the period began (`period_start`).
        """
        scores, before = self.standing(step), self.standing(start)
        change = [as_points(score.total - was.total) for score, was in zip(scores, before, strict=True)]
        outcome = self.game.ruleset.scoring.outcome(self.board(step))
        event = self.game.entries[step].event
        recorded = event.ranks if isinstance(event, events.GameClosed) else None
        ranks = list(self.game.ruleset.ranks(self.so_far(step))) if recorded is None else recorded
        return ScoredPeriod(scores, ranks, change, outcome)


def period_start(game: Game, step: int, period: str) -> int:
    """Return the step at which the previous period of this kind ended on this line of play, or 0.

    The final period begins where the last period of any kind ended.
    """
    for earlier in game.line_back(step):
        ended = dict(periods_ended(game.entries[earlier].event))
        if earlier < step and (period in ended or (period == FINAL and ended)):
            return earlier
    return 0


def _settled_scores(book: Daybook, game_id: UUID) -> dict[tuple[int, str], ScoredPeriod]:
    query = sa.select(period_score.c.step, period_score.c.period, period_score.c.sheet).where(
        period_score.c.game == game_id
    )
    return {
        (step, period): msgspec.json.decode(sheet, type=ScoredPeriod) for step, period, sheet in book.views.rows(query)
    }
