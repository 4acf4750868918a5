"""Find the texts of component sheets for Babel; babel.cfg names this extractor.

They are the notes on where a number was read, and the keys of the paths, which label the numbers. A note or a key
without a word, as a line number or a level, is the same in every language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO

from daybook.web.words.sheets import LABEL_CONTEXT, key_in_words

IN_WORDS = re.compile(r"[a-z]{3,}")
Found = tuple[int, str | None, str | tuple[str, str], list[str]]


def extract(
    file: BinaryIO, keywords: Mapping[str, Any], comments: Collection[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Yield (line, function, texts, comments) for each text, as Babel expects of an extractor."""
    text = file.read().decode()
    tree = tomllib.loads(text)
    tree.pop("additions", None)
    for note in sorted({*_notes(tree)}):
        if IN_WORDS.search(note):
            yield text[: text.index(note)].count("\n") + 1, None, note, []
    for key in sorted({*_keys(tree)}):
        if IN_WORDS.search(key):
            yield text[: text.index(key)].count("\n") + 1, "pgettext", (LABEL_CONTEXT, key_in_words(key)), []


def _notes(tree: dict[str, Any]) -> Iterator[str]:
    """Yield the sources of all numbers of a sheet."""
    for part in tree.values():
        if "where" in part:
            yield part["where"]
        else:
            yield from _notes(part)


def _keys(tree: dict[str, Any]) -> Iterator[str]:
    """Yield the keys of all tables and numbers of a sheet."""
    for key, part in tree.items():
        yield key
        if "tag" not in part:
            yield from _keys(part)
