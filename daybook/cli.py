"""The command line. Commands on a record file need no server and start fast; imports stand where they are needed.

Exit codes: 0 all is well, 1 something was found, 2 the command or its input cannot be used.
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
