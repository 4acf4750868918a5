"""Kills a browser while it writes, many times: `python -m tests.bench.kills --times 10` prints what was missing."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from daybook import browser_build
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests.here.conftest import BUILD
from tests.here.test_device import kills
from tests.web.conftest import served


def main() -> None:
    arguments = argparse.ArgumentParser(prog="kills", description=__doc__)
    arguments.add_argument("--times", type=int, default=10)
    asked = arguments.parse_args()
    folder = BUILD / "here"
    if not browser_build.is_current(folder):
        browser_build.build(folder)
    with tempfile.TemporaryDirectory() as here, sync_playwright() as playwright:
        book = open_daybook(Settings(data=Path(here) / "data"), create=True)
        (book.settings.data / "here").symlink_to(folder)
        with served(create_app(book)) as address:
            missing = kills(playwright.chromium, Path(here) / "profile", f"{address}/here/", asked.times)
        book.close()
    print(f"{asked.times} kills; missing: {missing or 'nothing'}")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
