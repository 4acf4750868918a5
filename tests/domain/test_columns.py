"""Ledgers and charts are open to everybody, so no game's columns or marks may tell what a viewer may not see."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from domain.games import RULESETS
from domain.record import Written
from domain.ruleset import KEEPER
from services.practice import Dealer, Seated, play_out, practice_game
from services.printed import printed

STEPS = 160


def hands(ruleset: str) -> list[dict[str, Any]]:
    asked = "hands" in RULESETS[ruleset].options.__struct_fields__
    return [{"hands": way} for way in ("open", "hidden")] if asked else [{}]


@pytest.mark.parametrize(("ruleset", "options"), [(id, options) for id in RULESETS for options in hands(id)])
def test_columns_and_marks_say_the_same_on_every_viewers_board(ruleset: str, options: dict[str, Any]) -> None:
    rules, sheet = RULESETS[ruleset], printed(ruleset)
    colours = rules.colours(sheet)[: rules.seats[0]]
    seated = [Seated(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(colours)]
    viewers = [None, *range(len(colours)), *([KEEPER] if rules.seals else [])]
    game = practice_game(UUID(int=7), rules, sheet, seated, options, Written("", "practice", "0"))
    assert tuple(rules.figures(game.board)) == rules.columns
    for entry in play_out(game, Dealer(7), lambda step: Written("", "practice", str(step)), STEPS):
        if entry.topic != "decision_recorded":
            continue
        for viewer in viewers:
            seen = rules.masked(game.board, viewer)
            assert rules.figures(seen) == rules.figures(game.board), (entry.step, viewer)
            assert rules.marks(seen) == rules.marks(game.board), (entry.step, viewer)
