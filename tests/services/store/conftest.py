"""A log on a real database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from daybook.services.settings import Settings
from daybook.services.store.log import GameLog, open_log


@pytest.fixture
def log(settings: Settings) -> Iterator[GameLog]:
    """An empty log; once on SQLite, once on PostgreSQL."""
    with closing(open_log(settings, create=True)) as log:
        yield log
