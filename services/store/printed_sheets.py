"""The component sheets each game comes with: files in the game's package, read once."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.sheet import Sheet, overridden, parse
from daybook.services.store.game_cache import UnknownRulesetError
from daybook.services.store.sheetfile import read_sheet_file


@lru_cache(maxsize=64)
def printed_sheet(ruleset_id: str) -> Sheet:
    """Return the sheet that Daybook comes with. Raises UnknownRulesetError, InvalidSheetError."""
    if ruleset_id not in PACKAGES:
        raise UnknownRulesetError(ruleset_id)
    text = files(PACKAGES[ruleset_id].package).joinpath("sheet.toml").read_text(encoding="utf-8")
    return parse(ruleset_id, text)


@lru_cache(maxsize=64)
def ready_sheets(ruleset_id: str) -> dict[str, tuple[str, Sheet]]:
    """Return the further sheets of a game's package (folder `sheets`) with their names, by hash."""
    printed = printed_sheet(ruleset_id)
    folder = files(PACKAGES[ruleset_id].package).joinpath("sheets")
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else ():
        read = read_sheet_file(printed, file.read_bytes())
        for wrong in read.wrong:
            raise wrong
        found.append((read.name, overridden(printed, read.overrides, read.name)))
    return {sheet.digest(): (name, sheet) for name, sheet in found}
