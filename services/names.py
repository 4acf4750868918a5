"""Titles and names of people, as anybody may type them."""

from __future__ import annotations

import re
from typing import NamedTuple

TITLE_LIMIT = 120
NAME_LIMIT = 60
LIST_SIGN = re.compile(r"^([-*•]|[0-9]{1,4}[.)])\s+")  # before a name in a list


class BadName(ValueError):
    """A title or a name that is empty, too long or not text: give another. `field` says which."""

    def __init__(self, field: str, says: str) -> None:
        super().__init__(f"{field}: {says}")
        self.field = field
        self.says = says


def checked_name(field: str, text: str, limit: int) -> str:
    """A title or name fit to show: not empty, not too long, without control characters. Raises BadName."""
    text = " ".join(text.split())
    if not text:
        raise BadName(field, "it is empty")
    if len(text) > limit:
        raise BadName(field, f"{len(text)} characters; at most {limit}")
    if not text.isprintable():
        raise BadName(field, "it holds characters that cannot be shown")
    return text


class NamesRead(NamedTuple):
    """Names out of a pasted list. names: each once, in order; repeated: those that stood there again; blank: how many
    lines said nothing; bad: lines that hold no name, by number, with what is wrong."""

    names: list[str]
    repeated: list[str]
    blank: int
    bad: list[tuple[int, str, BadName]]


def read_names(text: str) -> NamesRead:
    """One name a line, as a list is pasted: of a table its first column, without the sign of a list before it."""
    read = NamesRead([], [], 0, [])
    known: set[str] = set()
    blank = 0
    for number, line in enumerate(text.splitlines(), 1):
        written = LIST_SIGN.sub("", line.split("\t")[0].strip()).strip(" ,;")
        if not written:
            blank += 1
            continue
        try:
            name = checked_name("name", written, NAME_LIMIT)
        except BadName as wrong:
            read.bad.append((number, written, wrong))
            continue
        (read.repeated if name.casefold() in known else read.names).append(name)
        known.add(name.casefold())
    return read._replace(blank=blank)
