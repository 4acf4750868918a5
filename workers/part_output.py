"""Output of the parts: each line with the name of its part, or as a JSON object."""

from __future__ import annotations

import json
import os
import selectors
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import BinaryIO

from daybook.workers.parts import ServicePart

LONGEST_LINE = 65536
SUPERVISOR = "daybook"


class PartOutput:
    """Passes on the lines of all parts."""

    def __init__(self, selector: selectors.BaseSelector, parts: Sequence[ServicePart], as_json: bool) -> None:
        self.is_closed = False  # the reader has gone
        self._selector = selector
        self._width = max(map(len, (SUPERVISOR, *(part.name for part in parts))))
        self._as_json = as_json
        self._log: BinaryIO = sys.stderr.buffer
        self._rests: dict[int, bytes] = {}  # by pipe: the start of a line that has not ended

    def say(self, lines: str, name: str = SUPERVISOR) -> None:
        for line in lines.splitlines():
            self._write(name, line.encode())

    def open_pipe(self, part: ServicePart) -> int:
        """Return the writing end of a pipe for what a process of this part prints."""
        reads, writes = os.pipe()
        self._selector.register(reads, selectors.EVENT_READ, partial(self._pass_on, reads, part))
        return writes

    def has_pipes(self) -> bool:
        return any(isinstance(key.fileobj, int) for key in self._selector.get_map().values())

    def _pass_on(self, pipe: int, part: ServicePart) -> None:
        """Print the whole lines that came through a pipe, without those that the part hides."""
        chunk = os.read(pipe, LONGEST_LINE)
        *lines, rest = (self._rests.pop(pipe, b"") + chunk).split(b"\n")
        if rest and (not chunk or len(rest) > LONGEST_LINE):
            lines, rest = [*lines, rest], b""
        for line in lines:
            if not any(text in line for text in part.hidden):
                self._write(part.name, line)
        if chunk:
            self._rests[pipe] = rest
        else:
            self._selector.unregister(pipe)
            os.close(pipe)

    def _write(self, name: str, line: bytes) -> None:
        try:
            self._log.write(self._format(name, line) + b"\n")
            self._log.flush()
        except BrokenPipeError:
            self._log = open(os.devnull, "wb")  # noqa: SIM115
            self.is_closed = True
        except OSError:  # such as a full disk: users still read, and record once there is room
            pass

    def _format(self, name: str, line: bytes) -> bytes:
        if not self._as_json:
            return f"{name:{self._width}} | ".encode() + line
        if line.startswith(b"{"):
            return line
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        return json.dumps(
            {"at": at, "part": name, "message": line.decode(errors="replace")}, ensure_ascii=False
        ).encode()
