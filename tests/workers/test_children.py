"""Parts that are forks of the supervisor: they share what it has imported, and nothing else."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from daybook.workers.children import start_child
from daybook.workers.sessions import members
from tests.servers import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow

PARENT = """
import json, os, signal, socket, sys, threading, time
import runpy
from daybook.workers.children import can_fork, fork_child

import heavy  # the parts need it
heavy.here = "the parent's"
signal.signal(signal.SIGTERM, lambda *_: None)
signal.signal(signal.SIGINT, signal.SIG_IGN)
ours, wakes = socket.socketpair()
wakes.setblocking(False)
signal.set_wakeup_fd(wakes.fileno())
reads, writes = os.pipe()
try:
    child = fork_child(
        lambda: runpy.run_module("part", run_name="__main__"), {"ONLY": "this"}, "daybook part-1 and more", writes
    )
finally:
    print("left", os.getpid(), flush=True)
os.close(writes)
said = b"".join(iter(lambda: os.read(reads, 65536), b"")).decode()
print(json.dumps({"code": child.wait(), "said": said, "pid": child.pid}))
"""
LOOKS = """
import json, os, signal, sys, heavy
print(json.dumps({
    "heavy": heavy.here, "environ": dict(os.environ), "name": __name__,
    "files": sorted(int(file) for file in os.listdir("/proc/self/fd")), "session": os.getsid(0) == os.getpid(),
    "shown": open("/proc/self/comm").read().strip(), "wakeup": signal.set_wakeup_fd(-1),
    "term": signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
    "interrupt": signal.getsignal(signal.SIGINT) == signal.default_int_handler}))
"""


def program(tmp_path: Path, part: str) -> subprocess.Popen[str]:
    (tmp_path / "heavy.py").write_text("here = ''\n")
    (tmp_path / "part.py").write_text(textwrap.dedent(part))
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{PARENT}"],
        stdout=subprocess.PIPE,
        text=True,
    )


def ran(tmp_path: Path, part: str) -> dict[str, object]:
    out, _ = program(tmp_path, part).communicate(timeout=PATIENCE_SECONDS)
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["left"], "only the parent goes on from where it forked"
    found: dict[str, object] = json.loads(lines[-1])
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every part is started afresh")
def test_a_fork_has_what_is_imported_and_nothing_that_is_open(tmp_path):
    found = ran(tmp_path, LOOKS)
    assert found["code"] == 0, found["said"]
    seen = json.loads(str(found["said"]))
    files = seen.pop("files")
    assert files[:3] == [0, 1, 2]
    assert len(files) == 4, "and the one that lists them"
    assert seen == {
        "heavy": "the parent's",
        "environ": {"ONLY": "this"},
        "name": "__main__",
        "session": True,
        "shown": "daybook part-1",
        "wakeup": -1,
        "term": True,
        "interrupt": True,
    }


@pytest.mark.parametrize(
    ("part", "code", "message"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit('the disk is full')", 1, "the disk is full"),
        ("raise SystemExit", 0, ""),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, ""),
        ("print('half a line', end='')", 0, "half a line"),
    ],
)
def test_a_fork_ends_as_a_process_of_its_own(tmp_path, part, code, message):
    found = ran(tmp_path, part)
    assert found["code"] == code
    assert message in str(found["said"])


def test_a_fork_ends_with_its_parent(tmp_path):
    mark = tmp_path / "pid"
    parent = program(tmp_path, f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    wait_until(lambda: mark.exists() and mark.read_text() != "", "the fork")
    parent.kill()
    parent.communicate()
    wait_until(lambda: not members([int(mark.read_text())]), "its end")


STOPPED_AT_ONCE = """
import os, signal, sys, time
from daybook.workers.children import fork_child
signal.signal(signal.SIGTERM, lambda *_: None)
for _ in range(20):
    child = fork_child(lambda: time.sleep(5), {}, "daybook part-1", 2)
    os.kill(child.pid, signal.SIGTERM)
    assert child.wait() == -signal.SIGTERM
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every part is started afresh")
def test_fork_that_is_stopped_at_once_ends():
    subprocess.run([sys.executable, "-c", STOPPED_AT_ONCE], check=True)


def test_where_another_thread_runs_nothing_is_forked():
    script = (
        "import threading\nfrom daybook.workers.children import can_fork\nprint(can_fork())\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()\nprint(can_fork())"
    )
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert said.split() == [str(sys.platform == "linux"), "False"]


YIELDING = """
import os, pathlib
from daybook.workers.children import yield_processor
yield_processor()
of_session = pathlib.Path("/proc/self/autogroup")
print(os.nice(0), of_session.read_text() if of_session.exists() else "no group")
"""


def test_what_yields_the_processor_is_nice_as_a_session_too():
    child = start_child([sys.executable, "-c", YIELDING], stdout=subprocess.PIPE)
    out, _ = child.communicate(timeout=PATIENCE_SECONDS)
    assert out.split()[0] == b"19"
    assert out.strip().endswith((b"nice 19", b"no group"))


def test_yielding_process_leaves_other_sessions_alone():
    of_session = Path("/proc/self/autogroup")
    before = of_session.read_text() if of_session.exists() else "no group"
    out = subprocess.run([sys.executable, "-c", YIELDING], check=True, capture_output=True, text=True).stdout
    assert out.split() == ["19", *before.split()]
