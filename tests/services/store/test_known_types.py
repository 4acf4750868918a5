"""msgspec knows all types before threads read concurrently: a new process does not die.

Each in a process of its own, where nothing was read before.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ("short-duel", "by-hand", "alone-and-ahead", "three-stalls", "two-on-credit")  # short ones of each game
PEBBLES_GAME = (
    '{"daybook": 1, "ruleset": "pebbles", "title": "A heap",'
    ' "seats": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}',
    '{"seat": 0, "decision": {"type": "take", "pebbles": 2}}',
    '{"seat": 1, "decision": {"type": "take", "pebbles": 3}}',
)

START = """
import json, sys
from pathlib import Path

from daybook import base, processes
from daybook.web import serving
from daybook.workers import follower, worker
from daybook.services.store.daybook import open_daybook

settings = base.settings_of(data=Path(sys.argv[1]))
processes.prepare(settings, examples=False)
"""
READ_AT_ONCE = (
    START
    + """
import io, os, signal, threading
from daybook.domain.games import RULESETS
from daybook.services.files import recordfile

files = [Path(name).read_bytes() for name in sys.argv[2:]]

def read(file, go, done):
    go.wait()
    recordfile.read_record_file(io.BytesIO(file), "2026-01-01T00:00:00Z")
    done.append(1)

def fork(file):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.setswitchinterval(1e-5)
    go, done = threading.Barrier(6), []
    threads = [threading.Thread(target=read, args=(file, go, done)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os._exit(0 if len(done) == 6 else 1)

ends = [fork(files[n % len(files)]) for n in range(3 * len(files))]
print(json.dumps({"games": sorted(RULESETS), "ends": ends}))
"""
)
ALL_IMPORTED = (
    START
    + """
import pkgutil
from importlib import import_module
import msgspec
import daybook
from daybook.services.store import known_types

book = open_daybook(settings)
serving.create_app(book)
book.close()
known = set(known_types._known)
for room in ("domain", "services", "web", "workers"):
    for module in pkgutil.walk_packages(import_module(f"daybook.{room}").__path__, f"daybook.{room}."):
        import_module(module.name)
known_types.prepare_decoders()
print(json.dumps(sorted({kind.__module__ for kind in known_types._known - known})))
"""
)
ELSEWHERE = {  # what no server's process imports: commands alone do, and the browser's worker, which has no threads
    "daybook.services.operation.doctor",
    "daybook.services.operation.automatic_backups",
    "daybook.services.operation.backup_pieces",
    "daybook.services.operation.rehearsal",
    "daybook.services.files.file_recording",
    "daybook.web.here.device",
    "daybook.web.here.taking",
}


def run(program: str, *arguments: str, path: str = "") -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with an installed third-party game."""
    folder = tmp_path / "installed"
    shutil.copytree(ROOT / "tests/pebbles/pebbles", folder / "pebbles")
    about = folder / "daybook_pebbles-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: daybook-pebbles\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[daybook.games]\npebbles = pebbles:GAME\n\n[daybook.games.web]\npebbles = pebbles.pages:PAGES\n"
    )
    return folder


@pytest.mark.slow
def test_forks_read_their_first_game_in_six_threads_at_once(installed, tmp_path):
    """Threads must not prepare the decoder themselves, three for each game: 87 of 100 processes died."""
    begun = {name: (ROOT / f"fixtures/{name}.daybook").read_text().split("\n")[:12] for name in FIXTURES}
    for name, lines in {**begun, "pebbles": PEBBLES_GAME}.items():
        (tmp_path / name).write_text("\n".join(lines))
    files = [str(tmp_path / name) for name in (*begun, "pebbles")]
    told = run(READ_AT_ONCE, str(tmp_path / "data"), *files, path=str(installed))
    assert "pebbles" in told["games"]
    assert told["ends"] == [0] * 3 * len(files)


def test_no_type_is_first_defined_by_an_import_after_the_start(tmp_path):
    """An import at its first use must not define such a type: threads would prepare it concurrently."""
    assert set(run(ALL_IMPORTED, str(tmp_path / "data"))) == ELSEWHERE
