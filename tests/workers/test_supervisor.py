"""Real processes: each test starts a supervisor of its own as a program and looks at what the system then runs."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from daybook.processes import parts_of_service
from daybook.services.settings import Settings
from daybook.workers import queue_server
from daybook.workers.children import stop
from daybook.workers.sessions import members
from daybook.workers.start_checks import CannotListenError, lock_folder, refuse_taken
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, wait_until

pytestmark = pytest.mark.slow

SCRIPT = """
import ctypes
import dataclasses
import sys
import time
from pathlib import Path
from daybook import processes
from daybook.services.operation import notify
from daybook.services.settings import read_settings
from daybook.web import serving
from daybook.workers import beats, children, queue_server
from daybook.workers.parts import ServicePart
from daybook.workers.start_checks import CannotServeError

beats.PING_SECONDS = notify.BEAT_SECONDS = 0.5
beats.OWN_PAUSE_SECONDS = 1.5

def beat_until_ready(path):
    notify.notify(notify.ALIVE)
    while not Path(path).exists():
        time.sleep(0.02)
    notify.notify(notify.READY)
    time.sleep(600)


def beat(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        notify.notify(notify.READY, notify.ALIVE)
        time.sleep(0.1)
    time.sleep(600)


settings = read_settings()
own = {part.name: part for part in processes.parts_of_service(settings)}
processes.parts_of_service = lambda settings: [%s]
processes.prepare = lambda *_: print("prepared", file=sys.stderr, flush=True)
processes.require_durable = serving.warm_up = lambda settings: None
try:
    processes.serve_all(settings, examples=False)
except CannotServeError as why:
    sys.exit(f"{type(why).__name__}: {why}")
"""
QUEUE = "own['queue']"
SLEEPER = "ServicePart('sleeper', ['sleep', '600'])"


def python(name: str, code: str, patience: float = 15.0, awaited: bool = False) -> str:
    """A part that runs this program, as code for the script above."""
    options = f"patience_seconds={patience}, is_awaited={awaited}"
    return f"ServicePart({name!r}, [sys.executable, '-c', {code!r}], {options})"


def says_ready(condition: str = "True") -> str:
    """Code of a part that waits for a condition, and then says that it is ready."""
    return f"""
import time
from pathlib import Path
from daybook.services.operation import notify
while not ({condition}):
    time.sleep(0.02)
notify.notify(notify.READY)
"""


FAMILY = python(
    "family",
    """
import subprocess, time
subprocess.Popen(["sleep", "600"])
subprocess.Popen(["sleep", "600"], process_group=0)
print("three of us", flush=True)
time.sleep(600)
""",
)
DEAF = python(
    "deaf",
    """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(600)
""",
)


@dataclass
class Serving:
    """A supervisor that runs as a program."""

    settings: Settings
    process: Program
    log: Path

    def log_text(self) -> str:
        return self.log.read_text()

    def says(self, pattern: str) -> Callable[[], bool]:
        return lambda: re.search(pattern, self.log_text()) is not None

    def child(self, name: str) -> int:
        """The process of a part, as last started."""
        return int(re.findall(rf"^{name} +\| started, process (\d+)$", self.log_text(), re.M)[-1])

    def exit_status(self) -> int:
        return self.process.wait(PATIENCE_SECONDS)


Serve = Callable[..., Serving]


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", port=free_port())


@pytest.fixture
def serve(here: Settings, tmp_path: Path) -> Iterator[Serve]:
    """Starts a supervisor over the parts given as code, and waits until it has started everything."""
    all_of_them: list[Serving] = []

    def start(*code: str, waive_hangup: bool = False) -> Serving:
        log = tmp_path / f"log-{len(all_of_them)}"
        hangup = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_{'IGN' if waive_hangup else 'DFL'})\n"
        with log.open("wb") as file:
            process = Program(hangup + SCRIPT % ", ".join(code), os.environ | here.environ(), file)
        serving = Serving(here, process, log)
        all_of_them.append(serving)
        wait_until(lambda: "open http://" in serving.log_text() or process.poll() is not None, "the supervisor")
        return serving

    yield start
    for serving in all_of_them:
        stop(serving.process, patience_seconds=PATIENCE_SECONDS)


def nobody_in(*sessions: int) -> Callable[[], bool]:
    return lambda: not members(sessions)


# --- what runs --------------------------------------------------------------------------------------------------


def test_parts_start_with_the_queue_and_end_with_the_pages(tmp_path):
    named = parts_of_service(Settings(data=tmp_path, workers=2, win_chances_seconds_per_day=0))
    assert [part.name for part in named] == ["queue", "follow", "work-1", "work-2", "web"]
    assert [part.outlasts for part in named] == [True, False, False, False, False]
    assert [list(part.argv) for part in named[1:]] == [
        [sys.executable, "-m", "daybook", command, "--data", str(tmp_path)]
        for command in ("follow", "work", "work", "web")
    ]


def test_where_chances_are_reckoned_a_process_of_its_own_does_it(tmp_path):
    named = parts_of_service(Settings(data=tmp_path, workers=1, win_chances_seconds_per_day=60))
    assert [part.name for part in named] == ["queue", "follow", "work-1", "analyse", "web"]
    assert named[3].argv == [sys.executable, "-m", "daybook", "analyse", "--data", str(tmp_path)]
    assert {part.name for part in named if part.patience_seconds < named[0].patience_seconds} == {"analyse"}
    assert [part.name for part in named if part.is_on_demand] == ["analyse"]


def test_with_a_queue_of_somebody_else_none_is_started(tmp_path):
    named = parts_of_service(
        Settings(data=tmp_path, redis_url="redis://queue:6379/0", workers=0, win_chances_seconds_per_day=0)
    )
    assert [part.name for part in named] == ["follow", "web"]


def test_preparation_is_done_before_any_part_starts(serve):
    assert serve(SLEEPER).log_text().startswith("prepared\nsleeper | started, process ")


def test_each_part_starts_when_the_one_before_it_answers(serve, here):
    late = str(here.data / "late")
    serving = serve(
        python(
            "first",
            f"import time; time.sleep(0.3); open({late!r}, 'w').close();{says_ready()}time.sleep(600)",
            awaited=True,
        ),
        python("second", f"import os; print('the first was ready:', os.path.exists({late!r}))"),
    )
    wait_until(serving.says(r"second +\| the first was ready: True"), "second")


def test_the_lines_of_a_part_carry_its_name(serve):
    serving = serve(python("talker", "import sys; print(1, end=chr(10) * 2); sys.stderr.write('half a line')"))
    wait_until(serving.says("half a line"), "its last line")
    lines = serving.log_text().splitlines()
    assert "talker  | 1" in lines
    assert "talker  | " in lines
    assert "talker  | half a line" in lines


def test_advice_of_queue_is_hidden_and_its_errors_are_shown(serve):
    print_lines = "print('x WARNING Memory overcommit must be enabled! To fix'); print('Failed opening the file')"
    serving = serve(QUEUE, python("talker", print_lines).removesuffix(")") + ", hidden=queue_server.ADVICE)", SLEEPER)
    wait_until(serving.says(r"talker +\| Failed opening the file"), "what comes after the advice")
    assert "overcommit" not in serving.log_text()
    serving.process.terminate()
    assert serving.exit_status() == 0
    assert not re.search("SIGTERM|ready to exit", serving.log_text())


def test_json_log_lines_are_objects_and_objects_stay(serve, monkeypatch):
    monkeypatch.setenv("DAYBOOK_LOG_FORMAT", "json")
    serving = serve(python("talker", """print('{"message": "told"}'); print('its "last" words')"""))
    wait_until(serving.says("words"), "its last line")
    lines = [json.loads(line) for line in serving.log_text().splitlines() if line.startswith("{")]
    assert {"message": "told"} in lines
    assert ("talker", 'its "last" words') in [(line.get("part"), line["message"]) for line in lines]


def test_parts_get_the_settings_and_no_others(serve):
    serving = serve(python("asker", "import os; print(*sorted(name for name in os.environ if 'DAYBOOK' in name))"))
    own = "DATA", "HOST", "PORT", "VISITOR_FILES_MIN_FREE_GB", "WEB_PROCESSES", "WIN_CHANCES_SECONDS_PER_DAY", "WORKERS"
    names = " ".join(f"DAYBOOK_{name}" for name in own)
    wait_until(serving.says(names), "the names")


# --- starting again ---------------------------------------------------------------------------------------------


def test_a_part_that_ends_is_started_again_ever_later(serve):
    serving = serve(python("short", "raise SystemExit(3)"))
    wait_until(serving.says(r"ended with exit code 3; again in 0\.8 s"), "four ends")
    pauses = re.findall(r"ended with exit code 3; again in ([0-9.]+) s", serving.log_text())
    assert pauses[:4] == ["0.1", "0.2", "0.4", "0.8"]


def test_children_of_a_killed_part_end_before_its_restart(serve):
    serving = serve(FAMILY)
    first = serving.child("family")
    wait_until(serving.says("three of us"), "the family")
    assert len(members([first])) == 3
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: serving.child("family") != first, "another family")
    assert members([first]) == []
    assert "was ended by SIGKILL; again in 0.1 s" in serving.log_text()


def test_killed_queue_server_returns_with_acknowledged_jobs(serve, here):
    serving = serve(QUEUE)
    acknowledged: list[str] = []
    with Redis.from_url(here.queue_url, decode_responses=True) as queue:
        for round_ in range(3):
            for number in range(200):
                acknowledged.append(f"job-{round_}-{number}")
                queue.rpush("jobs", acknowledged[-1])
            os.kill(serving.child("queue"), signal.SIGKILL)
            with pytest.raises(RedisError):
                while True:
                    queue.ping()
            wait_until(lambda: queue_server.server_answers(here.queue_url), "the queue server")
        assert queue.lrange("jobs", 0, -1) == acknowledged


@pytest.mark.parametrize(
    "left", [b"*3\r\n$5\r\nRPUSH\r\n" + bytes(200), b""], ids=["zeros at its end", "a file is gone"]
)
def test_a_queue_that_a_power_cut_left_unreadable_is_set_aside(serve, here, left):
    """Lost jobs are derived from the log again; recording goes on."""
    first = serve(QUEUE)
    with Redis.from_url(here.queue_url) as queue:
        queue.rpush("jobs", *range(100))
    first.process.terminate()
    assert first.exit_status() == 0
    (file,) = (here.data / "queue").rglob("*.incr.aof")
    if left:
        file.write_bytes(file.read_bytes() + left)
    else:
        file.unlink()
    second = serve(QUEUE, SLEEPER)
    aside = here.data / "queue" / "unread"
    assert (
        f"ended with exit code 1; its files were moved to {aside}, and it starts without them; again in 0.1 s"
        in second.log_text()
    )
    assert queue_server.server_answers(here.queue_url)
    assert [*aside.iterdir()] and second.process.poll() is None


def test_queue_that_cannot_start_otherwise_is_given_up(serve, here):
    (here.data / "queue").mkdir(parents=True)
    (here.data / "queue" / "appendonlydir").touch()  # a folder cannot be made there, at no start
    serving = serve("dataclasses.replace(own['queue'], set_aside=lambda: None)")
    assert serving.exit_status() == 1
    assert "PartFailedError: queue ended while it was starting" in serving.log_text()


def test_as_process_1_it_buries_the_orphans_that_come_to_it(serve):
    adopting = "*([] if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0 else None)"  # PR_SET_CHILD_SUBREAPER
    serving = serve(
        adopting,
        SLEEPER,
        python(
            "parent",
            """
import os, time
child = os.fork()
if child == 0:
    orphan = os.fork()
    if orphan == 0:
        time.sleep(0.5)
    os._exit(0)
os.waitpid(child, 0)
print("left an orphan", flush=True)
time.sleep(600)
""",
        ),
    )
    wait_until(serving.says("left an orphan"), "the orphan")
    assert len(children(serving.process.pid)) == 3, "two parts and the orphan"
    wait_until(lambda: len(children(serving.process.pid)) == 2, "its burial")


# --- hanging ----------------------------------------------------------------------------------------------------


def test_hung_parts_are_killed_and_started_again(serve):
    """Both are killed that are stopped, and one that works without a beat. One that never sent any stays."""
    serving = serve(
        "ServicePart('beating', [], lambda: beat(600), is_awaited=True, hang_seconds=2)",
        "dataclasses.replace(own['queue'], hang_seconds=2)",
        "ServicePart('busy', [], lambda: beat(1), hang_seconds=1)",
        f"dataclasses.replace({SLEEPER}, hang_seconds=1)",
    )
    stopped = {name: serving.child(name) for name in ("beating", "queue")}
    for process in stopped.values():
        os.kill(process, signal.SIGSTOP)
    for name, process in stopped.items():
        wait_until(lambda name=name, process=process: serving.child(name) != process, f"another {name}")
        assert re.search(rf"{name} +\| sent no beat for 2 s: it is killed\n", serving.log_text())
    assert "beating | was ended by SIGKILL" in serving.log_text()
    second = {name: serving.child(name) for name in stopped}
    wait_until(lambda: len(re.findall(r"busy +\| sent no beat for 1 s", serving.log_text())) > 2, "three ends")
    assert {name: serving.child(name) for name in stopped} == second, "one that beats stays"
    assert "sleeper | sent no beat" not in serving.log_text()


def test_supervisor_that_was_stopped_blames_no_part(serve):
    """Ctrl-Z, or a suspended machine: beats were not read."""
    serving = serve("ServicePart('beating', [], lambda: beat(600), is_awaited=True, hang_seconds=2)")
    first = serving.child("beating")
    serving.process.send_signal(signal.SIGSTOP)
    time.sleep(2.5)
    serving.process.send_signal(signal.SIGCONT)
    time.sleep(1)
    assert "sent no beat" not in serving.log_text() and serving.child("beating") == first


def test_part_on_demand_runs_while_there_is_work(serve):
    asks = "notify.notify(notify.START + 'thinker')"
    thinker = "ServicePart('thinker', [], lambda: time.sleep(0.2), is_on_demand=True)"
    serving = serve(thinker, f"ServicePart('asker', [], lambda: (time.sleep(0.5), {asks}, time.sleep(600)))", SLEEPER)
    assert "thinker | started" not in serving.log_text()
    wait_until(serving.says(r"thinker \| stopped until there is work"), "its end")
    time.sleep(0.5)
    assert len(re.findall(r"thinker \| started", serving.log_text())) == 1


def test_supervisor_beats_for_systemd(serve, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "systemd.sock"))
        systemd.settimeout(PATIENCE_SECONDS)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "systemd.sock"))
        serving = serve(SLEEPER)
        received = {systemd.recv(4096).decode() for _ in range(3)}
    assert received == {f"MAINPID={serving.process.pid}\nREADY=1", f"MAINPID={serving.process.pid}\nWATCHDOG=1"}


# --- stopping ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_to_stop_it_stops_the_parts_and_the_queue_last(serve, number):
    serving = serve(QUEUE, SLEEPER)
    both = serving.child("queue"), serving.child("sleeper")
    serving.process.send_signal(number)
    assert serving.exit_status() == 0
    assert members(both) == []
    said = serving.log_text()
    assert 0 < said.index("sleeper | stopped") < said.index("queue   | stopped")
    assert not serving.settings.queue_socket.exists()


def test_hangup_is_ignored_on_request(serve):
    """`nohup make run &`: after the laptop's lid closes, the club goes on recording."""
    serving = serve(SLEEPER, waive_hangup=True)
    serving.process.send_signal(signal.SIGHUP)
    os.kill(serving.child("sleeper"), signal.SIGKILL)
    wait_until(serving.says(r"was ended by SIGKILL; again in 0\.1 s"), "the sleeper's end")
    assert "stopping" not in serving.log_text()
    serving.process.terminate()
    assert serving.exit_status() == 0


def test_a_log_that_cannot_be_written_stops_nothing(here):
    """The disk that it goes to is full: pages are read on, and decisions are written once there is room."""
    ended = str(here.data / "ended")
    counts = python("counts", f"open({ended!r}, 'a').write('ended\\n'); raise SystemExit(3)")
    program = SCRIPT.replace('print("prepared", file=sys.stderr, flush=True)', "None") % counts
    with open("/dev/full", "wb") as full:
        process = Program(program, os.environ | here.environ(), full)
    try:
        wait_until(
            lambda: process.poll() is not None or (Path(ended).exists() and Path(ended).read_text().count("ended") > 2),
            "three ends of a part",
        )
        assert process.poll() is None
    finally:
        stop(process, patience_seconds=PATIENCE_SECONDS)


def test_second_stop_request_does_not_wait_for_a_stuck_part(serve):
    serving = serve(
        python(
            "stubborn",
            "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('no'); time.sleep(600)",
        )
    )
    wait_until(serving.says(r"\| no"), "the stubborn one")
    serving.process.terminate()
    wait_until(serving.says(r"daybook +\| stopping"), "stopping")
    assert serving.process.poll() is None
    serving.process.terminate()
    assert serving.exit_status() == 0
    assert "stubborn | stopped without waiting any longer" in serving.log_text()
    assert "SIGKILL" not in serving.log_text()


def test_each_part_is_waited_for_as_long_as_it_says(serve, here):
    """The second one ends of itself, and only when the first one is gone."""
    here.data.mkdir(parents=True)
    mark = str(here.data / "deaf")
    deaf = f"""
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open({mark!r}, "w").write(str(os.getpid()))
time.sleep(600)
"""
    heir = f"""
import os, signal, sys, time
def wait_for_deaf(*_):
    while os.path.exists(f"/proc/{{open({mark!r}).read()}}"):
        time.sleep(0.01)
    sys.exit(0)
signal.signal(signal.SIGTERM, wait_for_deaf)
print("heir", flush=True)
time.sleep(600)
"""
    deaf = deaf.replace("time.sleep(600)", says_ready() + "time.sleep(600)")
    serving = serve(python("deaf", deaf, 0.1, awaited=True), python("heir", heir, patience=600.0))
    wait_until(serving.says(r"\| heir"), "the heir")
    serving.process.terminate()
    assert serving.exit_status() == 0
    said = serving.log_text()
    assert 0 < said.index("deaf    | stopped without waiting any longer") < said.index("heir    | stopped")


def test_supervisor_killed_leaves_nothing_running(serve, here):
    """No part has children of its own, so the parent-death signal reaches all, also one that is stopped."""
    serving = serve(QUEUE, SLEEPER, DEAF, "ServicePart('beating', [], lambda: beat(600))")
    wait_until(serving.says(r"\| deaf"), "the deaf one")
    parts_ = [serving.child(name) for name in ("queue", "sleeper", "deaf", "beating")]
    os.kill(serving.child("sleeper"), signal.SIGSTOP)
    assert len(children(serving.process.pid)) == 4
    serving.process.kill()
    serving.exit_status()
    wait_until(nobody_in(*parts_), "the end of all parts")


WITHOUT_DEATH_SIGNAL = "*([] if setattr(children, 'LIBC', None) is None else ())"  # as on other systems than Linux


def test_watch_ends_deaf_parts_without_death_signal(serve):
    serving = serve(WITHOUT_DEATH_SIGNAL, DEAF)
    wait_until(serving.says(r"\| deaf"), "the deaf one")
    child = serving.child("deaf")
    serving.process.kill()
    serving.exit_status()
    wait_until(nobody_in(child), "the end of the deaf")


def test_a_killed_watch_is_replaced_and_does_its_work(serve):
    serving = serve(WITHOUT_DEATH_SIGNAL, FAMILY)
    wait_until(serving.says("three of us"), "the family")
    child = serving.child("family")
    [watch] = watches(serving.process.pid)
    os.kill(watch, signal.SIGKILL)
    wait_until(lambda: watches(serving.process.pid) not in ([], [watch]), "another watch")
    serving.process.kill()
    serving.exit_status()
    wait_until(nobody_in(child), "the end of the family")


def children(parent: int) -> list[int]:
    """Return the children of a process, including dead ones that were not waited for."""
    return [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def watches(parent: int) -> list[int]:
    return [child for child in children(parent) if b"daybook.workers.watch" in command_of(child)]


def command_of(process: int) -> bytes:
    """Its words; of one that was buried meanwhile none."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


# --- not starting -----------------------------------------------------------------------------------------------


def test_a_second_one_on_the_same_folder_is_refused(serve, here):
    first = serve(SLEEPER)
    second = serve(SLEEPER)
    assert second.exit_status() == 1
    assert second.log_text() == (
        f"AlreadyServingError: {here.data} is served already (process {first.process.pid}): "
        "stop that, or give another --data\n"
    )
    assert first.process.poll() is None


def test_next_start_after_a_kill_waits_for_the_old_processes(serve, here):
    first = serve(QUEUE, SLEEPER)
    both = [first.child("queue"), first.child("sleeper")]
    first.process.kill()
    first.exit_status()
    second = serve(QUEUE)
    assert members(both) == []
    assert second.process.poll() is None
    time.sleep(0.3)
    assert queue_server.server_answers(here.queue_url), "the old server did not take the new one's socket along"


def test_a_taken_port_is_refused_before_anything_starts(serve, here):
    with socket.create_server(("127.0.0.1", here.port)):
        serving = serve(SLEEPER)
        assert serving.exit_status() == 1
    assert serving.log_text() == (
        f"CannotListenError: cannot listen on 127.0.0.1:{here.port} (Address already in use): "
        "give another with --port (DAYBOOK_PORT) or --host (DAYBOOK_HOST)\n"
    )


def test_an_address_of_another_machine_is_refused(tmp_path):
    with pytest.raises(CannotListenError, match="Cannot assign requested address"):
        refuse_taken(Settings(data=tmp_path, host="192.0.2.1"))


def test_a_part_that_ends_while_starting_stops_everything(serve):
    serving = serve(SLEEPER, python("broken", "import sys; sys.exit('the disk is full')", awaited=True))
    assert serving.exit_status() == 1
    said = serving.log_text()
    assert "broken  | the disk is full" in said
    assert said.strip().endswith("PartFailedError: broken ended while it was starting; it says why above")
    assert members([serving.child("sleeper")]) == []


ENDED_TWICE = """
import os, signal, time
from pathlib import Path
signal.signal(signal.SIGTERM, lambda *_: exit(0))
starts = Path({starts!r})
with starts.open("a") as file:
    file.write("started\\n")
if len(starts.read_text().split()) < 3:
    os.kill(os.getpid(), signal.{number})
else:
    from daybook.services.operation import notify
    notify.notify(notify.READY)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("number", "how"),
    [("SIGKILL", "was ended by SIGKILL"), ("SIGSEGV", "was ended by SIGSEGV"), ("SIGTERM", "ended with exit code 0")],
)
def test_part_killed_while_starting_restarts_ever_later(serve, here, number, how):
    """A signal from outside is not a wrong setting."""
    killed = ENDED_TWICE.format(starts=str(here.data / "starts"), number=number)
    serving = serve(SLEEPER, python("killed", killed, awaited=True), FAMILY)
    assert serving.process.poll() is None
    said = serving.log_text()
    assert re.findall(rf"{how}; again in ([0-9.]+) s", said) == ["0.1", "0.2"]
    assert "open http://" in said
    wait_until(serving.says("three of us"), "the part that starts after it")


def test_the_lock_is_free_again_afterwards(tmp_path):
    for _ in range(2):
        with lock_folder(tmp_path):
            assert (tmp_path / "serve.lock").read_text() == f"{os.getpid()}\n"
