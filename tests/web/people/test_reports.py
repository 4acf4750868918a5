"""Reports of abuse: sent without an account on a public Daybook, answered by the operator, read at a secret address."""

from __future__ import annotations

import re

import msgspec
import pytest
import sqlalchemy as sa

from daybook.services import limits
from daybook.services.operation import abuse_reports, operator_sessions
from daybook.services.people import operators
from daybook.services.permissions import access
from daybook.services.statistics import visibility
from daybook.services.store.kept import kept_report
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import ClubAtHand


@pytest.fixture
def public_game(friday: Opened) -> Opened:
    """A public game on a public Daybook."""
    object.__setattr__(friday.book.settings, "public", True)
    visibility.show_game(friday.book, friday.id, True)
    friday.update_list()
    return friday


@pytest.fixture
def operator(public_game: Opened) -> Visitor:
    club = ClubAtHand(public_game.book, public_game.app)
    operators.name_operator(public_game.book, club.olga, by="the operator")
    return club.signed_in()


def sent_report(visitor: Visitor, page: str, why: str = "an insult", kind: str = "name") -> str:
    """Return the path of the reporter's page."""
    form = visitor.get(f"/reports/new?page={page}").form_to("/reports/new")
    data = {**form.fields, "why": why, "kind": kind}
    answer = visitor.client.post("/reports/new", data=data)
    assert answer.status_code == 303, answer.text
    assert visitor.client.post("/reports/new", data=data).location == answer.location, "sent twice, it is stored once"
    return str(answer.location)


def test_report_hides_nothing_until_the_operator_decides(public_game, operator, visitor):
    page = visitor.get(public_game.path)
    [link] = re.findall(r'href="(/reports/new\?page=[^"]+)"', page.html)
    path = sent_report(visitor, link.partition("=")[2])
    assert re.fullmatch(r"/reports/[0-9a-f]{32}", path)
    assert "no answer yet" in visitor.get(path).text
    assert visitor.client.get(path).headers["Cache-Control"] == "no-store"
    assert visitor.get(public_game.path).status == 200
    assert "Reports of abuse (1)" in operator.get("/operator").text
    listed = operator.get("/operator/reports")
    assert "an insult" in listed.text and f'href="{public_game.path}"' in listed.html
    operator.send(listed.form_to("/operator/reports"), answer="", outcome="hide")
    assert visitor.get(public_game.path).status == 200, "without an answer nothing is hidden"
    operator.send(listed.form_to("/operator/reports"), answer="it was an insult", outcome="hide")
    assert Visitor(public_game.app).get(public_game.path).status == 403
    assert "removed it from the public lists" in visitor.get(path).text and "it was an insult" in visitor.get(path).text
    assert "it was an insult" in public_game.visitor().get(public_game.path).text, "the owner reads the reason"
    assert "no open reports" in operator.get("/operator/reports").text


def test_dismissed_report_hides_nothing_and_is_answered_once(public_game, operator, visitor):
    path = sent_report(visitor, public_game.path)
    listed = operator.get("/operator/reports")
    operator.send(listed.form_to("/operator/reports"), answer="a family name", outcome="dismiss")
    again = operator.send(listed.form_to("/operator/reports"), answer="hidden after all", outcome="hide")
    assert "has an answer already" in again.text
    assert "a family name" in visitor.get(path).text and "hidden after all" not in visitor.get(path).text
    assert Visitor(public_game.app).get(public_game.path).status == 200


def test_session_of_a_link_answers_and_is_recorded(public_game, visitor):
    path = sent_report(visitor, public_game.path)
    key, _ = operator_sessions.make_link(public_game.book)
    operator = Visitor(public_game.app)
    assert "Open: 1" in operator.post("/operation", key=key).text
    listed = operator.get("/operation/reports")
    operator.send(listed.form_to("/operation/reports"), answer="a family name", outcome="dismiss")
    assert "a family name" in visitor.get(path).text
    assert [action.action for action in operator_sessions.recent_actions(public_game.book)] == ["dismiss", "open"]


def test_only_the_operator_reads_and_answers_reports(public_game, visitor):
    sent_report(visitor, public_game.path)
    [report] = public_game.book.kept.engine.rows(sa.select(kept_report))
    member = ClubAtHand(public_game.book, public_game.app).signed_in()
    for caller in (member, public_game.visitor()):
        for address in ("/operator/reports", "/operation/reports"):
            assert "an insult" not in caller.get(address).text
            caller.post(address, report=report.id, what=str(public_game.id), answer="x", outcome="hide")
    assert visitor.get(public_game.path).status == 200
    assert abuse_reports.count_open(public_game.book) == 1
    assert visitor.get(f"/reports/{report.id}").status == 404, "the stored id opens nothing"
    assert visitor.get(f"/reports/{'0' * 32}").status == 404


def test_only_a_public_daybook_takes_reports(friday, visitor):
    visibility.show_game(friday.book, friday.id, True)
    assert "/reports/new" not in visitor.get(friday.path).html
    assert visitor.get("/reports/new").status == 404
    sent = visitor.client.post("/reports/new", data={"csrf": visitor.token(), "kind": "name", "page": "/x", "why": "x"})
    assert sent.status_code == 404 and abuse_reports.count_open(friday.book) == 0


@pytest.mark.parametrize(
    "page", ["", "x", "//example.org", "/\\example.org", "javascript:alert(1)", "/x" * 500, "http://[", "/a\u202eb"]
)
def test_address_that_is_no_page_is_refused(public_game, visitor, page):
    sent = {"csrf": visitor.token(), "kind": "name", "page": page, "why": "an insult"}
    answer = visitor.client.post("/reports/new", data=sent)
    assert answer.status_code == 422 and "an insult" in answer.text, "what was typed is still there"
    assert abuse_reports.count_open(public_game.book) == 0


def test_bad_kinds_and_reasons_are_refused(public_game, visitor):
    for fields in ({"kind": "x"}, {"why": ""}, {"why": "\u200b"}, {"why": "x" * 1001}):
        sent = {"csrf": visitor.token(), "kind": "name", "page": "/", "why": "x"} | fields
        assert visitor.client.post("/reports/new", data=sent).status_code == 422, fields


def test_reports_have_a_limit(public_game, visitor, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "report", limits.Limit(3600, account=2, link=2, browser=2, address=4))
    token = visitor.token()
    sent = [
        visitor.client.post("/reports/new", data={"csrf": token, "kind": "name", "page": "/", "why": f"no {number}"})
        for number in range(3)
    ]
    assert [answer.status_code for answer in sent] == [303, 303, 429]


def test_share_address_is_not_stored(public_game, visitor):
    share = access.share_game(public_game.book, public_game.id).id
    assert f"page={public_game.path}" in visitor.get(f"/s/{share}").html.replace("%2F", "/")
    sent_report(visitor, f"http://localhost/s/{share}?step=2")
    [report] = public_game.book.kept.engine.rows(sa.select(kept_report))
    assert report.page == public_game.path


def test_markup_in_a_report_is_text(public_game, operator, visitor):
    path = sent_report(visitor, "/x%22%3E<script>alert(1)</script>", "<script>alert(1)</script>")
    for html in (visitor.get(path).html, operator.get("/operator/reports").html):
        assert "<script>alert" not in html


def test_long_list_has_pages(public_game, operator):
    for number in range(25):
        abuse_reports.send_report(public_game.book, "name", f"/clubs?q={number}", f"no {number}.", key=str(number))
    first = operator.get("/operator/reports")
    [following] = re.findall(r'rel="next" href="([^"]+)"', first.html)
    second = operator.get(following)
    assert first.html.count("<blockquote>") == 24 and second.html.count("<blockquote>") == 1
    key, _ = operator_sessions.make_link(public_game.book)
    by_link = Visitor(public_game.app)
    by_link.post("/operation", key=key)
    [following] = re.findall(r'rel="next" href="([^"]+)"', by_link.get("/operation/reports").html)
    assert by_link.get(following).html.count("<blockquote>") == 1
    assert {*re.findall(r"no \d+\.", first.text + second.text)} == {f"no {number}." for number in range(25)}


def test_one_answer_goes_to_all_reports_of_a_page(public_game, operator):
    paths = [sent_report(Visitor(public_game.app), public_game.path, f"no {number}") for number in range(3)]
    listed = operator.get("/operator/reports")
    assert "all 3 open reports about this page" in listed.text
    operator.send(listed.form_to("/operator/reports"), answer="a joke", outcome="dismiss", whole_page="yes")
    assert all("a joke" in Visitor(public_game.app).get(path).text for path in paths)


def test_full_list_of_reports_keeps_what_was_typed(public_game, visitor, monkeypatch):
    monkeypatch.setattr(abuse_reports, "MAX_OPEN", 0)
    sent = {"csrf": visitor.token(), "kind": "name", "page": "/", "why": "an insult"}
    answer = visitor.client.post("/reports/new", data=sent)
    assert answer.status_code == 503 and "an insult" in answer.text and "too many open reports" in answer.text


def test_accounts_do_not_raise_the_limit_of_a_browser(public_game, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "report", msgspec.structs.replace(limits.LIMITS["report"], browser=1, address=2))
    member = ClubAtHand(public_game.book, public_game.app).signed_in()
    answers = [
        member.client.post("/reports/new", data={"csrf": member.token(), "kind": "name", "page": "/", "why": why})
        for why in "ab"
    ]
    assert [answer.status_code for answer in answers] == [303, 429]
