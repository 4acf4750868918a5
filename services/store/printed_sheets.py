"""The component sheet each game comes with: a file in the game's folder, read once."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from daybook.domain.kernel.sheet import Sheet, parse


@lru_cache(maxsize=64)
def printed(ruleset_id: str) -> Sheet:
    """The numbers as Daybook knows them. Raises ModuleNotFoundError for a game that is not installed, BadSheet."""
    text = files(f"daybook.domain.games.{ruleset_id}").joinpath("sheet.toml").read_text(encoding="utf-8")
    return parse(ruleset_id, text)
