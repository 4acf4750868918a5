"""Audits of every record: today's rules over all of them, kept game by game, and what they found grouped by rule.

After a change of a ruleset's revision every record made under another one is due; on demand all are. A worker does
them one by one; the command line does them on the spot. Nothing in a record changes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import because
from daybook.services.clock import now
from daybook.services.files.audit import AuditResult, Finding, audit
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import as_json, audit_row, game_row
from daybook.services.store.sharing_out import share_out

Progress = Callable[[int, int], object]  # games done, games in all


class GameAudited(msgspec.Struct, frozen=True):
    """The newest audit of one game: made at step `step`, with the rules of revision `today`."""

    game: UUID
    step: int
    at: str
    audited: AuditResult


class FindingPlace(msgspec.Struct, frozen=True):
    """Where the rules of today disagree with a record."""

    game: UUID
    finding: Finding


class FindingsOfRule(msgspec.Struct, frozen=True):
    """All findings of one rule, those of a game in order. rule: empty where it is not a rule that disagrees."""

    ruleset: str
    rule: str
    places: list[FindingPlace]

    @property
    def games(self) -> int:
        return len({place.game for place in self.places})


class AuditSummary(msgspec.Struct, frozen=True):
    """What all audits came to. audited, due: how many games; clean: those with which the rules agree.

    firsts: of each game that is not clean the first step that disagrees; groups: all findings, by rule, the commonest
    first.
    """

    audited: int
    due: int
    clean: int
    firsts: list[FindingPlace]
    groups: list[FindingsOfRule]


def games_due(book: Daybook) -> list[UUID]:
    """Games to audit: those asked for, and those whose rules have another revision than they were last judged by."""
    stale = [
        sa.and_(game_row.c.ruleset == rules.id, sa.func.coalesce(
            audit_row.c.today, game_row.c.revision) != rules.revision)
        for rules in RULESETS.values()]
    query = (
        sa.select(game_row.c.game).outerjoin(audit_row, audit_row.c.game == game_row.c.game)
        .where(sa.or_(audit_row.c.at == "", *stale)).order_by(game_row.c.opened_at, game_row.c.game))
    with book.views.connect() as c:
        return list(c.scalars(query))


def request_audits(book: Daybook, ids: Collection[UUID] | None = None) -> int:
    """Have games audited by the workers; None: all that are listed. How many. Raises UnknownGame."""
    query = sa.select(game_row.c.game, game_row.c.ruleset, game_row.c.revision)
    with book.views.connect() as c:
        rows = {row.game: (row.ruleset, row.revision) for row in c.execute(query) if ids is None or row.game in ids}
    for id in {*(ids or ())} - rows.keys():  # just opened: the list will hear of them
        opening = book.games.get(id).opening
        rows[id] = opening.ruleset, opening.revision
    asked = [
        {"game": game, "ruleset": ruleset, "recorded": revision, "today": revision, "step": -1, "decisions": 0,
         "findings": "[]", "at": ""} for game, (ruleset, revision) in rows.items()]
    with book.views.begin() as c:
        read_models.write_rows(c, {audit_row: asked})
    return len(asked)


def audit_game(book: Daybook, game_id: UUID) -> GameAudited:
    """Audit a game and keep what it came to. Raises UnknownGame."""
    return audit_games(book, [game_id])[0]


def audit_games(book: Daybook, ids: Sequence[UUID]) -> list[GameAudited]:
    """Audit some games and keep what they came to, in one transaction. Raises UnknownGame."""
    done = [_audit_result(book.games.get(id)) for id in ids]
    with book.views.begin() as c:
        read_models.write_rows(c, {audit_row: [
            {"game": one.game, "ruleset": one.audited.ruleset, "recorded": one.audited.recorded,
             "today": one.audited.today, "step": one.step, "decisions": one.audited.decisions,
             "findings": as_json(one.audited.findings), "at": one.at} for one in done]})
    return done


def _audit_result(game: Game) -> GameAudited:
    try:
        found = audit(game)
    except CANNOT_GO_ON as wrong:
        finding = Finding(0, "unreadable", reason=because(
            "cannot_audit", "today’s rules cannot read this record: {wrong}",
            wrong=f"{type(wrong).__name__} {wrong}"))
        found = AuditResult(game.ruleset.id, game.opening.revision, game.ruleset.revision, 0, (finding,))
    return GameAudited(game.id, game.step, now(), found)


def audit_all(
    book: Daybook, ids: Collection[UUID] | None = None, progress: Progress = lambda done, of: None, workers: int = 1,
) -> AuditSummary:
    """Audit games here and now; None: all that are in the log. workers: processes among which they are shared out.

    Raises ProcessLost; what was audited by then is kept.
    """
    games, done = list(book.log.game_ids() if ids is None else ids), 0
    progress(done, len(games))
    for several, _ in share_out(book, _count_audited, games, workers):
        done += several
        progress(done, len(games))
    return summary(book, games)


def _count_audited(book: Daybook, ids: Sequence[UUID]) -> int:
    """As `audit_games`; what came of it stays in the rows."""
    return len(audit_games(book, ids))


def results(book: Daybook, ids: Collection[UUID] | None = None) -> list[GameAudited]:
    """The newest audit of every game that has one; ids: only of these."""
    query = sa.select(audit_row).where(audit_row.c.at != "").order_by(audit_row.c.at.desc(), audit_row.c.game)
    with book.views.connect() as c:
        wanted = None if ids is None else {*ids}
        rows = [row for row in c.execute(query) if wanted is None or row.game in wanted]
    return [
        GameAudited(row.game, row.step, row.at, AuditResult(
            row.ruleset, row.recorded, row.today, row.decisions,
            tuple(msgspec.json.decode(row.findings, type=list[Finding]))))
        for row in rows]


def summary(book: Daybook, ids: Collection[UUID] | None = None) -> AuditSummary:
    found = results(book, ids)
    groups: dict[tuple[str, str], list[FindingPlace]] = {}
    for one in found:
        for finding in one.audited.findings:
            groups.setdefault((one.audited.ruleset, finding.rule), []).append(FindingPlace(one.game, finding))
    firsts = [FindingPlace(one.game, one.audited.findings[0]) for one in found if one.audited.findings]
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return AuditSummary(
        len(found), len(games_due(book)), len(found) - len(firsts), firsts,
        [FindingsOfRule(ruleset, rule, places) for (ruleset, rule), places in ordered])
