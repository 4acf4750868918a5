"""Types of answers, and the components of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.terms import Outcome, Reason, Score, ScoreLine, Tiebreak, Verdict
from daybook.services.files import audit
from daybook.services.play.period_scores import PeriodScore, Taken
from daybook.services.play.replay import GameShown, Position, Replay, StepShown
from daybook.services.store.read_models import GameRow, Health
from daybook.services.structs import copy_fields
from daybook.web.api.schemas import REF, component_schemas
from daybook.web.request.api_errors import Failure


class HealthShown(Frozen):
    """The state of the service."""

    ok: bool  # recording and reading work, for every game
    projections: list[Health]  # tables and lists built from the log; recording does not wait for them
    away: tuple[str, ...]  # unreachable parts: "database", "queue"
    unreadable_records: int  # games and clubs that cannot be read
    kept_tables: int | None  # version of the kept tables; null: it cannot be read
    kept_tables_known: int  # the newest version that this Daybook can read; ok is false if kept_tables is later
    disk: str = ""  # why nothing can be written to the disk: "full" or "closed" (read-only); empty: it works
    commit_stalled_seconds: float = 0.0  # since the last acknowledged commit, if one was tried since
    behind_seconds: dict[str, float] = {}  # by projection, the age of the oldest entry that is not in its rows
    silent_seconds: dict[str, float] = {}  # by part, since its last sign of life
    oldest_job_seconds: dict[str, float] = {}  # by queue
    failed_jobs: dict[str, int] = {}  # by queue
    complaints: tuple[str, ...] = ()  # what is wrong, in sentences
    advice: list[str] = []  # what the operator should change


# --- rulesets and sheets ---------------------------------------------------------------------------------------------


class RulesetNamed(Frozen):
    id: str
    title: str
    revision: int
    prefix: str  # how its rule ids begin
    seats: list[int]  # possible numbers of players
    colours: list[str]
    sheet: str  # the hash of its default sheet


class RulesetsShown(Frozen):
    rulesets: list[RulesetNamed]


class RulesetShown(Frozen):
    """A game's vocabulary, as JSON Schemas."""

    ruleset: RulesetNamed
    decisions: dict[str, Any]
    effects: dict[str, Any]
    options: dict[str, Any]
    board: dict[str, Any]
    columns: list[str]  # of every step
    periods: list[str]  # the marks that are scored when they end, coarsest first
    causes: list[str]  # what an adjustment may change; * stands for one key


class NumberShown(Frozen):
    """A printed number and its source."""

    path: str
    value: Any
    tag: str  # text, example, public, assumed or box
    where: str
    rule: str


class SheetNamed(Frozen):
    """A component sheet. Name, author and time are empty for the sheets that are part of Daybook."""

    hash: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str


class SheetsShown(Frozen):
    sheets: list[SheetNamed]
    next: str | None  # the address of the next page; null: this is the last


class Contradicted(Frozen):
    """A total or a worked example of the rulebook that contradicts the numbers of a sheet."""

    rule: str
    message: str
    paths: list[str]  # the numbers, or prefixes of their paths


class AdditionShown(Frozen):
    """A table of the sheet to which a corrected sheet can add rows, such as "events".

    A new row is sent as overrides: "events.frost.name".
    """

    table: str
    row: dict[str, Any]  # the columns, with their initial values
    most: int  # rows that may be added
    rule: str
    keys: list[str]  # of rows without a name: "wages.5.up_to"
    like: str  # the table with the initial values, row by row: "output.I.1" for "output.food.I.1"


class SheetShown(Frozen):
    ruleset: str
    hash: str
    numbers: list[NumberShown]
    additions: list[AdditionShown]
    findings: list[Contradicted]  # contradictions; games can be played in spite of them


# --- games and links -------------------------------------------------------------------------------------------------


class GamesShown(Frozen):
    games: list[GameRow]
    next: str | None  # the address of the next page; null: this is the last


class Link(Frozen):
    """A link of a game. Its key grants the role: keep it like a password."""

    id: str
    role: str
    seat: int | None
    key: str


class Links(Frozen):
    links: list[Link]


class Revoked(Frozen):
    revoked: str


class Shared(Frozen):
    address: str  # of the game's share; empty: it has none


class Opened(Frozen):
    """A new game with its links."""

    game: str
    step: int
    seal: str
    repeated: bool  # an earlier request with the same Idempotency-Key opened it
    links: list[Link]


class You(Frozen):
    """The permissions of this request's key."""

    role: str | None
    seat: int | None
    views: list[str]  # the views that this key may request, the fullest first


class GameAnswer(Frozen):
    game: GameShown
    to_act: list[int]
    undo_step: int | None  # the step to take back to; null: nothing can be taken back
    undo_turn: int | None  # the same for a whole turn
    redo_step: int | None  # the step to go to for a redo, if nothing else was recorded since
    you: You
    against_rules: list[int] = []  # imported steps that the rules disagree with
    damaged_at: int | None = None  # first step that differs from its seal; no entries until the record is restored


# --- reading ---------------------------------------------------------------------------------------------------------


class ReasonShown(Frozen):
    key: str  # a word for programs
    says: str  # a sentence
    figures: dict[str, Points | str]  # the numbers in it


class ScoreShown(Frozen):
    seat: int
    total: int
    lines: list[ScoreLine]


class OutcomeShown(Frozen):
    rule: str
    reason: ReasonShown
    ranks: list[int]  # by seat; 1 is best, shared ranks use up places
    tiebreaks: list[Tiebreak]
    unranked: list[int]  # seats that the rules do not rank; they share the last rank


class PositionShown(Frozen):
    """The game after a step."""

    step: int
    board_step: int
    status: str
    view: str
    board: dict[str, Any]
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    to_act: list[int]
    standing: list[ScoreShown]  # the scores if the game ended here
    outcome: OutcomeShown | None


class ReplayShown(Frozen):
    """A whole game."""

    game: GameShown
    view: str
    board: dict[str, Any]  # at the opening
    steps: list[StepShown]  # each with its changes of the board, path -> [before, after]


class NotNow(Frozen):
    """A kind of decision that is not possible now."""

    type: str
    rule: str
    reason: ReasonShown


class LegalShown(Frozen):
    """All legal decisions."""

    step: int
    seat: int
    decisions: list[dict[str, Any]]  # the most usual kind first
    weights: list[int] | None  # for the table: how likely each fact is, in shares
    not_now: list[NotNow]


class SentenceShown(Frozen):
    """A decision, and the words on its button."""

    seat: int
    decision: dict[str, Any]
    text: str


class LineRead(Frozen):
    """A command that was read from a text."""

    line: dict[str, Any]  # as in a bare file
    text: str  # in words


class TextRead(Frozen):
    """The meaning of a text after a step."""

    step: int
    lines: list[LineRead]
    decisions: list[SentenceShown]  # those lines that are decisions
    left: str  # the rest, from the first line with an unclear meaning
    may_mean: list[SentenceShown]  # possible meanings of that line
    nearest: list[SentenceShown]  # similar legal decisions, if it has no meaning
    unclear: str  # the words that none of these explains


class VerdictShown(Frozen):
    """One check of a decision."""

    rule: str
    check: str
    reason: ReasonShown | None  # null: it passed


class WhyShown(Frozen):
    step: int
    legal: bool
    verdicts: list[VerdictShown]


class MadeByShown(Frozen):
    """The steps that changed these parts of the board, without those taken back."""

    steps: list[int]


# --- recording -------------------------------------------------------------------------------------------------------


class ReceiptShown(Frozen):
    """The place of an entry in the record."""

    game: str
    step: int
    seal: str
    repeated: bool  # an earlier request with the same Idempotency-Key wrote it


# --- records ---------------------------------------------------------------------------------------------------------


class Verified(Frozen):
    intact: bool
    steps: int  # verified steps, from the opening on
    seal: str  # of the last verified step
    broken_at: int | None  # the first step that differs from its seal
    message: str
    received: int | None  # the step of the receipt
    erased: bool  # only steps and seal are left


class FindingShown(Frozen):
    """A step at which record and rules disagree."""

    step: int
    kind: str  # refused, differs or unreadable
    rule: str
    message: str
    differences: list[audit.Difference]


class Audited(Frozen):
    clean: bool
    ruleset: str
    recorded: int  # revision of the rules in the record
    today: int  # revision of the rules now
    decisions: int  # how many were checked
    findings: list[FindingShown]


class PeriodShown(Frozen):
    """A score sheet."""

    period: str
    number: int
    step: int
    final: bool
    settled: bool  # it is recorded
    scores: list[ScoreShown]
    ranks: list[int]
    change: list[int]  # by how much each total grew in the period
    outcome: OutcomeShown | None
    # "official": the players revealed their totals; "computed": from the record, while they are hidden at the table;
    # empty: the game hides no totals
    taken: Taken


class ScoresShown(Frozen):
    sheets: list[PeriodShown]


class PlayOffered(Frozen):
    play: dict[str, Any]  # as BG Stats reads it
    address: str  # the same as an address that opens the app


# --- out of the domain's own types -----------------------------------------------------------------------------------


def reason_shown(reason: Reason) -> ReasonShown:
    return ReasonShown(reason.key, str(reason), reason.figures)


def score_shown(score: Score) -> ScoreShown:
    return copy_fields(ScoreShown, score, lines=[*score.lines])


def outcome_shown(outcome: Outcome | None) -> OutcomeShown | None:
    if outcome is None:
        return None
    return copy_fields(OutcomeShown, outcome, reason=reason_shown(outcome.reason))


def position_shown(position: Position, view: str) -> PositionShown:
    standing = [score_shown(score) for score in position.standing]
    return copy_fields(PositionShown, position, view=view, standing=standing, outcome=outcome_shown(position.outcome))


def replay_shown(replay: Replay, view: str) -> ReplayShown:
    return copy_fields(ReplayShown, replay, view=view)


def verdicts_shown(step: int, verdicts: Sequence[Verdict]) -> WhyShown:
    return WhyShown(
        step,
        all(verdict.reason is None for verdict in verdicts),
        [
            VerdictShown(verdict.rule, verdict.check, None if verdict.reason is None else reason_shown(verdict.reason))
            for verdict in verdicts
        ],
    )


def audit_shown(result: audit.AuditResult) -> Audited:
    return copy_fields(
        Audited,
        result,
        findings=[copy_fields(FindingShown, finding, message=finding.says) for finding in result.findings],
    )


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
