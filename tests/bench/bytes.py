"""Where the bytes of records are, of practice games or of files: `python -m tests.bench.bytes [FILE ...]`.

For each field what it takes of a step on average, its name and a comma included; of changes and effects also by what
stands in them. Counts alone, the same on every machine.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from daybook.domain.games import RULESETS
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.bench.__main__ import STEPS, long_game

OPENING = "opening"
AROUND = "braces"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.bytes", description=__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS, help="length of the measured games")
    arguments.add_argument("files", nargs="*", type=Path, help="record files to look at instead")
    asked = arguments.parse_args()
    for file in asked.files:
        _show(file.stem, file.read_bytes().splitlines()[1:])
    if not asked.files:
        with tempfile.TemporaryDirectory() as folder:
            book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
            for ruleset, rules in RULESETS.items():
                _show(rules.title, [entry.line for entry in long_game(book, ruleset, asked.steps).entries])
            book.close()


def bytes_by_field(lines: Sequence[bytes]) -> Counter[str]:
    """The bytes of a record's lines: of the opening as one, of the other steps field by field."""
    found: Counter[str] = Counter({OPENING: len(lines[0])})
    for line in lines[1:]:
        fields = msgspec.json.decode(line)
        found.update({name: _member(name, value) for name, value in fields.items()})
        found[AROUND] += 1  # two braces, and one comma less than members
    return found


def _member(name: str, value: Any) -> int:
    return len(msgspec.json.encode(name)) + len(msgspec.json.encode(value)) + 2


def _parts(lines: Sequence[bytes]) -> dict[str, Counter[str]]:
    changes: Counter[str] = Counter()
    effects: Counter[str] = Counter()
    for line in lines[1:]:
        fields = msgspec.json.decode(line)
        for path, (before, after) in fields.get("changes", {}).items():
            changes.update(
                places=len(msgspec.json.encode(path)) + 1, before=len(msgspec.json.encode(before)) + 1,
                after=len(msgspec.json.encode(after)) + 1)
        for effect in fields.get("effects", []):
            effects.update({name: _member(name, value) for name, value in effect.items()})
    return {"changes": changes, "effects": effects}


def _show(title: str, lines: Sequence[bytes]) -> None:
    steps = len(lines)
    fields, parts = bytes_by_field(lines), _parts(lines)
    assert sum(fields.values()) == sum(map(len, lines)), "every byte is counted once"
    print(f"\n{title}: {steps} steps, {sum(map(len, lines)) / steps:,.1f} bytes a step")
    for name, count in fields.most_common():
        within = ", ".join(f"{part} {much / steps:.1f}" for part, much in parts.get(name, Counter()).most_common(8))
        print(f"  {name:<14}{count / steps:>8.1f}   {within}".rstrip())


if __name__ == "__main__":
    main()
