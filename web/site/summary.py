"""A game in a few steps, and the bundled game that the first page shows where no game has been played."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.clock import now
from daybook.services.files.recordfile import Record, read_record_file
from daybook.services.permissions.sights import sights_of
from daybook.services.play import replay
from daybook.web.boards import table_privacy
from daybook.web.boards.pen import COVERED
from daybook.web.words import column_value, result_sentence, sentence

SUMMARY_STEPS = 24  # about as many summarize a game


def summary_steps(game: Game, names: tuple[str, ...]) -> list[tuple[int, str, list[str]]]:
    """Choose player steps from first to last, and the result if it is public; each with the score of every seat."""
    sight, privacy = sights_of(game, None)[0], table_privacy.privacy_for(game, (), False)
    struck = game.struck_steps()
    taken = [
        entry.step
        for entry in game.entries
        if isinstance(entry.event, DecisionRecorded) and entry.event.seat != TABLE and entry.step not in struck
    ]
    some = taken[:: len(taken) // SUMMARY_STEPS + 1]
    rules, column = game.ruleset.id, game.ruleset.ledger.columns[-1]

    def scores(step: int) -> list[str]:
        values = game.figures_so_far(step)[0][column]
        return [
            COVERED if privacy.hides_column(column, seat) else column_value(rules, column, value)
            for seat, value in enumerate(values)
        ]

    told = [
        (step.step, sentence(rules, privacy.redact_step(step), names), scores(step.step))
        for step in replay.select_steps(game, sight, some)
    ]
    outcome = game.ruleset.scoring.outcome(game.board)
    if game.status == "closed" and outcome is not None and not privacy.columns:
        totals = [score.total for score in game.ruleset.scoring.standing(game.board)]
        told.append((game.step, result_sentence(rules, outcome, totals, names), scores(game.step)))
    return told


@cache
def example_record() -> Record:
    """Return the bundled game of Making Profit."""
    with (Path(__file__).parent / "example.daybook").open("rb") as file:
        return read_record_file(file, now())


def example_names() -> tuple[str, ...]:
    return tuple(seat.name for seat in example_record().header.seats)
