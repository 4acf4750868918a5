"""The recorded games that a fresh Daybook shows."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from daybook.services.files.import_export import import_file
from daybook.services.store.daybook import Daybook

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
EXAMPLES = ("friday-four.daybook", "six-to-the-limit.daybook", "hidden-trio.daybook", "market-day.daybook",
            "four-mills.daybook", "three-portfolios.daybook")


def add_examples(book: Daybook) -> list[UUID]:
    """Import the example games into a log that holds no game yet; the games added.

    They lie beside the code; where only the code was installed there are none to show.
    """
    if book.log.newest() or not FIXTURES.is_dir():
        return []
    return [import_file(book, (FIXTURES / name).read_bytes(), public=True) for name in EXAMPLES]
