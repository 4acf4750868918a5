"""The recorded games that a fresh Daybook shows."""

from __future__ import annotations

from importlib.resources import files
from uuid import UUID

from daybook.services.files.import_export import import_file
from daybook.services.store.daybook import Daybook

FOLDER = files("daybook") / "examples"  # links to files of fixtures/; in a wheel, copies
EXAMPLES = (
    "friday-four.daybook",
    "six-to-the-limit.daybook",
    "hidden-trio.daybook",
    "market-day.daybook",
    "four-mills.daybook",
    "three-portfolios.daybook",
)


def add_examples(book: Daybook) -> list[UUID]:
    """Import the example games into a log that holds no game yet; the games added."""
    if book.log.newest():
        return []
    return [import_file(book, (FOLDER / name).read_bytes(), public=True) for name in EXAMPLES]
