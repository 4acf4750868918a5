"""Struck steps count nowhere: not in charts, moments, the time of a game, nor when the replay plays by itself."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from daybook.domain.commands import Adjust, Correct, Note, Resolution, TakeBack
from daybook.domain.games import STATISTICS
from daybook.domain.kernel.game_statistics import facts
from daybook.domain.kernel.terms import TABLE
from daybook.services import written
from daybook.services.disputes import corrections
from daybook.web.replay.replay import filmstrip_of
from daybook.web.request.access import visit_game
from tests.services.disputes.test_corrections import other
from tests.web.conftest import Opened

WRITTEN = "%Y-%m-%dT%H:%M:%S.000Z"


def chart_values(game: Opened, column: str) -> list[list[int]]:
    with game.app.test_request_context("/"):
        visit = visit_game(game.id)
        with filmstrip_of(visit, visit.sight) as (_, filmstrip):
            return filmstrip.chart_values(column)


@pytest.fixture
def typo(open_game) -> Opened:
    """Money mistyped by a thousand, a note on it, and then taken back."""
    game = open_game(public=True)
    game.deal()
    game.decide(0, type="develop", card="R2")
    game.write(Adjust({"/players/0/money": 1000}, "typo", "table"))
    game.write(Note(game.step, "oh dear"))
    game.write(TakeBack(game.game.parents[game.step - 1], "mistyped"))
    game.decide(0, type="run")
    game.update_list()
    return game


def test_struck_steps_make_no_spike_in_charts(typo):
    values = chart_values(typo, "money")
    assert len(values) == typo.step + 1
    assert max(max(value) for value in values) < 1000
    assert values[-1] == typo.game.figures_at(typo.step)[0]["money"]


def test_table_and_file_of_figures_mark_struck_steps(typo):
    reader = typo.visitor("reader")
    assert 'class="struck" title="undone by step' in reader.get(f"{typo.path}/figures").html
    rows = list(csv.DictReader(io.StringIO(reader.client.get(f"{typo.path}/figures.csv").data.decode("utf-8-sig"))))
    undone = {row["step"]: row["undone_by"] for row in rows if row["undone_by"]}
    assert undone == {str(typo.step - 3): str(typo.step - 1)}


def longest_correction(game: Opened) -> tuple[dict[int, Resolution], corrections.Plan]:
    """The correction of one step after which most others are copied."""
    seats = [entry.step for entry in game.game.entries if getattr(entry.event, "seat", TABLE) != TABLE]
    plans = []
    for step in seats[:-4]:
        instead = {step: Resolution([other(game.book, game.id, step)])}
        plans.append((instead, corrections.compute_correction_plan(game.book, game.id, instead)))
    return max(plans, key=lambda pair: len(pair[1].carried))


def test_correction_keeps_the_time_of_the_game(book, open_game, monkeypatch):
    """A correction copies all later decisions within a moment: their time is that of the first record."""
    start, minutes = datetime(2026, 1, 1, tzinfo=UTC), count()
    monkeypatch.setattr(written, "now", lambda: (start + timedelta(minutes=next(minutes))).strftime(WRITTEN))
    game = open_game()
    game.play(40)
    instead, plan = longest_correction(game)
    at_once = start + timedelta(minutes=next(minutes))
    monkeypatch.setattr(written, "now", lambda: at_once.strftime(WRITTEN))
    game.write(Correct(instead, "another colour", plan.digest), at=40)
    decided = [game.game.entries[step].event for step in game.game.line()]
    decided = [event for event in decided if getattr(event, "seat", TABLE) != TABLE]
    assert len([event for event in decided if event.copied_from_step]) > 3
    game.play()
    spent = [fact.value for fact in facts(game.game, STATISTICS["making_profit"]) if fact.measure == "thinking"]
    assert sum(spent) == 60 * len(decided)


def test_playing_leaves_out_struck_steps(page, site, typo):
    struck = typo.step - 3
    typo.enter(page, site)
    page.goto(f"{site}{typo.path}?step={struck - 1}")
    page.evaluate(
        """() => { window.stepsShown = []; const replace = history.replaceState.bind(history);
        history.replaceState = (state, title, url) => { stepsShown.push(`${url}`); replace(state, title, url); }; }"""
    )
    page.locator("#play").click()
    page.wait_for_url(f"**step={typo.step}*")
    shown = page.evaluate("stepsShown.map((url) => Number(new URL(url).searchParams.get('step')))")
    assert struck not in shown and typo.step in shown
