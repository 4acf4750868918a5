"""Every figure of the Arkwright games: the rows of its history add up to it, and each has its cause."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from flask import Flask

from daybook.domain.kernel.record import Game
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.store.daybook import Daybook
from daybook.web.boards import Scene, table_privacy
from daybook.web.boards.pen import BRIEF
from daybook.web.replay.figure_changes import terms_by_step
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.words.figure_terms import changes_of_figure
from tests.played import open_seats, play
from tests.services.fixture_files import put_golden
from tests.web.drawings import EXPERT

RECORDED = [
    "four-mills",
    "three-on-the-clyde",
    "two-on-credit",
    "all-expert-rules",
    "alone-and-ahead",
    "bankrupt",
    "emergency-fund",
    "two-and-a-neutral",
]
DRAWN_EVERY = 3  # steps of a game whose figures are drawn
UNEXPLAINED = "has a change without a cause"


def filmstrip_of_game(game: Game, names: tuple[str, ...]) -> Filmstrip:
    scene = Scene(game.ruleset.id, game.table, names, EVERYTHING, "en", table_privacy.NOTHING)
    filmstrip = Filmstrip(scene, game, "/", {})
    filmstrip.extend(game)
    return filmstrip


WHY = re.compile(r'data-why="([^"]*)"')


def shown_figures(filmstrip: Filmstrip) -> dict[str, dict[int, str]]:
    """Return every figure that drawings show, with what it shows by step."""
    found: dict[str, dict[int, str]] = {}
    for step in range(0, filmstrip.newest + 1, DRAWN_EVERY):
        for part in filmstrip.draw_step(step).parts.values():
            for at, place in part.places.items():
                if place.kind == "figure":
                    found.setdefault(at.removeprefix(BRIEF), {})[step] = place.holds
            for at in WHY.findall(part.html):
                found.setdefault(at, {})
    return found


def faults_of(game: Game, filmstrip: Filmstrip) -> list[str]:
    """Return what is wrong with the figures of a game."""
    faults, line = [], [*game.line()]
    figures = shown_figures(filmstrip)
    for column in filmstrip.columns:
        for seat in range(len(game.opening.seats)):
            shown = {step.step: str(step.columns[column][seat]) for step in filmstrip.steps}
            figures[f"/columns/{column}/{seat}"] = shown
    for path, shown in figures.items():
        try:
            by_step = dict(terms_by_step(game, filmstrip, path, game.step))
        except LookupError:
            faults.append(f"{path} is not explained")
            continue
        for step, text in shown.items():
            if step in by_step:
                terms = by_step[step]
                if terms is None or str(terms.total) != text:
                    faults.append(f"{path} at {step} shows {text}, explained as {terms and terms.total}")
                    break
        for before, step in pairwise(line):
            was, now = by_step[before], by_step[step]
            if was is now:
                continue
            shown_step = filmstrip.steps[step]
            effects = game.ruleset.typed_effects(shown_step.effects)
            changes = changes_of_figure(was, now, effects)
            is_same = was is not None and now is not None and was.owner == now.owner
            total = (now.total if now else 0) - (was.total if was and is_same else 0)
            if now is not None and sum(change.by for change in changes) != total:
                faults.append(f"{path} at {step}: {changes} do not add up to {total}")
            if now is not None and shown_step.type == "decision_recorded":
                faults += [
                    f"{path} at {step} {UNEXPLAINED}: {change}, {[type(e).__name__ for e in effects]}"
                    for change in changes
                    if not change.effects
                ]
    return faults


def check_game(app: Flask, game: Game) -> None:
    names = tuple(f"P{seat}" for seat in range(len(game.opening.seats)))
    with app.test_request_context("/"):
        faults = faults_of(game, filmstrip_of_game(game, names))
    assert not faults, "\n".join([str(len(faults)), *faults[:: len(faults) // 40 + 1]])


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDED)
def test_rows_of_every_figure_add_up_and_have_causes(book: Daybook, app: Flask, name):
    check_game(app, book.games.get(put_golden(book, name)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "seats", "options", "seed"),
    [
        ("water_frame", 2, {}, 11),
        ("water_frame", 4, {"events": "shuffled", "mat": "patrons"}, 12),
        ("arkwright_card", 2, {}, 13),
        ("arkwright_card", 4, EXPERT, 14),
        ("arkwright_card", 3, {"patron_needs_sale": True, "extra_decay": True, "top_point_optional": True}, 15),
        ("arkwright_card", 1, EXPERT, 16),
        ("arkwright_card", 1, {"solo_idle_share": True}, 17),
    ],
)
def test_rows_of_random_games_add_up_and_have_causes(book: Daybook, app: Flask, ruleset, seats, options, seed):
    game_id = open_seats(book, ["Anna", "Ben", "Cleo", "Dora"][:seats], ruleset_id=ruleset, options=options)
    play(book, game_id, seed=seed)
    check_game(app, book.games.get(game_id))
