"""Filmstrips: a step that is drawn separately shows the same as one that is drawn after all steps before it."""

from __future__ import annotations

import pytest
from flask import Flask

from daybook.domain.games import RULESETS
from daybook.services.permissions import visits
from daybook.services.permissions.sights import EVERYTHING
from daybook.web.boards.drawing import Scene
from daybook.web.replay.filmstrips import Filmstrip

pytestmark = pytest.mark.slow

STEPS = 30


@pytest.mark.parametrize("sight", [EVERYTHING, 0, None], ids=["everything", "seat", "spectator"])
@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_single_step_drawing_equals_whole_filmstrip(app: Flask, open_game, ruleset_id, sight):
    opened = open_game(ruleset_id=ruleset_id, names=("Anna", "Ben", "Cleo"), public=True)
    opened.play(STEPS)
    with app.test_request_context("/"):
        visit, _ = visits.visit_of(app.extensions["daybook"], opened.id)
        game = visit.game
        whole, single = (
            Filmstrip(Scene(ruleset_id, game.table, visit.names, sight, "en"), game, "/games/1", {}) for _ in range(2)
        )
        whole.extend(game)
        single.extend(game)
        rows = whole.rows("", range(game.step + 1))
        drawn = [(whole.draw_step(step), whole.board_at(step), whole.strip_at(step)) for step in range(game.step + 1)]
        for step in [*range(game.step, -1, -7), 0, game.step // 2]:
            parts = [
                {part: (drawing.html, drawing.places) for part, drawing in at.parts.items()}
                for at in (single.draw_step(step), drawn[step][0])
            ]
            assert parts[0] == parts[1]
            assert single.draw_step(step).redrawn.keys() == drawn[step][0].redrawn.keys()
            assert (single.board_at(step), single.strip_at(step)) == drawn[step][1:]
            assert single.rows("", [step]) == rows[step : step + 1]
