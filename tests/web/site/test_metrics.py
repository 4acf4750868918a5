"""Prometheus' metrics: their readers, and that alerts and dashboard query existing ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen
from uuid import uuid4

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Authorization

from daybook.services.operation.health import Pulse
from daybook.services.store import set_aside
from daybook.services.store.daybook import Daybook
from daybook.web.app import begin
from daybook.web.server import front
from tests.web.conftest import Visitor, served

TOKEN = "0123456789abcdef0123456789abcdef"
DEPLOY = Path(__file__).parents[3] / "docs" / "deploy"


@pytest.fixture
def watched(built_app: Flask, book: Daybook, tmp_path: Path) -> Iterator[FlaskClient]:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    begin(built_app, replace(book, settings=replace(book.settings, metrics_token_file=file)))
    yield built_app.test_client()
    begin(built_app, book)


def figures(client: FlaskClient) -> dict[str, float]:
    answer = client.get("/metrics", auth=Authorization("bearer", token=TOKEN))
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    lines = [line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(figure) for name, figure in lines}


def test_without_a_token_there_are_no_metrics(app):
    assert app.test_client().get("/metrics").status_code == 404
    assert app.test_client().get("/metrics", auth=Authorization("bearer", token="")).status_code == 404


@pytest.mark.parametrize("shown", [None, Authorization("bearer", token=TOKEN[:-1]), Authorization("bearer", token="é")])
def test_who_does_not_show_the_token_learns_nothing(watched, shown):
    answer = watched.get("/metrics", auth=shown)
    assert answer.status_code == 401
    assert "daybook_" not in answer.text


def test_missing_queue_and_unreadable_game_are_in_the_metrics(watched, book):
    before = figures(watched)
    assert before['daybook_up{component="database"}'] == 1
    assert before['daybook_up{component="queue"}'] == 0  # nobody started one here
    assert before["daybook_unreadable_records"] == 0
    assert before["daybook_disk_writable"] == 1
    assert before["daybook_database_bytes"] > 4096
    with book.views.begin() as connection:
        set_aside.add(connection, ["games"], uuid4(), 1, "its seal is wrong")
    assert figures(watched)["daybook_unreadable_records"] == 1


def test_postgresql_only_service_needs_no_data_folder(book, tmp_path):
    elsewhere = replace(book, settings=replace(book.settings, data=tmp_path / "nowhere"))
    assert Pulse(elsewhere).weigh().free_bytes is None


def test_refusals_are_counted(watched):
    somebody = Visitor(watched.application)
    assert somebody.post("/sign-in", sign_in="anna", password="not the password").status == 422
    assert watched.post("/sign-in", data={}).status_code == 403
    counted = figures(watched)
    assert counted["daybook_failed_sign_ins_total"] == 1
    assert counted["daybook_denied_requests_total"] == 1


def test_alerts_and_dashboard_ask_for_what_is_told(watched):
    alerts = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    asked = [alert["expr"] for alert in alerts] + [ask["expr"] for panel in panels for ask in panel["targets"]]
    names = {name for expression in asked for name in re.findall(r"(?:daybook|process)_\w+", expression)}
    told = watched.get("/metrics", auth=Authorization("bearer", token=TOKEN)).text
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", told, re.MULTILINE))
    elsewhere = {"daybook_jobs_waiting", "daybook_jobs_failed", "daybook_oldest_job_seconds"}  # there is no queue here
    elsewhere |= {"daybook_certificate_seconds_left"}  # nor a certificate
    unknown = {name for name in names if name not in kinds and name.removesuffix("_bucket") not in kinds}
    assert unknown <= elsewhere
    assert {alert["labels"]["severity"] for alert in alerts} == {"critical", "warning"}
    assert [alert["alert"] for alert in alerts if "for" not in alert] == []


def test_routes_are_counted_by_view_and_never_by_address(watched, port_of_site):
    with served(watched.application, port_of_site) as address:
        for path in ("/help", "/help?a=1", f"/games/{uuid4()}", "/no-such-page", "/neither"):
            with suppress(HTTPError), urlopen(address + path) as answer:
                assert "daybook-route" not in answer.headers
    counted = figures(watched)
    routes = {name for name in counted if "route=" in name}
    assert counted['daybook_route_seconds_count{route="help.help"}'] == 2, routes
    assert counted['daybook_route_errors_total{route="none",status="4xx"}'] == 2
    assert not [name for name in routes if "no-such-page" in name or "neither" in name]
    assert [name for name in counted if name.startswith("daybook_build{")]


def test_slow_request_is_logged_with_what_it_waited_for(watched, port_of_site, monkeypatch, caplog):
    monkeypatch.setattr(front, "SLOW_SECONDS", 0.0)
    with served(watched.application, port_of_site) as address, urlopen(f"{address}/help") as answer:
        answer.read()
    [line] = [text for text in caplog.messages if text.startswith("slow request")]
    assert re.search(r"GET help\.help 200 took \d+ ms \(.*processor \d+", line), line
