"""Long work runs in processes beside the server's own, which may die and which delay no one else."""

from __future__ import annotations

import asyncio
import http.client
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from flask import Flask

from daybook.services.cpu_debts import CpuDebts, Visitor
from daybook.services.files.examples import FOLDER
from daybook.services.files.import_export import import_file
from daybook.services.settings import Settings
from daybook.services.store import secret
from daybook.services.store.daybook import open_daybook
from daybook.web.request.long_work import REPLACEMENT_KEY, LongView, LongViews, long_views
from daybook.web.server import long_requests, pool, process_limits
from daybook.workers.children import start_child, stop
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, listens, run_async, wait_until

PROGRAM = """
from daybook import processes
from daybook.services.settings import read_settings
processes.serve_pages(read_settings())
"""
FORK_SERVER = """
from pathlib import Path
from daybook import processes
from daybook.services.settings import read_settings
from tests.web.server import greedy_member
greedy_member.set_small_limits()
processes.run_pool(read_settings(), Path({path!r}))
"""
HTML = {"Accept": "text/html"}
MANY = pool.QUEUE_LIMIT_PER_HOLDER + 8
HELP = {
    "REQUEST_METHOD": "GET",
    "PATH_INFO": "/help",
    "SERVER_NAME": "127.0.0.1",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.url_scheme": "http",
    "SCRIPT_NAME": "",
    "QUERY_STRING": "",
}

Answer = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Served:
    """A server process with a game that any visitor may read."""

    server: Program | subprocess.Popen[bytes]
    port: int
    game: UUID
    settings: Settings

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, b"", headers)

    def ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def picture(self, step: int = 1) -> Answer:
        return self.get(f"/games/{self.game}/steps/{step}.png")

    def members(self) -> list[int]:
        """The processes that answer what takes long."""
        return [pid for server, _ in titles_of_children(self.server.pid) for pid, _ in titles_of_children(server)]


@contextmanager
def serving(settings: Settings) -> Iterator[Served]:
    with_game = open_daybook(settings)
    game = import_file(with_game, (FOLDER / "friday-four.daybook").read_bytes(), public=True)
    with_game.close()
    server = Program(PROGRAM, os.environ | settings.environ())
    try:
        wait_until(lambda: listens(settings.port), "the server")
        yield Served(server, settings.port, game, settings)
    finally:
        stop(server)


@pytest.fixture(scope="module")
def greedy_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield the socket of a fork server whose processes have small limits, and views that exceed them."""
    settings = settings_at(tmp_path_factory.mktemp("greedy"))
    path = settings.folder() / "forks.sock"
    server = Program(FORK_SERVER.format(path=str(path)), os.environ | settings.environ())
    try:
        wait_until(path.exists, "the fork server")
        yield path
    finally:
        stop(server)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_at(tmp_path)


def settings_at(folder: Path) -> Settings:
    made = Settings(data=folder / "data", port=free_port())
    with_secret = open_daybook(made, create=True)
    secret.checked_secret(with_secret)
    with_secret.close()
    return made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests that leave it standing."""
    with serving(settings_at(tmp_path_factory.mktemp("served"))) as there:
        yield there


@contextmanager
def at_once(several: int) -> Iterator[Callable[..., Future[Answer]]]:
    with ThreadPoolExecutor(several) as threads:
        yield threads.submit


def is_gone(process: int) -> bool:
    try:
        state = Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


# --- what takes long ------------------------------------------------------------------------------------------------


LONG = {
    "pictures.picture",
    "pictures.embed",
    "season_picture.picture",
    "score.score",
    "moments.moments",
    "chances.chances",
    "chances.band",
    "better_moves.try_better",
    "checking.check",
    "importing.bring",
    "lease.by_file",
    "device_lease.hand_back",
    "device_lease.keep_apart",
    "compare.beside",
    "count.count_of_step",
    "what_if.play_on",
    "audit.run",
    "correct.correct",
    "ruling.ruling",
    "claims.new",
    "me.portrait",
    "draw.draw",
    "clubs.make_practice_club",
    "season.archive",
    "practice.practice",
    "practice_table.why",
    "Practice.simulate",
    "Records.import_record",
    "Records.export_record",
    "Records.verify_record",
    "Records.audit_record",
    "Records.show_scores",
    "What if.make_fork",
    "What if.try_moves",
    "What if.play_on",
    "What if.show_fork",
}


def test_page_that_is_no_answer_to_a_tap_may_take_long(app):
    found = {*long_views(app)}
    assert not LONG - found
    assert not {"record.record", "record.write", "replay.replay", "replay.steps", "live.events", "home.home"} & found


@pytest.mark.parametrize(
    ("method", "path", "long"),
    [
        ("GET", "/games/{game}/steps/3.png", True),
        ("HEAD", "/games/{game}/steps/3.png", True),
        ("POST", "/games/{game}/steps/3.png", False),
        ("GET", "/check", False),
        ("POST", "/check", True),
        ("GET", "/games/{game}/record", False),
        ("POST", "/games/{game}/record", False),
        ("GET", "/no such page", False),
        ("GET", "/games/{game}/embed", True),
        ("POST", "/api/v1/practice", True),
        ("GET", "/api/v1/games", False),
    ],
)
def test_it_is_told_by_method_and_address(app, method, path, long):
    asked = {"REQUEST_METHOD": method, "PATH_INFO": path.format(game=UUID(int=7))}
    assert (LongViews(app).view_of(asked) is not None) is long


# --- the processes --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nobody_waits_for_pictures_but_who_asks_for_them(served):
    """The processes stand still, and so does whatever takes long; all else is answered."""
    assert served.picture()[0] == 200
    (member,) = served.members()
    os.kill(member, signal.SIGSTOP)
    with at_once(MANY) as ask:
        asked = [ask(served.picture) for _ in range(MANY)]  # which is drawn already: what waits need not be dear
        assert served.get("/help")[0] == served.get(f"/games/{served.game}")[0] == 200
        beyond = MANY - 1 - pool.QUEUE_LIMIT_PER_HOLDER
        wait_until(lambda: sum(value.done() for value in asked) >= beyond, "who asks for more than a share")
        refused = [each_item.result()[0] for each_item in asked if each_item.done()]
        os.kill(member, signal.SIGCONT)
        answers = [item.result() for item in asked]
    assert refused == [503] * beyond, "the others wait, as long as they may"
    assert {status for status, _, _ in answers} == {200, 503}
    assert all(headers["retry-after"] == "5" for status, headers, _ in answers if status == 503)


@pytest.mark.slow
def test_page_says_that_it_is_coming_and_is_there_on_retry(served):
    assert served.picture()[0] == 200
    (member,) = served.members()
    os.kill(member, signal.SIGSTOP)
    path = f"/games/{served.game}/score"
    status, headers, page = served.get(path, **HTML)
    assert (status, headers["refresh"], headers["cache-control"]) == (202, "2", "no-store")
    assert b"The page appears automatically" in page
    os.kill(member, signal.SIGCONT)
    wait_until(lambda: served.get(path, **HTML)[0] == 200, "the page")


@pytest.mark.slow
def test_pool_process_has_low_priority_and_stays(served_whole):
    async def run(path: Path) -> None:
        processes = pool.Pool(path)
        try:
            for _ in range(2):
                answered = await processes.answer(Visitor(""), HELP, BytesIO(), asyncio.Event())
                assert (answered.status, len(processes.members)) == (200, 1)
            assert os.getpriority(os.PRIO_PROCESS, processes.members[0].pid) == pool.NICE
        finally:
            processes.close()

    run_async(run(served_whole.settings.pool_socket))


@pytest.mark.slow
def test_pool_without_a_fork_server_loses_the_request(settings):
    with pytest.raises(pool.MemberLostError):
        run_async(pool.Pool(settings.pool_socket).answer(Visitor(""), HELP, BytesIO(), asyncio.Event()))


@pytest.mark.slow
def test_pool_process_ends_with_its_connection_in_a_request(greedy_pool):
    """The web process is killed: nothing continues to work for it."""

    async def run(path: Path) -> int:
        processes = pool.Pool(path)
        await processes.answer(Visitor(""), HELP, BytesIO(), asyncio.Event())
        request = HELP | {"PATH_INFO": "/burn_python"}
        work = asyncio.create_task(processes.answer(Visitor(""), request, BytesIO(), asyncio.Event()))
        await asyncio.sleep(0.2)
        pid = processes.members[0].pid
        processes.close()
        work.cancel()
        await asyncio.wait([work])
        return pid

    pid = run_async(run(greedy_pool))
    wait_until(lambda: is_gone(pid), "its end")


@pytest.mark.slow
def test_a_process_that_is_killed_is_replaced(served):
    assert served.picture()[0] == 200
    (first,) = served.members()
    os.kill(first, signal.SIGKILL)
    assert served.picture(2)[0] == 200, "it was idle"
    assert first not in served.members()


@pytest.mark.slow
def test_large_body_is_handed_over_in_pieces(served_whole):
    """The event loop copies one piece at a time: taps wait for no more."""
    body = CountedReads(b"x" * 3_000_000)

    async def run(path: Path) -> pool.LongAnswer:
        processes = pool.Pool(path)
        try:
            request = HELP | {"REQUEST_METHOD": "POST", "PATH_INFO": "/sign-in", "CONTENT_LENGTH": str(3_000_000)}
            return await processes.answer(Visitor(""), request, body, asyncio.Event())
        finally:
            processes.close()

    assert run_async(run(served_whole.settings.pool_socket)).status == 413
    assert max(body.sizes) <= pool.BODY_PIECE_BYTES and len(body.sizes) > 10


class CountedReads(BytesIO):
    """A body that notes how many bytes were read at once."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.sizes: list[int] = []

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        self.sizes.append(len(piece))
        return piece


async def _killed_over(method: str, path: Path, number: signal.Signals = signal.SIGKILL) -> pool.LongAnswer:
    processes, begun = pool.Pool(path), asyncio.Event()
    try:
        await processes.answer(Visitor(""), HELP, BytesIO(), asyncio.Event())
        (member,) = processes.members
        os.kill(member.pid, signal.SIGSTOP)
        work = asyncio.create_task(processes.answer(Visitor(""), HELP | {"REQUEST_METHOD": method}, BytesIO(), begun))
        await begun.wait()
        os.kill(member.pid, number)
        os.kill(member.pid, signal.SIGCONT)
        return await work
    finally:
        processes.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.drill), signal.SIGKILL])
def test_the_processes_end_with_the_server(settings, number):
    with serving(settings) as served:
        assert served.picture()[0] == 200
        (member,) = served.members()
        served.server.send_signal(number)
        served.server.wait(PATIENCE_SECONDS)
        wait_until(lambda: is_gone(member), "the process ends")


@pytest.mark.slow
def test_light_visitor_next_to_ten_expensive_is_answered_first(greedy_pool):
    """Each of the ten has two requests; the light one comes last and waits for none of them."""

    async def run(path: Path) -> list[str]:
        processes, answered = pool.Pool(path), list[str]()

        async def ask(address: str, path: str) -> None:
            await processes.answer(Visitor(address), HELP | {"PATH_INFO": path}, BytesIO(), asyncio.Event())
            answered.append(address)

        try:
            await asyncio.gather(ask("warm", "/help"), ask("up", "/help"))  # both processes
            for number in range(10):
                processes.debts.charge(Visitor(f"192.0.2.{number}"), 10)
            answered.clear()
            expensive = [
                asyncio.create_task(ask(f"192.0.2.{number}", "/burn_briefly")) for number in range(10) for _ in range(2)
            ]
            await asyncio.sleep(0)
            await asyncio.create_task(ask("light", "/help"))
            await asyncio.gather(*expensive)
            return answered
        finally:
            processes.close()

    answered = run_async(run(greedy_pool))
    assert len(answered) == 21 and "light" in answered[:2]


@pytest.mark.slow
def test_pool_charges_cpu_of_answered_requests(greedy_pool):
    """test_pool_process_over_its_limits_ends_and_others_answer has lost ones."""

    async def run(path: Path) -> CpuDebts:
        processes = pool.Pool(path, CpuDebts(lambda: 0.0))
        try:
            for address, path in (("a", "/burn_briefly"), ("c", "/help")):
                await processes.answer(Visitor(address), HELP | {"PATH_INFO": path}, BytesIO(), asyncio.Event())
            return processes.debts
        finally:
            processes.close()

    debts = run_async(run(greedy_pool))
    assert debts.of_address("a") > 0.07
    assert debts.of_address("c") < debts.of_address("a")


class Busy:
    """A pool without a free process."""

    async def answer(self, *_: object) -> pool.LongAnswer:
        await asyncio.Event().wait()
        raise AssertionError


def test_one_who_asks_for_many_pages_has_those_of_others_kept(monkeypatch):
    monkeypatch.setattr(long_requests, "PAGE_SECONDS", 0)

    async def run() -> None:
        async def who(environ: Mapping[str, Any]) -> Visitor:
            return Visitor(str(environ["REMOTE_ADDR"]))

        asked = long_requests.LongRequests(Busy(), LongViews(Flask("none")), who)  # type: ignore[arg-type]

        async def ask(address: str, path: str) -> None:
            environ = HELP | {"PATH_INFO": path, "REMOTE_ADDR": address, "HTTP_ACCEPT": "text/html"}
            with pytest.raises(long_requests.EarlyResponseError):
                await asked.answer(LongView(frozenset({"GET"}), True), environ, BytesIO(), asyncio.Event().wait())

        await ask("192.0.2.7", "/theirs")
        for number in range(2 * long_requests.MAX_CACHED_PAGES):
            await ask("198.51.100.1", f"/{number}")
        kept = [key[0] for key in asked.pages]
        for coming in asked.pages.values():
            coming.work.cancel()
        assert "/theirs" in kept and len(kept) == long_requests.MAX_CACHED_PAGES

    run_async(run())


# --- processes that the supervisor forks ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served_whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`daybook serve` with a public game."""
    settings = settings_at(tmp_path_factory.mktemp("whole"))
    with_game = open_daybook(settings)
    game = import_file(with_game, (FOLDER / "friday-four.daybook").read_bytes(), public=True)
    with_game.close()
    argv = [sys.executable, "-m", "daybook", "serve", "--no-examples"]
    server = start_child(argv, os.environ | settings.environ(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(settings.port), "the server")
        yield Served(server, settings.port, game, settings)
    finally:
        stop(server)


def forked_members(served: Served) -> list[int]:
    return [pid for pid, title in titles_of_children(served.server.pid) if title == "daybook pool"]


def titles_of_children(parent: int) -> list[tuple[int, str]]:
    found = []
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            if int(Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append((int(process), Path("/proc", process, "cmdline").read_bytes().strip(b"\0").decode()))
    return found


@pytest.mark.slow
def test_forked_process_that_is_killed_while_idle_is_replaced(served_whole):
    assert served_whole.picture()[0] == 200
    (first,) = forked_members(served_whole)
    os.kill(first, signal.SIGKILL)
    assert served_whole.picture(2)[0] == 200
    (second,) = forked_members(served_whole)
    assert second != first


@pytest.mark.slow
def test_forked_process_killed_in_a_request_is_retried_or_lost(served_whole):
    """A request that writes may have been carried out: the client sends it again, with the same key."""
    settings = served_whole.settings
    answered = run_async(_killed_over("GET", settings.pool_socket))
    assert (answered.status, b"Help" in answered.body) == (200, True)
    with pytest.raises(pool.MemberLostError):
        run_async(_killed_over("POST", settings.pool_socket))
    with pytest.raises(pool.OverLimitError):  # the supervisor tells by what it was ended
        run_async(_killed_over("POST", settings.pool_socket, signal.SIGXCPU))
    assert served_whole.get("/help")[0] == 200


@pytest.mark.slow
def test_pictures_and_pages_are_answered_without_the_queue(served_whole):
    (queue,) = [pid for pid, title in titles_of_children(served_whole.server.pid) if "valkey-server" in title]
    os.kill(queue, signal.SIGKILL)
    pages = ["/help", f"/games/{served_whole.game}", f"/games/{served_whole.game}/steps/4.png", "/"]
    assert [served_whole.get(page)[0] for page in pages] == [200] * 4


# --- limits of one request --------------------------------------------------------------------------------------------


async def answer_each(socket: Path, paths: list[str]) -> tuple[list[tuple[str, int, int]], CpuDebts]:
    """Return the answers of a process with small limits: path, status and the number of processes left; and the debts
    of each path, which has a visitor of its own."""
    processes, answers = pool.Pool(socket, CpuDebts(lambda: 0.0)), list[tuple[str, int, int]]()
    try:
        for path in paths:
            try:
                status = (
                    await processes.answer(Visitor(path), HELP | {"PATH_INFO": path}, BytesIO(), asyncio.Event())
                ).status
            except pool.OverLimitError:
                status = 0
            answers.append((path, status, len(processes.members)))
        return answers, processes.debts
    finally:
        processes.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "over",
    [
        [("/burn_c", 0, 0), ("/fill_at_once", 422, 0)],
        pytest.param([("/burn_python", 0, 0), ("/api/v1/fill_with_lists", 422, 0)], marks=pytest.mark.drill),
    ],
)
def test_pool_process_over_its_limits_ends_and_others_answer(greedy_pool, over):
    expected = [("/help", 200, 1), *over, ("/help", 200, 1)]
    answers, debts = run_async(answer_each(greedy_pool, [path for path, *_ in expected]))
    assert answers == expected
    assert debts.of_address(over[0][0]) > 0.8


def test_limits_hold_within_the_block_and_end_with_it():
    before = resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU)
    with process_limits.limits_of_request():
        soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
        assert 0 < soft - process_limits.used_cpu_seconds() <= process_limits.CPU_SECONDS + 1
        with pytest.raises(MemoryError):
            bytearray(process_limits.MEMORY_BYTES + 64 * 1024**2)
    assert before == (resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU))


@pytest.mark.parametrize(("path", "message"), [("/help", b"too much time or memory"), ("/api/v1/games", b"over_limit")])
def test_request_over_a_limit_is_told_so_and_not_asked_again(app, path, message):
    answer = app.test_client().get(path, environ_overrides={REPLACEMENT_KEY: "limit"})
    assert answer.status_code == 422 and message in answer.data
    assert not {"Refresh", "Retry-After"} & {*answer.headers.keys()}


@pytest.mark.parametrize("lost", [pool.OverLimitError, pool.MemberLostError])
def test_page_says_whether_a_request_was_over_its_limit(lost):
    class Ended:
        async def answer(self, *_: object) -> pool.LongAnswer:
            raise lost

    async def run() -> str:
        async def who(environ: Mapping[str, Any]) -> Visitor:
            return Visitor("")

        asked = long_requests.LongRequests(Ended(), LongViews(Flask("none")), who)  # type: ignore[arg-type]
        with pytest.raises(long_requests.EarlyResponseError) as told:
            await asked.answer(LongView(frozenset({"GET"}), True), HELP, BytesIO(), asyncio.Event().wait())
        return told.value.what

    assert run_async(run()) == {pool.OverLimitError: "limit", pool.MemberLostError: "lost"}[lost]


@pytest.mark.parametrize(
    ("method", "path", "length", "long"),
    [
        ("POST", "/games/{game}/type", 100, False),
        ("POST", "/games/{game}/type", 59_000, True),
        ("GET", "/games/{game}/type", 0, False),
        ("POST", "/games/{game}/record", 60_000, False),
        ("POST", "/games/{game}/record", 70_000, True),
        ("POST", "/api/v1/games/{game}/claims", 500, True),
        ("POST", "/api/v1/games/{game}/claims", 9_000_000, True),
        ("POST", "/sign-in", 9_000_000, True),
        ("POST", "/clubs/{game}/people/list", 200_000, True),
        ("GET", "/games/{game}/figures", 0, True),
        ("GET", "/games/{game}/transcript", 0, True),
        ("GET", "/games/{game}/export", 0, True),
    ],
)
def test_large_bodies_and_whole_games_are_left_to_the_pool(app, method, path, length, long):
    asked = {"REQUEST_METHOD": method, "PATH_INFO": path.format(game=UUID(int=7)), "CONTENT_LENGTH": f"{length}"}
    assert (LongViews(app).view_of(asked) is not None) is long
