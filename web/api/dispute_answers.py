"""Answers about umpires, claims, what-if lines, evidence and audits."""

from __future__ import annotations

from typing import Any

from daybook.domain.kernel.events import Move
from daybook.domain.kernel.frozen import Frozen
from daybook.services.disputes.compare import Compared
from daybook.services.disputes.opinion import UndoCost
from daybook.services.disputes.umpires import Umpire
from daybook.services.play.replay import StepShown
from daybook.web.api.answers import Audited, PositionShown, ReasonShown, VerdictShown

# --- claims ----------------------------------------------------------------------------------------------------------


class UmpiresShown(Frozen):
    umpires: list[Umpire]
    appeal_hours: int  # for how long later rulings may be appealed


class OpinionShown(Frozen):
    """The rules' verdict on a step."""

    about_step: int
    seat: int | None
    decision: dict[str, Any] | None
    verdicts: list[VerdictShown]  # every check
    as_played: bool  # it was recorded as played, against the rules
    legal: list[dict[str, Any]] | None  # the other legal decisions of the seat; null: this key may not see them
    cost: UndoCost | None  # of going back to before the step; null: it was undone already


class ClaimShown(Frozen):
    number: int  # of the step that raised it
    # open, ruled, appealed, closed; mended: the step was replaced, or left out, as proposed; struck: it no longer stands; changed:
    # another figure was entered over its figure
    state: str
    about_step: int
    last_step: int | None  # of a claim on a whole turn: its last step
    leaves_out: bool  # it proposes that the step, or the whole turn, never happened
    statement: str
    rule: str
    why: str
    seat: int | None
    by: str
    at: str
    photos: list[str]  # the SHA-256 of each
    proposal: int | None  # the step of the current proposal
    consents: list[int]  # the seats that agreed to it
    ruling: str | None
    appeal_until: str


class ClaimsShown(Frozen):
    claims: list[ClaimShown]  # the open ones first
    provisional: bool  # a claim is open, so the result may still change


class ClaimTold(Frozen):
    claim: ClaimShown
    story: list[StepShown]  # its entries, step by step
    opinion: OpinionShown


class Forgotten(Frozen):
    forgotten: str  # the SHA-256 of a removed photo, which the record keeps


# --- what-if lines ----------------------------------------------------------------------------------------------


class ForkShown(Frozen):
    """A what-if line."""

    id: str
    at: int  # the step after which it leaves the game
    title: str
    made_at: str
    moves: list[Move]
    broken: ReasonShown | None  # why its next move is no longer possible


class ForksShown(Frozen):
    forks: list[ForkShown]


class BesideShown(Frozen):
    """A what-if line compared with the record, from where it leaves the game."""

    fork: ForkShown
    position: PositionShown
    legal: dict[str, list[dict[str, Any]]]  # the decisions of each seat that is to act
    compared: Compared
    record: list[StepShown]
    line: list[StepShown]


class Thrown(Frozen):
    thrown_away: str


# --- evidence --------------------------------------------------------------------------------------------------------


class AuditedGame(Frozen):
    """The newest audit of a game."""

    game: str
    step: int  # the newest step when it was audited
    at: str
    audited: Audited


class AuditsShown(Frozen):
    """Audits of games that this key may read in full."""

    due: int  # number of the newest games that wait for an audit
    audits: list[AuditedGame]
    next: str | None  # the address of the next page, also of a short or empty one; null: this is the last


class Asked(Frozen):
    asked: int  # number of games that wait for an audit now
