"""The OpenAPI document, and the page it is browsed on: in a real browser, under our own Content-Security-Policy."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import jsonschema_rs
import pytest
from flask import Flask
from markupsafe import escape
from playwright.sync_api import expect
from werkzeug.serving import make_server

from tests.axe import faults
from tests.web.api.conftest import V1


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The application served on a port of its own."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def test_document_is_openapi_31_with_usable_schemas(api):
    document = api.get("/openapi.json").json
    assert document["openapi"] == "3.1.0"
    every = [{"$ref": f"#/components/schemas/{name}"} for name in document["components"]["schemas"]]
    jsonschema_rs.validator_for({"anyOf": every, "components": document["components"]})


def test_several_who_ask_for_the_document_at_once_get_the_same(app):
    described = app.extensions["daybook.openapi"]
    fresh = type(described)(app, described.sections)
    with ThreadPoolExecutor(4) as asking:
        assert len({*asking.map(lambda _: fresh.content(), range(4))}) == 1
    assert fresh.content() == app.test_client().get(V1 + "/openapi.json").data


def test_every_operation_says_what_it_does_and_how_it_fails(api):
    for path, operations in api.get("/openapi.json").json["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            assert operation["summary"], (method, path)
            assert "500" in operation["responses"] and operation["tags"], (method, path)
            if method in ("post", "patch") and path != V1 + "/games/import":
                assert {"400", "413", "415", "422"} <= operation["responses"].keys(), (method, path)


def test_every_write_into_a_record_asks_for_an_idempotency_key(api):
    paths = api.get("/openapi.json").json["paths"]
    for written in ("decisions", "take-backs", "adjustments", "notes", "close", "abandon", "reopen"):
        parameters = paths[V1 + f"/games/{{game_id}}/{written}"]["post"]["parameters"]
        assert [(p["name"], p["in"], p["required"]) for p in parameters] == [("Idempotency-Key", "header", True)]


def test_document_can_be_browsed_and_tried_without_other_hosts(page, address):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + V1 + "/try/")
    expect(page.get_by_role("heading", name="Daybook 1")).to_be_visible()
    page.get_by_role("link", name="Rulesets and sheets", exact=True).click()
    page.get_by_role("button", name="GET /api/v1/rulesets List the").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
    expect(page.locator(".live-responses-table")).to_contain_text("making_profit")
    assert asked and all(url.startswith((address, "data:", "blob:")) for url in asked)


def test_every_example_of_the_page_runs_against_this_server(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address + V1 + "/")
    buttons = page.get_by_text("Run it", exact=True)
    answers = page.locator(".api-answer")
    page.get_by_text("Run it", exact=True).nth(5).click()
    expect(answers.nth(5)).to_have_text("Run the example that opens a game first.")
    for number in range(buttons.count()):
        buttons.nth(number).click()
        expect(answers.nth(number)).to_contain_text(re.compile(r"^20[01] "))
    assert faults(page) == []
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_names_every_address_and_needs_no_script(api):
    page = api.get("/").text
    for path, operations in api.get("/openapi.json").json["paths"].items():
        assert f"<code>{path.removeprefix(V1)}</code>" in page
        assert all(escape(operations[method]["summary"]) in page for method in operations.keys() - {"parameters"})
    for link in re.findall(r'href="(/api/v1/[^"]+)" data-run', page):
        assert api.client.get(link.replace("&amp;", "&")).status_code in (200, 503), link
    assert 'class="site"' in page or "<header" in page
