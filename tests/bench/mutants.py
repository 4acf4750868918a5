"""Changes a game's rules, one small change at a time, and tells which change no test of the game notices.

    python -m tests.bench.mutants GAME [--module rules] [--sample N --seed S] [--jobs 1] [--longest 0.1] [--json]

A copy of the tree is made, so that neither is the checkout touched nor does its editing disturb a run. Every test is
run once to learn which lines it reaches and how long it takes. Then for each change a process is forked that has
everything imported already, gets the changed function (or, for tables and constants, imports the changed module anew),
and runs the tests that reach the line, quickest first, up to the first that fails. What no test notices is printed with
its place. Changes that alter nothing a table could see stand with their reason in `mutants_explained.toml`.

Results are kept in a file (--results), line by line: an interrupted run goes on, a killed change stays killed as long
as its module is the same, and a survivor is tried again when tests have changed.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from tests.bench.mutations import Module, Mutant, changed_function

ROOT = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("mutants_explained.toml")
COPIED = ("domain", "services", "workers", "fixtures", "tests", "pyproject.toml", "daybook.py")
DATA = ("__init__.py", "moves.py", "solo_moves.py")  # what a game's decisions and effects look like: no rules
MEMORY = 3 * 1024**3  # bytes of address space a change may ask for, lest an endless loop fills the machine
TRACED = 3  # how much slower a test is while its lines are noted, about
TOO_LONG = 75  # the status of a process that ends for that reason
PATIENCE = 1.0  # seconds of processor time that any test may take
GAMES = ("making_profit", "london_markets", "water_frame", "arkwright_card")

KILLED, SURVIVED, EXPLAINED_AWAY, UNREACHED = "killed", "survived", "explained", "not reached"
Trace = Callable[[FrameType, str, Any], Any]


@dataclass
class Result:
    mutant: Mutant
    outcome: str
    by: str = ""  # the test that failed, or the reason why nobody can notice
    seconds: float = 0.0


# --- what is asked, and the copy in which it is done ---


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.mutants", description=__doc__.partition("\n")[0])
    arguments.add_argument("game", choices=GAMES)
    arguments.add_argument("--module", help="only these modules of the game: rules,course")
    arguments.add_argument("--sample", type=int, metavar="N", help="only N changes, drawn by --seed")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--jobs", type=int, default=1, help="processes at once")
    arguments.add_argument("--longest", type=float, default=0.1, help="leave out tests that take more seconds")
    arguments.add_argument("--results", type=Path, help="file to go on with; default mutants-GAME.jsonl in TMPDIR")
    arguments.add_argument("--json", action="store_true", help="print the outcome as JSON")
    arguments.add_argument("--copied", action="store_true", help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.copied:
        run(asked)
        return
    results = asked.results or Path(tempfile.gettempdir()) / f"mutants-{asked.game}.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("web", "browser"))
            else:
                shutil.copy2(ROOT / name, folder)
        shutil.copytree(ROOT / "web", Path(folder, "web"), ignore=shutil.ignore_patterns("static", "templates"))
        command = [sys.executable, "-m", "tests.bench.mutants", *sys.argv[1:], "--copied", "--results"]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONHASHSEED": "0"}
        sys.exit(watched([*command, str(results.absolute())], folder, environment))


def watched(command: list[str], folder: str, environment: dict[str, str]) -> int:
    """Runs a command with all it starts, none of which outlives us; its status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside; the same command goes on where this stops"))
    process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True)
    try:
        return process.wait()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run(asked: argparse.Namespace) -> None:
    os.nice(max(0, 15 - os.nice(0)))
    modules = {module.file: module for module in modules_of(asked.game, asked.module)}
    mutants = [mutant for module in modules.values() for mutant in module.changes]
    if asked.sample:
        mutants = sorted(random.Random(asked.seed).sample(mutants, min(asked.sample, len(mutants))), key=place)
    explained, stale = explanations(asked.game, modules)
    ledger = Ledger(asked.results, asked.game, modules)
    found = {mutant: Result(mutant, EXPLAINED_AWAY, explained[mutant]) for mutant in mutants if mutant in explained}
    found |= {mutant: result for mutant in mutants if mutant not in found and (result := ledger.known(mutant))}
    left = [mutant for mutant in mutants if mutant not in found]
    progress(f"{len(mutants)} changes, {len(left)} of them to be tried")
    if left:
        began = time.monotonic()
        for done, result in enumerate(tried(asked, modules, left), 1):
            found[result.mutant] = result
            ledger.write(result)
            if result.outcome in (SURVIVED, UNREACHED) or done % 50 == 0:
                seconds = time.monotonic() - began
                progress(f"{done}/{len(left)} in {seconds:.0f} s: {described(result)}")
    shown(asked, [found[mutant] for mutant in mutants], stale)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def place(mutant: Mutant) -> tuple[str, int, str, int]:
    return mutant.file, mutant.line, mutant.change, mutant.nth


def modules_of(game: str, only: str | None) -> Iterator[Module]:
    wanted = {f"{name}.py" for name in only.split(",")} if only else None
    for file in sorted(Path("domain/games", game).glob("*.py")):
        if file.name in wanted if wanted else file.name not in DATA:
            yield Module(str(file), file.read_text("utf-8"))


def explanations(game: str, modules: dict[str, Module]) -> tuple[dict[Mutant, str], list[str]]:
    """The changes that are known to alter nothing, each with its reason; and what the list names in vain."""
    explained: dict[Mutant, str] = {}
    stale = []
    for entry in tomllib.loads(EXPLAINED.read_text("utf-8"))["explained"]:
        module = modules.get(f"domain/games/{entry['file']}")
        if module is None:
            continue
        named = [
            mutant for mutant in module.changes
            if mutant.text == entry["text"] and mutant.change == entry["change"] and mutant.nth == entry.get("nth", 0)]
        explained |= dict.fromkeys(named, entry["reason"])
        if not named:
            stale.append(f"{entry['file']}: {entry['text']} ({entry['change']})")
    return explained, stale


class Ledger:
    """Results on disk, one JSON document a line. A killed change counts while its module is the same, a survivor only
    while the tests are as well."""

    def __init__(self, file: Path, game: str, modules: dict[str, Module]) -> None:
        self.file = file
        self.tests = digest(sorted(Path("tests/domain/games", game).glob("*.*")))
        self.modules = {name: digest([Path(name)]) for name in modules}
        self.lines: dict[tuple[str, str, int, str, int], dict[str, Any]] = {}
        if file.exists():
            for text in file.read_text("utf-8").splitlines():
                line = json.loads(text)
                self.lines[line["module"], line["file"], line["line"], line["change"], line["nth"]] = line

    def known(self, mutant: Mutant) -> Result | None:
        line = self.lines.get((self.modules[mutant.file], *place(mutant)))
        if line is None or (line["outcome"] != KILLED and line["tests"] != self.tests):
            return None
        return Result(mutant, line["outcome"], line["by"], line["seconds"])

    def write(self, result: Result) -> None:
        mutant = result.mutant
        line = {
            "module": self.modules[mutant.file], "tests": self.tests, "file": mutant.file, "line": mutant.line,
            "change": mutant.change, "nth": mutant.nth, "text": mutant.text, "outcome": result.outcome, "by": result.by,
            "seconds": round(result.seconds, 3)}
        with self.file.open("a", encoding="utf-8") as ledger:
            ledger.write(json.dumps(line) + "\n")


def digest(files: Sequence[Path]) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def described(result: Result) -> str:
    return f"{result.outcome}  {result.mutant.name}  | {result.mutant.text}  {result.by}".rstrip()


def shown(asked: argparse.Namespace, results: list[Result], stale: list[str]) -> None:
    counted = Counter(result.outcome for result in results)
    survivors = [result for result in results if result.outcome in (SURVIVED, UNREACHED)]
    if asked.json:
        print(json.dumps({
            "game": asked.game, "changes": len(results), **counted, "stale_explanations": stale,
            "survivors": [{
                "file": r.mutant.file, "line": r.mutant.line, "text": r.mutant.text, "change": r.mutant.change,
                "outcome": r.outcome} for r in survivors]}, indent=2))
        return
    for result in survivors:
        print(described(result))
    for line in stale:
        print(f"explained, but no longer there: {line}")
    print(f"{asked.game}: {len(results)} changes, " + ", ".join(f"{counted[kind]} {kind}" for kind in (
        KILLED, EXPLAINED_AWAY, SURVIVED, UNREACHED)))


# --- trying changes, in processes that have everything imported ---


def tried(asked: argparse.Namespace, modules: dict[str, Module], mutants: list[Mutant]) -> Iterator[Result]:
    """The results of some changes as they come in: first those in functions, then those that need an import."""
    outside = asked_of_child(lambda tell: collected(asked.game, [], lambda session: tell(foreign_modules())))
    assert isinstance(outside, list)
    for name in outside:
        with suppress(ImportError):
            importlib.import_module(name)
    learned = reach_of_tests(asked)
    if learned["failing"]:
        sys.exit(f"these tests fail without any change: {learned['failing']}")
    tests = Tests(learned)
    seconds = sum(tests.seconds.values())
    progress(f"{len(tests.seconds)} tests, {seconds:.0f} s; left out as too long: {learned['too_long']}")
    quick = [mutant for mutant in mutants if mutant.in_function]
    again: list[Mutant] = []
    for result in streamed(asked.jobs, quick, lambda part, tell: collected(asked.game, [], lambda session: patching(
            session, modules, tests, part, tell))):
        if result.outcome != KILLED and tests.imports(result.mutant):
            again.append(result.mutant)
        else:
            yield result
    slow = [*(mutant for mutant in mutants if not mutant.in_function), *again]
    yield from streamed(asked.jobs, slow, lambda part, tell: importing(asked.game, modules, tests, part, tell))


def reach_of_tests(asked: argparse.Namespace) -> dict[str, Any]:
    """What `measured` tells, kept beside the results until the game or its tests change."""
    key = digest(sorted([*Path("domain").rglob("*.py"), *Path("tests/domain/games", asked.game).glob("*.*")]))
    kept: Path = asked.results.with_suffix(f".{key}-{asked.longest:g}.json")
    if not kept.exists():
        learned = asked_of_child(lambda tell: collected(
            asked.game, [], lambda session: tell(measured(session, asked.game, asked.longest))))
        assert isinstance(learned, dict), "the tests could not be collected"
        kept.write_text(json.dumps(learned), "utf-8")
    answer: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return answer


class Tests:
    """Which tests reach a line, in the order in which they are best run."""

    def __init__(self, learned: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = learned["seconds"]
        self.reach: dict[tuple[str, int], set[str]] = defaultdict(set)
        for name, lines in learned["lines"].items():
            for file, numbers in lines.items():
                for number in numbers:
                    self.reach[file, number].add(name)
        self.imported = {(file, number) for file, numbers in learned["imported"].items() for number in numbers}
        self.kills: Counter[tuple[str, str]] = Counter()

    def of(self, mutant: Mutant) -> list[str]:
        reaching: set[str] = set()
        for line in range(mutant.first, mutant.last + 1):
            reaching |= self.reach[mutant.file, line]
        if not mutant.in_function or self.imports(mutant):
            reaching |= self.seconds.keys()
        return sorted(reaching & self.seconds.keys(), key=lambda name: self.order(mutant, name))

    def order(self, mutant: Mutant, name: str) -> tuple[bool, float]:
        """Tests that have killed a change of this module before, and quick ones, come first."""
        return self.kills[mutant.file, name] == 0, self.seconds[name] / (1 + self.kills[mutant.file, name])

    def imports(self, mutant: Mutant) -> bool:
        """Whether the line also runs while modules and tests are imported, so that what it makes may stand already."""
        return any((mutant.file, line) in self.imported for line in range(mutant.first, mutant.last + 1))


def streamed(
    jobs: int, mutants: list[Mutant], work: Callable[[list[Mutant], Callable[[Any], None]], None],
) -> Iterator[Result]:
    """Hands the changes out to a few processes and yields what they tell."""
    parts = [mutants[job::jobs] for job in range(jobs) if mutants[job::jobs]]
    at = {mutant: number for number, mutant in enumerate(mutants)}
    pipe, end = os.pipe()
    children = []
    for part in parts:
        child = os.fork()
        if child == 0:
            os.close(pipe)
            with os.fdopen(end, "w", encoding="utf-8") as told:
                def tell(result: Result, told: Any = told) -> None:
                    told.write(json.dumps([at[result.mutant], result.outcome, result.by, result.seconds]) + "\n")
                    told.flush()

                leaving(lambda part=part: work(part, tell))
        children.append(child)
    os.close(end)
    with os.fdopen(pipe, encoding="utf-8") as lines:
        for line in lines:
            number, *rest = json.loads(line)
            yield Result(mutants[number], *rest)
    for child in children:
        if os.waitpid(child, 0)[1]:
            sys.exit("a process that tries changes has broken down")


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


# --- the tests: collected once, measured, run ---


class Takeover:
    """A plugin that does something else with the collected tests than run them."""

    def __init__(self, then: Callable[[Any], None]) -> None:
        self.then = then

    def pytest_runtestloop(self, session: Any) -> bool:
        self.then(session)
        return True


def collected(game: str, files: Sequence[str], then: Callable[[Any], None]) -> None:
    """Collects the game's tests (or those of some files) and hands the session on."""
    import hypothesis
    import pytest

    hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, database=None, max_examples=20)
    hypothesis.settings.load_profile("mutants")
    quiet = ["-q", "--no-header", "--noconftest", "--capture=no", "--assert=plain", "-p", "no:cacheprovider",
             "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    problem = pytest.main([*quiet, *(files or [f"tests/domain/games/{game}"])], plugins=[Takeover(then)])
    if problem != 0:
        raise RuntimeError(f"pytest ended with {problem}")


def foreign_modules() -> list[str]:
    """What is imported from outside of the tree, so that it can be imported before the tree is."""
    here = str(Path.cwd())
    return [
        name for name, module in sys.modules.items()
        if (file := getattr(module, "__file__", None)) and not file.startswith(here) and not name.startswith("_")]


def measured(session: Any, game: str, longest: float) -> dict[str, Any]:
    """How long each test takes, and which lines of the game it reaches, each in a process of its own."""
    folder = str(Path("domain/games", game).absolute()) + os.sep
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
    return {"seconds": seconds, "lines": lines, "failing": failing, "too_long": too_long, "imported": asked_of_child(
        lambda tell: tell(imported_lines(session, game, folder)))}


def imported_lines(session: Any, game: str, folder: str) -> dict[str, list[int]]:
    """The lines of functions that run while the game and its tests are imported: both are imported again to see."""
    for name in [name for name in sys.modules if name.startswith(("domain.", "services.", "tests.domain."))]:
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


# --- one change in a forked process ---


def patching(
    session: Any, modules: dict[str, Module], tests: Tests, mutants: list[Mutant], tell: Callable[[Result], None],
) -> None:
    """Tries changes within functions: the process has imported everything, and its fork gets another code of one."""
    items = {item.nodeid: item for item in session.items}
    living: dict[CodeType, list[FunctionType]] = defaultdict(list)
    here = str(Path.cwd()) + os.sep
    files = set(modules)
    gc.collect()
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename.removeprefix(here) in files:
            living[function.__code__.replace(co_filename=function.__code__.co_filename.removeprefix(here))].append(function)
    gc.freeze()
    for mutant in mutants:
        module = modules[mutant.file]
        change = changed_function(module.code, module.code_of(mutant))
        if change is None:
            tell(Result(mutant, EXPLAINED_AWAY, "compiles to the same code"))
            continue

        def swap(change: tuple[CodeType, CodeType] = change) -> None:
            functions = living[change[0]]
            if not functions:
                raise LookupError(f"no function of {change[0].co_qualname} is found")
            for function in functions:
                function.__code__ = change[1]

        def swapped(names: list[str], say: Callable[[str], None], swap: Callable[[], None] = swap) -> None:
            swap()
            first_failing(tests, [items[name] for name in names], say)

        tell(one_tried(mutant, tests, swapped))


def first_failing(tests: Tests, items: Sequence[Any], say: Callable[[str], None]) -> None:
    """Says which test fails first. A test that takes far too long ends the process, which is a failure too."""
    for item in items:
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE + 5 * tests.seconds[item.nodeid])
        if fails(item):
            say(item.nodeid)
            return


def importing(
    game: str, modules: dict[str, Module], tests: Tests, mutants: list[Mutant], tell: Callable[[Result], None],
) -> None:
    """Tries changes of tables, constants and defaults: a fork that has not imported the game imports it changed."""
    for mutant in mutants:
        code = modules[mutant.file].code_of(mutant)
        name = mutant.file.removesuffix(".py").replace("/", ".")

        def imported(names: list[str], say: Callable[[str], None], name: str = name, code: CodeType = code) -> None:
            sys.meta_path.insert(0, Changed(name, code))
            files = list(dict.fromkeys(test.partition("::")[0] for test in names))

            def then(session: Any) -> None:
                items = {item.nodeid: item for item in session.items}
                missing = [test for test in names if test not in items]
                if missing:
                    say(f"{missing[0]} (no longer there)")
                else:
                    first_failing(tests, [items[test] for test in names], say)

            try:
                collected(game, files, then)
            except RuntimeError:
                say("the tests cannot be imported")

        tell(one_tried(mutant, tests, imported, allowance=20.0))


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from changed code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=self.code.co_filename)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(Path(self.code.co_filename).absolute())
        exec(self.code, module.__dict__)


def one_tried(
    mutant: Mutant, tests: Tests, work: Callable[[list[str], Callable[[str], None]], None], allowance: float = 3.0,
) -> Result:
    """Forks, lets the fork run the tests that reach the change, and waits for it as long as they may take."""
    names = tests.of(mutant)
    if not names:
        return Result(mutant, UNREACHED)
    limit = allowance + 2 * sum(tests.seconds[name] for name in names)
    began = time.monotonic()
    pipe, end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(pipe)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

        def say(failed: str) -> None:
            os.write(end, failed.encode())

        leaving(lambda: work(names, say))
    os.close(end)
    failed, status = awaited(child, pipe, 20 * limit)  # beside others, time passes faster than work is done
    seconds = time.monotonic() - began
    if failed is None:
        return Result(mutant, KILLED, "takes too long", seconds)
    if failed:
        tests.kills[mutant.file, failed] += 1
        return Result(mutant, KILLED, failed, seconds)
    if status:
        return Result(mutant, KILLED, "takes too long, or breaks down", seconds)
    return Result(mutant, SURVIVED, "", seconds)


def awaited(child: int, pipe: int, limit: float) -> tuple[str | None, int]:
    """What the child says until it ends, and its status; None if it takes longer than the limit, and is ended."""
    deadline = time.monotonic() + limit
    said = b""
    with os.fdopen(pipe, "rb", buffering=0) as told:
        while (left := deadline - time.monotonic()) > 0:
            if select.select([told], [], [], left)[0]:
                part = told.read(4096)
                if not part:
                    return said.decode(), os.waitpid(child, 0)[1]
                said += part
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, 1


if __name__ == "__main__":
    main()
