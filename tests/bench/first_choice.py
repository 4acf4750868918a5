"""Measure where the choices of the record page begin and end on a phone, at every step of whole games.

    python -m tests.bench.first_choice
    python -m tests.bench.first_choice --game water_frame --size 320x640 --log

A browser opens the scorekeeper's page after each step and reads the top of the first choice and the bottom of the last.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from daybook.domain.commands import Decide
from daybook.domain.kernel.board import plain
from daybook.services.play.practice import MAX_GAME_STEPS, Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests import servers
from tests.bench.taps import EVENINGS, NAMES, TappedGame, next_turn
from tests.web.conftest import Opened, open_table, served

GAMES = EVENINGS | {"score_sheet": TappedGame(seats=4)}
GOAL_PX = 120
CHOICES = """() => {
  const controls = [...document.querySelectorAll(
    "#desk :is(.choices, .chart, .preview, .figures-grid, .pass-on, .number-grid) :is(a, button, input:not([type=hidden]), select, summary)")]
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect()).filter((box) => box.height > 1 && box.width > 1);
  return {
    first: controls.length ? Math.min(...controls.map((box) => box.top)) + scrollY : null,
    last: controls.length ? Math.max(...controls.map((box) => box.bottom)) + scrollY : null,
    bar: document.querySelector("#desk .dock, #desk > .undo")?.offsetHeight ?? 0,
    wide: document.documentElement.scrollWidth > innerWidth,
    question: document.querySelector("h1")?.textContent.replace(/\\s+/g, " ").trim() ?? "",
  };
}"""


@dataclass(frozen=True)
class ChoicesPlace:
    """Top of the first choice and bottom of the last, in pixels from the top of the page; height of the bar below."""

    step: int
    first: float
    last: float
    bar: float
    question: str


def main() -> None:
    arguments = argparse.ArgumentParser(prog="first_choice", description=__doc__.split("\n\n")[0])
    arguments.add_argument("--game", choices=tuple(GAMES), action="append", help="only these games")
    arguments.add_argument("--size", default="390x844")
    arguments.add_argument("--language", default="en-GB")
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--every", type=int, default=1, help="look at each n-th turn only")
    arguments.add_argument("--steps", type=int, default=MAX_GAME_STEPS)
    arguments.add_argument("--log", action="store_true", help="also print every page")
    options = arguments.parse_args()
    width, height = map(int, options.size.split("x"))
    print(
        f"{'':<16}{'pages':>6}{'first: median':>14}{'max':>6}{f'above {GOAL_PX}':>11}{'last: median':>14}{'max':>7}{'below the screen':>18}"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        browser = driver.chromium.launch(executable_path=servers.chromium())
        with served(app) as address:
            for name in options.game or GAMES:
                planned = GAMES[name]
                game = open_table(book, app, NAMES[: planned.seats], ruleset_id=name, **planned.options)
                page = browser.new_context(
                    viewport={"width": width, "height": height}, locale=options.language
                ).new_page()
                game.enter(page, address)
                places = list(
                    measure_game(page, address, game, options.seed or planned.seed, options.every, options.steps)
                )
                tops, bottoms = [place.first for place in places], [place.last for place in places]
                print(
                    f"{name:<16}{len(places):>6}{statistics.median(tops):>14.0f}{max(tops):>6.0f}"
                    f"{sum(top > GOAL_PX for top in tops):>11}{statistics.median(bottoms):>14.0f}{max(bottoms):>7.0f}"
                    f"{sum(place.last > height - place.bar for place in places):>18}",
                    flush=True,
                )
                for place in places if options.log else ():
                    print(f"{place.step:>5}{place.first:>6.0f}{place.last:>6.0f}{place.bar:>6.0f}  {place.question}")
                page.context.close()
        browser.close()
        book.close()


def measure_game(
    page: Page, address: str, game: Opened, seed: int, every: int = 1, steps: int = MAX_GAME_STEPS
) -> Iterator[ChoicesPlace]:
    """Play a game and yield where the choices are after each turn."""
    dealer, turns = Dealer(seed), 0
    while game.step < steps:
        if turns % every == 0:
            page.goto(f"{address}{game.path}/record")
            place = page.evaluate(CHOICES)
            assert not place["wide"], f"step {game.step} scrolls sideways"
            if place["first"] is not None:
                yield ChoicesPlace(game.step, place["first"], place["last"], place["bar"], place["question"])
        turns += 1
        if (chosen := next_turn(game.game.ruleset, game.game.board, dealer)) is None:
            return
        seat, decisions = chosen
        for decision in decisions:
            game.write(Decide(seat, plain(decision)), at=game.step)


if __name__ == "__main__":
    main()
