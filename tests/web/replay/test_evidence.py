"""Seals, receipts and audits on the pages: for anybody to keep, and to hold a record against later."""

from __future__ import annotations

import io
from types import SimpleNamespace

import msgspec
import pytest

from daybook.domain.commands import RecordAsPlayed
from daybook.services.files import audits, receipt_keys, receipts
from daybook.services.files.receipts import ReceiptCheck
from daybook.services.permissions.access import share_game
from daybook.web.request import sharing
from tests.web.conftest import Opened, VisitedPage, Visitor


@pytest.fixture
def played_friday(friday: Opened) -> Opened:
    friday.play(60)
    return friday


def compare_with(somebody: Visitor, game: Opened, content: bytes) -> VisitedPage:
    form = somebody.get(f"{game.path}/receipt").form("Compare the record")
    return VisitedPage(
        somebody.client.post(
            form.action,
            data=form.fields | {"receipt": (io.BytesIO(content), "x.receipt")},
            content_type="multipart/form-data",
            follow_redirects=True,
        )
    )


def test_the_seal_stands_on_the_score_sheet_as_a_code_and_a_qr(friday):
    friday.play(3000)
    reader = friday.visitor("reader")
    page = reader.get(f"{friday.path}/score")
    assert receipts.short_code(friday.game.seal) in page.text or "Seal" in page.text
    for href in {href for _, href in page.links if "/score?step=" in href}:
        step = int(href.rpartition("=")[2])
        sheet = reader.get(href)
        assert receipts.short_code(friday.game.entries[step].seal) in sheet.text
        assert sheet.link("Save a receipt").endswith(f"/receipt?step={step}")


def test_anybody_who_may_read_saves_a_receipt(played_friday, visitor):
    reader = played_friday.visitor("reader")
    page = reader.get(f"{played_friday.path}/receipt", step=20)
    assert receipts.short_code(played_friday.game.entries[20].seal) in page.text
    answer = reader.client.get(page.link("Save the receipt"))
    assert answer.status_code == 200 and "attachment" in answer.headers["Content-Disposition"]
    receipt = receipts.read_receipt(answer.data)
    assert receipt.step == 20 and receipts.is_signed(receipt)
    assert visitor.get(f"{played_friday.path}/receipt").status == 403
    assert visitor.get(f"{played_friday.path}/receipt/file").status == 403
    assert reader.get(f"{played_friday.path}/receipt", step=9999).status == 404


def test_a_record_is_held_against_a_receipt(played_friday, monkeypatch):
    reader = played_friday.visitor("reader")
    then = receipts.encode_receipt(receipts.issue_receipt(played_friday.book, played_friday.id))
    assert "is unchanged since" in compare_with(reader, played_friday, then).text
    played_friday.play(3)
    page = compare_with(reader, played_friday, then)
    assert "continues to step" in page.text and "signed by this Daybook" in page.text
    other = receipts.read_receipt(then)
    changed = msgspec.structs.replace(other, chain=["0" * 16, *other.chain[1:]])
    page = compare_with(reader, played_friday, receipts.encode_receipt(changed))
    assert "Step 0 was changed" in page.text and "signature does not match" in page.text
    for wrong in (b"", b"no receipt", b"[" * 5000):
        assert compare_with(reader, played_friday, wrong).status == 422
    monkeypatch.setattr(receipts, "MAX_RECEIPT_BYTES", 2_000)
    assert compare_with(reader, played_friday, b" " * 20_000).status == 413


def test_stranger_is_told_how_to_verify_and_what_it_omits(played_friday, visitor):
    page = visitor.get("/verifying")
    assert receipt_keys.current_public_key(played_friday.book) in page.text
    assert "sha256sum" in page.text and "seal a whole record again" in page.text
    assert visitor.get(visitor.get("/help").link("How anyone can")).status == 200
    assert ReceiptCheck("unchanged", 1, "", True).holds


# --- audits ----------------------------------------------------------------------------------------------------------


def test_a_game_is_audited_on_demand(played_friday):
    played_friday.update_list()
    keeper = played_friday.visitor()
    page = keeper.get(keeper.get(f"{played_friday.path}/about").link("Check against today’s rules"))
    assert "not been audited yet" in page.text
    page = keeper.send(page.form("Audit it now"))
    assert "agree with every step" in page.text
    page = keeper.get("/audit")
    assert "1 of 1 games audited" in page.text and "every step of 1 of 1" in page.text
    page = keeper.send(page.form("Audit the 1 game"))
    assert "1 game waits for its audit" in page.text
    assert "0 of 1 games audited" in page.text and "1 game is waiting" in page.text


def test_findings_stand_by_rule_and_lead_to_their_steps(played_friday):
    idle = next(n for n in range(3) if n not in played_friday.game.ruleset.course.to_act(played_friday.game.board))
    played_friday.write(RecordAsPlayed(idle, {"type": "run"}, {}, "it stood", rules_applied=True), key="k" * 20)
    found = audits.audit_game(played_friday.book, played_friday.id)
    keeper = played_friday.visitor()
    page = keeper.get(f"{played_friday.path}/audit")
    assert page.status == 200
    if found.audited.clean:
        assert "agree with every step" in page.text
    else:
        assert f"step {found.audited.findings[0].step}" in page.text


def test_while_it_is_played_an_audit_is_for_who_sees_every_hand(played_friday):
    audits.audit_game(played_friday.book, played_friday.id)
    for who, seat in (("seat", 0), ("reader", None)):
        somebody = played_friday.visitor(who, seat)
        assert somebody.get(f"{played_friday.path}/audit").status == 403
        assert somebody.post(f"{played_friday.path}/audit").status == 403
        page = somebody.get("/audit")
        assert page.status == 200 and "hidden from you" in page.text and "0 of 0" in page.text


def test_key_with_a_wrong_mode_is_reported_not_a_page_error(played_friday, visitor, app):
    keeper = played_friday.visitor()
    assert keeper.get(f"{played_friday.path}/receipt").status == 200
    public = receipt_keys.current_public_key(played_friday.book)
    file = played_friday.book.settings.receipt_key_path
    file.chmod(0o644)
    for path in ("/receipt", "/receipt/file"):
        page = keeper.get(played_friday.path + path)
        assert page.status == 503 and "Receipts cannot be signed now" in page.text and str(file) not in page.html
    headers = {"Authorization": f"Bearer {played_friday.key('scorekeeper')}"}
    answer = app.test_client().get(f"/api/v1/games/{played_friday.id}/receipt", headers=headers)
    assert answer.status_code == 503 and answer.json["error"]["code"] == "receipt_key"
    assert app.test_client().get("/api/v1/receipt-key").json["public_key"] == public
    assert public in visitor.get("/verifying").text
    file.chmod(0o600)
    assert keeper.get(f"{played_friday.path}/receipt").status == 200


def test_earlier_keys_are_published(played_friday, visitor, app):
    first = receipt_keys.current_public_key(played_friday.book)
    receipt = receipts.issue_receipt(played_friday.book, played_friday.id)
    second = receipt_keys.renew_key(played_friday.book)
    page = visitor.get("/verifying").text
    assert first in page and second in page and "earlier key stay valid" in page
    shown = app.test_client().get("/api/v1/receipt-key").json
    assert shown["public_key"] == second and [value["public_key"] for value in shown["earlier"]] == [first]
    assert receipts.verify_game(played_friday.book, played_friday.id, receipt).holds


def test_secret_with_a_wrong_mode_is_reported_not_a_page_error(played_friday, app):
    key = played_friday.key("scorekeeper")
    played_friday.book.settings.secret_path.chmod(0o644)
    answer = app.test_client().get(f"/api/v1/games/{played_friday.id}", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 503 and answer.json["error"]["code"] == "not_in_order"
    assert str(played_friday.book.settings.data) not in answer.text


def test_receipt_of_private_game_opens_by_share_address(played_friday, visitor, monkeypatch):
    monkeypatch.setattr(sharing, "qr_code", lambda text: text)
    monkeypatch.setattr(sharing, "link_reach", lambda: SimpleNamespace(here_alone=False))
    keeper, address = played_friday.visitor(), f"{played_friday.path}/receipt"
    for path in (address, f"{played_friday.path}/score"):
        assert "the code opens only for those who have a link" in keeper.get(path).text
    share = share_game(played_friday.book, played_friday.id).id
    for path in (address, f"{played_friday.path}/score"):
        page = keeper.get(path)
        assert f"/s/{share}/receipt?step=" in page.html and "the code opens only" not in page.text
    assert visitor.get(address).status == 403
    page = visitor.get(f"/s/{share}/receipt", step=20)
    assert page.status == 200 and receipts.short_code(played_friday.game.entries[20].seal) in page.text
    assert visitor.get(f"/s/{'x' * 22}/receipt").status == 404
