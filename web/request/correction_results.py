"""The effect of a correction in one line."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.commands import Resolution
from daybook.domain.corrections import Correction, Plan
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board, Seat
from daybook.services.clock import now
from daybook.services.disputes.corrections import Completion, complete_correction, insert_forgotten_steps
from daybook.services.permissions.sights import EVERYTHING, hides_nothing, holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.web import words
from daybook.web.words import say, say_n
from daybook.web.words.say import number as number_text


def with_forgotten_steps(visit: Visit, instead: Mapping[int, Resolution]) -> dict[int, Resolution]:
    """Return a correction with the steps that it makes necessary, if the visitor sees the whole board."""
    if not instead or not hides_nothing(visit.game, visit.sight):
        return dict(instead)
    return insert_forgotten_steps(visit.game, instead)


def complete(visit: Visit, instead: Mapping[int, Resolution]) -> Completion:
    """Return a correction with decisions with which all later steps fit, if the visitor sees the board and some are found."""
    sees_board = hides_nothing(visit.game, visit.sight) or (visit.sight == EVERYTHING and not holds_sealed(visit.game))
    passes = words.GAMES[visit.rules].decisions.passes
    if instead and sees_board and (found := complete_correction(visit.game, instead, passes)):
        return found
    return Completion(with_forgotten_steps(visit, instead), [])


def plan_correction(visit: Visit, instead: Mapping[int, Resolution]) -> Correction:
    """Work out a correction. Raises Refused."""
    return Correction(visit.game, instead, "", Written(now(), "", "plan"))


def changed_figures(visit: Visit, correction: Correction, plan: Plan) -> str:
    """Say what each player gains or loses by a correction, and the winners: "Anna −$6, Ben still wins"; "" for no figure."""
    rules = visit.game.ruleset
    ledger = words.GAMES[rules.id].ledger
    shown = ledger.shown or rules.ledger.columns
    columns = sorted(rules.ledger.columns, key=lambda column: (column not in ledger.money, column not in shown))
    column = next((column for column in columns if any(plan.column_changes[column])), None)
    by_round = _changes_by_round(visit, correction.twin.board)
    parts = (
        [
            by_round.get(seat) or say("{seat} {change}", seat=name, change=words.change_label(rules.id, column, change))
            for seat, (name, change) in enumerate(zip(visit.names, plan.column_changes[column], strict=True))
            if change
        ]
        if column
        else []
    )
    if plan.over:
        recorded, corrected = (_winners(visit, board) for board in (visit.game.board, correction.twin.board))
        winners = words.join_words(corrected)
        if not corrected:
            parts.append(say("no one wins"))
        elif recorded == corrected:
            parts.append(say_n("{names} still wins", "{names} still win", len(corrected), names=winners))
        else:
            parts.append(say_n("{names} wins now", "{names} win now", len(corrected), names=winners))
    if rules.course.figure is not None and rules.course.periods:
        period, marks = rules.course.periods[-1], visit.game.figures_at(visit.game.step).marks
        if plan.marks.get(period, 0) < marks.get(period, 0):
            label = words.mark_label(rules.id, period, plan.marks[period])
            parts.append(say("{period} is open again", period=label))
    return ", ".join(parts)


def _changes_by_round(visit: Visit, corrected: Board) -> dict[Seat, str]:
    """Say of each seat what rounds of a sheet count before and after a correction: "Cleo, round 2: −10 → 20"."""
    rules, recorded = visit.game.ruleset, visit.game.board
    by_period, marks = rules.scoring.by_period, rules.course.marks(recorded)
    if by_period is None or rules.course.periods[-1] not in marks or marks != rules.course.marks(corrected):
        return {}
    found: dict[Seat, str] = {}
    for number, (before, after) in enumerate(zip(by_period(recorded), by_period(corrected), strict=True), 1):
        for seat, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == new:
                continue
            period = words.mark_label(rules.id, rules.course.periods[-1], number)
            changed = say("{place}: {was} → {now}", place=period, was=number_text(old), now=number_text(new))
            found[seat] = (
                f"{found[seat]}, {changed}"
                if seat in found
                else say("{seat}, {changed}", seat=visit.names[seat], changed=changed)
            )
    return found


def _winners(visit: Visit, board: Board) -> list[str]:
    outcome = visit.game.ruleset.scoring.outcome(board)
    return [] if outcome is None else [visit.names[seat] for seat, rank in enumerate(outcome.ranks) if rank == 1]


def impossible_sums(game: Game, corrected: Board) -> list[str]:
    """Return the warnings about the rounds of a sheet that a correction changes, each with its round."""
    grid_of = words.GAMES[game.ruleset.id].choosing.grid
    if grid_of is None:
        return []
    found = []
    for number in range(1, max(1, grid_of(corrected, 0).rounds) + 1):
        was, now = grid_of(game.board, number), grid_of(corrected, number)
        if now.warning and was.figures != now.figures:
            period = words.mark_label(game.ruleset.id, game.ruleset.course.periods[-1], number)
            said = say("{period}: {what}", period=words.begin(period, ()), what=now.warning)
            found.append(said if now.rounds else now.warning)
    return found
