"""Audits of all records: run today's rules over each, store the result by game, and group the findings by rule.

When the revision of a ruleset changes, the records of other revisions are audited; all records are audited on demand.
Workers do it game by game, and the command line immediately. An audit does not change a record.
"""

from __future__ import annotations

import logging
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.files.audit import AuditResult, Finding, audit
from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.read_models import as_json, audit_row, game_row
from daybook.services.store.sharing_out import run_in_pieces
from daybook.services.structs import copy_fields

MAX_GAMES_DUE = 500  # per query
MAX_AUDITS_SCANNED = 2_000  # for one page of audits that the viewer may read

Progress = Callable[[int, int], object]  # games done, games in all

NO_FAULT_OF_A_RECORD: tuple[type[Exception], ...] = (*UNAVAILABLE, UnknownGameError)

logger = logging.getLogger(__name__)


class GameAudited(Frozen):
    """The newest audit of one game: made at step `step`, with the rules of revision `today`."""

    game: UUID
    step: int
    at: str
    audited: AuditResult


class FindingPlace(Frozen):
    """A disagreement of today's rules with a record."""

    game: UUID
    finding: Finding


class FindingsOfRule(Frozen):
    """All findings of one rule, those of a game in order. rule: empty where it is not a rule that disagrees."""

    ruleset: str
    rule: str
    places: list[FindingPlace]

    @property
    def games(self) -> int:
        return len({place.game for place in self.places})


class AuditSummary(Frozen):
    """Summary of all audits.

    Args:
        audited: number of games.
        clean: number of games without disagreements.
        firsts: the first disagreement of each other game.
        groups: all findings by rule, most frequent first.
        unread: games that cannot be read, with the reason.
    """

    audited: int
    clean: int
    firsts: list[FindingPlace]
    groups: list[FindingsOfRule]
    unread: dict[UUID, str] = {}


def games_due(book: Daybook, limit: int = MAX_GAMES_DUE) -> list[UUID]:
    """Return games to audit: requested ones, and those last judged by another revision of their rules."""
    return list(dict.fromkeys(_iter_due(book, limit)))[:limit]


def filter_due(book: Daybook, games: Collection[UUID]) -> set[UUID]:
    """Return which of the given games are to be audited."""
    return {*_iter_due(book, len(games), game_row.c.game.in_(games))} if games else set()


def _iter_due(book: Daybook, limit: int, *conditions: sa.ColumnElement[bool]) -> Iterator[UUID]:
    with book.views.connect() as c:
        for way in _ways_to_be_due():
            yield from (row.game for row in c.execute(way.where(*conditions).limit(limit)))


def _ways_to_be_due() -> Iterator[sa.Select[tuple[UUID]]]:
    """One query for each way, each of which an index answers, so that games that are not due are not read."""
    known = sa.select(game_row.c.game)
    judged = known.join(audit_row, audit_row.c.game == game_row.c.game)
    never_judged = known.where(~sa.exists().where(audit_row.c.game == game_row.c.game))
    yield judged.where(audit_row.c.at == "")
    for rules in RULESETS.values():
        for other in (operator.lt, operator.gt):
            yield judged.where(audit_row.c.ruleset == rules.id, other(audit_row.c.today, rules.revision))
            yield never_judged.where(game_row.c.rules == rules.id, other(game_row.c.revision, rules.revision))


def request_audits(book: Daybook, ids: Collection[UUID] | None = None) -> int:
    """Have games audited by the workers; None: all that are listed. How many. Raises UnknownGameError."""
    query = sa.select(game_row.c.game, game_row.c.rules, game_row.c.revision)
    if ids is not None:
        query = query.where(game_row.c.game.in_(ids))
    rows = {row.game: (row.rules, row.revision) for row in book.views.rows(query)}
    for game_id in {*(ids or ())} - rows.keys():  # just opened: the list will hear of them
        opening = book.games.get(game_id).opening
        rows[game_id] = opening.ruleset, opening.revision
    requested = [
        {
            "game": game,
            "ruleset": ruleset,
            "recorded": revision,
            "today": revision,
            "step": -1,
            "decisions": 0,
            "findings": "[]",
            "at": "",
        }
        for game, (ruleset, revision) in rows.items()
    ]
    with book.views.begin() as c:
        read_models.write_rows(c, {audit_row: requested})
    return len(requested)


def audit_game(book: Daybook, game_id: UUID) -> GameAudited:
    """Audit a game and keep what it came to. Raises UnknownGameError, and what a record raises that cannot be read."""
    done = _audit_result(book.games.get(game_id))
    _store_results(book, [done])
    return done


def audit_games(book: Daybook, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Audit some games and keep what they came to, in one transaction; those that cannot be read, with the reason.

    Raises UnknownGameError.
    """
    done, unread = list[GameAudited](), dict[UUID, str]()
    for game_id in ids:
        try:
            done.append(_audit_result(book.games.get(game_id)))
        except NO_FAULT_OF_A_RECORD:
            raise
        except Exception as wrong:  # report the failure and continue with the others
            logger.warning("%s cannot be audited: %s: %s", game_id, type(wrong).__name__, wrong)
            unread[game_id] = f"{type(wrong).__name__}: {wrong}"
    _store_results(book, done)
    return unread


def _store_results(book: Daybook, done: Sequence[GameAudited]) -> None:
    with book.views.begin() as c:
        read_models.write_rows(
            c,
            {
                audit_row: [
                    {
                        **msgspec.structs.asdict(result.audited),
                        "game": result.game,
                        "step": result.step,
                        "findings": as_json(result.audited.findings),
                        "at": result.at,
                    }
                    for result in done
                ]
            },
        )


def _audit_result(game: Game) -> GameAudited:
    return GameAudited(game.id, game.step, now(), audit(game))


def audit_all(
    book: Daybook, ids: Collection[UUID] | None = None, progress: Progress = lambda done, total: None, workers: int = 1
) -> AuditSummary:
    """Audit games in this process or its workers; None means all games of the log.

    A game that cannot be read is reported in the summary. Raises UnknownGameError and ProcessLostError; finished audits stay.

    Args:
        workers: number of processes to share the work.
    """
    games, done = list(book.log.game_ids() if ids is None else ids), 0
    unread = dict[UUID, str]()
    progress(done, len(games))
    for several, not_read in run_in_pieces(book, audit_games, games, workers):
        unread |= not_read
        done += several
        progress(done, len(games))
    return summarize_audits(book, ids, unread)  # of all: no query can name very many


def page_of_results(
    book: Daybook, filter_visible: Callable[[Mapping[UUID, int]], Collection[UUID]], after: str, limit: int
) -> ListPage[GameAudited]:
    """Return a page of the newest audits; shorter if many audits are not visible.

    Args:
        filter_visible: returns the visible ones among games, given the steps at which they were audited.
        after: the last game that was scanned for the previous page.

    Raises UnknownPlaceError.
    """
    page, looked_at = list[GameAudited](), 0
    query = _select_audits().limit(read_models.PAGE)
    rows = query.where(_after_sql(*_place_of(book, after))) if after else query
    while True:
        coming = book.views.rows(rows)
        shown = filter_visible({row.game: row.step for row in coming})
        for row in coming:
            if row.game in shown:
                if len(page) == limit:
                    return ListPage(page, after)
                page.append(_as_audited(row))
            after = str(row.game)
        looked_at += len(coming)
        if len(coming) < read_models.PAGE:
            return ListPage(page, "")
        if looked_at >= MAX_AUDITS_SCANNED:
            return ListPage(page, after)
        rows = query.where(_after_sql(coming[-1].at, coming[-1].game))


def _place_of(book: Daybook, after: str) -> tuple[str, UUID]:
    try:
        query = sa.select(audit_row.c.at, audit_row.c.game).where(audit_row.c.game == UUID(after))
    except ValueError:
        raise UnknownPlaceError(after) from None
    row = book.views.row(query)
    if row is None:
        raise UnknownPlaceError(after)
    return row.at, row.game


def _after_sql(at: str, game_id: UUID) -> sa.ColumnElement[bool]:
    return sa.or_(audit_row.c.at < at, sa.and_(audit_row.c.at == at, audit_row.c.game > game_id))


def _select_audits() -> sa.Select[Any]:
    return sa.select(audit_row).where(audit_row.c.at != "").order_by(audit_row.c.at.desc(), audit_row.c.game)


def newest_audits(book: Daybook, ids: Collection[UUID] | None = None) -> list[GameAudited]:
    """Return the newest audit of every game that has one; with `ids`, only of these."""
    query = _select_audits() if ids is None else _select_audits().where(audit_row.c.game.in_(ids))
    return [_as_audited(row) for row in book.views.rows(query)]


def _as_audited(row: Any) -> GameAudited:
    return GameAudited(
        row.game,
        row.step,
        row.at,
        copy_fields(AuditResult, row, findings=tuple(msgspec.json.decode(row.findings, type=list[Finding]))),
    )


def summarize_audits(
    book: Daybook, ids: Collection[UUID] | None = None, unread: Mapping[UUID, str] = MappingProxyType({})
) -> AuditSummary:
    """Summarize audits.

    Args:
        unread: games that cannot be audited because they cannot be read.
    """
    audits = [result for result in newest_audits(book, ids) if result.game not in unread]
    groups: dict[tuple[str, str], list[FindingPlace]] = {}
    for audited_game in audits:
        for finding in audited_game.audited.findings:
            groups.setdefault((audited_game.audited.ruleset, finding.rule), []).append(
                FindingPlace(audited_game.game, finding)
            )
    firsts = [
        FindingPlace(audited_game.game, audited_game.audited.findings[0])
        for audited_game in audits
        if audited_game.audited.findings
    ]
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return AuditSummary(
        len(audits),
        len(audits) - len(firsts),
        firsts,
        [FindingsOfRule(ruleset_id, rule, places) for (ruleset_id, rule), places in ordered],
        dict(unread),
    )
