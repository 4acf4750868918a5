"""A recorded game as a book to print: the decisions of each period, the board at its end, and the result."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint
from markupsafe import Markup

from daybook.domain.kernel.frozen import Frozen
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.period_scores import PeriodScore, score_sheets
from daybook.web import boards, words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.recording.recent_turns import RecentTurn, build_recent_turns
from daybook.web.replay import settlements
from daybook.web.replay.replay import ending_for_page
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.long_work import takes_long

page = Blueprint("printed_game", __name__)


class Chapter(Frozen):
    """Decisions of a period.

    Args:
        heading: empty for the unfinished period.
        figures: by column, each seat's at the end of the period.
    """

    heading: str
    step: int
    turns: list[RecentTurn]
    board: Markup
    figures: list[tuple[str, list[str]]]


@page.get("/games/<uuid:game_id>/book")
@takes_long("GET")
def of_game(game_id: UUID) -> str:
    visit = visit_game(game_id)
    return render_game_page("printed_game.html", visit, chapters=_chapters(visit), end=ending_for_page(visit))


def _chapters(visit: Visit) -> list[Chapter]:
    game, view = visit.game, privacy_of_visit(visit)
    steps = {step.step: step for step in replay.iter_steps(game, visit.sight)}
    turns = build_recent_turns(game, steps, settlements.find_stretches(game, steps), visit.names, view, len(steps))[
        ::-1
    ]
    ends = {sheet.step: sheet for sheet in score_sheets(book(), game)}
    chapters, first = list[Chapter](), 0
    for step in sorted({*ends, game.step}):
        turns_of_chapter = [turn for turn in turns if first <= turn.last.step <= step]
        if turns_of_chapter:
            chapters.append(_chapter(visit, ends.get(step), step, turns_of_chapter))
        first = step + 1
    return chapters


def _chapter(visit: Visit, ended: PeriodScore | None, step: int, turns: list[RecentTurn]) -> Chapter:
    game, rules, view = visit.game, visit.rules, privacy_of_visit(visit)
    columns = game.figures_so_far(step)[0]
    shown = words.GAMES[rules].ledger.at_hand or game.ruleset.ledger.columns
    document = replay.position_at(game, step, visit.sight).board
    return Chapter(
        "" if ended is None else words.mark_label(rules, ended.period, ended.number),
        step,
        turns,
        boards.framed_board(game, visit.names, visit.sight, view, document, suffix=f"-{step}"),
        [
            (
                words.column_label(rules, column),
                [
                    "–" if view.hides_column(column, seat) else words.column_value(rules, column, n)
                    for seat, n in enumerate(columns[column])
                ],
            )
            for column in shown
        ],
    )
