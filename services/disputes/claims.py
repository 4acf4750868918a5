"""Disputes: a claim is raised, an umpire or all seats together rule, and the board follows (`domain.rulings`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from daybook.domain import disputes
from daybook.domain.commands import RaiseClaim, Resolution
from daybook.domain.corrections import correctable, sealed_since
from daybook.domain.disputes import Claim
from daybook.domain.kernel.board import Document, difference
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import AppealedChanges, BoardStep, DecisionRecorded, Move, Ruling, RulingProposed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, because
from daybook.domain.rulings import Remedy
from daybook.services.people import photos
from daybook.services.permissions.sights import Sight
from daybook.services.play import recording, replay
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook


class RulingPreview(Frozen):
    """Effects of a ruling if it were carried out now.

    Args:
        struck: steps that would no longer stand.
        document: the resulting board, including covered parts.
    """

    document: Document
    struck: list[int]
    changes: dict[str, list[Any]]
    columns_before: dict[str, list[Points]]
    columns: dict[str, list[Points]]


# --- a claim's way ---------------------------------------------------------------------------------------------------


def raise_claim(
    book: Daybook,
    game_id: UUID,
    about_step: int,
    statement: str,
    *,
    rule: str = "",
    why: str = "",
    seat: Seat | None = None,
    images: Sequence[bytes] = (),
    moves: Sequence[Move] = (),
    leaves_out: bool = False,
    last_step: int | None = None,
    values: Mapping[str, Any] | None = None,
    stranger: str = "",
    by: str,
    key: str,
) -> Receipt:
    """Claim that a step is wrong.

    Args:
        seat: the claimant; None for the scorekeeper.
        images: photos as uploaded.
        moves: what happened instead.
        leaves_out: the step, or the whole turn, never happened.
        last_step: the last step of a whole turn.
        values: the right figures by path.
        stranger: as for `photos.store_photo`.

    The receipt's step is the number of the claim. Raises Refused, InvalidPhotoError, UnknownGameError, BadKeyError.
    """
    if len(images) > disputes.PHOTOS_LIMIT:
        raise photos.InvalidPhotoError(
            because(
                "too_many",
                "{given} photos are too many: at most {limit}",
                given=len(images),
                limit=disputes.PHOTOS_LIMIT,
            )
        )
    attached = {photo.hash: photo for photo in map(photos.reencode, images)}
    command = RaiseClaim(
        about_step, statement, rule, why, seat, [*attached], list(moves), leaves_out, last_step, dict(values or {})
    )
    # A photo without a claim would be invisible and never removed.
    return recording.append_command(
        book,
        game_id,
        command,
        by=by,
        key=key,
        before_write=lambda: [photos.store_photo(book, game_id, photo, stranger) for photo in attached.values()],
    )


# --- reading ---------------------------------------------------------------------------------------------------------


def claims_open_first(game: Game) -> list[Claim]:
    """Every claim of a game, the open ones first, then the newest. What of it a viewer may know, `replay` shows."""
    unsettled = {claim.number for claim in disputes.open_claims(game)}
    return sorted(disputes.claims(game).values(), key=lambda claim: (claim.number not in unsettled, -claim.number))


def can_propose(game: Game, step: int) -> bool:
    """Check if another decision can be proposed for a step: it still counts, and nothing under it is sealed."""
    sealed = sealed_since(game)
    return (
        step in correctable(game)
        and isinstance(game.entries[step].event, DecisionRecorded)
        and (sealed is None or step < sealed)
    )


def proposed_resolutions(game: Game, claim: Claim) -> dict[int, Resolution]:
    """Return the correction that a claim proposes; {} if it proposes none, or if it is impossible now."""
    raised, line = claim.raised, game.line()
    steps = [step for step in disputes.disputed_steps(game, claim) if step in line]
    if not (steps and (raised.moves or raised.leaves_out) and can_propose(game, steps[0])):
        return {}
    if raised.leaves_out and (number := ended_round(game, steps[-1])) and len(steps) > 1:
        return round_left_out(game, steps[-1], number)
    return {step: Resolution() for step in steps} | {steps[0]: Resolution(raised.moves)}


def ended_round(game: Game, step: int) -> int:
    """Return the number of the round of a sheet that a step ended; 0 for other steps and games."""
    course, ended = game.ruleset.course, getattr(game.entries[step].event, "closed_periods", [])
    return max([n for mark, n in ended if mark == course.periods[-1]], default=0) if course.figure is not None else 0


def round_left_out(game: Game, end: int, number: int) -> dict[int, Resolution]:
    """Return the correction that leaves out all decisions of a round, and moves later figures to the round before."""
    found = dict[int, Resolution]()
    for step in game.line():
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded):
            continue
        recorded = round_recorded(game, step)
        of_round = event.decision.get("round") or recorded
        if of_round == number and (step <= end or "round" in event.decision):
            found[step] = Resolution()
        elif event.decision.get("round", 0) > number:
            found[step] = Resolution([Move(event.seat, {**event.decision, "round": of_round - 1})])
    return found


def round_recorded(game: Game, step: int) -> int:
    """Return the number of the round in which a step was recorded; 0 without rounds."""
    periods = game.ruleset.course.periods
    return game.figures_at(game.parents[step])[1].get(periods[-1], 0) if periods else 0


def claim_story(game: Game, claim: int, sight: Sight) -> list[replay.StepShown]:
    """Return all steps that belong to a claim, as the viewer sees them. Raises Refused."""
    steps = story_steps(game, disputes.claim_of(game, claim))
    return list(replay.select_steps(game, sight, steps))


def story_steps(game: Game, claim: Claim) -> set[int]:
    steps = {claim.number, *(answer.step for answer in claim.story)}
    for entry in game.entries:
        if isinstance(entry.event, BoardStep) and entry.event.answers_step == claim.number:
            steps.add(entry.step)
    return steps


def preview_ruling(
    game: Game,
    claim: int,
    ruling: Ruling,
    *,
    to: int | None = None,
    moves: Sequence[Move] = (),
    values: Mapping[str, Any] | None = None,
    first: AppealedChanges | None = None,
) -> RulingPreview:
    """Preview the effects of a ruling on the present board; nothing is written.

    The preview may reveal more than a seat sees, so the caller checks permission. Raises Refused, IllegalDecision,
    NotADecisionError.
    """
    proposal = RulingProposed(
        step=game.step + 1,
        at=game.entries[-1].event.at,
        by="preview",
        key="preview",
        claim=claim,
        ruling=ruling,
        to_step=to,
        moves=list(moves),
        values=dict(values or {}),
    )
    disputes.check(game, proposal)
    remedy = Remedy(game, Written(proposal.at, "preview", "preview"))
    remedy.carry_out(claim, ruling, to, moves, values or {}, "preview", first or remedy.first_ruling(claim, ruling))
    after = remedy.game
    stands = set(after.line())
    return RulingPreview(
        after.document,
        [step for step in game.line() if step not in stands],
        difference(game.document, after.document),
        game.figures_so_far(game.step)[0],
        after.figures_so_far(after.step)[0],
    )


def redact_ruled_board(
    game: Game,
    preview: RulingPreview,
    ruling: Ruling,
    to: int | None,
    moves: Sequence[Move],
    sight: Sight,
    sees_all: bool,
) -> Document | None:
    """Return the board after a ruling, as far as the viewer may see it before the ruling.

    Viewers with limited sight only see boards that existed, as in the replay, never a proposed one: otherwise a
    proposer could choose what they see. None if nothing may be shown.
    """
    if sees_all:
        return replay.redact_board(game, preview.document, sight).document()
    if ruling == "rewound" and not moves and to is not None:
        return replay.position_at(game, to, sight).board
    return None


def default_rewind_step(game: Game, about: int) -> int:
    """Return the step that a claim goes back to by default: before the disputed turn."""
    turn = recording.before_turn(game, about)
    return turn if turn is not None else game.parents[about] if about else 0


def was_provisional_at(game: Game, step: int) -> bool:
    """Check if a claim was open after a step, so that the result could still change."""
    return bool(disputes.open_claims(game, step))
