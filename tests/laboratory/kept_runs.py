"""Store long runs of games in a file: a line with the parameters, then a line for each game."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class OtherRun(ValueError):
    """The file keeps games of another run: name another file, or ask for the same."""


def kept_games(kept: Path | None, asked: msgspec.Struct, kind: type[T]) -> list[T]:
    """The games of a run that are there. A last line that was cut off is left out. Raises OtherRun."""
    if kept is None or not kept.exists():
        return []
    first, *lines = kept.read_bytes().splitlines(keepends=True)
    if msgspec.json.decode(first) != msgspec.to_builtins(asked):
        raise OtherRun(f"{kept} keeps games of another run: {first.decode().strip()}")
    whole = [line for line in lines if line.endswith(b"\n")]
    if len(whole) < len(lines):
        kept.write_bytes(b"".join([first, *whole]))
    return [msgspec.json.decode(line, type=kind) for line in whole]


def keep(kept: Path | None, asked: msgspec.Struct, played: msgspec.Struct) -> None:
    """Add a game."""
    if kept is None:
        return
    lines = [asked, played] if not kept.exists() else [played]
    with kept.open("ab") as file:
        file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
