"""Removing a game from a device: with everything of it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from uuid import UUID

import pytest
import sqlalchemy as sa

from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.verify import verify_game
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.held_leases import HeldLease, held_lease, store_lease
from daybook.services.store.kept import kept_grant, kept_person, kept_seat
from daybook.services.store.removal import remove_game
from daybook.services.store.sqlite import connect, sqlite
from tests.services.fixture_files import file_of, played_game

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def device(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "device"))))
    yield opened
    opened.close()


def taken_in(device: Daybook, seed: int) -> UUID:
    id = import_file(device, file_of(played_game(seed, limit=30)))
    access.make_first_grants(device, id)
    return id


def test_a_removed_game_is_gone_and_the_others_are_as_they_were(device):
    one, other = taken_in(device, 1), taken_in(device, 2)
    store_lease(device, HeldLease(one, 3, "key", "", "2026-11-20T19:30:00.000Z"), "")
    record, seal = export_game(device, other), device.games.get(one).entries[-1].seal
    remove_game(device, one)
    assert device.log.game_ids() == [other]
    with pytest.raises(UnknownGameError):
        device.games.get(one)
    assert (device.kept.game(one), held_lease(device, one)) == (None, None)
    with device.kept.engine.connect() as c:
        for table in (kept_grant, kept_seat):
            assert {id for (id,) in c.execute(sa.select(table.c.game))} <= {other}
        people = {id for (id,) in c.execute(sa.select(kept_person.c.id))}
        assert people == {id for (id,) in c.execute(sa.select(kept_seat.c.person))} != set()
    assert export_game(device, other) == record
    assert verify_game(device, other).intact
    files = device.settings.data.glob("log.db*")
    assert not any(seal.encode() in file.read_bytes() for file in files), "it is written over in the files too"


def test_a_removed_game_can_be_taken_in_again(device):
    id = taken_in(device, 1)
    record = export_game(device, id)
    remove_game(device, id)
    remove_game(device, id)  # twice changes nothing
    assert import_file(device, record) == id
    assert export_game(device, id) == record


def test_the_log_keeps_what_is_in_it_as_before(device):
    remove_game(device, taken_in(device, 1))
    taken_in(device, 2)
    shell = connect(device.settings.database_file("log"), "FULL")
    with pytest.raises(sqlite.IntegrityError, match="nothing is removed from the log"):
        shell.execute("DELETE FROM games_events")
    shell.close()
