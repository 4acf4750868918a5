"""A club to work with."""

from __future__ import annotations

import pytest
from flask import Flask

from daybook.services.store.daybook import Daybook
from tests.web.leagues import ClubAtHand


@pytest.fixture
def mill(book: Daybook, app: Flask) -> ClubAtHand:
    return ClubAtHand(book, app)
