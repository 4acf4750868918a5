"""The component sheet each game comes with: a file in the game's package, read once."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.sheet import Sheet, parse
from daybook.services.store.games import UnknownRuleset


@lru_cache(maxsize=64)
def printed_sheet(ruleset_id: str) -> Sheet:
    """The numbers as Daybook knows them. Raises UnknownRuleset, BadSheet."""
    if ruleset_id not in PACKAGES:
        raise UnknownRuleset(ruleset_id)
    text = files(PACKAGES[ruleset_id].package).joinpath("sheet.toml").read_text(encoding="utf-8")
    return parse(ruleset_id, text)
