"""The games that are installed, by the name that stands in their records.

A package adds a game by an entry point of the group `daybook.games` that names a `GamePackage`; ours do so in
pyproject.toml. Nothing else names a game. What it brings to the pages is found apart, by the group `daybook.games.web`:
the rules know no page, and what runs without pages loads none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.game_package import GamePackage
from daybook.domain.kernel.game_statistics import Statistics
from daybook.domain.kernel.installed import load
from daybook.domain.kernel.ruleset import AnyRuleset

ID = re.compile(r"[a-z][a-z0-9_]{0,39}")  # it stands in addresses, and a class of style sheets is called by it
PREFIX = re.compile(r"[A-Z][A-Z0-9]{0,7}")


def objection_to(game_id: str, game: GamePackage, installed: Mapping[str, GamePackage]) -> str:
    """Return why a game cannot be added to the known ones, or ""."""
    rules = game.ruleset
    if rules.id != game_id:
        return f"its ruleset is called {rules.id!r}, and its entry point {game_id!r}"
    if not ID.fullmatch(game_id):
        return "an id has lower-case letters, digits and _, 40 at most, and begins with a letter"
    if not PREFIX.fullmatch(rules.prefix):
        return f"rule ids cannot begin with {rules.prefix!r}: capital letters and digits, 8 at most"
    same = next((other for other, package in installed.items() if package.ruleset.prefix == rules.prefix), "")
    return f"its rule ids begin with {rules.prefix}, as those of {same} do" if same else ""


_loaded, NOT_LOADED = load("daybook.games", GamePackage, objection_to)
PACKAGES: dict[str, GamePackage] = dict(sorted(_loaded.items(), key=lambda item: (item[1].place, item[0])))
RULESETS: dict[str, AnyRuleset] = {game_id: game.ruleset for game_id, game in PACKAGES.items()}


def rules_of(key: str) -> AnyRuleset | None:
    """Return the rules of a game by its key (`Ruleset.key_with`), or None if it is not installed."""
    rules = RULESETS.get(key)
    if rules is None and is_by_name(key):
        return next((rules for rules in RULESETS.values() if rules.title_of is not None), None)
    return rules


PRACTISED = {game_id: game.ruleset for game_id, game in PACKAGES.items() if game.practised}  # by practice players
STATISTICS: dict[str, Statistics] = {game_id: game.statistics for game_id, game in PACKAGES.items()}
