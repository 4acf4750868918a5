"""The table's parts in the Python for browsers: whole games recorded by the pages, and files that any Daybook takes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from daybook.domain.games import RULESETS
from daybook.services.files import import_export
from daybook.services.files.audit import audit
from daybook.services.files.verify import verify_file
from daybook.services.store.daybook import Daybook
from tests.here.conftest import run_on_device
from tests.services.fixture_files import read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_a_whole_game_is_recorded_without_a_server(built: Path, tmp_path: Path, book: Daybook, game: str) -> None:
    said = run_on_device(built, "evening.py", tmp_path, {"game": game, "seed": 3, "limit": 5000})
    assert said["over"], "the game was played to its end"
    assert {page: status for page, status in said["pages"].items() if status != 200} == {}
    assert said["korean"]
    assert said["kept"] == said["steps"], "nothing is missing when it is opened again"
    assert said["export"]["Content-Disposition"] == 'attachment; filename="an-evening.daybook"'
    record = (tmp_path / "evening.daybook").read_bytes()
    checked = verify_file(io.BytesIO(record))
    assert (checked.whole, checked.steps - 1) == (True, said["steps"])
    assert audit(read(record).game).clean
    id = import_export.import_file(book, record)
    assert book.games.get(id).step == said["steps"], "a server takes it in as it is"
