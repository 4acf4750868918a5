"""A cache of compiled templates on disk, next to the compiled modules of Python."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER = Path(__file__).resolve().parent.parent / "__pycache__" / "templates"


class TemplateCache(FileSystemBytecodeCache):
    """Share compiled templates between processes: to compile all takes longer than the first page.

    Without the right to write, each process compiles its own.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(str(folder), "%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.makedirs(self.directory, exist_ok=True)
                super().dump_bytecode(bucket)
