"""Receipts: kept by anybody, signed by the service, and held against the record later."""

from __future__ import annotations

import io
import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daybook.services.disputes import claims
from daybook.services.files import receipt_keys, receipts
from daybook.services.files.import_export import export_game
from daybook.services.files.receipt_keys import BadSigningKeyError
from daybook.services.files.receipts import BadReceiptFileError, Evidence, Renamed
from daybook.services.play import recording
from daybook.services.store.daybook import Daybook
from tests.played import key, play, play_game
from tests.refusals import refused_for
from tests.services.conftest import Opened
from tests.services.fixture_files import reseal_line

pytestmark = pytest.mark.sqlite_suffices

PAGE = Path(__file__).parents[3] / "docs" / "verifying.md"


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    id = open_table()
    play(book, id, 14)
    return id


def check_receipt(content: bytes, receipt: Evidence) -> receipts.ReceiptCheck:
    return receipts.check_file(io.BytesIO(content), receipts.read_receipt(receipts.encode_receipt(receipt)))


def test_a_receipt_says_what_the_record_was(book, game):
    folded, receipt = book.games.get(game), receipts.issue_receipt(book, game)
    assert (receipt.step, receipt.steps, receipt.seal) == (14, 15, folded.seal)
    assert [seat.name for seat in receipt.header.seats] == ["Anna", "Ben", "Cleo"]
    assert receipt.marks == folded.figures_at(14)[1] and not receipt.provisional
    assert receipts.is_signed(receipt) and receipts.normalize_code(receipt.code) == folded.seal[:12]
    assert check_receipt(export_game(book, game), receipt).state == "unchanged"


def test_extended_record_is_longer_and_a_cut_one_shorter(book, game):
    before, receipt = export_game(book, game), receipts.issue_receipt(book, game)
    play(book, game, 3)
    after = check_receipt(export_game(book, game), receipt)
    assert (after.state, after.newest, after.holds) == ("extended", 17, True)
    cut = b"".join(before.splitlines(keepends=True)[:-2])
    assert (check_receipt(cut, receipt).state, check_receipt(cut, receipt).holds) == ("shortened", False)


@pytest.mark.parametrize("line", [3, 9, 16])
def test_a_record_written_anew_is_altered_at_the_step(book, game, line):
    receipt, content = receipts.issue_receipt(book, game), export_game(book, game)
    anew = reseal_line(content, line, at="2020-01-01T00:00:00.000Z")
    found = check_receipt(anew, receipt)
    assert (found.state, found.altered_at, found.holds) == ("altered", line - 2, False)


def test_a_line_altered_without_sealing_anew_is_found_too(book, game):
    receipt, content = receipts.issue_receipt(book, game), export_game(book, game)
    found = check_receipt(content.replace(b'"by":"scorekeeper"', b'"by":"scorekeepeR"', 3), receipt)
    assert found.state == "altered" and found.altered_at in (0, 1, 2, 3)


def test_a_receipt_of_another_game_is_told_apart(book, game, open_table):
    other = open_table(title="Wednesday")
    assert check_receipt(export_game(book, other), receipts.issue_receipt(book, game)).state == "another"


def test_a_receipt_of_an_earlier_step_is_a_prefix(book, game):
    receipt = receipts.issue_receipt(book, game, 6)
    assert (receipt.step, len(receipt.chain), receipt.status) == (6, 7, "running")
    assert check_receipt(export_game(book, game), receipt).state == "extended"
    assert receipts.verify_game(book, game, receipt).trusted


def test_receipt_with_altered_text_does_not_hold(book, game):
    receipt = receipts.issue_receipt(book, game)
    for altered in (
        msgspec.structs.replace(receipt, at="2020-01-01T00:00:00.000Z"),
        msgspec.structs.replace(receipt, standing=receipt.standing[::-1]),
        msgspec.structs.replace(receipt, signature="00" * 64),
        msgspec.structs.replace(receipt, public_key="zz"),
    ):
        assert not receipts.is_signed(altered)
        assert not check_receipt(export_game(book, game), altered).holds


def test_somebody_elses_signature_is_not_trusted(book, game):
    receipt = receipts.issue_receipt(book, game)
    forged = receipts.sign_receipt(receipt, Ed25519PrivateKey.generate())
    found = receipts.verify_game(book, game, forged)
    assert (found.signed, found.trusted, found.holds) == (True, False, False)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"receipt":2}', b"{" * 5000, b"0" * 1_000_001])
def test_what_is_no_receipt_is_refused(content):
    with pytest.raises(BadReceiptFileError):
        receipts.read_receipt(content)


def test_the_key_is_made_once_for_its_owner_alone(book):
    first = receipt_keys.current_public_key(book)
    file = book.settings.receipt_key_path
    assert receipt_keys.current_public_key(book) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    with pytest.raises(BadSigningKeyError):
        receipt_keys.ensure_signing_key(book)
    file.chmod(0o600)
    file.write_text("nothing")
    with pytest.raises(BadSigningKeyError):
        receipt_keys.ensure_signing_key(book)


def test_a_game_with_an_open_claim_is_provisional_on_its_receipt(book):
    id = play_game(book, 4)
    claims.raise_claim(book, id, 5, "wrong", by="scorekeeper", key=key())
    assert receipts.issue_receipt(book, id).provisional
    assert not receipts.issue_receipt(book, id, book.games.get(id).step - 1).provisional


def test_a_receipt_of_a_running_game_tells_no_hand(book, game):
    folded, receipt = book.games.get(game), receipts.issue_receipt(book, game)
    seen = folded.ruleset.scoring.standing(folded.ruleset.secrecy.redact_board(folded.board, None))
    assert [stand.total for stand in receipt.standing] == [item.total for item in seen]
    said = receipts.encode_receipt(receipt).decode()
    assert not re.search(r'"(R1|R2|M1|M2)"', said) and '"decision"' not in said


def test_a_stranger_verifies_with_the_page_alone(book, game, tmp_path):
    """The programs on the page do what it says."""
    file, receipt = tmp_path / "a.receipt", receipts.issue_receipt(book, game)
    file.write_bytes(receipts.encode_receipt(receipt))
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["signed", "by", receipt.public_key]
    plain = json.loads(file.read_text(encoding="utf-8"))
    plain["step"] += 1
    file.write_text(json.dumps(plain), encoding="utf-8")
    assert subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, check=False).returncode


def test_names_that_were_put_right_after_a_receipt_are_told(book, game):
    receipt = receipts.issue_receipt(book, game)
    recording.rename_game(book, game, names=["Änne", "Ben", "Cleo"])
    for found in (check_receipt(export_game(book, game), receipt), receipts.verify_game(book, game, receipt)):
        assert (found.state, found.signed, found.holds) == ("unchanged", True, False)
        assert found.renamed == [Renamed(0, "Anna", "Änne")]
    assert receipts.is_signed(receipts.issue_receipt(book, game))
    assert check_receipt(export_game(book, game), receipts.issue_receipt(book, game)).holds


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("kind", "practice"),
        ("revision", 99),
        ("options", {"hands": "hidden"}),
        ("recorded", "memory"),
        ("sheet", {"hash": "0" * 64, "overrides": {}}),
        ("title", "Another"),
        ("seats", "persons exchanged"),
        ("seats", "colours exchanged"),
        ("seats", "names exchanged"),
        ("seats", "one more"),
    ],
)
def test_a_header_that_was_altered_does_not_pass(book, game, part, value):
    receipt = receipts.issue_receipt(book, game)
    first, rest = export_game(book, game).split(b"\n", 1)
    header = msgspec.json.decode(first)
    seats = header["seats"]
    if part == "seats":
        word = {"persons exchanged": "person", "colours exchanged": "colour", "names exchanged": "name"}.get(value)
        if word:
            seats[0][word], seats[1][word] = seats[1][word], seats[0][word]
        else:
            seats.append(seats[0])
    else:
        header[part] = value
    found = check_receipt(msgspec.json.encode(header) + b"\n" + rest, receipt)
    if part == "title":
        assert found.holds, "a title is nobody's, and can be put right"
        return
    assert not found.holds
    if value == "names exchanged":
        assert [(item.seat, item.then, item.now) for item in found.renamed] == [(0, "Anna", "Ben"), (1, "Ben", "Anna")]
    else:
        assert (found.state, found.altered_at) == ("altered", 0)


def test_receipt_header_of_another_opening_is_refused(book, game):
    """The signing key does not allow statements about a record that its opening contradicts."""
    receipt = receipts.issue_receipt(book, game)
    header = msgspec.structs.replace(receipt.header, kind="practice")
    forged = receipts.sign_receipt(
        msgspec.structs.replace(receipt, header=header), receipt_keys.ensure_signing_key(book)
    )
    found = check_receipt(export_game(book, game), forged)
    assert (found.state, found.signed, found.altered_at) == ("altered", True, 0)


def test_a_receipt_of_no_step_is_none(book, game):
    plain = msgspec.to_builtins(receipts.issue_receipt(book, game))
    for step, chain in ((-1, []), (-2, []), (0, [])):
        forged = plain | {"step": step, "steps": step + 1, "chain": chain, "seal": ""}
        with refused_for("disagrees", BadReceiptFileError):
            receipts.read_receipt(msgspec.json.encode(forged))
