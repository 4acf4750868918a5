"""A daybook that calculates win chances, with little effort for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.services.analysis.quick import little_effort


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, win_chances_seconds_per_day=3600)


@pytest.fixture
def book(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daybook]:
    little_effort(monkeypatch)
    opened = open_daybook(settings, accept_loss=True)  # a whole copy, of which nothing can be lost
    yield opened
    opened.close()
