"""The entries of a game: each function returns the next entry of a decision or of a command with one entry.

The functions do not change the game. The table in `domain.writing` has them, together with the commands of several
entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.domain.commands import Abandon, Adjust, Close, Count, Note, Reopen, TakeBack, links_of
from daybook.domain.draws import draw_fields
from daybook.domain.kernel import events
from daybook.domain.kernel.board import difference, plain, touches, value_at
from daybook.domain.kernel.by_hand import adjusted_board, board_by_hand, board_with, places_below, put_causes
from daybook.domain.kernel.chronicle import Refused, Written, checked_text, writing_fields
from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board, Effect, Seat, because


def decide(
    game: Game,
    seat: Seat,
    decision: Any,
    written: Written,
    played: tuple[Board, list[Effect]] | None = None,
    drawn: bool = False,
    **links: Any,
) -> tuple[Entry, Board]:
    """Return the entry of a legal decision in its canonical form, and the board after it.

    played: the result, if it was already computed. drawn, links: as in Decide. Raises IllegalDecision, Refused.
    """
    game.check_running()
    decision = game.ruleset.as_listed(game.table, seat, decision)
    board, step = game.judge(seat, decision, played)
    recorded = plain(decision)
    return game.entry(
        events.DecisionRecorded(
            step=game.step + 1,
            seat=seat,
            decision=recorded,
            effects=step.effects,
            changes=step.changes,
            closed_periods=step.closed,
            **draw_fields(game, seat, recorded, drawn, links.get("copied_from_step")),
            **links,
            columns=step.columns,
            marks=step.marks,
            **writing_fields(written),
        )
    ), board


def as_played(
    game: Game,
    seat: Seat,
    decision: Any,
    values: Mapping[str, Any],
    why: str,
    written: Written,
    computed: bool = True,
    **links: Any,
) -> tuple[Entry, Board]:
    """Return the entry of a decision that the rules refuse and that stood at the table.

    The rules carry it out as far as they can, unless `computed` is false. Then `values` (path -> actual value) may
    correct any place of the board, even the seat to act, so that every game can continue. The rules must be able to
    work on the new board. Broken invariants are recorded as objections, and later steps must not add new ones. Raises
    Refused, also for a legal decision, which is to be recorded as a decision.
    """
    game.check_running()
    objections = game.objections(seat, decision)
    if not objections:
        raise Refused(because("legal", "the rules allow this: it can be recorded as it is"))
    insisted = game.ruleset.insist(game.board, seat, decision) if computed else None
    after, effects = insisted or (game.board, [])
    board = board_with(game, after.document(), values)
    objections += [
        events.Objection(breach.rule, breach.reason.key, breach.reason.sentence, breach.reason.figures, "board")
        for breach in game.ruleset.unknown_breaches(board, game.known_breaches())
    ]
    document, recorded = board.document(), plain(decision)
    return game.entry(
        events.DecisionAsPlayed(
            step=game.step + 1,
            seat=seat,
            decision=recorded,
            effects=plain(effects),
            changes=difference(game.document, document),
            closed_periods=game.ruleset.periods_ended_between(game.board, board),
            objections=objections,
            rules_applied=insisted is not None,
            values={path: value_at(document, path) for path in values},
            why=checked_text(why),
            **draw_fields(game, seat, recorded, copied_from_step=links.get("copied_from_step"))
            | {"drawn_by_daybook": False},
            **links,
            **_figures_of(game, board),
            **writing_fields(written),
        )
    ), board


def take_back(game: Game, command: TakeBack, written: Written) -> Entry:
    """Back to the board as it lay after step `to`, any earlier step. Raises Refused."""
    game.check_running()
    game.check_step(command.to_step)
    if game.heads[command.to_step] == game.heads[-1]:
        raise Refused(because("nothing_to_take_back", "the board is already as after step {to}", to=command.to_step))
    return game.entry(
        events.DecisionsTakenBack(
            step=game.step + 1,
            to_step=command.to_step,
            cause=command.cause,
            why=checked_text(command.why),
            changes=difference(game.document, game.document_at(command.to_step)),
            **links_of(game, command),
            **game.figures_at(command.to_step)._asdict(),
            **writing_fields(written),
        )
    )


def adjust(game: Game, command: Adjust, written: Written) -> Entry:
    """Put causes right. Raises Refused naming the rule it would break."""
    game.check_running()
    if not command.why.strip():
        raise Refused(because("why_missing", "to correct the board, give a reason"))
    board, changes = adjusted_board(game, command.values)
    document = board.document()
    return game.entry(
        events.BoardAdjusted(
            step=game.step + 1,
            cause=command.cause,
            why=checked_text(command.why),
            confirmed={
                path: value_at(document, path) for path in places_below(command.values) if not touches(changes, path)
            },
            changes=changes,
            closed_periods=game.ruleset.periods_ended_between(game.board, board),
            **links_of(game, command),
            **_figures_of(game, board),
            **writing_fields(written),
        )
    )


def count(game: Game, command: Count, written: Written) -> Entry:
    """Return the entry of a count of the table, which changes nothing. Raises Refused."""
    if not command.values:
        raise Refused(because("nothing_counted", "enter at least one count"))
    document, recorded = game.board.document(), game.board.document()
    put_causes(game, document, command.values)
    counted = board_by_hand(game, document, command.values).document()
    return game.entry(
        events.TableCounted(
            step=game.step + 1,
            counted={path: value_at(counted, path) for path in command.values},
            differences={
                path: [value_at(recorded, path), value_at(counted, path)]
                for path in command.values
                if value_at(recorded, path) != value_at(counted, path)
            },
            text=checked_text(command.text),
            **writing_fields(written),
        )
    )


def note(game: Game, command: Note, written: Written) -> Entry:
    game.check_step(command.about_step)
    if not command.text.strip():
        raise Refused(because("text_missing", "the note is empty"))
    return game.entry(
        events.NoteAdded(
            step=game.step + 1,
            about_step=command.about_step,
            text=checked_text(command.text),
            **writing_fields(written),
        )
    )


def close(game: Game, _: Close, written: Written) -> Entry:
    game.check_running()
    outcome = game.ruleset.scoring.outcome(game.board)
    if outcome is None:
        raise Refused(because("not_over", "the game is not over; you can abandon it, with a reason"))
    totals = [score.total for score in game.ruleset.scoring.standing(game.board)]
    return game.entry(
        events.GameClosed(step=game.step + 1, totals=totals, ranks=list(outcome.ranks), **writing_fields(written))
    )


def abandon(game: Game, command: Abandon, written: Written) -> Entry:
    game.check_running()
    if not command.why.strip():
        raise Refused(because("why_missing", "to abandon a game, give a reason"))
    return game.entry(
        events.GameAbandoned(step=game.step + 1, why=checked_text(command.why), **writing_fields(written))
    )


def reopen(game: Game, command: Reopen, written: Written) -> Entry:
    if game.status == "running":
        raise Refused(because("not_closed", "the game is open"))
    if game.revealed_at is not None:
        raise Refused(
            because(
                "revealed", "everything was revealed in step {step}: the game cannot continue", step=game.revealed_at
            )
        )
    if not command.why.strip():
        raise Refused(because("why_missing", "to reopen a game, give a reason"))
    return game.entry(events.GameReopened(step=game.step + 1, why=checked_text(command.why), **writing_fields(written)))


def _figures_of(game: Game, board: Board) -> dict[str, Any]:
    return {"columns": game.ruleset.figures(board), "marks": game.ruleset.course.marks(board)}
