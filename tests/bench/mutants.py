"""Changes a game's rules, one small change at a time, and tells which change no test of the game notices.

    python -m tests.bench.mutants GAME [--module rules] [--sample N --seed S] [--jobs 1] [--longest 0.1] [--json]

A copy of the tree is made, so that neither is the checkout touched nor does its editing disturb a run. Every test is
run once to learn which lines it reaches and how long it takes. Then for each change a process is forked that has
everything imported already, gets the changed function or table, and runs the tests that reach the line, quickest first,
up to the first that fails. A changed table or constant that no test notices there is imported anew, and all is run
again. What no test notices is printed with its place. Changes that alter nothing a table could see stand with their
reason in `mutants_explained.toml`.

Results are kept in a file (--results), line by line: an interrupted run goes on, a killed change stays killed as long
as its module is the same, and a survivor is tried again when tests have changed, or when longer ones are allowed: first
`--longest 0.08` and then `--longest 1` is the quick way to a thorough run.
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
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.bench.grafts import graft
from tests.bench.mutations import Module, Mutant, changed_codes, changed_function
from tests.bench.reach import (
    RULES,
    TREES,
    asked_of_child,
    collect_tests,
    fails,
    foreign_modules,
    leaving,
    measure_tests,
)

ROOT = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("mutants_explained.toml")
COPIED = ("domain", "services", "workers", "fixtures", "tests", "pyproject.toml")
DATA = ("__init__.py", "moves.py", "solo_moves.py")  # what a game's decisions and effects look like: no rules
MEMORY = 3 * 1024**3  # bytes of address space a change may ask for, lest an endless loop fills the machine
RULE = re.compile(r"[A-Z]{2,3}-\d+(?:\.\d+)*")  # a rule's id, as tables of checks and of examples name it
PATIENCE = 1.0  # seconds of processor time that any test may take
GAMES = ("making_profit", "london_markets", "water_frame", "arkwright_card")

KILLED, SURVIVED, EXPLAINED_AWAY, UNREACHED = "killed", "survived", "explained", "not reached"


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
        shutil.copytree(ROOT / "daybook", Path(folder, "daybook"), symlinks=True)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("web", "browser"))
            else:
                shutil.copy2(ROOT / name, folder)
        shutil.copytree(ROOT / "web", Path(folder, "web"), ignore=shutil.ignore_patterns("static", "templates"))
        command = [sys.executable, "-m", "tests.bench.mutants", *sys.argv[1:], "--copied", "--results"]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONHASHSEED": "0"}
        sys.exit(run_watched([*command, str(results.absolute())], folder, environment))


def run_watched(command: list[str], folder: str, environment: dict[str, str]) -> int:
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
    ledger = Ledger(asked.results, asked.game, modules, asked.longest)
    found = {mutant: Result(mutant, EXPLAINED_AWAY, explained[mutant]) for mutant in mutants if mutant in explained}
    found |= {mutant: result for mutant in mutants if mutant not in found and (result := ledger.known_result(mutant))}
    left = [mutant for mutant in mutants if mutant not in found]
    progress(f"{len(mutants)} changes, {len(left)} of them to be tried")
    if left:
        began = time.monotonic()
        for done, result in enumerate(try_all(asked, modules, left), 1):
            found[result.mutant] = result
            ledger.write(result)
            if result.outcome in (SURVIVED, UNREACHED) or done % 50 == 0:
                seconds = time.monotonic() - began
                progress(f"{done}/{len(left)} in {seconds:.0f} s: {line_of(result)}")
    print_results(asked, [found[mutant] for mutant in mutants], stale)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def place(mutant: Mutant) -> tuple[str, int, str, int]:
    return mutant.file, mutant.line, mutant.change, mutant.nth


def modules_of(game: str, only: str | None) -> Iterator[Module]:
    wanted = {f"{name}.py" for name in only.split(",")} if only else None
    for file in sorted(Path(RULES, game).glob("*.py")):
        if file.name in wanted if wanted else file.name not in DATA:
            yield Module(str(file), file.read_text("utf-8"))


def explanations(game: str, modules: dict[str, Module]) -> tuple[dict[Mutant, str], list[str]]:
    """The changes that are known to alter nothing, each with its reason; and what the list names in vain, or twice."""
    explained: dict[Mutant, str] = {}
    stale = []
    for entry in tomllib.loads(EXPLAINED.read_text("utf-8"))["explained"]:
        module = modules.get(f"{RULES}/{entry['file']}")
        if module is None:
            continue
        named = [mutant for mutant in module.changes if names(entry, mutant)]
        if "which" in entry:
            named = named[entry["which"] :][:1]
        if len(named) == 1:
            explained[named[0]] = entry["reason"]
        else:
            stale.append(f"{entry['file']}: {entry['text']} ({entry['change']}) names {len(named)} changes")
    return explained, stale


def names(entry: dict[str, Any], mutant: Mutant) -> bool:
    return (mutant.text, mutant.change, mutant.nth) == (
        entry["text"],
        entry["change"],
        entry.get("nth", 0),
    ) and entry.get("function", mutant.function) == mutant.function


class Ledger:
    """Results on disk, one JSON document a line. A killed change counts while its module is the same, a survivor only
    while the tests are as well, and no longer ones are run."""

    def __init__(self, file: Path, game: str, modules: dict[str, Module], longest: float) -> None:
        self.file, self.longest = file, longest
        self.tests = digest(sorted(Path("tests/domain/games", game).glob("*.*")))
        self.modules = {name: digest([Path(name)]) for name in modules}
        self.lines: dict[tuple[str, str, int, str, int], dict[str, Any]] = {}
        if file.exists():
            for text in file.read_text("utf-8").splitlines():
                line = json.loads(text)
                self.lines[line["module"], line["file"], line["line"], line["change"], line["nth"]] = line

    def known_result(self, mutant: Mutant) -> Result | None:
        line = self.lines.get((self.modules[mutant.file], *place(mutant)))
        if line is None:
            return None
        if line["outcome"] != KILLED and (line["tests"] != self.tests or line.get("longest", 0.0) < self.longest):
            return None
        return Result(mutant, line["outcome"], line["by"], line["seconds"])

    def write(self, result: Result) -> None:
        mutant = result.mutant
        line = {
            "module": self.modules[mutant.file],
            "tests": self.tests,
            "longest": self.longest,
            "file": mutant.file,
            "line": mutant.line,
            "change": mutant.change,
            "nth": mutant.nth,
            "text": mutant.text,
            "outcome": result.outcome,
            "by": result.by,
            "seconds": round(result.seconds, 3),
        }
        with self.file.open("a", encoding="utf-8") as ledger:
            ledger.write(json.dumps(line) + "\n")


def digest(files: Sequence[Path]) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def line_of(result: Result) -> str:
    return f"{result.outcome}  {result.mutant.name}  | {result.mutant.text}  {result.by}".rstrip()


def print_results(asked: argparse.Namespace, results: list[Result], stale: list[str]) -> None:
    counted = Counter(result.outcome for result in results)
    survivors = [result for result in results if result.outcome in (SURVIVED, UNREACHED)]
    if asked.json:
        print(
            json.dumps(
                {
                    "game": asked.game,
                    "changes": len(results),
                    **counted,
                    "stale_explanations": stale,
                    "survivors": [
                        {
                            "file": r.mutant.file,
                            "line": r.mutant.line,
                            "text": r.mutant.text,
                            "change": r.mutant.change,
                            "outcome": r.outcome,
                        }
                        for r in survivors
                    ],
                },
                indent=2,
            )
        )
        return
    for result in survivors:
        print(line_of(result))
    for line in stale:
        print(f"explained, but not one change: {line}")
    print(
        f"{asked.game}: {len(results)} changes, "
        + ", ".join(f"{counted[kind]} {kind}" for kind in (KILLED, EXPLAINED_AWAY, SURVIVED, UNREACHED))
    )


# --- trying changes, in processes that have everything imported ---


def try_all(asked: argparse.Namespace, modules: dict[str, Module], mutants: list[Mutant]) -> Iterator[Result]:
    """The results of some changes as they come in: first those that need no import, then those that do."""
    outside = asked_of_child(lambda tell: collect_tests(asked.game, [], lambda session: tell(foreign_modules())))
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
    again: list[Mutant] = []
    for result in hand_out(
        asked.jobs,
        mutants,
        lambda part, tell: collect_tests(asked.game, [], lambda session: patching(session, modules, tests, part, tell)),
    ):
        if result.outcome != KILLED and tests.imports(result.mutant):
            again.append(result.mutant)
        else:
            yield result
    yield from hand_out(asked.jobs, again, lambda part, tell: importing(asked.game, modules, tests, part, tell))


def reach_of_tests(asked: argparse.Namespace) -> dict[str, Any]:
    """What `measured` tells, kept beside the results until the game or its tests change."""
    key = digest(sorted([*Path("domain").rglob("*.py"), *Path("tests/domain/games", asked.game).glob("*.*")]))
    kept: Path = asked.results.with_suffix(f".{key}-{asked.longest:g}.json")
    if not kept.exists():
        learned = asked_of_child(
            lambda tell: collect_tests(
                asked.game, [], lambda session: tell(measure_tests(session, asked.game, asked.longest))
            )
        )
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
        if self.imports(mutant):
            reaching |= self.seconds.keys()
        rules = () if mutant.function else tuple(RULE.findall(f"{mutant.change} {mutant.text}"))
        return sorted(reaching & self.seconds.keys(), key=lambda name: self.order(mutant, name, rules))

    def order(self, mutant: Mutant, name: str, rules: tuple[str, ...]) -> tuple[bool, bool, float]:
        """First tests named by a rule of the line, then those that killed in this module before, then quick ones."""
        named = any(is_named_by(name, rule) for rule in rules)
        kills = self.kills[mutant.file, name]
        return not named, kills == 0, self.seconds[name] / (1 + kills)

    def imports(self, mutant: Mutant) -> bool:
        """Whether the line also runs while modules and tests are imported, so that what it makes may stand already."""
        lines = range(mutant.first, mutant.last + 1)
        return not mutant.function or any((mutant.file, line) in self.imported for line in lines)


def is_named_by(test: str, rule: str) -> bool:
    """Whether a test has a rule in its name or among its parameters: test_mp_4_7_3_..., test_refused[MP-4.7.3-...]."""
    words = rule.lower().replace("-", "_").replace(".", "_")
    return re.search(rf"_{words}(?!_?\d)|{re.escape(rule)}(?!\.?\d)", test) is not None


def hand_out(
    jobs: int, mutants: list[Mutant], work: Callable[[list[Mutant], Callable[[Any], None]], None]
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


# --- one change in a forked process ---


def patching(
    session: Any, modules: dict[str, Module], tests: Tests, mutants: list[Mutant], tell: Callable[[Result], None]
) -> None:
    """Tries changes without an import: the process has imported everything, and its fork gets what is changed."""
    items = {item.nodeid: item for item in session.items}
    living: dict[CodeType, list[FunctionType]] = defaultdict(list)
    here = str(Path.cwd()) + os.sep
    files = set(modules)
    gc.collect()
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename.removeprefix(here) in files:
            living[function.__code__.replace(co_filename=function.__code__.co_filename.removeprefix(here))].append(
                function
            )
    gc.freeze()
    for mutant in mutants:
        module = modules[mutant.file]
        code = module.code_of(mutant)
        change = changed_function(module.code, code)
        if not mutant.function:

            def run_grafted(
                names: list[str], say: Callable[[str], None], name: str = name_of(mutant.file), code: CodeType = code
            ) -> None:
                if graft(name, code, TREES):
                    first_failing(tests, [items[test] for test in names], say)

            tell(one_tried(mutant, tests, run_grafted))
            continue
        if change is None:
            tell(Result(mutant, EXPLAINED_AWAY, "compiles to the same code"))
            continue

        def swap(change: tuple[CodeType, CodeType] = change) -> None:
            found = [(function, new) for old, new in changed_codes(*change) for function in living[old]]
            if not found:
                raise LookupError(f"no function of {change[0].co_qualname} is found")
            for function, new in found:
                function.__code__ = new

        def run_swapped(names: list[str], say: Callable[[str], None], swap: Callable[[], None] = swap) -> None:
            swap()
            first_failing(tests, [items[name] for name in names], say)

        tell(one_tried(mutant, tests, run_swapped))


def first_failing(tests: Tests, items: Sequence[Any], say: Callable[[str], None]) -> bool:
    """Says which test fails first, if one does. One that takes far too long ends the process: a failure too."""
    for item in items:
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE + 5 * tests.seconds[item.nodeid])
        if fails(item):
            say(item.nodeid)
            return True
    return False


def name_of(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def importing(
    game: str, modules: dict[str, Module], tests: Tests, mutants: list[Mutant], tell: Callable[[Result], None]
) -> None:
    """Tries changes of tables, constants and defaults: a fork that has not imported the game imports it changed."""
    for mutant in mutants:
        code = modules[mutant.file].code_of(mutant)

        def run_imported(
            names: list[str], say: Callable[[str], None], name: str = name_of(mutant.file), code: CodeType = code
        ) -> None:
            sys.meta_path.insert(0, Changed(name, code))
            files = list(dict.fromkeys(test.partition("::")[0] for test in names))
            for part in (files[:1], files[1:]):  # the likeliest file alone: the others take longer to collect
                wanted = [test for test in names if test.partition("::")[0] in part]
                if wanted and found_failing(game, part, wanted, tests, say):
                    return

        tell(one_tried(mutant, tests, run_imported, allowance=20.0))


def found_failing(game: str, files: list[str], names: list[str], tests: Tests, say: Callable[[str], None]) -> bool:
    """Collects some files anew and runs these tests of theirs; whether one failed, or is no longer there."""
    failed = False

    def then(session: Any) -> None:
        nonlocal failed
        items = {item.nodeid: item for item in session.items}
        missing = [test for test in names if test not in items]
        if missing:
            say(f"{missing[0]} (no longer there)")
            failed = True
        else:
            failed = first_failing(tests, [items[test] for test in names], say)

    try:
        collect_tests(game, files, then)
    except RuntimeError:
        say("the tests cannot be imported")
        return True
    return failed


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
    mutant: Mutant, tests: Tests, work: Callable[[list[str], Callable[[str], None]], None], allowance: float = 3.0
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
    failed, status = await_child(child, pipe, 20 * limit)  # beside others, time passes faster than work is done
    seconds = time.monotonic() - began
    if failed is None:
        return Result(mutant, KILLED, "takes too long", seconds)
    if failed:
        tests.kills[mutant.file, failed] += 1
        return Result(mutant, KILLED, failed, seconds)
    if status:
        return Result(mutant, KILLED, "takes too long, or breaks down", seconds)
    return Result(mutant, SURVIVED, "", seconds)


def await_child(child: int, pipe: int, limit: float) -> tuple[str | None, int]:
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
