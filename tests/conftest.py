"""Shared fixtures: settings on both databases, a queue, a browser. All are real, none is installed."""

from __future__ import annotations

import gc
import os
import secrets
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import msgspec
import psycopg
import pytest
from argon2 import PasswordHasher
from jinja2 import Undefined, UndefinedError
from jinja2.bccache import Bucket
from jinja2.utils import missing
from playwright.sync_api import Browser, Page, expect, sync_playwright
from redis import Redis
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from daybook.services.league import schedule_search
from daybook.services.people import passwords
from daybook.services.play import sheet_trials
from daybook.services.settings import Settings
from daybook.services.store import history, migrations
from daybook.services.store.database import StoreEngine
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.postgres import with_long_timeouts
from daybook.web.app import Pages
from daybook.web.server.template_cache import TemplateCache
from tests import servers
from tests.browsing import errors_of
from tests.contexts import Contexts
from tests.servers import PATIENCE_SECONDS

# A busy machine is slow, which is no fault of what is tested.
hypothesis.settings.register_profile(
    "daybook", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.load_profile("daybook")
expect.set_options(timeout=PATIENCE_SECONDS * 1000)


ROOT = Path(__file__).resolve().parent.parent
MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3  # bytes that two processes never fill


def pytest_configure() -> None:
    """Write test data into memory if there is enough, unless TMPDIR is set: a disk takes milliseconds for each of many
    thousand commits, and no test needs the data to survive."""
    # Whole games stand in memory: to look through them after 700 took a seventh of the time, after 20,000 a twentieth.
    gc.set_threshold(200_000, 20, 50)
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
    Pages.jinja_options |= {"bytecode_cache": LoadedTemplates(), "undefined": RequiredAttribute}


class RequiredAttribute(Undefined):
    """Raise an error for a missing attribute of a struct: type checkers do not read templates, and a page would show
    nothing."""

    def __init__(
        self, hint: str | None = None, obj: Any = missing, name: str | None = None, exc: Any = UndefinedError
    ) -> None:
        if isinstance(obj, msgspec.Struct):
            raise AttributeError(f"a template asks for {name} of a {type(obj).__name__}")
        super().__init__(hint, obj, name, exc)


class LoadedTemplates(TemplateCache):
    """A cache that loads a template once per process instead of once per application."""

    def __init__(self) -> None:
        super().__init__()
        self._code: dict[tuple[str, str], CodeType | None] = {}  # by where a template stands and what stands in it

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._code[bucket.key, bucket.checksum] = bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code
        super().dump_bytecode(bucket)


def pytest_collection(session: pytest.Session) -> None:
    """Let each process import the tests from a different position, so that each reads what others compiled.

    In the same order, each would compile everything.
    """
    input = getattr(session.config, "workerinput", None)
    if input is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    begin = len(files) * int(input["workerid"].removeprefix("gw")) // input["workercount"]
    for file in files[begin:] + files[:begin]:
        with suppress(ImportError, SyntaxError):  # told when it is collected
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collection, which took a tenth of the time."""
    gc.collect()
    gc.freeze()


SERVERS = {"postgres_url", "queue_server_url", "browser"}  # fixtures that start one


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-database",
        action="store_true",
        help="run every test of the services on PostgreSQL too, not those alone whose work the database does",
    )
    parser.addoption("--drills", action="store_true", help="run the tests marked drill, and no others")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with `settings` on both databases, or on SQLite only if their module says that this suffices."""
    if "database_kind" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker
        once = marker("sqlite_suffices") and not marker("both_databases")
        both = not once or metafunc.config.getoption("--every-database")
        metafunc.parametrize("database_kind", ["sqlite", "postgresql"] if both else ["sqlite"])


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a server or open pages, and select drills or all other tests."""
    drills, left_out = config.getoption("--drills"), list[pytest.Item]()
    for item in items:
        on_postgres = hasattr(item, "callspec") and item.callspec.params.get("database_kind") == "postgresql"
        fixtures = getattr(item, "fixturenames", ())
        if on_postgres or SERVERS & {*fixtures}:
            item.add_marker("server")
        if "app" in fixtures:
            item.add_marker("page")
        if (item.get_closest_marker("drill") is not None) != drills:
            left_out.append(item)
    if left_out:
        gone = {*left_out}
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in gone]
    items.sort(key=_when)


def _when(item: pytest.Item) -> int:
    """Start tests that wait for processes while others calculate, and long ones before short ones, so that no process
    is left alone at the end."""
    return item.nodeid.startswith("tests/domain/") - item.nodeid.startswith("tests/workers/")


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path, database_kind: str) -> Settings:
    """Settings on a fresh data folder; each test runs once on SQLite and once on PostgreSQL.

    Where the database has no part in what a module tests, it says `sqlite_suffices`, and only the tests of it that say
    `both_databases` run on PostgreSQL too.
    There is nothing there yet; for a test that asks for a `book`, an empty daybook."""
    begun, url = "book" in request.fixturenames, None
    if database_kind == "postgresql":
        url = request.getfixturevalue("postgres_daybook" if begun else "postgres_database")
    elif begun:
        shutil.copytree(request.getfixturevalue("empty_data"), tmp_path / "data")
    return Settings(
        data=tmp_path / "data", database_url=url, workers=1, win_chances_seconds_per_day=0
    )  # they take seconds a game


@pytest.fixture(scope="session")
def empty_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an empty daybook on SQLite, to be copied."""
    data = tmp_path_factory.mktemp("empty") / "data"
    open_daybook(Settings(data=data), create=True).close()
    return data


@pytest.fixture
def elsewhere(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    """Another Daybook, from which files come."""
    with closing(open_daybook(Settings(data=Path(shutil.copytree(empty_data, tmp_path / "elsewhere"))))) as opened:
        yield opened


@contextmanager
def opened_copy(settings: Settings) -> Iterator[Daybook]:
    """Open a copy of a daybook that was checked when it was filled: to check each copy took a third of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "require_newest", lambda *_: None)
        patch.setattr(history, "check_history", lambda *_, **__: None)
        opened = open_daybook(settings, accept_loss=True)
    yield opened
    opened.close()


class CompiledStatements(LRUCache[Any, Any]):
    """Share compiled statements between all engines of one kind in this process: compiling them for each test took a
    tenth of its time."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), value)


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    compiled = CompiledStatements(2_000)
    with pytest.MonkeyPatch.context() as patch:
        shared = property(lambda _: compiled, lambda _, of_its_own: None)
        patch.setattr(StoreEngine, "_compiled_cache", shared, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def addresses_compiled_once() -> Iterator[None]:
    """Compile the function that builds an address once per process: that was most of the time of an application."""
    compiled = dict[tuple[Any, ...], Any]()
    compile_builder = Rule._compile_builder

    def compile_once(rule: Rule, append_unknown: bool = True) -> Any:
        key = rule.rule, *rule._trace, repr(rule.defaults), append_unknown
        if key not in compiled:
            compiled[key] = compile_builder(rule, append_unknown)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", compile_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def hashes_quick() -> Iterator[None]:
    """Hash passwords for real, with the smallest parameters: a sign-in took fifty milliseconds.

    tests/services/people/test_accounts.py tests the served parameters.
    """
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", lambda: quick)
        yield


@pytest.fixture(scope="session", autouse=True)
def draws_quick() -> Iterator[None]:
    """Search schedules with a tenth of the swaps: a draw of a second in each test of a club was a twentieth of the
    suite. tests/services/league/test_schedule_search.py tests with all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_search, "TRIES_PER_SEAT", schedule_search.TRIES_PER_SEAT // 10)
        yield


@pytest.fixture(scope="session", autouse=True)
def trials_few() -> Iterator[None]:
    """Try a sheet before publication with one game for each number of players: three each were a fifth of these tests.

    tests/services/play/test_sheet_trials.py tests with three.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet_trials, "GAMES_PER_PLAYER_COUNT", 1)
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server; the address of its database "postgres"."""
    with servers.postgres() as url, psycopg.connect(url, autocommit=True) as MAKES[url]:
        yield url


MAKES = dict[str, psycopg.Connection]()  # connections to servers that make and drop databases


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[str]:
    """The address of an empty database of the test's own."""
    with database_from(postgres_url, f"test_{secrets.token_hex(6)}", "template1") as url:
        yield url


@pytest.fixture(scope="session")
def empty_database(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a database with an empty daybook, to be copied."""
    with database_from(postgres_url, "empty_daybook", "template1") as url:
        open_daybook(Settings(data=tmp_path_factory.mktemp("empty"), database_url=url), create=True).close()
        yield "empty_daybook"


@pytest.fixture
def postgres_daybook(postgres_url: str, empty_database: str) -> Iterator[str]:
    """The address of a database of the test's own, with an empty daybook."""
    with database_from(postgres_url, f"test_{secrets.token_hex(6)}", empty_database) as url:
        yield url


@contextmanager
def database_from(server_url: str, name: str, template: str) -> Iterator[str]:
    """Yield the address of a copy of a database; drop it afterwards.

    A busy machine can refuse connections for more than the usual second.
    """
    MAKES[server_url].execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield with_long_timeouts(urlsplit(server_url)._replace(path=f"/{name}").geturl())
    MAKES[server_url].execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def queue_server_url() -> Iterator[str]:
    """A queue server for the whole session; ask for queue_url instead."""
    with servers.queue() as url:
        yield url


@pytest.fixture
def queue_url(queue_server_url: str) -> str:
    """The address of an empty queue."""
    with Redis.from_url(queue_server_url) as queue:
        queue.flushall()
    return queue_server_url


# For all pages of a context, as on a phone with little memory: to begin one for each, and another for the blank page
# before it, took a sixth of a test that opens one page.
ONE_PROCESS = ["--renderer-process-limit=1", "--disable-site-isolation-trials"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Without it the test fails: an unseen page is an untested page."""
    program = servers.chromium()
    if program is None:
        pytest.fail("there is no Chromium: run `make browser`, or name one with CHROMIUM", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ONE_PROCESS)
        contexts = Contexts(browser)
        LENDING.append(contexts)
        yield browser
        LENDING.remove(contexts)
        browser.close()


LENDING = list[Contexts]()  # the contexts that tests are lent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Take back contexts before a test's server stops: without it they could not be cleaned."""
    for contexts in LENDING:
        contexts.take_back()
    yield


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser as if it were fresh; an error in its console fails the test."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    errors = errors_of(page)
    yield page
    context.close()
    assert errors == [], "the page reported errors"
