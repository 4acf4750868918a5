"""The command line. Commands on a record file need no server. They start fast, because commands import on demand.

Exit codes: 0 no findings, 1 findings, 2 unusable command or input.
"""

from __future__ import annotations

from daybook import (
    browser_build,
    clubs,
    erasing,
    exchange,
    operation,
    people_commands,
    processes,
    record_files,
    recording,
    written_games,
)
from daybook.base import main

__all__ = ["main"]
COMMANDS = (  # each adds its own to `main`
    record_files,
    recording,
    exchange,
    written_games,
    operation,
    erasing,
    people_commands,
    clubs,
    processes,
    browser_build,
)
