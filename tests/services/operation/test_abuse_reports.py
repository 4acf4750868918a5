"""Reports of abuse as rows: stored once, read by their secret, answered once."""

from __future__ import annotations

import pytest

from daybook.services.league.clubs import OPERATOR
from daybook.services.operation import abuse_reports
from daybook.services.operation.abuse_reports import AnsweredReportError, TooManyReportsError
from daybook.services.operation.withheld import UnknownThingError

pytestmark = pytest.mark.both_databases


def test_report_is_stored_once_and_answered_once(book, open_table):
    id = open_table(public=True)
    secret = abuse_reports.send_report(book, "game", f"/games/{id}", "an insult", key="one")
    assert abuse_reports.send_report(book, "game", f"/games/{id}", "an insult", key="one") == secret
    assert abuse_reports.send_report(book, "game", f"/games/{id}", "an insult", key="two") != secret
    first, second = abuse_reports.page_of_open(book, "", 9).rows
    assert first.thing == second.thing == ("game", str(id)) and book.kept.public_of([id]) == {id}
    with pytest.raises(UnknownThingError):
        abuse_reports.hide(book, first.report.id, "/clubs/x", "an insult", by=OPERATOR)
    abuse_reports.hide(book, first.report.id, str(id), "an insult indeed", by=OPERATOR)
    assert book.kept.public_of([id]) == set()
    with pytest.raises(AnsweredReportError):
        abuse_reports.dismiss(book, first.report.id, "once more")
    abuse_reports.dismiss(book, second.report.id, "hidden already")
    assert abuse_reports.count_open(book) == 0
    answered = [abuse_reports.read_report(book, key) for key in (secret, second.report.id)]
    assert answered[1] is None, "the id of a row is not its secret"
    shown = {first.report.id: "an insult indeed", second.report.id: "hidden already"}
    assert answered[0] is not None and answered[0].answer == shown[answered[0].id]


def test_next_page_begins_after_a_report_that_was_answered_meanwhile(book):
    for number in range(3):
        abuse_reports.send_report(book, "name", "/clubs", f"no {number}", key=str(number))
    first = abuse_reports.page_of_open(book, "", 2)
    abuse_reports.dismiss(book, first.next, "seen")
    rest = abuse_reports.page_of_open(book, first.next, 2)
    assert len({row.report.id for row in first.rows + rest.rows}) == 3 and rest.next == ""


def test_answer_for_a_page_goes_to_its_open_reports_alone(book):
    keys = [
        abuse_reports.send_report(book, "name", page, "spam", key=str(i))
        for i, page in enumerate(["/a", "/a", "/a", "/b"])
    ]
    rows = abuse_reports.page_of_open(book, "", 9).rows
    assert sorted(row.of_page for row in rows) == [1, 3, 3, 3]
    first, second, *_ = [row.report.id for row in rows if row.report.page == "/a"]
    abuse_reports.dismiss(book, first, "a family name")
    abuse_reports.dismiss(book, second, "spam", whole_page=True)
    answers = sorted(str(report.answer) for key in keys if (report := abuse_reports.read_report(book, key)))
    assert answers == ["None", "a family name", "spam", "spam"]
    with pytest.raises(AnsweredReportError):
        abuse_reports.dismiss(book, second, "spam", whole_page=True)


def test_open_reports_have_a_limit(book, monkeypatch):
    monkeypatch.setattr(abuse_reports, "MAX_OPEN", 1)
    abuse_reports.send_report(book, "name", "/a", "spam", key="one")
    with pytest.raises(TooManyReportsError):
        abuse_reports.send_report(book, "name", "/a", "spam", key="two")
    [row] = abuse_reports.page_of_open(book, "", 9).rows
    abuse_reports.dismiss(book, row.report.id, "seen")
    abuse_reports.send_report(book, "name", "/a", "spam", key="two")
