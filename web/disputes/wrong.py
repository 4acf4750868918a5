"""Page "Something is wrong": what the user can do about a step."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, request, url_for
from werkzeug import Response

from daybook.domain.commands import Resolution, TakeBack
from daybook.domain.corrections import correctable
from daybook.domain.disputes import enters_earlier_round, standing_step
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import BoardAdjusted, DecisionRecorded, GameClosed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from daybook.domain.sealed_entries import before_seals
from daybook.services.disputes.claims import can_propose, ended_round, round_left_out, round_recorded
from daybook.services.league import late_players
from daybook.services.names import BadNameError
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.services.play.recording import turn_steps
from daybook.services.play.replacing import swap_seats
from daybook.services.play.replay import StepShown
from daybook.services.play.writing import Writer
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.disputes import side_by_side
from daybook.web.disputes.wrong_figure import figures_to_claim
from daybook.web.recording.grid import recorded_cell
from daybook.web.request.access import book, render_game_page, visit_game
from daybook.web.request.clubs import club_reason
from daybook.web.request.errors import NoSuchStepError
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    key_sent,
    parse_points,
    see_other,
    text_sent,
    whole_number_sent,
)
from daybook.web.request.long_work import takes_long
from daybook.web.words import reason_sentence, say
from daybook.web.words.dispute_words import round_label, turn_label
from daybook.web.words.record_words import joined_note

page = Blueprint("wrong", __name__)

MIN_STEPS_LISTED = 8  # to choose from, in whole turns


class RemedyOffered(Frozen):
    """One thing that can be done: where it is done, what it is, and when it is the right thing."""

    address: str
    says: str
    when: str


class StepsOfTurn(Frozen):
    """Steps of one turn to choose from, the newest first. label: "" for steps that are a turn each."""

    label: str
    steps: list[StepShown]


@page.get("/games/<uuid:game_id>/wrong")
def wrong(game_id: UUID) -> str:
    """Let the user choose a step, the newest first; then show what they can do about it."""
    visit = visit_game(game_id)
    game = visit.game
    require(visit, "claim")
    step = whole_number_sent("step") if "step" in request.args else game.heads[-1]
    if not 0 <= step <= game.step:
        raise NoSuchStepError(game)
    if "step" not in request.args or "list" in request.args:
        return _choose_step(visit, step)
    requested, step = step, standing_step(game, step)
    shown = privacy_of_visit(visit).redact_step(next(replay.iter_steps(game, visit.sight, step - 1)))
    return render_game_page(
        "wrong.html",
        visit,
        step=step,
        requested=requested,
        shown=shown,
        remedies=_remedies_offered(visit, step),
        turn=turn_seen(visit, step),
        round_label=round_label,
        turn_remedies=_turn_remedies_offered(visit, step),
    )


def _choose_step(visit: Visit, newest: int) -> str:
    """List the last turns until a step, each step with its own page."""
    game, turns, listed = visit.game, list[list[int]](), 0
    line = [step for step in game.line_back(newest) if step]
    steps = iter(line if newest in line[:1] else [newest, *line])
    for step in steps:
        if listed >= MIN_STEPS_LISTED:
            break
        turn = [older for older in reversed(turn_steps(game, step)) if older <= step] or [step]
        for _ in turn[1:]:
            next(steps)
        turns.append(turn)
        listed += len(turn)
    view, chosen = privacy_of_visit(visit), [step for turn in turns for step in turn]
    shown = {step.step: view.redact_step(step) for step in replay.select_steps(game, visit.sight, sorted(chosen))}
    groups = list[StepsOfTurn]()
    for turn in turns:
        label = turn_label(game, visit.names, turn) if turn[1:] else round_label(game, turn[0])
        if groups and not turn[1:] and label == groups[-1].label:
            groups[-1].steps.append(shown[turn[0]])
        else:
            groups.append(StepsOfTurn(label, [shown[step] for step in turn]))
    return render_game_page(
        "wrong_step.html",
        visit,
        newest=newest,
        turns=groups,
        earlier=next((step for step in line if step < chosen[-1]), None),
        later=newest != game.heads[-1],
        counts=visit.running and may(visit, "correct"),
        key=fresh_key(),
        swaps=may(visit, "manage") and len(visit.names) > 1,
    )


@page.post("/games/<uuid:game_id>/seats/swap")
def swap(game_id: UUID) -> Response:
    """Swap the players of two seats from the start."""
    visit = visit_game(game_id)
    grant = require(visit, "manage")
    first, second = whole_number_sent("seat"), whole_number_sent("other_seat")
    if first == second or not {first, second} <= {*range(len(visit.names))}:
        abort(400)
    says = say(
        "Seats {first} and {second} are swapped from the start: every step is shown with the other player’s name.",
        first=first + 1,
        second=second + 1,
    )
    try:
        swap_seats(book(), visit.game, (first, second), says, by=Writer(grant.by, visit.grants), key=key_sent())
        flash(says)
    except Refused as no:
        flash(say("Nothing was saved: {reason}.", reason=reason_sentence(no.reason)), "wrong")
    except BadNameError as bad:
        flash(bad.says, "wrong")
    return see_other("record.record", game_id=game_id)


@page.post("/games/<uuid:game_id>/players")
@takes_long("POST")
def add_player(game_id: UUID) -> Response:
    """Let a player without a seat join: the game continues in a new record."""
    visit = visit_game(game_id)
    grant, name = require(visit, "manage"), " ".join(text_sent("name").split())
    try:
        points = parse_points(text_sent("points") or "0")
        new_id = late_players.add_player(
            book(),
            visit.game,
            name,
            points,
            joined_note(name),
            by=Writer(grant.by),
            person=visit.person or "",
            key=key_sent(),
        )
    except (Refused, IllegalDecision) as no:
        reason = club_reason(no.reason) if isinstance(no, Refused) else reason_sentence(no.reason)
        flash(say("Nothing was saved: {reason}.", reason=reason.rstrip(".")), "wrong")
        return see_other("record.record", game_id=game_id)
    except (BadNameError, BadTextError) as bad:
        flash(bad.says if isinstance(bad, BadNameError) else str(bad), "wrong")
        return see_other("record.record", game_id=game_id)
    flash(say("{name} joins. The game continues here, and all links lead here.", name=name))
    return see_other("record.record", game_id=new_id)


def _remedies_offered(visit: Visit, step: int) -> list[RemedyOffered]:
    """Return what can be done about a step, what is most likely first."""
    game = visit.game
    corrects = visit.takes_corrections and may(visit, "correct")
    stands = step in correctable(game)
    ended = ended_round(game, step) if corrects and stands else 0
    found = _round_remedies(game, step, ended) if ended else _step_remedies(visit, step)
    if figure := _figure_remedy(visit, step):
        found.insert(0 if _has_nothing_to_mistype(game, step) else len(found), figure)
    found.append(
        RemedyOffered(
            url_for("claims.new", game_id=game.id, step=step),
            say("A rule was broken"),
            say("The table or the umpire decides."),
        )
    )
    if corrects and visit.running:
        found.append(
            RemedyOffered(
                url_for("count.count", game_id=game.id), say("Count it"), say("Enter the amounts on the table.")
            )
        )
    if stands and visit.running and may(visit, TakeBack, to_step=game.parents[step]):
        found.append(
            RemedyOffered(
                url_for("record.undo", game_id=game.id, to_step=game.parents[step]),
                say("Undo it"),
                say("This step and all later ones are undone."),
            )
        )
    return found


def _step_remedies(visit: Visit, step: int) -> list[RemedyOffered]:
    """Return how the visitor replaces a step, or proposes another decision; first to leave out a step entered twice."""
    game = visit.game
    corrects = visit.takes_corrections and may(visit, "correct")
    if corrects and step in correctable(game):
        address, when = url_for("correct.correct", game_id=game.id, step=step), say("Correct it; later steps are kept.")
    elif visit.takes_corrections and can_propose(game, step):
        address = url_for("mistyped.mistyped", game_id=game.id, step=step)
        when = say("The scorekeeper saves your correction.")
    else:
        return []
    found = [RemedyOffered(address, _mistake_label(game, step), when)]
    if _repeats_step_before(visit, step):
        packed = side_by_side.pack_resolutions({step: Resolution()})
        found.insert(
            0,
            RemedyOffered(
                url_for("correct.correct", game_id=game.id, c=packed)
                if corrects
                else url_for("claims.new", game_id=game.id, step=step, c=packed),
                say("It never happened"),
                say("It was entered twice. Leave out this step; later steps are kept.")
                if corrects
                else say("It was entered twice. The scorekeeper leaves it out."),
            ),
        )
    return found


def _mistake_label(game: Game, step: int) -> str:
    """Name the mistake of a step that is replaced: a figure, what the table drew or rolled, or another decision."""
    event = game.entries[step].event
    if isinstance(event, DecisionRecorded):
        if recorded_cell(game, event, game.board_at(game.parents[step])) is not None:
            return say("The figure should be …")
        if event.seat == TABLE and len(event.decision) > 1:
            return say("Something else came up")
    return say("It was mistyped")


def _repeats_step_before(visit: Visit, step: int) -> bool:
    """Check if a player's decision is the same as theirs in the step before, both fully visible to the visitor."""
    game = visit.game
    if not game.parents[step]:
        return False
    before, event = game.entries[game.parents[step]].event, game.entries[step].event
    if not (isinstance(before, DecisionRecorded) and isinstance(event, DecisionRecorded)):
        return False
    if event.seat == TABLE or (before.seat, before.decision) != (event.seat, event.decision):
        return False
    view, steps = privacy_of_visit(visit), [game.parents[step], step]
    shown = map(view.redact_step, replay.select_steps(game, visit.sight, steps))
    return all(step_shown.decision == event.decision for step_shown in shown)


def _has_nothing_to_mistype(game: Game, step: int) -> bool:
    """Check if only figures can be wrong: not a decision, or one without a choice that ended a round."""
    event = game.entries[step].event
    if not isinstance(event, DecisionRecorded) or ended_round(game, step):
        return True
    return bool(event.closed_periods) and len(event.decision) == 1


def _figure_remedy(visit: Visit, step: int) -> RemedyOffered | None:
    """Return how the visitor corrects a figure of the board, or proposes it; on a sheet, where its figures are."""
    game, says = visit.game, say("The figure should be …")
    corrects, event = may(visit, "correct"), game.entries[step].event
    if game.ruleset.course.figure is not None and (ended_round(game, step) or isinstance(event, GameClosed)):
        return RemedyOffered(_address_of_figures(game, step), says, say("Choose the figure."))
    if visit.running and corrects and game.ruleset.course.figure is None:
        return RemedyOffered(
            url_for("adjust.adjust", game_id=game.id, step=step), says, say("Enter what is really on the table.")
        )
    if figures_to_claim(visit):
        address = url_for("wrong_figure.wrong_figure", game_id=game.id, step=step)
        when = (
            say("Change the number. Then save it.") if corrects else say("Change the number. The scorekeeper saves it.")
        )
        return RemedyOffered(address, says, when)
    if isinstance(event, BoardAdjusted):
        address = url_for("claims.new", game_id=game.id, step=step)
        return RemedyOffered(address, says, say("Write the right figure. The scorekeeper enters it."))
    return None


def _address_of_figures(game: Game, step: int) -> str:
    """Return the address of the figures of a sheet's round: its table, or its steps once the game is over."""
    if game.status == "running":
        return url_for("record.record", game_id=game.id, round=ended_round(game, step))
    return url_for("wrong.wrong", game_id=game.id, step=step, list="yes")


def _round_remedies(game: Game, step: int, number: int) -> list[RemedyOffered]:
    """Return what can be done about the end of a round: open it again with its figures, or leave it out with them."""
    reopened = side_by_side.pack_resolutions({step: Resolution()})
    emptied = side_by_side.pack_resolutions(round_left_out(game, step, number))
    return [
        RemedyOffered(
            url_for("correct.correct", game_id=game.id, c=reopened),
            say("The round was not over"),
            say("It is open again, and all its figures stay."),
        ),
        RemedyOffered(
            url_for("correct.correct", game_id=game.id, c=emptied),
            say("Leave out the whole round"),
            say("All its figures are removed. Later rounds move up by one."),
        ),
    ]


def round_steps(game: Game, step: int) -> list[int]:
    """Return the steps of the round of a sheet in which a figure was entered, until its end; none for other games."""
    course, event = game.ruleset.course, game.entries[step].event
    if course.figure is None or step in game.struck_steps() or not isinstance(event, DecisionRecorded):
        return []
    number = 0 if enters_earlier_round(game, step) else round_recorded(game, step)
    of_round = (other for other in game.line() if other and number and round_recorded(game, other) == number)
    return [other for other in of_round if not enters_earlier_round(game, other)]


def turn_seen(visit: Visit, step: int) -> list[StepShown]:
    """Return the steps of a step's turn, or of its round on a sheet, as the viewer sees them; none for a single step."""
    steps = turn_steps(visit.game, step) or round_steps(visit.game, step)
    view = privacy_of_visit(visit)
    if len(steps) < 2:
        return []
    return [view.redact_step(shown) for shown in replay.select_steps(visit.game, visit.sight, steps)]


def _turn_remedies_offered(visit: Visit, step: int) -> list[RemedyOffered]:
    """Return what can be done about the whole turn of a step; nothing for a turn of one step."""
    game, steps = visit.game, turn_steps(visit.game, step)
    if len(steps) < 2:
        return _remedies_of_round(visit, step, round_steps(game, step))
    first, found = steps[0], list[RemedyOffered]()
    corrects = visit.takes_corrections and may(visit, "correct")
    back = visit.may_go_back(before_seals(game, game.parents[first]))
    if back is not None:
        found.append(
            RemedyOffered(
                url_for("record.undo", game_id=game.id, to_step=back),
                say("Take back this whole turn"),
                say("All its steps and all later ones are undone."),
            )
        )
    if corrects and first in correctable(game):
        found.append(
            RemedyOffered(
                url_for("correct.correct", game_id=game.id, step=first),
                say("Correct it from its first step"),
                say("Later steps are kept as far as they fit."),
            )
        )
    if corrects or (visit.takes_corrections and can_propose(game, first)):
        packed = side_by_side.pack_resolutions(
            dict.fromkeys(steps, Resolution()) if corrects else {first: Resolution()}
        )
        found.append(
            RemedyOffered(
                url_for("correct.correct", game_id=game.id, c=packed)
                if corrects
                else url_for("claims.new", game_id=game.id, step=first, turn="yes", c=packed),
                say("It never happened"),
                say("Leave out the whole turn; later steps are kept.")
                if corrects
                else say("Propose to leave out the whole turn. The scorekeeper saves it."),
            )
        )
    found.append(
        RemedyOffered(
            url_for("claims.new", game_id=game.id, step=first, turn="yes"),
            say("Raise a claim on the whole turn"),
            say("The table or the umpire decides."),
        )
    )
    return found


def _remedies_of_round(visit: Visit, step: int, steps: list[int]) -> list[RemedyOffered]:
    """Return what can be done about the whole round of a sheet; nothing for a round of one step."""
    if len(steps) < 2:
        return []
    game, first, found = visit.game, steps[0], list[RemedyOffered]()
    corrects, number = visit.takes_corrections and may(visit, "correct"), ended_round(visit.game, steps[-1])
    if corrects and number and step != steps[-1]:  # its end offers that already
        found += _round_remedies(game, steps[-1], number)
    elif not corrects and visit.takes_corrections and can_propose(game, first):
        packed = side_by_side.pack_resolutions({first: Resolution()})
        found.append(
            RemedyOffered(
                url_for("claims.new", game_id=game.id, step=first, turn="yes", c=packed),
                say("Leave out the whole round"),
                say("The scorekeeper sees your proposal and saves it."),
            )
        )
    found.append(
        RemedyOffered(
            url_for("claims.new", game_id=game.id, step=first, turn="yes"),
            say("Raise a claim on the whole round"),
            say("The table or the umpire decides."),
        )
    )
    return found
