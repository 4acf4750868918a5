"""Reports of abuse: readers of a public Daybook report a name, a photo, a sheet, a game or a club; the operator answers.

A report hides nothing. The reporter reads the answer at a secret address, of which only a digest is stored. The
reporter's account is not stored.
"""

from __future__ import annotations

import hashlib
from typing import Literal
from urllib.parse import urlsplit

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.limits import digest_of_subject
from daybook.services.names import clean_name
from daybook.services.operation import withheld
from daybook.services.operation.withheld import UnknownThingError, Withholdable
from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_report

ReportKind = Literal["name", "photo", "sheet", "game", "club"]
Outcome = Literal["hidden", "dismissed"]

REASON_LIMIT = 1000
PAGE_LIMIT = 800
ANSWER_LIMIT = withheld.WHY_LIMIT  # the owner of what is hidden reads it too
SECRET_LENGTH = 32
MAX_OPEN = 10_000  # from all reporters; about 20 MB of the longest ones


class BadPageError(ValueError):
    """The text is not the address of a page of this site."""


class TooManyReportsError(Exception):
    """The limit of reports without an answer is reached: no more are stored."""


class AnsweredReportError(Exception):
    """The report has an answer already, or does not exist."""


class AbuseReport(Frozen):
    """A report, and its answer if it has one."""

    id: str  # digest of the secret in its address
    kind: str  # a ReportKind
    page: str  # path and query
    why: str
    at: str
    outcome: str | None  # an Outcome
    answer: str | None
    answered_at: str | None


class OpenReport(Frozen):
    """A report for the operator.

    Args:
        thing: what can be hidden; None if the page names no game, club or sheet.
        of_page: number of open reports about the same page.
    """

    report: AbuseReport
    thing: Withholdable | None
    of_page: int


def read_page(text: str) -> str:
    """Return path and query of an address of this site. Raises BadPageError."""
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        raise BadPageError from None
    page = parts.path + (f"?{parts.query}" if parts.query else "")
    if not page.startswith("/") or page.startswith(("//", "/\\")) or not page.isprintable() or len(page) > PAGE_LIMIT:
        raise BadPageError
    return page


def send_report(book: Daybook, kind: ReportKind, page: str, why: str, *, key: str) -> str:
    """Store a report; return the secret of its address. The same key stores it once.

    Raises BadPageError, TooManyReportsError, and BadNameError for an empty or too long reason.
    """
    row = {"kind": kind, "page": read_page(page), "why": clean_name("why", why, REASON_LIMIT), "at": now()}
    secret = digest_of_subject(book, f"report {key}")[:SECRET_LENGTH]
    if count_open(book) >= MAX_OPEN and read_report(book, secret) is None:
        raise TooManyReportsError
    with book.kept.engine.begin() as c:
        insert_once(c, kept_report, {"id": _digest(secret), **row})
    return secret


def read_report(book: Daybook, secret: str) -> AbuseReport | None:
    """Return the report with this secret in its address."""
    rows = book.kept.engine.rows(sa.select(kept_report).where(kept_report.c.id == _digest(secret)))
    return next((AbuseReport(**row._mapping) for row in rows), None)


def count_open(book: Daybook) -> int:
    """Return the number of reports without an answer."""
    query = sa.select(sa.func.count()).select_from(kept_report).where(kept_report.c.answered_at.is_(None))
    return int(book.kept.engine.value(query) or 0)


def page_of_open(book: Daybook, after: str, limit: int) -> ListPage[OpenReport]:
    """Return a page of the reports without an answer, oldest first.

    Args:
        after: the id of the last report of the previous page.

    Raises UnknownPlaceError.
    """
    at, report_id, page = kept_report.c.at, kept_report.c.id, kept_report.c.page
    query = sa.select(kept_report).where(kept_report.c.answered_at.is_(None)).order_by(at, report_id)
    with book.kept.engine.connect() as c:
        if after:
            last = c.execute(sa.select(at).where(report_id == after)).first()  # it may have its answer by now
            if last is None:
                raise UnknownPlaceError(after)
            query = query.where(sa.or_(at > last.at, sa.and_(at == last.at, report_id > after)))
        rows = c.execute(query.limit(limit + 1)).all()
        found = [AbuseReport(**row._mapping) for row in rows[:limit]]
        counts = sa.select(page, sa.func.count().label("n")).where(kept_report.c.answered_at.is_(None)).group_by(page)
        pages = {report.page for report in found}
        of_pages = {row.page: int(row.n) for row in c.execute(counts.where(page.in_(pages)))}
    return ListPage(
        [OpenReport(report, _reported_thing(book, report.page), of_pages[report.page]) for report in found],
        found[-1].id if len(rows) > limit else "",
    )


def dismiss(book: Daybook, report_id: str, answer: str, *, whole_page: bool = False) -> None:
    """Answer a report and hide nothing.

    Args:
        whole_page: answer all open reports about the same page.

    Raises AnsweredReportError, and BadNameError for an invalid answer.
    """
    _answer(book, report_id, "dismissed", answer, whole_page)


def hide(book: Daybook, report_id: str, what: str, answer: str, *, by: str, whole_page: bool = False) -> Withholdable:
    """Hide what an id or address names at once and answer the report. The owner reads the answer as the reason.

    Args:
        whole_page: answer all open reports about the same page.

    Raises AnsweredReportError, UnknownThingError, and BadNameError for an invalid answer.
    """
    thing = withheld.parse_thing(book, what)
    open_report = sa.select(kept_report.c.id).where(kept_report.c.id == report_id, kept_report.c.answered_at.is_(None))
    if not book.kept.engine.value(open_report):
        raise AnsweredReportError(report_id)
    withheld.take_off(book, thing, answer, by=by)  # first: a process that is killed in between leaves the report open
    _answer(book, report_id, "hidden", answer, whole_page)
    return thing


def _answer(book: Daybook, report_id: str, outcome: Outcome, answer: str, whole_page: bool) -> None:
    values = {"outcome": outcome, "answer": clean_name("answer", answer, ANSWER_LIMIT), "answered_at": now()}
    still_open = kept_report.c.answered_at.is_(None)
    with book.kept.engine.begin() as c:
        answered = c.execute(kept_report.update().where(kept_report.c.id == report_id, still_open).values(**values))
        if not answered.rowcount:
            raise AnsweredReportError(report_id)
        if whole_page:
            page = sa.select(kept_report.c.page).where(kept_report.c.id == report_id).scalar_subquery()
            c.execute(kept_report.update().where(kept_report.c.page == page, still_open).values(**values))


def _reported_thing(book: Daybook, page: str) -> Withholdable | None:
    try:
        return withheld.parse_thing(book, page)
    except UnknownThingError:
        return None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
