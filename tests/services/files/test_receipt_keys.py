"""The key that signs receipts: the same for all web hosts, replaced without making old receipts worthless."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daybook import cli
from daybook.services.files import receipt_keys, receipts
from daybook.services.files.import_export import export_game
from daybook.services.files.receipt_keys import BadSigningKeyError
from daybook.services.operation.doctor import run_checks
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_receipt_key
from tests.played import open_seats, play
from tests.services.files.test_receipts import PAGE

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_seats(book, ("Anna", "Ben"))
    play(book, id, 6)
    return id


def host(book: Daybook, data: Path, key_file: Path | None = None) -> Daybook:
    """Another web host on the same data."""
    return replace(
        book, settings=Settings(data=data, database_url=book.settings.database_url, receipt_key_file=key_file)
    )


def examined_key(book: Daybook) -> tuple[str, str]:
    (found,) = (check for check in run_checks(book.settings) if check.about == "receipt key")
    return found.state, found.says


def test_receipts_of_every_key_there_was_stay_good(book, game):
    first = receipts.issue_receipt(book, game)
    assert receipt_keys.renew_key(book) == receipt_keys.current_public_key(book) != first.public_key
    second = receipts.issue_receipt(book, game)
    receipt_keys.renew_key(book)
    third = receipts.issue_receipt(book, game)
    assert len({each_item.public_key for each_item in (first, second, third)}) == 3
    for receipt in (first, second, third):
        assert receipts.verify_game(book, game, receipt).holds
    forged = receipts.sign_receipt(first, Ed25519PrivateKey.generate())
    assert receipts.verify_game(book, game, forged).trusted is False
    shown = receipt_keys.keys_shown(book)
    assert shown.public_key == third.public_key
    assert [value.public_key for value in shown.earlier] == [first.public_key, second.public_key]
    assert all(item.until for item in shown.earlier) and examined_key(book)[0] == "ok"


@pytest.mark.both_databases
def test_receipt_of_an_earlier_key_verifies_without_the_service(book, game, tmp_path):
    receipt = receipts.issue_receipt(book, game)
    receipt_keys.renew_key(book)
    (tmp_path / "keys.json").write_bytes(msgspec.json.encode(receipt_keys.keys_shown(book)))
    (tmp_path / "a.receipt").write_bytes(receipts.encode_receipt(receipt))
    (tmp_path / "a.daybook").write_bytes(export_game(book, game))
    words = ["verify", str(tmp_path / "a.daybook"), "--receipt", str(tmp_path / "a.receipt")]
    for keys, code in (
        (["keys.json"], 0),
        ([receipt.public_key], 0),
        (["0" * 64, receipt.public_key], 0),
        ([receipt_keys.current_public_key(book)], 1),
    ):
        given = [word for key in keys for word in ("--key", str(tmp_path / key) if "." in key else key)]
        result = CliRunner().invoke(cli.main, [*words, *given])
        assert result.exit_code == code, (keys, result.output)
    (tmp_path / "bad.json").write_text("{}")
    assert CliRunner().invoke(cli.main, [*words, "--key", str(tmp_path / "bad.json")]).exit_code == 2


def test_a_host_without_the_key_makes_no_other(book, game, tmp_path):
    first = receipts.issue_receipt(book, game)
    other = host(book, tmp_path / "host-2")
    with pytest.raises(BadSigningKeyError, match="from a backup or another web host"):
        receipts.issue_receipt(other, game)
    assert receipt_keys.current_public_key(other) == first.public_key
    assert receipts.verify_game(other, game, first).holds
    same = host(book, tmp_path / "host-2", book.settings.receipt_key_path)
    assert receipts.issue_receipt(same, game).public_key == first.public_key
    with pytest.raises(BadSigningKeyError, match="new-receipt-key"):
        receipts.issue_receipt(host(book, tmp_path / "host-3", tmp_path / "none.pem"), game)


def test_a_host_that_still_has_the_replaced_key_signs_nothing(book, game, tmp_path):
    receipts.issue_receipt(book, game)
    (tmp_path / "old.pem").write_bytes(book.settings.receipt_key_path.read_bytes())
    (tmp_path / "old.pem").chmod(0o600)
    receipt_keys.renew_key(book)
    with pytest.raises(BadSigningKeyError, match="was replaced at"):
        receipts.issue_receipt(host(book, tmp_path / "host-2", tmp_path / "old.pem"), game)


def test_key_files_of_several_hosts_are_told_and_receipts_stay(book, game, tmp_path):
    """Key files as an older Daybook wrote them."""
    first = receipts.issue_receipt(book, game)
    (tmp_path / "other.pem").write_bytes(receipt_keys._encode_pem(Ed25519PrivateKey.generate()))
    (tmp_path / "other.pem").chmod(0o600)
    second = receipts.issue_receipt(host(book, tmp_path / "host-2", tmp_path / "other.pem"), game)
    assert second.public_key != first.public_key
    assert receipts.verify_game(book, game, second).holds
    state, says = examined_key(book)
    assert state == "warn" and "2 keys" in says


@pytest.mark.both_databases
def test_a_folder_of_an_older_daybook_goes_on_with_its_key(book, game):
    first = receipts.issue_receipt(book, game)
    with book.kept.engine.begin() as connection:
        connection.execute(kept_receipt_key.delete())
    assert receipts.issue_receipt(book, game).public_key == first.public_key
    assert receipts.verify_game(book, game, first).holds


def test_wrong_mode_and_broken_key_file_are_told_and_mended(book, game):
    first = receipts.issue_receipt(book, game)
    file = book.settings.receipt_key_path
    file.chmod(0o640)
    assert examined_key(book)[0] == "bad" and "chmod 600" in examined_key(book)[1]
    file.chmod(0o600)
    file.write_text("nothing")
    assert examined_key(book)[0] == "bad" and "new-receipt-key" in examined_key(book)[1]
    receipt_keys.renew_key(book)
    assert examined_key(book)[0] == "ok" and receipts.verify_game(book, game, first).holds


def test_the_program_on_the_page_names_a_key_that_is_published(book, game, tmp_path):
    receipt = receipts.issue_receipt(book, game)
    receipt_keys.renew_key(book)
    (tmp_path / "a.receipt").write_bytes(receipts.encode_receipt(receipt))
    program = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.receipt")], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] in {key.public_key for key in receipt_keys.published_keys(book)}
