"""Runs a game's tests once, each in a process of its own, and tells how long each takes and which lines it reaches."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

RULES = "daybook/domain/games"  # the folder of the games' rules, by the name that they are imported with
TREES = ("daybook.", "tests.domain.")  # how the names of our own modules begin, as far as tests need them
TRACED = 3  # how much slower a test is while its lines are noted, about
TOO_LONG = 75  # the status of a process that ends for that reason
Trace = Callable[[FrameType, str, Any], Any]


# --- processes that tell something ---


def asked_of_child(work: Callable[[Callable[[Any], None]], None]) -> Any:
    """What a forked process tells, as JSON; None if it told nothing."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as paper:
        child = os.fork()
        if child == 0:

            def tell(answer: Any) -> None:
                json.dump(answer, paper)
                paper.flush()

            leaving(lambda: work(tell))
        os.waitpid(child, 0)
        paper.seek(0)
        text = paper.read()
        return json.loads(text) if text else None


def leaving(work: Callable[[], None]) -> None:
    """Does the work of a forked process, and ends it without what the parent would do at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # pytest talks there
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


# --- tests: collected, measured, run ---


class Takeover:
    """A plugin that does something else with the collected tests than run them."""

    def __init__(self, then: Callable[[Any], None]) -> None:
        self.then = then

    def pytest_runtestloop(self, session: Any) -> bool:
        self.then(session)
        return True


def collect_tests(game: str, files: Sequence[str], then: Callable[[Any], None]) -> None:
    """Collects the game's tests (or those of some files) and hands the session on."""
    import hypothesis
    import pytest

    hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, database=None, max_examples=20)
    hypothesis.settings.load_profile("mutants")
    quiet = [
        "-q",
        "--no-header",
        "--noconftest",
        "--capture=no",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ]
    own = [f"tests/domain/games/{game}", "tests/domain/games/test_random_games.py", "-k", game]
    problem = pytest.main([*quiet, *(files or own)], plugins=[Takeover(then)])
    if problem != 0:
        raise RuntimeError(f"pytest ended with {problem}")


def foreign_modules() -> list[str]:
    """What is imported from outside of the tree, so that it can be imported before the tree is."""
    here = str(Path.cwd())
    return [
        name
        for name, module in sys.modules.items()
        if (file := getattr(module, "__file__", None)) and not file.startswith(here) and not name.startswith("_")
    ]


def measure_tests(session: Any, game: str, longest: float) -> dict[str, Any]:
    """How long each test takes, and which lines of the game it reaches, each in a process of its own."""
    folder = str(Path(RULES, game).absolute()) + os.sep
    seconds, lines, failing, too_long = {}, {}, [], 0
    gc.collect()
    gc.freeze()
    for item in session.items:

        def one(tell: Callable[[Any], None], item: Any = item) -> None:
            signal.signal(signal.SIGVTALRM, lambda *_: os._exit(TOO_LONG))
            signal.setitimer(signal.ITIMER_VIRTUAL, longest * TRACED)
            began = time.process_time()
            reached: dict[str, set[int]] = defaultdict(set)
            sys.settrace(tracer(folder, reached))
            failed = fails(item)
            sys.settrace(None)
            tell([failed, (time.process_time() - began) / TRACED, plainly(reached)])

        told = asked_of_child(one)
        if told is None:
            too_long += 1
            continue
        if told[0]:
            failing.append(item.nodeid)
            continue
        seconds[item.nodeid], lines[item.nodeid] = told[1], told[2]
    return {
        "seconds": seconds,
        "lines": lines,
        "failing": failing,
        "too_long": too_long,
        "imported": asked_of_child(lambda tell: tell(imported_lines(session, game, folder))),
    }


def imported_lines(session: Any, game: str, folder: str) -> dict[str, list[int]]:
    """The lines of functions that run while the game and its tests are imported: both are imported again to see."""
    for name in [name for name in sys.modules if name.startswith(TREES)]:
        del sys.modules[name]
    reached: dict[str, set[int]] = defaultdict(set)
    sys.settrace(tracer(folder, reached, in_functions=True))
    for file in sorted({str(item.path) for item in session.items}):
        name = ".".join(Path(file).relative_to(Path.cwd()).with_suffix("").parts)
        importlib.import_module(name)
    sys.settrace(None)
    return plainly(reached)


def plainly(reached: dict[str, set[int]]) -> dict[str, list[int]]:
    here = str(Path.cwd()) + os.sep
    return {file.removeprefix(here): sorted(numbers) for file, numbers in reached.items()}


def tracer(folder: str, reached: dict[str, set[int]], in_functions: bool = False) -> Trace:
    """Notes the lines that run in a folder. A function all of whose lines have run is not looked at again."""
    left: dict[CodeType, set[int]] = {}

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        missing = left.get(code)
        if missing is None:
            ours = code.co_filename.startswith(folder) and not (in_functions and not code.co_flags & 0x1)
            missing = left[code] = {line for _, _, line in code.co_lines() if line} if ours else set()
        if not missing:
            return None
        lines = reached[code.co_filename]

        def each(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            missing.discard(frame.f_lineno)
            return each if missing else None

        return each(frame, event, argument)

    return call


def fails(item: Any) -> bool:
    from _pytest.runner import runtestprotocol

    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
