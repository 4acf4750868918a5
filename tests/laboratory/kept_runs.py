"""Store long runs of games in a file: a line with the parameters, then a line for each game."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class OtherRun(ValueError):
    """The file keeps games of another run: name another file, or ask for the same."""


def kept_games(folder: Path | None, parameters: msgspec.Struct, kind: type[T]) -> list[T]:
    """The games of a run that are there. A last line that was cut off is left out. Raises OtherRun."""
    if folder is None or not folder.exists():
        return []
    first, *lines = folder.read_bytes().splitlines(keepends=True)
    if msgspec.json.decode(first) != msgspec.to_builtins(parameters):
        raise OtherRun(f"{folder} keeps games of another run: {first.decode().strip()}")
    whole = [line for line in lines if line.endswith(b"\n")]
    if len(whole) < len(lines):
        folder.write_bytes(b"".join([first, *whole]))
    return [msgspec.json.decode(line, type=kind) for line in whole]


def keep(folder: Path | None, parameters: msgspec.Struct, played: msgspec.Struct) -> None:
    """Add a game."""
    if folder is None:
        return
    lines = [parameters, played] if not folder.exists() else [played]
    with folder.open("ab") as file:
        file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
