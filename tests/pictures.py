"""Makes pictures of the main pages, at three sizes, in light and in dark, to look at: `make pictures`.

    python -m tests.pictures FOLDER [--language ko] [--only statistics] [--size 390x844] [--theme dark] [--whole]

FOLDER has every page as a picture of its own, and for each size and theme one contact sheet of them all,
`sheet-390x844-light.png`. --only takes the pages whose names begin so; --whole takes them to their foot and not only
what a first screen shows. What the browser complains about is printed, and then the exit status is 1.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

from daybook.domain.games import RULESETS
from daybook.services.league.demonstration import Demonstration
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import explorer
from daybook.services.statistics.collect import count_all
from daybook.services.statistics.figure_questions import Filter
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests import servers
from tests.browsing import wait_until_drawn
from tests.played import update_games, update_results
from tests.web.conftest import Opened, open_table, served
from tests.web.leagues import ClubAtHand

SIZES = ("390x844", "1280x900", "1920x1080")
THEMES = ("light", "dark")
NAMES = ("Anna", "Ben", "Zoë", "Łukasz")
SEATS = {"making_profit": 3, "london_markets": 4, "water_frame": 4, "arkwright_card": 4}
STEPS = 150  # of each game that is looked at
FINISHED = {"making_profit": (3, 8, 48), "london_markets": (4, 2, 12)}  # seats, games played, and laid in altogether
FIGURES = {  # pages of statistics about them alone
    "making_profit": ("game", "winners", "ask", "opening"),
    "london_markets": ("markets",),
}
SHEET = 3840  # pixels of a contact sheet's width, about
TITLE = 28  # pixels of the line that names a page on it

Pages = list[tuple[str, Callable[[Page], object]]]


def main(arguments: Sequence[str] | None = None) -> int:
    asked = parser().parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    complaints: list[str] = []
    with (
        tempfile.TemporaryDirectory() as data,
        serve_pages(Path(data)) as (book, app, base),
        sync_playwright() as driver,
    ):
        pages = [page for page in main_pages(book, app, base, asked.only) if page[0].startswith(asked.only)]
        browser = driver.chromium.launch(executable_path=servers.chromium())
        for size in asked.size or SIZES:
            for theme in asked.theme or THEMES:
                files = pictures_of(browser, pages, asked.folder, size, theme, asked.language, asked.whole, complaints)
                sheet = asked.folder / f"sheet-{size}-{theme}.png"
                contact_sheet(files, int(size.split("x")[0])).save(sheet)
                print(f"{sheet}: {len(files)} pages")
        browser.close()
    print("\n".join(dict.fromkeys(complaints)) or "The browser complained about nothing.")
    return 1 if complaints else 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="tests.pictures", description=__doc__.split("\n\n")[0])
    made.add_argument("folder", type=Path)
    made.add_argument("--language", default="en-GB")
    made.add_argument("--only", default="")
    made.add_argument("--size", action="append", choices=SIZES)
    made.add_argument("--theme", action="append", choices=THEMES)
    made.add_argument("--whole", action="store_true")
    return made


@contextmanager
def serve_pages(data: Path) -> Iterator[tuple[Daybook, Flask, str]]:
    """A data folder of its own with its pages."""
    book = open_daybook(Settings(data=data / "data"), create=True)
    app = create_app(book)
    with served(app) as address:
        yield book, app, address
    book.close()


def main_pages(book: Daybook, app: Flask, base: str, only: str = "") -> Pages:
    """Return the main pages by name with the function that opens each; make their games, club and figures.

    only: prefixes of the wanted names.
    """

    def wanted(*names: str) -> bool:
        """Return whether the selection includes one of these, or everything."""
        return any(name.startswith(only) for name in ("home", "clubs", "statistics", *names))

    games = {
        ruleset: game_at_hand(book, app, ruleset, seats)
        for ruleset, seats in SEATS.items()
        if wanted(f"record-{ruleset}", f"replay-{ruleset}")
    }
    club = ClubAtHand(book, app, public=True)
    for ruleset, (seats, played, laid) in FINISHED.items():
        if not wanted(*(f"statistics-{page}" for page in FIGURES[ruleset])):
            continue
        records = list(simulate.simulate_games(RULESETS[ruleset], seats, played, 5, {}))
        list(simulate.insert_copies(book, records, laid, simulate.demonstration_players(7, secrets.randbits(30)), 5))
    practice = Demonstration(book, "Practice club", club.olga, by=club.olga, key="pictures", public=True)
    if wanted("statistics-club"):
        practice.make("Practice league", "Season 1", lambda season, table: f"{season.name}, {table.id}")
    update_games(book)
    update_results(book)
    count_all(book)
    counted = "/statistics/making_profit"
    setups = [row.key for row in explorer.find_setups(book, Filter(ruleset="making_profit", practice="yes")).rows]
    paths = {
        "home": "/",
        "new": "/new",
        "help": "/help",
        "clubs": "/clubs",
        "club": club.path,
        "statistics-club": f"/clubs/{practice.id}/statistics",
        "statistics": "/statistics?practice=yes",
        "statistics-game": f"{counted}?practice=yes",
        "statistics-markets": "/statistics/london_markets?practice=yes",
        "statistics-winners": f"{counted}/winners?practice=yes",
        "statistics-ask": f"{counted}/ask?practice=yes&measure=level&split=number&then=won",
        "statistics-opening": f"{counted}/openings/{setups[0] if setups else ''}?practice=yes",
    }
    pages: Pages = [(name, open_page(base + path)) for name, path in paths.items()]
    for ruleset, game in games.items():
        pages.append((f"record-{ruleset}", open_record_page(f"{base}/join#{game.key('scorekeeper')}")))
        pages.append((f"replay-{ruleset}", open_page(base + game.path)))
    return pages


def game_at_hand(book: Daybook, app: Flask, ruleset: str, seats: int) -> Opened:
    game = open_table(book, app, NAMES[:seats], title=f"Friday, {ruleset}", public=True, ruleset_id=ruleset)
    game.play(STEPS, seed=3)
    game.update_list()
    return game


def open_page(address: str) -> Callable[[Page], object]:
    return lambda page: page.goto(address)


def open_record_page(address: str) -> Callable[[Page], object]:
    def open_and_wait(page: Page) -> None:
        page.goto(address)
        page.wait_for_url("**/record")

    return open_and_wait


def pictures_of(
    browser: Browser,
    pages: Pages,
    folder: Path,
    size: str,
    theme: str,
    language: str,
    full: bool,
    complaints: list[str],
) -> list[Path]:
    """Every page at a size in a theme, as files."""
    width, height = map(int, size.split("x"))
    own = folder / f"{size}-{theme}"
    own.mkdir(exist_ok=True)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale=language,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    files = []
    for name, go in pages:
        go(page)
        wait_until_drawn(page)
        file = own / f"{name}.png"
        page.screenshot(path=file, full_page=full)
        files.append(file)
    context.close()
    return files


def contact_sheet(files: Sequence[Path], width: int) -> Image.Image:
    """Join pictures of one width in a grid, each under its name."""
    columns = min(len(files), max(4, round(SHEET / width)))
    scale = min(1.0, SHEET / (columns * width))
    pictures = [(file.stem, smaller(file, scale)) for file in files]
    rows = [pictures[at : at + columns] for at in range(0, len(pictures), columns)]
    heights = [TITLE + max(picture.height for _, picture in row) for row in rows]
    wide = round(width * scale)
    sheet = Image.new("RGB", (columns * wide, sum(heights)), "grey")
    pen = ImageDraw.Draw(sheet)
    for number, row in enumerate(rows):
        top = sum(heights[:number])
        for at, (name, picture) in enumerate(row):
            pen.text((at * wide + 8, top + 6), name, fill="white", font_size=14)
            sheet.paste(picture, (at * wide, top + TITLE))
    return sheet


def smaller(file: Path, scale: float) -> Image.Image:
    with Image.open(file) as picture:
        size = round(picture.width * scale), round(picture.height * scale)
        return picture.resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    sys.exit(main())
