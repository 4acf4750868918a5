"""What goes out: our own types, and what the OpenAPI document says about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Outcome, Reason, Score, Tiebreak, Verdict
from daybook.services.files import audit
from daybook.services.play.period_scores import PeriodScore, Taken
from daybook.services.play.replay import GameShown, Position, Replay, StepShown
from daybook.services.store.read_models import GameRow, Health
from daybook.services.structs import copy_fields
from daybook.web.api.schemas import REF, component_schemas
from daybook.web.request.api_errors import Failure


class HealthShown(Frozen):
    """ok: recording and reading work, of every game. projections: how what follows the log fares; recording does
    not wait for it.

    away: what cannot be reached: "database", "queue". disk: why the disk takes nothing: "full", "closed" (it cannot be
    written); empty where it does. set_aside: how many games and clubs cannot be read.

    kept_tables: their version, null while it cannot be read; ok is false where it is another than this Daybook's,
    kept_tables_known.

    unanswered_seconds: for how long no commit was acknowledged although one was tried; 0 if all is well. behind_seconds:
    by projection, the age of the oldest entry that is not in its rows. silent_seconds: by part, since it was last heard
    of. oldest_job_seconds, failed_jobs: by queue. complaints: what is wrong, in sentences. advice: what the operator should change.
    """

    ok: bool
    projections: list[Health]
    away: tuple[str, ...]
    set_aside: int
    kept_tables: int | None
    kept_tables_known: int
    disk: str = ""
    unanswered_seconds: float = 0.0
    behind_seconds: dict[str, float] = {}
    silent_seconds: dict[str, float] = {}
    oldest_job_seconds: dict[str, float] = {}
    failed_jobs: dict[str, int] = {}
    complaints: tuple[str, ...] = ()
    advice: list[str] = []


# --- rulesets and sheets ---------------------------------------------------------------------------------------------


class RulesetNamed(Frozen):
    id: str
    title: str
    revision: int
    prefix: str  # how its rule ids begin
    seats: list[int]  # how many may play
    colours: list[str]
    sheet: str  # the hash of the sheet it comes with


class RulesetsShown(Frozen):
    rulesets: list[RulesetNamed]


class RulesetShown(Frozen):
    """A game's vocabulary. decisions, effects, options: JSON Schemas; columns, marks: what every step carries."""

    ruleset: RulesetNamed
    decisions: dict[str, Any]
    effects: dict[str, Any]
    options: dict[str, Any]
    board: dict[str, Any]
    columns: list[str]
    periods: list[str]  # the marks that are scored when they end, coarsest first
    causes: list[str]  # what an adjustment may change; * stands for one key


class NumberShown(Frozen):
    """A printed number and its source. tag: text, example, public, assumed or box."""

    path: str
    value: Any
    tag: str
    where: str
    rule: str


class SheetNamed(Frozen):
    """name, by, at: empty for the sheet that Daybook comes with."""

    hash: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str


class SheetsShown(Frozen):
    """next: the address of the page behind this one; null: this is the last."""

    sheets: list[SheetNamed]
    next: str | None


class Contradicted(Frozen):
    """What a rule says to the numbers of a sheet: a total or a worked example of the rulebook that does not hold.

    paths: the numbers it is about, or what their paths begin with.
    """

    rule: str
    says: str
    paths: list[str]


class AdditionShown(Frozen):
    """A table that takes further rows, "events": a sheet is published with them as overrides, "events.frost.name".

    row: the columns, with what stands there at first; most: rows that may be added; keys: what rows without a name are
    called, "wages.5.up_to"; like: the table whose row of the same key says what stands there at first, "output.I.1"
    for "output.food.I.1".
    """

    table: str
    row: dict[str, Any]
    most: int
    rule: str
    keys: list[str]
    like: str


class SheetShown(Frozen):
    """findings: what its numbers contradict; none of it keeps the sheet from being played with."""

    ruleset: str
    hash: str
    numbers: list[NumberShown]
    additions: list[AdditionShown]
    findings: list[Contradicted]


# --- games and links -------------------------------------------------------------------------------------------------


class GamesShown(Frozen):
    """next: the address of the page behind this one; null: this is the last."""

    games: list[GameRow]
    next: str | None


class Link(Frozen):
    """Whoever has the key may do in the game what the role may. Keep it as you keep a password."""

    id: str
    role: str
    seat: int | None
    key: str


class Links(Frozen):
    links: list[Link]


class Revoked(Frozen):
    revoked: str


class Shared(Frozen):
    """address: of a game's share; empty: it has none."""

    address: str


class Opened(Frozen):
    """A new game with its links. repeated: it was open already, under the same Idempotency-Key."""

    game: str
    step: int
    seal: str
    repeated: bool
    links: list[Link]


class You(Frozen):
    """What the key of this request may do. sights: what it may look through, the fullest first."""

    role: str | None
    seat: int | None
    sights: list[str]


class GameAnswer(Frozen):
    """undo_step, undo_turn: the step to take back to, where something can be taken back. redo_step: the one to go to so
    that what was taken back last stands again, as long as nothing else was recorded. against_rules: the steps that were
    brought from outside and that the rules disagree with. damaged_at: the first step whose stored line is not what was
    sealed; until the record is restored, it takes no entries."""

    game: GameShown
    to_act: list[int]
    undo_step: int | None
    undo_turn: int | None
    redo_step: int | None
    you: You
    against_rules: list[int] = []
    damaged_at: int | None = None


# --- reading ---------------------------------------------------------------------------------------------------------


class ReasonShown(Frozen):
    """key: a word for programs; says: the sentence; figures: the numbers in it."""

    key: str
    says: str
    figures: dict[str, int | str]


class LineShown(Frozen):
    """One line of a score. paths: the parts of the board it is worked out from (see made-by)."""

    name: str
    amount: int
    rule: str
    figures: dict[str, int | str]
    paths: list[str]


class ScoreShown(Frozen):
    seat: int
    total: int
    lines: list[LineShown]


class OutcomeShown(Frozen):
    """ranks: 1 is best; shared ranks use up places. unranked: the seats that the rules leave out of the ranking; they
    share the last rank."""

    rule: str
    reason: ReasonShown
    ranks: list[int]
    tiebreaks: list[Tiebreak]
    unranked: list[int]


class PositionShown(Frozen):
    """The game after a step, as `sight` sees it. standing: as if the game ended here."""

    step: int
    board_step: int
    status: str
    sight: str
    board: dict[str, Any]
    columns: dict[str, list[int]]
    marks: dict[str, int]
    to_act: list[int]
    standing: list[ScoreShown]
    outcome: OutcomeShown | None


class ReplayShown(Frozen):
    """A game in one answer: the opening board and what each step changed on it, path -> [before, after]."""

    game: GameShown
    sight: str
    board: dict[str, Any]
    steps: list[StepShown]


class NotNow(Frozen):
    """A kind of decision that is not open now."""

    type: str
    rule: str
    reason: ReasonShown


class LegalShown(Frozen):
    """Every legal decision, the most usual kind first. weights: for the table, how likely each fact is in shares."""

    step: int
    seat: int
    decisions: list[dict[str, Any]]
    weights: list[int] | None
    not_now: list[NotNow]


class SentenceShown(Frozen):
    """A decision, and the words on its button."""

    seat: int
    decision: dict[str, Any]
    says: str


class LineRead(Frozen):
    """What one text comes to, as a line of a bare file, and in words."""

    line: dict[str, Any]
    says: str


class TextRead(Frozen):
    """What a text means after a step, line by line. decisions: those of them that are decisions. left: from what is not
    one thing alone on.

    may_mean: what that may mean; nearest: what is legal and most like it, where it means nothing; unclear: the words that
    none of these explains.
    """

    step: int
    lines: list[LineRead]
    decisions: list[SentenceShown]
    left: str
    may_mean: list[SentenceShown]
    nearest: list[SentenceShown]
    unclear: str


class VerdictShown(Frozen):
    """One check of a decision; no reason: it holds."""

    rule: str
    check: str
    reason: ReasonShown | None


class WhyShown(Frozen):
    step: int
    legal: bool
    verdicts: list[VerdictShown]


class MadeByShown(Frozen):
    """The standing steps that changed these parts of the board."""

    steps: list[int]


# --- recording -------------------------------------------------------------------------------------------------------


class ReceiptShown(Frozen):
    """Where it was written down. repeated: it was there already, under the same Idempotency-Key."""

    game: str
    step: int
    seal: str
    repeated: bool


# --- records ---------------------------------------------------------------------------------------------------------


class Verified(Frozen):
    """steps: how many hold, from the opening on; seal: of the last of them; broken_at: the first that is not what
    was sealed; received: the step at which the receipt was handed out; erased: only steps and seal are known still."""

    whole: bool
    steps: int
    seal: str
    broken_at: int | None
    says: str
    received: int | None
    erased: bool


class FindingShown(Frozen):
    """A step at which record and rules disagree: refused, differs or unreadable."""

    step: int
    kind: str
    rule: str
    says: str
    differences: list[audit.Difference]


class Audited(Frozen):
    """decisions: how many were judged; recorded, today: the revisions of the rules."""

    clean: bool
    ruleset: str
    recorded: int
    today: int
    decisions: int
    findings: list[FindingShown]


class PeriodShown(Frozen):
    """A score sheet. settled: it is written down; change: by how much each total grew in the period.

    taken: "official" if the players showed what counts at the table in this period, "computed" if they kept it covered
    and it is worked out from the record alone, empty in games that keep nothing covered.
    """

    period: str
    number: int
    step: int
    final: bool
    settled: bool
    scores: list[ScoreShown]
    ranks: list[int]
    change: list[int]
    outcome: OutcomeShown | None
    taken: Taken


class ScoresShown(Frozen):
    sheets: list[PeriodShown]


class PlayOffered(Frozen):
    """play: as BG Stats takes it; address: the same as the address that opens its app."""

    play: dict[str, Any]
    address: str


# --- out of the domain's own types -----------------------------------------------------------------------------------


def reason_shown(reason: Reason) -> ReasonShown:
    return ReasonShown(reason.key, str(reason), reason.figures)


def score_shown(score: Score) -> ScoreShown:
    return copy_fields(ScoreShown, score, lines=[copy_fields(LineShown, line) for line in score.lines])


def outcome_shown(outcome: Outcome | None) -> OutcomeShown | None:
    if outcome is None:
        return None
    return copy_fields(OutcomeShown, outcome, reason=reason_shown(outcome.reason))


def position_shown(position: Position, sight: str) -> PositionShown:
    standing = [score_shown(score) for score in position.standing]
    return copy_fields(PositionShown, position, sight=sight, standing=standing, outcome=outcome_shown(position.outcome))


def replay_shown(replay: Replay, sight: str) -> ReplayShown:
    return copy_fields(ReplayShown, replay, sight=sight)


def verdicts_shown(step: int, verdicts: Sequence[Verdict]) -> WhyShown:
    return WhyShown(
        step,
        all(verdict.reason is None for verdict in verdicts),
        [
            VerdictShown(verdict.rule, verdict.check, None if verdict.reason is None else reason_shown(verdict.reason))
            for verdict in verdicts
        ],
    )


def audit_shown(found: audit.AuditResult) -> Audited:
    return copy_fields(Audited, found, findings=[copy_fields(FindingShown, finding) for finding in found.findings])


def scores_shown(sheets: Sequence[PeriodScore]) -> ScoresShown:
    return ScoresShown(
        [
            copy_fields(
                PeriodShown,
                sheet,
                scores=[score_shown(score) for score in sheet.scores],
                outcome=outcome_shown(sheet.outcome),
            )
            for sheet in sheets
        ]
    )


def components(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, dict[str, Any]]:
    """Return the schemas of all bodies and answers, and of every game's decisions, by name."""
    found = component_schemas((Failure, HealthShown, *kinds))
    decisions = []
    for ruleset in RULESETS.values():
        template = REF.format(name=f"{ruleset.prefix}.{{name}}")
        (union,), parts = msgspec.json.schema_components([ruleset.types.decisions], ref_template=template)
        found[f"{ruleset.prefix}.Decision"] = union
        found |= {f"{ruleset.prefix}.{name}": part for name, part in parts.items()}
        decisions.append({"$ref": REF.format(name=f"{ruleset.prefix}.Decision")})
    return found | {"Decision": {"anyOf": decisions}}
