"""What goes out about disputes: umpires and claims, lines of one's own, evidence and audits."""

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
    """appeal_hours: for how long a ruling may be appealed, from now on."""

    umpires: list[Umpire]
    appeal_hours: int


class OpinionShown(Frozen):
    """What the rules say of a step. verdicts: every check; legal: what the seat might have decided then, for who may
    know it; stood: it was recorded as played, against the rules; cost: of going back to before it; null: it does not
    stand."""

    about_step: int
    seat: int | None
    decision: dict[str, Any] | None
    verdicts: list[VerdictShown]
    stood: bool
    legal: list[dict[str, Any]] | None
    cost: UndoCost | None


class ClaimShown(Frozen):
    """A claim. number: of the step that raised it; state: open, ruled, appealed or closed; photos: the SHA-256 of each.

    proposal: the step of what is proposed now; consents: the seats that have said yes to it.
    """

    number: int
    state: str
    about_step: int
    statement: str
    rule: str
    why: str
    seat: int | None
    by: str
    at: str
    photos: list[str]
    proposal: int | None
    consents: list[int]
    ruling: str | None
    appeal_until: str


class ClaimsShown(Frozen):
    """The open ones first. provisional: one is open, so the result may still change."""

    claims: list[ClaimShown]
    provisional: bool


class ClaimTold(Frozen):
    """story: everything that was said and done about it, step by step."""

    claim: ClaimShown
    story: list[StepShown]
    opinion: OpinionShown


class Forgotten(Frozen):
    """The SHA-256 of a photo that is gone; the record keeps it."""

    forgotten: str


# --- lines of one's own ----------------------------------------------------------------------------------------------


class ForkShown(Frozen):
    """A line of one's own. at: the step it leaves the game after; broken: why its next move can no longer be played."""

    id: str
    at: int
    title: str
    made_at: str
    moves: list[Move]
    broken: ReasonShown | None


class ForksShown(Frozen):
    forks: list[ForkShown]


class BesideShown(Frozen):
    """A line against the record, from where it leaves. legal: what each seat that is to act may try next."""

    fork: ForkShown
    position: PositionShown
    legal: dict[str, list[dict[str, Any]]]
    compared: Compared
    record: list[StepShown]
    line: list[StepShown]


class Thrown(Frozen):
    thrown_away: str


# --- evidence --------------------------------------------------------------------------------------------------------


class AuditedGame(Frozen):
    """The newest audit of a game. step: the newest it knew; at: when; null: there is none yet."""

    game: str
    step: int
    at: str
    audited: Audited


class AuditsShown(Frozen):
    """Of the games whose records this key may read whole. due: how many of the newest of them wait for an audit; next: the address of
    the page behind this one, also of a short or empty one; null: this is the last."""

    due: int
    audits: list[AuditedGame]
    next: str | None


class Asked(Frozen):
    """asked: how many games wait for their audit now."""

    asked: int
