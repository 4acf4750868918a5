"""Claims pages: a disputed step, the rules' opinion, rulings and their effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, request, url_for
from markupsafe import Markup
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from daybook.domain import commands, disputes
from daybook.domain.disputes import PHOTOS_LIMIT, Claim
from daybook.domain.kernel.by_hand import adjusted_board
from daybook.domain.kernel.chronicle import TEXT_LIMIT, Refused
from daybook.domain.kernel.events import Ruling
from daybook.domain.kernel.field_types import RULE_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision, Seat
from daybook.services.clock import now
from daybook.services.disputes import claims
from daybook.services.disputes.claims import RulingPreview
from daybook.services.disputes.opinion import Opinion, opinion_on_step, rewind_cost
from daybook.services.disputes.umpires import appeal_hours, umpires_of_game
from daybook.services.people import photos
from daybook.services.people.photos import InvalidPhotoError
from daybook.services.permissions import club_roles
from daybook.services.permissions.actions import has_role, may, require
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replay import StepShown
from daybook.services.play.writing import Receipt, Writer
from daybook.services.reading_limits import PHOTO_BYTES, PHOTOS_BYTES
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.disputes import side_by_side
from daybook.web.disputes.claim_access import MOVED_ON, claim_numbered, draw_ruled_board, figure_changes, ruling_umpires
from daybook.web.disputes.correct import correction_result, page_after_correction
from daybook.web.disputes.wrong import turn_seen
from daybook.web.request.access import book, grants_of, refusal_sentence, render_game_page, visit_game, write_sent
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.claim_notices import (
    acceptable_resolutions,
    claim_notice,
    proposed_correction,
    right_figures_to_save,
)
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_sent, whole_number_sent, why_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.regions import KEY_MARK
from daybook.web.request.template_globals import as_sentence, author_labels, capitalize_first
from daybook.web.words import say
from daybook.web.words.cells import cell_of
from daybook.web.words.dispute_words import claim_state_label, first_decider, round_label
from daybook.web.words.places import place_on_board
from daybook.web.words.record_words import USUAL_STATEMENTS

page = Blueprint("claims", __name__)


@page.url_value_preprocessor
def limit_photo_requests(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Allow large bodies only for users with the right to raise a claim."""
    if endpoint != "claims.new" or request.method != "POST" or not values:
        return
    if not has_role(grants_of(values["game_id"]), values["game_id"], "claim"):
        return
    request.max_content_length = PHOTOS_BYTES
    try:
        request.files  # noqa: B018  read now, to answer a too large request with our own page
    except RequestEntityTooLarge:
        abort(413, "photos")


# --- lists and forms -------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:game_id>/claims")
def all_claims(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    return render_game_page(
        "claims.html",
        visit,
        claims=claims.claims_open_first(game),
        state_words=lambda claim: _state_words(visit, claim),
        umpires=umpires_of_game(book(), game, kept),
        role=visit.role,
        key=fresh_key(),
        umpires_here=visit.person is not None and club_roles.may_umpire(book(), visit.person, game, kept),
    )


@page.route("/games/<uuid:game_id>/claims/new", methods=["GET", "POST"])
@takes_long("POST")
def new(game_id: UUID) -> Response:
    """Raise a claim on a step."""
    visit = visit_game(game_id)
    game = visit.game
    grant = require(visit, "claim")
    step = whole_number_sent("step")
    if not 0 <= step <= game.step:
        abort(404)
    resolution = side_by_side.unpack_resolutions(request.values.get("c", "")).get(step)
    moves = [] if resolution is None else resolution.moves
    turn = turn_seen(visit, step) if request.values.get("turn") else []
    wrong: dict[str, str] = {}
    if request.method == "POST":
        sent = request.form
        seat = None if sent.get("seat", "") == "" else whole_number_sent("seat")
        grant = require(visit, commands.RaiseClaim, seat=seat)
        try:
            with photos.photo_slot():
                files = [file.read() for file in request.files.getlist("photo") if file.filename]
                written = claims.raise_claim(
                    book(),
                    game_id,
                    step,
                    _as_suggested(sent.get("statement", "")),
                    rule=sent.get("rule", ""),
                    why=sent.get("why", ""),
                    seat=seat,
                    images=files,
                    moves=moves,
                    leaves_out=resolution is not None and not moves,
                    last_step=turn[-1].step if turn else None,
                    stranger=stranger_mark(game_id) if files else "",
                    by=grant.by,
                    key=sent.get("key", ""),
                )
            return see_other("claims.claim", game_id=game_id, number=written.step)
        except InvalidPhotoError as bad:
            reason = capitalize_first(words.reason_sentence(bad.reason))
            wrong["photo"] = say("{reason}. Choose the photos again.", reason=reason)
        except photos.PhotosBusyError:
            wrong["photo"] = say("Other photos are being processed. Choose these again in a moment.")
        except MovedOnError:  # a page that a browser kept, from which another claim was sent before
            wrong["form"] = say(MOVED_ON)
        except Refused as no:
            field = {"text_missing": "statement", "too_long": "form"}.get(no.reason.key, "form")
            wrong[field] = as_sentence(words.reason_sentence(no.reason))
    about = _step_seen(visit, step)
    return make_response(
        render_game_page(
            "claim_new.html",
            visit,
            step=step,
            about=about,
            rule_ids=_rules_of(game, about),
            wrong=wrong,
            sent=request.form or {"statement": _usual_statement(visit, turn, resolution)},
            moves=moves,
            leaves_out=resolution is not None and not moves,
            turn=turn,
            round_label=round_label,
            packed=request.values.get("c", ""),
            key=fresh_key(),
            seats=visit.seats_spoken_for,
            keeps=grant.role == "scorekeeper",
            photos_limit=PHOTOS_LIMIT,
            text_limit=TEXT_LIMIT,
            rule_limit=RULE_LIMIT,
            megabytes=PHOTO_BYTES // 10**6,
        ),
        422 if wrong else 200,
    )


def _as_suggested(statement: str) -> str:
    """Return the English of a suggested statement, so that each reader sees it in their language."""
    return next((usual for usual in USUAL_STATEMENTS if say(usual) == statement), statement)


def _usual_statement(visit: Visit, turn: Sequence[StepShown], resolution: commands.Resolution | None) -> str:
    """Return the statement that a new claim begins with; "" for a claim that only its author can word."""
    if turn and round_label(visit.game, turn[0].step):
        wrong_round = say("{round} is wrong", round=round_label(visit.game, turn[0].step))
        return wrong_round if resolution is None else say("This round never happened")
    seat = first_decider(visit.game, [shown.step for shown in turn])
    if resolution is not None and resolution.moves:
        return say("It was mistyped")
    if resolution is not None:
        return say("This step never happened") if seat is None else say("This turn never happened")
    return "" if seat is None else say("{name}’s whole turn is wrong", name=visit.names[seat])


def _rules_of(game: Game, shown: StepShown) -> list[str]:
    """Return the rules that concern a step, as choices."""
    rules = [effect["rule"] for effect in shown.effects]
    row = game.ruleset.by_tag.get((shown.decision or {}).get("type", ""))
    if row is not None:
        rules += [rule for rule, _ in row.rules]
    return list(dict.fromkeys(rule for rule in rules if rule))


def _step_seen(visit: Visit, step: int) -> StepShown:
    """Return a step as the visitor may see it."""
    return privacy_of_visit(visit).redact_step(next(replay.iter_steps(visit.game, visit.sight, step - 1)))


# --- a claim ---------------------------------------------------------------------------------------------------------


class ProposalShown(Frozen):
    """Proposed ruling as far as visible.

    Args:
        missing: seats that have not consented.
        mine: those of them that the visitor speaks for.
        comes_to: None if it may not be shown or is impossible now.
        board: the resulting board.
    """

    step: int
    ruling: Ruling
    to_step: int | None
    why: str
    values: dict[str, Any]
    moves: list[tuple[Seat, dict[str, Any]]]
    missing: list[Seat]
    mine: list[Seat]
    comes_to: RulingPreview | None
    stale: str
    board: Markup | None


@page.get("/games/<uuid:game_id>/claims/<int:number>")
@takes_long("GET")
def claim(game_id: UUID, number: int) -> Response:
    return _claim_page(visit_game(game_id), number)


def _claim_page(visit: Visit, number: int, error: str = "", status: int = 200) -> Response:
    """Render a claim: its story, the rules' opinion, and possible actions."""
    game, kept = visit.game, visit.kept
    found, umpires, view = claim_numbered(game, number), umpires_of_game(book(), game, kept), privacy_of_visit(visit)
    ruling, mine = found.ruling, ruling_umpires(visit, found, umpires)
    story = [view.redact_step(step) for step in claims.claim_story(game, number, visit.sight)]
    opinion = opinion_on_step(game, found.raised.about_step, visit.sight)
    cost = (
        None if opinion.cost is None else rewind_cost(game, claims.default_rewind_step(game, found.raised.about_step))
    )
    before = game.board_at(game.parents[found.raised.about_step])
    figure = opinion.decision is not None and cell_of(game, opinion.decision, before) is not None
    by = {grant.place for grant in visit.grants}
    appealable = (
        ruling is not None
        and found.state == "ruled"
        and found.appeal is None
        and ruling.umpire is not None
        and now() < ruling.appeal_until
    )
    notice, instead = claim_notice(visit, found), acceptable_resolutions(visit, found)
    proposed = instead or (proposed_correction(visit, found) if may(visit, "see_all") else {})
    persons = disputes.umpires(game)
    other_umpires = (
        []
        if ruling is None or ruling.umpire is None
        else [umpire for umpire in umpires if umpire.person != persons[ruling.umpire]]
    )
    return make_response(
        render_game_page(
            "claim.html",
            visit,
            place_on_board=place_on_board,
            claim=found,
            state=disputes.settled_state(game, found),
            state_words=_state_words(visit, found),
            about=_step_seen(visit, found.raised.about_step),
            story=_fold_decisions(story),
            turn=turn_seen(visit, found.raised.about_step),
            round_label=round_label,
            opinion=opinion,
            legal=None if figure else _legal_labels(visit, opinion),
            figure=figure,
            cost=cost,
            costs=[] if cost is None else figure_changes(game, cost.columns_now, cost.columns),
            meant=next(step for step in story if step.step == number).entry.get("moves", []),
            says=notice.says,
            disputed=disputes.disputed_steps(game, found),
            counts_now=disputes.standing_step(game, found.raised.about_step),
            result=correction_result(visit, proposed) if proposed else None,
            accepts=bool(instead),
            saves_figures=bool(right_figures_to_save(visit, found)),
            correct=_correction_address(visit, found, instead),
            proposed=_proposal_shown(visit, found, story),
            asked_to_agree=[name for seat, name in enumerate(visit.names) if visit.own_seats != [seat]],
            ruling=ruling,
            umpires=umpires,
            umpire_names={umpire.number: umpire.name for umpire in umpires},
            photos=_photos_shown(visit, found),
            key=KEY_MARK,
            seats=visit.seats_spoken_for,
            settles=may(visit, "claim"),
            my_umpires=mine,
            appealable=appealable,
            others=other_umpires,
            keeps=may(visit, "manage"),
            wrong=error,
            view=view,
            text_limit=TEXT_LIMIT,
            withdraws=disputes.settled_state(game, found) == "open"
            and may(visit, "claim")
            and bool(disputes.places_of_claimant(game, found) & by),
            closes=found.state == "ruled"
            and ruling is not None
            and now() >= ruling.appeal_until
            and (may(visit, "claim") or bool(mine)),
            changes=figure_changes,
        ),
        status,
    )


def _fold_decisions(story: Sequence[StepShown]) -> list[list[StepShown]]:
    """Group the decisions that follow one another in a claim's story, such as those of a ruling; others stay single."""
    groups = groupby(story, key=lambda shown: shown.step if shown.decision is None else "decisions")
    return [[*steps] for _, steps in groups]


def _correction_address(visit: Visit, claim: Claim, instead: Mapping[int, commands.Resolution]) -> str:
    """Return the address of the correction that a claim asks for; "" without the right to correct, or once done."""
    game, step = visit.game, disputes.disputed_steps(visit.game, claim)[0]
    if instead:
        return url_for("correct.correct", game_id=game.id, c=side_by_side.pack_resolutions(instead))
    if not (visit.takes_corrections and may(visit, "correct") and claims.can_propose(game, step)):
        return ""
    if disputes.settled_state(game, claim) not in ("open", "appealed"):
        return ""
    return url_for("correct.correct", game_id=game.id, step=step)


def _state_words(visit: Visit, claim: Claim) -> str:
    """Say how far a claim is; of a figure that was entered again also its author, and the new figure if visible."""
    game, state = visit.game, disputes.settled_state(visit.game, claim)
    if state == "changed" and claim.raised.figures:
        corrected = disputes.step_of_figures(game, claim)
        assert corrected is not None
        return say("settled: {what}", what=words.sentence(visit.rules, _step_seen(visit, corrected), visit.names))
    step = disputes.step_of_change(game, claim)
    if state != "changed" or step is None:
        return claim_state_label(state)
    shown = privacy_of_visit(visit).redact_step(next(replay.select_steps(game, visit.sight, [step])))
    (who,) = author_labels([shown.by], visit.names, visit.writers)
    value = next((effect["value"] for effect in shown.effects if "value" in effect), None)
    if value is None:
        return say("settled: {who} changed it", who=who)
    return say("settled: {who} changed it to {figure}", who=who, figure=value)


def _legal_labels(visit: Visit, opinion: Opinion) -> list[str] | None:
    if opinion.legal is None:
        return None
    return list(dict.fromkeys(words.sentence(visit.rules, plain, visit.names) for plain in opinion.legal))


def _photos_shown(visit: Visit, claim: Claim) -> list[tuple[str, int, int]]:
    """Return the photos the visitor may see, with their sizes, without removed ones."""
    shown = []
    for photo_hash in claim.raised.photos:
        if (
            may(visit, "see_photo", hash=photo_hash)
            and (size := photos.photo_size(book(), visit.game.id, photo_hash)) is not None
        ):
            shown.append((photo_hash, *size))
    return shown


def _proposal_shown(visit: Visit, claim: Claim, story: Sequence[StepShown]) -> ProposalShown | None:
    game, proposal = visit.game, claim.proposal
    if proposal is None or not claim.awaits_ruling:
        return None
    shown = next(step for step in story if step.step == proposal.step).entry
    consents = claim.consents(proposal.step)
    missing = [seat for seat in range(len(game.opening.seats)) if seat not in consents]
    comes_to, stale = None, ""
    if proposal.ruling != "adjusted" or may(visit, "see_all"):
        try:
            comes_to = claims.preview_ruling(
                game, claim.number, proposal.ruling, to=proposal.to_step, moves=proposal.moves, values=proposal.values
            )
        except (Refused, IllegalDecision) as no:
            stale = words.reason_sentence(no.reason)
    return ProposalShown(
        proposal.step,
        proposal.ruling,
        proposal.to_step,
        proposal.why,
        shown.get("values", {}),
        [(move["seat"], move["decision"]) for move in shown.get("moves", [])],
        missing,
        visit.seats_to_agree(claim),
        comes_to,
        stale,
        draw_ruled_board(visit, comes_to, proposal.ruling, proposal.to_step, proposal.moves),
    )


# --- what may be done ---------------------------------------------------------------------------------------------


@page.post("/games/<uuid:game_id>/claims/<int:number>/consent")
def consent(game_id: UUID, number: int) -> Response:
    visit = visit_game(game_id)
    said = commands.ConsentToRuling(number, whole_number_sent("proposal"), whole_number_sent("seat"))
    return _write_and_show(visit, number, lambda: write_sent(visit, said))


@page.post("/games/<uuid:game_id>/claims/<int:number>/accept")
@takes_long("POST")
def accept(game_id: UUID, number: int) -> Response:
    """Save the correction that a claim proposes; if it fits only in part, show it first."""
    visit = visit_game(game_id)
    require(visit, "correct")
    found = claim_numbered(visit.game, number)
    if found.raised.figures:
        return _accept_figures(visit, found)
    instead = acceptable_resolutions(visit, found)
    if not instead:
        return _claim_page(visit, number, say(MOVED_ON), 409)
    result = correction_result(visit, instead)
    if result.plan.stop is not None:
        return see_other("correct.correct", game_id=game_id, c=side_by_side.pack_resolutions(result.instead))
    said = commands.Correct(result.instead, found.raised.statement, text_sent("digest") or result.plan.digest)
    try:
        receipt = write_sent(visit, said, whole_number_sent("at"))
    except MovedOnError:
        return _claim_page(visit_game(game_id), number, say(MOVED_ON), 409)
    except Refused as refusal:
        return _claim_page(visit, number, refusal_sentence(visit, refusal), 422)
    flash(" ".join([as_sentence(say("The correction is saved: {result}", result=result.says)), *result.warnings]))
    return page_after_correction(visit, result.plan, receipt.step)


def _accept_figures(visit: Visit, claim: Claim) -> Response:
    """Correct the figures that a claim proposes."""
    values = right_figures_to_save(visit, claim)
    if not values:
        return _claim_page(visit, claim.number, say(MOVED_ON), 409)
    said = commands.Adjust(values, claim.raised.statement, "mistyped", answers_step=claim.number)
    try:
        receipt = _adjust_also_closed(visit, said, whole_number_sent("at"))
    except MovedOnError:
        return _claim_page(visit_game(visit.game.id), claim.number, say(MOVED_ON), 409)
    except Refused as refusal:
        return _claim_page(visit, claim.number, refusal_sentence(visit, refusal), 422)
    fresh = visit_game(visit.game.id)
    flash(as_sentence(words.sentence(fresh.rules, _step_seen(fresh, receipt.step), fresh.names)))
    return see_other("record.record", game_id=visit.game.id)


def _adjust_also_closed(visit: Visit, adjustment: commands.Adjust, at: int) -> Receipt:
    """Correct figures; a closed game is reopened for it, and closed again if it is still over."""
    game = visit.game
    if game.status != "closed":
        return write_sent(visit, adjustment, at)
    board, _ = adjusted_board(game, adjustment.values)  # a refusal leaves the game closed
    at = write_sent(visit, commands.Reopen(adjustment.why), at, ".open").step
    receipt = write_sent(visit_game(game.id), adjustment, at)
    if game.ruleset.scoring.outcome(board) is not None:
        write_sent(visit_game(game.id), commands.Close(), receipt.step, ".close")
    return receipt


@page.post("/games/<uuid:game_id>/claims/<int:number>/as-proposed")
def as_proposed(game_id: UUID, number: int) -> Response:
    """Let an umpire adopt a proposal as the ruling."""
    visit = visit_game(game_id)
    umpire, proposal = whole_number_sent("umpire"), whole_number_sent("proposal")
    proposed = claim_numbered(visit.game, number).proposal
    require(visit, commands.RuleOnClaim, umpire=umpire, ruling="play_on", proposal=proposal)
    if proposed is None or proposed.step != proposal:
        return _claim_page(visit, number, say("The proposal has changed: read it again."), 409)
    why, hours = why_sent(), appeal_hours(book(), game_id)
    said = commands.RuleOnClaim(number, proposed.ruling, why, umpire, hours, proposed.to_step, proposal=proposal)
    return _write_and_show(visit, number, lambda: write_sent(visit, said, whole_number_sent("at")))


@page.post("/games/<uuid:game_id>/claims/<int:number>/appeal")
def appeal(game_id: UUID, number: int) -> Response:
    visit = visit_game(game_id)
    seat = None if text_sent("seat") == "" else whole_number_sent("seat")
    said = commands.AppealRuling(number, whole_number_sent("umpire"), why_sent(), seat)
    return _write_and_show(visit, number, lambda: write_sent(visit, said))


@page.post("/games/<uuid:game_id>/claims/<int:number>/withdraw")
def withdraw(game_id: UUID, number: int) -> Response:
    """Withdraw a claim with the grant that raised it, or another fitting one."""
    visit, key = visit_game(game_id), key_sent()
    fits = disputes.places_of_claimant(visit.game, claim_numbered(visit.game, number))
    by = next((grant.by for grant in visit.grants if grant.place in fits), require(visit, commands.WithdrawClaim).by)
    command, writer = commands.WithdrawClaim(number, why_sent()), Writer(by, visit.grants)
    return _write_and_show(
        visit, number, lambda: recording.append_command(book(), game_id, command, by=writer, key=key)
    )


@page.post("/games/<uuid:game_id>/claims/<int:number>/close")
def close(game_id: UUID, number: int) -> Response:
    visit = visit_game(game_id)
    return _write_and_show(visit, number, lambda: write_sent(visit, commands.CloseClaim(number)))


def _write_and_show(visit: Visit, number: int, write: Callable[[], object]) -> Response:
    """Run a write about a claim and show the claim, with the refusal if any."""
    claim_numbered(visit.game, number)
    try:
        write()
    except MovedOnError:
        now_there = visit_game(visit.game.id)
        return _claim_page(now_there, number, say(MOVED_ON), 409)
    except (Refused, IllegalDecision) as refusal:
        return _claim_page(visit, number, refusal_sentence(visit, refusal), 422)
    return see_other("claims.claim", game_id=visit.game.id, number=number)
