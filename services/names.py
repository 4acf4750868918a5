"""Titles and names of people, as anybody may type them."""

from __future__ import annotations

TITLE_LIMIT = 120
NAME_LIMIT = 60


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
