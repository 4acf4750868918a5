"""Corrections far back: the table previews the result, and nothing changes silently."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain.commands import Adjust, Correct, RecordAsPlayed, Resolution
from daybook.domain.corrections import correctable
from daybook.domain.kernel.events import DecisionAsPlayed, DecisionRecorded, DecisionsTakenBack, Move
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.disputes import corrections
from daybook.services.files.validate import GameIntake
from daybook.services.play.replay import legal_decisions
from daybook.services.play.writing import Conflict
from daybook.services.store.daybook import Daybook
from daybook.services.store.printed_sheets import printed_sheet
from tests.played import play, write
from tests.refusals import refused_for

pytestmark = pytest.mark.sqlite_suffices


def first_step_of(book: Daybook, game_id: UUID, kind: str) -> int:
    """The first step of a kind."""
    for entry in book.games.get(game_id).entries:
        if isinstance(entry.event, DecisionRecorded) and entry.event.decision["type"] == kind:
            return entry.step
    raise LookupError(kind)


def other(book: Daybook, game_id: UUID, step: int) -> Move:
    """Another decision that was legal instead of a step."""
    game = book.games.get(game_id)
    event = game.entries[step].event
    assert isinstance(event, DecisionRecorded)
    return next(
        Move(event.seat, decision)
        for decision in legal_decisions(book.games.get(game_id), game.parents[step], event.seat)
        if decision != event.decision
    )


def reread(book: Daybook, game_id: UUID) -> None:
    """Read the stored record: seals, changes, boards."""
    game = book.games.get(game_id)
    intake = GameIntake(Game(game_id, game.ruleset), printed_sheet(game.ruleset.id))
    for line in book.log.lines(game_id):
        intake.apply_line(line)
    assert intake.game.document == game.document


def test_a_plan_shows_both_worlds_and_writes_nothing(book, open_table):
    id = open_table()
    play(book, id, 40)
    step, before = first_step_of(book, id, "buy_stock"), book.log.lines(id)
    plan = corrections.compute_correction_plan(book, id, {step: Resolution([other(book, id, step)])})
    game = book.games.get(id)
    assert book.log.lines(id) == before
    assert (plan.at, plan.step, plan.back_to) == (40, step, game.parents[step])
    assert plan.columns_recorded == game.figures_at(40)[0]
    assert [carried.fate for carried in plan.carried][:1] == ["new"]
    olds = [carried.old for carried in plan.carried] + plan.left
    assert olds == [value for value in game.line() if value >= step]
    assert (plan.stop is None) == (not plan.left)
    if plan.stop is not None:
        assert plan.stop.old == plan.left[0] and str(plan.stop.reason)


def test_a_correction_is_the_plan_that_was_looked_at(book, open_table):
    id = open_table()
    play(book, id, 40)
    step = first_step_of(book, id, "buy_stock")
    instead = {step: Resolution([other(book, id, step)])}
    plan = corrections.compute_correction_plan(book, id, instead)
    receipt = write(book, id, Correct(instead, "it was another colour", plan.digest), at=40, key="correct-1")
    game = book.games.get(id)
    back, right = game.entries[41].event, game.entries[42].event
    assert isinstance(back, DecisionsTakenBack) and (back.cause, back.to_step) == ("mistyped", plan.back_to)
    assert isinstance(right, DecisionRecorded) and right.corrects_step == step
    assert [getattr(entry.event, "copied_from_step", None) for entry in game.entries[43:]] == [
        carried.old for carried in plan.carried[1:]
    ]
    assert game.figures_at(game.step)[0] == plan.columns
    again = write(book, id, Correct(instead, "it was another colour", plan.digest), at=40, key="correct-1")
    assert (again.step, again.repeated) == (receipt.step, True)
    reread(book, id)


def test_another_plan_than_the_one_looked_at_is_refused(book, open_table):
    id = open_table()
    play(book, id, 20)
    step = first_step_of(book, id, "develop")
    instead = {step: Resolution([other(book, id, step)])}
    with refused_for("plan_changed"):
        write(book, id, Correct(instead, "", "0" * 32), at=20)
    play(book, id, 1)
    with pytest.raises(Conflict):
        write(book, id, Correct(instead, "", "0" * 32), at=20)
    assert book.games.get(id).step == 21


def test_doubled_step_is_left_out_and_a_forgotten_one_put_in(book, open_table):
    id = open_table()
    play(book, id, 30)
    game = book.games.get(id)
    last = game.entries[30].event
    assert isinstance(last, DecisionRecorded)
    plan = corrections.compute_correction_plan(book, id, {30: Resolution()})
    assert [carried.fate for carried in plan.carried] == ["left_out"]
    assert plan.columns == game.figures_at(29)[0]
    both = corrections.compute_correction_plan(book, id, {30: Resolution([Move(last.seat, last.decision)])})
    assert [(carried.fate, carried.old) for carried in both.carried] == [("same", 30)]
    assert both.changes == {}


def test_where_a_step_no_longer_fits_the_table_decides(book, open_table):
    id = open_table()
    play(book, id, 44)
    for step in correctable(book.games.get(id))[5:]:
        try:
            instead = {step: Resolution([other(book, id, step)])}
        except StopIteration:
            continue
        plan = corrections.compute_correction_plan(book, id, instead)
        if plan.stop is not None and len(plan.left) > 1:
            break
    assert plan.stop is not None
    kept = corrections.compute_correction_plan(book, id, instead | {plan.stop.old: Resolution(as_played=True)})
    assert len(kept.left) < len(plan.left)
    write(book, id, Correct(instead | {plan.stop.old: Resolution(as_played=True)}, "", kept.digest), at=44)
    stays = [entry.event for entry in book.games.get(id).entries if isinstance(entry.event, DecisionAsPlayed)]
    assert [event.copied_from_step for event in stays][:1] == [plan.stop.old]
    reread(book, id)


def test_places_found_by_the_table_stay_after_a_correction(book, open_table):
    id = open_table()
    play(book, id, 24)
    step = first_step_of(book, id, "run")
    write(book, id, Adjust({"/players/2/money": 77}, "counted", "table"), at=24)
    event = book.games.get(id).entries[step].event
    assert isinstance(event, DecisionRecorded)
    plan = corrections.compute_correction_plan(book, id, {step: Resolution([Move(event.seat, event.decision)])})
    assert plan.changes == {} and plan.columns["money"][2] == 77
    assert [carried.fate for carried in plan.carried][-1] == "same"


def test_illegal_move_that_stood_is_carried_with_its_corrections(book, open_table):
    id = open_table()
    play(book, id, 20)
    game = book.games.get(id)
    seat = next(seat for seat in range(3) if seat not in game.ruleset.course.to_act(game.board))
    write(book, id, RecordAsPlayed(seat, {"type": "end_turn"}, {"/players/0/money": 50}, "it stood"), at=20)
    step = first_step_of(book, id, "run")
    event = game.entries[step].event
    assert isinstance(event, DecisionRecorded)
    plan = corrections.compute_correction_plan(book, id, {step: Resolution([Move(event.seat, event.decision)])})
    assert plan.changes == {} and plan.stop is None and plan.columns["money"][0] == 50


@pytest.mark.parametrize(
    ("instead", "reason"),
    [({}, "nothing_corrected"), ({0: Resolution()}, "not_correctable"), ({99: Resolution()}, "unknown_step")],
)
def test_what_cannot_be_corrected_is_refused(book, open_table, instead, reason):
    id = open_table()
    play(book, id, 5)
    with refused_for(reason):
        corrections.compute_correction_plan(book, id, instead)


def test_a_fact_of_the_table_is_carried_as_it_was_recorded(book, open_table):
    id = open_table()
    play(book, id, 40)
    step = first_step_of(book, id, "buy_stock")
    game = book.games.get(id)
    event = game.entries[step].event
    assert isinstance(event, DecisionRecorded)
    plan = corrections.compute_correction_plan(book, id, {step: Resolution([Move(event.seat, event.decision)])})
    facts = [carried for carried in plan.carried if carried.seat == TABLE]
    recorded = [
        entry.event.decision
        for entry in game.entries[step:]
        if isinstance(entry.event, DecisionRecorded) and entry.event.seat == TABLE
    ]
    assert [fact.decision for fact in facts] == recorded and recorded
