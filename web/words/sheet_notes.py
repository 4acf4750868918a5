"""Finds the notes of component sheets that a translator has to read: babel.cfg names this extractor.

A note says where a printed number was read. Most are a line number, which every language writes alike.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

IN_WORDS = re.compile(r"[a-z]{3,}")


def extract(
    file: BinaryIO, keywords: Mapping[str, Any], comments: Collection[str], options: Mapping[str, str]
) -> Iterator[tuple[int, str | None, str, list[str]]]:
    """Yields (line, function, note, comments) for each note in words, as Babel asks of an extractor."""
    text = file.read().decode()
    for note in sorted(set(_notes(tomllib.loads(text)))):
        if IN_WORDS.search(note):
            yield text[: text.index(note)].count("\n") + 1, None, note, []


def _notes(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(tree.get("where"), str):
            yield tree["where"]
        for part in tree.values():
            yield from _notes(part)
