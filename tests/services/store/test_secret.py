"""The secret that signs links: made once, never silently another, replaced on purpose alone."""

from __future__ import annotations

import secrets
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from itsdangerous import Signer

from daybook import cli
from daybook.services.operation.doctor import run_checks
from daybook.services.permissions import access
from daybook.services.settings import BadSettingError, Settings
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_secret
from daybook.web.app import create_app
from tests.played import open_seats


@pytest.fixture
def game(book: Daybook) -> UUID:
    return open_seats(book, ("Anna", "Ben"))


def elsewhere(book: Daybook, tmp_path: Path) -> Daybook:
    """Another web host on the same data, with a secret file of its own."""
    (tmp_path / "mine").write_text(secrets.token_hex(32))
    url = book.settings.database_url
    return replace(book, settings=Settings(data=tmp_path / "host-2", database_url=url, secret_file=tmp_path / "mine"))


def test_it_is_made_with_its_first_use_and_stays(book, game):
    key = access.key_of(book, access.make_grant(book, game, "reader"))
    assert secret.checked_secret(book) == secret.secret_of(book) == book.settings.secret()
    assert access.read_key(book, key) is not None


def test_with_links_there_another_is_not_made_silently(book, game):
    key = access.key_of(book, access.make_grant(book, game, "reader"))
    kept = book.settings.secret_path.read_bytes()
    book.settings.secret_path.unlink()
    for act in (lambda: secret.secret_of(book), lambda: access.read_key(book, key), lambda: create_app(book)):
        with pytest.raises(secret.LostSecretError, match=r"1 link to games.*new-secret"):
            act()
    (found,) = (check for check in run_checks(book.settings) if check.about == "secret")
    assert found.state == "bad" and "would open nothing" in found.says
    assert not book.settings.secret_path.exists()
    book.settings.secret_path.write_bytes(kept)
    book.settings.secret_path.chmod(0o600)
    assert access.read_key(book, key) is not None


def test_links_of_an_older_daybook_are_not_lost_silently(book, game):
    access.make_grant(book, game, "reader")
    with book.kept.engine.begin() as connection:
        connection.execute(kept_secret.delete())
    book.settings.secret_path.unlink()
    with pytest.raises(secret.LostSecretError):
        secret.secret_of(book)


def test_a_folder_of_an_older_daybook_goes_on_with_its_secret(book, game):
    key = access.key_of(book, access.make_grant(book, game, "reader"))
    with book.kept.engine.begin() as connection:
        connection.execute(kept_secret.delete())
    assert access.read_key(book, key) is not None
    assert secret.checked_secret(book) == book.settings.secret() and secret.noted_mark(book) == secret.mark_of(
        secret.secret_of(book)
    )


def test_another_secret_than_everything_was_signed_with_is_told(book, game, tmp_path):
    access.make_grant(book, game, "reader")
    host = elsewhere(book, tmp_path)
    with pytest.raises(secret.OtherSecretError, match="another secret"):
        create_app(host)
    secret.replace_secret(host)
    create_app(host)
    with pytest.raises(secret.OtherSecretError):
        secret.checked_secret(book)


def test_going_on_without_it_is_done_on_purpose(book, game):
    key = access.key_of(book, access.make_grant(book, game, "reader"))
    book.settings.secret_path.unlink()
    secret.replace_secret(book)
    assert access.read_key(book, key) is None
    (grant,) = access.grants_of_game(book, game)
    assert access.read_key(book, access.key_of(book, grant)) == grant
    before = secret.secret_of(book)
    secret.replace_secret(book)
    assert secret.secret_of(book) != before
    secret.checked_secret(book)


def test_a_file_that_is_named_is_not_written(book, tmp_path):
    host = elsewhere(book, tmp_path)
    secret.checked_secret(host)
    with pytest.raises(BadSettingError, match="write another secret"):
        secret.replace_secret(host)


def test_its_mark_tells_nothing_of_it(book):
    found = secret.checked_secret(book)
    with book.kept.engine.connect() as connection:
        mark = connection.scalar(sa.select(kept_secret.c.mark))
    assert mark is not None and mark.encode() not in found and found[:8] not in mark.encode()


def test_on_the_command_line(tmp_path):
    data = tmp_path / "data"

    def run(*words: str, text: str = "") -> Result:
        return CliRunner().invoke(cli.main, [*words, "--data", str(data)], input=text)

    assert run("init").exit_code == 0 and (data / "secret").exists()
    opened = run("new", "--seat", "Anna:red", "--seat", "Ben:blue", "--json")
    game = msgspec.json.decode(opened.stdout)["game"]
    (data / "secret").unlink()
    for words in (("init",), ("serve", "--port", "1"), ("web", "--port", "1"), ("links", game)):
        refused = run(*words)
        assert refused.exit_code == 2 and "daybook new-secret" in refused.stderr, refused.output
    assert run("new-secret", text="n\n").exit_code == 1 and not (data / "secret").exists()
    assert "would open nothing" in run("new-secret", "--yes").stdout
    shown = run("links", game, "--json")
    links = [msgspec.json.decode(line) for line in shown.stdout.splitlines()]
    with closing(open_daybook(Settings(data=data))) as book:
        assert all(access.read_key(book, link["key"]) is not None for link in links)


# --- what is signed --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["grant", "invitation", "lease"])
def test_keys_are_signed_with_sha_256_and_old_ones_still_open(kind):
    held, other = b"s" * 32, b"t" * 32
    key = secret.sign(held, kind, "an-id")
    assert len(key.rpartition(".")[2]) == 43, "SHA-256"
    before = Signer(held, salt=f"daybook.{kind}").sign("an-id").decode()
    for good in (key, before):
        assert secret.signed_value(held, kind, good) == "an-id"
        assert secret.signed_value(other, kind, good) is None
        assert secret.signed_value(held, f"{kind}s", good) is None, "of one kind alone"
        assert secret.signed_value(held, kind, good[:-1]) is None
    assert [secret.signed_value(held, kind, bad) for bad in ("", ".", "an-id", "é.é")] == [None] * 4


def test_a_link_of_an_earlier_version_opens_its_game(book, game):
    grant = access.make_grant(book, game, "scorekeeper")
    before = Signer(secret.secret_of(book), salt="daybook.grant").sign(grant.id).decode()
    assert access.read_key(book, before) == access.read_key(book, access.key_of(book, grant)) == grant
    assert before != access.key_of(book, grant)
