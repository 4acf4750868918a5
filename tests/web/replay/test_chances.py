"""Win chances beside the score: the band, the costliest moves, tables, and the switch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from uuid import UUID

import msgspec
import pytest
from flask import Flask
from playwright.sync_api import expect

from daybook.domain.commands import Reopen
from daybook.services.analysis import calibration, win_chances
from daybook.services.analysis.calibration import BrierAdvantage, Calibration, Tenth
from daybook.services.analysis.win_chances import AnalysedMove, AnalysedPosition
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin
from daybook.web.replay.chances import find_swings
from tests.axe import examine_page, faults
from tests.browsing import open_replay
from tests.played import open_seats, play
from tests.services.analysis.quick import little_effort, make_all, name_a_move
from tests.web.conftest import NAMES, Opened, open_table


@pytest.fixture(scope="module")
def analysed_data(built_app: Flask, empty_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, UUID]:
    """Return a data folder, for copies, with a public, finished, analysed game; one of its moves has a better
    alternative."""
    book = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path_factory.mktemp("analysed") / "data"))))
    game = open_table(book, built_app, public=True)
    game.play(3_000)
    game.update_list()
    with pytest.MonkeyPatch.context() as patch:
        little_effort(patch)
        make_all(book, game.id)
        name_a_move(book, game.id)
    book.close()
    return book.settings.data, game.id


@pytest.fixture
def book(tmp_path: Path, analysed_data: tuple[Path, UUID]) -> Iterator[Daybook]:
    opened = open_daybook(
        Settings(data=Path(copytree(analysed_data[0], tmp_path / "data")), win_chances_seconds_per_day=3600)
    )
    yield opened
    opened.close()


@pytest.fixture
def analysed_game(
    book: Daybook, app: Flask, analysed_data: tuple[Path, UUID], monkeypatch: pytest.MonkeyPatch
) -> Opened:
    little_effort(monkeypatch)
    return Opened(book, app, analysed_data[1])


def told_moves(game: Opened) -> list[AnalysedMove]:
    return [move for move in win_chances.analysis_of(game.book, game.game).moves if move.weighed.is_significant]


def test_the_band_stacks_every_seat_and_names_what_cost_most(analysed_game, visitor):
    band = visitor.get(f"{analysed_game.path}/chances/band")
    areas = re.findall(r'class="area s c-\w+ s-(\d)" d="M0 ([^L]*)L', band.html)
    assert [int(seat) for seat, _ in areas] == [0, 1, 2]
    tops = [float(top) for _, top in areas]
    assert tops == sorted(tops, reverse=True) and tops[-1] == pytest.approx(0, abs=0.1)  # together 100 %
    assert len(re.findall('class="ribbon', band.html)) == 3
    assert "An estimate: steady practice players" in band.text
    assert re.search(r"Step \d+, \w+: .* instead: \+14 percentage points, likely 7 to 21", band.text)
    assert re.search(r"How likely was each player to win, and when\? Anna \d+ %, Ben \d+ %, Cleo \d+ %", band.html)


def test_a_swing_names_whose_chances_changed_and_by_how_much(analysed_game, visitor):
    analysis = win_chances.analysis_of(analysed_game.book, analysed_game.game)
    found = find_swings(analysis.positions, {move.step for move in told_moves(analysed_game)})
    text = visitor.get(f"{analysed_game.path}/chances/band").text
    assert found
    for swing in found:
        gains = [f"{name} {gain:+d}".replace("-", "−") for name, gain in zip(NAMES, swing.gains, strict=True) if gain]
        assert re.search(rf"[Ss]teps? [\d to]*{swing.step}: ?{re.escape(', '.join(gains))}", text), (swing, text)


def test_a_game_that_is_opened_again_tells_nothing_any_more(analysed_game, visitor):
    analysed_game.write(Reopen("one turn more"))
    assert analysed_game.game.is_at_table
    for somebody in (visitor, analysed_game.visitor()):
        assert somebody.get(f"{analysed_game.path}/chances/band").status == 204
        page = somebody.get(f"{analysed_game.path}/chances")
        assert "while a game is being played" in page.text and "Every position" not in page.text
        assert somebody.post(f"{analysed_game.path}/chances/better", step="20").status in (403, 404)


def test_a_better_move_is_opened_as_a_line_with_one_tap(analysed_game, visitor):
    band = visitor.get(f"{analysed_game.path}/chances/band")
    (found,) = told_moves(analysed_game)
    page = visitor.send(band.form("Try it"))
    assert page.status == 200 and "What if" in page.text and "Delete this what-if" in page.html
    assert visitor.post(f"{analysed_game.path}/chances/better", step="2").status == 404
    assert found.weighed.better is not None
    from daybook.services.disputes.forks import forks_of_owner
    from daybook.services.store.kept import kept_fork

    with analysed_game.book.kept.engine.connect() as connection:
        (owner,) = connection.scalars(kept_fork.select().with_only_columns(kept_fork.c.owner))
    (fork,) = forks_of_owner(analysed_game.book, analysed_game.id, owner)
    assert fork.at == analysed_game.game.parents[found.step]
    assert [(move.seat, move.decision) for move in fork.moves] == [(found.weighed.seat, found.weighed.better)]


def test_the_page_tells_every_position_and_luck_apart_from_play(analysed_game, visitor):
    page = visitor.get(f"{analysed_game.path}/chances")
    found = win_chances.analysis_of(analysed_game.book, analysed_game.game)
    for position in found.positions:
        assert f'?step={position.step}">{position.step}</a>' in page.html
    assert "Luck and play" in page.text and ">both</th>" in page.html


def test_replay_requests_chances_only_after_the_end(analysed_game, open_game, visitor):
    assert f'data-chances="{analysed_game.path}/chances/band"' in visitor.get(analysed_game.path).html
    running = open_game(public=True)
    running.deal()
    for somebody in (visitor, running.visitor()):
        assert "data-chances" not in somebody.get(running.path).html
        assert somebody.get(f"{running.path}/chances/band").status == 204
        assert "while a game is being played" in somebody.get(f"{running.path}/chances").text
        assert somebody.post(f"{running.path}/chances").status == 409


def test_who_keeps_a_record_may_do_without(analysed_game, visitor):
    keeper = analysed_game.visitor()
    page = keeper.press(f"{analysed_game.path}/chances", "No win chances")
    assert "switched off for this game" in page.text
    assert visitor.get(f"{analysed_game.path}/chances/band").status == 204
    assert visitor.post(f"{analysed_game.path}/chances/wanted", wanted="yes").status == 403
    keeper.send(page.form("Calculate win chances"))
    assert visitor.get(f"{analysed_game.path}/chances/band").status == 200


def test_where_none_are_reckoned_a_replay_is_as_it_was(analysed_game, app, visitor):
    assert "chances" in visitor.get(analysed_game.path).html
    begin(
        app, replace(analysed_game.book, settings=replace(analysed_game.book.settings, win_chances_seconds_per_day=0))
    )
    page = visitor.get(analysed_game.path)
    assert page.status == 200 and "chances" not in page.html


@pytest.mark.parametrize("stored", [None, True, False])
def test_the_page_says_whether_chances_were_held_against_who_won(analysed_game, visitor, monkeypatch, tmp_path, stored):
    monkeypatch.setattr(calibration, "files", lambda package: tmp_path)
    if stored is not None:
        ahead = BrierAdvantage(0.1, 0.02 if stored else -0.02, 0.2)
        tenths = [Tenth(0, 0.0, 0.0)] * 3 + [Tenth(7, 0.34, 0.41)]
        (tmp_path / calibration.CALIBRATION_FILE).write_bytes(
            msgspec.json.encode(
                Calibration(
                    "making_profit",
                    calibration.chances_revision(analysed_game.game.ruleset),
                    3,
                    321,
                    900,
                    1,
                    {},
                    0.4,
                    0.4,
                    0.5,
                    0.5,
                    ahead,
                    ahead,
                    tenths,
                    0.0,
                    None,
                    30.0,
                )
            )
        )
    says = {
        None: "were never compared with who won",
        False: "Not calibrated for this game: in 321 games",
        True: "In 321 games of practice players, these chances predicted the winner better",
    }[stored]
    page, band = visitor.get(f"{analysed_game.path}/chances"), visitor.get(f"{analysed_game.path}/chances/band")
    assert says in page.text and says in band.text
    assert ("How often they came true" in page.text) == (stored is not None)
    assert ("30–40 % 34 % 41 % 7" in page.text) == (stored is not None)


def test_running_practice_game_is_computed_on_request(analysed_game, visitor):
    id = open_seats(analysed_game.book, title="To learn", kind="practice", options={"hands": "open"}, public=True)
    play(analysed_game.book, id, 12, seed=1)
    page = visitor.press(f"/games/{id}/chances", "Calculate")
    assert "At least 13 positions still have to be calculated" in page.text
    make_all(analysed_game.book, id)
    assert 'class="area' in visitor.get(f"/games/{id}/chances/band").html


def test_largest_swings_are_marked_except_named_moves():
    def at(step: int, *shares: float) -> AnalysedPosition:
        return AnalysedPosition(step, 1, win_chances.Chances(9, 0, [*shares], [*shares], [*shares]))

    line = [at(0, 0.5, 0.5), at(4, 0.7, 0.3), at(5, 0.65, 0.35), at(6, 0.2, 0.8)]
    assert [(item.first, item.step, item.gains) for item in find_swings(line, set())] == [
        (1, 4, [20, -20]),
        (6, 6, [-45, 45]),
    ]
    assert [swing.step for swing in find_swings(line, {6})] == [4]


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), pytest.param(1280, "dark", marks=pytest.mark.drill)])
def test_band_loads_after_the_page_and_steps_without_requests(analysed_game, page, site, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_replay(page, f"{site}{analysed_game.path}?step=3")
    if width < 1000:
        page.locator('[data-slide="charts"]').dispatch_event("click")
    band = page.locator(".chances .area").first
    expect(band).to_be_attached()
    expect(page.locator(".chances .cursor").first).to_have_attribute("d", "M3 0V100")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator(".chances .costly-moves a").first.click()
    (found,) = told_moves(analysed_game)
    expect(page.locator(".chances .cursor").first).to_have_attribute("d", f"M{found.step} 0V100")
    assert asked == []
    if width < 1000:
        page.locator('[data-slide="charts"]').dispatch_event("click")
    assert examine_page(page, ".chances").faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"{site}{analysed_game.path}/chances")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
