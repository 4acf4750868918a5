"""An application made of parts: each page by its name, links to what is elsewhere, and an evening without the rest."""

from __future__ import annotations

import io
import re
from itertools import chain

import pytest
from flask import url_for
from jinja2 import nodes
from werkzeug.routing import BuildError

from daybook.services.files import import_export
from daybook.services.store.daybook import Daybook
from daybook.web.app import create_app
from daybook.web.pages import API, AT_THE_TABLE, DEVICE, EVERYTHING, ON_A_DEVICE, PAGES
from tests.services.fixture_files import file_of, played_game
from tests.web.conftest import VisitedPage, Visitor

SERVER = "https://daybook.example.org"


@pytest.fixture
def device(book: Daybook) -> Visitor:
    """A visitor of an application that has the table's parts alone."""
    return Visitor(create_app(book, AT_THE_TABLE, SERVER))


def test_each_page_is_named_as_its_blueprint(book):
    app = create_app(book)
    assert list(app.blueprints)[: len(PAGES) - len(DEVICE)] == [name for name in PAGES if name not in DEVICE]
    assert "elsewhere" not in app.blueprints
    assert {*DEVICE} <= {*create_app(book, ON_A_DEVICE).blueprints}


def test_application_has_the_requested_parts_only(book):
    app = create_app(book, ["home", "help"])
    assert sorted(app.blueprints) == ["elsewhere", "help", "home"]
    visitor = Visitor(app)
    assert visitor.get("/help").status == 200
    assert visitor.get("/new").status == 404
    assert visitor.get("/api/v1/games").status == 404


def test_there_is_no_such_part(book):
    with pytest.raises(KeyError, match="barn"):
        create_app(book, ["home", "barn"])


def test_the_table_s_parts_are_parts():
    assert set(AT_THE_TABLE) < set(EVERYTHING)
    assert API not in AT_THE_TABLE


def test_a_link_to_a_part_that_is_elsewhere_leads_there(device):
    with device.client.application.test_request_context():
        assert url_for("clubs.clubs") == "/elsewhere?part=clubs"
        assert url_for("home.home") == "/"
    page = device.get("/elsewhere?part=clubs")
    assert page.status == 200
    assert f'href="{SERVER}/"' in page.html


def test_a_misspelt_link_is_no_part_elsewhere(device):
    with device.client.application.test_request_context(), pytest.raises(BuildError):
        url_for("home.hmoe")


def test_no_page_of_the_table_leads_to_where_nothing_is(book, device):
    """Every link on the pages of an evening opens a page of this application."""
    game = played_game(30)
    import_export.import_file(book, file_of(game), public=True)
    start = [
        "/",
        "/new",
        "/help",
        "/import",
        "/practice",
        f"/games/{game.id}",
        f"/games/{game.id}/score",
        f"/games/{game.id}/about",
    ]
    seen: set[str] = set()
    for path in start:
        page = device.get(path)
        assert page.status == 200, path
        seen |= set(re.findall(r'(?:href|src|action)="(/[^"#]*)', page.html))
    assert len(seen) > 30
    gets = sorted(path.replace("&amp;", "&") for path in seen if not path.startswith("/static/"))
    for path in gets:
        answer = device.client.get(path)
        assert answer.status_code not in (404, 500), path
        assert "/elsewhere" not in path


def test_game_opened_on_a_device_records_at_once_without_links(device):
    form = device.get("/new?game=making_profit").form("Open the game")
    page = device.send(form, title="Cellar", **{"name.0": "Anna", "name.1": "Ben", "name.2": "Cleo"})
    game = page.answer.request.path.removesuffix("/record")
    assert page.answer.request.path == f"{game}/record"
    names = device.get(page.link("Names"))
    assert "No other phone can open it" in names.text
    assert "/join#" not in names.html
    renamed = device.send(names.form("Change the names"), title="Cellar", **{"name.0": "Anne"})
    assert renamed.status == 200
    assert "Anne" in device.get(f"{game}/about").text


def test_a_record_read_into_a_device_is_replayed_at_once(device):
    form = device.get("/import").form("Import")
    page = VisitedPage(
        device.client.post(
            form.action,
            data=form.fields | {"record": (io.BytesIO(file_of(played_game(30))), "game.daybook")},
            follow_redirects=True,
        )
    )
    assert page.answer.request.path == f"/games/{played_game(30).id}"


def test_every_link_of_a_template_brings_what_its_route_needs(book):
    """A link that lacks a part of its address is an error of the one page that shows it."""
    apps = create_app(book), create_app(book, ON_A_DEVICE)
    needs: dict[str, list[set[str]]] = {}
    for rule in chain.from_iterable(app.url_map.iter_rules() for app in apps):
        needs.setdefault(rule.endpoint, []).append({*rule.arguments} - {*(rule.defaults or {})})
    found = 0
    for name in apps[0].jinja_env.list_templates(["html"]):
        assert apps[0].jinja_env.loader is not None
        source, _, _ = apps[0].jinja_env.loader.get_source(apps[0].jinja_env, name)
        for call in apps[0].jinja_env.parse(source).find_all(nodes.Call):
            if not (isinstance(call.node, nodes.Name) and call.node.name == "url_for" and call.args):
                continue
            endpoint, brings = call.args[0], {given.key for given in call.kwargs}
            if isinstance(endpoint, nodes.Const) and call.dyn_kwargs is None:
                found += 1
                wanted = needs[endpoint.value]
                assert any(value <= brings for value in wanted), (name, call.lineno, endpoint.value, wanted)
    assert found > 200
