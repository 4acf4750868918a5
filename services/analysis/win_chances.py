"""Win chances of games, computed by workers piece by piece and stored outside the record.

They are computed for finished games, and for running practice games on request; never for running games of a table,
whose players they would help. A piece is one position, or one move compared with alternatives. Its seed makes it
reproducible; pieces made by other rules or another policy are recomputed. The service has a daily budget of CPU time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any, Literal
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.analysis import summaries, switches
from daybook.services.analysis.calibration import added_play_outs, chances_revision
from daybook.services.analysis.kept_chances import archive_chances, pieces_of
from daybook.services.analysis.moves import WeighedMove, moves_to_weigh, weigh_move
from daybook.services.analysis.play_outs import Chances, effort_for, estimate_chances
from daybook.services.analysis.positions import line_steps, missing_positions
from daybook.services.analysis.shrinkage import shrink_chances
from daybook.services.clock import now
from daybook.services.files.imported_games import due_days
from daybook.services.store.database import insert_missing, upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import (
    Rows,
    analysed_game,
    analysed_piece,
    analysis_spent,
    club_game,
    game_row,
    note_change,
    unanalysed_game,
)

MAX_GAMES_AT_A_TIME = 3
PIECES_PER_JOB = {"position": 2, "move": 1}

Part = Literal["position", "move"]
ChancesState = Literal["off", "unwanted", "unfinished", "not_requested", "waiting", "done"]
# off: by a setting of the service; unwanted: by its group; unfinished: a table plays it, or has given it up; not_requested: a
# practice game that runs


class NotAnalysedError(Exception):
    """No chances are computed: a table is playing the game, or its group or the service has switched them off."""

    def __init__(self, state: ChancesState) -> None:
        super().__init__(state)
        self.state = state


class Piece(Frozen):
    """Unit of computation: the chances after a step, or the cost of a step's move."""

    part: Part
    step: int


class AnalysedPosition(Frozen):
    """The chances after a step. No shares where the rules could not go on from it."""

    step: int
    seed: int
    chances: Chances


class AnalysedMove(Frozen):
    """Cost of the move at a step."""

    step: int
    seed: int
    weighed: WeighedMove


class Analysis(Frozen):
    """Known chances of a game.

    Args:
        positions: of the current line, in order.
        moves: of the current line, in order.
        missing: pieces still to compute, as far as known.
        made_by: revisions of computation, policy and rules.
    """

    state: ChancesState
    positions: list[AnalysedPosition]
    moves: list[AnalysedMove]
    missing: int
    made_by: str


# --- what may be analysed --------------------------------------------------------------------------------------------


def analysis_state(book: Daybook, game: Game) -> ChancesState:
    """Return the state of a game's analysis."""
    if not book.settings.win_chances_seconds_per_day:
        return "off"
    if game.is_at_table or game.status == "abandoned":
        return "unfinished"
    if not switches.are_chances_on(book, game.id):
        return "unwanted"
    row = book.views.row(sa.select(analysed_game).where(analysed_game.c.game == game.id))
    up_to_date = row is not None and row.made_by == chances_revision(game.ruleset) and row.step == game.step
    if game.status == "running" and not up_to_date:
        return "not_requested"
    return "done" if row is not None and up_to_date and row.done else "waiting"


def request_analysis(book: Daybook, game_id: UUID) -> ChancesState:
    """Request the chances of a running practice game up to its newest step. Raises UnknownGameError, NotAnalysedError."""
    game = book.games.get(game_id)
    state = analysis_state(book, game)
    if state in ("off", "unwanted", "unfinished"):
        raise NotAnalysedError(state)
    if state == "not_requested":
        _store_state(book, game, done=False)
        return "waiting"
    return state


def games_due(book: Daybook, limit: int = MAX_GAMES_AT_A_TIME) -> list[UUID]:
    """Return games to compute chances for, at most `limit`; none once the budget of the day is spent.

    Games of tables that were recorded here come first, the newest before all, then practice games, then imported games
    whose day has come. It costs what is due, however many games there are.
    """
    if is_budget_spent(book):
        return []
    without = switches.ids_without_chances(book)
    of_clubs = sa.select(club_game.c.game).where(club_game.c.club.in_(without), club_game.c.entered)
    closed = (
        sa.select(game_row.c.game)
        .join(unanalysed_game, unanalysed_game.c.game == game_row.c.game)
        .where(game_row.c.status == "closed")
    )
    newest = unanalysed_game.c.position.desc()
    requested = sa.select(game_row.c.game).join(analysed_game, analysed_game.c.game == game_row.c.game)
    ways = (
        *(
            closed.where(unanalysed_game.c.practice == practice, unanalysed_game.c.due_on == "").order_by(newest)
            for practice in (False, True)
        ),
        requested.where(
            analysed_game.c.done == sa.false(),
            analysed_game.c.step == game_row.c.step,
            game_row.c.status == "running",
            game_row.c.kind == "practice",
            _is_current_sql(analysed_game.c.made_by, chances_revision),
        ).order_by(game_row.c.position.desc()),
        closed.where(unanalysed_game.c.due_on > "", unanalysed_game.c.due_on <= now()[:10]).order_by(
            unanalysed_game.c.due_on, newest
        ),
    )
    found = list[UUID]()
    with book.views.connect() as c:
        for way in ways:
            wanted = way.where(game_row.c.game.not_in(without), game_row.c.game.not_in(of_clubs))
            found += c.scalars(wanted.limit(limit - len(found)))
    return found


def find_unanalysed(book: Daybook) -> None:
    """Note all games that are to be analysed, besides those that the follower noted: the way of computing may differ."""
    known = sa.exists().where(analysed_game.c.game == game_row.c.game, _is_complete_sql())
    to_do = sa.select(
        game_row.c.game, game_row.c.step, (game_row.c.kind == "practice").label("practice"), game_row.c.position
    ).where(game_row.c.status == "closed", ~known)
    with book.views.begin() as connection:
        noted = sa.select(unanalysed_game.c.game)
        connection.execute(
            unanalysed_game.delete().where(unanalysed_game.c.game.not_in(to_do.with_only_columns(game_row.c.game)))
        )
        missing = connection.execute(to_do.where(game_row.c.game.not_in(noted))).mappings().all()
        if missing:
            due = due_days(book, [row["game"] for row in missing])
            connection.execute(
                unanalysed_game.insert(), [{**row, "due_on": due.get(row["game"], "")} for row in missing]
            )


def _is_complete_sql() -> sa.ColumnElement[bool]:
    """Return the condition that a game is fully analysed by the current revisions."""
    return sa.and_(
        analysed_game.c.done,
        analysed_game.c.step == game_row.c.step,
        _is_current_sql(analysed_game.c.made_by, chances_revision),
        _is_current_sql(analysed_game.c.summary, summaries.summary_revision),
    )


def _is_current_sql(mark: sa.ColumnElement[str], revision_of: Callable[[AnyRuleset], str]) -> sa.ColumnElement[bool]:
    return sa.or_(*(sa.and_(game_row.c.rules == rules.id, mark == revision_of(rules)) for rules in RULESETS.values()))


# --- the budget ------------------------------------------------------------------------------------------------------


def is_budget_spent(book: Daybook) -> bool:
    """Check if today's CPU budget is used up."""
    spent = book.views.value(sa.select(analysis_spent.c.milliseconds).where(analysis_spent.c.day == now()[:10]))
    return (spent or 0) >= 1_000 * book.settings.win_chances_seconds_per_day


def charge_budget(book: Daybook, seconds: float) -> None:
    row = {"day": now()[:10], "milliseconds": round(1_000 * seconds)}
    with book.views.begin() as c:
        upsert(c, analysis_spent, [row], ["day"], add=["milliseconds"])


# --- pieces ----------------------------------------------------------------------------------------------------------


def pieces_due(book: Daybook, game: Game) -> list[list[Piece]]:
    """Return the pieces of a game that can be computed now, grouped by job; none once the budget is spent."""
    if is_budget_spent(book):
        return []
    missing = _missing_pieces(game, *_known_pieces(book, game))
    together = PIECES_PER_JOB[missing[0].part] if missing else 1
    return [missing[first : first + together] for first in range(0, len(missing), together)]


def compute_pieces(book: Daybook, game_id: UUID, pieces: Sequence[Piece]) -> None:
    """Compute and store pieces that are missing, until the budget is spent. Raises UnknownGameError, NotAnalysedError."""
    game = book.games.get(game_id)
    state = analysis_state(book, game)
    if state == "done":
        return
    if state != "waiting":
        raise NotAnalysedError(state)
    positions, moves = _known_pieces(book, game)
    for piece in pieces:
        there = positions if piece.part == "position" else moves
        if piece.step not in there and not is_budget_spent(book):
            begun = process_time()
            row = _compute_row(game, piece)
            charge_budget(book, process_time() - begun)
            _store_piece(book, row)
    finish_analysis(book, game)


def finish_analysis(book: Daybook, game: Game) -> None:
    """Mark a completely analysed game as done, archive its chances and summarize them for statistics."""
    positions, moves = _known_pieces(book, game)
    if not _missing_pieces(game, positions, moves):
        added = added_play_outs(game.ruleset)
        shown = {step: shrink_chances(chances, added) for step, chances in positions.items()}
        archive_chances(book, game)  # first: what is noted as done is not looked at again
        _store_state(book, game, done=True, rows=summaries.build_summary_rows(game, shown, moves))


def piece_seed(game_id: UUID, step: int) -> int:
    """Return the seed of a piece's play-outs."""
    return int.from_bytes(hashlib.sha256(f"chances {game_id} {step}".encode()).digest()[:6])


def _compute_row(game: Game, piece: Piece) -> dict[str, Any]:
    seed = piece_seed(game.id, piece.step)
    found = _chances_at(game, piece.step, seed) if piece.part == "position" else _weigh_step(game, piece.step, seed)
    return {
        "game": game.id,
        "part": piece.part,
        "step": piece.step,
        "made_by": chances_revision(game.ruleset),
        "seed": seed,
        "found": msgspec.json.encode(found).decode(),
    }


def _chances_at(game: Game, step: int, seed: int) -> Chances:
    at = len(game.line(step)) - 1
    try:
        return estimate_chances(game.ruleset, game.board_at(step), at, seed, effort_for(game.ruleset))
    except CANNOT_GO_ON:  # from a board that no rule leads to
        return Chances(0, 0, [], [], [])


def _weigh_step(game: Game, step: int, seed: int) -> WeighedMove:
    event = game.entries[step].event
    assert isinstance(event, DecisionRecorded)
    before = game.parents[step]
    try:
        return weigh_move(
            game.ruleset,
            game.board_at(before),
            len(game.line(before)) - 1,
            event.seat,
            game.ruleset.decision(event.decision),
            seed,
            effort_for(game.ruleset),
        )
    except (IllegalDecision, *CANNOT_GO_ON):  # the rules of today judge it otherwise
        return WeighedMove(event.seat, event.decision, None, 0.0, 0.0, 0.0, 0)


def _missing_pieces(game: Game, positions: dict[int, Chances], moves: dict[int, WeighedMove]) -> list[Piece]:
    places = line_steps(game)
    if lacking := missing_positions(places, positions):
        return [Piece("position", place.step) for place in lacking]
    return [Piece("move", place.step) for place in moves_to_weigh(places, positions) if place.step not in moves]


def _known_pieces(book: Daybook, game: Game) -> tuple[dict[int, Chances], dict[int, WeighedMove]]:
    """Return the chances and weighed moves of the current revisions, by step."""
    positions, moves = _read_pieces(book, game)
    return {position.step: position.chances for position in positions}, {move.step: move.weighed for move in moves}


def _read_pieces(book: Daybook, game: Game) -> tuple[list[AnalysedPosition], list[AnalysedMove]]:
    positions, moves = [], []
    for row in book.views.rows(pieces_of(game).order_by(analysed_piece.c.step)):
        if row.part == "position":
            positions.append(AnalysedPosition(row.step, row.seed, msgspec.json.decode(row.found, type=Chances)))
        else:
            moves.append(AnalysedMove(row.step, row.seed, msgspec.json.decode(row.found, type=WeighedMove)))
    return positions, moves


def _store_piece(book: Daybook, row: dict[str, Any]) -> None:
    """Store a piece, replacing other revisions; concurrent results are identical."""
    of_piece = [analysed_piece.c[name] == row[name] for name in ("game", "part", "step")]
    with book.views.begin() as c:
        c.execute(analysed_piece.delete().where(*of_piece, analysed_piece.c.made_by != row["made_by"]))
        insert_missing(c, analysed_piece, [row])


def _store_state(book: Daybook, game: Game, *, done: bool, rows: Rows | None = None) -> None:
    row = {
        "game": game.id,
        "step": game.step,
        "made_by": chances_revision(game.ruleset),
        "done": done,
        "at": now(),
        "summary": "" if rows is None else summaries.summary_revision(game.ruleset),
    }
    with book.views.begin() as c:
        upsert(c, analysed_game, [row], ["game"])
        if done:
            c.execute(
                unanalysed_game.delete().where(unanalysed_game.c.game == game.id, unanalysed_game.c.step <= game.step)
            )
        if rows is not None:
            summaries.write_rows(c, game.id, rows)
            note_change(c)


# --- reading ---------------------------------------------------------------------------------------------------------


def analysis_of(book: Daybook, game: Game) -> Analysis:
    """Return the displayed chances of the current line; empty if none are to be shown."""
    state, made_by = analysis_state(book, game), chances_revision(game.ruleset)
    if state in ("off", "unwanted", "unfinished"):
        return Analysis(state, [], [], 0, made_by)
    standing = set(game.line())
    positions, moves = _read_pieces(book, game)
    by_step = {position.step: position.chances for position in positions}, {move.step: move.weighed for move in moves}
    added = added_play_outs(game.ruleset)
    return Analysis(
        state,
        [
            msgspec.structs.replace(position, chances=shrink_chances(position.chances, added))
            for position in positions
            if position.step in standing and position.chances.shares
        ],
        [move for move in moves if move.step in standing],
        len(_missing_pieces(game, *by_step)) if state == "waiting" else 0,
        made_by,
    )
