"""The operator's page: a link opens it once, no account does, and what is done there is recorded."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from daybook import cli
from daybook.services.clock import later_time, now
from daybook.services.operation import operator_sessions
from daybook.services.people import operators
from daybook.services.statistics import visibility
from daybook.services.store.kept import kept_operator_link
from daybook.workers.start_checks import lock_folder
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand


def opened(app, book) -> Visitor:
    key, _ = operator_sessions.make_link(book)
    somebody = Visitor(app)
    assert somebody.post("/operation", key=f"https://daybook.example.org/operation#{key}").status == 200
    return somebody


def test_link_opens_the_page_once(app, book):
    key, _ = operator_sessions.make_link(book)
    first, second = Visitor(app), Visitor(app)
    assert "Last backup" in first.post("/operation", key=key).text
    used = second.post("/operation", key=key)
    assert (used.status, "daybook operator-link" in used.text) == (403, True)
    assert "Last backup" not in second.get("/operation").text
    assert "Last backup" in first.get("/operation").text
    assert first.client.get("/operation").headers["Cache-Control"] == "no-store"


def test_link_and_session_end_after_fifteen_minutes(app, book):
    key, until = operator_sessions.make_link(book)
    assert now() < until <= later_time(now(), minutes=15)
    book.kept.engine.write(kept_operator_link.update().values(until=later_time(now(), minutes=-1)))
    assert Visitor(app).post("/operation", key=key).status == 403
    operator = opened(app, book)
    book.kept.engine.write(kept_operator_link.update().values(until=later_time(now(), minutes=-1)))
    assert "Last backup" not in operator.get("/operation").text
    stranger = Visitor(app)
    for address in ("/operation/hide", "/operation/reports", "/operation/leave"):
        for client in (operator, stranger):  # strangers learn nothing from the answer
            page = client.post(address, why="x", what="x")
            assert (page.status, "Your session as operator has ended" in page.text) == (403, True)


def test_no_account_opens_the_page(friday):
    club = ClubAtHand(friday.book, friday.app)
    operators.name_operator(friday.book, club.olga, by="the operator")
    account = club.signed_in()
    assert "Last backup" not in account.get("/operation").text
    for address in ("/operation/hide", "/operation/leave"):
        assert account.post(address, what=str(friday.id), why="x").status == 403
        assert friday.visitor().post(address, what=str(friday.id), why="x").status == 403
    assert operator_sessions.recent_actions(friday.book) == []


def test_hiding_and_leaving_are_recorded(friday, visitor):
    visibility.show_game(friday.book, friday.id, True)
    friday.update_list()
    operator = opened(friday.app, friday.book)
    assert operator.post("/operation/hide", what=str(friday.id), why="").status == 200
    assert visitor.get(friday.path).status == 200, "without a reason nothing is hidden"
    operator.post("/operation/hide", what=str(friday.id), why="an offending title")
    assert visitor.get(friday.path).status == 403
    assert f"game {friday.id}: an offending title" in operator.get("/operation").text
    operator.post("/operation/leave")
    assert "Last backup" not in operator.get("/operation").text
    assert [action.action for action in operator_sessions.recent_actions(friday.book)] == ["leave", "hide", "open"]


def test_store_keeps_no_key(book):
    key, _ = operator_sessions.make_link(book)
    rows = book.kept.engine.rows(sa.select(kept_operator_link))
    assert key not in str(rows)


@pytest.mark.sqlite_suffices
def test_command_prints_a_link_that_works(book, app):
    if book.settings.database_url is not None:
        pytest.skip("the command reads the data folder")
    result = CliRunner().invoke(cli.main, ["operator-link", "--data", str(book.settings.data)])
    assert result.exit_code == 0, result.output
    [key] = re.findall(r"^http://127.0.0.1:8000/operation#(\S+)", result.output)
    assert "Parts" in Visitor(app).post("/operation", key=key).text
    with lock_folder(book.settings.data, "http://192.0.2.7:8123"):
        result = CliRunner().invoke(cli.main, ["operator-link", "--data", str(book.settings.data)])
    assert result.output.startswith("http://192.0.2.7:8123/operation#")
