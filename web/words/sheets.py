"""The words of component sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import g, has_app_context

from daybook.domain.kernel.events import PinnedSheet
from daybook.domain.kernel.sheet import NAME, Tag, key_of
from daybook.web.words.game_pages import pages_of
from daybook.web.words.say import N_, Texts, say, translations

TAGS: Mapping[Tag, str] = N_(
    {"text": "text", "example": "example", "public": "public", "assumed": "assumed", "box": "box"}
)

LABEL_CONTEXT = "number"  # gettext context of path keys, because their words have other meanings elsewhere

UNLISTED_SAYS: Texts = {  # why a sheet can only be found by its link
    "account": "You were not signed in, so this sheet is in no list: keep the link of this page to open games with it.",
    "name": "It has the name of a game in Daybook, so this sheet is in no list: keep the link of this page.",
    "trial": "This sheet is in no list: keep the link of this page to open games with it.",
}


def number_label(ruleset_id: str, path: str, values: Mapping[str, Any] = {}) -> str:
    """Return the name of a printed number, made from its path: "Tiles, patent, copies" for "tiles.patent.copies".

    Args:
        values: what a group's sheet changes; a row that it names is called by that name.
    """
    if label := pages_of(ruleset_id).labels.get(path):
        return say(label)
    keys = path.split(".")
    text = ", ".join(_row_name(keys[:depth], values) for depth in range(1, len(keys) + 1))
    return text[:1].upper() + text[1:]


def _row_name(keys: list[str], values: Mapping[str, Any]) -> str:
    """Return the name of the row at a path: the group's, or its last key in words."""
    name = values.get(".".join((*keys, NAME))) if len(keys) > 1 else None
    if isinstance(name, str) and name:
        return name
    return str(translations().upgettext(LABEL_CONTEXT, key_in_words(keys[-1])))


def key_in_words(key: str) -> str:
    return key.replace("_", " ")


def key_title(key: str) -> str:
    """Return a key as the name of a thing: "Corn riots" for "corn_riots"."""
    text = key_in_words(key)
    return text[:1].upper() + text[1:]


def use_sheet_names(sheet: PinnedSheet) -> None:
    """Use a sheet's names for things of the box during this request."""
    g.sheet = sheet


def current_sheet_hash() -> str:
    """Return the hash of the sheet with the names for this request; "" for none."""
    sheet: PinnedSheet | None = g.get("sheet") if has_app_context() else None
    return sheet.hash if sheet else ""


def sheet_label(table: str, key: str, words: Mapping[str, str]) -> str:
    """Return the name of a thing of the box: the sheet's, the game's, or its key.

    Args:
        table: its table on the sheet.
    """
    sheet: PinnedSheet | None = g.get("sheet") if has_app_context() else None
    name = sheet.values.get(f"{table}.{key}.{NAME}") if sheet else None
    if name and (key_of(name) != key or key not in words):
        return str(name)
    return say(words[key]) if key in words else key_title(key)


def publisher_label(by: str) -> str:
    """Return the publisher of a sheet."""
    if by.startswith("seat:"):
        return say("a player")
    return say("the scorekeeper") if by == "scorekeeper" else by


def source_word(tag: Tag) -> str:
    """Return a word for the source of a number."""
    return say(TAGS[tag])


def note_label(where: str) -> str:
    """Return a note on the source of a number; custom notes stay as written."""
    return str(translations().ugettext(where)) if where else ""
