"""What a service on this machine's files starts without: what few of its processes ever use is imported where it is."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

SELDOM = {
    "PIL.Image", "icalendar", "openskill", "psycopg", "segno", "sqlalchemy.dialects.postgresql",
    "daybook.services.backups", "daybook.services.doctor", "daybook.services.store.locks_postgres",
    "daybook.services.store.log_postgres", "daybook.services.store.postgres",
    "cryptography.hazmat.primitives.asymmetric.ed25519",  # redis looks whether the package is there
}

STARTED = """
import json, sys
from pathlib import Path

from daybook import base, processes
from daybook.workers import supervisor
from daybook.web import serving
from daybook.workers import follower, worker
from daybook.services.store.daybook import open_daybook
from daybook.services.store.locks import turn_at

settings = base.settings_of(data=Path(sys.argv[1]))
processes.prepare(settings, examples=False)
processes.require_durable(settings)
book = open_daybook(settings)
assert turn_at(settings, "projections").take()
app = serving.create_app(book)
assert app.test_client().get("/").status_code == 200
book.close()
print(json.dumps({"modules": sorted(sys.modules), "document": app.extensions["daybook.openapi"].written.decode()}))
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The modules of a process that has done what every part of a service does when it starts."""
    folder = tmp_path_factory.mktemp("started")
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(folder / "data")], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_what_is_seldom_used_is_not_imported_by_a_start(started: dict[str, Any]) -> None:
    assert SELDOM & set(started["modules"]) == set()


def test_no_start_waits_for_the_document_of_the_api(started: dict[str, Any]) -> None:
    assert started["document"] == ""


def test_what_a_start_leaves_out_is_known_by_its_name() -> None:
    """A module that was renamed would be missed by nobody."""
    for name in SELDOM:
        __import__(name)
