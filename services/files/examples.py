"""The recorded games that a fresh Daybook shows."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import daybook
from daybook.services.files.import_export import import_file
from daybook.services.store.daybook import Daybook

FOLDER = Path(daybook.__file__).parent / "examples"  # links to files of fixtures/, which a wheel carries as files
EXAMPLES = ("friday-four.daybook", "six-to-the-limit.daybook", "hidden-trio.daybook", "market-day.daybook",
            "four-mills.daybook", "three-portfolios.daybook")


def add_examples(book: Daybook) -> list[UUID]:
    """Import the example games into a log that holds no game yet; the games added."""
    if book.log.newest():
        return []
    return [import_file(book, (FOLDER / name).read_bytes(), public=True) for name in EXAMPLES]
