"""The words and the layout of every game's component sheet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask import g, has_app_context

from daybook.domain.kernel.events import PinnedSheet
from daybook.domain.kernel.sheet import NAME, Tag, key_of
from daybook.web.words import sheet_layout
from daybook.web.words.game_pages import pages_of
from daybook.web.words.say import N_, Texts, say, translations
from daybook.web.words.sheet_layout import Layout, SheetLines, SheetTable

TAGS: Mapping[Tag, str] = N_(
    {"text": "text", "example": "example", "public": "public", "assumed": "assumed", "box": "box"}
)

UNLISTED_SAYS: Texts = {  # why only who has its link finds a sheet
    "account": "Nobody was signed in, so no list has this sheet: keep the link of this page to open games with it.",
    "name": "It is called like a game of Daybook, so no list has this sheet: keep the link of this page.",
    "trial": "No list has this sheet: keep the link of this page to open games with it.",
}


def layout_of(ruleset_id: str) -> Layout:
    """How a game's sheet is laid out; where nobody has laid it out, its numbers stand one below the other."""
    return pages_of(ruleset_id).sheet


def number_label(ruleset_id: str, path: str, values: Mapping[str, Any] = {}) -> str:
    """A number of the component sheet, on one line. values: the sheet's, for the names of rows that were added."""
    part = _part_of(ruleset_id, path)
    return path if part is None else sheet_layout.number_label(part, path, values)


@lru_cache(maxsize=4096)
def _part_of(ruleset_id: str, path: str) -> SheetLines | SheetTable | None:
    return sheet_layout.part_of(layout_of(ruleset_id), path)


def call_by(sheet: PinnedSheet) -> None:
    """From here on in this request, things of the box are called as this sheet calls them."""
    g.sheet = sheet


def sheet_in_hand() -> str:
    """The hash of the sheet by which things are called; empty: of none."""
    sheet: PinnedSheet | None = g.get("sheet") if has_app_context() else None
    return sheet.hash if sheet else ""


def sheet_label(table: str, key: str, words: Mapping[str, str]) -> str:
    """What a thing of the box is called: by a group's name for it, in the game's words, or else as it is written.

    table: where it stands on the sheet.
    """
    sheet: PinnedSheet | None = g.get("sheet") if has_app_context() else None
    name = sheet.values.get(f"{table}.{key}.{NAME}") if sheet else None
    if name and (key_of(name) != key or key not in words):
        return str(name)
    return say(words[key]) if key in words else sheet_layout.plain(key)


def publisher_label(by: str) -> str:
    """Who published a sheet: a group by its own name; before they could name themselves, whose link it was."""
    if by.startswith("seat:"):
        return say("a player")
    return say("the scorekeeper") if by == "scorekeeper" else by


def source_word(tag: Tag) -> str:
    """Where a number was read, in one word."""
    return say(TAGS[tag])


def note_label(where: str) -> str:
    """Where a number was read. A group's own note stays as it was written."""
    return str(translations().ugettext(where)) if where else ""
