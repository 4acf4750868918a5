"""The table's parts in the Python for browsers: games recorded by the pages, and files that any Daybook takes."""

from __future__ import annotations

import io

import pytest

from daybook.services.files import import_export
from daybook.services.files.audit import audit
from daybook.services.files.verify import verify_file
from tests.here.conftest import run_on_device
from tests.services.fixture_files import read_fixture

pytestmark = pytest.mark.slow


GAMES = {"making_profit": None, "water_frame": 60}  # hidden hands, to the end; the largest board, so many decisions


def test_games_are_recorded_without_a_server(built_folder, tmp_path, book):
    said = run_on_device(built_folder, "evening.py", tmp_path, {"games": GAMES, "seed": 3})
    assert {page: status for page, status in said["pages"].items() if status != 200} == {}
    assert said["games"].keys() == GAMES.keys()
    for game, told in said["games"].items():
        assert told["over"] if GAMES[game] is None else told["steps"] == GAMES[game]
        assert {page: status for page, status in told["pages"].items() if status != 200} == {}, game
        assert told["korean"]
        assert told["kept"] == told["steps"], "nothing is missing when it is opened again"
        assert told["saved"] == 'attachment; filename="an-evening.daybook"'
        record = (tmp_path / f"{game}.daybook").read_bytes()
        checked = verify_file(io.BytesIO(record))
        assert (checked.intact, checked.steps - 1) == (True, told["steps"])
        assert audit(read_fixture(record).game).clean
        id = import_export.import_file(book, record)
        assert book.games.get(id).step == told["steps"], "a server takes it in as it is"
