"""The page of a device's data, and its messages about parts that only a server has."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from flask import Flask

from daybook.services import limits
from daybook.services.files.import_export import import_file
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from daybook.services.store.held_leases import HeldLease, store_lease
from daybook.web.app import begin, create_app
from daybook.web.here.bridge import Device
from daybook.web.request import counts
from tests.services.fixture_files import file_of, played_game
from tests.web.conftest import Visitor

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def device(book: Daybook, built_device_app: Flask) -> Visitor:
    begin(built_device_app, book)
    return Visitor(built_device_app)


@pytest.fixture
def game(book: Daybook) -> UUID:
    return import_file(book, file_of(played_game(1, limit=30)))


def delete(device: Visitor, game: UUID, word: str) -> tuple[int, str]:
    token = re.search(r'name="csrf" value="([^"]+)"', device.get("/device").html)
    assert token
    answer = device.client.post(f"/device/delete/{game}", data={"csrf": token[1], "word": word})
    return answer.status_code, answer.text


def test_one_game_is_deleted_on_the_typed_word_and_others_stay(device, book, game):
    other = import_file(book, file_of(played_game(7, limit=20)))
    status, page = delete(device, game, "remove")
    assert (status, "Nothing was deleted" in page) == (422, True)
    assert {*book.log.game_ids()} == {game, other}
    assert delete(device, game, " Delete ")[0] == 303
    assert book.log.game_ids() == [other]
    page = device.get("/device").html
    assert str(other) in page and str(game) not in page


def test_game_a_server_waits_for_warns_before_it_is_deleted(device, book, game):
    assert "A server is waiting for this game" not in device.get("/device").html
    store_lease(book, HeldLease(game, 3, "key", "", "2026-11-20T19:30:00.000Z"), "")
    assert "A server is waiting for this game" in device.get("/device").html


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("receipt", "Only a server can sign a receipt."),
        ("receipt/file?step=3", "Only a server can sign a receipt."),
        ("photos/abc", "Only a server keeps photos of the table."),
    ],
)
def test_what_only_a_server_has_is_said_in_a_sentence(device, book, game, address, sentence):
    page = device.get(f"/games/{game}/{address}")
    assert page.status == 200
    assert sentence in page.html
    assert sentence not in Visitor(create_app(book)).get(f"/games/{game}/{address}").html


def test_nobody_is_asked_for_a_photo_there(device, book, game):
    assert 'type="file"' not in device.get(f"/games/{game}/claims/new?step=3").html


def test_what_was_undone_on_a_device_is_redone_there(device, book, game):
    head = book.games.get(game).heads[-1]
    with device.client.session_transaction() as session:
        session["grants"] = [access.make_grant(book, game, "scorekeeper").id]
    form = device.get(f"/games/{game}/record").form_to("/undo")
    page = device.send(form, why="a slip")
    assert head in book.games.get(game).struck_steps()
    device.send(page.form(f"Redo to step {head}"))
    assert book.games.get(game).heads[-1] == head


def test_nothing_is_limited_on_a_device(tmp_path):
    opened = Device(tmp_path, "http://127.0.0.1", "/here/app")
    opened.open()
    with opened.app.test_request_context("/", environ_base={"REMOTE_ADDR": ""}):
        for _ in range(limits.LIMITS["wrong_key"].address + 1):
            counts.take("wrong_key")
    opened.close()
