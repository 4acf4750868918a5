"""Answers to pages, programs and devices about an erased game or club."""

from __future__ import annotations

import io
from uuid import uuid4

import pytest

from daybook.services.files import leases, receipts
from daybook.services.files.import_export import export_game
from daybook.services.league import clubs
from daybook.services.operation import erasing
from tests.played import key
from tests.web.conftest import OF_OUR_PAGE, Visitor

WHY = "asked for by Anna"


@pytest.fixture
def erased(friday):
    """Friday's game, its scorekeeper's browser, its file and its last receipt, and then it is erased."""
    friday.play(10)
    keeper, content = friday.visitor(), export_game(friday.book, friday.id)
    receipt, seal = receipts.issue_receipt(friday.book, friday.id), friday.game.seal
    keeper.get(f"{friday.path}/record")
    erasing.erase_record(friday.book, friday.id, WHY)
    return friday, keeper, content, receipt, seal


@pytest.mark.parametrize("place", ["", "/record", "/type", "/score", "/receipt", "/links", "/newest.json", "/events"])
def test_page_of_erased_game_says_when_why_and_seal(erased, place):
    friday, keeper, _, _, seal = erased
    for someone in (keeper, Visitor(friday.app)):
        page = someone.get(friday.path + place)
        assert page.status == 410
        assert WHY in page.text and receipts.short_code(seal) in page.text


def test_api_of_erased_game_answers_410(erased):
    friday, _, content, receipt, seal = erased
    client = friday.app.test_client()
    for path in ("", "/receipt", "/record"):
        answer = client.get(f"/api/v1{friday.path}{path}")
        assert (answer.status_code, answer.json["error"]["code"]) == (410, "erased"), path
    found = client.get(f"/api/v1{friday.path}/verify", query_string={"receipt": seal[:16]}).json
    assert (found["intact"], found["erased"], found["seal"], found["received"]) == (False, True, seal, receipt.step)
    held = client.post(
        f"/api/v1{friday.path}/receipt", data=receipts.encode_receipt(receipt), content_type="application/json"
    )
    assert (held.json["state"], held.json["signed"], held.json["trusted"]) == ("erased", True, True)
    headers = {"Idempotency-Key": str(uuid4())}
    sent = client.post("/api/v1/games/import", data=content, content_type="application/x-ndjson", headers=headers)
    assert (sent.status_code, sent.json["error"]["code"]) == (410, "erased")


def test_import_page_refuses_file_of_erased_game(erased):
    friday, _, content, _, _ = erased
    sent = Visitor(friday.app).client.post(
        "/import",
        data={"record": (io.BytesIO(content), "friday.daybook"), "key": uuid4().hex},
        headers=OF_OUR_PAGE,
        content_type="multipart/form-data",
    )
    assert sent.status_code == 410 and WHY in sent.text
    assert friday.book.kept.game(friday.id) is None


@pytest.mark.parametrize("part", ["state", "lines", "return"])
def test_device_learns_that_its_game_was_erased(friday, part):
    friday.play(5)
    lease = leases.take_lease(friday.book, friday.id, "phone", by="scorekeeper", key=key())
    bearer = {"Authorization": f"Bearer {leases.hand_back_key(friday.book, lease, '')}"}
    erasing.erase_record(friday.book, friday.id, WHY)
    client, address = friday.app.test_client(), f"{friday.path}/lease/{part}"
    answer = client.get(address, headers=bearer) if part == "state" else client.post(address, headers=bearer)
    assert answer.status_code == 410 and WHY in answer.json["wrong"]
    assert client.get(f"{friday.path}/lease/state", headers={"Authorization": "Bearer x"}).status_code == 403


def test_page_of_erased_club_says_why(app, book):
    book.kept.keep_people({"olga": "Olga"})
    club = clubs.found_club(book, "The Mill", "olga", by="olga", key=key()).record
    erasing.erase_record(book, club, WHY)
    page = Visitor(app).get(f"/clubs/{club}")
    assert page.status == 410 and WHY in page.text
    assert app.test_client().get(f"/api/v1/clubs/{club}").json["error"]["code"] == "erased"
