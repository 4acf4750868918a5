"""Run each drill for a short time, against real servers of its own.

    make drills                        all of them
    make drills ONLY="drill taps"      some of them

Each is a program of its own that takes more options: `python -m tests.bench.NAME --help`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time

PROGRAMS: dict[str, tuple[str, ...]] = {  # the arguments of each short run
    "drill": (
        "silent --seconds 8",
        "failover --times 1 --writers 2",
        "queue --times 1",
        "proxy --seconds 10",
        "upgrade",
    ),
    "attacks": ("--seconds 2 --rounds 1",),
    "kills": ("--times 3",),
    "alerts": ("",),
    "slow_clients": ("--connections 200 --streams 200 --minutes 0.3",),
    "many_games": ("--games 10000",),
    "taps": ("--game making_profit",),
    "request": ("",),
}
NEEDS = {"alerts": "prometheus"}  # a program of the machine
TESTS = "pytest -q --drills"  # the tests that are marked drill


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="drills", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=[*PROGRAMS, "tests"], default=[*PROGRAMS, "tests"])
    failed = [command for name in parser.parse_args().only for command in commands_of(name) if not run(name, command)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def commands_of(name: str) -> list[str]:
    if name == "tests":
        return [TESTS]
    return [f"tests.bench.{name} {arguments}".strip() for arguments in PROGRAMS[name]]


def run(name: str, command: str) -> bool:
    """Run a program to its end, and print how long it took. A program that the machine lacks is no failure."""
    if name in NEEDS and shutil.which(NEEDS[name]) is None:
        print(f"== {command}: left out, since {NEEDS[name]} is not installed", flush=True)
        return True
    print(f"== {command}", flush=True)
    begun = time.monotonic()
    status = subprocess.run([sys.executable, "-m", *command.split()]).returncode
    print(f"== {command}: {'done' if status == 0 else f'ended with {status}'} in {time.monotonic() - begun:.0f} s\n")
    return status == 0


if __name__ == "__main__":
    main()
