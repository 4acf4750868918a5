"""The commands that docs/backup.md shows for PostgreSQL, run as they stand there on a real one."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from daybook.services.files import receipts
from daybook.services.files.verify import verify_game
from daybook.services.following import projections
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import open_daybook
from tests import servers
from tests.forked import running
from tests.played import open_seats, play, update_games
from tests.services.operation.test_backups import records

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "backup.md"
SAVE, RESTORE = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def settings(postgres_daybook: str, tmp_path: Path) -> Settings:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for name, content in (("secret", secrets.token_hex(32).encode()), ("receipt-key.pem", pem)):
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    return Settings(
        data=tmp_path / "data",
        database_url=postgres_daybook,
        secret_file=tmp_path / "secret",
        receipt_key_file=tmp_path / "receipt-key.pem",
    )


@pytest.fixture
def empty(settings: Settings, postgres_url: str, tmp_path: Path) -> Iterator[Settings]:
    """Return an empty database beside the first, and places for a secret and a key."""
    name = f"restored_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield Settings(
            data=tmp_path / "data-2",
            database_url=urlsplit(postgres_url)._replace(path=f"/{name}").geturl(),
            secret_file=tmp_path / "secret-2",
            receipt_key_file=tmp_path / "key-2",
        )
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def sh(commands: str, settings: Settings, backup: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), str(servers.postgres_programs()), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-e", "-c", commands.replace("daybook doctor", "daybook doctor || true")],  # it may warn
        env={**os.environ, **settings.environ(), "BACKUP": str(backup), "PATH": path},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_decision_acknowledged_before_a_dump_is_in_it(settings, empty, tmp_path):
    with closing(open_daybook(settings)) as book:
        game = open_seats(book, ("Anna", "Ben"))
        play(book, game, 12)
        key, receipt = access.key_of(book, access.make_grant(book, game, "seat", 1)), receipts.issue_receipt(book, game)
        update_games(book)
    acknowledged: list[tuple[UUID, int, str]] = []
    with running(records, settings, 1) as (_, told):
        acknowledged.append(told.recv())
        while told.poll() or len(acknowledged) < 10:
            acknowledged.append(told.recv())
        sh(SAVE, settings, tmp_path / "backup")
    out = sh(RESTORE, empty, tmp_path / "backup")
    assert "every one that has a title has its record" in out
    with closing(open_daybook(empty)) as copy:
        for id, step, seal in acknowledged:
            assert copy.games.get(id).entries[step].seal == seal
        grant = access.read_key(copy, key)
        assert grant is not None and grant.seat == 1
        assert receipts.verify_game(copy, game, receipt).holds
        assert read_models.position_of(copy.views, projections.GAMES) == copy.log.newest() > 0
        play(copy, game, 3)
        assert verify_game(copy, game).intact
        refuses_changes(empty)


def refuses_changes(settings: Settings) -> None:
    """The restored log only grows, as the first did."""
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url) as connection, pytest.raises(psycopg.errors.RaiseException):
        connection.execute("DELETE FROM daybook_log.games_events")
