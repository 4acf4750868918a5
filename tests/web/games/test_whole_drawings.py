"""Whole games, drawn step by step: what the drawing of every game keeps to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from daybook.domain.games import RULESETS
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.store.sheets import printed_sheet
from daybook.web.boards import DrawnPart, Picture, Scene, find_marks
from tests.web.drawings import (
    EXPERT,
    NAMES,
    SAMPLE,
    aloud,
    are_told_in_words,
    boards,
    is_registered_as_it_stands,
    opening_board,
    played_out,
)

pytestmark = pytest.mark.slow

HIDDEN, OPEN = {"hands": "hidden"}, {"hands": "open"}
GAMES: list[tuple[str, int, int, dict[str, Any], Sight]] = [  # ruleset, seed, seats, options, who sees it
    ("making_profit", 12, 3, OPEN, None),
    ("making_profit", 12, 3, HIDDEN, None),
    ("making_profit", 12, 3, HIDDEN, 1),
    ("london_markets", 3, 4, OPEN, None),
    ("london_markets", 4, 4, HIDDEN, EVERYTHING),
    ("london_markets", 8, 3, HIDDEN, 2),
    ("water_frame", 1, 4, {}, EVERYTHING),
    ("arkwright_card", 4, 1, {}, EVERYTHING),
    ("arkwright_card", 3, 2, {}, EVERYTHING),
    ("arkwright_card", 5, 4, EXPERT, EVERYTHING),
]


@pytest.mark.parametrize(("ruleset", "seed", "seats", "options", "sight"), GAMES)
def test_step_changes_the_parts_it_touches_and_marks_each(in_request, ruleset, seed, seats, options, sight):
    """Each part is registered, drawn of the page's shapes, styled by classes and read aloud."""
    rules = RULESETS[ruleset]
    game = played_out(rules, seed, rules.colours(printed_sheet(ruleset))[:seats], options)
    picture = Picture(Scene(ruleset, game.table, NAMES[:seats], sight, "en"))
    shown = picture.draw_all(opening_board(game, sight))
    shapes = re.findall(r' id="([^"]+)"', str(picture.frame(shown, {})))
    assert len(shapes) == len({*shapes})
    drawn: dict[str, DrawnPart] = {}
    for number, (step, document) in enumerate(boards(game, sight)):
        shown |= picture.redraw(document, step.changes)
        if number % SAMPLE:
            continue
        before, drawn = drawn, picture.draw_all(document)
        assert [part for part in drawn if shown[part].html != drawn[part].html] == [], step.step
        html = "".join(part.html for part in drawn.values())
        assert {*re.findall(r'href="#([^"]+)"', html)} <= {*shapes}
        assert "style=" not in html and "<script" not in html
        is_registered_as_it_stands(html, drawn)
        marks = find_marks(before, drawn)
        marked = "".join(picture.mark_changes(picture.parts[name], part, marks) for name, part in drawn.items())
        assert len(re.findall(r'class="[^"]* changed"', marked)) == len(marks), step.step
    drawn = picture.draw_all(document)
    for part in drawn.values():
        are_told_in_words(part.html)
    assert "The game is over" in aloud(drawn["course"].html)
