"""Names of a definition on pages."""

from __future__ import annotations

from daybook.web.words.say import Texts, say

BUILT_IN_NAMES: Texts = {"Points": "Points", "Place": "Place", "Any game": "Any game"}  # of the bundled sheet


def translated_name(defined_name: str) -> str:
    """Return a name as defined, translated if built in."""
    return say(BUILT_IN_NAMES[defined_name]) if defined_name in BUILT_IN_NAMES else defined_name
