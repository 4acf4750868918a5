"""An upgrade to a newer version and back, as in docs/deploy/upgrading.md. The newer version is another process."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from daybook.cli import main
from daybook.services.operation import backups
from daybook.services.people import accounts
from daybook.services.play.game_search import GameFilter, Searcher, search_games
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.migrations import NewerTablesError
from tests.played import open_seats, update_games

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]

ROOT = Path(__file__).parent.parent.parent.parent
PASSWORD = "seven looms at dawn"
RECORD = """
import sys
from contextlib import closing
from pathlib import Path
{change}
from daybook.cli import main
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.played import open_seats, update_games
main(["init", "--data", sys.argv[1]], standalone_mode=False)
with closing(open_daybook(Settings(data=Path(sys.argv[1])))) as book:
    accounts.make_account(book, "Ben", sign_in="ben", password="seven looms at dawn")
    open_seats(book, public=True)
    update_games(book)
"""
NEW_READ_MODELS = "from daybook.services.store import read_models; read_models.SCHEMA += 1"


def record_with_newer_version(settings: Settings, change: str = "", path: str = "") -> None:
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (path, str(ROOT))))}
    program = [sys.executable, "-c", RECORD.format(change=change), str(settings.data)]
    subprocess.run(program, check=True, env=environ, cwd=ROOT, timeout=120, capture_output=True)


def listed(settings: Settings) -> int:
    with closing(open_daybook(settings)) as book:
        update_games(book)
        return len(search_games(book, Searcher(), GameFilter()).rows)


@pytest.fixture
def recorded(tmp_path: Path) -> Settings:
    """A data folder of this version with an account and a public game, and a backup of it."""
    settings = Settings(data=tmp_path / "data")
    main(["init", "--data", str(settings.data)], standalone_mode=False)
    with closing(open_daybook(settings)) as book:
        accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)
        open_seats(book, public=True)
    backups.take_backup(settings, tmp_path / "backup")
    return settings


def test_version_with_the_same_kept_tables_has_a_way_back_that_loses_nothing(recorded):
    record_with_newer_version(recorded, change=NEW_READ_MODELS)
    main(["init", "--data", str(recorded.data)], standalone_mode=False)
    assert listed(recorded) == 2
    with closing(open_daybook(recorded)) as book:
        assert None not in [accounts.person_of_sign_in(book, name) for name in ("anna", "ben")]


def test_version_with_newer_kept_tables_has_only_the_backup(recorded, tmp_path):
    record_with_newer_version(recorded, path=str(ROOT / "tests" / "tomorrow"))
    with pytest.raises(NewerTablesError):
        open_daybook(recorded, create=True)
    again = replace(recorded, data=tmp_path / "again")
    backups.restore_backup(tmp_path / "backup", again)
    main(["init", "--data", str(again.data)], standalone_mode=False)
    assert listed(again) == 1, "what the newer version recorded is lost"
    with closing(open_daybook(again)) as book:
        assert accounts.person_of_sign_in(book, "anna") is not None
        assert accounts.person_of_sign_in(book, "ben") is None
